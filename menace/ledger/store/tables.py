"""What is in the tables: rows in, rows out.

Reading needs no transaction; writing goes through `Store.transaction`, which takes SQLite's write lock before it reads
anything, so that what it read is still true when it commits.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Self

from sqlite_utils import Database

from menace.errors import StoreError
from menace.ledger.store.connection import connect, damaged, explained, run_script, sql_file, undamaged
from menace.ledger.store.game_tables import GameTables
from menace.ledger.store.learner_tables import LearnerTables
from menace.ledger.store.locks import POLL, write_lock
from menace.ledger.store.log_tables import LogTables
from menace.ledger.store.rows import (
    Rules,
)
from menace.ledger.store.schema import wrong_tables
from menace.ledger.store.statements import insert
from menace.ledger.store.views import shipped_views
from menace.output import check_not_beside_database

SMALL_FILE = 16 * 2**20  # bytes
CREATING_CACHE = 100_000  # KiB


class Store(GameTables, LearnerTables, LogTables):
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
                database.execute("PRAGMA cache_spill = OFF")  # as every connection has it: see `connect`
                database.execute("PRAGMA foreign_keys = ON")
            return cls(database, name)
        except BaseException:
            database.close()
            if not existed:
                with contextlib.suppress(OSError):
                    if Path(name).stat().st_size == 0:
                        Path(name).unlink()
            raise

    def check_tables(self) -> None:
        """Raise StoreError if a table is missing, or is not as menace makes it: nothing of the file is used then."""
        with undamaged(self.path):
            wrong = wrong_tables(self.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
        if wrong:
            raise damaged(self.path, f"its table {wrong[0]} is missing, or not as menace makes it")

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
            raise damaged(self.path, " ".join(found.split()))
        for table, _, referred, _ in self.rows("PRAGMA foreign_key_check"):  # whose number a new row could take
            raise damaged(self.path, f"a row of {table} refers to a row of {referred} that is gone")

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


def _fill(database: Database, positions: Iterable[Sequence[object]], moves: Iterable[Sequence[object]]) -> None:
    """Write the rows of a game; an index is made of all moves at once, which takes less time."""
    of_moves = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'move' AND sql IS NOT NULL"
    index, sql = database.execute(of_moves).fetchone()
    database.execute(f"DROP INDEX {index}")
    insert(database, "position", 8, positions)
    insert(database, "move", 6, moves)
    database.execute(sql)
