"""The interface of a game, its optional array rules, and boards and moves as text."""

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


Shape: TypeAlias = tuple[int, int]

LONGEST_SHOWN = 30  # characters of a user's input, in a message
EMPTY = "."  # an empty cell, where a board is written in lines


def is_of_cells(game: Game, board: Board, actions: Iterable[int]) -> bool:
    """Say whether each of these moves on a board is a cell: it is shown on the cell of its number, and called by it.

    >>> from menace.games import get_game
    >>> is_of_cells(get_game(), "X........", range(1, 9))
    True
    """
    return all(
        is_cell(game.where(board, action), action) and game.name_of(board, action) == str(action) for action in actions
    )


def is_cell(where: MoveMark, action: int) -> bool:
    """Say whether a move stands on the cell of its own number, whatever else it marks."""
    return where.cells[:1] == (action,) and not where.places


def some_of(names: Sequence[str], room: int) -> str:
    """Return names of moves as `joined` does if that has room, else the first of them and how many more there are.

    Args:
        names: of moves that are alike.
        room: characters.

    >>> some_of(["1 on board 1", "3 on board 1", "1 on board 2"], 30), some_of(["0", "2"], 30)
    ('1 on board 1 and 2 more', '0 2')
    """
    text = joined(names)
    return text if len(text) <= room or len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def or_row_and_column(game: Game) -> str:
    """Return how a sentence on cells as numbers goes on, where a game whose moves are cells reads row,column as well.

    >>> from menace.games import get_game
    >>> or_row_and_column(get_game())
    ', or row,column'
    """
    try:
        game.parse_action(game.initial, "1,1")
    except IllegalMove:
        return ""
    return ", or row,column"


def board_text(board: object) -> str:
    """Return what is to be read as a board.

    Raises:
        InvalidBoard: if it is no text.

    >>> board_text(0)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidBoard: 0 is not a board; give a text such as 'X...O....'
    """
    if not isinstance(board, str):
        raise InvalidBoard(f"{board!r} is not a board; give a text such as 'X...O....'")
    return board


def cells_of(game: Game) -> int | None:
    """Return how many cells a board has in a game whose first moves are cells; None in any other game.

    >>> from menace.games import get_game
    >>> cells_of(get_game("tictactoe", "3x4x3"))
    12
    """
    if not is_of_cells(game, game.initial, game.actions(game.initial)):
        return None
    rows, columns = game.shape
    return rows * columns


def actions_of(game: Game, moves: Sequence[str | int]) -> Iterator[int]:
    """Yield the actions of a game that is given by the names of its moves, or by its boards, the initial one first.

    Raises:
        IllegalMove: if a move, or the step from a board to the next, is not legal.
        InvalidBoard: if one of the boards is none.

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
            raise IllegalMove(f"no move leads from board {before} to {after}; give every board of a game")
        yield steps[0]


def joined(names: Sequence[str]) -> str:
    """Return names of moves in one line, with commas where they have spaces themselves.

    >>> joined(["0", "2"]), joined(["1 from heap 1", "1 from heap 2"])
    ('0 2', '1 from heap 1, 1 from heap 2')
    """
    return (", " if any(" " in name for name in names) else " ").join(names)


def grid_text(pieces: Sequence[str], shape: Shape, written: Mapping[int, str] | None = None) -> str:
    """Return a board as lines with rules between its cells.

    Args:
        pieces: what stands on each cell, as `Game.pieces` has it.
        shape: rows and columns.
        written: by cell, what is to be read where nothing stands, such as a move's number.

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
    """Return what a person typed, as a message quotes it.

    >>> shortened(" a9 "), shortened("x" * 99)
    ("'a9'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    text = text.strip()
    return repr(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "...")


def rows_text(pieces: Sequence[str], shape: Shape, between: str = "") -> list[str]:
    """Return the rows of a board, a character or more for each cell, `.` for an empty one, `between` the cells.

    >>> rows_text(("X", "", "", "O"), (2, 2))
    ['X.', '.O']
    """
    columns = shape[1]
    cells = [piece or EMPTY for piece in pieces]
    return [between.join(cells[start : start + columns]) for start in range(0, len(cells), columns)]


def written_by_rows(game: Game, board: Board) -> str | None:
    """Return what a board's text ends in after its cells, row by row; None if the text is not made of its cells.

    >>> from menace.games import get_game
    >>> written_by_rows(get_game(), "X...O....")
    ''
    """
    cells = "".join(rows_text(game.pieces(board), game.shape))
    return board.removeprefix(cells) if board.startswith(cells) else None
