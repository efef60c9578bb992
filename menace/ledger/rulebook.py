"""The game of a database: its rules, and its rows as they should be."""

from __future__ import annotations

from typing import Any, TypeAlias

from menace.errors import StoreError
from menace.games import GAMES, get_game
from menace.games.base import NUMBER_OF_OUTCOME, Board, Game
from menace.games.positions import Positions, SymmetryUse, canonical
from menace.ledger.store import Store, undamaged

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
    from menace.games.graph import build_graph  # networkx: only building the graph needs it

    graph = build_graph(positions)
    nodes = [(number, *(node[column] for column in NODE_COLUMNS)) for number, node in graph.nodes(data=True)]
    edges = [
        (start, edge["action"], end, *(edge[column] for column in EDGE_COLUMNS))
        for start, end, edge in graph.edges(data=True)
    ]
    return nodes, edges


def check_as_ruled(game: Game, symmetry: SymmetryUse, row: dict[str, Any], moves: list[dict[str, Any]]) -> None:
    """Raise ValueError if a position and its moves are not as the rules of the game, and each other, give them.

    `row` and `moves` are as `Store.position` and `Store.moves` have them.
    """
    board, outcome = row["board"], game.outcome(row["board"])
    by_rules: dict[Board, list[int]] = {}
    for action in game.actions(board):
        by_rules.setdefault(canonical(game, game.play(board, action), symmetry), []).append(action)
    expected = sorted((actions[0], after, len(actions)) for after, actions in by_rules.items())
    if [(move["action"], move["next_board"], move["multiplicity"]) for move in moves] != expected:
        raise ValueError(f"the moves of position {board} are not what the rules give")
    to_move = None if outcome is not None else game.to_move(board)
    best = max if to_move == "X" else min
    value = NUMBER_OF_OUTCOME[outcome] if outcome is not None else best(move["minimax"] for move in moves)
    optimal = all(move["optimal"] == (move["minimax"] == value) for move in moves)
    if (row["outcome"], row["to_move"], row["minimax"]) != (outcome, to_move, value) or not optimal:
        raise ValueError(f"position {board} is not what the rules give")
