"""Draw the `outcomes`, `strength`, `score` and `first-box` figures, which plot results against the number of games.

The `score` and `first-box` figures can also show a published curve:

    1961    the matchbox machine's first tournament, of 219 games against Michie, with one dot for each game

published-1961.csv has the columns `game` and `score`. A program read the score off the printed figure for about every
second game; each score is accurate to 2 or 3 points. Each win added three beads to every open box, each draw added one,
and each loss removed one. The score is therefore also the number of beads in the first box minus the initial twelve.

Source: Donald Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963), figure 4,
reproduced there from Trial and error, Penguin Science Survey 2 (1961), p. 139.
"""

from __future__ import annotations

import csv
import importlib.resources
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from menace.analysis.groups import (
    Estimate,
    Group,
    Member,
    each,
    factor_columns,
    facts_about,
    group_name,
    group_text,
    grouped,
)
from menace.analysis.learning_curves import Curve, OutcomeCurve, OutcomeStep, outcome_steps, pooled, strengths_of
from menace.analysis.replayed_learners import Trace, trace_learners
from menace.errors import OutputError
from menace.figures.kinds import Options, Plotted, PlottedLine, as_tuple, split_names
from menace.files.tables import Table
from menace.learners.policy import PolicyName
from menace.ledger.rules import rules_of
from menace.ledger.store import Store
from menace.text import wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from menace.figures.panels import Legend


def select_groups(members: Sequence[Member], options: Options) -> tuple[list[list[Member]], tuple[str, ...]]:
    """Return the groups that a figure's options select, and the names of the factors by which machines are grouped."""
    by = split_names(options.get("by"))
    return (each(members) if options.get("apart") else grouped(members, by)), by


def draw_outcomes(store: Store, names: Sequence[str], options: Options) -> Plotted:
    """Return the `outcomes` figure."""
    facts, draws = facts_about(store, names), store.has_draws()
    steps_by_name = outcome_steps(store, names)
    curves = [OutcomeCurve(name, steps_by_name[name], known) for name, known in zip(names, facts, strict=True)]
    groups, by = select_groups(curves, options)
    lines, rows, outcomes = [], [], {}
    columns, cells = factor_columns(groups, by)
    for group, own_cells in zip(groups, cells, strict=True):
        steps = outcomes[group_text(group)] = pooled(group)
        # The counts are X wins, draws and O wins, so the learner's wins are at index 0 for X and at index -1 for O.
        own = -store.learner(group[0].name).plays.number
        lines.append(_outcomes_line(group_name(group, by, "games"), steps, own, len(group)))
        for step in steps:
            shares = zip(wording.ends_of(wording.OUTCOMES, draws), wording.ends_of(step.shares, draws), strict=True)
            rows += [(*own_cells, step.first, step.last, *share, len(group)) for share in shares]
    table = Table((*columns, "first", "games", "measure", "value", "n"), rows)

    def figure() -> Figure:
        from menace.figures.panels import make_group_legend

        return outcomes_figure(outcomes, options.get("axis") or "log", make_group_legend(groups, by=by), draws)

    return Plotted(figure, lines, table)


def _outcomes_line(name: str, steps: Sequence[OutcomeStep], own: int, learners: int) -> PlottedLine:
    """Return the summary line for learners of one side. `own` is the index of the learners' wins in the counts."""
    ends, counts = [step.last for step in steps], [step.counts[own] / learners for step in steps]
    games, last = steps[-1].last, steps[-1].games
    after = f" {wording.percent(steps[-1].shares[own]).strip()}"
    if last < games:
        after += f" of the last {wording.counted(last, 'game')}, {wording.percent(sum(counts) / games).strip()}"
    after += f" of all {wording.counted(games, 'game')}" if games > 1 else f" of {wording.counted(games, 'game')}"
    return PlottedLine(f"{name}, {wording.MEASURES['wins']} ", after, ends, counts=counts)


