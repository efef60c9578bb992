"""The index, for finding a box by the board on the table: small pictures of all boxes' boards, by stage."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, repeat

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Table

from menace.labels.board_pdf import INK, draw_board, fill
from menace.labels.kit_data import Kit
from menace.labels.label import stage_text, tint
from menace.labels.lettering import BOLD, POINT, size_to_fit, write
from menace.labels.pdf_pages import TITLE, PageDrawing, paragraph, table
from menace.learners.box import Box
from menace.wording import counted

CELL = 2.8  # mm
BETWEEN = 2.6
READING = "read the cells row by row from the top left; X comes before O, and O before an empty cell"
BELOW = 3.1  # mm, from a board to the baseline of its number
LISTED_MOST = 3  # symmetries that are named, if there are no more
EDGE = 0.7  # of the stage's tint around a board
HEADING = 11 * POINT
CAPTION = 7 * POINT
FOOT = 5.3  # below a board: its number, and what is blank below it


def index_story(kit: Kit, width: float) -> list[Flowable]:
    """Return the index, `width` mm wide: how to look a board up, and rows of boards with a heading for each stage."""
    stages = [[box for box in kit.boxes if box.stage == stage] for stage in kit.stages]
    return [
        paragraph("Find the box", TITLE),
        *(paragraph(text) for text in how_to_find(kit)),
        *(_stage(kit, boxes, width) for boxes in stages),
    ]


def _stage(kit: Kit, boxes: list[Box], width: float) -> Table:
    """Return the boards of a stage, below a heading that is repeated as continued on further pages."""
    name = stage_text(kit, boxes[0].stage)
    heading = f"{name}: {_on_board(kit, boxes[0].ply)}; {counted(len(boxes), 'box')}"
    headings = chain([heading], repeat(f"{name}, continued"))  # as often as it is drawn
    pitch = max(CELL * kit.columns, 6.5) + BETWEEN
    beside = max(1, int((width - 2 * EDGE + BETWEEN) // pitch))
    height = CELL * kit.shape[0] + FOOT + 2 * EDGE
    pictures = [PageDrawing(pitch, height, partial(_draw_box, kit=kit, box=box, pitch=pitch)) for box in boxes]
    rows = [pictures[start : start + beside] for start in range(0, len(boxes), beside)]
    top = PageDrawing(width, 1.7 * HEADING, partial(_draw_heading, texts=headings))
    return table([[top], *rows], [pitch] * beside, repeatRows=1, spaceAfter=4)


def _draw_heading(canvas: Canvas, texts: Iterator[str]) -> None:
    fill(canvas, INK)
    write(canvas, 0, 0.7 * HEADING, next(texts), BOLD, HEADING)


def _on_board(kit: Kit, ply: int) -> str:
    if not kit.of_cells:
        return f"up to {counted(ply, 'move')} made" if ply else "the first board"
    return f"{counted(ply, 'piece')} on the board" if ply else "the board is empty"


def how_to_find(kit: Kit) -> list[str]:
    """Return in words how to turn a board, and where to find it then.

    >>> from menace.labels.kit_data import kit_of
    >>> from menace.labels.label_sheet import LabelSheet
    >>> print(how_to_find(kit_of(store, "menace-x", LabelSheet()))[0].split(". ")[0])
    Boards that are turns or mirror images of each other share one box
    """
    order = f"a dictionary's order: {READING}" if kit.by_rows else "the order of the boards' texts, the last one first"
    if kit.most_images == 1:
        return [f"Every board has a box of its own, as it lies. Boxes of one move are in {order}."]
    if not (kit.turned and kit.by_rows):
        names = [symmetry.name for symmetry in kit.names.rules.symmetries[1:]]
        ways = ", ".join(names) if len(names) <= LISTED_MOST else f"such as {names[0]}"
        same = (
            f"Boards that the game's symmetries ({ways}) carry into each other share one box. Your board may lie in"
            f" up to {counted(kit.most_images, 'way')}; the box shows the one whose text sorts last."
        )
        return [same, f"Boxes of one move are in {order}."]
    alike, change = ("mirror images", "mirror") if kit.mirrored else ("turns or mirror images", "turn and mirror")
    same = (
        f"Boards that are {alike} of each other share one box. Your board may lie in"
        f" up to {counted(kit.most_images, 'way')}; the box shows one of them."
    )
    way = (
        f"It shows the way that comes first in a dictionary: {READING}. So {change} your board until the"
        " first cell has an X (if no way brings one there, an O); of the ways that are left, choose by the second cell"
        " in the same way, and so on."
    )
    return [same, way, "Boxes of one move are in that same order, so that you can search as in a dictionary."]


def _draw_box(canvas: Canvas, kit: Kit, box: Box, pitch: float) -> None:
    height, width = CELL * kit.shape[0], CELL * kit.columns
    x = EDGE + (pitch - BETWEEN - width) / 2
    fill(canvas, tint(box.stage))
    canvas.rect(x - EDGE, FOOT - 3.9, width + 2 * EDGE, height + EDGE + 3.9, stroke=0, fill=1)
    draw_board(canvas, kit.game.pieces(box.board), kit.shape, (x, FOOT), CELL)
    fill(canvas, INK)
    size = size_to_fit(str(box.number), BOLD, pitch - BETWEEN, CAPTION)
    write(canvas, x + width / 2, FOOT - BELOW, str(box.number), BOLD, size, "centre")
