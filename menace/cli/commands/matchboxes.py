"""Define the commands for machines built from real matchboxes: labels, physical, contents and recount."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from menace.cli import completion, dialogue, options
from menace.cli.terminal import print_records, say, table
from menace.errors import InvalidBeads
from menace.files.optional_libraries import need_extra
from menace.files.tables import Table
from menace.games.base import row_and_column_hint
from menace.text.narration import ended, told
from menace.text.wording import Form, command_text, counted, turned

if TYPE_CHECKING:
    from menace.analysis.bead_names import BeadNames
    from menace.labels import Printed
    from menace.ledger.store import Store
    from menace.people.physical import BoxToOpen, Comparison, PhysicalSession
    from menace.people.session import Finished
    from menace.text.bead_colours import Scheme


@options.command(
    "menace labels menace-x labels.pdf",
    "menace labels menace-x labels.pdf --paper letter --width 40 --height 30",
    "menace labels menace-x labels.pdf --width 35 --height 15",
    "menace labels menace-x labels.pdf --colours michie --numbering michie",
    "menace labels menace-x labels.pdf --worksheets",
    short_help="Write a PDF with labels for real matchboxes.",
)
@click.argument("name", required=False, metavar="NAME", shell_complete=completion.learners)
@click.argument("out", required=False, metavar="OUT.pdf", shell_complete=completion.files)
@click.option("--width", type=float, default=50.0, show_default=True, metavar="MM", help="Width of a label, in mm.")
@click.option("--height", type=float, default=33.0, show_default=True, metavar="MM", help="Height of a label, in mm.")
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"], case_sensitive=False),
    default="a4",
    show_default=True,
    help="The size of the paper.",
)
@click.option("--worksheets", is_flag=True, help="Add two worksheets for a lesson: a record of games, and questions.")
@options.naming_options
@options.database_option
def labels(name: str | None, out: str | None, db: str, **settings: Any) -> None:
    """Write a PDF with labels for the matchboxes of the machine NAME, to print and cut out.

    The PDF contains a label for each box, a board with pieces to cut out, an index of boxes by board, a shopping list
    of beads, and the rules of the game and the machine. Print the PDF at 100 %; a ruler on each page lets you check the
    size.

    The default labels fit on the top of a standard matchbox (53 x 36 mm). Labels of 35 x 15 mm fit on the front of the
    drawer. The database and the machines menace-x and menace-o are created if they are missing.
    """
    if name is None or out is None:
        raise options.missing_argument_error("labels", [name or ""], "labels.pdf", db)
    from menace.files.output import file_format
    from menace.labels import LabelSheet, write_labels
    from menace.ledger.create_and_open import open_database, open_or_create_database
    from menace.ledger.runs import DEFAULT_LEARNERS, get_or_create_learner

    sheet = LabelSheet(**settings)
    file_format(out, ("pdf",))
    need_extra("reportlab", "print")
    # A new database contains only the default learners, so learners with other names require an existing database.
    opening = open_or_create_database if name in DEFAULT_LEARNERS else open_database
    with opening(db) as store:
        get_or_create_learner(store, name)
        printed = write_labels(store, name, out, sheet)
    say(f"{out}: {_printed_text(printed, sheet.worksheets)}")


def _printed_text(printed: Printed, worksheets: bool) -> str:
    labels_on = f"{counted(printed.labels, 'label')} on {counted(printed.label_pages, 'page')}"
    pages = counted(printed.pages, "page")
    last = ", rules and worksheets" if worksheets else " and rules"
    text = f"{labels_on}, followed by a board, index, shopping list{last}; {pages} in all; print it at 100 %"
    if printed.unwritten:
        text += "; the fonts lack some letters in the name, which are shown as [U+...]"
    return text


MACHINE_HELP = {
    True: "type undo, quit, or the bead's colour or cell number",
    False: "type undo, quit, or the bead's colour, number on the box, or move",
}
PERSON_HELP = {
    True: "type undo, quit or {person}'s cell (its number on the board{row_and_column_hint})",
    False: "type undo, quit or {person}'s move",
}


@options.command(
    "menace physical menace-x",
    "menace physical adam --name Anna",
    short_help="Guide an operator through a game with real matchboxes.",
)
@click.argument("name", shell_complete=completion.learners)
@click.option("--name", "person_name", metavar="NAME", help="The opponent's name, which is stored with the games.")
@options.naming_options
@options.with_database
def physical(store: Store, name: str, person_name: str | None, **schemes: Scheme | None) -> None:
    """Guide an operator through a game with the real matchboxes of the machine NAME, and update the database.

    The command says which box to open, asks which bead was drawn, and shows the move on the board. At the end, the
    command says which beads to add or remove, and offers another game. A game that is abandoned changes nothing.
    """
    from menace.people.physical import PhysicalSession

    store.use_writer_timeout()
    naming = store.learner(name).naming.with_schemes(**schemes)
    session = PhysicalSession(store, name, person=person_name, naming=naming)
    say(f"{name} plays {session.plays}, {session.opponents_name} {session.person}")
    dialogue.play_games(
        session,
        session.opponents_name,
        lambda: _play_game(session),
        lambda finished: _instructions(session, finished),
        lambda: "\n".join(session.put_back()),
    )


def _play_game(session: PhysicalSession) -> bool:
    """Guide the operator through one game, and return whether to record it."""
    session.said = []
    session.answer()
    while True:
        said = "".join(f"{sentence}\n" for sentence in session.said)
        say(f"{said}\n{session.names.draw(session.game.board)}\n")
        if session.game.outcome is None:
            if not _ask_for_entry(session):
                return False
            continue
        say(_outcome_text(session))
        answer = dialogue.ask("record this game? (y, undo or quit)")
        if answer in {"y", "yes"}:
            return True
        if answer == dialogue.QUIT:
            return False
        session.said = []
        if answer == "undo" and session.operator_entries:
            session.undo()


def _ask_for_entry(session: PhysicalSession) -> bool:
    """Ask for the opponent's move or the bead that was drawn; return False if the operator quits."""
    opening, person, names = session.opening, session.opponents_name, session.names
    if opening is None:
        question, texts = f"{person}'s move ({session.person})", PERSON_HELP
    else:
        say(_opening_text(opening, session))
        question, texts = "which bead was drawn", MACHINE_HELP
    help_text = texts[names.of_cells].format(person=person, row_and_column_hint=row_and_column_hint(names.game))
    answers = dict.fromkeys(["", "?", dialogue.HELP], lambda: help_text)
    return dialogue.ask_for_move(question, answers, session.undo, session.move)


