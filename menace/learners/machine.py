"""A machine: what plays one side of a game and learns from it, in memory; it needs no database."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Self

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
    def keeps_boxes(self) -> bool:
        """Whether what it has learned is beads in boxes, not values or weights."""
        return self.algorithm.stored_as == "matchbox"

    @property
    def draws_beads(self) -> bool:
        """Whether it draws beads from boxes, as MENACE does, instead of comparing what it has learned."""
        return self.keeps_boxes and self.algorithm.by_share
