"""The boxes of a MENACE learner, as they stand on a shelf: numbered from 1, by ply, then as positions are numbered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from menace.errors import InvalidPlayer
from menace.games.base import Board
from menace.ledger.machines import Learner, load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.shelf.matchbox import RESULTS
from menace.shelf.naming import BeadNames

CONTENTS = ("box", "board", "stage", "cell", "colour", "beads", "share", "picked", "verdict")


@dataclass(frozen=True)
class Pile:
    """The beads of one colour in one box.

    Attributes:
        action: the cell of the canonical board that the colour stands for; of equivalent cells the lowest.
        multiplicity: how many equivalent cells it stands for.
        beads: how many there are.
        share: their share of the box, 0 to 1; 0 in an empty box.
        picked: in how many games it was picked and learned from.
        verdict: `wins`, `draws` or `loses`, for the learner under perfect play.
        optimal: whether the move keeps the value of the position.
    """

    action: int
    multiplicity: int
    beads: int
    share: float
    picked: int
    verdict: str
    optimal: bool


@dataclass(frozen=True)
class Box:
    """One matchbox.

    Attributes:
        number: of the box within its machine, from 1.
        position_id: of its position in the database.
        board: its canonical board, which is drawn on it.
        ply: the most moves that can have been made.
        stage: the learner's which move this is, from 1, by the longest way.
        piles: its colours, by action.
    """

    number: int
    position_id: int
    board: Board
    ply: int
    stage: int
    piles: tuple[Pile, ...]

    @property
    def beads(self) -> int:
        """All beads in the box."""
        return sum(pile.beads for pile in self.piles)


def boxes_of(store: Store, name: str) -> tuple[Box, ...]:
    """Return every box of a learner as it stands.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if it has no boxes: it learns values.
    """
    with store.snapshot():
        positions = positions_of(store)
        machine = load_machine(store, positions, store.learner(name))
    return boxes_of_machine(machine)


def boxes_of_machine(machine: Learner) -> tuple[Box, ...]:
    """Return every box of a machine in memory. Raises as `boxes_of`."""
    check_has_boxes(machine)
    positions, learned = machine.positions, machine.learned
    sign = 1 - 2 * machine.side
    found = []
    for number, position in enumerate(np.unique(positions.position_of_move[learned.kept]).tolist(), start=1):
        moves = positions.moves_of(position)
        total = int(sum(learned.amount[move] for move in moves))
        piles = tuple(
            Pile(
                action=int(positions.action[move]),
                multiplicity=int(positions.multiplicity[move]),
                beads=int(learned.amount[move]),
                share=int(learned.amount[move]) / total if total else 0.0,
                picked=int(learned.count[move]),
                verdict=RESULTS[sign * int(positions.minimax[positions.next_position[move]])],
                optimal=bool(positions.optimal[move]),
            )
            for move in moves
        )
        ply = int(positions.ply[position])
        found.append(Box(number, position, positions.boards[position], ply, ply // 2 + 1, piles))
    return tuple(found)


def contents_header(boxes: Iterable[Box], names: BeadNames) -> tuple[str, ...]:
    """Return the names of the columns of `contents_rows`: CONTENTS, with `move` for `cell` where moves are no cells."""
    of_cells = all(names.marks_cells(box.board, [pile.action for pile in box.piles]) for box in boxes)
    return CONTENTS if of_cells else tuple("move" if name == "cell" else name for name in CONTENTS)


def contents_rows(boxes: Iterable[Box], names: BeadNames) -> Iterator[tuple[object, ...]]:
    """Yield a row of CONTENTS for every pile of every box. Raises InvalidSetting if there are too few colours."""
    for box in boxes:
        beads = names.beads(box.board, [pile.action for pile in box.piles])
        for pile in box.piles:
            bead = beads[pile.action]
            move = bead.number if bead.name == str(bead.number) else bead.name
            which = (box.number, box.board, box.stage, move, bead.colour.name)
            yield (*which, pile.beads, round(pile.share, 4), pile.picked, pile.verdict)


def check_has_boxes(machine: Learner) -> None:
    """Raise InvalidPlayer if a learner keeps values instead of beads."""
    if not machine.keeps_boxes:
        raise InvalidPlayer(
            f"learner {machine.row.name} has no matchboxes: {machine.row.algorithm} learns values; name one with beads"
        )
