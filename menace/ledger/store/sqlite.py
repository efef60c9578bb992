"""Work with a bare SQLite connection: wait for locks and hold them, run the SQL files in db/, and copy a file.

With SQLite's rollback journal, no program can commit while a reader holds a lock, so long computations read a copy.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import re
import sqlite3
import stat
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TypeVar

from menace.errors import DatabaseBusy
from menace.files.atomic import WINDOWS, partial_folder, sync_folder

T = TypeVar("T")

PATIENCE = 30.0  # seconds to wait for a read lock
# seconds to wait for a write lock, which is longer than any reader in menace holds a lock
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
    """Return a value that changes when the file of a database is written.

    The value is () if the database has no file, and None if the file is missing. SQLite does not write to the file
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
    # Drop cached pages. SQLite uses cached pages until a counter in the file changes, but a file that was copied over
    # this file may have the same counter.
    connection.execute("PRAGMA shrink_memory")
    retry_while_locked(lambda: connection.execute("BEGIN IMMEDIATE"), poll, WRITERS_PATIENCE)
    try:
        yield
        retry_while_locked(lambda: connection.execute("COMMIT"), patience=WRITERS_PATIENCE)
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def sql_file(name: str) -> str:
    """Return the text of a file in db/.

    >>> "CREATE TABLE matchbox" in sql_file("schema.sql")
    True
    """
    folder = Path(*importlib.import_module("menace.db").__path__)  # importlib.resources takes longer to import
    return (folder / name).read_text(encoding="utf-8")


def run_script(connection: sqlite3.Connection, sql: str) -> None:
    """Run statements within the open transaction, because sqlite3's `executescript` would commit the transaction first.

    Each statement must end at the end of a line. The parser of sqlite-utils is not used here, because it looks for the
    end of a statement after every character, which takes 0.1 s for the schema.

    >>> connection = sqlite3.connect(":memory:")
    >>> run_script(connection, sql_file("schema.sql"))
    >>> connection.execute("SELECT count(*) FROM learner").fetchone()
    (0,)
    """
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


@functools.cache
def schema_tables() -> dict[str, str]:
    """Return a dictionary from each table name in db/schema.sql to its SQL, in the form of `strip_sql`.

    >>> "matchbox" in schema_tables(), "boxes" in schema_tables()  # `boxes` is a view
    (True, False)
    """
    statements = strip_sql(sql_file("schema.sql")).split(";")  # within statements, only comments contain semicolons
    matches = (re.match(r"CREATE TABLE (\w+) ", statement.strip()) for statement in statements)
    return {match[1]: match.string for match in matches if match is not None}


def strip_sql(sql: str) -> str:
    r"""Return SQL without comments and extra spacing, which may differ between versions.

    >>> strip_sql("CREATE TABLE a (  -- a comment; of some length\n    b  INTEGER\n)")
    'CREATE TABLE a ( b INTEGER )'
    """
    return " ".join(re.sub(r"--[^\n]*", "", sql).split())


@functools.cache
def schema_views() -> dict[str, str]:
    """Return a dictionary from each view name in db/views.sql to its SQL, in the form that SQLite stores.

    >>> schema_views()["learning_curve"].splitlines()[0]
    'CREATE VIEW learning_curve AS'
    """
    matches = re.findall(r"^(CREATE VIEW (\w+).*?);$", sql_file("views.sql"), re.DOTALL | re.MULTILINE)
    return {name: sql for sql, name in matches}


def stale_views(connection: sqlite3.Connection) -> list[str]:
    """Return the names of views that are missing from a database or differ from the views in db/views.sql.

    >>> stale_views(store.database)
    []
    """
    views = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'"))
    return [name for name, sql in schema_views().items() if views.get(name) != sql]


def renew_views(connection: sqlite3.Connection) -> None:
    """Replace the database's views with the views in db/views.sql."""
    for name in stale_views(connection):
        connection.execute(f"DROP VIEW IF EXISTS {name}")
        connection.execute(schema_views()[name])


