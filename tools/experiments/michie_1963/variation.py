"""Vary the parameters A, B and D, as Michie announced in 1963, and measure the machines exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from experiments.common import BLACK, BLUE, GREEN, ORANGE, PURPLE, Bench, cells, new_figure, raw_numbers, to_percent
from experiments.michie_1963.plays import LEARNS, MEASURED, WHO, seats

INFALLIBLE = 0.001  # a machine is infallible if its exact share of losses to random play is below this

# The strengths of reinforcement: only A is varied, in runs of up to a hundred times as many plays as Michie's.
STRENGTHS = (1.001, 1.0025, 1.005, 1.01, 1.025, 1.05, 1.1)
HIS_A = 1.025
PATIENCE = (1_000, 10_000, 100_000)  # numbers of plays after which machines are measured
PATIENT = 100  # the number of machines of each kind

A_VALUES = STRENGTHS
B_VALUES = (1.0, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0)
D_VALUES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
MAP_MACHINES = 20
MAP_PLAYS = (1_000, 10_000)


def losses(bench: Bench, figure: int, plays: Sequence[int], machines: int, **settings: Any) -> NDArray[np.float64]:
    """Return the exact share of games that the learner loses to random play, as an array [machines, plays]."""
    losses = np.zeros((machines, len(plays)))
    for seed in range(1, machines + 1):
        players, numbers, played = seats(bench, LEARNS[figure], "michie-1963", **settings), raw_numbers(seed, 0), 0
        for column, mark in enumerate(plays):
            bench.play(players[0], players[1], mark - played, numbers)
            played = mark
            losses[seed - 1, column] = bench.outcomes(players[0], players[1], "behaviour")[MEASURED[figure]]
    return losses


def by_strength(bench: Bench) -> dict[int, NDArray[np.float64]]:
    """Return the shares of games lost to random play, as arrays [strengths, machines, plays] keyed by figure."""
    return {
        figure: np.array([losses(bench, figure, PATIENCE, PATIENT, growth=growth) for growth in STRENGTHS])
        for figure in (7, 8)
    }


def infallible(losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of infallible machines, as an array [strengths, plays]."""
    shares: NDArray[np.float64] = (losses < INFALLIBLE).mean(axis=1)
    return shares


def strength_figure(losses: dict[int, NDArray[np.float64]]) -> Figure:
    """Plot the share of infallible machines and the mean loss as functions of A, for each number of plays."""
    figure, axes = new_figure(2, 2, size=(14, 10), sharey="row")
    for column, number in enumerate((7, 8)):
        for row, values in enumerate((infallible(losses[number]), losses[number].mean(axis=1))):
            axis = axes[row, column]
            for mark, (plays, colour, marker) in enumerate(
                zip(PATIENCE, (ORANGE, BLUE, GREEN), ("o", "s", "D"), strict=True)
            ):
                label = f"{plays:,} plays"
                axis.plot(range(len(STRENGTHS)), values[:, mark], f"{marker}-", color=colour, label=label)
            axis.axvline(STRENGTHS.index(HIS_A), color=BLACK, linestyle=":", label=f"Michie's A = {HIS_A:g}")
            axis.set(title=WHO[number], xlabel="A (weak to strong)")
            axis.set_xticks(range(len(STRENGTHS)), [f"{growth:g}" for growth in STRENGTHS])
            to_percent(axis)
    axes[0, 0].set_ylabel("machines that are infallible")
    axes[1, 0].set_ylabel("lost to random play, exactly, on average")
    axes[0, 0].set_ylim(-0.03, 1.03)
    axes[1, 0].set_ylim(bottom=0)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


# The following code draws the maps.


MEASURES = (
    "first player learns:\nloses to random play",
    "second player learns:\nloses to random play",
    "both learn: they draw",
)
DRAWS = 2  # the index of the only measure that should be high


def measured(bench: Bench, plays: Sequence[int], preset: str, **settings: Any) -> NDArray[np.float64]:
    """Return the exact values of MEASURES, averaged over MAP_MACHINES machines, as an array [plays, 3]."""
    shares = np.zeros((MAP_MACHINES, len(plays), 3))
    for seed in range(1, MAP_MACHINES + 1):
        for column, (figure, end) in enumerate(MEASURED.items()):
            players, numbers, played = seats(bench, LEARNS[figure], preset, **settings), raw_numbers(seed, 0), 0
            for row, mark in enumerate(plays):
                bench.play(players[0], players[1], mark - played, numbers)
                played = mark
                shares[seed - 1, row, column] = bench.outcomes(players[0], players[1], "behaviour")[end]
    mean: NDArray[np.float64] = shares.mean(axis=0)
    return mean


def map_of_a_and_b(bench: Bench) -> NDArray[np.float64]:
    """Return the values of `measured` for each A and B, as an array [A, B, plays, 3]."""
    return np.array(
        [[measured(bench, MAP_PLAYS, "michie-1963", growth=a, steepness=b) for b in B_VALUES] for a in A_VALUES]
    )


def map_of_a_and_d(bench: Bench) -> NDArray[np.float64]:
    """Return the values of `measured` with the sliding origin for each A and D, as an array [A, D, plays, 3]."""
    return np.array(
        [[measured(bench, MAP_PLAYS, "michie-1963-sliding", growth=a, memory=d) for d in D_VALUES] for a in A_VALUES]
    )


def map_figure(shares: NDArray[np.float64], name: str, columns: Sequence[float], his: float | None) -> Figure:
    """Draw three heat maps for each number of plays; `his` is the value that Michie used, or None.

    The colour map (cividis) is readable for people with colour blindness, and each cell shows its number.
    """
    figure, axes = new_figure(len(MAP_PLAYS), 3, size=(17, 11))
    for row, plays in enumerate(MAP_PLAYS):
        for column, measure in enumerate(MEASURES):
            axis, values = axes[row, column], 100 * shares[:, :, row, column]
            better_is_more = column == DRAWS
            cells(axis, values, cmap="cividis" if better_is_more else "cividis_r")
            axis.invert_yaxis()
            _write_numbers(axis, values, better_is_more)
            axis.set_xticks(range(len(columns)), [f"{value:g}" for value in columns])
            axis.set_yticks(range(len(A_VALUES)), [f"{value:g}" for value in A_VALUES])
            axis.set(title=f"{measure}\nafter {plays:,} plays, in percent", xlabel=name, ylabel="A")
            if his is not None:
                corner = (list(columns).index(his) - 0.5, A_VALUES.index(HIS_A) - 0.5)
                axis.add_patch(_frame(corner))
    return figure


def _write_numbers(axis: Axes, values: NDArray[np.float64], better_is_more: bool) -> None:
    """Write the number in each cell, in white on dark colours."""
    middle = (values.min() + values.max()) / 2
    for (row, column), value in np.ndenumerate(values):
        light = value > middle if better_is_more else value < middle
        axis.text(column, row, f"{value:.1f}", ha="center", va="center", color="black" if light else "white", size=11)


def _frame(corner: tuple[float, float]) -> Rectangle:
    return Rectangle(corner, 1, 1, fill=False, edgecolor=PURPLE, linewidth=3)


def best_of(
    shares: NDArray[np.float64], row: int, measure: int, columns: Sequence[float]
) -> tuple[float, float, float]:
    """Return A, B or D, and the value at a map's best cell. The best cell has the fewest losses or the most draws."""
    values = shares[:, :, row, measure]
    place = np.unravel_index(values.argmax() if measure == DRAWS else values.argmin(), values.shape)
    return A_VALUES[place[0]], columns[place[1]], float(values[place])
