"""The command that lets data leave: export."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from menace.cli import completion
from menace.cli.options import database_option, examples, naming_options
from menace.cli.terminal import say
from menace.wording import EXPORT_FORMATS, PARTS, Part, counted

if TYPE_CHECKING:
    from menace.colours import Scheme
    from menace.exporting import Exported

FORMATS = tuple(EXPORT_FORMATS)
ENDINGS = "\n".join(
    ["\b", "Endings of OUT:", *(f"  .{name:9} {words}" for name, words in EXPORT_FORMATS.items()), "", ""]
)


@click.command(
    short_help="Write the game graph, or a page of all boxes.",
    epilog=ENDINGS
    + examples(
        "menace export game.gexf",
        "menace export game.graphml --learner menace-x",
        "menace export best.dot --part optimal",
        "menace export tables.csv --part played --learner menace-o",
        "menace export - --to json > game.json",
        "menace export boxes.html --learner menace-x",
        "menace export first.html --learner menace-x --colours michie --numbering michie",
    ),
)
@click.argument("out", metavar="OUT", shell_complete=completion.files)
@click.option(
    "--part",
    type=click.Choice(PARTS, case_sensitive=False),
    default="all",
    show_default=True,
    help="Which positions: all; those that perfect play of both, of X or of O leads to; where the learner has been.",
)
@click.option(
    "--learner",
    metavar="NAME",
    shell_complete=completion.learners,
    help="Give each move this learner's beads or value; on a page, show its boxes.",
)
@click.option(
    "--to",
    type=click.Choice(FORMATS, case_sensitive=False),
    help="The format, if the ending of OUT does not give it.",
)
@naming_options
@database_option
def export(
    out: str,
    part: Part,
    learner: str | None,
    to: str | None,
    colours: Scheme | None,
    numbering: Scheme | None,
    db: str,
) -> None:
    """Write the game graph, or a page of a machine's boxes, to the file OUT.

    OUT may be - for standard output; then --to gives the format. --colours and --numbering are of
    pages only.
    """
    from menace.exporting import export as write
    from menace.ledger.database import open_database
    from menace.output import file_format

    if (colours or numbering) and file_format(out, FORMATS, to) != "html":
        raise click.UsageError("--colours and --numbering are for a page, OUT.html; other formats name no beads")
    with open_database(db) as store:
        naming = store.learner(learner).naming.but(colours, numbering) if learner is not None else None
        written = write(store, out, part, learner, to, naming)
    if out != "-":
        say(_line(written, learner))


def _line(written: Exported, learner: str | None) -> str:
    owner = f", with what {learner} has learned" if learner is not None else ""
    files = " and ".join(written.files)
    return f"{files}: {counted(written.positions, 'position')}, {counted(written.moves, 'move')}{owner}"
