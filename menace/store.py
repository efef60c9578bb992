"""The database: the only file that speaks SQLite. Rows in, rows out.

A `Store` is one connection. Reading needs no transaction; writing goes through `Store.transaction`, which takes
SQLite's write lock before it reads anything, so that what it read is still true when it commits.
"""

from __future__ import annotations

import contextlib
import importlib.resources
import os
import sqlite3
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from sqlite_utils import Database

from menace.errors import (
    DatabaseBusy,
    InvalidPlayer,
    NoDatabase,
    NotOurs,
    QueryFailed,
    SchemaMismatch,
    StoreError,
    UnknownLearner,
    UnknownRun,
)

APPLICATION_ID = int.from_bytes(b"MNCE", "big")
SCHEMA_VERSION = 1
SQLITE_VERSION = sqlite3.sqlite_version
PATIENCE = 30.0  # seconds to wait for another program's lock
# SQLite's lock goes to whoever asks first after it is free. Who asks more often waits less: people before trainers.
POLL = 0.001
TRAINER_POLL = 0.005


class Rules(NamedTuple):
    """The row of `rules`."""

    name: str
    variant: str
    symmetry: str


class LearnerRow(NamedTuple):
    """A row of `learner`."""

    learner_id: int
    name: str
    plays: str
    algorithm: str
    preset: str
    settings: str
    seed: int | None
    games: int
    epsilon: float | None
    outcome_mean: float | None
    created_at: str


class RunRow(NamedTuple):
    """A row of `run`."""

    run_id: int
    kind: str
    x_player: str
    o_player: str
    x_learner_id: int | None
    o_learner_id: int | None
    x_learns: int
    o_learns: int
    games_wanted: int
    games_played: int
    seed: int
    options: str
    version: str
    started_at: str
    finished_at: str | None


class BlockRow(NamedTuple):
    """A row of `block`."""

    block_id: int
    run_id: int
    kind: str
    games: int
    x_wins: int
    draws: int
    o_wins: int
    numbers_before: int
    numbers: int
    created_at: str


class EvaluationRow(NamedTuple):
    """A row of `evaluation`."""

    block_id: int
    learner_id: int
    learner_games: int
    policy: str
    opponent: str
    win: float
    draw: float
    loss: float


class MatchboxRow(NamedTuple):
    """A row of `matchbox`, without its learner."""

    position_id: int
    action: int
    beads: int
    drawn: int


