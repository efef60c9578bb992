"""Tests of the objects in the Python API: copies, pickles, threads, reprs, HTML and arguments of wrong types."""

from __future__ import annotations

import copy
import importlib
import pickle
import pkgutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import DROP_PRIVILEGES
from database_templates import trained_bytes

import menace
from menace.analysis.submissions import Submission, Submissions
from menace.arena import play
from menace.errors import MenaceError, NotOpenHere, StoreError
from menace.games.base import Side
from menace.ledger import training
from menace.ledger.store import Run
from menace.studies.results import StudyCurve

copied_as = pytest.mark.parametrize(
    "copied", [lambda value: pickle.loads(pickle.dumps(value)), copy.deepcopy], ids=["pickle", "deepcopy"]
)


@copied_as
@pytest.mark.parametrize("preset", ["menace", "zhang", "sala"])
def test_copied_machine_learns_like_the_original(
    preset: str, copied: Callable[[menace.Machine], menace.Machine]
) -> None:
    machine = menace.Machine(preset, "X")
    menace.play_games(machine, "random", games=100, seed=1)
    twin = copied(machine)
    for player in (machine, twin):
        menace.play_games(player, "random", games=100, seed=2)
    assert twin.learned.games == 200
    assert np.array_equal(twin.learned.amount, machine.learned.amount)
    assert menace.strength(twin) == menace.strength(machine)
    with menace.Database(":memory:") as db:
        db.add("twin", twin)
        db.verify()


@copied_as
def test_results_and_studies_can_be_copied(copied: Callable[[object], object], tmp_path: Path) -> None:
    machine = menace.Machine("menace", "X")
    strength = menace.strength(machine)
    study = menace.Study(tmp_path / "a.study", games=20, seeds=2)
    values = (strength, strength.against["random"], menace.evaluate(machine, "random"), machine.box("........."))
    for value in values:
        assert copied(value) == value
    assert repr(copied(study)) == repr(study)
    policy = copied(machine.policy())
    assert isinstance(policy, menace.Policy)
    assert menace.strength(policy) == menace.strength(machine.policy())


@copied_as
def test_copying_database_objects_raises_a_hint(copied: Callable[[object], object], database: Path) -> None:
    with menace.Database(database) as db:
        for value in (db, db["menace-x"], db.play("menace-x")):
            with pytest.raises(
                StoreError,
                match=rf"{database} is open and cannot be pickled or copied; pass its path and open it there",
            ):
                copied(value)


def test_database_can_only_be_used_in_its_thread(database: Path) -> None:
    db = menace.Database(database)
    learner, session = db["menace-x"], db.play("menace-x")
    calls: list[Callable[[], object]] = [
        *(lambda: list(db), lambda: db.runs, lambda: db.selfplay(games=1), lambda: db.query("SELECT 1"), db.verify),
        *(lambda: learner.name, lambda: learner.train("random", 1), session.begin),
        *(lambda: db.play("menace-x"), lambda: db.backup("copy.db"), lambda: db["menace-x"]),
    ]
    raised: list[menace.MenaceError] = []

    def call() -> None:
        for each in (*calls, db.close):
            try:
                each()
            except menace.MenaceError as error:
                raised.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert [type(error) for error in raised] == [NotOpenHere] * (len(calls) + 1)
    message = "was opened in another thread and can be used only there; open it again here (machines can be shared)"
    assert {str(error) for error in raised} == {f"{database} {message}"}
    assert db["menace-x"].games == 50
    db.close()
    for each in (*calls, lambda: db.positions):
        with pytest.raises(NotOpenHere, match="is closed; open it again"):
            each()


def test_machines_in_threads_learn_as_in_sequence() -> None:
    def amounts(seed: int) -> bytes:
        machine = menace.Machine("menace", "X")
        menace.play_games(machine, "random", games=20_000, seed=seed)
        return machine.learned.amount.tobytes()

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(amounts, range(8))) == [amounts(seed) for seed in range(8)]


class Stop(Exception):
    """An exception that a user's function raises in these tests."""


@pytest.mark.parametrize("ordered", ["selfplay", "train", "keep"])
def test_run_reports_progress_and_can_be_stopped_between_blocks(
    ordered: str, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "BLOCK_SECONDS", 0.0)
    told: list[tuple[int, int]] = []

    def tell(played: int, games: int) -> None:
        told.append((played, games))
        if len(told) == 3:
            raise Stop

    def order(db: menace.Database, progress: play.Progress | None = None) -> Run:
        if ordered == "selfplay":
            return db.selfplay(games=1000, seed=3, progress=progress)
        return db["menace-x"].train("menace-o", 1000, seed=3, keep=ordered == "keep", progress=progress)

    kept = database.read_bytes()
    with menace.Database(database) as db:
        with pytest.raises(Stop):
            order(db, tell)
        assert (told[-1][0], 1000) == told[-1] == (db.runs[-1].games_played, db.runs[-1].games_wanted)
        assert db.runs[-1].finished_at is None
        assert db["menace-x"].games == 50 + told[-1][0]
        db.resume(progress=tell)
        assert told[-1] == (1000, 1000)
        amounts = db["menace-x"].machine().learned.amount
        db.verify()
    database.write_bytes(kept)
    with menace.Database(database) as db:
        order(db)
        assert np.array_equal(db["menace-x"].machine().learned.amount, amounts)


