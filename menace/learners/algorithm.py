"""Define the base classes for learning algorithms, their settings and their learned state.

A learner consists of an algorithm, frozen settings, a side (0 for X, 1 for O) and a learned state (`Learned`).
registry.py lists the algorithms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.games.base import Side
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.policy import Policy, PolicyName
from menace.learners.settings import check
from menace.text.bead_colours import OWN as OWN_NAMING, Naming

StoredAs: TypeAlias = Literal["matchbox", "state_value", "action_value"]
Unit: TypeAlias = Literal["beads", "value", "odds"]

OWN = -1.0  # the value of epsilon that makes the kernel use the learner's own epsilon
# These columns of the table `learner` change as the learner plays. The first three columns store epsilon, the weighted
# mean of past outcomes, and the sum of the weights, where the newest outcome has weight 1. The last two columns store
# the sum and the number of the outcomes that the mean does not include yet.
STATE = ("epsilon", "outcome_mean", "outcome_weight", "set_sum", "set_games")
ARRAYS = ("amount", "count", "state", "half_difference")  # the arrays in `Learned` that games change
OUTCOMES = slice(1, 5)  # the entries in STATE that describe past outcomes
MAX_VALUE = 1_000_000.0  # a safe bound, because values stay between -1000 and 1000 for all settings


@dataclass(eq=False)
class Learned:
    """The learned state of a learner. The kernel changes the arrays in place.

    Attributes:
        kept: a boolean array [moves], or [positions] for learners with position values. It is true for the entries
            that the learner uses. All other entries only fill the kernel's arrays.
        amount: an array of the same length with beads (integers), values or weights.
        count: an int64 array of the same length with the number of updates of each entry.
        state: float64 [5], the columns named by STATE, with NaN for columns that the algorithm does not use.
        games: the number of games that the learner has learned from.
        half_difference: for learners with two values per move, half of the difference between the first and the second
            value, as a float64 array of the same length as `amount`. The amount is the mean of both values. Empty for
            other learners.

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
    half_difference: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def copy(self) -> Learned:
        """Return an independent copy."""
        arrays = self.amount.copy(), self.count.copy(), self.state.copy()
        return Learned(self.kept, *arrays, self.games, self.half_difference.copy())

    def differs(self, other: Learned) -> NDArray[np.bool_]:
        """Return a boolean array that is true for each kept entry that differs from `other` in its amount or count."""
        differs: NDArray[np.bool_] = (self.amount != other.amount) | (self.count != other.count)
        if len(self.half_difference):
            differs |= self.half_difference != other.half_difference
        differs &= self.kept
        return differs

    @property
    def epsilon(self) -> float | None:
        """The current exploration rate, or None if the learner does not explore."""
        return self.moving["epsilon"]

    @property
    def outcome_mean(self) -> float | None:
        """The mean of past outcomes, or None if the learner does not store this mean."""
        return self.moving["outcome_mean"]

    @property
    def moving(self) -> dict[str, float | None]:
        """The values in `state` by column name, with None for columns that the algorithm does not use."""
        return {
            name: None if math.isnan(value) else value for name, value in zip(STATE, self.state.tolist(), strict=True)
        }


class LearnerState(Protocol):
    """The properties of a machine that algorithms need.

    Attributes:
        positions: the game.
        side: 0 for X, 1 for O.
        learned: the learned state.
    """

    positions: Positions
    side: int
    learned: Learned


