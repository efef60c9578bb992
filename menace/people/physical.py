"""A game with a machine of real matchboxes: which box to open, and what goes into it afterwards.

The beads that roll out say the machine's moves, so hardly a random number is used; the rest is play.py's.
"""

from __future__ import annotations

from dataclasses import dataclass

from menace.ledger.recording import box_is_empty, changes, learn_from
from menace.people.play import Sitting
from menace.shelf.boxes import Box, boxes_of_machine


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
    positions, position = sitting.arena.positions, sitting.position
    if not sitting.at_board.learned.kept[positions.moves_of(position)[0]]:
        return None
    restocked = box_is_empty(sitting.at_board, position)
    if restocked:
        sitting.restock()
        if box_is_empty(sitting.at_board, position):
            return None
    symmetry = sitting.positions.symmetry_to_canonical(sitting.board)
    box = box_at(sitting, position)
    return Opening(box, restocked, None if box.board == sitting.board else symmetry.name)


def box_at(sitting: Sitting, position_id: int) -> Box:
    """Return a box of the machine as it stands on the table: with what was put into it while it played."""
    return next(box for box in _boxes(sitting) if box.position_id == position_id)


def _boxes(sitting: Sitting) -> tuple[Box, ...]:
    return boxes_of_machine(sitting.at_board)


def restocked_boxes(sitting: Sitting) -> list[int]:
    """Return the numbers of the boxes that were empty when the game began, and have got their first beads back."""
    if sitting.machine is None:
        return []
    began = boxes_of_machine(sitting.machine)
    return [box.number for box, now in zip(began, _boxes(sitting), strict=True) if now.beads and not box.beads]


def bead_changes(sitting: Sitting) -> list[BeadChange]:
    """Return what is to be done to the real boxes after a finished game, by box, then by cell.

    Beads that rolled out are back in their boxes by then, and so are the first beads of boxes that ran empty. Whatever
    others have taught the database's machine meanwhile does not count: it is not in the boxes.
    """
    boxes = {box.position_id: box for box in _boxes(sitting)}
    after = sitting.at_board.copy()
    recorded = sitting.recorded()
    learn_from(sitting.arena, after, sitting.path(), recorded)
    learned = changes(sitting.arena, sitting.at_board, after, recorded)
    return [
        BeadChange(boxes[change.position_id], change.action, int(change.after - change.before))
        for change in learned
        if change.action is not None
    ]
