# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cpow=True
"""The hot loop: plays games on the flat arrays of a game, and lets the players learn from them.

    FixedPlayer                picks by whole weights, and never changes
    ├── BeadPlayer             picks by its beads; puts in or takes out as many at each box that it opened
    ├── GreedyPlayer           picks the highest value, or explores; the base of those who learn values
    │   ├── StatePlayer        TD(0): moves a position's value towards that of the next
    │   ├── TracePlayer        TD(lambda): moves those of all positions so far, by traces that fade
    │   ├── MovePlayer         SARSA, Expected SARSA, Q-learning: moves a move's value to what its next turn is worth
    │   ├── DoublePlayer       Double Q-learning: two values of a move by turns, each judged by the other
    │   ├── ReturnPlayer       Monte Carlo, n-step SARSA: towards what the game paid, or a later move is worth
    │   │   └── BoundPlayer    UCB1: plays the move of highest upper bound, from its mean and how often it was made
    │   └── FavouritePlayer    values are beads; puts in more or fewer by the game's length and the ply
    └── OddsPlayer             picks by real weights; multiplies or divides them, those of the last plies most

Each kind of player is a class that can `choose` a move, and `learn` from the game in the record. To add one, write a
class here and its C types in kernel/loop.pxd; `play_games` needs no change.

Exact strength is computed here, too: a policy is an array [moves], the probabilities of one side's moves, 0 for the
other's, with an array [positions], the probability that it resigns.

Weights come first: where a player's `total` is not 0 it picks by its whole weights, and `choose` is called only where
it is 0. That saves a virtual call; a kind that never picks by whole weights has zeros there.

The kernel has no generator of its own. It takes NumPy's, and uses one raw 64-bit number for each move that a
machine makes, forced or not, in the order of play. `low` is the number's lower half, which picks; `high` is its upper
half, which decides whether to explore.

This file is Python. Compiled, with the types of loop.pxd, it is machine code; without a compiler Python runs it as it
stands, with the same results to the bit: whole numbers fit in 64 bits, and reals are doubles that are added,
subtracted, multiplied and divided in a fixed order.

What each move runs does without `min`, `max` and `cython.cast`: uncompiled, a call takes as long as the rest of it.

Compiled code does not check indices: only the arrays of Positions (games/positions.py) and of the learners may come in
here, and callers go through Machine.kernel_player and the arena.

An inherited method that is not overridden is called by its class, `GreedyPlayer.update(self, ...)`: called on `self`,
Cython would look it up each time.
"""

try:
    import cython  # Cython takes this for its own, here too
except ImportError:
    from menace.kernel import without_cython as cython

COMPILED = cython.compiled

# SHA-256 of the source that was compiled. setup.py writes it into the copy that it hands to Cython.
SOURCE_HASH = ""

RESIGNS = cython.declare(cython.int, -1)  # what `choose` returns instead of a move
ONGOING = cython.declare(cython.int, 2)  # as in games/base.py; the outcomes are 1, 0 and -1

# What a player does at a box without beads.
EMPTY_RESIGNS = cython.declare(cython.int, 0)
EMPTY_RESTOCKS = cython.declare(cython.int, 1)
EMPTY_PICKS_ANY = cython.declare(cython.int, 2)
COLOUR_RESTOCKS = cython.declare(cython.int, 3)  # never empty: a pile gets its first beads back when the last is taken

# What the next turn of a MovePlayer is worth; 0 is the move made there.
BEST = cython.declare(cython.int, 1)
MEAN = cython.declare(cython.int, 2)

FEW = cython.declare(cython.int, 2048)  # counts below this have an entry of their own in the tables of a BoundPlayer
NEVER_MADE = cython.declare(cython.double, 1e300)  # the upper bound of a move that was never made

# The mask of `low`, named because compiled a literal above 2^31 would be a Python object.
LOW_HALF = cython.declare(cython.ulonglong, 0xFFFFFFFF)
HALF_RANGE = cython.declare(cython.double, 4294967296.0)  # a half is a whole number below 2^32

# A pile stays below 2^26, so that a box of up to 31 piles stays below 2^31.
MOST_BEADS = cython.declare(cython.int, 2**26 - 1)


def view(array):
    """Return `array` as the kernel reads it: the items of a memoryview are Python numbers, those of numpy are not."""
    return array if cython.compiled else memoryview(array)


class Graph:
    """The game, as the arrays of its Positions."""

    def __init__(self, positions):
        self.first_move = view(positions.first_move)
        self.next_position = view(positions.next_position)
        self.multiplicity = view(positions.multiplicity)
        self.outcome = view(positions.outcome)
        self.to_move = view(positions.to_move)
        self.cells = view(positions.cells)
        self.longest = positions.longest


