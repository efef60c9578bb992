"""The shopping list for building a machine: how many beads of each colour, and how many boxes."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Table

from menace.labels.board_pdf import INK, PALE_INK, draw_board, draw_mark, fill, stroke
from menace.labels.kit_data import Kit
from menace.labels.label import stage_text, tint
from menace.labels.lettering import BOLD, PLAIN, write
from menace.labels.pdf_pages import PALE_LINE, TEXT, TITLE, PageDrawing, paragraph, table
from menace.learners.box import Box
from menace.naming_schemes import BeadColour
from menace.wording import counted

SPARE_WINS = 50  # won games that the spare beads are enough for
# A tray of 50 x 33 x 12 mm filled to 60 % with balls of 4 mm (0.0335 ml each) holds some 350; shaking needs room.
BOX_HOLDS = 300
ROW = 8.6  # mm


@dataclass(frozen=True)
class BeadCount:
    """The beads of one colour in a whole machine.

    Attributes:
        place: of the colour in its scheme; where moves are cells, the cell that it stands for.
        colour: of its beads.
        number: the one on labels.
        boxes: how many boxes have the colour.
        fresh: beads before the first game.
        spare: beads that wins will add.
        now: beads in the boxes as they stand.

    >>> from menace.labels.kit_data import kit_of
    >>> from menace.labels.label_sheet import LabelSheet
    >>> centre = bead_counts(kit_of(store, "menace-x", LabelSheet()))[4]
    >>> centre.colour.name, centre.fresh, centre.spare, centre.to_buy
    ('white', 213, 75, 288)
    """

    place: int
    colour: BeadColour
    number: int
    boxes: int
    fresh: int
    spare: int
    now: int

    @property
    def to_buy(self) -> int:
        """Beads for a fresh machine, with the spare ones."""
        return self.fresh + self.spare


def bead_counts(kit: Kit) -> tuple[BeadCount, ...]:
    """Return the beads of each colour, by its place.

    The spare beads are what SPARE_WINS won games add, one colour in each box that a game opens, distributed like the
    beads of the fresh machine, and rounded up. Lost games free beads, so most machines need fewer.

    >>> from menace.labels.kit_data import kit_of
    >>> from menace.labels.label_sheet import LabelSheet
    >>> counts = bead_counts(kit_of(store, "menace-x", LabelSheet()))
    >>> [(count.colour.name, count.to_buy) for count in counts[:3]], sum(count.to_buy for count in counts)
    ([('red', 38), ('orange', 106), ('yellow', 324)], 2324)
    """
    fresh, now = _beads_by_place(kit, kit.fresh), _beads_by_place(kit, kit.boxes)
    boxes = Counter(bead.place for box in kit.boxes for bead in kit.beads(box).values())
    won, total = SPARE_WINS * len(kit.stages) * kit.rules.gained, sum(fresh.values())
    counts = []
    for place, colour, number in colours_of(kit):
        spare = -(-won * fresh[place] // total)
        counts.append(BeadCount(place, colour, number, boxes[place], fresh[place], spare, now[place]))
    return tuple(counts)


def colours_of(kit: Kit) -> list[tuple[int, BeadColour, int]]:
    """Return place, colour and number of each colour: of all cells where moves are cells, else of those in the boxes.

    >>> from menace.labels.kit_data import kit_of
    >>> from menace.labels.label_sheet import LabelSheet
    >>> kit = kit_of(store, "menace-x", LabelSheet(numbering="michie"))
    >>> [(number, colour.name) for _, colour, number in colours_of(kit)][:4]
    [(1, 'red'), (2, 'orange'), (3, 'yellow'), (8, 'green')]
    """
    if kit.of_cells:
        return [
            (cell, *named)
            for cell, named in enumerate(zip(kit.names.colours_of_cells, kit.names.numbers_of_cells, strict=True))
        ]
    beads = {bead.place: bead for box in kit.boxes for bead in kit.beads(box).values()}
    return [(place, beads[place].colour, beads[place].number) for place in sorted(beads)]


def _beads_by_place(kit: Kit, boxes: tuple[Box, ...]) -> Counter[int]:
    beads_by_place: Counter[int] = Counter()
    for box in boxes:
        beads = kit.beads(box)
        for move in box.moves:
            beads_by_place[beads[move.action].place] += move.beads
    return beads_by_place


def shopping_story(kit: Kit, width: float) -> list[Flowable]:
    """Return the tables of beads and of boxes, `width` mm wide, with notes."""
    return [
        paragraph("Shopping list: beads", TITLE),
        _bead_table(kit, width),
        *(paragraph(text) for text in _bead_notes(kit)),
        paragraph("Shopping list: boxes", TITLE),
        _box_table(kit, width),
    ]


def _bead_table(kit: Kit, width: float) -> Table:
    cell = "cell" if kit.of_cells else ""
    header = ("", "colour", cell, "boxes with it", "fresh machine", "spare", "to buy", "as it stands")
    counts = bead_counts(kit)
    numbers = [(count.boxes, count.fresh, count.spare, count.to_buy, count.now) for count in counts]
    rows = [
        (
            PageDrawing(9, ROW, partial(_draw_bead, count=count)),
            count.colour.name,
            PageDrawing(20, ROW, partial(_draw_cell, kit=kit, count=count)) if kit.of_cells else "",
            *(f"{number:,}" for number in row),
        )
        for count, row in zip(counts, numbers, strict=True)
    ]
    sums = ("", "all", "", *(f"{sum(column):,}" for column in zip(*numbers, strict=True)))
    return _lined((header, *rows, sums), width, (0.07, 0.165, 0.085, 0.12, 0.17, 0.11, 0.12, 0.16), 3)


def _draw_bead(canvas: Canvas, count: BeadCount) -> None:
    draw_mark(canvas, 4.5, ROW / 2, 3.1, count.colour.hex, str(count.number))


def _draw_cell(canvas: Canvas, kit: Kit, count: BeadCount) -> None:
    """Draw a small board with the cell in black, and its number."""
    cell = min((ROW - 1.6) / kit.shape[0], 14 / kit.columns)
    y = ROW / 2 - cell * kit.shape[0] / 2
    draw_board(canvas, [""] * math.prod(kit.shape), kit.shape, (0, y), cell)
    row, column = divmod(count.place, kit.columns)
    fill(canvas, INK)
    canvas.rect(column * cell, y + (kit.shape[0] - 1 - row) * cell, cell, cell, stroke=0, fill=1)
    write(canvas, cell * kit.columns + 2, ROW / 2 - 0.36 * TEXT, str(count.number), PLAIN, TEXT)


def _lined(rows: tuple[tuple[Any, ...], ...], width: float, shares: tuple[float, ...], numbers_from: int) -> Table:
    """Return a table with a line below each row, the last in bold, and numbers in the later columns."""
    look = (
        ("LINEBELOW", (0, 0), (-1, -1), 0.1 * mm, PALE_LINE),
        ("ALIGN", (numbers_from, 0), (-1, -1), "RIGHT"),
        ("FONT", (0, -1), (-1, -1), BOLD, 10),
    )
    return table(rows, [share * width for share in shares], ROW, *look, repeatRows=1, spaceAfter=3 * mm)


def _bead_notes(kit: Kit) -> list[str]:
    notes = []
    gained = kit.rules.gained
    if gained:
        notes.append(
            f"Spare: a won game adds up to {counted(gained, 'bead')} a box, to at most"
            f" {counted(len(kit.stages), 'box')}. These are enough for {SPARE_WINS} won games, shared among the colours"
            " as in the fresh machine, and rounded up."
        )
    notes.append(
        f"As it stands: after {counted(kit.games, 'game')} in the database. Fresh: before the first game; the labels"
        " say how many beads go into each box."
    )
    fullest = max(kit.boxes, key=lambda box: (box.beads, -box.position_id))
    crowded = sum(box.beads > BOX_HOLDS for box in kit.boxes)
    if crowded:
        notes.append(
            f"Box {fullest.number} is the fullest as it stands, with {counted(fullest.beads, 'bead')}. A matchbox holds"
            f" some {BOX_HOLDS} beads of 4 mm; {counted(crowded, 'box')} {'has' if crowded == 1 else 'have'} more."
        )
    return notes


def _box_table(kit: Kit, width: float) -> Table:
    rows: list[tuple[Any, ...]] = [("", "move", "boxes", "numbers", "fresh beads in all", "")]
    for stage in kit.stages:
        boxes = [box for box in kit.fresh if box.stage == stage]
        numbers = f"{boxes[0].number} to {boxes[-1].number}" if len(boxes) > 1 else str(boxes[0].number)
        beads = sum(box.beads for box in boxes)
        square = PageDrawing(9, ROW, partial(_draw_tint, stage=stage))
        rows.append((square, stage_text(kit, stage), f"{len(boxes):,}", numbers, f"{beads:,}", ""))
    total = sum(box.beads for box in kit.fresh)
    sums = ("", "all", f"{len(kit.fresh):,}", "", f"{total:,}", "")
    return _lined((*rows, sums), width, (0.07, 0.23, 0.14, 0.17, 0.23, 0.16), 2)


def _draw_tint(canvas: Canvas, stage: int) -> None:
    fill(canvas, tint(stage))
    stroke(canvas, PALE_INK, 0.1)
    canvas.rect(1.5, 1.4, 6, ROW - 2.8, stroke=1, fill=1)
