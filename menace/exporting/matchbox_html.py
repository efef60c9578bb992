"""Matchboxes as HTML, grouped by stage, each with a small drawing of its drawer."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from menace.analysis.bead_names import BeadNames
from menace.exporting.board_html import Mark, board_html, colours_of, mark_of
from menace.learners.box import Box

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
