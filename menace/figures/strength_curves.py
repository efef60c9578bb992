"""The figure `strength`: exact strength of learners by games, as measured at the marks of their runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from menace.analysis.learning_curves import Curve, FiveNumbers, spread
from menace.figure_options import Scale
from menace.figures.axes import GAMES_LABEL, games_axis, to_percent
from menace.figures.legend import LINE_INCHES, draw_legend, legend_columns, legend_of_groups
from menace.figures.style import SIZE, line_style, new_figure, styled
from menace.learners.policy import PolicyName
from menace.wording import OPPONENTS, Measure, measure_text

POLICIES: dict[PolicyName, str] = {
    "behaviour": "as they train (policy: behaviour)",
    "greedy": "at their best (policy: greedy)",
}
DOTS_MOST = 200  # points of a curve whose dots can be told apart
BANDS = "median of machines that differ by chance alone; bands: half of them, all of them"


def strength_figure(
    groups: Sequence[Sequence[Curve]],
    measure: Measure = "losses",
    opponents: Sequence[str] = tuple(OPPONENTS),
    scale: Scale = "log",
    draws: bool = True,
) -> Figure:
    """Return a figure with a panel for each opponent: a line for each single learner; median and bands for each group.

    The bands hold half of the group (between its quartiles) and all of it: shares are bounded and rarely normal, so an
    interval of their mean would be wrong.

    Args:
        groups: of learners, of one policy, as `learner_families.each` and `series.kin` return them.
        measure: what is plotted.
        opponents: `random`, `optimal`, `best`.
        scale: of the axis of games.
        draws: whether the game can end in a draw.
    """
    measured = [games for group in groups for curve in group for games in curve.points]
    first, last = min(measured), max(measured)
    with styled():
        legend = legend_of_groups(groups, BANDS)
        legend_lines = -(-len(groups) // legend_columns(legend.labels, SIZE[0])) + bool(legend.caption)
        size = (SIZE[0], SIZE[1] + LINE_INCHES * max(0, legend_lines - 3))
        figure, panels = new_figure(1, len(opponents), size, sharex=True, sharey=True)
        figure.suptitle(f"Exact strength of machines, {POLICIES[groups[0][0].policy]}", x=0.01, ha="left")
        for axes, opponent in zip(panels.flat, opponents, strict=True):
            for number, (group, label) in enumerate(zip(groups, legend.labels, strict=True)):
                _draw(axes, spread(group, opponent, measure), len(group) > 1, number, label)
            axes.set_title(OPPONENTS[opponent])
            panels_beside = len(opponents) if scale == "linear" else 1  # powers of ten have room
            games_axis(axes, 0 if first < 1 else first, last, panels_beside, scale)
            axes.set_ylim(0, 1.02)
            to_percent(axes.yaxis)
        panels.flat[0].set_ylabel(measure_text(measure, draws))
        panels.flat[len(opponents) // 2].set_xlabel(GAMES_LABEL)
        handles, labels = panels.flat[0].get_legend_handles_labels()
        draw_legend(figure, handles, labels, legend.caption)
    return figure


def _draw(axes: Axes, numbers: Mapping[int, FiveNumbers], banded: bool, number: int, label: str) -> None:
    style, games = line_style(number), tuple(numbers)
    least, lower, values, upper, most = zip(*numbers.values(), strict=True)
    if banded:
        axes.fill_between(games, least, most, color=style["color"], alpha=0.12, linewidth=0)
        axes.fill_between(games, lower, upper, color=style["color"], alpha=0.25, linewidth=0)
    dots = "o" if len(games) <= DOTS_MOST else "none"
    axes.plot(games, values, label=label, marker=dots, markersize=4, clip_on=False, **style)
