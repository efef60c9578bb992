"""The game of a database: its rules, and its rows as they should be."""

from __future__ import annotations

from typing import Any, TypeAlias

from menace.errors import StoreError
from menace.games import GAMES, get_game
from menace.games.base import Game
from menace.positions import Positions, SymmetryUse
from menace.store import Store, undamaged

Row: TypeAlias = tuple[Any, ...]

NODE_COLUMNS = ("board", "ply", "to_move", "outcome", "images", "minimax", "plies_to_end")
EDGE_COLUMNS = ("multiplicity", "minimax", "optimal")


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
