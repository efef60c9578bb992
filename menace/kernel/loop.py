# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cpow=True
"""The hot loop, which plays games on flat arrays and lets players learn from these games.

    FixedPlayer                draws by integer weights, and never changes
    ├── BeadPlayer             draws by its beads; adds or removes beads in each box that it opened
    ├── GreedyPlayer           plays the highest value, or explores; the base class of players with values
    │   ├── StatePlayer        TD(0): moves a position's value towards that of the next position
    │   ├── TracePlayer        TD(lambda): moves the values of all positions so far, by decaying traces
    │   ├── MovePlayer         SARSA, Expected SARSA, Q-learning: moves a move's value towards that of the next turn
    │   ├── DoublePlayer       Double Q-learning: two values of a move learn alternately, each from the other
    │   ├── ReturnPlayer       Monte Carlo, n-step SARSA: towards the game's reward or the value of a later move
    │   │   └── BoundPlayer    UCB1: plays the move of highest upper bound, computed from its mean and count
    │   └── FavouritePlayer    values are beads; adds beads by the game's length and the ply
    └── OddsPlayer             draws by real weights; multiplies or divides them, most for the last plies

Each kind of player is a class with two methods: `choose` chooses a move, and `learn` learns from the recorded game. To
add a kind of player, write a class here and declare its C types in kernel/loop.pxd. `play_games` does not need to be
changed.

The kernel also computes exact strength. In functions that compute exact strength, a policy consists of two arrays. The
first array [moves] contains the probabilities of one side's moves and 0 for the other side's moves. The second array
[positions] contains the probabilities of resigning. `play_to_marks` plays and measures in a single call, because each
call from Python takes as long as a measurement.

If a player's `total` in a position is not 0, the kernel draws a move according to the player's integer weights. The
kernel calls `choose` only if `total` is 0, which avoids most virtual calls. Players that never draw by integer weights
set `total` to 0 for all positions.

The kernel draws one raw 64-bit number from NumPy's generator for each move of a machine, forced or not, in playing
order. The number's lower half, `low`, selects the move, and its upper half, `high`, determines whether the machine
explores. Compiled code computes PCG64's numbers itself, because a function call in the hot loop would force the
compiler to keep all variables in memory.

This file is Python code that Cython compiles with the types in loop.pxd. Without a compiler, Python runs the file
directly. Compiled and uncompiled code produce the same results bit for bit, because all integers fit into 64 bits and
operations on doubles have a fixed order.

Code that runs for each move avoids `min`, `max` and `cython.cast`, because function calls take most of the running time
of uncompiled code.

Compiled code does not check indices, so pass only arrays from Positions (games/positions.py) and from learners, as
Machine.kernel_player and the arena do.

Inherited methods that are never overridden are called through their class, as in `GreedyPlayer.update(self, ...)`, so
that Cython does not look up the method at each call.
"""

try:
    import cython  # Cython recognises its own module even inside `try`
except ImportError:
    from menace.kernel import without_cython as cython

COMPILED = cython.compiled

# The SHA-256 hash of the compiled source. Before compiling, setup.py writes this hash into the copy of loop.py that
# Cython reads.
SOURCE_HASH = ""

RESIGNS = cython.declare(cython.int, -1)  # returned by `choose` instead of a move
ONGOING = cython.declare(cython.int, 2)  # the same as ONGOING in games/base.py, where outcomes are 1, 0 and -1

# These constants select what a player does at an empty box.
EMPTY_RESIGNS = cython.declare(cython.int, 0)
EMPTY_RESTOCKS = cython.declare(cython.int, 1)
EMPTY_PICKS_ANY = cython.declare(cython.int, 2)
# an empty pile gets its initial beads back, so no box can become empty
COLOUR_RESTOCKS = cython.declare(cython.int, 3)

# These constants select the value that a MovePlayer uses for its next turn. 0 selects the value of the move that was
# made.
BEST = cython.declare(cython.int, 1)
MEAN = cython.declare(cython.int, 2)

FEW = cython.declare(cython.int, 2048)  # every smaller count has its own entry in a BoundPlayer's tables
NEVER_MADE = cython.declare(cython.double, 1e300)  # upper bound of a move that was never made

