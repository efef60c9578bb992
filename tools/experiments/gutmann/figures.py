"""The figures of Gutmann et al. 2016: outcomes, draws, and the values of both sides' states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import (
    BLUE,
    GREEN,
    ORANGE,
    OUTCOME_COLOURS,
    PURPLE,
    SKY,
    VERMILION,
    band,
    in_thousands,
    new_figure,
    to_percent,
)
from experiments.gutmann.program import Run

# The lines of a panel, as TRACKED has the states: what it is of, its cells, and how it is drawn.
Line: TypeAlias = tuple[str, str, tuple[int, ...], str, str]
OPENINGS: Sequence[Line] = (
    ("centre", "openings", (4,), VERMILION, "-"),
    ("corners", "openings", (0, 2, 6, 8), BLUE, "-"),
    ("edges", "openings", (1, 3, 5, 7), ORANGE, "-"),
)
REPLIES: Sequence[Line] = (
    ("corner, centre", "corner", (4,), VERMILION, "-"),
    ("corner, edge beside it", "corner", (1,), ORANGE, "-"),
    ("corner, next corner", "corner", (2,), SKY, "-"),
    ("corner, opposite corner", "corner", (8,), PURPLE, "-"),
    ("edge, centre", "edge", (4,), VERMILION, "--"),
    ("edge, corner beside it", "edge", (0,), BLUE, "--"),
    ("edge, far corner", "edge", (8,), GREEN, "--"),
    ("centre, corner", "centre", (8,), BLUE, ":"),
    ("centre, edge", "centre", (5,), ORANGE, ":"),
)
Variant: TypeAlias = tuple[float, float]  # alpha, epsilon
Outcomes: TypeAlias = Mapping[tuple[str, Variant], NDArray[np.int64]]  # [seeds, looks, 3] by numbers and variant
SETS = ("program", "text")
LINES = {0.2: "-", 0.8: "--"}


def outcome_figure(outcomes: Outcomes, variants: Sequence[Variant], step: int, block: int) -> Figure:
    """Draw the shares of outcomes by `block` games, a row for each variant, a column for each set of numbers."""
    figure, axes = new_figure(len(variants), len(SETS), (12, 3.4 * len(variants)), sharex=True, sharey=True)
    for row, (alpha, epsilon) in enumerate(variants):
        for ax, numbers in zip(axes[row], SETS, strict=True):
            counts = outcomes[numbers, (alpha, epsilon)]
            games = np.arange(block, counts.shape[1] * step + 1, block)
            shares = counts.reshape(len(counts), len(games), -1, 3).sum(axis=2) / block
            for number, (label, colour) in enumerate(OUTCOME_COLOURS.items()):
                mean, deviation = shares[..., number].mean(axis=0), shares[..., number].std(axis=0, ddof=1)
                low, high = np.clip((mean - deviation, mean + deviation), 0, 1)
                ax.fill_between(games, low, high, color=colour, alpha=0.2, linewidth=0)
                ax.plot(games, mean, color=colour, label=label)
            ax.set_title(f"{numbers}: alpha {alpha}, epsilon {epsilon:g}")
            ax.set_ylim(-0.02, 1.02)
            to_percent(ax)
            in_thousands(ax)
    figure.supylabel(f"share of {block} games")
    figure.supxlabel("games played")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper right", ncols=3)
    return figure


def draws_figure(outcomes: Outcomes, variants: Sequence[Variant], step: int) -> Figure:
    """Draw how many games were drawn so far, a line for each variant, a panel for each set of numbers."""
    figure, axes = new_figure(1, len(SETS), (12, 5.5), sharey=True)
    for ax, numbers in zip(axes[0], SETS, strict=True):
        for alpha, epsilon in variants:
            drawn = outcomes[numbers, (alpha, epsilon)][..., 1].cumsum(axis=1)
            games = np.arange(1, drawn.shape[1] + 1) * step
            label = f"alpha {alpha}, epsilon {epsilon:g}"
            band(ax, games, drawn, BLUE if epsilon else ORANGE, label, linestyle=LINES[alpha])
        ax.set_title(f"{numbers}'s numbers")
        in_thousands(ax)
        ax.set_xlabel("games played")
    axes[0, 0].set_ylabel("games drawn so far")
    axes[0, 1].legend(loc="upper left")
    return figure


def states_figure(runs: Mapping[str, Sequence[Run]], lines: Sequence[Line], step: int) -> Figure:
    """Draw the values of one run's states, and below the means of all, a column for each of the report's figures."""
    figure, axes = new_figure(2, len(runs), (14, 9), sharex=True, sharey="row")
    for column, (title, seeds) in enumerate(runs.items()):
        for label, what, cells, colour, style in lines:
            courses = np.array([run.states[what][:, cells] for run in seeds])
            games = np.arange(1, courses.shape[1] + 1) * step
            axes[0, column].plot(games, courses[0], color=colour, linestyle=style, linewidth=1.2)
            axes[1, column].plot(games, courses.mean(axis=(0, 2)), color=colour, linestyle=style, label=label)
        axes[0, column].set_title(f"{title}: one run")
        axes[1, column].set_title(f"mean of {len(seeds)} runs")
        in_thousands(axes[1, column])
    figure.supylabel("value to the player (a win is 1, a loss -1)")
    figure.supxlabel("games played")
    figure.legend(*axes[1, 0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return figure
