"""A connection to a menace database: opening and refusing, transactions, read-only queries, copies."""

from __future__ import annotations

import contextlib
import importlib.resources
import os
import sqlite3
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, Self

from sqlite_utils import Database

from menace.errors import DatabaseBusy, NoDatabase, NotOurs, QueryFailed, SchemaMismatch, StoreError

APPLICATION_ID = int.from_bytes(b"MNCE", "big")
SCHEMA_VERSION = 1
SQLITE_VERSION = sqlite3.sqlite_version
PATIENCE = 30.0  # seconds to wait for another program's lock
# SQLite's lock goes to whoever asks first after it is free. Who asks more often waits less: people before trainers.
POLL = 0.001
TRAINER_POLL = 0.005


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
        if code.startswith("SQLITE_READONLY"):
            raise StoreError(f"{path} is read-only; change its permissions, or work on a copy of it") from None
        if code == "SQLITE_FULL" or code.startswith("SQLITE_IOERR"):
            raise StoreError(f"{path} cannot be written ({error}); nothing was changed: make room, try again") from None
        if code.startswith("SQLITE_CANTOPEN"):
            raise StoreError(f"{path} cannot be opened ({error}); check the folder and its permissions") from None
        if code.startswith("SQLITE_CORRUPT"):
            raise StoreError(f"{path} is damaged ({error}); go back to a backup of it") from None
        raise StoreError(f"{path}: {error}") from error


def connect(path: str, mode: str) -> Database:
    """Open a file; `mode` is `rw`, or `rwc` to make it where it is missing. Every connection of ours begins here."""
    uri = f"{Path(path).absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return Database(connection, execute_plugins=False)


class Connection:
    """An open menace database: transactions, queries, copies. What is in its tables, `Store` says."""

    def __init__(self, database: Database, path: str) -> None:
        """Wrap an open connection (the explorer brings its own) to a menace database.

        Raises:
            NotOurs, SchemaMismatch: if it is another program's, or another version's.
        """
        self.database = database
        self.path = path
        with explained(path):
            (application_id,) = database.conn.execute("PRAGMA application_id").fetchone()
            (version,) = database.conn.execute("PRAGMA user_version").fetchone()
            tables = database.table_names()
        if not tables and not application_id:
            raise NotOurs(f"{path} is an empty database; `menace init` makes a menace database of it")
        if application_id != APPLICATION_ID:
            raise NotOurs(f"{path} is another program's database; name a menace database or a file that does not exist")
        if version != SCHEMA_VERSION:
            age, remedy = ("newer", "upgrade menace") if version > SCHEMA_VERSION else ("older", "make a new one")
            raise SchemaMismatch(f"{path} has schema {version}, {age} than this menace's {SCHEMA_VERSION}; {remedy}")

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
            return self.database.conn.execute(sql, parameters).fetchall()

    def version(self) -> tuple[int, int]:
        """Return what is the same as before as long as nobody, through this connection or another, has written."""
        return int(self.rows("PRAGMA data_version")[0][0]), self.database.conn.total_changes

    def damage(self) -> list[str]:
        """Return what SQLite itself finds wrong with the file; nothing, as a rule."""
        found = [str(row[0]) for row in self.rows("PRAGMA integrity_check")]
        return [] if found == ["ok"] else found

    def query(self, sql: str, time_limit: float) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Answer SQL that reads and nothing else: (names of columns, rows).

        Raises:
            QueryFailed: if SQLite refuses it, if it would write, or if it takes more than `time_limit` seconds.
        """
        connection = self.database.conn
        deadline = time.monotonic() + time_limit
        connection.execute("PRAGMA query_only = ON")
        connection.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
        connection.set_authorizer(_only_reads)
        try:
            cursor = connection.execute(sql)
            if cursor.description is None:
                raise QueryFailed("the query returns no rows; only SELECT and the like are answered")
            return [column[0] for column in cursor.description], cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            code = getattr(error, "sqlite_errorname", "")
            if code == "SQLITE_INTERRUPT":
                raise QueryFailed(f"the query took over {time_limit:g} s; ask for less, or raise --timeout") from None
            if code == "SQLITE_AUTH":
                raise QueryFailed(f"the query would do more than read ({error}); ask with SELECT") from None
            raise QueryFailed(f"SQLite says: {error}") from None
        finally:
            connection.set_authorizer(None)
            connection.set_progress_handler(None, 0)
            connection.execute("PRAGMA query_only = OFF")

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Copy the database, consistently, while others write. The copy appears under its name when it is complete.

        Raises:
            StoreError: if the file is this database, or exists and is not a menace database, or cannot be written.
        """
        target = Path(path)
        if target.exists():
            if target.samefile(self.path):
                raise StoreError(f"{target} is the database itself; name another file")
            type(self).open(target).close()
        partial = target.with_name(f"{target.name}.partial")
        with explained(str(target)):
            copy = sqlite3.connect(partial)
            try:
                self.database.conn.backup(copy)
            except BaseException:
                copy.close()
                partial.unlink()
                raise
            copy.close()
        partial.replace(target)


@contextlib.contextmanager
def write_lock(database: Database, poll: float) -> Generator[None, None, None]:
    """Take SQLite's write lock, trying every `poll` seconds (its own waiting grows to 100 ms a try)."""
    connection = database.conn
    deadline = time.monotonic() + PATIENCE
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                    raise
            time.sleep(poll)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
    try:
        yield
        connection.execute("COMMIT")
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
READING_PRAGMAS = {"table_info", "table_xinfo", "table_list", "index_list", "index_info", "foreign_key_list"}


def _only_reads(action: int, first: str | None, *_rest: str | None) -> int:
    """Tell SQLite which steps of a query are allowed."""
    allowed = action in READING or (action == sqlite3.SQLITE_PRAGMA and first in READING_PRAGMAS)
    # To use a table-valued function such as json_each, SQLite asks for this, though it writes nothing then; and that
    # nothing is written in truth, query_only sees to.
    allowed |= action == sqlite3.SQLITE_UPDATE and first == "sqlite_master"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