# The mask for `low`. In compiled code, a literal above 2^31 would be a Python object, so the mask is a typed constant.
LOW_HALF = cython.declare(cython.ulonglong, 0xFFFFFFFF)
WORD = 2**64 - 1  # the mask for the lower half of a generator's state
HALF_RANGE = cython.declare(cython.double, 4294967296.0)  # each half of a raw number is an integer below this limit

# A pile contains fewer than 2^26 beads, so a box with up to 31 piles contains fewer than 2^31 beads.
MAX_BEADS = cython.declare(cython.int, 2**26 - 1)


def view(array):
    """Return an array, which uncompiled code first converts to a memoryview so that its items are Python numbers."""
    return array if cython.compiled else memoryview(array)


class Graph:
    """The game graph, as arrays from a Positions object."""

    def __init__(self, positions):
        self.first_move = view(positions.first_move)
        self.next_position = view(positions.next_position)
        self.next_or_end = view(positions.next_or_end)
        self.multiplicity = view(positions.multiplicity)
        self.outcome = view(positions.outcome)
        self.to_move = view(positions.to_move)
        self.action_counts = view(positions.action_counts)
        self.longest = positions.longest


class Record:
    """The record of a game so far, with the position, the move and two flags for each ply.

    `explored` is 1 for each ply at which the player explored. `learned` is 0 for each ply at which the player did not
    use its table and therefore does not learn. `flagged` is 1 if any of the `explored` or `learned` flags may have
    changed; otherwise, they are not reset before the next game. `end` is the position in which the game ended; it is a
    finished position unless a player resigned. `ruined` is 1 if a machine has no beads left for its first move.
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
    """A source of raw numbers from a NumPy BitGenerator, starting at the generator's current state.

    For PCG64, compiled code computes the numbers from `words`, a copy of the generator's state. For any other
    generator, or if the compiler does not support 128-bit integers, compiled code calls NumPy's C interface through a
    pointer.
    """

    def __init__(self, generator):
        self.owner = generator  # keeps the memory behind the pointer alive
        if cython.compiled:
            pointer = PyCapsule_GetPointer(generator.capsule, b"BitGenerator")  # noqa: F821 - loop.pxd declares both names
            self.source = cython.cast(cython.pointer(bitgen_t), pointer)[0]  # noqa: F821 - a copy saves a load
            self.computes = HAS_INT128 and type(generator).__name__ == "PCG64"  # noqa: F821
            self.copy_state()
        else:
            self.computes = False
            self.random_raw = generator.random_raw

    @property
    def generator(self):
        """The generator, in its state after the last number used."""
        if cython.compiled and self.computes:
            state = self.owner.state
            state["state"]["state"] = (int(upper(self.words.state)) << 64) + lower(self.words.state)  # noqa: F821
            state["state"]["inc"] = (int(upper(self.words.step)) << 64) + lower(self.words.step)  # noqa: F821
            self.owner.state = state
        return self.owner

    def put_back(self, count):
        """Put back the last `count` numbers so that they will be used again."""
        self.generator.advance(-count)
        self.copy_state()

    def copy_state(self):
        """Copy the generator's state into `words`."""
        if cython.compiled and self.computes:
            words = self.owner.state["state"]
            self.words.state = join(words["state"] >> 64, words["state"] & WORD)  # noqa: F821
            self.words.step = join(words["inc"] >> 64, words["inc"] & WORD)  # noqa: F821

    def reseed(self, seed):
        """Continue with the numbers of a new generator of the same type with the given seed, from 0 to 2^63 - 1."""
        if cython.compiled and self.computes:
            seed_words(cython.address(self.words), seed)  # noqa: F821
        else:
            self.owner.state = type(self.owner)(seed).state

    def lend(self, state):
        """Copy `words` to the target of the pointer `state`, a local variable of the hot loop."""
        if cython.compiled:
            state[0] = self.words

    def take_back(self, state):
        """Copy the target of the pointer `state` back to `words`."""
        if cython.compiled:
            self.words = state[0]

    def next_from(self, state, computes):
        """Return the next number.

        If `computes` is true, compiled code computes this number from the target of `state`.
        """
        if cython.compiled:
            if computes:
                return next_number(state)  # noqa: F821
            return self.source.next_uint64(self.source.state)
        return self.random_raw()

    def next(self):
        if cython.compiled:
            return self.next_from(cython.address(self.words), self.computes)
        return self.random_raw()


