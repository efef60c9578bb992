"""Load the rules of a database's game, and check single rows against them, without importing numpy."""

from __future__ import annotations

from typing import Any

from menace.errors import InvalidGame, MissingGame, UnreachableBoard
from menace.games import game_called, plugins
from menace.games.base import NUMBER_OF_OUTCOME, Board, Side
from menace.games.symmetry import SymmetricGame
from menace.ledger.store import VERIFY_SAYS_MORE, Store, damaged


def rules_of(store: Store) -> SymmetricGame:
    """Return the game stored in a database, including the symmetry setting.

    Raises:
        MissingGame: if no game with its name is installed or registered.
        InvalidGame: if the game is broken or does not have the variant.

    >>> rules_of(store).canonical("........X")
    'X........'
    """
    return store.cached("the rules", lambda: _load_rules(store))


def _load_rules(store: Store) -> SymmetricGame:
    rules = store.rules()
    name = f"{rules.name} {rules.variant}"
    try:
        game = game_called(rules.name, rules.variant)
    except MissingGame:
        raise MissingGame(f"{store.path} contains the game {name}, which is not available; {_naming_hint()}") from None
    except InvalidGame as error:
        raise InvalidGame(f"{store.path} contains the game {name}, which cannot be loaded: {error}") from None
    return SymmetricGame(game, "none" if rules.symmetry == "none" else "full")


def _naming_hint() -> str:
    """Return instructions for making a game available, including the list of files that were searched."""
    files = [f"{reference} is {name!r}" for reference, name in plugins.names_in_files().items()]
    listing = f" ({', '.join(files)})" if files else ""
    return (
        f"list its file in {plugins.FILES}, as in {plugins.FILES}={plugins.ANYWHERE}{listing}, or install its package"
    )


def position_of(store: Store, board: Board) -> dict[str, Any]:
    """Return the row of the position to which a board belongs.

    The rules quickly reject most impossible boards. If the rules accept a board that is not in the database, the
    function enumerates the game to check whether the board is reachable.

    Raises:
        UnreachableBoard: if no game reaches the board.

    >>> position_of(store, "........X")["board"]
    'X........'
    """
    rules = rules_of(store)
    canonical = rules.canonical(board)
    row = store.find_position(canonical)
    if row is None and not _is_reached(rules, canonical, most=2 * store.position_count() + 1000):
        raise UnreachableBoard(f"no game of {rules.title} reaches the board {board}")
    return row or store.position(canonical)


def _is_reached(rules: SymmetricGame, canonical: Board, most: int) -> bool:
    from menace.games.enumeration import enumerate_positions  # imported here because only missing boards need numpy

    try:
        enumerate_positions(rules.game, rules.symmetry, most).number_of(canonical)
    except LookupError:
        return False
    except InvalidGame:  # the game has more positions than the file
        return True
    return True


def checked_moves(store: Store, row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the moves of a position as `Store.moves` does, after checking them against the rules.

    Args:
        store: the database.
        row: the position, as `Store.position` returns it.

    Raises:
        StoreError: if the position and its moves do not agree with the rules of the game, or with each other.

    >>> [move["next_board"] for move in checked_moves(store, store.position("........."))]
    ['X........', '.X.......', '....X....']
    >>> checked_moves(store, store.position(".........") | {"minimax": 1})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    menace.errors.StoreError: ... is damaged (position ......... does not match the rules of the game); ...
    """
    rules, moves = rules_of(store), store.moves(row["position_id"])
    game, board = rules.game, row["board"]
    outcome = game.outcome(board)
    by_rules: dict[Board, list[int]] = {}
    for action, canonical in rules.canonical_after(board).items():
        by_rules.setdefault(canonical, []).append(action)
    expected = sorted((actions[0], after, len(actions)) for after, actions in by_rules.items())
    if [(move["action"], move["next_board"], move["multiplicity"]) for move in moves] != expected:
        raise damaged(store.path, f"the moves of position {board} do not match the rules of the game", VERIFY_SAYS_MORE)
    to_move = None if outcome is not None else Side(game.to_move(board))
    if to_move is None:
        value = NUMBER_OF_OUTCOME[outcome]
    else:
        value = to_move.sign * max(to_move.sign * move["minimax"] for move in moves)
    optimal = all(move["optimal"] == (move["minimax"] == value) for move in moves)
    if (row["outcome"], row["to_move"], row["minimax"]) != (outcome, to_move, value) or not optimal:
        raise damaged(store.path, f"position {board} does not match the rules of the game", VERIFY_SAYS_MORE)
    return moves
