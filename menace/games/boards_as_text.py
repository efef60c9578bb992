"""Boards and moves as text, for terminals, messages and files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from menace.errors import IllegalMove, InvalidBoard
from menace.games.base import Board, Game, MoveMark

Shape: TypeAlias = tuple[int, int]

LONGEST_SHOWN = 30  # characters of a user's input, in a message
EMPTY = "."  # an empty cell, where a board is written in lines


def is_of_cells(game: Game, board: Board, actions: Iterable[int]) -> bool:
    """Say whether each of these moves on a board is a cell: it is shown on the cell of its number, and called by it.

    >>> from menace.games import get_game
    >>> is_of_cells(get_game(), "X........", range(1, 9))
    True
    """
    return all(
        is_cell(game.where(board, action), action) and game.name_of(board, action) == str(action) for action in actions
    )


def is_cell(where: MoveMark, action: int) -> bool:
    """Say whether a move stands on the cell of its own number, whatever else it marks."""
    return where.cells[:1] == (action,) and not where.places


def some_of(names: Sequence[str], room: int) -> str:
    """Return names of moves as `joined` does if that has room, else the first of them and how many more there are.

    Args:
        names: of moves that are alike.
        room: characters.

    >>> some_of(["1 on board 1", "3 on board 1", "1 on board 2"], 30), some_of(["0", "2"], 30)
    ('1 on board 1 and 2 more', '0 2')
    """
    text = joined(names)
    return text if len(text) <= room or len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


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


def actions_of(game: Game, moves: Sequence[str | int]) -> Iterator[int]:
    """Yield the actions of a game that is given by the names of its moves, or by its boards, the initial one first.

    Raises:
        IllegalMove: if a move, or the step from a board to the next, is not legal.
        InvalidBoard: if one of the boards is none.

    >>> from menace.games import get_game
    >>> list(actions_of(get_game(), ["4", "0"])), list(actions_of(get_game(), [".........", "....X....", "O...X...."]))
    ([4, 0], [4, 0])
    """
    board = game.initial
    if board not in moves[:1]:
        for move in moves:
            yield (action := game.parse_action(board, str(move)))
            board = game.play(board, action)
        return
    for before, after in pairwise(game.parse(board_text(board)) for board in moves):
        steps = [action for action in game.actions(before) if game.play(before, action) == after]
        if not steps:
            raise IllegalMove(f"no move leads from board {before} to {after}; give every board of a game")
        yield steps[0]


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
