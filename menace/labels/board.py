"""Boards on paper: their pieces, and each move of a box in the colour of its beads, as a bead on a cell or an arrow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from menace.colours import BeadColour
from menace.games.base import DEAD, GAP, STONE, Where
from menace.games.look import Arrow, Point, Shape, arrow_of, blocks_of, middle, place_of
from menace.labels.lettering import BOLD, HEIGHT_OF_CAPITALS, size_to_fit, write

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

RGB = tuple[int, int, int]
INK: RGB = (26, 26, 26)
PALE_INK: RGB = (110, 110, 110)
PAPER: RGB = (255, 255, 255)
STONE_GREY: RGB = (205, 205, 205)
# Of a cell:
MARK_RADIUS = 0.33  # of the mark on an empty cell
SMALL_RADIUS = 0.25  # of the mark on a piece, which is to be seen around it
PUT_UP, PUT_SIZE = 0.24, 0.5  # where a move says which piece it puts: how far up, how large
PUT_DOWN, PUT_RADIUS = 0.14, 0.21  # the mark below it
ARROW_WIDTH, ARROW_HEAD, ARROW_BEAD = 0.07, 0.2, 0.165
STEEP_FROM = 0.04045  # of sRGB, whose curve is a straight line below
BUTT, ROUND = 0, 1  # ends of lines, as PDF numbers them
OUTLINE = 0.25  # mm, around every mark: white beads are to be seen on white paper, black ones beside crosses


class Mark(NamedTuple):
    """A move on a board: where it is to be seen, the colour of its beads, and its number."""

    where: Where
    colour: BeadColour
    number: int


def draw_board(
    canvas: Canvas,
    pieces: Sequence[str],
    shape: Shape,
    corner: tuple[float, float],
    cell: float,
    marks: Sequence[Mark] = (),
) -> None:
    """Draw a board.

    Args:
        canvas: where; its unit is a millimetre.
        pieces: what stands on each cell, as `Game.pieces` has it.
        shape: rows and columns of the board.
        corner: x and y of its lower left corner.
        cell: side of a cell.
        marks: the moves to mark.
    """
    rows, columns = shape
    left, top = corner[0], corner[1] + rows * cell
    for block in blocks_of(pieces, shape):
        _draw_grid(canvas, rows, block.columns, (left + block.first * cell, corner[1]), cell)
    for number, piece in enumerate(pieces):
        column, row = middle(number, columns)
        x, y = left + column * cell, top - row * cell
        if piece:
            _draw_piece(canvas, piece, x, y, cell)
    for mark in marks:
        arrow = arrow_of(mark.where, columns)
        if arrow is not None:
            _draw_arrow(canvas, (left, top), cell, arrow, mark)
            continue
        column, row = place_of(mark.where, columns)
        x, y = left + column * cell, top - row * cell
        if mark.where.puts:
            _draw_piece(canvas, mark.where.puts, x, y + PUT_UP * cell, PUT_SIZE * cell)
            draw_mark(canvas, x, y - PUT_DOWN * cell, PUT_RADIUS * cell, mark.colour, mark.number)
        else:
            radius = (SMALL_RADIUS if pieces[mark.where.cells[0]] else MARK_RADIUS) * cell
            draw_mark(canvas, x, y, radius, mark.colour, mark.number)


def draw_mark(canvas: Canvas, x: float, y: float, radius: float, colour: BeadColour, number: int) -> None:
    """Draw a bead with its number, in black or white, whichever is easier to read on it."""
    fill(canvas, colour.rgb)
    stroke(canvas, INK, OUTLINE)
    canvas.circle(x, y, radius, stroke=1, fill=1)
    fill(canvas, readable_on(colour.rgb))
    size = size_to_fit(str(number), BOLD, 1.35 * radius, 1.3 * radius)
    write(canvas, x, y - HEIGHT_OF_CAPITALS * size / 2, str(number), BOLD, size, "centre")


def readable_on(rgb: RGB) -> RGB:
    """Return black or white, whichever contrasts more; the ratio is never below 4.5, what WCAG 2 asks of text.

    >>> readable_on((255, 255, 0)), readable_on((0, 0, 128))
    ((0, 0, 0), (255, 255, 255))
    """
    black = (luminance(rgb) + 0.05) / 0.05
    white = 1.05 / (luminance(rgb) + 0.05)
    return (0, 0, 0) if black >= white else (255, 255, 255)


def luminance(rgb: RGB) -> float:
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2).

    >>> luminance((0, 0, 0)), round(luminance((0, 140, 80)), 3), luminance((255, 255, 255))
    (0.0, 0.193, 1.0)
    """
    red, green, blue = (_linear(value / 255) for value in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= STEEP_FROM else float(((part + 0.055) / 1.055) ** 2.4)


def fill(canvas: Canvas, rgb: RGB) -> None:
    """Set the colour of areas and letters."""
    canvas.setFillColorRGB(*(value / 255 for value in rgb))


def stroke(canvas: Canvas, rgb: RGB, width: float) -> None:
    """Set colour and width of lines."""
    canvas.setStrokeColorRGB(*(value / 255 for value in rgb))
    canvas.setLineWidth(width)


def _draw_grid(canvas: Canvas, rows: int, columns: int, corner: tuple[float, float], cell: float) -> None:
    x, y = corner
    width, height = columns * cell, rows * cell
    fill(canvas, PAPER)
    canvas.rect(x, y, width, height, stroke=0, fill=1)
    stroke(canvas, PALE_INK, max(0.15, 0.02 * cell))
    lines = [(x, y + row * cell, x + width, y + row * cell) for row in range(rows + 1)]
    lines += [(x + column * cell, y, x + column * cell, y + height) for column in range(columns + 1)]
    canvas.lines(lines)


def _draw_piece(canvas: Canvas, piece: str, x: float, y: float, cell: float) -> None:
    if piece == "X":
        _draw_cross(canvas, x, y, cell)
    elif piece == "O":
        _draw_nought(canvas, x, y, cell)
    elif piece == GAP:
        return
    elif piece == DEAD:
        fill(canvas, STONE_GREY)
        stroke(canvas, PALE_INK, OUTLINE)
        canvas.rect(x - cell / 2, y - cell / 2, cell, cell, stroke=1, fill=1)
    elif piece == STONE:
        fill(canvas, STONE_GREY)
        stroke(canvas, PALE_INK, OUTLINE)
        canvas.circle(x, y, 0.38 * cell, stroke=1, fill=1)
    else:
        fill(canvas, INK)
        size = size_to_fit(piece, BOLD, 0.8 * cell, 0.7 * cell)
        write(canvas, x, y - HEIGHT_OF_CAPITALS * size / 2, piece, BOLD, size, "centre")


def _draw_arrow(canvas: Canvas, top_left: tuple[float, float], cell: float, arrow: Arrow, mark: Mark) -> None:
    """Draw an arrow in the colour of its beads, outlined as they are, with a bead and its number on it."""

    def on_paper(point: Point) -> Point:
        return top_left[0] + point[0] * cell, top_left[1] - point[1] * cell

    (x, y), (tip_x, tip_y) = on_paper(arrow.start), on_paper(arrow.tip)
    long = math.hypot(tip_x - x, tip_y - y)
    along = ((tip_x - x) / long, (tip_y - y) / long)
    neck = (tip_x - ARROW_HEAD * cell * along[0], tip_y - ARROW_HEAD * cell * along[1])
    for colour, width in ((INK, ARROW_WIDTH * cell + 2 * OUTLINE), (mark.colour.rgb, ARROW_WIDTH * cell)):
        stroke(canvas, colour, width)
        canvas.line(x, y, *neck)
    aside = (-ARROW_HEAD * cell * along[1] / 2, ARROW_HEAD * cell * along[0] / 2)
    head = canvas.beginPath()
    head.moveTo(tip_x, tip_y)
    head.lineTo(neck[0] + aside[0], neck[1] + aside[1])
    head.lineTo(neck[0] - aside[0], neck[1] - aside[1])
    head.close()
    fill(canvas, mark.colour.rgb)
    stroke(canvas, INK, OUTLINE)
    canvas.drawPath(head, stroke=1, fill=1)
    draw_mark(canvas, *on_paper(arrow.bead), ARROW_BEAD * cell, mark.colour, mark.number)


def _draw_cross(canvas: Canvas, x: float, y: float, cell: float) -> None:
    arm = 0.27 * cell
    stroke(canvas, INK, 0.13 * cell)
    canvas.setLineCap(ROUND)
    canvas.lines([(x - arm, y - arm, x + arm, y + arm), (x - arm, y + arm, x + arm, y - arm)])
    canvas.setLineCap(BUTT)


def _draw_nought(canvas: Canvas, x: float, y: float, cell: float) -> None:
    stroke(canvas, INK, 0.12 * cell)
    canvas.setLineCap(ROUND)  # reportlab leaves a circle open
    canvas.circle(x, y, 0.28 * cell, stroke=1, fill=0)
    canvas.setLineCap(BUTT)
