"""Connect to a menace database, check it, and run transactions, read-only queries and copies."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NoReturn, Self, TypeVar

from menace import errors
from menace.files.output import check_file_name
from menace.games.plugins import plugin_fault
from menace.ledger.read_only_sql import answer, check_time_limit, file_uri
from menace.ledger.store import sqlite
from menace.ledger.store.records import Record, printable, read

T = TypeVar("T")

APPLICATION_ID = int.from_bytes(b"MENA", "big")
STUDY_ID = int.from_bytes(b"MENS", "big")  # the application_id of study files (study_file.py)
# the application_ids of databases and studies from before the first release
UNRELEASED_IDS = tuple(int.from_bytes(name, "big") for name in (b"MNCE", b"MNCS"))
UNRELEASED = "was written by a version of menace before 0.1.0; the last commit that reads it is 4378f35a"
SCHEMA_VERSION = 1
SQLITE_VERSION = sqlite3.sqlite_version
MEMORY = ":memory:"  # SQLite's name for a database in memory, which disappears when it is closed
STREAMED_AT_ONCE = 1_000  # rows
OWNER_ONLY = 0o600  # permissions for the copy of a database in memory
VERIFY_SAYS_MORE = "run `menace verify` for details, or "

# The keys are prefixes of SQLite's error codes or Python's messages. The first match applies.
MESSAGES: Mapping[str, tuple[type[errors.StoreError], str]] = {
    "SQLITE_BUSY": (errors.DatabaseBusy, "is locked by another program; try again later"),
    "SQLITE_LOCKED": (errors.DatabaseBusy, "is locked by another program; try again later"),
    "SQLITE_NOTADB": (
        errors.NotOurs,
        "is not an SQLite database; choose a menace database, or a file that does not exist",
    ),
    "SQLITE_READONLY_DBMOVED": (
        errors.StoreError,
        "was moved or deleted while it was in use; put it back, and try again",
    ),
    "SQLITE_READONLY": (errors.StoreError, "is read-only; change its permissions, or use a copy of it"),
    "SQLITE_FULL": (
        errors.StoreError,
        "cannot be written ({}); committed data is kept: free some disk space, and try again",
    ),
    "SQLITE_IOERR": (
        errors.StoreError,
        "cannot be written ({}); committed data is kept: check the disk, and try again",
    ),
    "SQLITE_CANTOPEN": (errors.StoreError, "cannot be opened ({}); check the folder and its permissions"),
    "SQLITE_CORRUPT": (errors.StoreError, "is damaged ({}); restore a backup"),
    # Errors from Python's sqlite3 module have no error code.
    "SQLite objects created in a thread": (
        errors.NotOpenHere,
        "was opened in another thread and can be used only there; open it again here (machines can be shared)",
    ),
    "Cannot operate on a closed database": (errors.NotOpenHere, "is closed; open it again"),
}


def path_of(path: object) -> Path:
    """Return a path as a Path. Raises StoreError if the argument is not a path.

    >>> path_of(3)
    Traceback (most recent call last):
        ...
    menace.errors.StoreError: 3 is not a path; name a file, such as 'menace.db'
    """
    if not isinstance(path, (str, os.PathLike)):
        raise errors.StoreError(f"{path!r} is not a path; name a file, such as 'menace.db'")
    return Path(path)


@contextlib.contextmanager
def translate_errors(path: str) -> Iterator[None]:
    """Convert SQLite's errors to menace's errors, which contain the file's path and suggest a remedy.

    >>> with translate_errors("menace.db"):
    ...     raise sqlite3.OperationalError("out of order")
    Traceback (most recent call last):
        ...
    menace.errors.StoreError: menace.db: out of order
    """
    try:
        yield
    except sqlite.Locked as error:
        raise errors.DatabaseBusy(
            f"{path} was locked by another program for {error.seconds:g} s; try again later"
        ) from None
    except (sqlite3.Error, UnicodeError) as error:
        code = sqlite.sqlite_error_code(error) or str(error)
        for beginning, (kind, message) in MESSAGES.items():
            if code.startswith(beginning):
                raise kind(f"{path} {message.format(error)}") from None
        raise errors.StoreError(f"{path}: {error}") from error


def damaged(what: str, reason: str, hint: str = "") -> errors.StoreError:
    """Return the error for rows that menace cannot have written.

    Args:
        what: the file, or the part of it that is damaged.
        reason: a description of the damage.
        hint: VERIFY_SAYS_MORE if `menace verify` gives more details.

    >>> damaged("menace.db", "it says 2 games, not one")
    StoreError('menace.db is damaged (it says 2 games, not one); restore a backup')
    """
    return errors.StoreError(f"{what} is damaged ({reason}); {hint}restore a backup")


@contextlib.contextmanager
def as_corruption(path: str) -> Iterator[None]:
    """Convert errors that are caused by damaged rows to StoreError.

    >>> with as_corruption("menace.db"):
    ...     raise ValueError("beads is -1")
    Traceback (most recent call last):
        ...
    menace.errors.StoreError: menace.db is damaged (beads is -1); run `menace verify` for details, or restore a backup
    """
    try:
        yield
    except errors.MenaceError:
        raise
    except (LookupError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
        fault = plugin_fault(error)
        if fault is not None:  # the error was caused by the game, not by the file
            raise errors.InvalidGame(fault) from error
        reason = str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"
        raise damaged(path, reason, VERIFY_SAYS_MORE) from error


def check_released(path: str, application_id: int) -> None:
    """Raise SchemaMismatch if the application_id shows that an unreleased version of menace wrote the file.

    >>> check_released("menace.db", int.from_bytes(b"MNCE", "big"))
    Traceback (most recent call last):
        ...
    menace.errors.SchemaMismatch: menace.db was written by a version of menace before 0.1.0; the last commit that \