class FixedPlayer:
    """The base class of all players. Players that learn override `learn`.

    `weight` [moves] contains the weights, and `total` [positions] contains their sums. All weights and sums are below
    2^31. `side` is 0 for X and 1 for O. `learns` is 0 for a player that does not learn.
    """

    def __init__(self, graph: Graph, weight, total, side=0, learns=False):
        self.first_move = graph.first_move
        self.weight = view(weight)
        self.total = view(total)
        self.side = side
        self.learns = learns

    def choose(self, record, position, numbers):
        return RESIGNS  # without weights, there is no move to choose

    def learn(self, record, result):
        """Learn from the recorded game. `result` is 1 if this player has won, 0 for a draw, and -1 if it has lost."""

    def refill(self, position):
        """Prepare the box for `position` before the player learns from a game that was played elsewhere."""

    def restart(self):
        """Update derived state, because other code may have changed the arrays since the player's last game."""

    def pick(self, position, low):
        """Draw a move by weight. The total of the weights must not be 0."""
        return FixedPlayer.pick_from(self, self.first_move[position], self.total[position], low)

    def pick_from(self, move, total, low):
        """Draw one of the moves that start at index `move`. The sum of their weights is `total`."""
        left = (low * total) >> 32
        left -= self.weight[move]
        while left >= 0:
            move += 1
            left -= self.weight[move]
        return move


def draw(
    player: FixedPlayer,
    first_move,
    weight,
    total,
    record: Record,
    positions,
    ply,
    position,
    numbers: RawNumbers,
    state,
    computes,
):
    """Draw the player's move in `position` with the next random number, and return the move, or RESIGNS.

    `first_move`, `weight`, `total` and `positions` belong to the player and the record. The caller keeps these arrays
    in local variables so that compiled code does not reload their addresses after each store.
    """
    positions[ply] = position
    weights = total[position]
    if weights == 0:
        record.plies = ply
        numbers.take_back(state)
        move = player.choose(record, position, numbers)
        numbers.lend(state)
        return move
    move = first_move[position]
    left = ((numbers.next_from(state, computes) & LOW_HALF) * weights) >> 32
    left -= weight[move]
    while left >= 0:
        move += 1
        left -= weight[move]
    return move


def any_move(graph: Graph):
    """Return a player that plays every action with equal probability."""
    return FixedPlayer(graph, graph.multiplicity, graph.action_counts)


