"""Shared code of the reproductions: training in memory, exact strength, spread over seeds, figures and pages.

bench = Bench("none")                                      # every board its own position; "full": symmetry
numbers = raw_numbers(seed, 0)                                 # of one run
x = bench.learner("value-function", "X", alpha=0.8)        # a preset, some settings replaced
bench.play(x, "random", 1000, numbers)                     # learns; (X won, drawn, O won)
bench.worst(x, "greedy")                                   # exact, against the opponent made for it

Whoever reads a page should find on it what was claimed, what was measured, and by which command.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, median, stdev
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.page import ranged
from menace.arena.exact_strength import (
    Outcomes,
    Strength,
    against,
    best_response,
    outcomes,
    strength_against_best_response,
)
from menace.arena.marks_and_phases import OWN
from menace.arena.play import Arena, raw_numbers
from menace.figures.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, YELLOW
from menace.games import get_game
from menace.games.base import Game, Side, SideText
from menace.games.enumeration import enumerate_positions
from menace.games.symmetry import SymmetryUse
from menace.kernel.loop import FixedPlayer, RawNumbers
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.policy import Policy, PolicyName
from menace.learners.registry import LEARNERS, get_preset
from menace.studies.study import Study

SEEDS = tuple(range(1, 21))
STRENGTHS = (
    "random.wins",
    "random.losses",
    "optimal.losses",
    "best_response.losses",
)  # what a study measures, most of all
UNBEATEN = 1e-9  # who loses less often than this in the worst case cannot be beaten: sums of doubles


Player: TypeAlias = Machine | str  # or a fixed player by its name


class Bench:
    """The positions of a game, and what is done on them: learners made, games played, strength computed."""

    def __init__(self, symmetry: SymmetryUse = "full", variant: str = "3x3x3", game: str | Game = "tictactoe") -> None:
        rules = get_game(game, variant) if isinstance(game, str) else game
        self.positions = enumerate_positions(rules, symmetry)
        self.arena = Arena(self.positions)

    def position(self, board: str) -> int:
        """Return the position that a board belongs to."""
        return self.positions.number_of(board)

    def learner(self, preset: str, plays: SideText, seed: int | None = None, **settings: object) -> Machine:
        """Return a learner that has learned nothing yet; `settings` replace some of the preset's."""
        chosen = get_preset(preset)
        algorithm, side = LEARNERS[chosen.algorithm], Side(plays).number
        values = dataclasses.replace(chosen.settings, **settings)
        return Machine.fresh(algorithm, values, self.positions, side, seed)

    def player(self, player: Player, learns: bool, epsilon: float = OWN) -> FixedPlayer:
        """Return the kernel's player; one that learns shares the learner's arrays, one that does not has a copy."""
        if isinstance(player, str):
            return self.arena.fixed_player(player)
        return (player if learns else player.copy()).kernel_player(self.arena.graph, learns=learns, epsilon=epsilon)

    def play(
        self,
        x: Player,
        o: Player,
        games: int,
        numbers: RawNumbers,
        learn: tuple[bool, bool] = (True, True),
        epsilon: tuple[float, float] = (OWN, OWN),
    ) -> NDArray[np.int64]:
        """Play games, in which learners learn if `learn` says so; return how many X won, were drawn, and O won."""
        seats = [self.player(p, now, e) for p, now, e in zip((x, o), learn, epsilon, strict=True)]
        played = self.arena.play(seats[0], seats[1], numbers, games, math.inf)
        for player, now in zip((x, o), learn, strict=True):
            if now and isinstance(player, Machine):
                player.learned.games += games
        return np.array(played.outcomes)

    def policy(self, player: Player, side: int, policy: PolicyName = "greedy") -> Policy:
        """Return the probabilities of a player's moves; `side` (0 for X, 1 for O) is for fixed players."""
        if isinstance(player, str):
            return fixed_policy(player, self.positions, side)
        return player.policy(policy)

    def outcomes(self, x: Player, o: Player, policy: PolicyName = "greedy") -> Outcomes:
        """Return the exact probabilities of the outcomes when X plays O."""
        return outcomes(self.policy(x, 0, policy), self.policy(o, 1, policy))

    def against(self, learner: Machine, opponent: Player, policy: PolicyName = "greedy") -> Strength:
        """Return exactly what a learner achieves against an opponent."""
        opponent_policy = self.policy(opponent, learner.plays.other.number, policy)
        return against(self.policy(learner, learner.side, policy), opponent_policy)

    def worst(self, learner: Machine, policy: PolicyName = "greedy") -> Strength:
        """Return exactly what a learner achieves against the opponent that exploits it most."""
        return strength_against_best_response(self.policy(learner, learner.side, policy))

    def ideal(self, opponent: str, side: int = 0) -> Strength:
        """Return the most that `side` (0 for X, 1 for O) can achieve against a fixed player."""
        rival = Side.of_number(side).other.number
        rival_policy = self.policy(opponent, rival)
        return against(best_response(rival_policy), rival_policy)

    def move_values(self, learner: Machine, board: str) -> dict[int, float]:
        """Return the value that a learner gives to each action of a board's canonical board."""
        moves = self.positions.moves_of(self.position(board))
        amounts = learner.amounts_of(learner.entries_of(moves))
        return dict(zip(self.positions.action[moves.start : moves.stop].tolist(), amounts, strict=True))


