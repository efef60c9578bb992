"""Create, check and migrate a menace database, and read its game, positions and moves.

Reading does not require a transaction. Writing uses `Store.transaction`, which takes SQLite's write lock before the
first read, so that everything read is still valid at the commit.

Numbered SQL scripts migrate older databases in a single transaction, after the file has been copied. Step N,
db/migrations/N.sql, migrates schema N - 1 to N and sets `user_version`; no migration exists yet. Do not edit existing
steps, because each step contains the tables of its own version, not those of schema.sql. menace does not use the
migrations of sqlite-utils. Those migrations store their names in a table, although `user_version` already contains the
version. They also use a separate transaction for each step, so a failure in the second step would leave a file between
two versions.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from menace.errors import DatabaseBusy, NotOurs, SchemaMismatch, StoreError
from menace.files.output import check_file_name
from menace.ledger.store import sqlite
from menace.ledger.store.connection import SCHEMA_VERSION, Connection, as_corruption, connect, damaged, translate_errors
from menace.ledger.store.records import MoveRow, PositionRow, Rules
from menace.ledger.store.tables import LEARNED_COLUMNS, LearnerTables, LogTables, insert
from menace.text.wording import counted

SMALL_FILE = 16 * 2**20  # bytes
CREATING_CACHE = 100_000  # KiB


class Store(LearnerTables, LogTables):
    """A menace database.

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
        names: Iterable[Sequence[object]],
    ) -> Self:
        """Create a database in one transaction, and remove the file if it cannot be completed.

        If another program has just created the database, open that database.

        Args:
            path: a file that does not exist or is empty.
            rules: the game.
            positions: rows of the table `position`, with all columns in order.
            moves: rows of the table `move`, with all columns in order.
            names: rows of the table `move_name`, with all columns in order.
        """
        name = os.fspath(path)
        check_file_name(name)
        existed = Path(name).exists()
        with translate_errors(name):
            database = connect(name, "rwc")
        try:
            with translate_errors(name):
                # Enumerated rows refer only to existing rows, so foreign keys need not be checked. Large games need a
                # large cache.
                database.execute("PRAGMA foreign_keys = OFF")
                database.execute(f"PRAGMA cache_size = -{CREATING_CACHE}")
                with sqlite.write_lock(database, sqlite.POLL):
                    if not sqlite.has_tables(database):
                        sqlite.run_script(database, sqlite.sql_file("schema.sql") + sqlite.sql_file("views.sql"))
                        database.execute("INSERT INTO rules VALUES (?, ?, ?)", rules)
                        _fill(database, positions, moves)
                        insert(database, "move_name", 4, names)
                database.execute("PRAGMA cache_size = -2000")  # SQLite's default
                database.execute("PRAGMA cache_spill = OFF")  # the same setting as in `connect`
                database.execute("PRAGMA foreign_keys = ON")
            return cls(database, name)
        except BaseException:
            database.close()
            if not existed:
                with contextlib.suppress(OSError):
                    if Path(name).stat().st_size == 0:
                        Path(name).unlink()
            raise

    @classmethod
    def open(cls, path: str | os.PathLike[str], patience: float | None = None) -> Self:
        """Open a database like `Connection.open`, but raise StoreError if tables are missing or changed."""
        store = super().open(path, patience)
        tables = dict(store.rows("SELECT name, CAST(sql AS TEXT) FROM sqlite_master WHERE type = 'table'"))
        for name, sql in sorted(sqlite.schema_tables().items()):
            if sqlite.strip_sql(tables.get(name) or "") != sql:
                store.close()
                raise damaged(store.path, f"its table {name} is missing or has been changed")
        return store

    def check_file(self) -> None:
        """Check the pages, constraints and foreign keys of the whole file before new data is written.

        Files larger than SMALL_FILE bytes are checked only by `verify`, because the check takes a millisecond per 100
        KB. The check runs once, and again whenever another program has written to the file.
        """
        self.cached("a sound file", self._check_whole_file)

    def _check_whole_file(self) -> None:
        ((size,),) = self.rows("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        if size > SMALL_FILE:
            return
        self._check_pages("quick_check")
        self.check_references()

    def _check_pages(self, how: str) -> None:
        ((report,),) = self.rows(f"PRAGMA {how}(1)")
        if report != "ok":
            raise damaged(self.path, " ".join(report.split()))

    def check_references(self) -> None:
        """Raise StoreError if a row refers to a missing row, because a new row could be given the missing row's id."""
        for table, _, referred, _ in self.rows("PRAGMA foreign_key_check"):
            raise damaged(self.path, f"a row of {table} refers to a missing row of {referred}")

    def refresh_views(self, sound: Callable[[], object]) -> None:
        """Replace views that differ from those of this version of menace. The schema version does not cover views.

        Files that are damaged or cannot be written keep their views.

        Args:
            sound: a function that raises StoreError for damage that `check_file` does not detect. It is called only if
                views differ.
        """
        with contextlib.suppress(StoreError), translate_errors(self.path):
            if sqlite.stale_views(self.database):
                with self.transaction():
                    self.check_file()
                    sound()
                    # check indexes too, because damage may be the reason why a view differs
                    self._check_pages("integrity_check")
                    sqlite.renew_views(self.database)

    # The following methods read and write the game.

    def rules(self) -> Rules:
        """Return the game of this database."""
        rows = self.read(Rules, "SELECT name, variant, symmetry FROM rules")
        if len(rows) != 1:
            raise damaged(self.path, f"it has {counted(len(rows), 'game')} instead of one")
        return rows[0]

    def position_rows(self, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of all positions by id, in batches of `size`, without checking the rows."""
        return self.batches("SELECT * FROM position ORDER BY position_id", size)

    def move_rows(self, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield (position, action, next position, multiplicity) for all moves, unchecked, in batches of `size`."""
        columns = "position_id, action, next_position_id, multiplicity"
        return self.batches(f"SELECT {columns} FROM move ORDER BY position_id, action", size)

    def table_rows(self, table: Literal["position", "move"], first: int, last: int) -> list[tuple[Any, ...]]:
        """Return all columns of the rows with a position_id from `first` to `last`, without checks."""
        return self.rows(f"SELECT * FROM {table} WHERE position_id BETWEEN ? AND ?", first, last)

    def move_names(self) -> list[tuple[Any, ...]]:
        """Return all rows of `move_name`, without checks."""
        return self.rows("SELECT * FROM move_name")

    def position_count(self) -> int:
        """Return the number of positions."""
        return int(self.rows("SELECT count(*) FROM position")[0][0])

    def move_count(self) -> int:
        """Return the number of moves."""
        return int(self.rows("SELECT count(*) FROM move")[0][0])

    def has_draws(self) -> bool:
        """Return whether a game can end in a draw. Most draws occur late, so the last positions are searched first."""
        return bool(self.rows("SELECT 1 FROM position WHERE outcome = 'draw' ORDER BY position_id DESC LIMIT 1"))

    def positions(self) -> list[PositionRow]:
        """Return every position, sorted by id."""
        return self.read(PositionRow, "SELECT * FROM position ORDER BY position_id")

    def all_moves(self) -> list[MoveRow]:
        """Return all moves, sorted by position and action."""
        return self.read(MoveRow, "SELECT * FROM move ORDER BY position_id, action")

    def position(self, board: str) -> dict[str, Any]:
        """Return the row of a canonical board. Raises StoreError if the row is missing."""
        row = self.find_position(board)
        if row is None:
            raise damaged(self.path, f"it has no position {board}")
        return row

    def find_position(self, board: str) -> dict[str, Any] | None:
        """Return the row of a canonical board, or None if the row is missing."""
        row = self.read_first(PositionRow, "SELECT * FROM position WHERE board = ?", board)
        return None if row is None else row._asdict()

    def positions_before(self, position_id: int) -> list[int]:
        """Return the ids of the positions from which a move leads to the given position."""
        return [row[0] for row in self.rows("SELECT position_id FROM move WHERE next_position_id = ?", position_id)]

    def moves(self, position_id: int) -> list[dict[str, Any]]:
        """Return the moves of a position, sorted by action, with the next board of each move.

        Raises:
            StoreError: if a next board is missing.
        """
        sql = """SELECT position.* FROM position JOIN move ON next_position_id = position.position_id
                 WHERE move.position_id = ? ORDER BY action"""
        moves = self.read(MoveRow, "SELECT * FROM move WHERE position_id = ? ORDER BY action", position_id)
        with as_corruption(self.path):
            after = self.read(PositionRow, sql, position_id)
            return [{**move._asdict(), "next_board": next_.board} for move, next_ in zip(moves, after, strict=True)]


def _fill(
    database: sqlite3.Connection, positions: Iterable[Sequence[object]], moves: Iterable[Sequence[object]]
) -> None:
    """Insert the rows of a game. For speed, build the index after inserting all moves."""
    of_moves = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'move' AND sql IS NOT NULL"
    index, sql = database.execute(of_moves).fetchone()
    database.execute(f"DROP INDEX {index}")
    insert(database, "position", 8, positions)
    insert(database, "move", 6, moves)
    database.execute(sql)


LOGGER = logging.getLogger("menace")


def upgrade(path: str | os.PathLike[str]) -> None:
    """Upgrade an older database, and log the path of the copy of the old file.

    If the upgrade is interrupted, the file is in either its old or its new state.

    Raises:
        SchemaMismatch, NotOurs: if the file has a newer schema or belongs to another program.
        StoreError: if the copy or the file cannot be written. The file is then unchanged.
    """
    name = os.fspath(path)
    must = f"{name} was created by an older version of menace and must be upgraded first, but"
    try:
        copy = _upgrade_file(name)
    except (SchemaMismatch, NotOurs, DatabaseBusy):
        raise
    except StoreError as error:
        raise StoreError(f"{must} {error}") from error
    except OSError as error:
        raise StoreError(
            f"{must} no copy can be written beside it ({error.strerror}); move it to a writable folder"
        ) from None
    if copy is not None:
        LOGGER.warning("%s was upgraded to schema %d; a copy of the old file is %s", name, SCHEMA_VERSION, copy)


def _upgrade_file(name: str) -> Path | None:
    """Run the migrations, and return the path of the old file's copy, or None if another process upgraded the file."""
    with translate_errors(name):
        database = connect(name, "rw")
    try:
        with contextlib.ExitStack() as undo, translate_errors(name):
            # Migrations rebuild tables under their old names. Foreign keys must therefore not follow renamed tables,
            # and must not be checked before all tables exist. Neither setting can be changed within a transaction.
            sqlite.retry_while_locked(lambda: database.execute("PRAGMA foreign_keys = OFF"))
            sqlite.retry_while_locked(lambda: database.execute("PRAGMA legacy_alter_table = ON"))
            with sqlite.write_lock(database, sqlite.POLL):
                schema = Connection(database, name, accept_older=True).schema
                if schema == SCHEMA_VERSION:
                    return None
                copy = _copy_beside(name, schema)
                undo.callback(copy.unlink, missing_ok=True)
                added = _save_indexes_and_drop_triggers(database)
                for step in range(schema + 1, SCHEMA_VERSION + 1):
                    sqlite.run_script(database, sqlite.sql_file(f"migrations/{step}.sql"))
                sqlite.renew_views(database)
                _restore_indexes_and_triggers(database, added)
                Store(database, name).check_references()
            undo.pop_all()  # keep the copy after the commit
        with contextlib.suppress(sqlite3.Error):  # frees the space that the old tables occupied; a failure does no harm
            database.execute("VACUUM")
        return copy
    finally:
        database.close()


def _save_indexes_and_drop_triggers(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the SQL of all indexes and triggers by name, because rebuilding a table drops its indexes and triggers.

    The function also drops all triggers, so that they cannot change the data that the scripts write.
    """
    sql = "SELECT name, sql, type FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
    added = {}
    for name, text, kind in connection.execute(sql).fetchall():
        added[name] = text
        if kind == "trigger":
            escaped = name.replace('"', '""')
            connection.execute(f'DROP TRIGGER "{escaped}"')
    return added


def _restore_indexes_and_triggers(connection: sqlite3.Connection, added: dict[str, str]) -> None:
    """Recreate users' missing indexes and triggers, except those that are incompatible with the new tables."""
    for name, sql in added.items():
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone():
            with contextlib.suppress(sqlite3.Error):
                connection.execute(sql)


def _copy_beside(name: str, version: int) -> Path:
    """Copy the file as it was when the write lock was taken, and return the path of the copy."""
    file = Path(name)
    stem = f"{file.stem}-schema-{version}"
    targets = (file.with_name(f"{stem}{ending}{file.suffix}") for ending in ("", *(f"-{n}" for n in range(2, 1000))))
    target = next(target for target in targets if not target.exists())
    reader = connect(name, "rw")  # a second connection can read while the write lock is held
    try:
        Connection(reader, name, accept_older=True).backup(target)
    finally:
        reader.close()
    return target


GAMES = """SELECT game.outcome, run.x_learner_id IS NULL, evaluation.loss
           FROM run JOIN block USING (run_id) JOIN game USING (block_id)
           LEFT JOIN evaluation ON evaluation.block_id = block.block_id AND policy = 'behaviour' AND opponent = 'random'
           WHERE run.run_id > ? AND run.kind = 'play' AND json_extract(run.options, '$.person') = ? ORDER BY game_id"""


VISITS = """SELECT count(*), min(started_at) FROM run
            WHERE kind = 'play' AND games_played > 0 AND ? IN (x_learner_id, o_learner_id)"""


def last_lesson(store: Store, having: str = "code") -> tuple[int, dict[str, Any]] | None:
    """Return the id and the state of the last row whose state contains the key `having`, or None if there is none."""
    sql = "SELECT * FROM lesson WHERE json_extract(state, '$.' || ?) IS NOT NULL ORDER BY lesson_id DESC LIMIT 1"
    rows = store.rows(sql, having)
    return (rows[0][0], json.loads(rows[0][1])) if rows else None


def save_lesson(store: Store, lesson_id: int | None, state: dict[str, Any]) -> int:
    """Store the state of a lesson or kiosk in a transaction, and return its id. If `lesson_id` is None, add a row."""
    with store.transaction():
        sql = "INSERT OR REPLACE INTO lesson VALUES (?, ?)"
        return int(store.database.execute(sql, [lesson_id, json.dumps(state, ensure_ascii=False)]).lastrowid or 0)


def games_of_person(store: Store, name: str, after_run: int) -> list[tuple[str, float | None]]:
    """Return the results of a person's games after a run, each with the machine's probability of losing to `random`.

    The result is `win`, `draw` or `loss` for the person. The probability is measured after the game, and is None if no
    machine learned from the game.
    """
    results = {"draw": "draw", True: "win", False: "loss"}
    rows = store.rows(GAMES, after_run, name)
    return [(results[outcome if outcome == "draw" else (outcome == "X") == is_x], loss) for outcome, is_x, loss in rows]


def runs_with_people(store: Store, learner_id: int) -> tuple[int, str | None]:
    """Return the number of runs in which people have played against a learner, and when the first run began."""
    number, since = store.rows(VISITS, learner_id)[0]
    return int(number), since


def last_run(store: Store) -> int:
    """Return the id of the last run, or 0 if there is none."""
    return int(store.rows("SELECT coalesce(max(run_id), 0) FROM run")[0][0])


@dataclass(frozen=True)
class Published:
    """A copy of a database that may be published.

    Attributes:
        path: the path of the original.
        content: the copy, as the bytes of an SQLite file.
        replaced: a dictionary from each name of a person that was replaced to the name that replaces it.
        listed: descriptions, by heading, of what the copy contains and what it leaves out.
    """

    path: str
    content: bytes
    replaced: Mapping[str, str]
    listed: Mapping[str, str]


def published_copy(store: Store, keep_names: bool = False) -> Published:
    """Copy the rows of menace's own tables into a new database, which contains no traces of deleted rows.

    Args:
        store: the database.
        keep_names: whether the copy contains the names of people and the earlier names of learners. Otherwise, numbers
            replace the names of people and of deleted learners, and the runs of a learner show its current name.

    >>> published_copy(store).listed["machines"]
    'menace-x, menace-o'
    """
    with (
        store.copied() as original,
        contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as copy,
        translate_errors(store.path),
    ):

        def column(sql: str) -> list[str]:
            return [str(value) for (value,) in copy.execute(sql)]

        sqlite.run_script(copy, sqlite.sql_file("schema.sql") + sqlite.sql_file("views.sql"))
        for table in sqlite.schema_tables():
            width = len(original.rows(f"SELECT 1 FROM pragma_table_info('{table}')"))
            insert(copy, table, width, original.rows(f"SELECT * FROM {table}"))
        learners = column("SELECT name FROM learner WHERE deleted_at IS NULL ORDER BY learner_id")
        deleted = column("SELECT learner_id FROM learner WHERE deleted_at IS NOT NULL")
        for table in (*LEARNED_COLUMNS, "evaluation"):
            copy.execute(f"DELETE FROM {table} WHERE learner_id IN ({', '.join(deleted)})")
        person = "json_extract(options, '$.person')"
        people = column(f"SELECT {person} FROM run WHERE {person} IS NOT NULL GROUP BY 1 ORDER BY min(run_id)")
        free = (name for number in itertools.count(1) if (name := f"person {number}") not in {*learners, *people})
        replaced = {} if keep_names else dict(zip(people, free, strict=False))
        if not keep_names:
            sql = f"UPDATE run SET options = json_set(options, '$.person', ?) WHERE {person} = ?"
            copy.executemany(sql, [(new, old) for old, new in replaced.items()])
            # No learner can have this name, because names must not contain brackets.
            copy.execute("UPDATE learner SET name = '(deleted ' || learner_id || ')' WHERE deleted_at IS NOT NULL")
            for side in "xo":
                now = f"SELECT name FROM learner WHERE learner_id = {side}_learner_id"
                copy.execute(f"UPDATE run SET {side}_player = ({now}) WHERE {side}_learner_id IS NOT NULL")
        copy.execute("VACUUM")
        ours = {*sqlite.schema_tables(), *sqlite.schema_views(), "sqlite_sequence"}
        there = original.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
        listed = {
            "machines": learners,
            "runs with players, seeds and times": column("SELECT count(*) FROM run"),
            "games with people": column("SELECT count(*) FROM game"),
            "people, instead of their names" if replaced else "people": list(replaced.values()) or people,
            "functions that played": column("SELECT name FROM policy ORDER BY name"),
            "not published, deleted machines": [str(len(deleted))] if deleted else [],
            "not published, your tables and views": [name for (name,) in there if name not in ours],
        }
        texts = {name: ", ".join(texts) for name, texts in listed.items() if texts}
        return Published(store.path, copy.serialize(), replaced, texts)
