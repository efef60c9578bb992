"""The commands that draw and export: plot, picture and export."""

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

from menace.cli.shared import completion
from menace.cli.shared.options import database_option, databases_option, examples, naming_options, one_word, opened
from menace.cli.shared.terminal import say
from menace.errors import OutputError
from menace.figures import kinds
from menace.figures.kinds import KINDS
from menace.files.optional_libraries import need_extra
from menace.text.wording import EXPORT_FORMATS, PARTS, PLOT_FORMATS, SITE, Part, command_text, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from menace.exporting import Exported
    from menace.figures.kind import PlottedLine
    from menace.site import Site
    from menace.text.bead_colours import Scheme


ENDINGS = "\n".join(
    [
        "\b",
        "Endings of OUT:",
        *(f"  .{name:9} {words}" for name, words in EXPORT_FORMATS.items()),
        f"  {'/':10} a folder: the explorer for a website, where machines play and learn",
        "",
        "",
    ]
)


@click.command(
    short_help="Write the game graph, or the explorer as a site.",
    epilog=ENDINGS
    + examples(
        "menace export game.gexf",
        "menace export game.graphml --learner menace-x",
        "menace export best.dot --part optimal",
        "menace export tables.csv --part played --learner menace-o",
        "menace export site/",
        "menace export site/ --learner menace-x --learner 'adam*' --colours michie",
        "menace export site/ --db menace.db --db hexapawn.db",
    ),
)
@click.argument("out", metavar="OUT", shell_complete=completion.files)
@click.option(
    "--part",
    type=click.Choice(PARTS, case_sensitive=False),
    default="all",
    show_default=True,
    help="Which positions: all; those that perfect play of both, of X or of O leads to; where the machine has been.",
)
@click.option(
    "--learner",
    "learners",
    metavar="NAME",
    multiple=True,
    shell_complete=completion.learners,
    help="Give each move this machine's beads or value. For a site: show it; may be repeated, or be a pattern.",
)
@naming_options
@click.option(
    "--words",
    metavar="FILE",
    shell_complete=completion.files,
    help="For a site: its words in another language, a translated copy of text/narration.toml.",
)
@databases_option
def export(
    out: str,
    part: Part,
    learners: tuple[str, ...],
    colours: Scheme | None,
    numbering: Scheme | None,
    words: str | None,
    db: Sequence[str],
) -> None:
    """Write the game graph to the file OUT; or the explorer to the folder OUT/.

    The ending of OUT gives the format. A site has the pages of all machines, or of those that --learner
    names, and needs no server: on it a machine of beads plays and learns in the browser. --colours,
    --numbering and --words are for a site only.
    """
    from menace.exporting import export as write

    if _is_site(out):
        if part != "all":
            raise click.UsageError(f"a site shows every position, not the part {part!r}; leave --part out")
        from menace.site import export_site
        from menace.site.translation import ENGLISH, translated

        spoken = ENGLISH if words is None else translated(words)
        with ExitStack() as files:
            stores = [files.enter_context(opened(path)) for path in db]
            say(_site_line(export_site(stores, out, learners, colours, numbering, spoken)))
        return
    if colours or numbering or words:
        raise click.UsageError("--colours, --numbering and --words are for a site, OUT/; other formats name no beads")
    if len(learners) > 1:
        raise click.UsageError("--learner is given once: a graph has what one machine has learned; a site shows many")
    if len(db) > 1:
        raise click.UsageError("--db is given once: a graph is of one game; a site has those of several databases")
    learner = learners[0] if learners else None
    with opened(db[0]) as store:
        written = write(store, out, part, learner)
    say(_line(written, learner))


def _is_site(out: str) -> bool:
    """Return whether to write a site."""
    if out.endswith(("/", os.sep)):
        return True
    ending = Path(out).suffix.lower()
    folder = f"{Path(out).stem or SITE}/"
    if ending in {".html", ".htm"}:
        raise OutputError(f"{out} is one page, and the explorer is a folder of them; write {folder}")
    if ending.removeprefix(".") not in EXPORT_FORMATS:
        endings = ", ".join(f".{name}" for name in EXPORT_FORMATS)
        what = f"ends with {ending}, which is not a format here" if ending else "has no ending that gives its format"
        raise OutputError(f"{out} {what}; end it with one of {endings}, or with / for a site")
    return False


