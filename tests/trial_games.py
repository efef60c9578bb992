"""The rules of games once more, written by hand, and games that must be refused.

`Brute` says what is true of a game by brute force, without symmetry, and by these rules without menace.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from typing import NamedTuple

from oracle import Rules

from menace.errors import IllegalMove, InvalidBoard, InvalidGame
from menace.games.base import Board, Outcome, Side, Where
from menace.games.look import grid_text


class Trial:
    """What the games here share: a board is `pieces:side to move`."""

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
            raise InvalidBoard(f"{text} is no board of {self.name}")
        return text

    def parse_action(self, board: Board, text: str) -> int:
        named = {self.name_of(board, action): action for action in self.children(board)}
        if text.strip() not in named:
            raise IllegalMove(f"{text.strip()!r} is no move here; the moves are {', '.join(named)}")
        return named[text.strip()]

    def name_of(self, board: Board, action: int) -> str:
        return f"move {action}"

    def draw(self, board: Board) -> str:
        return grid_text(self.pieces(board), self.shape)

    def pieces(self, board: Board) -> tuple[str, ...]:
        return (board[:-2],)

    def where(self, board: Board, action: int) -> Where:
        return Where((0,))

    def outcome(self, board: Board) -> Outcome | None:
        raise NotImplementedError

    def children(self, board: Board) -> dict[int, Board]:
        """The boards after each move, by action, if the game goes on."""
        raise NotImplementedError


class Heaps(NamedTuple):
    """Heaps change places: the one that comes to rest at `i` was at `source[i]`. `most` actions are of one heap."""

    source: tuple[int, ...]
    most: int

    @property
    def name(self) -> str:
        return f"heaps {self.source}"

    def board(self, board: Board) -> Board:
        heaps, side = board.split(":")
        found = heaps.split("-")
        return "-".join(found[heap] for heap in self.source) + ":" + side

    def action(self, action: int) -> int:
        heap, less = divmod(action, self.most)
        return self.source.index(heap) * self.most + less

    def inverse(self) -> Heaps:
        return Heaps(tuple(self.source.index(heap) for heap in range(len(self.source))), self.most)


class Nim(Trial):
    """Take from one heap; who takes the last wins, or loses if it is misère: `3-4-5`, `21-take3`, `21-take3-misere`."""

    name = "nim"

    def __init__(self, variant: str) -> None:
        found = re.fullmatch(r"([0-9]+(?:-[0-9]+)*)(?:-take([0-9]+))?(-misere)?", variant)
        if found is None:
            raise InvalidGame(f"{variant} is no nim")
        self.variant, self.heaps = variant, tuple(map(int, found[1].split("-")))
        self.most, self.misere = int(found[2] or max(self.heaps)), bool(found[3])
        self.shape = (len(self.heaps), max(self.heaps))
        self.initial = found[1] + ":X"
        places = itertools.permutations(range(len(self.heaps)))
        self.symmetries = tuple(Heaps(source, self.most) for source in places)

    def outcome(self, board: Board) -> Outcome | None:
        if set(board[:-2]) - set("0-"):
            return None
        mover = self.to_move(board)
        return mover.outcome if self.misere else mover.other.outcome

    def children(self, board: Board) -> dict[int, Board]:
        heaps, found = list(map(int, board[:-2].split("-"))), {}
        for heap, size in enumerate(heaps):
            for taken in range(1, min(size, self.most) + 1):
                left = [*heaps[:heap], size - taken, *heaps[heap + 1 :]]
                found[heap * self.most + taken - 1] = "-".join(map(str, left)) + ":" + self.to_move(board).other
        return found


class Mirror(NamedTuple):
    """Left and right change places."""

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
    """Nothing changes."""

    name: str = "identity"

    def board(self, board: Board) -> Board:
        return board

    def action(self, action: int) -> int:
        return action

    def inverse(self) -> Identity:
        return self


class Hexapawn(Trial):
    """Pawns of chess, X from below and O from above: who gets across, or leaves the other without a move, wins."""

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
        """Action 3 * cell + 0, 1 or 2: the pawn takes to the left, goes straight on, takes to the right."""
        (rows, columns), side = self.shape, self.to_move(board)
        found = {}
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
                        found[3 * cell + step] = "".join(cells) + ":" + side.other
        return found


class Made(Trial):
    """A game made of a table: of each board its next boards; a board without any is a draw."""

    name = "made"

    def __init__(self, tree: dict[Board, tuple[Board, ...]]) -> None:
        self.tree, self.initial = tree, next(iter(tree))
        self.symmetries = (Identity(),)

    def outcome(self, board: Board) -> Outcome | None:
        return None if board in self.tree else "draw"

    def children(self, board: Board) -> dict[int, Board]:
        return dict(enumerate(self.tree[board]))


BY_HAND: dict[str, Callable[[str], Trial]] = {"nim": Nim, "hexapawn": Hexapawn}


@cache
def brute(case: tuple[str, str]) -> Brute:
    """What is true of a variant of a game, by the rules here."""
    name, variant = case
    return Brute(BY_HAND[name](variant))


class Brute(Rules):
    """What is true of a game: every board apart, every way to it walked, every value by recursion."""

    def __init__(self, game: Trial) -> None:
        self.game = game
        self.empty = game.initial
        self.outcome = cache(game.outcome)
        self.canonical = cache(self._canonical)
        self.minimax = cache(self._minimax)
        self.plies_to_end = cache(self._plies_to_end)
        self.children = cache(lambda board: {} if game.outcome(board) else game.children(board))

    def to_move(self, board: str) -> str:
        return board[-1]

    def empties(self, board: str) -> list[int]:
        return list(self.children(board))

    def put(self, board: str, cell: int) -> str:
        return self.children(board)[cell]

    def images(self, board: str) -> list[str]:
        return [symmetry.board(board) for symmetry in self.game.symmetries]

    def boards(self) -> Iterator[str]:
        """All reachable boards, parents before children."""
        return iter(self.ways)

    @cached_property
    def ways(self) -> dict[str, set[int]]:
        """Of each board, after how many moves it can stand on the table."""
        found: dict[str, set[int]] = {}
        here, moves = {self.empty}, 0
        while here:
            for board in here:
                found.setdefault(board, set()).add(moves)
            here, moves = {child for board in here for child in self.children(board).values()}, moves + 1
        return dict(sorted(found.items(), key=lambda item: max(item[1])))
