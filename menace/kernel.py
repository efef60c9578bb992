# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The hot loop: plays games on a transition table, and lets the players learn from them.

This file is Python with Cython's annotations. Compiled it is machine code; without a compiler Python runs it as it
stands, with the same results to the bit: whole numbers fit in 64 bits, and reals are doubles that are added,
subtracted, multiplied and divided in a fixed order.

The kernel draws no random numbers. It is handed them: one raw 64-bit number for each move that a machine makes,
forced or not, in the order of play. `low` is the number's lower half, which picks; `high` is its upper half, which
decides whether to explore.

A kind of player is a class with two functions: `choose` a move, and `learn` from the game in the record. To add one,
write a class here; `play_games` needs no change. Where a player's `total` is not 0 it picks by its whole weights, and
is not asked to choose. `choose` is asked only where the player's `total` is 0; anywhere else
its whole weights pick, which saves a virtual call. So a kind that never picks by whole weights has zeros in `total`.
Compiled code does not check indices: only tables from table.py and arrays from the learners may come in here, and
callers go through Machine.sit and the arena.

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
    `end` is the position in which the game ended: one that is over, or one in which somebody gave up.
    """

    position: cython.int[::1]
    move: cython.int[::1]
    explored: cython.schar[::1]
    learned: cython.schar[::1]
    plies: cython.int
    end: cython.int

    def __init__(self, position, move, explored, learned):
        self.position = view(position)
        self.move = view(move)
        self.explored = view(explored)
        self.learned = view(learned)
        self.plies = 0
        self.end = 0


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
    def choose(
        self, record: Record, position: cython.Py_ssize_t, high: cython.ulonglong, low: cython.ulonglong
    ) -> cython.Py_ssize_t:
        return RESIGNS  # no weights, no move

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def learn(self, record: Record, outcome: cython.int) -> cython.void:
        pass

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def refill(self, position: cython.int) -> cython.void:
        """What is done at `position` before it moves there, if a game is learned from that was played elsewhere."""

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


def any_move(graph: Graph):
    """Return the player that picks every action alike."""
    return FixedPlayer(graph, graph.multiplicity, graph.cells)


@cython.cclass
class BeadPlayer(FixedPlayer):
    """MENACE: a pile of beads for each move of each box (learners/menace.py says what the settings mean).

    `weight` holds the beads of the moves that have a box, `boxed` [positions] says which have; elsewhere `weight`
    is the multiplicity. So `choose` is asked at an empty box, and nowhere else. `first_beads` [moves] restocks;
    `picked` [moves] counts. `side` is 0 for X and 1 for O.
    """

    any_move: FixedPlayer
    boxed: cython.schar[::1]
    first_beads: cython.int[::1]
    picked: cython.longlong[::1]
    side: cython.int
    win: cython.int
    draw: cython.int
    loss: cython.int
    floor: cython.int
    when_empty: cython.int

    def __init__(
        self,
        graph: Graph,
        *,
        weight,
        total,
        boxed,
        first_beads,
        picked,
        side,
        learns,
        win,
        draw,
        loss,
        floor,
        when_empty,
    ):
        FixedPlayer.__init__(self, graph, weight, total)
        self.any_move = any_move(graph)
        self.boxed = view(boxed)
        self.first_beads = view(first_beads)
        self.picked = view(picked)
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
    def choose(
        self, record: Record, position: cython.Py_ssize_t, high: cython.ulonglong, low: cython.ulonglong
    ) -> cython.Py_ssize_t:
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
    def refill(self, position: cython.int) -> cython.void:
        if self.total[position] == 0 and self.when_empty == EMPTY_RESTOCKS:
            self.restock(position)

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
                self.picked[move] += 1


@cython.cclass
class GreedyPlayer(FixedPlayer):
    """Plays the move of highest value, and explores with probability epsilon. The base of all who learn values.

    The value of a move, as the learner sees it, is `value[place[move]]`: its own, or that of the position it leads to.
    Values that are exactly equal share by `multiplicity`, or the first is taken. It explores as `exploring` picks, or
    picks every action alike. `total` must be 0 where `choose` is to be asked; elsewhere the player picks by `weight`.

    `state[0]` is epsilon. After each game that it learns from, epsilon is multiplied by `decay`, and raised to `least`.
    With `decay_first` a game is played with the epsilon that it leaves. An `epsilon` of 0 or more is used instead, and
    `state` stays; below 0 it says nothing. Those who learn values hand on (`greedy`) what they do not use themselves.
    """

    multiplicity: cython.int[::1]
    exploring_weight: cython.int[::1]
    exploring_total: cython.int[::1]
    value: cython.double[::1]
    place: cython.int[::1]
    count: cython.longlong[::1]
    state: cython.double[::1]
    side: cython.int
    first_of_ties: cython.bint
    decay: cython.double
    least: cython.double
    decay_first: cython.bint
    decays: cython.bint
    threshold: cython.ulonglong

    def __init__(
        self,
        graph: Graph,
        *,
        total,
        exploring: FixedPlayer = None,
        value,
        place,
        count,
        state,
        side,
        learns,
        epsilon,
        decay,
        least,
        decay_first,
        first_of_ties,
    ):
        FixedPlayer.__init__(self, graph, graph.multiplicity, total)
        self.multiplicity = graph.multiplicity
        exploring = any_move(graph) if exploring is None else exploring
        self.exploring_weight = exploring.weight
        self.exploring_total = exploring.total
        self.value = view(value)
        self.place = view(place)
        self.count = view(count)
        self.state = view(state)
        self.side = side
        self.learns = learns
        self.first_of_ties = first_of_ties
        self.decay = decay
        self.least = least
        self.decay_first = decay_first
        self.decays = epsilon < 0 and (decay != 1.0 or self.state[0] < least)
        if epsilon >= 0:
            self.threshold = int(epsilon * 4294967296.0)
        elif self.learns:
            self.next_threshold()
        else:
            self.threshold = int(self.state[0] * 4294967296.0)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def decayed(self) -> cython.double:
        epsilon: cython.double = self.state[0] * self.decay
        return self.least if epsilon < self.least else epsilon

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def next_threshold(self) -> cython.void:
        epsilon: cython.double = self.state[0]
        if self.decay_first:
            epsilon = self.decayed()
        threshold: cython.longlong = int(epsilon * 4294967296.0)
        self.threshold = threshold

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def end_game(self) -> cython.void:
        if self.decays:
            self.state[0] = self.decayed()
            self.next_threshold()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(
        self, record: Record, position: cython.Py_ssize_t, high: cython.ulonglong, low: cython.ulonglong
    ) -> cython.Py_ssize_t:
        move: cython.Py_ssize_t
        chosen: cython.Py_ssize_t = self.first_move[position]
        end: cython.Py_ssize_t = self.first_move[position + 1]
        best: cython.double
        value: cython.double
        tied: cython.bint = False
        if high < self.threshold:
            return self.pick_exploring(record, position, low)
        best = self.value[self.place[chosen]]
        for move in range(chosen + 1, end):
            value = self.value[self.place[move]]
            if value > best:
                best = value
                chosen = move
                tied = False
            elif value == best:
                tied = True
        if tied and not self.first_of_ties:
            return self.share(chosen, end, low)
        return chosen

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def pick_exploring(self, record: Record, position: cython.Py_ssize_t, low: cython.ulonglong) -> cython.Py_ssize_t:
        """Explore: pick as the player for it would, without the way to its arrays."""
        move: cython.Py_ssize_t = self.first_move[position]
        total: cython.ulonglong = self.exploring_total[position]
        left: cython.longlong = (low * total) >> 32
        record.explored[record.plies] = 1
        left -= self.exploring_weight[move]
        while left >= 0:
            move += 1
            left -= self.exploring_weight[move]
        return move

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def share(self, chosen: cython.Py_ssize_t, end: cython.Py_ssize_t, low: cython.ulonglong) -> cython.Py_ssize_t:
        """Pick among the moves whose value is that of `chosen`, the first of them."""
        move: cython.Py_ssize_t
        best: cython.double = self.value[self.place[chosen]]
        ties: cython.ulonglong = 0
        left: cython.longlong
        for move in range(chosen, end):
            if self.value[self.place[move]] == best:
                ties += self.multiplicity[move]
        left = (low * ties) >> 32
        left -= self.multiplicity[chosen]
        while left >= 0:
            chosen += 1
            if self.value[self.place[chosen]] == best:
                left -= self.multiplicity[chosen]
        return chosen

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def update(self, place: cython.Py_ssize_t, alpha: cython.double, target: cython.double) -> cython.void:
        value: cython.double = self.value[place]
        self.value[place] = value + alpha * (target - value)
        self.count[place] += 1


@cython.cclass
class StatePlayer(GreedyPlayer):
    """TD(0) on values of positions (learners/td.py). `outcome` [positions] and `next_position` are the graph's."""

    outcome: cython.schar[::1]
    next_position: cython.int[::1]
    alpha: cython.double
    win: cython.double
    draw: cython.double
    loss: cython.double
    drawn_by_other: cython.double
    afterstates: cython.bint
    from_exploration: cython.bint

    def __init__(
        self, graph: Graph, *, alpha, win, draw, loss, drawn_by_other, afterstates, from_exploration, **greedy
    ):
        GreedyPlayer.__init__(self, graph, **greedy)
        self.outcome = graph.outcome
        self.next_position = graph.next_position
        self.alpha = alpha
        self.win = win
        self.draw = draw
        self.loss = loss
        self.drawn_by_other = drawn_by_other
        self.afterstates = afterstates
        self.from_exploration = from_exploration

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def learn(self, record: Record, outcome: cython.int) -> cython.void:
        if self.afterstates:
            self.learn_afterstates(record, outcome)
        else:
            self.learn_all(record, outcome)
        self.end_game()

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def learn_all(self, record: Record, outcome: cython.int) -> cython.void:
        """Every position of the game, from its end: towards the next one's new value."""
        ply: cython.Py_ssize_t
        skipped: cython.Py_ssize_t = 2 if self.from_exploration else self.side
        alpha: cython.double = self.alpha
        position: cython.Py_ssize_t
        value: cython.double
        target: cython.double
        if self.outcome[record.end] == ONGOING:  # the other gave up
            self.update(record.end, self.alpha, self.win)
        target = self.value[record.end]
        for ply in range(record.plies - 1, -1, -1):
            position = record.position[ply]
            value = self.value[position]
            if not record.explored[ply] or ply & 1 != skipped:
                value += alpha * (target - value)
                self.value[position] = value
                self.count[position] += 1
            target = value

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def learn_afterstates(self, record: Record, outcome: cython.int) -> cython.void:
        """The positions that its own moves led to, from the first: towards the value of the next of them."""
        ply: cython.int
        last: cython.Py_ssize_t = -1
        after: cython.Py_ssize_t
        for ply in range(self.side, record.plies, 2):
            after = self.next_position[record.move[ply]]
            if last >= 0 and (not record.explored[ply] or self.from_exploration):
                self.update(last, self.alpha, self.value[after])
            last = after
        if last >= 0 and self.outcome[last] == ONGOING:  # the other had the last word
            if outcome == 0:
                self.update(last, self.alpha, self.drawn_by_other)
            elif (outcome == 1) == (self.side == 0):
                self.update(last, self.alpha, self.win)
            else:
                self.update(last, self.alpha, self.loss)


