"""Define the subcommands of `study`, such as run, search and plot, which train and measure many machines."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from menace.cli import completion, options, terminal
from menace.cli.terminal import print_table, progress_bar, say
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
    help="Comma-separated names that distinguish groups: settings from the grid, `against` or `policy`.  "
    "[default: all that vary]",
)
measure_option = click.option(
    "--measure",
    default="best_response.losses",
    show_default=True,
    metavar="WHOM.WHAT",
    help="An opponent (random, optimal or best_response) and a result (wins, draws, losses or value).",
)
end_option = click.option("--games", type=int, metavar="N", help="The mark to use.  [default: the last]")
study_argument = click.argument("file", metavar="STUDY", shell_complete=completion.files)


@click.group(
    short_help="Train thousands of machines over a grid of settings, and measure them exactly.",
    epilog=options.format_examples(
        "menace study run beads.toml --dry-run",
        "menace study run beads.toml",
        "menace study search rebuilt.toml",
        "menace study plot beads.study curves.svg --by win",
        "menace study table beads.study --markdown",
        "menace study export beads.study beads.parquet",
    ),
)
def study() -> None:
    """Train many machines, one for each combination of settings, opponents and seeds, and measure them exactly.

    A TOML file describes the study, and a separate file stores the results.
    """


workers_option = click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Number of processes.  [default: all cores but one]"
)
dask_option = click.option(
    "--dask", metavar="ADDRESS", help="Run on the Dask cluster whose scheduler has this address."
)


@study.command(
    short_help="Train and measure the machines that have not been measured yet.",
    epilog=options.format_examples("menace study run beads.toml", "menace study run beads.study --workers 8"),
)
@click.argument("file", metavar="FILE", shell_complete=completion.files)
@workers_option
@dask_option
@click.option("--dry-run", is_flag=True, help="Only print the number of machines left and the estimated time.")
def run(file: str, workers: int | None, dask: str | None, dry_run: bool) -> None:
    """Train and measure the machines in FILE that have not been measured yet.

    FILE is a design (.toml) or the study made from a design; the study for beads.toml is beads.study, in the same
    folder. Run the command again to continue an interrupted study. A design looks like this:

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
    """  # noqa: D301 - click reads \b as a backspace character
    study = _open_study(file)
    say(study.design.title)
    if dry_run:
        left = study.machines_left()
        about = f"; about {_duration(study.seconds_each() * left)} on 1 core" if left else ""
        say(f"{counted(left, 'machine')} left to train{about}")
        return
    try:
        with _executor(dask) as (executor, threads), progress_bar(study.machines_left(), "machines") as bar:
            study.run(executor, workers=workers or threads, progress=bar.update)
    except KeyboardInterrupt:
        say(f"{counted(study.machines_left(), 'machine')} left to train; run the study again to continue", err=True)
        raise
    left = study.machines_left()
    say(f"{study.path}: {counted(study.design.machine_count - left, 'machine')} measured")
    if left:
        reason = next(iter(study.failures()), "another process changed its design")
        raise MenaceError(f"{counted(left, 'machine')} could not be trained ({reason}); run the study again to retry")


def _open_study(file: str) -> Study:
    """Open the study at a path, which names a design (.toml) or a study file."""
    from menace.studies.study import Study

    if file.endswith(".toml"):
        return Study.from_toml(file)
    try:
        return Study.open(file)
    except NotOurs:
        raise NotOurs(
            f"{file} is not a study; name a study, such as beads.study, or a design that ends in .toml"
        ) from None


def _duration(seconds: float) -> str:
    """Return a duration as text.

    >>> _duration(3.2), _duration(200), _duration(9000)
    ('3 s', '3 min', '2.5 h')
    """
    if seconds < MINUTE:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / MINUTE:.0f} min" if seconds < HOUR else f"{seconds / HOUR:.1f} h"


@contextlib.contextmanager
def _executor(address: str | None) -> Iterator[tuple[Executor | None, int | None]]:
    """Provide a Dask cluster's executor and thread count, or (None, None) if no address is given."""
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
    short_help="Find the best settings within given ranges.",
    epilog=options.format_examples("menace study search rebuilt.toml"),
)
@click.argument("file", metavar="DESIGN", shell_complete=completion.files)
@workers_option
@dask_option
def search(file: str, workers: int | None, dask: str | None) -> None:
    """Search given ranges of settings for the best score, and measure the best settings again with fresh seeds.

    DESIGN (.toml) contains an aim, and ranges of settings instead of a grid. The results for rebuilt.toml are stored in
    rebuilt.study, in the same folder. Run the command again to continue an interrupted search.

    \b
        minimise = "training.losses"
        [ranges]
        beads = [[1, 60], [1, 40], [1, 30], [1, 20]]
        draw = [0, 20]
    """  # noqa: D301 - click reads \b as a backspace character
    from menace.studies.search import Search

    searched = Search.from_toml(file)
    design, names = searched.design, list(searched.ranges)
    with _executor(dask) as (executor, threads), progress_bar(searched.rounds, "rounds") as bar:
        found = searched.run(executor, workers=workers or threads, progress=bar.update).rows
    say(f"{searched.measure} after {counted(design.games, 'game')}: {design.about}")
    numbers = [[f"{number:,.{1 if abs(number) >= 1 else 3}f}" for number in row[-7:]] for row in found]
    interval = "{} ({} to {})".format
    rows = [
        (*row[:-7], first, interval(*rest[:3]), interval(*rest[3:]))
        for row, (first, *rest) in zip(found, numbers, strict=True)
    ]
    heads = [*names, "searched", f"{len(searched.fresh):,} fresh seeds", f"minus {design.preset}"]
    click.echo(terminal.table(heads, rows))
    say(
        " ".join(
            [
                f"menace new NAME --plays {design.plays} --preset {design.preset}",
                *map("--set {}={}".format, names, found[0]),
            ]
        )
    )


