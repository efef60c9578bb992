"""One label: the canonical board of a box, its number and its stage. Every length is in millimetres.

The board takes as much of the label as it can, with the words beside it or below. The stage's tint ends a little inside
the label, so that a cut somewhat beside the line leaves no coloured edge, on this label or on the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from menace.boxes import Box
from menace.errors import InvalidSetting
from menace.labels.board import INK, PAPER, RGB, draw_board, fill, stroke
from menace.labels.kit import Kit
from menace.labels.lettering import BOLD, HEIGHT_OF_CAPITALS, PLAIN, POINT, Align, size_to_fit, width_of, write
from menace.labels.sheet import Sheet

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

# Pale, so that ink reads well on them; told apart also where hues look alike, by the words and the row of squares.
TINTS: tuple[RGB, ...] = (
    (255, 238, 186),
    (205, 228, 247),
    (216, 238, 208),
    (250, 215, 202),
    (229, 217, 242),
    (224, 224, 224),
)
SAFE = 1.0  # blank, inside the label's edge
LEAST_CELL = 3.5  # of a board: a number in its mark is then some 4.5 points high
SMALLEST = 4.4 * POINT  # size of letters


@dataclass(frozen=True)
class Arrangement:
    """Where things are on a label, from its lower left corner: cell, board and the panel of words."""

    cell: float
    board: tuple[float, float]
    panel: tuple[float, float]
    panel_size: tuple[float, float]
    pad: float


def tint(stage: int) -> RGB:
    """Return the colour of a stage, from 1; after the sixth they come again."""
    return TINTS[(stage - 1) % len(TINTS)]


def ordinal(number: int) -> str:
    """Return a number as people count.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(4)
    ('1st', '2nd', '3rd', '4th')
    """
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def arrange(sheet: Sheet, shape: tuple[int, int]) -> Arrangement:
    """Return the arrangement that shows the board largest.

    Raises:
        InvalidSetting: if its cells are too small to read.
    """
    width, height = sheet.width - 2 * SAFE, sheet.height - 2 * SAFE
    pad = min(2.5, max(0.7, 0.04 * min(width, height)))
    beside = _beside(width, height, pad, shape)
    below = _below(width, height, pad, shape)
    best = max(beside, below, key=lambda arrangement: arrangement.cell)
    if best.cell < LEAST_CELL:
        raise InvalidSetting(
            f"a label of {sheet.width:g} x {sheet.height:g} mm leaves {best.cell:.1f} mm for each cell of this board of"
            f" {shape[0]} x {shape[1]}; {LEAST_CELL:g} mm can be read: give a larger width or height"
        )
    return best


def _beside(width: float, height: float, pad: float, shape: tuple[int, int]) -> Arrangement:
    panel = min(40.0, max(10.5, 0.3 * width))
    blank = 3.5 * pad  # a pad at the edges, more between board and words
    cell = min((width - panel - blank) / shape[1], (height - 2 * pad) / shape[0])
    panel = min(width - blank - cell * shape[1], 1.4 * panel)
    spare = width - blank - panel - cell * shape[1]
    left = SAFE + pad + spare / 2
    board = (left, SAFE + (height - cell * shape[0]) / 2)
    corner = (left + cell * shape[1] + 1.5 * pad, SAFE + pad)
    return Arrangement(cell, board, corner, (panel, height - 2 * pad), pad)


def _below(width: float, height: float, pad: float, shape: tuple[int, int]) -> Arrangement:
    panel = min(22.0, max(4.8, 0.18 * height))
    cell = min((width - 2 * pad) / shape[1], (height - panel - 3 * pad) / shape[0])
    spare = height - 3 * pad - panel - cell * shape[0]
    board = (SAFE + (width - cell * shape[1]) / 2, SAFE + pad + panel + pad + spare / 2)
    return Arrangement(cell, board, (SAFE + pad, SAFE + pad), (width - 2 * pad, panel), pad)


def draw_label(canvas: Canvas, kit: Kit, box: Box, sheet: Sheet, arrangement: Arrangement) -> None:
    """Draw a box's label, its lower left corner at the canvas' origin."""
    fill(canvas, tint(box.stage))
    radius = 1.5 * arrangement.pad
    canvas.roundRect(SAFE, SAFE, sheet.width - 2 * SAFE, sheet.height - 2 * SAFE, radius, stroke=0, fill=1)
    draw_board(canvas, box.board, kit.columns, arrangement.board, arrangement.cell, kit.marks(box))
    if not kit.settings.merged:
        _draw_multiplicities(canvas, kit, box, arrangement)
    fill(canvas, INK)
    if arrangement.panel_size[0] > 2 * arrangement.panel_size[1]:
        _draw_strip(canvas, kit, box, arrangement)
    else:
        _draw_column(canvas, kit, box, arrangement)


def _draw_multiplicities(canvas: Canvas, kit: Kit, box: Box, arrangement: Arrangement) -> None:
    """Say how many equivalent cells a colour stands for, where that many times the beads belong in the box."""
    cell, (left, bottom) = arrangement.cell, arrangement.board
    size = max(SMALLEST, 0.2 * cell)
    for pile in box.piles:
        if pile.multiplicity > 1:
            row, column = divmod(pile.action, kit.columns)
            text = f"\N{MULTIPLICATION SIGN}{pile.multiplicity}"
            x, y = left + (column + 0.96) * cell, bottom + (kit.shape[0] - row - 0.96) * cell
            width = width_of(text, BOLD, size)
            fill(canvas, PAPER)
            canvas.rect(x - width, y, width, 0.8 * size, stroke=0, fill=1)
            fill(canvas, INK)
            write(canvas, x, y, text, BOLD, size, "right")


def _draw_column(canvas: Canvas, kit: Kit, box: Box, arrangement: Arrangement) -> None:
    """The words beside the board: the number on top, the stage below it, the board as text at the bottom."""
    (x, y), (width, height) = arrangement.panel, arrangement.panel_size
    middle, top = x + width / 2, y + height
    small = size_to_fit("box 8888", PLAIN, width, 0.09 * height)
    write(canvas, middle, top - 0.9 * small, "box", PLAIN, small, "centre")
    size = size_to_fit(_longest_number(kit), BOLD, width, 0.3 * height)
    write(canvas, middle, top - 1.4 * small - 0.78 * size, str(box.number), BOLD, size, "centre")
    lowest = top - 1.4 * small - size
    words = stage_text(kit, box.stage).rsplit(" ", 1)
    size = size_to_fit(max(words, key=len), BOLD, 0.85 * width, 0.12 * height)
    _draw_squares(canvas, kit, box, middle, lowest - 0.8 * size, 0.75 * size, width)
    fill(canvas, INK)
    for line, text in enumerate(words):
        write(canvas, middle, lowest - (2.1 + 1.15 * line) * size, text, BOLD, size, "centre")
    _write_board(canvas, kit, box, middle, y + 0.2 * small, width, "centre")


def _draw_strip(canvas: Canvas, kit: Kit, box: Box, arrangement: Arrangement) -> None:
    """The words below the board: the number at the left, the stage and the board as text at the right."""
    (x, y), (width, height) = arrangement.panel, arrangement.panel_size
    longest = _longest_number(kit)
    size = size_to_fit(longest, BOLD, 0.42 * width, 1.1 * height)
    write(canvas, x, y + (height - HEIGHT_OF_CAPITALS * size) / 2, str(box.number), BOLD, size)
    right, room = x + width, width - width_of(longest, BOLD, size) - 1.0
    text = stage_text(kit, box.stage)
    if size_to_fit(text, BOLD, room, 0.4 * height) < SMALLEST:
        text = f"move {box.stage}"
    size = size_to_fit(text, BOLD, room, 0.42 * height)
    write(canvas, right, y + 0.97 * height - HEIGHT_OF_CAPITALS * size, text, BOLD, size, "right")
    _write_board(canvas, kit, box, right, y + 0.06 * height, room, "right")


def _longest_number(kit: Kit) -> str:
    """Return as many digits as the longest number has, so that those of all labels are of one size."""
    return "8" * max(3, len(str(kit.boxes[-1].number)))


def _draw_squares(canvas: Canvas, kit: Kit, box: Box, middle: float, y: float, side: float, width: float) -> None:
    """A square for each stage, filled up to the box's own."""
    stages = kit.stages[-1]
    side = min(side, width / (1.5 * stages))
    left = middle - (1.5 * stages - 0.5) * side / 2
    stroke(canvas, INK, 0.12 * side)
    for stage in range(1, stages + 1):
        fill(canvas, INK if stage <= box.stage else PAPER)
        canvas.rect(left + (stage - 1) * 1.5 * side, y, side, side, stroke=1, fill=1)


def stage_text(kit: Kit, stage: int) -> str:
    """Return which move of the machine a stage is, in words."""
    return f"{kit.plays}'s {ordinal(stage)} move"


def _write_board(canvas: Canvas, kit: Kit, box: Box, x: float, y: float, room: float, align: Align) -> None:
    """Write the board as `menace show` reads it, if there is room for letters of a size to read."""
    text = board_text(box.board, kit.columns)
    size = size_to_fit(text, PLAIN, room, 8 * POINT)
    if size >= SMALLEST:
        write(canvas, x, y, text, PLAIN, size, align)


def board_text(board: str, columns: int) -> str:
    """Return a board as text with its rows apart, which `menace show` reads.

    >>> board_text("X...O....", 3)
    'X../.O./...'
    """
    return "/".join(board[start : start + columns] for start in range(0, len(board), columns))
