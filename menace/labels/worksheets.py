"""Write the worksheets for a lesson: a record of games played by hand, and the class's curve and questions."""

from __future__ import annotations

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Spacer

from menace.labels.canvas import (
    BOLD,
    PALE_LINE,
    SMALL,
    SUBTITLE,
    TITLE,
    PageDrawing,
    paragraph,
    set_stroke,
    table,
    write,
)
from menace.labels.kit import Kit

GAMES, LINE = 22, 9.0  # the number of games on a page, and the height of a line in mm
CHART, STEP = 80.0, 10  # the height of the empty chart in mm, and the number of games that each column covers
QUESTIONS = (
    "Our guess: the machine is good after ____ games.",
    "Which box has changed most? What will the machine do more often there, and what less often?",
    "Does it matter who teaches the machine? How would you teach it faster?",
    "Can you still beat the machine? Draw the board on which it makes a mistake.",
    "What surprised us:",
)


def worksheet_stories(kit: Kit, width: float) -> list[Flowable]:
    """Return the worksheets, `width` mm wide: a page for a group, and a page for the class."""
    heads = ("game", "who won?", "boxes opened", "beads put in or taken out: box and colour")
    rows = [heads, *((str(game), "", "", "") for game in range(1, GAMES + 1))]
    shares = (0.09, 0.16, 0.2, 0.55)
    lines = (("GRID", (0, 0), (-1, -1), 0.1 * mm, PALE_LINE), ("FONT", (0, 0), (-1, 0), BOLD, 8))
    record = table(rows, [share * width for share in shares], LINE, *lines, ("LEFTPADDING", (0, 0), (-1, -1), 1.5 * mm))
    return [
        paragraph(f"Worksheet: the games of {kit.name}", TITLE),
        paragraph(QUESTIONS[0]),
        record,
        PageBreak(),
        paragraph(f"Worksheet: what {kit.name} has learned", TITLE),
        paragraph(f"How many of {STEP} games it lost: a bar for each group, and the curve of the class", SUBTITLE),
        PageDrawing(width, CHART + 8, lambda canvas: _draw_chart(canvas, width)),
        *(part for text in QUESTIONS[1:] for part in (paragraph(text, SUBTITLE), Spacer(0, 18 * mm))),
    ]


def _draw_chart(canvas: Canvas, width: float) -> None:
    """Draw empty axes for losses, from 0 to STEP, against the number of games."""
    set_stroke(canvas, (150, 150, 150), 0.1)
    columns, left, base = 6, 8.0, 6.0
    for losses in range(0, STEP + 1, 2):
        y = base + losses / STEP * (CHART - 4)
        canvas.line(left, y, width, y)
        write(canvas, left - 1.5, y - 1, str(losses), BOLD, SMALL, "right")
    for column in range(columns):
        middle = left + (column + 0.5) * (width - left) / columns
        write(canvas, middle, 1.5, f"{column * STEP + 1} to {(column + 1) * STEP}", BOLD, SMALL, "centre")
