"""Panels of figures: their grid and axes, texts beside the ends of lines, legends, and curves with bands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from menace.analysis.groups import Facts, Group, Named, factors_of, listed
from menace.drawing.graph_layout import isotonic_fit
from menace.errors import OutputError
from menace.figures.kind import Scale
from menace.figures.style import (
    DASHES,
    GREY,
    LINE_COLOURS,
    SIZE,
    line_style,
    new_figure,
    shown,
    styled,
    text_width,
    wrapped,
)
from menace.text.wording import counted, games_text

TITLE_POINTS = 13  # size of a panel's title
TITLE_ROOM = 0.8  # of a panel's width with its labels, for its title
LABEL_POINTS = 12
PANELS_MOST = 24
CROWDED, POWERS_MOST = 3, 5
GAMES_LABEL = "games learned from (k: thousand, M: million)"


def apart(wanted: Sequence[float], gap: float, edge: float = 0.0) -> list[float]:
    """Return heights for labels, as near as possible to those wanted, but at least `gap` apart.

    Args:
        wanted: heights, 0 to 1, in any order; of equal ones the first becomes the lowest.
        gap: 0 or more.
        edge: the least distance of a label from 0 and 1; too many labels go beyond 1.

    >>> apart([0.5, 0.5, 0.9], 0.2)
    [0.4, 0.6, 0.9]
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    levels = isotonic_fit(wanted[place] - rank * gap for rank, place in enumerate(order))
    highest = 1 - edge - (len(wanted) - 1) * gap
    heights = [0.0] * len(wanted)
    for rank, (place, level) in enumerate(zip(order, levels, strict=True)):
        heights[place] = round(max(min(level, highest), edge) + rank * gap, 12)
    return heights


def panel_title(axes: Axes, text: str, inches: float) -> None:
    """Write a panel's title, wrapped if necessary. `inches` is the panel's width with its labels. Within `styled`."""
    axes.set_title(wrapped(text, TITLE_POINTS, TITLE_ROOM * inches * 72), fontsize=TITLE_POINTS)


