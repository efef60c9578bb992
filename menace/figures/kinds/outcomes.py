"""Draw the `outcomes` figure: the shares of X wins, draws and O wins in the games from which learners learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from menace.errors import OutputError
from menace.figures.kind import AXIS, GROUPING, FigureKind, Options, Plotted, PlottedLine, Scale, select_groups
from menace.text.wording import MEASURES, OUTCOMES as ENDS, counted, ends_of, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from menace.analysis.learning_curves import OutcomeStep
    from menace.figures.panels import PanelTitles
    from menace.ledger.store import Store


def _draw(store: Store, names: Sequence[str], options: Options) -> Plotted:
    from menace.analysis.groups import factor_columns, facts_about, group_name, listed
    from menace.analysis.learning_curves import OutcomeCurve, outcome_steps, pooled
    from menace.files.tables import Table

    facts, draws = facts_about(store, names), store.has_draws()
    steps_by_name = outcome_steps(store, names)
    curves = [OutcomeCurve(name, steps_by_name[name], known) for name, known in zip(names, facts, strict=True)]
    groups, by = select_groups(curves, options)
    lines, rows, outcomes = [], [], {}
    columns, cells = factor_columns(groups, by)
    for group, own_cells in zip(groups, cells, strict=True):
        steps = outcomes[listed(group)] = pooled(group)
        # Counts are X wins, draws and O wins. The learner's wins are therefore at index 0 for X and at index -1 for O.
        own = -store.learner(group[0].name).plays.number
        lines.append(_line(group_name(group, by, "games"), steps, own, len(group)))
        for step in steps:
            shares = zip(ends_of(ENDS, draws), ends_of(step.shares, draws), strict=True)
            rows += [(*own_cells, step.first, step.last, *share, len(group)) for share in shares]
    table = Table((*columns, "first", "games", "measure", "value", "n"), rows)

    def figure() -> Figure:
        from menace.figures.panels import group_titles

        return outcomes_figure(outcomes, options.get("axis") or "log", group_titles(groups, by), draws)

    return Plotted(figure, lines, table)


def _line(name: str, steps: Sequence[OutcomeStep], own: int, learners: int) -> PlottedLine:
    """Return the printed line for learners of one side. `own` is the index of their wins in the counts."""
    ends, counts = [step.last for step in steps], [step.counts[own] / learners for step in steps]
    games, last = steps[-1].last, steps[-1].games
    after = f" {percent(steps[-1].shares[own]).strip()}"
    if last < games:
        after += f" of the last {counted(last, 'game')}, {percent(sum(counts) / games).strip()}"
    after += f" of all {counted(games, 'game')}" if games > 1 else f" of {counted(games, 'game')}"
    return PlottedLine(f"{name}, {MEASURES['wins']} ", after, ends, counts=counts)


def outcomes_figure(
    outcomes: Mapping[str, Sequence[OutcomeStep]],
    scale: Scale = "log",
    titles: PanelTitles | None = None,
    draws: bool = True,
) -> Figure:
    """Draw a figure of stacked shares of the outcomes, with a panel for each learner or group.

    Args:
        outcomes: the steps of each learner or group, by name.
        scale: the scale of the axis of games.
        titles: the titles of the panels, from `panel_titles`; None uses the names.
        draws: whether the game can end in a draw.

    Raises:
        OutputError: if there are more than MAX_PANELS panels.
    """
    from menace.figures import panels, style

    if len(outcomes) > panels.MAX_PANELS:
        raise OutputError(
            f"a figure cannot show {counted(len(outcomes), 'machine')}; name at most {panels.MAX_PANELS}, or group them"
        )
    titles = titles or panels.PanelTitles("", {name: name for name in outcomes})
    rows, columns = panels.panel_grid(len(outcomes))
    height = max(style.SIZE[1], 1.2 + 2.8 * rows)
    last = max(steps[-1].last for steps in outcomes.values())
    with style.menace_style():
        figure, grid = style.new_figure(rows, columns, (style.SIZE[0], height), sharex=True, sharey=True)
        figure.suptitle("Outcomes of the games that machines learn from", x=0.01, ha="left")
        for axes, (name, steps) in zip(grid.flat, outcomes.items(), strict=False):
            _panel(axes, steps, " " if columns == 1 else "\n", height / rows - 0.9, draws)
            each = " each" if sum(steps[-1].counts) > steps[-1].games else ""
            panels.draw_panel_title(
                axes, f"{titles.of[name]}: {counted(steps[-1].last, 'game')}{each}", style.SIZE[0] / columns
            )
            panels.set_games_axis(axes, 0.5, last, columns, scale)
        for axes in grid.flat[len(outcomes) :]:
            axes.set_visible(False)
        for axes in grid.flat[len(outcomes) - columns : len(outcomes)]:  # the lowest panel in each column
            axes.tick_params(labelbottom=True)
        below = titles.below(f"{panels.GAMES_LABEL}; shares in the last step are on the right", style.SIZE[0])
        figure.supxlabel(below, fontsize=panels.BELOW_POINTS)
        figure.supylabel("share of the games", fontsize=13)
        bands, names = grid.flat[0].get_legend_handles_labels()
        figure.legend(bands, names, loc="outside upper right", ncols=len(names))
    return figure


def _panel(axes: Axes, steps: Sequence[OutcomeStep], between: str, inches: float, draws: bool) -> None:
    import numpy as np

    from menace.figures import panels, style

    edges = [steps[0].first - 0.5, *(step.last + 0.5 for step in steps)]
    names = ends_of(ENDS, draws)
    tops = np.cumsum([ends_of(step.shares, draws) for step in steps], axis=1)
    tops[:, -1] = 1.0
    below = np.zeros(len(steps))
    middles = []
    for outcome, name in enumerate(names):
        top = tops[:, outcome]
        axes.stairs(top, edges, baseline=below, fill=True, color=style.OUTCOME_COLOURS[name], label=name)
        middles.append(float(below[-1] + top[-1]) / 2)
        below = top
    last = zip(names, ends_of(steps[-1].shares, draws), strict=True)
    texts = [f"{name}{between}{percent(share).strip()}" for name, share in last]
    panels.draw_end_labels(axes, edges[-1], middles, texts, inches, [style.OUTCOME_COLOURS[name] for name in names])
    axes.set_ylim(0, 1)
    axes.grid(False)
    panels.format_percent(axes.yaxis)


OUTCOMES = FigureKind(
    "outcomes",
    "outcomes of the games that machines learn from; one panel for each machine or group",
    _draw,
    (*GROUPING, AXIS),
)
