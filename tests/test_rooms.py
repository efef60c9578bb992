"""Every room has tests, and every test file a room."""

from __future__ import annotations

from pathlib import Path

from rooms import FILES_BY_ROOM, files_of
from test_imports import ROOMS

BESIDE = {"db", "docs", "tools"}


def test_every_room_has_its_tests_and_every_test_file_its_room() -> None:
    assert FILES_BY_ROOM.keys() == {*ROOMS, *BESIDE}
    assert all(files_of(room) for room in FILES_BY_ROOM)
    files = {file.name for file in Path(__file__).parent.glob("test_*.py")}
    assert set().union(*map(files_of, FILES_BY_ROOM)) == files
