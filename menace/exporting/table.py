"""A game as a page's script can play it: by putting marks on cells, or from a table of every board."""

from __future__ import annotations

from typing import Any

from menace.errors import InvalidGame
from menace.exporting.board import arrow_path
from menace.games.base import Board, CellSymmetry, Side
from menace.games.look import arrow_of, is_of_cells, rows_text
from menace.games.positions import Positions

BOARDS_MOST = 20_000  # in a table: some megabytes


def sources_of(positions: Positions) -> tuple[tuple[int, ...], ...] | None:
    """Return the symmetries that join boards, as `CellSymmetry.source`, if the script can play by itself; else None.

    It can where a move puts the mover's mark on an empty cell, and symmetries turn the cells, and nothing else.
    """
    turning = [one.source for one in positions.symmetries if isinstance(one, CellSymmetry)]
    if len(turning) < len(positions.symmetries):
        return None
    by_marks = all(_by_marks(positions, position) for position in range(len(positions)))
    return tuple(turning) if by_marks else None


def _by_marks(positions: Positions, position: int) -> bool:
    game, board = positions.game, positions.boards[position]
    actions = game.actions(board)
    if "".join(rows_text(game.pieces(board), game.shape)) != board or not is_of_cells(game, board, actions):
        return False
    if not actions:
        return True
    mark = Side.X if board.count(Side.X) == board.count(Side.O) else Side.O
    puts = (board[:cell] + mark + board[cell + 1 :] for cell in actions)
    return game.to_move(board) == mark and all(
        game.play(board, cell) == put for cell, put in zip(actions, puts, strict=True)
    )


def table_of(positions: Positions) -> dict[Board, list[Any]]:
    """Return every board of a game: those that it can reach, and the canonical ones, which name boxes.

    Of each: its canonical board, who is to move, its pieces, and its moves. Of each move: name, the action that stands
    for it on the canonical board, the cell that it marks or None, the cells that a click may choose it by, its arrow as
    the `d` of a path or None, and the board that it leads to.

    Raises:
        InvalidGame: if there are more boards than BOARDS_MOST.
    """
    game = positions.game
    found: dict[Board, list[Any]] = {}
    waiting, stands_for = [game.initial], {}
    while waiting:
        board = waiting.pop()
        if board in found:
            continue
        if len(found) == BOARDS_MOST:
            raise InvalidGame(
                f"no page can be made of {positions.title}: it has more boards than the {BOARDS_MOST:,} that a page"
                " can hold; try a graph or a table, such as .gexf or .csv"
            )
        carry = positions.symmetry_to_canonical(board)
        home = carry.board(board)
        if home not in stands_for:
            waiting.append(home)  # boxes are named by it, though no game may reach it as it lies
            stands_for[home] = _stands_for(positions, home)
        moves = []
        for action in game.actions(board):
            where, after = game.where(board, action), game.play(board, action)
            arrow = arrow_of(where, game.shape[1])
            shown = (where.cells[0], where.cells[:1], None) if arrow is None else (None, where.arrow, arrow_path(arrow))
            moves.append([game.name_of(board, action), stands_for[home][carry.action(action)], *shown, after])
            waiting.append(after)
        found[board] = [home, game.to_move(board), game.pieces(board), moves]
    return found


def _stands_for(positions: Positions, board: Board) -> dict[int, int]:
    """Return of each action on a canonical board the lowest that leads to the same position."""
    lowest: dict[Board, int] = {}
    actions = positions.game.actions(board)
    return {
        action: lowest.setdefault(positions.canonical(positions.game.play(board, action)), action) for action in actions
    }
