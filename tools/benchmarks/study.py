"""Benchmark studies: machines a second, processes, what bookkeeping costs.

    python tools/benchmarks/study.py [--seeds N] [--simulated N] [--rounds N] [--dask]
    python tools/benchmarks/study.py --costs  what a machine, a game and a mark cost, in several games

The study is 6 settings x 2 opponents, 220 games each, ten marks, each measured against three opponents; with
the default of 834 seeds 10,008 machines. `--simulated` is how many machines the bookkeeping is tried with, at marks 0
and 220: their rows are made up. `--dask` compares a LocalCluster of two workers, too (the extra `study`). Times are
of a clock and of processors. What is compared is run in turn, `--rounds` times, and the medians of its ratios, with the
least and the most: by the clock, which mean something on a quiet machine of two cores alone, and by processor time, as
two cores that have nothing else to do would share it.
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
AGAINST = ["perfect", "random"]
MB = 1e6
COSTED = (("hexapawn", "3x3"), ("nim", "3-4-5"), ("tictactoe", "3x3x3"), ("connect", "4x4x3"), ("tictactoe", "4x4x3"))
LARGE = 10_000  # positions


def processor_seconds(who: int = resource.RUSAGE_SELF) -> float:
    """Return the processor time of this process, or of its children that have ended."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def timed(action: Callable[[], object]) -> Times:
    """Return the seconds of an action by the clock, of this process's processor, and of its children's."""
    own, children, start = processor_seconds(), processor_seconds(resource.RUSAGE_CHILDREN), time.perf_counter()
    action()
    wall = time.perf_counter() - start
    return wall, processor_seconds() - own, processor_seconds(resource.RUSAGE_CHILDREN) - children


def report(what: str, seconds: Times, more: str = "") -> None:
    """Print a line."""
    wall, own, children = seconds
    print(f"{what:44} {wall:7.2f} s by the clock, {own:6.2f} s of the processor, {children:6.2f} s of workers{more}")


def study_in(folder: Path, name: str, seeds: int) -> Study:
    """Return the benchmark's study in a new file."""
    return Study(folder / f"{name}.study", against=AGAINST, grid=GRID, games=220, seeds=seeds)


def timed_on_dask(folder: Path, name: str, seeds: int) -> Times:
    """Return the seconds of a study on a cluster of two processes of this computer, which have begun and played."""
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.wait_for_workers(2)
        study_in(folder, f"warm {name}", 40).run(client.get_executor(), workers=2)
        before = sum(client.run(processor_seconds).values())
        wall, own, _ = timed(lambda: study_in(folder, name, seeds).run(client.get_executor(), workers=2))
        return wall, own, sum(client.run(processor_seconds).values()) - before


def compare(folder: Path, seeds: int, rounds: int, dask: bool) -> None:
    """Run a study in this process, in two, and on a cluster of two, in turn; print times, and medians of ratios."""
    study_in(folder, "warm", 40).run(workers=1)
    ratios: dict[str, list[float]] = {}
    for number in range(rounds):
        study = study_in(folder, f"one{number}", seeds)
        alone = timed(lambda study=study: study.run(workers=1))
        size = Path(study.path).stat().st_size / MB
        report(f"{study.design.machines:,} machines in this process", alone, f", {size:.1f} MB")
        report("the same again, nothing left", timed(lambda study=study: study.run(workers=1)))
        pair = timed(lambda number=number: study_in(folder, f"two{number}", seeds).run(workers=2))
        report("two processes", pair)
        new = {
            "two processes, times as fast by the clock": alone[0] / pair[0],
            "two processes, times as fast by processor time": 2 * sum(alone[1:]) / sum(pair[1:]),
            "the parent, of a worker's processor time": 2 * pair[1] / pair[2],
        }
        if dask:
            cluster = timed_on_dask(folder, f"cluster{number}", seeds)
            report("a LocalCluster of two", cluster)
            new["a LocalCluster, times as long by the clock"] = cluster[0] / pair[0]
            new["a LocalCluster, times as much processor time"] = sum(cluster[1:]) / sum(pair[1:])
        for what, ratio in new.items():
            ratios.setdefault(what, []).append(ratio)
    for what, values in ratios.items():
        print(f"{what:50} {median(values):.2f} ({min(values):.2f} to {max(values):.2f})")


def made_up(chunk: Chunk) -> ChunkResult:
    """Return a result without playing."""
    shape = len(chunk.seeds), len(chunk.marks), len(chunk.policies), MEASURES
    return ChunkResult(np.full(shape, 1 / 3), 0.05, "none", "none")


def bookkeeping(folder: Path, machines: int) -> None:
    """Write the rows of many machines that were never played, a quarter, a half, and all of them."""
    with mock.patch.object(runner, "play_chunk", made_up), mock.patch.object(runner, "CHUNK_SECONDS", 10.0):
        for part in (4, 2, 1):
            study = Study(folder / "simulated.study", games=220, seeds=machines // part, marks="0,220")
            seconds = timed(lambda study=study: study.run(workers=1))
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            report(f"bookkeeping up to {machines // part:,} machines", seconds, f", {most:.0f} MB at most so far")


def costs() -> None:
    """Print what a new machine, a game and a measurement cost, in processor time, of the preset menace as X."""
    print(f"{'game':22} {'positions':>9} {'a machine':>12} {'a game':>10} {'a mark':>12}")
    for game, variant in COSTED:
        design = Design(game=game, variant=variant)
        (setting,) = design.all_settings()
        many, few = (40, 2_000) if len(create_players(setting.definition, b"", 0)[0].positions) < LARGE else (3, 200)
        spent = {}
        for games, marks in ((few, 2), (10 * few, 2), (few, 12)):
            chunk = Chunk(1, setting.text, b"", games, spread(games, marks), ("behaviour",), tuple(range(many)))
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


def spread(games: int, marks: int) -> tuple[int, ...]:
    """Return so many marks, evenly apart, from 0 to the end."""
    return tuple(games * mark // (marks - 1) for mark in range(marks))


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=834)
    parser.add_argument("--simulated", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--costs", action="store_true")
    arguments = parser.parse_args()
    if arguments.costs:
        costs()
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare(folder, arguments.seeds, arguments.rounds, arguments.dask)
        bookkeeping(folder, arguments.simulated)


if __name__ == "__main__":
    main()
