"""A base class for games without array rules, which computes and names legal moves and parses boards.

Each subclass defines `outcome` and `children`; the latter returns the board after each action. The text of a board ends
with `:X` or `:O`, which specifies the side to move.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from menace.errors import IllegalMove, InvalidBoard, InvalidGame, UnreachableBoard
from menace.games.base import Board, Game, Side, grid_text, shortened
from menace.text.wording import counted

SIDE_SIGN = ":"  # separates the pieces from the side to move in the text of a board

if TYPE_CHECKING:
    from collections.abc import Iterable


def invalid_variant(game: str, variant: str, expected: str) -> InvalidGame:
    """Return the error for an invalid variant of a game.

    Args:
        game: the game's name.
        variant: the text of the variant.
        expected: a description of valid variants.

    >>> str(invalid_variant("nim", "x", "heaps of stones, such as 3-4-5"))
    "variant 'x' of nim is not heaps of stones, such as 3-4-5"
    """
    return InvalidGame(f"variant {shortened(variant)} of {game} is not {expected}")


class TextGame(Game):
    """A game that derives its other methods from `initial`, `shape`, `children`, `outcome`, `name_of` and `pieces`.

    >>> from menace.games.rules.nim import Nim
    >>> game = Nim.from_variant("3-4-5")
    >>> game.parse("1 2 5 : o"), game.parse_action("0-1-0:X", "1 from heap 2")
    ('1-2-5:O', 5)
    """

    # A subclass must define these methods and the remaining attributes of `Game`.

    def children(self, board: Board) -> dict[int, Board]:
        """Return the board after each action. The caller must ensure that the game is not over."""
        raise NotImplementedError

    def read(self, text: str) -> str:
        """Parse the pieces on a board, without the side to move, and return them in the game's notation.

        Raises:
            InvalidBoard: if the text is not a board.
        """
        raise NotImplementedError

    def read_cells(self, text: str, signs: str, description: str, order: str) -> str:
        """Return the cells of a board as a string with one character per cell, without spaces or `/`.

        Args:
            text: the board as people write it.
            signs: the characters that a cell may contain.
            description: a description of these characters, for messages.
            order: a description of the order of the cells, for messages.

        Raises:
            InvalidBoard: if the text contains other characters, or the number of cells is wrong.
        """
        cells, initial = (re.sub(r"[\s/]", "", written).upper() for written in (text, self.initial[:-2]))
        wrong = cells.strip(signs)
        if wrong:
            raise InvalidBoard(f"board {shortened(text)} contains {wrong[0]!r}; cells are {description}")
        if len(cells) != len(initial):
            raise InvalidBoard(
                f"board {shortened(text)} has {counted(len(cells), 'cell')}; it needs {len(initial)}, {order}, and the"
                f" side to move, such as {self.initial}"
            )
        return cells

    def impossible(self, board: Board) -> str | None:
        """Return the end of a sentence that explains why a board is unreachable, or None if no reason is known."""
        raise NotImplementedError

    # The following methods use the methods above.

    def to_move(self, board: Board) -> Side:
        return Side(board[-1])

    def actions(self, board: Board) -> tuple[int, ...]:
        return tuple(self._after(board))

    def play(self, board: Board, action: int) -> Board:
        after = self._after(board).get(action)
        if after is None:
            raise IllegalMove(f"action {action} is not legal on {board}; {self._legal(board)}")
        return after

    def _after(self, board: Board) -> dict[int, Board]:
        """Return the board after each legal action, in the order of actions. The last result is cached."""
        after = self._last.get(board)
        if after is None:
            after = {} if self.outcome(board) is not None else dict(sorted(self.children(board).items()))
            self._last.clear()
            self._last[board] = after
        return after

    @cached_property
    def _last(self) -> dict[Board, dict[int, Board]]:
        return {}

    def parse_action(self, board: Board, text: str) -> int:
        """Parse the name of an action, ignoring case and extra spaces."""
        for action in self._after(board):
            if _plain(text) in map(_plain, self.names_of(board, action)):
                return action
        raise IllegalMove(f"{shortened(text)} is not a legal move; {self._legal(board)}")

    def names_of(self, board: Board, action: int) -> Iterable[str]:
        """Return the strings that people may type for an action, starting with the action's name."""
        return (self.name_of(board, action),)

    def _legal(self, board: Board) -> str:
        names = ", ".join(self.name_of(board, action) for action in self.actions(board))
        return f"the moves are {names}" if names else "no move is left: the game is over"

    def parse(self, text: str) -> Board:
        """Parse the pieces and the side to move. The side may be omitted if only one side can be to move."""
        written, sign, side = text.partition(SIDE_SIGN)
        pieces, side = self.read(written), side.strip().upper()
        if sign and side not in set(Side):
            raise InvalidBoard(
                f"board {shortened(text)} ends in {side!r}; after the colon, write the side to move, X or O"
            )
        boards = [f"{pieces}{SIDE_SIGN}{mover}" for mover in ([side] if sign else Side)]
        reasons = {board: self.impossible(board) for board in boards}
        possible = [board for board, reason in reasons.items() if reason is None]
        if len(possible) == 1:
            return possible[0]
        if possible:
            raise InvalidBoard(f"board {pieces} does not contain the side to move; write {' or '.join(possible)}")
        raise UnreachableBoard(f"board {boards[0]} {reasons[boards[0]]}")

    def draw(self, board: Board) -> str:
        return grid_text(self.pieces(board), self.shape)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.strip()).lower()
