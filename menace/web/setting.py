"""Setting pieces by hand: boards one click away from a board, also such as no game reaches."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from menace.games.base import Board
from menace.games.look import EMPTY, written_by_rows
from menace.games.positions import Positions
from menace.shelf.surroundings import images

LOOKED_AT = 2000  # positions, at most, that are asked what pieces a game has, and what is like a board
BETWEEN_ROWS = re.compile(r"[\s/]")
ENDINGS = {"", ":X", ":O"}


@lru_cache(maxsize=4)
def pieces_known(positions: Positions) -> tuple[str, ...]:
    """Return what can stand on a cell, nothing first, then X before O.

    >>> from menace.games.enumeration import tictactoe
    >>> pieces_known(tictactoe())
    ('', 'X', 'O')
    """
    boards = (positions.boards[number] for number in range(min(len(positions), LOOKED_AT)))
    found = set(chain.from_iterable(positions.game.pieces(board) for board in boards))
    return ("", *sorted(found - {""}, reverse=True))


def as_drawn(positions: Positions, text: str) -> Board | None:
    """Return a text as a board that can be drawn, whether a game reaches it or not; None if it cannot.

    >>> from menace.games.enumeration import tictactoe
    >>> as_drawn(tictactoe(), "xx. xx. ..."), as_drawn(tictactoe(), "abc")
    ('XX.XX....', None)
    """
    game, board = positions.game, BETWEEN_ROWS.sub("", text).upper()
    try:
        ending, usual = written_by_rows(game, board), written_by_rows(game, game.initial)
    except (ValueError, IndexError):
        return None
    if ending not in ENDINGS or usual is None or len(ending or "") != len(usual):
        return None
    pieces, (rows, columns) = game.pieces(board), game.shape
    return board if len(pieces) == rows * columns and set(pieces) <= set(pieces_known(positions)) else None


def with_next_piece(positions: Positions, board: Board, cell: int) -> Board:
    """Return a board with the next piece on a cell: nothing, X, O, and nothing again.

    Where boards are written cell by cell, nothing else changes. Elsewhere, as in Nim, it is the likest board of the
    game that has the piece there.

    >>> from menace.games.enumeration import tictactoe
    >>> with_next_piece(tictactoe(), "X........", 0), with_next_piece(tictactoe(), "O........", 0)
    ('O........', '.........')
    """
    known, pieces = pieces_known(positions), list(positions.game.pieces(board))
    pieces[cell] = known[(known.index(pieces[cell]) + 1) % len(known)]
    ending = written_by_rows(positions.game, board)
    if ending is not None:
        return "".join(piece or EMPTY for piece in pieces) + ending
    return _likest(positions, board, pieces, cell)


def _likest(positions: Positions, board: Board, pieces: list[str], cell: int) -> Board:
    """Return the board that differs on the fewest cells, of those that have one piece; of equals the same mover's."""

    def unlikeness(other: Board) -> tuple[int, bool]:
        found = positions.game.pieces(other)
        return sum(one != two for one, two in zip(found, pieces, strict=True)), other[-1] != board[-1]

    looked_at = (positions.boards[number] for number in range(min(len(positions), LOOKED_AT)))
    boards = chain.from_iterable(images(positions, one) for one in looked_at)
    having = (one for one in boards if positions.game.pieces(one)[cell] == pieces[cell])
    return min(having, key=unlikeness, default=board)


def with_other_side(board: Board) -> Board | None:
    """Return a board with the other side to move; None where its pieces tell who it is.

    >>> with_other_side("3-4-5:X"), with_other_side(".........")
    ('3-4-5:O', None)
    """
    pieces, sign, side = board.partition(":")
    return f"{pieces}:{'O' if side == 'X' else 'X'}" if sign else None
