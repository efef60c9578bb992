"""The rules of Connect, a form of tic-tac-toe in which pieces fall to the lowest empty cell of a column.

Variants are sizes such as `4x4x3` (rows x columns x pieces in a row). The size of Connect Four, 6x7x4, is too large for
menace.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from menace.errors import IllegalMove, UnreachableBoard
from menace.games.base import Board, CellSymmetry, MoveMark, Side, grid_text, same_name_on_every_board, shortened
from menace.games.rules.mnk import EMPTY, MNK, read_size
from menace.text.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIRRORS = ("identity", "left-right mirror")


@dataclass(frozen=True)
class Connect(MNK):
    """Tic-tac-toe with gravity. Actions number the columns from 0, while the names of moves number them from 1.

    >>> game = Connect.from_variant("4x4x3")
    >>> game.play("." * 16, 0), game.name_of("." * 16, 0), game.where("." * 16, 0).cells
    ('............X...', 'column 1', (12,))
    """

    @classmethod
    def from_variant(cls, variant: str = "4x4x3") -> Connect:
        """Create the game for a variant such as `4x4x3` (rows x columns x pieces in a row).

        Raises:
            InvalidGame: if the text does not have this form, the board is too large, or neither side can win.
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
            f"The board stands upright and has {size}. X and O take turns to drop a stone into a column, where it"
            f" falls to the lowest empty cell. The first to get {self.row_length} in a row, across, down or"
            " diagonally, wins; if the board fills up first, the game is a draw. Write a move as its column,"
            " such as column 2."
        )

    @property
    def coordinates(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (), tuple(str(column + 1) for column in range(self.columns))

    @cached_property
    def symmetries(self) -> tuple[CellSymmetry, ...]:
        """The identity and the left-right mirror.

        A column has the same number as its top cell, so each symmetry maps columns in the same way as top cells.
        """
        return tuple(symmetry for symmetry in super().symmetries if symmetry.name in MIRRORS)

    def actions(self, board: Board) -> tuple[int, ...]:
        return tuple(cell for cell in super().actions(board) if cell < self.columns)

    def _landing(self, board: Board, column: int) -> int:
        """Return the lowest empty cell of a column, which must not be full."""
        return max(cell for cell in range(column, self.longest, self.columns) if board[cell] == EMPTY)

    def play(self, board: Board, action: int) -> Board:
        if action not in self.actions(board):
            raise IllegalMove(f"column {action + 1} is not legal on {board}; {self._legal(board)}")
        cell = self._landing(board, action)
        return board[:cell] + self.to_move(board) + board[cell + 1 :]

    def _legal(self, board: Board) -> str:
        names = ", ".join(str(column + 1) for column in self.actions(board))
        return f"columns with an empty cell: {names}" if names else "no move is left: the game is over"

    # Notation and display.

    @same_name_on_every_board
    def name_of(self, board: Board, action: int) -> str:
        return f"column {action + 1}"

    def parse_action(self, board: Board, text: str) -> int:
        """Parse `column 2` or `2`."""
        number = re.fullmatch(r"\s*(?:column)?\s*([0-9]{1,3})\s*", text, re.ASCII | re.IGNORECASE)
        if number is None or int(number[1]) - 1 not in self.actions(board):
            raise IllegalMove(f"{shortened(text)} is not a legal move; {self._legal(board)}")
        return int(number[1]) - 1

    def draw(self, board: Board) -> str:
        """Return a drawing of the board, with column numbers below it."""
        width = len(str(self.columns))
        numbers = " ".join(f" {column + 1:>{width}} " for column in range(self.columns))
        return f"{grid_text(self.pieces(board), self.shape, {-1: ' ' * width})}\n{numbers.rstrip()}"

    def where(self, board: Board, action: int) -> MoveMark:
        return MoveMark((self._landing(board, action),))

    @property
    def example(self) -> str:
        return EMPTY * (self.longest - self.columns) + "X" + EMPTY * (self.columns - 1)

    def check_reachable(self, board: Board) -> None:
        """Raise UnreachableBoard if a board has impossible piece counts, floating pieces, or no possible last move.

        A few unreachable boards are not detected.
        """
        super().check_reachable(board)
        for cell, below in enumerate(range(self.columns, self.longest)):
            if board[cell] != EMPTY and board[below] == EMPTY:
                raise UnreachableBoard(
                    f"board {board} has {board[cell]} above an empty cell in column {cell % self.columns + 1};"
                    " pieces fall to the lowest empty cell"
                )
        last = self.to_move(board).other
        if board != self.initial and all(self.outcome(previous) is not None for previous in self._before(board, last)):
            raise UnreachableBoard(
                f"board {board} cannot be reached, because no {last} on top of a column could have been the last move"
            )

    def _before(self, board: Board, last: Side) -> list[Board]:
        """Return all boards that could precede the last move, each without one topmost piece of the side `last`."""
        columns = (range(column, self.longest, self.columns) for column in range(self.columns))
        tops = (next((cell for cell in column if board[cell] != EMPTY), None) for column in columns)
        return [board[:cell] + EMPTY + board[cell + 1 :] for cell in tops if cell is not None and board[cell] == last]

    # The array rules, which use codes.

    def _moves(self, empty: NDArray[np.bool_]) -> tuple[NDArray[np.int64], ...]:
        # the row of the lowest empty cell in each column
        lowest = empty.reshape(-1, self.rows, self.columns).sum(axis=1) - 1
        parent, action = (lowest >= 0).nonzero()
        return parent, action, lowest[parent, action] * self.columns + action
