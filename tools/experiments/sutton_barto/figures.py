"""The figures for sutton-barto.md, one for each exercise."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.common import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILION,
    Machine,
    band,
    in_thousands,
    new_figure,
    to_percent,
)
from experiments.sutton_barto.runs import MARKS, Courses

MOST_VISITED = 0.9  # the figure shows boards whose number of updates is above this quantile
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, VERMILION)


def draw_courses(axis: Axes, by_name: dict[str, Courses], measure: str) -> None:
    """Plot a measure against the number of games, with a band for each kind of machine."""
    for (name, courses), colour in zip(by_name.items(), COLOURS, strict=False):
        band(axis, np.array(MARKS), courses.measured[measure], colour, name)
    axis.set_xscale("log")
    axis.set_xlabel("games learned from")
    in_thousands(axis)
    to_percent(axis)


def best_line(axis: Axes, best: float) -> None:
    """Draw a line at the maximum share of games that O can win."""
    axis.axhline(best, color=BLACK, linestyle="--", linewidth=1, label="the most that it can win")


def teachers_figure(by_name: dict[str, Courses], best: float) -> Figure:
    """Draw the figure for exercise 1.1."""
    figure, axes = new_figure(1, 2, size=(14, 6))
    draw_courses(axes[0, 0], by_name, "random.wins")
    best_line(axes[0, 0], best)
    axes[0, 0].set_title("O wins against random X")
    draw_courses(axes[0, 1], by_name, "optimal.losses")
    axes[0, 1].set_title("O loses to optimal X")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def symmetry_figure(
    by_name: dict[str, Courses],
    best: float,
    shared: dict[str, NDArray[np.float64]],
    games: tuple[int, ...],
    most: float,
) -> Figure:
    """Draw exercise 1.2: against random X, and against an X that plays equivalent positions differently."""
    figure, axes = new_figure(1, 2, size=(14, 6))
    draw_courses(axes[0, 0], by_name, "random.wins")
    best_line(axes[0, 0], best)
    axes[0, 0].set_title("O wins against random X")
    axes[0, 0].legend(loc="lower right")
    axis = axes[0, 1]
    for (name, runs), colour in zip(shared.items(), COLOURS, strict=False):
        band(axis, np.array(games), runs, colour, name)
    best_line(axis, most)
    axis.set_xscale("log")
    axis.set_xlabel("games learned from")
    axis.set_title("O wins against one-sided X")
    in_thousands(axis)
    to_percent(axis)
    axis.legend(loc="lower right")
    return figure


def greedy_figure(by_title: dict[str, dict[str, Courses]], best: float) -> Figure:
    """Draw the figure for exercise 1.3, with a panel for each step size."""
    figure, axes = new_figure(1, len(by_title), size=(14, 6), sharey=True)
    for axis, (title, courses) in zip(axes[0], by_title.items(), strict=True):
        draw_courses(axis, courses, "random.wins")
        best_line(axis, best)
        axis.set_title(title)
        axis.legend(loc="lower right")
    axes[0, 0].set_ylabel("O wins against random X")
    return figure


def exploration_figure(
    learned: dict[str, Machine],
    exact: dict[str, NDArray[np.float64]],
    epsilons: NDArray[np.float64],
    wins: dict[str, list[float]],
) -> Figure:
    """Draw exercise 1.4: the learned values, the exact sets, and the share that each set wins while O explores."""
    figure, axes = new_figure(1, 2, size=(14, 6.5))
    axis = axes[0, 0]
    best, exploring = exact.values()
    machines = list(learned.values())
    visits = np.sum([machine.learned.count * machine.learned.kept for machine in machines], axis=0)
    shown = np.flatnonzero(visits >= np.quantile(visits[machines[0].learned.kept], MOST_VISITED))
    gaps = {name: machine.learned.amount[shown] - best[shown] for name, machine in learned.items()}
    gaps[list(exact)[1]] = exploring[shown] - best[shown]
    bins = np.linspace(*np.quantile(np.concatenate(list(gaps.values())), (0.005, 0.995)), 45)
    for (name, gap), colour in zip(gaps.items(), (BLUE, ORANGE, BLACK), strict=True):
        filled = colour != BLACK
        axis.hist(np.clip(gap, bins[0], bins[-1]), bins, color=colour, alpha=0.6 if filled else 1.0, label=name,
                  histtype="stepfilled" if filled else "step", linewidth=1.5)  # fmt: skip
    axis.axvline(0, color=GREY, linestyle="--", linewidth=1, label=next(iter(exact)))
    axis.set_xlabel("less than the exact chance by best play ... more than it")
    axis.set_ylabel("boards")
    axis.set_title(f"How far from best play's chances: {len(shown)} boards of O")
    axis.legend(loc="upper left")
    axis = axes[0, 1]
    first = np.array(next(iter(wins.values())))
    for (name, values), colour in zip(wins.items(), COLOURS, strict=False):
        axis.plot(epsilons, np.array(values) - first, color=colour, label=name)
    axis.set_xlabel("epsilon: how often it explores, now and while it learned")
    axis.set_ylabel("wins, beyond those by best play's chances")
    axis.set_title("Which chances win more while it explores (exact)")
    axis.yaxis.set_major_formatter(lambda value, _: f"{100 * value:+.1f} %")
    axis.legend()
    return figure
