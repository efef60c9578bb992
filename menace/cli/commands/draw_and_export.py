"""Define the commands that draw and export: plot, picture and export."""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from menace.cli import completion, options
from menace.cli.terminal import say
from menace.errors import OutputError
from menace.figures import kinds
from menace.figures.kinds import KINDS
from menace.files.optional_libraries import need_extra
from menace.text.wording import EXPORT_FORMATS, PARTS, PLOT_FORMATS, SITE, Part, command_text, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from menace.exporting.graphs import Exported
    from menace.figures.kinds import PlottedLine
    from menace.ledger.store import Store
    from menace.ledger.store.database import Published
    from menace.site import Site
    from menace.text.bead_colours import Scheme


FORMATS_HELP = "\n".join(
    [
        "\b",
        "Formats of OUT:",
        *(f"  .{name:9} {words}" for name, words in EXPORT_FORMATS.items()),
        f"  {'/':10} a folder with the explorer as a website, in which machines play and learn",
        "",
        "",
    ]
)


def _part_option(default: Part, positions: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--part",
        type=click.Choice(PARTS, case_sensitive=False),
        default=default,
        show_default=True,
        help=f"{positions}: all; those under perfect play by both sides, by X or by O; or those that the machine has "
        "played.",
    )


@options.command(
    "menace export game.gexf",
    "menace export game.graphml --learner menace-x",
    "menace export best.dot --part optimal",
    "menace export tables.csv --part played --learner menace-o",
    "menace export site/",
    "menace export lite/ --lite",
    "menace export site/ --learner menace-x --learner 'adam*' --colours michie",
    "menace export site/ --db menace.db --db hexapawn.db",
    "menace export site/ --sql",
    short_help="Export the game graph, or the explorer as a website.",
    epilog=FORMATS_HELP,
)
@click.argument("out", metavar="OUT", shell_complete=completion.files)
@click.option(
    "--lite",
    is_flag=True,
    help="Export the explorer itself to the folder OUT/ for a web host; Python then runs in the browser.",
)
@click.option(
    "--wheel",
    metavar="FILE",
    shell_complete=completion.files,
    help="For --lite: a wheel of menace without a compiled kernel. By default, the wheel is built from the "
    "installed files.",
)
@click.option(
    "--pyodide",
    metavar="URL",
    help="For --lite: a folder with a copy of Pyodide, used instead of Pyodide's public server.",
)
@_part_option("all", "The positions to export")
@click.option(
    "--learner",
    "learners",
    metavar="NAME",
    multiple=True,
    shell_complete=completion.learners,
    help="Add this machine's beads or values to the moves. A site shows only the machines selected with this "
    "option. For "
    "a site, the option may be repeated or contain a pattern.",
)
@options.naming_options
@click.option(
    "--words",
    metavar="FILE",
    shell_complete=completion.files,
    help="For a site: a translated copy of text/narration.toml, used for the site's texts.",
)
@click.option(
    "--sql",
    is_flag=True,
    help="For a site: add the page sql.html, which contains a copy of the whole database and runs SQL queries.",
)
@click.option("--names", is_flag=True, help="For --sql: publish people's names instead of replacing them.")
@options.databases_option
def export(
    out: str,
    lite: bool,
    wheel: str | None,
    pyodide: str | None,
    part: Part,
    learners: tuple[str, ...],
    colours: Scheme | None,
    numbering: Scheme | None,
    words: str | None,
    sql: bool,
    names: bool,
    db: Sequence[str],
) -> None:
    """Export the game graph to the file OUT, or the explorer to the folder OUT/.

    The extension of OUT selects the format. A site contains pages for all machines, or only for the machines selected
    with --learner. A site needs no server, because machines with beads play and learn in the browser. --colours,
    --numbering, --words and --sql apply only to a site.
    """
    if lite:
        if not _is_site(out) or len(db) > 1 or part != "all" or learners or colours or numbering or words:
            raise click.UsageError(
                "--lite exports one whole database to a folder; end OUT with /, and leave out --part, "
                "--learner, --colours, --numbering and --words"
            )
        _export_lite(db[0], out, wheel, pyodide)
        return
    if wheel or pyodide:
        raise click.UsageError("--wheel and --pyodide apply only to --lite")
    if _is_site(out):
        if part != "all":
            raise click.UsageError(f"a site always shows every position; leave out --part {part}")
        _export_site(db, out, learners, colours, numbering, words, sql, names)
        return
    if colours or numbering or words or sql or names:
        raise click.UsageError(
            "--colours, --numbering, --words, --sql and --names apply only to a site; end OUT with / to write one"
        )
    if len(learners) > 1:
        raise click.UsageError("a graph shows one machine, so give --learner once; only a site shows several machines")
    if len(db) > 1:
        raise click.UsageError("a graph shows one game, so give --db once; only a site shows several databases")
    from menace.exporting.graphs import export as write

    learner = learners[0] if learners else None
    with options.open_existing(db[0]) as store:
        written = write(store, out, part, learner)
    say(_export_text(written, learner))


