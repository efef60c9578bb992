"""The C types for kernel/loop.py, with classes in the same order. Cython compiles both files into one module.

Python ignores this file. `@cython.locals` declares the types of a function's local variables. `inline` also states that
no subclass overrides the method. Functions that are not declared here (`__init__`, and the functions for games with
people) remain ordinary Python functions.

The annotations in kernel/loop.py check the arguments of ordinary functions and of `play_games`. Without these checks,
passing None would crash the process.

The types of constants are declared in kernel/loop.py. Names declared in a .pxd file are shared between modules, so C
would read their values again after every store.

The index variables of inner loops are of type Py_ssize_t, the type of a pointer offset. C would have to widen an int at
each use.
"""

cimport cython
from cpython.pycapsule cimport PyCapsule_GetPointer

ctypedef unsigned long long ulonglong
ctypedef long long longlong


cdef class Graph:
    cdef int[::1] first_move, next_position, next_or_end, multiplicity, action_counts
    cdef signed char[::1] outcome, to_move
    cdef int longest


cdef class Record:
    cdef int[::1] position, move
    cdef signed char[::1] explored, learned
    cdef readonly int plies
    cdef int end, ruined
    cdef bint flagged

    @cython.locals(ply=Py_ssize_t)
    cdef inline void begin_game(self) noexcept nogil


# This is the struct in numpy/random/bitgen.h. The capsule of every BitGenerator points to such a struct
# (numpy.org/doc/stable/reference/random/c-api.html).
ctypedef struct bitgen_t:
    void *state
    ulonglong (*next_uint64)(void *state) noexcept nogil


# This is PCG64 as in NumPy (numpy/random/src/pcg64, XSL-RR 128/64; O'Neill, PCG, 2014). The state is multiplied by a
# constant, and `step` is added, modulo 2^128. The number is the XOR of both halves, rotated right by the upper six
# bits. A seed is hashed as in NumPy's SeedSequence (O'Neill, Developing a seed_seq Alternative, 2015).
cdef extern from *:
    """
    typedef unsigned long long menace_word;
    #ifdef __SIZEOF_INT128__
    #define MENACE_HAS_INT128 1
    typedef unsigned __int128 menace_wide __attribute__((aligned(8))); /* as Python allocates objects */
    #else
    #define MENACE_HAS_INT128 0 /* RawNumbers then never computes numbers itself */
    typedef menace_word menace_wide;
    #endif
    #define MENACE_JOIN(high, low) ((((menace_wide)(high) << 32) << 32) | (low))
    #define MENACE_UPPER(wide) ((menace_word)(((wide) >> 32) >> 32))
    #define MENACE_LOWER(wide) ((menace_word)(wide))
    typedef struct { menace_wide state, step; } menace_pcg64;
    static inline menace_word menace_next(menace_pcg64 *words) {
        menace_wide state = words->state * MENACE_JOIN(2549297995355413924ULL, 4865540595714422341ULL) + words->step;
        menace_word mixed = MENACE_UPPER(state) ^ MENACE_LOWER(state);
        unsigned int turn = (unsigned int)(MENACE_UPPER(state) >> 58);
        words->state = state;
        return (mixed >> turn) | (mixed << (-turn & 63));
    }
    static inline unsigned int menace_hash(unsigned int value, unsigned int *factor, unsigned int growth) {
        value ^= *factor;
        *factor *= growth;
        value *= *factor;
        return value ^ (value >> 16);
    }
    static void menace_seed(menace_pcg64 *words, menace_word seed) {
        unsigned int pool[4] = {(unsigned int)seed, (unsigned int)(seed >> 32), 0, 0}, factor = 0x43b0d7e5U;
        menace_word made[4];
        int from, to;
        for (to = 0; to < 4; to++)
            pool[to] = menace_hash(pool[to], &factor, 0x931e8875U);
        for (from = 0; from < 4; from++)
            for (to = 0; to < 4; to++)
                if (from != to) {
                    unsigned int mixed = 0xca01f9ddU * pool[to] - 0x4973f715U * menace_hash(pool[from], &factor, 0x931e8875U);
                    pool[to] = mixed ^ (mixed >> 16);
                }
        factor = 0x8b51f9ddU;
        for (to = 0; to < 4; to++) {
            made[to] = menace_hash(pool[2 * to & 3], &factor, 0x58f38dedU);
            made[to] |= (menace_word)menace_hash(pool[(2 * to + 1) & 3], &factor, 0x58f38dedU) << 32;
        }
        words->step = (MENACE_JOIN(made[2], made[3]) << 1) | 1;
        words->state = words->step + MENACE_JOIN(made[0], made[1]);
        menace_next(words);
    }
    """
    const bint HAS_INT128 "MENACE_HAS_INT128"
    ctypedef struct wide "menace_wide":
        pass
    ctypedef struct pcg64_t "menace_pcg64":
        wide state, step
    ulonglong next_number "menace_next"(pcg64_t *words) noexcept nogil
    void seed_words "menace_seed"(pcg64_t *words, ulonglong seed) noexcept nogil
    wide join "MENACE_JOIN"(ulonglong high, ulonglong low) noexcept nogil
    ulonglong upper "MENACE_UPPER"(wide state) noexcept nogil
    ulonglong lower "MENACE_LOWER"(wide state) noexcept nogil