class BeadPlayer(FixedPlayer):
    """MENACE, with a pile of beads for each move in each box. learners/algorithms/beads.py describes the settings.

    `boxed` [positions] marks positions with a box. `weight` contains the beads in positions with a box, and the
    multiplicities in all other positions. The kernel therefore calls `choose` only if a box is empty. `first_beads`
    [moves] contains the initial beads for restocking, and `picked` [moves] counts how often each bead was drawn. With
    `last_only`, the player learns only from the last bead that it drew.
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
        self.least = max(floor, 1) if when_empty == COLOUR_RESTOCKS else floor  # the minimum number of beads in a pile
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
        """Return whether all boxes for the first move are empty.

        X has one box for its first move, and O has one for each of X's openings.
        """
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
        self.add_beads(
            first,
            record.plies,
            change,
            self.least,
            record.position,
            record.move,
            record.learned,
            self.boxed,
            self.weight,
            self.total,
            self.picked,
        )

    def add_beads(self, first, plies, change, least, positions, moves, learned, boxed, weight, total, picked):
        """Add `change` to the pile of every bead that was drawn at ply `first` or later.

        The arrays are arguments so that compiled code does not reload their addresses after each store.
        """
        for ply in range(first, plies, 2):
            position = positions[ply]
            if boxed[position] & learned[ply]:  # `&` avoids the extra branch of `and`
                move = moves[ply]
                beads = weight[move] + change
                picked[move] += 1
                if least <= beads <= MAX_BEADS:
                    weight[move] = beads
                    total[position] += change
                else:
                    self.limit_pile(position, move, beads)

    def limit_pile(self, position, move, beads):
        """Set a pile that would have too few or too many beads to the nearest limit, or to its initial beads."""
        if beads > MAX_BEADS:
            beads = MAX_BEADS
        elif self.least == self.floor:
            beads = self.floor
        else:
            beads = self.first_beads[move]
        self.total[position] += beads - self.weight[move]
        self.weight[move] = beads

    def last_drawn(self, record):
        """Return the last ply at which the player drew a bead, or the number of plies if it did not draw any."""
        ply = record.plies - 1 - ((record.plies - 1 - self.side) & 1)
        while ply >= 0 and self.boxed[record.position[ply]] & record.learned[ply] == 0:
            ply -= 2
        return ply if ply >= 0 else record.plies


class GreedyPlayer(FixedPlayer):
    """The base class of players that play the move with the highest value, or explore.

    The value of a move, from the learner's point of view, is `value[place[move]]`, which is the value of either the
    move itself or the next position. If moves are tied, the player either draws one of them by `multiplicity` or plays
    the first. With probability epsilon, the player explores: it draws a move in the same way as the player `exploring`
    or, by default, according to the multiplicities. In positions without values, the player draws according to its
    weights, which are the multiplicities.

    `state[0]` is epsilon. After each game from which the player learns, epsilon is multiplied by `decay`, but never
    falls below `least`. With `decay_first`, epsilon is multiplied before each game instead of after it. An argument
    `epsilon` of 0 or more replaces `state[0]`, which then never changes. Each subclass collects the arguments for this
    class in `greedy`.
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
        """Choose a move. If `own` is true, values belong to moves, so `place` is not needed."""
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
        """Draw one of the moves with the same value as `chosen`, which is the first of these moves."""
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
        """Move a value by the fraction `alpha` of its distance to `target`, and return the new value."""
        value = self.value[place]
        value += alpha * (target - value)
        self.value[place] = value
        self.count[place] += 1
        return value


class StatePlayer(GreedyPlayer):
    """TD(0) with position values. The arrays `outcome` [positions] and `next_position` come from the graph."""

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
            self.learn_positions(record)
        GreedyPlayer.end_game(self)

    def learn_positions(self, record):
        """Move each position's value towards the next position's new value, from the last position to the first."""
        skipped = 2 if self.from_exploration else self.side
        alpha = self.alpha
        if self.outcome[record.end] == ONGOING:  # the opponent resigned
            GreedyPlayer.update(self, record.end, alpha, self.win)
        target = self.value[record.end]
        for ply in range(record.plies - 1, -1, -1):
            position = record.position[ply]
            if record.explored[ply] and ply & 1 == skipped:
                target = self.value[position]
            else:
                target = GreedyPlayer.update(self, position, alpha, target)

    def learn_afterstates(self, record, result):
        """Move the value of each of the player's afterstates, in order, towards the value of the next afterstate."""
        last = -1
        for ply in range(self.side, record.plies, 2):
            after = self.next_position[record.move[ply]]
            if last >= 0 and (not record.explored[ply] or self.from_exploration):
                GreedyPlayer.update(self, last, self.alpha, self.value[after])
            last = after
        if last >= 0 and self.outcome[last] == ONGOING:  # the opponent made the last move
            target = self.win if result > 0 else self.loss if result < 0 else self.drawn_by_other
            GreedyPlayer.update(self, last, self.alpha, target)


