"""What is in the tables: rows in, rows out.

Reading needs no transaction; writing goes through `Store.transaction`, which takes SQLite's write lock before it reads
anything, so that what it read is still true when it commits.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

from sqlite_utils import Database

from menace.errors import InvalidPlayer, StoreError, UnknownGame, UnknownLearner, UnknownRun
from menace.ledger.store.connection import Connection, connect, explained, run_script, sql_file, undamaged
from menace.ledger.store.locks import POLL, write_lock
from menace.ledger.store.rows import (
    COUNT_MOST,
    AdjustmentRow,
    BlockRow,
    ChangeRow,
    EvaluationRow,
    GameRow,
    LearnerRow,
    MatchboxRow,
    MoveRow,
    PositionRow,
    Record,
    Rules,
    RunRow,
    now,
    printable,
    read,
)
from menace.ledger.store.schema import wrong_tables
from menace.output import check_not_beside_database

SMALL_FILE = 16 * 2**20  # bytes
ROWS_AT_ONCE = 120  # of eight columns: some SQLites take 999 parameters in a statement
CREATING_CACHE = 100_000  # KiB

# Of each table of what is learned: the key within a learner, and the amount with its count.
LearnedTable: TypeAlias = Literal["matchbox", "state_value", "action_value"]
LEARNED_COLUMNS: dict[LearnedTable, tuple[tuple[str, ...], tuple[str, str]]] = {
    "matchbox": (("position_id", "action"), ("beads", "picked")),
    "state_value": (("position_id",), ("value", "updates")),
    "action_value": (("position_id", "action"), ("value", "updates")),
}


class Store(Connection):
    """One menace database.

    >>> store.position("....X....")["minimax"], [move["action"] for move in store.moves(3)]
    (0, [0, 1])
    """

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        rules: Rules,
        positions: Iterable[Sequence[object]],
        moves: Iterable[Sequence[object]],
    ) -> Self:
        """Make a database in one transaction; a file that cannot be completed is taken away again.

        If another program made it meanwhile, that one is opened.

        Args:
            path: a file that does not exist, or is empty.
            rules: the game.
            positions: rows of `position`, in the order of its columns.
            moves: rows of `move`, likewise.

        Raises:
            OutputError: for a name that SQLite keeps for itself beside a database.
        """
        name = os.fspath(path)
        check_not_beside_database(name)
        existed = Path(name).exists()
        with explained(name):
            database = connect(name, "rwc")
        try:
            with explained(name):
                # What enumeration returns refers to nothing that is not there, and a large game fills a small cache.
                database.execute("PRAGMA foreign_keys = OFF")
                database.execute(f"PRAGMA cache_size = -{CREATING_CACHE}")
                with write_lock(database, POLL):
                    if not database.table_names():
                        run_script(database.conn, sql_file("schema.sql") + sql_file("views.sql"))
                        database.execute("INSERT INTO rules VALUES (?, ?, ?)", rules)
                        _fill(database, positions, moves)
                database.execute("PRAGMA cache_size = -2000")  # SQLite's own
                database.execute("PRAGMA foreign_keys = ON")
            return cls(database, name)
        except BaseException:
            database.close()
            if not existed:
                with contextlib.suppress(OSError):
                    if Path(name).stat().st_size == 0:
                        Path(name).unlink()
            raise

    def read(self, record: type[Record], sql: str, *parameters: object) -> list[Record]:
        """Return the rows of a statement of our own as checked records. Raises StoreError if one cannot be so."""
        rows = self.rows(sql, *parameters)
        with undamaged(self.path):
            return read(record, rows)

    def check_tables(self) -> None:
        """Raise StoreError if a table is missing, or is not as menace makes it: nothing of the file is used then."""
        with undamaged(self.path):
            wrong = wrong_tables(self.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
        if wrong:
            raise StoreError(
                f"{self.path} is damaged (its table {wrong[0]} is missing, or not as menace makes it);"
                " go back to a backup of it"
            )

    def check_file(self) -> None:
        """Look the whole file over before something new is written into it: its pages, its checks, its references.

        A file of more than SMALL_FILE bytes is left to `verify`, since this takes a millisecond for every 100 KB. Once
        is enough, as long as nobody else writes.

        Raises:
            StoreError: if it is damaged.
        """
        self.kept("a sound file", self._look_over)

    def _look_over(self) -> None:
        ((size,),) = self.rows("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        if size > SMALL_FILE:
            return
        ((found,),) = self.rows("PRAGMA quick_check(1)")
        if found != "ok":
            raise StoreError(f"{self.path} is damaged ({found}); go back to a backup of it")
        for table, _, referred, _ in self.rows("PRAGMA foreign_key_check"):  # whose number a new row could take
            raise StoreError(
                f"{self.path} is damaged (a row of {table} refers to a row of {referred} that is gone);"
                " go back to a backup of it"
            )

    def refresh_views(self, sound: Callable[[], object]) -> None:
        """Make the views those of this menace where they differ: they are no part of the file's version.

        A file that cannot be written keeps the views that it has, and so does a damaged one.

        Args:
            sound: raises StoreError if the file is damaged in a way that `check_file` does not see; asked only if views
                differ.
        """
        if self._stale_views():
            with contextlib.suppress(StoreError), self.transaction():
                self.check_file()
                sound()
                self.refresh_views_within()

    def refresh_views_within(self) -> None:
        """As `refresh_views`, within a transaction."""
        for name in self._stale_views():
            self.database.execute(f"DROP VIEW IF EXISTS {name}")
            self.database.execute(shipped_views()[name])

    def _private_copy(self) -> sqlite3.Connection:
        """Return a copy with the views of this menace, also of a file that could not be written."""
        stale = self._stale_views()
        copy = super()._private_copy()
        if stale and not self.is_copy:
            copy.execute("PRAGMA query_only = OFF")
            with contextlib.suppress(sqlite3.Error):
                for name in stale:
                    copy.execute(f"DROP VIEW IF EXISTS {name}")
                    copy.execute(shipped_views()[name])
            copy.execute("PRAGMA query_only = ON")
        return copy

    def _stale_views(self) -> list[str]:
        found = dict(self.rows("SELECT name, sql FROM sqlite_master WHERE type = 'view'"))
        return [name for name, sql in shipped_views().items() if found.get(name) != sql]

    # The game.

    def rules(self) -> Rules:
        """Return the game of this database."""
        found = self.read(Rules, "SELECT name, variant, symmetry FROM rules")
        if len(found) != 1:
            raise StoreError(f"{self.path} is damaged (it says {len(found)} games, not one); go back to a backup of it")
        return found[0]

    def position_rows(self, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of all positions by number, `size` at a time. Not checked (positions.py)."""
        return self.batches("SELECT * FROM position ORDER BY position_id", size)

    def move_rows(self, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield (position, action, next position, multiplicity) of all, `size` at a time. Not checked."""
        columns = "position_id, action, next_position_id, multiplicity"
        return self.batches(f"SELECT {columns} FROM move ORDER BY position_id, action", size)

    def table_rows(self, table: Literal["position", "move"], first: int, last: int) -> list[tuple[Any, ...]]:
        """Return the rows of some positions, every column, of a table of the game. Not checked."""
        return self.rows(f"SELECT * FROM {table} WHERE position_id BETWEEN ? AND ?", first, last)

    def position_count(self) -> int:
        """Return how many positions there are."""
        return int(self.rows("SELECT count(*) FROM position")[0][0])

    def move_count(self) -> int:
        """Return how many moves there are."""
        return int(self.rows("SELECT count(*) FROM move")[0][0])

    def positions(self) -> list[PositionRow]:
        """Return every position, in the order of their numbers."""
        return self.read(PositionRow, "SELECT * FROM position ORDER BY position_id")

    def all_moves(self) -> list[MoveRow]:
        """Return every move, by position, then by action."""
        return self.read(MoveRow, "SELECT * FROM move ORDER BY position_id, action")

    def position(self, board: str) -> dict[str, Any]:
        """Return the row of a canonical board.

        Raises:
            StoreError: if the database lacks it, which only damage explains.
        """
        for row in self.read(PositionRow, "SELECT * FROM position WHERE board = ?", board):
            return row._asdict()
        raise StoreError(f"{self.path} has no position {board}; it is damaged: go back to a backup of it")

    def moves(self, position_id: int) -> list[dict[str, Any]]:
        """Return the moves of a position by action, each with the next board. Raises StoreError if that is gone."""
        sql = """SELECT position.* FROM position JOIN move ON next_position_id = position.position_id
                 WHERE move.position_id = ? ORDER BY action"""
        moves = self.read(MoveRow, "SELECT * FROM move WHERE position_id = ? ORDER BY action", position_id)
        with undamaged(self.path):
            after = self.read(PositionRow, sql, position_id)
            return [{**move._asdict(), "next_board": next_.board} for move, next_ in zip(moves, after, strict=True)]

    # Learners.

    def learners(self) -> list[LearnerRow]:
        """Return every learner, the oldest first."""
        return self.read(LearnerRow, "SELECT * FROM learner ORDER BY learner_id")

    def learner(self, name: str) -> LearnerRow:
        """Return a learner by name: as it is kept, as it is shown where it cannot be printed, or in normal form C.

        Raises:
            UnknownLearner: if there is none; the message names those that there are.
        """
        for row in self.read(LearnerRow, "SELECT * FROM learner WHERE name = ?", name):
            return row
        learners = self.learners()
        for row in learners:
            if _is_called(row.name, name):
                return row
        names = ", ".join(row.name for row in learners) or "none yet"
        raise UnknownLearner(f"no learner is called {name!r}; there are: {names} (`menace new` makes one)")

    def has_learner(self, name: str) -> bool:
        """Say whether there is a learner of this name."""
        with undamaged(self.path):
            return any(_is_called(printable(kept), name) for (kept,) in self.rows("SELECT name FROM learner"))

    def learner_by_id(self, learner_id: int) -> LearnerRow:
        """Return a learner by its number, which the database itself refers to."""
        for row in self.read(LearnerRow, "SELECT * FROM learner WHERE learner_id = ?", learner_id):
            return row
        raise StoreError(f"{self.path} is damaged (learner {learner_id} is gone); go back to a backup of it")

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
        row = self.learner(old)
        if row.name != new:
            self.check_name_is_free(new)
            self.database.table("learner").update(row.learner_id, {"name": new})

    def check_name_is_free(self, name: str) -> None:
        """Raise InvalidPlayer if a learner has this name."""
        if self.has_learner(name):
            raise InvalidPlayer(f"a learner is called {name!r} already; choose another name")

    def update_learner(self, learner_id: int, games: int, epsilon: float | None, outcome_mean: float | None) -> None:
        """Write the state that moves with a learner's games. Within a transaction."""
        sql = "UPDATE learner SET games = ?, epsilon = ?, outcome_mean = ? WHERE learner_id = ?"
        self.database.execute(sql, [games, epsilon, outcome_mean, learner_id])

    def learned_rows(self, table: LearnedTable, learner_id: int) -> list[tuple[Any, ...]]:
        """Return what a learner has learned, by key: (position, action, beads, picked) or the like. Not checked."""
        return list(itertools.chain.from_iterable(self.learned_batches(table, learner_id, 100_000)))

    def learned_batches(self, table: LearnedTable, learner_id: int, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield what `learned_rows` returns, `size` rows at a time."""
        keys, amounts = LEARNED_COLUMNS[table]
        order = ", ".join(keys)
        sql = f"SELECT {order}, {', '.join(amounts)} FROM {table} WHERE learner_id = ? ORDER BY {order}"
        return self.batches(sql, size, learner_id)

    def matchbox(self, learner_id: int, position_id: int) -> list[MatchboxRow]:
        """Return the piles of one box, by action."""
        columns = "position_id, action, beads, picked"
        sql = f"SELECT {columns} FROM matchbox WHERE learner_id = ? AND position_id = ? ORDER BY action"
        return self.read(MatchboxRow, sql, learner_id, position_id)

    def box_count(self, learner_id: int) -> int:
        """Return how many matchboxes a learner has."""
        return int(self.rows("SELECT count(DISTINCT position_id) FROM matchbox WHERE learner_id = ?", learner_id)[0][0])

    def box_board(self, learner_id: int, number: int) -> str:
        """Return the canonical board of a matchbox. Not checked: that `number` is from 1 to `box_count`."""
        sql = """SELECT * FROM position WHERE position_id = (
                     SELECT DISTINCT position_id FROM matchbox WHERE learner_id = ? ORDER BY 1 LIMIT 1 OFFSET ?)"""
        for row in self.read(PositionRow, sql, learner_id, number - 1):
            return row.board
        raise StoreError(f"{self.path} has no board for box {number}; it is damaged: go back to a backup of it")

    def box_number(self, learner_id: int, position_id: int) -> int | None:
        """Return the number of the matchbox for a position on the learner's shelf, from 1; None if it has none."""
        sql = """SELECT count(DISTINCT position_id), max(position_id) FROM matchbox
                 WHERE learner_id = ? AND position_id <= ?"""
        ((number, last),) = self.rows(sql, learner_id, position_id)
        return int(number) if last == position_id else None

    def learned_row_counts(self) -> dict[str, dict[int, int]]:
        """Return how many rows each table of what is learned has, by learner."""
        sql = "SELECT learner_id, count(*) FROM {} GROUP BY learner_id"
        return {table: dict(self.rows(sql.format(table))) for table in LEARNED_COLUMNS}

    def add_learned_rows(self, table: LearnedTable, learner_id: int, rows: Iterable[tuple[Any, ...]]) -> None:
        """Give a new learner its first table; rows as `learned_rows` has them. Within a transaction."""
        keys, amounts = LEARNED_COLUMNS[table]
        columns = ("learner_id", *keys, *amounts)
        row = f"({learner_id:d}, {_marks(len(columns) - 1)})"
        _insert(self.database, f"{table} ({', '.join(columns)})", row, rows)

    def update_learned_rows(self, table: LearnedTable, learner_id: int, rows: Iterable[tuple[Any, ...]]) -> None:
        """Write new amounts and counts; rows as `learned_rows` has them. Within a transaction."""
        keys, amounts = LEARNED_COLUMNS[table]
        changes = ", ".join(f"{column} = ?" for column in amounts)
        where = " AND ".join(f"{column} = ?" for column in keys)
        sql = f"UPDATE {table} SET {changes} WHERE learner_id = ? AND {where}"
        split = len(keys)
        self.database.conn.executemany(sql, ((*row[split:], learner_id, *row[:split]) for row in rows))

    # Runs and blocks.

    def runs(self) -> list[RunRow]:
        """Return every run, the oldest first."""
        return self.read(RunRow, "SELECT * FROM run ORDER BY run_id")

    def run(self, run_id: int) -> RunRow:
        """Return a run.

        Raises:
            UnknownRun: if there is none of that number.
        """
        if abs(run_id) < 2**63:  # beyond, SQLite has no such numbers
            for row in self.read(RunRow, "SELECT * FROM run WHERE run_id = ?", run_id):
                return row
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
        return self.read(BlockRow, f"SELECT * FROM block {where} ORDER BY block_id", *parameters)

    def block(self, block_id: int) -> BlockRow | None:
        """Return a block, or None if there is none of that number."""
        found = self.read(BlockRow, "SELECT * FROM block WHERE block_id = ?", block_id)
        return found[0] if found else None

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
        sql = "SELECT coalesce(sum(numbers), 0), coalesce(min(numbers), 0) FROM block WHERE run_id = ?"
        ((total, least),) = self.rows(sql, run_id)
        if type(total) is not int or type(least) is not int or least < 0 or total > COUNT_MOST:
            raise StoreError(f"{self.path} is damaged (run {run_id} used {total} numbers); go back to a backup of it")
        return total

    def extend_run(self, run_id: int, games: int) -> None:
        """Write that a run of a person's games now has `games`, all wanted and played. Within a transaction."""
        sql = "UPDATE run SET games_wanted = ?, games_played = ?, finished_at = ? WHERE run_id = ?"
        self.database.execute(sql, [games, games, now(), run_id])

    # Games with people, and beads that people counted.

    def games(self) -> list[GameRow]:
        """Return every recorded game, the oldest first."""
        return self.read(GameRow, "SELECT * FROM game ORDER BY game_id")

    def game(self, game_id: int) -> GameRow:
        """Return a recorded game.

        Raises:
            UnknownGame: if there is none of that number.
        """
        if abs(game_id) < 2**63:  # beyond, SQLite has no such numbers
            for row in self.read(GameRow, "SELECT * FROM game WHERE game_id = ?", game_id):
                return row
        raise UnknownGame(f"there is no recorded game {game_id}; `menace games` lists them")

    def add_game(self, block_id: int, number: int, **columns: str) -> int:
        """Insert the record of a game, and return its number. Within a transaction."""
        row: dict[str, Any] = {"block_id": block_id, "number": number, **columns}
        return int(self.database.table("game").insert(row).last_pk)  # type: ignore[arg-type]

    def changes(self) -> list[ChangeRow]:
        """Return what recorded games changed, in the order of the games."""
        return self.read(ChangeRow, "SELECT * FROM change ORDER BY game_id, learner_id, ply, action")

    def add_changes(self, rows: Iterable[ChangeRow]) -> None:
        """Insert what a recorded game changed. Within a transaction."""
        self.database.conn.executemany(f"INSERT INTO change VALUES ({_marks(8)})", rows)

    def adjustments(self) -> list[AdjustmentRow]:
        """Return every pile that a person counted anew, in the order of the log."""
        sql = "SELECT * FROM adjustment ORDER BY block_id, learner_id, position_id, action"
        return self.read(AdjustmentRow, sql)

    def add_adjustments(self, rows: Iterable[AdjustmentRow]) -> None:
        """Insert piles that a person counted anew. Within a transaction."""
        self.database.conn.executemany(f"INSERT INTO adjustment VALUES ({_marks(6)})", rows)

    def add_evaluations(self, rows: Iterable[EvaluationRow]) -> None:
        """Insert exact strengths. Within a transaction."""
        self.database.conn.executemany(f"INSERT INTO evaluation VALUES ({_marks(8)})", rows)

    def latest_evaluation(self, learner_id: int, policy: str) -> dict[str, tuple[float, float, float]]:
        """Return the shares of wins, draws and losses of a learner when it was measured last, by opponent."""
        sql = """SELECT * FROM evaluation WHERE learner_id = ? AND policy = ? AND block_id = (
                     SELECT max(block_id) FROM evaluation WHERE learner_id = ?)"""
        rows = self.read(EvaluationRow, sql, learner_id, policy, learner_id)
        return {row.opponent: (row.win, row.draw, row.loss) for row in rows}

    def evaluations_of(self, learner_id: int, policy: str) -> list[EvaluationRow]:
        """Return every exact strength of one learner, in the order of the log."""
        sql = "SELECT * FROM evaluation WHERE learner_id = ? AND policy = ? ORDER BY block_id, opponent"
        return self.read(EvaluationRow, sql, learner_id, policy)

    def evaluations(self) -> list[EvaluationRow]:
        """Return every exact strength, in the order of the log."""
        sql = "SELECT * FROM evaluation ORDER BY block_id, learner_id, policy, opponent"
        return self.read(EvaluationRow, sql)


@functools.cache
def shipped_views() -> dict[str, str]:
    """Return the SQL of each view of db/views.sql, by name, as a file that has it keeps it.

    >>> shipped_views()["learning_curve"].splitlines()[0]
    'CREATE VIEW learning_curve AS'
    """
    found = re.findall(r"^(CREATE VIEW (\w+).*?);$", sql_file("views.sql"), re.DOTALL | re.MULTILINE)
    return {name: sql for sql, name in found}


def _is_called(kept: str, name: str) -> bool:
    """Say whether what was typed means a name: it may be decomposed, as some keyboards and file systems have it."""
    return kept in {name, unicodedata.normalize("NFC", name)}


def _fill(database: Database, positions: Iterable[Sequence[object]], moves: Iterable[Sequence[object]]) -> None:
    """Write the rows of a game; an index is made of all moves at once, which takes less time."""
    of_moves = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'move' AND sql IS NOT NULL"
    index, sql = database.execute(of_moves).fetchone()
    database.execute(f"DROP INDEX {index}")
    _insert(database, "position", f"({_marks(8)})", positions)
    _insert(database, "move", f"({_marks(6)})", moves)
    database.execute(sql)


def _insert(database: Database, table: str, row: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows, many by a statement: it takes a third of the time of a statement for each."""
    sql = f"INSERT INTO {table} VALUES "
    remaining = iter(rows)
    while batch := list(itertools.islice(remaining, ROWS_AT_ONCE)):
        database.execute(sql + ", ".join([row] * len(batch)), list(itertools.chain.from_iterable(batch)))


def _marks(count: int) -> str:
    return ", ".join("?" * count)
