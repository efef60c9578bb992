"""Q-learning for both sides with arrays of 3^9 boards, as described in Sala's notebook.

We wrote this program from Sala's notebook "Tic-Tac-Toe with Q-Learning" (2020). A board is a 3x3 array, and its number
is the dot product of the array with powers of 3. Each agent stores its values in an array [3^9, 9], with -1,000,000 for
occupied cells. An agent plays epsilon-greedily, breaks ties with noise of 1e-8, and counts its updates. The value of a
move moves a tenth of the way towards its target, which is the final reward (1, 0 or -1) or the best value at the
agent's next turn. Epsilon starts at 1 and is multiplied by 0.9999 after each game, until it reaches 0.5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

STATES, CELLS, SIDE = 3**9, 9, 3
ALPHA, DECAY, MIN_EPSILON = 0.1, 0.9999, 0.5
TAKEN = -1_000_000
WON, DRAWN, LOST = 1.0, 0.0, -1.0
VICTORY, FULL = -3, -2  # `Board.play` returns one of these constants instead of a state if the game is over


class Board:
    """The board and its number."""

    def __init__(self) -> None:
        self.powers = np.array([3**k for k in range(CELLS)])
        self.reset()

    def reset(self) -> int:
        """Start a new game and return its state."""
        self.cells: NDArray[np.int64] = np.zeros((SIDE, SIDE), np.int64)
        return self.state()

    def state(self) -> int:
        """Return the board as a number in base 3."""
        return int(np.dot(self.cells.flatten(), self.powers))

    def won_by(self, player: int) -> bool:
        """Return whether a player has completed a row, a column or a diagonal."""
        cells = self.cells
        for i in range(SIDE):
            if cells[i, 0] == player and cells[i, 1] == player and cells[i, 2] == player:
                return True
            if cells[0, i] == player and cells[1, i] == player and cells[2, i] == player:
                return True
        if cells[0, 0] == player and cells[1, 1] == player and cells[2, 2] == player:
            return True
        return bool(cells[0, 2] == player and cells[1, 1] == player and cells[2, 0] == player)

    def play(self, cell: int, player: int) -> int:
        """Take a cell, and return the state, VICTORY or FULL."""
        self.cells[cell // SIDE, cell % SIDE] = player
        if self.won_by(player):
            return VICTORY
        return FULL if self.cells.flatten().min() != 0 else self.state()


def free_cells(state: int) -> list[int]:
    """Return the free cells of a state."""
    cells = []
    for cell in range(CELLS):
        if state % 3 == 0:
            cells.append(cell)
        state //= 3
    return cells


class Agent:
    """One player, with its values."""

    def __init__(self, player: int) -> None:
        self.player, self.epsilon = player, 1.0
        self.values = np.full((STATES, CELLS), float(TAKEN))
        for state in range(STATES):
            self.values[state, free_cells(state)] = 0.0
        self.updates = np.zeros((STATES, CELLS), np.int64)

    def pick(self, state: int, epsilon: float) -> int:
        """Choose a cell epsilon-greedily with the given epsilon, and return it."""
        free = free_cells(state)
        if np.random.uniform() < epsilon:  # noqa: NPY002
            return int(np.random.choice(free))  # noqa: NPY002
        noise = 1e-8 * np.random.uniform(size=(1, CELLS))  # noqa: NPY002
        return int(np.argmax(self.values[state] + noise))

    def update(self, state: int, cell: int, reward: float, following: int | None) -> None:
        """Update the value of a move from its reward and the next state, which is None if the game is over."""
        self.updates[state, cell] += 1
        best = 0.0 if following is None else np.max(self.values[following])
        self.values[state, cell] += ALPHA * (reward + best - self.values[state, cell])


class Textbook:
    """Two agents that train each other."""

    def __init__(self) -> None:
        self.board, self.agents = Board(), (Agent(1), Agent(2))

    def play(self) -> list[int]:
        """Play one game, learn from it, and return the cells in the order in which they were taken."""
        states, played = [self.board.reset()], []
        moving, waiting = self.agents
        while True:
            played.append(moving.pick(states[-1], moving.epsilon))
            states.append(self.board.play(played[-1], moving.player))
            if states[-1] < 0:
                break
            if len(played) > 1:
                waiting.update(states[-3], played[-2], 0.0, states[-1])
            moving, waiting = waiting, moving
        victory = states[-1] == VICTORY
        moving.update(states[-2], played[-1], WON if victory else DRAWN, None)
        waiting.update(states[-3], played[-2], LOST if victory else DRAWN, None)
        for agent in self.agents:
            agent.epsilon = max(agent.epsilon * DECAY, MIN_EPSILON)
        return played

    def choose(self, board: Sequence[int]) -> int:
        """Return the preferred cell on a board of nine cells, each of which is 1 for X, 2 for O or 0 if free."""
        state = sum(mark * 3**cell for cell, mark in enumerate(board))
        return self.agents[board.count(1) - board.count(2)].pick(state, epsilon=0)
