"""The command `export`, which writes the game graph, or the explorer as a static site."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from menace.cli import completion_candidates
from menace.cli.options import databases_option, examples, naming_options, opened
from menace.cli.terminal_output import say
from menace.errors import OutputError
from menace.wording import EXPORT_FORMATS, PARTS, SITE, Part, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from menace.exporting import Exported
    from menace.naming_schemes import Scheme
    from menace.site import Site

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
@click.argument("out", metavar="OUT", shell_complete=completion_candidates.files)
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
    shell_complete=completion_candidates.learners,
    help="Give each move this machine's beads or value. For a site: show it; may be repeated, or be a pattern.",
)
@naming_options
@click.option(
    "--words",
    metavar="FILE",
    shell_complete=completion_candidates.files,
    help="For a site: its words in another language, a translated copy of game_narration.toml.",
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
        from menace.site.words import ENGLISH, translated

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
