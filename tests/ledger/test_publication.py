"""Tests that copies of databases for publication contain all rows that they should and nothing that they should not."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from database_templates import rows_of_file, trained_bytes
from playing import play_out

from menace.ledger.create_and_open import open_database
from menace.ledger.learners import delete_learner, rename_learner
from menace.ledger.log.verification import verify
from menace.ledger.queries import named_queries, query
from menace.ledger.runs import copy_learner
from menace.ledger.store import Store
from menace.ledger.store.database import published_copy
from menace.people.session import Session

NAMES = (b"Anna", b"Zo\xc3\xab", b"Fritz", b"Gerda", b"Hedwig")


@pytest.fixture
def store(tmp_path: Path) -> Any:
    """Yield a database with games against people, a renamed machine, a deleted machine and a user's table."""
    (tmp_path / "class.db").write_bytes(trained_bytes(50))
    with open_database(tmp_path / "class.db") as opened:
        copy_learner(opened, "menace-o", "Fritz")
        for seed, name in enumerate(["Anna", "Zoë", "Anna", None]):
            play_out(Session(opened, "Fritz", seed=seed, name=name), random.Random(seed))
        delete_learner(opened, "Fritz")
        copy_learner(opened, "menace-x", "Gerda")
        play_out(Session(opened, "Gerda", seed=2**62 + 7), random.Random(1))
        rename_learner(opened, "Gerda", "adam")
        opened.database.execute("CREATE TABLE class_list AS SELECT 'Hedwig' AS pupil")
        yield opened


def saved(content: bytes, folder: Path) -> Path:
    path = folder / "copy.db"
    path.write_bytes(content)
    return path


def replaced(rows: list[tuple[Any, ...]], names: dict[str, str]) -> list[tuple[Any, ...]]:
    return [tuple(names.get(value, value) if isinstance(value, str) else value for value in row) for row in rows]


def test_names_and_deleted_rows_are_not_in_the_file(store: Store) -> None:
    copy = published_copy(store)
    assert [name for name in NAMES if name in copy.content] == []
    assert copy.replaced == {"Anna": "person 1", "Zoë": "person 2"}
    assert copy.listed == {
        "machines": "menace-x, menace-o, adam",
        "runs with players, seeds and times": str(len(store.runs())),
        "games with people": "5",
        "people, instead of their names": "person 1, person 2",
        "not published, deleted machines": "1",
        "not published, your tables and views": "class_list",
    }
    kept = published_copy(store, keep_names=True)
    assert [name for name in NAMES if name not in kept.content] == [b"Hedwig"]
    assert kept.replaced == {}
    assert kept.listed["people"] == "Anna, Zoë"


def test_stand_in_is_not_the_name_of_a_machine_or_a_person(store: Store) -> None:
    rename_learner(store, "adam", "person 1")
    play_out(Session(store, "menace-x", name="person 3"), random.Random(1))
    copy = published_copy(store)
    assert copy.replaced == {"Anna": "person 2", "Zoë": "person 4", "person 3": "person 5"}


def test_copy_gives_the_same_rows_except_for_names(store: Store, tmp_path: Path) -> None:
    copy = published_copy(store)
    names = {**copy.replaced, "Fritz (deleted 3)": "(deleted 3)"}
    with open_database(saved(copy.content, tmp_path)) as opened:
        for named in named_queries():
            wanted = query(store, named.name)
            answered = query(opened, named.name)
            assert answered.columns == wanted.columns
            assert answered.rows == replaced(wanted.rows, names), named.name
        assert len(query(opened, "people").rows) > 2
        machines = [row.learner_id for row in opened.learners()]
    for table in ("matchbox", "evaluation"):
        rows = rows_of_file(tmp_path / "copy.db", f"SELECT DISTINCT learner_id FROM {table} ORDER BY 1")
        assert rows == [(number,) for number in machines]
    assert rows_of_file(tmp_path / "copy.db", "PRAGMA freelist_count") == [(0,)]


def test_copy_without_deleted_machines_can_be_verified(tmp_path: Path) -> None:
    (tmp_path / "menace.db").write_bytes(trained_bytes(50))
    with open_database(tmp_path / "menace.db") as store:
        play_out(Session(store, "menace-o", name="Anna"), random.Random(1))
        content = published_copy(store).content
    with open_database(saved(content, tmp_path)) as opened:
        assert verify(opened).games == 51
        play_out(Session(opened, "menace-o", name="Anna"), random.Random(2))
