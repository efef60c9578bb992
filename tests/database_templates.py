"""Database templates, which tests copy. Creating a database takes 0.1 s, whereas copying one takes only 0.001 s.

Each database is created once per test process. Tests of the creation itself call `menace.create_database` instead.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from runs import selfplay

from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.games.symmetry import SymmetryUse
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import new_learner
from menace.ledger.store import Store

Case: TypeAlias = tuple[str, str]  # a game and its variant


@cache
def fresh_bytes(variant: str = "3x3x3", symmetry: SymmetryUse = "full") -> bytes:
    """Return the content of a database file without learners, in bytes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "menace.db"
        create_database(path, variant=variant, symmetry=symmetry).close()
        return path.read_bytes()


def fresh_database(path: Path, variant: str = "3x3x3", symmetry: SymmetryUse = "full") -> Store:
    """Open a new database without learners, as `menace.create_database` does."""
    path.write_bytes(fresh_bytes(variant, symmetry))
    return open_database(path)


@cache
def trained_bytes(games: int) -> bytes:
    """Return the bytes of the database file that `menace selfplay --games GAMES --seed 1` creates."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "menace.db"
        with fresh_database(path) as store:
            selfplay(store, games=games, seed=1)
        return path.read_bytes()


@cache
def positions_for(case: Case, symmetry: SymmetryUse = "full") -> Positions:
    """Return the positions of a game and variant, enumerated once per process."""
    return enumerate_positions(get_game(*case), symmetry)


def edit(path: Path | str, script: str) -> int:
    """Run SQL statements on a file as another program would, and return the number of changed rows."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        return connection.total_changes


def rows_of_file(path: Path | str, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query on a file, as another program would read them."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def learner_by_hand(
    store: Store, name: str, plays: Side, preset: str = "menace", settings: Mapping[str, str] | None = None
) -> None:
    """Create a learner with SQL, so that it can have a name that menace would not accept."""
    made = new_learner(store, "plain", plays, preset, settings)
    with store.transaction():
        store.database.execute("UPDATE learner SET name = ? WHERE learner_id = ?", [name, made.learner_id])