@pytest.mark.parametrize(("preset", "against"), [("menace", "random"), ("sala", "random:3000,perfect")])
def test_games_in_memory_report_progress(preset: str, against: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "PROGRESS_SECONDS", 0.0)
    told: list[int] = []
    machines = [menace.Machine(preset, "X") for _ in range(3)]
    menace.play_games(machines[0], against, games=10_000, seed=1)
    played = menace.play_games(machines[1], against, 10_000, seed=1, progress=lambda games, _: told.append(games))
    assert np.array_equal(machines[0].learned.amount, machines[1].learned.amount)
    assert len(told) > 4
    assert told[-1] == played.games == sum(played.outcomes) == 10_000

    def stop(_played: int, _games: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        menace.play_games(machines[2], against, games=10_000, seed=1, progress=stop)
    assert machines[2].learned.games == told[0]


PACKAGE = Path(menace.__file__).parent
SHOWN = ("__repr__", "_repr_html_", "_repr_svg_")


def classes() -> set[type]:
    """Return the classes in menace that define their own repr or HTML."""
    modules = [module.name for module in pkgutil.walk_packages(menace.__path__, "menace.")]
    kinds = [
        kind for name in modules if "__main__" not in name for kind in vars(importlib.import_module(name)).values()
    ]
    return {kind for kind in kinds if isinstance(kind, type) and any(is_ours(vars(kind).get(name)) for name in SHOWN)}


def is_ours(method: object) -> bool:
    code = getattr(method, "__code__", None)
    return code is not None and Path(code.co_filename).is_relative_to(PACKAGE)


def objects_to_show(db: menace.Database) -> list[object]:
    """Return at least one object of every class that defines its own repr or HTML."""
    learner = db["menace-x"]
    board = "X...O...."
    study = menace.Study(study_beside(db), games=20, seeds=3).run(workers=1)
    return [
        *drawings(),
        db.play("menace-x", seed=1).answer().move("1"),
        db.runs,
        db.games,
        db.compare(),
        learner.history(board),
        study,
        study.curve(),
        menace.mistakes("random", plays="O"),
        menace.Study(study_beside(db).with_name("unplayed.study"), seeds=3),
        StudyCurve("best_response.losses", ()),
        Submissions([Submission("anna", Side.X, menace.grade("random", "X"))]),
        Side.X,
        db,
        learner,
        db.runs[0],
        db.positions,
        db.show("........."),
        db.show(board, learner),
        db.query("SELECT 1 AS one"),
        db.evaluate("menace-x", "menace-o"),
        learner.machine(),
        learner.machine().policy(),
        menace.Machine("menace", "X"),
        learner.box(board),
        learner.history(board)[0],
        learner.strength(),
        learner.curve(),
    ]


@cache
def drawings() -> list[object]:
    """Return figures for a small game whose database is in memory."""
    with menace.Database(":memory:", "tictactoe", "2x2x2") as db:
        db.selfplay(games=10, seed=1)
        return [db.plot("score"), db.picture()]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[menace.Database]:
    (tmp_path / "menace.db").write_bytes(trained_bytes(500))
    with menace.Database(tmp_path / "menace.db") as opened:
        yield opened


def closed(db: menace.Database) -> None:
    db.close()


def deleted(db: menace.Database) -> None:
    db["menace-x"].delete()


def study_beside(db: menace.Database) -> Path:
    return Path(db.store.path).with_name("beads.study")


def gone(db: menace.Database) -> None:
    Path(db.store.path).unlink()
    study_beside(db).unlink()


def overwritten(db: menace.Database) -> None:
    Path(db.store.path).write_bytes(b"\xff" * 300_000)
    study_beside(db).write_bytes(b"\xff" * 300_000)


def without(table: str, db: menace.Database) -> None:
    with sqlite3.connect(db.store.path) as connection:
        connection.execute(f"DROP TABLE {table}")
    connection.close()


def impossible(db: menace.Database) -> None:
    with sqlite3.connect(db.store.path) as connection:
        connection.executescript("PRAGMA ignore_check_constraints = ON; UPDATE learner SET settings = '[', games = -1;")
    connection.close()


FATES: dict[str, Callable[[menace.Database], None]] = {
    "as it is": lambda _db: None,
    "closed": closed,
    "deleted": deleted,
    "gone": gone,
    "overwritten": overwritten,
    "without rules": lambda db: without("rules", db),
    "without learners": lambda db: without("learner", db),
    "impossible": impossible,
}


@pytest.mark.parametrize("fate", FATES)
def test_reprs_never_raise(db: menace.Database, fate: str) -> None:
    shown = objects_to_show(db)
    # an object of a subclass is also an object of the class
    kinds = {kind for thing in shown for kind in type(thing).__mro__}
    assert kinds >= classes() > {menace.Database, menace.Learner, menace.Box, menace.StrengthCurve}
    FATES[fate](db)
    for thing in shown:
        for method in SHOWN:
            text = getattr(thing, method, lambda: None)()
            assert text is None or (isinstance(text, str) and text), (thing, method)


@pytest.mark.parametrize("fate", ["closed", "without rules", "without learners"])
def test_repr_of_damaged_database_names_the_problem(db: menace.Database, fate: str) -> None:
    learner = db["menace-x"]
    FATES[fate](db)
    with pytest.raises(MenaceError) as raised:
        repr((db.store.rules(), list(db)))
    assert repr(db) == f"<Database: {raised.value}>"
    if fate != "without rules":
        assert repr(learner).startswith("<Learner: ")


def test_repr_of_deleted_learner_says_so(db: menace.Database) -> None:
    learner = db["menace-x"]
    deleted(db)
    with pytest.raises(MenaceError) as raised:
        _ = learner.name
    assert repr(learner) == f"<Learner: {raised.value}>"


@pytest.mark.parametrize("kind", [menace.Database, menace.Learner])
def test_repr_of_unopened_database_names_the_reason(kind: type) -> None:
    assert repr(kind.__new__(kind)).startswith("<")


Call = Callable[[Any], object]
WRONG: dict[str, tuple[Call, str]] = {
    "a learner": (lambda file_db: file_db[3], "3 is not a machine's name"),
    "a new name": (lambda file_db: file_db.new(3, "X"), "the name 3 is not a string"),
    "a renamed learner": (lambda file_db: file_db["menace-x"].rename(None), "the name None is not a string"),
    "strength": (lambda _: menace.strength("random"), "'random' can play either side; choose one"),
    "a player": (lambda _: menace.evaluate(3, "random"), "3 is not a player"),
    "positions": (lambda _: menace.Machine("menace", "X", positions="3x4x3"), "'3x4x3' is not a Positions object"),
    "a box": (lambda _: menace.Machine("menace", "X").box(0), "0 is not a board"),
    "a board": (lambda file_db: file_db.show(None), "None is not a board"),
    "a question": (lambda file_db: file_db.query(None), "None is not a query"),
    "a path": (lambda file_db: file_db.backup(3), "3 is not a path"),
    "a game": (lambda file_db: file_db.replay("x"), "there is no recorded game x"),
    "a run": (lambda file_db: file_db.abandon("x"), "there is no run x"),
    "games of a run": (lambda file_db: file_db.games_of("x"), "there is no run x"),
    "values of a query": (lambda file_db: file_db.query("SELECT ?", [1]), "time_limit [1] is not a number of seconds"),
    "a table": (lambda file_db: file_db.query("SELECT * FROM games"), "no such table: games; `SELECT name FROM"),
    "players": (lambda file_db: file_db.compare({".........": "4"}), "has no name to show in the table"),
    "canonical": (lambda file_db: file_db.positions.canonical("zz"), "'zz' is not a board of tictactoe 3x3x3"),
    "to canonical": (lambda file_db: file_db.positions.to_canonical("zz", 8), "'zz' is not a board of tictactoe"),
    "actions": (lambda file_db: file_db.positions.actions_for("zz", 0), "'zz' is not a board of tictactoe"),
    "number": (lambda file_db: file_db.positions.number_of(None), "None is not a board of tictactoe"),
}


@pytest.fixture(scope="module")
def file_db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[menace.Database]:
    path = tmp_path_factory.mktemp("wrong") / "menace.db"
    path.write_bytes(trained_bytes(100))
    with menace.Database(path) as opened:
        yield opened


@pytest.mark.parametrize("what", WRONG)
def test_wrong_types_raise_menace_errors_of_one_line(what: str, file_db: menace.Database) -> None:
    call, message = WRONG[what]
    with pytest.raises(MenaceError) as refused:
        call(file_db)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_backup_to_unwritable_folder_raises(tmp_path: Path) -> None:
    (tmp_path / "menace.db").write_bytes(trained_bytes(100))
    (tmp_path / "folder").mkdir(mode=0o555)
    code = """
import menace
try:
    menace.Database("menace.db").backup("folder/copy.db")
except menace.MenaceError as error:
    print(error)
"""
    command = [sys.executable, "-c", DROP_PRIVILEGES + code]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert result.stdout == (
        "folder/copy.db cannot be written (Permission denied); check the folder and its permissions\n"
    )
