"""What a learner consists of. The algorithms, a file each, are registered in `menace.learners`.

A learner is an algorithm, frozen settings, a side (0 for X, 1 for O), and what it has learned (`Learned`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.colours import OWN as OWN_NAMING
from menace.colours import Naming
from menace.errors import InvalidSetting
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.settings import SettingsClass

StoredAs: TypeAlias = Literal["matchbox", "state_value", "action_value"]
Unit: TypeAlias = Literal["beads", "value", "odds"]
PolicyKind: TypeAlias = Literal["behaviour", "greedy"]

OWN = -1.0  # an epsilon below 0 says nothing: a learner explores as much as its own says
# What moves with a learner's games, as columns of `learner` have it: how often it explores; the mean of past outcomes,
# and the sum of their weights, where the newest weighs 1; the sum and the number of outcomes that are not in it yet.
STATE = ("epsilon", "outcome_mean", "outcome_weight", "set_sum", "set_games")
OUTCOMES = slice(1, 5)  # the entries that say of past outcomes
VALUE_MOST = 1_000_000.0  # no setting lets a value leave -1000 to 1000


@dataclass(eq=False)
class Learned:
    """What a learner has learned. The kernel changes the arrays in place.

    Attributes:
        kept: bool [moves], or [positions] for values of positions: which entries the learner has. The others fill the
            arrays for the kernel.
        amount: of the same length; beads (whole numbers), values or weights.
        count: int64, of the same length; how often the entry was learned from.
        state: float64 [5], what moves with its games, in the order of STATE; NaN where unused.
        games: how many games it learned from.

    >>> from menace.learners.machine import Machine
    >>> learned = Machine("sala", "X").learned
    >>> learned.games, learned.epsilon, learned.outcome_mean is None
    (0, 1.0, True)
    """

    kept: NDArray[np.bool_]
    amount: NDArray[Any]
    count: NDArray[np.int64]
    state: NDArray[np.float64] = field(default_factory=lambda: np.full(len(STATE), np.nan))
    games: int = 0

    def copy(self) -> Learned:
        """Return an independent copy."""
        return Learned(self.kept, self.amount.copy(), self.count.copy(), self.state.copy(), self.games)

    @property
    def epsilon(self) -> float | None:
        """How much it explores now, or None where it does not."""
        return self.moving["epsilon"]

    @property
    def outcome_mean(self) -> float | None:
        """The mean of its past outcomes, or None where it keeps none."""
        return self.moving["outcome_mean"]

    @property
    def moving(self) -> dict[str, float | None]:
        """What moves with its games, by the names in STATE; None where its algorithm has no use for it."""
        return {
            name: None if np.isnan(value) else value for name, value in zip(STATE, self.state.tolist(), strict=True)
        }


@dataclass(frozen=True, eq=False)
class Policy:
    """How one side plays: a mixture of picks by weight.

    Attributes:
        positions: the game.
        side: 0 for X, 1 for O.
        parts: (share, weights [moves]): with that probability it picks by those weights. The shares sum to 1, the
            weights of a position's moves to more than 0 unless it resigns there.
        resigns: float64 [positions], the probability that it gives the game up there.

    >>> from menace.learners.machine import Machine
    >>> policy = Machine("menace", "X").policy()
    >>> policy.can_resign, policy.fractions()[:3]  # the first moves: a corner, an edge, the centre
    (False, [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)])
    """

    positions: Positions
    side: int
    parts: tuple[tuple[float, NDArray[Any]], ...]
    resigns: NDArray[np.float64]

    @cached_property
    def can_resign(self) -> bool:
        """Whether it ever resigns."""
        return bool(self.resigns.any())

    @cached_property
    def moves_here(self) -> NDArray[np.bool_]:
        """[positions], where it is to move, and moves."""
        return self.positions.moved_by(self.side) & (self.resigns < 1)

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """float64 [moves]; of a position's moves they sum to 1 - resigns where the side is to move."""
        position = self.positions.position_of_move
        result = np.zeros(self.positions.move_count)
        for share, weight in self.parts:
            total = np.where(self.moves_here, self.positions.sum_over_moves(weight), 1.0)
            result += share * (weight / total[position])
        return np.where(self.moves_here[position], (1.0 - self.resigns[position]) * result, 0.0)

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


def check_kind(kind: PolicyKind) -> None:
    """Refuse a kind of policy that there is not.

    Raises:
        InvalidSetting: naming those that there are.

    >>> check_kind("greedy")
    """
    if kind not in get_args(PolicyKind):
        raise InvalidSetting(f"no policy is called {kind!r}; choose {' or '.join(get_args(PolicyKind))}")


def no_resigning(positions: Positions) -> NDArray[np.float64]:
    """Return [positions], 0 everywhere: a player that never resigns.

    >>> from menace.games.enumeration import tictactoe
    >>> len(no_resigning(tictactoe())), float(no_resigning(tictactoe()).max())
    (765, 0.0)
    """
    return np.zeros(len(positions))


