"""How a board looks in any medium: what stands on its cells, where moves are marked, and the same as lines of text.

Lengths are in cells, from the board's top left corner, y downwards: each medium scales them to its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from menace.errors import IllegalMove, InvalidBoard
from menace.games.base import Board, Game, Where

Point: TypeAlias = tuple[float, float]
Shape: TypeAlias = tuple[int, int]

LONGEST_SHOWN = 30  # characters of what a person typed, in a message
EMPTY = "."  # an empty cell, where a board is written in lines
# How far an arrow's start, tip and bead are from the middles of its cells. The bead is nearer to the end, where arrows
# of one board are apart: those that leave a cell have parted, those that cross are past it, those that end in the same
# cell have not met.
TAIL, TIP = 0.3, 0.1
BEAD_LEAST, BEAD_SHARE, BEAD_MOST = 0.38, 0.32, 0.5  # the share is of the arrow's length


class Arrow(NamedTuple):
    """An arrow from one cell to another: where it starts and ends, and where its bead is.

    >>> arrow = arrow_of(Where(arrow=(6, 0)), 3)  # along the left side of a board, from bottom to top
    >>> arrow.start, arrow.tip
    ((0.5, 2.2), (0.5, 0.6))
    """

    start: Point
    tip: Point
    bead: Point


def middle(cell: int, columns: int) -> Point:
    """Return the middle of a cell.

    >>> middle(5, 3)
    (2.5, 1.5)
    """
    row, column = divmod(cell, columns)
    return column + 0.5, row + 0.5


def arrow_of(where: Where, columns: int) -> Arrow | None:
    """Return the arrow of a move; None if the move marks cells.

    >>> arrow_of(Where(arrow=(3, 0)), 3)
    Arrow(start=(0.5, 1.2), tip=(0.5, 0.6), bead=(0.5, 0.88))
    """
    if where.arrow is None:
        return None
    (x, y), (to_x, to_y) = (middle(cell, columns) for cell in where.arrow)
    long = max(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5, 1e-9)
    back = min(max(BEAD_LEAST, BEAD_SHARE * long), BEAD_MOST)

    def at(part: float) -> Point:
        return round(x + part * (to_x - x), 6), round(y + part * (to_y - y), 6)

    return Arrow(at(TAIL / long), at(1 - TIP / long), at(1 - back / long))


def place_of(where: Where, columns: int) -> Point:
    """Return where a move's bead, number or share is to stand.

    >>> place_of(Where(cells=(4,)), 3), place_of(Where(arrow=(3, 0)), 3)
    ((1.5, 1.5), (0.5, 0.88))
    """
    arrow = arrow_of(where, columns)
    return middle(where.cells[0], columns) if arrow is None else arrow.bead


def is_of_cells(game: Game, board: Board, actions: Iterable[int]) -> bool:
    """Say whether each of these moves on a board is a cell: it marks the cell of its own number, and that alone.

    >>> from menace.games import get_game
    >>> is_of_cells(get_game(), "X........", range(1, 9))
    True
    """
    return all(game.where(board, action) == Where((action,)) for action in actions)


def or_row_and_column(game: Game) -> str:
    """Return how a sentence on cells as numbers goes on, where a game whose moves are cells reads row,column as well.

    >>> from menace.games import get_game
    >>> or_row_and_column(get_game())
    ', or row,column'
    """
    try:
        game.parse_action(game.initial, "1,1")
    except IllegalMove:
        return ""
    return ", or row,column"


def board_text(board: object) -> str:
    """Return what is to be read as a board.

    Raises:
        InvalidBoard: if it is no text.

    >>> board_text(0)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidBoard: 0 is not a board; give a text such as 'X...O....'
    """
    if not isinstance(board, str):
        raise InvalidBoard(f"{board!r} is not a board; give a text such as 'X...O....'")
    return board


def cells_of(game: Game) -> int | None:
    """Return how many cells a board has in a game whose first moves are cells; None in any other game.

    >>> from menace.games import get_game
    >>> cells_of(get_game("tictactoe", "3x4x3"))
    12
    """
    if not is_of_cells(game, game.initial, game.actions(game.initial)):
        return None
    rows, columns = game.shape
    return rows * columns


def joined(names: Sequence[str]) -> str:
    """Return names of moves in one line, with commas where they have spaces themselves.

    >>> joined(["0", "2"]), joined(["1 from heap 1", "1 from heap 2"])
    ('0 2', '1 from heap 1, 1 from heap 2')
    """
    return (", " if any(" " in name for name in names) else " ").join(names)


def grid_text(pieces: Sequence[str], shape: Shape, written: Mapping[int, str] | None = None) -> str:
    """Return a board as lines with rules between its cells.

    Args:
        pieces: what stands on each cell, as `Game.pieces` has it.
        shape: rows and columns.
        written: by cell, what is to be read where nothing stands, such as a move's number.

    >>> grid_text(("X", "", "", "O"), (2, 2), {1: "1", 2: "2"}).splitlines()
    [' X | 1 ', '---+---', ' 2 | O ']
    """
    rows, columns = shape
    written = written or {}
    cells = [piece or written.get(cell, "") for cell, piece in enumerate(pieces)]
    width = max(len(text) for text in [*cells, *written.values()])
    lines = [cells[row * columns : (row + 1) * columns] for row in range(rows)]
    rule = "+".join(["-" * (width + 2)] * columns)
    return f"\n{rule}\n".join("|".join(f" {cell:>{width}} " for cell in line) for line in lines)


def shortened(text: str) -> str:
    """Return what a person typed, as a message quotes it.

    >>> shortened(" a9 "), shortened("x" * 99)
    ("'a9'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    text = text.strip()
    return repr(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "...")


def rows_text(pieces: Sequence[str], shape: Shape, between: str = "") -> list[str]:
    """Return the rows of a board, a character or more for each cell, `.` for an empty one, `between` the cells.

    >>> rows_text(("X", "", "", "O"), (2, 2))
    ['X.', '.O']
    """
    columns = shape[1]
    cells = [piece or EMPTY for piece in pieces]
    return [between.join(cells[start : start + columns]) for start in range(0, len(cells), columns)]


def written_by_rows(game: Game, board: Board) -> str | None:
    """Return what a board's text ends in after its cells, row by row; None if the text is not made of its cells.

    >>> from menace.games import get_game
    >>> written_by_rows(get_game(), "X...O....")
    ''
    """
    cells = "".join(rows_text(game.pieces(board), game.shape))
    return board.removeprefix(cells) if board.startswith(cells) else None