def _site_line(site: Site) -> str:
    names = ", ".join(site.names)
    return f"{site.folder}: {counted(site.files, 'file')}, with {names}; open index.html in a browser"


def _line(written: Exported, learner: str | None) -> str:
    owner = f", with what {learner} has learned" if learner is not None else ""
    where = written.files[0]
    if len(written.files) > 1:
        names = " and ".join(Path(file).name for file in written.files)
        where = f"the folder {Path(where).parent}/, with {names}"
    return f"{where}: {counted(written.positions, 'position')}, {counted(written.moves, 'move')}{owner}"


HELP_WIDTH = 76  # of 80 columns, within the help of a command


def kinds_help() -> str:
    """Return the kinds of figures with their help, aligned, for a terminal of 80 columns."""
    width = max(map(len, KINDS)) + 2
    return "\n".join(
        textwrap.fill(kind.help, HELP_WIDTH, initial_indent=kind.name.ljust(width), subsequent_indent=" " * width)
        for kind in KINDS.values()
    )


def kind_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of all kinds of figures to a command; the help of each names the kinds that have it."""
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
@click.argument("kind", type=click.Choice(list(KINDS), case_sensitive=False), metavar="KIND")
@click.argument("words", nargs=-1, metavar="NAME... OUT", shell_complete=completion.learners_and_file)
@kind_options
@database_option
def plot(kind: str, words: tuple[str, ...], db: str, **options: Any) -> None:
    """Draw what machines do as a figure, OUT (.svg, .png or .pdf), or write its numbers (.csv).

    NAME may be a pattern, in quotes: 'men*' stands for all learners whose names begin so. Three machines or more that
    differ by chance alone are a group: they share a line, the median, with a band for half of them, and one for all if
    there are two groups at most.
    """
    names, out = _names_and_out(kind, words, db)
    _check(kind, options)
    from menace.cli.shared.run_summary import fitted

    with opened(db) as store:
        learners = store.expand_names(names)
        _check(kind, options, learners)
        plotted = kinds.plot(store, kind, out, learners, options)
    if plotted.left_out:
        say(f"left out, as they have no games yet: {', '.join(plotted.left_out)}", err=True)
    for line in plotted.lines:
        say(fitted(f"{out}: {line.before}", partial(_blocks, line), line.after))


plot.help = f"{inspect.getdoc(plot.callback)}\n\n\b\n{kinds_help()}"  # click prints the lines after \b as they are


def _blocks(line: PlottedLine, room: int) -> str:
    from menace.cli.shared.run_summary import line_of_shares, line_of_values

    if not line.games:
        return ""
    if line.counts is None:
        return line_of_values(line.games, line.amounts, room)
    return line_of_shares(line.games, line.counts, room)


def _check(kind: str, options: Mapping[str, Any], learners: Sequence[str] | None = None) -> None:
    reason = kinds.refusal(kind, options, learners)
    if reason is not None:
        raise click.UsageError(reason)


def _names_and_out(kind: str, words: tuple[str, ...], db: str) -> tuple[tuple[str, ...], str]:
    """Split the words into learners and the file at the end. Raises UsageError or OutputError if one is missing."""
    if len(words) <= 1:
        raise one_word("plot", words, f"{kind}.svg", db, kind)
    *names, out = words
    if not PurePath(out).suffix:
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
@click.argument("out", metavar="OUT", shell_complete=completion.files)
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
    shell_complete=completion.learners,
    help="Draw each move as wide as it is likely to play it.",
)
@database_option
def picture(out: str, part: Part, learner: str | None, db: str) -> None:
    """Draw every position as a small board, a row for each number of moves made, and every move as a line.

    OUT is a file that ends with .svg, .png or .pdf. `--part optimal` fits a slide; `--part
    all` is a poster to be printed large. Tints say how risky a position is (where all have the same value, as in
    perfect play), or who wins under perfect play.
    """
    need_extra("matplotlib", "plot")
    from menace.figures.game_picture import picture as draw

    with opened(db) as store:
        drawn = draw(store, out, part, learner)
    say(f"{out}: {counted(drawn.positions, 'position')}, {counted(drawn.moves, 'move')}")