class TracePlayer(GreedyPlayer):
    """TD(lambda) with afterstate values. `fade` is lambda."""

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
        if last >= 0 and self.outcome[last] == ONGOING:  # the opponent made the last move
            target = self.win if result > 0 else self.loss if result < 0 else self.drawn_by_other
            self.learn_traced(record, first, record.plies - 1 - ((record.plies - 1 - self.side) & 1), target)
        GreedyPlayer.end_game(self)

    def learn_traced(self, record, first, last, target):
        """Move the value of the afterstate at ply `last` towards `target`, and earlier values by the decayed step."""
        place = self.next_position[record.move[last]]
        step = self.alpha * (target - self.value[place])
        self.count[place] += 1
        for ply in range(last, first - 1, -2):
            self.value[self.next_position[record.move[ply]]] += step
            step *= self.fade


class MovePlayer(GreedyPlayer):
    """SARSA, Expected SARSA and Q-learning with move values (learners/algorithms/action_values.py).

    `worth` selects the value of the next turn: 0 for the value of the move that was made, 1 for the highest value, or 2
    for the mean value under the player's policy.
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
        self.action_counts = graph.action_counts
        self.worth = worth
        self.end_first = end_first
        self.backward = backward
        self.sets_final = sets_final

    def learn(self, record, result):
        last = (
            record.plies - 1 - ((record.plies - 1 - self.side) & 1)
        )  # the player's last ply, or a negative number if it made no move
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
        """Move the value of a move towards the value of the next turn."""
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
        """Return the expected value of a position under the current policy."""
        first = self.first_move[position]
        best = self.value[first]
        total = 0.0
        for move in range(first, self.first_move[position + 1]):
            value = self.value[move]
            best = value if value > best else best
            total += self.weight[move] * value
        explores = self.threshold / HALF_RANGE
        return explores * (total / self.action_counts[position]) + (1.0 - explores) * best

    def learn_end(self, record, last, result):
        """Move the last move's value towards the reward.

        With `sets_final`, set the value to the reward if the move ended the game.
        """
        reward = self.win if result > 0 else self.loss if result < 0 else self.draw
        move = record.move[last]
        if self.sets_final and last == record.plies - 1 and self.outcome[record.end] != ONGOING:
            self.value[move] = reward
            self.count[move] += 1
        else:
            GreedyPlayer.update(self, move, self.alpha, reward)


class DoublePlayer(GreedyPlayer):
    """Double Q-learning with move values.

    The player chooses moves by `value` [moves], which contains the mean of each move's two values. `half` [moves] is
    half the difference between a move's first and second values. Of the games in which a move is made, the first, third
    and so on update the move's first value, and the others update its second value.
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
            sign = 1.0 if self.count[move] & 1 == 0 else -1.0  # selects the value to update
            target = reward
            if ply + 2 < record.plies:
                target = self.gamma * self.judged(record.position[ply + 2], sign)
            step = 0.5 * (self.alpha * (target - (self.value[move] + sign * self.half[move])))
            self.value[move] += step
            self.half[move] += sign * step
            self.count[move] += 1
        GreedyPlayer.end_game(self)

    def judged(self, position, sign):
        """Find the first move with the highest first value, and return the second value of that move.

        If `sign` is -1, the roles of the two values are swapped.
        """
        chosen = self.first_move[position]
        best = self.value[chosen] + sign * self.half[chosen]
        for move in range(chosen + 1, self.first_move[position + 1]):
            value = self.value[move] + sign * self.half[move]
            if value > best:
                best = value
                chosen = move
        return self.value[chosen] - sign * self.half[chosen]


class ReturnPlayer(GreedyPlayer):
    """Monte Carlo and n-step SARSA with move values.

    If the player has fewer than `steps` turns after a move, the move's target is the reward times `discount[n]`, where
    n is the number of these turns. Otherwise, the target is `discount[steps]` times the value of the move made `steps`
    turns later. With `averages`, the value of a move is the mean of the move's targets, and `alpha` is not used.
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
    """UCB1, which plays the move with the highest upper bound and learns the mean returns of moves.

    The bound is `value + reach[N] / root[n]` for a move made in n of the N games at the position. `rank` returns a
    count's index in the tables `reach` and `root`.
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
        """Return the table index for a count. The lowest bits of counts of FEW or more are dropped."""
        entry = 0
        while count >= FEW:
            count >>= 1
            entry += FEW // 2
        return entry + count


