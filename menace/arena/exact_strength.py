"""Compute the exact strength of policies and the best response to a policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menace.games.base import ONGOING, Side
from menace.games.positions import Positions, check_same_game
from menace.kernel import loop as kernel
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.policy import Policy, PolicyName
from menace.text.wording import OPPONENTS


class Outcomes(NamedTuple):
    """The probabilities of a game's three outcomes, which sum to 1.

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
    """The probabilities that a player wins, draws and loses. These probabilities sum to 1.

    >>> Strength(win=0.5, draw=0.25, loss=0.25).value
    0.25
    """

    win: float
    draw: float
    loss: float

    @property
    def value(self) -> float:
        """The expected result from -1 to 1, where a win counts as 1, a draw as 0 and a loss as -1."""
        return self.win - self.loss


def outcomes(x: Policy, o: Policy, start: int = 0) -> Outcomes:
    """Return the exact probabilities of an X win, a draw and an O win when `x` plays against `o`.

    A player that resigns loses.

    Args:
        x: the policy of X.
        o: the policy of O.
        start: the index of the position from which the game starts.

    Raises:
        InvalidGame: if the policies belong to different games.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> x, o = (fixed_policy("random", tictactoe(), side) for side in (0, 1))
    >>> [round(share, 4) for share in outcomes(x, o)]
    [0.5849, 0.127, 0.2881]
    """
    return _carried(x, o, start)[0]


def outcomes_of_pairs(xs: Sequence[Policy], os: Sequence[Policy]) -> list[list[Outcomes]]:
    """Return the outcomes of every X policy against every O policy. Calling `outcomes` for each pair would be slower.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> xs, os = ([fixed_policy(name, tictactoe(), side) for name in ("random", "optimal")] for side in (0, 1))
    >>> outcomes_of_pairs(xs, os) == [[outcomes(x, o) for o in os] for x in xs]
    True
    """
    positions = game_of((*xs, *os))
    graph, reached = positions.graph, kernel.view(np.empty(len(positions)))
    first, second = (
        [(kernel.view(policy.probability), kernel.view(policy.resigns)) for policy in policies] for policies in (xs, os)
    )
    return [
        [_clipped(kernel.outcomes_of(graph, x, o, x_resigns, o_resigns, reached)) for o, o_resigns in second]
        for x, x_resigns in first
    ]


def reach(x: Policy, o: Policy) -> NDArray[np.float64]:
    """Return the exact probability that a game between `x` and `o` reaches each position, as an array [positions].

    Raises:
        InvalidGame: if the policies belong to different games.

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
    return _clipped(shares), reached


def _clipped(shares: tuple[float, float, float]) -> Outcomes:
    """Return the outcomes with each probability limited to 1, because rounding errors may push a sum above 1."""
    x_wins, draw, o_wins = shares
    return Outcomes(min(x_wins, 1.0), min(draw, 1.0), min(o_wins, 1.0))


def game_of(policies: Iterable[Policy]) -> Positions:
    """Return the positions of the game for which all the given policies are defined.

    Raises:
        InvalidGame: if the policies belong to different games.
    """
    first, *others = [policy.positions for policy in policies]
    check_same_game(first, *others)
    return first


class PlyMoves(NamedTuple):
    """The positions and moves of one ply.

    Attributes:
        mover: the side to move, 0 for X and 1 for O.
        positions: the range of the ply's positions.
        moves: the range of the ply's moves.
        ongoing: the indices of the positions in which the game is not over.
        starts: for each ongoing position, the index of its first move, counted from the start of `moves`.
        owner: for each move, the index in `ongoing` of the position in which it is made, as an array [moves].
        child: for each move, the position to which it leads, as an array [moves].
    """

    mover: int
    positions: slice
    moves: slice
    ongoing: NDArray[np.intp]
    starts: NDArray[np.integer]
    owner: NDArray[np.intp]
    child: NDArray[np.int32]


@lru_cache(maxsize=4)
def moves_by_ply(positions: Positions) -> tuple[PlyMoves, ...]:
    """Return all plies of a game in order, except for the last ply, in which no moves remain."""
    plies = []
    for mover, (here, moves) in zip(positions.movers, positions.plies, strict=True):
        ongoing = np.flatnonzero(positions.to_move[here] >= 0) + here.start
        starts = positions.first_move[ongoing] - moves.start
        child = positions.next_position[moves]
        owner = np.repeat(np.arange(len(ongoing)), np.diff(np.append(starts, len(child))))
        plies.append(PlyMoves(mover, here, moves, ongoing, starts, owner, child))
    return tuple(plies)


def against(policy: Policy, opponent: Policy) -> Strength:
    """Return the exact strength of `policy` against `opponent`.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("menace", "O")
    >>> opponent = Machine("menace", "X")
    >>> round(against(machine.policy(), opponent.policy()).loss, 4)
    0.5935
    """
    return Strength(*outcomes(*policy.plays.x_and_o(policy, opponent))[:: policy.plays.sign])


class ExactOutcomes(NamedTuple):
    """The probabilities of a game's three outcomes, as fractions that sum to exactly 1.

    >>> outcomes = ExactOutcomes(x_wins=Fraction(737, 1260), draw=Fraction(8, 63), o_wins=Fraction(121, 420))
    >>> sum(outcomes) == 1  # at random on both sides
    True
    """

    x_wins: Fraction
    draw: Fraction
    o_wins: Fraction


def exact_outcomes(x: Policy, o: Policy) -> ExactOutcomes:
    """Return the same probabilities as `outcomes`, without rounding.

    This function is slower than `outcomes`, especially for policies with integer weights.

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


