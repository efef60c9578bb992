"""The game of a database by its rules on text, and single rows as these have them. Starts without numpy."""

from __future__ import annotations

from typing import Any

from menace.errors import StoreError
from menace.games import GAMES, get_game
from menace.games.base import NUMBER_OF_OUTCOME, Board, Side
from menace.games.symmetry import SymmetricGame
from menace.ledger.store import Store, undamaged


def rules_of(store: Store) -> SymmetricGame:
    """Return the game of a database, with the symmetries that join its boards.

    >>> rules_of(store).canonical("........X")
    'X........'
    """
    return store.kept("the rules", lambda: _read(store))


def _read(store: Store) -> SymmetricGame:
    with undamaged(store.path):
        rules = store.rules()
        if rules.name not in GAMES:
            raise StoreError(
                f"{store.path} is of the game {rules.name!r}, which this menace does not know; upgrade menace"
            )
        return SymmetricGame(get_game(rules.name, rules.variant), "none" if rules.symmetry == "none" else "full")


def check_as_ruled(rules: SymmetricGame, row: dict[str, Any], moves: list[dict[str, Any]]) -> None:
    """Raise ValueError if a position and its moves are not as the rules of the game, and each other, give them.

    `row` and `moves` are as `Store.position` and `Store.moves` have them.

    >>> check_as_ruled(rules_of(store), store.position("........."), store.moves(0))
    >>> check_as_ruled(rules_of(store), store.position("X........"), store.moves(0))
    Traceback (most recent call last):
        ...
    ValueError: the moves of position X........ are not what the rules give
    """
    game, board = rules.game, row["board"]
    outcome = game.outcome(board)
    by_rules: dict[Board, list[int]] = {}
    for action in game.actions(board):
        by_rules.setdefault(rules.canonical(game.play(board, action)), []).append(action)
    expected = sorted((actions[0], after, len(actions)) for after, actions in by_rules.items())
    if [(move["action"], move["next_board"], move["multiplicity"]) for move in moves] != expected:
        raise ValueError(f"the moves of position {board} are not what the rules give")
    to_move = None if outcome is not None else Side(game.to_move(board))
    if to_move is None:
        value = NUMBER_OF_OUTCOME[outcome]
    else:
        value = to_move.sign * max(to_move.sign * move["minimax"] for move in moves)
    optimal = all(move["optimal"] == (move["minimax"] == value) for move in moves)
    if (row["outcome"], row["to_move"], row["minimax"]) != (outcome, to_move, value) or not optimal:
        raise ValueError(f"position {board} is not what the rules give")