ctypedef pcg64_t *pcg64_pointer


cdef class RawNumbers:
    cdef object owner
    cdef bitgen_t source
    cdef bint computes
    cdef pcg64_t words

    cdef inline void lend(self, pcg64_t *state) noexcept nogil
    cdef inline void take_back(self, pcg64_t *state) noexcept nogil
    cdef inline ulonglong next_from(self, pcg64_t *state, bint computes) noexcept nogil
    cdef inline ulonglong next(self) noexcept nogil


cdef class FixedPlayer:
    cdef int[::1] first_move, weight, total
    cdef int side
    cdef bint learns

    cdef Py_ssize_t choose(self, Record record, Py_ssize_t position, RawNumbers numbers) noexcept nogil
    cdef void learn(self, Record record, int result) noexcept nogil
    cdef void refill(self, int position) noexcept nogil
    cdef void restart(self) noexcept nogil

    @cython.locals(move=Py_ssize_t, left=int)
    cdef inline Py_ssize_t pick(self, Py_ssize_t position, ulonglong low) noexcept nogil

    @cython.locals(left=int)
    cdef inline Py_ssize_t pick_from(self, Py_ssize_t move, ulonglong total, ulonglong low) noexcept nogil


@cython.locals(move=Py_ssize_t, weights=ulonglong, left=int)
cdef inline Py_ssize_t draw(
    FixedPlayer player, int[::1] first_move, int[::1] weight, int[::1] total, Record record, int[::1] positions,
    Py_ssize_t ply, Py_ssize_t position, RawNumbers numbers, pcg64_t *state, bint computes
) noexcept nogil


cdef class BeadPlayer(FixedPlayer):
    cdef FixedPlayer any_move
    cdef signed char[::1] boxed
    cdef int[::1] first_beads, next_position
    cdef longlong[::1] picked
    cdef int win, draw, loss, floor, least, when_empty
    cdef bint last_only, restocks

    cdef Py_ssize_t choose(self, Record record, Py_ssize_t position, RawNumbers numbers) noexcept nogil
    cdef void refill(self, int position) noexcept nogil

    @cython.locals(position=Py_ssize_t, move=Py_ssize_t)
    cdef void restart(self) noexcept nogil

    @cython.locals(move=int, left=longlong)
    cdef bint is_ruined(self) noexcept nogil

    @cython.locals(move=int)
    cdef void restock(self, int position) noexcept nogil

    @cython.locals(change=int)
    cdef void learn(self, Record record, int result) noexcept nogil

    @cython.locals(ply=Py_ssize_t, position=Py_ssize_t, move=Py_ssize_t, beads=int)
    cdef inline void add_beads(
        self, Py_ssize_t first, Py_ssize_t plies, int change, int least, int[::1] positions, int[::1] moves,
        signed char[::1] learned, signed char[::1] boxed, int[::1] weight, int[::1] total, longlong[::1] picked
    ) noexcept nogil

    cdef void limit_pile(self, Py_ssize_t position, Py_ssize_t move, int beads) noexcept nogil

    @cython.locals(ply=int)
    cdef int last_drawn(self, Record record) noexcept nogil


cdef class GreedyPlayer(FixedPlayer):
    cdef FixedPlayer exploring
    cdef double[::1] value
    cdef int[::1] place
    cdef longlong[::1] count
    cdef double[::1] state
    cdef bint first_of_ties, decay_first, decays, has_own
    cdef double decay, least
    cdef ulonglong threshold

    cdef inline double decayed(self) noexcept nogil
    cdef inline void set_epsilon(self, double epsilon) noexcept nogil
    cdef inline void end_game(self) noexcept nogil
    cdef void restart(self) noexcept nogil

    cdef Py_ssize_t choose(self, Record record, Py_ssize_t position, RawNumbers numbers) noexcept nogil

    @cython.locals(
        move=Py_ssize_t, chosen=Py_ssize_t, end=Py_ssize_t, best=double, value=double, tied=bint, low=ulonglong
    )
    cdef inline Py_ssize_t explore_or_best(
        self, bint own, Record record, Py_ssize_t position, ulonglong number
    ) noexcept nogil

    @cython.locals(move=Py_ssize_t, best=double, ties=ulonglong, left=longlong)
    cdef inline Py_ssize_t share(self, Py_ssize_t chosen, Py_ssize_t end, ulonglong low) noexcept nogil

    @cython.locals(value=double)
    cdef inline double update(self, Py_ssize_t place, double alpha, double target) noexcept nogil