class Record:
    """One game: its plies so far and, for each ply, the position, the move and two flags.

    `explored` is 1 where the player explored, `learned` is 0 where it picked without its table and will not learn. Few
    plies are such: `flagged` is 1 if any flag may say so, and only then the flags are written before the next game.
    `end` is the position in which the game ended: one that is over, or one in which a player resigned.
    `ruined` is 1 when a machine has come to its first move with nothing left to draw there.
    """

    def __init__(self, position, move, explored, learned):
        self.position = view(position)
        self.move = view(move)
        self.explored = view(explored)
        self.learned = view(learned)
        self.plies = 0
        self.end = 0
        self.ruined = 0
        self.flagged = 1

    def begin_game(self):
        self.plies = 0
        if self.flagged:
            for ply in range(self.explored.shape[0]):
                self.explored[ply] = 0
                self.learned[ply] = 1
            self.flagged = 0


class RawNumbers:
    """The raw numbers of a NumPy BitGenerator from where it stands, one at a time.

    Compiled, they are taken by NumPy's own C interface: a call through a pointer, without a buffer.
    """

    def __init__(self, generator):
        self.generator = generator  # kept: the pointer is into it
        if cython.compiled:
            pointer = PyCapsule_GetPointer(generator.capsule, b"BitGenerator")  # noqa: F821 - both are in kernel/loop.pxd
            self.source = cython.cast(cython.pointer(bitgen_t), pointer)[0]  # noqa: F821 - a copy saves a load a number
        else:
            self.random_raw = generator.random_raw

    def next(self):
        if cython.compiled:
            return self.source.next_uint64(self.source.state)
        return self.random_raw()


class FixedPlayer:
    """The base of all players: who learns overrides `learn`.

    `weight` [moves] and `total` [positions], the sums of the weights, all below 2^31. `side` is 0 for X and 1 for O.
    `learns` is 0 for a player that does not learn.
    """

    def __init__(self, graph: Graph, weight, total, side=0, learns=False):
        self.first_move = graph.first_move
        self.weight = view(weight)
        self.total = view(total)
        self.side = side
        self.learns = learns

    def choose(self, record, position, numbers):
        return RESIGNS  # no weights, no move

    def learn(self, record, result):
        """Learn from the game in the record: `result` is 1 if this player has won, 0 for a draw, -1 if it has lost."""

    def refill(self, position):
        """What is done at `position` before it moves there, if a game is learned from that was played elsewhere."""

    def restart(self):
        """Take up what its arrays hold now: others have written to them since its last game."""

    def pick(self, position, low):
        """Pick by the weights; their total must not be 0."""
        return FixedPlayer.pick_from(self, self.first_move[position], self.total[position], low)

    def pick_from(self, move, total, low):
        """Pick among the moves from `move` on whose weights sum to `total`."""
        left = (low * total) >> 32
        left -= self.weight[move]
        while left >= 0:
            move += 1
            left -= self.weight[move]
        return move

    def take_turn(self, graph, record, ply, position, numbers):
        """Move from `position`, by the next number. Return the next position and its outcome."""
        record.position[ply] = position
        total = self.total[position]
        if total != 0:
            move = FixedPlayer.pick_from(self, self.first_move[position], total, numbers.next() & LOW_HALF)
        else:
            move = self.choose(record, position, numbers)
            if move == RESIGNS:
                return position, -1 if ply & 1 == 0 else 1
        record.move[ply] = move
        record.plies = ply + 1
        position = graph.next_position[move]
        return position, graph.outcome[position]


def any_move(graph: Graph):
    """Return the player that picks every action alike."""
    return FixedPlayer(graph, graph.multiplicity, graph.cells)


class BeadPlayer(FixedPlayer):
    """MENACE: a pile of beads for each move of each box (learners/algorithms/beads.py describes its settings).

    `weight` holds the beads of the moves that have a box, `boxed` [positions] says which have; elsewhere `weight`
    is the multiplicity. So `choose` is called at an empty box, and nowhere else. `first_beads` [moves] restocks;
    `picked` [moves] counts. With `last_only` it learns from the last bead that it drew alone.
    """

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
        last_only,
    ):
        FixedPlayer.__init__(self, graph, weight, total, side, learns)
        self.any_move = any_move(graph)
        self.next_position = graph.next_position
        self.boxed = view(boxed)
        self.first_beads = view(first_beads)
        self.picked = view(picked)
        self.win = win
        self.draw = draw
        self.loss = loss
        self.floor = floor
        self.when_empty = when_empty
        self.restocks = when_empty in (EMPTY_RESTOCKS, COLOUR_RESTOCKS)
        self.least = max(floor, 1) if when_empty == COLOUR_RESTOCKS else floor  # what a pile is left with
        self.last_only = last_only

    def restart(self):
        for position in range(self.total.shape[0]):
            self.total[position] = 0
            for move in range(self.first_move[position], self.first_move[position + 1]):
                self.total[position] += self.weight[move]

    def choose(self, record, position, numbers):
        if self.when_empty == EMPTY_RESIGNS:
            if self.is_ruined():
                record.ruined = 1
            return RESIGNS
        if self.when_empty == EMPTY_PICKS_ANY:
            record.learned[record.plies] = 0
            record.flagged = 1
            return self.any_move.pick(position, numbers.next() & LOW_HALF)
        self.restock(position)
        return FixedPlayer.pick(self, position, numbers.next() & LOW_HALF)

    def is_ruined(self):
        """Say whether all boxes for its first move are empty: of X the one, of O those after each opening."""
        if self.side == 0:
            return self.total[0] == 0
        left = 0
        for move in range(self.first_move[0], self.first_move[1]):
            left += self.total[self.next_position[move]]
        return left == 0

    def refill(self, position):
        if self.total[position] == 0 and self.restocks:
            self.restock(position)

    def restock(self, position):
        for move in range(self.first_move[position], self.first_move[position + 1]):
            self.weight[move] = self.first_beads[move]
            self.total[position] += self.first_beads[move]

    def learn(self, record, result):
        change = self.win if result > 0 else self.loss if result < 0 else self.draw
        first = self.last_drawn(record) if self.last_only else self.side
        for ply in range(first, record.plies, 2):
            position = record.position[ply]
            if self.boxed[position] & record.learned[ply]:  # 0 or 1 each; `and` would be a branch more
                move = record.move[ply]
                before = self.weight[move]
                beads = before + change
                if beads < self.least:
                    beads = self.floor if self.least == self.floor else self.first_beads[move]
                if beads > MOST_BEADS:
                    beads = MOST_BEADS
                self.total[position] += beads - before
                self.weight[move] = beads
                self.picked[move] += 1

    def last_drawn(self, record):
        """Return the last of its own plies at which it drew a bead, or one past the game's if it drew none."""
        ply = record.plies - 1 - ((record.plies - 1 - self.side) & 1)
        while ply >= 0 and self.boxed[record.position[ply]] & record.learned[ply] == 0:
            ply -= 2
        return ply if ply >= 0 else record.plies


