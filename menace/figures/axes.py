"""Panels of figures: their grid and titles, labels beside the ends of lines, axes of games and of shares."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from menace.drawing.isotonic_regression import pooled
from menace.figure_options import Scale
from menace.figures.style import wrapped
from menace.wording import games_text

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
    levels = pooled(wanted[place] - rank * gap for rank, place in enumerate(order))
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
