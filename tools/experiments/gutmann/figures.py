"""The figures for Gutmann et al. 2016: outcomes, levels of exploration, and values of both sides' states."""

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
    UNBEATEN,
    VERMILION,
    in_thousands,
    new_figure,
    to_percent,
)
from experiments.gutmann.runs import HUMAN, Run

# The lines in a panel, each with the label, the states and cells (as in TRACKED), the colour and the line style.
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


def outcome_figure(outcomes: Outcomes, variants: Sequence[Variant], step: int, block: int) -> Figure:
    """Draw the shares of outcomes in each block of `block` games.

    There is a row for each variant and a column for each set of numbers.
    """
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


def levels_figure(
    by_numbers: Mapping[str, Mapping[Variant, Sequence[Run]]], alpha: float, levels: Sequence[float]
) -> Figure:
    """Draw strength and X's best opening against the level of exploration, with a panel for each set of numbers."""
    figure, axes = new_figure(1, len(by_numbers), (12, 5.5), sharey=True)
    for ax, (numbers, runs) in zip(axes[0], by_numbers.items(), strict=True):
        by_level = [runs[alpha, level] for level in levels]
        for side, name, colour in ((0, "X", BLUE), (1, "O", ORANGE)):
            losses = [[run.worst[side].loss for run in each] for each in by_level]
            human = [np.mean([run.human[side].loss for run in each]) for each in by_level]
            ax.plot(np.mean(losses, axis=1), "o-", color=colour, label=f"{name} loses to its best response")
            ax.plot(human, "s:", color=colour, label=f"{name} loses to {HUMAN}")
            unbeaten = np.mean(np.array(losses) < UNBEATEN, axis=1)
            ax.plot(unbeaten, "^--", color=colour, label=f"{name} is unbeaten", alpha=0.6)
        ax.set_xticks(range(len(levels)), [f"{level:g}" for level in levels])
        ax.set_title(f"the {numbers}'s numbers")
        ax.set_xlabel("epsilon")
        to_percent(ax)
    axes[0, 0].set_ylabel("share of games, or of machines")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def states_figure(runs: Mapping[str, Sequence[Run]], lines: Sequence[Line], step: int) -> Figure:
    """Draw the values in one run above the means of all runs, with a column for each of the report's figures."""
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
