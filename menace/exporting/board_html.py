"""Boards as HTML and SVG: a table of cells with arrows, and marks for the moves that a machine may make.

Matchboxes are grouped by stage, each with a small drawing of its drawer.
"""

from __future__ import annotations

import html
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from menace.analysis.bead_names import BeadNames
from menace.drawing.boards import PIECES, Arrow, Mark, Point, arrow_of, cell_centre, offset, outline_of
from menace.errors import InvalidSetting
from menace.games.base import STONE, Shape
from menace.learners.box import Box
from menace.text.wording import without_noise

if TYPE_CHECKING:
    from menace.analysis.bead_names import BeadNames
    from menace.games.base import Board, Game
    from menace.learners.box import Box, Move
    from menace.text.bead_colours import BeadColour


__all__ = ["Mark", "amount_text", "arrow_path", "board_html"]  # these tables are made of marks

MINUS = "\N{MINUS SIGN}"
BEADS_LONG = 10_000
VALUE_LONG, VALUE_SMALL = 10, 0.0005  # values between them are shown with three decimals
SIZES = "kMGTPE"  # of thousands, millions, ...
TENS = 9.95  # from here on, of them, no decimal has room


def board_html(pieces: Sequence[str], shape: Shape, marks: Sequence[Mark]) -> str:
    """Return the rows of a table: a cell has its piece, and the amount of the move that is marked there.

    Arrows, and lines through the cells of moves that mark several, lie over the whole table. The names and amounts of
    arrows stand below it, in its foot.
    """
    columns = shape[1]
    on_cells: dict[int, list[Mark]] = {}
    for mark in marks:
        if mark.where.cells:
            on_cells.setdefault(mark.where.cells[0], []).append(mark)
    arrows = [(mark, arrow) for mark in marks if (arrow := arrow_of(mark.where, pieces, columns)) is not None]
    cells = [_cell(piece, on_cells.get(cell, [])) for cell, piece in enumerate(pieces)]
    paths = "".join(_span(mark, columns) for mark in marks if len(mark.where.cells) > 1)
    paths += "".join(_arrow(mark, arrow) for mark, arrow in arrows)
    if paths:
        rows = shape[0]
        cells[0] += f'<svg class=arrows style="--c:{columns};--r:{rows}" viewBox="0 0 {columns} {rows}">{paths}</svg>'
    table = "".join("<tr>" + "".join(cells[start : start + columns]) for start in range(0, len(cells), columns))
    return table + (f"<tfoot><tr><td colspan={columns}>{''.join(map(_named, marks))}" if arrows else "")


def amount_text(amount: float) -> str:
    """Return beads or a value in five characters at most, so that they fit into a cell.

    >>> amount_text(4073), amount_text(26123), amount_text(1234567), amount_text(0.51234), amount_text(1e-9)
    ('4,073', '26k', '1.2M', '0.512', '1e\N{MINUS SIGN}9')
    """
    amount = without_noise(amount)
    if isinstance(amount, int) or abs(amount) >= VALUE_LONG:
        text = _rounded(math.floor(abs(amount) + 0.5))
    elif amount == 0 or abs(amount) >= VALUE_SMALL:
        text = f"{abs(amount):.{3 if amount >= 0 else 2}f}"
    else:
        digit, power = f"{abs(amount):.0e}".split("e")
        text = f"{digit}e{int(power)}".replace("-", MINUS)
    return (MINUS if amount < 0 else "") + text


def _rounded(count: int) -> str:
    """Return a whole number, of thousands, millions and so on if it is long."""
    if count < BEADS_LONG:
        return f"{count:,}"
    power = next(power for power in range(1, len(SIZES) + 1) if count < 999.5 * 1000**power)
    part = count / 1000**power
    decimals = 1 if part < TENS else 0
    return f"{math.floor(part * 10**decimals + 0.5) / 10**decimals:.{decimals}f}{SIZES[power - 1]}"


