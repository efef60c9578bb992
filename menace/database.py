"""Making and opening a database: enumerate the game, label it, write it down."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeAlias

from menace.errors import DatabaseBusy, EmptyDatabase, MenaceError, StoreError
from menace.games import GAMES, get_game
from menace.games.base import Game
from menace.positions import Positions, SymmetryUse, enumerate_positions
from menace.store import Rules, Store, undamaged

# 3x4x3 has 28,275 positions. 4x4x4 has 1,217,977: too many for a graph of Python objects, or for boxes in a file.
POSITIONS_MOST = 100_000

Row: TypeAlias = tuple[Any, ...]

NODE_COLUMNS = ("board", "ply", "to_move", "outcome", "images", "minimax", "plies_to_end")
EDGE_COLUMNS = ("multiplicity", "minimax", "optimal")


def create_database(
    path: str | os.PathLike[str],
    game: str = "tictactoe",
    variant: str = "3x3x3",
    symmetry: SymmetryUse = "full",
) -> Store:
    """Make a database with every position and move of a game, and open it.

    Raises:
        InvalidGame: if there is no such game or variant, or it has more than POSITIONS_MOST positions.
        StoreError: if the file exists and is not empty, or cannot be written.
    """
    rules = get_game(game, variant)
    if Path(path).is_dir():
        raise StoreError(f"{os.fspath(path)} is a directory; name a database file in it")
    if not is_vacant(path):
        Store.open(path).close()  # says so if it is not ours
        raise StoreError(f"{os.fspath(path)} is a menace database already; name another file, or delete it first")
    return _write(path, rules, symmetry)


def open_database(path: str | os.PathLike[str]) -> Store:
    """Open an existing database.

    Raises:
        NoDatabase, NotOurs, SchemaMismatch, StoreError: before anything is written to the file.
    """
    return Store.open(path)


def open_or_create_database(path: str | os.PathLike[str]) -> Store:
    """Open a database, or make one of tic-tac-toe where there is none.

    Raises:
        NotOurs, SchemaMismatch, StoreError: as `open_database` and `create_database`.
    """
    return _write(path, get_game(), "full") if is_vacant(path) else Store.open(path)


def game_of(store: Store) -> Game:
    """Return the game of a database."""
    with undamaged(store.path):
        rules = store.rules()
        if rules.name not in GAMES:
            raise StoreError(
                f"{store.path} is of the game {rules.name!r}, which this menace does not know; upgrade menace"
            )
        return get_game(rules.name, rules.variant)


def symmetry_of(store: Store) -> SymmetryUse:
    """Return which symmetries join the boards of a database."""
    return "none" if store.rules().symmetry == "none" else "full"


def is_vacant(path: str | os.PathLike[str]) -> bool:
    """Say whether there is no file at `path`, or an empty one, as an interrupted start leaves it."""
    file = Path(path)
    if not file.exists():
        return True
    if file.is_dir():
        return False
    try:
        Store.open(path).close()  # rolls an interrupted `init` back
    except EmptyDatabase:
        return True
    except DatabaseBusy:
        raise  # whoever opens it next would wait as long again
    except MenaceError:
        return False
    return False


def game_rows(positions: Positions) -> tuple[list[Row], list[Row]]:
    """Return the rows of `position` and of `move`, labelled, in the order of the database's columns."""
    from menace.graph import build_graph  # networkx: only building the graph needs it

    graph = build_graph(positions)
    nodes = [(number, *(node[column] for column in NODE_COLUMNS)) for number, node in graph.nodes(data=True)]
    edges = [
        (start, edge["action"], end, *(edge[column] for column in EDGE_COLUMNS))
        for start, end, edge in graph.edges(data=True)
    ]
    return nodes, edges


def _write(path: str | os.PathLike[str], game: Game, symmetry: SymmetryUse) -> Store:
    positions = enumerate_positions(game, symmetry, limit=POSITIONS_MOST)
    return Store.create(path, Rules(game.name, game.variant, symmetry), *game_rows(positions))
