"""Boards on paper: crosses and noughts, and a mark in the colour of its beads on each cell that a box can play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from menace.games.base import Board
from menace.labels.lettering import BOLD, HEIGHT_OF_CAPITALS, size_to_fit, write
from menace.shelf.colours import BeadColour

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

RGB = tuple[int, int, int]
INK: RGB = (26, 26, 26)
PALE_INK: RGB = (110, 110, 110)
PAPER: RGB = (255, 255, 255)
MARK_RADIUS = 0.33  # of a cell
STEEP_FROM = 0.04045  # of sRGB, whose curve is a straight line below
BUTT, ROUND = 0, 1  # ends of lines, as PDF numbers them
OUTLINE = 0.25  # mm, around every mark: white beads are to be seen on white paper, black ones beside crosses


def draw_board(
    canvas: Canvas,
    board: Board,
    columns: int,
    corner: tuple[float, float],
    cell: float,
    marks: Mapping[int, tuple[BeadColour, int]] | None = None,
) -> None:
    """Draw a board.

    Args:
        canvas: where; its unit is a millimetre.
        board: its text, row by row.
        columns: of the board.
        corner: x and y of its lower left corner.
        cell: side of a cell.
        marks: by cell, the colour and the number to mark it with.
    """
    rows = len(board) // columns
    left, top = corner[0], corner[1] + rows * cell
    _draw_grid(canvas, rows, columns, corner, cell)
    for number, content in enumerate(board):
        row, column = divmod(number, columns)
        x, y = left + (column + 0.5) * cell, top - (row + 0.5) * cell
        if content == "X":
            _draw_cross(canvas, x, y, cell)
        elif content == "O":
            _draw_nought(canvas, x, y, cell)
        elif marks and number in marks:
            draw_mark(canvas, x, y, MARK_RADIUS * cell, *marks[number])


def draw_mark(canvas: Canvas, x: float, y: float, radius: float, colour: BeadColour, number: int) -> None:
    """Draw a bead with the number of its cell, in black or white, whichever is easier to read on it."""
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
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2)."""
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
