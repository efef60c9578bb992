"""Compute grades by brute force on boards. The rules, players and results do not use symmetry or code from menace.

A game defines the methods of `Rows`. Boards and names of moves have the same form as in menace, so that both can call
the same players. A player is a function of a board and its moves that returns weights by move.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Protocol

Answer = dict[str, int]
Player = Callable[[str, list[str]], Answer]
Results = tuple[float, float, float]  # the probabilities of a win, a draw and a loss for the player
WIN, DRAW, LOSS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class Game(Protocol):
    """The rules of a game on boards written as text."""

    start: str

    def to_move(self, board: str) -> str:
        """Return the side to move."""

    def moves(self, board: str) -> list[tuple[str, str]]:
        """Return the name of each move and the board after the move. The function does not check whether the game is
        over."""

    def result(self, board: str) -> int | None:
        """Return 1 if X has won, -1 if O has won, 0 for a draw, and None if the game is not over."""

    def images(self, board: str) -> list[str]:
        """Return the rotations and reflections of the board."""


class Rows:
    """Noughts and crosses with k in a row. In the wild game, each player may place both signs."""

    def __init__(self, rows: int, columns: int, k: int, wild: bool = False, misere: bool = False) -> None:
        self.rows, self.columns, self.wild, self.misere = rows, columns, wild, misere
        self.start = "." * (rows * columns)
        self.lines = [
            [(row + i * down) * columns + column + i * right for i in range(k)]
            for row in range(rows)
            for column in range(columns)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            if row + (k - 1) * down < rows and 0 <= column + (k - 1) * right < columns
        ]

    def to_move(self, board: str) -> str:
        return "XO"[(len(board) - board.count(".")) % 2]

    def result(self, board: str) -> int | None:
        last = 1 if self.to_move(board) == "O" else -1
        if any("".join(board[cell] for cell in line) in {"X" * len(line), "O" * len(line)} for line in self.lines):
            return -last if self.misere else last
        return None if "." in board else 0

    def moves(self, board: str) -> list[tuple[str, str]]:
        return [
            (f"{sign}{cell}" if self.wild else str(cell), board[:cell] + sign + board[cell + 1 :])
            for cell, content in enumerate(board)
            for sign in ("XO" if self.wild else self.to_move(board))
            if content == "."
        ]

    def images(self, board: str) -> list[str]:
        grid = [board[row * self.columns : (row + 1) * self.columns] for row in range(self.rows)]
        found = []
        for _ in range(4):
            found += [image for image in (grid, [row[::-1] for row in grid]) if len(image) == self.rows]
            grid = ["".join(column) for column in zip(*reversed(grid), strict=True)]
        boards = ["".join(image) for image in found]
        swapped = str.maketrans("XO", "OX")
        return boards + [board.translate(swapped) for board in boards] if self.wild else boards


class Drop(Rows):
    """Connect: a stone falls to the lowest empty cell of its column."""

    def moves(self, board: str) -> list[tuple[str, str]]:
        found = []
        for column in range(self.columns):
            empty = [cell for cell in range(column, len(board), self.columns) if board[cell] == "."]
            if empty:
                cell = empty[-1]
                found.append((f"column {column + 1}", board[:cell] + self.to_move(board) + board[cell + 1 :]))
        return found

    def images(self, board: str) -> list[str]:
        rows = [board[start : start + self.columns] for start in range(0, len(board), self.columns)]
        return [board, "".join(row[::-1] for row in rows)]


class Pawns:
    """Hexapawn on 3x3, in which X moves up the board."""

    start = "OOO...XXX:X"

    def to_move(self, board: str) -> str:
        return board[-1]

    def moves(self, board: str) -> list[tuple[str, str]]:
        side, other = (board[-1], "O" if board[-1] == "X" else "X")
        step, found = -1 if side == "X" else 1, []
        for cell in range(9):
            row, column = divmod(cell, 3)
            if board[cell] != side or not 0 <= row + step < 3:
                continue
            for beside in (-1, 0, 1):
                if 0 <= column + beside < 3:
                    target = (row + step) * 3 + column + beside
                    if board[target] == (other if beside else "."):
                        cells = list(board[:9])
                        cells[cell], cells[target] = ".", side
                        name = f"{self._square(cell)}{'x' if beside else '-'}{self._square(target)}"
                        found.append((name, "".join(cells) + ":" + other))
        return found

    @staticmethod
    def _square(cell: int) -> str:
        return "abc"[cell % 3] + "321"[cell // 3]

    def result(self, board: str) -> int | None:
        if "X" in board[:3] or "O" not in board[:9]:
            return 1
        if "O" in board[6:9] or "X" not in board[:9]:
            return -1
        return None if self.moves(board) else (-1 if board[-1] == "X" else 1)

    def images(self, board: str) -> list[str]:
        return [board, "".join(board[start : start + 3][::-1] for start in (0, 3, 6)) + board[9:]]


class Heaps:
    """Nim. The player who takes the last stone wins, or loses in the misère game."""

    def __init__(self, *heaps: int, misere: bool = False) -> None:
        self.start, self.misere = "-".join(map(str, heaps)) + ":X", misere

    def to_move(self, board: str) -> str:
        return board[-1]

    def moves(self, board: str) -> list[tuple[str, str]]:
        heaps, after = list(map(int, board[:-2].split("-"))), "O" if board[-1] == "X" else "X"
        return [
            (
                f"{taken} from heap {place + 1}",
                "-".join(str(heap - taken if at == place else heap) for at, heap in enumerate(heaps)) + ":" + after,
            )
            for place, size in enumerate(heaps)
            for taken in range(1, size + 1)
        ]

    def result(self, board: str) -> int | None:
        if any(heap != "0" for heap in board[:-2].split("-")):
            return None
        last = 1 if board[-1] == "O" else -1
        return -last if self.misere else last

    def images(self, board: str) -> list[str]:
        return ["-".join(order) + board[-2:] for order in itertools.permutations(board[:-2].split("-"))]


GAMES: dict[str, Game] = {
    "tictactoe 3x3x3": Rows(3, 3, 3),
    "tictactoe 2x3x2": Rows(2, 3, 2),
    "tictactoe 3x2x3-misere": Rows(3, 2, 3, misere=True),
    "tictactoe 2x2x2-wild": Rows(2, 2, 2, wild=True),
    "connect 3x3x3": Drop(3, 3, 3),
    "hexapawn 3x3": Pawns(),
    "nim 1-2-3": Heaps(1, 2, 3),
    "nim 1-2-3-misere": Heaps(1, 2, 3, misere=True),
}


class Solved:
    """A game with the moves of every board and its value for X under perfect play."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves: dict[str, list[tuple[str, str]]] = {}
        self.value: dict[str, int] = {}
        self.kind: dict[str, str] = {}  # the same text for all images of a board
        self.order: list[str] = []  # every board, before all boards after it
        self._visit(game.start)
        self.order.reverse()

    def _visit(self, board: str) -> int:
        if board not in self.value:
            self.kind[board] = min(self.game.images(board))
            result = self.game.result(board)
            self.moves[board] = self.game.moves(board) if result is None else []
            values = [self._visit(after) for _, after in self.moves[board]]
            pick = max if self.game.to_move(board) == "X" else min
            self.value[board] = pick(values) if result is None else result
            self.order.append(board)
        return self.value[board]


