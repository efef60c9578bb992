"""Benchmark the kernel against hand-written C that plays the same games.

    python tools/benchmarks/kernel.py [--games N] [--rounds N] [--match NAME] [--game NAME --variant TEXT]
    python tools/benchmarks/kernel.py --check

MATCHES lists the matches. Each preset plays against the opponent for which it was designed, and all learners learn. The
C program is kernel.c for the preset `menace` and values.c for all other presets. Each match is a series of games of
tic-tac-toe or of another game. The C programs are compiled for the maximum length of the game, and they read the
kernel's tables.

In each round, both programs play the same games in one process, starting from new tables and taking turns after every
SLICE games. After each round, both programs must have the same values, counts, epsilon and outcomes, and must have used
the same number of random numbers. The ratio is the C program's processor time divided by the kernel's, so a ratio above
1 means that the kernel is faster.

Both programs generate random numbers while they play. The kernel and kernel.c compute the numbers of NumPy's PCG64
themselves, whereas values.c reads a buffer that NumPy fills. The uncompiled kernel plays fewer games, because it is
slower. The program exits with 1 if a median ratio is below the budget or if the results differ. It requires gcc and a
compiled kernel.

With `--check`, the program counts instructions with Callgrind instead of measuring time. These counts do not depend on
how busy the computer is. The ratio is the kernel's instruction count for COUNTED_GAMES games of a match divided by the
C program's count. The program exits with 1 if a ratio is more than 10% above the corresponding one in MATCHES. After an
improvement, lower the ratio in MATCHES. `--check` also requires valgrind.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any, TypeAlias
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from menace.games import get_game
from menace.games.enumeration import enumerate_positions, tictactoe
from menace.games.positions import Positions
from menace.games.symmetry import TIC_TAC_TOE
from menace.kernel import loop as kernel
from menace.learners.algorithm import Learned
from menace.learners.algorithms.beads import initial_beads
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_weights
from menace.learners.registry import LEARNERS, PRESETS

BUDGET = 0.8
SEED = 1
SLICE = 50_000
UNCOMPILED_GAMES = 20_000
COUNTED_GAMES = 10_000
MAX_GROWTH = 1.1  # the largest factor by which an instruction ratio may grow
SOURCES = ("kernel.c", "values.c")
FLAGS = ("-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


@dataclass(frozen=True)
class Match:
    """Two players, and the C function that plays the same match.

    Attributes:
        x: a preset.
        o: a preset, or `random`.
        function: the name of the function in C.
        instructions: the kernel's instructions divided by C's, as last measured by `--check`.
    """

    x: str
    o: str
    function: str
    instructions: float

    def __str__(self) -> str:
        return f"{self.x} against {self.o}"


MATCHES = (
    Match("menace", "menace", "play_menace", 1.18),
    Match("menace", "random", "play_random", 1.11),
    Match("zhang", "zhang", "play_zhang", 1.05),
    Match("q-table", "random", "play_q_table", 1.30),
    Match("sala", "sala", "play_q_learning", 1.33),
    Match("td-lambda", "td-lambda", "play_td_lambda", 1.16),
    Match("monte-carlo", "monte-carlo", "play_monte_carlo", 1.32),
    Match("expected-sarsa", "expected-sarsa", "play_expected_sarsa", 1.28),
    Match("n-step-sarsa", "n-step-sarsa", "play_n_step_sarsa", 1.31),
    Match("double-q-learning", "double-q-learning", "play_double_q", 0.97),
    Match("ucb1", "ucb1", "play_ucb1", 1.14),
    Match("article-code", "random", "play_favourite", 1.02),
    Match("michie-1963", "michie-1963", "play_odds", 1.23),
)


@dataclass
class Program:
    """A match played by one of the programs, starting from new tables.

    Attributes:
        play: plays the given number of games and returns the number of random numbers used.
        outcomes: the numbers of X wins, draws and O wins, as an array int64 [3].
        learned: the tables of X and O. The table of `random` never changes.
        used: the number of random numbers used so far.
    """

    play: Callable[[int], int]
    outcomes: NDArray[np.int64]
    learned: list[Learned]
    used: int = 0

    def state(self) -> list[Any]:
        """Return all data that the match changes, for comparison."""
        arrays = [
            self.outcomes,
            *(array for table in self.learned for array in vars(table).values() if isinstance(array, np.ndarray)),
        ]
        return [self.used, *(array.tobytes() for array in arrays)]

    def seconds(self, games: int) -> float:
        """Play the next games, and return the processor time in seconds.

        The time includes the generation of random numbers.
        """
        start = time.thread_time()
        self.used += self.play(games)
        return time.thread_time() - start


class Buffer:
    """Random numbers for a C program, in a buffer that fits into the processor's cache."""

    SIZE = 12_288

    def __init__(self) -> None:
        self.generator, self.numbers, self.left = np.random.PCG64(SEED), np.empty(self.SIZE, np.uint64), 0

    def refill(self) -> None:
        """Move the unused numbers to the front of the buffer, and refill the rest."""
        self.numbers[: self.left] = self.numbers[self.SIZE - self.left :].copy()
        self.numbers[self.left :] = self.generator.random_raw(self.SIZE - self.left)
        self.left = self.SIZE


