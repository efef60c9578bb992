"""`menace plot` as a function: all kinds of figures of learners, drawn and saved, and the lines printed with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from matplotlib.figure import Figure

from menace.analysis.first_decision import openings_of
from menace.analysis.learner_families import each, group_name
from menace.analysis.learning_curves import kin, outcome_steps, spread, strengths_of
from menace.analysis.trajectories import traces_of
from menace.errors import OutputError
from menace.figure_options import FigureOptions, refusal, several
from menace.figures.bead_map import bead_map_figure, bead_map_of
from menace.figures.game_by_game import trace_figure
from menace.figures.legend import panel_titles
from menace.figures.openings import openings_figure
from menace.figures.outcomes import outcomes_figure
from menace.figures.published_curves import published_curve
from menace.figures.strength_curves import strength_figure
from menace.figures.style import figure_format, save
from menace.ledger.store import Store
from menace.ledger.stored_rules import rules_of
from menace.wording import MEASURES, OPPONENTS, counted, measure_text, ordinal, percent


class PlottedLine(NamedTuple):
    """A line that is printed with a figure: numbers by games, as blocks, between two texts.

    Attributes:
        before, after: the texts.
        games: up to each number; empty if the line has only the texts.
        amounts: the numbers, 0 to 1.
        counts: instead of amounts, how many of the games of each step were counted.
    """

    before: str
    after: str
    games: Sequence[int] = ()
    amounts: Sequence[float] = ()
    counts: Sequence[int] | None = None


class Plotted(NamedTuple):
    """A figure, and the lines that are printed with it."""

    figure: Figure
    lines: list[PlottedLine]


def plot(
    store: Store, kind: str, path: str | os.PathLike[str], names: Sequence[str], to: str | None, options: FigureOptions
) -> None:
    """Draw learners as a figure, and write the file.

    Args:
        store: the database.
        kind: one of FIGURES.
        path: of the file; `-` is standard output.
        names: of the learners, or patterns of names.
        to: the format, one of FIGURE_FORMATS; None takes the ending of the path.
        options: of the figure.

    Raises:
        OutputError: if there is no such kind, option or format, nothing to draw, or the file cannot be written.
        UnknownLearner: if there is no such learner.
        MissingExtra: if matplotlib is not installed.
        TypeError: if no figure has an option of such a name.
    """
    reason = refusal(kind, options)
    if reason is None:
        form, names = figure_format(path, to), store.names_like(names)
        reason = refusal(kind, options, names)
    if reason is not None:
        raise OutputError(reason)
    save(figure_of(store, kind, names, options).figure, path, form)


def figure_of(store: Store, kind: str, names: Sequence[str], options: FigureOptions) -> Plotted:
    """Return a figure of learners. Arguments and errors are those of `plot`; `refusal` has checked them.

    >>> plotted = figure_of(store, "strength", ["menace-x"], {"policy": "greedy"})
    >>> plotted.lines[0].before, plotted.lines[0].after
    ('menace-x, games lost in the worst case ', ' 100.0% at 100 games')
    """
    return DRAWN[kind](store, names, options)


def _outcomes(store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    outcomes = outcome_steps(store, names)
    lines = []
    for name, steps in outcomes.items():
        own = -store.learner(name).plays.number  # counts are of wins of X, draws, wins of O
        ends, counts = [step.last for step in steps], [step.counts[own] for step in steps]
        games, last = steps[-1].last, steps[-1].games
        after = f" {percent(steps[-1].shares[own]).strip()}"
        if last < games:
            after += f" of the last {counted(last, 'game')}, {percent(sum(counts) / games).strip()}"
        after += f" of all {counted(games, 'game')}" if games > 1 else f" of {counted(games, 'game')}"
        lines.append(PlottedLine(f"{name}, {MEASURES['wins']} ", after, ends, counts=counts))
    scale, titles = options.get("axis") or "log", panel_titles(store, names)
    return Plotted(outcomes_figure(outcomes, scale, titles, store.has_draws()), lines)


def _strength(store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    policy, measure = options.get("policy") or "behaviour", options.get("measure") or "losses"
    draws = store.has_draws()
    if measure == "draws" and not draws:
        raise OutputError(f"{rules_of(store).title} has no draws; measure losses, wins or score")
    opponents = several(options.get("opponent")) or tuple(OPPONENTS)
    curves = strengths_of(store, names, policy)
    groups = each(curves) if options.get("apart") else kin(curves)
    lines = []
    for group in groups:
        middle = {games: numbers[2] for games, numbers in spread(group, opponents[-1], measure).items()}
        games, last = max(middle.items())
        before = f"{group_name(group)}, {measure_text(measure, draws)} {OPPONENTS[opponents[-1]]} "
        after = f" {percent(last).strip()} at {counted(games, 'game')}"
        lines.append(PlottedLine(before, after, list(middle), list(middle.values())))
    scale = options.get("axis") or "log"
    return Plotted(strength_figure(groups, measure, opponents, scale, draws), lines)


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
    return Plotted(openings_figure(openings, options.get("axis") or "log", panel_titles(store, names)), lines)


def _game_by_game(what: str, store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    traces = traces_of(store, names, what)
    lines = []
    for trace in traces:
        low, high = min(trace.values), max(trace.values)
        values = [(value - low) / max(high - low, 1) for value in trace.values]
        after = f" {trace.values[-1]:,} after {counted(trace.games[-1], 'game')}"
        after += f", every {ordinal(trace.every)} drawn" if trace.every > 1 else ""
        before = f"{trace.name}, {'score' if what == 'score' else 'beads in the first box'} "
        lines.append(PlottedLine(before, after, trace.games[1:], values[1:]))
    name, scale = options.get("published"), options.get("axis") or "linear"
    published = published_curve(name) if name else None
    return Plotted(trace_figure(traces, what, scale, store.has_draws(), published), lines)


def _beads(store: Store, names: Sequence[str], options: FigureOptions) -> Plotted:
    bead_map = bead_map_of(store, names[0], several(options.get("stage")))
    empty = sum(box.empty for box in bead_map.boxes)
    what = f"{counted(len(bead_map.boxes), 'box')}, {empty:,} of them empty"
    if not bead_map.has_beads:
        what = f"{counted(len(bead_map.boxes), 'position')} where it has a choice"
    return Plotted(bead_map_figure(bead_map), [PlottedLine(f"{bead_map.name}, {what}", "")])


DRAWN: dict[str, Callable[[Store, Sequence[str], FigureOptions], Plotted]] = {
    "outcomes": _outcomes,
    "strength": _strength,
    "openings": _openings,
    "score": partial(_game_by_game, "score"),
    "first-box": partial(_game_by_game, "first-box"),
    "beads": _beads,
}
