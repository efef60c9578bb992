"""Read and write the tables of learners and of the log."""

from __future__ import annotations

import itertools
import json
import sqlite3
import sys
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib.abc import MetaPathFinder
from numbers import Integral
from typing import Any, Literal, TypeAlias

from menace.errors import InvalidPlayer, UnknownGame, UnknownLearner, UnknownRun
from menace.ledger.store import records
from menace.ledger.store.connection import Connection, damaged
from menace.text.wording import did_you_mean

MAX_PARAMETERS = 999  # maximum number of parameters in a statement; some builds of SQLite have this limit
WILD = frozenset("*?[")  # a name with any of these characters is a pattern, as in a shell

# This dictionary maps each table of learned values to its key columns (except the learner's id) and its other columns.
# The last two of these columns are an amount and a count.
LearnedTable: TypeAlias = Literal["matchbox", "state_value", "action_value"]
LEARNED_COLUMNS: dict[LearnedTable, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "matchbox": (("position_id", "action"), ("beads", "picked")),
    "state_value": (("position_id",), ("value", "updates")),
    "action_value": (("position_id", "action"), ("half_difference", "value", "updates")),
}


class LearnerTables(Connection):
    """Methods that read and write the tables of learners."""

    def learners(self) -> list[records.LearnerRow]:
        """Return all learners that have not been deleted, oldest first."""
        return self.read(records.LearnerRow, "SELECT * FROM learner WHERE deleted_at IS NULL ORDER BY learner_id")

    def learners_and_deleted(self) -> list[records.LearnerRow]:
        """Return all learners that the log may refer to, including deleted learners, oldest first."""
        return self.read(records.LearnerRow, "SELECT * FROM learner ORDER BY learner_id")

    def learner(self, name: str) -> records.LearnerRow:
        """Return a learner by its stored name, by its displayed name, or by its name in normal form C.

        Raises:
            UnknownLearner: if there is no such learner. The message lists the existing learners.
        """
        if not isinstance(name, str):
            raise UnknownLearner(f"{name!r} is not a machine's name; pass a string such as 'menace-x'")
        sql = "SELECT * FROM learner WHERE name IN (?, ?) AND deleted_at IS NULL ORDER BY name <> ?"
        row = self.read_first(records.LearnerRow, sql, name, composed(name), name)
        if row is not None:
            return row
        learners = self.learners()
        for row in learners:
            if row.name in {name, composed(name)}:  # the stored name is not printable
                return row
        from menace.learners.opponents.fixed import FIXED  # imported here because only error messages need it

        if name in FIXED:
            raise UnknownLearner(
                f"{name!r} is a fixed opponent, not a machine; `menace players` describes how it plays"
            )
        known = [row.name for row in learners]
        names = f"{did_you_mean(name, known)}existing machines: {', '.join(known) or 'none yet'}"
        raise UnknownLearner(f"no machine is called {name!r}; {names} (`menace new` creates one)")

    def has_learner(self, name: str) -> bool:
        """Return whether there is a learner with this name."""
        if not self.cached("printable names", lambda: all(map(str.isprintable, self._names()))):
            return any(records.printable(kept) in {name, composed(name)} for kept in self._names())
        sql = "SELECT EXISTS (SELECT 1 FROM learner WHERE name IN (?, ?) AND deleted_at IS NULL)"
        return name.isprintable() and self.rows(sql, name, composed(name)) == [(1,)]

    def _names(self) -> list[str]:
        """Return the names of all learners. Raises StoreError if a name is not text."""
        names = [name for (name,) in self.rows("SELECT name FROM learner WHERE deleted_at IS NULL")]
        if not all(isinstance(name, str) for name in names):
            self.learners()  # raises an error for the invalid row
        return names

    def expand_names(self, texts: Sequence[str]) -> list[str]:
        """Expand patterns into the names of learners, without duplicates. Names that are not patterns stay unchanged.

        Args:
            texts: names or patterns. In a pattern, `*` matches any text, `?` matches a single character, and `[xo]`
                matches x or o.

        Raises:
            UnknownLearner: if a pattern matches no learner. The message lists the existing learners.

        >>> store.expand_names(["menace-?", "menace-x", "random"])
        ['menace-x', 'menace-o', 'random']
        """
        names: list[str] = []
        known = [row.name for row in self.learners()] if any(WILD & set(text) for text in texts) else []
        for text in texts:
            if not WILD & set(text):
                names.append(text)
                continue
            matches = [name for name in known if fnmatchcase(name, text)]
            if not matches:
                names_there = ", ".join(known) or "none yet"
                message = f"no machine's name matches '{text}'; existing machines: {names_there}"
                raise UnknownLearner(f"{message} (`menace new` creates one)")
            names += matches
        return list(dict.fromkeys(names))

    def learner_by_id(self, learner_id: int) -> records.LearnerRow:
        """Return the learner that another row refers to by id. Raises StoreError if the learner is missing."""
        row = self._by_id(learner_id)
        if row is None:
            raise damaged(self.path, f"learner {learner_id} is missing")
        return row

    def _by_id(self, learner_id: int) -> records.LearnerRow | None:
        return self.read_first(records.LearnerRow, "SELECT * FROM learner WHERE learner_id = ?", learner_id)

    def learner_if_not_deleted(self, learner_id: int, known_as: str = "the machine") -> records.LearnerRow:
        """Return the learner whose id the caller has kept in memory.

        Args:
            learner_id: the id.
            known_as: the learner's earlier name, for messages.

        Raises:
            UnknownLearner: if the learner has been deleted in the meantime.
        """
        row = self._by_id(learner_id)
        if row is not None and row.deleted_at is None:
            return row
        raise UnknownLearner(f"{known_as} has been deleted; choose another machine (`menace learners` lists them)")

    def add_learner(self, **columns: object) -> int:
        """Insert a learner that is created now, and return its id. Must be called within a transaction.

        Raises:
            InvalidPlayer: if the name is taken.
        """
        self.check_name_is_free(str(columns["name"]))
        return insert_row(self.database, "learner", {**columns, "created_at": records.now()})

    def rename_learner(self, old: str, new: str) -> None:
        """Rename a learner. Must be called within a transaction.

        Raises:
            UnknownLearner, InvalidPlayer: if there is no such learner, or the new name is taken.
        """
        row = self.learner(old)
        if row.name != new:
            self.check_name_is_free(new)
            self.database.execute("UPDATE learner SET name = ? WHERE learner_id = ?", [new, row.learner_id])

    def remove_learner(self, learner_id: int) -> None:
        """Delete a learner that the log does not refer to, with all its rows. Must be called within a transaction."""
        for table in (*LEARNED_COLUMNS, "learner"):
            self.database.execute(f"DELETE FROM {table} WHERE learner_id = ?", [learner_id])

    def hide_learner(self, learner_id: int, name: str) -> None:
        """Mark a learner as deleted now, and rename it to `name`. Must be called within a transaction."""
        sql = "UPDATE learner SET name = ?, deleted_at = ? WHERE learner_id = ?"
        self.database.execute(sql, [name, records.now(), learner_id])

    def check_name_is_free(self, name: str) -> None:
        """Raise InvalidPlayer if a learner or a person who has played has this name, because lists show both."""
        if self.has_learner(name):
            raise InvalidPlayer(f"a machine is already called {name!r}; choose another name")
        # This query skips invalid JSON, because reading the options of such a run raises an error anyway.
        sql = """SELECT 1 FROM run WHERE kind = 'play'
                 AND CASE WHEN json_valid(options) THEN json_extract(options, '$.person') END = ? LIMIT 1"""
        if self.rows(sql, name):
            raise InvalidPlayer(f"a person who has played is called {name!r}; choose another name for the machine")

    def update_learner(self, learner_id: int, games: int, moving: Mapping[str, float | None]) -> None:
        """Update the columns that change as a learner plays. Must be called within a transaction."""
        columns = ", ".join(f"{column} = ?" for column in ("games", *moving))
        self.database.execute(
            f"UPDATE learner SET {columns} WHERE learner_id = ?", [games, *moving.values(), learner_id]
        )

    def learned_rows(self, table: LearnedTable, learner_id: int) -> list[tuple[Any, ...]]:
        """Return a learner's rows, such as (position, action, beads, picked), unchecked and sorted by key."""
        return list(itertools.chain.from_iterable(self.learned_batches(table, learner_id, 100_000)))

    def learned_batches(self, table: LearnedTable, learner_id: int, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of `learned_rows` in batches of `size`."""
        keys, amounts = LEARNED_COLUMNS[table]
        order = ", ".join(keys)
        sql = f"SELECT {order}, {', '.join(amounts)} FROM {table} WHERE learner_id = ? ORDER BY {order}"
        return self.batches(sql, size, learner_id)

    def matchbox(self, learner_id: int, position_id: int) -> list[records.MatchboxRow]:
        """Return the piles of a box, sorted by action."""
        columns = "position_id, action, beads, picked"
        sql = f"SELECT {columns} FROM matchbox WHERE learner_id = ? AND position_id = ? ORDER BY action"
        return self.read(records.MatchboxRow, sql, learner_id, position_id)

    def has_matchboxes(self, learner_id: int) -> bool:
        """Return whether a learner has a matchbox."""
        return bool(self.rows("SELECT 1 FROM matchbox WHERE learner_id = ? LIMIT 1", learner_id))

    def box_count(self, learner_id: int) -> int:
        """Return the number of a learner's matchboxes."""
        return int(self.rows("SELECT count(DISTINCT position_id) FROM matchbox WHERE learner_id = ?", learner_id)[0][0])

    def box_board(self, learner_id: int, number: int) -> str:
        """Return the canonical board of matchbox `number`, which must be from 1 to `box_count`."""
        sql = """SELECT * FROM position WHERE position_id = (
                     SELECT DISTINCT position_id FROM matchbox WHERE learner_id = ? ORDER BY 1 LIMIT 1 OFFSET ?)"""
        for row in self.read(records.PositionRow, sql, learner_id, number - 1):
            return row.board
        raise damaged(self.path, f"it has no board for box {number}")

    def box_number(self, learner_id: int, position_id: int) -> int | None:
        """Return the number of a learner's matchbox for a position, counting from 1, or None if it has none."""
        sql = """SELECT count(DISTINCT position_id), max(position_id) FROM matchbox
                 WHERE learner_id = ? AND position_id <= ?"""
        ((number, last),) = self.rows(sql, learner_id, position_id)
        return int(number) if last == position_id else None

    def learned_row_counts(self) -> dict[str, dict[int, int]]:
        """Return the number of rows that each learner has in each table of learned values."""
        sql = "SELECT learner_id, count(*) FROM {} GROUP BY learner_id"
        return {table: dict(self.rows(sql.format(table))) for table in LEARNED_COLUMNS}

    def add_learned_rows(self, table: LearnedTable, learner_id: int, rows: Iterable[tuple[Any, ...]]) -> None:
        """Insert a new learner's rows in the form of `learned_rows`. Must be called within a transaction."""
        keys, amounts = LEARNED_COLUMNS[table]
        columns = ("learner_id", *keys, *amounts)
        insert(self.database, f"{table} ({', '.join(columns)})", len(columns) - 1, rows, learner_id)

    def update_learned_rows(self, table: LearnedTable, learner_id: int, rows: Iterable[tuple[Any, ...]]) -> None:
        """Update amounts and counts with rows in the form of `learned_rows`. Must be called within a transaction."""
        keys, amounts = LEARNED_COLUMNS[table]
        changes = ", ".join(f"{column} = ?" for column in amounts)
        where = " AND ".join(f"{column} = ?" for column in keys)
        sql = f"UPDATE {table} SET {changes} WHERE learner_id = ? AND {where}"
        split = len(keys)
        self.database.executemany(sql, ((*row[split:], learner_id, *row[:split]) for row in rows))


def composed(name: str) -> str:
    r"""Return a typed name in normal form C, the form in which names are stored.

    >>> len("Zoe\u0308"), len(composed("Zoe\u0308"))
    (4, 3)
    """
    return unicodedata.normalize("NFC", name)


class LogTables(Connection):
    """Methods that read and write the tables of the log."""

    # The following methods read and write runs and blocks.

    def runs(self) -> list[records.Run]:
        """Return every run, oldest first."""
        return self.read(records.Run, "SELECT * FROM run ORDER BY run_id")

    def runs_of_kind(self, kind: str) -> list[records.Run]:
        """Return every run of a kind, such as `forget`, oldest first."""
        return self.read(records.Run, "SELECT * FROM run WHERE kind = ? ORDER BY run_id", kind)

    def run(self, run_id: int) -> records.Run:
        """Return a run by its id."""
        row = self.read_first(records.Run, "SELECT * FROM run WHERE run_id = ?", run_id) if _is_number(run_id) else None
        if row is None:
            raise UnknownRun(f"there is no run {run_id}; `menace runs` lists all runs")
        return row

    def add_run(self, **columns: object) -> int:
        """Insert a run that starts now, and return its id. Must be called within a transaction."""
        return insert_row(self.database, "run", {**columns, "started_at": records.now()})

    def update_run(self, run_id: int, games_played: int, finished_at: str | None) -> None:
        """Update a run's number of played games and its finishing time. Must be called within a transaction."""
        sql = "UPDATE run SET games_played = ?, finished_at = ? WHERE run_id = ?"
        self.database.execute(sql, [games_played, finished_at, run_id])

    def policies(self) -> list[records.PolicyRow]:
        """Return every player that is stored as a table of weights.

        >>> store.policies()
        []
        """
        return self.read(records.PolicyRow, "SELECT * FROM policy ORDER BY name")

    def add_policy(self, row: records.PolicyRow) -> None:
        """Store a player as a table of weights, unless it is already stored. Must be called within a transaction."""
        self.database.execute(f"INSERT OR IGNORE INTO policy VALUES ({marks(len(row))})", list(row))

    def blocks(self, run_id: int | None = None) -> list[records.BlockRow]:
        """Return the blocks of one run, or of all runs, in log order."""
        where, parameters = ("", []) if run_id is None else ("WHERE run_id = ?", [run_id])
        return self.read(records.BlockRow, f"SELECT * FROM block {where} ORDER BY block_id", *parameters)

    def each_block(self) -> Iterator[records.BlockRow]:
        """Yield all blocks in log order, while keeping only a few of them in memory."""
        return self.stream(records.BlockRow, "SELECT * FROM block ORDER BY block_id")

    def stopped_runs(self) -> set[int]:
        """Return the ids of runs that ended because a machine had no bead left for its first move.

        >>> store.stopped_runs()
        set()
        """
        return {run_id for (run_id,) in self.rows("SELECT DISTINCT run_id FROM block WHERE kind = 'ruin'")}

    def latest_block(self, learner_id: int) -> int:
        """Return the id of the last block in any of a learner's runs, or 0 if there is no such block."""
        sql = """SELECT coalesce(max((SELECT max(block_id) FROM block WHERE block.run_id = run.run_id)), 0)
                 FROM run WHERE x_learner_id = ? OR o_learner_id = ?"""
        return int(self.rows(sql, learner_id, learner_id)[0][0])

    def blocks_after(self, learner_id: int, block_id: int, most: int) -> list[records.BlockRow]:
        """Return up to `most` blocks of a learner's runs after the given block, in log order."""
        sql = """SELECT block.* FROM block JOIN run USING (run_id)
                 WHERE block_id > ? AND (x_learner_id = ? OR o_learner_id = ?) ORDER BY block_id LIMIT ?"""
        return self.read(records.BlockRow, sql, block_id, learner_id, learner_id, most)

    def lessons(self, learner_id: int, most: int) -> list[tuple[Literal["X", "draw", "O"], float, int]]:
        """Return the outcomes of the last games in which people taught a learner, oldest first.

        Each outcome is followed by two values measured after the game: the learner's probability of losing to a random
        player, and the number of games from which it had learned. Undone games are omitted.
        """
        sql = """SELECT block_id, x_wins, block.draws, loss, learner_games FROM evaluation JOIN block USING (block_id)
                 WHERE learner_id = ? AND policy = 'behaviour' AND opponent = 'random'
                 AND block.kind = 'human' AND block.games ORDER BY block_id DESC, learner_games DESC LIMIT ?"""
        rows = {row[0]: row for row in reversed(self.rows(sql, learner_id, most + 1))}  # each block's last measurement
        gone = {run.options.takes_back for run in self.runs_of_kind("forget")}
        kept = [row for block, row in rows.items() if block not in gone][-most:]
        return [("X" if x else "draw" if drawn else "O", loss, games) for _, x, drawn, loss, games in kept]

    def latest_run(self, learner_id: int) -> records.Run | None:
        """Return the latest run in which a learner trains or has trained."""
        sql = """SELECT * FROM run WHERE ((x_learner_id = ? AND x_learns) OR (o_learner_id = ? AND o_learns))
                 AND kind IN ('selfplay', 'train') ORDER BY run_id DESC LIMIT 1"""
        return self.read_first(records.Run, sql, learner_id, learner_id)

    def block(self, block_id: int) -> records.BlockRow | None:
        """Return a block, or None if there is no such block."""
        return self.read_first(records.BlockRow, "SELECT * FROM block WHERE block_id = ?", block_id)

    def add_block(
        self, run_id: int, kind: str, games: int, outcomes: Sequence[int], numbers_before: int, numbers: int
    ) -> int:
        """Append a block with the current time to the log, and return its id. Must be called within a transaction.

        `outcomes` contains the numbers of X wins, draws and O wins.
        """
        row = [run_id, kind, games, *outcomes, numbers_before, numbers, records.now()]
        return int(self.database.execute(f"INSERT INTO block VALUES (NULL, {marks(9)})", row).lastrowid or 0)

    def numbers_used(self, run_id: int) -> int:
        """Return the number of random numbers that a run has used so far."""
        sql = "SELECT coalesce(sum(numbers), 0) FROM block WHERE run_id = ?"
        ((total,),) = self.rows(sql, run_id)
        if type(total) is not int or not 0 <= total <= records.MAX_COUNT:
            raise damaged(
                self.path, f"the blocks of run {run_id} have used {total} random numbers, which is impossible"
            )
        return total

    def extend_run(self, run_id: int, games: int) -> None:
        """Set both game counts (planned and played) of a run with a person to `games`.

        Must be called within a transaction.
        """
        sql = "UPDATE run SET games_wanted = ?, games_played = ?, finished_at = ? WHERE run_id = ?"
        self.database.execute(sql, [games, games, records.now(), run_id])

    # The following methods read and write games with people, and recounted beads.

    def games(self) -> list[records.GameRow]:
        """Return every recorded game, oldest first."""
        return self.read(records.GameRow, "SELECT * FROM game ORDER BY game_id")

    def game(self, game_id: int) -> records.GameRow:
        """Return a recorded game."""
        row = (
            self.read_first(records.GameRow, "SELECT * FROM game WHERE game_id = ?", game_id)
            if _is_number(game_id)
            else None
        )
        if row is None:
            raise UnknownGame(f"there is no recorded game {game_id}; `menace games` lists them")
        return row

    def add_game(self, block_id: int, number: int, **columns: str) -> int:
        """Insert the record of a game, and return its id. Must be called within a transaction."""
        return insert_row(self.database, "game", {"block_id": block_id, "number": number, **columns})

    def changes(self) -> list[records.ChangeRow]:
        """Return the changes caused by recorded games, in the order of the games."""
        return self.read(records.ChangeRow, "SELECT * FROM change ORDER BY game_id, learner_id, ply, action")

    def add_changes(self, rows: Iterable[records.ChangeRow]) -> None:
        """Insert the changes caused by a recorded game. Must be called within a transaction."""
        self.database.executemany(f"INSERT INTO change VALUES ({marks(8)})", rows)

    def adjustments(self) -> list[records.AdjustmentRow]:
        """Return every pile that a person recounted, in log order."""
        sql = "SELECT * FROM adjustment ORDER BY block_id, learner_id, position_id, action"
        return self.read(records.AdjustmentRow, sql)

    def add_adjustments(self, rows: Iterable[records.AdjustmentRow]) -> None:
        """Insert piles that a person recounted. Must be called within a transaction."""
        self.database.executemany(f"INSERT INTO adjustment VALUES ({marks(6)})", rows)

    def imported(self) -> list[records.ImportedRow]:
        """Return every entry of imported learners, sorted by block, position and action."""
        return self.read(records.ImportedRow, "SELECT * FROM imported ORDER BY block_id, position_id, action")

    def add_imported(self, rows: Iterable[Sequence[object]]) -> None:
        """Insert the entries of an imported learner. Must be called within a transaction."""
        insert(self.database, "imported", len(records.ImportedRow._fields), rows)

    def add_evaluations(self, rows: Iterable[records.EvaluationRow]) -> None:
        """Insert exact strengths. Must be called within a transaction."""
        self.database.executemany(f"INSERT INTO evaluation VALUES ({marks(8)})", rows)

    def latest_evaluation(self, learner_id: int, policy: str) -> dict[str, tuple[float, float, float]]:
        """Return a learner's last measured probabilities of a win, a draw and a loss, by opponent."""
        sql = """SELECT * FROM evaluation WHERE learner_id = ? AND policy = ? AND block_id = (
                     SELECT max(block_id) FROM evaluation WHERE learner_id = ?)"""
        rows = self.read(records.EvaluationRow, sql, learner_id, policy, learner_id)
        return {row.opponent: (row.win, row.draw, row.loss) for row in rows}

    def evaluations_of(self, learner_id: int, policy: str) -> list[records.EvaluationRow]:
        """Return every exact strength of a learner, in log order."""
        sql = "SELECT * FROM evaluation WHERE learner_id = ? AND policy = ? ORDER BY block_id, opponent"
        return self.read(records.EvaluationRow, sql, learner_id, policy)

    def evaluations_by(self, learner_id: int, policy: str, games: Sequence[int]) -> list[records.EvaluationRow]:
        """Return a learner's latest exact strengths at or before each of the given numbers of games."""
        sql = """SELECT * FROM evaluation WHERE learner_id = ? AND policy = ? AND learner_games IN (
                     SELECT (SELECT max(learner_games) FROM evaluation WHERE learner_id = ? AND learner_games <= value)
                     FROM json_each(?))
                 ORDER BY block_id, opponent"""
        return self.read(records.EvaluationRow, sql, learner_id, policy, learner_id, json.dumps(games))

    def games_measured(self, learner_id: int, most: int) -> list[int]:
        """Return at most the first `most` numbers of games after which a learner was measured."""
        sql = "SELECT DISTINCT learner_games FROM evaluation WHERE learner_id = ? ORDER BY learner_games LIMIT ?"
        return [games for (games,) in self.rows(sql, learner_id, most)]

    def evaluations(self) -> list[records.EvaluationRow]:
        """Return every exact strength, in log order."""
        return list(self.each_evaluation())

    def each_evaluation(self) -> Iterator[records.EvaluationRow]:
        """Yield every exact strength in log order, while keeping only a few of them in memory."""
        sql = "SELECT * FROM evaluation ORDER BY block_id, learner_id, policy, opponent"
        return self.stream(records.EvaluationRow, sql)


def _is_number(value: object) -> bool:
    """Return whether a value is a valid row id, which is below 2^63 in SQLite."""
    return isinstance(value, Integral) and abs(int(value)) <= records.MAX_NUMBER


class WithoutPandas(MetaPathFinder):
    """An import hook that hides pandas from the thread that created the hook. Other threads can still import pandas.

    If pandas is installed, sqlite_utils imports it for its timestamp type, which takes longer than importing the rest
    of menace. A program that has already imported pandas is not affected.
    """

    def __init__(self) -> None:
        self.thread = threading.get_ident()

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:  # noqa: ARG002 - the signature of Python's finders
        """Raise ModuleNotFoundError for pandas, and leave all other modules to other finders."""
        if fullname == "pandas" and threading.get_ident() == self.thread:
            raise ModuleNotFoundError("pandas is not needed here", name=fullname)


def insert_row(connection: sqlite3.Connection, table: str, row: Mapping[str, object]) -> int:
    """Insert a row, and return its integer key. Must be called within a transaction."""
    finder = WithoutPandas()
    sys.meta_path.insert(0, finder)
    try:
        from sqlite_utils import Database  # imported here because it loads numpy, which read-only commands do not need
    finally:
        sys.meta_path.remove(finder)
    # Without `recursive_triggers=False`, sqlite-utils would set this pragma, which changes the connection and makes
    # SQLite prepare all statements again.
    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    inserted = database.table(table).insert(dict(row))
    return int(inserted.last_pk)  # type: ignore[arg-type]


def insert(database: sqlite3.Connection, table: str, width: int, rows: Iterable[Sequence[Any]], *first: object) -> None:
    """Insert many rows per statement, which takes a third of the time that one statement per row would take.

    Args:
        database: the connection, within a transaction.
        table: the table's name, followed by the columns in parentheses unless `rows` contains all columns.
        width: the number of values in each row of `rows`.
        rows: the values of each row.
        first: values that are inserted at the beginning of every row.
    """
    row = f"({marks(width)})"
    # The statement does not repeat ?1 in each row, because Python 3.12.0 to 3.12.3 would print a warning
    # (https://github.com/python/cpython/issues/117995).
    columns = ", ".join([*("?" * len(first)), "*"])
    at_once = (MAX_PARAMETERS - len(first)) // width
    remaining = iter(rows)
    while batch := list(itertools.islice(remaining, at_once)):
        sql = f"INSERT INTO {table} SELECT {columns} FROM (VALUES {', '.join([row] * len(batch))})"
        database.execute(sql, [*first, *itertools.chain.from_iterable(batch)])


def marks(count: int) -> str:
    """Return the placeholders for `count` values in a statement.

    >>> marks(3)
    '?, ?, ?'
    """
    return ", ".join("?" * count)
