"""The cells of a board in words: what they are called, and where they lie; and the rows that decide a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

from menace.drawing.board_shapes import middle
from menace.game_narration import told
from menace.games.base import GAP, Board, Coordinates, Game, RowRules

NAME_MOST = 3  # characters of a cell's name, which stands in its corner
NINE = (3, 3)  # rows and columns of a board whose cells have places in words
BEYOND = 0.3  # what a stroke has beyond the middles of its ends, in cells


class CellNames(TypedDict):
    """The cells of a game's board.

    Attributes:
        names: by cell, as it is called where moves are cells; else empty.
        places: by cell, its name and where it lies, in words.
        coordinates: what moves call the rows, from the top, and the columns.
        lines: the rows of cells that decide the game.
    """

    names: tuple[str, ...]
    places: tuple[str, ...]
    coordinates: tuple[tuple[str, ...], tuple[str, ...]]
    lines: tuple[tuple[int, ...], ...]


def cell_names(game: Game, told: Callable[..., str] = told) -> CellNames:
    """Return the cells of a game's board in words, which `told` gives.

    >>> from menace.games import get_game
    >>> cell_names(get_game())["places"][:2], cell_names(get_game("hexapawn", "3x3"))["places"][0]
    (('0, top left corner', '1, top edge'), 'a3')
    """
    pieces = game.pieces(game.initial)
    names = ("",) * len(pieces) if isinstance(game, Coordinates) else _names(game, pieces)
    rows, columns = game.coordinates if isinstance(game, Coordinates) else ((), ())
    squares = [column + row for row in rows for column in columns]
    places = squares or [f"{name}, {_place(game, pieces, cell, told)}".lstrip(", ") for cell, name in enumerate(names)]
    return {
        "names": names,
        "places": tuple(places),
        "coordinates": (rows, columns),
        "lines": game.lines if isinstance(game, RowRules) else (),
    }


def _names(game: Game, pieces: Sequence[str]) -> tuple[str, ...]:
    """Return what moves on the first board that mark a single cell call it, if that is short."""
    names = [""] * len(pieces)
    for action in game.actions(game.initial):
        where = game.where(game.initial, action)
        name = game.name_of(game.initial, action).removeprefix(where.places)
        if len(where.cells) == 1 and len(name) <= NAME_MOST:
            names[where.cells[0]] = name
    return tuple(names)


def _place(game: Game, pieces: Sequence[str], cell: int, told: Callable[..., str]) -> str:
    """Return where a cell lies: on a board of nine cells in words, else its row and column."""
    rows, columns = game.shape
    row, column = divmod(cell, columns)
    width = pieces.index(GAP) if GAP in pieces else columns
    if (rows, width) != NINE:
        return told("row_and_column", row=row + 1, column=column + 1)
    return (*told("nine_cells").split(", "), "")[9 if pieces[cell] == GAP else width * row + column % (width + 1)]


def strokes(game: Game, board: Board) -> list[str]:
    """Return strokes through the rows that have decided a game, as the `d` of SVG paths, whose unit is a cell.

    >>> from menace.games import get_game
    >>> strokes(get_game(), "XXXOO...."), strokes(get_game(), "XX.OO....")
    (['M0.2 0.5L2.8 0.5'], [])
    """
    pieces, columns = game.pieces(board), game.shape[1]
    lines = game.lines if isinstance(game, RowRules) else ()
    made = [line for line in lines if pieces[line[0]] and {pieces[cell] for cell in line} == {pieces[line[0]]}]
    return [_stroke(line, columns) for line in made]


def _stroke(line: Sequence[int], columns: int) -> str:
    (x, y), (to_x, to_y) = middle(line[0], columns), middle(line[-1], columns)
    right, down = (BEYOND * ((end > start) - (end < start)) for start, end in ((x, to_x), (y, to_y)))
    return f"M{x - right:g} {y - down:g}L{to_x + right:g} {to_y + down:g}"