class FavouritePlayer(GreedyPlayer):
    """A player that plays the colour with the most beads (learners/algorithms/beads.py).

    `boxed` has the same meaning as in BeadPlayer. `changes` is a flattened array [3, longest + 1, longest] of the
    numbers of beads that a colour gains. The axes of `changes` are the result (0 for a win, 1 for a draw, 2 for a
    loss), the number of moves in the game, and the ply of the move.
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
                self.value[move] = min(max(beads, self.floor), MAX_BEADS)
                self.count[move] += 1
        GreedyPlayer.end_game(self)


class OddsPlayer(FixedPlayer):
    """Michie's 1963 program, which multiplies and divides the weights of moves (learners/algorithms/odds.py).

    The index n of `multiplier` counts plies backwards from the last ply, for which n is 1. `state[1]` is the mean of
    past outcomes, and `state[2]` is the sum of the weights of these outcomes, where the newest outcome has the weight
    1. `state[3]` is the sum of the outcomes in the current set, and `state[4]` is the number of these outcomes.
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
        """Return the number of plies to learn from, excluding a forced last ply if the settings say so."""
        last = record.plies - 1
        # If the position has only one move, `total` is the number of actions that the move represents.
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
    """Return `base` to the power of `exponent`, for Michie's sliding origin.

    The last bit of the result depends on the platform.
    """
    return base**exponent


def play_game(
    graph: Graph,
    x: FixedPlayer,
    o: FixedPlayer,
    record: Record,
    numbers: RawNumbers,
    first_move,
    next_or_end,
    x_weight,
    x_total,
    o_weight,
    o_total,
    positions,
    moves,
    state,
    computes,
):
    """Play and record one game, and return its outcome. The last eight arguments are passed to `draw`."""
    record.begin_game()
    position = ply = 0
    while True:
        move = draw(x, first_move, x_weight, x_total, record, positions, ply, position, numbers, state, computes)
        if move < 0:
            end = -1
            break
        moves[ply] = move
        ply += 1
        end = next_or_end[move]
        if end < 0:
            break
        position = end
        move = draw(o, first_move, o_weight, o_total, record, positions, ply, position, numbers, state, computes)
        if move < 0:
            end = -3
            break
        moves[ply] = move
        ply += 1
        end = next_or_end[move]
        if end < 0:
            break
        position = end
    record.plies = ply
    record.end = position if move < 0 else graph.next_position[move]
    return -2 - end


def play_games(
    graph: Graph, x: FixedPlayer, o: FixedPlayer, record: Record, numbers: RawNumbers, games, outcomes, stops=False
):
    """Play `games` games and learn from them, using the next random numbers.

    If `stops` is true, play ends before a game in which a machine has no beads left for its first move, and the
    generator is reset to its state before that game. The numbers of X wins, draws and O wins are added to `outcomes`.
    The result is a pair: the number of games played and the number of random numbers used. When the function returns,
    `record` contains the last game.
    """
    used = 0
    played = 0
    record.ruined = 0
    first_move, next_or_end, positions, moves = graph.first_move, graph.next_or_end, record.position, record.move
    x_weight, x_total, o_weight, o_total = x.weight, x.total, o.weight, o.total
    if cython.compiled:  # noqa: SIM108 - C has no value for None
        state = cython.address(words)  # noqa: F821 - a local variable, declared in loop.pxd
    else:
        state = None
    numbers.lend(state)
    computes = numbers.computes
    with cython.nogil:
        while played < games:
            outcome = play_game(
                graph,
                x,
                o,
                record,
                numbers,
                first_move,
                next_or_end,
                x_weight,
                x_total,
                o_weight,
                o_total,
                positions,
                moves,
                state,
                computes,
            )
            if stops and record.ruined:
                break
            used += record.plies
            if x.learns:
                x.learn(record, outcome)
            if o.learns:
                o.learn(record, -outcome)
            outcomes[1 - outcome] += 1
            played += 1
    numbers.take_back(state)
    if record.ruined and stops:
        numbers.put_back(record.plies)
    return played, used


