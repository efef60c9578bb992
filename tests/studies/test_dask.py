"""Tests that a study on Dask gives the same rows as a single process, even if a worker is killed during the run."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import Run, ok

from menace import Study

if importlib.util.find_spec("distributed") is None:
    reason = "distributed is not installed"
    if os.environ.get("MENACE_NO_SKIP") == "study":  # the step of .ci/run in which this file runs
        raise ImportError(reason)
    pytest.skip(reason, allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("default")  # Dask itself warns
OPTIONS: dict[str, Any] = {
    "grid": {"beads": [[4, 3, 2, 1], [8, 4, 2, 1]]},
    "against": ["perfect", {"preset": "zhang", "alpha": 0.2}],
    "games": 100,
    "seeds": 150,
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Return the rows that a single process computes."""
    study = Study(tmp_path_factory.mktemp("here") / "a.study", **OPTIONS).run(workers=1)
    return list(study.table().rows)


def test_cluster_with_killed_worker_gives_same_rows(cluster: Any, rows: list[Any], tmp_path: Path) -> None:
    from distributed import Client

    with Client(cluster) as client:
        before = set(client.run(os.getpid).values())
        victim = min(before)
        done: list[int] = []
        killed = threading.Event()

        def progress(machines: int) -> None:
            done.append(machines)
            if sum(done) > 50 and not killed.is_set():
                os.kill(victim, signal.SIGKILL)
                killed.set()

        study = Study(tmp_path / "a.study", **OPTIONS).run(client.get_executor(), progress=progress)
        assert killed.is_set()
        assert sum(done) == study.design.machine_count == 600
        assert study.failures() == []
        assert study.table().rows == rows
        assert victim not in client.run(os.getpid).values()


def test_command_runs_study_on_a_cluster(cluster: Any, rows: list[Any], run: Run) -> None:
    Path("a.toml").write_text(
        'against = ["perfect", {preset = "zhang", alpha = 0.2}]\ngames = 100\nseeds = 150\n'
        "[grid]\nbeads = [[4, 3, 2, 1], [8, 4, 2, 1]]\n"
    )
    command = [sys.executable, "-m", "menace", "study", "run", "a.toml", "--dask", cluster.scheduler_address]
    result = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "a.study: 600 machines measured"
    assert Study.open("a.study").table().rows == rows
    exported = ok(run("study", "export", "a.study", "a.parquet"))
    assert exported == f"a.parquet: {len(Study.open('a.study').table().rows):,} rows\n"


def test_unreachable_scheduler_prints_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("games = 3\nseeds = 3\n")
    environment = os.environ | {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"}
    command = [sys.executable, "-m", "menace", "study", "run", "a.toml", "--dask", "tcp://127.0.0.1:1"]
    options: dict[str, Any] = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True}
    result = subprocess.run(command, timeout=100, check=False, **options)
    assert result.returncode == 1
    assert result.stderr.startswith("menace: no Dask scheduler answers at tcp://127.0.0.1:1 (")
    assert len(result.stderr.splitlines()) == 1
