"""Reprs and HTML never raise, in Python and notebooks: also of what is closed, deleted, damaged or missing."""

from __future__ import annotations

import importlib
import pkgutil
import sqlite3
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from templates import trained_bytes

import menace
from menace.errors import MenaceError
from menace.games.base import Side
from menace.studies.results import StudyCurve

PACKAGE = Path(menace.__file__).parent
SHOWN = ("__repr__", "_repr_html_", "_repr_svg_")


def classes() -> set[type]:
    """Return the classes of menace that say themselves how they are shown; a dataclass has that from Python."""
    modules = [module.name for module in pkgutil.walk_packages(menace.__path__, "menace.")]
    kinds = [
        kind for name in modules if "__main__" not in name for kind in vars(importlib.import_module(name)).values()
    ]
    return {kind for kind in kinds if isinstance(kind, type) and any(is_ours(vars(kind).get(name)) for name in SHOWN)}


def is_ours(method: object) -> bool:
    code = getattr(method, "__code__", None)
    return code is not None and Path(code.co_filename).is_relative_to(PACKAGE)


def things(db: menace.Database) -> list[object]:
    """Return one of each of what shows itself."""
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
        StudyCurve("best.losses", ()),
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
    """Return figures of a small game, which no file's fate changes."""
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
def test_what_shows_itself_never_raises(db: menace.Database, fate: str) -> None:
    shown = things(db)
    kinds = {kind for thing in shown for kind in type(thing).__mro__}  # a record may be shown by one that inherits it
    assert kinds >= classes() > {menace.Database, menace.Learner, menace.Box, menace.StrengthCurve}
    FATES[fate](db)
    for thing in shown:
        for method in SHOWN:
            text = getattr(thing, method, lambda: None)()
            assert text is None or (isinstance(text, str) and text), (thing, method)


@pytest.mark.parametrize("fate", ["closed", "without rules", "without learners"])
def test_a_database_says_what_is_wrong_with_it(db: menace.Database, fate: str) -> None:
    learner = db["menace-x"]
    FATES[fate](db)
    with pytest.raises(MenaceError) as raised:
        repr((db.store.rules(), list(db)))
    assert repr(db) == f"<Database: {raised.value}>"
    if fate != "without rules":
        assert repr(learner).startswith("<Learner: ")


def test_a_learner_says_that_it_was_deleted(db: menace.Database) -> None:
    learner = db["menace-x"]
    deleted(db)
    with pytest.raises(MenaceError) as raised:
        _ = learner.name
    assert repr(learner) == f"<Learner: {raised.value}>"


@pytest.mark.parametrize("kind", [menace.Database, menace.Learner])
def test_a_database_that_was_never_opened_is_shown_with_the_reason(kind: type) -> None:
    assert repr(kind.__new__(kind)).startswith("<")
