"""A reference for tests of the kernel: MENACE, implemented from its description with dictionaries of boards.

This module imports nothing from menace. The reference can play any brute-force game (`Rules` in oracle.py, `BruteForce`
in trial_games.py). A player returns integer weights for the moves on a board, and learns from its own moves after the
game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from oracle import TICTACTOE, Rules

MAX_BEADS = 67_108_863
Weights = dict[int, int]  # by action, sorted


@cache
def moves(board: str, symmetry: bool, rules: Rules = TICTACTOE) -> dict[int, tuple[str, int]]:
    """Return the moves on a canonical board, indexed by the lowest action of each move.

    The values are (next canonical board, number of equivalent actions).
    """
    groups: dict[str, list[int]] = {}
    for cell, child in rules.children(board).items():
        groups.setdefault(rules.canonical(child) if symmetry else child, []).append(cell)
    return dict(sorted((min(cells), (child, len(cells))) for child, cells in groups.items()))


@cache
def multiplicities(board: str, symmetry: bool, rules: Rules = TICTACTOE) -> Weights:
    return {action: multiplicity for action, (_, multiplicity) in moves(board, symmetry, rules).items()}


@cache
def optimal_multiplicities(board: str, symmetry: bool, perfect: bool) -> Weights:
    cells = TICTACTOE.perfect_cells(board) if perfect else TICTACTOE.best_cells(board)
    return {action: times * (action in cells) for action, times in multiplicities(board, symmetry).items()}


@dataclass
class Fixed:
    """A fixed player, identified by its name."""

    name: str
    rules: Rules = TICTACTOE

    def weights(self, board: str, symmetry: bool) -> tuple[Weights, bool]:
        m = multiplicities(board, symmetry, self.rules)
        if self.name == "random":
            return m, False
        f = optimal_multiplicities(board, symmetry, self.name != "optimal")
        if self.name in ("optimal", "perfect"):
            return f, False
        p = round(float(self.name.removeprefix("imperfect:")) * 65536)
        return {a: p * m[a] * sum(f.values()) + (65536 - p) * f[a] * sum(m.values()) for a in m}, False

    def learn(self, drawn: Iterable[tuple[str, int]], result: int) -> None:
        pass


@dataclass
class Matchboxes:
    """A machine that learns by adding beads to matchboxes and removing them.

    A box is filled when it is first used, and `beads` contains the current beads.
    """

    boxes: str
    first: tuple[int, ...]
    merged: bool
    win: int
    draw: int
    loss: int
    floor: int
    when_empty: str
    credit: str = "all"
    rules: Rules = TICTACTOE
    beads: dict[str, Weights] = field(default_factory=dict)
    picked: dict[tuple[str, int], int] = field(default_factory=dict)
    fresh: dict[str, Weights] = field(default_factory=dict)  # the initial beads of the boxes opened so far

    def has_box(self, board: str) -> bool:
        empties = self.rules.empties(board)
        if self.boxes == "michie" and len(empties) == 3:
            fills = {side: [board[:c] + side + board[c + 1 :] for c in empties] for side in "XO"}
            wins = {side: sum(TICTACTOE.has_line(after, side) for after in fills[side]) for side in "XO"}
            if wins["O"] >= 2 and not wins["X"]:
                return False
        return self.boxes == "all" or len(empties) > 1

    def first_beads(self, board: str, symmetry: bool) -> Weights:
        stage = self.rules.max_moves(board, symmetry) // 2
        each = self.first[min(stage, len(self.first) - 1)]
        times = multiplicities(board, symmetry, self.rules)
        return {a: each if self.merged else each * times[a] for a in times}

    def weights(self, board: str, symmetry: bool) -> tuple[Weights | None, bool]:
        """Return the weights, or None if the machine resigns, and whether the machine learns from the move."""
        if not self.has_box(board):
            return multiplicities(board, symmetry, self.rules), False
        fresh = self.fresh.setdefault(board, self.first_beads(board, symmetry))
        box = self.beads.setdefault(board, dict(fresh))
        if sum(box.values()) == 0:
            if self.when_empty == "resign":
                return None, False
            if self.when_empty == "random":
                return multiplicities(board, symmetry, self.rules), False
            box.update(self.first_beads(board, symmetry))
        return box, True

    def learn(self, drawn: Iterable[tuple[str, int]], result: int) -> None:
        if self.credit == "last":
            drawn = list(drawn)[-1:]
        change = {1: self.win, 0: self.draw, -1: self.loss}[result]
        for board, action in drawn:
            pile = min(max(self.beads[board][action] + change, self.floor), MAX_BEADS)
            if pile == 0 and self.when_empty == "restock-colour":
                pile = self.fresh[board][action]
            self.beads[board][action] = pile
            self.picked[board, action] = self.picked.get((board, action), 0) + 1


def pick(low: int, weights: Weights) -> int:
    r = (low * sum(weights.values())) >> 32
    for action, weight in weights.items():
        if r < weight:
            return action
        r -= weight
    raise AssertionError("no move was picked")


def play_games(
    x: Fixed | Matchboxes,
    o: Fixed | Matchboxes,
    numbers: Sequence[int],
    games: int,
    symmetry: bool,
    rules: Rules = TICTACTOE,
) -> tuple[list[int], int]:
    """Play games with the given random numbers.

    Return (X wins, draws, O wins) and the number of random numbers used.
    """
    outcomes, used = {"X": 0, "draw": 0, "O": 0}, 0
    for _ in range(games):
        board, outcome = rules.canonical(rules.empty) if symmetry else rules.empty, None
        drawn: tuple[list, list] = ([], [])
        while outcome is None:
            side = "XO".index(rules.to_move(board))
            weights, learned = (x, o)[side].weights(board, symmetry)
            if weights is None:
                outcome = "OX"[side]
                break
            action = pick(numbers[used] & 0xFFFFFFFF, weights)
            used += 1
            if learned:
                drawn[side].append((board, action))
            board = moves(board, symmetry, rules)[action][0]
            outcome = rules.outcome(board)
        outcomes[outcome] += 1
        result = {"X": 1, "draw": 0, "O": -1}[outcome]
        x.learn(drawn[0], result)
        o.learn(drawn[1], -result)
    return list(outcomes.values()), used
