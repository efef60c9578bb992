"""Return and draw the values of a board's moves, and count unbeatable learners."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from experiments.common import UNBEATEN, Bench, Machine, cells, seeds_where
from menace.arena.exact_strength import Strength

EMPTY = "." * 9


def values_on(bench: Bench, learner: Machine, board: str) -> NDArray[np.float64]:
    """Return a learner's value of each cell on a board, or NaN for cells without a move."""
    values, move_values = np.full(9, np.nan), bench.move_values(learner, board)
    for cell, mark in enumerate(board):
        if mark == ".":
            values[cell] = move_values[bench.positions.to_canonical(board, cell)]
    return values


def draw_board(ax: Axes, values: NDArray[np.float64], texts: list[str], low: float, high: float) -> None:
    """Draw values as a board with text in each cell. Cells that have no value contain an X."""
    middle = (low + high) / 2
    cells(ax, values.reshape(3, 3), cmap="cividis", vmin=low, vmax=high)
    ax.set_aspect("equal")
    for cell, (value, text) in enumerate(zip(values, texts, strict=True)):
        colour = "black" if np.isnan(value) or value > middle else "white"
        ax.text(cell % 3, cell // 3, text, ha="center", va="center", size=15, color=colour)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    for line in (0.5, 1.5):
        ax.axhline(line, color="white", linewidth=4)
        ax.axvline(line, color="white", linewidth=4)


def spread_texts(values: NDArray[np.float64], digits: int = 2) -> list[str]:
    """Return the mean ± the standard deviation for each cell. The values are NaN for cells that contain an X."""
    mean, deviation = values.mean(axis=0), values.std(axis=0, ddof=1)
    return ["X" if np.isnan(m) else f"{m:.{digits}f}\n± {d:.{digits}f}" for m, d in zip(mean, deviation, strict=True)]


def unbeaten(worst: Iterable[Strength]) -> str:
    """Return the number of seeds for which the learner is unbeatable."""
    return seeds_where(strength.loss < UNBEATEN for strength in worst)
