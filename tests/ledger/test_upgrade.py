"""Tests that an upgrade from an older schema either completes or changes nothing."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import menace.db
import pytest
from checkout import ROOT
from commands import Run, ok
from database_templates import edit, rows_of_file, trained_bytes
from runs import train

from menace.errors import DatabaseBusy, OlderSchema, StoreError
from menace.ledger.create_and_open import open_database
from menace.ledger.log.verification import verify
from menace.ledger.rules import rules_of
from menace.ledger.store import Store, connection, database, sqlite
from menace.ledger.store.sqlite import schema_tables, schema_views

OLD_CHECK, NEW_CHECK = (
    "CHECK (games >= 0), -- the number of games that",
    "CHECK (games BETWEEN 0 AND 4611686018427387904), -- the number of games that",
)


@pytest.fixture(scope="module")
def next_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of db/ with a second version of the schema.

    Its migration rebuilds the table `learner`, to which other tables refer.
    """
    source, folder = ROOT / "db", tmp_path_factory.mktemp("next") / "db"
    shutil.copytree(source, folder)
    before = (source / "schema.sql").read_text(encoding="utf-8")
    assert before.count(OLD_CHECK) == 1
    after = before.replace(OLD_CHECK, NEW_CHECK).replace("user_version = 1;", "user_version = 2;")
    (folder / "schema.sql").write_text(after, encoding="utf-8")
    begin = after.index("CREATE TABLE learner (")
    table = after[begin : after.index("STRICT;", begin)] + "STRICT;"
    with contextlib.closing(sqlite3.connect(":memory:")) as made:
        made.executescript(after)
        columns = ", ".join(name for (name,) in made.execute("SELECT name FROM pragma_table_info('learner')"))
    (folder / "migrations").mkdir(exist_ok=True)
    (folder / "migrations" / "2.sql").write_text(
        f"ALTER TABLE learner RENAME TO old_learner;\n{table}\n"
        f"INSERT INTO learner SELECT {columns} FROM old_learner;\nDROP TABLE old_learner;\n"
        "UPDATE run SET version = version;\nPRAGMA user_version = 2;\n",
        encoding="utf-8",
    )
    return folder