reads it is 4378f35a
    """
    if application_id in UNRELEASED_IDS:
        raise errors.SchemaMismatch(f"{path} {UNRELEASED}")


def connect(path: str, mode: str, patience: float | None = None) -> sqlite3.Connection:
    """Connect to a file or to MEMORY. All connections are opened with this function.

    Args:
        path: the path, or MEMORY.
        mode: `rw`, or `rwc` to create a missing file.
        patience: seconds for which a read waits for another program's lock; None selects PATIENCE.

    >>> with contextlib.closing(connect(store.path, "rw")) as database:
    ...     database.execute("PRAGMA foreign_keys").fetchone()
    (1,)
    """
    uri = path if path == MEMORY else f"{file_uri(Path(path).absolute())}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)
    try:
        sqlite.retry_while_locked(lambda: connection.execute("PRAGMA foreign_keys = ON"), patience=patience)
        sqlite.retry_while_locked(lambda: connection.execute("PRAGMA synchronous = EXTRA"), patience=patience)
        # keeps uncommitted pages in memory (see file_state), but a new database may be too large for this
        if mode == "rw":
            connection.execute("PRAGMA cache_spill = OFF")
        return connection
    except BaseException:
        connection.close()
        raise


class OpenFile:
    """An open SQLite file that menace created: a database or a study (study_file.py).

    Attributes:
        MISSING: the error message if the file does not exist.
        KIND: what to choose if the path is a directory.
        database: the connection to the file.
        path: the path of the file.
        patience: seconds for which a read waits for another program's lock; None selects PATIENCE.
    """

    MISSING: ClassVar[str]
    KIND: ClassVar[str]

    def __init__(self, database: sqlite3.Connection, path: str, patience: float | None = None) -> None:
        self.database, self.path, self.patience = database, path, patience

    @classmethod
    def open(cls, path: str | os.PathLike[str], patience: float | None = None) -> Self:
        """Open an existing file for reading and writing.

        Args:
            path: the path of the file.
            patience: seconds for which a read waits for another program's lock; None selects PATIENCE.

        Raises:
            NoDatabase, EmptyDatabase: if the file does not exist or is empty, for example after an interrupted start.
            NotOurs, SchemaMismatch, StoreError: if the file is of another kind, has an unsupported schema, or cannot be
                used. Nothing is written to the file then.
        """
        name = os.fspath(path)
        if not Path(name).exists():
            raise errors.NoDatabase(cls.MISSING.format(name))
        if Path(name).is_dir():
            raise errors.StoreError(f"{name} is a directory; choose {cls.KIND} inside it")
        with translate_errors(name):
            database = connect(name, "rw", patience)
        try:
            return cls(database, name, patience)
        except BaseException:
            database.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with translate_errors(self.path):
            self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Run one of menace's own SQL statements, and return all rows of its result."""
        with translate_errors(self.path):
            return sqlite.retry_while_locked(
                lambda: self.database.execute(sql, parameters).fetchall(), patience=self.patience
            )