@study.command(
    short_help="Show the settings of a study, and the strength of its machines.",
    epilog=options.format_examples("menace study show beads.study"),
)
@study_argument
@measure_option
def show(file: str, measure: str) -> None:
    """For each setting of a study, show the number and the strength of the machines measured at the last mark."""
    from menace.analysis.groups import estimate
    from menace.studies.results import measure_words

    study = _open_study(file)
    scores = study.scores(measure)
    say(study.design.title)
    say(f"measured after these numbers of games: {', '.join(map(str, study.design.all_marks))}")
    rows = []
    for label, values in scores.items():
        share = estimate(values) if len(values) else None
        interval = "" if share is None or share.n == 1 else f"{share.low:.4f} to {share.high:.4f}"
        cells = ["", ""] if share is None else [f"{share.value:.4f}", interval]
        rows.append([label, len(values), *cells])
    say(f"{measure_words(measure)}: interquartile mean over machines, with its 95 % interval")
    click.echo(terminal.table(["setting", "machines", "mean", "interval"], rows))
    for line in study.failures()[:3]:
        say(f"not trained: {line}", err=True)


@study.command(
    short_help="Draw the curves of a study.",
    epilog=options.format_examples("menace study plot beads.study losses.svg --by win"),
)
@study_argument
@click.argument("out", metavar="OUT", shell_complete=completion.files)
@measure_option
@by_option
def plot(file: str, out: str, measure: str, by: tuple[str, ...]) -> None:
    """Plot a measure against the number of games, and write the plot (.svg, .png or .pdf) or its numbers (.csv) to OUT.

    Each line shows the interquartile mean of a group. The band around the line is the 95 % bootstrap interval over
    seeds.
    """
    study = _open_study(file)
    curve = study.curve(measure, _names(by))
    curve.plot(out)
    say(f"{out}: {counted(len(curve.groups), 'group')}")
    _report_missing_machines(study)


def _names(by: tuple[str, ...]) -> list[str] | None:
    """Return the names from all uses of an option, split at commas, or None if the option is not given."""
    return [name for text in by for name in text.split(",")] or None


def _report_missing_machines(study: Study) -> None:
    if left := study.machines_left():
        say(f"{counted(left, 'machine')} of {study.design.machine_count:,} are not measured yet", err=True)


@study.command(
    short_help="Print the values of the curves at one mark.",
    epilog=options.format_examples("menace study table beads.study --markdown --games 220"),
)
@study_argument
@measure_option
@by_option
@end_option
@options.form_options(**options.PAPER_FORMS)
def table(file: str, measure: str, by: tuple[str, ...], games: int | None, form: TableForm | None) -> None:
    """Print the interquartile mean, 95 % bootstrap interval and number of machines of each group at one mark."""
    study = _open_study(file)
    curve, mark = study.curve(measure, _names(by)), study.design.games if games is None else games
    print_table(curve.shown(mark), curve.at(mark), form)
    _report_missing_machines(study)


@study.command(
    short_help="Print the difference between two settings of a study.",
    epilog=options.format_examples(
        "menace study difference beads.study 'win=3, draw=1, against perfect' 'win=1, draw=1, against perfect'"
    ),
)
@study_argument
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@measure_option
@end_option
def difference(file: str, first: str, second: str, measure: str, games: int | None) -> None:
    """Print the mean difference between two settings, A minus B, paired by seed, with its 95 % bootstrap interval.

    A and B are settings as listed by `menace study show`; part of a setting is enough if it matches no other setting.
    """
    study = _open_study(file)
    say(str(study.difference(first, second, measure, games)))
    _report_missing_machines(study)


@study.command(
    short_help="Write all measurements to a file.",
    epilog=options.format_examples("menace study export beads.study beads.parquet"),
)
@study_argument
@click.argument("out", metavar="OUT", shell_complete=completion.files)
def export(file: str, out: str) -> None:
    """Write one row for each machine, mark and opponent to OUT (.csv, .json or .parquet)."""
    study = _open_study(file)
    rows = study.export(out)
    say(f"{out}: {counted(rows, 'row')}")
