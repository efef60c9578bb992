"""Play games without a database, using the compiled or the uncompiled kernel."""

from __future__ import annotations

import ctypes
import dataclasses
import importlib.util
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from menace.arena.exact_strength import moves_by_ply
from menace.games.base import Side
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.algorithm import ARRAYS, OWN, Algorithm
from menace.learners.algorithms.beads import MENACE, MenaceSettings
from menace.learners.algorithms.exploration import ExplorationSettings
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy, fixed_weights
from menace.learners.policy import Policy, PolicyName
from menace.learners.registry import LEARNERS, PRESETS


@dataclass(eq=False)
class SeatedMachine(Machine):
    """A machine, and the options with which it creates a kernel player."""

    learns: bool = True
    epsilon: float = OWN


Player = SeatedMachine | str  # a string is the name of a fixed player


@dataclass(eq=False)
class PlayResult:
    """The number of games, the number of random numbers used, and the numbers of X wins, draws and O wins."""

    games: int
    numbers: int
    outcomes: list[int]


# These lists contain all presets for tic-tac-toe, and all pairs of a preset and a side that the preset can play.
TICTACTOE_PRESETS = {name: preset for name, preset in PRESETS.items() if preset.is_for("tictactoe 3x3x3")}
SEATS = [(name, Side(side).number) for name, preset in TICTACTOE_PRESETS.items() for side in preset.plays]


def covering_presets() -> list[str]:
    """Return presets that together cover every algorithm and every non-numeric value of the algorithms' settings."""
    names, seen = [], set()
    for name, preset in TICTACTOE_PRESETS.items():
        settings = dataclasses.asdict(preset.settings)
        words = {(preset.algorithm, key, value) for key, value in settings.items() if isinstance(value, str | bool)}
        if not words <= seen:
            names.append(name)
            seen |= words
    return names


# Long tests use these presets. Every other preset differs from one of these presets only in numeric settings.
COVERING_PRESETS = covering_presets()


def is_plain(name: str) -> bool:
    """Return whether a preset differs from `td` only in its algorithm.

    Such a preset has the name of its algorithm, can explore, and has the same values as `td` for all shared settings.
    """
    ours, plain = (dataclasses.asdict(PRESETS[preset].settings) for preset in (name, "td"))
    explores = isinstance(PRESETS[name].settings, ExplorationSettings)
    return PRESETS[name].algorithm == name and explores and all(ours[key] == plain[key] for key in ours.keys() & plain)


# These presets differ only in their algorithm, and each preset is named after its algorithm.
PLAIN_PRESETS = tuple(filter(is_plain, PRESETS))
# One preset per algorithm.
PRESET_BY_ALGORITHM = {preset.algorithm: name for name, preset in reversed(TICTACTOE_PRESETS.items())}
BEAD_SEATS = [seat for seat in SEATS if PRESETS[seat[0]].algorithm == MENACE.name]

# The epsilon of these presets changes in each of ten games, either before or after the game.
FALLING: dict[str, Any] = {"epsilon": 0.9, "epsilon_decay": 0.9, "epsilon_least": 0.3}
EPSILON_CASES = [
    (name, side, FALLING | first)
    for name, side in SEATS
    for first in ({}, {"epsilon_first": False}, {"epsilon_first": True})
    if hasattr(PRESETS[name].settings, "epsilon") and hasattr(PRESETS[name].settings, "epsilon_first") == bool(first)
]


def new_machine(
    positions: Positions, side: int, settings: Any = None, algorithm: Algorithm = MENACE, seed: int = 1
) -> SeatedMachine:
    settings = settings or MenaceSettings()
    return SeatedMachine(**vars(Machine.fresh(algorithm, settings, positions, side, seed)))


def machine_of_preset(positions: Positions, name: str, side: int, **changes: Any) -> SeatedMachine:
    """Return a new machine with the settings of a preset, some of which may be overridden."""
    preset = PRESETS[name]
    return new_machine(positions, side, dataclasses.replace(preset.settings, **changes), LEARNERS[preset.algorithm])


