"""Notakto: tic-tac-toe on one or more boards, in which both players place crosses.

The player who completes a row on the last board loses.

A longer example for docs/your-own-game.md. Try it with `menace check ./notakto.py:Notakto 1 2`.

Variants: `1`, `2`, `3` (boards of 3x3). Source: T. E. Plambeck and G. Whitehead, The secrets of notakto: winning at
X-only tic-tac-toe, arXiv:1301.1672.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from math import factorial, prod
from typing import NamedTuple

from menace.errors import InvalidBoard
from menace.games.base import (
    DEAD as DEAD_CELL,
    EMPTY,
    GAP,
    Board,
    MoveMark,
    Outcome,
    Side,
    grid_text,
    same_name_on_every_board,
)
from menace.games.rules.mnk import MNK
from menace.games.text_game_base import TextGame, invalid_variant

CELLS = 9  # on each board
DEAD = DEAD_CELL * CELLS  # replaces every board that contains a row
BETWEEN = "/"  # separates the boards in text
LETTERS = "abc"  # names of the boards
MAX_BOARDS = len(LETTERS)

GRID = MNK(3, 3, 3)
TURNS = GRID.symmetries
INVERSE = tuple(next(i for i, other in enumerate(TURNS) if other.source == turn.inverse().source) for turn in TURNS)


@cache
def _best_turn(board: Board) -> int:
    return max(range(len(TURNS)), key=lambda turn: TURNS[turn].board(board))


@cache
def _turned(board: Board, turn: int) -> Board:
    return TURNS[turn].board(board)


@cache
def _image_count(board: Board) -> int:
    return len({turn.board(board) for turn in TURNS})


@cache
def _after(board: Board) -> dict[int, Board]:
    """Return, for each empty cell of one board, the board after a cross on this cell."""
    crossed = {cell: board[:cell] + "X" + board[cell + 1 :] for cell in range(CELLS) if board[cell] == EMPTY}
    return {cell: DEAD if GRID.has_row(after, Side.X) else after for cell, after in crossed.items()}


class BoardSymmetry(NamedTuple):
    """A symmetry that reorders and turns boards: place `i` gets the board from `source[i]`, turned by `turns[i]`.

    >>> swap = BoardSymmetry((1, 0), (0, 1))  # swap two boards and give the former first one a half turn
    >>> swap.board("X......../....X....:O"), swap.action(0)
    ('....X..../........X:O', 17)
    >>> swap.name
    'boards in the order b, a; board b: half turn'
    """

    source: tuple[int, ...]
    turns: tuple[int, ...]

    @property
    def name(self) -> str:
        order = ", ".join(LETTERS[board] for board in self.source)
        moved = [f"boards in the order {order}"] if sorted(self.source) != list(self.source) else []
        single = len(self.source) == 1
        turned = [
            TURNS[turn].name if single else f"board {LETTERS[place]}: {TURNS[turn].name}"
            for place, turn in enumerate(self.turns)
            if turn
        ]
        return "; ".join(moved + turned) or TURNS[0].name

    def board(self, board: Board) -> Board:
        """Return the image of `board`."""
        boards = board[:-2].split(BETWEEN)
        images = [_turned(boards[place], turn) for place, turn in zip(self.source, self.turns, strict=True)]
        return BETWEEN.join(images) + board[-2:]

    def action(self, action: int) -> int:
        """Return the action on the image of a board that corresponds to `action` on the board."""
        board, cell = divmod(action, CELLS)
        place = self.source.index(board)
        return CELLS * place + TURNS[self.turns[place]].action(cell)

    def inverse(self) -> BoardSymmetry:
        """Return the inverse of this symmetry."""
        back = tuple(self.source.index(board) for board in range(len(self.source)))
        return BoardSymmetry(back, tuple(INVERSE[self.turns[place]] for place in back))


@dataclass(frozen=True)
class Notakto(TextGame):
    """Notakto on `boards` boards. A board with a row is dead and cannot be played on. Completing the last row loses.

    The text of a position contains all boards and the side to move. Each board is nine cells, row by row, or DEAD.
    An action is the number `9 * board + cell`.

    >>> game = Notakto("2")
    >>> game.play("XX......./.........:X", 2), game.name_of(game.initial, 11), len(game.symmetries)
    ('#########/.........:O', 'b2', 128)
    """

    variant: str = "1"

    name = "notakto"

    def __post_init__(self) -> None:
        """Raise InvalidGame if the variant is not a number of boards."""
        if not re.fullmatch(f"[1-{MAX_BOARDS}]", self.variant):
            raise invalid_variant(self.name, self.variant, f"the number of boards, 1 to {MAX_BOARDS}")

    @property
    def boards(self) -> int:
        """The number of boards."""
        return int(self.variant)

    @property
    def rules(self) -> str:
        if self.boards == 1:
            how = "an empty cell of a 3x3 board. Whoever completes three in a row loses. A move is its cell's number."
        else:
            how = (
                f"an empty cell of one of {self.boards} boards of 3x3. A board with three in a row is dead, and nobody"
                " plays there any more. Whoever kills the last board loses. A move is written with its board: b4 is"
                " cell 4 of board b."
            )
        return f"Both players put crosses. They take turns to put one on {how}"

    @property
    def initial(self) -> Board:
        return BETWEEN.join([EMPTY * CELLS] * self.boards) + ":X"

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and columns. Boards are drawn side by side, separated by one column."""
        return 3, 4 * self.boards - 1

    # Rules

    def outcome(self, board: Board) -> Outcome | None:
        return None if EMPTY in board else self.to_move(board).outcome

    def children(self, board: Board) -> dict[int, Board]:
        boards, end, children = board[:-2].split(BETWEEN), f":{self.to_move(board).other}", {}
        for number, grid in enumerate(boards):
            for cell, after in _after(grid).items():
                children[CELLS * number + cell] = BETWEEN.join([*boards[:number], after, *boards[number + 1 :]]) + end
        return children

    # Symmetries of each board and of the order of boards

    @cached_property
    def symmetries(self) -> tuple[BoardSymmetry, ...]:
        orders = itertools.permutations(range(self.boards))
        turns = list(itertools.product(range(len(TURNS)), repeat=self.boards))
        return tuple(BoardSymmetry(order, turn) for order in orders for turn in turns)

    def carrier(self, board: Board) -> BoardSymmetry:
        """Return the symmetry that turns each board to its maximum image and puts the boards in descending order."""
        boards = board[:-2].split(BETWEEN)
        turns = [_best_turn(grid) for grid in boards]
        best = list(map(_turned, boards, turns))
        order = tuple(sorted(range(self.boards), key=best.__getitem__, reverse=True))
        return BoardSymmetry(order, tuple(turns[place] for place in order))

    def image_count(self, board: Board) -> int:
        """Return the number of distinct images: those of each board, multiplied by the number of distinct orders."""
        boards = board[:-2].split(BETWEEN)
        alike = Counter(_turned(grid, _best_turn(grid)) for grid in boards).values()
        return prod(map(_image_count, boards)) * factorial(self.boards) // prod(map(factorial, alike))

    # Text and drawing

    @same_name_on_every_board
    def name_of(self, board: Board, action: int) -> str:
        """Return the number of the cell, preceded by the letter of its board if there are several boards."""
        number, cell = divmod(action, CELLS)
        return str(cell) if self.boards == 1 else f"{LETTERS[number]}{cell}"

    def names_of(self, board: Board, action: int) -> tuple[str, ...]:
        """Return all accepted names of an action: `b4`, `b 4` and `4 on board b`."""
        number, cell = divmod(action, CELLS)
        letter = LETTERS[number]
        return self.name_of(board, action), f"{letter}{cell}", f"{letter} {cell}", f"{cell} on board {letter}"

    def read(self, text: str) -> str:
        """Return the position written as `X` and `.`, board by board and row by row, with optional spaces or `/`.

        A dead board is nine `#`. A board that contains a row is also read as dead.
        """
        cells = self.read_cells(text, "X.#", "X or ., and # on a dead board", "board by board")
        boards = [cells[start : start + CELLS] for start in range(0, len(cells), CELLS)]
        for grid in boards:
            if "#" in grid and grid != DEAD:
                raise InvalidBoard(f"board {grid} has # on some of its cells; a dead board is {DEAD}")
        return BETWEEN.join(DEAD if self._is_killed(grid) else grid for grid in boards)

    def _is_killed(self, board: Board) -> bool:
        """Return whether a board has a row and a single last cross completed all its rows."""
        before = [board[:cell] + EMPTY + board[cell + 1 :] for cell in range(CELLS) if board[cell] == "X"]
        return GRID.has_row(board, Side.X) and not all(GRID.has_row(previous, Side.X) for previous in before)

    def impossible(self, board: Board) -> str | None:
        boards = board[:-2].split(BETWEEN)
        if any(GRID.has_row(grid, Side.X) for grid in boards):
            return "has rows that no single last cross completes"
        crosses = board[:-2].count("X")
        if DEAD not in boards and Side.after(crosses) is not self.to_move(board):
            return f"has {self.to_move(board)} to move after {crosses} crosses; X begins"
        return None  # three or four crosses can kill a board, so dead boards do not determine the side to move

    def pieces(self, board: Board) -> tuple[str, ...]:
        """Return the contents of the drawn cells, row by row across all boards."""
        boards = [grid.replace(EMPTY, " ") for grid in board[:-2].split(BETWEEN)]
        rows = (GAP.join(grid[start : start + 3] for grid in boards) for start in range(0, CELLS, 3))
        return tuple(content.strip() for row in rows for content in row)

    def _shown(self, number: int, cell: int) -> int:
        """Return the number of the drawn cell that shows a cell of a board."""
        row, column = divmod(cell, 3)
        return row * self.shape[1] + 4 * number + column

    def where(self, board: Board, action: int) -> MoveMark:
        """Return the drawn cells that a move changes: one cell, or the whole board if it dies."""
        number, cell = divmod(action, CELLS)
        dies = self.play(board, action).split(BETWEEN)[number][:CELLS] == DEAD
        dead = [index for index in range(CELLS) if index != cell] if dies else []
        return MoveMark(tuple(self._shown(number, crossed) for crossed in (cell, *dead)))

    def draw(self, board: Board) -> str:
        """Return the boards side by side; an empty cell shows its number."""
        numbers = {cell: str(cell) for cell in range(CELLS)}
        grids = [
            grid_text([content.strip(EMPTY) for content in grid], (3, 3), numbers).splitlines()
            for grid in board[:-2].split(BETWEEN)
        ]
        lines = ["     ".join(parts) for parts in zip(*grids, strict=True)]
        if self.boards > 1:
            lines.insert(0, "         ".join(f"board {letter}" for letter in LETTERS[: self.boards]))
        return "\n".join(line.rstrip() for line in lines)