def now() -> str:
    """Return the time as the database keeps it: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def sql_file(name: str) -> str:
    """Return the text of a file in db/."""
    return importlib.resources.files("menace.db").joinpath(name).read_text(encoding="utf-8")


@contextlib.contextmanager
def _explained(path: str) -> Iterator[None]:
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


def _connect(path: str, mode: str) -> Database:
    uri = f"{Path(path).absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return Database(connection, execute_plugins=False)


class Store:
    """One menace database."""

    def __init__(self, database: Database, path: str) -> None:
        """Wrap an open connection (the explorer brings its own) to a menace database.

        Raises:
            NotOurs, SchemaMismatch: if it is another program's, or another version's.
        """
        self.database = database
        self.path = path
        with _explained(path):
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
    def open(cls, path: str | os.PathLike[str]) -> Store:
        """Open an existing database, to read and write.

        Raises:
            NoDatabase, NotOurs, SchemaMismatch, StoreError: before anything is written to the file.
        """
        name = os.fspath(path)
        if not Path(name).exists():
            raise NoDatabase(f"there is no database {name}; `menace init` or `menace selfplay` makes one")
        if Path(name).is_dir():
            raise StoreError(f"{name} is a directory; name a database file in it")
        with _explained(name):
            database = _connect(name, "rw")
        try:
            return cls(database, name)
        except BaseException:
            database.close()
            raise

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        rules: Rules,
        positions: Iterable[Sequence[object]],
        moves: Iterable[Sequence[object]],
    ) -> Store:
        """Make a database in one transaction; a file that cannot be completed is taken away again.

        If another program made it meanwhile, that one is opened.

        Args:
            path: a file that does not exist, or is empty.
            rules: the game.
            positions: rows of `position`, in the order of its columns.
            moves: rows of `move`, likewise.
        """
        name = os.fspath(path)
        existed = Path(name).exists()
        with _explained(name):
            database = _connect(name, "rwc")
        try:
            with _explained(name), _write_lock(database, POLL):
                if not database.table_names():
                    database.executescript(sql_file("schema.sql"))
                    database.executescript(sql_file("views.sql"))
                    database.execute("INSERT INTO rules VALUES (?, ?, ?)", rules)
                    database.conn.executemany(f"INSERT INTO position VALUES ({_marks(8)})", positions)
                    database.conn.executemany(f"INSERT INTO move VALUES ({_marks(6)})", moves)
            return cls(database, name)
        except BaseException:
            database.close()
            if not existed:
                with contextlib.suppress(OSError):
                    if Path(name).stat().st_size == 0:
                        Path(name).unlink()
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
        with _explained(self.path), _write_lock(self.database, poll):
            yield

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Hold a read lock, so that several reads see one state. Keep it short: nobody can commit meanwhile."""
        with _explained(self.path), self.database.atomic():
            yield

    def _rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        with _explained(self.path):
            return self.database.conn.execute(sql, parameters).fetchall()

    def version(self) -> tuple[int, int]:
        """Return what is the same as before as long as nobody, through this connection or another, has written."""
        return int(self._rows("PRAGMA data_version")[0][0]), self.database.conn.total_changes

    # The game.

    def rules(self) -> Rules:
        """Return the game of this database."""
        return Rules(*self._rows("SELECT name, variant, symmetry FROM rules")[0])

    def position_rows(self) -> list[tuple[Any, ...]]:
        """Return (ply, outcome, minimax, plies_to_end) of every position, in the order of their numbers."""
        return self._rows("SELECT ply, outcome, minimax, plies_to_end FROM position ORDER BY position_id")

    def move_rows(self) -> list[tuple[Any, ...]]:
        """Return (position, action, next position, multiplicity) of every move, by position, then by action."""
        columns = "position_id, action, next_position_id, multiplicity"
        return self._rows(f"SELECT {columns} FROM move ORDER BY position_id, action")

    def table_rows(self, table: Literal["position", "move"]) -> list[tuple[Any, ...]]:
        """Return every row and column of a table of the game, in the order of its key."""
        return self._rows(f"SELECT * FROM {table} ORDER BY 1, 2")

    def position(self, board: str) -> dict[str, Any]:
        """Return the row of a canonical board.

        Raises:
            StoreError: if the database lacks it, which only damage explains.
        """
        with _explained(self.path):
            for row in self.database.query("SELECT * FROM position WHERE board = ?", [board]):
                return row
        raise StoreError(f"{self.path} has no position {board}; it is damaged: go back to a backup of it")

    def moves(self, position_id: int) -> list[dict[str, Any]]:
        """Return the moves of a position by action, each with the next board."""
        sql = """SELECT move.*, position.board AS next_board FROM move
                 JOIN position ON position.position_id = next_position_id WHERE move.position_id = ? ORDER BY action"""
        with _explained(self.path):
            return list(self.database.query(sql, [position_id]))

    # Learners.

    def learners(self) -> list[LearnerRow]:
        """Return every learner, the oldest first."""
        return [LearnerRow(*row) for row in self._rows("SELECT * FROM learner ORDER BY learner_id")]

    def learner(self, name: str) -> LearnerRow:
        """Return a learner by name.

        Raises:
            UnknownLearner: if there is none; the message names those that there are.
        """
        for row in self._rows("SELECT * FROM learner WHERE name = ?", name):
            return LearnerRow(*row)
        names = ", ".join(row.name for row in self.learners()) or "none yet"
        raise UnknownLearner(f"no learner is called {name!r}; there are: {names} (`menace new` makes one)")

    def has_learner(self, name: str) -> bool:
        """Say whether there is a learner of this name."""
        return bool(self._rows("SELECT 1 FROM learner WHERE name = ?", name))

    def learner_by_id(self, learner_id: int) -> LearnerRow:
        """Return a learner by its number, which the database itself refers to."""
        return LearnerRow(*self._rows("SELECT * FROM learner WHERE learner_id = ?", learner_id)[0])

    def add_learner(self, **columns: object) -> int:
        """Insert a learner, created now, and return its number. Within a transaction.

        Raises:
            InvalidPlayer: if the name is taken.
        """
        self.check_name_is_free(str(columns["name"]))
        table = self.database.table("learner")
        return int(table.insert({**columns, "created_at": now()}).last_pk)  # type: ignore[arg-type]

    def rename_learner(self, old: str, new: str) -> None:
        """Give a learner another name. Within a transaction.

        Raises:
            UnknownLearner, InvalidPlayer: if there is no such learner, or the new name is taken.
        """
        learner_id = self.learner(old).learner_id
        if old != new:
            self.check_name_is_free(new)
            self.database.table("learner").update(learner_id, {"name": new})

    def check_name_is_free(self, name: str) -> None:
        """Raise InvalidPlayer if a learner has this name."""
        if self.has_learner(name):
            raise InvalidPlayer(f"a learner is called {name!r} already; choose another name")

    def update_learner(self, learner_id: int, games: int, epsilon: float | None, outcome_mean: float | None) -> None:
        """Write the state that moves with a learner's games. Within a transaction."""
        sql = "UPDATE learner SET games = ?, epsilon = ?, outcome_mean = ? WHERE learner_id = ?"
        self.database.execute(sql, [games, epsilon, outcome_mean, learner_id])

    def matchbox_rows(self, learner_id: int) -> list[tuple[Any, ...]]:
        """Return (position, action, beads, drawn) of every bead colour of a learner, by position, then by action."""
        sql = "SELECT position_id, action, beads, drawn FROM matchbox WHERE learner_id = ? ORDER BY position_id, action"
        return self._rows(sql, learner_id)

    def box(self, learner_id: int, position_id: int) -> list[tuple[Any, ...]]:
        """Return (action, beads, drawn) of every bead colour of one box, by action."""
        sql = "SELECT action, beads, drawn FROM matchbox WHERE learner_id = ? AND position_id = ? ORDER BY action"
        return self._rows(sql, learner_id, position_id)

    def add_matchbox_rows(self, learner_id: int, rows: Iterable[MatchboxRow]) -> None:
        """Fill a new learner's boxes. Within a transaction."""
        sql = "INSERT INTO matchbox (learner_id, position_id, action, beads, drawn) VALUES (?, ?, ?, ?, ?)"
        self.database.conn.executemany(sql, ((learner_id, *row) for row in rows))

    def update_matchbox_rows(self, learner_id: int, rows: Iterable[MatchboxRow]) -> None:
        """Write new beads and counts. Within a transaction."""
        sql = "UPDATE matchbox SET beads = ?, drawn = ? WHERE learner_id = ? AND position_id = ? AND action = ?"
        self.database.conn.executemany(sql, ((r.beads, r.drawn, learner_id, r.position_id, r.action) for r in rows))

    # Runs and blocks.

    def runs(self) -> list[RunRow]:
        """Return every run, the oldest first."""
        return [RunRow(*row) for row in self._rows("SELECT * FROM run ORDER BY run_id")]

    def run(self, run_id: int) -> RunRow:
        """Return a run.

        Raises:
            UnknownRun: if there is none of that number.
        """
        for row in self._rows("SELECT * FROM run WHERE run_id = ?", run_id):
            return RunRow(*row)
        raise UnknownRun(f"there is no run {run_id}; `menace runs` lists them")

    def add_run(self, **columns: object) -> int:
        """Insert a run, started now, and return its number. Within a transaction."""
        return int(self.database.table("run").insert({**columns, "started_at": now()}).last_pk)  # type: ignore[arg-type]

    def update_run(self, run_id: int, games_played: int, finished_at: str | None) -> None:
        """Write how far a run has come. Within a transaction."""
        sql = "UPDATE run SET games_played = ?, finished_at = ? WHERE run_id = ?"
        self.database.execute(sql, [games_played, finished_at, run_id])

    def blocks(self, run_id: int | None = None) -> list[BlockRow]:
        """Return the log of blocks in its order, of one run or of all."""
        where, parameters = ("", []) if run_id is None else ("WHERE run_id = ?", [run_id])
        return [BlockRow(*row) for row in self._rows(f"SELECT * FROM block {where} ORDER BY block_id", *parameters)]

    def add_block(
        self, run_id: int, kind: str, games: int, outcomes: Sequence[int], numbers_before: int, numbers: int
    ) -> int:
        """Append a block to the log, now, and return its number. Within a transaction.

        `outcomes` are the games that X won, that were drawn, and that O won.
        """
        sql = f"INSERT INTO block VALUES (NULL, {_marks(9)})"
        row = [run_id, kind, games, *outcomes, numbers_before, numbers, now()]
        cursor = self.database.execute(sql, row)
        return int(cursor.lastrowid or 0)

    def numbers_used(self, run_id: int) -> int:
        """Return how many random numbers a run has used so far."""
        return int(self._rows("SELECT coalesce(sum(numbers), 0) FROM block WHERE run_id = ?", run_id)[0][0])

    def add_evaluations(self, rows: Iterable[EvaluationRow]) -> None:
        """Insert exact strengths. Within a transaction."""
        self.database.conn.executemany(f"INSERT INTO evaluation VALUES ({_marks(8)})", rows)

    def evaluations(self) -> list[EvaluationRow]:
        """Return every exact strength, in the order of the log."""
        sql = "SELECT * FROM evaluation ORDER BY block_id, learner_id, policy, opponent"
        return [EvaluationRow(*row) for row in self._rows(sql)]

    # Questions and copies.

    def damage(self) -> list[str]:
        """Return what SQLite itself finds wrong with the file; nothing, as a rule."""
        found = [str(row[0]) for row in self._rows("PRAGMA integrity_check")]
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
            Store.open(target).close()
        partial = target.with_name(f"{target.name}.partial")
        with _explained(str(target)):
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
def _write_lock(database: Database, poll: float) -> Generator[None, None, None]:
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


def _marks(count: int) -> str:
    return ", ".join("?" * count)