cdef class StatePlayer(GreedyPlayer):
    cdef signed char[::1] outcome
    cdef int[::1] next_position
    cdef double alpha, win, loss, drawn_by_other
    cdef bint afterstates, from_exploration

    cdef Py_ssize_t choose(self, Record record, Py_ssize_t position, RawNumbers numbers) noexcept nogil
    cdef void learn(self, Record record, int result) noexcept nogil

    @cython.locals(ply=Py_ssize_t, skipped=Py_ssize_t, position=Py_ssize_t, alpha=double, target=double)
    cdef inline void learn_positions(self, Record record) noexcept nogil

    @cython.locals(ply=int, last=Py_ssize_t, after=Py_ssize_t, target=double)
    cdef inline void learn_afterstates(self, Record record, int result) noexcept nogil


cdef class TracePlayer(GreedyPlayer):
    cdef signed char[::1] outcome
    cdef int[::1] next_position
    cdef double alpha, win, loss, drawn_by_other, fade
    cdef bint from_exploration

    cdef Py_ssize_t choose(self, Record record, Py_ssize_t position, RawNumbers numbers) noexcept nogil

    @cython.locals(ply=int, first=int, last=Py_ssize_t, after=Py_ssize_t, target=double)
    cdef void learn(self, Record record, int result) noexcept nogil

    @cython.locals(place=Py_ssize_t, ply=int, step=double)
    cdef inline void learn_traced(self, Record record, int first, int last, double target) noexcept nogil


cdef class MovePlayer(GreedyPlayer):
    cdef double alpha, gamma, win, draw, loss
    cdef int[::1] action_counts
    cdef int worth
    cdef bint end_first, backward, sets_final
    cdef signed char[::1] outcome

    @cython.locals(ply=int, last=int)
    cdef void learn(self, Record record, int result) noexcept nogil

    @cython.locals(move=Py_ssize_t, position=Py_ssize_t, value=double, best=double)
    cdef inline void learn_ply(self, Record record, int ply) noexcept nogil

    @cython.locals(move=Py_ssize_t, first=Py_ssize_t, value=double, best=double, total=double, explores=double)
    cdef inline double mean(self, Py_ssize_t position) noexcept nogil

    @cython.locals(move=Py_ssize_t, reward=double)
    cdef inline void learn_end(self, Record record, int last, int result) noexcept nogil


cdef class DoublePlayer(GreedyPlayer):
    cdef double alpha, gamma, win, draw, loss
    cdef double[::1] half

    @cython.locals(ply=int, move=Py_ssize_t, reward=double, sign=double, target=double, step=double)
    cdef void learn(self, Record record, int result) noexcept nogil

    @cython.locals(chosen=Py_ssize_t, move=Py_ssize_t, best=double, value=double)
    cdef inline double judged(self, Py_ssize_t position, double sign) noexcept nogil


cdef class ReturnPlayer(GreedyPlayer):
    cdef double alpha, win, draw, loss
    cdef double[::1] discount
    cdef int steps
    cdef bint averages

    @cython.locals(ply=int, ahead=int, move=Py_ssize_t, alpha=double, reward=double, target=double)
    cdef void learn(self, Record record, int result) noexcept nogil


cdef class BoundPlayer(ReturnPlayer):
    cdef double[::1] reach, root

    @cython.locals(
        move=Py_ssize_t, chosen=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, games=longlong, reach=double, best=double,
        bound=double, ties=ulonglong, left=longlong
    )
    cdef Py_ssize_t choose(self, Record record, Py_ssize_t position, RawNumbers numbers) noexcept nogil

    cdef inline double bound_of(self, Py_ssize_t move, double reach) noexcept nogil

    @cython.locals(entry=Py_ssize_t)
    cdef inline Py_ssize_t rank(self, longlong count) noexcept nogil


cdef class FavouritePlayer(GreedyPlayer):
    cdef signed char[::1] boxed
    cdef int[::1] changes
    cdef int longest, floor

    @cython.locals(ply=int, move=Py_ssize_t, row=int, beads=double)
    cdef void learn(self, Record record, int result) noexcept nogil


