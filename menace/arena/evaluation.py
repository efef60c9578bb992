"""Exact strength: what policies achieve, computed over all games at once instead of sampled.

A *policy* (learners/base.py) gives one side's probabilities over the moves of every position. Two policies make the
game a Markov chain, whose outcomes are found by carrying probability forward, a ply at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from menace.games.base import ONGOING, Side
from menace.games.positions import Positions, check_same_game
from menace.learners.base import Policy, deterministic_policy

T = TypeVar("T")

# Two courses of play whose values differ by less are taken as equal: sums of doubles over at most 25 plies.
TIE = 1e-12

TOGETHER = 100_000  # moves of pairs of policies that are computed side by side: arrays of a megabyte


class Outcomes(NamedTuple):
    """Probabilities of the three outcomes of a game. They sum to 1.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> x, o = (fixed_policy("perfect", tictactoe(), side) for side in (0, 1))
    >>> outcomes(tictactoe(), x, o)
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


def outcomes(positions: Positions, x: Policy, o: Policy) -> Outcomes:
    """Return the exact probabilities of X winning, a draw and O winning when `x` plays `o`.

    A player that resigns loses.

    Raises:
        InvalidGame: if the policies are not for this game.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> x, o = (fixed_policy("random", tictactoe(), side) for side in (0, 1))
    >>> [round(share, 4) for share in outcomes(tictactoe(), x, o)]
    [0.5849, 0.127, 0.2881]
    """
    return outcomes_of(positions, [(x, o)])[0]


def outcomes_of(positions: Positions, pairs: Sequence[tuple[Policy, Policy]]) -> list[Outcomes]:
    """Return what `outcomes` returns for each pair of X and O, to the bit: small games are computed side by side.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> o = fixed_policy("optimal", tictactoe(), 1)
    >>> pairs = [(fixed_policy(name, tictactoe(), 0), o) for name in ("random", "optimal")]
    >>> [round(found.o_wins, 4) for found in outcomes_of(tictactoe(), pairs)]
    [0.7775, 0.0]
    """
    for pair in pairs:
        check_same_game(positions, *(policy.positions for policy in pair))
    return [found for batch in _batches(positions, pairs) for found in _carried(positions, batch)]


