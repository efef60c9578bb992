"""Create and open databases. Creating a database enumerates, labels and stores all positions of a game."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from menace import errors
from menace.games import DEFAULT_GAME, GAMES, get_game
from menace.games.base import ArrayRules, Game
from menace.games.plugins import register
from menace.games.symmetry import SymmetryUse
from menace.ledger.store import MEMORY, Rules, Store

if TYPE_CHECKING:
    from menace.games.positions import Positions

# The game 3x4x3 has 28,275 positions. The game 4x4x4 has 1,217,977 positions; creating its database takes 30 seconds
# and 1 GB of memory, and the file is 0.5 GB in size.
MAX_POSITIONS = 2_000_000
SAMPLE_BOARDS = 50  # number of boards of a user's game to check before creating a database
# This limit applies to games whose rules work only on strings, not on arrays. Hexapawn on 4x5 has 180,181 positions,
# which take a few seconds to enumerate. A game that is too large is rejected within a minute.
MAX_POSITIONS_BY_TEXT = 300_000


def create_database(
    path: str | os.PathLike[str],
    game: str | Game = DEFAULT_GAME,
    variant: str | None = None,
    symmetry: SymmetryUse = "full",
) -> Store:
    """Create a database with every position and move of a game, and open it.

    Args:
        path: the path of the new file.
        game: the game, in any form that `get_game` accepts. A user's game is registered in this process.
        variant: the variant of the game; None selects the game's default.
        symmetry: `full` merges all images of a board into one position; `none` makes each board a separate position.

    Raises:
        InvalidGame: if there is no such game or variant, the game is broken, or it has more than MAX_POSITIONS
            positions (MAX_POSITIONS_BY_TEXT if it has no array rules).
        StoreError: if the file exists and is not empty, or cannot be written.

    >>> with create_database("small.db", variant="2x2x2") as made:
    ...     made.position_count(), made.move_count()
    (6, 6)
    """
    rules = get_game(game, variant)
    if rules.name not in GAMES:
        from menace.games.contract import check_game  # menace's tests check the built-in games

        check_game(rules, boards=SAMPLE_BOARDS)
        register(rules)
    if not is_missing_or_empty(path):
        Store.open(path).close()  # raises an error for folders and files that are not menace databases
        raise errors.StoreError(
            f"{os.fspath(path)} is already a menace database; choose another file (--db), or delete this one first"
        )
    return _write(path, rules, symmetry)


def open_database(path: str | os.PathLike[str]) -> Store:
    """Open an existing database. If the database has an older schema, copy the file and then upgrade the database.

    Raises:
        NoDatabase, NotOurs, SchemaMismatch, StoreError: if the file is missing, is not a menace database, has an
            unsupported schema, or cannot be used. Nothing is written to the file then.

    >>> with open_database(store.path) as opened:
    ...     [row.name for row in opened.learners()]
    ['menace-x', 'menace-o']
    """
    try:
        store = Store.open(path)
    except errors.OlderSchema:
        from menace.ledger.store.database import upgrade

        upgrade(path)
        return Store.open(path)
    store.refresh_views(lambda: _load(store))
    return store


def _load(store: Store) -> None:
    """Load the game and every learner. Raises StoreError if the game or a learner is damaged."""
    # imported here because it loads numpy, and this function is called only if an upgrade of menace has changed views
    from menace.ledger.learners import load_machine
    from menace.ledger.positions import positions_of

    try:
        positions = positions_of(store)
    except errors.MissingGame:
        return  # any code that uses the game will raise this error
    for row in store.learners_and_deleted():
        # a different revision does not mean that the file is damaged
        with contextlib.suppress(errors.RevisionMismatch):
            load_machine(store, positions, row)


def open_or_create_database(path: str | os.PathLike[str]) -> Store:
    """Open a database, or create one for tic-tac-toe if the file does not exist.

    Raises:
        NotOurs, SchemaMismatch, StoreError: as for `open_database` and `create_database`.

    >>> with open_or_create_database("new.db") as made:
    ...     made.rules()
    Rules(name='tictactoe', variant='3x3x3', symmetry='full')
    """
    return _write(path, get_game(), "full") if is_missing_or_empty(path) else open_database(path)


def is_missing_or_empty(path: str | os.PathLike[str]) -> bool:
    """Return whether the file at `path` is missing or empty.

    An interrupted start can leave an empty file. The result is always True for MEMORY.

    >>> is_missing_or_empty(store.path), is_missing_or_empty("nothing.db")
    (False, True)
    """
    if os.fspath(path) == MEMORY or not Path(path).exists():
        return True
    try:
        Store.open(path).close()  # rolls back an interrupted `init`
    except errors.EmptyDatabase:
        return True
    except errors.DatabaseBusy:
        raise  # opening the file again would wait just as long for the lock
    except errors.MenaceError:
        return False
    return False


def positions_within(game: Game, symmetry: SymmetryUse = "full") -> Positions:
    """Return the positions of a game that is small enough for a database.

    Raises:
        InvalidGame: if the game has more than MAX_POSITIONS positions (MAX_POSITIONS_BY_TEXT if it has no array rules).

    >>> from menace.games import get_game
    >>> len(positions_within(get_game("nim", "3-4-5")))
    91
    """
    from menace.games.enumeration import enumerate_positions

    limit = MAX_POSITIONS if isinstance(game, ArrayRules) else MAX_POSITIONS_BY_TEXT
    return enumerate_positions(game, symmetry, limit)


def _write(path: str | os.PathLike[str], game: Game, symmetry: SymmetryUse) -> Store:
    # imported here because numpy is needed only to create a file
    from menace.ledger.positions import move_name_rows, position_rows

    positions = positions_within(game, symmetry)
    rules = Rules(game.name, game.variant, symmetry)
    return Store.create(path, rules, *position_rows(positions), move_name_rows(positions))
