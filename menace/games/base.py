"""Define the interfaces for games and optional array rules, and format boards and moves as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn, Protocol, TypeAlias, TypeVar, runtime_checkable

from menace.errors import IllegalMove, InvalidBoard, InvalidPlayer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Board: TypeAlias = str
Outcome: TypeAlias = Literal["X", "O", "draw"]

Held = TypeVar("Held")
Method = TypeVar("Method", bound=Callable[..., str])
STONE = "\N{BLACK CIRCLE}"  # a piece that belongs to neither player
GAP = "|"  # marks a gap between boards that are drawn side by side; a gap is not a cell
DEAD = "#"  # a cell that can no longer be used


class Side(StrEnum):
    """A side of a game: X, which moves first, or O.

    SQL, JSON and messages use the strings `X` and `O`; arrays use numbers.

    >>> Side("X").other, Side.O.number, Side.O.sign, Side.of_number(1), Side.after(2) == "X"
    ('O', 1, -1, 'O', True)
    >>> Side("x")
    Traceback (most recent call last):
    menace.errors.InvalidPlayer: unknown side 'x'; a machine plays X or O
    """

    X = "X"
    O = "O"  # noqa: E741 - the name of the player

    @property
    def number(self) -> int:
        """The side's number in arrays: 0 for X, 1 for O."""
        return 0 if self is Side.X else 1

    @property
    def sign(self) -> int:
        """The factor that converts a value between X's point of view and this side's: 1 for X, -1 for O."""
        return 1 if self is Side.X else -1

    @property
    def other(self) -> Side:
        """The opponent's side."""
        return Side.O if self is Side.X else Side.X

    @property
    def outcome(self) -> Outcome:
        """The outcome, `"X"` or `"O"`, of a game that this side wins."""
        return "X" if self is Side.X else "O"

    def x_and_o(self, own: Held, others: Held) -> tuple[Held, Held]:
        """Convert a pair (this side's value, opponent's value) to (X's value, O's value), or back.

        Both directions are the same operation.
        """
        return (own, others) if self is Side.X else (others, own)

    @classmethod
    def of_number(cls, number: int) -> Side:
        """Return the side X for 0 and the side O for 1. The caller must not pass other numbers."""
        return cls.O if number else cls.X

    @classmethod
    def after(cls, plies: int) -> Side:
        """Return the side to move after the given number of plies (0 or more) of an unfinished game."""
        return cls.of_number(plies % 2)

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InvalidPlayer(f"unknown side {value!r}; a machine plays X or O")

    def __repr__(self) -> str:
        return repr(self.value)


SideText: TypeAlias = Side | Literal["X", "O"]  # types that callers may pass; `Side(...)` converts either type

# Numeric columns store the number of the side to move, and text columns store its name. When the game is over, these
# columns store NO_SIDE and None.
NO_SIDE = -1
NUMBER_OF_SIDE: dict[str | None, int] = {side.value: side.number for side in Side} | {None: NO_SIDE}
TEXT_OF_SIDE: dict[int, str | None] = {number: text for text, number in NUMBER_OF_SIDE.items()}

# Outcomes are numbers from X's point of view. ONGOING marks an unfinished game.
X_WINS, DRAW, O_WINS, ONGOING = 1, 0, -1, 2
OUTCOME_OF_NUMBER: dict[int, Outcome | None] = {X_WINS: "X", DRAW: "draw", O_WINS: "O", ONGOING: None}
NUMBER_OF_OUTCOME: dict[Outcome | None, int] = {text: number for number, text in OUTCOME_OF_NUMBER.items()}


class Symmetry(Protocol):
    """A symmetry of the rules.

    A symmetry commutes with moves: transforming a board and then making the transformed move gives the same result as
    making the move first.
    """

    @property
    def name(self) -> str:
        """The symmetry's display name."""

    def board(self, board: Board) -> Board:
        """Return the image of `board`."""

    def action(self, action: int) -> int:
        """Map `action` on a board to the corresponding action on the board's image.

        The result does not depend on the board.
        """

    def inverse(self) -> Symmetry:
        """Return the inverse symmetry."""