@cython.cclass
class MovePlayer(GreedyPlayer):
    """SARSA and Q-learning on values of moves (learners/sarsa.py, learners/q_learning.py)."""

    alpha: cython.double
    gamma: cython.double
    win: cython.double
    draw: cython.double
    loss: cython.double
    off_policy: cython.bint
    backwards: cython.bint
    sets_final: cython.bint
    outcome: cython.schar[::1]

    def __init__(self, graph: Graph, *, alpha, gamma, win, draw, loss, off_policy, backwards, sets_final, **greedy):
        GreedyPlayer.__init__(self, graph, **greedy)
        self.outcome = graph.outcome
        self.alpha = alpha
        self.gamma = gamma
        self.win = win
        self.draw = draw
        self.loss = loss
        self.off_policy = off_policy
        self.backwards = backwards
        self.sets_final = sets_final

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(
        self, record: Record, position: cython.Py_ssize_t, high: cython.ulonglong, low: cython.ulonglong
    ) -> cython.Py_ssize_t:
        """As every greedy player, but without the detour by `place`: a move's value is its own."""
        move: cython.Py_ssize_t
        chosen: cython.Py_ssize_t = self.first_move[position]
        end: cython.Py_ssize_t = self.first_move[position + 1]
        best: cython.double
        value: cython.double
        tied: cython.bint = False
        if high < self.threshold:
            return self.pick_exploring(record, position, low)
        best = self.value[chosen]
        for move in range(chosen + 1, end):
            value = self.value[move]
            if value > best:
                best = value
                chosen = move
                tied = False
            elif value == best:
                tied = True
        if tied and not self.first_of_ties:
            return self.share(chosen, end, low)
        return chosen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def learn(self, record: Record, outcome: cython.int) -> cython.void:
        ply: cython.int
        last: cython.int = record.plies - 1 - ((record.plies - 1 - self.side) & 1)  # its own last ply, or below 0
        if last >= 0:
            if self.backwards:
                self.learn_end(record, last, outcome)
            for ply in range(self.side, last, 2):
                if self.backwards:
                    self.learn_ply(record, last - 2 - (ply - self.side))
                else:
                    self.learn_ply(record, ply)
            if not self.backwards:
                self.learn_end(record, last, outcome)
        self.end_game()

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def learn_ply(self, record: Record, ply: cython.int) -> cython.void:
        """A move, towards what its next turn is worth: the move made there, or the best one."""
        move: cython.Py_ssize_t
        position: cython.Py_ssize_t
        value: cython.double
        best: cython.double = self.value[record.move[ply + 2]]
        if self.off_policy:
            position = record.position[ply + 2]
            for move in range(self.first_move[position], self.first_move[position + 1]):
                value = self.value[move]
                if value > best:
                    best = value
        self.update(record.move[ply], self.alpha, self.gamma * best)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def learn_end(self, record: Record, last: cython.int, outcome: cython.int) -> cython.void:
        """The last move, towards the reward; or to it, if it ended the game on the board and `sets_final` says so."""
        reward: cython.double = self.draw
        move: cython.Py_ssize_t = record.move[last]
        if outcome != 0:
            reward = self.win if (outcome == 1) == (self.side == 0) else self.loss
        if self.sets_final and last == record.plies - 1 and self.outcome[record.end] != ONGOING:
            self.value[move] = reward
            self.count[move] += 1
        else:
            self.update(move, self.alpha, reward)


