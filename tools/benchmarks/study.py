"""Benchmark studies: machines per second, the speed-up from several processes, and the cost of bookkeeping.

    python tools/benchmarks/study.py [--seeds N] [--simulated N] [--rounds N] [--dask]
    python tools/benchmarks/study.py --costs  the cost of a machine, a game and a mark, in several games

The study combines 6 settings with 2 opponents. With the default of 834 seeds, the study trains 10,008 machines. Each
machine plays 220 games and is measured against three opponents at ten marks. The bookkeeping is measured with
`--simulated` machines, whose results at marks 0 and 220 are invented. With `--dask`, the study also runs on a
LocalCluster of two workers, which requires the extra `study`.

The different ways of running the study take turns, and `--rounds` sets the number of turns. The program prints wall and
processor times, and the median, minimum and maximum of each ratio. Ratios of wall times are meaningful only on an idle
computer with two cores. Ratios of processor times assume that two idle cores share the work.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeAlias
from unittest import mock

import numpy as np

from menace.studies import runner
from menace.studies.design import Design
from menace.studies.runner import MEASURES, Chunk, ChunkResult, create_players, play_chunk
from menace.studies.study import Study

Times: TypeAlias = tuple[float, float, float]
GRID = {"win": [1, 3, 5], "draw": [0, 1]}
OPPONENTS = ["perfect", "random"]
MB = 1e6
COSTED_GAMES = (
    ("hexapawn", "3x3"),
    ("nim", "3-4-5"),
    ("tictactoe", "3x3x3"),
    ("connect", "4x4x3"),
    ("tictactoe", "4x4x3"),
)
LARGE_GAME = 10_000  # positions


def processor_seconds(who: int = resource.RUSAGE_SELF) -> float:
    """Return the processor time of this process, or of its finished children, in seconds."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def time_action(action: Callable[[], object]) -> Times:
    """Run an action.

    Return the wall time of the action and the processor times of this process and its children, in seconds.
    """
    own, children, start = processor_seconds(), processor_seconds(resource.RUSAGE_CHILDREN), time.perf_counter()
    action()
    wall = time.perf_counter() - start
    return wall, processor_seconds() - own, processor_seconds(resource.RUSAGE_CHILDREN) - children


def report(label: str, seconds: Times, more: str = "") -> None:
    """Print a line with the three times that `time_action` returns."""
    wall, own, children = seconds
    print(f"{label:44} {wall:7.2f} s wall time; processor: {own:6.2f} s, workers {children:6.2f} s{more}")


def make_study(folder: Path, name: str, seeds: int) -> Study:
    """Create the study for the benchmark in a new file."""
    return Study(folder / f"{name}.study", against=OPPONENTS, grid=GRID, games=220, seeds=seeds)


def time_on_dask(folder: Path, name: str, seeds: int) -> Times:
    """After a warm-up, run a study on a local cluster of two processes, and return the times."""
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.wait_for_workers(2)
        make_study(folder, f"warm {name}", 40).run(client.get_executor(), workers=2)
        before = sum(client.run(processor_seconds).values())
        wall, own, _ = time_action(lambda: make_study(folder, name, seeds).run(client.get_executor(), workers=2))
        return wall, own, sum(client.run(processor_seconds).values()) - before