def _export_lite(db: str, out: str, wheel: str | None, pyodide: str | None) -> None:
    """Export the explorer for publication on a web host."""
    from menace.site.lite import PYODIDE, export_lite

    with options.open_existing(db) as store:
        size = export_lite(store, out, wheel, pyodide or PYODIDE)
    say(f"{out}: {size / 1e6:.1f} MB, with the whole database and people's names; upload the folder to a web host")


def _export_site(
    db: Sequence[str],
    out: str,
    learners: tuple[str, ...],
    colours: Scheme | None,
    numbering: Scheme | None,
    words: str | None,
    sql: bool,
    names: bool,
) -> None:
    """Export a site, and print a summary of what it publishes."""
    if sql and learners:
        raise click.UsageError("--sql publishes the whole database with all machines; leave out --learner or --sql")
    if names and not sql:
        raise click.UsageError("--names applies only to --sql; a site without --sql contains no people's names")
    from menace.ledger.store.database import published_copy
    from menace.site import export_site
    from menace.site.pages import MAX_SQL_PAGE_SIZE
    from menace.site.translation import ENGLISH, translated

    spoken = ENGLISH if words is None else translated(words)
    with ExitStack() as files:
        stores = [files.enter_context(options.open_existing(path)) for path in db]
        copies = [published_copy(store, names) for store in stores] if sql else []
        site = export_site(stores, out, learners, colours, numbering, spoken, copies)
    say(_site_text(site))
    for page, size, copy in site.sql_pages:
        say(_publication_text(site, page, size, copy))
        if size > MAX_SQL_PAGE_SIZE:
            say(f"warning: {page} is larger than {MAX_SQL_PAGE_SIZE / 1e6} MB, so it loads slowly on phones", err=True)


def _is_site(out: str) -> bool:
    """Return whether OUT is a folder for a site. Raises OutputError if the format of OUT is unknown."""
    if out.endswith(("/", os.sep)):
        return True
    ending = Path(out).suffix.lower()
    folder = f"{Path(out).stem or SITE}/"
    if ending in {".html", ".htm"}:
        raise OutputError(f"{out} is a single page, but the explorer is exported as a folder; write to {folder}")
    if ending.removeprefix(".") not in EXPORT_FORMATS:
        endings = ", ".join(f".{name}" for name in EXPORT_FORMATS)
        what = (
            f"ends in {ending}, which is not a supported format" if ending else "has no extension to select its format"
        )
        raise OutputError(f"{out} {what}; end it with one of {endings}, or with / for a site")
    return False


def _site_text(site: Site) -> str:
    names = ", ".join(site.names)
    return f"{site.folder}: {counted(site.files, 'file')}, with {names}; open index.html in a browser"


def _publication_text(site: Site, page: str, size: int, published: Published) -> str:
    head = f"{Path(site.folder) / page} ({size / 1e6:.1f} MB) publishes {published.path}:"
    return "\n".join([head, *(f"  {name}: {text}" for name, text in published.listed.items())])


def _export_text(written: Exported, learner: str | None) -> str:
    owner = f", with what {learner} has learned" if learner is not None else ""
    where = written.files[0]
    if len(written.files) > 1:
        names = " and ".join(Path(file).name for file in written.files)
        where = f"the folder {Path(where).parent}/, with {names}"
    return f"{where}: {counted(written.positions, 'position')}, {counted(written.moves, 'move')}{owner}"


HELP_WIDTH = 76  # width of help text on an 80-column terminal


def kinds_help() -> str:
    """Return the kinds of figures with their help texts, aligned for an 80-column terminal."""
    width = max(map(len, KINDS)) + 2
    return "\n".join(
        textwrap.fill(kind.help, HELP_WIDTH, initial_indent=kind.name.ljust(width), subsequent_indent=" " * width)
        for kind in KINDS.values()
    )


