"""The rules of tic-tac-toe on R rows and C columns. A side with K pieces in a row wins, or loses in misère play.

Ordinary tic-tac-toe is 3x3x3. The text rules come first. The array rules implement the same game for boards that are
encoded with two bits per cell. The first cell occupies the highest bits; `.` is 0, `O` is 1 and `X` is 2. Codes
therefore sort in the same order as the boards' strings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

from menace.errors import IllegalMove, InvalidBoard, InvalidGame, UnreachableBoard
from menace.games.base import (
    DRAW,
    O_WINS,
    ONGOING,
    X_WINS,
    Board,
    CellSymmetry,
    MoveMark,
    Outcome,
    Side,
    Successors,
    grid_text,
    same_name_on_every_board,
    shortened,
)
from menace.text.wording import ENDED, VERDICTS, counted

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

EMPTY = "."
DIGITS = EMPTY + "OX"  # a cell's digit in a code is the index of the cell's content in this string
MAX_CELLS = 25  # a code can store 32 cells, but beyond 25 cells, opponents' weights could exceed 2^31 (fixed.py)
LONGEST_SHOWN = 20  # maximum number of characters of user input that a message quotes
MISERE = "-misere"  # suffix of variants in which completing a row loses
OTHER_RULES = "; for other rules, add -misere, -wild or -wild-misere"
MAX_CHUNK_CELLS = 8  # maximum number of cells that a table of images covers; a table for 8 cells has 65,536 entries


def read_size(variant: str, hint: str = "", rules: str = "") -> tuple[int, int, int]:
    """Parse a size such as `3x3x3`, and return the number of rows, the number of columns, and the row length.

    Args:
        variant: the size, which may be followed by `rules`.
        hint: text that is added to the error message if the size does not have this form.
        rules: an optional suffix, such as `-wild`.

    Raises:
        InvalidGame: if the text does not have this form, the board is too large, or neither side can win.

    >>> read_size("3x4x3")
    (3, 4, 3)
    """
    size = variant.removesuffix(rules)
    match = re.fullmatch(r"([1-9][0-9]?)x([1-9][0-9]?)x([1-9][0-9]?)", size, re.ASCII)
    if match is None:
        raise InvalidGame(f"variant {shortened(variant)} is not ROWSxCOLUMNSxINAROW, such as 3x3x3{hint}")
    rows, columns, row_length = map(int, match.groups())
    if rows * columns > MAX_CELLS:
        raise InvalidGame(f"variant {variant!r} has {counted(rows * columns, 'cell')}; the maximum is {MAX_CELLS}")
    if row_length > max(rows, columns):
        raise InvalidGame(f"variant {variant!r} cannot be won, because {row_length} in a row do not fit on the board")
    return rows, columns, row_length


@dataclass(frozen=True)
class MNK:
    """The game on `rows` x `columns` cells.

    A side with `row_length` pieces in a row wins, or loses if `misere` is true.

    >>> game = MNK(rows=4, columns=4, row_length=3)
    >>> game.outcome("XXX.OO.........."), game.variant, len(game.symmetries)
    ('X', '4x4x3', 8)
    """

    rows: int = 3
    columns: int = 3
    row_length: int = 3
    misere: bool = False

    @classmethod
    def from_variant(cls, variant: str = "3x3x3") -> MNK:
        """Create the game for a variant such as `3x3x3` (rows x columns x cells in a row) or `3x3x3-misere`.

        Raises:
            InvalidGame: if the text does not have this form, the board is too large, or neither side can win.
        """
        return cls(*read_size(variant, OTHER_RULES, MISERE), misere=variant.endswith(MISERE))

    @property
    def name(self) -> str:
        return "tictactoe"

    @property
    def variant(self) -> str:
        return f"{self.rows}x{self.columns}x{self.row_length}" + (MISERE if self.misere else "")

    @property
    def words(self) -> str:
        words = "misère noughts and crosses" if self.misere else "noughts and crosses"
        size = (self.rows, self.columns, self.row_length)
        return words if size == (3, 3, 3) else f"{words} on {self.rows}x{self.columns}, {self.row_length} in a row"

    @property
    def rules(self) -> str:
        ends = VERDICTS[-1 if self.misere else 1]
        size = f"{counted(self.rows, 'row')} and {counted(self.columns, 'column')}"
        return (
            f"The board has {size}. X and O take turns to put their mark on an empty cell. The first to get"
            f" {self.row_length} in a row, across, down or diagonally, {ends}; if the board fills up first, the game is"
            f" a draw. Write a move as the number of its cell, from 0 at the top left to {self.longest - 1}, row by"
            " row, or as row,column."
        )

    @property
    def initial(self) -> Board:
        return EMPTY * self.longest

    @property
    def longest(self) -> int:
        """The number of cells, which is the length of the longest game in moves."""
        return self.rows * self.columns

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.columns

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Every horizontal, vertical and diagonal line of `row_length` cells."""
        lines = []
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    end_row = row + down * (self.row_length - 1)
                    end_column = column + right * (self.row_length - 1)
                    if end_row < self.rows and 0 <= end_column < self.columns:
                        step = down * self.columns + right
                        start = row * self.columns + column
                        lines.append(tuple(start + step * i for i in range(self.row_length)))
        return tuple(dict.fromkeys(lines))  # a line of a single cell is found in all four directions

    @cached_property
    def symmetries(self) -> tuple[CellSymmetry, ...]:
        """The eight symmetries of a square (the dihedral group D4), or the four symmetries of any other rectangle."""
        cells = range(self.longest)
        last_row, last_column = self.rows - 1, self.columns - 1
        where = [divmod(cell, self.columns) for cell in cells]

        def source(row: int, column: int) -> int:
            return row * self.columns + column

        maps = {
            "identity": [source(r, c) for r, c in where],
            "half turn": [source(last_row - r, last_column - c) for r, c in where],
            "left-right mirror": [source(r, last_column - c) for r, c in where],
            "top-bottom mirror": [source(last_row - r, c) for r, c in where],
        }
        if self.rows == self.columns:
            maps |= {
                "quarter turn clockwise": [source(last_row - c, r) for r, c in where],
                "quarter turn anticlockwise": [source(c, last_row - r) for r, c in where],
                "diagonal mirror": [source(c, r) for r, c in where],
                "antidiagonal mirror": [source(last_row - c, last_row - r) for r, c in where],
            }
        return tuple(CellSymmetry(name, tuple(cells)) for name, cells in maps.items())

    # The text rules.

    def to_move(self, board: Board) -> Side:
        return Side.X if board.count("X") == board.count("O") else Side.O

    def has_row(self, board: Board, side: Side) -> bool:
        """Return whether `side` has `row_length` pieces in a row."""
        full = (side.value,) * self.row_length if self.row_length > 1 else side.value
        return full in [read(board) for read in self._line_readers]

    @cached_property
    def _line_readers(self) -> tuple[Callable[[Board], tuple[str, ...] | str], ...]:
        """For each line, a function that returns the contents of the cells: a tuple, or a string for a single cell."""
        return tuple(itemgetter(*line) for line in self.lines)

    def outcome(self, board: Board) -> Outcome | None:
        for side in Side:
            if self.has_row(board, side):
                return side.other.outcome if self.misere else side.outcome
        return None if EMPTY in board else "draw"

    def actions(self, board: Board) -> tuple[int, ...]:
        if self.outcome(board) is not None:
            return ()
        return tuple(cell for cell, content in enumerate(board) if content == EMPTY)

    def play(self, board: Board, action: int) -> Board:
        if action not in self.actions(board):
            legal = ", ".join(map(str, self.actions(board))) or "none, the game is over"
            raise IllegalMove(f"cell {action} is not legal on {board}; empty cells: {legal}")
        return board[:action] + self.to_move(board) + board[action + 1 :]

    # Notation and display.

    def parse(self, text: str) -> Board:
        board = self.read(text)
        self.check_reachable(board)
        return board

    def read(self, text: str) -> Board:
        """Parse a board of `X`, `O` and `.` (or `x` and `o`), row by row, with spaces, line breaks or `/` between rows.

        Raises:
            InvalidBoard: if the text is not a board.
        """
        cells = re.sub(r"[\s/]", "", text)
        board = cells.upper()
        for cell, content in enumerate(cells):
            if content.upper() not in DIGITS:
                hint = " (a zero; use the letter O)" if content == "0" else ""
                raise InvalidBoard(f"board {text!r} has {content!r} in cell {cell}{hint}; cells are X, O or .")
        if len(board) != self.longest:
            raise InvalidBoard(
                f"board {text!r} has {counted(len(board), 'cell')}; it needs {self.longest}, row by row,"
                f" such as {self.example}"
            )
        return board

    def check_reachable(self, board: Board) -> None:
        """Raise UnreachableBoard if no game can reach the board.

        A board with the right numbers of pieces and no completed row is always reachable. If a side has completed rows,
        that side must have moved last, and removing one of its pieces must break all completed rows.
        """
        crosses, noughts = board.count("X"), board.count("O")
        if not 0 <= crosses - noughts <= 1:
            raise UnreachableBoard(
                f"board {board} has {crosses} X and {noughts} O; X moves first, so X has as many as O or one more"
            )
        ended = ENDED[-1 if self.misere else 1]
        x_done, o_done = self.has_row(board, Side.X), self.has_row(board, Side.O)
        if x_done and o_done:
            raise UnreachableBoard(f"board {board} has {self.row_length} in a row for both X and O")
        if x_done and crosses == noughts:
            raise UnreachableBoard(f"board {board} has a move by O after X {ended}")
        if o_done and crosses > noughts:
            raise UnreachableBoard(f"board {board} has a move by X after O {ended}")
        if x_done or o_done:
            last = Side.X if x_done else Side.O
            cells = [cell for cell, content in enumerate(board) if content == last]
            if all(self.has_row(board[:cell] + EMPTY + board[cell + 1 :], last) for cell in cells):
                raise UnreachableBoard(
                    f"board {board} has rows of {last} that no single last move could have completed"
                )

    def parse_action(self, board: Board, text: str) -> int:
        """Parse a cell number, counted from 0, or a cell of the form `row,column`, counted from 1 at the top left."""
        number = re.fullmatch(r"\s*([0-9]{1,3})\s*", text, re.ASCII)
        if number is not None and int(number[1]) < self.longest:
            return int(number[1])
        place = re.fullmatch(r"\s*([0-9]{1,3})\s*[, ]\s*([0-9]{1,3})\s*", text, re.ASCII)
        if place is not None:
            row, column = int(place[1]), int(place[2])
            if 1 <= row <= self.rows and 1 <= column <= self.columns:
                return (row - 1) * self.columns + column - 1
        raise IllegalMove(
            f"{text.strip()[:LONGEST_SHOWN]!r} is not a cell; type its number, 0 to {self.longest - 1}, or row,column"
            f" from 1,1 (top left) to {self.rows},{self.columns}"
        )

    @property
    def example(self) -> str:
        """An example board for messages, with X in the first cell."""
        return "X" + EMPTY * (self.longest - 1)

    @same_name_on_every_board
    def name_of(self, board: Board, action: int) -> str:
        return str(action)

    def draw(self, board: Board) -> str:
        """Return a text drawing of the board in which each empty cell contains its own number."""
        width = len(str(self.longest - 1))
        numbers = {cell: f"{cell:>{width}}" for cell in range(self.longest)}
        return grid_text(self.pieces(board), self.shape, numbers)

    def pieces(self, board: Board) -> tuple[str, ...]:
        return tuple("" if content == EMPTY else content for content in board)

    def where(self, board: Board, action: int) -> MoveMark:
        return MoveMark((action,))

    # The array rules, which use codes.

    def _bit_offset(self, cell: int) -> int:
        return 2 * (self.longest - 1 - cell)

    def encode(self, board: Board) -> int:
        code = 0
        for content in board:
            code = code << 2 | DIGITS.index(content)
        return code

    def decode(self, codes: NDArray[np.uint64]) -> list[Board]:
        import numpy as np

        shifts = np.array([self._bit_offset(cell) for cell in range(self.longest)], np.uint64)
        digits = (codes[:, np.newaxis] >> shifts & np.uint64(3)).astype(np.uint8)
        letters = np.frombuffer(DIGITS.encode(), np.uint8)[digits]
        boards: list[Board] = letters.view(f"S{self.longest}").ravel().astype(str).tolist()
        return boards

    def outcomes(self, codes: NDArray[np.uint64]) -> NDArray[np.int8]:
        import numpy as np

        result = np.full(codes.shape, ONGOING, np.int8)
        full = np.ones(codes.shape, bool)
        for cell in range(self.longest):
            full &= codes >> np.uint64(self._bit_offset(cell)) & np.uint64(3) != 0
        result[full] = DRAW
        for digit, number in ((1, O_WINS), (2, X_WINS)):
            for line in self.lines:
                mask = sum(3 << self._bit_offset(cell) for cell in line)
                pattern = sum(digit << self._bit_offset(cell) for cell in line)
                result[codes & np.uint64(mask) == np.uint64(pattern)] = -number if self.misere else number
        return result

    def successors(self, codes: NDArray[np.uint64]) -> Successors:
        import numpy as np

        if codes.size == 0:
            return Successors(np.empty(0, np.int64), np.empty(0, np.int64), codes)
        digit = DIGITS.index(self.to_move(self.decode(codes[:1])[0]))
        shifts = np.array([self._bit_offset(cell) for cell in range(self.longest)], np.uint64)
        empty = codes[:, None] >> shifts & np.uint64(3) == 0
        parent, action, cell = self._moves(empty)
        return Successors(parent, action, codes[parent] | np.uint64(digit) << shifts[cell])

    def _moves(self, empty: NDArray[np.bool_]) -> tuple[NDArray[np.int64], ...]:
        """Return the parent, action and cell of each move, sorted by parent and then by action."""
        parent, action = empty.nonzero()
        return parent, action, action

    def images(self, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        import numpy as np

        result = np.zeros((len(self.symmetries), codes.size), np.uint64)
        for start, table in self._image_tables:
            shift = np.uint64(self._bit_offset(min(start + self._chunk, self.longest) - 1))
            chunk = codes >> shift & np.uint64(table.shape[1] - 1)
            for image, entries in enumerate(table):
                result[image] |= entries[chunk]
        return result

    @property
    def _chunk(self) -> int:
        """The number of cells covered by each table of images, chosen so that a few tables of equal size suffice."""
        return -(-self.longest // -(-self.longest // MAX_CHUNK_CELLS))

    @cached_property
    def _image_tables(self) -> tuple[tuple[int, NDArray[np.uint64]], ...]:
        """The first cell of each chunk, and a table of the images of the chunk's contents under each symmetry."""
        import numpy as np

        tables = []
        for start in range(0, self.longest, self._chunk):
            cells = range(start, min(start + self._chunk, self.longest))
            contents = np.arange(4 ** len(cells), dtype=np.uint64)
            table = np.zeros((len(self.symmetries), contents.size), np.uint64)
            for image, symmetry in enumerate(self.symmetries):
                for place, cell in enumerate(reversed(cells)):
                    digit = contents >> np.uint64(2 * place) & np.uint64(3)
                    table[image] |= digit << np.uint64(self._bit_offset(symmetry.action(cell)))
            tables.append((start, table))
        return tuple(tables)