@cython.cclass
class FavouritePlayer(GreedyPlayer):
    """Beads as values: draws the colour with most beads (learners/favourite.py).

    `boxed` as in BeadPlayer. `changes` is flat, [3, longest + 1, longest]: the beads that a colour gains, by result (0
    won, 1 drawn, 2 lost), by the moves played in the game, and by the ply at which it was drawn.
    """

    boxed: cython.schar[::1]
    changes: cython.int[::1]
    longest: cython.int
    floor: cython.int

    def __init__(self, graph: Graph, *, boxed, changes, floor, **greedy):
        GreedyPlayer.__init__(self, graph, **greedy)
        self.boxed = view(boxed)
        self.changes = view(changes)
        self.longest = graph.longest
        self.floor = floor

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def learn(self, record: Record, outcome: cython.int) -> cython.void:
        ply: cython.int
        move: cython.Py_ssize_t
        row: cython.int = 1
        if outcome != 0:
            row = 0 if (outcome == 1) == (self.side == 0) else 2
        row = (row * (self.longest + 1) + record.plies) * self.longest
        for ply in range(self.side, record.plies, 2):
            if self.boxed[record.position[ply]]:
                move = record.move[ply]
                self.value[move] = self.value[move] + self.changes[row + ply]
                if self.value[move] < self.floor:
                    self.value[move] = self.floor
                if self.value[move] > MOST_BEADS:
                    self.value[move] = MOST_BEADS
                self.count[move] += 1
        self.end_game()


