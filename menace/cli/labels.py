"""The command `labels`, which writes the PDF for building a machine from real matchboxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from menace.cli import completion_candidates
from menace.cli.options import database_option, examples, naming_options, one_word
from menace.cli.terminal_output import say
from menace.extras import need_extra
from menace.wording import counted

if TYPE_CHECKING:
    from menace.labels import Printed
    from menace.labels.sheet import Paper
    from menace.naming_schemes import Scheme


@click.command(
    short_help="Write labels for real matchboxes.",
    epilog=examples(
        "menace labels menace-x labels.pdf",
        "menace labels menace-x labels.pdf --paper letter --width 40 --height 30",
        "menace labels menace-x labels.pdf --width 35 --height 15",
        "menace labels menace-x labels.pdf --colours michie --numbering michie",
    ),
)
@click.argument("name", required=False, metavar="NAME", shell_complete=completion_candidates.learners)
@click.argument("out", required=False, metavar="OUT.pdf", shell_complete=completion_candidates.files)
@click.option("--width", type=float, default=50.0, show_default=True, metavar="MM", help="Width of a label.")
@click.option("--height", type=float, default=33.0, show_default=True, metavar="MM", help="Height of a label.")
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"], case_sensitive=False),
    default="a4",
    show_default=True,
    help="The paper to print on.",
)
@naming_options
@database_option
def labels(
    name: str | None,
    out: str | None,
    db: str,
    width: float,
    height: float,
    paper: Paper,
    colours: Scheme | None,
    numbering: Scheme | None,
) -> None:
    """Write labels for the matchboxes of the machine NAME, to print and cut out.

    The PDF holds a label for each box, a board with pieces to cut out, an index to find a box by its board, a shopping
    list of beads, and the rules of the game and of the machine.  Print it at 100
    %: each page has a ruler to check that.

    The labels fit the top of a standard matchbox, 53 x 36 mm; labels of 35 x 15 mm fit the front of its drawer. Makes
    the database, and the machines menace-x and menace-o, where they are missing.
    """
    if name is None or out is None:
        raise one_word("labels", [name or ""], "labels.pdf", db)
    from menace.labels import LabelSheet, write_labels
    from menace.ledger.database_file import open_database, open_or_create_database
    from menace.ledger.runs import DEFAULT_LEARNERS, learner_made_where_missing
    from menace.output_files import file_format

    sheet = LabelSheet(width, height, paper, colours, numbering)
    file_format(out, ("pdf",))
    need_extra("reportlab", "print")
    # Learners of other names cannot be in a database that does not exist yet.
    opening = open_or_create_database if name in DEFAULT_LEARNERS else open_database
    with opening(db) as store:
        learner_made_where_missing(store, name)
        printed = write_labels(store, name, out, sheet)
    say(f"{out}: {_printed_text(printed)}")


def _printed_text(printed: Printed) -> str:
    labels_on = f"{counted(printed.labels, 'label')} on {counted(printed.label_pages, 'page')}"
    pages = counted(printed.pages, "page")
    text = f"{labels_on}, then board, index, shopping list and rules, {pages} in all; print at 100 %"
    if printed.unwritten:
        text += "; the name has letters that the fonts lack, shown as [U+...]"
    return text
