"""The commands of `study`: run, show, plot, table, difference, export. A study is many machines, exactly measured."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from menace.cli.shared import completion
from menace.cli.shared.options import PAPER_FORMS, examples, form_options
from menace.cli.shared.terminal import progress_bar, say
from menace.errors import MenaceError, NotOurs
from menace.files.optional_libraries import need_extra
from menace.text.wording import TableForm, counted

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from menace.studies.study import Study

MINUTE, HOUR = 60, 3600

by_option = click.option(
    "--by",
    multiple=True,
    metavar="NAME",
    help="What tells lines apart, with commas: names of the grid, against, policy.  [default: all that vary]",
)
measure_option = click.option(
    "--measure",
    default="best_response.losses",
    show_default=True,
    metavar="WHOM.WHAT",
    help="random, optimal or best_response; wins, draws, losses or value.",
)
end_option = click.option("--games", type=int, metavar="N", help="One mark alone.  [default: the end]")
study_argument = click.argument("file", metavar="STUDY", shell_complete=completion.files)


@click.group(
    short_help="Play thousands of machines of a grid of settings, and measure them exactly.",
    epilog=examples(
        "menace study run beads.toml --dry-run",
        "menace study run beads.toml",
        "menace study plot beads.study curves.svg --by win",
        "menace study table beads.study --markdown",
        "menace study export beads.study beads.parquet",
    ),
)
def study() -> None:
    """Play many machines: every combination of settings, opponents and seeds, measured exactly at marks.

    A study is described by a TOML file, and kept in a file of its own.
    """


@study.command(
    short_help="Play the machines that are not measured yet.",
    epilog=examples("menace study run beads.toml", "menace study run beads.study --workers 8"),
)
@click.argument("file", metavar="FILE", shell_complete=completion.files)
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes.  [default: all cores but one]")
@click.option("--dask", metavar="ADDRESS", help="Play on the cluster of a Dask scheduler.")
@click.option("--dry-run", is_flag=True, help="Say how much there is to do, and how long it may take.")
def run(file: str, workers: int | None, dask: str | None, dry_run: bool) -> None:
    """Play the machines of FILE that are not measured yet: a design (.toml), or the study that was made of one.

    The study of beads.toml is beads.study, beside it. To run it again goes on where it stopped. A design:

    \b
        plays = "X"
        preset = "menace"
        against = ["perfect", "random"]
        games = 220
        seeds = 1000
        marks = "1-2-5"
        [grid]
        win = [1, 3, 5]
        draw = [0, 1]
    """  # noqa: D301 - click reads the backspace
    study = _opened(file)
    say(study.design.title)
    if dry_run:
        left = study.machines_left()
        about = f"; about {_duration(study.seconds_each() * left)} on 1 core" if left else ""
        say(f"{counted(left, 'machine')} left to play{about}")
        return
    try:
        with _executor(dask) as (executor, threads), progress_bar(study.machines_left(), "machines") as bar:
            study.run(executor, workers=workers or threads, progress=bar.update)
    except KeyboardInterrupt:
        say(f"{counted(study.machines_left(), 'machine')} left to play; run it again to go on", err=True)
        raise
    left = study.machines_left()
    say(f"{study.path}: {counted(study.design.machines - left, 'machine')} measured")
    if left:
        reason = next(iter(study.failures()), "another menace changed its design meanwhile")
        raise MenaceError(f"{counted(left, 'machine')} could not be played; run it again to try them ({reason})")


def _opened(file: str) -> Study:
    """Return the study that a path means: a design in TOML, or a study's file."""
    from menace.studies.study import Study

    if file.endswith(".toml"):
        return Study.from_toml(file)
    try:
        return Study.open(file)
    except NotOurs:
        raise NotOurs(
            f"{file} is not a study; name a study's file, such as beads.study, or a design that ends in .toml"
        ) from None


def _duration(seconds: float) -> str:
    """Return a time in words.

    >>> _duration(3.2), _duration(200), _duration(9000)
    ('3 s', '3 min', '2.5 h')
    """
    if seconds < MINUTE:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / MINUTE:.0f} min" if seconds < HOUR else f"{seconds / HOUR:.1f} h"