def compare_processes(folder: Path, seeds: int, rounds: int, dask: bool) -> None:
    """Run a study alternately in one process, in two processes and on a cluster; print the times and median ratios."""
    make_study(folder, "warm", 40).run(workers=1)
    ratios: dict[str, list[float]] = {}
    for number in range(rounds):
        study = make_study(folder, f"one{number}", seeds)
        alone = time_action(lambda study=study: study.run(workers=1))
        size = Path(study.path).stat().st_size / MB
        report(f"{study.design.machine_count:,} machines in this process", alone, f", {size:.1f} MB")
        report("the same study again, already complete", time_action(lambda study=study: study.run(workers=1)))
        pair = time_action(lambda number=number: make_study(folder, f"two{number}", seeds).run(workers=2))
        report("two processes", pair)
        new = {
            "two processes, speed-up in wall time": alone[0] / pair[0],
            "two processes, speed-up in processor time": 2 * sum(alone[1:]) / sum(pair[1:]),
            "processor time of the parent / of a worker": 2 * pair[1] / pair[2],
        }
        if dask:
            cluster = time_on_dask(folder, f"cluster{number}", seeds)
            report("a LocalCluster of two", cluster)
            new["a LocalCluster / two processes, wall time"] = cluster[0] / pair[0]
            new["a LocalCluster / two processes, processor time"] = sum(cluster[1:]) / sum(pair[1:])
        for what, ratio in new.items():
            ratios.setdefault(what, []).append(ratio)
    for what, values in ratios.items():
        print(f"{what:50} {median(values):.2f} ({min(values):.2f} to {max(values):.2f})")


def invented_result(chunk: Chunk) -> ChunkResult:
    """Return a result with invented numbers, without playing any games."""
    shape = len(chunk.seeds), len(chunk.marks), len(chunk.policies), MEASURES
    return ChunkResult(np.full(shape, 1 / 3), 0.05, "none", "none")


def measure_bookkeeping(folder: Path, machines: int) -> None:
    """Measure how long it takes to write the rows of a quarter, half and all of `machines` simulated machines."""
    with mock.patch.object(runner, "play_chunk", invented_result), mock.patch.object(runner, "TASK_SECONDS", 10.0):
        for part in (4, 2, 1):
            study = Study(folder / "simulated.study", games=220, seeds=machines // part, marks="0,220")
            seconds = time_action(lambda study=study: study.run(workers=1))
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            report(f"bookkeeping up to {machines // part:,} machines", seconds, f", peak {most:.0f} MB")


def print_costs() -> None:
    """Print the processor time for creating a machine (preset menace, X), playing a game and measuring the machine."""
    print(f"{'game':22} {'positions':>9} {'a machine':>12} {'a game':>10} {'a mark':>12}")
    for game, variant in COSTED_GAMES:
        design = Design(game=game, variant=variant)
        (setting,) = design.all_settings()
        many, few = (
            (40, 2_000) if len(create_players(setting.definition, b"", 0)[0].positions) < LARGE_GAME else (3, 200)
        )
        spent = {}
        for games, marks in ((few, 2), (10 * few, 2), (few, 12)):
            chunk = Chunk(
                1, setting.text, b"", games, evenly_spaced_marks(games, marks), ("behaviour",), tuple(range(many))
            )
            play_chunk(chunk)
            start = processor_seconds()
            play_chunk(chunk)
            spent[games, marks] = (processor_seconds() - start) / many
        base = spent[few, 2]
        a_game, a_mark = (spent[10 * few, 2] - base) / (9 * few), (spent[few, 12] - base) / 10
        a_machine = max(base - few * a_game - 2 * a_mark, 0.0)
        positions = len(create_players(setting.definition, b"", 0)[0].positions)
        name = f"{game} {design.variant}"
        print(f"{name:22} {positions:9,} {1e6 * a_machine:9.0f} us {1e9 * a_game:7.0f} ns {1e6 * a_mark:9.1f} us")


def evenly_spaced_marks(games: int, marks: int) -> tuple[int, ...]:
    """Return `marks` evenly spaced marks, from 0 to the last game."""
    return tuple(games * mark // (marks - 1) for mark in range(marks))


def main() -> None:
    """Run the benchmarks that the options select."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=834)
    parser.add_argument("--simulated", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--costs", action="store_true")
    arguments = parser.parse_args()
    if arguments.costs:
        print_costs()
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare_processes(folder, arguments.seeds, arguments.rounds, arguments.dask)
        measure_bookkeeping(folder, arguments.simulated)


if __name__ == "__main__":
    main()
