"""What a page shows of a machine: its boxes, or the positions in which a machine without boxes has a choice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from menace.arena.evaluation import Strength
from menace.colours import COLOURS, BeadColour, Naming
from menace.errors import InvalidPlayer
from menace.exporting.table import sources_of, table_of
from menace.games.base import OUTCOME_OF_NUMBER, Board, Game
from menace.ledger.machines import Learner, named_machine
from menace.ledger.marks import measure
from menace.ledger.store import Store
from menace.shelf.box import Box, boxes_of_machine
from menace.shelf.naming import BeadNames

BOXES_MOST = 5000  # of 3x3x3 without symmetry there are 2,423; a browser shows some thousands with ease


@dataclass(frozen=True)
class Shelf:
    """All that a page shows of a machine.

    Attributes:
        machine: whose it is.
        game: its game.
        strength: exact, as it trains, by opponent.
        sources: the symmetries that join boards to positions, where the page's script plays by itself; else None.
        table: every board, where it does not; see `table.table_of`.
        boards: each position's minimax value, or its outcome as text if it is finished, by canonical board.
        boxes: where it has a choice, or beads; numbered from 1 here, whatever it keeps.
        colours: by place, as `naming.Bead` has it; none if there are too few for the game.
        places: the place of each move's colour, by number of the box and by action.
        names: what moves are called.
    """

    machine: Learner
    game: Game
    strength: dict[str, Strength]
    sources: tuple[tuple[int, ...], ...] | None
    table: dict[Board, list[Any]] | None
    boards: dict[Board, int | str]
    boxes: tuple[Box, ...]
    colours: tuple[BeadColour, ...]
    places: dict[int, dict[int, int]]
    names: BeadNames

    @property
    def of_cells(self) -> bool:
        """Whether moves are cells, so that a cell has one colour and one number in all boxes."""
        return self.sources is not None

    @property
    def has_draws(self) -> bool:
        """Whether the game has any."""
        return self.machine.positions.has_draws

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
        InvalidGame: if it is not a game of marks on cells, and has more boards than a page can hold.

    >>> shelf = shelf_of(store, "menace-x")
    >>> len(shelf.boxes), len(shelf.boards), shelf.boards["XXXOO...."], shelf.boards["........."]
    (304, 765, 'X', 0)
    """
    machine = named_machine(store, name)
    positions = machine.positions
    game = positions.game
    chosen = (box for box in boxes_of_machine(machine) if box.has_beads or box.has_choice)
    boxes = tuple(replace(box, number=number) for number, box in enumerate(chosen, start=1))
    if len(boxes) > BOXES_MOST:
        raise InvalidPlayer(
            f"learner {name} has {len(boxes):,} boxes, more than the {BOXES_MOST:,} that fit on a page; "
            "try a graph or a table, such as .gexf or .csv"
        )
    names, sources = BeadNames(positions, machine.row.naming if naming is None else naming), sources_of(positions)
    colours, places = _colours(names, boxes, of_cells=sources is not None)
    outcomes = (OUTCOME_OF_NUMBER[number] for number in positions.outcome.tolist())
    values = zip(positions.boards, positions.minimax.tolist(), outcomes, strict=True)
    return Shelf(
        machine=machine,
        game=game,
        strength=measure(machine, "behaviour"),
        sources=sources,
        table=table_of(positions) if sources is None else None,
        boards={board: value if outcome is None else outcome for board, value, outcome in values},
        boxes=boxes,
        colours=colours,
        places=places,
        names=names,
    )


def _colours(
    names: BeadNames, boxes: tuple[Box, ...], *, of_cells: bool
) -> tuple[tuple[BeadColour, ...], dict[int, dict[int, int]]]:
    """Return the colours by place, and each move's place; none where menace has too few colours for the game."""
    most = names.cells if of_cells else max((len(box.moves) for box in boxes), default=0)
    if of_cells:
        _ = names.numbers_of_cells  # refuses Michie's on another board
    if names.naming.colours == "menace" and most > len(COLOURS["menace"]):
        return (), {}
    if of_cells:
        return names.colours_of_cells, {box.number or 0: {m.action: m.action for m in box.moves} for box in boxes}
    places = {}
    for box in boxes:
        beads = names.beads(box.board, [move.action for move in box.moves])
        places[box.number or 0] = {action: bead.place for action, bead in beads.items()}
    used = max((place for by_action in places.values() for place in by_action.values()), default=-1)
    return COLOURS["menace"][: used + 1], places
