"""Tic-tac-toe and its family: a board of R rows and C columns, K in a row win, or lose if misère. Tic-tac-toe is 3x3x3.

The rules on text come first. The rules on arrays, below, say the same for boards as codes: two bits a cell,
the first cell in the highest bits, `.` = 0, `O` = 1, `X` = 2, so that codes compare as texts do.
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
    same_on_every_board,
    shortened,
)
from menace.text.wording import ENDED, VERDICTS, counted

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

EMPTY = "."
DIGITS = EMPTY + "OX"  # a cell's digit in a code is its place in this text
CELLS_MOST = 25  # a code has room for 32 cells; 25 keep the random opponents' weights below 2^31 (fixed.py)
LONGEST_SHOWN = 20  # characters of what a person typed, in a message
MISERE = "-misere"  # at the end of a variant: who completes a row loses
OTHER_RULES = "; with other rules it ends in -misere, -wild or -wild-misere"
CHUNK_MOST = 8  # cells that one table of images covers: 65,536 entries, a fast read each


def read_size(variant: str, hint: str = "", rules: str = "") -> tuple[int, int, int]:
    """Read rows, columns and how many in a row, such as `3x3x3`; messages say of other variants what `others` says.

    The variant may end in `rules`, such as `-wild`.

    Raises:
        InvalidGame: if it is no such text, or no such game can be won or held.

    >>> read_size("3x4x3")
    (3, 4, 3)
    """
    size = variant.removesuffix(rules)
    match = re.fullmatch(r"([1-9][0-9]?)x([1-9][0-9]?)x([1-9][0-9]?)", size, re.ASCII)
    if match is None:
        raise InvalidGame(f"variant {shortened(variant)} is not ROWSxCOLUMNSxINAROW, such as 3x3x3{hint}")
    rows, columns, row_length = map(int, match.groups())
    if rows * columns > CELLS_MOST:
        raise InvalidGame(f"variant {variant!r} has {counted(rows * columns, 'cell')}; the most is {CELLS_MOST}")
    if row_length > max(rows, columns):
        raise InvalidGame(f"variant {variant!r} cannot be won: {row_length} in a row do not fit on the board")
    return rows, columns, row_length


@dataclass(frozen=True)
class MNK:
    """The game of `rows` x `columns` cells in which `row_length` in a row win; if `misere`, they lose.

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
        """Read a variant such as `3x3x3` (rows x columns x in a row) or `3x3x3-misere`.

        Raises:
            InvalidGame: if it is not such a text, or no such game can be won or held.
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
        called = "misère noughts and crosses" if self.misere else "noughts and crosses"
        size = (self.rows, self.columns, self.row_length)
        return called if size == (3, 3, 3) else f"{called} on {self.rows}x{self.columns}, {self.row_length} in a row"

    @property
    def rules(self) -> str:
        ends = VERDICTS[-1 if self.misere else 1]
        size = f"{counted(self.rows, 'row')} and {counted(self.columns, 'column')}"
        return (
            f"X and O take turns to put their mark on an empty cell of {size}."
            f" Whoever first has {self.row_length} in a row, across, down or diagonally, {ends}; if the board is full"
            f" before that, it is a draw. A move is the number of its cell, 0 to {self.longest - 1}, row by row from"
            " the top left, or row,column."
        )

    @property
    def initial(self) -> Board:
        return EMPTY * self.longest

    @property
    def longest(self) -> int:
        return self.rows * self.columns

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.columns

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Every row of `row_length` cells that wins: across, down, and along both diagonals."""
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
        return tuple(dict.fromkeys(lines))  # a single cell in a row is found in all four directions

    @cached_property
    def symmetries(self) -> tuple[CellSymmetry, ...]:
        """Eight for a square (the dihedral group D4), four for any other board."""
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

    # The rules on text.

    def to_move(self, board: Board) -> Side:
        return Side.X if board.count("X") == board.count("O") else Side.O

    def has_row(self, board: Board, side: Side) -> bool:
        """Say whether `side` has `row_length` in a row."""
        full = (side.value,) * self.row_length if self.row_length > 1 else side.value
        return full in [contents(board) for contents in self._contents]

    @cached_property
    def _contents(self) -> tuple[Callable[[Board], tuple[str, ...] | str], ...]:
        """For each line, what reads its cells: a text if it is of one."""
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
            raise IllegalMove(f"cell {action} cannot be played on {board}; empty cells: {legal}")
        return board[:action] + self.to_move(board) + board[action + 1 :]

    # Text in and out.

    def parse(self, text: str) -> Board:
        board = self.read(text)
        self.check_reachable(board)
        return board

    def read(self, text: str) -> Board:
        """Read `X`, `O` and `.`, row by row; `x` and `o` too, with spaces, line breaks or `/` between rows.

        Raises:
            InvalidBoard: if the text is no board.
        """
        cells = re.sub(r"[\s/]", "", text)
        board = cells.upper()
        for cell, content in enumerate(cells):
            if content.upper() not in DIGITS:
                hint = " (a zero; the player is the letter O)" if content == "0" else ""
                raise InvalidBoard(f"board {text!r} has {content!r} on cell {cell}{hint}; cells are X, O or .")
        if len(board) != self.longest:
            raise InvalidBoard(
                f"board {text!r} has {counted(len(board), 'cell')}; it needs {self.longest}, row by row,"
                f" such as {self.example}"
            )
        return board

    def check_reachable(self, board: Board) -> None:
        """Raise UnreachableBoard if no game reaches a board.

        Without a row on it every board with right counts is reached, in any order of its moves. With one, the
        side that has it moved last, and that last move alone completed it: without it no row stands.
        """
        crosses, noughts = board.count("X"), board.count("O")
        if not 0 <= crosses - noughts <= 1:
            raise UnreachableBoard(
                f"board {board} has {crosses} X and {noughts} O; X begins, so there are as many X as O, or one more"
            )
        ended = ENDED[-1 if self.misere else 1]
        x_done, o_done = self.has_row(board, Side.X), self.has_row(board, Side.O)
        if x_done and o_done:
            raise UnreachableBoard(f"board {board} has {self.row_length} in a row for both X and O")
        if x_done and crosses == noughts:
            raise UnreachableBoard(f"board {board} has a move by O after X had {ended}")
        if o_done and crosses > noughts:
            raise UnreachableBoard(f"board {board} has a move by X after O had {ended}")
        if x_done or o_done:
            last = Side.X if x_done else Side.O
            cells = [cell for cell, content in enumerate(board) if content == last]
            if all(self.has_row(board[:cell] + EMPTY + board[cell + 1 :], last) for cell in cells):
                raise UnreachableBoard(f"board {board} has rows of {last} that no single last move completes")

    def parse_action(self, board: Board, text: str) -> int:
        """Read a cell: its number, from 0, or `row,column`, both from 1 at the top left."""
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
        """A board of this variant, for messages: X in the first cell."""
        return "X" + EMPTY * (self.longest - 1)

    @same_on_every_board
    def name_of(self, board: Board, action: int) -> str:
        return str(action)

    def draw(self, board: Board) -> str:
        """Return the board as lines; an empty cell shows its action's number."""
        width = len(str(self.longest - 1))
        numbers = {cell: f"{cell:>{width}}" for cell in range(self.longest)}
        return grid_text(self.pieces(board), self.shape, numbers)

    # Its look.

    def pieces(self, board: Board) -> tuple[str, ...]:
        return tuple("" if content == EMPTY else content for content in board)

    def where(self, board: Board, action: int) -> MoveMark:
        return MoveMark((action,))

    # The same rules on arrays of codes.

    def _shift(self, cell: int) -> int:
        return 2 * (self.longest - 1 - cell)

    def encode(self, board: Board) -> int:
        code = 0
        for content in board:
            code = code << 2 | DIGITS.index(content)
        return code

    def decode(self, codes: NDArray[np.uint64]) -> list[Board]:
        import numpy as np

        shifts = np.array([self._shift(cell) for cell in range(self.longest)], np.uint64)
        digits = (codes[:, np.newaxis] >> shifts & np.uint64(3)).astype(np.uint8)
        letters = np.frombuffer(DIGITS.encode(), np.uint8)[digits]
        boards: list[Board] = letters.view(f"S{self.longest}").ravel().astype(str).tolist()
        return boards

    def outcomes(self, codes: NDArray[np.uint64]) -> NDArray[np.int8]:
        import numpy as np

        result = np.full(codes.shape, ONGOING, np.int8)
        full = np.ones(codes.shape, bool)
        for cell in range(self.longest):
            full &= codes >> np.uint64(self._shift(cell)) & np.uint64(3) != 0
        result[full] = DRAW
        for digit, number in ((1, O_WINS), (2, X_WINS)):
            for line in self.lines:
                mask = sum(3 << self._shift(cell) for cell in line)
                pattern = sum(digit << self._shift(cell) for cell in line)
                result[codes & np.uint64(mask) == np.uint64(pattern)] = -number if self.misere else number
        return result

    def successors(self, codes: NDArray[np.uint64]) -> Successors:
        import numpy as np

        if codes.size == 0:
            return Successors(np.empty(0, np.int64), np.empty(0, np.int64), codes)
        digit = DIGITS.index(self.to_move(self.decode(codes[:1])[0]))
        shifts = np.array([self._shift(cell) for cell in range(self.longest)], np.uint64)
        empty = codes[:, None] >> shifts & np.uint64(3) == 0
        parent, action, cell = self._moves(empty)
        return Successors(parent, action, codes[parent] | np.uint64(digit) << shifts[cell])

    def _moves(self, empty: NDArray[np.bool_]) -> tuple[NDArray[np.int64], ...]:
        """Return parent, action and cell of each move, in the order of parents, then of actions."""
        parent, action = empty.nonzero()
        return parent, action, action

    def images(self, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        import numpy as np

        result = np.zeros((len(self.symmetries), codes.size), np.uint64)
        for start, table in self._image_tables:
            shift = np.uint64(self._shift(min(start + self._chunk, self.longest) - 1))
            chunk = codes >> shift & np.uint64(table.shape[1] - 1)
            for image, entries in enumerate(table):
                result[image] |= entries[chunk]
        return result

    @property
    def _chunk(self) -> int:
        """Cells that a table of images covers: as few tables as there can be, of even size."""
        return -(-self.longest // -(-self.longest // CHUNK_MOST))

    @cached_property
    def _image_tables(self) -> tuple[tuple[int, NDArray[np.uint64]], ...]:
        """For each chunk of cells, where each symmetry takes each of its contents: (start, [symmetry, content])."""
        import numpy as np

        tables = []
        for start in range(0, self.longest, self._chunk):
            cells = range(start, min(start + self._chunk, self.longest))
            contents = np.arange(4 ** len(cells), dtype=np.uint64)
            table = np.zeros((len(self.symmetries), contents.size), np.uint64)
            for image, symmetry in enumerate(self.symmetries):
                for place, cell in enumerate(reversed(cells)):
                    digit = contents >> np.uint64(2 * place) & np.uint64(3)
                    table[image] |= digit << np.uint64(self._shift(symmetry.action(cell)))
            tables.append((start, table))
        return tuple(tables)
