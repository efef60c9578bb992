"""Curves of machines by games, alone or in groups: a line each, and a band where a group shares the line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from menace.analysis.seed_statistics import Group
from menace.errors import OutputError
from menace.figure_options import Scale
from menace.figures.axes import GAMES_LABEL, games_axis, panel_grid, to_percent
from menace.figures.legend import LINE_INCHES, Legend, draw_legend, legend_columns
from menace.figures.style import DASHES, GREY, LINE_COLOURS, SIZE, line_style, new_figure, styled
from menace.wording import counted

LINES_MOST = 20  # machines of a group that are drawn, evenly spaced among them
STYLES = len(LINE_COLOURS) * len(DASHES)  # lines that can be told apart
GROUPS_MOST = 7  # in a panel: with more, the last factor has a panel for each of its values
WHOLE_MOST = 2  # groups in a panel whose bands of all machines can be told apart
CROWDED_GAMES = 10_000_000  # whose powers of ten run together beside each other
DOTS_MOST = 200  # points of a curve whose dots can be told apart
CAPTION = "interquartile mean of the machines of a group, its 95 % interval (bootstrap), and some of them"
CHANCE = "that differ by chance alone"
# Dots of a curve that was printed, one for each game, under the lines.
PUBLISHED_STYLE: dict[str, Any] = {"color": GREY, "marker": "o", "markersize": 4, "linestyle": "none", "zorder": 1}

Dots = tuple[str, Sequence[int], Sequence[float]]  # label, games, values


def about_bands(sizes: Sequence[int], by: Sequence[str]) -> str:
    """Return what a legend says of the bands of groups of such sizes, as `curves_figure` draws them.

    >>> about_bands([3, 1], [])
    'median of machines that differ by chance alone; bands: half of them, all of them'
    >>> about_bands([3, 3, 3], ["alpha"])
    'median of machines with the same alpha; band: half of them'
    """
    bands = "bands: half of them, all of them" if _whole(sizes) else "band: half of them"
    alike = f"with the same {', '.join(by)}" if by else CHANCE
    return f"median of machines {alike}; {bands}"


def _whole(sizes: Sequence[int]) -> bool:
    return sum(size > 1 for size in sizes) <= WHOLE_MOST


def curves_figure(
    panels: Mapping[str, Sequence[Group]],
    legend: Legend,
    title: str,
    words: str,
    *,
    scale: Scale = "log",
    columns: int | None = None,
    thin: bool = False,
    dotted: bool = True,
    published: Dots | None = None,
) -> Figure:
    """Return a figure with a line for each group, and around that of several machines a band.

    The band is that of the group's estimates. Beneath it are thin lines of some machines; or, if groups are few, a
    paler band that holds all of them.

    Args:
        panels: the groups by the titles of panels, the same number in each; at least one.
        legend: of the groups.
        title: of the figure.
        words: what was measured.
        scale: of the axis of games.
        columns: of panels; None stands for `panel_grid`.
        thin: whether machines of a group are drawn as lines.
        dotted: whether short curves have a dot for each mark.
        published: dots to draw under the lines.
    """
    rows, columns = panel_grid(len(panels)) if columns is None else (-(-len(panels) // columns), columns)
    groups = [group for members in panels.values() for group in members]
    games = [group.games for group in groups if group.games] + ([published[1]] if published else [])
    lines = -(-len(legend.labels) // legend_columns(legend.labels, SIZE[0])) + bool(legend.caption)
    height = SIZE[1] * (1 if rows == 1 else 0.8 * rows) + LINE_INCHES * max(0, lines - 3)
    with styled():
        figure, all_axes = new_figure(rows, columns, (SIZE[0], height), sharex=True, sharey=True)
        figure.suptitle(title, x=0.01, ha="left")
        for axes in all_axes.flat[len(panels) :]:
            axes.remove()
        for axes, (heading, members) in zip(all_axes.flat, panels.items(), strict=False):
            if published is not None:
                axes.plot(*published[1:], label=published[0], **PUBLISHED_STYLE)
            whole = _whole([group.scores.shape[-1] for group in members])
            for number, (label, group) in enumerate(zip(legend.labels, members, strict=False)):
                _draw(axes, group, number, label, "lines" if thin else "band" if whole else "", dotted)
            axes.set_title(heading)
            last = max(own[-1] for own in games)
            beside = columns if scale == "linear" or last >= CROWDED_GAMES else 1  # fewer powers of ten have room
            games_axis(axes, min(own[0] for own in games), last, beside, scale)
            to_percent(axes.yaxis)
        all_axes.flat[0].set_ylabel(words)
        all_axes[-1, columns // 2 if rows == 1 else 0].set_xlabel(GAMES_LABEL)
        handles, labels = all_axes.flat[0].get_legend_handles_labels()
        draw_legend(figure, handles, labels, legend.caption)
    return figure


def groups_figure(groups: Sequence[Group], words: str, about: str = "") -> Figure:
    """Return a figure of the groups of a study, with some machines of each as thin lines.

    Args:
        groups: each measured at its marks; at least one.
        words: what was measured.
        about: what all machines have in common.

    Raises:
        OutputError: if there are more lines in a panel than can be told apart.
    """
    panels = _panels(groups)
    most = max(map(len, panels.values()))
    if most > STYLES:
        raise OutputError(
            f"{counted(most, 'line')} are too many for a panel; name fewer factors, {STYLES} lines at most"
        )
    labels = tuple(label for label, _ in max(panels.values(), key=len))
    members = {title: [group for _, group in labelled] for title, labelled in panels.items()}
    title = words[0].upper() + words[1:] + (f": {about}" if about else "")
    return curves_figure(members, Legend(CAPTION, labels), title, words, thin=True)


def _panels(groups: Sequence[Group]) -> dict[str, list[tuple[str, Group]]]:
    """Return the groups of each panel with their labels, by the panel's title."""
    names = tuple(groups[0].factors)
    if len(groups) <= GROUPS_MOST or len(names) == 1:
        return {"": [(f"{group.label} (n = {group.scores.shape[-1]:,})", group) for group in groups]}
    panels: dict[str, list[tuple[str, Group]]] = {}
    for group in groups:
        *inner, outer = group.factors.items()
        label = ", ".join(f"{name}={value}" for name, value in inner) + f" (n = {group.scores.shape[-1]:,})"
        panels.setdefault(f"{outer[0]} {outer[1]}", []).append((label, group))
    return panels


