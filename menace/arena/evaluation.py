"""Exact strength: what policies achieve, computed over all games at once instead of sampled.

A *policy* (learners/base.py) gives one side's probabilities over the moves of every position. Two policies make the
game a Markov chain, whose outcomes are found by carrying probability forward, a ply at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from menace.games.base import ONGOING, Side
from menace.games.positions import Positions, check_same_game
from menace.learners.policy import Policy

T = TypeVar("T")

TOGETHER = 100_000  # moves of pairs of policies that are computed side by side: arrays of a megabyte


class Outcomes(NamedTuple):
    """Probabilities of the three outcomes of a game. They sum to 1.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> x, o = (fixed_policy("perfect", tictactoe(), side) for side in (0, 1))
    >>> outcomes(x, o)
    Outcomes(x_wins=0.0, draw=1.0, o_wins=0.0)
    """

    x_wins: float
    draw: float
    o_wins: float


class Strength(NamedTuple):
    """Probabilities as one of the players sees them. They sum to 1.

    >>> Strength(win=0.5, draw=0.25, loss=0.25).value
    0.25
    """

    win: float
    draw: float
    loss: float

    @property
    def value(self) -> float:
        """Expected result: wins 1, draws 0, losses -1."""
        return self.win - self.loss


def outcomes(x: Policy, o: Policy) -> Outcomes:
    """Return the exact probabilities of X winning, a draw and O winning when `x` plays `o`.

    A player that resigns loses.

    Raises:
        InvalidGame: if the policies are of two games.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> x, o = (fixed_policy("random", tictactoe(), side) for side in (0, 1))
    >>> [round(share, 4) for share in outcomes(x, o)]
    [0.5849, 0.127, 0.2881]
    """
    return outcomes_of([(x, o)])[0]


def outcomes_of(pairs: Sequence[tuple[Policy, Policy]]) -> list[Outcomes]:
    """Return what `outcomes` returns for each pair of X and O, to the bit: small games are computed side by side.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> o = fixed_policy("optimal", tictactoe(), 1)
    >>> pairs = [(fixed_policy(name, tictactoe(), 0), o) for name in ("random", "optimal")]
    >>> [round(found.o_wins, 4) for found in outcomes_of(pairs)]
    [0.7775, 0.0]
    """
    if not pairs:
        return []
    positions = game_of(policy for pair in pairs for policy in pair)
    return [outcomes for batch in batches(positions, pairs) for outcomes in _carried(positions, batch)]


def game_of(policies: Iterable[Policy]) -> Positions:
    """Return the positions of the game that policies are of.

    Raises:
        InvalidGame: if they are of two games.
    """
    first, *others = [policy.positions for policy in policies]
    check_same_game(first, *others)
    return first


def batches(positions: Positions, items: Sequence[T], moves: int | None = None) -> list[Sequence[T]]:
    """Return the items in groups of as many as are computed side by side: of `moves` moves in all, else TOGETHER."""
    together = max(1, (moves or TOGETHER) // positions.move_count)
    return [items[start : start + together] for start in range(0, len(items), together)]


def _carried(positions: Positions, pairs: Sequence[tuple[Policy, Policy]]) -> list[Outcomes]:
    """Carry the probabilities of all pairs forward at once; a row of each array is a pair."""
    rows = np.arange(len(pairs))[:, np.newaxis]
    # Of each move only the side that makes it says more than 0.
    probability = np.stack([x.probability + o.probability for x, o in pairs])
    reach = np.zeros((len(pairs), len(positions)))
    reach[:, 0] = 1.0
    resigned = np.zeros((2, len(pairs)))
    for step in steps(positions):
        for row, pair in enumerate(pairs):
            if pair[step.mover].can_resign:
                resigns = pair[step.mover].resigns[step.positions]
                resigned[step.mover, row] += float(reach[row, step.positions] @ resigns)
        flow = np.take(reach, step.position_of_move, axis=1) * probability[:, step.moves]
        width = step.after.stop - step.after.start
        sums = np.bincount((step.child - step.after.start + width * rows).ravel(), flow.ravel(), width * len(pairs))
        reach[:, step.after] += sums.reshape(len(pairs), width)
    ends = [np.take(reach, end, axis=1).sum(axis=1) for end in endings(positions)]
    found = zip(ends[0] + resigned[1], ends[1], ends[2] + resigned[0], strict=True)
    return [Outcomes(*map(float, row)) for row in found]


def outcomes_everywhere(x: Policy, o: Policy) -> NDArray[np.float64]:
    """Return [positions, 3], what `outcomes` returns of a game that begins there: carried back from the ends.

    Raises:
        InvalidGame: if the policies are of two games.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> x, o = (fixed_policy("random", tictactoe(), side) for side in (0, 1))
    >>> found = outcomes_everywhere(x, o)
    >>> found[tictactoe().number_of("XXOOO.XX.")].tolist()  # O wins in one cell of two, else it is a draw
    [0.0, 0.5, 0.5]
    """
    positions = game_of((x, o))
    probability = x.probability + o.probability
    found = np.zeros((len(positions), 3))
    for column, ended in enumerate(endings(positions)):
        found[ended, column] = 1.0
    for step in reversed(steps(positions)):
        flow = probability[step.moves, np.newaxis] * found[step.child]
        found[step.ongoing] = np.add.reduceat(flow, step.starts, axis=0)
        loses = 0 if step.mover else 2  # the column of whoever wins by the mover's resignation
        found[step.ongoing, loses] += (x, o)[step.mover].resigns[step.ongoing]
    return found


class Step(NamedTuple):
    """A ply: who moves (0 for X, 1 for O), from which positions, by which moves, to which.

    Attributes:
        ongoing: those of `positions` where the game is not over.
        starts: where the moves of each begin in `moves`.
        owner: [moves], which of `ongoing` each belongs to.
        position_of_move, child: [moves], where each comes from, and leads to.
        after: what the children lie in.
    """

    mover: int
    positions: slice
    moves: slice
    ongoing: NDArray[np.intp]
    starts: NDArray[np.integer]
    owner: NDArray[np.intp]
    position_of_move: NDArray[np.int32]
    child: NDArray[np.int32]
    after: slice


@lru_cache(maxsize=4)
def steps(positions: Positions) -> tuple[Step, ...]:
    """Return the plies of a game, the first one first; the last, on which nobody moves, is none."""
    found = []
    for mover, (here, moves) in zip(positions.movers, positions.plies, strict=True):
        ongoing = np.flatnonzero(positions.to_move[here] >= 0) + here.start
        starts = positions.first_move[ongoing] - moves.start
        child = positions.next_position[moves]
        owner = np.repeat(np.arange(len(ongoing)), np.diff(np.append(starts, len(child))))
        after = slice(int(child.min()), int(child.max()) + 1)
        of_move = positions.position_of_move[moves]
        found.append(Step(mover, here, moves, ongoing, starts, owner, of_move, child, after))
    return tuple(found)


@lru_cache(maxsize=4)
def endings(positions: Positions) -> tuple[NDArray[np.intp], ...]:
    """Return the positions that X has won, that are drawn, that O has won."""
    return tuple(np.flatnonzero(positions.outcome == outcome) for outcome in (1, 0, -1))


def against(policy: Policy, opponent: Policy) -> Strength:
    """Return what `policy` achieves against `opponent`.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("menace", "O")
    >>> opponent = Machine("menace", "X")
    >>> round(against(machine.policy(), opponent.policy()).loss, 4)
    0.5935
    """
    return strengths([(policy, opponent)])[0]


def strengths(pairs: Sequence[tuple[Policy, Policy]]) -> list[Strength]:
    """Return what `against` returns for each pair of a policy and its opponent.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> x = fixed_policy("perfect", tictactoe(), 0)
    >>> pairs = [(x, fixed_policy(name, tictactoe(), 1)) for name in ("random", "imperfect:0.5", "perfect")]
    >>> [round(strength.win, 3) for strength in strengths(pairs)]
    [0.968, 0.731, 0.0]
    """
    found = outcomes_of([policy.plays.x_and_o(policy, opponent) for policy, opponent in pairs])
    return [Strength(*outcomes[:: policy.plays.sign]) for (policy, _), outcomes in zip(pairs, found, strict=True)]


class ExactOutcomes(NamedTuple):
    """Probabilities of the three outcomes of a game, as fractions. They sum to 1.

    >>> found = ExactOutcomes(x_wins=Fraction(737, 1260), draw=Fraction(8, 63), o_wins=Fraction(121, 420))
    >>> sum(found) == 1  # at random on both sides
    True
    """

    x_wins: Fraction
    draw: Fraction
    o_wins: Fraction


def exact_outcomes(x: Policy, o: Policy) -> ExactOutcomes:
    """Return what `outcomes` returns, without rounding: slower, for policies of whole weights most of all.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> x, o = (fixed_policy("random", tictactoe(), side) for side in (0, 1))
    >>> print(*exact_outcomes(x, o))
    737/1260 8/63 121/420
    """
    positions = game_of((x, o))
    chances = (x.fractions(), o.fractions())
    reach = [Fraction(0)] * len(positions)
    reach[0] = Fraction(1)
    ends = {1: Fraction(0), 0: Fraction(0), -1: Fraction(0)}
    for position in range(len(positions)):
        if not reach[position]:
            continue
        outcome = int(positions.outcome[position])
        if outcome != ONGOING:
            ends[outcome] += reach[position]
            continue
        side = int(positions.to_move[position])
        ends[Side.of_number(side).other.sign] += reach[position] * Fraction(float((x, o)[side].resigns[position]))
        for move in positions.moves_of(position):
            if chances[side][move]:
                reach[int(positions.next_position[move])] += reach[position] * chances[side][move]
    return ExactOutcomes(ends[1], ends[0], ends[-1])
