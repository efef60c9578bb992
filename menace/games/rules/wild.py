"""The rules of wild tic-tac-toe, in which players may choose either X or O for each move.

A player who completes a row of equal signs wins, or loses in misère play. Variants are `3x3x3-wild`,
`3x3x3-wild-misere` and other sizes. Solomon Golomb named the game; see Berlekamp, Conway and Guy, Winning Ways for your
Mathematical Plays, volume 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from menace.errors import UnreachableBoard
from menace.games.base import Board, CellSymmetry, Game, MoveMark, Outcome, Side, same_name_on_every_board
from menace.games.rules.mnk import EMPTY, MISERE, MNK, OTHER_RULES, read_size
from menace.games.text_game_base import TextGame
from menace.text.wording import VERDICTS, counted

WILD = "-wild"  # suffix of a variant, before MISERE
SIGNS = "XO"
EXCHANGED = str.maketrans("XO", "OX")


def tictactoe(variant: str = "3x3x3") -> Game:
    """Create tic-tac-toe for a size such as `3x3x3`, optionally followed by `-misere`, `-wild` or `-wild-misere`.

    Raises:
        InvalidGame: if there is no such variant.

    >>> tictactoe("3x3x3-misere").outcome("XXXOO...."), tictactoe("3x3x3-wild").outcome("XXX......")
    ('O', 'X')
    """
    normal = variant.removesuffix(MISERE)
    if not normal.endswith(WILD):
        return MNK.from_variant(variant)
    ending = variant[len(normal.removesuffix(WILD)) :]
    return Wild(MNK(*read_size(variant, OTHER_RULES, ending)), misere=normal != variant)


class WildSymmetry(NamedTuple):
    """A rotation or reflection of the board, which may also exchange the signs.

    Action `2 * cell` puts X on a cell, and action `2 * cell + 1` puts O on it.

    >>> turn = CellSymmetry("half turn", (1, 0))
    >>> symmetry = WildSymmetry(turn, exchanges=True)
    >>> symmetry.name, symmetry.board("X."), symmetry.action(0)
    ('half turn, X and O exchanged', '.O', 3)
    """

    turn: CellSymmetry
    exchanges: bool

    @property
    def name(self) -> str:
        return f"{self.turn.name}, X and O exchanged" if self.exchanges else self.turn.name

    def board(self, board: Board) -> Board:
        """Return the image of `board`."""
        image = self.turn.board(board)
        return image.translate(EXCHANGED) if self.exchanges else image

    def action(self, action: int) -> int:
        """Map `action` on a board to the corresponding action on the board's image."""
        cell, sign = divmod(action, 2)
        return 2 * self.turn.action(cell) + (sign ^ self.exchanges)

    def inverse(self) -> WildSymmetry:
        """Return the inverse symmetry."""
        return WildSymmetry(self.turn.inverse(), self.exchanges)


@dataclass(frozen=True)
class Wild(TextGame):
    """Tic-tac-toe on `grid`, where players choose the sign for each move.

    The number of signs determines the side to move.

    >>> game = tictactoe("3x3x3-wild")
    >>> game.name_of("X........", 9), game.play("X........", 9), game.outcome("X...X...X"), len(game.symmetries)
    ('O4', 'X...O....', 'X', 16)
    """

    grid: MNK
    misere: bool

    name = "tictactoe"

    @property
    def variant(self) -> str:
        return self.grid.variant + WILD + (MISERE if self.misere else "")

    @property
    def words(self) -> str:
        return f"{'misère ' if self.misere else ''}wild {self.grid.words}"

    @property
    def rules(self) -> str:
        grid = self.grid
        size = f"{counted(grid.rows, 'row')} and {counted(grid.columns, 'column')}"
        return (
            f"The board has {size}. The players take turns to put a sign on an empty cell and choose X or O each"
            f" time. The player who completes {grid.row_length} of one sign in a row, across, down or diagonally,"
            f" {VERDICTS[-1 if self.misere else 1]}; if the board fills up first, the game is a draw. The player who"
            " moves first is called X. Write a move as the sign and the number of its cell, such as O4."
        )

    @property
    def initial(self) -> Board:
        return self.grid.initial

    @property
    def shape(self) -> tuple[int, int]:
        return self.grid.shape

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        return self.grid.lines

    @cached_property
    def symmetries(self) -> tuple[WildSymmetry, ...]:
        return tuple(WildSymmetry(turn, exchanges) for exchanges in (False, True) for turn in self.grid.symmetries)

    # The rules.

    def to_move(self, board: Board) -> Side:
        return Side.after(len(board) - board.count(EMPTY))

    def outcome(self, board: Board) -> Outcome | None:
        if self._has_row(board):
            mover = self.to_move(board)
            return mover.outcome if self.misere else mover.other.outcome
        return None if EMPTY in board else "draw"

    def _has_row(self, board: Board) -> bool:
        return any(self.grid.has_row(board, side) for side in Side)

    def children(self, board: Board) -> dict[int, Board]:
        return {
            2 * cell + number: board[:cell] + sign + board[cell + 1 :]
            for cell, content in enumerate(board)
            if content == EMPTY
            for number, sign in enumerate(SIGNS)
        }

    # Notation and display.

    @same_name_on_every_board
    def name_of(self, board: Board, action: int) -> str:
        return f"{SIGNS[action % 2]}{action // 2}"

    def names_of(self, board: Board, action: int) -> tuple[str, ...]:
        """Return all ways to write a move: the sign and the cell in either order, with and without a space."""
        cell, sign = action // 2, SIGNS[action % 2]
        return f"{sign}{cell}", f"{sign} {cell}", f"{cell}{sign}", f"{cell} {sign}"

    def parse(self, text: str) -> Board:
        """Parse a board row by row as in tic-tac-toe, but allow any number of each sign."""
        board = self.grid.read(text)
        before = [board[:cell] + EMPTY + board[cell + 1 :] for cell in range(len(board)) if board[cell] != EMPTY]
        if self._has_row(board) and all(map(self._has_row, before)):
            raise UnreachableBoard(f"board {board} has rows that no single last move could have completed")
        return board

    def draw(self, board: Board) -> str:
        return self.grid.draw(board)

    def pieces(self, board: Board) -> tuple[str, ...]:
        return self.grid.pieces(board)

    def where(self, board: Board, action: int) -> MoveMark:
        return MoveMark((action // 2,), places=SIGNS[action % 2])
