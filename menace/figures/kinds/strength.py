"""Draw the `strength` figure: learners' exact strength against the number of games, at the marks of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from menace.errors import OutputError
from menace.figures.kind import (
    AXIS,
    GROUPING,
    FigureKind,
    Option,
    Options,
    Plotted,
    PlottedLine,
    Scale,
    as_tuple,
    select_groups,
)
from menace.text.wording import MEASURES, OPPONENTS, Measure, counted, measure_text, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from menace.analysis.learning_curves import Curve
    from menace.learners.policy import PolicyName
    from menace.ledger.store import Store

POLICIES: dict[PolicyName, str] = {
    "behaviour": "as they play in training (policy: behaviour)",
    "greedy": "with their best moves (policy: greedy)",
}


def _draw(store: Store, names: Sequence[str], options: Options) -> Plotted:
    from menace.analysis.groups import Estimate, Group, factor_columns, group_name
    from menace.analysis.learning_curves import strengths_of
    from menace.files.tables import Table
    from menace.ledger.rules import rules_of

    policy: PolicyName = options.get("policy") or "behaviour"
    measure: Measure = options.get("measure") or "losses"
    draws = store.has_draws()
    if measure == "draws" and not draws:
        raise OutputError(f"{rules_of(store).title} has no draws; measure losses, wins or score")
    opponents = as_tuple(options.get("opponent")) or tuple(OPPONENTS)
    curves = strengths_of(store, names, policy)
    groups, by = select_groups(curves, options)
    lines, rows = [], []
    columns, cells = factor_columns(groups, by)
    for group, own_cells in zip(groups, cells, strict=True):
        for opponent in opponents:
            drawn_group = Group.of([curve.against(opponent, measure) for curve in group])
            rows += drawn_group.rows(*own_cells, opponent, measure)
        games, middle = drawn_group.games, [estimate.value for estimate in drawn_group.estimates]
        before = f"{group_name(group, by)}, {measure_text(measure, draws)} {OPPONENTS[opponents[-1]]} "
        after = f" {percent(middle[-1]).strip()} at {counted(games[-1], 'game')}"
        lines.append(PlottedLine(before, after, games, middle))
    figure = partial(strength_figure, groups, measure, opponents, options.get("axis") or "log", draws, by)
    table = Table((*columns, "opponent", "measure", "games", *Estimate._fields), rows)
    drawn = {curve.name for curve in curves}
    return Plotted(figure, lines, table, [name for name in names if name not in drawn])


def strength_figure(
    groups: Sequence[Sequence[Curve]],
    measure: Measure = "losses",
    opponents: Sequence[str] = tuple(OPPONENTS),
    scale: Scale = "log",
    draws: bool = True,
    by: Sequence[str] = (),
) -> Figure:
    """Draw a figure with a panel for each opponent.

    Each panel contains a line for each individual learner, and a median and bands for each group.

    Args:
        groups: groups of learners' curves for one policy, as returned by `menace.analysis.groups.each` and `grouped`.
        measure: the measure to plot.
        opponents: the opponents, from `random`, `optimal` and `best_response`.
        scale: the scale of the axis of games.
        draws: whether the game can end in a draw.
        by: the names by which machines were grouped.
    """
    from menace.analysis.groups import Group
    from menace.figures import panels

    legend = panels.make_group_legend(groups, panels.describe_bands(list(map(len, groups)), by), by)
    curves = {
        OPPONENTS[opponent]: [Group.of([curve.against(opponent, measure) for curve in group]) for group in groups]
        for opponent in opponents
    }
    title = f"Exact strength of machines, {POLICIES[groups[0][0].policy]}"
    words = measure_text(measure, draws)
    figure = panels.curves_figure(curves, legend, title, words, scale=scale, columns=len(opponents))
    figure.axes[0].set_ylim(0, 1.02)
    return figure


STRENGTH = FigureKind(
    "strength",
    f"exact strength against the number of games: {', '.join(OPPONENTS.values())}",
    _draw,
    (
        Option(
            "policy",
            "behaviour (as in training) or greedy (always the best move). Default: behaviour.",
            tuple(POLICIES),
        ),
        Option(
            "opponent",
            "the opponent; best_response is the player that exploits the machine the most. Default: all three.",
            tuple(OPPONENTS),
            multiple=True,
        ),
        Option("measure", "the measure; score is wins plus half the draws. Default: losses.", tuple(MEASURES)),
        *GROUPING,
        AXIS,
    ),
)
