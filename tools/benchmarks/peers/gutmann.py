"""A player that learns the values of its own afterstates during the game, as described by Gutmann and others.

We wrote this program from sections 3 and 4 of the report "Reinforcement Learning and the Tic-Tac-Toe Example" (2016). A
state is a 3x3 array of the values 0, 1 and 2, and its key is computed cell by cell. A learner stores its values in a
dictionary, indexed by key. The initial value is 1 for boards on which the learner has won and 0 for all others. The
learner evaluates each free cell and takes the one with the highest value, choosing randomly among ties. With
probability 0.02, the learner takes a random cell instead. On each turn, the value of the learner's previous afterstate
moves a fifth of the way towards the value of the chosen cell. After a loss, the target is -1. If the board is full, the
target is -0.1.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALPHA, EPSILON = 0.2, 0.02
WON, LOST, FULL = 1.0, -1.0, -0.1
SIDE = 3


class State:
    """A board. A cell contains 0 if it is free, and otherwise the number of the player that has taken it."""

    def __init__(self) -> None:
        self.cells: NDArray[np.int8] = np.zeros((SIDE, SIDE), np.int8)

    def key(self) -> int:
        """Return the board as a number in base 3."""
        number = 0
        for power, mark in enumerate(self.cells.ravel()):
            number += 3**power * int(mark)
        return number

    def won_by(self, player: int) -> bool:
        """Return whether a player has completed a row, a column or a diagonal."""
        own = self.cells == player
        diagonals = (np.diag(own).all(), np.diag(own[:, ::-1]).all())
        return bool(np.hstack((own.all(0), own.all(1), *diagonals)).any())

    def full(self) -> bool:
        """Return whether no cell is free."""
        return bool((self.cells != 0).all())

    def over(self) -> bool:
        """Return whether the game is over."""
        return self.won_by(1) or self.won_by(2) or self.full()


class Learner:
    """A player that learns a value for each board, indexed by the board's key."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.values: dict[int, float] = {}
        self.forget_game()

    def forget_game(self) -> None:
        """Prepare for a new game."""
        self.last: int | None = None
        self.knows_end = False

    def value(self, state: State, cell: tuple[int, int]) -> float:
        """Return the value of the board that results from taking a cell."""
        state.cells[cell] = self.player
        key = state.key()
        if key not in self.values:
            self.values[key] = WON if state.won_by(self.player) else 0.0
        state.cells[cell] = 0
        return self.values[key]

    def choose(self, state: State, epsilon: float = EPSILON) -> tuple[float, tuple[int, int]]:
        """Choose a cell, and return a pair of its value and the cell itself."""
        free = [(row, column) for row in range(SIDE) for column in range(SIDE) if state.cells[row, column] == 0]
        valued: list[tuple[float, Any]] = [(self.value(state, cell), cell) for cell in free]
        at_random = random.choice(valued)  # noqa: S311
        valued.sort(key=lambda pair: pair[0], reverse=True)
        best = random.choice([pair for pair in valued if pair[0] >= valued[0][0]])  # noqa: S311
        explores = np.random.choice(2, 1, p=[1 - epsilon, epsilon])[0]  # noqa: NPY002
        return at_random if explores else best

    def turn(self, state: State) -> tuple[int, int] | None:
        """Make a move unless the game is over, update the last afterstate, and return the chosen cell or None."""
        cell = None
        if state.won_by(3 - self.player):
            value = LOST
        elif state.full():
            value = FULL
        else:
            value, cell = self.choose(state)
            state.cells[cell] = self.player
        self.knows_end = state.over()
        if self.last is not None:
            self.values[self.last] = (1 - ALPHA) * self.values[self.last] + ALPHA * value
        self.last = state.key()
        return cell


class Textbook:
    """Two learners that train each other."""

    def __init__(self) -> None:
        self.learners = (Learner(1), Learner(2))

    def play(self) -> list[int]:
        """Play one game, learn from it, and return the cells in the order in which they were taken."""
        state, played = State(), []
        for learner in self.learners:
            learner.forget_game()
        first = self.learners[0]
        while not state.over():
            for learner in self.learners:
                cell = None if learner.knows_end else learner.turn(state)
                played += [] if cell is None else [SIDE * cell[0] + cell[1]]
        if not first.knows_end:
            first.turn(state)
        return played

    def choose(self, board: Sequence[int]) -> int:
        """Return the preferred cell on a board of nine cells, each of which is 1 for X, 2 for O or 0 if free."""
        state = State()
        state.cells[:] = np.array(board).reshape(SIDE, SIDE)
        _, (row, column) = self.learners[board.count(1) - board.count(2)].choose(state, epsilon=0)
        return SIDE * row + column