def make_move(graph: Graph, player: FixedPlayer, record: Record, ply, position, numbers: RawNumbers):
    """Make and record a machine's move in a game with a person. Return the move, or -1 if the machine resigns."""
    record.plies = ply
    record.explored[ply] = 0
    record.learned[ply] = 1
    if cython.compiled:  # noqa: SIM108 - C has no value for None
        state = cython.address(numbers.words)
    else:
        state = None
    move = draw(
        player,
        graph.first_move,
        player.weight,
        player.total,
        record,
        record.position,
        ply,
        position,
        numbers,
        state,
        numbers.computes,
    )
    if move == RESIGNS:
        return RESIGNS
    record.move[ply] = move
    record.plies = ply + 1
    return move


def restart(player: FixedPlayer):
    """Update a player's derived state after other code has changed the player's arrays."""
    player.restart()


def refill(player: FixedPlayer, position):
    """Put the initial beads back into the box for `position` if the box is empty and the player restocks boxes."""
    player.refill(position)


def learn_recorded(player: FixedPlayer, record: Record, side, plies, end, outcome):
    """Let `player` learn from the recorded game as `side`, even if another player made the moves.

    If the player restocks boxes, its empty boxes are restocked before learning, as they were during the game.
    """
    record.plies = plies
    record.end = end
    record.flagged = 1
    for ply in range(side, plies, 2):
        player.refill(record.position[ply])
    player.learn(record, outcome if side == 0 else -outcome)


class Boxes:
    """The beads of a machine. `bead_weights` computes the machine's policy from this object.

    `boxed` [moves] marks moves that have a box. `first_beads` [moves] contains the initial beads for restocking.
    """

    def __init__(self, beads, boxed, first_beads, when_empty):
        self.beads = view(beads)
        self.boxed = view(boxed)
        self.first_beads = view(first_beads)
        self.when_empty = when_empty


def bead_weights(graph: Graph, side, boxes: Boxes, favourite, weight, resigns):
    """Compute the weights with which a machine draws beads as `side`, and the positions in which the machine resigns.

    The results are written to `weight` [moves] and `resigns` [positions]. If `favourite` is true, only the moves with
    the most beads in their box get nonzero weights.
    """
    beads = boxes.beads
    for position in range(graph.outcome.shape[0]):
        if graph.to_move[position] != side:
            continue
        first = graph.first_move[position]
        end = graph.first_move[position + 1]
        total = 0
        for move in range(first, end):
            total += beads[move]
            weight[move] = beads[move]
        resigns[position] = 0.0
        if total == 0 and boxes.when_empty == EMPTY_RESIGNS:
            resigns[position] = 1.0
        elif total == 0 and boxes.when_empty == EMPTY_PICKS_ANY:
            for move in range(first, end):
                weight[move] = graph.multiplicity[move]
        else:
            if total == 0:
                for move in range(first, end):
                    weight[move] = boxes.first_beads[move]
            if favourite and boxes.boxed[first]:
                keep_best(graph, first, end, False, weight, weight)


def best_moves(graph: Graph, side, first_of_ties, value, weight):
    """Give `side`'s highest-valued moves their multiplicities as weights, or give only the first the weight 1."""
    for position in range(graph.outcome.shape[0]):
        if graph.to_move[position] == side:
            first = graph.first_move[position]
            keep_best(graph, first, graph.first_move[position + 1], first_of_ties, value, weight)


def keep_best(graph: Graph, first, end, first_of_ties, value, weight):
    """Do the same as `best_moves` for a single position, which must have at least one move.

    All other moves get the weight 0.
    """
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
    """For each of `side`'s moves, add `share` times the probability of drawing that move to `probability` [moves].

    The probability of drawing a move is proportional to its `weight` [moves]. Positions in which the side is certain to
    resign, or has no weights, are skipped.
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
    """Return the probabilities of an X win, a draw and an O win when policy `x` plays policy `o` from position `start`.

    Every move leads to a position with a higher number, so a single pass can propagate the probabilities. The function
    stores the probability of reaching each position in `reach` [positions].
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


