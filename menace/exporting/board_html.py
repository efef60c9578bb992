"""Draw boards in HTML and SVG as tables of cells that show a machine's moves as amounts or arrows.

Matchboxes are grouped by stage, and each matchbox has a small drawing of its drawer.
"""

from __future__ import annotations

import html
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from menace.analysis.bead_names import BeadNames
from menace.drawing.boards import PIECES, Arrow, Mark, Point, arrow_of, cell_centre, offset, outline_of
from menace.errors import InvalidSetting
from menace.games.base import STONE, Board, Game, Shape
from menace.learners.box import Box, Move
from menace.text.bead_colours import BeadColour
from menace.text.wording import without_noise

__all__ = ["Mark", "amount_text", "arrow_path", "board_html"]

MINUS = "\N{MINUS SIGN}"
MAX_PLAIN_COUNT = 10_000
MAX_DECIMAL_VALUE, MIN_DECIMAL_VALUE = 10, 0.0005  # values between these limits are shown with three decimals
SIZE_SUFFIXES = "kMGTPE"  # the suffixes for thousands, millions, ...
MAX_WITH_DECIMAL = 9.95  # at or above this many thousands (or millions, ...), no decimals are shown


def board_html(pieces: Sequence[str], shape: Shape, marks: Sequence[Mark]) -> str:
    """Return the rows of an HTML table for a board. Each cell shows its piece or the amounts of its moves.

    Arrows, and the lines through moves that occupy several cells, are drawn on top of the table. If any move is an
    arrow, the foot of the table lists the names and amounts of the moves.

    Args:
        pieces: the piece on each cell, as in `Game.pieces`.
        shape: the number of rows and columns.
        marks: the moves to show.
    """
    columns = shape[1]
    on_cells: dict[int, list[Mark]] = {}
    for mark in marks:
        if mark.where.cells:
            on_cells.setdefault(mark.where.cells[0], []).append(mark)
    arrows = [(mark, arrow) for mark in marks if (arrow := arrow_of(mark.where, pieces, columns)) is not None]
    cells = [_cell_html(piece, on_cells.get(cell, [])) for cell, piece in enumerate(pieces)]
    paths = "".join(_line_html(mark, columns) for mark in marks if len(mark.where.cells) > 1)
    paths += "".join(_arrow_html(mark, arrow) for mark, arrow in arrows)
    if paths:
        rows = shape[0]
        cells[0] += f'<svg class=arrows style="--c:{columns};--r:{rows}" viewBox="0 0 {columns} {rows}">{paths}</svg>'
    table = "".join("<tr>" + "".join(cells[start : start + columns]) for start in range(0, len(cells), columns))
    return table + (f"<tfoot><tr><td colspan={columns}>{''.join(map(_named_amount_html, marks))}" if arrows else "")


def amount_text(amount: float) -> str:
    """Format a number of beads or a value in at most five characters, so that it fits into a cell.

    >>> amount_text(4073), amount_text(26123), amount_text(1234567), amount_text(0.51234), amount_text(1e-9)
    ('4,073', '26k', '1.2M', '0.512', '1e\N{MINUS SIGN}9')
    """
    amount = without_noise(amount)
    if isinstance(amount, int) or abs(amount) >= MAX_DECIMAL_VALUE:
        text = _abbreviate(math.floor(abs(amount) + 0.5))
    elif amount == 0 or abs(amount) >= MIN_DECIMAL_VALUE:
        text = f"{abs(amount):.{3 if amount >= 0 else 2}f}"
    else:
        digit, power = f"{abs(amount):.0e}".split("e")
        text = f"{digit}e{int(power)}".replace("-", MINUS)
    return (MINUS if amount < 0 else "") + text


def _abbreviate(count: int) -> str:
    """Format an integer; abbreviate a long one to thousands, millions and so on."""
    if count < MAX_PLAIN_COUNT:
        return f"{count:,}"
    power = next(power for power in range(1, len(SIZE_SUFFIXES) + 1) if count < 999.5 * 1000**power)
    part = count / 1000**power
    decimals = 1 if part < MAX_WITH_DECIMAL else 0
    return f"{math.floor(part * 10**decimals + 0.5) / 10**decimals:.{decimals}f}{SIZE_SUFFIXES[power - 1]}"


def arrow_path(arrow: Arrow) -> str:
    """Return the `d` attribute of an SVG path for an arrow, in cell widths; an arrow for a bar has no head.

    >>> arrow_path(Arrow((0.5, 1.2), (0.5, 0.6), (0.5, 0.95)))
    'M0.5 1.2L0.5 0.6M0.625 0.82L0.5 0.6L0.375 0.82'
    """
    line = f"M{_point_text(arrow.start)}L{_point_text(arrow.tip)}"
    if not arrow.has_head:
        return line
    left, tip, right = map(_point_text, outline_of(arrow)[2:5])
    return f"{line}M{left}L{tip}L{right}"