def outcomes_figure(
    outcomes: Mapping[str, Sequence[OutcomeStep]],
    scale: wording.Scale = "log",
    titles: Legend | None = None,
    draws: bool = True,
) -> Figure:
    """Draw a figure of stacked outcome shares, with a panel for each learner or group.

    Args:
        outcomes: the steps of each learner or group, by name.
        scale: the scale of the games axis.
        titles: the titles of the panels, from `make_group_legend`; None uses the names.
        draws: whether the game can end in a draw.

    Raises:
        OutputError: if there are more than MAX_PANELS panels.
    """
    from menace.figures import panels

    if len(outcomes) > panels.MAX_PANELS:
        raise OutputError(
            f"a figure cannot show {wording.counted(len(outcomes), 'machine')}; name at most {panels.MAX_PANELS}, or"
            " group them"
        )
    titles = titles or panels.Legend("", tuple(outcomes))
    rows, columns = panels.panel_grid(len(outcomes))
    height = max(panels.SIZE[1], 1.2 + 2.8 * rows)
    last = max(steps[-1].last for steps in outcomes.values())
    with panels.menace_style():
        title = "Outcomes of the games that machines learn from"
        figure, grid = panels.new_figure(rows, columns, (panels.SIZE[0], height), title, sharex=True, sharey=True)
        for axes, title, steps in zip(grid.flat, titles.labels, outcomes.values(), strict=False):
            _outcomes_panel(axes, steps, " " if columns == 1 else "\n", height / rows - 0.9, draws)
            each = " each" if sum(steps[-1].counts) > steps[-1].games else ""
            panels.draw_panel_title(
                axes, f"{title}: {wording.counted(steps[-1].last, 'game')}{each}", panels.SIZE[0] / columns
            )
            panels.set_games_axis(axes, 0.5, last, columns, scale)
        for axes in grid.flat[len(outcomes) :]:
            axes.set_visible(False)
        for axes in grid.flat[len(outcomes) - columns : len(outcomes)]:  # the lowest panel in each column
            axes.tick_params(labelbottom=True)
        below = f"{panels.GAMES_LABEL}; shares in the last step are shown on the right"
        figure.supxlabel(titles.below(below, list(outcomes), panels.SIZE[0]), fontsize=panels.BELOW_POINTS)
        figure.supylabel("share of the games", fontsize=13)
        bands, names = grid.flat[0].get_legend_handles_labels()
        figure.legend(bands, names, loc="outside upper right", ncols=len(names))
    return figure


def _outcomes_panel(axes: Axes, steps: Sequence[OutcomeStep], between: str, inches: float, draws: bool) -> None:
    from menace.figures import panels

    edges = [steps[0].first - 0.5, *(step.last + 0.5 for step in steps)]
    names = wording.ends_of(wording.OUTCOMES, draws)
    tops = np.cumsum([wording.ends_of(step.shares, draws) for step in steps], axis=1)
    tops[:, -1] = 1.0
    below = np.zeros(len(steps))
    middles = []
    for outcome, name in enumerate(names):
        top = tops[:, outcome]
        axes.stairs(top, edges, baseline=below, fill=True, color=panels.OUTCOME_COLOURS[name], label=name)
        middles.append(float(below[-1] + top[-1]) / 2)
        below = top
    last = zip(names, wording.ends_of(steps[-1].shares, draws), strict=True)
    texts = [f"{name}{between}{wording.percent(share).strip()}" for name, share in last]
    panels.draw_end_labels(axes, edges[-1], middles, texts, inches, [panels.OUTCOME_COLOURS[name] for name in names])
    axes.set_ylim(0, 1)
    axes.grid(False)
    panels.format_percent(axes.yaxis)


POLICIES: dict[PolicyName, str] = {
    "behaviour": "as they play in training (policy: behaviour)",
    "greedy": "with their best moves (policy: greedy)",
}