def random_player(solved: Solved, seed: int, symmetric: bool) -> Player:
    """Return a player that makes one move or several; a symmetric one gives images of a move the same weight."""

    def play(board: str, moves: list[str]) -> Answer:
        after = dict(solved.game.moves(board))
        assert sorted(moves) == sorted(after)
        kinds = {move: min(solved.game.images(after[move])) if symmetric else move for move in moves}
        chance = random.Random(f"{seed} {min(solved.game.images(board)) if symmetric else board}")
        weights = {kind: chance.randint(0, 3) if seed % 2 else 0 for kind in sorted(set(kinds.values()))}
        if not any(weights.values()):
            weights[chance.choice(sorted(weights))] = 1
        return {move: weights[kind] for move, kind in kinds.items()}

    return play


class OracleGrade:
    """The grade of a player for a side, computed board by board."""

    def __init__(self, solved: Solved, player: Player, side: str) -> None:
        self.solved, self.player, self.side = solved, player, side
        self.sign = 1 if side == "X" else -1
        self.answers: dict[str, dict[str, float]] = {}  # the probability of each next board, by board
        opponents = ("random", "optimal", "best_response")
        self.against = {name: self._results(name, solved.game.start, {}) for name in opponents}
        self.refuted = self._refuted(solved.game.start, {})  # the probability of the most likely refutation
        self.erring: set[str] = set()  # the kinds of boards on which the player errs
        self.costs = {name: self._cost(name) for name in ("random", "optimal")}

    def _branches(self, name: str, board: str) -> list[tuple[str, float]]:
        """Return the boards after a board with their probabilities, against an opponent that has a policy."""
        moves = self.solved.moves[board]
        if moves and self.solved.game.to_move(board) == self.side:
            if board not in self.answers:
                weights = self.player(board, [move for move, _ in moves])
                total = sum(weights.values())
                self.answers[board] = {after: weights[move] / total for move, after in moves if weights[move]}
            return list(self.answers[board].items())
        after = [child for _, child in moves]
        if name == "optimal":
            after = [child for child in after if self.solved.value[child] == self.solved.value[board]]
        return [(child, 1 / len(after)) for child in after]

    def _results(self, name: str, board: str, known: dict[str, Results]) -> Results:
        if board in known:
            return known[board]
        outcome = self.solved.game.result(board)
        if outcome is not None:
            known[board] = {1: WIN, 0: DRAW, -1: LOSS}[outcome * self.sign]
        elif self.solved.game.to_move(board) != self.side and name == "best_response":
            replies = [self._results(name, child, known) for _, child in self.solved.moves[board]]
            known[board] = max(replies, key=lambda reply: (round(reply[2] - reply[0], 9), reply[2]))
        else:
            parts = [(share, self._results(name, child, known)) for child, share in self._branches(name, board)]
            win, draw, loss = (sum(share * part[i] for share, part in parts) for i in range(3))
            known[board] = (win, draw, loss)
        return known[board]

    def _refuted(self, board: str, known: dict[str, float]) -> float:
        if board not in known:
            outcome = self.solved.game.result(board)
            if outcome is not None:
                return float(outcome * self.sign == -1)
            own = self.solved.game.to_move(board) == self.side
            branches = self._branches("any", board)
            known[board] = max((share if own else 1.0) * self._refuted(child, known) for child, share in branches)
        return known[board]

    def _cost(self, name: str) -> float:
        """Return the cost of the player's mistakes against an opponent, computed board by board."""
        chance, cost = {self.solved.game.start: 1.0}, 0.0
        for board in self.solved.order:
            if board not in chance:
                continue
            for child, share in self._branches(name, board):
                chance[child] = chance.get(child, 0.0) + chance[board] * share
                lost = (self.solved.value[board] - self.solved.value[child]) * self.sign
                if lost > 0:
                    cost += chance[board] * share * lost
                    self.erring.add(self.solved.kind[board])
        return cost

    @property
    def contradicting(self) -> set[str]:
        """The kinds of boards on which the player contradicts itself."""
        answers: dict[str, list[dict[str, float]]] = {}
        for board, made in self.answers.items():
            kinds: dict[str, float] = {}
            for child, share in made.items():
                kind = self.solved.kind[child]
                kinds[kind] = kinds.get(kind, 0.0) + share
            rounded = {kind: round(share, 9) for kind, share in kinds.items()}
            answers.setdefault(self.solved.kind[board], []).append(rounded)
        return {kind for kind, given in answers.items() if any(other != given[0] for other in given)}
