"""Draw text, boards, beads and pages of the PDF.

The main font is Bitstream Vera, which is included in reportlab and covers Latin scripts. Names may use any script. If
matplotlib is installed, missing characters are taken from DejaVu Sans, which extends Vera with Greek, Cyrillic and
other scripts. Neither font can properly show right-to-left scripts, combining accents or emoji. The
PDF shows the Unicode numbers of such characters, such as [U+4E2D].

Drawings and sizes are in millimetres. Platypus, the part of reportlab that lays out pages, measures in points.
"""

from __future__ import annotations

import functools
import importlib.util
import io
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, TypeAlias
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color, toColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageBreak, PageTemplate, Paragraph, Table, UseUpSpace

from menace.drawing.boards import Line, Look, Mark, Point, Shape, Text, looks, shapes_of
from menace.labels.kit import FOOTER, MARGIN, LabelSheet

PLAIN, BOLD, OTHER = "menace-plain", "menace-bold", "menace-other"
POINT = 25.4 / 72  # mm
HEIGHT_OF_CAPITALS = 0.73  # relative to the font size
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
LEFT_TO_RIGHT = frozenset({"L", "EN", "ES", "ET", "CS", "WS", "ON"})  # classes of the Unicode bidirectional algorithm

Align: TypeAlias = Literal["left", "centre", "right"]


def register_fonts() -> None:
    """Register the fonts with reportlab. Call this function before any other function of this module."""
    files = {PLAIN: "Vera.ttf", BOLD: "VeraBd.ttf", OTHER: _dejavu()}
    for name, file in files.items():
        if file is not None and name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, file))


def _dejavu() -> str | None:
    """Return the path of matplotlib's DejaVu Sans, without importing matplotlib, or None if it is not installed."""
    spec = importlib.util.find_spec("matplotlib")
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
    return str(file) if file.is_file() else None


@functools.lru_cache(maxsize=1000)
def split_by_font(text: str, font: str) -> list[tuple[str, str]]:
    """Split text into (font, text) pairs, in the order in which the parts are written.

    >>> register_fonts()
    >>> split_by_font("box 中", PLAIN)
    [('menace-plain', 'box [U+4E2D]')]
    """
    written = ((font_for(character, font), character) for character in unicodedata.normalize("NFC", text))
    shown = ((used or font, character if used else f"[U+{ord(character):04X}]") for used, character in written)
    return [(used, "".join(map(itemgetter(1), part))) for used, part in groupby(shown, itemgetter(0))]


def paragraph_markup(text: str, font: str) -> str:
    """Convert text to the markup of a reportlab paragraph in `font`.

    >>> register_fonts()
    >>> paragraph_markup("X & <O>", PLAIN)
    'X &amp; &lt;O&gt;'
    """
    parts = ((used, escape(piece)) for used, piece in split_by_font(text, font))
    return "".join(piece if used == font else f'<font name="{used}">{piece}</font>' for used, piece in parts)


@functools.lru_cache(maxsize=1000)
def font_for(character: str, font: str) -> str | None:
    """Return `font` if it contains the character, DejaVu Sans if only that font does, or None if neither does.

    >>> register_fonts()
    >>> font_for("é", BOLD), font_for("中", BOLD)
    ('menace-bold', None)
    """
    if unicodedata.bidirectional(character) not in LEFT_TO_RIGHT or unicodedata.category(character)[0] == "M":
        return None
    known = pdfmetrics.getRegisteredFontNames()
    for name in (font, OTHER):
        if name in known and ord(character) in pdfmetrics.getFont(name).face.charToGlyph:  # type: ignore[attr-defined]
            return name
    return None


def unsupported_characters(text: str) -> str:
    """Return the characters that the fonts lack, which the PDF shows as Unicode numbers.

    >>> register_fonts()
    >>> unsupported_characters("Zoë 中文")
    '中文'
    """
    return "".join(character for character in unicodedata.normalize("NFC", text) if font_for(character, PLAIN) is None)


