"""A connection to a menace database: opening and refusing, transactions, read-only queries, copies."""

from __future__ import annotations

import contextlib
import importlib.resources
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlite_utils import Database

from menace.errors import (
    DatabaseBusy,
    EmptyDatabase,
    MenaceError,
    NoDatabase,
    NotOurs,
    OlderSchema,
    QueryFailed,
    SchemaMismatch,
    StoreError,
)

T = TypeVar("T")

APPLICATION_ID = int.from_bytes(b"MNCE", "big")
SCHEMA_VERSION = 2
SQLITE_VERSION = sqlite3.sqlite_version
PATIENCE = 30.0  # seconds to wait for another program's lock
# SQLite's lock goes to whoever asks first after it is free. Who asks more often waits less: people before trainers.
POLL = 0.001
TRAINER_POLL = 0.005
LONGEST_QUERY = 86_400  # seconds


def sql_file(name: str) -> str:
    """Return the text of a file in db/."""
    return importlib.resources.files("menace.db").joinpath(name).read_text(encoding="utf-8")


@contextlib.contextmanager
def explained(path: str) -> Iterator[None]:
    """Turn SQLite's errors into ours, with the file's name and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "")
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise DatabaseBusy(f"{path} was locked by another program for {PATIENCE:g} s; try again later") from None
        if code == "SQLITE_NOTADB":
            raise NotOurs(
                f"{path} is no SQLite database; name a menace database, or a file that does not exist"
            ) from None
        if code == "SQLITE_READONLY_DBMOVED":
            raise StoreError(f"{path} was moved or deleted meanwhile; look for it, and start again") from None
        if code.startswith("SQLITE_READONLY"):
            raise StoreError(f"{path} is read-only; change its permissions, or work on a copy of it") from None
        if code == "SQLITE_FULL" or code.startswith("SQLITE_IOERR"):
            raise StoreError(
                f"{path} cannot be written ({error}); what was committed stays: make room, try again"
            ) from None
        if code.startswith("SQLITE_CANTOPEN"):
            raise StoreError(f"{path} cannot be opened ({error}); check the folder and its permissions") from None
        if code.startswith("SQLITE_CORRUPT"):
            raise StoreError(f"{path} is damaged ({error}); go back to a backup of it") from None
        raise StoreError(f"{path}: {error}") from error


@contextlib.contextmanager
def undamaged(path: str) -> Iterator[None]:
    """Turn what goes wrong with rows that no menace has written into our error."""
    try:
        yield
    except MenaceError:
        raise
    except (LookupError, ValueError, TypeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise StoreError(f"{path} is damaged ({reason}); `menace verify` says more, or go back to a backup") from error


def patiently(call: Callable[[], T], poll: float = POLL) -> T:
    """Return what `call` returns, trying again every `poll` seconds while others hold SQLite's lock, up to PATIENCE.

    SQLite's own waiting grows to 100 ms a try, and does not hear Ctrl-C.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return call()
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
        time.sleep(poll)


def connect(path: str, mode: str) -> Database:
    """Open a file; `mode` is `rw`, or `rwc` to make it where it is missing. Every connection of ours begins here."""
    uri = f"{Path(path).absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)
    try:
        patiently(lambda: connection.execute("PRAGMA foreign_keys = ON"))
        patiently(lambda: connection.execute("PRAGMA synchronous = FULL"))
        return Database(connection, execute_plugins=False)
    except BaseException:
        connection.close()
        raise


