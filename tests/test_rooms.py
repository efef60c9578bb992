"""Every room has tests, and every test file a room."""

from __future__ import annotations

from pathlib import Path

from rooms import FILES_BY_ROOM, files_of, files_of_change
from test_imports import ROOMS

BESIDE = {"db", "docs", "tools"}


def test_every_room_has_its_tests_and_every_test_file_its_room() -> None:
    assert FILES_BY_ROOM.keys() == {*ROOMS, *BESIDE}
    assert all(files_of(room) for room in FILES_BY_ROOM)
    files = {file.name for file in Path(__file__).parent.glob("test_*.py")}
    assert set().union(*map(files_of, FILES_BY_ROOM)) == files


def test_a_change_has_its_rooms_tests_and_itself_if_it_is_one() -> None:
    assert files_of_change(["menace/games/rules/nim.py"]) == files_of("games")
    assert files_of_change(["menace/errors.py", "tests/test_box.py"]) == files_of("errors") | {"test_box.py"}
    assert files_of_change(["db/views.sql", "README.md", ".ci/run"]) == files_of("db")
    assert files_of_change(["menace/__main__.py", "docs/sql.md"]) == files_of("__main__") | files_of("docs")
    assert files_of_change([]) == set()
