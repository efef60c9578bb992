"""Base classes of learning algorithms, their settings and what they have learned; registry.py lists the algorithms.

A learner is an algorithm, frozen settings, a side (0 for X, 1 for O), and what it has learned (`Learned`).
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
from menace.text.bead_colours import OWN as OWN_NAMING
from menace.text.bead_colours import Naming

StoredAs: TypeAlias = Literal["matchbox", "state_value", "action_value"]
Unit: TypeAlias = Literal["beads", "value", "odds"]

OWN = -1.0  # an epsilon below 0 says nothing: a learner explores as much as its own says
# What moves with a learner's games, as columns of `learner` have it: how often it explores; the mean of past outcomes,
# and the sum of their weights, where the newest weighs 1; the sum and the number of outcomes that are not in it yet.
STATE = ("epsilon", "outcome_mean", "outcome_weight", "set_sum", "set_games")
ARRAYS = ("amount", "count", "state", "half_difference")  # of `Learned`, which games change
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
        half_difference: float64, of the same length as `amount`, for a learner that keeps two values, whose mean is its
            amount: half of what the first is above the second. Empty of any other learner.

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
        """Return of each entry that it has, whether a learner of the same settings has learned something else there."""
        differs: NDArray[np.bool_] = (self.amount != other.amount) | (self.count != other.count)
        if len(self.half_difference):
            differs |= self.half_difference != other.half_difference
        differs &= self.kept
        return differs

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
            name: None if math.isnan(value) else value for name, value in zip(STATE, self.state.tolist(), strict=True)
        }


class LearnerState(Protocol):
    """A machine as its algorithm sees it.

    Attributes:
        positions: the game.
        side: 0 for X, 1 for O.
        learned: what it has learned.
    """

    positions: Positions
    side: int
    learned: Learned


@dataclass(frozen=True)
class Settings:
    """The settings of an algorithm: they check themselves, and say how a learner so set begins, plays and learns.

    >>> from menace.learners.registry import PRESETS
    >>> [PRESETS[name].settings.seeded for name in ("menace", "zhang", "zhang-random")]
    [False, False, True]
    """

    def __post_init__(self) -> None:
        check(self)

    @property
    def seeded(self) -> bool:
        """Whether what it begins with is random, so that the learner needs a seed."""
        return False

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Return what a learner has learned before its first game; the side is 0 for X, 1 for O.

        Raises:
            InvalidSetting: if the settings do not fit the side or the game.
        """
        raise NotImplementedError

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return how a learner plays now."""
        raise NotImplementedError

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a learner as the kernel plays it, which shares the arrays of `learned`.

        If it explores, an `epsilon` of 0 or more is used instead of its own, which then stays as it is.
        """
        raise NotImplementedError


class KitGame(Protocol):
    """A game and a side, as the printed rules of a kit of matchboxes describe them."""

    @property
    def of_cells(self) -> bool:
        """Whether every move is a cell."""

    @property
    def has_draws(self) -> bool:
        """Whether a game can end in a draw."""

    @property
    def longest(self) -> int:
        """The most moves in a game."""

    @property
    def lengths(self) -> tuple[tuple[int, bool, bool], ...]:
        """After how many moves a game can be won, and whether X can have won then, and whether O."""

    @property
    def side(self) -> int:
        """The machine's side: 0 for X, 1 for O."""


@dataclass(frozen=True)
class KitRules:
    """What people do who play the machine with real matchboxes, in whole sentences.

    Attributes:
        draw: how to find the machine's move in its box; `{made}` stands for how the label shows the move.
        empty: what to do at an empty box; nothing if no box is ever empty.
        teach: what to do with the open boxes after a game.
        gained: the most beads that a won game adds to a box.
    """

    draw: str
    empty: tuple[str, ...]
    teach: tuple[str, ...]
    gained: int


@dataclass(frozen=True)
class PileRule:
    """How a game changes the piles of a machine that draws beads: what its expected change follows from.

    Attributes:
        first: [moves], the beads of fresh boxes.
        rewards: what is added to a pile whose bead was drawn, after a win, a draw and a loss.
        floor: the least that a pile keeps.
        most: the most that a pile can hold.
        last_only: whether only the last bead drawn is rewarded.
        resigns: whether the machine resigns at an empty box.
        restocks: whether an empty box gets its first beads back before a draw.
        restocks_piles: whether each pile that runs out gets its first beads back at once.
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
        """Return piles whose beads were drawn, after a game with this reward; `first` are their first beads."""
        after = beads + reward
        if self.restocks_piles:
            after = np.where(after < max(self.floor, 1), first if self.floor < 1 else self.floor, after)
        settled: NDArray[Any] = np.clip(after, self.floor, self.most)
        return settled


def rewards_no_move(_settings: object) -> None:
    """Return None: the settings do not say what a game changes."""


@dataclass(frozen=True)
class Algorithm:
    """A learning algorithm, as the registry has it.

    Its words, and its rules for kits, sites and expected changes belong to the algorithm, not to the settings class:
    a settings class that extends another one learns in its own way, so it must not inherit them. None says that there
    is no such rule; the commands that need it then refuse the machine.

    Attributes:
        name: as `learner.algorithm` in the database has it.
        stored_as: the table of the database that holds what it has learned. Callers do not compare it, but use
            `has_beads`, `of_positions` and `unit`.
        settings: the frozen dataclass of its settings.
        words: how it plays and learns, for the pages of a site; with beads `{alike}` stands for the boards that share
            a box.
        kit_rules: the printed rules of a kit, from the settings and the game.
        site_rule: from the settings and a learner, how the scripts of a site play it (site/static/players.js): `kind`
            says by what, `boxed` [positions] where; `learns` says that they can teach it, too.
        pile_rule: how a game changes its piles, from the settings and the game.
        rewarded: from the settings, which of the beads drawn in a game get `win`, `draw` or `loss`: `all` or `last`;
            None if these settings do not say what a game changes.
        revision: to be raised when it learns differently from the same games, so that an older log is not taken for
            a damaged one. Each learner keeps the revision that it was made with.
        amounts: the least and the most of what it can have learned of anything, whatever its settings.
        worth: what an amount is if it is not beads.
        about: what is to be said of an amount beside the unit, where that is not all.
        by_share: whether it picks moves in proportion to their amounts, as beads are drawn, instead of taking the move
            with the largest.

    >>> from menace.learners.registry import LEARNERS
    >>> [(LEARNERS[name].unit, LEARNERS[name].of_positions) for name in ("menace", "td", "odds")]
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
    amounts: tuple[float, float] = (-VALUE_MOST, VALUE_MOST)
    worth: Literal["value", "odds"] = "value"
    about: str = ""
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
    def of_moves(self) -> bool:
        """Whether it learns values or odds of moves."""
        return self.stored_as == "action_value"

    @property
    def unit(self) -> Unit:
        """The unit of its amounts."""
        return "beads" if self.has_beads else self.worth


@dataclass(frozen=True)
class Preset:
    """Named settings, published or our own, as presets.toml has them.

    Attributes:
        algorithm: name of the algorithm.
        settings: all of its settings.
        summary: what it is, in a line.
        source: where it, or its algorithm, was published, and what is ours.
        plays: the sides that it may play.
        naming: how its beads and cells are usually named.
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
    summary: str
    source: str
    plays: tuple[Side, ...] = tuple(Side)
    naming: Naming = OWN_NAMING
    fits: tuple[str, ...] = ()

    def is_for(self, title: str) -> bool:
        """Say whether it is for a game, called by its title."""
        return not self.fits or title in self.fits
