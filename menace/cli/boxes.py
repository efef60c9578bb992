"""Commands on all boxes of a machine: contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from menace.cli.options import database_option, examples, naming_options

if TYPE_CHECKING:
    from menace.colours import Scheme


@click.command(epilog=examples("menace contents menace-x", "menace contents menace-x --csv > menace-x.csv"))
@click.argument("name")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, which `menace recount` reads.")
@naming_options
@database_option
def contents(name: str, as_csv: bool, colours: Scheme, numbering: Scheme, db: str) -> None:
    """Print every box of the learner NAME: a line for each colour of bead, boxes numbered as on their labels."""
    from menace.boxes import CONTENTS, boxes_of, contents_rows
    from menace.cli.text import table
    from menace.colours import Naming
    from menace.database import open_database
    from menace.output import csv_text

    with open_database(db) as store:
        rows = list(contents_rows(boxes_of(store, name), Naming(colours, numbering)))
    click.echo(csv_text(CONTENTS, rows) if as_csv else table(CONTENTS, rows), nl=not as_csv)


COMMANDS = [contents]
