"""Wait for SQLite's locks on a database, hold them, and detect writes by programs that ignore them."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 30.0  # seconds to wait for a read lock
# seconds to wait for a write lock; no reader in menace holds a lock for this long
WRITERS_PATIENCE = 120.0
# A free lock goes to the first program that tries to take it. Programs that serve people try more often than trainers,
# so they wait less.
POLL = 0.001
TRAINER_POLL = 0.005


def sqlite_error_code(error: Exception) -> str:
    """Return the name of SQLite's error code.

    Errors from Python have no code, but an error about invalid UTF-8 is treated as corruption.

    >>> try:
    ...     store.database.execute("SELECT * FROM nowhere")
    ... except sqlite3.Error as error:
    ...     sqlite_error_code(error)
    'SQLITE_ERROR'
    """
    name: str = getattr(error, "sqlite_errorname", "")
    return "SQLITE_CORRUPT" if not name and "UTF-8" in str(error).upper() else name


class Locked(Exception):
    """SQLite's lock was not released within the timeout."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def retry_while_locked(call: Callable[[], T], poll: float = POLL, patience: float | None = None) -> T:
    """Return the result of `call`, retrying every `poll` seconds while other programs hold SQLite's lock.

    SQLite's own busy handler waits up to 100 ms between two attempts and ignores Ctrl-C.

    Args:
        call: the function to call.
        poll: seconds between two attempts.
        patience: seconds until Locked is raised; None selects PATIENCE, the value for readers.

    >>> retry_while_locked(lambda: store.database.execute("SELECT count(*) FROM learner").fetchone())
    (2,)
    """
    patience = PATIENCE if patience is None else patience
    deadline = time.monotonic() + patience
    while True:
        try:
            return call()
        except sqlite3.OperationalError as error:
            if not sqlite_error_code(error).startswith("SQLITE_BUSY"):
                raise
            if time.monotonic() > deadline:
                raise Locked(patience) from None
        time.sleep(poll)


@contextlib.contextmanager
def read_lock(connection: sqlite3.Connection, patience: float | None = None) -> Generator[None, None, None]:
    """Hold a read lock so that no program commits. Within an open transaction, this function does nothing.

    >>> with read_lock(store.database):
    ...     store.database.in_transaction
    True
    >>> store.database.in_transaction
    False
    """
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        # BEGIN alone does not take a lock.
        retry_while_locked(lambda: connection.execute("PRAGMA schema_version").fetchall(), patience=patience)
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def file_state(connection: sqlite3.Connection) -> tuple[int, ...] | None:
    """Return a state that changes when the file of a database is written.

    The state is () if the database has no file, and None if the file is missing. SQLite does not write to the file
    before a commit because `cache_spill` is off, and other programs that respect the lock do not write. This function
    does not open the file, because closing it would release SQLite's locks.

    >>> before = file_state(store.database)
    >>> made = db.new("Adam", "X")
    >>> file_state(store.database) == before
    False
    """
    file = next(row[2] for row in connection.execute("PRAGMA database_list") if row[1] == "main")
    with contextlib.suppress(OSError):
        if not file:
            return ()
        status = Path(file).stat()
        return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return None


@contextlib.contextmanager
def write_lock(connection: sqlite3.Connection, poll: float) -> Generator[None, None, None]:
    """Hold SQLite's write lock, and commit at the end. An exception rolls back the transaction.

    >>> with write_lock(store.database, POLL):
    ...     renamed = store.database.execute("UPDATE learner SET name = 'Adam' WHERE learner_id = 1")
    >>> store.learner("Adam").learner_id
    1
    """
    # Drop cached pages. SQLite uses them until a counter in the file changes, but a file that was copied over this file
    # may have the same counter.
    connection.execute("PRAGMA shrink_memory")
    retry_while_locked(lambda: connection.execute("BEGIN IMMEDIATE"), poll, WRITERS_PATIENCE)
    try:
        yield
        retry_while_locked(lambda: connection.execute("COMMIT"), patience=WRITERS_PATIENCE)
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
