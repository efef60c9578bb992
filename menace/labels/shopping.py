"""The shopping list: how many beads of each colour, and how many boxes."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from menace.colours import BeadColour
from menace.labels.board import INK, PALE_INK, draw_board, draw_mark, fill, stroke
from menace.labels.kit import Kit
from menace.labels.label import stage_text, tint
from menace.labels.lettering import BOLD, PLAIN, write
from menace.labels.page import TEXT, Block, heading, paragraph, space
from menace.labels.sheet import Sheet
from menace.learners.box import Box
from menace.learners.favourite import bead_changes
from menace.learners.menace import MenaceSettings
from menace.wording import counted

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

SPARE_WINS = 50  # won games that the spare beads are enough for
# A tray of 50 x 33 x 12 mm filled to 60 % with balls of 4 mm (0.0335 ml each) holds some 350; shaking needs room.
BOX_HOLDS = 300
ROW = 8.6  # mm


@dataclass(frozen=True)
class BeadCount:
    """The beads of one colour in a whole machine.

    Attributes:
        place: of the colour in its scheme, which is the cell that it stands for where moves are cells.
        colour: of its beads.
        number: as labels show it.
        boxes: how many boxes have the colour.
        fresh: beads before the first game.
        spare: beads that wins will ask for.
        now: beads as the learner stands.

    >>> from menace.labels.kit import kit_of
    >>> centre = bead_counts(kit_of(store, "menace-x", Sheet()))[4]
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

    The spare beads are what SPARE_WINS won games add, one colour in each box that a game opens, shared out as the beads
    of the fresh machine are, and rounded up. Lost games give beads back, so that most machines need fewer.

    >>> from menace.labels.kit import kit_of
    >>> counts = bead_counts(kit_of(store, "menace-x", Sheet()))
    >>> [(count.colour.name, count.to_buy) for count in counts[:3]], sum(count.to_buy for count in counts)
    ([('red', 38), ('orange', 106), ('yellow', 324)], 2324)
    """
    fresh, now = _beads_by_place(kit, kit.fresh), _beads_by_place(kit, kit.boxes)
    boxes = Counter(bead.place for box in kit.boxes for bead in kit.beads(box).values())
    won, total = SPARE_WINS * len(kit.stages) * most_gained(kit), sum(fresh.values())
    found = []
    for place, colour, number in colours_of(kit):
        spare = -(-won * fresh[place] // total)
        found.append(BeadCount(place, colour, number, boxes[place], fresh[place], spare, now[place]))
    return tuple(found)


def colours_of(kit: Kit) -> list[tuple[int, BeadColour, int]]:
    """Return place, colour and number of each colour: of all cells where moves are cells, else of those in a box.

    >>> from menace.labels.kit import kit_of
    >>> kit = kit_of(store, "menace-x", Sheet(numbering="michie"))
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


def most_gained(kit: Kit) -> int:
    """Return the beads that a won game puts into a box, at most.

    >>> from menace.labels.kit import kit_of
    >>> most_gained(kit_of(store, "menace-x", Sheet()))
    3
    """
    if isinstance(kit.settings, MenaceSettings):
        return kit.settings.win
    won = bead_changes(kit.settings, kit.longest)[0]
    games = [moves for moves, *who in kit.lengths if who[kit.side]]
    return max((int(won[moves, kit.side : moves : 2].max(initial=0)) for moves in games), default=0)


def _beads_by_place(kit: Kit, boxes: tuple[Box, ...]) -> Counter[int]:
    found: Counter[int] = Counter()
    for box in boxes:
        beads = kit.beads(box)
        for move in box.moves:
            found[beads[move.action].place] += move.beads
    return found


def shopping_blocks(kit: Kit, sheet: Sheet) -> list[Block]:
    """Return the tables of beads and of boxes, with what they mean."""
    width, counts = sheet.room[0], bead_counts(kit)
    columns = _bead_columns(width)
    header = (
        "",
        "colour",
        "cell" if kit.of_cells else "",
        "boxes with it",
        "fresh machine",
        "spare",
        "to buy",
        "as it stands",
    )
    blocks = [heading("Shopping list: beads"), _text_row(columns, header, PLAIN, width)]
    blocks += [_bead_row(kit, count, columns, width) for count in counts]
    sums = [sum(getattr(count, name) for count in counts) for name in ("boxes", "fresh", "spare", "to_buy", "now")]
    blocks.append(_text_row(columns, ("", "all", "", *(f"{number:,}" for number in sums)), BOLD, width))
    blocks += [space(2), *(paragraph(text, width) for text in _bead_notes(kit))]
    blocks += [space(2), heading("Shopping list: boxes"), *_box_rows(kit, width)]
    return blocks