def generator_words(seed: int) -> NDArray[np.uint64]:
    """Return the state and the increment of NumPy's PCG64 for C, high halves first."""
    state = np.random.PCG64(seed).state["state"]
    return np.array([half for word in (state["state"], state["inc"]) for half in divmod(word, 2**64)], np.uint64)


Factory: TypeAlias = Callable[[Positions, Match], Program]


def new_table(name: str, positions: Positions, side: int) -> Learned:
    """Return a new table for a preset, or the weights for `random`."""
    if name == "random":
        nothing = np.zeros(positions.move_count, np.int64)
        return Learned(nothing != 0, fixed_weights(name, positions).copy(), nothing)
    learned: Learned = PRESETS[name].settings.fresh(positions, side)
    return learned


def kernel_factory(module: ModuleType) -> Factory:
    """Return a function that sets up a match for `module`, which is the kernel or its uncompiled source."""

    def make_player(name: str, positions: Positions, side: int, graph: Any, learned: Learned) -> Any:
        if name == "random":
            return module.FixedPlayer(graph, learned.amount, positions.action_counts)
        preset = PRESETS[name]
        with ExitStack() as stack:
            for module_name, user in tuple(sys.modules.items()):
                if module_name.startswith("menace.learners.") and hasattr(user, "kernel"):
                    stack.enter_context(mock.patch.object(user, "kernel", module))
            machine = Machine.fresh(LEARNERS[preset.algorithm], preset.settings, positions, side)
            machine.learned = learned
            return machine.kernel_player(graph)

    def make(positions: Positions, match: Match) -> Program:
        graph = module.Graph(positions)
        record = module.Record(*(np.zeros(positions.longest, kind) for kind in (np.int32, np.int32, np.int8, np.int8)))
        names = (match.x, match.o)
        learned = [new_table(name, positions, side) for side, name in enumerate(names)]
        seats = [make_player(name, positions, side, graph, learned[side]) for side, name in enumerate(names)]
        outcomes = np.zeros(3, np.int64)
        counts = module.view(outcomes)

        numbers = module.RawNumbers(np.random.PCG64(SEED))

        def play(games: int) -> int:
            used: int = module.play_games(graph, *seats, record, numbers, games, counts)[1]
            return used

        return Program(play, outcomes, learned)

    return make


class Score(ctypes.Structure):
    """The result of a C function: the number of games played and the number of random numbers used."""

    _fields_ = (("games", ctypes.c_int64), ("numbers", ctypes.c_int64))


Arrays: TypeAlias = list[tuple[NDArray[Any], ...]]  # the game and each player, as C structs