# Values that differ by less than this tolerance are treated as equal, because rounding errors accumulate over up to 25
# plies.
TIE = 1e-12
NEVER = np.iinfo(np.int64).max  # greater than the length of any game and the index of any move


def best_response(policy: Policy) -> Policy:
    """Return the best response to `policy`.

    The best response maximises the opponent's expected result, where a win counts as 1, a draw as 0 and a loss as -1.
    Ties go to the move that wins more often, and then to the lowest action.

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


def strength_against_best_response(policy: Policy) -> Strength:
    """Return the exact strength of `policy` against the best response to that policy.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> strength_against_best_response(fixed_policy("perfect", tictactoe(), 0))  # nobody beats it
    Strength(win=0.0, draw=1.0, loss=0.0)
    """
    return against(policy, best_response(policy))


def game_value(positions: Positions, side: int) -> int:
    """Return the value of the game (1, 0 or -1) for `side` under perfect play.

    >>> from menace.games.enumeration import enumerate_positions, tictactoe
    >>> from menace.games.rules.mnk import MNK
    >>> game_value(tictactoe(), side=0), game_value(enumerate_positions(MNK(3, 3, 2)), side=1)
    (0, -1)
    """
    return int(positions.minimax[0]) * Side.of_number(side).sign


def exploitability(policy: Policy) -> float:
    """Return the exploitability of `policy`, which ranges from 0 (unbeatable) to 2.

    The exploitability is the value of the game minus the value of `policy` against its best response. The sum of the
    exploitabilities of both sides is NashConv (Lanctot et al., A Unified Game-Theoretic Approach to Multiagent
    Reinforcement Learning, 2017).

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> [round(exploitability(fixed_policy(name, tictactoe(), 0)), 4) for name in ("random", "optimal")]
    [0.9249, 0.0]
    """
    return exploitability_from_strength(policy.positions, strength_against_best_response(policy), policy.side)


def exploitability_from_strength(positions: Positions, best_response: Strength, side: int) -> float:
    """Return the exploitability of a policy for `side`, given the policy's strength against the best response.

    >>> from menace.games.enumeration import tictactoe
    >>> exploitability_from_strength(tictactoe(), Strength(win=0.0, draw=0.75, loss=0.25), side=0)
    0.25
    """
    # Because of rounding, the value for an unbeatable policy may be slightly below 0. Adding 0.0 turns -0.0 into 0.0.
    return max(game_value(positions, side) - best_response.value, 0.0) + 0.0


class RefutingLine(NamedTuple):
    """A line of play that beats a policy, and the probability of that line.

    Attributes:
        probability: the probability that the policy plays its own moves in the line.
        moves: the indices of both sides' moves, in the order of play.
        resigns: whether the policy resigns at the end of the line instead of losing on the board.

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
    """Return the most probable line of play that beats `policy`, or None if nothing beats the policy.

    Ties go to the shortest line, and then to the line with the lowest actions. The line begins in position `start`.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.opponents.fixed import fixed_policy
    >>> random, perfect = (fixed_policy(name, tictactoe(), 1) for name in ("random", "perfect"))
    >>> len(most_likely_refutation(random).moves), most_likely_refutation(perfect)
    (5, None)
    """
    positions, side, lost = policy.positions, policy.side, policy.plays.other.sign
    sure = np.where(positions.outcome == lost, 1.0, 0.0)
    length, chosen = np.zeros(len(positions), np.int64), np.full(len(positions), -1)
    for step in reversed(moves_by_ply(positions)):
        own = step.mover == side
        likelihood = policy.probability[step.moves] * sure[step.child] if own else sure[step.child]
        given = policy.resigns[step.ongoing] if own else 0.0
        most = np.maximum.reduceat(likelihood, step.starts)
        # Among moves with equal probabilities, choose the first of those that end the game soonest.
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


