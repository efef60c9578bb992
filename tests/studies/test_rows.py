"""Tests that every row of a study equals that of a machine trained alone, however the study is run."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import Run, ok, refused, start_command
from kernel_games import load_uncompiled_kernel

import menace
from menace import Machine, Study
from menace.arena import exact_strength, play
from menace.errors import MenaceError
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.games.symmetry import SymmetryUse
from menace.learners import policy as policies
from menace.learners.algorithms import beads as matchboxes, odds
from menace.learners.player_to_policy import policy_of
from menace.learners.policy import Policy
from menace.ledger.store.study_file import StudyFile
from menace.ledger.training import measure
from menace.studies import runner
from menace.studies.runner import Chunk, ChunkResult

# Since Python 3.12, forking a process that has several threads causes a warning. The workers of a study share nothing
# with other threads.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
PLAY_CHUNK = runner.play_chunk  # the original function, which tests replace
Rows = set[tuple[Any, ...]]
SMALL: dict[str, Any] = {"grid": {"win": [1, 3], "draw": [0, 1]}, "against": ["perfect", "random"], "games": 50}
TWO: dict[str, Any] = {"grid": {"win": [1, 3]}, "against": "perfect", "games": 20}


def rows_of(study: Study) -> Rows:
    return {tuple(row) for row in study.table().rows}


def first_free(board: str) -> str:
    return str(board.index("."))


def corners(board: str, moves: list[str]) -> dict[str, float]:
    return {move: 3 if move in "0268" else 1 for move in moves}


@functools.cache
def positions_of(game: str, variant: str | None, symmetry: SymmetryUse) -> Positions:
    return enumerate_positions(get_game(game, variant), symmetry)


@functools.cache
def asked(function: Callable[..., Any], plays: Side, positions: Positions) -> Policy:
    return policy_of(function, plays, positions)


def played_alone(options: Mapping[str, Any], opponent: Any, cell: Mapping[str, Any], seed: int, mark: int) -> Machine:
    """Return a machine with the settings of a study that has been trained by `play_games`."""
    options = {"plays": "X", "preset": "menace", "symmetry": "full", **options, **cell}
    positions = positions_of(options.get("game", "tictactoe"), options.get("variant"), options["symmetry"])
    known = {"plays", "preset", "symmetry", "game", "variant", "against", "grid", "marks", "games", "policies", "seeds"}
    plays = Side(options["plays"])
    settings = {name: value for name, value in options.items() if name not in known}
    machine = Machine(options["preset"], plays, positions, seed, **settings)
    if isinstance(opponent, Mapping) and "preset" in opponent:
        other = {name: value for name, value in opponent.items() if name != "preset"}
        opponent = Machine(opponent["preset"], plays.other, positions, seed, **other)
    if callable(opponent):
        opponent = asked(opponent, plays.other, positions)
    if mark:
        menace.play_games(*plays.x_and_o(machine, opponent), games=mark, seed=seed)
    return machine


CASES: dict[str, dict[str, Any]] = {
    **{
        preset: {"preset": preset, "against": ["random", "optimal"], "games": 120}
        for preset in (
            "menace",
            "michie-1961",
            "article-code",
            "td",
            "sarsa",
            "double-q-learning",
            "ucb1",
            "michie-1963",
        )
    },
    **{f"{preset}, O": {"preset": preset, "plays": "O", "games": 60} for preset in ("menace", "sutton-barto", "sala")},
    "decaying exploration": {"preset": "q-table", "against": "imperfect:0.3", "games": 100},
    "sliding origin": {"preset": "michie-1963-hundreds", "games": 250, "marks": "every:50"},
    "random start": {"preset": "zhang-random", "against": {"preset": "zhang-random"}, "games": 40},
    "empty boxes": {"beads": (1,), "against": "perfect", "grid": {"when_empty": ["resign", "restock", "random"]}},
    "empty boxes, both policies": {
        "beads": (2, 1),
        "boxes": "all",
        "against": "perfect",
        "grid": {"when_empty": ["resign", "restock", "random", "restock-colour"]},
        "policies": ["behaviour", "greedy"],
        "games": 60,
    },
    "beads": {"grid": {"beads": [[4, 3, 2, 1], [8, 4, 2, 1]], "merged": [True, False]}, "games": 30},
    "both sides": {"grid": {"plays": ["X", "O"], "preset": ["menace", "td"]}, "games": 30},
    "1961": {"plays": "X", "against": "michie-1961", "games": 250},
    "curriculum": {"against": "random:30,imperfect:0.5:40,perfect", "games": 120, "marks": "every:25"},
    "function": {"plays": "O", "against": [first_free, corners], "games": 40, "marks": "0,20"},
    "table": {"against": [{"X........": "4"}], "plays": "X", "games": 40, "seeds": 2},
    "learners": {"against": [{"preset": "zhang", "alpha": 0.2}, {"preset": "menace"}], "games": 80},
    "no symmetry": {"grid": {"symmetry": ["full", "none"]}, "games": 30},
    "hexapawn": {"game": "hexapawn", "variant": "3x3", "preset": "gardner-1962", "plays": "O", "games": 40},
    "nim": {"game": "nim", "variant": "3-4-5", "preset": "sarsa", "policies": ["behaviour", "greedy"], "games": 60},
    "policies": {"preset": "td", "policies": ["behaviour", "greedy"], "games": 60},
    "marks in a list": {"marks": "0,7,33", "games": 40},
    "marks by logarithm": {"marks": "log:5", "games": 100, "seeds": range(2**62, 2**62 + 3)},
}


@pytest.mark.parametrize("name", CASES)
def test_rows_match_machines_played_alone(name: str, tmp_path: Path) -> None:
    options = {"seeds": 2, "against": "random", **CASES[name]}
    study = Study(tmp_path / "a.study", **options).run(workers=1)
    listed = options["against"] if isinstance(options["against"], list) else [options["against"]]
    opponents = dict(zip((s.factors["against"] for s in study.settings), listed, strict=False))
    grid = options.get("grid", {})
    marks, policies = study.design.all_marks, study.design.policies
    expected: Rows = set()
    for setting in study.settings:
        cell = {factor: setting.factors[factor] for factor in grid}
        words = [" ".join(map(str, value)) if isinstance(value, list) else value for value in cell.values()]
        against = setting.factors["against"]
        for seed in study.design.all_seeds:
            for mark in marks:
                machine = played_alone(options, opponents[against], cell, seed, mark)
                for policy in policies:
                    for opponent, (win, draw, loss) in measure(machine.policy(policy)).items():
                        draws = max(1 - win - loss, 0)
                        assert abs(draws - draw) < 1e-12
                        expected.add((*words, against, seed, mark, opponent, policy, win, draws, loss))
    assert rows_of(study) == expected
    assert len(expected) == len(study.settings) * study.design.seeds * len(marks) * len(policies) * 3


@pytest.mark.parametrize("name", ["empty boxes, both policies", "sliding origin", "1961"])
def test_uncompiled_kernel_gives_same_rows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"seeds": 2, "games": 60, **CASES[name]}
    study = Study(tmp_path / "a.study", **options)
    expected, setting = study.run(workers=1).table(), study.settings[0]
    engine = load_uncompiled_kernel()
    for module in (matchboxes, exact_strength, odds, play, policies, runner):
        monkeypatch.setattr(module, "kernel", engine)
    positions = runner.create_players(setting.definition, setting.weights, 0)[0].positions
    monkeypatch.setitem(vars(positions), "graph", engine.Graph(positions))
    monkeypatch.setattr(runner, "_cache", runner._SettingCache())
    monkeypatch.setattr(runner, "strength_meter", exact_strength.StrengthMeter)
    assert Study(tmp_path / "b.study", **options).run(workers=1).table() == expected


def test_study_phases_match_selfplay(tmp_path: Path) -> None:
    """At each mark, phases have the same effect as in `menace selfplay --phases`."""
    options: dict[str, Any] = {"preset": "td", "against": {"preset": "td"}, "phases": "article", "seeds": 2}
    for games in (43, 80):
        study = Study(tmp_path / "a.study", games=games, **options).run(workers=1)
        for seed in (1, 2):
            with menace.Database(":memory:") as db:
                db.new("x", "X", preset="td")
                db.new("o", "O", preset="td")
                db.selfplay("x", "o", games=games, seed=seed, phases="article")
                sql = (
                    "SELECT games, opponent, win, loss FROM learning_curve WHERE learner = 'x' AND policy = 'behaviour'"
                )
                run = {(mark, opponent, *shares) for mark, opponent, *shares in db.query(sql).rows}
            records = [row for row in study.table().records() if row["seed"] == seed]
            assert {(row["games"], row["opponent"], row["wins"], row["losses"]) for row in records} == run
    with StudyFile.open(study.path) as file:
        phases = [json.loads(row.definition)["phases"] for row in file.settings()]
    assert [text.partition(",")[0] for text in phases] == ["10:1.0:1.0", "20:1.0:1.0"]


class Counted:
    """An executor that runs in this thread, counts trained machines and can stop after a given number of chunks."""

    def __init__(self) -> None:
        self.machines = 0

    def __enter__(self) -> Executor:
        counted = self

        class InThisThread(Executor):
            def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
                future: Future[Any] = Future()
                future.set_result(function(*arguments, **named))
                counted.machines += sum(len(chunk.seeds) for chunk in arguments[0])
                return future

        return InThisThread()

    def __exit__(self, *exception: object) -> None:
        pass


def machines_played(study: Study) -> int:
    """Run a study, and return the number of machines that it trained."""
    counted = Counted()
    with counted as executor:
        study.run(executor)
    return counted.machines


def test_measured_machines_are_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "a.study"

    def study(**options: Any) -> Study:
        return Study(path, **{"against": "perfect", "grid": {"win": [1, 3]}, "games": 20, "seeds": 30, **options})

    assert machines_played(study()) == 60
    assert machines_played(study()) == 0
    assert machines_played(Study.open(path)) == 0
    assert machines_played(study(seeds=40)) == 20
    assert machines_played(study(seeds=range(36, 46))) == 10
    assert machines_played(study(grid={"win": [1, 2, 3]})) == 30
    # one of these values is also the value in the preset
    assert machines_played(study(grid={"draw": [1], "win": [3]})) == 0
    assert machines_played(study(against=["random", "perfect"])) == 60
    assert machines_played(study(policies=["behaviour", "greedy"])) == 60
    assert machines_played(study(policies="greedy")) == 0
    assert machines_played(study(marks="0,2,10")) == 0  # these marks have already been measured
    assert machines_played(study(marks="every:5")) == 60  # mark 15 has not been measured yet
    assert machines_played(study(games=25)) == 60
    assert machines_played(study(games=10)) == 0
    fresh = Study(tmp_path / "b.study", against="perfect", grid={"win": [1, 3]}, games=10, seeds=30)
    assert rows_of(study(games=10)) == rows_of(fresh.run(workers=1))


def test_study_interrupted_at_any_chunk_continues_to_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rows_of(Study(tmp_path / "whole.study", seeds=40, **SMALL).run(workers=1))
    monkeypatch.setattr(runner, "WRITE_SECONDS", 0)
    play, left = PLAY_CHUNK, [0]

    def cut(chunk: Chunk) -> ChunkResult:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return play(chunk)

    monkeypatch.setattr(runner, "play_chunk", cut)
    study, played = Study(tmp_path / "cut.study", seeds=40, **SMALL), []
    while study.machines_left():
        left[0] = 3
        with contextlib.suppress(KeyboardInterrupt):
            study.run(workers=1)
        played.append(sum(study.machines_played().values()))
    assert played == sorted(set(played))
    assert len(played) > 2
    assert rows_of(study) == whole


@pytest.mark.parametrize(("first", "seconds"), [(1, 1e-9), (7, 0.001), (250, 1.0)])
def test_task_size_does_not_change_rows(
    first: int, seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = rows_of(Study(tmp_path / "a.study", seeds=30, **SMALL).run(workers=1))
    monkeypatch.setattr(runner.Queue.__init__, "__defaults__", (first,))
    monkeypatch.setattr(runner, "TASK_SECONDS", seconds)
    monkeypatch.setattr("menace.studies.study.SEEDS_AT_ONCE", 13)
    study = Study(tmp_path / "b.study", seeds=30, **SMALL).run(workers=1)
    assert rows_of(study) == whole
    with StudyFile.open(study.path) as file:
        ((most, machines),) = file.rows("SELECT max(machines), sum(machines) FROM chunk")
    assert most <= (first if first == 1 else 13)
    assert machines == 240


def test_task_size_follows_duration_of_last_task() -> None:
    whole = [Chunk(number, "", b"", 20, (0, 20), ("behaviour",), range(1000)) for number in (1, 2)]
    queue, sizes = runner.Queue(iter(whole)), []
    while task := queue.take():
        sizes.append([(chunk.setting_id, len(chunk.seeds)) for chunk in task])
        queue.played(sum(size for _, size in sizes[-1]), sum(size for _, size in sizes[-1]) * runner.TASK_SECONDS / 400)
    assert sizes == [[(1, runner.FIRST_MACHINES)], [(1, 400)], [(1, 400)], [(1, 190), (2, 210)], [(2, 400)], [(2, 390)]]


class FailsOnce(Executor):
    """An executor on which every task of several chunks fails, as on Dask if the task kills its workers."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if len(arguments[0]) > 1 or 2 in arguments[0][0].seeds:
            future.set_exception(OSError("the task was given up"))
        else:
            future.set_result(function(*arguments, **named))
        return future


