"""A connection to a menace database: opening and checking it, transactions, read-only queries, copies."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, Self, TypeVar

from menace.errors import (
    DatabaseBusy,
    EmptyDatabase,
    InvalidGame,
    MenaceError,
    NoDatabase,
    NotOpenHere,
    NotOurs,
    OlderSchema,
    Overwritten,
    SchemaMismatch,
    StoreError,
)
from menace.files.output import check_file_name
from menace.games.plugins import plugin_fault
from menace.ledger.shell_completion import file_uri
from menace.ledger.sql_limits import answer, check_time_limit
from menace.ledger.store.copy import copy_pages, new_backup, private_copy
from menace.ledger.store.locks import (
    POLL,
    WRITERS_PATIENCE,
    Locked,
    code_of,
    file_state,
    patiently,
    read_lock,
    write_lock,
)
from menace.ledger.store.records import Record, printable, read
from menace.ledger.store.sql import bare, sql_file

T = TypeVar("T")

APPLICATION_ID = int.from_bytes(b"MENA", "big")
STUDY_ID = int.from_bytes(b"MENS", "big")  # of a study's file (study_file.py)
UNRELEASED_IDS = tuple(int.from_bytes(name, "big") for name in (b"MNCE", b"MNCS"))  # of databases and studies
UNRELEASED = "was written by a menace older than 0.1.0; the last commit that reads it is 4378f35a"
SCHEMA_VERSION = 1
SQLITE_VERSION = sqlite3.sqlite_version
MEMORY = ":memory:"  # a database without a file, gone when it is closed, as SQLite calls it
OWNERS_ALONE = 0o600  # permissions of a copy of what has no file
VERIFY_SAYS_MORE = "`menace verify` says more, or "

# By how SQLite's code, or Python's message, begins: the first that matches.
MESSAGES: Mapping[str, tuple[type[StoreError], str]] = {
    "SQLITE_BUSY": (DatabaseBusy, "is locked by another program; try again later"),
    "SQLITE_LOCKED": (DatabaseBusy, "is locked by another program; try again later"),
    "SQLITE_NOTADB": (NotOurs, "is not an SQLite database; name a menace database, or a file that does not exist"),
    "SQLITE_READONLY_DBMOVED": (StoreError, "was moved or deleted meanwhile; look for it, and start again"),
    "SQLITE_READONLY": (StoreError, "is read-only; change its permissions, or work on a copy of it"),
    "SQLITE_FULL": (StoreError, "cannot be written ({}); what was committed stays: make room, try again"),
    "SQLITE_IOERR": (StoreError, "cannot be written ({}); what was committed stays: make room, try again"),
    "SQLITE_CANTOPEN": (StoreError, "cannot be opened ({}); check the folder and its permissions"),
    "SQLITE_CORRUPT": (StoreError, "is damaged ({}); go back to a backup of it"),
    # Python's own, which have no code.
    "SQLite objects created in a thread": (
        NotOpenHere,
        "was opened in another thread, and is for that one alone: open it once more here; machines may change threads",
    ),
    "Cannot operate on a closed database": (NotOpenHere, "is a closed database; open it again"),
}


def path_of(path: object) -> Path:
    """Return a path as a Path. Raises StoreError for anything else.

    >>> path_of(3)
    Traceback (most recent call last):
        ...
    menace.errors.StoreError: 3 is not a path; name a file, such as 'menace.db'
    """
    if not isinstance(path, (str, os.PathLike)):
        raise StoreError(f"{path!r} is not a path; name a file, such as 'menace.db'")
    return Path(path)


@contextlib.contextmanager
def translate_errors(path: str) -> Iterator[None]:
    """Turn SQLite's errors into menace's, which name the file and say what to do.

    >>> with translate_errors("menace.db"):
    ...     raise sqlite3.OperationalError("out of order")
    Traceback (most recent call last):
        ...
    menace.errors.StoreError: menace.db: out of order
    """
    try:
        yield
    except Locked as error:
        raise DatabaseBusy(f"{path} was locked by another program for {error.seconds:g} s; try again later") from None
    except (sqlite3.Error, UnicodeError) as error:
        code = code_of(error) or str(error)
        for beginning, (kind, message) in MESSAGES.items():
            if code.startswith(beginning):
                raise kind(f"{path} {message.format(error)}") from None
        raise StoreError(f"{path}: {error}") from error


def damaged(what: str, reason: str, hint: str = "") -> StoreError:
    """Return the error for rows that menace cannot have written.

    Args:
        what: the file, or the part of it.
        reason: what is wrong with it.
        hint: VERIFY_SAYS_MORE where it does.

    >>> damaged("menace.db", "it says 2 games, not one")
    StoreError('menace.db is damaged (it says 2 games, not one); go back to a backup of it')
    """
    return StoreError(f"{what} is damaged ({reason}); {hint}go back to a backup{'' if hint else ' of it'}")


@contextlib.contextmanager
def as_corruption(path: str) -> Iterator[None]:
    """Turn errors that come from rows which menace cannot have written into StoreError.

    >>> with as_corruption("menace.db"):
    ...     raise ValueError("beads is -1")
    Traceback (most recent call last):
        ...
    menace.errors.StoreError: menace.db is damaged (beads is -1); `menace verify` says more, or go back to a backup
    """
    try:
        yield
    except MenaceError:
        raise
    except (LookupError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
        fault = plugin_fault(error)
        if fault is not None:  # the game is broken, not the file
            raise InvalidGame(fault) from error
        reason = str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"
        raise damaged(path, reason, VERIFY_SAYS_MORE) from error


def check_released(path: str, application_id: int) -> None:
    """Refuse a file that a menace wrote before its first release, by its application_id.

    >>> check_released("menace.db", int.from_bytes(b"MNCE", "big"))
    Traceback (most recent call last):
        ...
    menace.errors.SchemaMismatch: menace.db was written by a menace older than 0.1.0; the last commit that reads it is \