def _bead_columns(width: float) -> list[tuple[float, bool]]:
    """Return each column's x and whether it is aligned to the right."""
    shares = ((0.0, False), (0.07, False), (0.235, False), (0.44, True), (0.61, True), (0.72, True), (0.84, True))
    return [*((share * width, right) for share, right in shares), (width, True)]


def _bead_row(kit: Kit, count: BeadCount, columns: list[tuple[float, bool]], width: float) -> Block:
    numbers = (count.boxes, count.fresh, count.spare, count.to_buy, count.now)
    texts = _text_row(columns, ("", count.colour.name, "", *(f"{number:,}" for number in numbers)), PLAIN, width)
    cell = min((ROW - 1.6) / kit.shape[0], 14 / kit.columns)

    def draw(canvas: Canvas, left: float, top: float) -> None:
        texts.draw(canvas, left, top)
        middle = top - ROW / 2
        draw_mark(canvas, left + 4.5, middle, 3.1, count.colour, count.number)
        if not kit.of_cells:
            return
        x, y = left + columns[2][0], middle - cell * kit.shape[0] / 2
        draw_board(canvas, [""] * math.prod(kit.shape), kit.shape, (x, y), cell)
        row, column = divmod(count.place, kit.columns)
        fill(canvas, INK)
        corner = y + (kit.shape[0] - 1 - row) * cell
        canvas.rect(x + column * cell, corner, cell, cell, stroke=0, fill=1)
        write(canvas, x + cell * kit.columns + 2, middle - 0.36 * TEXT, str(count.number), PLAIN, TEXT)

    return Block(ROW, draw)


def _text_row(columns: list[tuple[float, bool]], texts: tuple[str, ...], font: str, width: float) -> Block:
    """Return a row of a table, with a line below it."""

    def draw(canvas: Canvas, left: float, top: float) -> None:
        fill(canvas, INK)
        for (x, right), text in zip(columns, texts, strict=True):
            write(canvas, left + x, top - ROW / 2 - 0.36 * TEXT, text, font, TEXT, "right" if right else "left")
        stroke(canvas, PALE_INK, 0.1)
        canvas.line(left, top - ROW, left + width, top - ROW)

    return Block(ROW, draw)


def _bead_notes(kit: Kit) -> list[str]:
    notes = []
    gained = most_gained(kit)
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


def _box_rows(kit: Kit, width: float) -> list[Block]:
    columns = [(0.0, False), (0.07 * width, False), (0.44 * width, True), (0.61 * width, True), (0.84 * width, True)]
    rows = [_text_row(columns, ("", "move", "boxes", "numbers", "fresh beads in all"), PLAIN, width)]
    for stage in kit.stages:
        boxes = [box for box in kit.fresh if box.stage == stage]
        numbers = f"{boxes[0].number} to {boxes[-1].number}" if len(boxes) > 1 else str(boxes[0].number)
        beads = sum(box.beads for box in boxes)
        texts = ("", stage_text(kit, stage), f"{len(boxes):,}", numbers, f"{beads:,}")
        rows.append(_with_tint(_text_row(columns, texts, PLAIN, width), stage))
    total = sum(box.beads for box in kit.fresh)
    rows.append(_text_row(columns, ("", "all", f"{len(kit.fresh):,}", "", f"{total:,}"), BOLD, width))
    return rows


def _with_tint(row: Block, stage: int) -> Block:
    def draw(canvas: Canvas, left: float, top: float) -> None:
        fill(canvas, tint(stage))
        stroke(canvas, PALE_INK, 0.1)
        canvas.rect(left + 1.5, top - ROW + 1.4, 6, ROW - 2.8, stroke=1, fill=1)
        row.draw(canvas, left, top)

    return Block(row.height, draw)