def matchbox_arrays(positions: Positions, learned: list[Learned]) -> Arrays:
    """Return the arrays that kernel.c reads and writes."""
    choice = (positions.action_counts > 1).astype(np.int8)
    arrays: Arrays = [(positions.first_move, positions.next_or_end, choice)]
    first = initial_beads(PRESETS["menace"].settings, positions)
    for table in learned:
        arrays += [(table.amount, positions.sum_over_moves(table.amount).astype(np.int32), first, table.count)]
    return arrays


def c_structs(arrays: Arrays) -> list[Any]:
    """Return C structs that contain the addresses of the arrays. The caller must keep the arrays alive."""
    return [(ctypes.c_void_p * len(group))(*(array.ctypes.data for array in group)) for group in arrays]


def c_factory(library: ctypes.CDLL) -> Factory:
    """Return a function that sets up a match for the C program."""

    def make(positions: Positions, match: Match) -> Program:
        function = getattr(library, match.function)
        function.restype = Score
        learned = [new_table(name, positions, side) for side, name in enumerate((match.x, match.o))]
        outcomes = np.zeros(3, np.int64)
        if match.x == "menace":  # kernel.c generates its random numbers
            arrays = matchbox_arrays(positions, learned)
            boxes, seed = c_structs(arrays), generator_words(SEED)
            function.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int64, ctypes.c_void_p]

            def play_boxes(games: int, _: object = arrays) -> int:
                # `_` keeps the arrays alive, because the C structs store only their addresses.
                used: int = function(*boxes, seed.ctypes.data, games, outcomes.ctypes.data).numbers
                return used

            return Program(play_boxes, outcomes, learned)
        arrays = [
            (
                positions.first_move,
                positions.next_position,
                positions.multiplicity,
                positions.action_counts,
                positions.outcome,
            )
        ]
        arrays += [(table.amount, table.count, table.state, table.half_difference) for table in learned]
        structs, buffer = c_structs(arrays), Buffer()
        function.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int64] * 2 + [ctypes.c_void_p]

        def play(games: int, _: object = arrays) -> int:
            used = 0
            while games > 0:
                buffer.refill()
                numbers = buffer.numbers
                score = function(*structs, numbers.ctypes.data, len(numbers), games, outcomes.ctypes.data)
                buffer.left -= score.numbers
                games, used = games - score.games, used + score.numbers
            return used

        return Program(play, outcomes, learned)

    return make


@contextmanager
def compile_c_programs(positions: Positions | None = None) -> Iterator[ctypes.CDLL]:
    """Compile the C programs for a game (tic-tac-toe by default) into a temporary folder, and load the library."""
    other = positions is not None and positions.title != TIC_TAC_TOE
    defines = [f"-DLONGEST={positions.longest}"] if positions is not None and other else []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.so"
        sources = [str(Path(__file__).with_name(name)) for name in SOURCES]
        subprocess.run(["gcc", *FLAGS, *defines, *sources, "-lm", "-o", str(path)], check=True)
        yield ctypes.CDLL(str(path))


