"""Labels for a machine of real matchboxes, as a PDF: labels to cut out, an index, a shopping list and the rules."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from menace.extras import need_extra
from menace.labels.kit import Kit, kit_of
from menace.labels.sheet import Sheet
from menace.learners.box import Box
from menace.ledger.store import Store
from menace.output import write_file
from menace.wording import counted

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from menace.labels.label import Arrangement
    from menace.labels.page import Page

__all__ = ["Printed", "Sheet", "kit_pdf", "labels_pdf", "write_labels"]

HAIRLINE = 0.15  # mm, of crop marks


@dataclass(frozen=True)
class Printed:
    """What a PDF of labels holds.

    Attributes:
        labels: how many, one a box.
        label_pages: pages of labels, which come first.
        pages: all pages.
        unwritten: characters of the learner's name that the fonts lack; the PDF shows their numbers in Unicode.
    """

    labels: int
    label_pages: int
    pages: int
    unwritten: str


def write_labels(store: Store, name: str, path: str | os.PathLike[str], sheet: Sheet | None = None) -> Printed:
    """Write a PDF to build a learner's machine with.

    Args:
        store: the database.
        name: a learner that has boxes.
        path: the file; `-` is standard output.
        sheet: the labels' size, the paper, colours and numbers; None is a standard matchbox on A4.

    Raises:
        MissingExtra: if reportlab is not installed.
        UnknownLearner, InvalidPlayer: if there is no such learner, or it has no boxes.
        InvalidSetting: if the labels are too small for the board, or it has more cells than there are colours.
        OutputError: if the file cannot be written.
    """
    content, printed = labels_pdf(store, name, sheet)
    write_file(path, content)
    return printed


def labels_pdf(store: Store, name: str, sheet: Sheet | None = None) -> tuple[bytes, Printed]:
    """Return the PDF itself, the same bytes for the same database. Arguments and errors as of `write_labels`."""
    sheet = sheet or Sheet()
    return kit_pdf(kit_of(store, name, sheet), sheet)


def kit_pdf(kit: Kit, sheet: Sheet) -> tuple[bytes, Printed]:
    """Return the PDF of a kit made for this sheet. Raises MissingExtra, and InvalidSetting as `write_labels`."""
    need_extra("reportlab", "print")
    from menace.labels.index import index_blocks
    from menace.labels.label import arrange
    from menace.labels.lettering import register_fonts, unwritten
    from menace.labels.page import pages_of
    from menace.labels.rules import rules_blocks
    from menace.labels.shopping import shopping_blocks

    arrangement = arrange(sheet, kit.shape)
    register_fonts()
    label_pages = _label_pages(kit, sheet, arrangement)
    parts = (index_blocks(kit, sheet), shopping_blocks(kit, sheet), rules_blocks(kit, sheet))
    pages = [*label_pages, *(page for blocks in parts for page in pages_of(blocks, sheet))]
    return _pdf(kit, sheet, pages), Printed(len(kit.boxes), len(label_pages), len(pages), unwritten(kit.name))


def _pdf(kit: Kit, sheet: Sheet, pages: list[Page]) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    from menace.labels.lettering import POINT
    from menace.labels.page import draw_frame

    file = io.BytesIO()
    width, height = sheet.paper_size
    canvas = Canvas(file, pagesize=(width / POINT, height / POINT), pageCompression=1, invariant=1, lang="en-GB")
    canvas.setTitle(kit.name)
    canvas.setAuthor("menace")
    canvas.setSubject(f"{counted(len(kit.boxes), 'matchbox label')}, index, shopping list and rules")
    for number, draw in enumerate(pages, start=1):
        canvas.scale(1 / POINT, 1 / POINT)
        draw_frame(canvas, sheet, kit.name, number, len(pages))
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _label_pages(kit: Kit, sheet: Sheet, arrangement: Arrangement) -> list[Page]:
    starts = range(0, len(kit.boxes), sheet.labels)
    return [_label_page(kit, sheet, arrangement, kit.boxes[start : start + sheet.labels]) for start in starts]


def _label_page(kit: Kit, sheet: Sheet, arrangement: Arrangement, boxes: tuple[Box, ...]) -> Page:
    from menace.labels.board import INK, stroke
    from menace.labels.label import draw_label

    def draw(canvas: Canvas) -> None:
        stroke(canvas, INK, HAIRLINE)
        canvas.lines([tuple(line) for line in sheet.crop_marks()])
        for place, box in enumerate(boxes):
            canvas.saveState()
            canvas.translate(*sheet.place(place))
            draw_label(canvas, kit, box, sheet, arrangement)
            canvas.restoreState()

    return draw
