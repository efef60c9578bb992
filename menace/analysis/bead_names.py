"""Give beads and moves human-readable names: a colour, or the move's mark on the box's board.

The module also tabulates the contents of all matchboxes, with one row for each bead colour in a box.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from menace.errors import IllegalMove, InvalidBeads, InvalidSetting
from menace.files.tables import Table
from menace.games.base import Board, Game, grid_text, moves_are_cells
from menace.games.symmetry import SymmetricGame
from menace.learners.box import Box
from menace.text.bead_colours import COLOURS, BeadColour, Naming, bead_colours, cell_numbers, check_naming
from menace.text.wording import LONGEST_SHOWN

CONTENTS = ("box", "board", "stage", "cell", "colour", "beads", "share", "picked", "verdict")


def whole(text: str, most: int) -> int | None:
    """Parse an integer from 0 to `most`, such as `12` or a spreadsheet's `12.0`. Return None for any other text.

    >>> whole("12", 20), whole("5.0", 20), whole("21", 20), whole("-1", 20)
    (12, 5, None, None)
    """
    digits = re.fullmatch(r"0*([0-9]{1,12})(\.0+)?", text.strip(), re.ASCII)
    return int(digits[1]) if digits is not None and int(digits[1]) <= most else None


class Bead(NamedTuple):
    """A move in a box, as shown on the box's label.

    Attributes:
        place: the index of the bead's colour in the scheme. This is the cell if moves are cells, otherwise the move's
            index in the box.
        colour: the colour of the move's beads.
        number: the number that marks the move on the label. This is the cell's number if moves are cells, otherwise the
            move's position in the box, counted from 1.
        name: the name of the move, which is the cell's number if moves are cells, otherwise the game's name for it.

    >>> from menace.games.enumeration import tictactoe
    >>> BeadNames(tictactoe(), Naming("michie", "michie")).beads(".........", [0, 1, 4])[4]
    Bead(place=4, colour=BeadColour(name='gold', rgb=(205, 160, 30)), number=0, name='0')
    """

    place: int
    colour: BeadColour
    number: int
    name: str


@dataclass(frozen=True)
class BeadNames:
    """The operator's names for moves and beads, according to the schemes in menace/text/bead_colours.py.

    If every move is a cell, each cell has the same colour and number in all boxes. In other games, a move's colour and
    number depend on its index among the moves of its box. Therefore, even a game with many different moves needs only a
    few colours.

    >>> from menace.games.enumeration import tictactoe
    >>> names = BeadNames(tictactoe(), Naming("michie", "michie"))
    >>> names.bead(".........", "gold"), names.move(".........", "8"), names.describe(".........", 1)
    (4, 3, 'lilac (2)')
    """

    rules: SymmetricGame
    naming: Naming

    @property
    def game(self) -> Game:
        """The rules of the game."""
        return self.rules.game

    @property
    def cells(self) -> int:
        """The number of cells on a board."""
        return self.game.shape[0] * self.game.shape[1]

    @cached_property
    def of_cells(self) -> bool:
        """Whether the game's moves are cells; only the moves on the first board are checked."""
        return moves_are_cells(self.game, self.game.initial, self.game.actions(self.game.initial))

    def marks_cells(self, board: Board, actions: Iterable[int]) -> bool:
        """Return whether the game's opening moves and the given moves on a board are all cells."""
        return self.of_cells and moves_are_cells(self.game, board, actions)

    def beads(self, board: Board, actions: Sequence[int]) -> dict[int, Bead]:
        """Return a dict that maps each action to its bead in the box.

        Args:
            board: the canonical board, which is drawn on the box.
            actions: the board's moves, with only the lowest action of each set of equivalent actions.

        Raises:
            InvalidSetting: if there are fewer colours than moves, or Michie's scheme has no colours for this board.
        """
        if self.marks_cells(board, actions):
            colours, numbers = self.colours_of_cells, self.numbers_of_cells
            return {cell: Bead(cell, colours[cell], numbers[cell], str(numbers[cell])) for cell in actions}
        colours = self._colours_of(board, len(actions))
        return {
            action: Bead(place, colours[place], place + 1, self.game.name_of(board, action))
            for place, action in enumerate(actions)
        }

    @cached_property
    def colours_of_cells(self) -> tuple[BeadColour, ...]:
        """The bead colours of all cells in order. Raises InvalidSetting if there are too few colours."""
        return bead_colours(self.cells, self.naming.colours)

    @cached_property
    def numbers_of_cells(self) -> tuple[int, ...]:
        """The numbers of all cells in order. Raises InvalidSetting if Michie's scheme has no numbers for this game."""
        return cell_numbers(self.cells, self.naming.numbering)

    def _colours_of(self, board: Board, moves: int) -> tuple[BeadColour, ...]:
        check_naming(self.rules.title, None, self.naming)
        colours = COLOURS["menace"]
        if moves > len(colours):
            raise InvalidSetting(
                f"the box for {board} has {moves} different moves, but there are only {len(colours)} bead colours, so"
                " it cannot be built from real beads"
            )
        return colours[:moves]

    def own_actions(self, board: Board) -> list[int]:
        """Return the actions of a canonical board that have beads in its box.

        Among equivalent actions, only the lowest has beads.
        """
        actions = self.game.actions(board)
        return [action for action in actions if self.rules.equivalent_actions(board, action)[0] == action]

    def bead(self, board: Board, text: str) -> int:
        """Return the action that a bead in a box represents, given the bead's colour, number or move.

        Args:
            board: the canonical board, which is drawn on the box.
            text: the bead's colour, number or move, as typed by a person.

        Raises:
            InvalidBeads: if there is no such colour, number or move, or the box has no such bead.
        """
        if self.marks_cells(board, self.game.actions(board)):
            return self._bead_of_cell(board, text)
        beads = self.beads(board, self.own_actions(board))
        for action, bead in beads.items():
            if text.strip().lower() in {bead.colour.name, str(bead.number), bead.name.lower()}:
                return action
        known = ", ".join(f"{bead.number} {bead.colour.name} ({bead.name})" for bead in beads.values())
        raise InvalidBeads(
            f"the box for {board} has no {text[:LONGEST_SHOWN]!r} bead; give a number, a colour or a move: {known}"
        )

    def _bead_of_cell(self, board: Board, text: str) -> int:
        numbers, colours = self.numbers_of_cells, [colour.name for colour in self.colours_of_cells]
        number = whole(text, self.cells - 1)
        if number is not None:
            cell = numbers.index(number)
        elif text.lower() in colours:
            cell = colours.index(text.lower())
        else:
            raise InvalidBeads(
                f"{text[:LONGEST_SHOWN]!r} is not a bead; give a colour ({', '.join(colours)}) or a cell number"
                f" ({min(numbers)} to {max(numbers)})"
            )
        if cell not in self.game.actions(board):
            raise InvalidBeads(f"the box for {board} has no {self._of_cell(cell)} bead, because that cell is taken")
        stands = self.rules.equivalent_actions(board, cell)[0]
        if stands != cell:
            raise InvalidBeads(
                f"the box for {board} has no {self._of_cell(cell)} bead, because {self._of_cell(stands)} represents"
                " both cells"
            )
        return cell

    def action(self, board: Board, text: str) -> int:
        """Return the canonical action for a move on an actual board, given the cell's number or the move's name.

        Raises:
            InvalidBeads: if there is no such cell or move, or the cell is taken.
        """
        if not self.marks_cells(board, self.game.actions(board)):
            try:
                return self.rules.to_canonical(board, self.game.parse_action(board, text))
            except IllegalMove as error:
                raise InvalidBeads(f"{text[:LONGEST_SHOWN]!r} is not a move on {board}: {error}") from None
        numbers = self.numbers_of_cells
        number = whole(text, self.cells - 1)
        if number is None:
            raise InvalidBeads(
                f"{text[:LONGEST_SHOWN]!r} is not the number of a cell; cells are numbered {min(numbers)} to"
                f" {max(numbers)}"
            )
        try:
            return self.rules.to_canonical(board, numbers.index(number))
        except IllegalMove:
            raise InvalidBeads(f"cell {text} of {board} is taken, so there is no bead for it") from None

    def name(self, board: Board, action: int) -> str:
        """Return the operator's name for a move: the number of its cell, or its name if moves are not cells."""
        if self.marks_cells(board, [action]):
            return str(self.numbers_of_cells[action])
        return self.game.name_of(board, action)

    def move(self, board: Board, text: str) -> int:
        """Return the action for a move on an actual board.

        Args:
            board: the board.
            text: a cell's number, `row,column`, or the move's name in the game.

        Raises:
            IllegalMove: if there is no such move.
        """
        number = whole(text, self.cells - 1) if self.of_cells else None
        return self.numbers_of_cells.index(number) if number is not None else self.game.parse_action(board, text)

    def draw(self, board: Board) -> str:
        """Draw a board as lines of text, with a number on each empty cell if moves are cells."""
        if not self.of_cells:
            return self.game.draw(board)
        width = len(str(max(self.numbers_of_cells)))
        numbers = {cell: str(number).rjust(width) for cell, number in enumerate(self.numbers_of_cells)}
        return grid_text(self.game.pieces(board), self.game.shape, numbers)

    def describe(self, board: Board, action: int) -> str:
        """Describe a bead by its colour, followed by the number of its cell or the name of its move.

        >>> from menace.games import get_game
        >>> BeadNames(SymmetricGame(get_game()), Naming("michie", "michie")).describe("X........", 4)
        'gold (0)'
        """
        if self.marks_cells(board, [action]):
            return self._of_cell(action)
        bead = self.beads(board, self.own_actions(board))[action]
        return f"{bead.colour.name} ({bead.name})"

    def _of_cell(self, cell: int) -> str:
        return f"{self.colours_of_cells[cell].name} ({self.numbers_of_cells[cell]})"