4378f35a
    """
    if application_id in UNRELEASED_IDS:
        raise SchemaMismatch(f"{path} {UNRELEASED}")


def connect(path: str, mode: str, patience: float | None = None) -> sqlite3.Connection:
    """Open a file, or MEMORY; `mode` is `rw`, or `rwc` to make it where it is missing. All connections are made here.

    >>> with contextlib.closing(connect(store.path, "rw")) as database:
    ...     database.execute("PRAGMA foreign_keys").fetchone()
    (1,)
    """
    uri = path if path == MEMORY else f"{file_uri(Path(path).absolute())}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)
    try:
        patiently(lambda: connection.execute("PRAGMA foreign_keys = ON"), patience=patience)
        patiently(lambda: connection.execute("PRAGMA synchronous = EXTRA"), patience=patience)
        if mode == "rw":  # uncommitted pages stay in memory: see file_state; a new database may have too many
            connection.execute("PRAGMA cache_spill = OFF")
        return connection
    except BaseException:
        connection.close()
        raise


class Connection:
    """An open menace database: transactions, queries, copies. The tables are read and written by `Store`.

    >>> with Connection.open(store.path) as connection:
    ...     connection.schema == SCHEMA_VERSION, connection.rows("SELECT count(*) FROM move"), connection.damage()
    (True, [(2096,)], [])
    """

    def __init__(
        self, database: sqlite3.Connection, path: str, patience: float | None = None, accept_older: bool = False
    ) -> None:
        """Wrap an open connection (the explorer brings its own) to a menace database.

        Args:
            database: the connection.
            path: of the file, as messages name it.
            patience: seconds to wait for another program's lock, to read; None: PATIENCE.
            accept_older: whether to accept an older schema, as only `store.migrations` does.
        """
        self.database = database
        self.path = path
        self.is_copy = False  # a private one, which is gone when it is closed
        self.patience = patience
        # Loads positions through a server's cache in memory.
        self.positions_cache: Callable[[Self, Callable[[Self], Any]], Any] | None = None
        self._cache: dict[str, Any] = {}
        self._cache_state: tuple[int, ...] | None = None  # `_state` of the file when `_cache` was filled
        self._writing = False  # in a transaction of this connection, when no other program can write
        self.schema = self.check(accept_older)

    def check(self, accept_older: bool = False) -> int:
        """Return the version of the file's schema.

        Raises:
            NotOurs, SchemaMismatch: if it is another program's, or another version's.
        """
        path = self.path
        ((application_id,),) = self.rows("PRAGMA application_id")
        ((version,),) = self.rows("PRAGMA user_version")
        ((tables,),) = self.rows("SELECT count(*) FROM sqlite_master")
        if not tables and not application_id:
            raise EmptyDatabase(f"{path} is an empty database; `menace init` makes a menace database of it")
        check_released(path, application_id)
        if application_id == STUDY_ID:
            raise NotOurs(f"{path} is a study, not a menace database; `menace study show {path}` shows it")
        if application_id != APPLICATION_ID:
            raise NotOurs(f"{path} is another program's database; name a menace database or a file that does not exist")
        if version > SCHEMA_VERSION:
            raise SchemaMismatch(
                f"{path} has schema {version}, newer than this menace's {SCHEMA_VERSION}; upgrade menace"
            )
        if version < 1:
            raise damaged(path, f"its schema is {version}")
        if version < SCHEMA_VERSION and not accept_older:
            raise OlderSchema(
                f"{path} has schema {version}, older than this menace's {SCHEMA_VERSION}; `menace learners --db {path}`"
                " upgrades it, and keeps a copy"
            )
        return int(version)

    # Opening.

    @classmethod
    def open(cls, path: str | os.PathLike[str], patience: float | None = None) -> Self:
        """Open an existing database, to read and write.

        Args:
            path: of the file.
            patience: seconds to wait for another program's lock, to read; None: PATIENCE.

        Raises:
            NoDatabase, NotOurs, SchemaMismatch, StoreError: before anything is written to the file.
        """
        name = os.fspath(path)
        if not Path(name).exists():
            raise NoDatabase(f"there is no database {name}; `menace init` or `menace selfplay` makes one")
        if Path(name).is_dir():
            raise StoreError(f"{name} is a directory; name a database file in it")
        with translate_errors(name):
            database = connect(name, "rw", patience)
        try:
            return cls(database, name, patience=patience)
        except BaseException:
            database.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        with translate_errors(self.path):
            self.database.close()

    def __reduce__(self) -> NoReturn:
        raise StoreError(
            f"{self.path} is open here, and cannot be pickled or copied: hand over its path, and open it there;"
            " machines (a learner's `machine()`), policies and what was measured can"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # Reading and writing.

    @contextlib.contextmanager
    def transaction(self, poll: float = POLL) -> Iterator[None]:
        """Hold the write lock, and commit at the end; any exception rolls everything back.

        Within an open transaction it does nothing: that one has the lock, and commits.

        Args:
            poll: seconds between two tries for the lock.

        Raises:
            DatabaseBusy: if it is not free within WRITERS_PATIENCE.
            Overwritten: if another file was copied over this one meanwhile; it is left as it is.
            StoreError: if the file cannot be written, or has a trigger.
        """
        if self._writing:
            yield
            return
        with translate_errors(self.path), write_lock(self.database, poll):
            self._drop_stale_cache()
            self.check_triggers()
            before = file_state(self.database)
            self._writing = True
            try:
                yield
                if file_state(self.database) != before:
                    raise Overwritten(
                        f"{self.path} was overwritten while this was written to it, and is left as it is; look what it"
                        " is (`menace runs`), or go back to a backup"
                    )
            except BaseException:
                self._cache = {}  # it may come from what is rolled back
                raise
            finally:
                self._writing = False
        self._cache_state = self._state()

    def triggers(self) -> list[tuple[str, str]]:
        """Return (name, table) of each trigger in the file; menace makes none."""
        sql = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
        return [(printable(str(name)), printable(str(table))) for name, table in self.rows(sql)]

    def check_triggers(self) -> None:
        """Raise StoreError if the file has a trigger: what a trigger changes is not in the log.

        That includes triggers on tables that users added: deletions cascade to them by their references to menace's.
        """
        for name, table in self.triggers():
            raise StoreError(
                f"{self.path} can be read, and not be written to: its trigger {name} on {table} could change what is"
                f' written; DROP TRIGGER "{name}" in another program takes it away'
            )

    def check_writable(self) -> None:
        """Test that the file can be written, before a user's work depends on it; nothing in the file changes.

        Another program's lock is no error: it will be released by then.

        Raises:
            StoreError: if the file, or the folder that its journal goes to, cannot be written, or it has a trigger.
        """
        self.check_triggers()
        connection = self.database
        with translate_errors(self.path):
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(f"PRAGMA user_version = {self.schema}")
            except sqlite3.OperationalError as error:
                if not code_of(error).startswith("SQLITE_BUSY"):
                    raise
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Hold a read lock, so that several reads see one state. Keep it short: nobody can commit meanwhile.

        It is for a few rows, such as a learner's table; to read the log, or to compute, use a copy (`copied`).
        """
        with translate_errors(self.path), read_lock(self.database, self.patience):
            yield

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a statement of menace's own, which is not limited."""
        with translate_errors(self.path):
            return patiently(lambda: self.database.execute(sql, parameters).fetchall(), patience=self.patience)

    def read(self, record: type[Record], sql: str, *parameters: object) -> list[Record]:
        """Return the rows of a statement as checked records. Raises StoreError if a row is invalid."""
        rows = self.rows(sql, *parameters)
        with as_corruption(self.path):
            return read(record, rows)

    def read_first(self, record: type[Record], sql: str, *parameters: object) -> Record | None:
        """Return the first row of a statement as `read` does, None if it has none."""
        return next(iter(self.read(record, sql, *parameters)), None)

    def batches(self, sql: str, size: int, *parameters: object) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a statement, `size` at a time: those of a large game do not fit into memory."""
        with translate_errors(self.path):
            cursor = patiently(lambda: self.database.execute(sql, parameters), patience=self.patience)
            while rows := patiently(lambda: cursor.fetchmany(size), patience=self.patience):
                yield rows

    def use_writer_timeout(self) -> None:
        """Wait for other programs' locks as long as writers do from now on, so that no game in progress is lost."""
        self.patience = WRITERS_PATIENCE

    def version(self) -> tuple[int, int]:
        """Return a version that changes whenever this connection, or another one, writes."""
        return int(self.rows("PRAGMA data_version")[0][0]), self.database.total_changes

    def cached(self, name: str, make: Callable[[], T]) -> T:
        """Return what `make` returned first, until another program writes: transactions of this connection keep it.

        Args:
            name: the key of the cached value.
            make: computes it from what none of menace's transactions changes, such as the game.
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
        """Return a state that changes when others write the file, by SQLite or otherwise (`cp`); None: unknown."""
        with translate_errors(self.path):  # it may be closed
            file = file_state(self.database)
        return None if file is None else (*file, *self.version())

    def damage(self) -> list[str]:
        """Return what is wrong with the file itself: its pages, its references, its tables and views."""
        messages = [str(row[0]) for row in self.rows("PRAGMA integrity_check")]
        damage = [] if messages == ["ok"] else messages
        damage += [
            f"a row of {row[0]} refers to a row of {row[2]} that is gone"
            for row in self.rows("PRAGMA foreign_key_check")
        ]
        with contextlib.closing(sqlite3.connect(":memory:")) as fresh:
            fresh.executescript(sql_file("schema.sql") + sql_file("views.sql"))
            sql = """SELECT type, name, sql FROM sqlite_master
                     WHERE type <> 'trigger' AND name NOT LIKE 'sqlite_%' ORDER BY type, name"""
            right = fresh.execute(sql).fetchall()
        damage += [f"it has a trigger, {name} on {table}; menace makes none" for name, table in self.triggers()]
        parts = ({(kind, name, bare(text or "")) for kind, name, text in rows} for rows in (right, self.rows(sql)))
        wrong = {name for _, name, _ in set.symmetric_difference(*parts)}
        return damage + [f"{name} is not the table, view or index that menace makes" for name in sorted(wrong)]

    @contextlib.contextmanager
    def copied(self) -> Iterator[Self]:
        """Yield a private copy of the database, taken in one short read, to compute on for as long as it takes.

        Raises:
            StoreError: if there is no room for it, or reading the file takes too long.
        """
        if self.is_copy:
            yield self
            return
        with contextlib.closing(self._private_copy()) as connection:
            copy = type(self)(connection, self.path)
            copy.is_copy, copy.positions_cache = True, self.positions_cache
            yield copy

    def _private_copy(self) -> sqlite3.Connection:
        with translate_errors(self.path), read_lock(self.database, self.patience):
            return private_copy(self.database)

    def query(self, sql: str, time_limit: float) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Answer SQL that reads and nothing else, from a private copy: (names of columns, rows)."""
        check_time_limit(time_limit)
        return answer(self._private_copy(), sql, time_limit, self.path)

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Copy the database, consistently, while others write. The copy gets its name when it is complete.

        It has the permissions of the file that it is a copy of, from its first byte on.
        """
        target = path_of(path)
        check_file_name(target)
        already_exists = f"{target} exists already, and may be somebody's only copy; name another file"
        if target.exists() or target.is_symlink():
            raise StoreError(already_exists)
        if not target.parent.is_dir():
            raise StoreError(f"{target} cannot be opened: there is no folder {target.parent}; check the folder")
        mode = OWNERS_ALONE if self.path == MEMORY else stat.S_IMODE(Path(self.path).stat().st_mode)
        try:
            with translate_errors(str(target)), new_backup(target, mode) as copy:
                with translate_errors(self.path), read_lock(self.database, self.patience):
                    copy_pages(self.database, copy)
                report = copy.execute("PRAGMA integrity_check").fetchone()[0]
                if report != "ok":
                    raise StoreError(f"{self.path} is damaged ({' '.join(report.split())}); nothing was copied")
        except FileExistsError:
            raise StoreError(already_exists) from None
        except OSError as error:
            message = f"{target} cannot be written ({error.strerror}); check the folder and its permissions"
            raise StoreError(message) from None
