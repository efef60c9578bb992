"""TD(0) over all boards of a game, as in the Python program for chapter 1 of Sutton and Barto.

We wrote this program from the description of Zhang's program in Sekeres' slides ("Chapter 1: Tic Tac Toe", 2025). A
state is an object that contains a 3x3 NumPy array, and its hash is computed cell by cell. A dictionary contains every
reachable state. Each of the two players has a dictionary of estimates, plays epsilon-greedily (0.01) and breaks ties by
shuffling. After a game, each player updates the estimates of the game's states in reverse order with a step size of
0.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

SIZE = 3
EPSILON = 0.01
STEP_SIZE = 0.1
X, O = 1, -1  # noqa: E741
REACHABLE = 5478  # boards


class State:
    """A board, with its cached hash and result."""

    def __init__(self) -> None:
        self.cells: NDArray[np.float64] = np.zeros((SIZE, SIZE))
        self.winner = 0
        self._hash: Any = None
        self._over: bool | None = None

    def hash(self) -> float:
        """Return the board as a number in base 3, computed in a loop over NumPy scalars."""
        if self._hash is None:
            self._hash = 0
            for cell in np.nditer(self.cells):
                self._hash = self._hash * 3 + cell + 1
        number: float = self._hash
        return number

    def over(self) -> bool:
        """Return whether the game is over, and set `winner` if it is."""
        if self._over is None:
            lines = [np.sum(self.cells[i, :]) for i in range(SIZE)]
            lines += [np.sum(self.cells[:, i]) for i in range(SIZE)]
            lines.append(sum(self.cells[i, i] for i in range(SIZE)))
            lines.append(sum(self.cells[i, SIZE - 1 - i] for i in range(SIZE)))
            for line in lines:
                if line in {SIZE, -SIZE}:
                    self.winner = X if line == SIZE else O
            self._over = bool(self.winner != 0 or np.sum(np.abs(self.cells)) == SIZE * SIZE)
        return self._over

    def after(self, row: int, column: int, symbol: int) -> State:
        """Return the state after a move."""
        state = State()
        state.cells = np.copy(self.cells)
        state.cells[row, column] = symbol
        return state

    def free(self) -> Iterator[tuple[int, int]]:
        """Yield the row and column of each free cell."""
        for row in range(SIZE):
            for column in range(SIZE):
                if self.cells[row, column] == 0:
                    yield row, column


States = dict[float, tuple[State, bool]]  # maps a hash to a pair: a state, and whether the game is over in that state


def all_states() -> States:
    """Return every reachable state."""
    start = State()
    states = {start.hash(): (start, start.over())}

    def visit(state: State, symbol: int) -> None:
        for row, column in state.free():
            following = state.after(row, column, symbol)
            if following.hash() not in states:
                states[following.hash()] = (following, following.over())
                if not following.over():
                    visit(following, -symbol)

    visit(start, X)
    assert len(states) == REACHABLE
    return states


class Player:
    """A player that learns the value of each state with TD(0)."""

    def __init__(self, states: States, symbol: int) -> None:
        self.symbol = symbol
        self.estimations: dict[float, float] = {}
        for number, (state, over) in states.items():
            if not over:
                self.estimations[number] = 0.5
            else:
                self.estimations[number] = {symbol: 1.0, 0: 0.5, -symbol: 0.0}[state.winner]
        self.reset()

    def reset(self) -> None:
        """Clear the record of the last game."""
        self.states: list[State] = []
        self.greedy: list[bool] = []

    def see(self, state: State) -> None:
        """Record a state of the game."""
        self.states.append(state)
        self.greedy.append(True)

    def act(self, epsilon: float = EPSILON) -> tuple[int, int]:
        """Choose a cell epsilon-greedily with the given epsilon, and return its row and column."""
        state = self.states[-1]
        following = []
        cells = []
        for row, column in state.free():
            cells.append((row, column))
            following.append(state.after(row, column, self.symbol).hash())
        if np.random.rand() < epsilon:  # noqa: NPY002
            self.greedy[-1] = False
            return cells[np.random.randint(len(cells))]  # noqa: NPY002
        values = [(self.estimations[number], cell) for number, cell in zip(following, cells, strict=True)]
        np.random.shuffle(values)  # noqa: NPY002
        values.sort(key=lambda pair: pair[0], reverse=True)
        return values[0][1]

    def backup(self) -> None:
        """Update the estimates backwards from the end of the game."""
        numbers = [state.hash() for state in self.states]
        for i in reversed(range(len(numbers) - 1)):
            error = self.greedy[i] * (self.estimations[numbers[i + 1]] - self.estimations[numbers[i]])
            self.estimations[numbers[i]] += STEP_SIZE * error


class Textbook:
    """Two players that train each other."""

    def __init__(self) -> None:
        self.all = all_states()
        self.players = (Player(self.all, X), Player(self.all, O))

    def play(self) -> list[int]:
        """Play one game, learn from it, and return the cells in the order in which they were taken."""
        state, played = State(), []
        for player in self.players:
            player.reset()
            player.see(state)
        turn = 0
        while True:
            player = self.players[turn]
            row, column = player.act()
            played.append(SIZE * row + column)
            state, over = self.all[state.after(row, column, player.symbol).hash()]
            for player in self.players:
                player.see(state)
            if over:
                break
            turn = 1 - turn
        for player in self.players:
            player.backup()
        return played

    def choose(self, board: Sequence[int]) -> int:
        """Return the preferred cell on a board of nine cells, each of which is 1 for X, 2 for O or 0 if free."""
        player, state = self.players[board.count(1) - board.count(2)], State()
        state.cells[:] = np.array([(0, X, O)[mark] for mark in board]).reshape(SIZE, SIZE)
        player.reset()
        player.see(state)
        row, column = player.act(epsilon=0)
        return SIZE * row + column