def panel_grid(panels: int) -> tuple[int, int]:
    """Return rows and columns for a number of panels: up to four are in pairs, more in threes.

    >>> panel_grid(1), panel_grid(3), panel_grid(5)
    ((1, 1), (2, 2), (2, 3))
    """
    columns = min(panels, 2 if panels <= 2 * 2 else CROWDED)
    return -(-panels // columns), columns


def end_labels(
    axes: Axes, ends: float, wanted: Sequence[float], texts: Sequence[str], inches: float, colours: Sequence[str]
) -> None:
    """Write texts beside the ends of lines or bands, without overlaps, each after a square in the line's colour.

    Args:
        axes: with the x axis made already.
        ends: x of all ends.
        wanted: heights, 0 to 1 of the axes.
        texts: of one or more lines, the same number for all.
        inches: height of the axes, about.
        colours: of the squares. If a colour repeats (for a dashed line), the square is hollow.
    """
    tall = LABEL_POINTS * (1 + texts[0].count("\n")) / 72
    figure = axes.get_figure()
    assert figure is not None
    at = blended_transform_factory(axes.transData, axes.transAxes)
    near, far = (at + ScaledTranslation(points / 72, 0, figure.dpi_scale_trans) for points in (6, 20))
    heights = apart(wanted, 1.3 * tall / inches, 0.5 * tall / inches)
    for number, (height, text, colour) in enumerate(zip(heights, texts, colours, strict=True)):
        axes.text(ends, height, text, transform=far, va="center", fontsize=LABEL_POINTS, linespacing=1)
        square = "□" if colour in colours[:number] else "■"
        axes.text(ends, height, square, transform=near, va="center", fontsize=LABEL_POINTS, color=colour)


def to_percent(axis: Axis) -> None:
    """Show an axis of shares, 0 to 1, in percent."""
    axis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")


def games_axis(axes: Axes, first: float, last: int, panels: int = 1, scale: Scale = "log") -> None:
    """Make the x axis an axis of games, from `first` (0 is possible) to `last`.

    Args:
        axes: to change.
        first: games, 0 or more.
        last: games.
        panels: their number beside each other. With CROWDED or more, only every second of more than POWERS_MOST powers
            has a label, and a linear axis has fewer labels.
        scale: `log` makes each power of ten as wide as the next, `linear` each game.

    >>> from matplotlib.figure import Figure
    >>> axes = Figure().subplots()
    >>> games_axis(axes, 0, 100_000)
    >>> [axes.xaxis.get_major_formatter()(tick) for tick in axes.get_xticks()]
    ['0', '1', '10', '100', '1k', '10k', '100k']
    >>> games_axis(axes, 100, 100)  # of one point
    >>> axes.get_xlim() == (0, 100)
    True
    """
    if first == last:  # a machine that came in, and was measured once
        first = 0
    if scale == "linear":
        axes.set_xscale("linear")
        axes.xaxis.set_major_formatter(lambda value, _: games_text(value))
        axes.locator_params(axis="x", integer=True, nbins=12 // min(panels, CROWDED))
        axes.set_xlim(min(first, 0.5), max(last, 2))
        return
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    powers = [10**power for power in range(len(str(last)))]
    powers = powers[::2] if panels >= CROWDED and len(powers) > POWERS_MOST else powers
    axes.set_xticks([0, *powers] if first == 0 else powers, minor=False)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter(lambda value, _: games_text(value))
    axes.set_xlim(first, max(last, 2))


LEGEND_POINTS, CAPTION_POINTS, BELOW_POINTS = 12, 11, 13
ENTRY_POINTS = 60  # for a line beside its label, and the blank between them
ROOM = 0.95  # of a figure's width
LINE_INCHES = 0.27  # height of a line of the legend


@dataclass(frozen=True)
class Legend:
    """The texts of a legend.

    Attributes:
        caption: what all of them share; may be empty.
        labels: for each line what differs, with the name where that is not enough.
    """

    caption: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class PanelTitles:
    """The titles of the panels of several learners.

    Attributes:
        caption: what all of them share; may be empty.
        of: by the learner's name, the title: what differs; the name itself if there is one learner.
    """

    caption: str
    of: Mapping[str, str]

    def below(self, text: str, inches: float) -> str:
        """Return the text below the panels of a figure of a width, with the caption in lines of its own."""
        if not self.caption:
            return text
        return f"{text}\n{wrapped(f'all: {self.caption}', BELOW_POINTS, ROOM * inches * 72)}"


def panel_titles(facts: Sequence[Facts], names: Sequence[str]) -> PanelTitles:
    """Return the titles of panels, made like the labels of a legend, from facts about learners and their names.

    >>> from menace.analysis.groups import facts_about
    >>> panel_titles(facts_about(store, ["menace-x"]), ["menace-x"])
    PanelTitles(caption='', of={'menace-x': 'menace-x'})
    >>> names = ["menace-x", "menace-o"]
    >>> panel_titles(facts_about(store, names), names)
    PanelTitles(caption='menace; trained against menace', of={'menace-x': 'plays X', 'menace-o': 'plays O'})
    """
    return _titles(legend_of([[known] for known in facts], names), names)


def titles_of_groups(groups: Sequence[Sequence[Named]], by: Sequence[str] = ()) -> PanelTitles:
    """Return the titles of panels of groups, by what `listed` calls them; see `legend_of_groups`."""
    return _titles(legend_of_groups(groups, by=by), [listed(group) for group in groups])


def _titles(legend: Legend, names: Sequence[str]) -> PanelTitles:
    if len(names) == 1 and legend.labels == (shown(names[0]),):
        return PanelTitles("", {name: name for name in names})
    return PanelTitles(legend.caption, dict(zip(names, legend.labels, strict=True)))


def legend_of(groups: Sequence[Sequence[Facts]], names: Sequence[str], by: Sequence[str] = ()) -> Legend:
    """Return the legend of lines: what differs between their learners, and what all share.

    Args:
        groups: of each line the facts about its learners.
        names: of each line, for those between which nothing differs.
        by: what the groups were made by, if anything was named.

    >>> from dataclasses import replace
    >>> from menace.analysis.groups import facts_about
    >>> (plain,) = facts_about(store, ["menace-x"])
    >>> other = replace(plain, settings={**plain.settings, "beads": "8,4,2,1"}, own=frozenset({"beads"}))
    >>> legend_of([[plain], [other]], ["a", "b"])
    Legend(caption='plays X; menace; trained against menace', labels=('beads=4,3,2,1', 'beads=8,4,2,1'))
    >>> legend_of([[plain], [plain]], ["a", "b"]).labels
    ('a', 'b')
    """
    shared, differing = factors_of(groups, by)
    labels = [", ".join(_texts(factors)) for factors in differing]
    often = Counter(labels)
    texts = (
        label if label and often[label] == 1 else f"{name}: {label}" if label else name
        for label, name in zip(labels, names, strict=True)
    )
    return Legend("; ".join(_texts(shared)), tuple(map(shown, texts)))


def legend_of_groups(groups: Sequence[Sequence[Named]], about: str = "", by: Sequence[str] = ()) -> Legend:
    """Return the legend of groups of learners, with their sizes; `about` explains the line of a group."""
    names = [listed(group) for group in groups]
    facts = [[member.facts for member in group if member.facts is not None] for group in groups]
    legend = legend_of(facts, names, by) if all(facts) else Legend("", tuple(map(shown, names)))
    sizes = [f" ({counted(len(group), 'machine')})" if len(group) > 1 else "" for group in groups]
    labels = tuple(label + size for label, size in zip(legend.labels, sizes, strict=True))
    return Legend("; ".join(filter(None, (legend.caption, about if any(sizes) else ""))), labels)


def _texts(factors: Mapping[str, str]) -> list[str]:
    words = {"plays": "plays {}", "preset": "{}", "against": "{}"}
    return [words.get(name, name + "={}").format(text) for name, text in factors.items()]


def legend_columns(labels: Sequence[str], inches: float) -> int:
    """Return how many labels fit beside each other in a figure of a width in inches.

    >>> legend_columns(["a", "b"], 12), legend_columns(["a long label, as they often are, " * 3] * 2, 12)
    (2, 1)
    """
    widest = max(text_width(label, LEGEND_POINTS) for label in labels) + ENTRY_POINTS
    return max(1, min(len(labels), int(ROOM * inches * 72 / widest)))


def draw_legend(figure: Figure, handles: Sequence[Any], labels: Sequence[str], caption: str) -> None:
    """Write the legend below the panels, under a line of what all share. Within `styled`."""
    inches = float(figure.get_size_inches()[0])
    room = ROOM * inches * 72
    title = wrapped(caption, CAPTION_POINTS, room)
    legend_box = figure.legend(
        handles,
        [wrapped(label, LEGEND_POINTS, room - ENTRY_POINTS) for label in labels],
        loc="outside lower left",
        ncols=legend_columns(labels, inches),
        title=title or None,
        title_fontsize=CAPTION_POINTS,
        alignment="left",
    )
    legend_box.get_title().set_color(GREY)


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