def text_width(text: str, font: str, size: float) -> float:
    """Return the width of text, in the same unit as `size`.

    >>> register_fonts()
    >>> round(text_width("box 12", PLAIN, 10), 1), round(text_width("box 12", BOLD, 10), 1)
    (34.3, 37.9)
    """
    return sum(float(pdfmetrics.stringWidth(piece, used, size)) for used, piece in split_by_font(text, font))


def shorten(text: str, font: str, size: float, most: float) -> str:
    """Shorten text to fit into the width `most`, marking the omission with an ellipsis.

    >>> register_fonts()
    >>> shorten("the machine of matchboxes", PLAIN, 10, 60)
    'the mach…'
    """
    if text_width(text, font, size) <= most:
        return text
    kept = len(text)
    while kept and text_width(text[:kept] + ELLIPSIS, font, size) > most:
        kept -= 1
    return text[:kept].rstrip() + ELLIPSIS


def size_to_fit(text: str, font: str, most: float, size: float) -> float:
    """Return `size`, or the smaller font size at which the text is exactly `most` wide.

    >>> register_fonts()
    >>> round(size_to_fit("quarter turn", PLAIN, 30, 10), 2), size_to_fit("1", PLAIN, 30, 10)
    (4.92, 10)
    """
    return min(size, size * most / text_width(text, font, size))


def write(canvas: Canvas, x: float, y: float, text: str, font: str, size: float, align: Align = "left") -> None:
    """Write a line of text with its baseline at `y`, in the fill colour of the canvas."""
    if align != "left":
        x -= text_width(text, font, size) * (0.5 if align == "centre" else 1.0)
    for used, piece in split_by_font(text, font):
        canvas.setFont(used, size)
        canvas.drawString(x, y, piece)
        x += canvas.stringWidth(piece, used, size)


RGB = tuple[int, int, int]
INK: RGB = (26, 26, 26)
PALE_INK: RGB = (110, 110, 110)
PAPER: RGB = (255, 255, 255)
SRGB_LINEAR_LIMIT = 0.04045  # the transfer function of sRGB is linear up to this value
ROUND_LINE_ENDS = 1  # the PDF code for round line ends
OUTLINE = 0.25  # in mm; outlines make white beads visible on white paper, and black beads visible next to crosses
MIN_LINE_WIDTH = 0.15  # minimum width of the lines of a board, in mm
MAX_LETTERS_WIDTH = 0.8  # maximum width of a piece's letters, as a share of a cell
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
        canvas: the canvas, whose unit is a millimetre.
        pieces: the piece on each cell, as in `Game.pieces`.
        shape: the number of rows and columns of the board.
        corner: the coordinates (x, y) of the board's lower left corner.
        cell: the side of a cell, in mm.
        marks: the moves to mark; each mark has a colour, and its `amount` is the number written on the bead.
    """
    canvas.saveState()
    canvas.setLineCap(ROUND_LINE_ENDS)  # closes the gap that reportlab leaves in circles
    for drawn in shapes_of(pieces, shape, marks):
        if drawn.role not in {"share", "inner", "amount"}:
            _draw_shape(canvas, drawn, (corner[0], corner[1] + shape[0] * cell), cell)
    canvas.restoreState()


def _draw_shape(canvas: Canvas, drawn: Shape, corner: Point, cell: float) -> None:
    """Draw a shape of a board, given the board's upper left corner."""
    points = [(corner[0] + x * cell, corner[1] - y * cell) for x, y in drawn.points]
    look, colour = LOOKS[drawn.role], (drawn.mark and drawn.mark.colour) or ""
    if drawn.role == "arrow":
        look = Look(colour, DARK, 0.025)
    if look.fill != "none":
        canvas.setFillColor(parse_colour(look.fill))
    if isinstance(drawn, Text):
        size = size_to_fit(drawn.text, BOLD, MAX_LETTERS_WIDTH * drawn.scale * cell, drawn.size * cell)
        _write_centred(canvas, points[0], drawn.text, size)
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
        canvas.setStrokeColor(parse_colour(look.line))
        canvas.setLineWidth(max(MIN_LINE_WIDTH, look.width * drawn.scale * cell))
    canvas.drawPath(path, stroke=int(look.line != "none"), fill=int(look.fill != "none"))