def _opening_text(opening: BoxToOpen, session: PhysicalSession) -> str:
    """Return the instructions for drawing a bead: the box to open, its label, and its expected contents."""
    box = opening.box
    drawing = [f"     {line}" for line in session.names.draw(box.board).splitlines()]
    lines = [f"open box {box.number} (stage {box.stage}); its label shows", *drawing]
    if opening.turning is not None:
        lines.append(f"     ({turned(opening.turning)})")
    return "\n".join([*lines, session.contents_text(opening)])


def _outcome_text(session: PhysicalSession) -> str:
    outcome = session.game.outcome
    return ended(str(outcome), session.opponents_name if outcome == session.person else session.opponent)


def _instructions(session: PhysicalSession, finished: Finished) -> str:
    """Return the instructions after a game: the beads to add to each box or to remove from it."""
    from menace.people.physical import PUT_BACK

    changes = session.changes_texts()
    lines = [told("recorded", game=finished.game_id)]
    lines.append(f"{PUT_BACK}, and then:" if changes else f"{PUT_BACK}; nothing else changes")
    lines += [f"  {change}" for change in changes]
    if outdated := session.outdated_text():
        contents = command_text("contents", session.opponent, db=session.store.path)
        lines.append(f"{outdated} (`{contents}` prints the correct contents)")
    return "\n".join(lines)


MAX_LISTED_DIFFERENCES = 60  # maximum number of differences listed