# --- studies ---------------------------------------------------------------------------------------------------------


@contextmanager
def study(**design: Any) -> Iterator[Study]:
    """Play a study, whose file is kept no longer than its page reads from it."""
    with TemporaryDirectory() as folder:
        yield Study(Path(folder) / "page.study", **design).run()


def measured(measure: str, **design: Any) -> NDArray[np.float64]:
    """Play a study, and return a measure as `Study.array` does: of the grid only what varies, then seeds and marks."""
    with study(**design) as played:
        array = played.array(measure)
    return array.reshape(*(size for size in array.shape[:-2] if size > 1), *array.shape[-2:])


# --- spread over seeds -----------------------------------------------------------------------------------------------


def spread(values: Iterable[float], digits: int = 3, unit: str = "") -> str:
    """Return mean ± standard deviation over the seeds, `0.52 ± 0.03`, and the range."""
    numbers = [round(float(value), 9) for value in values]  # so that 96.875, give or take a last bit, is one text
    low, high = (f"{number:.{digits}f}" for number in (min(numbers), max(numbers)))
    if low == high:
        return f"{low}{unit} in every seed"
    return f"{fmean(numbers):.{digits}f} ± {stdev(numbers):.{digits}f}{unit}" + ranged(low, high)


def percent(values: Iterable[float], digits: int = 1) -> str:
    """Return `spread` of shares in percent: `52.1 ± 3.0 %`, and the range."""
    return spread((100 * float(value) for value in values), digits, " %")


def middle(values: Iterable[float], digits: int = 0) -> str:
    """Return the median over the seeds, `1,200`, and the range."""
    numbers = [float(value) for value in values]
    return f"{median(numbers):,.{digits}f}" + ranged(f"{min(numbers):,.{digits}f}", f"{max(numbers):,.{digits}f}")


def seeds_where(flags: Iterable[bool]) -> str:
    """Return in how many seeds something is so: `19 of 20 seeds`."""
    hits = [bool(flag) for flag in flags]
    return f"{sum(hits)} of {len(hits)} seeds"


# --- figures ---------------------------------------------------------------------------------------------------------

OUTCOME_COLOURS = {"X wins": BLUE, "drawn": GREY, "O wins": ORANGE}
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 13,
    "axes.titlesize": 14,
    "axes.titlelocation": "left",
    "axes.labelsize": 13,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "legend.fontsize": 12,
    "lines.linewidth": 2,
}


def new_figure(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = (11, 6), **subplots: Any
) -> tuple[Figure, NDArray[Any]]:
    """Return a figure and its axes, [rows, columns]. `size` is in inches."""
    mpl.rcParams.update(STYLE)
    bundled = [font for font in font_manager.fontManager.ttflist if font.fname.startswith(mpl.get_data_path())]
    font_manager.fontManager.ttflist = bundled  # a font of the same name that the computer has may differ
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **subplots)


def band(axes: Axes, x: NDArray[Any], runs: NDArray[Any], colour: str, label: str, **line: Any) -> None:
    """Draw the mean over the seeds (`runs` [seeds, x]) as a line, and all of them as a band."""
    axes.fill_between(x, runs.min(axis=0), runs.max(axis=0), color=colour, alpha=0.2, linewidth=0)
    axes.plot(x, runs.mean(axis=0), color=colour, label=label, **line)


def cells(axes: Axes, values: NDArray[Any], **colours: Any) -> None:
    """Draw values [rows, columns] as coloured cells, the first row on top: as shapes, where imshow has a PNG."""
    rows, columns = (np.arange(size + 1) - 0.5 for size in values.shape)
    axes.pcolormesh(columns, rows, values, **colours)
    axes.set_ylim(rows[-1], rows[0])
    axes.grid(visible=False)


def to_percent(axes: Axes, which: Literal["x", "y"] = "y") -> None:
    """Show an axis of shares from 0 to 1 in percent."""
    axis = axes.yaxis if which == "y" else axes.xaxis
    axis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")


def in_thousands(axes: Axes) -> None:
    """Write the numbers of games on the x axis with commas."""
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


__all__ = [
    "BLACK", "BLUE", "GREEN", "GREY", "ORANGE", "OUTCOME_COLOURS", "OWN", "PURPLE", "SEEDS", "SKY", "STRENGTHS",
    "UNBEATEN", "VERMILION", "YELLOW", "Bench", "Machine", "band", "cells", "in_thousands", "measured", "middle",
    "new_figure", "percent", "raw_numbers", "seeds_where", "spread", "study", "to_percent",
]  # fmt: skip