def draw_mark(canvas: Canvas, x: float, y: float, radius: float, colour: str, text: str) -> None:
    """Draw a bead with its number in black or white, depending on which contrasts more with the bead."""
    canvas.setFillColor(parse_colour(colour))
    set_stroke(canvas, INK, OUTLINE)
    canvas.circle(x, y, radius, stroke=1, fill=1)
    red, green, blue = bytes.fromhex(colour[1:])
    set_fill(canvas, contrasting_ink((red, green, blue)))
    _write_centred(canvas, (x, y), text, size_to_fit(text, BOLD, 1.35 * radius, 1.3 * radius))


def _write_centred(canvas: Canvas, middle: Point, text: str, size: float) -> None:
    write(canvas, middle[0], middle[1] - HEIGHT_OF_CAPITALS * size / 2, text, BOLD, size, "centre")


def contrasting_ink(rgb: RGB) -> RGB:
    """Return black or white, whichever contrasts more with `rgb`.

    The contrast ratio is at least 4.5, the minimum of WCAG 2 for text.

    >>> contrasting_ink((255, 255, 0)), contrasting_ink((0, 0, 128))
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
    return part / 12.92 if part <= SRGB_LINEAR_LIMIT else float(((part + 0.055) / 1.055) ** 2.4)


@cache
def parse_colour(text: str) -> Color:
    """Return reportlab's colour for a string such as `#0072b2`. Colours are cached, because parsing takes 0.1 ms."""
    colour: Color = toColor(text)
    return colour


def set_fill(canvas: Canvas, rgb: RGB) -> None:
    """Set the fill colour, which is also the colour of text."""
    canvas.setFillColorRGB(*(value / 255 for value in rgb))


def set_stroke(canvas: Canvas, rgb: RGB, width: float) -> None:
    """Set the colour and the width of lines."""
    canvas.setStrokeColorRGB(*(value / 255 for value in rgb))
    canvas.setLineWidth(width)


RULER = 50  # length of the ruler, in mm
TEXT = 10 * POINT
SMALL = 8 * POINT
LINE, PALE_LINE = (Color(*(value / 255 for value in rgb)) for rgb in (INK, PALE_INK))

BODY = ParagraphStyle("body", fontName=PLAIN, fontSize=10, leading=13.5, spaceAfter=6, textColor=LINE)
LEADING_BODY = ParagraphStyle("leading body", BODY, keepWithNext=1)
NUMBERED = ParagraphStyle("numbered", BODY, leftIndent=9 * mm, bulletFontName=BOLD, bulletFontSize=10)
NOTE = ParagraphStyle("note", BODY, fontSize=8, leading=10, spaceBefore=3.2, rightIndent=1.5 * mm)
SUBTITLE = ParagraphStyle("subtitle", BODY, fontName=BOLD, fontSize=11, leading=14, spaceAfter=4, keepWithNext=1)
TITLE = ParagraphStyle("title", SUBTITLE, fontSize=13, leading=17, spaceAfter=5)


class PageDrawing(Flowable):
    """A drawing that is placed in the flow of the text and is never split across pages.

    Args:
        width: the width in mm.
        height: the height in mm.
        paint: a function that draws on a canvas whose origin is the drawing's lower left corner, and whose unit is a
            millimetre.
    """

    def __init__(self, width: float, height: float, paint: Callable[[Canvas], None]) -> None:
        super().__init__()
        self.width, self.height, self.paint = width * mm, height * mm, paint

    def draw(self) -> None:
        """Draw on the page's canvas. Platypus calls this method."""
        self.canv.scale(mm, mm)
        self.paint(self.canv)


def draw_header(canvas: Canvas, sheet: LabelSheet, name: str, page: int, pages: int) -> None:
    """Draw the learner's name and the page number."""
    set_fill(canvas, INK)
    width, number = sheet.room[0], f"page {page} of {pages}"
    top = sheet.paper_size[1] - MARGIN - 0.8 * TEXT
    room = width - text_width(number, PLAIN, TEXT) - 5
    write(canvas, MARGIN, top, shorten(name, BOLD, TEXT, room), BOLD, TEXT)
    write(canvas, MARGIN + width, top, number, PLAIN, TEXT, "right")