def draw_strength(store: Store, names: Sequence[str], options: Options) -> Plotted:
    """Return the `strength` figure."""
    policy: PolicyName = options.get("policy") or "behaviour"
    measure: wording.Measure = options.get("measure") or "losses"
    draws = store.has_draws()
    if measure == "draws" and not draws:
        raise OutputError(f"{rules_of(store).title} has no draws; measure losses, wins or score")
    opponents = as_tuple(options.get("opponent")) or tuple(wording.OPPONENTS)
    curves = strengths_of(store, names, policy)
    groups, by = select_groups(curves, options)
    lines, rows = [], []
    columns, cells = factor_columns(groups, by)
    for group, own_cells in zip(groups, cells, strict=True):
        for opponent in opponents:
            drawn_group = Group.of([curve.against(opponent, measure) for curve in group])
            rows += drawn_group.rows(*own_cells, opponent, measure)
        games, middle = drawn_group.games, [estimate.value for estimate in drawn_group.estimates]
        before = f"{group_name(group, by)}, {wording.measure_text(measure, draws)} {wording.OPPONENTS[opponents[-1]]} "
        after = f" {wording.percent(middle[-1]).strip()} at {wording.counted(games[-1], 'game')}"
        lines.append(PlottedLine(before, after, games, middle))
    figure = partial(strength_figure, groups, measure, opponents, options.get("axis") or "log", draws, by)
    table = Table((*columns, "opponent", "measure", "games", *Estimate._fields), rows)
    drawn = {curve.name for curve in curves}
    return Plotted(figure, lines, table, [name for name in names if name not in drawn])


def strength_figure(
    groups: Sequence[Sequence[Curve]],
    measure: wording.Measure = "losses",
    opponents: Sequence[str] = tuple(wording.OPPONENTS),
    scale: wording.Scale = "log",
    draws: bool = True,
    by: Sequence[str] = (),
) -> Figure:
    """Draw a figure with a panel for each opponent.

    Each panel contains a line for each ungrouped learner, and a median and bands for each group.

    Args:
        groups: groups of learners' curves for one policy, as returned by `menace.analysis.groups.each` and `grouped`.
        measure: the measure to plot.
        opponents: the opponents, from `random`, `optimal` and `best_response`.
        scale: the scale of the games axis.
        draws: whether the game can end in a draw.
        by: the names of the factors by which machines were grouped.
    """
    from menace.figures import panels

    legend = panels.make_group_legend(groups, panels.describe_bands(list(map(len, groups)), by), by)
    curves = {
        wording.OPPONENTS[opponent]: [
            Group.of([curve.against(opponent, measure) for curve in group]) for group in groups
        ]
        for opponent in opponents
    }
    title = f"Exact strength of machines, {POLICIES[groups[0][0].policy]}"
    words = wording.measure_text(measure, draws)
    figure = panels.curves_figure(curves, legend, title, words, scale=scale, columns=len(opponents))
    figure.axes[0].set_ylim(0, 1.02)
    return figure


TRACE_LABELS: dict[str, str] = {"score": "score: 3 a win, 1 a draw, -1 a loss", "first-box": "beads in the first box"}
MILLION = 1_000_000
DRAW_LABEL = ", 1 a draw"  # this part of the label is omitted if the game cannot end in a draw
TRACE_TITLES: dict[str, str] = {
    "score": "Score, game by game",
    "first-box": "Beads in the box for the first move, game by game (for O, in all its boxes for that move)",
}


