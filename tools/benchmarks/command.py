"""Benchmark whole commands against their budgets, running them alternately with reference programs.

    python tools/benchmarks/command.py [--rounds 7] [--games 10000000]

The program prints the medians and the ratio for each budget, and exits with 1 if a budget is exceeded. It requires gcc.
Some measurements commit to databases in the temporary folder; set TMPDIR to choose the disk.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np

from menace.games.enumeration import tictactoe
from menace.learners.algorithms.beads import initial_beads
from menace.learners.machine import Machine
from menace.ledger.create_and_open import open_database

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.kernel import FLAGS, c_structs, generator_words

MENACE = str(Path(sys.executable).with_name("menace"))
KIB_PER_MB = 1024  # ru_maxrss is in KiB
# Let Python cache compiled modules, as it does by default.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

KERNEL_ALONE = """
import sys, time, math, menace
from menace.arena.play import Arena
from menace.arena.play import raw_numbers
from menace.learners.machine import Machine
arena = Arena(menace.Database(sys.argv[1]).positions)
players = [Machine("menace", plays, arena.positions).kernel_player(arena.graph) for plays in "XO"]
start = time.perf_counter()
arena.play(*players, raw_numbers(1, 0), int(sys.argv[2]), math.inf)
print(time.perf_counter() - start)
"""

SOLVE = """
from menace import enumerate_positions, get_game
enumerate_positions(get_game("tictactoe", "4x4x4"))
"""

# Every command that loads a learner's whole table takes at least this long to start.
LOAD = """
import sys
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import named_machine
with open_database(sys.argv[1]) as store:
    named_machine(store, "menace-x")
"""

MEASURE = """
import sys, time, menace
from menace.arena.exact_strength import StrengthMeter
machine = menace.Database(sys.argv[1])["menace-x"].machine()
meter, times = StrengthMeter(machine.positions, machine.side), []
for _ in range(2000):
    start = time.perf_counter()
    meter.measure(machine)
    times.append(time.perf_counter() - start)
print(sorted(times)[1000])
"""

# Operations that a notebook performs repeatedly on an open file.
QUICK = """
import sys, time, statistics, menace
db = menace.Database(sys.argv[1])
store = db.store
def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
def commit():
    with store.transaction():
        store.database.execute("UPDATE learner SET games = games + 1 WHERE name = 'menace-x'")
        store.database.execute("UPDATE learner SET games = games - 1 WHERE name = 'menace-x'")
times = [(seconds(lambda: db.selfplay(games=1000, seed=number)),
          seconds(lambda: db.new(f"new {number}", "X")), seconds(commit)) for number in range(31)]
print(*map(statistics.median, zip(*times)))
"""


def run(*command: str) -> tuple[float, float, str, float]:
    """Run a command, and return its wall time in seconds, peak memory in MB, output and processor time in seconds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        sys.exit(f"{' '.join(command)} failed")
    process.returncode = 0
    return seconds, usage.ru_maxrss / KIB_PER_MB, printed, usage.ru_utime + usage.ru_stime


