"""What people call beads: by a colour, or by a cell of the board that is drawn on their box."""

from __future__ import annotations

import re
from dataclasses import dataclass

from menace.errors import IllegalMove, InvalidBeads
from menace.games.base import Board, Game
from menace.games.symmetry import SymmetricGame
from menace.shelf.colours import Naming, bead_colours, cell_numbers

LONGEST_SHOWN = 40  # characters of what a person typed, in a message


def whole(text: str, most: int) -> int | None:
    """Return a whole number that a person or a spreadsheet wrote, 0 to `most`; None if the text is none.

    >>> whole("12", 20), whole("5.0", 20), whole("21", 20), whole("-1", 20)
    (12, 5, None, None)
    """
    digits = re.fullmatch(r"0*([0-9]{1,12})(\.0+)?", text.strip(), re.ASCII)
    return int(digits[1]) if digits is not None and int(digits[1]) <= most else None


@dataclass(frozen=True)
class BeadNames:
    """How the operator of a machine names cells and beads: by which schemes of menace/colours.py."""

    rules: SymmetricGame
    naming: Naming

    @property
    def game(self) -> Game:
        """The rules."""
        return self.rules.game

    def bead(self, board: Board, text: str) -> int:
        """Return the action of a bead of a box, named by its colour or by the number of the cell that it marks.

        Args:
            board: the canonical board, which is drawn on the box.
            text: what a person calls the bead.

        Raises:
            InvalidBeads: if there is no such colour or cell, or the box has no such bead.
        """
        numbers, colours = cell_numbers(self.cells, self.naming.numbering), self._colours()
        number = whole(text, self.cells - 1)
        if number is not None:
            cell = numbers.index(number)
        elif text.lower() in colours:
            cell = colours.index(text.lower())
        else:
            raise InvalidBeads(
                f"{text[:LONGEST_SHOWN]!r} is no bead; say a colour ({', '.join(colours)}),"
                f" or a cell, {min(numbers)} to {max(numbers)}"
            )
        if cell not in self.game.actions(board):
            raise InvalidBeads(f"the box for {board} has no {self.describe(cell)} bead: that cell is taken")
        stands = self.rules.equivalent_actions(board, cell)[0]
        if stands != cell:
            raise InvalidBeads(
                f"the box for {board} has no {self.describe(cell)} bead: {self.describe(stands)} stands for both cells"
            )
        return cell

    def action(self, board: Board, text: str) -> int:
        """Return the canonical action of the number of a cell of any board of a position.

        Raises:
            InvalidBeads: if there is no such cell, or it is taken.
        """
        numbers = cell_numbers(self.cells, self.naming.numbering)
        number = whole(text, self.cells - 1)
        if number is None:
            raise InvalidBeads(f"{text[:LONGEST_SHOWN]!r} is no cell; cells are {min(numbers)} to {max(numbers)}")
        try:
            return self.rules.to_canonical(board, numbers.index(number))
        except IllegalMove:
            raise InvalidBeads(f"cell {text} of {board} is taken; no bead stands for it") from None

    def _colours(self) -> list[str]:
        return [colour.name for colour in bead_colours(self.cells, self.naming.colours)]

    def number(self, cell: int) -> str:
        """Return the number of a cell."""
        return str(cell_numbers(self.cells, self.naming.numbering)[cell])

    def cell(self, text: str) -> int:
        """Read a cell of the actual board: its number, or `row,column`.

        Raises:
            IllegalMove: if there is no such cell.
        """
        number = whole(text, self.cells - 1)
        numbers = cell_numbers(self.cells, self.naming.numbering)
        return numbers.index(number) if number is not None else self.game.parse_action(text)

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
        >>> BeadNames(SymmetricGame(get_game()), Naming("michie", "michie")).describe(4)
        'gold (0)'
        """
        return f"{bead_colours(self.cells, self.naming.colours)[action].name} ({self.number(action)})"