@cython.cclass
class OddsPlayer(FixedPlayer):
    """Michie's program of 1963: weights of moves are multiplied and divided (learners/odds.py).

    `multiplier[n]`, n counted back from the game's last ply (1). `state[1]` is the mean of past outcomes.
    """

    value: cython.double[::1]
    count: cython.longlong[::1]
    multiplier: cython.double[::1]
    state: cython.double[::1]
    side: cython.int
    sliding: cython.bint
    memory: cython.double
    smallest: cython.double

    def __init__(
        self, graph: Graph, *, total, value, count, state, side, learns, multiplier, sliding, memory, smallest
    ):
        FixedPlayer.__init__(self, graph, graph.multiplicity, total)
        self.value = view(value)
        self.count = view(count)
        self.multiplier = view(multiplier)
        self.state = view(state)
        self.side = side
        self.sliding = sliding
        self.memory = memory
        self.smallest = smallest
        self.learns = learns

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sum_of(self, position: cython.Py_ssize_t) -> cython.double:
        move: cython.Py_ssize_t
        total: cython.double = 0.0
        for move in range(self.first_move[position], self.first_move[position + 1]):
            total += self.value[move]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(
        self, record: Record, position: cython.Py_ssize_t, high: cython.ulonglong, low: cython.ulonglong
    ) -> cython.Py_ssize_t:
        move: cython.Py_ssize_t = self.first_move[position]
        end: cython.Py_ssize_t = self.first_move[position + 1]
        share: cython.double = low
        limit: cython.double = share / 4294967296.0 * self.sum_of(position)
        running: cython.double = self.value[move]
        while running <= limit and move + 1 < end:
            move += 1
            running += self.value[move]
        return move

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def learn(self, record: Record, outcome: cython.int) -> cython.void:
        ply: cython.int
        result: cython.int = outcome if self.side == 0 else -outcome
        for ply in range(self.side, record.plies, 2):
            if self.total[record.position[ply]] == 0:
                self.learn_ply(record.position[ply], record.move[ply], self.multiplier[record.plies - ply], result)
        if self.sliding:
            self.state[1] = self.memory * self.state[1] + (1.0 - self.memory) * result

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def learn_ply(
        self, position: cython.Py_ssize_t, chosen: cython.Py_ssize_t, multiplier: cython.double, result: cython.int
    ) -> cython.void:
        move: cython.Py_ssize_t
        total: cython.double
        if self.sliding:
            self.value[chosen] = self.value[chosen] * power(multiplier, result - self.state[1])
        elif result == 1:
            self.value[chosen] = self.value[chosen] * multiplier
        elif result == -1:
            self.value[chosen] = self.value[chosen] / multiplier
        total = self.sum_of(position)
        for move in range(self.first_move[position], self.first_move[position + 1]):
            self.value[move] = self.value[move] / total
            if self.value[move] < self.smallest:
                self.value[move] = self.smallest
        self.count[chosen] += 1


