"""The interface of a game: rules on boards written as text, and, for speed, the same rules on arrays.

A board is a text (`Board`) without spaces, as its game writes it. Where the pieces do not show who is to move, it ends
in `:X` or `:O`. Boards compare as plain strings. No board comes up twice in a game.

The two players are called X (who moves first) and O in every game, and move by turns.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn, Protocol, TypeAlias, TypeVar, runtime_checkable

from menace.errors import InvalidPlayer

if TYPE_CHECKING:  # `menace show` reads boards as text and starts without numpy
    import numpy as np
    from numpy.typing import NDArray

Board: TypeAlias = str
Outcome: TypeAlias = Literal["X", "O", "draw"]

Held = TypeVar("Held")
Method = TypeVar("Method", bound=Callable[..., str])
STONE = "\N{BLACK CIRCLE}"  # a piece that belongs to neither player
GAP = "|"  # not a cell: the gap between boards side by side
DEAD = "#"  # a cell that cannot be played on any more


class Side(StrEnum):
    """A side of a game: X, who moves first, or O. Text in SQL, JSON and messages; a number in arrays.

    >>> Side("X").other, Side.O.number, Side.O.sign, Side.of_number(1), Side.after(2) == "X"
    ('O', 1, -1, 'O', True)
    >>> Side("x")
    Traceback (most recent call last):
    menace.errors.InvalidPlayer: unknown side 'x'; a machine plays X or O
    """

    X = "X"
    O = "O"  # noqa: E741 - the player's name

    @property
    def number(self) -> int:
        """0 for X, 1 for O."""
        return 0 if self is Side.X else 1

    @property
    def sign(self) -> int:
        """1 for X, -1 for O: times a value as X sees it, the value as this side sees it."""
        return 1 if self is Side.X else -1

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.O if self is Side.X else Side.X

    @property
    def outcome(self) -> Outcome:
        """The outcome of a game that it wins."""
        return "X" if self is Side.X else "O"

    def x_and_o(self, own: Held, others: Held) -> tuple[Held, Held]:
        """Return a pair (own, the opponent's) as (X's, O's), or a pair (X's, O's) as (own, the opponent's)."""
        return (own, others) if self is Side.X else (others, own)

    @classmethod
    def of_number(cls, number: int) -> Side:
        """Return X for 0, O for 1. Not checked: that it is one of them."""
        return cls.O if number else cls.X

    @classmethod
    def after(cls, plies: int) -> Side:
        """Return who is to move after so many plies, 0 or more, of a game that goes on."""
        return cls.of_number(plies % 2)

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InvalidPlayer(f"unknown side {value!r}; a machine plays X or O")

    def __repr__(self) -> str:
        return repr(self.value)


SideText: TypeAlias = Side | Literal["X", "O"]  # accepted from callers; `Side(...)` converts it

# Who is to move, in columns of numbers and of texts: NO_SIDE and None once the game is over.
NO_SIDE = -1
NUMBER_OF_SIDE: dict[str | None, int] = {side.value: side.number for side in Side} | {None: NO_SIDE}
TEXT_OF_SIDE: dict[int, str | None] = {number: text for text, number in NUMBER_OF_SIDE.items()}

# Outcomes as numbers are values as X sees them. ONGOING marks a game that is not over.
X_WINS, DRAW, O_WINS, ONGOING = 1, 0, -1, 2
OUTCOME_OF_NUMBER: dict[int, Outcome | None] = {X_WINS: "X", DRAW: "draw", O_WINS: "O", ONGOING: None}
NUMBER_OF_OUTCOME: dict[Outcome | None, int] = {text: number for number, text in OUTCOME_OF_NUMBER.items()}


class Symmetry(Protocol):
    """A change of boards that the rules do not notice: carrying and then playing equals playing and then carrying."""

    @property
    def name(self) -> str:
        """What people call it."""

    def board(self, board: Board) -> Board:
        """Return the image of `board`."""

    def action(self, action: int) -> int:
        """Return what `action` on a board is on the board's image: the same on every board."""

    def inverse(self) -> Symmetry:
        """Return the symmetry that undoes this one."""


