"""What a page shows of a machine: its boxes, or the positions in which a machine without boxes has a choice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from menace.arena.evaluation import Strength
from menace.errors import InvalidGame, InvalidPlayer
from menace.games.base import OUTCOME_OF_NUMBER, Board, CellSymmetry, Game
from menace.games.positions import Positions
from menace.ledger.machines import Learner, named_machine
from menace.ledger.marks import measure
from menace.ledger.store import Store
from menace.shelf.box import Box, boxes_of_machine
from menace.shelf.colours import COLOURS, BeadColour, Naming, bead_colours, cell_numbers

BOXES_MOST = 5000  # of 3x3x3 without symmetry there are 2,423; a browser shows some thousands with ease


@dataclass(frozen=True)
class Shelf:
    """All that a page shows of a machine.

    Attributes:
        machine: whose it is.
        game: its game.
        strength: exact, as it trains, by opponent.
        sources: the symmetries that join boards to positions, as `games.base.CellSymmetry.source`.
        boards: each position's minimax value, or its outcome as text if it is finished, by canonical board.
        boxes: where it has a choice, or beads; numbered from 1 here, whatever it keeps.
        colours: the colour of each cell's beads; none of a board with more cells than there are colours.
        numbers: the number of each cell.
    """

    machine: Learner
    game: Game
    strength: dict[str, Strength]
    sources: tuple[tuple[int, ...], ...]
    boards: dict[Board, int | str]
    boxes: tuple[Box, ...]
    colours: tuple[BeadColour, ...]
    numbers: tuple[int, ...]

    @property
    def has_beads(self) -> bool:
        """Whether it keeps beads."""
        return self.machine.has_beads


def shelf_of(store: Store, name: str, naming: Naming | None = None) -> Shelf:
    """Return all that a page shows of a learner, with beads and cells as `naming` calls them, None as menace does.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if it has more than BOXES_MOST boxes.
        InvalidSetting: if beads or cells are to be named as Michie's, on another board than his.
        InvalidGame: if its boards are not made of cells that the symmetries turn.

    >>> shelf = shelf_of(store, "menace-x")
    >>> len(shelf.boxes), len(shelf.boards), shelf.boards["XXXOO...."], shelf.boards["........."]
    (304, 765, 'X', 0)
    """
    machine = named_machine(store, name)
    positions = machine.positions
    game = positions.game
    colours, numbers = _named(math.prod(game.shape), naming or Naming())
    chosen = (box for box in boxes_of_machine(machine) if box.has_beads or box.has_choice)
    boxes = tuple(replace(box, number=number) for number, box in enumerate(chosen, start=1))
    if len(boxes) > BOXES_MOST:
        raise InvalidPlayer(
            f"learner {name} has {len(boxes):,} boxes, more than the {BOXES_MOST:,} that fit on a page; "
            "try a graph or a table, such as .gexf or .csv"
        )
    outcomes = (OUTCOME_OF_NUMBER[number] for number in positions.outcome.tolist())
    values = zip(positions.boards, positions.minimax.tolist(), outcomes, strict=True)
    return Shelf(
        machine=machine,
        game=game,
        strength=measure(machine, "behaviour"),
        sources=_sources(positions),
        boards={board: value if outcome is None else outcome for board, value, outcome in values},
        boxes=boxes,
        colours=colours,
        numbers=numbers,
    )


def _sources(positions: Positions) -> tuple[tuple[int, ...], ...]:
    used = positions.symmetries
    turning = [one for one in used if isinstance(one, CellSymmetry)]
    if len(turning) < len(used):
        raise InvalidGame(
            f"no page can be made of {positions.game.name}: its symmetries do more to a board than turn its cells"
        )
    return tuple(one.source for one in turning)


def _named(cells: int, naming: Naming) -> tuple[tuple[BeadColour, ...], tuple[int, ...]]:
    enough = naming.colours != "menace" or cells <= len(COLOURS["menace"])
    return bead_colours(cells, naming.colours) if enough else (), cell_numbers(cells, naming.numbering)
