"""Games for tests: independent implementations of rules, games that menace must reject, Chomp and dominoes.

`BruteForce` solves a game without symmetry. The rules in this file are implemented without menace.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from checkout import ROOT
from oracle import TICTACTOE, Rules, grid_rules

from menace.errors import IllegalMove, InvalidBoard, InvalidGame
from menace.games.base import Board, Game, MoveMark, Outcome, Side, grid_text
from menace.games.new_game import fill_template, template_names
from menace.games.plugins import register


class Trial:
    """The base class of the games in this file. A board is written as `pieces:side to move`."""

    name = "trial"
    variant = "1"
    shape = (1, 1)

    def to_move(self, board: Board) -> Side:
        return Side(board[-1])

    def actions(self, board: Board) -> tuple[int, ...]:
        return () if self.outcome(board) else tuple(self.children(board))

    def play(self, board: Board, action: int) -> Board:
        if action not in self.actions(board):
            raise IllegalMove(f"{action} cannot be played on {board}")
        return self.children(board)[action]

    def parse(self, text: str) -> Board:
        if not re.fullmatch(r"[-0-9.XO]+:[XO]", text):
            raise InvalidBoard(f"{text} is not a board of {self.name}")
        return text

    def parse_action(self, board: Board, text: str) -> int:
        named = {self.name_of(board, action): action for action in self.children(board)}
        if text.strip() not in named:
            raise IllegalMove(f"{text.strip()!r} is not a move here; the moves are {', '.join(named)}")
        return named[text.strip()]

    def name_of(self, board: Board, action: int) -> str:
        return f"move {action}"

    def draw(self, board: Board) -> str:
        return grid_text(self.pieces(board), self.shape)

    def pieces(self, board: Board) -> tuple[str, ...]:
        return (board[:-2],)

    def where(self, board: Board, action: int) -> MoveMark:
        return MoveMark((0,))

    def outcome(self, board: Board) -> Outcome | None:
        raise NotImplementedError

    def children(self, board: Board) -> dict[int, Board]:
        """Return a dictionary from each action to the board that results. The game must not be over."""
        raise NotImplementedError


class Heaps(NamedTuple):
    """A permutation of heaps.

    Heap `i` of the image is heap `source[i]` of the board, and each heap has `heap_actions` actions.
    """

    source: tuple[int, ...]
    heap_actions: int

    @property
    def name(self) -> str:
        return f"heaps {self.source}"

    def board(self, board: Board) -> Board:
        heaps, side = board.split(":")
        heaps_found = heaps.split("-")
        return "-".join(heaps_found[heap] for heap in self.source) + ":" + side

    def action(self, action: int) -> int:
        heap, less = divmod(action, self.heap_actions)
        return self.source.index(heap) * self.heap_actions + less

    def inverse(self) -> Heaps:
        return Heaps(tuple(self.source.index(heap) for heap in range(len(self.source))), self.heap_actions)


class Nim(Trial):
    """Nim with variants such as `3-4-5`, `21-take3` and `21-take3-misere`.

    The player that takes the last stone wins or, in misère variants, loses.
    """

    name = "nim"

    def __init__(self, variant: str) -> None:
        match = re.fullmatch(r"([0-9]+(?:-[0-9]+)*)(?:-take([0-9]+))?(-misere)?", variant)
        if match is None:
            raise InvalidGame(f"{variant} is not nim")
        self.variant, self.heaps = variant, tuple(map(int, match[1].split("-")))
        self.heap_actions, self.misere = int(match[2] or max(self.heaps)), bool(match[3])
        self.shape = (len(self.heaps), max(self.heaps))
        self.initial = match[1] + ":X"
        places = itertools.permutations(range(len(self.heaps)))
        self.symmetries = tuple(Heaps(source, self.heap_actions) for source in places)

    def outcome(self, board: Board) -> Outcome | None:
        if set(board[:-2]) - set("0-"):
            return None
        mover = self.to_move(board)
        return mover.outcome if self.misere else mover.other.outcome

    def children(self, board: Board) -> dict[int, Board]:
        heaps, children = list(map(int, board[:-2].split("-"))), {}
        for heap, size in enumerate(heaps):
            for taken in range(1, min(size, self.heap_actions) + 1):
                left = [*heaps[:heap], size - taken, *heaps[heap + 1 :]]
                children[heap * self.heap_actions + taken - 1] = (
                    "-".join(map(str, left)) + ":" + self.to_move(board).other
                )
        return children


class Mirror(NamedTuple):
    """The reflection that swaps left and right."""

    rows: int
    columns: int

    @property
    def name(self) -> str:
        return "left-right mirror"

    def board(self, board: Board) -> Board:
        rows = [board[row * self.columns : (row + 1) * self.columns] for row in range(self.rows)]
        return "".join(row[::-1] for row in rows) + board[-2:]

    def action(self, action: int) -> int:
        cell, step = divmod(action, 3)
        row, column = divmod(cell, self.columns)
        return 3 * (row * self.columns + self.columns - 1 - column) + 2 - step

    def inverse(self) -> Mirror:
        return self


class Identity(NamedTuple):
    """The symmetry that changes nothing."""

    name: str = "identity"

    def board(self, board: Board) -> Board:
        return board

    def action(self, action: int) -> int:
        return action

    def inverse(self) -> Identity:
        return self


class Hexapawn(Trial):
    """Hexapawn.

    X moves up, and O moves down. A player wins by reaching the other side or if the opponent has no move.
    """

    name = "hexapawn"

    def __init__(self, variant: str) -> None:
        rows, columns = map(int, variant.split("x"))
        self.variant, self.shape = variant, (rows, columns)
        self.initial = "O" * columns + "." * columns * (rows - 2) + "X" * columns + ":X"
        self.symmetries = (Identity(), Mirror(rows, columns))

    def outcome(self, board: Board) -> Outcome | None:
        columns = self.shape[1]
        if "X" in board[:columns]:
            return "X"
        if "O" in board[-2 - columns : -2]:
            return "O"
        return None if self.children(board) else self.to_move(board).other.outcome

    def children(self, board: Board) -> dict[int, Board]:
        """Return a dictionary from actions to boards.

        The action is 3 * cell for a capture to the left, 3 * cell + 1 for a forward move, and 3 * cell + 2 for a
        capture to the right.
        """
        (rows, columns), side = self.shape, self.to_move(board)
        children = {}
        for cell in range(rows * columns):
            row, column = divmod(cell, columns)
            ahead = row - side.sign
            for step in range(3):
                beside = column + step - 1
                if board[cell] == side and 0 <= ahead < rows and 0 <= beside < columns:
                    target = ahead * columns + beside
                    if board[target] == ("." if step == 1 else side.other):
                        cells = list(board[:-2])
                        cells[cell], cells[target] = ".", side
                        children[3 * cell + step] = "".join(cells) + ":" + side.other
        return children


class Image(NamedTuple):
    """A permutation of cells and, if `signs` is not empty, of signs."""

    cells: tuple[int, ...]
    signs: tuple[str, str] = ("", "")

    def board(self, board: Board) -> Board:
        return "".join(board[cell] for cell in self.cells).translate(str.maketrans(*self.signs))


class Marks(Trial):
    """Games with signs on a grid, in the variants `-wild` and `-misere`.

    Signs drop to the bottom if `falls` is true.
    """

    def __init__(self, variant: str, falls: bool = False) -> None:
        size, *self.rules = variant.split("-")
        self.size = tuple(map(int, size.split("x")))
        self.falls, self.family = falls, grid_rules(*self.size)
        self.initial = self.family.empty
        maps = [
            cells for cells in self.family.maps if not falls or min(cells[-self.size[1] :]) >= len(cells) - self.size[1]
        ]
        signs = [("", ""), ("XO", "OX")] if "wild" in self.rules else [("", "")]
        self.symmetries = tuple(Image(cells, pair) for cells in maps for pair in signs)

    def to_move(self, board: Board) -> Side:
        return Side("XO"[(len(board) - board.count(".")) % 2])

    def outcome(self, board: Board) -> Outcome | None:
        if any(self.family.has_line(board, sign) for sign in "XO"):
            last = self.to_move(board).other
            return (last.other if "misere" in self.rules else last).outcome
        return None if "." in board else "draw"

    def children(self, board: Board) -> dict[int, Board]:
        columns, children = self.size[1], {}
        for cell in [cell for cell, content in enumerate(board) if content == "."]:
            if self.falls and board[cell + columns : cell + columns + 1] == ".":
                continue
            action = cell % columns if self.falls else cell
            if "wild" in self.rules:
                children |= {2 * cell + i: board[:cell] + sign + board[cell + 1 :] for i, sign in enumerate("XO")}
            else:
                children[action] = board[:cell] + self.to_move(board) + board[cell + 1 :]
        return children


class OneOrder(NamedTuple):
    """A permutation of boards that have nine cells each. One of eight symmetries is also applied to each board."""

    places: tuple[int, ...]
    maps: tuple[tuple[int, ...], ...]

    def board(self, board: Board) -> Board:
        boards = board[:-2].split("/")
        turned = (
            "".join(boards[place][cell] for cell in cells) for place, cells in zip(self.places, self.maps, strict=True)
        )
        return "/".join(turned) + board[-2:]


@cache
def crossed(board: str) -> dict[int, str]:
    after = {cell: board[:cell] + "X" + board[cell + 1 :] for cell in range(9) if board[cell] == "."}
    return {cell: 9 * "#" if TICTACTOE.has_line(row, "X") else row for cell, row in after.items()}


class Crosses(Trial):
    """Notakto, with crosses only.

    Three crosses in a row kill a board, and the player that kills the last board loses.
    """

    def __init__(self, variant: str) -> None:
        number = int(variant)
        self.initial = "/".join(["." * 9] * number) + ":X"
        self.symmetries = tuple(
            OneOrder(places, maps)
            for places in itertools.permutations(range(number))
            for maps in itertools.product(TICTACTOE.maps, repeat=number)
        )

    def outcome(self, board: Board) -> Outcome | None:
        return None if "." in board else Side(board[-1]).outcome  # the opponent killed the last board

    def children(self, board: Board) -> dict[int, Board]:
        children, end = {}, ":" + self.to_move(board).other
        for start in range(0, len(board) - 2, 10):
            for cell, after in crossed(board[start : start + 9]).items():
                children[start // 10 * 9 + cell] = board[:start] + after + board[start + 9 : -2] + end
        return children


class TableGame(Trial):
    """A game defined by a table that lists the boards that can follow each board.

    A board that no board can follow is a draw.
    """

    name = "made"

    def __init__(self, tree: dict[Board, tuple[Board, ...]]) -> None:
        self.tree, self.initial = tree, next(iter(tree))
        self.symmetries = (Identity(),)

    def outcome(self, board: Board) -> Outcome | None:
        return None if board in self.tree else "draw"

    def children(self, board: Board) -> dict[int, Board]:
        return dict(enumerate(self.tree[board]))


BY_HAND: dict[str, Callable[[str], Trial]] = {
    "nim": Nim,
    "hexapawn": Hexapawn,
    "tictactoe": Marks,
    "connect": partial(Marks, falls=True),
    "notakto": Crosses,
}


@cache
def brute_force(case: tuple[str, str]) -> BruteForce:
    """Solve a variant by brute force, using the rules in this file."""
    name, variant = case
    return BruteForce(BY_HAND[name](variant))


class BruteForce(Rules):
    """A brute-force solution that visits every board along every path and computes values by recursion."""

    def __init__(self, game: Trial) -> None:
        self.game = game
        self.empty = game.initial
        self.outcome = cache(game.outcome)
        self.canonical = cache(self._canonical)
        self.minimax = cache(self._minimax)
        self.plies_to_end = cache(self._plies_to_end)
        self.children = cache(lambda board: {} if game.outcome(board) else game.children(board))

    def to_move(self, board: str) -> str:
        return self.game.to_move(board)

    def empties(self, board: str) -> list[int]:
        return list(self.children(board))

    def put(self, board: str, cell: int) -> str:
        return self.children(board)[cell]

    def images(self, board: str) -> list[str]:
        return [symmetry.board(board) for symmetry in self.game.symmetries]

    def boards(self) -> Iterator[str]:
        """Return all reachable boards, with each board before the boards that can follow it."""
        return iter(self.ways)

    @cached_property
    def ways(self) -> dict[str, set[int]]:
        """Return a dictionary from each board to the set of numbers of moves that can lead to it."""
        ways: dict[str, set[int]] = {}
        here, moves = {self.empty}, 0
        while here:
            for board in here:
                ways.setdefault(board, set()).add(moves)
            here, moves = {child for board in here for child in self.children(board).values()}, moves + 1
        return dict(sorted(ways.items(), key=lambda item: max(item[1])))

    def max_moves(self, board: str, joined: bool) -> int:
        """Return the maximum number of moves that lead to a board or, if `joined` is true, to its position."""
        return self.longest[joined][self.canonical(board) if joined else board]

    @cached_property
    def longest(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return the maximum number of moves for each board, and for the canonical board of each position."""
        apart = {board: max(ways) for board, ways in self.ways.items()}
        joined: dict[str, int] = {}
        for board, moves in apart.items():
            joined[self.canonical(board)] = max(joined.get(self.canonical(board), 0), moves)
        return apart, joined