class GreedyPlayer(FixedPlayer):
    """Plays the move of highest value, and explores with probability epsilon. The base of all who learn values.

    The value of a move, as the learner sees it, is `value[place[move]]`: its own, or that of the position it leads to.
    Values that are exactly equal share by `multiplicity`, or the first is taken. It explores as `exploring` picks, or
    picks every action alike. Its weights are multiplicities: it picks by them where it has no values.

    `state[0]` is epsilon. After each game that it learns from, epsilon is multiplied by `decay`, and raised to `least`.
    With `decay_first` a game is played with the epsilon that it leaves. An `epsilon` of 0 or more is used instead, and
    `state` stays; below 0 it says nothing. Subclasses pass on (`greedy`) the arguments that they do not use themselves.
    """

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
        FixedPlayer.__init__(self, graph, graph.multiplicity, total, side, learns)
        self.exploring = any_move(graph) if exploring is None else exploring
        self.value = view(value)
        self.place = view(place)
        self.count = view(count)
        self.state = view(state)
        self.first_of_ties = first_of_ties
        self.decay = decay
        self.least = least
        self.decay_first = decay_first
        self.decays = epsilon < 0 and (decay != 1.0 or self.state[0] < least)
        self.has_own = epsilon < 0
        self.set_epsilon(max(epsilon, 0.0))
        self.restart()

    def restart(self):
        if self.has_own:
            self.set_epsilon(self.decayed() if self.learns and self.decay_first else self.state[0])

    def decayed(self):
        return max(self.state[0] * self.decay, self.least)

    def set_epsilon(self, epsilon):
        self.threshold = int(epsilon * HALF_RANGE)

    def end_game(self):
        if self.decays:
            self.state[0] = self.decayed()
            self.set_epsilon(self.decayed() if self.decay_first else self.state[0])

    def choose(self, record, position, numbers):
        return self.explore_or_best(True, record, position, numbers.next())

    def explore_or_best(self, own, record, position, number):
        """Choose. `own` says that the values are the moves' own, which saves the detour by `place`."""
        low = number & LOW_HALF
        if number >> 32 < self.threshold:
            record.explored[record.plies] = 1
            record.flagged = 1
            return self.exploring.pick(position, low)
        chosen = self.first_move[position]
        end = self.first_move[position + 1]
        tied = False
        best = self.value[chosen if own else self.place[chosen]]
        for move in range(chosen + 1, end):
            value = self.value[move if own else self.place[move]]
            if value > best:
                best = value
                chosen = move
                tied = False
            elif value == best:
                tied = True
        if tied and not self.first_of_ties:
            return self.share(chosen, end, low)
        return chosen

    def share(self, chosen, end, low):
        """Pick among the moves whose value is that of `chosen`, the first of them."""
        best = self.value[self.place[chosen]]
        ties = 0
        for move in range(chosen, end):
            if self.value[self.place[move]] == best:
                ties += self.weight[move]
        left = (low * ties) >> 32
        left -= self.weight[chosen]
        while left >= 0:
            chosen += 1
            if self.value[self.place[chosen]] == best:
                left -= self.weight[chosen]
        return chosen

    def update(self, place, alpha, target):
        """Move a value towards `target`, by the share `alpha` of the way; return what it is now."""
        value = self.value[place]
        value += alpha * (target - value)
        self.value[place] = value
        self.count[place] += 1
        return value


