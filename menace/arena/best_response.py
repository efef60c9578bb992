"""The best reply to a policy, a best response: its worst case, exploitability, and the line of play that beats it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from menace import kernel
from menace.arena.exact_strength import Strength, against, steps
from menace.games.base import ONGOING, Side
from menace.games.positions import Positions
from menace.learners.policy import Policy

# Two courses of play whose values differ by less are taken as equal: sums of doubles over at most 25 plies.
TIE = 1e-12
NEVER = np.iinfo(np.int64).max  # more than any number of moves, or of a move


def best_response(policy: Policy) -> Policy:
    """Return the opponent that exploits `policy` most.

    It makes its expected result (wins 1, draws 0, losses -1) as high as it can. Between moves of equal value it takes
    the one that wins more often, then the one with the lowest action.

    >>> from menace.arena.exact_strength import against
    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> random = fixed_policy("random", tictactoe(), 0)
    >>> reply = best_response(random)
    >>> reply.side, round(against(random, reply).loss, 4)
    (1, 0.9344)
    """
    positions = policy.positions
    value, wins, chosen = np.empty(len(positions)), np.empty(len(positions)), np.zeros(positions.move_count)
    arrays = map(kernel.view, (policy.probability, policy.resigns, value, wins, chosen))
    kernel.respond(positions.graph, policy.side, TIE, *arrays)
    return Policy.deterministic(positions, policy.plays.other.number, chosen)


def worst_case(policy: Policy) -> Strength:
    """Return what `policy` achieves against the best reply to it.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> worst_case(fixed_policy("perfect", tictactoe(), 0))  # nobody beats it
    Strength(win=0.0, draw=1.0, loss=0.0)
    """
    return against(policy, best_response(policy))


def game_value(positions: Positions, side: int) -> int:
    """Return the value of the game under perfect play, as `side` sees it: 1, 0 or -1.

    >>> from menace.games.enumeration import enumerate_positions, tictactoe
    >>> from menace.games.mnk import MNK
    >>> game_value(tictactoe(), side=0), game_value(enumerate_positions(MNK(3, 3, 2)), side=1)
    (0, -1)
    """
    return int(positions.minimax[0]) * Side.of_number(side).sign


def exploitability(policy: Policy) -> float:
    """Return the value of the game less the worst case of `policy`, from 0 (nobody can do better) to 2.

    The sum over both sides is NashConv (Lanctot et al., A Unified Game-Theoretic Approach to Multiagent Reinforcement
    Learning, 2017).

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> [round(exploitability(fixed_policy(name, tictactoe(), 0)), 4) for name in ("random", "optimal")]
    [0.9249, 0.0]
    """
    return exploited(policy.positions, worst_case(policy), policy.side)


def exploited(positions: Positions, worst: Strength, side: int) -> float:
    """Return the exploitability of a policy of `side` whose worst case is known.

    >>> from menace.games.enumeration import tictactoe
    >>> exploited(tictactoe(), Strength(win=0.0, draw=0.75, loss=0.25), side=0)
    0.25
    """
    # Rounding may put the value of an unbeatable policy slightly below 0, and -0.0 would be printed with its sign.
    return max(game_value(positions, side) - worst.value, 0.0) + 0.0


class RefutingLine(NamedTuple):
    """A line of play that beats a policy: its moves, and how sure it is.

    Attributes:
        probability: that the policy plays its part of the line.
        moves: indices of the moves, both sides', in the order of play.
        resigns: whether the policy resigns at the end of them, instead of being beaten on the board.

    >>> from menace.learners.machine import Machine
    >>> fresh = Machine("menace", "O")
    >>> line = most_likely_refutation(fresh.policy())
    >>> round(line.probability, 4), len(line.moves), line.resigns  # X wins with its third move in one game of 12
    (0.0833, 5, False)
    """

    probability: float
    moves: tuple[int, ...]
    resigns: bool


def most_likely_refutation(policy: Policy, start: int = 0) -> RefutingLine | None:
    """Return the line of play that beats `policy` most surely, or None if nobody can beat it.

    Of lines that are equally sure it takes the shortest, then the lowest actions. It begins in the position `start`.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> random, perfect = (fixed_policy(name, tictactoe(), 1) for name in ("random", "perfect"))
    >>> len(most_likely_refutation(random).moves), most_likely_refutation(perfect)
    (5, None)
    """
    positions, side, lost = policy.positions, policy.side, policy.plays.other.sign
    sure = np.where(positions.outcome == lost, 1.0, 0.0)
    length, chosen = np.zeros(len(positions), np.int64), np.full(len(positions), -1)
    for step in reversed(steps(positions)):
        own = step.mover == side
        likelihood = policy.probability[step.moves] * sure[step.child] if own else sure[step.child]
        given = policy.resigns[step.ongoing] if own else 0.0
        most = np.maximum.reduceat(likelihood, step.starts)
        # Of the moves that are as sure as any, those after which it is over soonest; of these, the first.
        after = np.where(likelihood == most[step.owner], length[step.child] + 1, NEVER)
        least = np.minimum.reduceat(after, step.starts)
        numbers = np.arange(step.moves.start, step.moves.stop)
        first = np.minimum.reduceat(np.where(after == least[step.owner], numbers, NEVER), step.starts)
        moves_on = most > given
        sure[step.ongoing] = np.where(moves_on, most, given)
        length[step.ongoing] = np.where(moves_on, least, 0)
        chosen[step.ongoing] = np.where(moves_on, first, -1)
    if sure[start] == 0:
        return None
    moves, position = [], start
    while (move := int(chosen[position])) >= 0:
        moves.append(move)
        position = int(positions.next_position[move])
    return RefutingLine(float(sure[start]), tuple(moves), bool(positions.outcome[position] == ONGOING))