def _point_text(point: Point) -> str:
    return "{:.3g} {:.3g}".format(*point)


def _arrow_html(mark: Mark, arrow: Arrow) -> str:
    return (
        f'<path class={mark.verdict[0]} style="--s:{mark.share:.2f}{_bead_style(mark)}" d="{arrow_path(arrow)}">'
        f"<title>{html.escape(mark.name)}: {mark.amount}</title></path>"
    )


def _line_html(mark: Mark, columns: int) -> str:
    """Return the line through the cells of a move that occupies several cells."""
    middles = (cell_centre(cell, columns) for cell in mark.where.cells)
    return f'<path class=span d="M{"L".join(f"{x} {y}" for x, y in middles)}"/>'


def _cell_html(piece: str, marks: Sequence[Mark]) -> str:
    """Return the HTML of a cell, with its piece or the amounts of its moves, if any."""
    kind = PIECES[piece].style if piece in PIECES and piece != STONE else "piece"
    if kind in {"gap", "dead"}:
        return f"<td class={kind}>"
    if not marks:
        return f"<td class={kind}>{html.escape(piece)}" if piece else "<td>"
    if marks[0].where.places:
        return f"<td>{''.join(map(_placement_html, sorted(marks, key=lambda mark: offset(mark.where))))}"
    (mark,) = marks
    under = f"<span class={kind}>{html.escape(piece)}</span>" if piece else ""
    return f'<td class={mark.verdict[0]} style="--s:{mark.share:.2f}{_bead_style(mark)}">{under}{mark.amount}'


def _placement_html(mark: Mark) -> str:
    """Return the HTML of half a cell, with the piece that a move places and the machine's amount for the move."""
    which = "first" if offset(mark.where) < 0 else "second"
    look = f'class="put {which} {mark.verdict[0]}" style="--s:{mark.share:.2f}{_bead_style(mark)}"'
    return f'<span {look} title="{html.escape(mark.name)}"><b>{html.escape(mark.where.places)}</b>{mark.amount}</span>'


def _named_amount_html(mark: Mark) -> str:
    look = f'class={mark.verdict[0]} style="--s:{mark.share:.2f}{_bead_style(mark)}"'
    return f"<span {look}>{html.escape(mark.name)} <b>{mark.amount}</b></span>"


def _bead_style(mark: Mark) -> str:
    return "" if mark.colour is None else f";--bead:{mark.colour}"


def move_mark(box: Box, move: Move, colour: BeadColour | None = None) -> Mark:
    """Return the mark for a move on its box's board.

    Args:
        box: the box.
        move: one of its moves.
        colour: the colour of the move's beads, or None to show no colour.
    """
    place, name = box.game.where(box.board, move.action), box.game.name_of(box.board, move.action)
    return Mark(place, name, move.verdict, move.share or 0.0, amount_text(move.amount), colour and colour.hex)


def move_drawing(game: Game, board: Board, action: int) -> dict[str, Any]:
    """Return the data that a script needs to draw a move: its name, cells or arrow, SVG path and piece.

    For a move that occupies a pair of cells, the data contain a path and a list of both cells.

    >>> from menace.games import get_game
    >>> move_drawing(get_game(), "X........", 4)
    {'name': '4', 'cells': (4,), 'arrow': None, 'path': None, 'places': ''}
    """
    where = game.where(board, action)
    arrow = arrow_of(where, game.pieces(board), game.shape[1])
    return {
        "name": game.name_of(board, action),
        "cells": where.pair or where.cells,
        "arrow": where.arrow,
        "path": None if arrow is None else arrow_path(arrow),
        "places": where.places,
    }


def bead_colours(box: Box, names: BeadNames) -> dict[int, BeadColour]:
    """Return the bead colour of each action, or an empty dictionary if there are no beads or too few colours."""
    if not box.has_beads:
        return {}
    try:
        beads = names.beads(box.board, [move.action for move in box.moves])
    except InvalidSetting:
        return {}
    return {action: bead.colour for action, bead in beads.items()}


WIDTH, HEIGHT = 120, 66
TIP, SHOULDER = 60, 34  # the y coordinates of the V's corner and of the points where the V meets the walls
WALL, PITCH, ROW = 4, 8, 7  # the thickness of the walls, and the distances between beads and between rows
MAX_DRAWN_BEADS = 44  # maximum number of beads drawn in a drawer; they fill three rows
FULL_ROW = 14