def test_chunks_of_a_task_that_fails_are_tried_alone(tmp_path: Path) -> None:
    study = Study(tmp_path / "a.study", **{**TWO, "grid": {"win": [1, 3, 5]}}, seeds=range(1, 3)).run(FailsOnce())
    assert sorted(study.failures()) == [
        f"win={win}, against perfect, seeds 1 to 2: OSError: the task was given up" for win in (1, 3, 5)
    ]
    Study(tmp_path / "a.study", **{**TWO, "grid": {"win": [1, 3, 5]}}, seeds=range(3, 6)).run(FailsOnce())
    assert len(study.table().rows) == 0
    assert Study(tmp_path / "a.study", **{**TWO, "grid": {"win": [1, 3, 5]}}, seeds=range(3, 6)).machines_left() == 0


def test_machine_may_have_more_marks_than_a_row_of_the_file(tmp_path: Path) -> None:
    """A row contains ten marks. A second study of the same machines has some marks in common with the first study."""
    path, policies = tmp_path / "a.study", ["greedy", "behaviour"]
    every = Study(path, games=100, seeds=7, policies=policies, marks="every:1").run(workers=1)
    assert every.machines_left() == 0
    rows = every.table().rows
    assert len(rows) == 7 * 101 * 2 * 3
    few = Study(tmp_path / "b.study", games=100, seeds=7, policies=policies).run(workers=1)
    assert rows_of(few) <= rows_of(every)
    longer = Study(path, games=150, seeds=5, policies="greedy", marks="every:50").run(workers=1)
    assert every.machines_left() == longer.machines_left() == 0
    assert every.table().rows == rows
    assert len(longer.table().rows) == 5 * 4 * 3
    with StudyFile.open(path) as file:
        assert file.rows("SELECT count(*) FROM strengths") == [(len(rows) + 5 * 3,)]


