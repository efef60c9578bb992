"""A Q-learner for X with a dictionary of Q values and a random opponent, as described in course notes.

We wrote this program from Anderson's notes for CS 440 ("How does Tic-Tac-Toe differ from the maze problem?"). A board
is an array of nine characters, and a key is a tuple of a board and a cell. X plays epsilon-greedily. Epsilon starts at
1 and is multiplied by 0.9999 after each game. The value of a winning move is set to 1, and the value of a move that
fills the board is set to 0. If O wins with its reply, the value of X's move moves a fifth of the way towards -1. At
each turn, the value of X's previous move moves a fifth of the way towards the value of X's latest move.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

RATE, DECAY = 0.2, 0.9999
LINES = np.array((0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 3, 6, 1, 4, 7, 2, 5, 8, 0, 4, 8, 2, 4, 6))
Board = NDArray[np.str_]


def won(board: Board) -> bool:
    """Return whether X or O has three in a row."""
    lines = board[LINES].reshape((-1, 3))
    return bool(np.any(np.logical_or(np.all(lines == "X", axis=1), np.all(lines == "O", axis=1))))


def free_cells(board: Board) -> NDArray[np.int64]:
    """Return the free cells."""
    return np.where(board == " ")[0]


class Textbook:
    """A learning X against a random O."""

    def __init__(self) -> None:
        self.values: dict[tuple[tuple[str, ...], int], float] = {}
        self.epsilon = 1.0

    def pick(self, board: Board, epsilon: float) -> int:
        """Choose a cell for X epsilon-greedily with the given epsilon, and return it."""
        free = free_cells(board)
        if np.random.uniform() < epsilon:  # noqa: NPY002
            return int(np.random.choice(free))  # noqa: NPY002
        return int(free[np.argmax(np.array([self.values.get((tuple(board), cell), 0) for cell in free]))])

    def play(self) -> list[int]:
        """Play one game, learn from it, and return the cells in the order in which they were taken."""
        self.epsilon *= DECAY
        board, before, played = np.array([" "] * 9), None, []
        while True:
            cell = self.pick(board, self.epsilon)
            played.append(cell)
            key, following = (tuple(board), cell), copy(board)
            following[cell] = "X"
            self.values.setdefault(key, 0)
            over = True
            if won(following):
                self.values[key] = 1
            elif not np.any(following == " "):
                self.values[key] = 0
            else:
                answer = int(np.random.choice(free_cells(following)))  # noqa: NPY002
                played.append(answer)
                following[answer] = "O"
                over = won(following)
                if over:
                    self.values[key] += RATE * (-1 - self.values[key])
            if before is not None:
                self.values[before] += RATE * (self.values[key] - self.values[before])
            if over:
                return played
            before, board = key, following

    def choose(self, board: Sequence[int]) -> int:
        """Return the preferred cell on a board of nine cells, each of which is 1 for X, 2 for O or 0 if free."""
        return self.pick(np.array([" XO"[mark] for mark in board]), epsilon=0)