@dataclass(frozen=True)
class Settings:
    """The settings of an algorithm, which define how a learner starts, plays and learns.

    Creating an object validates its settings.

    >>> from menace.learners.registry import PRESETS
    >>> [PRESETS[name].settings.needs_seed for name in ("menace", "zhang", "zhang-random")]
    [False, False, True]
    """

    def __post_init__(self) -> None:
        check(self)

    @property
    def needs_seed(self) -> bool:
        """Whether the initial state is random. If it is, the learner needs a seed."""
        return False

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Return the state of a learner before its first game.

        Args:
            positions: the game.
            side: 0 for X, 1 for O.
            seed: the seed for a random initial state.

        Raises:
            InvalidSetting: if the settings do not allow the side or the game.
        """
        raise NotImplementedError

    def drawn_boxes(self, learner: LearnerState) -> kernel.Boxes | None:
        """Return the boxes if the kernel can compute the policy from them, or None if only `policy` can compute it."""
        return None

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the learner's current policy."""
        raise NotImplementedError

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for a learner. The player and the learner share the same arrays.

        Args:
            learner: the learner.
            graph: the game graph in the form that the kernel uses.
            learns: whether the player learns.
            epsilon: an exploration rate of 0 or more to use instead of the learner's own rate, which then does not
                change.
        """
        raise NotImplementedError


class KitGame(Protocol):
    """The facts about a game and a side that the printed rules of a matchbox kit use."""

    @property
    def of_cells(self) -> bool:
        """Whether every move is a cell."""

    @property
    def has_draws(self) -> bool:
        """Whether a game can end in a draw."""

    @property
    def longest(self) -> int:
        """The length of the longest game, in moves."""

    @property
    def winning_lengths(self) -> tuple[tuple[int, bool, bool], ...]:
        """All possible lengths of a won game, in moves, each with two flags.

        The flags tell whether X, and whether O, can win a game of that length.
        """

    @property
    def side(self) -> int:
        """The machine's side: 0 for X, 1 for O."""


@dataclass(frozen=True)
class KitRules:
    """Instructions, in complete sentences, for people who operate the machine with real matchboxes.

    Attributes:
        draw: how to find the machine's move in its box. `{made}` is replaced with a description of the move on the
            label.
        empty: what to do if a box is empty. There are no such instructions if no box can be empty.
        teach: what to do with the open boxes after a game.
    """

    draw: str
    empty: tuple[str, ...]
    teach: tuple[str, ...]


@dataclass(frozen=True)
class PileRule:
    """The rule by which a game changes the piles of a machine that draws beads.

    This rule is used to compute expected changes.

    Attributes:
        first: [moves], the initial beads of the boxes.
        rewards: the numbers of beads that a win, a draw and a loss add to each pile from which a bead was drawn.
        floor: the minimum number of beads in a pile.
        most: the maximum number of beads in a pile.
        last_only: whether only the last bead drawn is rewarded.
        resigns: whether the machine resigns at an empty box.
        restocks: whether an empty box gets its initial beads back before a bead is drawn.
        restocks_piles: whether an empty pile immediately gets its initial beads back.
    """

    first: NDArray[np.integer[Any]]
    rewards: tuple[int, int, int]
    floor: int
    most: int
    last_only: bool = False
    resigns: bool = False
    restocks: bool = False
    restocks_piles: bool = False

    def settled(self, beads: NDArray[Any], reward: int, first: NDArray[Any]) -> NDArray[Any]:
        """Return the piles after a game with the given reward in which a bead was drawn from each pile.

        Args:
            beads: the piles before the game.
            reward: the number of beads to add.
            first: the initial number of beads in each pile.
        """
        after = beads + reward
        if self.restocks_piles:
            after = np.where(after < max(self.floor, 1), first if self.floor < 1 else self.floor, after)
        settled: NDArray[Any] = np.clip(after, self.floor, self.most)
        return settled


def rewards_no_move(_settings: object) -> None:
    """Return None because the settings do not determine which beads a game rewards."""


