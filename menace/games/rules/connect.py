"""Connect: tic-tac-toe with gravity. A piece falls to the lowest empty cell of its column.

Variants: `4x4x3` (rows x columns x in a row). Connect Four is 6x7x4, too large to be enumerated here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from menace.errors import IllegalMove, UnreachableBoard
from menace.games.base import Board, CellSymmetry, MoveMark, Side, grid_text, same_on_every_board, shortened
from menace.games.rules.mnk import EMPTY, MNK, read_size
from menace.text.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIRRORS = ("identity", "left-right mirror")


@dataclass(frozen=True)
class Connect(MNK):
    """As tic-tac-toe, but for gravity. An action is a column; people count them from 1.

    >>> game = Connect.from_variant("4x4x3")
    >>> game.play("." * 16, 0), game.name_of("." * 16, 0), game.where("." * 16, 0).cells
    ('............X...', 'column 1', (12,))
    """

    @classmethod
    def from_variant(cls, variant: str = "4x4x3") -> Connect:
        """Read a variant such as `4x4x3` (rows x columns x in a row).

        Raises:
            InvalidGame: if it is no such text, or no such game can be won or held.
        """
        return cls(*read_size(variant))

    @property
    def name(self) -> str:
        return "connect"

    @property
    def words(self) -> str:
        return f"connect {self.row_length}"

    @property
    def rules(self) -> str:
        size = f"{counted(self.rows, 'row')} and {counted(self.columns, 'column')}"
        return (
            f"The board stands upright: {size}. X and O take turns to drop a"
            f" stone into a column, where it falls as far as it can. Whoever first has {self.row_length} in a row,"
            " across, down or diagonally, wins; if the board is full before that, it is a draw. A move is written"
            " as its column: column 2."
        )

    @property
    def coordinates(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (), tuple(str(column + 1) for column in range(self.columns))

    @cached_property
    def symmetries(self) -> tuple[CellSymmetry, ...]:
        """The mirror alone. Columns have the numbers of the cells in the top row, and are carried as these are."""
        return tuple(symmetry for symmetry in super().symmetries if symmetry.name in MIRRORS)

    # The rules.

    def actions(self, board: Board) -> tuple[int, ...]:
        return tuple(cell for cell in super().actions(board) if cell < self.columns)

    def _landing(self, board: Board, column: int) -> int:
        """Return the lowest empty cell of a column that has one."""
        return max(cell for cell in range(column, self.longest, self.columns) if board[cell] == EMPTY)

    def play(self, board: Board, action: int) -> Board:
        if action not in self.actions(board):
            raise IllegalMove(f"column {action + 1} cannot be played on {board}; {self._legal(board)}")
        cell = self._landing(board, action)
        return board[:cell] + self.to_move(board) + board[cell + 1 :]

    def _legal(self, board: Board) -> str:
        names = ", ".join(str(column + 1) for column in self.actions(board))
        return f"columns with an empty cell: {names}" if names else "no move is left: the game is over"

    # Words and look.

    @same_on_every_board
    def name_of(self, board: Board, action: int) -> str:
        return f"column {action + 1}"

    def parse_action(self, board: Board, text: str) -> int:
        """Read `column 2`, or `2`."""
        number = re.fullmatch(r"\s*(?:column)?\s*([0-9]{1,3})\s*", text, re.ASCII | re.IGNORECASE)
        if number is None or int(number[1]) - 1 not in self.actions(board):
            raise IllegalMove(f"{shortened(text)} is not a move here; {self._legal(board)}")
        return int(number[1]) - 1

    def draw(self, board: Board) -> str:
        """Return the board as lines, with the numbers of its columns below."""
        width = len(str(self.columns))
        numbers = " ".join(f" {column + 1:>{width}} " for column in range(self.columns))
        return f"{grid_text(self.pieces(board), self.shape, {-1: ' ' * width})}\n{numbers.rstrip()}"

    def where(self, board: Board, action: int) -> MoveMark:
        return MoveMark((self._landing(board, action),))

    @property
    def example(self) -> str:
        return EMPTY * (self.longest - self.columns) + "X" + EMPTY * (self.columns - 1)

    def check_reachable(self, board: Board) -> None:
        """Refuse boards by counts, gravity and the last move. A few unreachable boards pass."""
        super().check_reachable(board)
        for cell, below in enumerate(range(self.columns, self.longest)):
            if board[cell] != EMPTY and board[below] == EMPTY:
                raise UnreachableBoard(
                    f"board {board} has {board[cell]} over an empty cell in column {cell % self.columns + 1};"
                    " pieces fall to the lowest"
                )
        last = self.to_move(board).other
        if board != self.initial and all(self.outcome(previous) is not None for previous in self._before(board, last)):
            raise UnreachableBoard(f"board {board} has no {last} on top of a column that can have been the last move")

    def _before(self, board: Board, last: Side) -> list[Board]:
        """Return the boards without one of the uppermost pieces, `last`'s own."""
        columns = (range(column, self.longest, self.columns) for column in range(self.columns))
        tops = (next((cell for cell in column if board[cell] != EMPTY), None) for column in columns)
        return [board[:cell] + EMPTY + board[cell + 1 :] for cell in tops if cell is not None and board[cell] == last]

    # The same on arrays of codes.

    def _moves(self, empty: NDArray[np.bool_]) -> tuple[NDArray[np.int64], ...]:
        lowest = empty.reshape(-1, self.rows, self.columns).sum(axis=1) - 1  # of each column, the row of its lowest
        parent, action = (lowest >= 0).nonzero()
        return parent, action, lowest[parent, action] * self.columns + action
