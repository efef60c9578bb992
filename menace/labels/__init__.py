"""Create a PDF for building a machine from matchboxes: labels, a board, an index, a shopping list and rules.

The modules in this folder may import `menace.people` and everything that `menace.people` may import. Only the modules
that draw need reportlab. Start with `write_labels` below, then read kit.py, which collects the contents of the PDF, and
pdf.py, which draws them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from menace.files.optional_libraries import need_extra
from menace.files.output import write_file
from menace.labels.kit import Kit, LabelSheet, load_kit
from menace.ledger.store import Store
from menace.text.wording import counted

__all__ = ["LabelSheet", "Printed", "kit_pdf", "labels_pdf", "write_labels"]


@dataclass(frozen=True)
class Printed:
    """A PDF of labels, with a summary of its contents.

    Attributes:
        labels: the number of labels, one for each box.
        label_pages: the number of pages of labels. These pages precede the other pages.
        pages: the total number of pages.
        unwritten: the characters of the learner's name that are missing from the fonts; the PDF shows their Unicode
            numbers instead.
        content: the bytes of the PDF. Notebooks display the PDF.
    """

    labels: int
    label_pages: int
    pages: int
    unwritten: str
    content: bytes = field(default=b"", repr=False)

    def _repr_pdf_(self) -> bytes:
        return self.content


def write_labels(
    store: Store, name: str, path: str | os.PathLike[str] | None = None, sheet: LabelSheet | None = None
) -> Printed:
    """Create a PDF for building a learner's machine from matchboxes, and write the PDF if `path` is given.

    Args:
        store: the database.
        name: the name of a learner that has boxes.
        path: the file to write; None writes no file.
        sheet: the size of the labels, the paper, colours and numbering; None selects labels for a standard matchbox on
            A4 paper.

    Raises:
        MissingExtra: if reportlab is not installed.
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if the learner has no boxes.
        InvalidSetting: if the labels are too small for the board, or a box has more moves than there are colours.
        OutputError: if the file cannot be written.
    """
    content, printed = labels_pdf(store, name, sheet)
    if path is not None:
        write_file(path, content)
    return replace(printed, content=content)


def labels_pdf(store: Store, name: str, sheet: LabelSheet | None = None) -> tuple[bytes, Printed]:
    """Create the PDF, and describe its contents. The same database always produces the same bytes.

    Takes the same arguments and raises the same errors as `write_labels`.
    """
    need_extra("reportlab", "print")
    sheet = sheet or LabelSheet()
    return kit_pdf(load_kit(store, name, sheet), sheet)


def kit_pdf(kit: Kit, sheet: LabelSheet) -> tuple[bytes, Printed]:
    """Create the PDF from a kit loaded for the same sheet. Raises InvalidSetting if the labels are too small."""
    from reportlab.platypus import PageBreak

    from menace.labels.label import label_pages
    from menace.labels.pages import board_story, index_story, shopping_story, worksheet_stories
    from menace.labels.pdf import build_pdf, register_fonts, unsupported_characters
    from menace.labels.rules import rules_story

    register_fonts()
    labels, width = label_pages(kit, sheet), sheet.room[0]
    story = [
        *board_story(kit, *sheet.room),
        PageBreak(),
        *index_story(kit, width),
        PageBreak(),
        *shopping_story(kit, width),
        PageBreak(),
        *rules_story(kit, width),
        *([PageBreak(), *worksheet_stories(kit, width)] if sheet.worksheets else []),
    ]
    subject = f"{counted(len(kit.boxes), 'matchbox label')}, board, index, shopping list and rules"
    content, pages = build_pdf(labels, story, sheet, kit.name, subject)
    return content, Printed(len(kit.boxes), len(labels), pages, unsupported_characters(kit.name))