class StatePlayer(GreedyPlayer):
    """TD(0) on values of positions. `outcome` [positions] and `next_position` are the graph's."""

    def __init__(self, graph: Graph, *, alpha, win, loss, drawn_by_other, afterstates, from_exploration, **greedy):
        GreedyPlayer.__init__(self, graph, **greedy)
        self.outcome = graph.outcome
        self.next_position = graph.next_position
        self.alpha = alpha
        self.win = win
        self.loss = loss
        self.drawn_by_other = drawn_by_other
        self.afterstates = afterstates
        self.from_exploration = from_exploration

    def choose(self, record, position, numbers):
        return GreedyPlayer.explore_or_best(self, False, record, position, numbers.next())

    def learn(self, record, result):
        if self.afterstates:
            self.learn_afterstates(record, result)
        else:
            self.learn_all(record)
        GreedyPlayer.end_game(self)

    def learn_all(self, record):
        """Every position of the game, from its end: towards the next one's new value."""
        skipped = 2 if self.from_exploration else self.side
        alpha = self.alpha
        if self.outcome[record.end] == ONGOING:  # the other resigned
            GreedyPlayer.update(self, record.end, alpha, self.win)
        target = self.value[record.end]
        for ply in range(record.plies - 1, -1, -1):
            position = record.position[ply]
            if record.explored[ply] and ply & 1 == skipped:
                target = self.value[position]
            else:
                target = GreedyPlayer.update(self, position, alpha, target)

    def learn_afterstates(self, record, result):
        """The positions that its own moves led to, from the first: towards the value of the next of them."""
        last = -1
        for ply in range(self.side, record.plies, 2):
            after = self.next_position[record.move[ply]]
            if last >= 0 and (not record.explored[ply] or self.from_exploration):
                GreedyPlayer.update(self, last, self.alpha, self.value[after])
            last = after
        if last >= 0 and self.outcome[last] == ONGOING:  # the other had the last word
            target = self.win if result > 0 else self.loss if result < 0 else self.drawn_by_other
            GreedyPlayer.update(self, last, self.alpha, target)


class TracePlayer(GreedyPlayer):
    """TD(lambda) on the values of its afterstates; `fade` is lambda."""

    def __init__(self, graph: Graph, *, alpha, win, loss, drawn_by_other, from_exploration, fade, **greedy):
        GreedyPlayer.__init__(self, graph, **greedy)
        self.outcome = graph.outcome
        self.next_position = graph.next_position
        self.alpha = alpha
        self.win = win
        self.loss = loss
        self.drawn_by_other = drawn_by_other
        self.from_exploration = from_exploration
        self.fade = fade

    def choose(self, record, position, numbers):
        return GreedyPlayer.explore_or_best(self, False, record, position, numbers.next())

    def learn(self, record, result):
        first = self.side  # the ply of the first afterstate that has a trace
        last = -1
        for ply in range(self.side, record.plies, 2):
            after = self.next_position[record.move[ply]]
            if last >= 0:
                if record.explored[ply] and not self.from_exploration:
                    first = ply
                else:
                    self.learn_traced(record, first, ply - 2, self.value[after])
            last = after
        if last >= 0 and self.outcome[last] == ONGOING:  # the other had the last word
            target = self.win if result > 0 else self.loss if result < 0 else self.drawn_by_other
            self.learn_traced(record, first, record.plies - 1 - ((record.plies - 1 - self.side) & 1), target)
        GreedyPlayer.end_game(self)

    def learn_traced(self, record, first, last, target):
        """The afterstate of ply `last` towards `target`, and those before it by the same step, which fades."""
        place = self.next_position[record.move[last]]
        step = self.alpha * (target - self.value[place])
        self.count[place] += 1
        for ply in range(last, first - 1, -2):
            self.value[self.next_position[record.move[ply]]] += step
            step *= self.fade


class MovePlayer(GreedyPlayer):
    """SARSA, Expected SARSA and Q-learning on values of moves (learners/algorithms/action_values.py).

    `worth` says what its next turn is worth: 0 the move made there, 1 the best one, 2 the mean of all as it plays.
    """

    def __init__(
        self, graph: Graph, *, alpha, gamma, win, draw, loss, worth, end_first, backward, sets_final, **greedy
    ):
        GreedyPlayer.__init__(self, graph, **greedy)
        self.outcome = graph.outcome
        self.alpha = alpha
        self.gamma = gamma
        self.win = win
        self.draw = draw
        self.loss = loss
        self.cells = graph.cells
        self.worth = worth
        self.end_first = end_first
        self.backward = backward
        self.sets_final = sets_final

    def learn(self, record, result):
        last = record.plies - 1 - ((record.plies - 1 - self.side) & 1)  # its own last ply, or below 0
        if last >= 0:
            if self.end_first:
                self.learn_end(record, last, result)
            if self.backward:
                for ply in range(last - 2, -1, -2):
                    self.learn_ply(record, ply)
            else:
                for ply in range(self.side, last, 2):
                    self.learn_ply(record, ply)
            if not self.end_first:
                self.learn_end(record, last, result)
        GreedyPlayer.end_game(self)

    def learn_ply(self, record, ply):
        """A move, towards what its next turn is worth."""
        best = self.value[record.move[ply + 2]]
        if self.worth == BEST:
            position = record.position[ply + 2]
            for move in range(self.first_move[position], self.first_move[position + 1]):
                value = self.value[move]
                best = value if value > best else best
        elif self.worth == MEAN:
            best = self.mean(record.position[ply + 2])
        GreedyPlayer.update(self, record.move[ply], self.alpha, self.gamma * best)

    def mean(self, position):
        """Return the mean of the values at a position, by the odds of its moves."""
        first = self.first_move[position]
        best = self.value[first]
        total = 0.0
        for move in range(first, self.first_move[position + 1]):
            value = self.value[move]
            best = value if value > best else best
            total += self.weight[move] * value
        explores = self.threshold / HALF_RANGE
        return explores * (total / self.cells[position]) + (1.0 - explores) * best

    def learn_end(self, record, last, result):
        """The last move, towards the reward; or to it, if it ended the game on the board and `sets_final` says so."""
        reward = self.win if result > 0 else self.loss if result < 0 else self.draw
        move = record.move[last]
        if self.sets_final and last == record.plies - 1 and self.outcome[record.end] != ONGOING:
            self.value[move] = reward
            self.count[move] += 1
        else:
            GreedyPlayer.update(self, move, self.alpha, reward)