def test_processes_and_executors_give_same_rows(tmp_path: Path) -> None:
    options: dict[str, Any] = {"seeds": 100, **TWO, "against": ["perfect", {"preset": "td"}, corners], "plays": "O"}
    whole = rows_of(Study(tmp_path / "1.study", **options).run(workers=1))
    assert rows_of(Study(tmp_path / "2.study", **options).run(workers=2)) == whole
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(6) as threads:
            assert rows_of(Study(tmp_path / "threads.study", **options).run(threads)) == whole
    finally:
        sys.setswitchinterval(interval)


class Dies:
    """A replacement for `play_chunk` that ends its process at a given seed, but only a limited number of times."""

    def __init__(self, seed: int, marks: Path | None = None) -> None:
        self.seed, self.marks, self.parent = seed, marks, os.getpid()

    def __call__(self, asked: Chunk) -> ChunkResult:
        assert os.getpid() != self.parent
        if self.seed in asked.seeds and (self.marks is None or not self.marks.exists()):
            if self.marks is not None:
                self.marks.touch()
            os._exit(1)
        return PLAY_CHUNK(asked)


def test_worker_that_dies_once_loses_no_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rows_of(Study(tmp_path / "1.study", seeds=100, **TWO).run(workers=1))
    monkeypatch.setattr(runner, "play_chunk", Dies(37, tmp_path / "died"))
    study = Study(tmp_path / "2.study", seeds=100, **TWO).run(workers=2)
    assert (tmp_path / "died").exists()
    assert (rows_of(study), study.failures()) == (whole, [])
    with StudyFile.open(study.path) as file:
        assert file.rows("SELECT sum(machines), count(error) FROM chunk") == [(200, 0)]