def _batches(positions: Positions, items: Sequence[T]) -> list[Sequence[T]]:
    """Return the items in groups of as many as are computed side by side."""
    together = max(1, TOGETHER // positions.move_count)
    return [items[start : start + together] for start in range(0, len(items), together)]


def _carried(positions: Positions, pairs: Sequence[tuple[Policy, Policy]]) -> list[Outcomes]:
    """Carry the probabilities of all pairs forward at once; a row of each array is a pair."""
    rows = np.arange(len(pairs))[:, np.newaxis]
    # Of each move only the side that makes it says more than 0.
    probability = np.stack([x.probability + o.probability for x, o in pairs])
    reach = np.zeros((len(pairs), len(positions)))
    reach[:, 0] = 1.0
    resigned = np.zeros((2, len(pairs)))
    for step in _steps(positions):
        for row, pair in enumerate(pairs):
            if pair[step.mover].can_resign:
                resigns = pair[step.mover].resigns[step.positions]
                resigned[step.mover, row] += float(reach[row, step.positions] @ resigns)
        flow = np.take(reach, step.position_of_move, axis=1) * probability[:, step.moves]
        width = step.after.stop - step.after.start
        sums = np.bincount((step.child - step.after.start + width * rows).ravel(), flow.ravel(), width * len(pairs))
        reach[:, step.after] += sums.reshape(len(pairs), width)
    ends = [np.take(reach, end, axis=1).sum(axis=1) for end in _ends(positions)]
    found = zip(ends[0] + resigned[1], ends[1], ends[2] + resigned[0], strict=True)
    return [Outcomes(*map(float, row)) for row in found]


class _Step(NamedTuple):
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
def _steps(positions: Positions) -> tuple[_Step, ...]:
    found = []
    for mover, (here, moves) in zip(positions.movers, positions.plies, strict=True):
        ongoing = np.flatnonzero(positions.to_move[here] >= 0) + here.start
        starts = positions.first_move[ongoing] - moves.start
        child = positions.next_position[moves]
        owner = np.repeat(np.arange(len(ongoing)), np.diff(np.append(starts, len(child))))
        after = slice(int(child.min()), int(child.max()) + 1)
        of_move = positions.position_of_move[moves]
        found.append(_Step(mover, here, moves, ongoing, starts, owner, of_move, child, after))
    return tuple(found)


@lru_cache(maxsize=4)
def _ends(positions: Positions) -> tuple[NDArray[np.intp], ...]:
    """Return the positions that X has won, that are drawn, that O has won."""
    return tuple(np.flatnonzero(positions.outcome == outcome) for outcome in (1, 0, -1))


def against(positions: Positions, policy: Policy, opponent: Policy, side: int) -> Strength:
    """Return what `policy`, playing `side` (0 for X, 1 for O), achieves against `opponent`.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("menace", "O")
    >>> opponent = Machine("menace", "X")
    >>> round(against(machine.positions, machine.policy(), opponent.policy(), side=1).loss, 4)
    0.5935
    """
    return strengths(positions, [(policy, opponent)], side)[0]


def strengths(positions: Positions, pairs: Sequence[tuple[Policy, Policy]], side: int) -> list[Strength]:
    """Return what `against` returns for each pair of a policy, playing `side`, and its opponent.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> x = fixed_policy("perfect", tictactoe(), 0)
    >>> pairs = [(x, fixed_policy(name, tictactoe(), 1)) for name in ("random", "imperfect:0.5", "perfect")]
    >>> [round(strength.win, 3) for strength in strengths(tictactoe(), pairs, side=0)]
    [0.968, 0.731, 0.0]
    """
    player = Side.of_number(side)
    found = outcomes_of(positions, [player.x_and_o(*pair) for pair in pairs])
    return [Strength(*one[:: player.sign]) for one in found]


def best_response(positions: Positions, policy: Policy, side: int) -> Policy:
    """Return the opponent that exploits `policy` most.

    It makes its expected result (wins 1, draws 0, losses -1) as high as it can. Between moves of equal value it takes
    the one that wins more often, then the one with the lowest action.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> random = fixed_policy("random", tictactoe(), 0)
    >>> reply = best_response(tictactoe(), random, side=0)
    >>> reply.side, round(against(tictactoe(), random, reply, side=0).loss, 4)
    (1, 0.9344)
    """
    return best_responses(positions, [policy], side)[0]


def best_responses(positions: Positions, policies: Sequence[Policy], side: int) -> list[Policy]:
    """Return what `best_response` returns for each policy, all of one side: small games are computed side by side.

    >>> from menace.learners.machine import Machine
    >>> machines = [Machine(preset, "X") for preset in ("menace", "zhang")]
    >>> policies, positions = [machine.policy() for machine in machines], machines[0].positions
    >>> pairs = list(zip(policies, best_responses(positions, policies, side=0)))
    >>> [round(strength.loss, 3) for strength in strengths(positions, pairs, side=0)]
    [0.898, 0.916]
    """
    return [
        deterministic_policy(positions, Side.of_number(side).other.number, chosen)
        for batch in _batches(positions, policies)
        for chosen in _exploited(positions, batch, side)
    ]


def _exploited(positions: Positions, policies: Sequence[Policy], side: int) -> NDArray[np.float64]:
    """Return [policies, moves], 1 for the moves of the best response to each, 0 for the others."""
    rows = np.arange(len(policies))[:, np.newaxis]
    probability = np.stack([policy.probability for policy in policies])
    resigns = np.stack([policy.resigns for policy in policies])
    sign = float(Side.of_number(side).other.sign)  # the responder's result is `sign` times the value as X sees it
    over = positions.to_move < 0
    value = np.tile(np.where(over, sign * positions.outcome, 0.0), (len(policies), 1))
    wins = np.tile(np.where(over & (sign * positions.outcome == 1), 1.0, 0.0), (len(policies), 1))
    chosen = np.zeros((len(policies), positions.move_count))
    for step in reversed(_steps(positions)):
        ongoing, starts = step.ongoing, step.starts
        value_after, wins_after = (np.take(amounts, step.child, axis=1) for amounts in (value, wins))
        if step.mover == side:
            given_up = resigns[:, ongoing]
            weight = probability[:, step.moves]
            value[:, ongoing] = np.add.reduceat(weight * value_after, starts, axis=1) + given_up
            wins[:, ongoing] = np.add.reduceat(weight * wins_after, starts, axis=1) + given_up
        else:
            best = _is_best(value_after, step)
            best &= _is_best(np.where(best, wins_after, -1.0), step)
            moves = len(step.child)
            first = np.minimum.reduceat(np.where(best, np.arange(moves), moves), starts, axis=1)
            value[:, ongoing], wins[:, ongoing] = value_after[rows, first], wins_after[rows, first]
            chosen[rows, step.moves.start + first] = 1.0
    return chosen


def _is_best(amounts: NDArray[np.float64], step: _Step) -> NDArray[np.bool_]:
    """Say which entries are within TIE of the largest of their position."""
    best: NDArray[np.bool_] = (
        amounts >= np.take(np.maximum.reduceat(amounts, step.starts, axis=1), step.owner, axis=1) - TIE
    )
    return best


def worst_case(positions: Positions, policy: Policy, side: int) -> Strength:
    """Return what `policy` achieves against the opponent that exploits it most.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> worst_case(tictactoe(), fixed_policy("perfect", tictactoe(), 0), side=0)  # nobody beats it
    Strength(win=0.0, draw=1.0, loss=0.0)
    """
    return against(positions, policy, best_response(positions, policy, side), side)


class ExactOutcomes(NamedTuple):
    """Probabilities of the three outcomes of a game, as fractions. They sum to 1.

    >>> found = ExactOutcomes(x_wins=Fraction(737, 1260), draw=Fraction(8, 63), o_wins=Fraction(121, 420))
    >>> sum(found) == 1  # at random on both sides
    True
    """

    x_wins: Fraction
    draw: Fraction
    o_wins: Fraction


def exact_outcomes(positions: Positions, x: Policy, o: Policy) -> ExactOutcomes:
    """Return what `outcomes` returns, without rounding: slower, for policies of whole weights most of all.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> x, o = (fixed_policy("random", tictactoe(), side) for side in (0, 1))
    >>> print(*exact_outcomes(tictactoe(), x, o))
    737/1260 8/63 121/420
    """
    check_same_game(positions, x.positions, o.positions)
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


def game_value(positions: Positions, side: int) -> int:
    """Return the value of the game under perfect play, as `side` sees it: 1, 0 or -1.

    >>> from menace.games.enumeration import enumerate_positions, tictactoe
    >>> from menace.games.mnk import MNK
    >>> game_value(tictactoe(), side=0), game_value(enumerate_positions(MNK(3, 3, 2)), side=1)
    (0, -1)
    """
    return int(positions.minimax[0]) * Side.of_number(side).sign


def exploitability(positions: Positions, policy: Policy, side: int) -> float:
    """Return the value of the game less the worst case of `policy`, from 0 (nobody can do better) to 2.

    The sum over both sides is NashConv (Lanctot et al., A Unified Game-Theoretic Approach to Multiagent Reinforcement
    Learning, 2017).

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> [round(exploitability(tictactoe(), fixed_policy(name, tictactoe(), 0), 0), 4) for name in ("random", "optimal")]
    [0.9249, 0.0]
    """
    return game_value(positions, side) - worst_case(positions, policy, side).value


class Line(NamedTuple):
    """A line of play that beats a policy: its moves, and how sure it is.

    Attributes:
        probability: that the policy plays its part of the line.
        moves: indices of the moves, both sides', in the order of play.
        resigns: whether the policy gives up at the end of them, instead of being beaten on the board.

    >>> from menace.learners.machine import Machine
    >>> fresh = Machine("menace", "O")
    >>> line = surest_line(fresh.positions, fresh.policy(), side=1)
    >>> round(line.probability, 4), len(line.moves), line.resigns  # X wins with its third move in one game of 12
    (0.0833, 5, False)
    """

    probability: float
    moves: tuple[int, ...]
    resigns: bool


def surest_line(positions: Positions, policy: Policy, side: int) -> Line | None:
    """Return the line of play that beats `policy` most surely, or None if nobody can beat it.

    Of lines that are equally sure it takes the shortest, then the lowest actions.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> random, perfect = (fixed_policy(name, tictactoe(), 1) for name in ("random", "perfect"))
    >>> len(surest_line(tictactoe(), random, side=1).moves), surest_line(tictactoe(), perfect, side=1)
    (5, None)
    """
    lost = Side.of_number(side).other.sign
    sure = np.where(positions.outcome == lost, 1.0, 0.0)
    length = np.zeros(len(positions), np.int64)
    chosen = np.full(len(positions), -1)
    for position in range(len(positions) - 1, -1, -1):
        if positions.outcome[position] != ONGOING:
            continue
        its_own = positions.to_move[position] == side
        best = (float(policy.resigns[position]) if its_own else 0.0, 0)
        for move in positions.moves_of(position):
            child = int(positions.next_position[move])
            chance = float(policy.probability[move]) if its_own else 1.0
            found = (chance * float(sure[child]), -1 - int(length[child]))
            if found > best:
                best, chosen[position] = found, move
        sure[position], length[position] = best[0], -best[1]
    if sure[0] == 0:
        return None
    moves, position = [], 0
    while chosen[position] >= 0:
        moves.append(int(chosen[position]))
        position = int(positions.next_position[chosen[position]])
    return Line(float(sure[0]), tuple(moves), bool(positions.outcome[position] == ONGOING))