@cython.cfunc
@cython.nogil
@cython.cpow(True)
@cython.exceptval(check=False)
def power(base: cython.double, exponent: cython.double) -> cython.double:
    """Only Michie's sliding origin needs powers; the last bit may differ between platforms' libraries."""
    return base**exponent


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
            record.end = position
            if x.learns:
                x.learn(record, outcome)
            if o.learns:
                o.learn(record, outcome)
            outcomes[1 - outcome] += 1
            played += 1
    return played, used - begin


def make_move(graph: Graph, player: FixedPlayer, record: Record, ply, position, number):
    """Let a machine make the move of one ply of a game with a person, and record it; return it, or -1: it resigns."""
    record.plies = ply
    take_turn(graph, player, record, ply, position, number)
    return record.move[ply] if record.plies > ply else -1


def refill(player: FixedPlayer, position):
    """Put the first beads back into the box of `position`, if it is empty and the player's boxes are restocked."""
    player.refill(position)


def learn_recorded(player: FixedPlayer, record: Record, side, plies, end, outcome):
    """Let `player`, who plays `side`, learn from the game in the record, whoever made its moves.

    An empty box that is restocked is so before it is learned from, as it was when the game was played.
    """
    ply: cython.Py_ssize_t
    record.plies = plies
    record.end = end
    for ply in range(side, plies, 2):
        player.refill(record.position[ply])
    player.learn(record, outcome)