def contents_table(boxes: Sequence[Box], names: BeadNames) -> Table:
    """Return a table with a row for every bead colour in every box.

    The columns are listed in CONTENTS, but `cell` is renamed to `move` if moves are not cells.

    Args:
        boxes: the boxes of a learner that uses beads.
        names: the names of beads and moves.

    Raises:
        InvalidSetting: if there are too few colours.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.machine import Machine
    >>> from menace.text.bead_colours import Naming
    >>> table = contents_table(Machine("menace", "X").boxes, BeadNames(tictactoe(), Naming()))
    >>> table.columns, table.rows[0]  # doctest: +NORMALIZE_WHITESPACE
    (('box', 'board', 'stage', 'cell', 'colour', 'beads', 'share', 'picked', 'verdict'),
     (1, '.........', 1, 0, 'red', 4, 0.3333, 0, 'draws'))
    """
    rows: list[tuple[object, ...]] = []
    for box in boxes:
        beads = names.beads(box.board, [move.action for move in box.moves])
        for move in box.moves:
            bead = beads[move.action]
            called = bead.number if bead.name == str(bead.number) else bead.name
            which = (box.number, box.board, box.stage, called, bead.colour.name)
            rows.append((*which, move.beads, round(box.share_of_beads(move), 4), move.count, move.verdict))
    of_cells = all(names.marks_cells(box.board, [move.action for move in box.moves]) for box in boxes)
    return Table(CONTENTS if of_cells else ["move" if name == "cell" else name for name in CONTENTS], rows)
