"""Two value functions that teach each other: one run of Gutmann et al. 2016."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.common import Bench, raw_numbers
from menace.arena.exact_strength import Strength

GAMES, STEP, BLOCK = 3000, 20, 100  # values are read every 20 games, outcomes counted by 100
LATE = 1000  # the last games, in which learning should have settled
VARIANTS = [(0.2, 0.02), (0.8, 0.02), (0.2, 0.0), (0.8, 0.0)]  # alpha, epsilon
SLOW, FAST, STUCK, STUCK_FAST = VARIANTS
# The numbers of the report's program, which are those of preset `value-function`, of its text, and of Sutton and
# Barto's book, whose loss is 0.
CODE: dict[str, float] = {}
TEXT = {"initial_value": 0.5, "draw": 0.0, "drawn_by_other": 0.0, "loss": -1.0}
BOOK = TEXT | {"loss": 0.0}
NUMBERS = {
    "the program's numbers": CODE,
    "the text's numbers": TEXT,
    "the text's numbers, but a loss is 0": BOOK,
}

OPENED = ["." * cell + "X" + "." * (8 - cell) for cell in range(9)]
AFTER = {"centre": 4, "corner": 0, "edge": 1}  # where X has opened, for O's replies
# The nine states of each side whose values the report's program records (`play` of its class Selfplay): cells of X's
# opening, and of O's reply to one.
TRACKED: dict[str, dict[str, tuple[int, ...]]] = {
    "X": {"openings": tuple(range(9))},
    "O": {"corner": (4, 1, 2, 8), "edge": (4, 0, 8), "centre": (8, 5)},
}


@dataclass(frozen=True)
class Run:
    """One run.

    Attributes:
        outcomes: games that X won, that were drawn, and that O won [looks, 3].
        states: values [looks, 9 cells] of what X's opening leads to (`openings`), and of what O's replies to each of
            AFTER do (NaN where X is).
        worst: how X and O do when it is over, greedy, in the worst case.
    """

    outcomes: NDArray[np.int64]
    states: dict[str, NDArray[np.float64]]
    worst: tuple[Strength, Strength]

    def shares(self) -> NDArray[np.float64]:
        """Return the shares of X's wins, draws and O's wins of all games."""
        return _shares(self.outcomes)

    def last_shares(self) -> NDArray[np.float64]:
        """Return the same of the last LATE games."""
        return _shares(self.outcomes[-LATE // STEP :])

    def drawn(self, first: bool) -> float:
        """Return the share of draws in the first, or the last, LATE games."""
        rows = slice(None, LATE // STEP) if first else slice(-LATE // STEP, None)
        return float(self.outcomes[rows, 1].sum() / LATE)

    def draws_swing(self) -> float:
        """Return how far the share of draws moves from BLOCK games to the next: the mean over all of them."""
        drawn = self.outcomes[:, 1].reshape(-1, BLOCK // STEP).sum(axis=1) / BLOCK
        return float(np.abs(np.diff(drawn)).mean())

    def leads(self) -> bool:
        """Say whether X has won more games than O so far, after every BLOCK games."""
        won = self.outcomes.cumsum(axis=0)[BLOCK // STEP - 1 :: BLOCK // STEP]
        return bool((won[:, 0] > won[:, 2]).all())

    def unrest(self) -> float:
        """Return chi-squared of the outcomes of the last LATE games by BLOCK, expected to have the same shares."""
        counts = self.outcomes[-LATE // STEP :].reshape(-1, BLOCK // STEP, 3).sum(axis=1)
        expected = counts.mean(axis=0)
        return float(((counts - expected) ** 2 / np.where(expected > 0, expected, 1)).sum())

    def still(self, side: str) -> float:
        """Return the share of a side's TRACKED states whose values do not change in the last LATE games."""
        values = np.hstack([self.states[name][-LATE // STEP :, cells] for name, cells in TRACKED[side].items()])
        return float((values == values[0]).all(axis=0).mean())

    def volatility(self, what: str) -> float:
        """Return how far values move within 20 games, in the last games: the mean over cells."""
        return float(np.nanmean(np.abs(np.diff(self.states[what][-LATE // STEP :], axis=0))))


def _shares(outcomes: NDArray[np.int64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = outcomes.sum(axis=0) / outcomes.sum()
    return shares


def replied(where: int, cell: int) -> str:
    """Return the board on which X has opened with `where` and O has replied with `cell`."""
    marks = ["."] * 9
    marks[where], marks[cell] = "X", "O"
    return "".join(marks)


def train(bench: Bench, variant: tuple[float, float], seed: int, numbers: Mapping[str, float], games: int) -> Run:
    """Let two learners play each other; alpha and epsilon are the variant's."""
    chance, settings = raw_numbers(seed, 0), dict(numbers)
    x, o = (
        bench.learner("value-function", side, alpha=variant[0], epsilon=variant[1], **settings) for side in ("X", "O")
    )
    opened = [bench.position(board) for board in OPENED]
    cells = {name: [cell for cell in range(9) if cell != where] for name, where in AFTER.items()}
    answered = {name: [bench.position(replied(AFTER[name], cell)) for cell in cells[name]] for name in AFTER}
    outcomes = []
    states: dict[str, list[NDArray[np.float64]]] = {"openings": [], **{name: [] for name in AFTER}}
    for _ in range(games // STEP):
        outcomes.append(bench.play(x, o, STEP, chance))
        states["openings"].append(x.learned.amount[opened])
        for name, where in AFTER.items():
            states[name].append(np.insert(o.learned.amount[answered[name]], where, np.nan))
    state_values = {name: np.array(values) for name, values in states.items()}
    return Run(np.array(outcomes), state_values, (bench.worst(x), bench.worst(o)))