def arrow_path(arrow: Arrow) -> str:
    """Return an arrow as the `d` of an SVG path, whose unit is a cell; a bar is a path without the head's second part.

    >>> arrow_path(Arrow((0.5, 1.2), (0.5, 0.6), (0.5, 0.95)))
    'M0.5 1.2L0.5 0.6M0.625 0.82L0.5 0.6L0.375 0.82'
    """
    line = f"M{_at(arrow.start)}L{_at(arrow.tip)}"
    if not arrow.has_head:
        return line
    left, tip, right = map(_at, outline_of(arrow)[2:5])
    return f"{line}M{left}L{tip}L{right}"


def _at(point: Point) -> str:
    return "{:.3g} {:.3g}".format(*point)


def _arrow(mark: Mark, arrow: Arrow) -> str:
    return (
        f'<path class={mark.verdict[0]} style="--s:{mark.share:.2f}{_bead(mark)}" d="{arrow_path(arrow)}">'
        f"<title>{html.escape(mark.name)}: {mark.amount}</title></path>"
    )


def _span(mark: Mark, columns: int) -> str:
    """Return the line through the cells of a move that marks several."""
    middles = (cell_centre(cell, columns) for cell in mark.where.cells)
    return f'<path class=span d="M{"L".join(f"{x} {y}" for x, y in middles)}"/>'


def _cell(piece: str, marks: Sequence[Mark]) -> str:
    """Return a cell: its piece, or the amounts of the moves there; empty where equivalent moves stand for them."""
    kind = PIECES[piece].style if piece in PIECES and piece != STONE else "piece"
    if kind in {"gap", "dead"}:
        return f"<td class={kind}>"
    if not marks:
        return f"<td class={kind}>{html.escape(piece)}" if piece else "<td>"
    if marks[0].where.places:
        return f"<td>{''.join(map(_put, sorted(marks, key=lambda mark: offset(mark.where))))}"
    (mark,) = marks
    under = f"<span class={kind}>{html.escape(piece)}</span>" if piece else ""
    return f'<td class={mark.verdict[0]} style="--s:{mark.share:.2f}{_bead(mark)}">{under}{mark.amount}'


def _put(mark: Mark) -> str:
    """Return half a cell: which piece a move puts there, and what the machine has for it."""
    which = "first" if offset(mark.where) < 0 else "second"
    look = f'class="put {which} {mark.verdict[0]}" style="--s:{mark.share:.2f}{_bead(mark)}"'
    return f'<span {look} title="{html.escape(mark.name)}"><b>{html.escape(mark.where.places)}</b>{mark.amount}</span>'


def _named(mark: Mark) -> str:
    look = f'class={mark.verdict[0]} style="--s:{mark.share:.2f}{_bead(mark)}"'
    return f"<span {look}>{html.escape(mark.name)} <b>{mark.amount}</b></span>"


def _bead(mark: Mark) -> str:
    return "" if mark.colour is None else f";--bead:{mark.colour}"


def mark_of(box: Box, move: Move, colour: BeadColour | None = None) -> Mark:
    """Return the mark of a move on the board of its box; `colour` is that of its beads, if it is shown."""
    place, name = box.game.where(box.board, move.action), box.game.name_of(box.board, move.action)
    return Mark(place, name, move.verdict, move.share or 0.0, amount_text(move.amount), colour and colour.hex)


def move_look(game: Game, board: Board, action: int) -> dict[str, Any]:
    """Return what a script draws a move from: its name, cells or arrow, the arrow's path, and the piece that it puts.

    A pair is cells with a path.

    >>> from menace.games import get_game
    >>> move_look(get_game(), "X........", 4)
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


def colours_of(box: Box, names: BeadNames) -> dict[int, BeadColour]:
    """Return the colour of each move's beads; none where there are fewer colours than moves, or no beads."""
    if not box.has_beads:
        return {}
    try:
        beads = names.beads(box.board, [move.action for move in box.moves])
    except InvalidSetting:
        return {}
    return {action: bead.colour for action, bead in beads.items()}


