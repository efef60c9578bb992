/* MENACE against MENACE and against random play with all duties of the kernel, as fast as we can write it in C.
 *
 * tools/benchmarks/kernel.py compiles this program and compares it with menace/kernel/loop.py. The program shares no
 * code with menace. It reads the same arrays and plays like the preset `menace`: win +3, draw +1, loss -1, at least 0
 * beads; an empty box gets its first beads back; a position with one move has no box. Beads, counts and outcomes must
 * therefore agree to the bit.
 *
 * Define LONGEST, the maximum number of moves in a game, for any game but tic-tac-toe. In tic-tac-toe, only the last
 * cell has no box.
 */
#include <stdint.h>

#ifdef LONGEST
enum { CELLS = LONGEST, ONLY_LAST_BOXLESS = 0 };
#else
enum { CELLS = 9, ONLY_LAST_BOXLESS = 1 };
#endif
enum { WIN = 3, DRAW = 1, LOSS = -1, MAX_BEADS = (1 << 26) - 1 };

struct game {
    const int32_t *first_move;  /* [positions + 1] */
    const int32_t *next_or_end; /* [moves], the next position, or -2 - outcome if the move ends the game */
    const int8_t *choice;       /* [positions], 1 if there is a box */
};

struct player {
    int32_t *weight;            /* [moves], beads, or multiplicities for a player that does not learn */
    int32_t *total;             /* [positions], the sums of weights */
    const int32_t *first_beads; /* [moves] */
    int64_t *drawn;             /* [moves] */
};

struct score {
    int64_t games, numbers; /* games played, random numbers used */
};

/* NumPy's PCG64: a 128-bit congruential generator with XSL-RR output (O'Neill, PCG, 2014). */
struct generator {
    unsigned __int128 state, increment;
};

static inline uint64_t next_number(struct generator *generator)
{
    const unsigned __int128 multiplier = (unsigned __int128)2549297995355413924ULL << 64 | 4865540595714422341ULL;
    generator->state = generator->state * multiplier + generator->increment;
    uint64_t folded = (uint64_t)(generator->state >> 64) ^ (uint64_t)generator->state;
    int turn = (int)(generator->state >> 122);
    return folded >> turn | folded << (-turn & 63);
}

static void restock(const struct game *game, const struct player *player, int32_t position)
{
    for (int32_t move = game->first_move[position]; move < game->first_move[position + 1]; move++) {
        player->weight[move] = player->first_beads[move];
        player->total[position] += player->first_beads[move];
    }
}

static inline void learn(const int8_t *choice, const struct player *player, const int32_t *position,
                         const int32_t *move, int first, int end, int32_t change)
{
    int32_t *weight = player->weight, *total = player->total;
    int64_t *drawn = player->drawn;
    for (int ply = first; ply < end; ply += 2) {
        if (!ONLY_LAST_BOXLESS && !choice[position[ply]])
            continue;
        int32_t before = weight[move[ply]], after = before + change;
        if (after < 0)
            after = 0;
        if (after > MAX_BEADS)
            after = MAX_BEADS;
        weight[move[ply]] = after;
        total[position[ply]] += after - before;
        drawn[move[ply]]++;
    }
}

/* Draw and record a move, and return the next position, or a negative number if the game has ended. */
static inline int32_t make_move(const struct game *game, const struct player *player, int learns,
                                const int32_t *first_move, const int32_t *next_or_end, int32_t *weight, int32_t *total,
                                struct generator *generator, int32_t position, int32_t *opened, int32_t *made)
{
    if (learns && total[position] == 0)
        restock(game, player, position);
    int32_t move = first_move[position];
    int32_t left = (int32_t)((next_number(generator) & 0xFFFFFFFF) * (uint64_t)total[position] >> 32);
    while ((left -= weight[move]) >= 0)
        move++;
    *opened = position;
    *made = move;
    return next_or_end[move];
}

static inline struct score play(const struct game *game, const struct player *x, const struct player *o, int o_learns,
                                uint64_t *seed, int64_t games, int64_t *outcomes)
{
    /* Local variables, because the program would load other variables again after each store. */
    const int32_t *first_move = game->first_move, *next_or_end = game->next_or_end;
    int32_t *x_weight = x->weight, *x_total = x->total, *o_weight = o->weight, *o_total = o->total;
    struct generator generator = {(unsigned __int128)seed[0] << 64 | seed[1],
                                  (unsigned __int128)seed[2] << 64 | seed[3]};
    int32_t opened[CELLS], made[CELLS];
    int64_t used = 0;
    for (int64_t played = 0; played < games; played++) {
        int32_t position = 0;
        int ply = 0;
        for (;;) {
            position = make_move(game, x, 1, first_move, next_or_end, x_weight, x_total, &generator, position,
                                 &opened[ply], &made[ply]);
            ply++;
            if (position < 0)
                break;
            position = make_move(game, o, o_learns, first_move, next_or_end, o_weight, o_total, &generator, position,
                                 &opened[ply], &made[ply]);
            ply++;
            if (position < 0)
                break;
        }
        int outcome = -2 - position;
        int boxes = ONLY_LAST_BOXLESS && ply == CELLS ? CELLS - 1 : ply;
        learn(game->choice, x, opened, made, 0, boxes, outcome == 1 ? WIN : outcome == 0 ? DRAW : LOSS);
        if (o_learns)
            learn(game->choice, o, opened, made, 1, boxes, outcome == -1 ? WIN : outcome == 0 ? DRAW : LOSS);
        outcomes[1 - outcome]++;
        used += ply;
    }
    seed[0] = (uint64_t)(generator.state >> 64);
    seed[1] = (uint64_t)generator.state;
    return (struct score){games, used};
}

/* `seed` contains the generator's state and increment, high halves first. Adds the games that X won, the draws and the
 * games that O won to `outcomes`, and advances the state. */
struct score play_menace(const struct game *game, const struct player *x, const struct player *o,
                         uint64_t *seed, int64_t games, int64_t *outcomes)
{
    return play(game, x, o, 1, seed, games, outcomes);
}

struct score play_random(const struct game *game, const struct player *x, const struct player *o,
                         uint64_t *seed, int64_t games, int64_t *outcomes)
{
    return play(game, x, o, 0, seed, games, outcomes);
}