class DoublePlayer(GreedyPlayer):
    """Double Q-learning on values of moves.

    `value` [moves] is the mean of a move's two values, by which it plays, and `half` [moves] half of what the first is
    above the second. A move's first value learns at its first game, its third, ..., its second at the others.
    """

    def __init__(self, graph: Graph, *, alpha, gamma, win, draw, loss, half, **greedy):
        GreedyPlayer.__init__(self, graph, **greedy)
        self.alpha = alpha
        self.gamma = gamma
        self.win = win
        self.draw = draw
        self.loss = loss
        self.half = view(half)

    def learn(self, record, result):
        reward = self.win if result > 0 else self.loss if result < 0 else self.draw
        for ply in range(self.side, record.plies, 2):
            move = record.move[ply]
            sign = 1.0 if self.count[move] & 1 == 0 else -1.0  # which of its two values learns
            target = reward
            if ply + 2 < record.plies:
                target = self.gamma * self.judged(record.position[ply + 2], sign)
            step = 0.5 * (self.alpha * (target - (self.value[move] + sign * self.half[move])))
            self.value[move] += step
            self.half[move] += sign * step
            self.count[move] += 1
        GreedyPlayer.end_game(self)

    def judged(self, position, sign):
        """Return the other value of the move that this one finds best, the first of equal ones."""
        chosen = self.first_move[position]
        best = self.value[chosen] + sign * self.half[chosen]
        for move in range(chosen + 1, self.first_move[position + 1]):
            value = self.value[move] + sign * self.half[move]
            if value > best:
                best = value
                chosen = move
        return self.value[chosen] - sign * self.half[chosen]


class ReturnPlayer(GreedyPlayer):
    """Monte Carlo and n-step SARSA on values of moves.

    The target of a move is the reward, times `discount[n]` if n of its turns follow. If `steps` follow, or more, it is
    the value of the move that it made `steps` turns later, times `discount[steps]`.
    With `averages` a value is the mean of its targets, and `alpha` is not used.
    """

    def __init__(self, graph: Graph, *, alpha, win, draw, loss, steps, discount, averages, **greedy):
        GreedyPlayer.__init__(self, graph, **greedy)
        self.alpha = alpha
        self.win = win
        self.draw = draw
        self.loss = loss
        self.steps = steps
        self.discount = view(discount)
        self.averages = averages

    def learn(self, record, result):
        reward = self.win if result > 0 else self.loss if result < 0 else self.draw
        alpha = self.alpha
        for ply in range(self.side, record.plies, 2):
            move = record.move[ply]
            ahead = ply + 2 * self.steps
            if ahead < record.plies:
                target = self.discount[self.steps] * self.value[record.move[ahead]]
            else:
                target = self.discount[(record.plies - 1 - ply) >> 1] * reward
            if self.averages:
                alpha = 1.0 / (self.count[move] + 1.0)
            GreedyPlayer.update(self, move, alpha, target)
        GreedyPlayer.end_game(self)


class BoundPlayer(ReturnPlayer):
    """UCB1: plays the move of highest upper bound, and learns the means of its returns.

    The bound is `value + reach[N] / root[n]`, for n games of N at the position; `rank` says which entries those are.
    """

    def __init__(self, graph: Graph, *, reach, root, **returns):
        ReturnPlayer.__init__(self, graph, **returns)
        self.reach = view(reach)
        self.root = view(root)

    def choose(self, record, position, numbers):
        first = self.first_move[position]
        end = self.first_move[position + 1]
        games = 0
        for move in range(first, end):
            games += self.count[move]
        reach = self.reach[self.rank(games)]
        chosen = first
        best = self.bound_of(first, reach)
        ties = self.weight[first]
        for move in range(first + 1, end):
            bound = self.bound_of(move, reach)
            if bound > best:
                best = bound
                ties = self.weight[move]
                chosen = move
            elif bound == best:
                ties += self.weight[move]
        left = ((numbers.next() & LOW_HALF) * ties) >> 32
        left -= self.weight[chosen]
        while left >= 0:
            chosen += 1
            if self.bound_of(chosen, reach) == best:
                left -= self.weight[chosen]
        return chosen

    def bound_of(self, move, reach):
        if self.count[move] == 0:
            return NEVER_MADE
        return self.value[move] + reach / self.root[self.rank(self.count[move])]

    def rank(self, count):
        """Return the entry of a count in the tables: those above FEW - 1 lose their last binary digits."""
        entry = 0
        while count >= FEW:
            count >>= 1
            entry += FEW // 2
        return entry + count


