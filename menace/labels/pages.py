"""Lay out the pages after the labels: a board and pieces to cut out, an index, a shopping list and worksheets."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Spacer, Table

from menace.games.base import DEAD, GAP, STONE
from menace.labels import pdf
from menace.labels.kit import SPARE_COPIES, SPARE_GAMES, SPARE_SHARE, Kit
from menace.labels.label import stage_text, tint_of_stage
from menace.learners.box import Box
from menace.text.bead_colours import BeadColour
from menace.text.wording import OPPONENTS, counted

# A tray of 50 x 33 x 12 mm contains about 350 balls with a diameter of 4 mm if they fill 60% of its volume. Each ball
# has a volume of 0.0335 ml. The limit is lower, because beads need space to be shaken.
BOX_CAPACITY = 300
ROW_HEIGHT = 8.6  # height of a table row, in mm


@dataclass(frozen=True)
class BeadCount:
    """The number of beads of one colour that a whole machine needs.

    Attributes:
        place: the index of the colour in its scheme. If moves are cells, this is the cell that the colour represents.
        colour: the colour.
        number: the number that represents the colour on labels.
        boxes: the number of boxes that contain the colour.
        fresh: the number of beads before the first game.
        spare: the number of beads that the first games will probably add.
        now: the number of beads currently in the boxes.

    >>> from menace.labels.kit import load_kit
    >>> from menace.labels.kit import LabelSheet
    >>> centre = bead_counts(load_kit(store, "menace-x", LabelSheet()))[4]
    >>> centre.colour.name, centre.fresh, centre.spare, centre.to_buy
    ('white', 213, 107, 320)
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
        """The number of beads needed for a new machine, including spares."""
        return self.fresh + self.spare


def bead_counts(kit: Kit) -> tuple[BeadCount, ...]:
    """Count the beads of each colour, in the order of the scheme.

    >>> from menace.labels.kit import load_kit
    >>> from menace.labels.kit import LabelSheet
    >>> counts = bead_counts(load_kit(store, "menace-x", LabelSheet()))
    >>> [(count.colour.name, count.to_buy) for count in counts[:3]], sum(count.to_buy for count in counts)
    ([('red', 113), ('orange', 149), ('yellow', 305)], 2331)
    """
    fresh, now = _beads_by_place(kit, kit.fresh), _beads_by_place(kit, kit.boxes)
    boxes = Counter(bead.place for box in kit.boxes for bead in kit.beads(box).values())
    return tuple(
        BeadCount(place, colour, number, boxes[place], fresh[place], kit.spare.get(place, 0), now[place])
        for place, colour, number in list_colours(kit)
    )


