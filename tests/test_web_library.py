"""The cache of positions: read once per file, refreshed when the file changes, and bounded in memory."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from browsing import get
from templates import trained_bytes

from menace.explorer.server import workers
from menace.explorer.server.serving import site
from menace.explorer.server.workers import Library
from menace.games import get_game
from menace.learners.machine import Machine
from menace.ledger import positions as read_positions
from menace.ledger.database_file import create_database
from menace.ledger.positions import positions_of
from menace.ledger.store import Store


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that positions were read from."""
    paths: list[str] = []
    read = read_positions._read

    def noted(store: Store) -> Any:
        paths.append(store.path)
        return read(store)

    monkeypatch.setattr(read_positions, "_read", noted)
    return paths


def positions_read(path: Path, shared: Library) -> int:
    with Store.open(path) as store:
        store.positions_cache = shared.positions
        return len(positions_of(store))


def test_pages_read_the_positions_once(tmp_path: Path, reads: list[str]) -> None:
    path = tmp_path / "menace.db"
    path.write_bytes(trained_bytes(50))
    datasette = site([path])
    for page in ("explore/.........", "machines/menace-x", "compare", "explore/X........", "graph"):
        assert get(datasette, f"/menace/{page}").status_code == 200
    assert reads.count(str(path)) == 1  # others are read where the file is made


def test_another_file_of_the_same_name_is_read_anew(tmp_path: Path, reads: list[str]) -> None:
    path, shared = tmp_path / "menace.db", Library()
    with create_database(path, get_game("nim", "1-2-3")):
        pass
    assert [positions_read(path, shared), positions_read(path, shared)] == [23, 23]
    path.rename(tmp_path / "kept.db")  # its inode is not given again
    with create_database(path, get_game("nim", "9-take3")):
        pass
    assert positions_read(path, shared) == 18
    assert len(reads) == 2


def test_few_games_are_kept(tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "POSITIONS_MOST", 2 * 18)
    shared, paths = Library(), [tmp_path / f"{name}.db" for name in "abc"]
    for path in paths:
        with create_database(path, get_game("nim", "9-take3")):
            pass
        positions_read(path, shared)
    positions_read(paths[2], shared)
    positions_read(paths[1], shared)
    assert len(reads) == 3
    positions_read(paths[0], shared)
    assert len(reads) == 4


def test_a_learner_is_read_again_after_any_write(tmp_path: Path) -> None:
    path, shared = tmp_path / "menace.db", Library()
    path.write_bytes(trained_bytes(50))

    def read() -> Machine:
        with Store.open(path) as store:
            store.positions_cache = shared.positions
            return shared.learner(store, "menace-x")

    os.utime(path, (1, 1))
    before = read()
    assert read() is before
    by_hand = sqlite3.connect(path)  # neither the games nor the log will tell
    by_hand.execute("UPDATE matchbox SET beads = beads + 1")
    by_hand.commit()
    by_hand.close()
    os.utime(path, (2, 2))
    after = read()
    assert (after.learned.amount[after.learned.kept] == before.learned.amount[before.learned.kept] + 1).all()
    path.touch()  # so lately that another may write within the same tick of the clock
    assert read() is not read()
