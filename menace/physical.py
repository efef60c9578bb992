"""A game with a machine of real matchboxes: which box to open, and what goes into it afterwards.

The beads that roll out say the machine's moves, so hardly a random number is used; the rest is play.py's.
"""

from __future__ import annotations

from dataclasses import dataclass

from menace.boxes import Box, boxes_of_machine
from menace.games.base import Board
from menace.play import Finished, Sitting
from menace.positions import canonical_symmetry


@dataclass(frozen=True)
class Opening:
    """A real box to open.

    Attributes:
        box: as the database has it, or as it is once its first beads are back.
        restocked: whether the box was empty, so that its first beads go back into it first.
        turning: how the actual board comes to look as the box does, or None if it does already.
    """

    box: Box
    restocked: bool
    turning: str | None


@dataclass(frozen=True)
class BeadChange:
    """Beads to put into a real box, or to take out of it where `beads` is below 0; `action` is on the box's board."""

    box: Box
    action: int
    beads: int


def box_to_open(sitting: Sitting) -> Opening | None:
    """Return the box that the machine's move comes from; None if it has none, or its box is empty and stays so.

    A box that is restocked is so in the sitting, too.
    """
    box = _box(sitting, sitting.board)
    if box is None:
        return None
    restocked = False
    if not box.beads:
        if sitting.at_board.settings.when_empty != "restock":
            return None
        sitting.restock()
        restocked, box = True, _box(sitting, sitting.board) or box
    symmetry = canonical_symmetry(sitting.game, sitting.board, sitting.symmetry)
    return Opening(box, restocked, None if box.board == sitting.board else symmetry.name)


def _box(sitting: Sitting, board: Board) -> Box | None:
    name = canonical_symmetry(sitting.game, board, sitting.symmetry).board(board)
    return next((box for box in _boxes(sitting) if box.board == name), None)


def _boxes(sitting: Sitting) -> tuple[Box, ...]:
    """Return the machine's boxes as they stand on the table: with what was put into them while it played."""
    return boxes_of_machine(sitting.at_board, sitting.arena.table, sitting.store.boards())


def bead_changes(sitting: Sitting, finished: Finished) -> list[BeadChange]:
    """Return what is to be done to the real boxes after a game, by box, then by cell.

    Beads that rolled out are back in their boxes by then, and so are the first beads of boxes that ran empty.
    """
    boxes = {box.position_id: box for box in _boxes(sitting)}
    found = []
    for change in finished.changes:
        box = boxes[change.position_id]
        now = next(pile.beads for pile in box.piles if pile.action == change.action)
        if change.action is not None and change.after != now:
            found.append(BeadChange(box, change.action, int(change.after) - now))
    return found
