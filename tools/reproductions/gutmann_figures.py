"""The figures of Gutmann et al. 2016: outcomes, draws, and the values of both sides' states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from reproductions.common import (
    BLUE,
    GREEN,
    ORANGE,
    OUTCOME_COLOURS,
    PURPLE,
    SEEDS,
    SKY,
    VERMILION,
    band,
    in_thousands,
    new_figure,
    to_percent,
)

Cells: TypeAlias = Mapping[str, tuple[tuple[int, ...], str]]  # kind of move: its cells and its colour
OPENINGS: Cells = {"centre": ((4,), VERMILION), "corner": ((0, 2, 6, 8), BLUE), "edge": ((1, 3, 5, 7), ORANGE)}
REPLIES: Mapping[str, Cells] = {
    "centre": {"corner": OPENINGS["corner"], "edge": OPENINGS["edge"]},
    "corner": {
        "centre": ((4,), VERMILION),
        "square beside it": ((1, 3), ORANGE),
        "next corner": ((2, 6), SKY),
        "far edge": ((5, 7), GREEN),
        "opposite corner": ((8,), PURPLE),
    },
}
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


def states_figure(values: Mapping[Variant, NDArray[Any]], kinds: Cells, step: int) -> Figure:
    """Draw the values of one run's states, and below the means of all seeds, by kind; `values` [seeds, looks, 9]."""
    figure, axes = new_figure(2, 2, (12, 8), sharex=True, sharey="row")
    for column, ((alpha, _), courses) in enumerate(values.items()):
        games = np.arange(1, courses.shape[1] + 1) * step
        for label, (cells, colour) in kinds.items():
            axes[0, column].plot(games, courses[0][:, list(cells)], color=colour, linewidth=1.2)
            means = courses[..., list(cells)].mean(axis=(0, 2))
            axes[1, column].plot(games, means, color=colour, label=label)
        axes[0, column].set_title(f"alpha {alpha}: each square, seed {SEEDS[0]}")
        axes[1, column].set_title(f"alpha {alpha}: mean of {len(SEEDS)} seeds")
        in_thousands(axes[1, column])
    figure.supylabel("value to the learner (a win is 1, a loss -1)")
    figure.supxlabel("games played")
    figure.legend(*axes[1, 0].get_legend_handles_labels(), loc="outside upper center", ncols=len(kinds))
    return figure
