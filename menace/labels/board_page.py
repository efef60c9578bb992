"""A board and pieces to cut out: cells are named as on the labels, heaps have a place for each stone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Spacer

from menace.games.base import DEAD, GAP, STONE
from menace.labels.board_pdf import INK, PALE_INK, draw_board, draw_mark, fill, stroke
from menace.labels.kit_data import Kit
from menace.labels.lettering import BOLD, size_to_fit, write
from menace.labels.pdf_pages import LEADING_BODY, SUBTITLE, TITLE, PageDrawing, paragraph
from menace.labels.shopping_list import colours_of
from menace.wording import counted

CELL_MOST = 48.0  # mm
PIECE_SHARE, PIECE_MOST = 0.7, 26.0  # of a cell, and in mm: coins are as large
BESIDES = 115.0  # mm, for words and pieces above and below a board
EDGE = 1.0  # mm, for half the line around a board
CORNER = 0.13  # of a cell: half a name's room in its corner, where a piece leaves it in sight
PLACE = 24.0  # mm, for a stone of a heap
BESIDE_MOST = 7  # stones in a line


def board_story(kit: Kit, width: float, height: float) -> list[Flowable]:
    """Return the board and its pieces, on a page of `width` x `height` mm, or more where they have no room on one."""
    board = _heaps(kit.heaps) if kit.heaps else [_board(kit, width, height)]
    pieces = [piece for piece, number in kit.pieces for _ in range(number)]
    return [
        paragraph("The board, to cut out", TITLE),
        paragraph(_about(kit), LEADING_BODY),
        *board,
        *([Spacer(0, 3 * mm), paragraph("Its pieces, to cut out", SUBTITLE)] if pieces else []),
        *_rows_of_pieces(pieces, min(PIECE_MOST, PIECE_SHARE * cell_of(kit, width, height)), width),
    ]


def _about(kit: Kit) -> str:
    pieces = " and ".join(f"{number} {_plural(piece, number)}" for piece, number in kit.pieces)
    text = f"Play on it with {f'the pieces below ({pieces}), or with ' if pieces else ''}coins."
    if kit.heaps:
        return (
            f"{text} Begin with a stone on every number, and take from the end: the highest number that is covered says"
            " how many stones the heap has."
        )
    if kit.of_cells:
        return f"{text} Its cells have the numbers and colours of the labels."
    return f"{text} It lies the way the labels show it."


def _plural(piece: str, number: int) -> str:
    if piece != STONE:
        return f"of {piece}"
    return "stone" if number == 1 else "stones"


def cell_of(kit: Kit, width: float, height: float) -> float:
    """Return the side of a cell of the board on a page of `width` x `height` mm, in mm."""
    return min(CELL_MOST, (width - 2 * EDGE) / kit.columns, (height - BESIDES) / kit.shape[0])


def _board(kit: Kit, width: float, height: float) -> PageDrawing:
    cell = cell_of(kit, width, height)
    empty = [piece if piece in {DEAD, GAP} else "" for piece in kit.game.pieces(kit.game.initial)]

    def paint(canvas: Canvas) -> None:
        draw_board(canvas, empty, kit.shape, (EDGE, 0), cell)
        for number, (name, colour) in names_of_cells(kit).items():
            row, column = divmod(number, kit.columns)
            x, y = EDGE + (column + 1.3 * CORNER) * cell, (kit.shape[0] - row - 1.3 * CORNER) * cell
            if colour:
                draw_mark(canvas, x, y, CORNER * cell, colour, name)
            else:
                fill(canvas, PALE_INK)
                size = size_to_fit(name, BOLD, 0.9 * cell, CORNER * cell)
                write(canvas, x - CORNER * cell, y - 0.2 * size, name, BOLD, size)

    return PageDrawing(cell * kit.columns + 2 * EDGE, cell * kit.shape[0], paint)


def names_of_cells(kit: Kit) -> dict[int, tuple[str, str]]:
    """Return what cells are called, with the colour of their beads, where moves are cells: as on the labels.

    >>> from menace.labels.kit_data import kit_of
    >>> from menace.labels.label_sheet import LabelSheet
    >>> names_of_cells(kit_of(store, "menace-x", LabelSheet()))[4]
    ('4', '#ffffff')
    """
    if kit.of_cells:
        return {cell: (str(number), colour.hex) for cell, colour, number in colours_of(kit)}
    game, names = kit.game, {}
    for action in game.actions(game.initial):
        where, name = game.where(game.initial, action), game.name_of(game.initial, action)
        for cell in where.cells:
            names[cell] = (name.removeprefix(where.places), "")
    square = getattr(game, "square", None)
    return {cell: (square(cell), "") for cell in range(kit.shape[0] * kit.columns)} if square else names


def _heaps(heaps: tuple[int, ...]) -> Iterator[Flowable]:
    """Yield the heaps, in lines of places, numbered from 1, which a page can break between."""
    for number, size in enumerate(heaps, start=1):
        yield paragraph(f"Heap {number}: {counted(size, 'stone')}", SUBTITLE)
        lines = -(-size // BESIDE_MOST)
        beside = -(-size // lines)
        for first in range(0, size, beside):
            places = range(first + 1, min(first + beside, size) + 1)
            yield PageDrawing(PLACE * len(places), PLACE, partial(_draw_places, places=places))


def _draw_places(canvas: Canvas, places: range) -> None:
    stroke(canvas, INK, 0.2)
    for index, number in enumerate(places):
        x = PLACE * index
        fill(canvas, (255, 255, 255))
        canvas.rect(x, 0, PLACE, PLACE, stroke=1, fill=1)
        fill(canvas, PALE_INK)
        write(canvas, x + PLACE / 2, PLACE / 2 - 2, str(number), BOLD, 6, "centre")


def _rows_of_pieces(pieces: list[str], side: float, width: float) -> Iterator[PageDrawing]:
    """Yield rows of pieces in squares, which straight cuts part."""
    beside = int(width // side)
    for first in range(0, len(pieces), beside):
        row = pieces[first : first + beside]
        paint = partial(draw_board, pieces=row, shape=(1, len(row)), corner=(0, 0), cell=side)
        yield PageDrawing(side * len(row), side, paint)