class CellSymmetry(NamedTuple):
    """One rotation or reflection, as a permutation of cells, for boards of one character a cell.

    `image[i] = board[source[i]]`: the cell that comes to rest on `i` was at `source[i]`. Whatever the board has behind
    its cells stays. An action is a cell, so an action `a` of the board becomes the action `i` of its image for which
    `source[i] == a`; where it is something else, `actions` has for each action on a board what it is on the image.

    >>> turn = CellSymmetry("quarter turn clockwise", (2, 0, 3, 1))  # of two rows of two cells
    >>> turn.board("X..O"), turn.action(0), turn.inverse().board(turn.board("X..O"))
    ('.XO.', 1, 'X..O')
    >>> mirror = CellSymmetry("left-right mirror", (1, 0), actions=(3, 2, 1, 0))
    >>> mirror.board("X.:O"), mirror.action(0), mirror.inverse().action(3)
    ('.X:O', 3, 0)
    """

    name: str
    source: tuple[int, ...]
    actions: tuple[int, ...] = ()

    def board(self, board: Board) -> Board:
        """Return the image of `board`."""
        return "".join([board[cell] for cell in self.source]) + board[len(self.source) :]

    def action(self, action: int) -> int:
        """Return what `action` on a board is on the board's image."""
        return self.actions[action] if self.actions else self.source.index(action)

    def inverse(self) -> CellSymmetry:
        """Return the symmetry that undoes this one."""
        source, actions = (
            tuple(sorted(range(len(order)), key=order.__getitem__)) for order in (self.source, self.actions)
        )
        return CellSymmetry(f"inverse of {self.name}", source, actions)


class MoveMark(NamedTuple):
    """Where a move is to be seen on a board: on cells that it marks, as an arrow, or as a bar across two cells.

    Attributes:
        cells: that it marks. What is written of the move (a bead, a number, a share) stands on the first.
        arrow: the cell that it leaves and the one that it reaches, instead of cells.
        places: the piece that it puts there, where the mover can choose between pieces; else empty.
        pair: two cells that it takes alike, as a domino does, instead of cells. What is written stands between them.

    >>> from menace.games import get_game
    >>> get_game().where("X........", 4)
    MoveMark(cells=(4,), arrow=None, places='', pair=None)
    """

    cells: tuple[int, ...] = ()
    arrow: tuple[int, int] | None = None
    places: str = ""
    pair: tuple[int, int] | None = None

    @property
    def ends(self) -> tuple[int, int] | None:
        """The two cells of an arrow or a pair; None if the move marks cells."""
        return self.arrow or self.pair