class Connection(OpenFile):
    """An open menace database, with methods for transactions, queries and copies.

    The subclass `Store` reads and writes the tables.

    >>> with Connection.open(store.path) as connection:
    ...     connection.schema == SCHEMA_VERSION, connection.rows("SELECT count(*) FROM move"), connection.damage()
    (True, [(2096,)], [])
    """

    MISSING = "there is no database {}; create one with `menace init` or `menace selfplay`"
    KIND = "a database file"

    def __init__(
        self, database: sqlite3.Connection, path: str, patience: float | None = None, accept_older: bool = False
    ) -> None:
        """Wrap an open connection to a menace database. The explorer passes its own connection.

        Args:
            database: the connection.
            path: the path of the file for messages.
            patience: seconds for which a read waits for another program's lock; None selects PATIENCE.
            accept_older: whether to accept an older schema, which only migrations do.
        """
        super().__init__(database, path, patience)
        self.is_copy = False  # whether this is a private copy, which disappears when it is closed
        # Servers use this cache to keep positions in memory.
        self.positions_cache: Callable[[Self, Callable[[Self], Any]], Any] | None = None
        self._cache: dict[str, Any] = {}
        self._cache_state: tuple[int, ...] | None = None  # the value of `_state` when `_cache` was filled
        self._writing = False  # whether this connection is in a transaction, so that no other program can write
        self.schema = self.check(accept_older)

    def check(self, accept_older: bool = False) -> int:
        """Check that the file is a menace database, and return the version of its schema.

        Args:
            accept_older: whether to accept an older schema.

        Raises:
            NotOurs, SchemaMismatch: if the file belongs to another program or has a different version.
        """
        path = self.path
        ((application_id,),) = self.rows("PRAGMA application_id")
        ((version,),) = self.rows("PRAGMA user_version")
        ((tables,),) = self.rows("SELECT count(*) FROM sqlite_master")
        if not tables and not application_id:
            raise errors.EmptyDatabase(f"{path} is an empty database; `menace init` turns it into a menace database")
        check_released(path, application_id)
        if application_id == STUDY_ID:
            raise errors.NotOurs(f"{path} is a study, not a menace database; `menace study show {path}` shows it")
        if application_id != APPLICATION_ID:
            raise errors.NotOurs(
                f"{path} is another program's database; choose a menace database, or a file that does not exist"
            )
        if version > SCHEMA_VERSION:
            raise errors.SchemaMismatch(
                f"{path} has schema {version}, but this version of menace uses the older schema {SCHEMA_VERSION};"
                " upgrade menace"
            )
        if version < 1:
            raise damaged(path, f"its schema is {version}")
        if version < SCHEMA_VERSION and not accept_older:
            raise errors.OlderSchema(
                f"{path} has schema {version}, but this version of menace uses the newer schema {SCHEMA_VERSION};"
                f" `menace learners --db {path}` upgrades the file and keeps a copy"
            )
        return int(version)

    def __reduce__(self) -> NoReturn:
        raise errors.StoreError(
            f"{self.path} is open and cannot be pickled or copied; "
            "pass its path and open it there, or pass machines (a learner's `machine()`), policies or measurements"
        )

    # The following methods read and write the database.

    @contextlib.contextmanager
    def transaction(self, poll: float = sqlite.POLL) -> Iterator[None]:
        """Hold the write lock, and commit at the end. An exception rolls back the transaction.

        Within an open transaction, this method does nothing, because the outer transaction holds the lock and commits.

        Args:
            poll: seconds between two attempts to get the lock.

        Raises:
            DatabaseBusy: if the lock is not free within WRITERS_PATIENCE.
            Overwritten: if another file was copied over this file during the transaction. The new file is not changed.
            StoreError: if the file cannot be written, or has a trigger.
        """
        if self._writing:
            yield
            return
        with translate_errors(self.path), sqlite.write_lock(self.database, poll):
            self._drop_stale_cache()
            self.check_triggers()
            before = sqlite.file_state(self.database)
            self._writing = True
            try:
                yield
                if sqlite.file_state(self.database) != before:
                    raise errors.Overwritten(
                        f"{self.path} was overwritten by another file during a transaction, so nothing was written; "
                        "check the new file with `menace runs`, or restore a backup"
                    )
            except BaseException:
                self._cache = {}  # the cache may contain values that were rolled back
                raise
            finally:
                self._writing = False
        self._cache_state = self._state()

    def triggers(self) -> list[tuple[str, str]]:
        """Return the name and the table of each trigger in the file. None of these triggers was created by menace."""
        sql = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
        return [(printable(str(name)), printable(str(table))) for name, table in self.rows(sql)]

    def check_triggers(self) -> None:
        """Raise StoreError if the file has a trigger, because the log does not record a trigger's changes.

        This includes triggers on tables that users have added, because deletions from menace's tables can cascade to
        those tables through foreign keys.
        """
        for name, table in self.triggers():
            raise errors.StoreError(
                f"{self.path} can be read but not written: its trigger {name} on {table} could change what is"
                f' written; remove it with DROP TRIGGER "{name}" in another program'
            )

    def check_writable(self) -> None:
        """Check that the file can be written, without changing it.

        Call this method before a user starts work that must be saved. A lock held by another program is not an error,
        because that program will release it in time.

        Raises:
            StoreError: if the file or the folder for its journal cannot be written, or the file has a trigger.
        """
        self.check_triggers()
        connection = self.database
        with translate_errors(self.path):
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(f"PRAGMA user_version = {self.schema}")
            except sqlite3.OperationalError as error:
                if not sqlite.sqlite_error_code(error).startswith("SQLITE_BUSY"):
                    raise
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Hold a read lock so that several reads see the same state.

        Release the lock quickly, because it prevents commits.

        Use a snapshot for reading a few rows, such as a learner's table. Use `copied` to read the log or for
        computations.
        """
        with translate_errors(self.path), sqlite.read_lock(self.database, self.patience):
            yield

    def read(self, record: type[Record], sql: str, *parameters: object) -> list[Record]:
        """Return the rows of a statement as checked records. Raises StoreError if a row is invalid."""
        rows = self.rows(sql, *parameters)
        with as_corruption(self.path):
            return read(record, rows)

    def read_first(self, record: type[Record], sql: str, *parameters: object) -> Record | None:
        """Return the first row of a statement as a checked record, or None if there are no rows."""
        return next(iter(self.read(record, sql, *parameters)), None)

    def batches(self, sql: str, size: int, *parameters: object) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a statement in batches of `size`, because all rows together may not fit into memory."""
        with translate_errors(self.path):
            cursor = sqlite.retry_while_locked(lambda: self.database.execute(sql, parameters), patience=self.patience)
            while rows := sqlite.retry_while_locked(lambda: cursor.fetchmany(size), patience=self.patience):
                yield rows

    def stream(self, record: type[Record], sql: str, *parameters: object) -> Iterator[Record]:
        """Yield the rows of a statement as checked records, as `read` does, keeping only a few rows in memory."""
        for rows in self.batches(sql, STREAMED_AT_ONCE, *parameters):
            with as_corruption(self.path):
                records = read(record, rows)
            yield from records

    def use_writer_timeout(self) -> None:
        """From now on, wait for locks as long as writers do, so that no game in progress is lost."""
        self.patience = sqlite.WRITERS_PATIENCE

    def version(self) -> tuple[int, int]:
        """Return a version that changes whenever any connection writes to the file."""
        return int(self.rows("PRAGMA data_version")[0][0]), self.database.total_changes

    def cached(self, name: str, make: Callable[[], T]) -> T:
        """Return the cached value of `name`. The cache is valid until another program writes.

        This connection's own transactions do not clear the cache.

        Args:
            name: the key of the cached value.
            make: a function that computes the value from data that menace's transactions never change, such as the
                game.
        """
        if not self._writing:
            self._drop_stale_cache()
        if name not in self._cache:
            self._cache[name] = make()
        value: T = self._cache[name]
        return value

    def _drop_stale_cache(self) -> None:
        state = self._state()
        if state is None or state != self._cache_state:
            self._cache, self._cache_state = {}, state

    def _state(self) -> tuple[int, ...] | None:
        """Return a value that changes when other programs write to the file, with SQLite or with tools such as `cp`.

        None means that the state of the file is unknown.
        """
        with translate_errors(self.path):  # the connection may be closed
            file = sqlite.file_state(self.database)
        return None if file is None else (*file, *self.version())

    def damage(self) -> list[str]:
        """Return descriptions of damage to the file's pages, foreign keys, tables and views."""
        messages = [str(row[0]) for row in self.rows("PRAGMA integrity_check")]
        damage = [] if messages == ["ok"] else messages
        damage += [
            f"a row of {row[0]} refers to a missing row of {row[2]}" for row in self.rows("PRAGMA foreign_key_check")
        ]
        with contextlib.closing(sqlite3.connect(":memory:")) as fresh:
            fresh.executescript(sqlite.sql_file("schema.sql") + sqlite.sql_file("views.sql"))
            sql = """SELECT type, name, sql FROM sqlite_master
                     WHERE type <> 'trigger' AND name NOT LIKE 'sqlite_%' ORDER BY type, name"""
            right = fresh.execute(sql).fetchall()
        damage += [
            f"it has the trigger {name} on {table}, but menace creates no triggers" for name, table in self.triggers()
        ]
        parts = (
            {(kind, name, sqlite.strip_sql(text or "")) for kind, name, text in rows}
            for rows in (right, self.rows(sql))
        )
        wrong = {name for _, name, _ in set.symmetric_difference(*parts)}
        return damage + [f"{name} is not the table, view or index that menace creates" for name in sorted(wrong)]

    @contextlib.contextmanager
    def copied(self) -> Iterator[Self]:
        """Yield a private copy of the database for long computations. Creating the copy requires only one quick read.

        Raises:
            StoreError: if there is no space for the copy, or reading the file takes too long.
        """
        if self.is_copy:
            yield self
            return
        with contextlib.closing(self._private_copy()) as connection:
            copy = type(self)(connection, self.path)
            copy.is_copy, copy.positions_cache = True, self.positions_cache
            yield copy

    def _private_copy(self) -> sqlite3.Connection:
        with translate_errors(self.path), sqlite.read_lock(self.database, self.patience):
            return sqlite.private_copy(self.database)

    def query(self, sql: str, time_limit: float) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Run a read-only SQL statement on a private copy, and return its column names and its rows.

        Args:
            sql: the statement.
            time_limit: the limit in seconds.
        """
        check_time_limit(time_limit)
        return answer(self._private_copy(), sql, time_limit, self.path)

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Take a consistent copy of the database while other processes write to it.

        The copy is given its final name only when it is complete. The copy's permissions are never wider than those of
        the original.

        Args:
            path: the path of the copy, which must not exist.
        """
        target = path_of(path)
        check_file_name(target)
        already_exists = f"{target} already exists and may be the only copy; choose another file"
        if target.exists() or target.is_symlink():
            raise errors.StoreError(already_exists)
        if not target.parent.is_dir():
            raise errors.StoreError(
                f"{target} cannot be opened, because there is no folder {target.parent}; check the folder"
            )
        mode = OWNER_ONLY if self.path == MEMORY else stat.S_IMODE(Path(self.path).stat().st_mode)
        try:
            with translate_errors(str(target)), sqlite.new_backup(target, mode) as copy:
                with translate_errors(self.path), sqlite.read_lock(self.database, self.patience):
                    sqlite.copy_pages(self.database, copy)
                report = copy.execute("PRAGMA integrity_check").fetchone()[0]
                if report != "ok":
                    raise errors.StoreError(f"{self.path} is damaged ({' '.join(report.split())}); nothing was copied")
        except FileExistsError:
            raise errors.StoreError(already_exists) from None
        except OSError as error:
            message = f"{target} cannot be written ({error.strerror}); check the folder and its permissions"
            raise errors.StoreError(message) from None