def _slots(rows: int) -> list[tuple[int, int]]:
    """Return the positions of beads in a drawer, from the corner of the V upwards."""
    slots = []
    for y in range(TIP - 7, TIP - 7 - rows * ROW, -ROW):
        # the distance from the centre of the drawer to the centre of the last bead in the row
        inside = (TIP - y) * (WIDTH / 2 - WALL) / (TIP - SHOULDER) - PITCH
        beads = min(FULL_ROW, 1 + int(2 * inside / PITCH))
        slots += [(WIDTH // 2 + PITCH * bead - PITCH * (beads - 1) // 2, y) for bead in range(beads)]
    return slots


SLOTS = _slots(7)


def beads_per_drawn_bead(totals: Iterable[int]) -> int:
    """Return how many beads (1, 2, 5, ...) each drawn bead must represent for the beads of the fullest drawer to fit.

    >>> [beads_per_drawn_bead([total, 1]) for total in (0, 44, 45, 200, 68_344)]
    [1, 1, 2, 5, 2000]
    """
    least, power = max(totals, default=0) / MAX_DRAWN_BEADS, 1
    while 10 * power < least:
        power *= 10
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def drawer_svg(piles: Sequence[tuple[str, int]], each: int) -> str:
    """Draw a matchbox drawer as SVG.

    The golden ratio spreads each pile's beads over the whole drawer, so few beads move when a bead is added or removed.

    Args:
        piles: the colour and the number of beads of each pile.
        each: the number of beads that a drawn bead represents; every pile that is not empty gets at least one.

    >>> drawer_svg([("#c00", 3), ("#fff", 0)], 2).count("<path"), drawer_svg([("#c00", 3)], 2).count("h0")
    (5, 8)
    """
    golden = (math.sqrt(5) - 1) / 2
    beads = sorted(
        ((number + 1) * golden % 1, pile)
        for pile, (_, amount) in enumerate(piles)
        for number in range(max(1, round(amount / each)) if amount else 0)
    )
    heap: defaultdict[str, str] = defaultdict(str)
    for (x, y), (_, pile) in zip(SLOTS, beads, strict=False):
        heap[piles[pile][0]] += f"M{x} {y}h0"
    drawn = "".join(f'<path stroke={colour} d="{dots}"/>' for colour, dots in heap.items())
    edge = f'<path class=edge d="M{WALL} {SHOULDER}L{WIDTH // 2} {TIP}L{WIDTH - WALL} {SHOULDER}"/>'
    rims = f'<path class=rims d="{"".join(heap.values())}"/>'
    holes = "".join(f'<path class={part} d="{"".join(heap.values())}"/>' for part in ("hole", "shine"))
    return f'<svg class=drawer viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden=true>{edge}{rims}{drawn}{holes}</svg>'


class Stage(NamedTuple):
    """The boxes for a learner's nth move, and the number of beads that each drawn bead represents."""

    number: int
    boxes: list[Box]
    each: int


def group_by_stage(boxes: Iterable[Box]) -> list[Stage]:
    """Group boxes into stages. The boxes must already be sorted by stage."""
    stages = [(stage, list(held)) for stage, held in groupby(boxes, key=lambda box: box.stage)]
    return [Stage(stage, held, beads_per_drawn_bead(box.beads for box in held)) for stage, held in stages]


def box_marks(box: Box, names: BeadNames) -> list[Mark]:
    """Return the marks that show a box's moves on its board."""
    colours = bead_colours(box, names)
    return [move_mark(box, move, colours.get(move.action)) for move in box.moves]


def matchbox_html(
    box: Box, names: BeadNames, caption: str, each: int, marks: Sequence[Mark] = (), attributes: str = ""
) -> str:
    """Return the HTML of a matchbox: its board on a sleeve above a drawer, or only the board if the box has no beads.

    Args:
        box: the box.
        names: the names of its beads.
        caption: the caption of the board, as HTML.
        each: the number of beads that a drawn bead represents.
        marks: the marks of its moves; None selects those of `box_marks`.
        attributes: further attributes of the table, as HTML, each with a leading space.
    """
    colours = bead_colours(box, names)
    rows = board_html(box.game.pieces(box.board), box.game.shape, marks or box_marks(box, names))
    table = f'<table class="box"{attributes}><caption>{caption}</caption>{rows}</table>'
    if not colours:
        return table
    drawer = drawer_svg([(colours[move.action].hex, move.beads) for move in box.moves], each)
    return f'<div class="matchbox-small"><div class="sleeve">{table}</div>{drawer}</div>'