def _draw(axes: Axes, group: Group, number: int, label: str, machines: str, dotted: bool) -> None:
    style, games, size = line_style(number), np.array(group.games), group.scores.shape[-1]
    value, low, high, _ = np.array(group.estimates).reshape(-1, 4).T
    if size > 1:
        if machines == "lines":
            drawn = group.scores[:, np.unique(np.linspace(0, size - 1, LINES_MOST).astype(int))]
            thin = [np.column_stack([games, column]) for column in drawn.T]
            axes.add_collection(LineCollection(thin, colors=style["color"], alpha=0.15, linewidths=0.6))
        elif machines == "band":
            least, most = group.scores.min(axis=-1), group.scores.max(axis=-1)
            axes.fill_between(games, least, most, color=style["color"], alpha=0.12, linewidth=0)
        if machines:
            axes.fill_between(games, low, high, color=style["color"], alpha=0.25, linewidth=0.8 * (machines == "lines"))
        else:  # bands that lie over each other: their edges tell them apart
            pale = to_rgba(style["color"], 0.1)
            axes.fill_between(games, low, high, facecolor=pale, edgecolor=style["color"], linewidth=0.8)
    dots = "o" if dotted and len(games) <= DOTS_MOST else "none"
    axes.plot(games, value, label=label, marker=dots, markersize=4, clip_on=False, **style)