@options.command(
    "menace contents menace-x",
    "menace contents menace-x --csv > menace-x.csv",
    "menace contents menace-x --json",
    short_help="Print the contents of all boxes of a machine.",
)
@click.argument("name", shell_complete=completion.learners)
@options.form_options("Print CSV with an empty column `counted`, which `menace recount` reads.")
@options.naming_options
@options.with_database
def contents(store: Store, name: str, form: Form | None, **schemes: Scheme | None) -> None:
    """Print the contents of all boxes of the machine NAME, with one line for each colour of bead.

    Each box has the number that is printed on its label. For machines with values or odds instead of beads, JSON
    contains the values or odds for each position.
    """
    from menace.analysis.bead_names import BeadNames, contents_table
    from menace.analysis.listings import content_records
    from menace.ledger.learners import named_machine

    machine = named_machine(store, name)
    names = BeadNames(machine.positions, machine.naming.with_schemes(**schemes))
    if form == "json":
        print_records(content_records(machine.boxes, names), form)
        return
    held = contents_table(machine.matchboxes, names)
    if form is not None:
        print_records(Table([*held.columns, "counted"], [(*row, None) for row in held.rows]), form)
    else:
        say(table(held.columns, held.rows))


@options.command(
    "menace recount menace-x count.csv",
    "menace contents menace-x --csv > count.csv",
    short_help="Correct a machine's boxes after a count of the real beads.",
)
@click.argument("name", required=False, metavar="NAME", shell_complete=completion.learners)
@click.argument("file", type=click.File("rb"), required=False, metavar="FILE", shell_complete=completion.files)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@options.naming_options
@options.database_option
def recount(name: str | None, file: BinaryIO | None, yes: bool, db: str, **schemes: Scheme | None) -> None:
    """Compare the bead counts in FILE (CSV) with the boxes of the machine NAME, and record the differences.

    FILE has the columns `board` or `box`, `cell` or `colour`, and `counted`. `menace contents NAME --csv` prints a
    table with these columns for you to fill in. Lines without a count are ignored. The correction is recorded as a
    block of the log, which `menace verify` replays.
    """
    if name is None or file is None:
        raise options.missing_argument_error("recount", [name or ""], "count.csv", db)
    from menace.analysis.bead_names import BeadNames
    from menace.ledger.rules import rules_of
    from menace.people.physical import compare_count, record_count

    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidBeads(f"{file.name} is not UTF-8; save it from the spreadsheet as 'CSV UTF-8'") from None
    with options.open_existing(db) as store:
        names = BeadNames(rules_of(store), store.learner(name).naming.with_schemes(**schemes))
        comparison = compare_count(store, name, text, names)
        say(_comparison_text(name, comparison, names))
        if not comparison.different:
            return
        if not yes and not dialogue.confirm(f"change the boxes of {name} in the database to match the count?"):
            say("nothing was changed")
            return
        block_id = record_count(store, name, comparison.different)
    say(f"recorded as block {block_id}")


def _comparison_text(name: str, comparison: Comparison, names: BeadNames) -> str:
    compared = f"{comparison.counted:,} of {counted(comparison.piles, 'pile')} counted"
    if not comparison.counted:
        return "no line has a number in the column `counted`"
    different = comparison.different
    if not different:
        return f"{compared}; all counts agree with the database"
    rows = [
        (
            d.box.number,
            d.box.board,
            names.describe(d.box.board, d.action),
            d.beads,
            d.counted,
            f"{d.counted - d.beads:+d}",
        )
        for d, box in ((d, d.box) for d in different[:MAX_LISTED_DIFFERENCES])
    ]
    omitted = (
        f"\n... and {len(different) - MAX_LISTED_DIFFERENCES:,} more" if len(different) > MAX_LISTED_DIFFERENCES else ""
    )
    verb = "differs" if len(different) == 1 else "differ"
    title = f"{compared}; {len(different):,} {verb} from {name} in the database"
    return f"{title}\n\n{table(['box', 'board', 'bead', 'beads', 'counted', ''], rows)}{omitted}"