class FavouritePlayer(GreedyPlayer):
    """Beads as values: draws the colour with most beads (learners/algorithms/beads.py).

    `boxed` as in BeadPlayer. `changes` is flat, [3, longest + 1, longest]: the beads that a colour gains, by result (0
    won, 1 drawn, 2 lost), by the moves played in the game, and by the ply at which it was drawn.
    """

    def __init__(self, graph: Graph, *, boxed, changes, floor, **greedy):
        GreedyPlayer.__init__(self, graph, **greedy)
        self.boxed = view(boxed)
        self.changes = view(changes)
        self.longest = graph.longest
        self.floor = floor

    def learn(self, record, result):
        row = ((1 - result) * (self.longest + 1) + record.plies) * self.longest
        for ply in range(self.side, record.plies, 2):
            if self.boxed[record.position[ply]]:
                move = record.move[ply]
                beads = self.value[move] + self.changes[row + ply]
                self.value[move] = min(max(beads, self.floor), MOST_BEADS)
                self.count[move] += 1
        GreedyPlayer.end_game(self)


class OddsPlayer(FixedPlayer):
    """Michie's program of 1963: weights of moves are multiplied and divided (learners/algorithms/odds.py).

    `multiplier[n]`, n counted back from the game's last ply (1). `state[1]` is the mean of past outcomes, `state[2]`
    their weights' sum, as a share of the newest one's weight, `state[3]` and `state[4]` the sum and the number of the
    outcomes of the set under way.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        total,
        value,
        count,
        state,
        side,
        learns,
        multiplier,
        counts_forced,
        sliding,
        memory,
        set_size,
        smallest,
    ):
        FixedPlayer.__init__(self, graph, graph.multiplicity, total, side, learns)
        self.value = view(value)
        self.count = view(count)
        self.multiplier = view(multiplier)
        self.state = view(state)
        self.counts_forced = counts_forced
        self.sliding = sliding
        self.memory = memory
        self.set_size = set_size
        self.smallest = smallest

    def sum_of(self, position):
        total = 0.0
        for move in range(self.first_move[position], self.first_move[position + 1]):
            total += self.value[move]
        return total

    def choose(self, record, position, numbers):
        move = self.first_move[position]
        end = self.first_move[position + 1]
        share = numbers.next() & LOW_HALF
        limit = share / HALF_RANGE * self.sum_of(position)
        running = self.value[move]
        while running <= limit and move + 1 < end:
            move += 1
            running += self.value[move]
        return move

    def learn(self, record, result):
        plies = self.counted(record)
        for ply in range(self.side, plies, 2):
            if self.total[record.position[ply]] == 0:
                self.learn_ply(record.position[ply], record.move[ply], self.multiplier[plies - ply], result)
        if self.sliding:
            self.slide(result)

    def counted(self, record):
        """Return how many plies count: a last one with a single cell to choose may be left out."""
        last = record.plies - 1
        # Where the player to move has no choice, `total` is the number of cells.
        if not self.counts_forced and last >= 0 and self.total[record.position[last]] == 1:
            return last
        return record.plies

    def slide(self, result):
        self.state[3] += result
        self.state[4] += 1.0
        if self.state[4] >= self.set_size:
            self.state[2] = 1.0 + self.memory * self.state[2]
            self.state[1] += (self.state[3] / self.state[4] - self.state[1]) / self.state[2]
            self.state[3] = 0.0
            self.state[4] = 0.0

    def learn_ply(self, position, chosen, multiplier, result):
        if self.sliding:
            self.value[chosen] *= power(multiplier, result - self.state[1])
        elif result == 1:
            self.value[chosen] *= multiplier
        elif result == -1:
            self.value[chosen] /= multiplier
        total = self.sum_of(position)
        for move in range(self.first_move[position], self.first_move[position + 1]):
            self.value[move] = max(self.value[move] / total, self.smallest)
        self.count[chosen] += 1


def power(base, exponent):
    """Only Michie's sliding origin needs powers; the last bit may differ between platforms' libraries."""
    return base**exponent


def play_games(
    graph: Graph, x: FixedPlayer, o: FixedPlayer, record: Record, numbers: RawNumbers, games, outcomes, stops=False
):
    """Play and learn from `games` games, by the next of the numbers.

    With `stops`, a game in which a machine has nothing left for its first move is not played, nor are those after it;
    the numbers stand then where that game would begin. Adds to `outcomes` (games that X won, drawn, that O won).
    Returns (games played, numbers used). `record` is left with the last game.
    """
    used = 0
    played = 0
    record.ruined = 0
    with cython.nogil:
        while played < games:
            position = ply = 0
            record.begin_game()
            while True:
                position, outcome = x.take_turn(graph, record, ply, position, numbers)
                if outcome != ONGOING:
                    break
                ply += 1
                position, outcome = o.take_turn(graph, record, ply, position, numbers)
                if outcome != ONGOING:
                    break
                ply += 1
            if stops and record.ruined:
                break
            used += record.plies
            record.end = position
            if x.learns:
                x.learn(record, outcome)
            if o.learns:
                o.learn(record, -outcome)
            outcomes[1 - outcome] += 1
            played += 1
    if record.ruined and stops:
        numbers.generator.advance(-record.plies)
    return played, used


def make_move(graph: Graph, player: FixedPlayer, record: Record, ply, position, numbers: RawNumbers):
    """Let a machine make the move of one ply of a game with a person, and record it; return it, or -1: it resigns."""
    record.plies = ply
    record.explored[ply] = 0
    record.learned[ply] = 1
    player.take_turn(graph, record, ply, position, numbers)
    return record.move[ply] if record.plies > ply else -1


def restart(player: FixedPlayer):
    """Let `player` take up what its arrays hold now: others have written to them since its last game."""
    player.restart()


def refill(player: FixedPlayer, position):
    """Put the first beads back into the box of `position`, if it is empty and the player's boxes are restocked."""
    player.refill(position)