def learned_bytes(*players: Player) -> list[list[bytes]]:
    """Return each machine's arrays of learned values as bytes, so that NaN compares equal to NaN."""
    learners = [p.learned for p in players if isinstance(p, SeatedMachine)]
    return [[getattr(learner, array).tobytes() for array in ARRAYS] for learner in learners]


def raw_numbers(seed: int, count: int) -> NDArray[np.uint64]:
    return np.random.PCG64(seed).random_raw(count)


def source_path() -> Path:
    """Return the path of the installed kernel's source."""
    package = importlib.util.find_spec("menace")
    assert package is not None
    assert package.submodule_search_locations is not None
    return Path(package.submodule_search_locations[0]) / "kernel" / "loop.py"


@cache
def load_uncompiled_kernel() -> ModuleType:
    """Load the kernel's source under a different name, because a normal import loads the compiled kernel.

    Cython is hidden during the import, as if it were not installed.
    """
    spec = importlib.util.spec_from_file_location("menace_kernel_source", source_path())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with mock.patch.dict(sys.modules, {"cython": None}):
        spec.loader.exec_module(module)
    return module


@contextmanager
def use_kernel(engine: ModuleType) -> Iterator[None]:
    """Make machines create their players with the kernel `engine`."""
    with ExitStack() as stack:
        for name, module in tuple(sys.modules.items()):
            if name.startswith("menace.learners.") and hasattr(module, "kernel"):
                stack.enter_context(mock.patch.object(module, "kernel", engine))
        yield


class _BitGen(ctypes.Structure):
    """The fields of NumPy's `bitgen_t` structure that the kernel reads."""

    _fields_ = (("state", ctypes.c_void_p), ("next_uint64", ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)))


class ScriptedNumbers:
    """A BitGenerator that returns the numbers in an array, followed by zeros."""

    def __init__(self, numbers: NDArray[np.uint64]) -> None:
        self.numbers, self.used = numbers.tolist(), 0
        self._struct = _BitGen(None, _BitGen._fields_[1][1](lambda _: self.random_raw()))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        self.capsule = new(ctypes.addressof(self._struct), b"BitGenerator", None)

    def random_raw(self) -> int:
        self.used += 1
        return self.numbers[self.used - 1] if self.used <= len(self.numbers) else 0


@dataclass(eq=False)
class Arena:
    """The kernel's graph, record and players.

    `arrays` are the arrays of the record: position, move, explored and learned.
    """

    engine: ModuleType
    graph: Any
    record: Any
    arrays: list[NDArray[Any]]
    players: tuple[Any, Any]
    outcomes: NDArray[np.int64]

    def games(self, numbers: Any, games: int) -> tuple[int, int]:
        """Play games, and return how many games were played and how many random numbers they used.

        `numbers` is an instance of the engine's `RawNumbers`.
        """
        return self.engine.play_games(
            self.graph, *self.players, self.record, numbers, games, self.engine.view(self.outcomes)
        )


def arena(positions: Positions, x: Player, o: Player, engine: ModuleType = kernel) -> Arena:
    graph = engine.Graph(positions)
    arrays = [np.zeros(positions.longest, kind) for kind in (np.int32, np.int32, np.int8, np.int8)]

    def seat(player: Player) -> kernel.FixedPlayer:
        if isinstance(player, str):
            weight = fixed_weights(player, positions)
            return engine.FixedPlayer(graph, weight, positions.sum_over_moves(weight).astype(np.int32))
        with use_kernel(engine):
            return player.kernel_player(graph, learns=player.learns, epsilon=player.epsilon)

    return Arena(engine, graph, engine.Record(*arrays), arrays, (seat(x), seat(o)), np.zeros(3, np.int64))