def python_command(code: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs `code` in Python."""
    return (sys.executable, "-c", code, *arguments)


def medians_alternating(rounds: int, *measured: Callable[[], float]) -> list[float]:
    """Call the functions alternately, and return the median result of each function, excluding its first result."""
    results: list[list[float]] = [[] for _ in measured]
    for number in range(rounds + 1):
        for function, times in zip(measured, results, strict=True):
            value = function()
            if number:
                times.append(value)
    return [median(times) for times in results]


class Budgets:
    """Prints each budget and records whether all budgets are met."""

    def __init__(self) -> None:
        self.hold = True

    def check_at_most(self, label: str, value: float, most: float, details: str) -> None:
        """Print a value with its maximum, and record whether the value exceeds the maximum."""
        self.hold &= value <= most
        print(
            f"{'holds' if value <= most else 'FAILS'}  {label}: {value:.2f}, at most {most:g}  ({details})", flush=True
        )

    def check_at_least(self, label: str, value: float, least: float, details: str) -> None:
        """Print a value with its minimum, and record whether the value reaches the minimum."""
        self.hold &= value >= least
        print(
            f"{'holds' if value >= least else 'FAILS'}  {label}: {value:.2f}, at least {least:g}  ({details})",
            flush=True,
        )


def check_calls_from_python(budgets: Budgets, database: str) -> None:
    """Measure a short run and the creation of a learner in an open file, each as the median of 31 repetitions."""
    printed = run(*python_command(QUICK, database))[2]
    short, new, commit = map(float, printed.split())
    details = f"median of 31, including two commits of {1000 * commit:.1f} ms"
    budgets.check_at_most("a run of 1,000 games from Python in s", short, 0.03, details)
    budgets.check_at_most("a new learner from Python in ms", 1000 * new, 3.0, "median of 31, including one commit")


def time_limit_program(library: ctypes.CDLL, games: int, seed: int) -> tuple[float, list[int]]:
    """Play games with limit.c, and return the processor time in seconds and the number of games with each outcome."""
    positions, outcomes = tictactoe(), np.zeros(3, np.int64)
    x, o = (Machine("menace", plays) for plays in ("X", "O"))
    beads = np.where(positions.moved_by(0)[positions.position_of_move], x.learned.amount, o.learned.amount)
    boxes = (beads, positions.sum_over_moves(beads).astype(np.int32), initial_beads(x.settings, positions))
    structs = c_structs([(positions.first_move, positions.next_position, positions.outcome), boxes])
    state, function = generator_words(seed), library.play_limit
    function.restype, function.argtypes = None, [ctypes.c_void_p] * 3 + [ctypes.c_int64, ctypes.c_void_p]
    start = time.process_time()
    function(*structs, state.ctypes.data, games, outcomes.ctypes.data)
    return time.process_time() - start, outcomes.tolist()


@contextmanager
def compile_limit_program() -> Iterator[ctypes.CDLL]:
    """Compile limit.c for this processor into a temporary folder, and load the library."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "limit.so"
        source = str(Path(__file__).with_name("limit.c"))
        subprocess.run(["gcc", *FLAGS, "-march=native", source, "-o", str(path)], check=True)
        yield ctypes.CDLL(str(path))


def check_speed_against_limit(budgets: Budgets, library: ctypes.CDLL, rounds: int, games: int, folder: Path) -> None:
    """Compare the command, without its start-up time, with the fastest C program that we can write.

    Both run on one processor.
    """
    database, played = folder / "fresh.db", []

    def selfplay(count: int) -> float:
        database.unlink(missing_ok=True)
        return run(MENACE, "selfplay", "--seed", "1", "--games", str(count), "--db", str(database))[3]

    def whole() -> float:
        seconds = selfplay(games)
        with open_database(database) as store:
            blocks = store.blocks()
        played.append([sum(getattr(block, column) for block in blocks) for column in ("x_wins", "draws", "o_wins")])
        return seconds

    def limit() -> float:
        seconds, outcomes = time_limit_program(library, games, 1)
        played.append(outcomes)
        return seconds

    command, start, c = medians_alternating(rounds, whole, lambda: selfplay(1), limit)
    if any(outcomes != played[0] for outcomes in played):
        sys.exit("FAILS  the command and the C program played different games")
    details = f"processor time: C {c:.2f} s, whole command {command:.2f} s, start-up {start:.2f} s"
    budgets.check_at_least(f"limit / selfplay of {games:,} games without start-up", c / (command - start), 0.8, details)


def check_memory_of_long_run(budgets: Budgets, folder: Path) -> None:
    """Check that a long run needs no more memory than a short one."""

    def megabytes(games: int) -> float:
        fresh = folder / "fresh.db"
        fresh.unlink(missing_ok=True)
        return run(MENACE, "selfplay", "--seed", "1", "--games", str(games), "--db", str(fresh))[1]

    long, short = megabytes(100_000_000), megabytes(10_000)
    details = f"{long:.1f} MB / {short:.1f} MB"
    budgets.check_at_most("memory of a run of 100,000,000 games / of 10,000", long / short, 1.1, details)


def check_speed_of_long_run(budgets: Budgets, rounds: int, games: int, database: str, folder: Path) -> None:
    """Compare the command, without its start-up time, with the kernel alone, which plays the same games."""
    memory = 0.0

    def selfplay(count: int) -> float:
        nonlocal memory
        fresh = folder / "fresh.db"
        fresh.unlink(missing_ok=True)
        seconds, megabytes, *_ = run(MENACE, "selfplay", "--seed", "1", "--games", str(count), "--db", str(fresh))
        memory = max(memory, megabytes)
        return seconds

    whole, kernel, start = medians_alternating(
        rounds,
        lambda: selfplay(games),
        lambda: float(run(*python_command(KERNEL_ALONE, database, str(games)))[2]),
        lambda: selfplay(1),
    )
    details = f"whole command {whole:.2f} s, start-up {start:.2f} s, kernel with its random numbers {kernel:.2f} s"
    budgets.check_at_most(
        f"selfplay of {games:,} games without start-up / kernel", (whole - start) / kernel, 1.5, details
    )
    budgets.check_at_most("memory of that command in MB", memory, 150, "largest resident set")


def main() -> int:
    """Run all measurements and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=10_000_000)
    arguments = parser.parse_args()
    rounds, budgets = arguments.rounds, Budgets()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = str(folder / "menace.db")
        run(MENACE, "selfplay", "--games", "1000", "--seed", "1", "--db", database)

        def timed(*command: str) -> Callable[[], float]:
            return lambda: run(*command)[0]

        def init() -> float:
            (folder / "new.db").unlink(missing_ok=True)
            return run(MENACE, "init", "--db", str(folder / "new.db"))[0]

        help_, click = medians_alternating(2 * rounds, timed(MENACE, "--help"), timed(*python_command("import click")))
        budgets.check_at_most("menace --help / import click", help_ / click, 1.5, f"{help_:.3f} s / {click:.3f} s")
        show, opened, numpy = medians_alternating(
            2 * rounds,
            lambda: run(MENACE, "show", "X...O....", "--learner", "menace-x", "--db", database)[3],
            lambda: run(*python_command("from menace import Database"))[3],
            lambda: run(*python_command("import numpy"))[3],
        )
        budgets.check_at_most(
            "menace show / import numpy", show / numpy, 1.25, f"processor time: {show:.3f} s / {numpy:.3f} s"
        )
        details = f"processor time: {opened:.3f} s / {numpy:.3f} s"
        budgets.check_at_most("from menace import Database / import numpy", opened / numpy, 1.5, details)
        made, bare = medians_alternating(rounds, init, timed(*python_command("pass")))
        budgets.check_at_most(
            "menace init without the start of Python, in s", made - bare, 1.0, f"{made:.3f} s - {bare:.3f} s"
        )
        strength, listed = medians_alternating(
            2 * rounds, timed(MENACE, "strength", "menace-x", "--db", database), timed(*python_command(LOAD, database))
        )
        details = f"{strength:.3f} s - {listed:.3f} s"
        budgets.check_at_most("menace strength without loading the machine, in s", strength - listed, 0.1, details)
        (measured,) = medians_alternating(rounds, lambda: 1e6 * float(run(*python_command(MEASURE, database))[2]))
        budgets.check_at_most(
            "exact strength of a machine against three opponents, in µs", measured, 10, "median of 2,000"
        )
        check_calls_from_python(budgets, database)
        check_speed_of_long_run(budgets, rounds, arguments.games, database, folder)
        with compile_limit_program() as library:
            check_speed_against_limit(budgets, library, rounds, 2 * arguments.games, folder)
        check_memory_of_long_run(budgets, folder)
        (solved,) = medians_alternating(rounds, timed(*python_command(SOLVE)))
        budgets.check_at_most("enumerating and solving 4x4x4, in s", solved, 2.0, "whole process")
        budgets.check_at_most(
            "memory of that process in MB", run(*python_command(SOLVE))[1], 300, "largest resident set"
        )
    return 0 if budgets.hold else 1


if __name__ == "__main__":
    sys.exit(main())