def list_colours(kit: Kit) -> list[tuple[int, BeadColour, int]]:
    """Return (index, colour, number on the labels) for each bead colour.

    If moves are cells, the list contains the colours of all cells. Otherwise, the list contains the colours in the
    boxes.

    >>> from menace.labels.kit import load_kit
    >>> from menace.labels.kit import LabelSheet
    >>> kit = load_kit(store, "menace-x", LabelSheet(numbering="michie"))
    >>> [(number, colour.name) for _, colour, number in list_colours(kit)][:4]
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
    """Return the shopping list, which consists of notes and tables of beads and boxes, `width` mm wide."""
    return [
        pdf.paragraph("Shopping list: beads", pdf.TITLE),
        _bead_table(kit, width),
        *(pdf.paragraph(text) for text in _bead_notes(kit)),
        pdf.paragraph("Shopping list: boxes", pdf.TITLE),
        _box_table(kit, width),
    ]


def _bead_table(kit: Kit, width: float) -> Table:
    cell = "cell" if kit.of_cells else ""
    header = ("", "colour", cell, "boxes with it", "new machine", "spare", "to buy", "at present")
    counts = bead_counts(kit)
    numbers = [(count.boxes, count.fresh, count.spare, count.to_buy, count.now) for count in counts]
    rows = [
        (
            pdf.PageDrawing(9, ROW_HEIGHT, partial(_draw_bead, count=count)),
            count.colour.name,
            pdf.PageDrawing(20, ROW_HEIGHT, partial(_draw_cell, kit=kit, count=count)) if kit.of_cells else "",
            *(f"{number:,}" for number in row),
        )
        for count, row in zip(counts, numbers, strict=True)
    ]
    sums = ("", "all", "", *(f"{sum(column):,}" for column in zip(*numbers, strict=True)))
    return _ruled_table((header, *rows, sums), width, (0.07, 0.165, 0.085, 0.12, 0.17, 0.11, 0.12, 0.16), 3)


def _draw_bead(canvas: Canvas, count: BeadCount) -> None:
    pdf.draw_mark(canvas, 4.5, ROW_HEIGHT / 2, 3.1, count.colour.hex, str(count.number))


def _draw_cell(canvas: Canvas, kit: Kit, count: BeadCount) -> None:
    """Draw a small board with one black cell, and the number of that cell."""
    cell = min((ROW_HEIGHT - 1.6) / kit.shape[0], 14 / kit.columns)
    y = ROW_HEIGHT / 2 - cell * kit.shape[0] / 2
    pdf.draw_board(canvas, [""] * math.prod(kit.shape), kit.shape, (0, y), cell)
    row, column = divmod(count.place, kit.columns)
    pdf.set_fill(canvas, pdf.INK)
    canvas.rect(column * cell, y + (kit.shape[0] - 1 - row) * cell, cell, cell, stroke=0, fill=1)
    pdf.write(canvas, cell * kit.columns + 2, ROW_HEIGHT / 2 - 0.36 * pdf.TEXT, str(count.number), pdf.PLAIN, pdf.TEXT)


def _ruled_table(
    rows: tuple[tuple[Any, ...], ...], width: float, shares: tuple[float, ...], numbers_from: int
) -> Table:
    """Return a table with a line below each row, a bold last row, and right-aligned columns from `numbers_from` on."""
    look = (
        ("LINEBELOW", (0, 0), (-1, -1), 0.1 * mm, pdf.PALE_LINE),
        ("ALIGN", (numbers_from, 0), (-1, -1), "RIGHT"),
        ("FONT", (0, -1), (-1, -1), pdf.BOLD, 10),
    )
    return pdf.table(rows, [share * width for share in shares], ROW_HEIGHT, *look, repeatRows=1, spaceAfter=3 * mm)


def _bead_notes(kit: Kit) -> list[str]:
    notes = []
    if any(kit.spare.values()):
        notes.append(
            f"Spare beads: {SPARE_COPIES} copies of the new machine each played {SPARE_GAMES} games"
            f" {OPPONENTS['optimal']}, and {SPARE_COPIES} {OPPONENTS['random']}. For each colour, the spare beads were"
            f" enough for at least {SPARE_SHARE * SPARE_COPIES:.0f} copies in each group."
        )
    notes.append(
        "The column for the new machine shows the beads before the first game; the labels say how many beads go into"
        f" each box. At present, after {counted(kit.games, 'game')} in the database, the boxes contain the "
        "numbers of beads in the last column."
    )
    fullest = max(kit.boxes, key=lambda box: (box.beads, -box.position_id))
    crowded = sum(box.beads > BOX_CAPACITY for box in kit.boxes)
    if crowded:
        notes.append(
            f"Box {fullest.number} is the fullest at present, with {counted(fullest.beads, 'bead')}. A matchbox holds"
            f" about {BOX_CAPACITY} beads of 4 mm, but {counted(crowded, 'box')} would have to hold more."
        )
    return notes


def _box_table(kit: Kit, width: float) -> Table:
    rows: list[tuple[Any, ...]] = [("", "move", "boxes", "box numbers", "beads when new", "")]
    for stage in kit.stages:
        boxes = [box for box in kit.fresh if box.stage == stage]
        numbers = f"{boxes[0].number} to {boxes[-1].number}" if len(boxes) > 1 else str(boxes[0].number)
        beads = sum(box.beads for box in boxes)
        square = pdf.PageDrawing(9, ROW_HEIGHT, partial(_draw_tint, stage=stage))
        rows.append((square, stage_text(kit, stage), f"{len(boxes):,}", numbers, f"{beads:,}", ""))
    total = sum(box.beads for box in kit.fresh)
    sums = ("", "all", f"{len(kit.fresh):,}", "", f"{total:,}", "")
    return _ruled_table((*rows, sums), width, (0.07, 0.23, 0.14, 0.17, 0.23, 0.16), 2)


def _draw_tint(canvas: Canvas, stage: int) -> None:
    pdf.set_fill(canvas, tint_of_stage(stage))
    pdf.set_stroke(canvas, pdf.PALE_INK, 0.1)
    canvas.rect(1.5, 1.4, 6, ROW_HEIGHT - 2.8, stroke=1, fill=1)


MAX_CELL = 48.0  # maximum side of a cell, in mm
PIECE_SHARE, MAX_PIECE = 0.7, 26.0  # maximum size of a piece (about that of a coin), as a share of a cell and in mm
TEXT_HEIGHT = 115.0  # height of the text and pieces above and below a board, in mm
BOARD_EDGE = 1.0  # margin for the line around a board, in mm
NAME_SIZE = 0.13  # half the size of a cell's name, relative to the cell; at this size, pieces do not cover the name
STONE_SQUARE = 24.0  # side of the square for a stone of a heap, in mm
MAX_STONES_PER_LINE = 7  # maximum number of stones in a line


def board_story(kit: Kit, width: float, height: float) -> list[Flowable]:
    """Return the board and its pieces, on a single page of `width` x `height` mm if possible."""
    board = _heap_drawings(kit.heaps) if kit.heaps else [_board_drawing(kit, width, height)]
    pieces = [piece for piece, number in kit.pieces for _ in range(number)]
    return [
        pdf.paragraph("The board, to cut out", pdf.TITLE),
        pdf.paragraph(_board_text(kit), pdf.LEADING_BODY),
        *board,
        *([Spacer(0, 3 * mm), pdf.paragraph("Its pieces, to cut out", pdf.SUBTITLE)] if pieces else []),
        *_rows_of_pieces(pieces, min(MAX_PIECE, PIECE_SHARE * cell_side(kit, width, height)), width),
    ]


def _board_text(kit: Kit) -> str:
    pieces = " and ".join(f"{number} {_plural(piece, number)}" for piece, number in kit.pieces)
    text = f"Play on this board with {f'the pieces below ({pieces}), or with ' if pieces else ''}coins."
    if kit.heaps:
        return (
            f"{text} Begin with a stone on every number, and take stones from the end. The highest covered number is"
            " then the number of stones in the heap."
        )
    if kit.of_cells:
        return f"{text} The cells have the same numbers and colours as on the labels."
    return f"{text} The board has the same orientation as on the labels."


def _plural(piece: str, number: int) -> str:
    if piece != STONE:
        return f"of {piece}"
    return "stone" if number == 1 else "stones"


def cell_side(kit: Kit, width: float, height: float) -> float:
    """Return the side of a cell of the board, in mm, on a page of `width` x `height` mm."""
    return min(MAX_CELL, (width - 2 * BOARD_EDGE) / kit.columns, (height - TEXT_HEIGHT) / kit.shape[0])


def _board_drawing(kit: Kit, width: float, height: float) -> pdf.PageDrawing:
    cell = cell_side(kit, width, height)
    empty = [piece if piece in {DEAD, GAP} else "" for piece in kit.game.pieces(kit.game.initial)]

    def paint(canvas: Canvas) -> None:
        pdf.draw_board(canvas, empty, kit.shape, (BOARD_EDGE, 0), cell)
        for number, (name, colour) in cell_names(kit).items():
            row, column = divmod(number, kit.columns)
            x, y = BOARD_EDGE + (column + 1.3 * NAME_SIZE) * cell, (kit.shape[0] - row - 1.3 * NAME_SIZE) * cell
            if colour:
                pdf.draw_mark(canvas, x, y, NAME_SIZE * cell, colour, name)
            else:
                pdf.set_fill(canvas, pdf.PALE_INK)
                size = pdf.size_to_fit(name, pdf.BOLD, 0.9 * cell, NAME_SIZE * cell)
                pdf.write(canvas, x - NAME_SIZE * cell, y - 0.2 * size, name, pdf.BOLD, size)

    return pdf.PageDrawing(cell * kit.columns + 2 * BOARD_EDGE, cell * kit.shape[0], paint)


def cell_names(kit: Kit) -> dict[int, tuple[str, str]]:
    """Return each cell's name on the labels and its bead colour. The colour is `""` if moves are not cells.

    >>> from menace.labels.kit import load_kit
    >>> from menace.labels.kit import LabelSheet
    >>> cell_names(load_kit(store, "menace-x", LabelSheet()))[4]
    ('4', '#ffffff')
    """
    if kit.of_cells:
        return {cell: (str(number), colour.hex) for cell, colour, number in list_colours(kit)}
    game, names = kit.game, {}
    for action in game.actions(game.initial):
        where, name = game.where(game.initial, action), game.name_of(game.initial, action)
        for cell in where.cells:
            names[cell] = (name.removeprefix(where.places), "")
    square = getattr(game, "square", None)
    return {cell: (square(cell), "") for cell in range(kit.shape[0] * kit.columns)} if square else names


def _heap_drawings(heaps: tuple[int, ...]) -> Iterator[Flowable]:
    """Yield each heap as lines of squares numbered from 1. Page breaks can occur between the lines."""
    for number, size in enumerate(heaps, start=1):
        yield pdf.paragraph(f"Heap {number}: {counted(size, 'stone')}", pdf.SUBTITLE)
        lines = -(-size // MAX_STONES_PER_LINE)
        beside = -(-size // lines)
        for first in range(0, size, beside):
            places = range(first + 1, min(first + beside, size) + 1)
            yield pdf.PageDrawing(STONE_SQUARE * len(places), STONE_SQUARE, partial(_draw_places, places=places))


def _draw_places(canvas: Canvas, places: range) -> None:
    pdf.set_stroke(canvas, pdf.INK, 0.2)
    for index, number in enumerate(places):
        x = STONE_SQUARE * index
        pdf.set_fill(canvas, (255, 255, 255))
        canvas.rect(x, 0, STONE_SQUARE, STONE_SQUARE, stroke=1, fill=1)
        pdf.set_fill(canvas, pdf.PALE_INK)
        pdf.write(canvas, x + STONE_SQUARE / 2, STONE_SQUARE / 2 - 2, str(number), pdf.BOLD, 6, "centre")


def _rows_of_pieces(pieces: list[str], side: float, width: float) -> Iterator[pdf.PageDrawing]:
    """Yield rows of pieces in squares that can be separated with straight cuts."""
    beside = int(width // side)
    for first in range(0, len(pieces), beside):
        row = pieces[first : first + beside]
        paint = partial(pdf.draw_board, pieces=row, shape=(1, len(row)), corner=(0, 0), cell=side)
        yield pdf.PageDrawing(side * len(row), side, paint)


INDEX_CELL = 2.8  # side of a cell in the index, in mm
INDEX_GAP = 2.6  # space between boards, in mm
READING_ORDER = "read the cells row by row from the top left; X comes before O, and O comes before an empty cell"
NUMBER_BASELINE = 3.1  # distance from a board to the baseline of its number, in mm
MAX_LISTED_SYMMETRIES = 3  # if there are more symmetries than this, their names are not listed
INDEX_EDGE = 0.7  # width of the tint around a board, in mm
HEADING = 11 * pdf.POINT
CAPTION = 7 * pdf.POINT
NUMBER_SPACE = 5.3  # height of the number and the space below a board, in mm


def index_story(kit: Kit, width: float) -> list[Flowable]:
    """Return the index, `width` mm wide, with instructions and the boards of each stage under a heading."""
    stages = [[box for box in kit.boxes if box.stage == stage] for stage in kit.stages]
    return [
        pdf.paragraph("Index of the boxes", pdf.TITLE),
        *(pdf.paragraph(text) for text in index_instructions(kit)),
        *(_stage_index(kit, boxes, width) for boxes in stages),
    ]


def _stage_index(kit: Kit, boxes: list[Box], width: float) -> Table:
    """Return the boards of a stage under a heading, to which later pages add "continued"."""
    name = stage_text(kit, boxes[0].stage)
    heading = f"{name}: {_board_state(kit, boxes[0].ply)}; {counted(len(boxes), 'box')}"
    headings = chain([heading], repeat(f"{name}, continued"))
    pitch = max(INDEX_CELL * kit.columns, 6.5) + INDEX_GAP
    beside = max(1, int((width - 2 * INDEX_EDGE + INDEX_GAP) // pitch))
    height = INDEX_CELL * kit.shape[0] + NUMBER_SPACE + 2 * INDEX_EDGE
    pictures = [pdf.PageDrawing(pitch, height, partial(_draw_box, kit=kit, box=box, pitch=pitch)) for box in boxes]
    rows = [pictures[start : start + beside] for start in range(0, len(boxes), beside)]
    top = pdf.PageDrawing(width, 1.7 * HEADING, partial(_draw_heading, texts=headings))
    return pdf.table([[top], *rows], [pitch] * beside, repeatRows=1, spaceAfter=4)


def _draw_heading(canvas: Canvas, texts: Iterator[str]) -> None:
    pdf.set_fill(canvas, pdf.INK)
    pdf.write(canvas, 0, 0.7 * HEADING, next(texts), pdf.BOLD, HEADING)


def _board_state(kit: Kit, ply: int) -> str:
    if not kit.of_cells:
        return f"up to {counted(ply, 'move')} made" if ply else "the first board"
    return f"{counted(ply, 'piece')} on the board" if ply else "the board is empty"


def index_instructions(kit: Kit) -> list[str]:
    """Return instructions for turning a board and finding it in the index.

    >>> from menace.labels.kit import load_kit
    >>> from menace.labels.kit import LabelSheet
    >>> print(index_instructions(load_kit(store, "menace-x", LabelSheet()))[0].split(". ")[0])
    Boards that are rotations or mirror images of each other share one box
    """
    order = f"alphabetical order: {READING_ORDER}" if kit.by_rows else "reverse alphabetical order of the boards' texts"
    if kit.most_images == 1:
        return [f"Every board has its own box. The boxes for each move are in {order}."]
    if not (kit.turned and kit.by_rows):
        names = [symmetry.name for symmetry in kit.names.rules.symmetries[1:]]
        ways = ", ".join(names) if len(names) <= MAX_LISTED_SYMMETRIES else f"such as {names[0]}"
        same = (
            f"Boards that the game's symmetries ({ways}) map to each other share one box. Up to"
            f" {kit.most_images:,} boards share a box; the box's label shows the board whose text comes last "
            "alphabetically."
        )
        return [same, f"The boxes for each move are in {order}."]
    alike, change = ("mirror images", "mirror") if kit.mirrored else ("rotations or mirror images", "rotate or mirror")
    same = (
        f"Boards that are {alike} of each other share one box. Up to {kit.most_images:,} boards share a box;"
        " the box's label shows one of these boards."
    )
    way = (
        f"The label shows the board that comes first in alphabetical order: {READING_ORDER}. To find this board,"
        f" {change} your board so that the first cell contains an X or, if that is impossible, an O. If several ways"
        " remain, use the second cell to choose among them in the same way, and so on."
    )
    return [same, way, "The boxes for each move are in the same order, so that you can search as in a dictionary."]


def _draw_box(canvas: Canvas, kit: Kit, box: Box, pitch: float) -> None:
    height, width = INDEX_CELL * kit.shape[0], INDEX_CELL * kit.columns
    x = INDEX_EDGE + (pitch - INDEX_GAP - width) / 2
    pdf.set_fill(canvas, tint_of_stage(box.stage))
    canvas.rect(x - INDEX_EDGE, NUMBER_SPACE - 3.9, width + 2 * INDEX_EDGE, height + INDEX_EDGE + 3.9, stroke=0, fill=1)
    pdf.draw_board(canvas, kit.game.pieces(box.board), kit.shape, (x, NUMBER_SPACE), INDEX_CELL)
    pdf.set_fill(canvas, pdf.INK)
    size = pdf.size_to_fit(str(box.number), pdf.BOLD, pitch - INDEX_GAP, CAPTION)
    pdf.write(canvas, x + width / 2, NUMBER_SPACE - NUMBER_BASELINE, str(box.number), pdf.BOLD, size, "centre")


GAMES_PER_SHEET, SHEET_LINE = 22, 9.0  # the number of games on a page, and the height of a line in mm
# the height of the empty chart in mm, and the number of games that each column covers
CHART_HEIGHT, CHART_STEP = 80.0, 10
QUESTIONS = (
    "Our guess: the machine is good after ____ games.",
    "Which box has changed most? Which moves are now more likely on that board, and which are less likely?",
    "Does it matter who teaches the machine? How would you teach it faster?",
    "Can you still beat the machine? Draw a board on which the machine makes a mistake.",
    "What surprised us:",
)


def worksheet_stories(kit: Kit, width: float) -> list[Flowable]:
    """Return the worksheets, `width` mm wide: a page for a group, and a page for the class."""
    heads = ("game", "who won?", "boxes opened", "beads added or removed: box and colour")
    rows = [heads, *((str(game), "", "", "") for game in range(1, GAMES_PER_SHEET + 1))]
    shares = (0.09, 0.16, 0.2, 0.55)
    lines = (("GRID", (0, 0), (-1, -1), 0.1 * mm, pdf.PALE_LINE), ("FONT", (0, 0), (-1, 0), pdf.BOLD, 8))
    record = pdf.table(
        rows, [share * width for share in shares], SHEET_LINE, *lines, ("LEFTPADDING", (0, 0), (-1, -1), 1.5 * mm)
    )
    return [
        pdf.paragraph(f"Worksheet: the games of {kit.name}", pdf.TITLE),
        pdf.paragraph(QUESTIONS[0]),
        record,
        PageBreak(),
        pdf.paragraph(f"Worksheet: what {kit.name} has learned", pdf.TITLE),
        pdf.paragraph(
            f"Games lost out of every {CHART_STEP}: a bar for each group, and a curve for the class", pdf.SUBTITLE
        ),
        pdf.PageDrawing(width, CHART_HEIGHT + 8, lambda canvas: _draw_chart(canvas, width)),
        *(part for text in QUESTIONS[1:] for part in (pdf.paragraph(text, pdf.SUBTITLE), Spacer(0, 18 * mm))),
    ]


def _draw_chart(canvas: Canvas, width: float) -> None:
    """Draw empty axes for losses, from 0 to CHART_STEP, against the number of games."""
    pdf.set_stroke(canvas, (150, 150, 150), 0.1)
    columns, left, base = 6, 8.0, 6.0
    for losses in range(0, CHART_STEP + 1, 2):
        y = base + losses / CHART_STEP * (CHART_HEIGHT - 4)
        canvas.line(left, y, width, y)
        pdf.write(canvas, left - 1.5, y - 1, str(losses), pdf.BOLD, pdf.SMALL, "right")
    for column in range(columns):
        middle = left + (column + 0.5) * (width - left) / columns
        pdf.write(
            canvas,
            middle,
            1.5,
            f"{column * CHART_STEP + 1} to {(column + 1) * CHART_STEP}",
            pdf.BOLD,
            pdf.SMALL,
            "centre",
        )
