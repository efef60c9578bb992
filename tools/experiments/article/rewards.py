"""Preset `article-code` as R. Kaushik's program plays, and with other rewards and phases: what makes the difference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.article.versions import GAMES
from experiments.common import UNBEATEN, Bench, percent, raw_numbers, seeds_where
from experiments.page import Page
from menace.arena.marks_and_phases import Phase, parse_phases
from menace.learners.algorithms.beads import FAVOURITE, FavouriteSettings, bead_changes
from menace.learners.machine import Machine
from menace.learners.registry import get_preset

STEP = 250
PHASES = parse_phases("article", GAMES)
MIXED, RANDOM = parse_phases(f"{GAMES}:0.3:0.3", GAMES), parse_phases(f"{GAMES}:1:1", GAMES)


@dataclass(frozen=True)
class DrawsToo(FavouriteSettings):
    """Rewards by length, and `draw` beads for every colour of a drawn game, which the program does not give."""

    def changes(self, longest: int) -> NDArray[np.int32]:
        """Return the beads that games add and take away."""
        changes = bead_changes(self, longest).copy()
        changes[1] = self.draw
        return changes


class Run(NamedTuple):
    """One run: shares of outcomes [looks, 3], how X plays greedily [looks], and how O does when it is over.

    Attributes:
        outcomes: games that X won, that were drawn, and that O won.
        worst: losses of X in its worst case.
        wins: wins of X against random.
        optimal: losses of X against optimal, when it is over.
        worst_o: losses of O in its worst case, when it is over.
        optimal_o: losses of O against optimal, when it is over.
    """

    outcomes: NDArray[np.float64]
    worst: NDArray[np.float64]
    wins: NDArray[np.float64]
    optimal: float
    worst_o: float
    optimal_o: float


def rewards(**changes: Any) -> FavouriteSettings:
    """Return the settings of preset `article-code`, some replaced."""
    settings = get_preset("article-code").settings
    assert isinstance(settings, FavouriteSettings)
    return replace(settings, **changes)


def draws_too(beads: int) -> FavouriteSettings:
    """Return the settings of preset `article-code`, and beads for draws."""
    return DrawsToo(beads=(2,), floor=1, rewards="length", draw=beads)


class Variant(NamedTuple):
    """How beads are given, and who explores when."""

    settings: FavouriteSettings
    phases: tuple[Phase, ...] = PHASES


WITH, WITHOUT = "by length, in four phases (the program)", "one bead, whatever the length"
VARIANTS = {
    WITH: Variant(rewards()),
    WITHOUT: Variant(rewards(rewards="outcome", win=1, draw=0, loss=-1)),
    "by length; a draw adds one": Variant(draws_too(1)),
    "by length; a draw adds three": Variant(draws_too(3)),
    "one bead; a draw adds one": Variant(rewards(rewards="outcome", win=1, draw=1, loss=-1)),
    "by length, ten times the games": Variant(rewards(), parse_phases("article", 10 * GAMES)),
    "by length, both explore with 0.3 all the time": Variant(rewards(), MIXED),
    "one bead, both explore with 0.3 all the time": Variant(rewards(rewards="outcome", win=1, draw=0, loss=-1), MIXED),
    "by length; a draw adds three; both 0.3 all the time": Variant(draws_too(3), MIXED),
    "by length, both at random all the time": Variant(rewards(), RANDOM),
}


def train(bench: Bench, variant: Variant, seed: int, looks: bool = False) -> Run:
    """Let two machines play the phases; look at X on the way if `looks` says so, else at the end."""
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
    """Return how strong both sides are when the games are over."""
    return (
        name,
        seeds_where(run.worst[-1] < UNBEATEN for run in runs),
        percent((run.wins[-1] for run in runs), 2),
        percent(run.optimal for run in runs),
        seeds_where(run.worst_o < UNBEATEN for run in runs),
        percent(run.optimal_o for run in runs),
    )


def rewards_section(page: Page, runs: dict[str, list[Run]], apart: dict[str, list[Run]]) -> None:
    """Write what each way of rewarding and of exploring comes to."""
    page.heading("What makes the difference")
    page.text("""Exactly, the machines as they are after the last game, greedy: how many X nobody can beat, what it wins
        against random play and loses to optimal play; then O, which only its own kind ever meets.""")
    rows = [strength_row(name, strengths) for name, strengths in runs.items()]
    rows += [strength_row(f"{name}, a box for every board", strengths) for name, strengths in apart.items()]
    header = ("games", "X unbeaten", "X wins against random", "X loses to optimal", "O unbeaten", "O loses to optimal")
    page.table(header, rows)
    phases, mixed, random = (
        f"{np.mean([run.worst[-1] < UNBEATEN for run in runs[name]]):.0%}"
        for name in (WITH, "by length, both explore with 0.3 all the time", "by length, both at random all the time")
    )
    page.text(f"""The bonus makes X win a few games in a hundred more, and no harder to beat. That a draw teaches
        nothing is not the cause of what is weak: beads for draws help in the four phases and harm where both explore
        all the time. The phases are: of the X whose games both sides explored to the end with 0.3 nobody can beat
        {mixed}, of those who saw nothing but random moves {random}, of the program's {phases}. What X has
        learned in the first quarter it loses in the second (figure), in which it moves at random and O always replies
        with its favourite: its boxes are rewarded for what beats that one reply. (tic_tac_toe.py has two lines,
        commented out, that would let both play at random to the end.) O, who must draw where X makes no mistake, is
        weak however it is rewarded.""")
