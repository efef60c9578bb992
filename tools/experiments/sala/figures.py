"""Draw the figures about Sala's post: Sala's tables and ours, greedy play, and values as training proceeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import BLACK, BLUE, ORANGE, UNBEATEN, VERMILION, band, in_thousands, new_figure, to_percent
from experiments.value_boards import draw_board, spread_texts

LABELS = {"none": "without symmetry", "full": "with symmetry"}
COLOURS = {"none": VERMILION, "full": BLUE}


def scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values [..., 9] divided by their maximum, as in the post."""
    quotient: NDArray[np.float64] = values / np.nanmax(values, axis=-1, keepdims=True)
    return quotient


def printed_texts(values: NDArray[np.float64]) -> list[str]:
    """Return the printed text for each cell, which is X if the cell has no value."""
    return ["X" if np.isnan(value) else f"{value:.2f}" for value in values]


def tables_figure(printed: Sequence[NDArray[np.float64]], ours: Sequence[NDArray[np.float64]]) -> Figure:
    """Draw Sala's two tables above ours; `ours` contains unscaled values [seeds, 9 cells]."""
    figure, axes = new_figure(2, 2, (10.5, 10.5))
    names = ("X's first move", "O's reply to a corner")
    for column, (name, his, raw) in enumerate(zip(names, printed, ours, strict=True)):
        low = 0.7 if column == 0 else -0.2
        draw_board(axes[0, column], his, printed_texts(his), low, 1.0)
        values = scaled(raw)
        draw_board(axes[1, column], values.mean(axis=0), spread_texts(values), low, 1.0)
        axes[0, column].set_title(f"{name}: printed")
        axes[1, column].set_title(f"ours, {len(raw)} seeds")
    return figure


def greedy_figure(
    games: Mapping[str, NDArray[np.float64]], worst: Mapping[str, NDArray[np.float64]], wins: Sequence[int], step: int
) -> Figure:
    """Draw the results of greedy play and the share of unbeatable players.

    Args:
        games: the results of X against O [seeds, looks, 3], by use of symmetry.
        worst: the losses of X and O to their best responses [seeds, rarer looks, 2].
        wins: the looks at which X won in his figure.
        step: the number of games between looks.
    """
    figure, axes = new_figure(2, 1, (12, 9), sharex=True)
    looks, size = games["none"].shape[1], 50
    at = (np.arange(looks // size) + 0.5) * size * step
    for symmetry, outcomes in games.items():
        binned = outcomes.reshape(len(outcomes), -1, size, 3).mean(axis=2)
        colour = COLOURS[symmetry]
        if symmetry == "none":
            band(axes[0, 0], at, binned[..., 0], colour, f"X wins, {LABELS[symmetry]}")
        else:
            axes[0, 0].plot(at, binned[..., 0].mean(axis=0), color=colour, label=f"X wins, {LABELS[symmetry]}")
        axes[0, 0].plot(
            at, binned[..., 2].mean(axis=0), color=colour, linestyle=":", label=f"O wins, {LABELS[symmetry]}"
        )
        losses = worst[symmetry]
        rarer = np.arange(1, losses.shape[1] + 1) * (looks // losses.shape[1]) * step
        for side, style in ((0, "-"), (1, "--")):
            share = (losses[..., side] < UNBEATEN).mean(axis=0)
            axes[1, 0].plot(rarer, share, color=colour, linestyle=style, label=f"{'XO'[side]}, {LABELS[symmetry]}")
    counts = np.histogram(wins, bins=looks // size, range=(0, looks))[0] / size
    axes[0, 0].plot(at, counts, "o", color=BLACK, label="X wins, printed")
    axes[0, 0].set_ylabel(f"share of {size} looks")
    axes[1, 0].set_ylabel("share of seeds that nobody can beat")
    axes[1, 0].set_xlabel("games played")
    axes[1, 0].set_ylim(-0.02, 1.02)
    for ax in axes.flat:
        ax.set_xlim(0, looks * step)
        to_percent(ax)
        ax.legend(loc="best")
    in_thousands(axes[1, 0])
    return figure


def values_figure(names: Mapping[int, str], values: NDArray[np.float64], step: int) -> Any:
    """Plot values [seeds, looks, moves] against the number of games on a log scale, with one panel for each move."""
    figure, axes = new_figure(1, len(names), size=(14, 4.5), sharey=True)
    looks = np.unique(np.geomspace(1, values.shape[1], 60).astype(int)) - 1
    for k, (axis, name) in enumerate(zip(axes[0], names.values(), strict=True)):
        for index in range(len(names)):
            axis.plot((looks + 1) * step, values[:, looks, index].mean(axis=0), color="#bbbbbb", linewidth=1)
        band(axis, (looks + 1) * step, values[:, looks, k], ORANGE, name)
        axis.set(title=name, xscale="log", xticks=[10**3, 10**4, 10**5, 10**6])
        axis.set_xticklabels(["1k", "10k", "100k", "1M"])
        axis.minorticks_off()
    axes[0, 0].set_ylabel("value Q")
    figure.supxlabel("games (logarithmic)", fontsize=13)
    return figure
