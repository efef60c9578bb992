"""All that somebody who builds a learner's machine has to know: its boxes now and when new, its rules, its colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from menace.errors import InvalidPlayer
from menace.games.base import Board, Symmetry
from menace.labels.sheet import Sheet
from menace.learners.favourite import FavouriteSettings
from menace.learners.menace import MenaceSettings
from menace.ledger.machines import fresh_machine, named_machine, side_number
from menace.ledger.store import Store
from menace.shelf.box import Box, matchboxes_of
from menace.shelf.colours import BeadColour, bead_colours, cell_numbers


@dataclass(frozen=True)
class Kit:
    """One machine, as it is built.

    Attributes:
        name: of the learner.
        plays: `X` or `O`.
        games: that it has learned from.
        settings: its rules.
        boxes: as they stand.
        fresh: the same boxes before the first game.
        shape: rows and columns of the board.
        variant: of the game, such as `3x3x3`.
        longest: the most moves in a game.
        symmetries: the turns and mirror images that share a box, the identity first.
        colours: the colour of each cell's beads.
        numbers: the number of each cell.
    """

    name: str
    plays: str
    games: int
    settings: MenaceSettings | FavouriteSettings
    boxes: tuple[Box, ...]
    fresh: tuple[Box, ...]
    shape: tuple[int, int]
    variant: str
    longest: int
    symmetries: Sequence[Symmetry]
    colours: tuple[BeadColour, ...]
    numbers: tuple[int, ...]

    @property
    def cells(self) -> int:
        """Cells of the board."""
        return self.shape[0] * self.shape[1]

    @property
    def side(self) -> int:
        """0 for X, 1 for O."""
        return side_number(self.plays)

    @property
    def row_length(self) -> int:
        """How many in a row win."""
        return int(self.variant.split("x")[-1])

    @property
    def columns(self) -> int:
        """Columns of the board."""
        return self.shape[1]

    @cached_property
    def stages(self) -> tuple[int, ...]:
        """The machine's moves for which it has boxes."""
        return tuple(sorted({box.stage for box in self.boxes}))

    @cached_property
    def most_images(self) -> int:
        """In how many ways the board of a box may lie on the table, at most."""
        return max(len(self.images(box.board)) for box in self.boxes)

    def first_beads(self, stage: int) -> int:
        """Return the beads of each colour in a new box of a stage; unmerged, for each cell that it stands for."""
        beads = self.settings.beads
        return beads[min(stage, len(beads)) - 1]

    def marks(self, box: Box) -> dict[int, tuple[BeadColour, int]]:
        """Return colour and number of each cell that a colour in the box stands for."""
        return {move.action: (self.colours[move.action], self.numbers[move.action]) for move in box.moves}

    def images(self, board: Board) -> list[Board]:
        """Return the different turns and mirror images of a board, itself first."""
        return list(dict.fromkeys(symmetry.board(board) for symmetry in self.symmetries))

    def way_back(self, image: Board, board: Board) -> Symmetry:
        """Return what carries an image to a board."""
        return next(symmetry for symmetry in self.symmetries if symmetry.board(image) == board)


def kit_of(store: Store, name: str, sheet: Sheet) -> Kit:
    """Collect what is printed for a learner.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if it has no boxes.
        InvalidSetting: if its board has more cells than there are colours, or other than Michie numbered.
    """
    machine = named_machine(store, name)
    row, positions = machine.row, machine.positions
    game = positions.game
    boxes = matchboxes_of(machine)
    if not boxes:
        raise InvalidPlayer(f"learner {name} has no box to label: it never has a choice; name another, or boxes=all")
    return Kit(
        name=name,
        plays=row.plays,
        games=row.games,
        settings=machine.settings,
        boxes=boxes,
        fresh=matchboxes_of(fresh_machine(positions, row)),
        shape=game.shape,
        variant=game.variant,
        longest=positions.longest,
        symmetries=positions.symmetries,
        colours=bead_colours(math.prod(game.shape), sheet.colours),
        numbers=cell_numbers(math.prod(game.shape), sheet.numbering),
    )
