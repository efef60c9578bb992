"""A machine: what plays one side of a game and learns from it, in memory; it needs no database."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.errors import InvalidGame
from menace.games.base import Side, SideText
from menace.games.enumeration import tictactoe
from menace.games.positions import Positions
from menace.learners import check_fits, preset_settings
from menace.learners.base import OWN, Algorithm, Learned, Policy, PolicyKind, check_kind
from menace.wording import counted


@dataclass(eq=False, init=False, repr=False)
class Machine:
    """A machine in memory: made from a preset, before its first game.

    Args:
        preset: where its settings come from; PRESETS has them all.
        plays: its side, `X` or `O`.
        positions: the game; None stands for tic-tac-toe.
        seed: of a random start, 0 to 2^63 - 1; None stands for 0. Used only where the start is random.
        settings: that replace some of the preset's, as values.

    Attributes:
        algorithm: how it learns.
        settings: of that algorithm.
        positions: the game.
        side: 0 for X, 1 for O.
        learned: what it has learned; games change it in place.

    Raises:
        UnknownPreset, InvalidPlayer, InvalidSetting: if preset, side or settings are not allowed, or do not fit the
            game.
        InvalidGame: if `positions` is something else.

    >>> machine = Machine("menace", "X", beads=(8, 4, 2, 1))
    >>> machine
    <menace plays X: 0 games>
    >>> round(float(machine.policy().probability[0]), 3)  # a corner, an edge or the centre
    0.333
    """

    algorithm: Algorithm
    settings: Any
    positions: Positions
    side: int
    learned: Learned
    _preset = ""  # of which it was made

    def __init__(
        self,
        preset: str,
        plays: SideText,
        positions: Positions | None = None,
        seed: int | None = None,
        **settings: object,
    ) -> None:
        if positions is not None and not isinstance(positions, Positions):
            raise InvalidGame(
                f"{positions!r} is not the positions of a game; `menace.enumerate_positions` makes them, and a database"
                " has them as `.positions`"
            )
        game = tictactoe() if positions is None else positions
        check_fits(preset, game.title)
        algorithm, values = preset_settings(preset, plays, settings)
        fresh = Machine.fresh(algorithm, values, game, Side(plays).number, seed)
        vars(self).update(vars(fresh))
        self._preset = preset

    @classmethod
    def fresh(
        cls, algorithm: Algorithm, settings: Any, positions: Positions, side: int, seed: int | None = None
    ) -> Machine:
        """Return a machine with these settings before its first game.

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
        machine = object.__new__(Machine)
        machine.algorithm, machine.settings, machine.positions, machine.side = algorithm, settings, positions, side
        machine.learned = settings.fresh(positions, side, *start)
        return machine

    def __repr__(self) -> str:
        return f"<{self.algorithm.name} plays {self.plays}: {counted(self.learned.games, 'game')}>"

    @property
    def name(self) -> str:
        """What it is called: by its preset, or by its algorithm if it was made of settings alone."""
        return self._preset or self.algorithm.name

    @property
    def plays(self) -> Side:
        """Its side, `X` or `O`."""
        return Side.of_number(self.side)

    def copy(self) -> Self:
        """Return an independent copy, that stays as it is now."""
        found = copy.copy(self)
        found.learned = self.learned.copy()
        return found

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
        """Return how it plays now.

        Args:
            kind: `behaviour`, as it trains, or `greedy`, at its best.

        Raises:
            InvalidSetting: if there is no such kind.
        """
        check_kind(kind)
        policy: Policy = self.settings.policy(self.positions, self.side, self.learned, kind)
        return policy

    @property
    def has_beads(self) -> bool:
        """Whether what it has learned is beads in boxes, not values or odds."""
        return self.algorithm.has_beads

    @property
    def draws_beads(self) -> bool:
        """Whether it draws beads from boxes, as MENACE does, instead of comparing what it has learned."""
        return self.has_beads and self.algorithm.by_share

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
