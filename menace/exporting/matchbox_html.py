"""Matchboxes as HTML, by stages: a sleeve with a table of its moves, and its drawer below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from menace.analysis.bead_names import BeadNames
from menace.exporting.board_html import Mark, board_html
from menace.exporting.drawer_svg import beads_each, drawer_svg
from menace.exporting.move_marks_html import colours_of, mark_of
from menace.learners.box import Box


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
