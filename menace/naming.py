"""What people call beads: by a colour, or by a cell of the board that is drawn on their box."""

from __future__ import annotations

import re
from dataclasses import dataclass

from menace.colours import Naming, bead_colours, cell_numbers
from menace.errors import IllegalMove, InvalidBeads
from menace.games.base import Board, Game
from menace.positions import SymmetryUse, canonical, canonical_action, equivalent_actions

LONGEST_SHOWN = 40  # characters of what a person typed, in a message


@dataclass(frozen=True)
class BeadNames:
    """How the operator of a machine names cells and beads: by which schemes of menace/colours.py."""

    game: Game
    symmetry: SymmetryUse
    naming: Naming

    def action(self, board: Board, cell: str, colour: str) -> int:
        """Return the canonical action of a bead.

        Args:
            board: the board that `cell` is meant on, canonical where only the colour is given.
            cell: its number, or empty.
            colour: its colour, or empty; colours belong to cells of the canonical board.

        Raises:
            InvalidBeads: if neither is given, there is no such cell or colour, or they contradict each other.
        """
        if not cell and not colour:
            raise InvalidBeads("neither a cell nor a colour says which bead it is")
        by_cell = self._by_cell(board, cell) if cell else None
        by_colour = self._by_colour(canonical(self.game, board, self.symmetry), colour) if colour else None
        if by_cell is not None and by_colour is not None and by_cell != by_colour:
            raise InvalidBeads(f"cell {cell} of {board} has no {colour} bead; are --colours and --numbering right?")
        return by_cell if by_cell is not None else by_colour  # type: ignore[return-value]

    def _by_cell(self, board: Board, text: str) -> int:
        numbers = cell_numbers(len(board), self.naming.numbering)
        if not text.isdecimal() or int(text) not in numbers:
            raise InvalidBeads(f"{text[:LONGEST_SHOWN]!r} is no cell; cells are {min(numbers)} to {max(numbers)}")
        try:
            return canonical_action(self.game, board, numbers.index(int(text)), self.symmetry)
        except IllegalMove:
            raise InvalidBeads(f"cell {text} of {board} is not empty; no bead stands for it") from None

    def _by_colour(self, board: Board, text: str) -> int:
        names = [colour.name for colour in bead_colours(len(board), self.naming.colours)]
        if text.lower() not in names:
            raise InvalidBeads(f"{text[:LONGEST_SHOWN]!r} is no colour of a bead; there are {', '.join(names)}")
        try:
            return equivalent_actions(self.game, board, names.index(text.lower()), self.symmetry)[0]
        except IllegalMove:
            raise InvalidBeads(f"{text} beads stand for a cell of {board} that is not empty") from None

    def number(self, cell: int) -> str:
        """Return the number of a cell."""
        return str(cell_numbers(self.cells, self.naming.numbering)[cell])

    def cell(self, text: str) -> int:
        """Read a cell of the actual board: its number, or `row,column`.

        Raises:
            IllegalMove: if there is no such cell.
        """
        numbers = cell_numbers(self.cells, self.naming.numbering)
        if text.isdecimal() and int(text) in numbers:
            return numbers.index(int(text))
        return self.game.parse_action(text)

    def draw(self, board: Board) -> str:
        """Return a board as lines, the numbers on its empty cells."""
        numbers = map(str, cell_numbers(self.cells, self.naming.numbering))
        renumbered = dict(zip(map(str, range(self.cells)), numbers, strict=True))
        return re.sub(r"[0-9]+", lambda number: renumbered[number[0]].rjust(len(number[0])), self.game.draw(board))

    @property
    def cells(self) -> int:
        """How many cells a board has."""
        return self.game.shape[0] * self.game.shape[1]

    def describe(self, action: int) -> str:
        """Return a bead as people call it: its colour, and the number of its cell.

        >>> from menace.games import get_game
        >>> BeadNames(get_game(), "full", Naming("michie", "michie")).describe(4)
        'gold (0)'
        """
        return f"{bead_colours(self.cells, self.naming.colours)[action].name} ({self.number(action)})"
