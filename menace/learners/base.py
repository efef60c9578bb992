"""What a learner consists of. The algorithms, a file each, are registered in `menace.learners`.

A learner is an algorithm, frozen settings, a side (0 for X, 1 for O), and what it has learned (`Learned`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.games.base import Side
from menace.table import TransitionTable

StoredAs: TypeAlias = Literal["matchbox"]
PolicyKind: TypeAlias = Literal["behaviour", "greedy"]


@dataclass(eq=False)
class Learned:
    """What a learner has learned. The kernel changes the arrays in place.

    Attributes:
        kept: bool [moves], which entries the learner has; the others only fill the arrays for the kernel.
        amount: int32 [moves], beads.
        count: int64 [moves], how often the entry was learned from.
        games: how many games it learned from.
    """

    kept: NDArray[np.bool_]
    amount: NDArray[Any]
    count: NDArray[np.int64]
    games: int = 0

    def copy(self) -> Learned:
        """Return an independent copy."""
        return Learned(self.kept, self.amount.copy(), self.count.copy(), self.games)


@dataclass(frozen=True, eq=False)
class Policy:
    """How one side plays, as probabilities.

    Attributes:
        probability: float64 [moves]; of a position's moves they sum to 1 - `resigns` where the side is to move.
        resigns: float64 [positions], the probability that it gives the game up there.
    """

    probability: NDArray[np.float64]
    resigns: NDArray[np.float64]


@dataclass(frozen=True)
class Algorithm:
    """One way to learn: its parts, as functions.

    Attributes:
        name: as `learner.algorithm` in the database has it.
        stored_as: the table of the database that holds what it has learned.
        settings: the frozen dataclass of its settings.
        fresh: (settings, table, side) -> Learned, before the first game. Raises InvalidSetting if the settings do not
            fit the side or the game.
        policy: (settings, table, side, learned, kind) -> Policy.
        player: (settings, table, side, graph, learned, learns) -> the kernel's player, which shares the arrays of
            `learned`.
    """

    name: str
    stored_as: StoredAs
    settings: type[Any]
    fresh: Callable[[Any, TransitionTable, int], Learned]
    policy: Callable[[Any, TransitionTable, int, Learned, PolicyKind], Policy]
    player: Callable[[Any, TransitionTable, int, kernel.Graph, Learned, bool], kernel.FixedPlayer]


@dataclass(frozen=True)
class Preset:
    """Settings that somebody published.

    Attributes:
        algorithm: name of the algorithm.
        settings: all of its settings.
        plays: the sides that it may play.
        summary: what it is, in a line.
        source: where it was published, and what is ours where the source is silent.
    """

    algorithm: str
    settings: Any
    plays: tuple[Side, ...]
    summary: str
    source: str
