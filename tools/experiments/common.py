"""Train machines in memory, measure exact strength, compute statistics over seeds, and draw figures for experiments.

An example:

    bench = Bench("none")                                      # every board is its own position; "full": symmetry
    numbers = raw_numbers(seed, 0)                             # the random numbers of one run
    x = bench.learner("value-function", "X", alpha=0.8)        # a preset, with some settings replaced
    bench.play(x, "random", 1000, numbers)                     # learns; returns X's wins, draws and O's wins
    bench.worst(x, "greedy")                                   # exact strength against the best response
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
from menace.arena.play import Arena, raw_numbers
from menace.arena.run_schedule import OWN
from menace.figures.panels import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, YELLOW
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
)  # the measures that studies use most often
UNBEATEN = (
    # a player that loses less often than this to its best response is considered unbeatable, because sums of doubles
    # are inexact
    1e-9
)


Player: TypeAlias = Machine | str  # a machine, or the name of a fixed player


class Bench:
    """The positions of a game, with methods that make learners, play games and compute strength."""

    def __init__(self, symmetry: SymmetryUse = "full", variant: str = "3x3x3", game: str | Game = "tictactoe") -> None:
        rules = get_game(game, variant) if isinstance(game, str) else game
        self.positions = enumerate_positions(rules, symmetry)
        self.arena = Arena(self.positions)

    def position(self, board: str) -> int:
        """Return the number of a board's position."""
        return self.positions.number_of(board)

    def learner(self, preset: str, plays: SideText, seed: int | None = None, **settings: object) -> Machine:
        """Return an untrained learner; `settings` override the preset's settings."""
        chosen = get_preset(preset)
        algorithm, side = LEARNERS[chosen.algorithm], Side(plays).number
        values = dataclasses.replace(chosen.settings, **settings)
        return Machine.fresh(algorithm, values, self.positions, side, seed)

    def player(self, player: Player, learns: bool, epsilon: float = OWN) -> FixedPlayer:
        """Return a player in the form that the kernel requires.

        A player that learns shares the learner's arrays; other players receive copies.
        """
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
        """Play games, and return the numbers of X wins, draws and O wins. `learn` selects the sides that learn."""
        seats = [self.player(p, now, e) for p, now, e in zip((x, o), learn, epsilon, strict=True)]
        played = self.arena.play(seats[0], seats[1], numbers, games, math.inf)
        for player, now in zip((x, o), learn, strict=True):
            if now and isinstance(player, Machine):
                player.learned.games += games
        return np.array(played.outcomes)

    def policy(self, player: Player, side: int, policy: PolicyName = "greedy") -> Policy:
        """Return the probabilities of a player's moves.

        `side` (0 for X, 1 for O) is required only for fixed players.
        """
        if isinstance(player, str):
            return fixed_policy(player, self.positions, side)
        return player.policy(policy)

    def outcomes(self, x: Player, o: Player, policy: PolicyName = "greedy") -> Outcomes:
        """Return the exact probabilities of the outcomes when the players `x` and `o` play each other."""
        return outcomes(self.policy(x, 0, policy), self.policy(o, 1, policy))

    def against(self, learner: Machine, opponent: Player, policy: PolicyName = "greedy") -> Strength:
        """Return a learner's exact strength against an opponent."""
        opponent_policy = self.policy(opponent, learner.plays.other.number, policy)
        return against(self.policy(learner, learner.side, policy), opponent_policy)

    def worst(self, learner: Machine, policy: PolicyName = "greedy") -> Strength:
        """Return a learner's exact strength against its best response."""
        return strength_against_best_response(self.policy(learner, learner.side, policy))

    def ideal(self, opponent: str, side: int = 0) -> Strength:
        """Return the best strength that `side` (0 for X, 1 for O) can achieve against a fixed player."""
        rival = Side.of_number(side).other.number
        rival_policy = self.policy(opponent, rival)
        return against(best_response(rival_policy), rival_policy)

    def move_values(self, learner: Machine, board: str) -> dict[int, float]:
        """Return a learner's value for each action on the canonical board of `board`."""
        moves = self.positions.moves_of(self.position(board))
        amounts = learner.amounts_of(learner.entries_of(moves))
        return dict(zip(self.positions.action[moves.start : moves.stop].tolist(), amounts, strict=True))


# Functions that run studies.


