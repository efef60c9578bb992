"""The command that plots: outcomes, strength, openings, score, first-box, beads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from menace.cli import completion
from menace.cli.options import database_option, examples, one_word
from menace.cli.terminal import say
from menace.errors import OutputError
from menace.wording import (
    FIGURE_FORMATS,
    FIGURES,
    MEASURES,
    OPPONENTS,
    PUBLISHED,
    Measure,
    command_text,
    counted,
    measure_text,
    ordinal,
    percent,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from menace.learners.policy import PolicyKind
    from menace.ledger.store import Store

    Plotted = tuple[Figure, list["Line"]]

# Which options are for which kind.
OPTIONS = {name: ["strength"] for name in ("policy", "opponent", "measure", "apart")} | {
    "show": ["openings"],
    "stage": ["beads"],
    "published": ["score", "first-box"],
    "axis": [kind for kind in FIGURES if kind != "beads"],
}


class Line(NamedTuple):
    """What is printed of a learner: blocks between texts, fitted into the room that these leave."""

    before: str
    blocks: Callable[[int], str]
    after: str


@click.command(
    short_help="Draw what learners do as a figure.",
    epilog=examples(
        "menace plot outcomes menace-x menace-o outcomes.svg",
        "menace plot strength menace-x strength.pdf --policy greedy --measure score",
        "menace plot strength 'men*' strength.svg",
        "menace plot openings menace-o openings.png",
        "menace plot score menace-x menace-o score.svg",
        "menace plot score adam score.svg --published 1961",
        "menace plot beads menace-x machine.svg --stage 1 --stage 2",
    ),
)
@click.argument("kind", type=click.Choice(FIGURES, case_sensitive=False), metavar="|".join(FIGURES))
@click.argument("words", nargs=-1, metavar="NAME... OUT", shell_complete=completion.learners_and_file)
@click.option(
    "--policy",
    type=click.Choice(["behaviour", "greedy"], case_sensitive=False),
    help="strength: learners as they train (behaviour, the default), or at their best (greedy).",
)
@click.option(
    "--opponent",
    type=click.Choice(tuple(OPPONENTS), case_sensitive=False),
    multiple=True,
    help="strength: the opponent; best is the one that exploits the learner most. Default: all three.",
)
@click.option(
    "--measure",
    type=click.Choice(tuple(MEASURES), case_sensitive=False),
    help="strength: what to count; score is wins plus half the draws. Default: losses.",
)
@click.option("--apart", is_flag=True, help="strength: a line for each learner, even where several could share one.")
@click.option(
    "--show",
    type=click.Choice(["shares", "values"], case_sensitive=False),
    help="openings: what to draw. Default: what the learner picks by.",
)
@click.option(
    "--axis",
    type=click.Choice(["linear", "log"], case_sensitive=False),
    help="All but beads: the axis of games. Default: linear for score and first-box, else log.",
)
@click.option("--stage", type=click.IntRange(1), multiple=True, metavar="N", help="beads: only its move N, from 1.")
@click.option(
    "--published",
    type=click.Choice(PUBLISHED, case_sensitive=False),
    help="score and first-box: a printed curve to lay under them; 1961 is that of Michie's own machine.",
)
@click.option(
    "--to",
    type=click.Choice(FIGURE_FORMATS, case_sensitive=False),
    help="The format, if the ending of OUT does not give it.",
)
@database_option
def plot(kind: str, words: tuple[str, ...], to: str | None, db: str, **options: Any) -> None:
    """Draw what learners do as a figure, OUT (.svg, .png or .pdf; - is standard output).

    NAME may be a pattern, in quotes: 'men*' stands for all learners whose names begin so.

    \b
    outcomes   how the games end that they learn from, a panel for each
    strength   exact strength by games; three learners or more that differ by
               chance alone share a line, the median, with bands for half of
               them and for all
    openings   what they do at their first move, by games, a panel for each
    score      3 for a win, 1 for a draw, -1 for a loss, added up game by game,
               as Michie drew it; a line for each, of one colour for three or
               more that differ by chance alone
    first-box  all beads in the box of the first move, game by game; of O in
               all its boxes for that move; lines as for score
    beads      the map of one machine: all its boxes, and where their beads are
    """  # noqa: D301 - click reads the backspace
    names, out = _names_and_out(kind, words, to, db)
    _check_options(kind, options)
    from menace.cli.columns import fitted
    from menace.ledger.database import open_database
    from menace.ledger.patterns import names_like
    from menace.plotting.style import figure_format, save

    form = figure_format(out, to)
    with open_database(db) as store:
        found = names_like(store, names)
        _check_one(kind, found)
        figure, lines = DRAWN[kind](store, found, options)
    save(figure, out, form)
    for line in lines:
        before = f"{'figure' if out == '-' else out}: {line.before}"
        say(fitted(before, line.blocks, line.after), err=out == "-")


def _names_and_out(kind: str, words: tuple[str, ...], to: str | None, db: str) -> tuple[tuple[str, ...], str]:
    """Tell the learners from the file behind them. Raises UsageError or OutputError if one is missing."""
    if len(words) <= 1:
        raise one_word("plot", words, f"{kind}.svg", db, kind)
    *names, out = words
    if out != "-" and to is None and not PurePath(out).suffix:
        example = command_text("plot", kind, *words, f"{kind}.svg", db=db)
        endings = ", ".join(f".{name}" for name in FIGURE_FORMATS)
        raise OutputError(f"{out} does not end in any of {endings}; name the file last, as in `{example}`")
    return tuple(names), out


def _check_options(kind: str, options: dict[str, Any]) -> None:
    for name, value in options.items():
        if value and kind not in OPTIONS[name]:
            raise click.UsageError(f"--{name} is for `menace plot {'|'.join(OPTIONS[name])}`, not for {kind}")


def _check_one(kind: str, names: list[str]) -> None:
    if kind == "beads" and len(names) > 1:
        raise click.UsageError(f"a map shows one learner, not {len(names)}; plot them one at a time")


def _outcomes(store: Store, names: list[str], options: dict[str, Any]) -> Plotted:
    from menace.cli.columns import line_of_shares
    from menace.plotting.legend import panel_titles
    from menace.plotting.outcomes import outcome_steps, outcomes_figure

    found = outcome_steps(store, names)
    lines = []
    for name, steps in found.items():
        own = -store.learner(name).plays.number  # counts are of wins of X, draws, wins of O
        ends, counts = [step.last for step in steps], [step.counts[own] for step in steps]
        games, last = steps[-1].last, steps[-1].games
        after = f" {percent(steps[-1].shares[own]).strip()}"
        if last < games:
            after += f" of the last {counted(last, 'game')}, {percent(sum(counts) / games).strip()}"
        after += f" of all {counted(games, 'game')}" if games > 1 else f" of {counted(games, 'game')}"
        lines.append(Line(f"{name}, {MEASURES['wins']} ", partial(line_of_shares, ends, counts), after))
    titles = panel_titles(store, names)
    return outcomes_figure(found, options["axis"] or "log", titles, store.has_draws()), lines


def _strength(store: Store, names: list[str], options: dict[str, Any]) -> Plotted:
    from menace.cli.columns import line_of_values
    from menace.ledger.rulebook import rules_of
    from menace.plotting.strength import (
        each,
        group_name,
        kin,
        measured_strength,
        middle_curve,
        strength_figure,
    )

    policy: PolicyKind
    measure: Measure
    policy, measure = options["policy"] or "behaviour", options["measure"] or "losses"
    draws = store.has_draws()
    if measure == "draws" and not draws:
        raise OutputError(f"{rules_of(store).title} has no draws; measure losses, wins or score")
    opponents = tuple(dict.fromkeys(options["opponent"])) or tuple(OPPONENTS)
    found = measured_strength(store, names, policy)
    groups = each(found) if options["apart"] else kin(found)
    lines = []
    for group in groups:
        curve = middle_curve(group, opponents[-1], measure)
        games, last = max(curve.items())
        before = f"{group_name(group)}, {measure_text(measure, draws)} {OPPONENTS[opponents[-1]]} "
        blocks = partial(line_of_values, list(curve), list(curve.values()))
        lines.append(Line(before, blocks, f" {percent(last).strip()} at {counted(games, 'game')}"))
    return strength_figure(groups, measure, opponents, policy, options["axis"] or "log", draws), lines


def _openings(store: Store, names: list[str], options: dict[str, Any]) -> Plotted:
    from menace.cli.columns import line_of_values
    from menace.plotting.legend import panel_titles
    from menace.plotting.openings import openings_figure, openings_of

    found = openings_of(store, names, options["show"])
    lines = []
    for opening in found:
        amounts = [moves[opening.favourite] or 0.0 for moves in opening.amounts]
        move = opening.name_of(opening.favourite)
        if opening.of_cells:
            move = f"{'cell' if len(opening.cells[opening.favourite]) == 1 else 'cells'} {move}"
        before = f"{opening.name} on {opening.board}, {move}: "
        blocks = partial(line_of_values, opening.games, amounts) if opening.what == "shares" else _no_blocks
        unit = "" if opening.what == "shares" else opening.unit
        says = opening.text_of(opening.amounts[-1][opening.favourite])
        lines.append(Line(before, blocks, f"{unit} {says} at {counted(opening.games[-1], 'game')}"))
    return openings_figure(found, options["axis"] or "log", panel_titles(store, names)), lines


def _game_by_game(what: str, store: Store, names: list[str], options: dict[str, Any]) -> Plotted:
    from menace.cli.columns import line_of_values
    from menace.plotting.game_by_game import trace_figure, traces_of
    from menace.plotting.published import published_curve

    found = traces_of(store, names, what)
    lines = []
    for trace in found:
        low, high = min(trace.values), max(trace.values)
        values = [(value - low) / max(high - low, 1) for value in trace.values]
        after = f" {trace.values[-1]:,} after {counted(trace.games[-1], 'game')}"
        after += f", every {ordinal(trace.every)} drawn" if trace.every > 1 else ""
        before = f"{trace.name}, {'score' if what == 'score' else 'beads in the first box'} "
        lines.append(Line(before, partial(line_of_values, trace.games[1:], values[1:]), after))
    published = published_curve(options["published"]) if options["published"] else None
    return trace_figure(found, what, options["axis"] or "linear", store.has_draws(), published), lines


def _beads(store: Store, names: list[str], options: dict[str, Any]) -> Plotted:
    from menace.plotting.bead_map import bead_map_figure, bead_map_of

    found = bead_map_of(store, names[0], options["stage"])
    empty = sum(box.empty for box in found.boxes)
    what = f"{counted(len(found.boxes), 'box')}, {empty:,} of them empty"
    if not found.has_beads:
        what = f"{counted(len(found.boxes), 'position')} where it has a choice"
    return bead_map_figure(found), [Line(f"{found.name}, {what}", _no_blocks, "")]


def _no_blocks(_room: int) -> str:
    return ""


DRAWN: dict[str, Callable[[Store, list[str], dict[str, Any]], Plotted]] = {
    "outcomes": _outcomes,
    "strength": _strength,
    "openings": _openings,
    "score": partial(_game_by_game, "score"),
    "first-box": partial(_game_by_game, "first-box"),
    "beads": _beads,
}
