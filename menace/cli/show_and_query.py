"""Commands that only read the database: show, query, runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from menace.cli import completion_candidates
from menace.cli.options import database_option, examples, form_options, opened
from menace.cli.tables_and_bars import table
from menace.cli.terminal_output import print_records, say
from menace.wording import Form

if TYPE_CHECKING:
    from menace.ledger.store import Run

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
@click.option(
    "--learner", metavar="NAME", shell_complete=completion_candidates.learners, help="Whose matchbox to open."
)
@database_option
def show(board: str, learner: str | None, db: str) -> None:
    """Show BOARD, its position, and each move; with a machine, what its matchbox holds.

    BOARD is written as its game writes it, which `menace rules` shows: for tic-tac-toe nine of X, O and . (a dot for an
    empty cell), row by row. It can be turned or mirrored. With --learner, BOARD can also be the number of a box, as
    printed on its label.
    """
    from menace.analysis.position import show as show_position
    from menace.cli.position_text import position_text

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
@click.argument("question", metavar="[NAME | SQL]", required=False, shell_complete=completion_candidates.questions)
@form_options()
@click.option("--timeout", type=float, default=10.0, show_default=True, metavar="SECONDS", help="The time limit.")
@database_option
def query(question: str | None, form: Form | None, timeout: float, db: str) -> None:
    """Answer a named query or SQL, reading only; without an argument, list the named queries.

    What a named query says of draws is left out where the game has none; JSON and CSV keep it.
    """
    from menace.ledger.queries import Answer, is_sql, named_queries
    from menace.ledger.queries import query as ask
    from menace.ledger.store import bound_memory
    from menace.tables import Table

    if question is None:
        answer, draws = Answer(["name", "question"], [(named.name, named.title) for named in named_queries()]), True
    else:
        bound_memory()
        with opened(db) as store:
            answer, draws = ask(store, question, timeout), is_sql(question) or store.has_draws()
    if form is not None:
        print_records(Table(answer.columns, answer.rows), form)
        return
    kept = [column for column, name in enumerate(answer.columns) if draws or name not in OF_DRAWS]
    rows = [[row[column] for column in kept] for row in answer.rows]
    say(table([answer.columns[column] for column in kept], rows) if rows else "no rows")


@click.command(short_help="List the runs.", epilog=examples("menace runs", "menace runs --json"))
@form_options()
@database_option
def runs(form: Form | None, db: str) -> None:
    """List the runs, and which of them are unfinished: interrupted, or under way."""
    from menace.analysis.json_records import run_records, state_of

    with opened(db) as store:
        rows, learners = store.runs(), {row.learner_id: row for row in store.learners_ever()}
        stopped = store.stopped_runs()
        if form is not None:
            print_records(run_records(rows, learners, stopped), form)
            return
        players = [row.names(learners) for row in rows]
    if not rows:
        say("no runs yet; `menace selfplay` or `menace train` starts one")
        return
    header = ["run", "kind", "X", "O", "games", "state", "started", "seed"]  # a seed can be long
    lines = [
        (r.run_id, r.kind, *names, _games_text(r), state_of(r, stopped), r.started_at[:16].replace("T", " "), r.seed)
        for r, names in zip(rows, players, strict=True)
    ]
    say(table(header, lines))


def _games_text(run: Run) -> str | int:
    """Return how many games a run played, with the total if it is more."""
    of_all = f"{run.games_played} of {run.games_wanted}"
    return run.games_played if run.games_played == run.games_wanted else of_all
