"""Draw a box's label with its canonical board, number, stage and initial beads. Lengths are in millimetres.

The board is as large as the label allows. The text is beside or below the board. The stage's tint ends slightly inside
the label, so that an inexact cut leaves no coloured edge on this label or its neighbour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from reportlab.pdfgen.canvas import Canvas

from menace.drawing.boards import place_of
from menace.errors import InvalidSetting
from menace.labels import pdf
from menace.labels.kit import Kit, LabelSheet
from menace.learners.box import Box
from menace.text.wording import ordinal

# The tints are pale so that text on them is readable. Labels with similar hues differ in their text and their row of
# squares.
TINTS: tuple[pdf.RGB, ...] = (
    (255, 238, 186),
    (205, 228, 247),
    (216, 238, 208),
    (250, 215, 202),
    (229, 217, 242),
    (224, 224, 224),
)
HAIRLINE = 0.15  # line width of crop marks
EDGE_MARGIN = 1.0  # width of the blank margin along the label's edge
MIN_CELL = 3.5  # minimum side of a cell; the number in its mark is then about 4.5 points high
MIN_FONT_SIZE = 4.4 * pdf.POINT  # minimum font size
MAX_BOARD_FONT_SIZE = 8 * pdf.POINT  # maximum font size of the board as text
COLUMN_LINES = 5.1  # height of the squares and three lines of text, relative to the font size
STRIP_RATIO = 1.7  # the text is laid out as a strip if its panel is wider than this multiple of its height
MIN_THREE_LINE_STRIP = 8.0  # minimum height of a strip with three lines
# minimum height of a column of text; in a shorter panel the letters would be too small
MIN_COLUMN_HEIGHT = MIN_FONT_SIZE / 0.115
LOW_PANEL_RATIO = 1.7  # ratio of width to height at which the words "second move" fill a low panel


@dataclass(frozen=True)
class Arrangement:
    """The cell size, the board and the text panel of a label, measured from the label's lower left corner.

    If `low` is true, the panel is beside the board, is lower than LOW, and contains fewer, longer lines.
    """

    cell: float
    board: tuple[float, float]
    panel: tuple[float, float]
    panel_size: tuple[float, float]
    pad: float
    low: bool = False


def tint_of_stage(stage: int) -> pdf.RGB:
    """Return the tint of a stage, counted from 1. Tints repeat after the sixth stage.

    >>> tint_of_stage(1), tint_of_stage(7)
    ((255, 238, 186), (255, 238, 186))
    """
    return TINTS[(stage - 1) % len(TINTS)]


def arrange(sheet: LabelSheet, shape: tuple[int, int]) -> Arrangement:
    """Return the arrangement with the largest board.

    Raises:
        InvalidSetting: if the cells of the board are too small to read.

    >>> round(arrange(LabelSheet(), (3, 3)).cell, 1), round(arrange(LabelSheet(width=90, height=90), (3, 3)).cell, 1)
    (9.5, 21.6)
    """
    width, height = sheet.width - 2 * EDGE_MARGIN, sheet.height - 2 * EDGE_MARGIN
    pad = min(2.5, max(0.7, 0.04 * min(width, height)))
    beside = _board_beside_text(width, height, pad, shape)
    below = _board_above_text(width, height, pad, shape)
    best = max(beside, below, key=lambda arrangement: arrangement.cell)
    if best.cell < MIN_CELL:
        raise InvalidSetting(
            f"on a label of {sheet.width:g} x {sheet.height:g} mm, each cell of this {shape[0]} x {shape[1]} board is"
            f" {best.cell:.1f} mm wide, but {MIN_CELL:g} mm are needed to read it; give a larger width or height"
        )
    return best


def _board_beside_text(width: float, height: float, pad: float, shape: tuple[int, int]) -> Arrangement:
    panel = min(40.0, max(10.5, 0.3 * width))
    blank = 3.5 * pad  # one pad at each edge and 1.5 pads between the board and the text
    cell = min((width - panel - blank) / shape[1], (height - 2 * pad) / shape[0])
    inside = height - 2 * pad
    low = inside < MIN_COLUMN_HEIGHT
    panel = min(width - blank - cell * shape[1], LOW_PANEL_RATIO * inside if low else 1.4 * panel)
    spare = width - blank - panel - cell * shape[1]
    left = EDGE_MARGIN + pad + spare / 2
    board = (left, EDGE_MARGIN + (height - cell * shape[0]) / 2)
    corner = (left + cell * shape[1] + 1.5 * pad, EDGE_MARGIN + pad)
    return Arrangement(cell, board, corner, (panel, inside), pad, low)


def _board_above_text(width: float, height: float, pad: float, shape: tuple[int, int]) -> Arrangement:
    panel = min(22.0, max(4.8, 0.18 * height))
    cell = min((width - 2 * pad) / shape[1], (height - panel - 3 * pad) / shape[0])
    spare = height - 3 * pad - panel - cell * shape[0]
    board = (EDGE_MARGIN + (width - cell * shape[1]) / 2, EDGE_MARGIN + pad + panel + pad + spare / 2)
    return Arrangement(cell, board, (EDGE_MARGIN + pad, EDGE_MARGIN + pad), (width - 2 * pad, panel), pad)


def label_pages(kit: Kit, sheet: LabelSheet) -> list[Callable[[Canvas], None]]:
    """Return a list of functions, each of which draws a page of labels with crop marks.

    Raises the errors of `arrange`.
    """
    arrangement = arrange(sheet, kit.shape)

    def paint(canvas: Canvas, boxes: Sequence[Box]) -> None:
        pdf.set_stroke(canvas, pdf.INK, HAIRLINE)
        canvas.lines([tuple(line) for line in sheet.crop_marks()])
        for place, box in enumerate(boxes):
            canvas.saveState()
            canvas.translate(*sheet.corner_of_label(place))
            draw_label(canvas, kit, box, sheet, arrangement)
            canvas.restoreState()

    starts = range(0, len(kit.boxes), sheet.labels)
    return [partial(paint, boxes=kit.boxes[start : start + sheet.labels]) for start in starts]


def draw_label(canvas: Canvas, kit: Kit, box: Box, sheet: LabelSheet, arrangement: Arrangement) -> None:
    """Draw a box's label with its lower left corner at the canvas' origin."""
    pdf.set_fill(canvas, tint_of_stage(box.stage))
    radius = 1.5 * arrangement.pad
    canvas.roundRect(
        EDGE_MARGIN,
        EDGE_MARGIN,
        sheet.width - 2 * EDGE_MARGIN,
        sheet.height - 2 * EDGE_MARGIN,
        radius,
        stroke=0,
        fill=1,
    )
    pieces = kit.game.pieces(box.board)
    pdf.draw_board(canvas, pieces, kit.shape, arrangement.board, arrangement.cell, kit.move_marks(box))
    if not kit.settings.merged:
        _draw_multiplicities(canvas, kit, box, arrangement)
    pdf.set_fill(canvas, pdf.INK)
    if arrangement.low:
        _draw_lines(canvas, kit, box, arrangement)
    elif arrangement.panel_size[0] > STRIP_RATIO * arrangement.panel_size[1]:
        _draw_strip(canvas, kit, box, arrangement)
    else:
        _draw_column(canvas, kit, box, arrangement)


def _draw_multiplicities(canvas: Canvas, kit: Kit, box: Box, arrangement: Arrangement) -> None:
    """Write the number of equivalent moves that each colour represents.

    The number of beads is multiplied by this number.
    """
    cell, (left, bottom) = arrangement.cell, arrangement.board
    size, pieces = max(MIN_FONT_SIZE, 0.2 * cell), kit.game.pieces(box.board)
    for move in box.moves:
        if move.multiplicity > 1:
            column, row = place_of(kit.game.where(box.board, move.action), pieces, kit.columns)
            text = f"\N{MULTIPLICATION SIGN}{move.multiplicity}"
            x, y = left + (column + 0.46) * cell, bottom + (kit.shape[0] - row - 0.46) * cell
            width = pdf.text_width(text, pdf.BOLD, size)
            pdf.set_fill(canvas, pdf.PAPER)
            canvas.rect(x - width, y, width, 0.8 * size, stroke=0, fill=1)
            pdf.set_fill(canvas, pdf.INK)
            pdf.write(canvas, x, y, text, pdf.BOLD, size, "right")


def _draw_column(canvas: Canvas, kit: Kit, box: Box, arrangement: Arrangement) -> None:
    """Draw a column of text beside the board: the box's number, stage, initial beads and board."""
    (x, y), (width, height) = arrangement.panel, arrangement.panel_size
    middle, top = x + width / 2, y + height
    small = pdf.size_to_fit("box 8888", pdf.PLAIN, width, 0.09 * height)
    pdf.write(canvas, middle, top - 0.9 * small, "box", pdf.PLAIN, small, "centre")
    size = pdf.size_to_fit(_longest_number(kit), pdf.BOLD, width, 0.3 * height)
    pdf.write(canvas, middle, top - 1.4 * small - 0.78 * size, str(box.number), pdf.BOLD, size, "centre")
    lowest = top - 1.4 * small - size
    board = min(MAX_BOARD_FONT_SIZE, 0.1 * height)
    most = min(0.115 * height, (lowest - y - 0.2 * small - 0.8 * board) / COLUMN_LINES)
    size = min(
        pdf.size_to_fit(line, pdf.BOLD, 0.95 * width, most)
        for stage in kit.stages
        for line in _column_lines(kit, stage)
    )
    _draw_squares(canvas, kit, box, middle, lowest - 0.8 * size, 0.75 * size, width)
    pdf.set_fill(canvas, pdf.INK)
    for line, text in zip((2.1, 3.25, 4.55), _column_lines(kit, box.stage), strict=True):
        pdf.write(canvas, middle, lowest - line * size, text, pdf.BOLD, size, "centre")
    _write_board(canvas, kit, box, (middle, y + 0.2 * small), (width, board), "centre")


