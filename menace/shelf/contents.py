"""Matchboxes as a table to print, with a line for each colour of bead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from menace.shelf.box import Box
from menace.shelf.colours import Naming, bead_colours, cell_numbers

CONTENTS = ("box", "board", "stage", "cell", "colour", "beads", "share", "picked", "verdict")


def contents_rows(boxes: Iterable[Box], naming: Naming) -> Iterator[tuple[object, ...]]:
    """Yield a row of CONTENTS for every colour in every box.

    Args:
        boxes: of a learner that has beads.
        naming: what beads and cells are called.

    Raises:
        InvalidSetting: if the naming has too few colours.
    """
    for box in boxes:
        names, numbers = bead_colours(len(box.board), naming.colours), cell_numbers(len(box.board), naming.numbering)
        for move in box.moves:
            which = (box.number, box.board, box.stage, numbers[move.action], names[move.action].name)
            yield (*which, move.beads, round(box.share_of_beads(move), 4), move.count, move.verdict)
