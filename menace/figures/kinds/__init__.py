"""`menace plot` as a function: all kinds of figures of learners, drawn and saved, and the lines printed with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from menace.analysis.expected_beads import expect
from menace.analysis.first_decision import openings_of
from menace.analysis.learner_families import (
    Member,
    each,
    factor_columns,
    facts_about,
    group_name,
    group_of,
    grouped,
    listed,
)
from menace.analysis.learning_curves import OutcomeCurve, OutcomeStep, outcome_steps, pooled, strengths_of
from menace.analysis.seed_statistics import Estimate, Group
from menace.analysis.strength import loaded_player
from menace.analysis.trajectories import traces_of
from menace.errors import OutputError
from menace.figure_options import FigureOptions, refusal, several, split_by
from menace.figures.kinds.beads import bead_map_figure, bead_map_of
from menace.figures.kinds.expected import expected_figure
from menace.figures.kinds.game_by_game import published_curve, trace_figure
from menace.figures.kinds.openings import openings_figure
from menace.figures.kinds.outcomes import outcomes_figure
from menace.figures.kinds.strength import strength_figure
from menace.figures.panels import panel_titles, titles_of_groups
from menace.figures.plotted import Plotted, PlottedLine
from menace.ledger.learners import named_machine
from menace.ledger.player_names import player_name
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of
from menace.ledger.stored_rules import rules_of
from menace.output_files import file_format
from menace.tables import Table
from menace.wording import MEASURES, OPPONENTS, OUTCOMES, PLOT_FORMATS, counted, ends_of, measure_text, ordinal, percent

EXPECTED_GAMES, EXPECTED_MACHINES = 1_000, 500


def plot(
    store: Store,
    kind: str,
    path: str | os.PathLike[str] | None,
    names: Sequence[str],
    to: str | None,
    options: FigureOptions,
) -> Plotted:
    """Draw learners as a figure, write the file if it has a path, and return the figure.

    Args:
        store: the database.
        kind: one of FIGURES.
        path: of the file; `-` is standard output; None writes none.
        names: of the learners, or patterns of names.
        to: the format, one of PLOT_FORMATS; None takes the ending of the path. CSV has the numbers of the figure.
        options: of the figure.

    Raises:
        OutputError: if there is no such kind, option or format, nothing to draw, or the file cannot be written.
        InvalidSetting: if learners are to be grouped by what none of them has.
        UnknownLearner: if there is no such learner.
        MissingExtra: if matplotlib is not installed.
        TypeError: if no figure has an option of such a name.
    """
    reason = refusal(kind, options)
    if reason is None:
        form = None if path is None else file_format(path, PLOT_FORMATS, to)
        names = store.names_like(names)
        reason = refusal(kind, options, names)
    if reason is not None:
        raise OutputError(reason)
    plotted = figure_of(store, kind, names, options)
    if path is not None:
        plotted.save(path, form)
    return plotted


def figure_of(store: Store, kind: str, names: Sequence[str], options: FigureOptions) -> Plotted:
    """Return a figure of learners. Arguments and errors are those of `plot`; `refusal` has checked them.

    >>> plotted = figure_of(store, "strength", ["menace-x"], {"policy": "greedy"})
    >>> plotted.lines[0].before, plotted.lines[0].after
    ('menace-x, games lost in the worst case ', ' 100.0% at 100 games')
    """
    return DRAWN[kind](store, names, options)


def _grouped(members: Sequence[Member], options: FigureOptions) -> tuple[list[list[Member]], tuple[str, ...]]:
    """Return the groups that a figure draws, and what they are made by, if anything is named."""
    by = split_by(options.get("by"))
    return (each(members) if options.get("apart") else grouped(members, by)), by


def _estimates(cells: Sequence[object], group: Group) -> list[tuple[object, ...]]:
    return [(*cells, games, *numbers) for games, numbers in zip(group.games, group.estimates, strict=True)]


def _outcomes(store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    facts, draws = facts_about(store, names), store.has_draws()
    steps_by_name = outcome_steps(store, names)
    curves = [OutcomeCurve(name, steps_by_name[name], known) for name, known in zip(names, facts, strict=True)]
    groups, by = _grouped(curves, options)
    lines, rows, outcomes = [], [], {}
    columns, cells = factor_columns(groups, by)
    for group, own_cells in zip(groups, cells, strict=True):
        steps = outcomes[listed(group)] = pooled(group)
        own = -store.learner(group[0].name).plays.number  # counts are of wins of X, draws, wins of O
        lines.append(_outcomes_line(group_name(group, by, "games"), steps, own, len(group)))
        for step in steps:
            shares = zip(ends_of(OUTCOMES, draws), ends_of(step.shares, draws), strict=True)
            rows += [(*own_cells, step.first, step.last, *share, len(group)) for share in shares]
    scale, titles = options.get("axis") or "log", titles_of_groups(groups, by)
    table = Table((*columns, "first", "games", "measure", "value", "n"), rows)
    return Plotted(outcomes_figure(outcomes, scale, titles, draws), lines, table)


def _outcomes_line(name: str, steps: Sequence[OutcomeStep], own: int, learners: int) -> PlottedLine:
    """Return the line of some learners of one side; `own` is the place of their wins in counts."""
    ends, counts = [step.last for step in steps], [step.counts[own] / learners for step in steps]
    games, last = steps[-1].last, steps[-1].games
    after = f" {percent(steps[-1].shares[own]).strip()}"
    if last < games:
        after += f" of the last {counted(last, 'game')}, {percent(sum(counts) / games).strip()}"
    after += f" of all {counted(games, 'game')}" if games > 1 else f" of {counted(games, 'game')}"
    return PlottedLine(f"{name}, {MEASURES['wins']} ", after, ends, counts=counts)


def _strength(store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    policy, measure = options.get("policy") or "behaviour", options.get("measure") or "losses"
    draws = store.has_draws()
    if measure == "draws" and not draws:
        raise OutputError(f"{rules_of(store).title} has no draws; measure losses, wins or score")
    opponents = several(options.get("opponent")) or tuple(OPPONENTS)
    curves = strengths_of(store, names, policy)
    groups, by = _grouped(curves, options)
    lines, rows = [], []
    columns, cells = factor_columns(groups, by)
    for group, own_cells in zip(groups, cells, strict=True):
        for opponent in opponents:
            drawn_group = group_of([curve.against(opponent, measure) for curve in group])
            rows += _estimates([*own_cells, opponent, measure], drawn_group)
        games, middle = drawn_group.games, [estimate.value for estimate in drawn_group.estimates]
        before = f"{group_name(group, by)}, {measure_text(measure, draws)} {OPPONENTS[opponents[-1]]} "
        after = f" {percent(middle[-1]).strip()} at {counted(games[-1], 'game')}"
        lines.append(PlottedLine(before, after, games, middle))
    figure = strength_figure(groups, measure, opponents, options.get("axis") or "log", draws, by)
    table = Table((*columns, "opponent", "measure", "games", *Estimate._fields), rows)
    drawn = {curve.name for curve in curves}
    return Plotted(figure, lines, table, [name for name in names if name not in drawn])


def _openings(store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    openings = openings_of(store, names, options.get("show"))
    lines = []
    for opening in openings:
        move = opening.name_of(opening.favourite)
        if opening.of_cells:
            move = f"{'cell' if len(opening.cells[opening.favourite]) == 1 else 'cells'} {move}"
        before = f"{opening.name} on {opening.board}, {move}: "
        amount = opening.text_of(opening.amounts[-1][opening.favourite])
        after = f" {amount} at {counted(opening.games[-1], 'game')}"
        if opening.what == "shares":
            amounts = [moves[opening.favourite] or 0.0 for moves in opening.amounts]
            lines.append(PlottedLine(before, after, opening.games, amounts))
        else:
            lines.append(PlottedLine(before, opening.unit + after))
    rows = [
        (opening.name, opening.board, opening.what, opening.name_of(move), games, moves[move])
        for opening in openings
        for games, moves in zip(opening.games, opening.amounts, strict=True)
        for move in range(len(moves))
    ]
    table = Table(("machine", "board", "measure", "move", "games", "value"), rows)
    return Plotted(openings_figure(openings, options.get("axis") or "log", panel_titles(store, names)), lines, table)


def _game_by_game(what: str, store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    traces = traces_of(store, names, what)
    groups, by = _grouped(traces, options)
    lines, rows = [], []
    columns, cells = factor_columns(groups, by)
    every = traces[0].every
    for group, own_cells in zip(groups, cells, strict=True):
        drawn_group = group_of([trace.points for trace in group])
        rows += _estimates([*own_cells, what], drawn_group)
        middle = [estimate.value for estimate in drawn_group.estimates]
        low, high = min(middle), max(middle)
        values = [(value - low) / max(high - low, 1) for value in middle]
        after = f" {f'{middle[-1]:,.1f}'.removesuffix('.0')} after {counted(drawn_group.games[-1], 'game')}"
        after += f", every {ordinal(every)} drawn" if every > 1 else ""
        before = f"{group_name(group, by)}, {'score' if what == 'score' else 'beads in the first box'} "
        lines.append(PlottedLine(before, after, drawn_group.games[1:], values[1:]))
    name, scale = options.get("published"), options.get("axis") or "linear"
    published = published_curve(name) if name else None
    figure = trace_figure(groups, what, scale, store.has_draws(), published, by)
    return Plotted(figure, lines, Table((*columns, "measure", "games", *Estimate._fields), rows))


def _beads(store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    bead_map = bead_map_of(store, names[0], several(options.get("stage")))
    empty = sum(box.empty for box in bead_map.boxes)
    what = f"{counted(len(bead_map.boxes), 'box')}, {empty:,} of them empty"
    if not bead_map.has_beads:
        what = f"{counted(len(bead_map.boxes), 'position')} where it has a choice"
    return Plotted(bead_map_figure(bead_map), [PlottedLine(f"{bead_map.name}, {what}", "")], None)


def _expected(store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    machine, positions = named_machine(store, names[0]), positions_of(store)
    opponent = player_name(store, options.get("against") or "random", machine.plays.other)
    games = options.get("games") or EXPECTED_GAMES
    known = loaded_player(store, positions, opponent)
    expected = expect(machine, known, games, machines=EXPECTED_MACHINES)
    ((machines, laws),) = expected.laws.items()
    lines = []
    for box in expected.boxes:
        shares, (means, deviations) = expected.shares_of(expected.path, box), laws[-1].shares(positions.moves_of(box))
        best = int(np.nan_to_num(shares[-1]).argmax())
        before = f"{machine.name} against {opponent}, {expected.names_of(box)[best]} on {positions.boards[box]}: "
        mean, deviation = percent(float(means[best])).strip(), percent(float(deviations[best])).strip()
        after = (
            f" {percent(float(shares[-1, best])).strip()}, {machines} {mean} ± {deviation} at {counted(games, 'game')}"
        )
        lines.append(PlottedLine(before, after, expected.games, np.nan_to_num(shares[:, best]).tolist()))
    return Plotted(expected_figure(expected, options.get("axis") or "log"), lines, expected.table())


DRAWN: dict[str, Callable[[Store, Sequence[str], FigureOptions], Plotted]] = {
    "outcomes": _outcomes,
    "strength": _strength,
    "openings": _openings,
    "score": partial(_game_by_game, "score"),
    "first-box": partial(_game_by_game, "first-box"),
    "beads": _beads,
    "expected": _expected,
}
