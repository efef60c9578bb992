"""Matchboxes as a table to print, with a line for each colour of bead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from menace.learners.box import Box
from menace.shelf.naming import BeadNames

CONTENTS = ("box", "board", "stage", "cell", "colour", "beads", "share", "picked", "verdict")


def contents_header(boxes: Iterable[Box], names: BeadNames) -> tuple[str, ...]:
    """Return the names of the columns of `contents_rows`: CONTENTS, with `move` for `cell` where moves are no cells.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.colours import Naming
    >>> contents_header((), BeadNames(tictactoe(), Naming()))
    ('box', 'board', 'stage', 'cell', 'colour', 'beads', 'share', 'picked', 'verdict')
    """
    of_cells = all(names.marks_cells(box.board, [move.action for move in box.moves]) for box in boxes)
    return CONTENTS if of_cells else tuple("move" if name == "cell" else name for name in CONTENTS)


def contents_rows(boxes: Iterable[Box], names: BeadNames) -> Iterator[tuple[object, ...]]:
    """Yield a row of CONTENTS for every colour in every box.

    Args:
        boxes: of a learner that has beads.
        names: what beads and moves are called.

    Raises:
        InvalidSetting: if there are too few colours.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.machine import Machine
    >>> from menace.colours import Naming
    >>> next(contents_rows(Machine("menace", "X").boxes, BeadNames(tictactoe(), Naming())))
    (1, '.........', 1, 0, 'red', 4, 0.3333, 0, 'draws')
    """
    for box in boxes:
        beads = names.beads(box.board, [move.action for move in box.moves])
        for move in box.moves:
            bead = beads[move.action]
            called = bead.number if bead.name == str(bead.number) else bead.name
            which = (box.number, box.board, box.stage, called, bead.colour.name)
            yield (*which, move.beads, round(box.share_of_beads(move), 4), move.count, move.verdict)