@contextmanager
def study(**design: Any) -> Iterator[Study]:
    """Run a study in a temporary file, which is deleted when the context ends."""
    with TemporaryDirectory() as folder:
        yield Study(Path(folder) / "page.study", **design).run()


def measured(measure: str, **design: Any) -> NDArray[np.float64]:
    """Run a study, and return one measure as `Study.array` does, but without grid axes of length one."""
    with study(**design) as played:
        array = played.array(measure)
    return array.reshape(*(size for size in array.shape[:-2] if size > 1), *array.shape[-2:])


# Functions that describe the spread over seeds.


def spread(values: Iterable[float], digits: int = 3, unit: str = "") -> str:
    """Return the mean ± the standard deviation over the seeds, such as `0.52 ± 0.03`, and the range."""
    # ensures that 96.875 is always rounded in the same direction
    numbers = [round(float(value), 9) for value in values]
    low, high = (f"{number:.{digits}f}" for number in (min(numbers), max(numbers)))
    if low == high:
        return f"{low}{unit} in every seed"
    return f"{fmean(numbers):.{digits}f} ± {stdev(numbers):.{digits}f}{unit}" + ranged(low, high)


def percent(values: Iterable[float], digits: int = 1) -> str:
    """Return the `spread` of shares as percentages, such as `52.1 ± 3.0 %`, and the range."""
    return spread((100 * float(value) for value in values), digits, " %")


def mean_cell(values: Iterable[float], digits: int = 1) -> str:
    """Return the mean over the seeds. The range and the standard deviation appear only in a page's CSV file."""
    numbers = [round(float(value), 9) for value in values]
    low, high, deviation = (f"{value:.{digits}f}" for value in (min(numbers), max(numbers), stdev(numbers)))
    return f"{fmean(numbers):.{digits}f}" + ranged(low, high, deviation)


def middle(values: Iterable[float], digits: int = 0) -> str:
    """Return the median over the seeds, such as `1,200`, and the range."""
    numbers = [float(value) for value in values]
    return f"{median(numbers):,.{digits}f}" + ranged(f"{min(numbers):,.{digits}f}", f"{max(numbers):,.{digits}f}")


def seeds_where(flags: Iterable[bool]) -> str:
    """Return the number of seeds for which a condition is true, as text such as `19 of 20 seeds`."""
    hits = [bool(flag) for flag in flags]
    return f"{sum(hits)} of {len(hits)} seeds"


# Functions that draw figures.

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
    """Return a figure and its axes. `size` is in inches."""
    mpl.rcParams.update(STYLE)
    bundled = [font for font in font_manager.fontManager.ttflist if font.fname.startswith(mpl.get_data_path())]
    font_manager.fontManager.ttflist = bundled  # an installed font of the same name may look different
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **subplots)


def band(axes: Axes, x: NDArray[Any], runs: NDArray[Any], colour: str, label: str, **line: Any) -> None:
    """Draw the mean over the seeds (`runs` [seeds, x]) as a line, and the range over the seeds as a band."""
    axes.fill_between(x, runs.min(axis=0), runs.max(axis=0), color=colour, alpha=0.2, linewidth=0)
    axes.plot(x, runs.mean(axis=0), color=colour, label=label, **line)


def cells(axes: Axes, values: NDArray[Any], **colours: Any) -> None:
    """Draw a matrix of values as coloured cells, with the first row at the top.

    The function does not use imshow, which would embed a PNG.
    """
    rows, columns = (np.arange(size + 1) - 0.5 for size in values.shape)
    axes.pcolormesh(columns, rows, values, **colours)
    axes.set_ylim(rows[-1], rows[0])
    axes.grid(visible=False)


def to_percent(axes: Axes, which: Literal["x", "y"] = "y") -> None:
    """Format the labels of an axis as percentages."""
    axis = axes.yaxis if which == "y" else axes.xaxis
    axis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")


def in_thousands(axes: Axes) -> None:
    """Format the numbers of games on the x axis with commas."""
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


__all__ = [
    "BLACK", "BLUE", "GREEN", "GREY", "ORANGE", "OUTCOME_COLOURS", "OWN", "PURPLE", "SEEDS", "SKY", "STRENGTHS",
    "UNBEATEN", "VERMILION", "YELLOW", "Bench", "Machine", "band", "cells", "in_thousands", "mean_cell", "measured",
    "middle", "new_figure", "percent", "raw_numbers", "seeds_where", "spread", "study", "to_percent",
]  # fmt: skip
