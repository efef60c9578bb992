"""Commands that draw: plot, a figure of each kind of FIGURES; and picture, the game graph."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Unpack

import click

from menace.cli import completion_candidates
from menace.cli.options import by_option, database_option, examples, format_option, one_word, opened
from menace.cli.terminal_output import say
from menace.errors import OutputError
from menace.figure_options import CHOICES, refusal
from menace.wording import FIGURE_FORMATS, FIGURES, PARTS, PLOT_FORMATS, Part, command_text, counted

if TYPE_CHECKING:
    from menace.figure_options import FigureOptions
    from menace.figures.plotted import PlottedLine


@click.command(
    short_help="Draw what machines do as a figure.",
    epilog=examples(
        "menace plot outcomes menace-x menace-o outcomes.svg",
        "menace plot strength menace-x strength.pdf --policy greedy --measure score",
        "menace plot strength 'men*' strength.svg",
        "menace plot strength 'td-*' strength.svg --by alpha",
        "menace plot strength 'td-*' strength.csv --by alpha",
        "menace plot openings menace-o openings.png",
        "menace plot score menace-x menace-o score.svg",
        "menace plot score adam score.svg --published 1961",
        "menace plot beads menace-x machine.svg --stage 1 --stage 2",
        "menace plot expected adam expected.svg --against perfect --games 500",
    ),
)
@click.argument("kind", type=click.Choice(FIGURES, case_sensitive=False), metavar="KIND")
@click.argument("words", nargs=-1, metavar="NAME... OUT", shell_complete=completion_candidates.learners_and_file)
@click.option(
    "--policy",
    type=click.Choice(CHOICES["policy"], case_sensitive=False),
    help="strength: machines as they train (behaviour, the default), or at their best (greedy).",
)
@click.option(
    "--opponent",
    type=click.Choice(CHOICES["opponent"], case_sensitive=False),
    multiple=True,
    help="strength: the opponent; best is the best reply to the machine. Default: all three.",
)
@click.option(
    "--measure",
    type=click.Choice(CHOICES["measure"], case_sensitive=False),
    help="strength: what to count; score is wins plus half the draws. Default: losses.",
)
@by_option("All but openings and beads")
@click.option(
    "--apart",
    is_flag=True,
    help="All but openings and beads: each machine by itself, even where several could be a group.",
)
@click.option(
    "--show",
    type=click.Choice(CHOICES["show"], case_sensitive=False),
    help="openings: what to draw. Default: what the machine picks by.",
)
@click.option(
    "--axis",
    type=click.Choice(CHOICES["axis"], case_sensitive=False),
    help="All but beads: the axis of games. Default: linear for score and first-box, else log.",
)
@click.option(
    "--against",
    metavar="PLAYER",
    shell_complete=completion_candidates.opponents,
    help="expected: who teaches the machine. Default: random.",
)
@click.option("--games", type=click.IntRange(1), metavar="N", help="expected: up to how many. Default: 1000.")
@click.option("--stage", type=click.IntRange(1), multiple=True, metavar="N", help="beads: only its move N, from 1.")
@click.option(
    "--published",
    type=click.Choice(CHOICES["published"], case_sensitive=False),
    help="score and first-box: a printed curve to lay under them; 1961 is that of Michie's own machine.",
)
@format_option(PLOT_FORMATS)
@database_option
def plot(kind: str, words: tuple[str, ...], to: str | None, db: str, **options: Unpack[FigureOptions]) -> None:
    """Draw what machines do as a figure, OUT (.svg, .png or .pdf; - is standard output), or write its numbers (.csv).

    NAME may be a pattern, in quotes: 'men*' stands for all learners whose names begin so. Three machines or more that
    differ by chance alone are a group: they share a line, the median, with a band for half of them, and one for all if
    there are two groups at most.

    \b
    outcomes   how the games end that they learn from, a panel for each machine
               or group, whose games are added up
    strength   exact strength by games
    openings   what they do at their first move, by games, a panel for each
    score      3 for a win, 1 for a draw, -1 for a loss, added up game by game,
               as Michie drew it
    first-box  all beads in the box of the first move, game by game; of O in
               all its boxes for that move
    beads      the map of one machine: all its boxes, and where their beads are
    expected   the beads of one machine for its first move, as `menace expect`
               computes them, beside 500 copies that play
    """  # noqa: D301 - click reads the backspace
    names, out = _names_and_out(kind, words, to, db)
    _check(kind, options)
    from menace.cli.run_summary import fitted
    from menace.figures import kinds

    with opened(db) as store:
        learners = store.names_like(names)
        _check(kind, options, learners)
        plotted = kinds.plot(store, kind, out, learners, to, options)
    if plotted.left_out:
        say(f"left out, as they have no games yet: {', '.join(plotted.left_out)}", err=True)
    for line in plotted.lines:
        before = f"{'figure' if out == '-' else out}: {line.before}"
        say(fitted(before, partial(_blocks, line), line.after), err=out == "-")


def _blocks(line: PlottedLine, room: int) -> str:
    from menace.cli.run_summary import line_of_shares, line_of_values

    if not line.games:
        return ""
    if line.counts is None:
        return line_of_values(line.games, line.amounts, room)
    return line_of_shares(line.games, line.counts, room)


def _check(kind: str, options: FigureOptions, learners: Sequence[str] | None = None) -> None:
    reason = refusal(kind, options, learners)
    if reason is not None:
        raise click.UsageError(reason)


def _names_and_out(kind: str, words: tuple[str, ...], to: str | None, db: str) -> tuple[tuple[str, ...], str]:
    """Split the words into learners and the file at the end. Raises UsageError or OutputError if one is missing."""
    if len(words) <= 1:
        raise one_word("plot", words, f"{kind}.svg", db, kind)
    *names, out = words
    if out != "-" and to is None and not PurePath(out).suffix:
        example = command_text("plot", kind, *words, f"{kind}.svg", db=db)
        endings = ", ".join(f".{name}" for name in PLOT_FORMATS)
        raise OutputError(f"{out} does not end in any of {endings}; name the file last, as in `{example}`")
    return tuple(names), out


@click.command(
    short_help="Draw the game as a picture to hang on a wall.",
    epilog=examples(
        "menace picture perfect-play.svg",
        "menace picture menace-x.png --learner menace-x",
        "menace picture poster.pdf --part all",
        "menace picture played.svg --part played --learner menace-o",
    ),
)
@click.argument("out", metavar="OUT", shell_complete=completion_candidates.files)
@click.option(
    "--part",
    type=click.Choice(PARTS, case_sensitive=False),
    default="optimal",
    show_default=True,
    help="Which positions: those of perfect play, all, those where only X or only O never errs, or where a machine has "
    "been.",
)
@click.option(
    "--learner",
    metavar="NAME",
    shell_complete=completion_candidates.learners,
    help="Draw each move as wide as it is likely to play it.",
)
@format_option(FIGURE_FORMATS)
@database_option
def picture(out: str, part: Part, learner: str | None, to: str | None, db: str) -> None:
    """Draw every position as a small board, a row for each number of moves made, and every move as a line.

    OUT is a file that ends with .svg, .png or .pdf, or `-` for standard output. `--part optimal` fits a slide; `--part
    all` is a poster to be printed large. Tints say how risky a position is (where all have the same value, as in
    perfect play), or who wins under perfect play.
    """
    from menace.figures.picture import picture as draw
    from menace.output_files import STDOUT

    with opened(db) as store:
        drawn = draw(store, out, part, learner, to)
    if out != STDOUT:
        say(f"{out}: {counted(drawn.positions, 'position')}, {counted(drawn.moves, 'move')}")