class Meter:
    """An object that measures policies for one side of a game against two given opponents and the best response.

    `random` and `optimal` [moves] are the policies of these opponents. `scratch` [6 * positions] contains, for every
    position, the probabilities of winning and losing against each opponent. `weight` [moves] and `resigns` [positions]
    are buffers in which the policies of machines are computed.
    """

    def __init__(self, graph: Graph, side, tie, random, optimal, scratch, weight, resigns):
        self.graph = graph
        self.side = side
        self.tie = tie
        self.random = view(random)
        self.optimal = view(optimal)
        self.scratch = view(scratch)
        self.weight = view(weight)
        self.resigns = view(resigns)
        sign = 1 if side == 0 else -1
        for position in range(graph.outcome.shape[0]):
            for entry in range(6):  # from now on, only the values for unfinished positions change
                wanted = sign if entry % 2 == 0 else -sign
                self.scratch[6 * position + entry] = 1.0 if graph.outcome[position] == wanted else 0.0

    def measure(self, weight, resigns, shares, start):
        """Compute the probabilities that the side wins and loses against each opponent if it draws moves by `weight`.

        `respond` computes the best response. The six probabilities are written to `shares`, starting at index `start`.
        """
        graph, side, tie, scratch = self.graph, self.side, self.tie, self.scratch
        random, optimal = self.random, self.optimal
        first_move, next_position = graph.first_move, graph.next_position
        for position in range(graph.outcome.shape[0] - 1, -1, -1):
            if graph.outcome[position] != ONGOING:
                continue
            random_wins = random_loses = optimal_wins = optimal_loses = wins = loses = 0.0
            first = first_move[position]
            end = first_move[position + 1]
            if graph.to_move[position] == side:
                total = 0.0
                for move in range(first, end):
                    after = 6 * next_position[move]
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
                for move in range(first, end):
                    after = 6 * next_position[move]
                    random_wins += random[move] * scratch[after]
                    random_loses += random[move] * scratch[after + 1]
                    optimal_wins += optimal[move] * scratch[after + 2]
                    optimal_loses += optimal[move] * scratch[after + 3]
                    value = scratch[after + 5] - scratch[after + 4]
                    highest = value if value > highest else highest
                loses = -1.0
                for move in range(first, end):
                    after = 6 * next_position[move]
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
        for entry in range(6):
            shares[start + entry] = scratch[entry]


def play_to_marks(
    meter: Meter,
    x: FixedPlayer,
    o: FixedPlayer,
    record: Record,
    numbers: RawNumbers,
    outcomes,
    played,
    end,
    index,
    marks,
    boxes,
    favourites,
    measure,
    shares,
):
    """Play a run's games from `played` to `end`, measure a machine at marks, and return the index of the next mark.

    `marks` contains numbers of games in ascending order, and `marks[index]` is the next mark. No game is played after
    the last mark. For each policy to measure, `favourites` contains the argument `favourite` of `bead_weights`. The
    measurements are written to `shares` [marks * policies * 6]. If `boxes` is None, the function instead calls
    `measure` with the index of each row.
    """
    while index < marks.shape[0] and marks[index] <= end:
        play_games(meter.graph, x, o, record, numbers, marks[index] - played, outcomes)
        played = marks[index]
        for policy in range(favourites.shape[0]):
            row = index * favourites.shape[0] + policy
            if boxes is None:
                measure(row)
            else:
                bead_weights(meter.graph, meter.side, boxes, favourites[policy], meter.weight, meter.resigns)
                meter.measure(meter.weight, meter.resigns, shares, 6 * row)
        index += 1
    if index < marks.shape[0]:
        play_games(meter.graph, x, o, record, numbers, end - played, outcomes)
    return index


def respond(graph: Graph, side, tie, policy, resigns, value, wins, chosen):
    """Compute the best response to a policy for `side`, from the last position to the first.

    The function writes the responder's expected result from each position to `value` [positions], and the probability
    that the responder wins to `wins` [positions]. `chosen` [moves] is set to 1 for the responder's moves. Among moves
    whose values are within `tie` of the highest value, the responder plays the one that wins most often. Among moves
    whose probabilities of winning are also within `tie`, the responder plays the first.
    """
    sign = -1 if side == 0 else 1  # converts X's result to the responder's
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