def draw_footer(canvas: Canvas, sheet: LabelSheet) -> None:
    """Draw a ruler for checking the print scale."""
    set_fill(canvas, INK)
    set_stroke(canvas, INK, 0.2)
    base = MARGIN + 4.5
    canvas.line(MARGIN + 0.1, base, MARGIN + 0.1 + RULER, base)
    for millimetre in range(RULER + 1):
        tick = 3.0 if millimetre % 10 == 0 else 2.0 if millimetre % 5 == 0 else 1.2
        canvas.line(MARGIN + 0.1 + millimetre, base, MARGIN + 0.1 + millimetre, base + tick)
    write(canvas, MARGIN, MARGIN + 0.6, "0", PLAIN, SMALL)
    write(canvas, MARGIN + 0.1 + RULER, MARGIN + 0.6, f"{RULER} mm", PLAIN, SMALL, "centre")
    advice = "Print this page at 100 % (actual size); the ruler must measure 50 mm."
    write(canvas, sheet.paper_size[0] - MARGIN, MARGIN + 4.5, advice, PLAIN, SMALL, "right")


def paragraph(text: str, style: ParagraphStyle = BODY, mark: str | None = None) -> Paragraph:
    """Return a paragraph or heading of plain text, preceded by an optional mark such as `1.`."""
    return Paragraph(paragraph_markup(text, style.fontName), style, mark)


def table(
    rows: Sequence[Sequence[Any]], widths: Sequence[float], height: float | None = None, *style: Any, **options: Any
) -> Table:
    """Return a table without lines, and without padding around its cells.

    Args:
        rows: texts and flowables; missing cells at the end of a row are empty.
        widths: the widths of the columns, in mm.
        height: the height of each row in mm; None fits the row to its contents.
        style: further commands of a reportlab TableStyle.
        options: further arguments of a reportlab Table.
    """
    every = (0, 0), (-1, -1)
    bare = [(f"{side}PADDING", *every, 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")]
    look = [*bare, ("FONT", *every, PLAIN, 10), ("TEXTCOLOR", *every, LINE), ("VALIGN", *every, "MIDDLE"), *style]
    heights = None if height is None else height * mm
    return Table([list(row) for row in rows], [width * mm for width in widths], heights, look, hAlign="LEFT", **options)


def build_pdf(
    labels: list[Callable[[Canvas], None]], story: list[Flowable], sheet: LabelSheet, name: str, subject: str
) -> tuple[bytes, int]:
    """Create a PDF, and return its bytes and its number of pages. The same arguments always produce the same bytes.

    Args:
        labels: functions that each draw one of the first pages, in millimetres from the paper's lower left corner.
        story: the flowables of the pages that follow.
        sheet: the paper.
        name: the name of the learner, which appears in every header.
        subject: the subject of the PDF, for its metadata.
    """
    file, (width, height) = io.BytesIO(), sheet.paper_size

    def begin_page(canvas: Canvas, template: BaseDocTemplate) -> None:
        canvas.saveState()
        canvas.doForm(f"header{template.page}")
        canvas.scale(mm, mm)
        draw_footer(canvas, sheet)
        if template.page <= len(labels):
            labels[template.page - 1](canvas)
        canvas.restoreState()

    def draw_headers(canvas: Canvas) -> None:  # called after the last page, when the number of pages is known
        for number in range(1, template.page + 1):
            canvas.beginForm(f"header{number}")
            canvas.scale(mm, mm)
            draw_header(canvas, sheet, name, number, template.page)
            canvas.endForm()

    across, up = sheet.room
    room = Frame(MARGIN * mm, (MARGIN + FOOTER) * mm, across * mm, up * mm, 0, 0, 0, 0)
    template = BaseDocTemplate(
        file,
        pagesize=(width * mm, height * mm),
        pageTemplates=[PageTemplate(frames=[room], onPage=begin_page)],
        title=name,
        author="menace",
        subject=subject,
        lang="en-GB",
        pageCompression=1,
        invariant=1,
    )
    template.build([*[UseUpSpace(), PageBreak()] * len(labels), *story, PageDrawing(0, 0, draw_headers)])
    return file.getvalue(), template.page
