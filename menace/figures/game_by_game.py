"""The figures `score` and `first-box`: Michie's score, and the beads in the box of the first move, game by game."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from menace.analysis.learner_families import group_of
from menace.analysis.trajectories import Trace
from menace.figure_options import Scale
from menace.figures.axes import GAMES_LABEL
from menace.figures.group_curves import about_bands, curves_figure
from menace.figures.legend import legend_of_groups
from menace.figures.published_curves import PublishedCurve
from menace.wording import ordinal

LABELS: dict[str, str] = {"score": "score: 3 a win, 1 a draw, -1 a loss", "first-box": "beads in the first box"}
MILLION = 1_000_000
OF_DRAWS = ", 1 a draw"  # left out if the game has none
TITLES: dict[str, str] = {
    "score": "Score, game by game",
    "first-box": "Beads in the box of the first move, game by game (O: in all its boxes for that move)",
}


def trace_figure(
    groups: Sequence[Sequence[Trace]],
    what: str,
    scale: Scale = "linear",
    draws: bool = True,
    published: PublishedCurve | None = None,
    by: Sequence[str] = (),
) -> Figure:
    """Return a figure with a line for each single learner, by games; median and bands for each group.

    Args:
        groups: of traces as `traces_of` returns them, as `learner_families.each` and `grouped` return them.
        what: `score` or `first-box`.
        scale: of the axis of games.
        draws: whether the game can end in a draw.
        published: a curve to draw under them.
        by: what the groups were made by.
    """
    every = groups[0][0].every
    legend = legend_of_groups(groups, about_bands(list(map(len, groups)), by), by)
    panels = {"": [group_of([trace.points for trace in group]) for group in groups]}
    dots = None if published is None else (published.label, published.games, published.values(what))
    words = LABELS[what] if draws else LABELS[what].replace(OF_DRAWS, "")
    figure = curves_figure(panels, legend, TITLES[what], words, scale=scale, dotted=False, published=dots)
    (axes,) = figure.axes
    axes.yaxis.set_major_formatter(lambda value, _: _tick(value))
    axes.set_xlabel(GAMES_LABEL + (f"; every {ordinal(every)} is drawn" if every > 1 else ""))
    return figure


def _tick(value: float) -> str:
    return f"{value:,g}" if abs(value) < MILLION else f"{value / MILLION:g}M"
