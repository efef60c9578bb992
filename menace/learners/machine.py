"""A machine: what plays one side of a game and learns from it, in memory; it needs no database."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.games.positions import Positions
from menace.learners.base import OWN, Algorithm, Learned, Policy, PolicyKind


@dataclass(eq=False)
class Machine:
    """A machine in memory.

    Attributes:
        algorithm: how it learns.
        settings: of that algorithm.
        positions: the game.
        side: 0 for X, 1 for O.
        learned: what it has learned; games change it in place.
    """

    algorithm: Algorithm
    settings: Any
    positions: Positions
    side: int
    learned: Learned

    @classmethod
    def fresh(
        cls, algorithm: Algorithm, settings: Any, positions: Positions, side: int, seed: int | None = None
    ) -> Machine:
        """Return a machine before its first game.

        Args:
            algorithm: how it learns.
            settings: of that algorithm.
            positions: the game.
            side: 0 for X, 1 for O.
            seed: of a random start, 0 to 2^63 - 1; None stands for 0. Used only where the start is random.

        Raises:
            InvalidSetting: if the settings do not fit the side or the game.
        """
        start = (seed or 0,) if algorithm.seeded(settings) else ()
        return Machine(algorithm, settings, positions, side, settings.fresh(positions, side, *start))

    def copy(self) -> Self:
        """Return an independent copy, that stays as it is now."""
        return dataclasses.replace(self, learned=self.learned.copy())

    def sit(self, graph: kernel.Graph, *, learns: bool = True, epsilon: float = OWN) -> kernel.FixedPlayer:
        """Return the machine as the kernel plays it. It shares what the machine has learned.

        A machine that is kept from learning may restock a box while it plays: seat a `copy` where nothing may change.

        Args:
            graph: the kernel's view of its game, such as an arena has.
            learns: whether it learns from the games.
            epsilon: 0 to 1, how often it explores, instead of its own epsilon, which then stays as it is; below 0 its
                own. A machine that does not explore never does.
        """
        exploring = () if self.learned.epsilon is None else (epsilon,)
        player: kernel.FixedPlayer = self.settings.player(
            graph, self.positions, self.side, self.learned, learns, *exploring
        )
        return player

    def policy(self, kind: PolicyKind = "behaviour") -> Policy:
        """Return how it plays now."""
        policy: Policy = self.settings.policy(self.positions, self.side, self.learned, kind)
        return policy

    @property
    def has_beads(self) -> bool:
        """Whether what it has learned is beads in boxes, not values or odds."""
        return self.algorithm.has_beads

    @property
    def draws_beads(self) -> bool:
        """Whether it draws beads from boxes, as MENACE does, instead of comparing what it has learned."""
        return self.has_beads and self.settings.pick == "bead"

    # What it has learned stands in entries, which are those of the arrays of `learned`.

    @property
    def keys(self) -> tuple[NDArray[np.int32], ...]:
        """What tells its entries apart: [entries] of positions and, of a machine that learns of moves, of actions."""
        if self.algorithm.of_positions:
            return (np.arange(len(self.positions), dtype=np.int32),)
        return (self.positions.position_of_move, self.positions.action)

    @property
    def boxed(self) -> NDArray[np.bool_]:
        """[positions], where it has something for its moves; values of positions say something wherever it moves."""
        if self.algorithm.of_positions:
            return self.positions.moved_by(self.side)
        boxed: NDArray[np.bool_] = self.positions.sum_over_moves(self.learned.kept) > 0
        return boxed

    def entries_of(self, moves: range) -> NDArray[np.intp]:
        """Return the entry that says what each of some moves is worth."""
        if self.algorithm.of_positions:
            return self.positions.next_position[moves.start : moves.stop].astype(np.intp)
        return np.arange(moves.start, moves.stop)

    def amounts_of(self, entries: NDArray[np.intp]) -> list[float]:
        """Return the amounts in some entries: beads as whole numbers, values and odds as they are."""
        amounts = self.learned.amount[entries]
        found: list[float] = (amounts.astype(np.int64) if self.has_beads else amounts).tolist()
        return found

    def counts_of(self, entries: NDArray[np.intp]) -> list[int]:
        """Return how often some entries were learned from."""
        found: list[int] = self.learned.count[entries].tolist()
        return found