def _draw_strip(canvas: Canvas, kit: Kit, box: Box, arrangement: Arrangement) -> None:
    """Draw the text below the board, with the number on the left and the stage, beads and board on the right."""
    (x, y), (width, height) = arrangement.panel, arrangement.panel_size
    longest = _longest_number(kit)
    size = pdf.size_to_fit(longest, pdf.BOLD, 0.42 * width, 1.1 * height)
    pdf.write(canvas, x, y + (height - pdf.HEIGHT_OF_CAPITALS * size) / 2, str(box.number), pdf.BOLD, size)
    right, room = x + width, width - pdf.text_width(longest, pdf.BOLD, size) - 1.0
    lines, places = _strip_lines(kit, box.stage, room, height)
    size = pdf.size_to_fit(max(lines, key=len), pdf.BOLD, room, 0.84 * height / places)
    for number, line in enumerate(lines):
        top = y + (0.97 - 1.06 * number / places) * height
        pdf.write(canvas, right, top - pdf.HEIGHT_OF_CAPITALS * size, line, pdf.BOLD, size, "right")
    if places > len(lines):
        _write_board(canvas, kit, box, (right, y + 0.06 * height), (room, MAX_BOARD_FONT_SIZE), "right")


def _draw_lines(canvas: Canvas, kit: Kit, box: Box, arrangement: Arrangement) -> None:
    """Draw a strip of text and squares beside a low board: the box's number, stage, initial beads and board."""
    (x, y), (width, height) = arrangement.panel, arrangement.panel_size
    longest = _longest_number(kit)
    size = pdf.size_to_fit(longest, pdf.BOLD, 0.5 * width, 0.42 * height)
    top = y + height - pdf.HEIGHT_OF_CAPITALS * size
    pdf.write(canvas, x, top, str(box.number), pdf.BOLD, size)
    left = x + pdf.text_width(longest, pdf.BOLD, size)
    _draw_squares(canvas, kit, box, (left + x + width) / 2, top, 0.13 * height, x + width - left)
    pdf.set_fill(canvas, pdf.INK)
    lines = [(stage_text(kit, stage), beads_text(kit, stage)) for stage in kit.stages]
    size = _line_size(lines, width, height)
    if size < MIN_FONT_SIZE:
        lines = [(f"move {stage}", beads_text(kit, stage)) for stage in kit.stages]
        size = _line_size(lines, width, height)
    for place, text in zip((0.44, 0.23), lines[kit.stages.index(box.stage)], strict=True):
        pdf.write(canvas, x, y + place * height, text, pdf.BOLD, size)
    _write_board(canvas, kit, box, (x, y + 0.02 * height), (width, size), "left")


