"""What a page shows of a machine: its boxes, or the positions in which a machine without boxes has a choice."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from menace.arena.evaluation import Strength
from menace.errors import InvalidGame, InvalidPlayer
from menace.games.base import OUTCOME_OF_NUMBER, Board, CellSymmetry, Game
from menace.games.positions import Positions
from menace.ledger.machines import Learner, load_machine
from menace.ledger.marks import measure
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.shelf.boxes import Box, boxes_of_machine
from menace.shelf.colours import COLOURS, BeadColour, Naming, bead_colours, cell_numbers
from menace.wording import VERDICTS

BOXES_MOST = 5000  # of 3x3x3 without symmetry there are 2,423; a browser shows some thousands with ease


@dataclass(frozen=True)
class Choice:
    """One of the machine's moves, with all equivalent cells.

    Attributes:
        action, multiplicity, verdict, optimal: as `boxes.Pile` has them.
        amount: beads, or the value or weight that it has learned.
        share: of the beads of the box; the probability that it plays the move now, if it keeps no beads.
        count: in how many games it was learned from; None if the machine does not count moves.
    """

    action: int
    multiplicity: int
    amount: float
    share: float
    count: int | None
    verdict: str
    optimal: bool


@dataclass(frozen=True)
class Shelved:
    """A position in which the machine has a choice, numbered as `boxes.Box` is."""

    number: int
    position_id: int
    board: Board
    stage: int
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Shelf:
    """All that a page shows of a machine.

    Attributes:
        machine: whose it is.
        game: its game.
        strength: exact, as it trains, by opponent.
        sources: the symmetries that join boards to positions, as `games.base.CellSymmetry.source`.
        boards: each position's minimax value, or its outcome as text if it is finished, by canonical board.
        boxes: by number.
        colours: the colour of each cell's beads; none of a board with more cells than there are colours.
        numbers: the number of each cell.
    """

    machine: Learner
    game: Game
    strength: dict[str, Strength]
    sources: tuple[tuple[int, ...], ...]
    boards: dict[Board, int | str]
    boxes: tuple[Shelved, ...]
    colours: tuple[BeadColour, ...]
    numbers: tuple[int, ...]

    @property
    def has_beads(self) -> bool:
        """Whether it keeps beads."""
        return self.machine.keeps_boxes


def shelf_of(store: Store, name: str, naming: Naming | None = None) -> Shelf:
    """Return all that a page shows of a learner, with beads and cells as `naming` calls them, None as menace does.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if it has more than BOXES_MOST boxes.
        InvalidSetting: if beads or cells are to be named as Michie's, on another board than his.
        InvalidGame: if its boards are not made of cells that the symmetries turn.
    """
    with store.snapshot():
        positions = positions_of(store)
        machine = load_machine(store, positions, store.learner(name))
    game = positions.game
    colours, numbers = _named(math.prod(game.shape), naming or Naming())
    has_beads = machine.keeps_boxes
    boxes = _boxes_with_beads(machine) if has_beads else _boxes_with_values(machine)
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


def _boxes_with_beads(machine: Learner) -> tuple[Shelved, ...]:
    """Return the boxes; of a machine that takes the favourite the share is how it plays, not that of the beads."""
    positions = machine.positions
    policy = None if machine.draws_beads else machine.policy().probability.tolist()

    def choices(box: Box) -> Iterator[Choice]:
        for pile, move in zip(box.piles, positions.moves_of(box.position_id), strict=True):
            share = pile.share if policy is None else policy[move]
            yield Choice(pile.action, pile.multiplicity, pile.beads, share, pile.picked, pile.verdict, pile.optimal)

    return tuple(
        Shelved(box.number, box.position_id, box.board, box.stage, tuple(choices(box)))
        for box in boxes_of_machine(machine)
    )


def _boxes_with_values(machine: Learner) -> tuple[Shelved, ...]:
    """Return the positions in which a machine without beads has more than one cell to choose from."""
    positions, learned, sign = machine.positions, machine.learned, 1 - 2 * machine.side
    of_positions = machine.algorithm.stored_as == "state_value"
    share = machine.policy().probability

    def choice(move: int) -> Choice:
        entry = int(positions.next_position[move]) if of_positions else move
        return Choice(
            action=int(positions.action[move]),
            multiplicity=int(positions.multiplicity[move]),
            amount=float(learned.amount[entry]),
            share=float(share[move]),
            count=None if of_positions else int(learned.count[entry]),
            verdict=VERDICTS[sign * int(positions.minimax[positions.next_position[move]])],
            optimal=bool(positions.optimal[move]),
        )

    chosen = np.flatnonzero(positions.moved_by(machine.side) & (positions.cells > 1)).tolist()
    return tuple(
        Shelved(
            number,
            position,
            positions.boards[position],
            int(positions.ply[position]) // 2 + 1,
            tuple(map(choice, positions.moves_of(position))),
        )
        for number, position in enumerate(chosen, start=1)
    )
