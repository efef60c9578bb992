"""Benchmark studies: machines a second, processes, what bookkeeping costs.

    python tools/benchmark_study.py [--seeds N] [--simulated N] [--dask]

The study is 6 settings x 2 opponents, 220 games each, ten marks, each measured against three opponents; with
the default of 834 seeds 10,008 machines. `--simulated` is how many machines the bookkeeping is tried with, at marks 0
and 220: their rows are made up. `--dask` compares a LocalCluster of two workers, too (the extra `study`). Times are
of a clock and of processors; the ratios of processes mean something on a quiet machine of two cores or more alone.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import numpy as np

from menace.studies import runner
from menace.studies.chunk import MEASURES, Chunk, ChunkResult
from menace.studies.study import Study

GRID = {"win": [1, 3, 5], "draw": [0, 1]}
AGAINST = ["perfect", "random"]
MB = 1e6


def processor_seconds(who: int = resource.RUSAGE_SELF) -> float:
    """Return the processor time of this process, or of its children that have ended."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def timed(action: Callable[[], object]) -> tuple[float, float, float]:
    """Return the seconds of an action by the clock, of this process's processor, and of its children's."""
    own, children, start = processor_seconds(), processor_seconds(resource.RUSAGE_CHILDREN), time.perf_counter()
    action()
    wall = time.perf_counter() - start
    return wall, processor_seconds() - own, processor_seconds(resource.RUSAGE_CHILDREN) - children


def report(what: str, seconds: tuple[float, float, float], more: str = "") -> None:
    """Print a line."""
    wall, own, children = seconds
    print(f"{what:44} {wall:7.2f} s by the clock, {own:6.2f} s of the processor, {children:6.2f} s of workers{more}")


def study_in(folder: Path, name: str, seeds: int) -> Study:
    """Return the benchmark's study in a new file."""
    return Study(folder / f"{name}.study", against=AGAINST, grid=GRID, games=220, seeds=seeds)


def on_dask(study: Study) -> Callable[[], object]:
    """Return what runs a study on a cluster of two processes of this computer, which is there already."""
    from distributed import Client, LocalCluster

    client = Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
    executor = client.get_executor()
    executor.submit(int).result()
    return lambda: study.run(executor, workers=2)


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


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=834)
    parser.add_argument("--simulated", type=int, default=1_000_000)
    parser.add_argument("--dask", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study_in(folder, "warm", 1).run(workers=1)
        single = study_in(folder, "one", arguments.seeds)
        alone = timed(lambda: single.run(workers=1))
        size = Path(single.path).stat().st_size / MB
        report(f"{single.design.machines:,} machines in this process", alone, f", {size:.1f} MB")
        report("the same again, nothing left", timed(lambda: single.run(workers=1)))
        pair = timed(lambda: study_in(folder, "two", arguments.seeds).run(workers=2))
        shares = f": {alone[0] / pair[0]:.2f} times as fast; the parent {pair[1] / (pair[2] / 2):.0%} of a worker"
        report("two processes", pair, shares)
        if arguments.dask:
            cluster = timed(on_dask(study_in(folder, "dask", arguments.seeds)))
            report("a LocalCluster of two", cluster, f": {cluster[0] / pair[0]:.2f} times as long as two processes")
        bookkeeping(folder, arguments.simulated)


if __name__ == "__main__":
    main()
