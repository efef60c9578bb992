"""Tests that the explorer sends, reads and caches little data, even after hours of training."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.server_load import add_marks
from browsing import get
from database_templates import trained_bytes
from playing import play_out

from menace.analysis.learning_curves import MAX_POINTS, curve_of, thinned_curve
from menace.explorer.content.sessions import MAX_BLOCKS, MAX_CACHED_LEARNERS, Services, training_progress
from menace.explorer.server import threads_and_caches
from menace.explorer.server.serving import site
from menace.explorer.server.threads_and_caches import Library
from menace.games import get_game
from menace.learners.machine import Machine
from menace.ledger import positions as read_positions
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.positions import positions_of
from menace.ledger.store import Store

MARKS_LATER = 16_000
KILO = 1000
PROGRESS = "/menace/play/menace-x/progress.json"


@pytest.fixture(scope="module")
def long_trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that contains as many measurements of its learners (16,000) as hours of training would produce."""
    path = tmp_path_factory.mktemp("long") / "menace.db"
    path.write_bytes(trained_bytes(1000))
    add_marks(str(path), MARKS_LATER)
    return path


@pytest.fixture
def path(long_trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(long_trained, tmp_path / "menace.db"))


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_database(path) as opened:
        yield opened


@pytest.mark.parametrize(
    "address",
    [
        PROGRESS,
        f"{PROGRESS}?after=0",
        "/menace/machines/menace-x.json",
        "/menace/compare.json",
        ".json",
        "/menace/compare",
    ],
)
def test_responses_are_short_after_hours_of_training(path: Path, address: str) -> None:
    answer = get(site([path]), address)
    assert answer.status_code == 200
    assert len(answer.content) < 50 * KILO


def test_polls_are_short_after_many_blocks(path: Path, store: Store) -> None:
    last = store.latest_block(1)
    response = get(site([path]), f"{PROGRESS}?after={last - MAX_BLOCKS}")
    assert len(response.content) < 50 * KILO
    assert len(response.json()["blocks"]) == MAX_BLOCKS
    assert response.json()["strength"] is not None


def test_client_that_missed_blocks_receives_all_of_them_and_the_state(store: Store) -> None:
    last = store.latest_block(1)
    after, known, blocks, answers = last - 3 * MAX_BLOCKS, {}, [], []  # type: ignore[var-annotated]
    while not answers or answers[-1]["more"]:
        answers.append(training_progress(store, "menace-x", after, known))
        after = answers[-1]["block"]
        blocks += [block["block"] for block in answers[-1]["blocks"]]
    assert blocks == list(range(last - 3 * MAX_BLOCKS + 1, last + 1))
    assert [answer["strength"] is not None for answer in answers] == [False, False, True]


def test_short_curves_are_complete_and_omit_undone_games(tmp_path: Path) -> None:
    from menace.ledger.log.replay import forget, last_lesson
    from menace.people.session import Session

    path = tmp_path / "menace.db"
    path.write_bytes(trained_bytes(50))
    with open_database(path) as store:
        for _ in range(MAX_POINTS + 5):
            play_out(Session(store, "menace-x", seed=1))
            row = store.learner("menace-x")
            if len(curve_of(store, row, "behaviour")) <= MAX_POINTS:
                assert thinned_curve(store, row, "behaviour") == curve_of(store, row, "behaviour")
        latest = thinned_curve(store, row, "behaviour")
        assert [*latest.points][-1] == row.games
        forget(store, last_lesson(store, "menace-x"))
        row = store.learner("menace-x")
        assert [*thinned_curve(store, row, "behaviour").points][-1] == row.games == [*latest.points][-1] - 1


def test_polls_read_few_rows_of_measurements(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Store.read
    counts: list[int] = []

    def counting(self: Store, record: Any, sql: str, *parameters: object) -> list[Any]:
        rows = read(self, record, sql, *parameters)
        counts.append(len(rows))
        return rows

    monkeypatch.setattr(Store, "read", counting)
    training_progress(store, "menace-x", store.latest_block(1) - 1, {})
    assert sum(counts) < 500


def test_progress_cache_does_not_grow_with_polls(path: Path, store: Store) -> None:
    """The test measures the memory that Python uses after the first polls, and again after as many further marks."""
    known: dict[str, Any] = {}
    after = store.latest_block(1)
    games = store.learner("menace-x").games

    def polls(turns: range) -> int:
        nonlocal after
        for turn in turns:
            with store.transaction():
                store.database.execute("UPDATE learner SET games = ?", [games + turn])
                after = store.add_block(1, "games", 1, (1, 0, 0), 0, 0)
            training_progress(store, "menace-x", after - 1, known)
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        first, later = polls(range(1, 20)), polls(range(20, 60))
    finally:
        tracemalloc.stop()
    assert later - first < 100 * KILO


def test_progress_cache_is_limited_to_few_learners(tmp_path: Path) -> None:
    services = Services(tmp_path / "menace.db")
    services.stop()
    first = services.progress_cache("machine 0")
    for number in range(3 * MAX_CACHED_LEARNERS):
        services.progress_cache(f"machine {number}")["number"] = number
        assert services.progress_cache("machine 0") is first
    assert services.progress_cache.cache_info().currsize == MAX_CACHED_LEARNERS
    assert services.progress_cache(f"machine {3 * MAX_CACHED_LEARNERS - 1}") == {"number": 3 * MAX_CACHED_LEARNERS - 1}


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record every file from which positions are read."""
    paths: list[str] = []
    read = read_positions._load_positions

    def noted(store: Store) -> Any:
        paths.append(store.path)
        return read(store)

    monkeypatch.setattr(read_positions, "_load_positions", noted)
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
    assert reads.count(str(path)) == 1  # all other reads happen while the file is being created


def test_replaced_file_is_read_again(tmp_path: Path, reads: list[str]) -> None:
    path, shared = tmp_path / "menace.db", Library()
    with create_database(path, get_game("nim", "1-2-3")):
        pass
    assert [positions_read(path, shared), positions_read(path, shared)] == [23, 23]
    path.rename(tmp_path / "kept.db")  # the old file is kept so that its inode is not reused
    with create_database(path, get_game("nim", "9-take3")):
        pass
    assert positions_read(path, shared) == 18
    assert len(reads) == 2


def test_position_cache_is_limited(tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_and_caches, "MAX_POSITIONS", 2 * 18)
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
    by_hand = sqlite3.connect(path)  # this change affects neither the number of games nor the log
    by_hand.execute("UPDATE matchbox SET beads = beads + 1")
    by_hand.commit()
    by_hand.close()
    os.utime(path, (2, 2))
    after = read()
    assert (after.learned.amount[after.learned.kept] == before.learned.amount[before.learned.kept] + 1).all()
    path.touch()  # another program may still write within the same clock tick
    assert read() is not read()
