"""Curves of groups of machines: the interquartile mean of each with its interval, over the machines themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from menace.analysis.seed_statistics import Group
from menace.figures.axes import GAMES_LABEL, games_axis, panel_grid, to_percent
from menace.figures.legend import draw_legend
from menace.figures.style import SIZE, line_style, new_figure, styled

LINES_MOST = 90  # machines that are drawn in a panel, evenly spaced among those of each group
LINES_LEAST = 10  # of a group
GROUPS_MOST = 7  # in a panel: with more, the last factor has a panel for each of its values
CAPTION = "interquartile mean of the machines of a group, its 95 % interval (bootstrap), and some of them"


def groups_figure(groups: Sequence[Group], words: str) -> Figure:
    """Return a figure with a line, a band and thin lines for each group.

    Args:
        groups: each measured at its marks; at least one.
        words: what was measured.
    """
    panels = _panels(groups)
    rows, columns = panel_grid(len(panels))
    with styled():
        size = (SIZE[0], SIZE[1] * (1 if rows == 1 else 0.8 * rows))
        figure, all_axes = new_figure(rows, columns, size, sharex=True, sharey=True)
        figure.suptitle(words[0].upper() + words[1:], x=0.01, ha="left")
        first = min(group.games[0] for group in groups if group.games)
        last = max(group.games[-1] for group in groups if group.games)
        for axes in all_axes.flat[len(panels) :]:
            axes.remove()
        for axes, (title, members) in zip(all_axes.flat, panels.items(), strict=False):
            for number, (label, group) in enumerate(members):
                _draw(axes, group, number, label, max(LINES_LEAST, LINES_MOST // len(members)))
            axes.set_title(title)
            games_axis(axes, first, last, columns)
            to_percent(axes.yaxis)
        all_axes.flat[0].set_ylabel(words)
        all_axes[-1, 0].set_xlabel(GAMES_LABEL)
        handles, labels = all_axes.flat[0].get_legend_handles_labels()
        draw_legend(figure, handles, labels, CAPTION)
    return figure


def _panels(groups: Sequence[Group]) -> dict[str, list[tuple[str, Group]]]:
    """Return the groups of each panel with their labels, by the panel's title."""
    names = tuple(groups[0].factors)
    if len(groups) <= GROUPS_MOST or len(names) == 1:
        return {"": [(f"{group.label} (n = {group.scores.shape[-1]:,})", group) for group in groups]}
    panels: dict[str, list[tuple[str, Group]]] = {}
    for group in groups:
        *inner, outer = group.factors.items()
        label = ", ".join(f"{name}={value}" for name, value in inner)
        panels.setdefault(f"{outer[0]} {outer[1]}", []).append((label, group))
    return panels


def _draw(axes: Axes, group: Group, number: int, label: str, lines_most: int) -> None:
    style = line_style(number)
    games = np.array(group.games)
    machines = group.scores.shape[-1]
    some = group.scores[:, np.unique(np.linspace(0, machines - 1, lines_most).astype(int))]
    lines = [np.column_stack([games, column]) for column in some.T]
    axes.add_collection(LineCollection(lines, colors=style["color"], alpha=0.15, linewidths=0.6))
    value, low, high, _ = np.array(group.estimates).T
    axes.fill_between(games, low, high, color=style["color"], alpha=0.3, linewidth=0)
    axes.plot(games, value, label=label, marker="o", markersize=4, clip_on=False, **style)
