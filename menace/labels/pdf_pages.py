"""Pages of the PDF: header, footer, paragraph and table styles, and the document, laid out by reportlab's Platypus.

Drawings are in millimetres; Platypus itself measures in points.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

from reportlab.lib.colors import Color
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageBreak, PageTemplate, Paragraph, Table, UseUpSpace

from menace.labels.board_pdf import INK, PALE_INK, fill, stroke
from menace.labels.label_sheet import FOOTER, MARGIN, LabelSheet
from menace.labels.lettering import BOLD, PLAIN, POINT, markup, shortened, width_of, write

RULER = 50  # mm
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
    """A drawing that flows with the text, and is not split across pages.

    Args:
        width, height: in mm.
        paint: draws it on a canvas: the origin is the drawing's lower left corner, and the unit a millimetre.
    """

    def __init__(self, width: float, height: float, paint: Callable[[Canvas], None]) -> None:
        super().__init__()
        self.width, self.height, self.paint = width * mm, height * mm, paint

    def draw(self) -> None:
        """Draw it; called by Platypus."""
        self.canv.scale(mm, mm)
        self.paint(self.canv)


def draw_header(canvas: Canvas, sheet: LabelSheet, name: str, page: int, pages: int) -> None:
    """Draw the learner's name and the page number."""
    fill(canvas, INK)
    width, number = sheet.room[0], f"page {page} of {pages}"
    top = sheet.paper_size[1] - MARGIN - 0.8 * TEXT
    room = width - width_of(number, PLAIN, TEXT) - 5
    write(canvas, MARGIN, top, shortened(name, BOLD, TEXT, room), BOLD, TEXT)
    write(canvas, MARGIN + width, top, number, PLAIN, TEXT, "right")


def draw_footer(canvas: Canvas, sheet: LabelSheet) -> None:
    """Draw a ruler for checking the scale."""
    fill(canvas, INK)
    stroke(canvas, INK, 0.2)
    base = MARGIN + 4.5
    canvas.line(MARGIN + 0.1, base, MARGIN + 0.1 + RULER, base)
    for millimetre in range(RULER + 1):
        tick = 3.0 if millimetre % 10 == 0 else 2.0 if millimetre % 5 == 0 else 1.2
        canvas.line(MARGIN + 0.1 + millimetre, base, MARGIN + 0.1 + millimetre, base + tick)
    write(canvas, MARGIN, MARGIN + 0.6, "0", PLAIN, SMALL)
    write(canvas, MARGIN + 0.1 + RULER, MARGIN + 0.6, f"{RULER} mm", PLAIN, SMALL, "centre")
    advice = "Print at 100 % (actual size); the ruler must measure 50 mm."
    write(canvas, sheet.paper_size[0] - MARGIN, MARGIN + 4.5, advice, PLAIN, SMALL, "right")


def paragraph(text: str, style: ParagraphStyle = BODY, mark: str | None = None) -> Paragraph:
    """Return a paragraph or heading of plain text, with a mark such as `1.` before a numbered one."""
    return Paragraph(markup(text, style.fontName), style, mark)


def table(
    rows: Sequence[Sequence[Any]], widths: Sequence[float], height: float | None = None, *style: Any, **options: Any
) -> Table:
    """Return a table without lines or padding around its cells.

    Args:
        rows: texts and flowables; short rows end with empty cells.
        widths: of the columns, in mm.
        height: of every row, in mm; None for the height of its content.
        style: further commands of a reportlab TableStyle.
        options: of a reportlab Table.
    """
    every = (0, 0), (-1, -1)
    bare = [(f"{side}PADDING", *every, 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")]
    look = [*bare, ("FONT", *every, PLAIN, 10), ("TEXTCOLOR", *every, LINE), ("VALIGN", *every, "MIDDLE"), *style]
    heights = None if height is None else height * mm
    return Table([list(row) for row in rows], [width * mm for width in widths], heights, look, hAlign="LEFT", **options)


def document(
    labels: list[Callable[[Canvas], None]], story: list[Flowable], sheet: LabelSheet, name: str, subject: str
) -> tuple[bytes, int]:
    """Return a PDF, the same bytes each time, and its number of pages.

    Args:
        labels: functions that each draw one of the first pages, in millimetres from the lower left corner of the paper.
        story: the flowables of the pages that follow.
        sheet: the paper.
        name: of the learner; it stands in every header.
        subject: of the PDF, in its metadata.
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

    def draw_headers(canvas: Canvas) -> None:  # last, when the number of pages is known
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
