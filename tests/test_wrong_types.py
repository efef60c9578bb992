"""Arguments of wrong types in Python are refused like other bad input: by an error of ours, in one line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import WITHOUT_PRIVILEGES
from templates import trained_bytes

import menace
from menace.errors import MenaceError

Call = Callable[[Any], object]
WRONG: dict[str, tuple[Call, str]] = {
    "a learner": (lambda db: db[3], "3 is not a machine's name"),
    "a new name": (lambda db: db.new(3, "X"), "the name 3 is not a text"),
    "a renamed learner": (lambda db: db["menace-x"].rename(None), "the name None is not a text"),
    "strength": (lambda _: menace.strength("random"), "'random' can play either side; say which"),
    "a player": (lambda _: menace.evaluate(3, "random"), "3 cannot play here"),
    "positions": (lambda _: menace.Machine("menace", "X", positions="3x4x3"), "'3x4x3' is not the positions of a game"),
    "a box": (lambda _: menace.Machine("menace", "X").box(0), "0 is not a board"),
    "a board": (lambda db: db.show(None), "None is not a board"),
    "a question": (lambda db: db.query(None), "None is not a question"),
    "a path": (lambda db: db.backup(3), "3 is not a path"),
    "a game": (lambda db: db.replay("x"), "there is no recorded game x"),
    "a run": (lambda db: db.abandon("x"), "there is no run x"),
    "games of a run": (lambda db: db.games_of("x"), "there is no run x"),
    "values of a query": (lambda db: db.query("SELECT ?", [1]), "time_limit [1] is not a number of seconds"),
    "a table": (lambda db: db.query("SELECT * FROM games"), "no such table: games; `SELECT name FROM sqlite_schema`"),
    "players": (lambda db: db.compare({".........": "4"}), "has no name to stand in a table"),
    "canonical": (lambda db: db.positions.canonical("nonsense"), "'nonsense' is not a board of tictactoe 3x3x3"),
    "to canonical": (
        lambda db: db.positions.to_canonical("nonsense", 8),
        "'nonsense' is not a board of tictactoe 3x3x3",
    ),
    "actions": (lambda db: db.positions.actions_for("zz", 0), "'zz' is not a board of tictactoe"),
    "number": (lambda db: db.positions.number_of(None), "None is not a board of tictactoe"),
}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[menace.Database]:
    path = tmp_path_factory.mktemp("wrong") / "menace.db"
    path.write_bytes(trained_bytes(100))
    with menace.Database(path) as opened:
        yield opened


@pytest.mark.parametrize("what", WRONG)
def test_it_is_refused_in_a_line_of_ours(what: str, db: menace.Database) -> None:
    call, message = WRONG[what]
    with pytest.raises(MenaceError) as refused:
        call(db)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_a_closed_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "menace.db").write_bytes(trained_bytes(100))
    db = menace.Database(tmp_path / "menace.db")
    learner = db["menace-x"]
    db.close()
    calls: list[Callable[[], object]] = [
        lambda: db.selfplay(games=1),
        lambda: db["menace-x"],
        lambda: db.positions,
        lambda: learner.train("random", games=1),
        lambda: db.play("menace-x"),
        lambda: db.backup(tmp_path / "copy.db"),
        lambda: db.query("results"),
    ]
    for call in calls:
        with pytest.raises(MenaceError, match="closed database"):
            call()


def test_a_backup_into_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "menace.db").write_bytes(trained_bytes(100))
    (tmp_path / "folder").mkdir(mode=0o555)
    code = """
import menace
try:
    menace.Database("menace.db").backup("folder/copy.db")
except menace.MenaceError as error:
    print(error)
"""
    command = [sys.executable, "-c", WITHOUT_PRIVILEGES + code]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert result.stdout == (
        "folder/copy.db cannot be written (Permission denied); check the folder and its permissions\n"
    )