def play(
    positions: Positions,
    x: Player,
    o: Player,
    numbers: NDArray[np.uint64] | np.random.PCG64,
    games: int,
    engine: ModuleType = kernel,
    stops: Iterable[int] = (),
) -> PlayResult:
    """Play `games` games with the given random numbers, of which there must be enough.

    Playing modifies machines that learn or restock their boxes.

    Each kernel call ends when the number of games reaches a value in `stops`, and the next call continues from there.
    """
    generator = ScriptedNumbers(numbers) if isinstance(numbers, np.ndarray) else numbers
    where, stream = arena(positions, x, o, engine), engine.RawNumbers(generator)
    played = used = 0
    for stop in (*stops, games):
        batch, taken = where.games(stream, stop - played)
        played, used = played + batch, used + taken
    assert not isinstance(generator, ScriptedNumbers) or used == generator.used <= len(generator.numbers)
    return PlayResult(played, used, where.outcomes.tolist())


def watch_games(
    positions: Positions, x: Player, o: Player, numbers: NDArray[np.uint64], games: int
) -> Iterator[list[tuple[int, int, int]]]:
    """Play games like `play`. After each game, yield a list with (position, move, explored) for each ply."""
    where, stream = arena(positions, x, o), kernel.RawNumbers(ScriptedNumbers(numbers))
    for _ in range(games):
        _, taken = where.games(stream, 1)
        yield list(zip(*(array[:taken].tolist() for array in where.arrays[:3]), strict=True))


def find_numbers(
    positions: Positions, x: Player, o: Player, cells: Sequence[int], exploring: Collection[int] = ()
) -> NDArray[np.uint64]:
    """Return random numbers that produce a game with the actions `cells`.

    The machine explores only at the plies `exploring`.

    The machine explores if the upper half of a random number is 0. If all bits of the upper half are 1, the machine
    never explores at any epsilon below 1.
    """
    numbers = np.zeros(len(cells) + positions.longest, np.uint64)
    for ply, cell in enumerate(cells):
        for low in range(0, 2**32, 2**25):
            numbers[ply] = (0 if ply in exploring else 0xFFFFFFFF) << 32 | low
            seats = [p if isinstance(p, str) else p.copy() for p in (x, o)]
            game = next(watch_games(positions, *seats, numbers, 1))
            if int(positions.action[game[ply][1]]) == cell:
                break
        else:
            raise AssertionError(f"no number leads to the move {cell} at ply {ply}")
    return numbers


def train_machine(
    positions: Positions, side: int, settings: Any, opponent: str, games: int, algorithm: Algorithm = MENACE
) -> SeatedMachine:
    """Return a machine that has played some games against a fixed player, using a fixed seed."""
    machine = new_machine(positions, side, settings, algorithm)
    players = (machine, opponent) if side == 0 else (opponent, machine)
    play(positions, *players, raw_numbers(7, games * positions.longest), games)
    return machine


def policy_of(positions: Positions, player: Player, side: int, policy: PolicyName = "behaviour") -> Policy:
    return fixed_policy(player, positions, side) if isinstance(player, str) else player.policy(policy)


def outcomes_by_position(x: Policy, o: Policy) -> NDArray[np.float64]:
    """Return the array [positions, 3] that the function `outcomes` should compute.

    The results are computed backwards with NumPy.
    """
    positions = x.positions
    probability = x.probability + o.probability
    shares = np.zeros((len(positions), 3))
    for column, outcome in enumerate((1, 0, -1)):
        shares[positions.outcome == outcome, column] = 1.0
    for step in reversed(moves_by_ply(positions)):
        flow = probability[step.moves, np.newaxis] * shares[step.child]
        shares[step.ongoing] = np.add.reduceat(flow, step.starts, axis=0)
        loses = 0 if step.mover else 2  # the column of the player that wins if the mover resigns
        shares[step.ongoing, loses] += (x, o)[step.mover].resigns[step.ongoing]
    return shares
