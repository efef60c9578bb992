# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The hot loop: plays games on a transition table, and lets the players learn from them.

This file is Python with Cython's annotations. Compiled it is machine code; without a compiler Python runs it as it
stands, with the same results to the bit: whole numbers fit in 64 bits, and reals are doubles that are added,
subtracted, multiplied and divided in a fixed order.

The kernel draws no random numbers. It is handed them: one raw 64-bit number for each move that a machine makes,
forced or not, in the order of play. `low` is the number's lower half, which picks; `high` is its upper half, which
decides whether to explore.

A kind of player is a class with two functions: `choose` a move, and `learn` from the game in the record. To add one,
write a class here; `play_games` needs no change. `choose` is asked only where the player's `total` is 0; anywhere else
its whole weights pick, which saves a virtual call. So a kind that never picks by whole weights has zeros in `total`.
Compiled code does not check indices: only tables from table.py and arrays from the learners may come in here, and
callers go through training.py.

What each move runs does without `cython.cast`: uncompiled, one call of it takes as long as the rest of the move.
"""

import cython

COMPILED = cython.compiled

# SHA-256 of the source that was compiled. setup.py writes it into the copy that it hands to Cython.
SOURCE_HASH = ""

RESIGNS = cython.declare(cython.int, -1)  # what `choose` answers instead of a move
ONGOING = cython.declare(cython.int, 2)  # as in games/base.py; the outcomes are 1, 0 and -1

# What a player does at a box without beads.
EMPTY_RESIGNS = cython.declare(cython.int, 0)
EMPTY_RESTOCKS = cython.declare(cython.int, 1)
EMPTY_PICKS_ANY = cython.declare(cython.int, 2)

# The mask of `low`, named because within nogil a literal above 2^31 would be a Python object.
LOW_HALF = cython.declare(cython.ulonglong, 0xFFFFFFFF)

# A pile stays below 2^26, so that a box of up to 31 piles stays below 2^31.
MOST_BEADS = cython.declare(cython.int, 2**26 - 1)


def view(array):
    """Return `array` as the kernel reads it: the items of a memoryview are Python numbers, those of numpy are not."""
    return array if cython.compiled else memoryview(array)


@cython.cclass
class Graph:
    """The game: `first_move`, `next_position`, `multiplicity` and `outcome` of a TransitionTable.

    `cells` [positions] is the sum of the multiplicities, `longest` the most moves in a game.
    """

    first_move: cython.int[::1]
    next_position: cython.int[::1]
    multiplicity: cython.int[::1]
    outcome: cython.schar[::1]
    cells: cython.int[::1]
    longest: cython.int

    def __init__(self, first_move, next_position, multiplicity, outcome, cells, longest):
        self.first_move = view(first_move)
        self.next_position = view(next_position)
        self.multiplicity = view(multiplicity)
        self.outcome = view(outcome)
        self.cells = view(cells)
        self.longest = longest


@cython.cclass
class Record:
    """One game: its plies so far and, for each ply, the position, the move and two flags.

    `explored` is 1 where the player explored, `learned` is 0 where it picked without its table and will not learn.
    """

    position: cython.int[::1]
    move: cython.int[::1]
    explored: cython.schar[::1]
    learned: cython.schar[::1]
    plies: cython.int

    def __init__(self, position, move, explored, learned):
        self.position = view(position)
        self.move = view(move)
        self.explored = view(explored)
        self.learned = view(learned)
        self.plies = 0


@cython.cclass
class FixedPlayer:
    """Picks by whole weights that never change. The base of all players: who learns overrides `learn`.

    `weight` [moves] and `total` [positions], the sums of the weights, all below 2^31. Where `total` is 0, `choose`
    is asked instead. `learns` is 0 for a player that is kept from learning.
    """

    first_move: cython.int[::1]
    weight: cython.int[::1]
    total: cython.int[::1]
    learns: cython.bint

    def __init__(self, graph: Graph, weight, total):
        self.first_move = graph.first_move
        self.weight = view(weight)
        self.total = view(total)
        self.learns = False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self, record: Record, position: cython.int, high: cython.ulonglong, low: cython.ulonglong) -> cython.int:
        return RESIGNS  # no weights, no move

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def learn(self, record: Record, outcome: cython.int) -> cython.void:
        pass

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def pick(self, position: cython.Py_ssize_t, low: cython.ulonglong) -> cython.Py_ssize_t:
        """Pick by the weights; their total must not be 0."""
        move: cython.Py_ssize_t = self.first_move[position]
        total: cython.ulonglong = self.total[position]
        left: cython.longlong = (low * total) >> 32
        left -= self.weight[move]
        while left >= 0:
            move += 1
            left -= self.weight[move]
        return move


@cython.cclass
class BeadPlayer(FixedPlayer):
    """MENACE: a pile of beads for each move of each box (learners/menace.py says what the settings mean).

    `weight` holds the beads of the moves that have a box, `boxed` [positions] says which have; elsewhere `weight`
    is the multiplicity. So `choose` is asked at an empty box, and nowhere else. `first_beads` [moves] restocks;
    `drawn` [moves] counts. `side` is 0 for X and 1 for O.
    """

    any_move: FixedPlayer
    boxed: cython.schar[::1]
    first_beads: cython.int[::1]
    drawn: cython.longlong[::1]
    side: cython.int
    win: cython.int
    draw: cython.int
    loss: cython.int
    floor: cython.int
    when_empty: cython.int

    def __init__(
        self,
        graph: Graph,
        weight,
        total,
        boxed,
        first_beads,
        drawn,
        side,
        win,
        draw,
        loss,
        floor,
        when_empty,
        learns,
    ):
        FixedPlayer.__init__(self, graph, weight, total)
        self.any_move = FixedPlayer(graph, graph.multiplicity, graph.cells)
        self.boxed = view(boxed)
        self.first_beads = view(first_beads)
        self.drawn = view(drawn)
        self.side = side
        self.win = win
        self.draw = draw
        self.loss = loss
        self.floor = floor
        self.when_empty = when_empty
        self.learns = learns

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self, record: Record, position: cython.int, high: cython.ulonglong, low: cython.ulonglong) -> cython.int:
        if self.when_empty == EMPTY_RESIGNS:
            return RESIGNS
        if self.when_empty == EMPTY_PICKS_ANY:
            record.learned[record.plies] = 0
            return self.any_move.pick(position, low)
        self.restock(position)
        return self.pick(position, low)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def restock(self, position: cython.int) -> cython.void:
        move: cython.int
        for move in range(self.first_move[position], self.first_move[position + 1]):
            self.weight[move] = self.first_beads[move]
            self.total[position] += self.first_beads[move]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def learn(self, record: Record, outcome: cython.int) -> cython.void:
        change: cython.int
        ply: cython.int
        position: cython.int
        move: cython.int
        before: cython.int
        beads: cython.int
        if outcome == 0:
            change = self.draw
        elif (outcome == 1) == (self.side == 0):
            change = self.win
        else:
            change = self.loss
        for ply in range(self.side, record.plies, 2):
            position = record.position[ply]
            if self.boxed[position] & record.learned[ply]:  # 0 or 1 each; `and` would be a branch more
                move = record.move[ply]
                before = self.weight[move]
                beads = before + change
                if beads < self.floor:
                    beads = self.floor
                if beads > MOST_BEADS:
                    beads = MOST_BEADS
                self.total[position] += beads - before
                self.weight[move] = beads
                self.drawn[move] += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def take_turn(
    graph: Graph,
    player: FixedPlayer,
    record: Record,
    ply: cython.Py_ssize_t,
    position: cython.Py_ssize_t,
    number: cython.ulonglong,
) -> tuple[cython.Py_ssize_t, cython.int]:
    """Let `player` move from `position`. Return the next position and its outcome."""
    move: cython.Py_ssize_t
    record.position[ply] = position
    record.explored[ply] = 0
    record.learned[ply] = 1
    if player.total[position] != 0:
        move = player.pick(position, number & LOW_HALF)
    else:
        move = player.choose(record, position, number >> 32, number & LOW_HALF)
        if move == RESIGNS:
            return position, -1 if ply & 1 == 0 else 1
    record.move[ply] = move
    record.plies = ply + 1
    position = graph.next_position[move]
    return position, graph.outcome[position]


def play_games(
    graph: Graph,
    x: FixedPlayer,
    o: FixedPlayer,
    record: Record,
    numbers: cython.ulonglong[::1],
    begin: cython.longlong,
    end: cython.longlong,
    games: cython.longlong,
    outcomes: cython.longlong[::1],
):
    """Play and learn from at most `games` games, while numbers for a whole one are left in `numbers[begin:end]`.

    Adds to `outcomes` (games that X won, drawn, that O won). Returns (games played, numbers used). `record` is left
    with the last game.
    """
    ply: cython.Py_ssize_t
    position: cython.Py_ssize_t
    outcome: cython.int
    used: cython.longlong = begin
    played: cython.longlong = 0
    with cython.nogil:
        while played < games and end - used >= graph.longest:
            position = 0
            record.plies = ply = 0
            while True:
                position, outcome = take_turn(graph, x, record, ply, position, numbers[used + ply])
                if outcome != ONGOING:
                    break
                ply += 1
                position, outcome = take_turn(graph, o, record, ply, position, numbers[used + ply])
                if outcome != ONGOING:
                    break
                ply += 1
            used += record.plies
            if x.learns:
                x.learn(record, outcome)
            if o.learns:
                o.learn(record, outcome)
            outcomes[1 - outcome] += 1
            played += 1
    return played, used - begin
