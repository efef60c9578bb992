"""Commands on the contents of all boxes of a machine: contents, recount."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import click

from menace.cli import completion_candidates
from menace.cli.dialogue import confirm
from menace.cli.options import database_option, examples, form_options, naming_options, one_word, opened
from menace.cli.tables_and_bars import table
from menace.cli.terminal_output import print_records, say
from menace.errors import InvalidBeads
from menace.tables import Table
from menace.wording import Form

if TYPE_CHECKING:
    from menace.analysis.bead_names import BeadNames
    from menace.naming_schemes import Scheme
    from menace.people.recount import Comparison

SHOWN = 60  # differences that are listed


@click.command(
    short_help="Print every box of a machine.",
    epilog=examples(
        "menace contents menace-x", "menace contents menace-x --csv > menace-x.csv", "menace contents menace-x --json"
    ),
)
@click.argument("name", shell_complete=completion_candidates.learners)
@form_options("Print CSV, with a column to write a count into for `menace recount`.")
@naming_options
@database_option
def contents(name: str, form: Form | None, colours: Scheme | None, numbering: Scheme | None, db: str) -> None:
    """Print every box of the machine NAME: a line for each colour of bead, boxes numbered as on their labels.

    JSON has what machines of values and odds have for each position, too.
    """
    from menace.analysis.bead_names import BeadNames, contents_header, contents_rows
    from menace.analysis.json_records import content_records
    from menace.ledger.learners import named_machine

    with opened(db) as store:
        machine = named_machine(store, name)
    names = BeadNames(machine.positions, machine.naming.but(colours, numbering))
    if form == "json":
        print_records(content_records(machine.boxes, names), form)
        return
    boxes = machine.matchboxes
    header, rows = contents_header(boxes, names), list(contents_rows(boxes, names))
    if form is not None:
        print_records(Table([*header, "counted"], [(*row, None) for row in rows]), form)
    else:
        say(table(header, rows))


@click.command(
    short_help="Record a count of the real beads.",
    epilog=examples("menace recount menace-x count.csv", "menace contents menace-x --csv > count.csv"),
)
@click.argument("name", required=False, metavar="NAME", shell_complete=completion_candidates.learners)
@click.argument(
    "file", type=click.File("rb"), required=False, metavar="FILE", shell_complete=completion_candidates.files
)
@click.option("--yes", is_flag=True, help="Record the differences without asking.")
@naming_options
@database_option
def recount(
    name: str | None, file: BinaryIO | None, yes: bool, colours: Scheme | None, numbering: Scheme | None, db: str
) -> None:
    """Compare FILE, a count of real beads as CSV, with the boxes of the machine NAME, and record what differs.

    Its columns: board or box, cell or colour, and counted; `menace contents NAME --csv` prints such a table to fill in.
    A line without a number was not counted. What is recorded is a step of the log, which `menace verify` replays.
    """
    if name is None or file is None:
        raise one_word("recount", [name or ""], "count.csv", db)
    from menace.analysis.bead_names import BeadNames
    from menace.ledger.stored_rules import rules_of
    from menace.people.recount import compare_count, record_count

    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidBeads(f"{file.name} is not UTF-8; let the spreadsheet save it as 'CSV UTF-8'") from None
    with opened(db) as store:
        names = BeadNames(rules_of(store), store.learner(name).naming.but(colours, numbering))
        comparison = compare_count(store, name, text, names)
        say(_comparison_text(name, comparison, names))
        if not comparison.different:
            return
        if not yes and not confirm(f"change the boxes of {name} in the database to match?"):
            say("nothing was recorded")
            return
        block_id = record_count(store, name, comparison.different)
    say(f"recorded as block {block_id}")


def _comparison_text(name: str, comparison: Comparison, names: BeadNames) -> str:
    from menace.wording import counted as counted_text

    counted = f"{comparison.counted:,} of {counted_text(comparison.piles, 'pile')} counted"
    if not comparison.counted:
        return "nothing was counted: no line has a number of beads"
    different = comparison.different
    if not different:
        return f"{counted}; all agree with the database"
    rows = [
        (
            d.box.number,
            d.box.board,
            names.describe(d.box.board, d.action),
            d.beads,
            d.counted,
            f"{d.counted - d.beads:+d}",
        )
        for d, box in ((d, d.box) for d in different[:SHOWN])
    ]
    omitted = f"\n... and {len(different) - SHOWN:,} more" if len(different) > SHOWN else ""
    verb = "differs" if len(different) == 1 else "differ"
    title = f"{counted}; {len(different):,} {verb} from the database of {name}"
    return f"{title}\n\n{table(['box', 'board', 'bead', 'beads', 'counted', ''], rows)}{omitted}"