class Strengths(NamedTuple):
    """The exact strength of a policy against `random`, `optimal` and `best_response`.

    >>> Strengths._fields
    ('random', 'optimal', 'best_response')
    """

    random: Strength
    optimal: Strength
    best_response: Strength


class StrengthMeter:
    """An object that measures the strength of policies for one side of a game.

    Args:
        positions: the game.
        side: 0 for X, 1 for O.

    >>> machine = Machine("menace", "X")
    >>> meter = StrengthMeter(machine.positions, machine.side)
    >>> [round(strength.win, 3) for strength in meter.measure(machine)]
    [0.607, 0.0, 0.02]
    """

    def __init__(self, positions: Positions, side: int) -> None:
        self.positions, self.side = positions, side
        other = Side.of_number(side).other.number
        random, optimal = (fixed_policy(name, positions, other).probability for name in tuple(OPPONENTS)[:2])
        scratch, weight, resigns = map(np.empty, (6 * len(positions), positions.move_count, len(positions)))
        # Threads may share this object because the kernel holds Python's global interpreter lock while it measures.
        self.kernel_meter = kernel.Meter(positions.graph, side, TIE, random, optimal, scratch, weight, resigns)

    def measure(self, machine: Machine, policy: PolicyName = "behaviour") -> Strengths:
        """Return the strength of a machine in its current state.

        Args:
            machine: a machine for this game and side. The method does not check the game or the side.
            policy: `behaviour`, as the machine trains, or `greedy`.
        """
        return self.measure_policy(machine.policy(policy))

    def measure_policy(self, policy: Policy) -> Strengths:
        """Return the strength of a policy. The caller must ensure that the policy is for this game and side."""
        win, loss, optimal_win, optimal_loss, response_win, response_loss = self.shares_of(policy)
        strength = self._strength
        return Strengths(
            strength(win, loss), strength(optimal_win, optimal_loss), strength(response_win, response_loss)
        )

    def shares_of(self, policy: Policy) -> tuple[float, float, float, float, float, float]:
        """Return the probabilities of winning and losing against each of the three opponents.

        Because of rounding errors, the probabilities may lie slightly outside the range from 0 to 1.
        """
        shares = np.empty(6)
        self.kernel_meter.measure(kernel.view(policy.weights), kernel.view(policy.resigns), kernel.view(shares), 0)
        win, loss, optimal_win, optimal_loss, response_win, response_loss = shares.tolist()
        return win, loss, optimal_win, optimal_loss, response_win, response_loss

    def _strength(self, win: float, loss: float) -> Strength:
        """Return a strength with all probabilities clipped to the range from 0 to 1."""
        win, loss = min(win, 1.0), min(loss, 1.0)
        return Strength(win, max(1.0 - win - loss, 0.0) if self.positions.has_draws else 0.0, loss)


@lru_cache(maxsize=4)
def strength_meter(positions: Positions, side: int) -> StrengthMeter:
    """Return the StrengthMeter for one side of a game. Meters are cached.

    >>> from menace.games.enumeration import tictactoe
    >>> strength_meter(tictactoe(), 0) is strength_meter(tictactoe(), 0)
    True
    """
    return StrengthMeter(positions, side)