def learn_recorded(player: FixedPlayer, record: Record, side, plies, end, outcome):
    """Let `player`, who plays `side`, learn from the game in the record, no matter who made its moves.

    An empty box that is restocked is so before it is learned from, as it was when the game was played.
    """
    record.plies = plies
    record.end = end
    record.flagged = 1
    for ply in range(side, plies, 2):
        player.refill(record.position[ply])
    player.learn(record, outcome if side == 0 else -outcome)


def bead_weights(graph: Graph, side, beads, boxed, first_beads, when_empty, favourite, weight, resigns):
    """Write what a machine with beads picks by, where `side` moves, to `weight` [moves], and where it resigns.

    `boxed` [moves] says which have a box. With `favourite` it picks among the moves that have most beads in their box.
    """
    for position in range(graph.outcome.shape[0]):
        if graph.to_move[position] != side:
            continue
        first = graph.first_move[position]
        end = graph.first_move[position + 1]
        total = 0
        for move in range(first, end):
            total += beads[move]
        if total == 0 and when_empty == EMPTY_RESIGNS:
            resigns[position] = 1.0
        elif total == 0 and when_empty == EMPTY_PICKS_ANY:
            for move in range(first, end):
                weight[move] = graph.multiplicity[move]
        else:
            for move in range(first, end):
                weight[move] = beads[move] if total != 0 else first_beads[move]
            if favourite and boxed[first]:
                keep_best(graph, first, end, False, weight, weight)


def best_moves(graph: Graph, side, first_of_ties, value, weight):
    """Write the multiplicities of the moves of highest value where `side` moves, or 1 for the first, to `weight`."""
    for position in range(graph.outcome.shape[0]):
        if graph.to_move[position] == side:
            first = graph.first_move[position]
            keep_best(graph, first, graph.first_move[position + 1], first_of_ties, value, weight)


def keep_best(graph: Graph, first, end, first_of_ties, value, weight):
    """Do for the moves of one position, of which there is one, what `best_moves` does; others weigh nothing."""
    best = value[first]
    for move in range(first + 1, end):
        if value[move] > best:
            best = value[move]
    left = True
    for move in range(first, end):
        if value[move] == best and left:
            weight[move] = 1.0 if first_of_ties else graph.multiplicity[move]
            left = not first_of_ties
        else:
            weight[move] = 0.0


def add_shares(graph: Graph, side, weight, resigns, share, probability):
    """Add to `probability` [moves] what a pick by `weight` [moves] gives, with probability `share`, where `side` moves.

    Where it surely resigns, or has no weights, it makes no move.
    """
    for position in range(graph.outcome.shape[0]):
        if graph.to_move[position] != side:
            continue
        total = 0.0
        for move in range(graph.first_move[position], graph.first_move[position + 1]):
            total += weight[move]
        if total > 0.0:
            for move in range(graph.first_move[position], graph.first_move[position + 1]):
                probability[move] += (1.0 - resigns[position]) * (share * (weight[move] / total))