class Connection:
    """An open menace database: transactions, queries, copies. What is in its tables, `Store` says."""

    def __init__(self, database: Database, path: str, oldest: int = SCHEMA_VERSION) -> None:
        """Wrap an open connection (the explorer brings its own) to a menace database.

        Args:
            database: the connection.
            path: of the file, as messages name it.
            oldest: the oldest schema to accept; `store.migrations` alone accepts older ones.

        Raises:
            NotOurs, SchemaMismatch: if it is another program's, or another version's.
        """
        self.database = database
        self.path = path
        with explained(path), undamaged(path):
            ((application_id,),) = self.rows("PRAGMA application_id")
            ((version,),) = self.rows("PRAGMA user_version")
            ((tables,),) = self.rows("SELECT count(*) FROM sqlite_master")
        if not tables and not application_id:
            raise EmptyDatabase(f"{path} is an empty database; `menace init` makes a menace database of it")
        if application_id != APPLICATION_ID:
            raise NotOurs(f"{path} is another program's database; name a menace database or a file that does not exist")
        if version > SCHEMA_VERSION:
            raise SchemaMismatch(
                f"{path} has schema {version}, newer than this menace's {SCHEMA_VERSION}; upgrade menace"
            )
        if version < oldest:
            raise OlderSchema(f"{path} has schema {version}, older than this menace's {SCHEMA_VERSION}; make a new one")
        self.schema = int(version)

    # Opening.

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open an existing database, to read and write.

        Raises:
            NoDatabase, NotOurs, SchemaMismatch, StoreError: before anything is written to the file.
        """
        name = os.fspath(path)
        if not Path(name).exists():
            raise NoDatabase(f"there is no database {name}; `menace init` or `menace selfplay` makes one")
        if Path(name).is_dir():
            raise StoreError(f"{name} is a directory; name a database file in it")
        with explained(name):
            database = connect(name, "rw")
        try:
            return cls(database, name)
        except BaseException:
            database.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # Reading and writing at all.

    @contextlib.contextmanager
    def transaction(self, poll: float = POLL) -> Iterator[None]:
        """Hold the write lock, and commit at the end; any exception rolls everything back.

        Args:
            poll: seconds between two tries for the lock.

        Raises:
            DatabaseBusy: if it is not free within PATIENCE.
            StoreError: if the file cannot be written.
        """
        with explained(self.path), write_lock(self.database, poll):
            yield

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Hold a read lock, so that several reads see one state. Keep it short: nobody can commit meanwhile."""
        with explained(self.path), self.database.atomic():
            yield

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a statement of our own."""
        with explained(self.path):
            return patiently(lambda: self.database.conn.execute(sql, parameters).fetchall())

    def version(self) -> tuple[int, int]:
        """Return what is the same as before as long as nobody, through this connection or another, has written."""
        return int(self.rows("PRAGMA data_version")[0][0]), self.database.conn.total_changes

    def damage(self) -> list[str]:
        """Return what is wrong with the file itself: its pages, its references, its tables and views."""
        found = [str(row[0]) for row in self.rows("PRAGMA integrity_check")]
        damage = [] if found == ["ok"] else found
        damage += [
            f"a row of {row[0]} refers to a row of {row[2]} that is gone"
            for row in self.rows("PRAGMA foreign_key_check")
        ]
        with contextlib.closing(sqlite3.connect(":memory:")) as fresh:
            fresh.executescript(sql_file("schema.sql") + sql_file("views.sql"))
            sql = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"
            right = fresh.execute(sql).fetchall()
        wrong = {row[1] for row in set(map(_bare, right)) ^ set(map(_bare, self.rows(sql)))}
        return damage + [f"{name} is not the table, view or index that menace makes" for name in sorted(wrong)]

    def query(self, sql: str, time_limit: float) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Answer SQL that reads and nothing else: (names of columns, rows).

        Raises:
            QueryFailed: if SQLite refuses it, if it would write, or if it takes more than `time_limit` seconds.
        """
        if not 0 < time_limit <= LONGEST_QUERY:
            raise QueryFailed(f"a time limit of {time_limit:g} s is not above 0, and at most {LONGEST_QUERY:,}")
        connection = self.database.conn
        deadline = time.monotonic() + time_limit
        connection.execute("PRAGMA query_only = ON")
        connection.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
        connection.set_authorizer(_only_reads)
        try:
            cursor = patiently(lambda: connection.execute(sql))
            if cursor.description is None:
                raise QueryFailed("the query returns no rows; only SELECT and the like are answered")
            return [column[0] for column in cursor.description], cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            code = getattr(error, "sqlite_errorname", "")
            if code == "SQLITE_INTERRUPT" and time.monotonic() <= deadline:
                raise KeyboardInterrupt from None  # which SQLite takes for a wish of the progress handler's
            if code == "SQLITE_INTERRUPT":
                raise QueryFailed(f"the query took over {time_limit:g} s; ask for less, or raise --timeout") from None
            if code == "SQLITE_AUTH":
                raise QueryFailed(f"the query would do more than read ({error}); ask with SELECT") from None
            if code.startswith("SQLITE_CORRUPT"):
                raise QueryFailed(f"{self.path} is damaged ({error}); go back to a backup of it") from None
            raise QueryFailed(f"SQLite says: {error}") from None
        except UnicodeError as error:
            raise QueryFailed(f"the query or its answer is no text that can be written ({error.reason})") from None  # type: ignore[attr-defined]
        finally:
            connection.set_authorizer(None)
            connection.set_progress_handler(None, 0)
            connection.execute("PRAGMA query_only = OFF")

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Copy the database, consistently, while others write. The copy appears under its name when it is complete.

        Raises:
            StoreError: if there is a file of that name, the copy is damaged, or it cannot be written.
        """
        target = Path(path)
        if target.exists() or target.is_symlink():
            raise StoreError(f"{target} exists already, and may be somebody's only copy; name another file")
        if not target.parent.is_dir():
            raise StoreError(f"{target} cannot be opened: there is no folder {target.parent}; check the folder")
        with tempfile.TemporaryDirectory(prefix=".menace-", dir=target.parent) as folder:
            partial = Path(folder) / "copy.db"
            with explained(str(target)), contextlib.closing(sqlite3.connect(partial)) as copy:
                self.database.conn.backup(copy)
                found = copy.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise StoreError(f"{self.path} is damaged ({found}); nothing was copied")
            partial.rename(target)


def _bare(row: tuple[Any, ...]) -> tuple[str, str, str]:
    """Return (type, name, SQL) of a part of a schema without comments and spacing, which may be worded anew."""
    kind, name, sql = row
    return kind, name, " ".join(re.sub(r"--[^\n]*", "", sql or "").split())


@contextlib.contextmanager
def write_lock(database: Database, poll: float) -> Generator[None, None, None]:
    """Hold SQLite's write lock, and commit at the end; any exception rolls everything back."""
    connection = database.conn
    patiently(lambda: connection.execute("BEGIN IMMEDIATE"), poll)
    try:
        yield
        patiently(lambda: connection.execute("COMMIT"))
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
INSPECTING_PRAGMAS = {"table_info", "table_xinfo", "table_list", "index_list", "index_info", "foreign_key_list"}
READING_PRAGMAS = INSPECTING_PRAGMAS | {"application_id", "user_version", "integrity_check", "quick_check"}


def _only_reads(action: int, first: str | None, second: str | None, *_rest: str | None) -> int:
    """Tell SQLite which steps of a query are allowed."""
    allowed = action in READING
    if action == sqlite3.SQLITE_PRAGMA:  # a value behind user_version and the like would set it
        allowed = first in READING_PRAGMAS and (second is None or first in INSPECTING_PRAGMAS)
    # To use a table-valued function such as json_each, SQLite asks for this, though it writes nothing then; and that
    # nothing is written in truth, query_only sees to.
    allowed |= action == sqlite3.SQLITE_UPDATE and first == "sqlite_master"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
