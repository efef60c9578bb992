"""Exact strength: what policies achieve, computed over all games at once instead of sampled.

A *policy* (learners/policy.py) gives one side's probabilities over the moves of every position. Two policies make the
game a Markov chain, whose outcomes are found by carrying probability forward, from position to position.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.games.base import ONGOING, Side
from menace.games.positions import Positions, check_same_game
from menace.learners.policy import Policy


class Outcomes(NamedTuple):
    """Probabilities of the three outcomes of a game. They sum to 1.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
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


def outcomes(x: Policy, o: Policy, start: int = 0) -> Outcomes:
    """Return the exact probabilities of X winning, a draw and O winning when `x` plays `o` from the position `start`.

    A player that resigns loses.

    Raises:
        InvalidGame: if the policies are of two games.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> x, o = (fixed_policy("random", tictactoe(), side) for side in (0, 1))
    >>> [round(share, 4) for share in outcomes(x, o)]
    [0.5849, 0.127, 0.2881]
    """
    return _carried(x, o, start)[0]


def reach(x: Policy, o: Policy) -> NDArray[np.float64]:
    """Return float64 [positions], the exact probability that the game of `x` and `o` comes to each.

    Raises:
        InvalidGame: if the policies are of two games.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> x, o = (fixed_policy("random", tictactoe(), side) for side in (0, 1))
    >>> reach(x, o)[:4].round(3).tolist()  # the empty board, and X in a corner, on an edge, in the centre
    [1.0, 0.444, 0.444, 0.111]
    """
    return _carried(x, o, 0)[1]


def _carried(x: Policy, o: Policy, start: int) -> tuple[Outcomes, NDArray[np.float64]]:
    positions = game_of((x, o))
    reached = np.empty(len(positions))
    x_moves, o_moves, x_resigns, o_resigns = map(kernel.view, (x.probability, o.probability, x.resigns, o.resigns))
    shares = kernel.outcomes_of(positions.graph, x_moves, o_moves, x_resigns, o_resigns, kernel.view(reached), start)
    return Outcomes(*(min(share, 1.0) for share in shares)), reached  # a sum may be rounded to a hair above 1


def game_of(policies: Iterable[Policy]) -> Positions:
    """Return the positions of the game that policies are of.

    Raises:
        InvalidGame: if they are of two games.
    """
    first, *others = [policy.positions for policy in policies]
    check_same_game(first, *others)
    return first


class PlyMoves(NamedTuple):
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
def steps(positions: Positions) -> tuple[PlyMoves, ...]:
    """Return the plies of a game, in order, without the last, on which there are no moves."""
    plies = []
    for mover, (here, moves) in zip(positions.movers, positions.plies, strict=True):
        ongoing = np.flatnonzero(positions.to_move[here] >= 0) + here.start
        starts = positions.first_move[ongoing] - moves.start
        child = positions.next_position[moves]
        owner = np.repeat(np.arange(len(ongoing)), np.diff(np.append(starts, len(child))))
        after = slice(int(child.min()), int(child.max()) + 1)
        of_move = positions.position_of_move[moves]
        plies.append(PlyMoves(mover, here, moves, ongoing, starts, owner, of_move, child, after))
    return tuple(plies)


def against(policy: Policy, opponent: Policy) -> Strength:
    """Return what `policy` achieves against `opponent`.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("menace", "O")
    >>> opponent = Machine("menace", "X")
    >>> round(against(machine.policy(), opponent.policy()).loss, 4)
    0.5935
    """
    return Strength(*outcomes(*policy.plays.x_and_o(policy, opponent))[:: policy.plays.sign])


class ExactOutcomes(NamedTuple):
    """Probabilities of the three outcomes of a game, as fractions. They sum to 1.

    >>> outcomes = ExactOutcomes(x_wins=Fraction(737, 1260), draw=Fraction(8, 63), o_wins=Fraction(121, 420))
    >>> sum(outcomes) == 1  # at random on both sides
    True
    """

    x_wins: Fraction
    draw: Fraction
    o_wins: Fraction


def exact_outcomes(x: Policy, o: Policy) -> ExactOutcomes:
    """Return what `outcomes` returns, without rounding: slower, for policies of whole weights most of all.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
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