def load_uncompiled_kernel() -> ModuleType:
    """Load the kernel's source under a different name, because a normal import loads the compiled kernel."""
    path = Path(kernel.__file__).with_name("loop.py")
    spec = importlib.util.spec_from_file_location("uncompiled_kernel", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.cython.compiled is False
    return module


def play_alternately(programs: list[Program], games: int) -> list[float]:
    """Play the same games alternately with two programs, compare the results, and return both times in seconds."""
    times = [0.0, 0.0]
    for number, start in enumerate(range(0, games, SLICE)):
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            times[which] += programs[which].seconds(min(SLICE, games - start))
    if programs[0].state() != programs[1].state():
        sys.exit("FAILS  the programs differ in learned values, outcomes or the number of random numbers")
    return times


def count_instructions(match: Match, library: ctypes.CDLL, requests: ctypes.CDLL) -> None:
    """Play a match with each program under Callgrind, which writes instruction counts to files."""
    for maker in (kernel_factory(kernel), c_factory(library)):
        program = maker(tictactoe(), match)
        program.play(1)  # excludes the work of the first call
        requests.begin_counting()
        program.play(COUNTED_GAMES)
        requests.end_counting(str(match).encode())


def read_counts(folder: Path) -> list[int]:
    """Return the number of instructions in each Callgrind dump in a folder, in order of creation."""
    dumps = sorted(folder.glob("counts.*"), key=lambda path: int(path.name.split(".")[1]))
    totals = [re.search(r"^totals: (\d+)", path.read_text(), re.MULTILINE) for path in dumps]
    return [int(total[1]) for total in totals if total and int(total[1])]


def check_instructions() -> int:
    """Compare the instruction ratio of each match with the one in MATCHES, and return the exit status."""
    source = str(Path(__file__).with_name("callgrind.c"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["gcc", "-shared", "-fPIC", source, "-o", str(folder / "requests.so")], check=True)
        callgrind = ("valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no")
        out = f"--callgrind-out-file={folder / 'counts'}"
        this = (sys.executable, __file__, "--counted-by", str(folder / "requests.so"))
        subprocess.run([*callgrind, out, *this], check=True, stderr=subprocess.DEVNULL)
        counts = read_counts(folder)
    hold = True
    for match, ours, theirs in zip(MATCHES, counts[::2], counts[1::2], strict=True):
        ratio, most = ours / theirs, match.instructions * MAX_GROWTH
        hold &= ratio <= most
        print(
            f"{'holds' if ratio <= most else 'FAILS'}  {match}: {ours / COUNTED_GAMES:,.0f} instructions per game,"
            f" C {theirs / COUNTED_GAMES:,.0f}, ratio {ratio:.3f}, at most {most:.3f}"
        )
    return 0 if hold else 1


def main() -> int:
    """Run all measurements and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--match", choices=[match.x for match in MATCHES], help="run only the matches of this preset")
    parser.add_argument("--game", default="tictactoe", help="the game to play (default tictactoe)")
    parser.add_argument("--variant", help="variant of the game")
    parser.add_argument("--check", action="store_true", help="count instructions instead of measuring time")
    # `check` starts the program again with this internal option
    parser.add_argument("--counted-by", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not kernel.COMPILED:
        sys.exit("the kernel is not compiled; see CONTRIBUTING.md")
    if options.check:
        return check_instructions()
    if options.counted_by:
        with compile_c_programs() as library:
            for match in MATCHES:
                count_instructions(match, library, ctypes.CDLL(options.counted_by))
        return 0
    positions = enumerate_positions(get_game(*filter(None, (options.game, options.variant))))
    print(positions)

    def measure(match: Match, makers: dict[str, Factory], games: int) -> float:
        """Print games per second, and the minimum, median and maximum ratio of the second time to the first.

        Return the median ratio.
        """
        rounds = [
            play_alternately([make(positions, match) for make in makers.values()], games) for _ in range(options.rounds)
        ]
        rates = [
            f"{name} {games / median(t):,.0f}/s" for name, t in zip(makers, zip(*rounds, strict=True), strict=True)
        ]
        ratios = [second / first for first, second in rounds]
        spread = " .. ".join(f"{ratio:.2f}" for ratio in (min(ratios), median(ratios), max(ratios)))
        print(f"{match}: {', '.join(rates)}, ratio {spread}")
        return median(ratios)

    hold = True
    with compile_c_programs(positions) as library:
        compiled, uncompiled = kernel_factory(kernel), kernel_factory(load_uncompiled_kernel())
        both = {"kernel": compiled, "C": c_factory(library)}
        for match in MATCHES:
            if options.match not in {None, match.x}:
                continue
            ratio = measure(match, both, options.games)
            hold &= ratio >= BUDGET
            print(f"{'holds' if ratio >= BUDGET else 'FAILS'}  {match}: {ratio:.2f}, at least {BUDGET}", flush=True)
            measure(match, {"compiled": compiled, "uncompiled": uncompiled}, UNCOMPILED_GAMES)
    return 0 if hold else 1


if __name__ == "__main__":
    sys.exit(main())
