"""The figures `score` and `first-box`: Michie's score, and the beads in the box of the first move, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from menace.analysis.learner_families import families
from menace.analysis.trajectories import Trace
from menace.figure_options import Scale
from menace.figures.axes import GAMES_LABEL, games_axis
from menace.figures.legend import draw_legend, legend_of_groups
from menace.figures.published_curves import PublishedCurve
from menace.figures.style import GREY, SIZE, line_style, new_figure, styled
from menace.wording import ordinal

LABELS: dict[str, str] = {"score": "score: 3 a win, 1 a draw, -1 a loss", "first-box": "beads in the first box"}
MILLION = 1_000_000
OF_DRAWS = ", 1 a draw"  # left out if the game has none
TITLES: dict[str, str] = {
    "score": "Score, game by game",
    "first-box": "Beads in the box of the first move, game by game (O: in all its boxes for that move)",
}


# One dot for each game, as it was printed, under the lines.
PUBLISHED_STYLE: dict[str, Any] = {"color": GREY, "marker": "o", "markersize": 4, "linestyle": "none", "zorder": 1}


def trace_figure(
    traces: Sequence[Trace],
    what: str,
    scale: Scale = "linear",
    draws: bool = True,
    published: PublishedCurve | None = None,
) -> Figure:
    """Return a figure with a line for each learner, by games; a family of `learner_families.families` has one colour.

    Args:
        traces: as `traces_of` returns them.
        what: `score` or `first-box`.
        scale: of the axis of games.
        draws: whether the game can end in a draw.
        published: a curve to draw under them.
    """
    every = traces[0].every
    groups = sorted(families(traces), key=lambda group: (len(group) == 1, traces.index(group[0])))
    legend = legend_of_groups(groups)
    with styled():
        figure, panels = new_figure(1, 1, SIZE)
        axes, handles, labels = panels[0, 0], [], []
        last = max(trace.games[-1] for trace in traces)
        if published is not None:
            last = max(last, published.games[-1])
            handles += axes.plot(published.games, published.values(what), **PUBLISHED_STYLE)
            labels.append(published.label)
        for number, (group, label) in enumerate(zip(groups, legend.labels, strict=True)):
            lines = [axes.plot(trace.games, trace.values, **line_style(number))[0] for trace in group]
            handles.append(lines[0])
            labels.append(label)
        figure.suptitle(TITLES[what], x=0.01, ha="left")
        games_axis(axes, 0, last, scale=scale)
        axes.set_ylabel(LABELS[what] if draws else LABELS[what].replace(OF_DRAWS, ""))
        axes.yaxis.set_major_formatter(lambda value, _: _tick(value))
        thinned = f"; every {ordinal(every)} is drawn" if every > 1 else ""
        axes.set_xlabel(GAMES_LABEL + thinned)
        draw_legend(figure, handles, labels, legend.caption)
    return figure


def _tick(value: float) -> str:
    return f"{value:,g}" if abs(value) < MILLION else f"{value / MILLION:g}M"
