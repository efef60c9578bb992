"""Published opponents: Johnson's nine rules, and Michie's play in the tournament of 1961."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidPlayer
from menace.games.base import Board, Side
from menace.games.positions import Positions
from menace.games.rules.mnk import EMPTY, MNK

CENTRE, CORNERS, EDGES = 4, frozenset({0, 2, 6, 8}), frozenset({1, 3, 5, 7})
OPPOSITE = ((0, 8), (2, 6), (6, 2), (8, 0))
SPECIAL = 3  # marks on the board where the fourth rule holds


def cells_of(game: MNK, board: Board) -> frozenset[int]:
    """Return the cells among which it chooses.

    >>> from menace.games import get_game
    >>> sorted(cells_of(get_game(), "X........")), sorted(cells_of(get_game(), "X...O...X"))
    ([4], [1, 3, 5, 7])
    """
    return next(filter(None, _rules(game, board)))


def _rules(game: MNK, board: Board) -> Iterator[frozenset[int]]:
    """Generate the cells that each rule gives."""
    side = game.to_move(board)
    other = side.other
    free = frozenset(_free(board))
    theirs = {cell for cell in range(9) if board[cell] == other.value}
    yield _wins(game, board, side)
    yield _wins(game, board, other)
    yield _forks(game, board, side)
    special = 9 - len(free) == SPECIAL and board[CENTRE] == side.value and any({a, b} <= theirs for a, b in OPPOSITE)
    yield EDGES & free if special else frozenset()
    yield _forks(game, board, other)
    yield frozenset({CENTRE}) & free
    yield CORNERS & free if any(a in theirs and b in free for a, b in OPPOSITE) else frozenset()
    yield CORNERS & free
    yield EDGES & free


def _free(board: Board) -> list[int]:
    return [cell for cell, content in enumerate(board) if content == EMPTY]


def _with(board: Board, cell: int, side: Side) -> Board:
    return board[:cell] + side.value + board[cell + 1 :]


def _wins(game: MNK, board: Board, side: Side) -> frozenset[int]:
    """Return the cells on which a side would have a row."""
    return frozenset(cell for cell in _free(board) if game.has_row(_with(board, cell, side), side))


def _forks(game: MNK, board: Board, side: Side) -> frozenset[int]:
    """Return the cells after which a side would have two such cells."""
    return frozenset(cell for cell in _free(board) if len(_wins(game, _with(board, cell, side), side)) > 1)


def nine_rules(positions: Positions) -> NDArray[np.int32]:
    """Return its weights [moves] for both sides of tic-tac-toe."""
    return np.where(_chosen(positions), positions.multiplicity, 0).astype(np.int32)


@lru_cache(maxsize=4)
def _chosen(positions: Positions) -> NDArray[np.bool_]:
    """Return [moves], whether it may make each."""
    game = positions.game
    if not isinstance(game, MNK):
        raise InvalidPlayer(f"nine rules are those of tic-tac-toe, not of {positions.title}")
    cells = [
        cells_of(game, board) if to_move >= 0 else frozenset()
        for board, to_move in zip(positions.boards, positions.to_move.tolist(), strict=True)
    ]
    moves = zip(positions.position_of_move.tolist(), positions.action.tolist(), strict=True)
    return np.array([action in cells[position] for position, action in moves])


CORNER = "X........"
# The board after each variant: the centre, the opposite corner, the edge beside, the next corner, an edge away. Only
# the centre holds the draw.
VARIANTS = {0: "X...O....", 1: "X.......O", 2: "XO.......", 3: "X.O......", 4: "X....O..."}
# (game, variant from that game on); at 203 back to 0 "but with subvariants", from 218 the "best strategy".
SCHEDULE = ((1, 0), (22, 1), (58, 0), (77, 2), (105, 3), (131, 4), (187, 1), (203, 0), (218, 0))
PRINTED_GAMES = 219


def replying(variant: int, otherwise: NDArray[np.int32], positions: Positions) -> NDArray[np.int32]:
    """Return the weights [moves] of a player who answers the corner by a variant, and picks by other weights elsewhere.

    Boards that symmetry carries into each other are answered alike, also where the positions know none.

    >>> from menace.games.enumeration import tictactoe
    >>> move = tictactoe().moves_of(tictactoe().number_of(CORNER))
    >>> replying(2, tictactoe().multiplicity, tictactoe())[move.start : move.stop].tolist()  # one of two edges
    [2, 0, 0, 0, 0]
    """
    symmetries = positions.game.symmetries
    corners, replies = ({symmetry.board(board) for symmetry in symmetries} for board in (CORNER, VARIANTS[variant]))
    weights = otherwise.copy()
    for position in np.flatnonzero(positions.ply == 1).tolist():
        if positions.boards[position] in corners:
            for move in positions.moves_of(position):
                # Any of the boards of its class will do: all or none of them are such a reply.
                answer = positions.boards[positions.next_position[move]]
                weights[move] = positions.multiplicity[move] if answer in replies else 0
    return weights
