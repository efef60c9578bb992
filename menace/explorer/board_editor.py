"""Editing a board by hand: the board after a click that changes a cell, even if no game reaches it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from menace.analysis.lines_through_board import images
from menace.errors import InvalidBoard
from menace.games.base import DEAD, GAP, Board
from menace.games.boards_as_text import EMPTY, written_by_rows
from menace.games.positions import Positions

LOOKED_AT = 300  # positions that are sampled to see which pieces a game has
IMAGES_MOST = 24  # of each, that are looked at
BETWEEN_ROWS = re.compile(r"[\s/]")
ENDINGS = {"", ":X", ":O"}


@lru_cache(maxsize=4)
def known_pieces(positions: Positions) -> tuple[tuple[str, ...], ...]:
    """Return the pieces that can stand on each cell: nothing first, then X before O.

    >>> from menace.games.enumeration import tictactoe
    >>> known_pieces(tictactoe())[4]
    ('', 'X', 'O')
    """
    columns = list(zip(*(pieces for _, pieces in _looks(positions)), strict=True))
    if written_by_rows(positions.game, positions.game.initial) is not None:  # any piece can be put anywhere
        columns = [tuple(chain.from_iterable(columns))] * len(columns)
    return tuple(("", *sorted({*column} - {"", GAP, DEAD}, reverse=True)) for column in columns)


@lru_cache(maxsize=4)
def _looks(positions: Positions) -> tuple[tuple[Board, tuple[str, ...]], ...]:
    """Return boards of a game with their pieces: all boards of a small game, an even sample of a large one."""
    step = -(-len(positions) // LOOKED_AT)
    boards = chain.from_iterable(images(positions, canonical, IMAGES_MOST) for canonical in positions.boards[::step])
    return tuple((board, positions.game.pieces(board)) for board in boards)


def drawable_board(positions: Positions, text: str) -> Board | None:
    """Return a text as a board that can be drawn, even if no game reaches it; None if it cannot be drawn.

    >>> from menace.games.enumeration import tictactoe
    >>> drawable_board(tictactoe(), "xx. xx. ..."), drawable_board(tictactoe(), "abc")
    ('XX.XX....', None)
    """
    game, board = positions.game, BETWEEN_ROWS.sub("", text).upper()
    try:
        return game.parse(text)
    except (InvalidBoard, ValueError, IndexError):
        pass  # a board that the rules reject may still be drawn
    try:
        ending, usual = written_by_rows(game, board), written_by_rows(game, game.initial)
    except (ValueError, IndexError):
        return None
    if ending not in ENDINGS or usual is None or len(ending or "") != len(usual):
        return None
    pieces, (rows, columns) = game.pieces(board), game.shape
    known = {GAP, DEAD}.union(*known_pieces(positions))
    return board if len(pieces) == rows * columns and set(pieces) <= known else None


def next_piece(known: tuple[str, ...], piece: str) -> str:
    """Return the piece that follows another on a cell; an empty cell after a piece that cannot be set by hand.

    >>> next_piece(("", "X", "O"), "X"), next_piece(("", "X", "O"), "O")
    ('O', '')
    """
    return known[(known.index(piece) + 1) % len(known)] if piece in known else ""


def with_next_piece(positions: Positions, board: Board, cell: int) -> Board:
    """Return a board with the next piece on a cell: nothing, X, O, and nothing again.

    Where boards are written cell by cell, nothing else changes. Elsewhere, as in Nim, it is the most similar board of
    the game that has the piece there.

    >>> from menace.games.enumeration import tictactoe
    >>> with_next_piece(tictactoe(), "X........", 0), with_next_piece(tictactoe(), "O........", 0)
    ('O........', '.........')
    """
    before = positions.game.pieces(board)
    if before[cell] == GAP:
        return board
    wanted = list(before)
    wanted[cell] = next_piece(known_pieces(positions)[cell], before[cell])
    changed = _written(positions, board, wanted, cell)
    if changed is not None:
        return changed
    return board if before[cell] == DEAD else _most_similar(positions, board, wanted, cell)


def _written(positions: Positions, board: Board, wanted: list[str], cell: int) -> Board | None:
    """Return a board that differs by one character, so that only the given cell and dead cells change."""
    for place, character in _characters(positions, len(board), wanted[cell] or EMPTY):
        changed = board[:place] + character + board[place + 1 :]
        try:
            pieces = positions.game.pieces(changed)
        except (ValueError, IndexError):
            continue
        alike = len(pieces) == len(wanted) and all(
            piece == wanted_piece or (DEAD in {piece, wanted_piece} and number != cell)
            for number, (piece, wanted_piece) in enumerate(zip(pieces, wanted, strict=True))
        )
        if alike and changed != board:
            return changed
    return None


@lru_cache(maxsize=64)
def _characters(positions: Positions, length: int, piece: str) -> tuple[tuple[int, str], ...]:
    """Return the characters that may stand for a piece at each place of a board's text: itself, or any seen there."""
    boards = [board for board, _ in _looks(positions) if len(board) == length]
    itself = [piece] if any(piece in board for board in boards) else []
    characters_by_place = [{*written} for written in zip(*boards, strict=True)] or [set() for _ in range(length)]
    return tuple(
        (place, character)
        for place, characters in enumerate(characters_by_place)
        for character in dict.fromkeys([*itself, *sorted(characters)])
    )


def _most_similar(positions: Positions, board: Board, wanted: list[str], cell: int) -> Board:
    """Return the board with the wanted piece that differs on the fewest cells, preferring the same side to move."""

    def difference(look: tuple[Board, tuple[str, ...]]) -> tuple[int, bool]:
        return sum(piece != wanted_piece for piece, wanted_piece in zip(look[1], wanted, strict=True)), look[0][
            -1
        ] != board[-1]

    having = (look for look in _looks(positions) if look[1][cell] == wanted[cell])
    return min(having, key=difference, default=(board, ()))[0]


def with_other_side(board: Board) -> Board | None:
    """Return a board with the other side to move; None if the side to move follows from the pieces.

    >>> with_other_side("3-4-5:X"), with_other_side(".........")
    ('3-4-5:O', None)
    """
    pieces, sign, side = board.partition(":")
    return f"{pieces}:{'O' if side == 'X' else 'X'}" if sign else None