class CellSymmetry(NamedTuple):
    """A rotation or reflection, as a permutation of cells, for boards with one character per cell.

    The content of cell `source[i]` moves to cell `i`, so `image[i] = board[source[i]]`. Text after the cells does not
    change.

    Attributes:
        name: the symmetry's display name.
        source: for each cell of the image, the cell of the board from which its content comes.
        actions: for each action on a board, the corresponding action on the image. If `actions` is empty, actions are
            cells, and action `a` becomes the action `i` with `source[i] == a`.

    >>> turn = CellSymmetry("quarter turn clockwise", (2, 0, 3, 1))  # for a 2 x 2 board
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
        """Map `action` on a board to the corresponding action on the board's image."""
        return self.actions[action] if self.actions else self.source.index(action)

    def inverse(self) -> CellSymmetry:
        """Return the inverse symmetry."""
        source, actions = (
            tuple(sorted(range(len(order)), key=order.__getitem__)) for order in (self.source, self.actions)
        )
        return CellSymmetry(f"inverse of {self.name}", source, actions)


class MoveMark(NamedTuple):
    """The location of a move on a board, given by marked cells, an arrow, or a bar across two cells.

    Attributes:
        cells: the marked cells. The first cell contains the move's label, which is a bead, a number or a share.
        arrow: the start and end cells of a move that is shown as an arrow instead of `cells`.
        places: the piece that the move places if the player can choose between pieces, otherwise "".
        pair: the two cells of a move that is shown as a bar instead of `cells`, such as a domino. The label is between
            the two cells.

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
        """The two cells of an arrow or a pair, or None if the move marks cells."""
        return self.arrow or self.pair


class Game(Protocol):
    """The rules of a game. docs/your-own-game.md explains how to write a game as a class in one file.

    The rules must work for all images of every reachable board, even for images that no game can reach.
    """

    @property
    def name(self) -> str:
        """The game's name, as given to `menace init --game`."""

    @property
    def variant(self) -> str:
        """The variant of the game, as given to `menace init --variant`."""

    @property
    def rules(self) -> str:
        """The rules of this variant in a few sentences, including how to write moves."""

    @property
    def initial(self) -> Board:
        """The board before the first move."""

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and the number of columns in drawings of the board.

        The index of a cell is `row * columns + column`.
        """

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries of the rules, with the identity first. The symmetries must form a group."""

    def to_move(self, board: Board) -> Side:
        """Return the side to move. X moves first, and the sides alternate.

        For finished boards, the result is undefined.
        """

    def actions(self, board: Board) -> tuple[int, ...]:
        """Return the legal actions, 0 or greater, in ascending order. If the game is over, return an empty tuple."""

    def play(self, board: Board, action: int) -> Board:
        """Return the board after `action`.

        Raises:
            IllegalMove: if `action` is not one of `actions(board)`.
        """

    def outcome(self, board: Board) -> Outcome | None:
        """Return the winner or `"draw"`, or None if the game is not over."""

    def parse(self, text: str) -> Board:
        """Parse a board in any notation that people may use.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game can reach the board. The message explains why.
        """

    def parse_action(self, board: Board, text: str) -> int:
        """Parse text that a person typed as an action, such as the action's name. The action need not be legal.

        Raises:
            IllegalMove: if the text is not an action.
        """

    def name_of(self, board: Board, action: int) -> str:
        """Return an action's display name, such as `4` or `a2-a3`, which must be unique among the board's actions."""

    def draw(self, board: Board) -> str:
        """Return a drawing of the board as lines of text."""

    def pieces(self, board: Board) -> tuple[str, ...]:
        """Return a short string for the content of each cell, row by row. Empty cells are represented by `""`.

        `X`, `O` and STONE are drawn as crosses, noughts and stones, and DEAD cells are filled. A column that contains
        GAP in every row separates two boards. Other strings are drawn as text.
        """

    def where(self, board: Board, action: int) -> MoveMark:
        """Return the location of an action on the board.

        No two actions on a board may have the same arrow, the same pair, or the same combination of first cell and
        piece.
        """


def same_name_on_every_board(name_of: Method) -> Method:
    """Mark a `name_of` method whose result depends only on the action and the side to move.

    The mark greatly reduces the number of names that a database stores.

    >>> from menace.games import get_game
    >>> has_fixed_names(get_game())
    True
    """
    vars(name_of)[_FIXED_NAMES] = True
    return name_of


def has_fixed_names(game: Game) -> bool:
    """Return whether the game's `name_of` method is decorated with `same_name_on_every_board`."""
    return hasattr(game.name_of, _FIXED_NAMES)


_FIXED_NAMES = "same_name_on_every_board"