# Chomp, as implemented in docs/your-own-game.md.


PAGE = (ROOT / "docs" / "your-own-game.md").read_text(encoding="utf-8")
(PROGRAM,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def write_chomp(folder: Path, name: str = "chomp.py", **replaced: str) -> str:
    """Write the program on the page, with some strings replaced, and return the game's name for menace."""
    text = PROGRAM
    for old, new in replaced.items():
        assert text.count(old) >= 1
        text = text.replace(old, new)
    (folder / name).write_text(text, encoding="utf-8")
    return f"{folder / name}:Chomp"


@cache
def chomp_class() -> type:
    """Return the class that the program on the page defines."""
    names: dict[str, type] = {}
    exec(PROGRAM, names)
    return names["Chomp"]


def chomp(variant: str = "3x4") -> Game:
    """Return a variant of Chomp."""
    return chomp_class()(variant)


# The game that `menace new-game dominoes` writes, in which a move is a pair of cells.


DOMINOES = ("dominoes", "3x3")


def dominoes(variant: str) -> Game:
    """Return a variant of dominoes."""
    names: dict[str, type] = {}
    text = files("menace.games").joinpath("new_game.txt").read_text(encoding="utf-8")
    exec(fill_template(text, template_names("dominoes")), names)
    return names["Dominoes"](variant)


register(dominoes("3x3"))
