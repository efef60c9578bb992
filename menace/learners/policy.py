"""Policies: the probabilities of one side's moves in every position. Each player has one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.errors import InvalidSetting
from menace.games.base import Side
from menace.games.positions import Positions

PolicyName: TypeAlias = Literal["behaviour", "greedy"]


@dataclass(frozen=True, eq=False)
class Policy:
    """How one side plays: a mixture of picks by weight.

    Attributes:
        positions: the game.
        side: 0 for X, 1 for O.
        parts: (share, weights [moves]): with that probability it picks by those weights. The shares sum to 1, the
            weights of a position's moves to more than 0 unless it resigns there.
        resigns: float64 [positions], the probability that it gives the game up there.
        name: of the player.
        policy: of a machine's: `behaviour`, as it trains, or `greedy`, at its best.

    >>> from menace.learners.machine import Machine
    >>> policy = Machine("menace", "X").policy()
    >>> policy.can_resign, policy.fractions()[:3]  # the first moves: a corner, an edge, the centre
    (False, [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)])
    """

    positions: Positions
    side: int
    parts: tuple[tuple[float, NDArray[Any]], ...]
    resigns: NDArray[np.float64]
    name: str = "policy"
    kind: PolicyName = "behaviour"

    @classmethod
    def of_weights(cls, positions: Positions, side: int, weights: NDArray[Any], name: str = "policy") -> Policy:
        """Return the policy of a player that never resigns, and picks by weights [moves].

        >>> from menace.games.enumeration import tictactoe
        >>> Policy.of_weights(tictactoe(), 0, tictactoe().multiplicity).probability[:3].round(3).tolist()
        [0.444, 0.444, 0.111]
        """
        return cls(positions, side, ((1.0, weights),), np.zeros(len(positions)), name)

    @classmethod
    def deterministic(cls, positions: Positions, side: int, chosen: NDArray[np.float64]) -> Policy:
        """Return the policy of a player without chance; `chosen` is [moves], 1 for one move of each position it plays.

        >>> from menace.games.enumeration import tictactoe
        >>> chosen = np.zeros(tictactoe().move_count)
        >>> chosen[tictactoe().first_move[:-1][tictactoe().moved_by(0)]] = 1  # always the first move
        >>> Policy.deterministic(tictactoe(), 0, chosen).probability[:3].tolist()
        [1.0, 0.0, 0.0]
        """
        policy = cls.of_weights(positions, side, chosen)
        policy.__dict__["probability"] = chosen  # which is what it would work out
        return policy

    @property
    def plays(self) -> Side:
        """Its side, `X` or `O`."""
        return Side.of_number(self.side)

    @cached_property
    def can_resign(self) -> bool:
        """Whether it ever resigns."""
        return bool(self.resigns.any())

    @cached_property
    def moves_here(self) -> NDArray[np.bool_]:
        """[positions], where it is to move, and moves."""
        return self.positions.moved_by(self.side) & (self.resigns < 1)

    @property
    def weights(self) -> NDArray[np.float64]:
        """float64 [moves], in a position's moves in proportion to `probability`, and made sooner if it has one part."""
        return np.asarray(self.parts[0][1], np.float64) if len(self.parts) == 1 else self.probability

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """float64 [moves]; of a position's moves they sum to 1 - resigns where the side is to move."""
        probability = np.zeros(self.positions.move_count)
        for share, weight in self.parts:
            weights = kernel.view(np.asarray(weight, np.float64))
            resigns = kernel.view(self.resigns)
            kernel.add_shares(self.positions.graph, self.side, weights, resigns, share, kernel.view(probability))
        return probability

    def fractions(self) -> list[Fraction]:
        """Return the same probabilities exactly: shares and weights are taken as the numbers that they are."""
        result = [Fraction(0)] * self.positions.move_count
        for share, weight in self.parts:
            exact = [Fraction(w) for w in weight.tolist()]
            for position in np.flatnonzero(self.moves_here):
                moves = self.positions.moves_of(int(position))
                total = sum((exact[move] for move in moves), Fraction(0))
                for move in moves:
                    result[move] += (1 - Fraction(self.resigns[position])) * Fraction(share) * exact[move] / total
        return result


def check_policy_name(policy: PolicyName) -> None:
    """Refuse a kind of policy that there is not.

    Raises:
        InvalidSetting: naming those that there are.

    >>> check_policy_name("greedy")
    """
    if policy not in get_args(PolicyName):
        raise InvalidSetting(f"no policy is called {policy!r}; choose {' or '.join(get_args(PolicyName))}")


def best_moves(
    positions: Positions, side: int, value: NDArray[np.float64], first_of_ties: bool = False
) -> NDArray[np.float64]:
    """Return weights [moves]: the multiplicities of a side's moves of highest value, or 1 for the first of them.

    >>> from menace.games.enumeration import tictactoe
    >>> value = np.zeros(tictactoe().move_count)
    >>> (
    ...     best_moves(tictactoe(), 0, value)[:3].tolist(),
    ...     best_moves(tictactoe(), 0, value, first_of_ties=True)[:3].tolist(),
    ... )
    ([4.0, 4.0, 1.0], [1.0, 0.0, 0.0])
    """
    weight = np.zeros(positions.move_count)
    kernel.best_moves(positions.graph, side, first_of_ties, kernel.view(value), kernel.view(weight))
    return weight


def greedy_policy(
    positions: Positions,
    side: int,
    value: NDArray[np.float64],
    epsilon: float,
    first_of_ties: bool = False,
    exploring: NDArray[Any] | None = None,
) -> Policy:
    """Return the policy that takes the move of highest value, and with probability epsilon picks by other weights.

    Args:
        positions: the game.
        side: 0 for X, 1 for O.
        value: [moves], as the learner sees it.
        epsilon: 0 to 1.
        first_of_ties: of moves of equal value take the first; otherwise they share by multiplicity.
        exploring: [moves], weights to explore by; None stands for the multiplicities.

    >>> from menace.games.enumeration import tictactoe
    >>> value = np.zeros(tictactoe().move_count)
    >>> value[2] = 1.0  # the centre, of the first moves
    >>> greedy_policy(tictactoe(), 0, value, epsilon=0.5).probability[:3].round(3).tolist()
    [0.222, 0.222, 0.556]
    """
    greedy = best_moves(positions, side, value, first_of_ties)
    weight = positions.multiplicity if exploring is None else exploring
    # The kernel explores with floor(epsilon * 2^32) of 2^32 numbers.
    share = int(epsilon * 2**32) / 2**32
    parts = ((1.0 - share, greedy), (share, weight)) if share else ((1.0, greedy),)
    return Policy(positions, side, parts, np.zeros(len(positions)))