def kind_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of all kinds of figures to a command. The help for each option names the kinds that accept it."""
    for option, names in reversed(kinds.OPTIONS.values()):
        add = click.option(
            f"--{option.name}",
            type=click.Choice(option.choices, case_sensitive=False)
            if option.choices
            else click.IntRange(1)
            if option.integer
            else None,
            is_flag=option.flag or None,
            multiple=option.multiple,
            metavar=option.metavar,
            shell_complete=completion.opponents if option.metavar == "PLAYER" else None,
            help=f"{', '.join(names)}: {option.help}",
        )
        command = add(command)
    return command


@options.command(
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
    short_help="Plot data about machines, such as strength curves.",
)
@click.argument("kind", type=click.Choice(list(KINDS), case_sensitive=False), metavar="KIND")
@click.argument("words", nargs=-1, metavar="NAME... OUT", shell_complete=completion.learners_and_file)
@kind_options
@options.database_option
def plot(kind: str, words: tuple[str, ...], db: str, **settings: Any) -> None:
    """Draw a figure of the machines NAME to the file OUT (.svg, .png or .pdf), or write the figure's numbers (.csv).

    NAME can be a quoted pattern: 'men*' selects all machines whose names start with men. Three or more machines that
    differ only by chance form a group. Each group is drawn as its median, with a band for the middle half of its
    machines. If there are at most two groups, a second band spans all machines.
    """
    names, out = _split_names_and_file(kind, words, db)
    _check_settings(kind, settings)
    from menace.cli.run_summary import fit_line

    with options.open_existing(db) as store:
        learners = store.expand_names(names)
        _check_settings(kind, settings, learners)
        plotted = kinds.plot(store, kind, out, learners, settings)
    if plotted.left_out:
        say(f"machines omitted because they have no games yet: {', '.join(plotted.left_out)}", err=True)
    for line in plotted.lines:
        say(fit_line(f"{out}: {line.before}", partial(_line_blocks, line), line.after))


plot.help = f"{inspect.getdoc(plot.callback)}\n\n\b\n{kinds_help()}"  # click does not wrap a paragraph after \b


def _line_blocks(line: PlottedLine, room: int) -> str:
    from menace.cli.run_summary import share_blocks, value_blocks

    if not line.games:
        return ""
    if line.counts is None:
        return value_blocks(line.games, line.amounts, room)
    return share_blocks(line.games, line.counts, room)


def _check_settings(kind: str, settings: Mapping[str, Any], learners: Sequence[str] | None = None) -> None:
    reason = kinds.refusal(kind, settings, learners)
    if reason is not None:
        raise click.UsageError(reason)


def _split_names_and_file(kind: str, words: tuple[str, ...], db: str) -> tuple[tuple[str, ...], str]:
    """Split the arguments into learners and a file. Raises UsageError or OutputError if something is missing."""
    if len(words) <= 1:
        raise options.missing_argument_error("plot", words, f"{kind}.svg", db, kind)
    *names, out = words
    if not PurePath(out).suffix:
        example = command_text("plot", kind, *words, f"{kind}.svg", db=db)
        endings = ", ".join(f".{name}" for name in PLOT_FORMATS)
        raise OutputError(f"{out} does not end in any of {endings}; put the file last, as in `{example}`")
    return tuple(names), out


@options.command(
    "menace picture perfect-play.svg",
    "menace picture menace-x.png --learner menace-x",
    "menace picture poster.pdf --part all",
    "menace picture played.svg --part played --learner menace-o",
    short_help="Draw the game graph as a poster.",
)
@click.argument("out", metavar="OUT", shell_complete=completion.files)
@_part_option("optimal", "The positions to draw")
@click.option(
    "--learner",
    metavar="NAME",
    shell_complete=completion.learners,
    help="Make the width of each move's line proportional to the move's probability for this machine.",
)
@options.with_database
def picture(store: Store, out: str, part: Part, learner: str | None) -> None:
    """Draw the game graph: lines for moves, and small boards for positions, with one row for each ply.

    OUT is a file name that ends in .svg, .png or .pdf. `--part optimal` fits on a slide; `--part all` needs a large
    poster. Tints show who wins under perfect play or, if all positions have the same value, how risky each position is.
    """
    need_extra("matplotlib", "plot")
    from menace.figures.game_graph import picture as draw

    drawn = draw(store, out, part, learner)
    say(f"{out}: {counted(drawn.positions, 'position')}, {counted(drawn.moves, 'move')}")
