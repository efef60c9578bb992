"""How the tests play games: on a transition table, without a database, with whichever kernel they choose."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import menace.learners.menace
from menace import kernel
from menace.learners.base import Learned, Policy
from menace.learners.menace import MENACE, MenaceSettings
from menace.players import fixed_policy, fixed_weights
from menace.table import TransitionTable


@dataclass(eq=False)
class Machine:
    """A MENACE learner in its seat."""

    settings: MenaceSettings
    side: int
    learned: Learned
    learns: bool = True

    def policy(self, table: TransitionTable, kind: str = "behaviour") -> Policy:
        return MENACE.policy(self.settings, table, self.side, self.learned, kind)  # type: ignore[arg-type]


Player = Machine | str  # a fixed player by its name


@dataclass(eq=False)
class Played:
    """What came of some games; `numbers` and `outcomes` as the kernel counts them."""

    games: int
    numbers: int
    outcomes: list[int]


def new_machine(table: TransitionTable, side: int, settings: MenaceSettings | None = None) -> Machine:
    settings = settings or MenaceSettings()
    return Machine(settings, side, MENACE.fresh(settings, table, side))


def raw_numbers(seed: int, count: int) -> NDArray[np.uint64]:
    return np.random.PCG64(seed).random_raw(count)


def source_path() -> Path:
    """Where the source of the installed kernel is."""
    package = importlib.util.find_spec("menace")
    assert package is not None
    assert package.submodule_search_locations is not None
    return Path(package.submodule_search_locations[0]) / "kernel.py"


@cache
def uncompiled_kernel() -> ModuleType:
    """Load the kernel's source as a module of another name: a compiled kernel beside it would win the import."""
    spec = importlib.util.spec_from_file_location("menace_kernel_source", source_path())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def play(
    table: TransitionTable,
    x: Player,
    o: Player,
    numbers: NDArray[np.uint64],
    games: int,
    engine: ModuleType = kernel,
    stops: Iterable[tuple[int, int]] = (),
) -> Played:
    """Play at most `games` games by `numbers`; machines that learn, or restock a box, are changed.

    `stops` are (numbers, games) at which a call of the kernel must end at the latest, and the next one goes on.
    """
    graph = engine.Graph(
        table.first_move, table.next_position, table.multiplicity, table.outcome, table.cells, table.longest
    )
    record = engine.Record(*(np.zeros(table.longest, kind) for kind in (np.int32, np.int32, np.int8, np.int8)))

    def seat(player: Player) -> kernel.FixedPlayer:
        if isinstance(player, str):
            weight = fixed_weights(player, table)
            return engine.FixedPlayer(graph, weight, table.sum_over_moves(weight).astype(np.int32))
        with mock.patch.object(menace.learners.menace, "kernel", engine):
            return MENACE.player(player.settings, table, player.side, graph, player.learned, player.learns)

    outcomes = np.zeros(3, np.int64)
    seated = seat(x), seat(o)
    buffer, counts = engine.view(numbers), engine.view(outcomes)
    played = used = 0
    for stop, most in (*stops, (len(numbers), games)):
        more, taken = engine.play_games(graph, *seated, record, buffer, used, stop, most - played, counts)
        played, used = played + more, used + taken
    return Played(played, used, outcomes.tolist())


def trained(table: TransitionTable, side: int, settings: MenaceSettings, opponent: str, games: int) -> Machine:
    """A machine after some games, from an arbitrary fixed seed."""
    machine = new_machine(table, side, settings)
    players = (machine, opponent) if side == 0 else (opponent, machine)
    play(table, *players, raw_numbers(7, games * table.longest), games)
    return machine


def policy_of(table: TransitionTable, player: Player, side: int, kind: str = "behaviour") -> Policy:
    return fixed_policy(player, table, side) if isinstance(player, str) else player.policy(table, kind)