def _line_size(lines: Sequence[tuple[str, ...]], width: float, height: float) -> float:
    return min(pdf.size_to_fit(line, pdf.BOLD, width, 0.17 * height) for texts in lines for line in texts)


def _strip_lines(kit: Kit, stage: int, room: float, height: float) -> tuple[list[str], int]:
    """Return a strip's lines about stage and beads, and the number of lines that fit if one line shows the board."""
    words, short, beads = stage_text(kit, stage), f"move {stage}", beads_text(kit, stage)
    if height >= MIN_THREE_LINE_STRIP:
        return [words, beads], 3
    for line in (f"{words}, {beads}", f"{short}, {beads}"):
        if pdf.size_to_fit(line, pdf.BOLD, room, 0.42 * height) >= MIN_FONT_SIZE:
            return [line], 2
    return [short, beads], 2


def _longest_number(kit: Kit) -> str:
    """Return a number with the maximum number of digits, so that the numbers on all labels have the same font size."""
    return "8" * max(3, len(str(kit.boxes[-1].number)))


def _draw_squares(canvas: Canvas, kit: Kit, box: Box, middle: float, y: float, side: float, width: float) -> None:
    """Draw one square for each stage, and fill the squares up to the stage of the box."""
    stages = kit.stages[-1]
    side = min(side, width / (1.5 * stages))
    left = middle - (1.5 * stages - 0.5) * side / 2
    pdf.set_stroke(canvas, pdf.INK, 0.12 * side)
    for stage in range(1, stages + 1):
        pdf.set_fill(canvas, pdf.INK if stage <= box.stage else pdf.PAPER)
        canvas.rect(left + (stage - 1) * 1.5 * side, y, side, side, stroke=1, fill=1)


