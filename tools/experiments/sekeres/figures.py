"""Draw the figures for sekeres.md: results of all pairs of learners, and the values of all boards."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import BLACK, VERMILION, Bench, Machine, cells, new_figure
from experiments.sekeres.learners import AGAINST_RANDOM, BASELINE, MINIMAX, NAMES, NO_TIES, RANDOM, TEN, Pairs, fresh
from menace.games.base import Side

# The number of boards with a value below each level in Sekeres' figures p1_estimations_3.png (X) and
# p2_estimations_3.png (O). A program read these numbers from the dots; each pixel is 15 boards wide and has a height of
# 0.003.
LEVELS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
PRINTED = {
    "p1": (580, 740, 970, 1180, 1260, 1310, 2940, 3160, 3260, 3360, 3480, 3600),
    "p2": (1250, 1550, 1870, 2190, 2320, 2500, 4160, 4220, 4270, 4340, 4420, 4500),
}
ALL = 99.95  # in percent; higher shares of draws are shown as "all drawn"
DARK = 0.6  # results whose absolute value exceeds this are written in white
BINS = (110, 50)  # the numbers of bins for boards and for values


def ranks(machine: Machine) -> list[int]:
    """Return how many of a learner's values are below each level in LEVELS."""
    return np.searchsorted(np.sort(machine.learned.amount), LEVELS).tolist()


def matrix_figure(games: NDArray[np.float64]) -> Figure:
    """Draw X's mean result against each O, with the percentages of wins, draws and losses."""
    figure, axes = new_figure(1, 1, size=(12.5, 8))
    axis, mean = axes[0, 0], games.mean(axis=(2, 3))
    value = mean[..., 0] - mean[..., 2]
    cells(axis, value, cmap="RdBu", vmin=-1, vmax=1)
    for (i, j), shown in np.ndenumerate(value):
        won, drawn, lost = 100 * mean[i, j]
        text = "all drawn" if drawn > ALL else f"{won:.0f} / {drawn:.0f} / {lost:.0f}"
        axis.text(j, i, text, ha="center", va="center", color="white" if abs(shown) > DARK else "black")
    axis.set_xticks(range(len(NAMES)), [name.replace(" ", "\n", 1) for name in NAMES])
    axis.set_yticks(range(len(NAMES)), NAMES)
    axis.set_xlabel("O's learner")
    axis.set_ylabel("X's learner")
    axis.set_title("X wins / draws / O wins in %; blue: X does better; red: O does better; last two: ours")
    return figure


def values_figure(bench: Bench, pairs: Pairs) -> Figure:
    """Draw all values of each learner, with the boards on the x axis in the order of Baseline's values."""
    first = TEN[0]
    shown: list[tuple[str, list[Machine]]] = [("his “true minimax”", fresh(bench, MINIMAX, first))]
    shown += [(name, pairs[first][name]) for name in (BASELINE, MINIMAX, NO_TIES, AGAINST_RANDOM, RANDOM)]
    figure, axes = new_figure(2, len(shown), size=(18, 8), sharex=True, sharey=True)
    for side, printed in enumerate(PRINTED.values()):
        baseline: NDArray[Any] = pairs[first][BASELINE][side].learned.amount
        order = np.argsort(baseline, kind="stable")
        for axis, (name, machines) in zip(axes[side], shown, strict=True):
            place = np.arange(len(order))
            counts, _, _ = np.histogram2d(
                place, machines[side].learned.amount[order], bins=BINS, range=((0, len(order)), (0, 1))
            )
            axis.imshow(  # as vector shapes, this many cells would take 9 MB
                counts.T,
                cmap="Purples",
                norm=PowerNorm(0.4, 0, counts.max()),
                origin="lower",
                extent=(0, len(order), 0, 1),
                aspect="auto",
                interpolation="none",  # shows the counts unchanged
            )
            axis.plot(place[::11], baseline[order][::11], color=BLACK, linewidth=1, label="Baseline")
            axis.plot(printed, LEVELS, "o", color=VERMILION, fillstyle="none", markersize=5, label="Baseline, printed")
            axis.set_title(name)
            axis.grid(visible=False)
            axis.set_xticks([0, 2000, 4000])
        axes[side, 0].set_ylabel(f"{Side.of_number(side)}'s value of a board")
    for axis in axes[1]:
        axis.set_xlabel("boards")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure
