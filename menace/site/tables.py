"""A game as tables that a page's script plays by: it knows no rules, only boards, what stands on them, and moves."""

from __future__ import annotations

from functools import cache
from typing import Any

from menace.errors import InvalidGame
from menace.exporting.boxes import look_of
from menace.games.base import Board
from menace.games.look import is_of_cells
from menace.games.positions import Positions
from menace.learners.fixed import fixed_weights, opponents_for
from menace.wording import RESULTS, VERDICTS, counted

POSITIONS_MOST = 6_000
BOARDS_MOST = 20_000  # some megabytes
FIRST_PIECE = 48  # the code of the letter that stands for the first kind of piece: 0

Look = tuple[str, tuple[int, ...], str | None, str]  # a move's name, cells to click, arrow as a path, piece it puts


def check_size(positions: Positions) -> None:
    """Refuse a game that is too large for a site.

    Raises:
        InvalidGame: if it has more positions than POSITIONS_MOST.
    """
    if len(positions) > POSITIONS_MOST:
        raise InvalidGame(
            f"{positions.title} has {counted(len(positions), 'position')}, more than the {POSITIONS_MOST:,} that a site"
            " holds; serve it (`menace serve`), or export a graph or table, such as .gexf or .csv"
        )


def game_tables(positions: Positions) -> dict[str, Any]:
    """Return all that a script knows of a game.

    Raises:
        InvalidGame: if it is too large.

    >>> from menace.games.enumeration import tictactoe
    >>> tables = game_tables(tictactoe())
    >>> tables["title"], len(tables["boards"].split()), len(tables["graph"]["next"])
    ('tictactoe 3x3x3', 5478, 2096)
    """
    check_size(positions)
    game = positions.game
    return {
        "title": positions.title,
        "shape": game.shape,
        "draws": positions.has_draws,
        "verdicts": VERDICTS,
        "results": RESULTS,
        "of_cells": is_of_cells(game, game.initial, game.actions(game.initial)),
        "graph": graph_tables(positions),
        "players": {name: fixed_weights(name, positions).tolist() for name in opponents_in(positions)},
        **board_tables(positions),
    }


def opponents_in(positions: Positions) -> list[str]:
    """Return the fixed opponents of a game that play alike in all their games."""
    return [name for name, one in opponents_for(positions.title).items() if not one.later]


def graph_tables(positions: Positions) -> dict[str, Any]:
    """Return positions and moves, as the kernel sees them; `minimax` as X sees it."""
    return {
        "first": positions.first_move.tolist(),
        "next": positions.next_position.tolist(),
        "multiplicity": positions.multiplicity.tolist(),
        "outcome": positions.outcome.tolist(),
        "to_move": positions.to_move.tolist(),
        "minimax": positions.minimax.tolist(),
        "rest": positions.plies_to_end.tolist(),
        "longest": positions.longest,
    }


def board_tables(positions: Positions) -> dict[str, Any]:
    """Return every board that a game reaches, and the canonical ones, which name boxes.

    Returns:
        `boards`, their texts; `start`, the number of the first one; `home`, the position of each; `kinds` of pieces,
        and `pieces`, a letter for each cell of each board in turn; `looks` of moves; and `moves`: of each board, three
        numbers for each of its moves: its look, its place among the moves of the position, and the board that it leads
        to.

    Raises:
        InvalidGame: if there are more than BOARDS_MOST.
    """
    numbers, homes = _boards(positions)
    game = positions.game
    kinds: dict[str, int] = {}
    looks: dict[Look, int] = {}
    pieces, moves = [], []
    stands_for = cache(lambda home: _stands_for(positions, home))
    for board, home in zip(numbers, homes, strict=True):
        pieces += [chr(FIRST_PIECE + kinds.setdefault(piece, len(kinds))) for piece in game.pieces(board)]
        carry, stands = positions.symmetry_to_canonical(board), stands_for(home)
        found: list[int] = []
        for action in game.actions(board):
            look = looks.setdefault(_look(positions, board, action), len(looks))
            found += [look, stands[carry.action(action)], numbers[game.play(board, action)]]
        moves.append(found)
    return {
        "boards": " ".join(numbers),
        "start": numbers[game.initial],
        "home": homes,
        "kinds": list(kinds),
        "pieces": "".join(pieces),
        "looks": [[name, cells, path, puts] for name, cells, path, puts in looks],
        "moves": moves,
    }


def _boards(positions: Positions) -> tuple[dict[Board, int], list[int]]:
    """Return all boards with their numbers, the first one first, and the position of each."""
    game = positions.game
    number_of = {board: number for number, board in enumerate(positions.boards)}
    found: dict[Board, int] = {}
    homes: list[int] = []
    waiting = [*reversed(positions.boards), game.initial]
    while waiting:
        board = waiting.pop()
        if board in found:
            continue
        if len(found) == BOARDS_MOST:
            raise InvalidGame(
                f"{positions.title} has more than {BOARDS_MOST:,} boards, too many for a site; serve it (`menace"
                " serve`), or export a graph or table, such as .gexf or .csv"
            )
        found[board] = len(found)
        homes.append(number_of[positions.canonical(board)])
        waiting += [game.play(board, action) for action in game.actions(board)]
    return found, homes


def _look(positions: Positions, board: Board, action: int) -> Look:
    look = look_of(positions.game, board, action)
    return look["name"], look["arrow"] or look["cells"][:1], look["path"], look["puts"]


def _stands_for(positions: Positions, position: int) -> dict[int, int]:
    """Return the place among its moves of the one that each action on a canonical board belongs to."""
    board, game = positions.boards[position], positions.game
    places = {int(positions.next_position[move]): place for place, move in enumerate(positions.moves_of(position))}
    number_of = {positions.boards[after]: place for after, place in places.items()}
    return {action: number_of[positions.canonical(game.play(board, action))] for action in game.actions(board)}
