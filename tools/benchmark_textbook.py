"""Benchmark TD training against a program in the style of the Python one to Sutton & Barto, chapter 1.

    python tools/benchmark_textbook.py [--rounds N] [--seconds S]

The textbook program is written here anew, from its description: a state is an object with a 3x3 numpy array, whose
hash is computed cell by cell; a dictionary holds every state; two players, each with a dictionary of estimations,
play epsilon-greedily (0.01), break ties by shuffling, and back up a game's states in reverse (step size 0.1).

Against it, in the same process and by turns: training of the preset `zhang` against itself, which does the same, by the
compiled kernel and by its source, uncompiled; both make their random numbers on the way. The time is the processor
time of the thread. Prints games a second and the median ratios, and exits 1 if one is below its budget. Needs a
compiled kernel.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np
from benchmark_kernel import SEED, Match, kernel_program, uncompiled_kernel
from numpy.typing import NDArray

from menace import kernel
from menace.arena.play_loop import Arena
from menace.arena.randomness import raw_numbers
from menace.games import get_game
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.registry import LEARNERS, PRESETS

SIZE = 3
EPSILON = 0.01
STEP_SIZE = 0.1
X, O = 1, -1  # noqa: E741
BUDGETS = {"compiled": 5000.0, "uncompiled": 40.0}  # times the textbook program's games a second
MATCH = Match("zhang", "zhang", "play_zhang")
GAMES_A_CALL = {"textbook": 20, "compiled": 50_000, "uncompiled": 500}
REACHABLE = 5478  # boards


class State:
    """A board; what follows from it is computed once, and kept."""

    def __init__(self) -> None:
        self.cells: NDArray[np.float64] = np.zeros((SIZE, SIZE))
        self.winner = 0
        self._hash: Any = None
        self._over: bool | None = None

    def hash(self) -> float:
        """Return the board as a number in base 3; a loop over an array's cells, with numpy's own numbers."""
        if self._hash is None:
            self._hash = 0
            for cell in np.nditer(self.cells):
                self._hash = self._hash * 3 + cell + 1
        number: float = self._hash
        return number

    def over(self) -> bool:
        """Return whether the game is over, and note who won."""
        if self._over is None:
            lines = [np.sum(self.cells[i, :]) for i in range(SIZE)]
            lines += [np.sum(self.cells[:, i]) for i in range(SIZE)]
            lines.append(sum(self.cells[i, i] for i in range(SIZE)))
            lines.append(sum(self.cells[i, SIZE - 1 - i] for i in range(SIZE)))
            for line in lines:
                if line in {SIZE, -SIZE}:
                    self.winner = X if line == SIZE else O
            self._over = self.winner != 0 or np.sum(np.abs(self.cells)) == SIZE * SIZE
        return self._over

    def after(self, row: int, column: int, symbol: int) -> State:
        """Return the state that a move leads to."""
        state = State()
        state.cells = np.copy(self.cells)
        state.cells[row, column] = symbol
        return state

    def free(self) -> Iterator[tuple[int, int]]:
        """Yield the cells without a symbol."""
        for row in range(SIZE):
            for column in range(SIZE):
                if self.cells[row, column] == 0:
                    yield row, column


States = dict[float, tuple[State, bool]]  # by hash: the state, and whether it is over


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
    """Learns, by TD(0), what each state is worth to it."""

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
        """Forget the last game."""
        self.states: list[State] = []
        self.greedy: list[bool] = []

    def see(self, state: State) -> None:
        """Note a state of the game."""
        self.states.append(state)
        self.greedy.append(True)

    def act(self) -> tuple[int, int]:
        """Choose a cell."""
        state = self.states[-1]
        following = []
        cells = []
        for row, column in state.free():
            cells.append((row, column))
            following.append(state.after(row, column, self.symbol).hash())
        if np.random.rand() < EPSILON:  # noqa: NPY002
            self.greedy[-1] = False
            return cells[np.random.randint(len(cells))]  # noqa: NPY002
        values = [(self.estimations[number], cell) for number, cell in zip(following, cells, strict=True)]
        np.random.shuffle(values)  # noqa: NPY002
        values.sort(key=lambda pair: pair[0], reverse=True)
        return values[0][1]

    def backup(self) -> None:
        """Learn from the game, from its end."""
        numbers = [state.hash() for state in self.states]
        for i in reversed(range(len(numbers) - 1)):
            error = self.greedy[i] * (self.estimations[numbers[i + 1]] - self.estimations[numbers[i]])
            self.estimations[numbers[i]] += STEP_SIZE * error


class Textbook:
    """Two players who train each other."""

    def __init__(self) -> None:
        self.all = all_states()
        self.players = (Player(self.all, X), Player(self.all, O))

    def play(self) -> None:
        """Play one game, and learn from it."""
        state = State()
        for player in self.players:
            player.reset()
            player.see(state)
        turn = 0
        while True:
            player = self.players[turn]
            row, column = player.act()
            state, over = self.all[state.after(row, column, player.symbol).hash()]
            for player in self.players:
                player.see(state)
            if over:
                break
            turn = 1 - turn
        for player in self.players:
            player.backup()

    def seconds(self, games: int) -> float:
        """Train for some games."""
        start = time.thread_time()
        for _ in range(games):
            self.play()
        return time.thread_time() - start


def training(positions: Positions) -> Callable[[int], float]:
    """Return the clock of the compiled kernel: games -> seconds, with all that training them takes."""
    arena, numbers = Arena(positions), raw_numbers(SEED, 0)
    preset = PRESETS[MATCH.x]
    algorithm = LEARNERS[preset.algorithm]
    x, o = (Machine.fresh(algorithm, preset.settings, positions, side).kernel_player(arena.graph) for side in (0, 1))

    def seconds(games: int) -> float:
        start = time.thread_time()
        arena.play(x, o, numbers, games, math.inf)
        return time.thread_time() - start

    return seconds


def main() -> int:
    """Measure everything; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.6, help="of each program in a round")
    options = parser.parse_args()
    if not kernel.COMPILED:
        sys.exit("the kernel is not compiled here; see CONTRIBUTING.md")
    positions = enumerate_positions(get_game())
    uncompiled = kernel_program(uncompiled_kernel())(positions, MATCH)
    clocks = {
        "textbook": Textbook().seconds,
        "compiled": training(positions),
        "uncompiled": uncompiled.seconds,
    }
    rates: dict[str, list[float]] = {name: [] for name in clocks}
    for _ in range(options.rounds):
        games, times = dict.fromkeys(clocks, 0), dict.fromkeys(clocks, 0.0)
        while min(times.values()) < options.seconds:
            # Turns are short, so that whatever else the machine does slows all of them alike.
            name = min(times, key=lambda name: times[name])
            times[name] += clocks[name](GAMES_A_CALL[name])
            games[name] += GAMES_A_CALL[name]
        for name in clocks:
            rates[name].append(games[name] / times[name])
    for name, measured in rates.items():
        print(f"{name}: {median(measured):,.0f} games a second")
    hold = True
    for name, budget in BUDGETS.items():
        ratios = sorted(
            rate / textbook_rate for rate, textbook_rate in zip(rates[name], rates["textbook"], strict=True)
        )
        ratio = median(ratios)
        hold &= ratio >= budget
        verdict = "holds" if ratio >= budget else "FAILS"
        spread = f"{ratios[0]:,.1f} .. {ratio:,.1f} .. {ratios[-1]:,.1f}"
        print(f"{verdict}  {name} kernel against the textbook program: {spread} times, at least {budget:,.0f}")
    return 0 if hold else 1


if __name__ == "__main__":
    sys.exit(main())