cdef class OddsPlayer(FixedPlayer):
    cdef double[::1] value, multiplier, state
    cdef longlong[::1] count
    cdef bint counts_forced, sliding
    cdef double memory, set_size, smallest

    @cython.locals(move=Py_ssize_t, total=double)
    cdef inline double sum_of(self, Py_ssize_t position) noexcept nogil

    @cython.locals(move=Py_ssize_t, end=Py_ssize_t, share=double, limit=double, running=double)
    cdef Py_ssize_t choose(self, Record record, Py_ssize_t position, RawNumbers numbers) noexcept nogil

    @cython.locals(ply=int, plies=int)
    cdef void learn(self, Record record, int result) noexcept nogil

    @cython.locals(last=int)
    cdef inline int counted(self, Record record) noexcept nogil

    cdef inline void slide(self, int result) noexcept nogil

    @cython.locals(move=Py_ssize_t, total=double)
    cdef inline void learn_ply(
        self, Py_ssize_t position, Py_ssize_t chosen, double multiplier, int result
    ) noexcept nogil


cdef double power(double base, double exponent) noexcept nogil

@cython.locals(ply=Py_ssize_t, position=Py_ssize_t, move=Py_ssize_t, end=int)
cdef inline int play_game(
    Graph graph, FixedPlayer x, FixedPlayer o, Record record, RawNumbers numbers, int[::1] first_move,
    int[::1] next_or_end, int[::1] x_weight, int[::1] x_total, int[::1] o_weight, int[::1] o_total, int[::1] positions,
    int[::1] moves, pcg64_t *state, bint computes
) noexcept nogil

@cython.locals(
    outcome=int, used=longlong, played=longlong, first_move=int[::1], next_or_end=int[::1], positions=int[::1],
    moves=int[::1], x_weight=int[::1], x_total=int[::1], o_weight=int[::1], o_total=int[::1], words=pcg64_t,
    state=pcg64_pointer, computes=bint
)
cpdef play_games(
    Graph graph, FixedPlayer x, FixedPlayer o, Record record, RawNumbers numbers, longlong games, longlong[::1] outcomes,
    bint stops=*
)

cdef class Boxes:
    cdef const int[::1] beads, first_beads
    cdef const signed char[::1] boxed
    cdef int when_empty

@cython.locals(
    position=Py_ssize_t, move=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, total=longlong, beads="const int[::1]"
)
cpdef void bead_weights(Graph graph, int side, Boxes boxes, bint favourite, double[::1] weight, double[::1] resigns)

@cython.locals(position=Py_ssize_t, first=Py_ssize_t)
cpdef void best_moves(Graph graph, int side, bint first_of_ties, const double[::1] value, double[::1] weight)

@cython.locals(move=Py_ssize_t, best=double, left=bint)
cdef inline void keep_best(
    Graph graph, Py_ssize_t first, Py_ssize_t end, bint first_of_ties, const double[::1] value, double[::1] weight
) noexcept

@cython.locals(position=Py_ssize_t, move=Py_ssize_t, total=double)
cpdef void add_shares(
    Graph graph, int side, const double[::1] weight, const double[::1] resigns, double share, double[::1] probability
)

@cython.locals(position=Py_ssize_t, move=Py_ssize_t, here=double, x_wins=double, draw=double, o_wins=double)
cpdef (double, double, double) outcomes_of(
    Graph graph, const double[::1] x, const double[::1] o, const double[::1] x_resigns, const double[::1] o_resigns,
    double[::1] reach, Py_ssize_t start=*
)

@cython.locals(
    position=Py_ssize_t, move=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, best=Py_ssize_t, sign=int, highest=double,
    most=double
)
cpdef void respond(
    Graph graph, int side, double tie, const double[::1] policy, const double[::1] resigns, double[::1] value,
    double[::1] wins, double[::1] chosen
)


cdef class Meter:
    cdef Graph graph
    cdef readonly int side
    cdef double tie
    cdef const double[::1] random, optimal
    cdef double[::1] scratch, weight, resigns

    @cython.locals(
        position=Py_ssize_t, move=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, after=Py_ssize_t, here=Py_ssize_t,
        entry=Py_ssize_t, side=int, tie=double, scratch=double[::1], random="const double[::1]",
        optimal="const double[::1]", first_move=int[::1], next_position=int[::1], total=double, scale=double,
        resigned=double, value=double, highest=double, random_wins=double, random_loses=double, optimal_wins=double,
        optimal_loses=double, wins=double, loses=double
    )
    cpdef void measure(self, const double[::1] weight, const double[::1] resigns, double[::1] shares, Py_ssize_t start)

@cython.locals(policy=Py_ssize_t, row=Py_ssize_t)
cpdef Py_ssize_t play_to_marks(
    Meter meter, FixedPlayer x, FixedPlayer o, Record record, RawNumbers numbers, longlong[::1] outcomes,
    longlong played, longlong end, Py_ssize_t index, const longlong[::1] marks, Boxes boxes,
    const signed char[::1] favourites, object measure, double[::1] shares
) except -1