@dataclass(frozen=True)
class Algorithm:
    """A learning algorithm, as listed in the registry.

    The texts and rules for kits, sites and expected changes belong to the algorithm, not to its settings class. A
    subclass of the settings class defines a different way of learning, so it must not inherit these texts and rules. If
    a rule is None, commands that require this rule reject the machine.

    Attributes:
        name: the name that `learner.algorithm` contains in the database.
        stored_as: the database table that stores learned values. Callers should use `has_beads`, `values_positions` and
            `unit` instead of this name.
        settings: the frozen dataclass that defines its settings.
        words: a description of how the learner plays and learns, for the pages of a site. For learners with beads,
            `{alike}` is replaced with a note on boards that share a box.
        kit_rules: returns the printed rules of a kit for the given settings and game.
        site_rule: returns the data that the scripts of a site use to play as a learner (site/static/players.js). `kind`
            is the kind of player, `boxed` [positions] marks positions with entries, and `learns` says whether the
            scripts can also train the learner.
        pile_rule: returns the rule by which a game changes the learner's piles, for the given settings and game.
        rewarded: returns which of the beads drawn in a game are rewarded with the given settings. This is `all`,
            `last`, or None if the settings do not determine it.
        revision: a number that must be increased whenever a change makes the algorithm learn differently from the same
            games. Otherwise, older logs would appear damaged. Each learner stores the revision with which it was
            created.
        amounts: the minimum and maximum amount that can be learned with any settings.
        worth: the unit of the amounts, unless they are beads.
        about: a note on the meaning of an amount, in case the unit alone is not clear enough.
        by_share: whether moves are drawn in proportion to their amounts. Otherwise, the learner plays the move with the
            highest amount.

    >>> from menace.learners.registry import LEARNERS
    >>> [(LEARNERS[name].unit, LEARNERS[name].values_positions) for name in ("menace", "td", "odds")]
    [('beads', False), ('value', True), ('odds', False)]
    """

    name: str
    stored_as: StoredAs
    settings: type[Settings]
    _: KW_ONLY
    words: str
    kit_rules: Callable[[Any, KitGame], KitRules] | None
    site_rule: Callable[[Any, LearnerState], Mapping[str, Any]] | None
    pile_rule: Callable[[Any, Positions], PileRule] | None
    rewarded: Callable[[Any], Literal["all", "last"] | None] = rewards_no_move
    revision: int = 1
    amounts: tuple[float, float] = (-MAX_VALUE, MAX_VALUE)
    worth: Literal["value", "odds"] = "value"
    about: str = ""
    by_share: bool = False

    @property
    def has_beads(self) -> bool:
        """Whether learners store beads (integers) in boxes."""
        return self.stored_as == "matchbox"

    @property
    def values_positions(self) -> bool:
        """Whether learners store position values.

        If so, a move has the value of the position that it leads to.
        """
        return self.stored_as == "state_value"

    @property
    def values_moves(self) -> bool:
        """Whether learners store move values or odds."""
        return self.stored_as == "action_value"

    @property
    def unit(self) -> Unit:
        """The unit of learned amounts."""
        return "beads" if self.has_beads else self.worth


@dataclass(frozen=True)
class Preset:
    """Named settings from presets.toml.

    The settings of a preset are either taken from a publication or specific to this project.

    Attributes:
        algorithm: the name of the algorithm.
        settings: all settings of the algorithm.
        summary: a one-line description.
        source: the publication from which the settings or the algorithm come, with a note on any changes.
        plays: the sides that the preset can play.
        naming: the default naming schemes for beads and cells.
        fits: the titles (`SymmetricGame.title`) of the supported games. Empty if any game is supported.

    >>> from menace.learners.registry import PRESETS
    >>> preset = PRESETS["manchester-saturday"]
    >>> preset.algorithm, preset.plays, preset.summary
    ('menace', ('X',), 'Manchester 2017, first day: 8,3,2,1, merged')
    >>> PRESETS["gardner-1962"].fits, preset.is_for("hexapawn 3x3")
    (('hexapawn 3x3',), True)
    """

    algorithm: str
    settings: Any
    summary: str
    source: str
    plays: tuple[Side, ...] = tuple(Side)
    naming: Naming = OWN_NAMING
    fits: tuple[str, ...] = ()

    def is_for(self, title: str) -> bool:
        """Return whether the preset supports the game with the given title."""
        return not self.fits or title in self.fits
