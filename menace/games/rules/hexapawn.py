"""The rules of hexapawn, played with chess pawns on the first and last rows.

Variants are sizes such as `3x3`, `3x4` and `4x4` (rows x columns).

Source: Martin Gardner, Mathematical Games: How to build a game-learning machine and then teach it to play and to win,
Scientific American 206:3 (March 1962).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from menace.games.base import EMPTY, Board, CellSymmetry, MoveMark, Outcome, Side, same_name_on_every_board
from menace.games.text_game_base import TextGame, invalid_variant

LETTERS = "abcdefgh"  # names of the columns; rows are numbered from the bottom


@dataclass(frozen=True)
class Hexapawn(TextGame):
    """Hexapawn: X moves up and O moves down. Pawns step straight ahead to empty cells or capture diagonally ahead.

    A side wins by reaching the far row, capturing all of the other side's pawns, or leaving the other side without a
    move. The text of a board consists of the cells, row by row from the top, followed by the side to move. With action
    `3 * cell + n`, the pawn on `cell` captures to the left if n is 0, steps ahead if n is 1, or captures to the right
    if n is 2.

    >>> game = Hexapawn.from_variant("3x3")
    >>> game.initial, game.play(game.initial, 19), game.name_of(game.initial, 19)
    ('OOO...XXX:X', 'OOOX...XX:O', 'a1-a2')
    """

    rows: int
    columns: int

    name = "hexapawn"
    has_pawns = True

    @classmethod
    def from_variant(cls, variant: str = "3x3") -> Hexapawn:
        """Create the game for a variant such as `3x3` (rows x columns).

        Raises:
            InvalidGame: if the text does not have this form, or the board is too large.
        """
        numbers = re.fullmatch(r"([3-8])x([1-8])", variant, re.ASCII)
        if numbers is None:
            raise invalid_variant("hexapawn", variant, "ROWSxCOLUMNS, 3 to 8 rows and 1 to 8 columns, such as 3x3")
        return cls(int(numbers[1]), int(numbers[2]))

    @property
    def variant(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def rules(self) -> str:
        return (
            f"Each side has {self.columns} chess pawns: X on row 1, at the bottom, and O on row {self.rows}. A pawn"
            " moves one square ahead if that square is empty, or captures a pawn of the other side diagonally ahead."
            " A side wins if it reaches the far row, captures all pawns of the other side, or leaves the other side"
            " without a move. Write a move as its two squares, such as a1-a2, or a1xb2 if it captures."
        )

    @property
    def initial(self) -> Board:
        return "O" * self.columns + EMPTY * self.columns * (self.rows - 2) + "X" * self.columns + ":X"

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.columns

    @property
    def coordinates(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(str(row) for row in range(self.rows, 0, -1)), tuple(LETTERS[: self.columns])

    @cached_property
    def symmetries(self) -> tuple[CellSymmetry, ...]:
        cells = tuple(range(self.rows * self.columns))
        mirror = tuple(cell - 2 * (cell % self.columns) + self.columns - 1 for cell in cells)
        steps = tuple(3 * mirror[action // 3] + 2 - action % 3 for action in range(3 * len(cells)))
        return (
            CellSymmetry("identity", cells, tuple(range(3 * len(cells)))),
            CellSymmetry("left-right mirror", mirror, steps),
        )

    # The rules.

    @cached_property
    def _steps(self) -> dict[str, list[tuple[int, int, int, str]]]:
        """All possible steps of each side, as tuples (action, start cell, end cell, required content of end cell)."""
        steps: dict[str, list[tuple[int, int, int, str]]] = {side: [] for side in Side}
        for side in Side:
            for action in range(3 * self.rows * self.columns):
                cell, step = divmod(action, 3)
                row, column = cell // self.columns - side.sign, cell % self.columns + step - 1
                if 0 <= row < self.rows and 0 <= column < self.columns:
                    wanted = EMPTY if step == 1 else side.other.value
                    steps[side].append((action, cell, row * self.columns + column, wanted))
        return steps

    def outcome(self, board: Board) -> Outcome | None:
        if "X" in board[: self.columns]:
            return "X"
        if "O" in board[-2 - self.columns : -2]:
            return "O"
        mover = board[-1]
        for _, cell, target, wanted in self._steps[mover]:
            if board[cell] == mover and board[target] == wanted:
                return None
        return Side(mover).other.outcome

    def children(self, board: Board) -> dict[int, Board]:
        mover = Side(board[-1])
        opponent = mover.other
        children = {}
        for action, cell, target, wanted in self._steps[mover]:
            if board[cell] == mover and board[target] == wanted:
                cells = list(board)
                cells[cell], cells[target], cells[-1] = EMPTY, mover, opponent
                children[action] = "".join(cells)
        return children

    # Notation and display.

    def where(self, board: Board, action: int) -> MoveMark:
        cell, step = divmod(action, 3)
        return MoveMark(arrow=(cell, cell - self.to_move(board).sign * self.columns + step - 1))

    @same_name_on_every_board
    def name_of(self, board: Board, action: int) -> str:
        """Return the name of a move in chess notation, such as `a2-a3` or, for a capture, `a2xb3`.

        X starts on row 1.
        """
        cell, step = divmod(action, 3)
        target = cell - self.to_move(board).sign * self.columns + step - 1
        return ("-" if step == 1 else "x").join(map(self.square, (cell, target)))

    def names_of(self, board: Board, action: int) -> tuple[str, ...]:
        name = self.name_of(board, action)
        return name, name.replace("x", "-"), re.sub("[-x]", "", name)

    def square(self, cell: int) -> str:
        """Return the name of a cell in chess notation, in which rows are counted from the bottom."""
        return f"{LETTERS[cell % self.columns]}{self.rows - cell // self.columns}"

    def pieces(self, board: Board) -> tuple[str, ...]:
        return tuple("" if content == EMPTY else content for content in board[:-2])

    def draw(self, board: Board) -> str:
        """Return a drawing of the board, with the names of its rows and columns."""
        lines = super().draw(board).splitlines()
        sides = [str(self.rows - row // 2) if row % 2 == 0 else " " for row in range(len(lines))]
        below = "   ".join(LETTERS[: self.columns])
        return "\n".join([*(f"{side} {line}" for side, line in zip(sides, lines, strict=True)), f"   {below}"])

    def read(self, text: str) -> str:
        """Parse a board of `X`, `O` and `.`, row by row from the top, with spaces, line breaks or `/` between rows."""
        return self.read_cells(text, "XO.", "X, O or .", "row by row from the top")

    def impossible(self, board: Board) -> str | None:
        """Check the pawns and the numbers of moves, and return the reason why a board is unreachable, or None.

        A few unreachable boards are not detected.
        """
        ends = {Side.X: board[: self.columns].count("X"), Side.O: board[-2 - self.columns : -2].count("O")}
        for side in Side:
            if board.count(side, 0, -2) > self.columns:
                return f"has {board.count(side, 0, -2)} pawns of {side}; each side starts with {self.columns}"
            if ends[side] and self.to_move(board) is side:
                return f"has {side} to move, although {side} has already won by reaching the far row"
        if sum(ends.values()) > 1:
            return "has more than one pawn on a far row; the first pawn to reach a far row ends the game"
        (x_least, x_most), (o_least, o_most) = (self._move_count_range(board, side) for side in Side)
        x_ahead = Side(board[-1]).number  # the number of X's moves minus the number of O's moves
        if x_least > o_most + x_ahead or x_most < o_least + x_ahead:
            x_made, o_made = _span(x_least, x_most), _span(o_least, o_most)
            return (
                f"has {board[-1]} to move, but its pawns imply the following numbers of moves: {x_made} by X and"
                f" {o_made} by O"
            )
        return None

    def _move_count_range(self, board: Board, side: Side) -> tuple[int, int]:
        """Return the minimum and maximum number of moves that a side has made, including moves by captured pawns."""
        rows = [cell // self.columns for cell, content in enumerate(board[:-2]) if content == side]
        made = sum(self.rows - 1 - row if side is Side.X else row for row in rows)
        taken = self.columns - board.count(side.other, 0, -2)  # each capture also moves a pawn one row ahead
        return max(made, taken), made + (self.columns - len(rows)) * (self.rows - 2)


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"