WIDTH, HEIGHT = 120, 66
TIP, SHOULDER = 60, 34  # of the V: the heights of its corner, and of where it meets the walls
WALL, PITCH, ROW = 4, 8, 7  # the walls' thickness; from bead to bead, and from row to row
BEADS_MOST = 44  # that are drawn in a drawer, up to its third full row
FULL_ROW = 14


def _slots(rows: int) -> list[tuple[int, int]]:
    """Return where beads come to rest, from the corner of the V upwards."""
    slots = []
    for y in range(TIP - 7, TIP - 7 - rows * ROW, -ROW):
        inside = (TIP - y) * (WIDTH / 2 - WALL) / (TIP - SHOULDER) - PITCH  # from the middle to the last bead's
        beads = min(FULL_ROW, 1 + int(2 * inside / PITCH))
        slots += [(WIDTH // 2 + PITCH * bead - PITCH * (beads - 1) // 2, y) for bead in range(beads)]
    return slots


SLOTS = _slots(7)


def beads_each(totals: Iterable[int]) -> int:
    """Return how many beads one that is drawn stands for, 1, 2, 5, ..., so that a picture's fullest drawer has room.

    >>> [beads_each([total, 1]) for total in (0, 44, 45, 200, 68_344)]
    [1, 1, 2, 5, 2000]
    """
    least, power = max(totals, default=0) / BEADS_MOST, 1
    while 10 * power < least:
        power *= 10
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def drawer_svg(piles: Sequence[tuple[str, int]], each: int) -> str:
    """Return a drawer: of each pile, a colour with its number of beads, one bead is drawn for `each`, at least one.

    A pile is spread over the whole heap by the golden ratio, so that few beads change places when one comes or goes.

    >>> drawer_svg([("#c00", 3), ("#fff", 0)], 2).count("<path"), drawer_svg([("#c00", 3)], 2).count("h0")
    (3, 4)
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
    return f'<svg class=drawer viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden=true>{edge}{rims}{drawn}</svg>'


class Stage(NamedTuple):
    """The boxes of one move of a learner, from 1, and how many beads one that is drawn in them stands for."""

    number: int
    boxes: list[Box]
    each: int


def stages_of(boxes: Iterable[Box]) -> list[Stage]:
    """Return boxes, which are in the order of their stages, by stage."""
    stages = [(stage, list(held)) for stage, held in groupby(boxes, key=lambda box: box.stage)]
    return [Stage(stage, held, beads_each(box.beads for box in held)) for stage, held in stages]


def marks_of(box: Box, names: BeadNames) -> list[Mark]:
    """Return the marks of a box's moves on its board."""
    colours = colours_of(box, names)
    return [mark_of(box, move, colours.get(move.action)) for move in box.moves]


def matchbox_html(
    box: Box, names: BeadNames, caption: str, each: int, marks: Sequence[Mark] = (), attributes: str = ""
) -> str:
    """Return a matchbox: a sleeve with a table on it, and its drawer below; the table alone if there are no beads.

    Args:
        box: the box.
        names: of its beads.
        caption: of the table, as HTML.
        each: how many beads one that is drawn stands for.
        marks: of its moves, if not `marks_of` it.
        attributes: of the table, as HTML, with a space before each.
    """
    colours = colours_of(box, names)
    rows = board_html(box.game.pieces(box.board), box.game.shape, marks or marks_of(box, names))
    table = f'<table class="box"{attributes}><caption>{caption}</caption>{rows}</table>'
    if not colours:
        return table
    drawer = drawer_svg([(colours[move.action].hex, move.beads) for move in box.moves], each)
    return f'<div class="matchbox-small"><div class="sleeve">{table}</div>{drawer}</div>'