@pytest.mark.parametrize("seed", [1, 60])
def test_chunk_that_kills_its_process_is_recorded_and_others_continue(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = rows_of(Study(tmp_path / "1.study", seeds=100, **TWO).run(workers=1))
    study = Study(tmp_path / "2.study", seeds=100, **TWO)
    monkeypatch.setattr(runner, "play_chunk", Dies(seed))
    study.run(workers=2)
    failures = study.failures()
    assert len(failures) == 2  # one chunk for each setting
    assert all(failure.endswith(": the worker process died") for failure in failures)
    with StudyFile.open(study.path) as file:
        ((lost, rows),) = file.rows("SELECT sum(machines), count(*) FROM chunk WHERE error IS NOT NULL")
    assert (study.machines_left(), rows) == (lost, 2)
    assert lost <= 2 * 90
    monkeypatch.undo()
    assert rows_of(study.run(workers=2)) == whole
    assert study.failures() == []


@pytest.mark.parametrize("workers", [1, 2])
def test_task_that_raises_is_recorded_and_others_continue(
    workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Study(tmp_path / "a.study", seeds=100, **TWO)
    monkeypatch.setattr(runner, "play_chunk", fails_at_60)
    study.run(workers=workers)
    failures = study.failures()
    assert len(failures) == 2
    assert failures[0].startswith("win=3, against perfect, seeds ")
    assert failures[0].endswith(": ValueError: no 60 here")
    assert 2 <= study.machines_left() <= 190  # the first chunk contains ten machines
    monkeypatch.undo()
    whole = rows_of(Study(tmp_path / "b.study", seeds=100, **TWO).run(workers=1))
    assert (rows_of(study.run(workers=1)), study.failures()) == (whole, [])


def fails_at_60(asked: Chunk) -> ChunkResult:
    if 60 in asked.seeds:
        raise ValueError("no 60\nhere")
    return PLAY_CHUNK(asked)


SCRIPT = """
import multiprocessing, sys
{before}
import menace
study = menace.Study({path!r}, grid={{"win": [1, 3]}}, games=20, seeds=200)
study.run(workers=2)
print(study.machines_left())
"""


def script(path: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    file = path.with_suffix(".py")
    file.write_text(SCRIPT.format(path=str(path), before=before))
    return subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=120, check=False)


def test_script_needs_no_main_guard_with_fork(tmp_path: Path) -> None:
    run = script(tmp_path / "a.study")
    assert (run.returncode, run.stdout, run.stderr) == (0, "0\n", "")


@pytest.mark.slow
def test_spawned_workers_without_main_guard_print_a_hint(tmp_path: Path) -> None:
    run = script(tmp_path / "a.study", "multiprocessing.get_all_start_methods = lambda: ['spawn']")
    assert run.returncode == 1
    assert run.stdout == ""
    assert 'run the study below `if __name__ == "__main__":`' in run.stderr.splitlines()[-1]


def test_study_runs_inside_an_event_loop(tmp_path: Path) -> None:
    async def cell() -> Study:
        return Study(tmp_path / "a.study", seeds=60, **TWO).run(workers=2)

    studies: list[Study] = []
    thread = threading.Thread(target=lambda: studies.append(asyncio.run(cell())))
    thread.start()
    thread.join(60)
    assert [study.machines_left() for study in studies] == [0]


DESIGN = """
plays = "X"
preset = "menace"
against = ["perfect", "random"]
games = 50
seeds = 20
[grid]
win = [1, 3]
draw = [0, 1]
"""


@pytest.fixture
def beads(run: Run) -> Run:
    """Return `run` in a folder that contains the study of `DESIGN`."""
    Path("beads.toml").write_text(DESIGN)
    assert ok(run("study", "run", "beads.toml")).splitlines()[-1] == "beads.study: 160 machines measured"
    return run


def test_commands_match_methods(beads: Run) -> None:
    study = Study.open("beads.study")
    assert study.design.to_json() == Study.from_toml("beads.toml").design.to_json()
    dry = ok(beads("study", "run", "beads.study", "--dry-run")).splitlines()
    assert dry == ["4 settings x 2 opponents x 20 seeds = 160 machines, 8,000 games", "0 machines left to train"]
    shown = ok(beads("study", "show", "beads.study"))
    for label, scores in study.scores().items():
        (line,) = [line for line in shown.splitlines() if line.startswith(label)]
        assert f" {len(scores)} " in line
        assert f"{menace.analysis.groups.estimate(scores).value:.4f}" in line
    curve = study.curve("random.wins", by="win")
    for games in (50, 0):
        rows = [list(row) for row in curve.at(games).rows]
        words = ["study", "table", "beads.study", "--measure", "random.wins", "--by", "win", "--games", str(games)]
        assert [list(row.values()) for row in json.loads(ok(beads(*words, "--json")))] == rows
        csv = [line.split(",") for line in ok(beads(*words, "--csv")).splitlines()]
        assert csv[0] == ["win", "value", "low", "high", "n"]
        assert [[float(cell) for cell in line] for line in csv[1:]] == rows
        assert f"| 1 | {rows[0][1]:.4f} | " in ok(beads(*words, "--markdown"))
        assert f"1 & {rows[0][1]:.4f} & " in ok(beads(*words, "--latex"))
        assert f"{rows[0][1]:.4f}" in ok(beads(*words))
    words = ["study", "difference", "beads.study", "against random, draw=1,win=3", "win=1, draw=1, against=random"]
    settings = [{"win": win, "draw": 1, "against": "random"} for win in (3, 1)]
    assert ok(beads(*words, "--games", "20")) == f"{study.difference(*settings, games=20)}\n"
    assert ok(beads(*words, "--measure", "random.value")) == f"{study.difference(*settings, 'random.value')}\n"
    assert ok(beads("study", "table", "beads.study")) == ok(beads("study", "table", "beads.study", "--games", "50"))


def test_exports_and_frame_match_table(beads: Run) -> None:
    pandas = pytest.importorskip("pandas")
    study = Study.open("beads.study")
    frame = study.frame()
    assert list(frame.columns) == [
        *("win", "draw", "against", "seed", "games", "opponent", "policy"),
        *("wins", "draws", "losses"),
    ]
    assert len(frame) == 160 * len(study.design.all_marks) * 3
    assert not frame.duplicated(list(frame.columns)[:-3]).any()
    assert np.allclose(frame[["wins", "draws", "losses"]].sum(axis=1), 1)
    for name in ("all.csv", "all.json"):
        assert ok(beads("study", "export", "beads.study", name)) == f"{name}: {len(frame):,} rows\n"
    read = [pandas.read_csv("all.csv"), pandas.read_json("all.json")]
    if importlib.util.find_spec("pyarrow"):  # installed by the extra `study`
        ok(beads("study", "export", "beads.study", "all.parquet"))
        read.append(pandas.read_parquet("all.parquet"))
    for other in read:
        pandas.testing.assert_frame_equal(frame, other, check_exact=False, rtol=1e-15, check_dtype=False)


def test_figures_and_their_csv_are_written(beads: Run) -> None:
    assert ok(beads("study", "plot", "beads.study", "a.svg")) == "a.svg: 8 groups\n"
    assert ok(beads("study", "plot", "beads.study", "b.svg", "--by", "win", "--by", "against")) == "b.svg: 4 groups\n"
    assert "win=3, against=perfect" in Path("b.svg").read_text().replace("<!-- ", "")
    ok(beads("study", "plot", "beads.study", "b.csv", "--by", "win"))
    curve = Study.open("beads.study").curve(by="win")
    lines = Path("b.csv").read_text().splitlines()
    assert lines[0] == "win,games,value,low,high,n"
    assert len(lines) == 1 + len(curve.table().rows)
    assert "<svg" in curve._repr_svg_()
    assert curve._repr_html_() is None


def test_invalid_study_commands_print_one_line(beads: Run) -> None:
    Path("beads.txt").write_text(DESIGN)
    for words, part in (
        (["show", "beads.study", "--measure", "best_response.loss"], "no measure is called 'best_response.loss'"),
        (["show", "none.study"], "there is no study none.study; create one with `menace study run`"),
        (
            ["table", "beads.study", "--by", "credit"],
            "cannot be grouped by 'credit'; choose one of win, draw, against, po",
        ),
        (["table", "beads.study", "--games", "33"], "33 games is not a measured mark; the measured marks are 0, 1"),
        (["export", "beads.study", "a.xls"], "a.xls"),
        (
            ["run", "none.toml"],
            "none.toml cannot be read (No such file or directory); choose a TOML file with a study design",
        ),
        (["run", "beads.txt"], "beads.txt is not a study; name a study, such as beads.study, or a design that"),
        (["difference", "beads.study", "win=3", "win=1"], "4 settings of the study match 'win=3'; choose a setting in"),
        (
            ["difference", "beads.study", "win=4", "win=1"],
            "no setting of the study matches 'win=4'; choose a setting in",
        ),
    ):
        refused(beads("study", *words), part)
    Path("new.toml").write_text(DESIGN)
    refused(beads("study", "show", "new.toml"), "there is no study new.study")
    Path("seeds.toml").write_text(DESIGN.replace("[grid]", "fruit = 3\n[grid]"))
    refused(beads("study", "run", "seeds.toml"), "a study design has no 'fruit', only game, variant, symmetry")
    refused(beads("strength", "menace-x", "--db", "beads.study"), "beads.study is a study, not a menace database")
    ok(beads("selfplay", "--games", "1"))
    refused(beads("study", "show", "menace.db"), "menace.db is not a study; name a study, such as")


def test_failed_chunk_makes_command_fail(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("beads.toml").write_text(DESIGN.replace("seeds = 20", "seeds = 100"))
    with monkeypatch.context() as patch:
        patch.setattr(runner, "play_chunk", fails_at_60)
        result = run("study", "run", "beads.toml", "--workers", "1")
    assert result.code == 1
    assert "could not be trained (win=3, draw=1, against random, seeds" in result.err
    assert len(result.err.splitlines()) == 1
    ok(run("study", "run", "beads.toml"))


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_written_rows(workers: int, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('against = ["perfect", "random"]\ngames = 2000\nseeds = 40000\n')
    command = [sys.executable, "-m", "menace", "study", "run", "a.toml", "--workers", str(workers)]
    options = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}
    with start_command(command, **options) as process:
        written = 0
        for _ in range(600):
            time.sleep(0.05)
            if (tmp_path / "a.study").exists():
                try:
                    written = sum(Study.open(tmp_path / "a.study").machines_played().values())
                except MenaceError:  # the study has only just started
                    continue
            if written:
                break
        os.killpg(process.pid, signal.SIGINT)  # a terminal also sends the signal to the workers
        _, errors = process.communicate(timeout=60)
    left, interrupted = errors.splitlines()
    assert (process.returncode, interrupted) == (130, "menace: interrupted")
    assert left.endswith(" left to train; run the study again to continue")
    study = Study.open(tmp_path / "a.study")
    assert 0 < written <= sum(study.machines_played().values()) < 80_000
    assert study.failures() == []


def test_progress_is_shown_only_on_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("beads.toml").write_text(DESIGN)
    ok(run("study", "run", "beads.toml"))  # `ok` checks that standard error is empty
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    Path("beads.toml").write_text(DESIGN.replace("seeds = 20", "seeds = 30"))
    shown = run("study", "run", "beads.toml", "--workers", "1").err
    assert "80/80" in shown


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Study:
    options = {**SMALL, "against": ["perfect", first_free], "policies": ["behaviour", "greedy"], "seeds": 25}
    return Study(tmp_path_factory.mktemp("done") / "a.study", **options).run(workers=1)


def test_machine_is_reproduced_exactly(done: Study) -> None:
    for study in (done, Study.open(done.path)):
        machine = study.machine(7, win=3, draw=1, against="first_free")
        alone = played_alone({}, first_free, {"win": 3, "draw": 1}, 7, 50)
        assert repr(machine) == repr(alone) == "<menace plays X: 50 games>"
        assert np.array_equal(machine.learned.amount, alone.learned.amount)
        assert np.array_equal(machine.learned.count, alone.learned.count)
    again = done.machine(7, win=3, draw=1, against="first_free")
    done.machine(8, win=3, draw=1, against="first_free")
    assert np.array_equal(machine.learned.amount, again.learned.amount)  # the two machines share no arrays
    with pytest.raises(
        MenaceError, match="2 settings of the study have win=3, against='perfect'; select one by win, dr"
    ):
        done.machine(7, win=3, against="perfect")
    with pytest.raises(MenaceError, match="seed"):
        done.machine(-1, win=3, draw=1, against="perfect")


def test_scores_and_differences_are_paired_by_seed(done: Study) -> None:
    rows = [row for row in done.table(20).records() if row["opponent"] == "best_response" and row["policy"] == "greedy"]
    scores = done.scores("best_response.value", 20)
    by_seed = {
        win: {
            row["seed"]: row["wins"] - row["losses"]
            for row in rows
            if (row["win"], row["draw"], row["against"]) == (win, 1, "perfect")
        }
        for win in (1, 3)
    }
    assert scores["win=3, draw=1, against perfect, greedy"].tolist() == list(by_seed[3].values())
    first, second = ({"win": win, "draw": 1, "against": "perfect", "policy": "greedy"} for win in (3, 1))
    difference = done.difference(first, second, "best_response.value", 20)
    pairs = [by_seed[3][seed] - by_seed[1][seed] for seed in range(1, 26)]
    assert difference.pairs.tolist() == pairs
    assert difference.mean.value == pytest.approx(np.mean(pairs))
    assert "win=3, draw=1, against perfect, greedy minus win=1" in str(difference)


def test_array_has_an_axis_for_each_factor(done: Study) -> None:
    design = done.design
    against = list(dict.fromkeys(setting.factors["against"] for setting in done.settings))
    axes = [*design.grid.values(), against, design.policies, design.all_seeds, design.all_marks]
    names = (*design.grid, "against", "policy", "seed", "games")
    array = done.array("best_response.value")
    assert array.shape == tuple(len(axis) for axis in axes)
    rows = [row for row in done.table().records() if row["opponent"] == "best_response"]
    assert len(rows) == array.size
    for row in rows:
        place = tuple(list(axis).index(row[name]) for name, axis in zip(names, axes, strict=True))
        assert array[place] == pytest.approx(row["wins"] - row["losses"], abs=1e-12)


def test_settings_may_have_different_marks_and_seeds(tmp_path: Path) -> None:
    """A score uses all machines measured at a mark, whereas a difference pairs machines with the same seed."""
    options: dict[str, Any] = {"against": "perfect", "games": 20}
    path = tmp_path / "a.study"
    Study(path, grid={"win": [1]}, seeds=range(1, 21), **options).run(workers=1)
    Study(path, grid={"win": [3]}, seeds=range(6, 31), marks="0,20", **options).run(workers=1)
    study = Study(path, grid={"win": [1, 3]}, seeds=30, **options)
    assert [len(scores) for scores in study.scores().values()] == [20, 25]
    assert [len(scores) for scores in study.scores(games=10).values()] == [20, 0]
    assert (~np.isnan(study.array()[:, 0, 0])).sum(axis=1).tolist() == [[20, 20, 20, 20, 20, 20], [25, 0, 0, 0, 0, 25]]
    assert [(group.factors["win"], group.games) for group in study.curve().groups] == [
        (1, (0, 1, 2, 5, 10, 20)),
        (3, (0, 20)),
    ]
    difference = study.difference({"win": 3}, {"win": 1})
    assert difference.mean.n == 15
    whole = Study(tmp_path / "b.study", grid={"win": [1, 3]}, seeds=range(6, 21), **options).run(workers=1)
    assert difference.pairs.tolist() == whole.difference({"win": 3}, {"win": 1}).pairs.tolist()
    with pytest.raises(MenaceError, match="no seed has been measured for both settings"):
        study.difference({"win": 3}, {"win": 1}, games=10)
    with pytest.raises(MenaceError, match="7 games is not a mark; the marks are 0, 1, 2, 5, 10, 20"):
        study.scores(games=7)
    study.curve().plot(tmp_path / "a.svg")
    study.run(workers=1)
    assert [len(scores) for scores in study.scores(games=10).values()] == [30, 30]


def test_unmeasured_study_has_no_results(tmp_path: Path) -> None:
    study = Study(tmp_path / "a.study", seeds=3)
    assert repr(study).endswith("0 machines played>")
    assert study.machines_left() == 3
    with StudyFile.open_or_create(study.path) as file:
        study._write_design(file)
    study = Study.open(study.path)
    assert study.table().rows == []
    assert [len(scores) for scores in study.scores().values()] == [0]
    assert study.curve()._repr_html_().startswith("<table>")
    with pytest.raises(MenaceError, match="nothing has been measured yet"):
        study.curve().plot()
    with pytest.raises(MenaceError, match="220 games is not a measured mark, because nothing has been measured yet"):
        study.curve().at(220)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grid": {"won": [1]}}, "won=1, against random: there is no setting 'won'; did you mean win"),
        ({"grid": {"win": 3}}, "grid win=3 is not a list of values"),
        ({"grid": {"win": []}}, r"grid win=\[\] is not a list of values"),
        ({"grid": {"win": [1, 1]}}, "grid win contains 1 twice"),
        ({"grid": {"plays": [1]}}, r"grid plays=\[1\] is not a list of strings"),
        (
            {"grid": {"plays": ["X", "O"]}, "against": first_free},
            "that varies plays accepts only named opponents",
        ),
        ({"against": [lambda b: str(b.index(".")), lambda b: str(b.rindex("."))]}, "against contains <lambda> twice"),
        ({"against": ["random", "random"]}, "against contains random twice"),
        ({"against": "nobody"}, "there is no fixed opponent 'nobody'"),
        ({"against": Machine("menace", "O")}, "or its policy, machine.policy()"),
        ({"against": 3}, "3 is not a player"),
        ({"against": Machine("td", "X").policy()}, "plays X, not O"),
        ({"seeds": 0}, "seeds=0 is not an integer from 1 to 10,000,000"),
        ({"seeds": range(1, 9, 2)}, "has a step"),
        ({"seeds": range(2**63 - 2, 2**63 + 2)}, r"seed 9223372036854775809 is not an integer from 0 to 2\^63 - 1"),
        ({"games": 0}, "games=0"),
        ({"marks": "all"}, "marks 'all' are not"),
        ({"plays": "Z"}, "Z"),
        ({"preset": "nope"}, "there is no preset 'nope'"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"policies": "best"}, "there is no policy 'best'"),
        ({"policies": []}, r"policies=\[\] is not a list of values"),
        ({"phases": "9:1:1"}, "cover 9 games"),
        ({"winn": 3}, "there is no setting 'winn'"),
    ],
)
def test_invalid_designs_are_refused(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(MenaceError, match=message) as error:
        Study(tmp_path / "a.study", **options)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "a.study").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = = b", "cannot be read as TOML: Invalid value .*; choose a file with a study design"),
        ("a = " + "[" * 5000, "cannot be read as TOML"),
        ("\ud800", "cannot be read as TOML"),
        (
            "[project]\nname = 'menace'",
            "a.toml is not a study design: it contains 'project'; a design contains game,",
        ),
        ("fruit = 3\nwin = 3\nseeds = 3", "a study design has no 'fruit'"),
        ("variant = 3", "variant=3 is not text, such as 4x4x3"),
        ("against = 3", "against=3 is not a list of opponents"),
        ("against = [3]", "3 is not an opponent for a study"),
        ("against = [{alpha = 0.1}]", "is not an opponent for a study"),
        (
            'against = [{preset = "td", alpa = 0.1}]',
            r"against td \(alpa=0.1\): there is no setting 'alpa'; did you mean alpha",
        ),
        ('against = [{policy = "abc", name = "f"}]', "the moves of f are not stored in a file"),
        ("grid = 3", "grid=3 is not a table of lists"),
        ("settings = 3", "settings=3 is not a table of settings"),
        ("phases = 3", "phases=3 is not text"),
        ('symmetry = ["full"]', r"symmetry=\['full'\] is not text"),
        ('policies = ["greedy", "greedy"]', "policies contains greedy twice"),
        ("seeds = 1.5", "seeds=1.5 is not an integer"),
    ],
)
def test_invalid_design_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(MenaceError, match=message) as error:
        Study.from_toml(tmp_path / "a.toml")
    assert "\n" not in str(error.value)
