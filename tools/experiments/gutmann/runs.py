"""Run the experiments of Gutmann et al. 2016 with two value functions that teach each other, and with Q-learning."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.common import UNBEATEN, Bench, raw_numbers
from menace.arena.exact_strength import Strength
from menace.games.base import SideText

GAMES, STEP, BLOCK = 3000, 20, 100  # values are read every 20 games, and outcomes are counted every 100 games
LATE = 1000  # the number of games at the end of a run, when learning should have settled
# the number of games in the longer runs, and the number of last games that determine the final share of draws
MORE_GAMES, END = 10 * GAMES, 10_000
SETTLED = 0.05  # the share of draws has settled once it remains this close to its final level
VARIANTS = [(0.2, 0.02), (0.8, 0.02), (0.2, 0.0), (0.8, 0.0)]  # alpha, epsilon
SLOW, FAST, STUCK, STUCK_FAST = VARIANTS
LEVELS = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # levels of epsilon, all with alpha 0.2
HUMAN = "imperfect:0.5"  # represents a human, "who does not necessarily play the optimal strategy"
# With epsilon 1, Q-learning plays at random. The step size of Q-learning starts at 0.5; each stage halves the step size
# and doubles the number of games.
STAGES, MORE_STAGES, FIRST_GAMES, FIRST_ALPHA = 8, 11, 5_000, 0.5
# The numbers in the report's program are those of the preset `value-function`. In Sutton and Barto's book, a loss has
# the value 0.
CODE: dict[str, float] = {}
TEXT = {"initial_value": 0.5, "draw": 0.0, "drawn_by_other": 0.0, "loss": -1.0}
BOOK = TEXT | {"loss": 0.0}
NUMBERS = {
    "the program's numbers": CODE,
    "the text's numbers": TEXT,
    "the text's numbers, but a loss is 0": BOOK,
}

OPENED = ["." * cell + "X" + "." * (8 - cell) for cell in range(9)]
AFTER = {"centre": 4, "corner": 0, "edge": 1}  # X's openings for which O's replies are recorded
# The report's program records the values of nine states for each side (`play` in its class Selfplay). The table lists
# the cells of X's openings and of O's replies to each opening.
TRACKED: dict[str, dict[str, tuple[int, ...]]] = {
    "X": {"openings": tuple(range(9))},
    "O": {"corner": (4, 1, 2, 8), "edge": (4, 0, 8), "centre": (8, 5)},
}


@dataclass(frozen=True)
class Run:
    """One run.

    Attributes:
        outcomes: games that X won, that were drawn, and that O won [looks, 3].
        states: values [looks, 9 cells] of the states after X's openings (`openings`), and after O's replies to each
            opening in AFTER (NaN at X's cell).
        worst: the exact strength of X and O after the last game, both greedy, against their best responses.
        met: the exact result of X against O after the last game, both greedy.
        human: the exact strength of X and O after the last game, both greedy, against HUMAN.
    """

    outcomes: NDArray[np.int64]
    states: dict[str, NDArray[np.float64]]
    worst: tuple[Strength, Strength]
    met: Strength
    human: tuple[Strength, Strength]

    def shares(self) -> NDArray[np.float64]:
        """Return the shares of X wins, draws and O wins in all games."""
        return _shares(self.outcomes)

    def last_shares(self) -> NDArray[np.float64]:
        """Return the shares of X wins, draws and O wins in the last LATE games."""
        return _shares(self.outcomes[-LATE // STEP :])

    def drawn(self, first: bool) -> float:
        """Return the share of draws in the first or in the last LATE games."""
        rows = slice(None, LATE // STEP) if first else slice(-LATE // STEP, None)
        return float(self.outcomes[rows, 1].sum() / LATE)

    def draws_swing(self) -> float:
        """Return the mean change in the share of draws from one block of BLOCK games to the next."""
        drawn = self.outcomes[:, 1].reshape(-1, BLOCK // STEP).sum(axis=1) / BLOCK
        return float(np.abs(np.diff(drawn)).mean())

    def leads(self) -> bool:
        """Return, after every BLOCK games, whether X has won more games than O so far."""
        won = self.outcomes.cumsum(axis=0)[BLOCK // STEP - 1 :: BLOCK // STEP]
        return bool((won[:, 0] > won[:, 2]).all())

    def unrest(self) -> float:
        """Return chi-squared for equal shares of outcomes in all blocks of BLOCK games within the last LATE games."""
        counts = self.outcomes[-LATE // STEP :].reshape(-1, BLOCK // STEP, 3).sum(axis=1)
        expected = counts.mean(axis=0)
        return float(((counts - expected) ** 2 / np.where(expected > 0, expected, 1)).sum())

    def still(self, side: str) -> float:
        """Return the share of a side's TRACKED states whose values do not change in the last LATE games."""
        values = np.hstack([self.states[name][-LATE // STEP :, cells] for name, cells in TRACKED[side].items()])
        return float((values == values[0]).all(axis=0).mean())

    def volatility(self, what: str) -> float:
        """Return the mean change of values within STEP games, averaged over the last LATE games."""
        return float(np.nanmean(np.abs(np.diff(self.states[what][-LATE // STEP :], axis=0))))

    def settled_after(self) -> int:
        """Return the number of games after which the share of draws stays near its final level."""
        drawn = self.outcomes[:, 1].reshape(-1, LATE // STEP).sum(axis=1) / LATE
        away = np.flatnonzero(np.abs(drawn - drawn[-END // LATE :].mean()) > SETTLED)
        return LATE * int(away[-1] + 1) if len(away) else 0


def _shares(outcomes: NDArray[np.int64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = outcomes.sum(axis=0) / outcomes.sum()
    return shares


def replied(where: int, cell: int) -> str:
    """Return the board after X's opening `where` and O's reply `cell`."""
    marks = ["."] * 9
    marks[where], marks[cell] = "X", "O"
    return "".join(marks)


def train(bench: Bench, variant: tuple[float, float], seed: int, numbers: Mapping[str, float], games: int) -> Run:
    """Let two learners play each other with the alpha and epsilon of `variant`."""
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
    return Run(
        np.array(outcomes),
        state_values,
        worst=(bench.worst(x), bench.worst(o)),
        met=bench.against(x, o),
        human=(bench.against(x, HUMAN), bench.against(o, HUMAN)),
    )


def falls_short(bench: Bench, side: SideText, seed: int, first_value: float) -> tuple[float, float]:
    """Return how far Q-learning is from the best response to random play.

    Q-learning chooses all moves at random while it learns. The distances are exact and refer to the greedy policy: the
    first is measured after STAGES stages, and the second after at most MORE_STAGES stages.
    """
    machine, chance = bench.learner("q-learning", side, epsilon=1.0, initial_value=first_value), raw_numbers(seed, 0)
    most, short = bench.ideal("random", machine.side).value, []
    for stage in range(MORE_STAGES):
        machine.settings = dataclasses.replace(machine.settings, alpha=FIRST_ALPHA / 2**stage)
        x, o = (machine, "random") if side == "X" else ("random", machine)
        bench.play(x, o, FIRST_GAMES * 2**stage, chance)
        if stage + 1 >= STAGES:
            short.append(most - bench.against(machine, "random").value)
            if short[-1] < UNBEATEN:
                break
    return short[0], short[-1]