def has_tables(connection: sqlite3.Connection) -> bool:
    """Return whether a database contains a table.

    >>> has_tables(store.database), has_tables(sqlite3.connect(":memory:"))
    (True, False)
    """
    return connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table'").fetchone() is not None


CACHE = 64 * 2**20  # maximum number of bytes of a private copy in memory; the rest is stored in an unnamed file
PAGES_PER_STEP = 1024  # number of pages to copy between two checks for the time limit and for Ctrl-C
# maximum number of seconds for which a copy may prevent commits, well below the time for which writers wait
MAX_READ_SECONDS = 20.0


def private_copy(source: sqlite3.Connection) -> sqlite3.Connection:
    """Return a private copy in memory or in a temporary file that disappears when it is closed.

    The copy has the views of this version of menace, and any thread may use it. The caller must hold a read lock on the
    source, so that no program writes during the copy.

    Raises:
        DatabaseBusy: if copying takes longer than MAX_READ_SECONDS.

    >>> with contextlib.closing(private_copy(store.database)) as copy:
    ...     copy.execute("SELECT name FROM learner ORDER BY learner_id").fetchall()
    [('menace-x',), ('menace-o',)]
    """
    copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    try:
        copy.execute(f"PRAGMA cache_size = -{CACHE // 1024}")
        _without_journal(copy)
        copy_pages(source, copy)
        with contextlib.suppress(sqlite3.Error):  # a damaged file may keep its old views
            renew_views(copy)
        copy.execute("PRAGMA query_only = ON")
        return copy
    except BaseException:
        copy.close()
        raise


def copy_pages(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy a database on which the caller holds a read lock. Raises DatabaseBusy after MAX_READ_SECONDS.

    >>> with contextlib.closing(sqlite3.connect(":memory:")) as target:
    ...     copy_pages(store.database, target)
    ...     target.execute("SELECT count(*) FROM learner").fetchone()
    (2,)
    """
    deadline = time.monotonic() + MAX_READ_SECONDS

    def check_time(_status: int, _remaining: int, _total: int) -> None:
        if time.monotonic() > deadline:
            raise DatabaseBusy(
                f"reading the database takes longer than {MAX_READ_SECONDS:g} s and would block other programs; "
                "copy the file while it is not in use, and query the copy"
            )

    source.backup(target, pages=PAGES_PER_STEP, progress=check_time)


def _without_journal(copy: sqlite3.Connection) -> None:
    """Disable SQLite's safeguards to write a copy faster, because an incomplete copy is discarded anyway."""
    copy.execute("PRAGMA journal_mode = OFF")
    copy.execute("PRAGMA synchronous = OFF")


@contextlib.contextmanager
def new_backup(target: Path, mode: int) -> Iterator[sqlite3.Connection]:
    """Yield an empty database that is durably renamed to `target` at the end, so that it survives a power cut.

    Until then, the file is in a temporary folder next to `target`. The folder is removed if an exception is raised.

    Args:
        target: a file that does not exist.
        mode: the file's final permissions. Until the file is complete, only its owner can read it.

    Raises:
        FileExistsError: if another program has created the target file in the meantime.
        OSError: if the file cannot be written.

    >>> with new_backup(Path("backup.db"), 0o600) as copy:
    ...     copy_pages(store.database, copy)
    >>> Path("backup.db").stat().st_size == Path(store.path).stat().st_size
    True
    """
    with partial_folder(target.parent) as folder:
        path = folder / "copy.db"
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode & stat.S_IRWXU | stat.S_IRUSR | stat.S_IWUSR))
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as copy:
            _without_journal(copy)
            yield copy
        with path.open("r+b") as file:
            path.chmod(mode)
            os.fsync(file.fileno())
        try:
            if WINDOWS:  # Windows never replaces a file when renaming, and cannot unlink a read-only file
                path.rename(target)
            else:
                os.link(path, target)  # unlike renaming, linking never replaces a file
        except FileExistsError:
            raise
        except OSError:  # the file system does not support links
            path.rename(target)
        sync_folder(target.parent)