def _draw_trace(what: str, store: Store, names: Sequence[str], options: Options) -> Plotted:
    traces = trace_learners(store, names, what)
    groups, by = select_groups(traces, options)
    lines, rows = [], []
    columns, cells = factor_columns(groups, by)
    every = traces[0].every
    for group, own_cells in zip(groups, cells, strict=True):
        drawn_group = Group.of([trace.points for trace in group])
        rows += drawn_group.rows(*own_cells, what)
        middle = [estimate.value for estimate in drawn_group.estimates]
        low, high = min(middle), max(middle)
        values = [(value - low) / max(high - low, 1) for value in middle]
        after = f" {f'{middle[-1]:,.1f}'.removesuffix('.0')} after {wording.counted(drawn_group.games[-1], 'game')}"
        after += f", every {wording.ordinal(every)} drawn" if every > 1 else ""
        before = f"{group_name(group, by)}, {'score' if what == 'score' else 'beads in the first box'} "
        lines.append(PlottedLine(before, after, drawn_group.games[1:], values[1:]))
    name = options.get("published")
    scale: wording.Scale = options.get("axis") or "linear"
    published = published_curve(name) if name else None
    figure = partial(trace_figure, groups, what, scale, store.has_draws(), published, by)
    return Plotted(figure, lines, Table((*columns, "measure", "games", *Estimate._fields), rows))


def trace_figure(
    groups: Sequence[Sequence[Trace]],
    what: str,
    scale: wording.Scale = "linear",
    draws: bool = True,
    published: PublishedCurve | None = None,
    by: Sequence[str] = (),
) -> Figure:
    """Draw a figure with a line for each ungrouped learner, and a median and bands for each group.

    Args:
        groups: groups of traces, as returned by `menace.analysis.groups.each` and `grouped`.
        what: `score` or `first-box`.
        scale: the scale of the games axis.
        draws: whether the game can end in a draw.
        published: a published curve to draw behind the lines, or None.
        by: the names of the factors by which machines were grouped.
    """
    from menace.figures import panels

    every = groups[0][0].every
    legend = panels.make_group_legend(groups, panels.describe_bands(list(map(len, groups)), by), by)
    curves = {"": [Group.of([trace.points for trace in group]) for group in groups]}
    dots = None if published is None else (published.label, published.games, published.values(what))
    words = TRACE_LABELS[what] if draws else TRACE_LABELS[what].replace(DRAW_LABEL, "")
    figure = panels.curves_figure(curves, legend, TRACE_TITLES[what], words, scale=scale, dotted=False, published=dots)
    (axes,) = figure.axes
    axes.yaxis.set_major_formatter(lambda value, _: _tick_text(value))
    axes.set_xlabel(panels.GAMES_LABEL + (f"; every {wording.ordinal(every)} is drawn" if every > 1 else ""))
    return figure


def _tick_text(value: float) -> str:
    return f"{value:,g}" if abs(value) < MILLION else f"{value / MILLION:g}M"


FIRST_BEADS = 12  # initial number of beads in the first-move box: four each for corner, edge and centre


class PublishedCurve(NamedTuple):
    """A curve whose values were read from a published figure.

    Attributes:
        label: the name of the curve in a legend.
        games: numbers of games, ascending from 0.
        score: the score after these games: 3 for each win, 1 for each draw, -1 for each loss.
        exact: the maximum error of a score.
    """

    label: str
    games: tuple[int, ...]
    score: tuple[int, ...]
    exact: int

    def values(self, what: str) -> tuple[int, ...]:
        """Return the scores for `score`, or the numbers of beads for `first-box`.

        >>> curve = published_curve("1961")
        >>> curve.values("score")[0], curve.values("first-box")[0]
        (0, 12)
        """
        return self.score if what == "score" else tuple(score + FIRST_BEADS for score in self.score)


PUBLISHED_LABELS = {"1961": "Michie 1961, as printed"}


def published_curve(name: str) -> PublishedCurve:
    """Return the published curve with the given name; PUBLISHED_LABELS lists the names.

    >>> curve = published_curve("1961")
    >>> curve.games[-1], curve.score[-1], min(curve.score)
    (219, 151, -10)
    """
    text = importlib.resources.files("menace.figures").joinpath(f"published-{name}.csv").read_text("utf-8")
    rows = [(int(row["game"]), int(row["score"])) for row in csv.DictReader(text.splitlines())]
    games, score = zip(*rows, strict=True)
    return PublishedCurve(PUBLISHED_LABELS[name], games, score, exact=3)


draw_score, draw_first_box = partial(_draw_trace, "score"), partial(_draw_trace, "first-box")