def deterministic_policy(positions: Positions, side: int, chosen: NDArray[np.float64]) -> Policy:
    """Return the policy of a player without chance; `chosen` is [moves], 1 for one move of each position it plays.

    >>> from menace.games.enumeration import tictactoe
    >>> chosen = np.zeros(tictactoe().move_count)
    >>> chosen[tictactoe().first_move[:-1][tictactoe().moved_by(0)]] = 1  # always the first move
    >>> deterministic_policy(tictactoe(), 0, chosen).probability[:3].tolist()
    [1.0, 0.0, 0.0]
    """
    policy = Policy(positions, side, ((1.0, chosen),), no_resigning(positions))
    policy.__dict__["probability"] = chosen  # which is what it would work out
    return policy


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
    best = value == positions.most_of_moves(value)[positions.position_of_move]
    if first_of_ties:
        moves = np.flatnonzero(best)
        _, first = np.unique(positions.position_of_move[moves], return_index=True)
        greedy = np.zeros(positions.move_count, np.int32)
        greedy[moves[first]] = 1
    else:
        greedy = best * positions.multiplicity
    weight = positions.multiplicity if exploring is None else exploring
    # The kernel explores with floor(epsilon * 2^32) of 2^32 numbers.
    share = int(epsilon * 2**32) / 2**32
    parts = ((1.0 - share, greedy), (share, weight)) if share else ((1.0, greedy),)
    return Policy(positions, side, parts, no_resigning(positions))


class Settings(SettingsClass, Protocol):
    """The settings of an algorithm: a frozen dataclass that checks itself, and says how a learner so set plays.

    The side is 0 for X, 1 for O. Two more arguments go to those only that have a use for them: a `seed`, to the
    `fresh` of who starts at random; an `epsilon`, to the `player` of who explores.
    """

    def fresh(self, positions: Positions, side: int) -> Learned:
        """Return what it has learned before its first game.

        Raises:
            InvalidSetting: if the settings do not fit the side or the game.
        """
        ...

    def policy(self, positions: Positions, side: int, learned: Learned, kind: PolicyKind) -> Policy:
        """Return how it plays, having learned that."""
        ...

    def player(
        self, graph: kernel.Graph, positions: Positions, side: int, learned: Learned, learns: bool
    ) -> kernel.FixedPlayer:
        """Return it as the kernel plays it, which shares the arrays of `learned`.

        An `epsilon` of 0 or more is used instead of its own, which then stays as it is.
        """
        ...


def never_random(_: Any) -> bool:
    """Say that a fresh table is not random, whatever the settings."""
    return False


@dataclass(frozen=True)
class Algorithm:
    """One way to learn, as the registry knows it; its settings say how.

    Attributes:
        name: as `learner.algorithm` in the database has it.
        stored_as: the table of the database that holds what it has learned. Nobody compares it: `has_beads`,
            `of_positions` and `unit` say what follows from it.
        settings: the frozen dataclass of its settings.
        seeded: (settings) -> whether the fresh table is random, so that the learner needs a seed.
        revision: raised by whoever changes what it learns from the same games, so that an older log is not taken for a
            damaged one. Each learner keeps the revision that it was made with.
        amounts: the least and the most of what it can have learned of anything, whatever its settings.
        worth: what an amount is that is not a bead.
        by_share: whether it picks a move by the shares of what it has for each, as beads are drawn, and does not take
            the move that it has most for.

    >>> from menace.learners.registry import LEARNERS
    >>> [(LEARNERS[name].unit, LEARNERS[name].of_positions) for name in ("menace", "td", "odds")]
    [('beads', False), ('value', True), ('odds', False)]
    """

    name: str
    stored_as: StoredAs
    settings: type[Settings]
    seeded: Callable[[Any], bool] = never_random
    revision: int = 1
    amounts: tuple[float, float] = (-VALUE_MOST, VALUE_MOST)
    worth: Literal["value", "odds"] = "value"
    by_share: bool = False

    @property
    def has_beads(self) -> bool:
        """Whether it keeps beads, whole numbers of them, in boxes."""
        return self.stored_as == "matchbox"

    @property
    def of_positions(self) -> bool:
        """Whether it learns of positions, so that a move is worth what the position is that it leads to."""
        return self.stored_as == "state_value"

    @property
    def unit(self) -> Unit:
        """What it has amounts of."""
        return "beads" if self.has_beads else self.worth


BOTH = tuple(Side)  # sides that a preset plays
# The start of the source of `td`, `sarsa` and `q-learning`, which differ in nothing but the algorithm.
PLAIN = (
    "Our own settings, the same for td, sarsa and q-learning, to compare like with like: alpha 0.1, epsilon 0.1"
    " throughout, every value 0 at the start, a win worth 1, a draw 0, a loss -1, no discount."
)


@dataclass(frozen=True)
class Preset:
    """Settings that somebody published, or plain ones of ours.

    Attributes:
        algorithm: name of the algorithm.
        settings: all of its settings.
        plays: the sides that it may play.
        summary: what it is, in a line.
        source: where it, or its algorithm, was published, and what is ours.
        naming: how its beads and cells are usually called.
        fits: the games that it is for, as `SymmetricGame.title` has them; empty stands for any game.

    >>> from menace.learners.registry import PRESETS
    >>> preset = PRESETS["manchester-saturday"]
    >>> preset.algorithm, preset.plays, preset.summary
    ('menace', ('X',), 'Manchester 2017, first day: 8,3,2,1, merged')
    >>> PRESETS["gardner-1962"].fits, preset.is_for("hexapawn 3x3")
    (('hexapawn 3x3',), True)
    """

    algorithm: str
    settings: Any
    plays: tuple[Side, ...]
    summary: str
    source: str
    naming: Naming = OWN_NAMING
    fits: tuple[str, ...] = ()

    def is_for(self, title: str) -> bool:
        """Say whether it is for a game, called by its title."""
        return not self.fits or title in self.fits