@contextlib.contextmanager
def _executor(address: str | None) -> Iterator[tuple[Executor | None, int | None]]:
    """Provide the executor of a Dask cluster, and how many threads its workers have; or None twice."""
    if address is None:
        yield None, None
        return
    need_extra("distributed", "study")
    from distributed import Client

    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise MenaceError(f"no Dask scheduler answers at {address} ({error}); `dask scheduler` starts one") from None
    with client:
        yield client.get_executor(), max(1, sum(client.nthreads().values()))


@study.command(
    short_help="Show what is asked and how strong its machines became.",
    epilog=examples("menace study show beads.study"),
)
@study_argument
@measure_option
def show(file: str, measure: str) -> None:
    """Show the settings of a study: how many machines of each are measured, and their strength at the end."""
    from menace.analysis.groups import estimate
    from menace.cli.shared.terminal import table
    from menace.studies.results import measure_words

    study = _opened(file)
    scores = study.scores(measure)
    say(study.design.title)
    say(f"measured when they have learned from games: {', '.join(map(str, study.design.all_marks))}")
    rows = []
    for label, values in scores.items():
        share = estimate(values) if len(values) else None
        interval = "" if share is None or share.n == 1 else f"{share.low:.4f} to {share.high:.4f}"
        cells = ["", ""] if share is None else [f"{share.value:.4f}", interval]
        rows.append([label, len(values), *cells])
    say(f"{measure_words(measure)}, interquartile mean of machines, its 95 % interval")
    click.echo(table(["machines of", "played", "mean", "interval"], rows))
    for line in study.failures()[:3]:
        say(f"not played: {line}", err=True)


@study.command(short_help="Draw its curves.", epilog=examples("menace study plot beads.study losses.svg --by win"))
@study_argument
@click.argument("out", metavar="OUT", shell_complete=completion.files)
@measure_option
@by_option
def plot(file: str, out: str, measure: str, by: tuple[str, ...]) -> None:
    """Draw a measure by games as OUT (.svg, .png, .pdf; .csv has its numbers).

    A line is the interquartile mean of a group, its band the 95 % bootstrap interval over seeds.
    """
    study = _opened(file)
    curve = study.curve(measure, _names(by))
    curve.plot(out)
    say(f"{out}: {counted(len(curve.groups), 'group')}")
    _say_what_is_missing(study)


def _names(by: tuple[str, ...]) -> list[str] | None:
    """Return the names of an option that may be repeated, or have several with commas; None if it is not there."""
    return [name for text in by for name in text.split(",")] or None


def _say_what_is_missing(study: Study) -> None:
    if left := study.machines_left():
        say(f"{counted(left, 'machine')} of {study.design.machines:,} are not played yet", err=True)


@study.command(
    short_help="Print a table of its curves.", epilog=examples("menace study table beads.study --markdown --games 220")
)
@study_argument
@measure_option
@by_option
@end_option
@form_options(**PAPER_FORMS)
def table(file: str, measure: str, by: tuple[str, ...], games: int | None, form: TableForm | None) -> None:
    """Print the interquartile mean of each group at one mark, its 95 % bootstrap interval, and how many machines."""
    from menace.cli.shared.terminal import print_table

    study = _opened(file)
    curve, mark = study.curve(measure, _names(by)), study.design.games if games is None else games
    print_table(curve.shown(mark), curve.at(mark), form)
    _say_what_is_missing(study)


@study.command(
    short_help="Print how two of its settings differ.",
    epilog=examples(
        "menace study difference beads.study 'win=3, draw=1, against perfect' 'win=1, draw=1, against perfect'"
    ),
)
@study_argument
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@measure_option
@end_option
def difference(file: str, first: str, second: str, measure: str, games: int | None) -> None:
    """Print how two settings differ, paired by seed: A less B, the mean with its 95 % bootstrap interval.

    A and B are settings as `menace study show` names them, or a part of the name that no other setting has.
    """
    study = _opened(file)
    say(str(study.difference(first, second, measure, games)))
    _say_what_is_missing(study)


@study.command(
    short_help="Write all that was measured into a file.",
    epilog=examples("menace study export beads.study beads.parquet"),
)
@study_argument
@click.argument("out", metavar="OUT", shell_complete=completion.files)
def export(file: str, out: str) -> None:
    """Write each machine, mark and opponent as a row into OUT (.csv, .json, .parquet)."""
    study = _opened(file)
    rows = study.export(out)
    say(f"{out}: {counted(rows, 'row')}")
