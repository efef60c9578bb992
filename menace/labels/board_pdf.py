"""Boards in the PDF: the shapes of a board on reportlab's canvas, with moves as beads with numbers, or as arrows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from menace.drawing.board_shapes import Line, Look, Mark, Point, Shape, Text, looks, shapes_of
from menace.labels.lettering import BOLD, HEIGHT_OF_CAPITALS, size_to_fit, write

if TYPE_CHECKING:
    from reportlab.lib.colors import Color
    from reportlab.pdfgen.canvas import Canvas

RGB = tuple[int, int, int]
INK: RGB = (26, 26, 26)
PALE_INK: RGB = (110, 110, 110)
PAPER: RGB = (255, 255, 255)
STEEP_FROM = 0.04045  # of sRGB; below, its curve is a straight line
ROUND = 1  # ends of lines, as PDF numbers them
OUTLINE = 0.25  # mm, around every mark: so that white beads are visible on white paper, and black ones beside crosses
THINNEST = 0.15  # mm, of the lines of a board
LETTERS_WIDE = 0.8  # of a cell, at most, for the letters of a piece
DARK, PALE, GREY = "#1a1a1a", "#6e6e6e", "#cdcdcd"
LOOKS = looks(DARK, PALE, 0.02, dead=Look(GREY, PALE, 0.02), stone=Look(GREY, PALE, 0.02), bead=Look())


def draw_board(
    canvas: Canvas,
    pieces: Sequence[str],
    shape: tuple[int, int],
    corner: tuple[float, float],
    cell: float,
    marks: Sequence[Mark] = (),
) -> None:
    """Draw a board.

    Args:
        canvas: with a millimetre as its unit.
        pieces: on each cell, as in `Game.pieces`.
        shape: rows and columns of the board.
        corner: x and y of its lower left corner.
        cell: side of a cell.
        marks: the moves to mark, each with a colour; `amount` is the number on the bead.
    """
    canvas.saveState()
    canvas.setLineCap(ROUND)  # reportlab leaves a circle open
    for drawn in shapes_of(pieces, shape, marks):
        if drawn.role not in {"share", "inner", "amount"}:
            _draw_shape(canvas, drawn, (corner[0], corner[1] + shape[0] * cell), cell)
    canvas.restoreState()


def _draw_shape(canvas: Canvas, drawn: Shape, corner: Point, cell: float) -> None:
    """Draw a shape of a board that has its upper left corner at `corner`."""
    points = [(corner[0] + x * cell, corner[1] - y * cell) for x, y in drawn.points]
    look, colour = LOOKS[drawn.role], (drawn.mark and drawn.mark.colour) or ""
    if drawn.role == "arrow":
        look = Look(colour, DARK, 0.025)
    if look.fill != "none":
        canvas.setFillColor(colour_of(look.fill))
    if isinstance(drawn, Text):
        size = size_to_fit(drawn.text, BOLD, LETTERS_WIDE * drawn.scale * cell, drawn.size * cell)
        _write_about(canvas, points[0], drawn.text, size)
        return
    path = canvas.beginPath()
    if isinstance(drawn, Line):
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        if drawn.closed:
            path.close()
    elif drawn.role == "bead" and drawn.mark is not None:
        draw_mark(canvas, *points[0], drawn.radius * cell, colour, drawn.mark.amount)
    else:
        path.circle(*points[0], drawn.radius * cell)
    if look.line != "none":
        canvas.setStrokeColor(colour_of(look.line))
        canvas.setLineWidth(max(THINNEST, look.width * drawn.scale * cell))
    canvas.drawPath(path, stroke=int(look.line != "none"), fill=int(look.fill != "none"))


def draw_mark(canvas: Canvas, x: float, y: float, radius: float, colour: str, text: str) -> None:
    """Draw a bead with its number, in black or white, whichever is easier to read on it."""
    canvas.setFillColor(colour_of(colour))
    stroke(canvas, INK, OUTLINE)
    canvas.circle(x, y, radius, stroke=1, fill=1)
    red, green, blue = bytes.fromhex(colour[1:])
    fill(canvas, readable_on((red, green, blue)))
    _write_about(canvas, (x, y), text, size_to_fit(text, BOLD, 1.35 * radius, 1.3 * radius))


def _write_about(canvas: Canvas, middle: Point, text: str, size: float) -> None:
    write(canvas, middle[0], middle[1] - HEIGHT_OF_CAPITALS * size / 2, text, BOLD, size, "centre")


def readable_on(rgb: RGB) -> RGB:
    """Return black or white, whichever contrasts more; the ratio is never below 4.5, the minimum of WCAG 2 for text.

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


@cache
def colour_of(text: str) -> Color:
    """Return a colour such as `#0072b2`, or `white`, which reportlab reads in a tenth of a millisecond."""
    from reportlab.lib.colors import toColor

    colour: Color = toColor(text)
    return colour


def fill(canvas: Canvas, rgb: RGB) -> None:
    """Set the fill colour, also of letters."""
    canvas.setFillColorRGB(*(value / 255 for value in rgb))


def stroke(canvas: Canvas, rgb: RGB, width: float) -> None:
    """Set the colour and width of lines."""
    canvas.setStrokeColorRGB(*(value / 255 for value in rgb))
    canvas.setLineWidth(width)
