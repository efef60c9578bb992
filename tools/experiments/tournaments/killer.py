"""Run Scroggs' MENACE killer against many machines in parallel; the machines follow Scroggs' Python program.

We wrote both programs after reading github.com/mscroggs/MENACEpy (bots/menace_killer.py and menace/menace.py). The
killer always plays O. The killer plays to win if MENACE opens on an edge. In all other games, it plays the first of
every four games to win and the rest to lose. The killer's moves depend on the opening and on the number of games, so a
table of weights over positions cannot describe it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np

from experiments.wos.program import ONGOING, Array, Program, pick
from menace.games.base import Board
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.games.rules.mnk import EMPTY, MNK

Cells: TypeAlias = Counter[int]  # the weight of each cell
GAME = MNK()
IMAGES = [[symmetry.action(cell) for cell in range(9)] for symmetry in GAME.symmetries]
EDGES = np.array([1, 3, 5, 7])
CENTRE = 4
PERIOD = 4  # of every four games, the killer plays the first to win
BEADS = (9, 3, 2, 1)  # equivalent cells share a colour; in the source, start = [1,2,3,9], which is read backwards
CHANGE = np.array([1, 3, -1])  # changes in the number of beads after a draw, a win and a loss
# Scroggs' tables for O's second and third move. Each entry contains X's cells, O's cells and the cell to take, and
# applies in all eight symmetries.
SECOND = (((0, 8), (), 1), ((1, 3), (), 0), ((4, 8), (0,), 2), ((3, 5), (4,), 1), ((3, 8), (4,), 7))
THIRD = (
    ((0, 5, 6), (3, 4), 1),
    ((0, 5, 7), (3, 4), 2),
    ((1, 5, 7), (3, 4), 0),
    ((1, 3, 8), (0, 4), 6),
    ((1, 4, 8), (0, 7), 3),
)
REPLIES = {6: SECOND, 4: THIRD}  # the table for each number of empty cells


def to_win(board: Board) -> Cells:
    """Return weighted cells for a killer that plays to win: it completes or blocks a row, or follows the tables."""
    for side in "OX":
        for line in GAME.lines:
            contents = [board[cell] for cell in line]
            if contents.count(side) == len(line) - 1 and EMPTY in contents:
                return Counter([line[contents.index(EMPTY)]])
    if board.count(EMPTY) == len(board) - 1:
        return Counter([CENTRE if board[CENTRE] == EMPTY else 0])
    for image in IMAGES:
        for crosses, noughts, cell in REPLIES.get(board.count(EMPTY), ()):
            if all(board[image[c]] == "X" for c in crosses) and all(board[image[c]] == "O" for c in noughts):
                return Counter([image[cell]])
    return _any(board)


def to_lose(board: Board) -> Cells:
    """Return weighted cells for a killer that plays to lose: it avoids completing and, if possible, blocking rows."""
    for avoided in ("XO", "O"):
        weights = _any(board)
        for line in GAME.lines:
            contents = [board[cell] for cell in line]
            for place, cell in enumerate(line):
                left, right = contents[:place] + contents[place + 1 :]
                if left == right and left in avoided:
                    weights.pop(cell, None)
        if weights:
            return weights
    return _any(board)


def _any(board: Board) -> Cells:
    return Counter(cell for cell, content in enumerate(board) if content == EMPTY)


@cache
def boards() -> Positions:
    """Return the positions of tic-tac-toe, treating symmetric boards as different."""
    return enumerate_positions(GAME, "none")


@cache
def mood(how: Callable[[Board], Cells]) -> Array:
    """Return the killer's weights for playing to win or to lose on boards where it is O's turn, as [boards, cells]."""
    weights = np.zeros((len(boards()), 9))
    for number in np.flatnonzero(boards().to_move == 1).tolist():
        for cell, times in how(boards().boards[number]).items():
            weights[number, cell] = times
    return weights


@cache
def equals() -> Array:
    """Return whether a symmetry of each board maps one cell to another, as a boolean array [boards, cells, cells]."""
    images = np.zeros((len(boards()), 9, 9), bool)
    for number, board in enumerate(boards().boards):
        for symmetry, image in zip(GAME.symmetries, IMAGES, strict=True):
            if symmetry.board(board) == board:
                images[number, range(9), image] = True
    return images


class Scroggs(Program):
    """Scroggs' MENACE, with 304 boxes, which resigns at an empty box and plays a killer or a strong player."""

    def __init__(self, machines: int, seed: int, beads: tuple[int, ...] = BEADS) -> None:
        super().__init__(machines, seed)
        self.count = np.zeros(machines, np.int64)  # the number of games that each killer has counted so far
        self.to_win = np.ones(machines, bool)
        self.fresh = self.t.fresh.copy()
        for stage, each in enumerate(beads):
            self.fresh[(self.t.fresh > 0) & ((self.t.fresh > 0).sum(axis=1, keepdims=True) == 9 - 2 * stage)] = each
        # On a canonical board, the first of several equivalent cells contains the beads for all of them.
        canonical = np.zeros(len(self.fresh), np.int64)
        canonical[self.t.box] = np.arange(len(self.t.box))
        for board in range(len(self.t.box)):
            if (self.t.there[board] == np.arange(9)).all():
                canonical[self.t.box[board]] = board
        first = equals()[canonical].argmax(axis=2) == np.arange(9)
        self.fresh = np.where(first, self.fresh, 0)
        self.beads = np.repeat(self.fresh[None], machines, axis=0)

    def play_killer(self, games: int) -> Array:
        """Play each machine against a killer, and return the results (1, 0 or -1), as an array [games, machines]."""
        return np.array([self._game(killer=True) for _ in range(games)])

    def play_good(self, games: int, learning: bool = True) -> Array:
        """Play each machine against a player that always plays to win, and return the results as `play_killer` does."""
        return np.array([self._game(killer=False, learning=learning) for _ in range(games)])

    def _game(self, killer: bool, learning: bool = True) -> Array:
        board, turns = np.zeros(len(self.every), np.int64), []
        gave_up = np.zeros(len(self.every), bool)
        for ply in range(9):
            on = (self.t.outcome[board] == ONGOING) & ~gave_up
            if ply % 2 == 0:
                box = self.t.box[board]
                boxed = self.t.has_box["choices"][box]
                weight = np.where(boxed[:, None], self.beads[self.every, box], self.t.fresh[box] > 0)
                gave_up |= on & (weight.sum(axis=1) == 0)
                on &= ~gave_up
                place = pick(weight, self.chance.random(len(board)))
                alike = equals()[board, self.t.back[board, place]]
                cell = pick(alike, self.chance.random(len(board)))
                turns.append((box, place, on & boxed))
                if ply == 0 and killer:
                    self._count(cell, on)
            else:
                if not killer:
                    self.to_win[:] = True
                how = np.where(self.to_win[:, None], mood(to_win)[board], mood(to_lose)[board])
                cell = pick(how, self.chance.random(len(board)))
            board = np.where(on, self.t.after[board, cell], board)
        result = np.where(gave_up, -1, self.t.outcome[board])
        for box, place, on in turns if learning else ():
            self.beads[self.every[on], box[on], place[on]] += CHANGE[result[on]].astype(np.int32)
        return result

    def _count(self, cell: Array, on: Array) -> None:
        """Choose whether each killer plays to win or to lose, depending on MENACE's opening."""
        edge = np.isin(cell, EDGES)
        self.to_win = edge | (self.count % PERIOD == 0)
        self.count += on & ~edge

    def is_dead(self) -> Array:
        """Return whether the first box is empty, as an array [machines]."""
        return self.beads[:, self.t.box[0]].sum(axis=1) == 0