def outcomes_of(graph: Graph, x, o, x_resigns, o_resigns, reach, start=0):
    """Return the probabilities that X wins, of a draw, and that O wins, when policies `x` and `o` meet in `start`.

    Positions are numbered so that moves lead to higher ones: one pass carries probability from each to the next, and
    leaves in `reach` [positions] how likely each is to come about.
    """
    x_wins = draw = o_wins = 0.0
    with cython.nogil:
        for position in range(start, graph.outcome.shape[0]):
            reach[position] = 0.0
        reach[start] = 1.0
        for position in range(start, graph.outcome.shape[0]):
            here = reach[position]
            if here == 0.0:
                continue
            if graph.outcome[position] == ONGOING:
                o_wins += here * x_resigns[position]
                x_wins += here * o_resigns[position]
                for move in range(graph.first_move[position], graph.first_move[position + 1]):
                    reach[graph.next_position[move]] += here * (x[move] + o[move])
            elif graph.outcome[position] == 0:
                draw += here
            elif graph.outcome[position] == 1:
                x_wins += here
            else:
                o_wins += here
    return x_wins, draw, o_wins


def strengths(graph: Graph, side, tie, weight, resigns, random, optimal, scratch):
    """Return how often `side` wins and loses when it picks by `weight` [moves]: six shares, which `scratch` keeps too.

    They are of games against two policies, and against the best response, which is that of `respond`. Carried back
    from the ends, `scratch` [6 * positions] has them from each position.
    """
    sign = 1 if side == 0 else -1
    for position in range(graph.outcome.shape[0] - 1, -1, -1):
        random_wins = random_loses = optimal_wins = optimal_loses = wins = loses = 0.0
        if graph.outcome[position] != ONGOING:
            if sign * graph.outcome[position] > 0:
                random_wins = optimal_wins = wins = 1.0
            elif graph.outcome[position] != 0:
                random_loses = optimal_loses = loses = 1.0
        elif graph.to_move[position] == side:
            total = 0.0
            for move in range(graph.first_move[position], graph.first_move[position + 1]):
                after = 6 * graph.next_position[move]
                total += weight[move]
                random_wins += weight[move] * scratch[after]
                random_loses += weight[move] * scratch[after + 1]
                optimal_wins += weight[move] * scratch[after + 2]
                optimal_loses += weight[move] * scratch[after + 3]
                wins += weight[move] * scratch[after + 4]
                loses += weight[move] * scratch[after + 5]
            resigned = resigns[position]
            scale = (1.0 - resigned) / total if total > 0.0 else 0.0
            random_wins *= scale
            random_loses = random_loses * scale + resigned
            optimal_wins *= scale
            optimal_loses = optimal_loses * scale + resigned
            wins *= scale
            loses = loses * scale + resigned
        else:
            highest = -2.0
            for move in range(graph.first_move[position], graph.first_move[position + 1]):
                after = 6 * graph.next_position[move]
                random_wins += random[move] * scratch[after]
                random_loses += random[move] * scratch[after + 1]
                optimal_wins += optimal[move] * scratch[after + 2]
                optimal_loses += optimal[move] * scratch[after + 3]
                value = scratch[after + 5] - scratch[after + 4]
                highest = value if value > highest else highest
            loses = -1.0
            for move in range(graph.first_move[position], graph.first_move[position + 1]):
                after = 6 * graph.next_position[move]
                value = scratch[after + 5] - scratch[after + 4]
                if value >= highest - tie and scratch[after + 5] > loses + tie:
                    wins = scratch[after + 4]
                    loses = scratch[after + 5]
        here = 6 * position
        scratch[here] = random_wins
        scratch[here + 1] = random_loses
        scratch[here + 2] = optimal_wins
        scratch[here + 3] = optimal_loses
        scratch[here + 4] = wins
        scratch[here + 5] = loses
    return scratch[0], scratch[1], scratch[2], scratch[3], scratch[4], scratch[5]


def respond(graph: Graph, side, tie, policy, resigns, value, wins, chosen):
    """Find the best response to a policy of `side`, from the last position to the first.

    Writes what it achieves from each position: `value` [positions], the responder's expected result, and `wins`
    [positions], how often it wins. Sets `chosen` [moves] to 1 at its moves: of those within `tie` of the highest value
    the one that wins most often, of those within `tie` of that the first.
    """
    sign = -1 if side == 0 else 1  # the responder's result is that of X times this
    with cython.nogil:
        for position in range(graph.outcome.shape[0] - 1, -1, -1):
            first = graph.first_move[position]
            end = graph.first_move[position + 1]
            if graph.outcome[position] != ONGOING:
                value[position] = sign * graph.outcome[position]
                wins[position] = 1.0 if sign * graph.outcome[position] == 1 else 0.0
            elif graph.to_move[position] == side:
                value[position] = resigns[position]
                wins[position] = resigns[position]
                for move in range(first, end):
                    value[position] += policy[move] * value[graph.next_position[move]]
                    wins[position] += policy[move] * wins[graph.next_position[move]]
            else:
                highest = -2.0
                for move in range(first, end):
                    highest = max(highest, value[graph.next_position[move]])
                most = -1.0
                for move in range(first, end):
                    if value[graph.next_position[move]] >= highest - tie:
                        most = max(most, wins[graph.next_position[move]])
                best = first
                while value[graph.next_position[best]] < highest - tie or wins[graph.next_position[best]] < most - tie:
                    best += 1
                chosen[best] = 1.0
                value[position] = value[graph.next_position[best]]
                wins[position] = wins[graph.next_position[best]]
