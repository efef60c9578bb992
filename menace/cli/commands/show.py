"""Commands that only read the database: show, query, runs."""

from __future__ import annotations

import click

from menace.cli.shared import completion
from menace.cli.shared.options import database_option, examples, form_options, opened
from menace.cli.shared.output import print_records, say, table, table_text
from menace.files.tables import Table
from menace.text.wording import Form

# Columns of the named queries that are all 0 if the game has no draws.
OF_DRAWS = ("draw", "draws", "drawn", "share_drawn", "neither")


@click.command(
    short_help="Show a position, its moves, and a machine's box.",
    epilog=examples(
        "menace show .........",
        "menace show X...O.... --learner menace-x",
        "menace show 57 --learner menace-x",
        "menace show 'x.. .o. ...'",
    ),
)
@click.argument("board")
@click.option("--learner", metavar="NAME", shell_complete=completion.learners, help="Whose matchbox to open.")
@database_option
def show(board: str, learner: str | None, db: str) -> None:
    """Show BOARD, its position, and each move; with a machine, what its matchbox holds.

    BOARD is written as its game writes it, which `menace rules` shows: for tic-tac-toe nine of X, O and . (a dot for an
    empty cell), row by row. It can be turned or mirrored. With --learner, BOARD can also be the number of a box, as
    printed on its label.
    """
    from menace.analysis.position import show as show_position
    from menace.cli.shared.boards import position_text

    with opened(db) as store:
        say(position_text(show_position(store, board, learner)))


@click.command(
    short_help="Answer a named query or SQL.",
    epilog=examples(
        "menace query",
        "menace query openings",
        "menace query 'SELECT board, images FROM position WHERE ply = 2' --csv",
    ),
)
@click.argument("question", metavar="[NAME | SQL]", required=False, shell_complete=completion.questions)
@form_options()
@click.option("--timeout", type=float, default=10.0, show_default=True, metavar="SECONDS", help="The time limit.")
@database_option
def query(question: str | None, form: Form | None, timeout: float, db: str) -> None:
    """Answer a named query or SQL, reading only; without an argument, list the named queries.

    What a named query says of draws is left out where the game has none; JSON and CSV keep it.
    """
    from menace.ledger.queries import is_sql, named_queries
    from menace.ledger.queries import query as ask
    from menace.ledger.store import bound_memory

    if question is None:
        answer, draws = Table(["name", "question"], [(named.name, named.title) for named in named_queries()]), True
    else:
        bound_memory()
        with opened(db) as store:
            answer, draws = ask(store, question, timeout), is_sql(question) or store.has_draws()
    if form is not None:
        print_records(answer, form)
        return
    kept = [column for column, name in enumerate(answer.columns) if draws or name not in OF_DRAWS]
    rows = [[row[column] for column in kept] for row in answer.rows]
    say(table([answer.columns[column] for column in kept], rows) if rows else "no rows")


@click.command(short_help="List the runs.", epilog=examples("menace runs", "menace runs --json"))
@form_options()
@database_option
def runs(form: Form | None, db: str) -> None:
    """List the runs, and which of them are unfinished: interrupted, or under way."""
    from menace.analysis.records import list_runs

    with opened(db) as store:
        listed = list_runs(store)
    if form is not None:
        print_records(listed.table(), form)
    elif listed:
        say(table_text(listed.in_words()))
    else:
        say("no runs yet; `menace selfplay` or `menace train` starts one")
