"""What lies around a board: where it comes from, where it leads, what it is another picture of, who came by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from menace.games.base import Board
from menace.games.positions import Positions
from menace.ledger.store import GameRow

IMAGES_MOST = 100  # Nim's heaps have 40,320 orders; a page shows no more boards than these


def images(positions: Positions, board: Board, most: int = IMAGES_MOST) -> tuple[Board, ...]:
    """Return the boards that stand for the same position, in descending order; `most` of them at most.

    >>> from menace.games.enumeration import tictactoe
    >>> images(tictactoe(), "........X")
    ('X........', '..X......', '......X..', '........X')
    """
    found: set[Board] = set()
    for symmetry in positions.symmetries:
        found.add(symmetry.board(board))
        if len(found) == most:
            break
    return tuple(sorted(found, reverse=True))


def boards_before(positions: Positions, board: Board) -> tuple[Board, ...]:
    """Return the boards from which a move leads to just this one; none to the first.

    >>> from menace.games.enumeration import tictactoe
    >>> boards_before(tictactoe(), "XX..O....")
    ('X...O....', '.X..O....')
    """
    game, position = positions.game, positions.number_of(board)
    before = np.unique(positions.position_of_move[np.flatnonzero(positions.next_position == position)])
    boards = [image for number in before.tolist() for image in images(positions, positions.boards[number])]
    return tuple(one for one in boards if any(game.play(one, action) == board for action in game.actions(one)))


def ways_on(positions: Positions) -> NDArray[np.float64]:
    """Return [positions], in how many ways a game can go on from there; exact below 2^53.

    >>> from menace.games.enumeration import tictactoe
    >>> f"{ways_on(tictactoe())[0]:,.0f}"  # Henry Bottomley, https://www.se16.info/hgb/tictactoe.htm
    '255,168'
    """
    found = np.where(positions.to_move < 0, 1.0, 0.0)
    for here, moves in reversed(positions.plies):
        weights = positions.multiplicity[moves] * found[positions.next_position[moves]]
        sums = np.bincount(positions.position_of_move[moves] - here.start, weights, minlength=here.stop - here.start)
        found[here] += sums
    return found


def games_by(positions: Positions, games: Sequence[GameRow], board: Board) -> list[GameRow]:
    """Return the recorded games that came by a board, in any turn of it.

    >>> from menace.games.enumeration import tictactoe
    >>> games_by(tictactoe(), store.games(), "X........")
    []
    """
    game, wanted = positions.game, positions.canonical(board)
    looks = set(images(positions, wanted))
    many = len(looks) == IMAGES_MOST

    def came_by(row: GameRow) -> bool:
        here = game.initial
        for action in [None, *map(int, filter(None, row.actions.split(",")))]:
            here = here if action is None else game.play(here, action)
            if here in looks or (many and positions.canonical(here) == wanted):
                return True
        return False

    return [row for row in games if came_by(row)]
