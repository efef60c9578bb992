"""Pages: what stands on each of them, and how blocks of text and pictures flow from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from menace.labels.board import INK, PALE_INK, fill, stroke
from menace.labels.lettering import BOLD, PLAIN, POINT, lines_of, shortened, width_of, write
from menace.labels.sheet import HEADER, MARGIN, Sheet

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

RULER = 50  # mm
TEXT = 10 * POINT
SMALL = 8 * POINT
LEADING = 1.35


@dataclass(frozen=True)
class Block:
    """A part of a page that is not torn apart.

    Attributes:
        height: in mm, with the space below it.
        draw: draws it on a canvas, given its left and its upper edge.
        with_next: whether it must not be the last on its page, as a heading must not.
        over: a heading that stands above it where it is the first on a page.
    """

    height: float
    draw: Callable[[Canvas, float, float], None]
    with_next: bool = False
    over: Block | None = None


Page = Callable[["Canvas"], None]


def flow(blocks: Sequence[Block], room: float) -> list[list[Block]]:
    """Share blocks out to pages that are `room` mm high.

    >>> pages = flow([space(30), space(15), heading("Play", size=5), space(10)], 50)
    >>> [[block.height for block in page] for page in pages]
    [[30, 15], [8.5, 10]]
    """
    pages: list[list[Block]] = []
    left = 0.0
    for index, block in enumerate(blocks):
        needed, follower = block.height, index
        while blocks[follower].with_next and follower + 1 < len(blocks):
            follower += 1
            needed += blocks[follower].height
        if not pages or needed > left + 1e-6:
            pages.append([block.over] if block.over and pages else [])
            left = room - sum(part.height for part in pages[-1])
        pages[-1].append(block)
        left -= block.height
    return pages


def pages_of(blocks: Sequence[Block], sheet: Sheet) -> list[Page]:
    """Return pages that show blocks from the top."""
    return [_page_of(page, sheet) for page in flow(blocks, sheet.room[1])]


def _page_of(blocks: Iterable[Block], sheet: Sheet) -> Page:
    def draw(canvas: Canvas) -> None:
        top = sheet.paper_size[1] - MARGIN - HEADER
        for block in blocks:
            block.draw(canvas, MARGIN, top)
            top -= block.height

    return draw


def draw_frame(canvas: Canvas, sheet: Sheet, name: str, page: int, pages: int) -> None:
    """Draw the header (the learner's name, the page) and the footer (a ruler to check the scale by)."""
    width, height = sheet.paper_size
    fill(canvas, INK)
    number = f"page {page} of {pages}"
    top = height - MARGIN - 0.8 * TEXT
    room = width - 2 * MARGIN - width_of(number, PLAIN, TEXT) - 5
    write(canvas, MARGIN, top, shortened(name, BOLD, TEXT, room), BOLD, TEXT)
    write(canvas, width - MARGIN, top, number, PLAIN, TEXT, "right")
    stroke(canvas, INK, 0.2)
    base = MARGIN + 4.5
    canvas.line(MARGIN + 0.1, base, MARGIN + 0.1 + RULER, base)
    for millimetre in range(RULER + 1):
        tick = 3.0 if millimetre % 10 == 0 else 2.0 if millimetre % 5 == 0 else 1.2
        canvas.line(MARGIN + 0.1 + millimetre, base, MARGIN + 0.1 + millimetre, base + tick)
    write(canvas, MARGIN, MARGIN + 0.6, "0", PLAIN, SMALL)
    write(canvas, MARGIN + 0.1 + RULER, MARGIN + 0.6, f"{RULER} mm", PLAIN, SMALL, "centre")
    advice = "Print at 100 % (actual size); the ruler must measure 50 mm."
    write(canvas, width - MARGIN, MARGIN + 4.5, advice, PLAIN, SMALL, "right")


def heading(text: str, size: float = 13 * POINT) -> Block:
    """Return a heading in bold.

    >>> heading("Fill", size=4).with_next
    True
    """

    def draw(canvas: Canvas, left: float, top: float) -> None:
        fill(canvas, INK)
        write(canvas, left, top - size, text, BOLD, size)

    return Block(1.7 * size, draw, with_next=True)


def paragraph(text: str, width: float, size: float = TEXT, indent: float = 0.0, mark: str = "") -> Block:
    """Return text broken into lines, with a mark such as `1.` before an indented one.

    >>> from menace.labels.lettering import register_fonts
    >>> register_fonts()
    >>> one, two = paragraph("Shake the box.", 100), paragraph("Shake the box.", 15)
    >>> one.height < two.height
    True
    """
    lines = lines_of(text, PLAIN, size, width - indent)

    def draw(canvas: Canvas, left: float, top: float) -> None:
        fill(canvas, INK if size >= TEXT else PALE_INK)
        if mark:
            write(canvas, left, top - size, mark, BOLD, size)
        for number, line in enumerate(lines):
            write(canvas, left + indent, top - size - number * LEADING * size, line, PLAIN, size)

    return Block(LEADING * size * len(lines) + 0.6 * size, draw)


def space(height: float) -> Block:
    """Return a gap."""
    return Block(height, lambda _canvas, _left, _top: None)
