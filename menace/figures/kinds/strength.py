"""The figure `strength`: exact strength of learners by games, as measured at the marks of their runs."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from menace.analysis.learner_families import group_of
from menace.analysis.learning_curves import Curve
from menace.figure_options import Scale
from menace.figures.panels import about_bands, curves_figure, legend_of_groups
from menace.learners.policy import PolicyName
from menace.wording import OPPONENTS, Measure, measure_text

POLICIES: dict[PolicyName, str] = {
    "behaviour": "as they train (policy: behaviour)",
    "greedy": "at their best (policy: greedy)",
}


def strength_figure(
    groups: Sequence[Sequence[Curve]],
    measure: Measure = "losses",
    opponents: Sequence[str] = tuple(OPPONENTS),
    scale: Scale = "log",
    draws: bool = True,
    by: Sequence[str] = (),
) -> Figure:
    """Return a figure with a panel for each opponent: a line for each single learner; median and bands for each group.

    Args:
        groups: of learners, of one policy, as `learner_families.each` and `grouped` return them.
        measure: what is plotted.
        opponents: `random`, `optimal`, `best`.
        scale: of the axis of games.
        draws: whether the game can end in a draw.
        by: what the groups were made by.
    """
    legend = legend_of_groups(groups, about_bands(list(map(len, groups)), by), by)
    panels = {
        OPPONENTS[opponent]: [group_of([curve.against(opponent, measure) for curve in group]) for group in groups]
        for opponent in opponents
    }
    title = f"Exact strength of machines, {POLICIES[groups[0][0].policy]}"
    words = measure_text(measure, draws)
    figure = curves_figure(panels, legend, title, words, scale=scale, columns=len(opponents))
    figure.axes[0].set_ylim(0, 1.02)
    return figure
