"""Train the preset `article-code` with the rewards and phases of Kaushik's program, and with variants of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.article.versions import GAMES
from experiments.common import UNBEATEN, Bench, mean_cell, raw_numbers
from experiments.page import LEAST_TO_MOST, Page
from menace.arena.run_schedule import Phase, parse_phases
from menace.learners.algorithms.beads import FAVOURITE, FavouriteSettings, bead_changes
from menace.learners.machine import Machine
from menace.learners.registry import get_preset

STEP = 250
PHASES = parse_phases("article", GAMES)
MIXED, RANDOM = parse_phases(f"{GAMES}:0.3:0.3", GAMES), parse_phases(f"{GAMES}:1:1", GAMES)


@dataclass(frozen=True)
class DrawsToo(FavouriteSettings):
    """Settings that also add `draw` beads to each colour used in a drawn game, which the program does not do."""

    def changes(self, longest: int) -> NDArray[np.int32]:
        """Return the changes in the numbers of beads after each kind of game."""
        changes = bead_changes(self, longest).copy()
        changes[1] = self.draw
        return changes


class Run(NamedTuple):
    """The outcomes of one run's games, and the exact strength of its machines when they play greedily.

    X is measured during training, and both sides are measured at the end.

    Attributes:
        outcomes: shares of X's wins, draws and O's wins [looks, 3].
        worst: X's losses to its best response [looks].
        wins: X's wins against random play [looks].
        optimal: X's losses to optimal play at the end.
        worst_o: O's losses to its best response at the end.
        optimal_o: O's losses to optimal play at the end.
    """

    outcomes: NDArray[np.float64]
    worst: NDArray[np.float64]
    wins: NDArray[np.float64]
    optimal: float
    worst_o: float
    optimal_o: float


def rewards(**changes: Any) -> FavouriteSettings:
    """Return the settings of the preset `article-code` with the given changes."""
    settings = get_preset("article-code").settings
    assert isinstance(settings, FavouriteSettings)
    return replace(settings, **changes)


def draws_too(beads: int) -> FavouriteSettings:
    """Return the settings of the preset `article-code`, changed so that a draw also adds beads."""
    return DrawsToo(beads=(2,), floor=1, rewards="length", draw=beads)


class Variant(NamedTuple):
    """A machine's settings and its exploration phases."""

    settings: FavouriteSettings
    phases: tuple[Phase, ...] = PHASES


WITH, WITHOUT = "`article-code`", "no bonus"
MIXED_TOO, AT_RANDOM = "both explore with 0.3", "both at random"
VARIANTS = {
    WITH: Variant(rewards()),
    WITHOUT: Variant(rewards(rewards="outcome", win=1, draw=0, loss=-1)),
    "a draw adds one": Variant(draws_too(1)),
    "a draw adds three": Variant(draws_too(3)),
    "no bonus; a draw adds one": Variant(rewards(rewards="outcome", win=1, draw=1, loss=-1)),
    "ten times the games": Variant(rewards(), parse_phases("article", 10 * GAMES)),
    MIXED_TOO: Variant(rewards(), MIXED),
    "no bonus; both explore with 0.3": Variant(rewards(rewards="outcome", win=1, draw=0, loss=-1), MIXED),
    "a draw adds three; both explore with 0.3": Variant(draws_too(3), MIXED),
    AT_RANDOM: Variant(rewards(), RANDOM),
}


def train(bench: Bench, variant: Variant, seed: int, looks: bool = False) -> Run:
    """Let two machines play all phases; if `looks` is true, measure X during training as well as at the end."""
    x, o = (Machine.fresh(FAVOURITE, variant.settings, bench.positions, side, None) for side in (0, 1))
    numbers, outcomes, worst, wins = raw_numbers(seed, 0), [], [], []
    for number, phase in enumerate(variant.phases):
        blocks = [STEP] * (phase.games // STEP) if looks else [phase.games]
        for block, games in enumerate(blocks):
            outcomes.append(bench.play(x, o, games, numbers, epsilon=(phase.x, phase.o)) / games)
            if looks or (number, block) == (len(variant.phases) - 1, len(blocks) - 1):
                worst.append(bench.worst(x).loss)
                wins.append(bench.against(x, "random").win)
    losses = bench.against(x, "optimal").loss, bench.worst(o).loss, bench.against(o, "optimal").loss
    return Run(np.array(outcomes), np.array(worst), np.array(wins), *losses)


def strength_row(name: str, runs: list[Run]) -> tuple[str, ...]:
    """Return a row that contains the final strength of both sides."""
    safe = sum(run.worst[-1] < UNBEATEN for run in runs), sum(run.worst_o < UNBEATEN for run in runs)
    return (
        name,
        f"{safe[0]} of {len(runs)}",
        mean_cell((100 * run.wins[-1] for run in runs), 2),
        mean_cell(100 * run.optimal for run in runs),
        f"{safe[1]} of {len(runs)}",
        mean_cell(100 * run.optimal_o for run in runs),
    )


def rewards_section(page: Page, runs: dict[str, list[Run]], apart: dict[str, list[Run]]) -> None:
    """Add the results of each variant."""
    page.heading("Which change matters")
    page.text("""Each row shows one change to `article-code`. The percentages are exact and refer to greedy play.""")
    rows = [strength_row(name, strengths) for name, strengths in runs.items()]
    header = (
        "variant",
        "X unbeatable",
        "X wins against random play",
        "X loses to optimal play",
        "O unbeatable",
        "O loses to optimal play",
    )
    page.table(header[:5], [row[:5] for row in rows])
    page.keep_ranges("Which change matters", (header[0], header[5]), [(row[0], row[5]) for row in rows], LEAST_TO_MOST)
    unshared = [strength_row(name, strengths) for name, strengths in apart.items()]
    page.keep_ranges("With a box for every board", header, unshared, LEAST_TO_MOST)
    phases, mixed, random = (
        f"{np.mean([run.worst[-1] < UNBEATEN for run in runs[name]]):.0%}" for name in (WITH, MIXED_TOO, AT_RANDOM)
    )
    page.text(f"""With the bonus, X wins a few percent more games, but it is not harder to beat. The four phases are the
        weakness of the program: with these phases, {phases} of the X machines are unbeatable. The share of unbeatable
        machines is {mixed} if both sides explore in every phase, and {random} if both sides always move at random. In
        the second phase, when only X moves at random, X forgets what it learned in the first phase (see the figure).
        Adding three beads after a draw helps X with the four phases, but harms X if both sides explore in every phase.
        We do not know why. Nearly every O is beatable, whatever the rewards.""")