class Game(Protocol):
    """The rules of one game. A new game is one file with a class of this shape; docs/your-own-game.md writes one.

    The rules hold for every image of a board, whether a game reaches it or not.
    """

    @property
    def name(self) -> str:
        """The game's name, as `menace init --game` takes it."""

    @property
    def variant(self) -> str:
        """Which member of its family, as `menace init --variant` takes it."""

    @property
    def rules(self) -> str:
        """The rules of this variant in words, for people: a few sentences, with how moves are written."""

    @property
    def initial(self) -> Board:
        """The board before the first move."""

    @property
    def shape(self) -> tuple[int, int]:
        """The board's rows and columns, as pictures show it: cell `row * columns + column`."""

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries of the rules, the identity first. A group: closed, with inverses."""

    def to_move(self, board: Board) -> Side:
        """Return whose move it is: X on the initial board, then by turns. Not checked: that the game is still on."""

    def actions(self, board: Board) -> tuple[int, ...]:
        """Return the legal actions, 0 or more each, in ascending order; none once the game is over."""

    def play(self, board: Board, action: int) -> Board:
        """Return the board after `action`.

        Raises:
            IllegalMove: if `action` is not one of `actions(board)`.
        """

    def outcome(self, board: Board) -> Outcome | None:
        """Return who has won, `"draw"`, or None while the game goes on."""

    def parse(self, text: str) -> Board:
        """Read a board as people write it.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game can reach it. The message says why.
        """

    def parse_action(self, board: Board, text: str) -> int:
        """Read an action on a board as people write it: by its name at least. Not checked: that it is legal there.

        Raises:
            IllegalMove: if the text is not an action.
        """

    def name_of(self, board: Board, action: int) -> str:
        """Return what people call an action on a board, such as `4` or `a2-a3`; no two actions there share a name."""

    def draw(self, board: Board) -> str:
        """Return the board as lines of text for people."""

    def pieces(self, board: Board) -> tuple[str, ...]:
        """Return what stands on each cell of `shape`, row by row, as a short text; `""` on an empty one.

        `X`, `O` and STONE are drawn as crosses, noughts and stones, a DEAD cell is filled, and where a whole column is
        GAP, boards stand apart. Anything else is drawn as it is written.
        """

    def where(self, board: Board, action: int) -> MoveMark:
        """Return where an action is to be seen on a board.

        No two actions there have the same arrow, the same pair, or the same first cell and piece that is put.
        """


def same_on_every_board(name_of: Method) -> Method:
    """Mark a game's `name_of` that needs nothing of the board but who is to move: a database has few names, then.

    >>> from menace.games import get_game
    >>> named_alike(get_game())
    True
    """
    vars(name_of)[_ALIKE] = True
    return name_of


def named_alike(game: Game) -> bool:
    """Say whether a side's action is known to have one name, whatever the board: whether `name_of` is so marked."""
    return hasattr(game.name_of, _ALIKE)


_ALIKE = "same_on_every_board"


@runtime_checkable
class NamedInWords(Protocol):
    """A game whose name is not what people call it."""

    @property
    def words(self) -> str:
        """What people call this variant, as it stands within a sentence: `noughts and crosses`."""


@runtime_checkable
class OrbitRules(Protocol):
    """A game's symmetries once more, for groups so large that not each can be tried on each board."""

    def carrier(self, board: Board) -> Symmetry:
        """Return one of `symmetries` that carries a board to its canonical one: of all images the text sorts last."""

    def image_count(self, board: Board) -> int:
        """Return how many different images a board has."""


@runtime_checkable
class RowRules(Protocol):
    """A game that is over when the cells of a row have equal pieces: boards show the row struck through."""

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The cells of `shape` of each such row, from one end to the other."""


@runtime_checkable
class Coordinates(Protocol):
    """A game whose moves call cells by their rows and columns: boards show the names beside them."""

    @property
    def coordinates(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of the rows, from the top, and of the columns; none where moves name only the others."""


class Successors(NamedTuple):
    """Every move from each of some boards: parallel arrays, one entry a move, ordered by parent, then by action."""

    parent: NDArray[np.int64]  # index into the boards that were asked about
    action: NDArray[np.int64]
    code: NDArray[np.uint64]  # of the board after the move


@runtime_checkable
class ArrayRules(Protocol):
    """The rules of a game once more, on arrays of codes: millions of positions are found in the time of thousands.

    Only for a game in which every way to a board takes equally many moves: its positions are found a ply at a time, and
    none is looked for among those of other plies. A board's *code* is an unsigned integer; codes compare as texts do.
    """

    def encode(self, board: Board) -> int:
        """Return the code of a board: codes compare as texts do."""

    def decode(self, codes: NDArray[np.uint64]) -> list[Board]:
        """Return the boards of codes."""

    def successors(self, codes: NDArray[np.uint64]) -> Successors:
        """Return every move from boards that are not over, all of one ply, so that one side moves on all of them."""

    def outcomes(self, codes: NDArray[np.uint64]) -> NDArray[np.int8]:
        """Return `X_WINS`, `DRAW`, `O_WINS` or `ONGOING` for each board; equals `outcome`, board by board."""

    def images(self, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return the images of each board, of shape (symmetries, boards), in the order of `symmetries`."""