@pytest.fixture
def next_menace(next_db: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make menace use the second version of the schema."""
    monkeypatch.setattr(menace.db, "__path__", [str(next_db)])
    for module in (connection, database):
        monkeypatch.setattr(module, "SCHEMA_VERSION", 2)
    schema_tables.cache_clear()
    yield
    schema_tables.cache_clear()


@pytest.fixture(scope="module")
def trained() -> bytes:
    """Return the bytes of a file with schema 1, which is created before any test changes the schema."""
    return trained_bytes(50)


@pytest.fixture
def old(trained: bytes, tmp_path: Path) -> Path:
    """Return the path of a file with schema 1."""
    path = tmp_path / "menace.db"
    path.write_bytes(trained)
    return path


def content(file: Path) -> list[str]:
    """Return all rows of a file as SQL statements."""
    with contextlib.closing(sqlite3.connect(file)) as opened:
        return sorted(line for line in opened.iterdump() if line.startswith("INSERT"))


def schema_of(file: Path) -> int:
    ((version,),) = rows_of_file(file, "PRAGMA user_version")
    return int(version)


@pytest.mark.usefixtures("next_menace")
def test_upgrade_keeps_data_and_copies_old_file(old: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    old.chmod(0o600)
    before, size = content(old), old.stat().st_size
    copy = tmp_path / "menace-schema-1.db"
    with open_database(old) as store:
        assert store.damage() == []
        assert verify(store).learners == 2
    assert caplog.messages == [f"{old} was upgraded to schema 2; a copy of the old file is {copy}"]
    assert (schema_of(old), schema_of(copy)) == (2, 1)
    assert content(old) == content(copy) == before
    assert sorted(tmp_path.iterdir()) == [copy, old]
    assert copy.stat().st_mode & 0o777 == 0o600
    assert old.stat().st_size <= size  # the space that the old table occupied is reused
    shutil.copy(copy, old)
    open_database(old).close()
    assert (tmp_path / "menace-schema-1-2.db").exists()  # a backup copy never replaces an earlier one


@pytest.mark.usefixtures("next_menace")
def test_command_upgrades_file_and_reader_names_command(old: Path, run: Run) -> None:
    before = old.read_bytes()
    advice = r"this version of menace uses the newer schema 2; `menace learners --db .*` upgrades the file"
    with pytest.raises(OlderSchema, match=advice):
        Store.open(old)
    assert old.read_bytes() == before
    ok(run("learners", "--db", str(old)))
    Store.open(old).close()


def child(work: Callable[[], object]) -> int:
    """Call a function in a child process, and return the id of the process."""
    process = os.fork()
    if not process:
        code = 1
        with contextlib.suppress(BaseException):
            work()
            code = 0
        os._exit(code)
    return process


def ended(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


@pytest.mark.usefixtures("next_menace")
def test_killed_upgrade_leaves_old_or_new_file(old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect, whole, before, found = database.connect, old.read_bytes(), content(old), []

    def killed_before(statement: int) -> None:
        """Upgrade the file, but kill this process just before the given statement."""
        left = [statement]

        def count(_sql: str) -> None:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def traced(name: str, mode: str) -> Any:
            database = connect(name, mode)
            database.set_trace_callback(count)
            return database

        monkeypatch.setattr(database, "connect", traced)
        database.upgrade(old)

    for statement in itertools.count(1):
        old.write_bytes(whole)
        code = ended(child(lambda number=statement: killed_before(number)))  # type: ignore[misc]
        assert code in {0, -signal.SIGKILL}
        found.append(schema_of(old))
        assert content(old) == before
        with open_database(old) as store:
            assert store.damage() == []
        for copy in tmp_path.glob("*-schema-1*"):
            copy.unlink()
        if code == 0:
            break
    assert found == sorted(found)  # the file has the old schema until the commit and the new schema afterwards
    assert found.count(1) > 20
    assert found.count(2) > 1


@pytest.mark.usefixtures("next_menace")
@pytest.mark.parametrize("failure", [KeyboardInterrupt(), StoreError("no"), MemoryError(), sqlite3.Error("no")])
def test_failed_upgrade_leaves_file_unchanged(
    old: Path, failure: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = old.read_bytes()
    run_script = sqlite.run_script

    def fail(database: sqlite3.Connection, sql: str) -> None:
        run_script(database, sql)
        raise failure

    monkeypatch.setattr(sqlite, "run_script", fail)
    kind = StoreError if isinstance(failure, sqlite3.Error) else type(failure)
    with pytest.raises(kind):
        open_database(old)
    assert old.read_bytes() == before
    assert list(old.parent.iterdir()) == [old]


@pytest.mark.usefixtures("next_menace")
def test_concurrent_upgrades_succeed(old: Path) -> None:
    processes = [child(lambda: open_database(old).close()) for _ in range(2)]
    assert [ended(process) for process in processes] == [0, 0]
    assert schema_of(old) == 2
    assert len(list(old.parent.iterdir())) == 2


@pytest.mark.usefixtures("next_menace")
def test_locked_file_is_not_upgraded(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "WRITERS_PATIENCE", 0.1)
    with contextlib.closing(sqlite3.connect(old, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy):
            open_database(old)
    assert list(old.parent.iterdir()) == [old]


@pytest.mark.usefixtures("next_menace")
def test_upgrade_in_read_only_folder_is_refused(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = old.read_bytes()

    def no_folder(_name: str, _version: int) -> Path:
        raise PermissionError(13, "Permission denied", "somewhere")

    monkeypatch.setattr(database, "_copy_beside", no_folder)
    message = (
        r"was created by an older version of menace and must be upgraded first, but no copy .* \(Permission denied\)"
    )
    with pytest.raises(StoreError, match=message):
        open_database(old)
    assert old.read_bytes() == before


@pytest.mark.usefixtures("next_menace")
def test_foreign_keys_are_checked_before_upgrade_commits(old: Path) -> None:
    edit(old, "UPDATE block SET run_id = 77")
    before = old.read_bytes()
    with pytest.raises(StoreError, match=r"a row of block refers to a missing row of run"):
        open_database(old)
    assert old.read_bytes() == before


@pytest.mark.usefixtures("next_menace")
def test_upgrade_keeps_user_objects(old: Path) -> None:
    edit(
        old,
        "ALTER TABLE learner ADD COLUMN shade TEXT; CREATE INDEX lost ON learner (shade);"
        "CREATE INDEX mine ON learner (games); CREATE TABLE note (text); INSERT INTO note VALUES ('hello');"
        "CREATE VIEW notes AS SELECT text FROM note; DROP VIEW boxes;"
        "CREATE TRIGGER noted AFTER UPDATE ON run BEGIN INSERT INTO note VALUES ('a run'); END;"
        'CREATE TRIGGER "counts ""it""" AFTER UPDATE ON learner BEGIN UPDATE matchbox SET beads = 7; END;',
    )
    open_database(old).close()
    names = {name for (name,) in rows_of_file(old, "SELECT name FROM sqlite_master")}
    assert {"mine", "note", "notes", "noted", 'counts "it"', "boxes"} <= names
    assert "lost" not in names  # the rebuilt table does not contain that column
    assert rows_of_file(old, "SELECT text FROM notes") == [("hello",)]  # the trigger did not run during the upgrade
    for name in ("noted", '"counts ""it"""'):
        with open_database(old) as store, pytest.raises(StoreError, match="trigger"):
            train(store, "menace-x", "random", 10, seed=1)
        edit(old, f"DROP TRIGGER {name}")
    edit(old, "DROP INDEX mine; DROP VIEW notes; DROP TABLE note")
    with open_database(old) as store:
        verify(store)


def test_read_only_file_is_queried_with_current_views(old: Path) -> None:
    edit(old, "DROP VIEW boxes; CREATE VIEW boxes AS SELECT 1 AS one")
    with Store.open(old) as store:  # menace opens read-only files in this way, without creating their views again
        assert len(store.query("SELECT box, stage, opened FROM boxes WHERE learner = 'menace-x'", 9)[1]) > 3
        with store.copied() as copy:
            assert copy.damage() == []
    assert rows_of_file(old, "SELECT * FROM boxes") == [(1,)]


def test_only_outdated_views_are_replaced(old: Path) -> None:
    with open_database(old) as store:
        board = rules_of(store).game.initial
    edit(old, "DROP VIEW boxes; CREATE VIEW boxes AS SELECT 1 AS box; DROP VIEW game_changes")
    edit(old, "CREATE VIEW mine AS SELECT 2 AS two")
    with open_database(old) as store:
        assert store.query(f"SELECT board FROM boxes WHERE learner = 'menace-x' AND board = '{board}'", 9)[1]
        assert store.query("SELECT two FROM mine", 9)[1] == [(2,)]
        assert store.damage() == ["mine is not the table, view or index that menace creates"]
        stored = dict(store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'view' AND name <> 'mine'"))
        assert stored == schema_views()