def stage_text(kit: Kit, stage: int) -> str:
    """Return a stage in words.

    >>> from menace.labels.kit import load_kit
    >>> kit = load_kit(store, "menace-o", LabelSheet())
    >>> [stage_text(kit, stage) for stage in kit.stages]
    ["O's first move", "O's second move", "O's third move", "O's fourth move"]
    """
    return f"{kit.plays}'s {ordinal(stage)} move"


def beads_text(kit: Kit, stage: int) -> str:
    """Return the number of beads of each colour in a new box of a stage, in words.

    >>> from menace.labels.kit import load_kit
    >>> kit = load_kit(store, "menace-x", LabelSheet())
    >>> [beads_text(kit, stage) for stage in kit.stages]
    ['4 each', '3 each', '2 each', '1 each']
    """
    return f"{kit.first_beads(stage):,} each"


def _column_lines(kit: Kit, stage: int) -> list[str]:
    return [*stage_text(kit, stage).rsplit(" ", 1), beads_text(kit, stage)]


def _write_board(
    canvas: Canvas, kit: Kit, box: Box, place: tuple[float, float], room: tuple[float, float], align: pdf.Align
) -> None:
    """Write the board as text if there is room for readable letters."""
    text = kit.board_text(box.board)
    size = pdf.size_to_fit(text, pdf.PLAIN, *room)
    if size >= MIN_FONT_SIZE:
        pdf.write(canvas, *place, text, pdf.PLAIN, size, align)