@runtime_checkable
class NamedInWords(Protocol):
    """A game with a display name that differs from its identifier."""

    @property
    def words(self) -> str:
        """The display name of this variant for use in a sentence, such as `noughts and crosses`."""


@runtime_checkable
class OrbitRules(Protocol):
    """Optional fast symmetry rules, for groups with so many symmetries that trying all of them is too slow."""

    def carrier(self, board: Board) -> Symmetry:
        """Return a symmetry that maps a board to its canonical board.

        The canonical board is the image whose text sorts last.
        """

    def image_count(self, board: Board) -> int:
        """Return the number of distinct images of a board."""


@runtime_checkable
class RowRules(Protocol):
    """A game that ends when a line contains only equal pieces. Drawings show a stroke through the completed line."""

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """All lines of the board. Each line is a tuple of its cells from one end to the other."""


def has_pawns(game: Game) -> bool:
    """Return whether pages draw X and O as chess pawns, which a game requests with a true attribute `has_pawns`."""
    return bool(getattr(game, "has_pawns", False))


@runtime_checkable
class Coordinates(Protocol):
    """A game in which the names of moves identify cells by row and column.

    Drawings show the names of rows and columns beside the board.
    """

    @property
    def coordinates(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of the rows, from top to bottom, and the names of the columns.

        A name is an empty string if no move uses it.
        """


class Successors(NamedTuple):
    """All moves from a list of boards, as parallel arrays sorted by parent and then by action.

    Attributes:
        parent: the index of the board before the move in this list.
        action: the action that the move plays.
        code: the code of the board after the move.
    """

    parent: NDArray[np.int64]
    action: NDArray[np.int64]
    code: NDArray[np.uint64]


@runtime_checkable
class ArrayRules(Protocol):
    """Optional rules that work on arrays of board codes and make enumeration about a thousand times faster.

    Array rules are allowed only if all paths to a board have the same length, because duplicate positions are detected
    only within a ply. The *code* of a board is an unsigned integer. Codes must sort in the same order as the boards
    that they represent.
    """

    def encode(self, board: Board) -> int:
        """Return the code of a board. Codes sort in the same order as board texts."""

    def decode(self, codes: NDArray[np.uint64]) -> list[Board]:
        """Return the boards with the given codes."""

    def successors(self, codes: NDArray[np.uint64]) -> Successors:
        """Return every move from the given unfinished boards.

        The boards must all have the same ply and side to move.
        """

    def outcomes(self, codes: NDArray[np.uint64]) -> NDArray[np.int8]:
        """Return `X_WINS`, `DRAW`, `O_WINS` or `ONGOING` for each board, in agreement with `outcome`."""

    def images(self, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return the codes of each board's images as an array [symmetries, boards]."""


Shape: TypeAlias = tuple[int, int]

LONGEST_SHOWN = 30  # maximum number of characters of user input that a message quotes
EMPTY = "."  # marks an empty cell when a board is printed as rows of text


def moves_are_cells(game: Game, board: Board, actions: Iterable[int]) -> bool:
    """Return whether all the given moves are cells, which means that each move's name and location equal its number.

    Args:
        game: the game.
        board: the board on which the moves are legal.
        actions: the moves.

    >>> from menace.games import get_game
    >>> moves_are_cells(get_game(), "X........", range(1, 9))
    True
    """
    return all(
        is_cell(game.where(board, action), action) and game.name_of(board, action) == str(action) for action in actions
    )


def is_cell(where: MoveMark, action: int) -> bool:
    """Return whether a move is shown on the cell with the same number, even if the move also marks other cells."""
    return where.cells[:1] == (action,) and not where.places


def abbreviate_names(names: Sequence[str], room: int) -> str:
    """Return the joined names of moves.

    If the text would be too long, return the first name and the number of other moves.

    Args:
        names: the names of equivalent moves.
        room: the maximum length, in characters.

    >>> abbreviate_names(["1 on board 1", "3 on board 1", "1 on board 2"], 30), abbreviate_names(["0", "2"], 30)
    ('1 on board 1 and 2 more', '0 2')
    """
    text = join_names(names)
    return text if len(text) <= room or len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def row_and_column_hint(game: Game) -> str:
    """Return ", or row,column" for a message about cell numbers if the game accepts this form, otherwise "".

    >>> from menace.games import get_game
    >>> row_and_column_hint(get_game())
    ', or row,column'
    """
    try:
        game.parse_action(game.initial, "1,1")
    except IllegalMove:
        return ""
    return ", or row,column"


def board_text(board: object) -> str:
    """Return `board` if it is a string.

    Raises:
        InvalidBoard: if `board` is not a string.

    >>> board_text(0)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidBoard: 0 is not a board; pass a string such as 'X...O....'
    """
    if not isinstance(board, str):
        raise InvalidBoard(f"{board!r} is not a board; pass a string such as 'X...O....'")
    return board


def cell_count(game: Game) -> int | None:
    """Return the number of cells on the board if the game's first moves are cells, otherwise None.

    >>> from menace.games import get_game
    >>> cell_count(get_game("tictactoe", "3x4x3"))
    12
    """
    if not moves_are_cells(game, game.initial, game.actions(game.initial)):
        return None
    rows, columns = game.shape
    return rows * columns


def actions_of(game: Game, moves: Sequence[str | int]) -> Iterator[int]:
    """Yield the actions of a game, given either its move names or its boards.

    Args:
        game: the rules.
        moves: either the names of the moves, or all boards of the game, beginning with the initial board.

    Raises:
        IllegalMove: if a move, or the step from one board to the next, is not legal.
        InvalidBoard: if one of the boards is invalid.

    >>> from menace.games import get_game
    >>> list(actions_of(get_game(), ["4", "0"])), list(actions_of(get_game(), [".........", "....X....", "O...X...."]))
    ([4, 0], [4, 0])
    """
    board = game.initial
    if board not in moves[:1]:
        for move in moves:
            yield (action := game.parse_action(board, str(move)))
            board = game.play(board, action)
        return
    for before, after in pairwise(game.parse(board_text(board)) for board in moves):
        steps = [action for action in game.actions(before) if game.play(before, action) == after]
        if not steps:
            raise IllegalMove(f"no legal move leads from board {before} to {after}; include every board of the game")
        yield steps[0]


def join_names(names: Sequence[str]) -> str:
    """Join the names of moves with commas if any name contains a space, otherwise with spaces.

    >>> join_names(["0", "2"]), join_names(["1 from heap 1", "1 from heap 2"])
    ('0 2', '1 from heap 1, 1 from heap 2')
    """
    return (", " if any(" " in name for name in names) else " ").join(names)


def grid_text(pieces: Sequence[str], shape: Shape, written: Mapping[int, str] | None = None) -> str:
    """Return a text drawing of a board, with lines between the cells.

    Args:
        pieces: the content of each cell, as returned by `Game.pieces`.
        shape: the number of rows and columns.
        written: the text to show in each empty cell, such as the number of the move on that cell.

    >>> grid_text(("X", "", "", "O"), (2, 2), {1: "1", 2: "2"}).splitlines()
    [' X | 1 ', '---+---', ' 2 | O ']
    """
    rows, columns = shape
    written = written or {}
    cells = [piece or written.get(cell, "") for cell, piece in enumerate(pieces)]
    width = max(len(text) for text in [*cells, *written.values()])
    lines = [cells[row * columns : (row + 1) * columns] for row in range(rows)]
    rule = "+".join(["-" * (width + 2)] * columns)
    return f"\n{rule}\n".join("|".join(f" {cell:>{width}} " for cell in line) for line in lines)


def shortened(text: str) -> str:
    """Return user input quoted for a message and truncated to LONGEST_SHOWN characters.

    >>> shortened(" a9 "), shortened("x" * 99)
    ("'a9'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    text = text.strip()
    return repr(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "...")


def rows_text(pieces: Sequence[str], shape: Shape, between: str = "") -> list[str]:
    """Return the rows of a board as strings in which `.` represents an empty cell.

    Args:
        pieces: the content of each cell, as returned by `Game.pieces`.
        shape: the number of rows and columns.
        between: the separator between cells.

    >>> rows_text(("X", "", "", "O"), (2, 2))
    ['X.', '.O']
    """
    columns = shape[1]
    cells = [piece or EMPTY for piece in pieces]
    return [between.join(cells[start : start + columns]) for start in range(0, len(cells), columns)]


def suffix_after_cells(game: Game, board: Board) -> str | None:
    """Return the part of a board's text after the cells, or None if the text does not begin with the cells, row by row.

    >>> from menace.games import get_game
    >>> suffix_after_cells(get_game(), "X...O....")
    ''
    """
    cells = "".join(rows_text(game.pieces(board), game.shape))
    return board.removeprefix(cells) if board.startswith(cells) else None
