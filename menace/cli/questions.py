"""Commands that look and change nothing: show, query, runs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from menace.cli.options import database_option, examples

if TYPE_CHECKING:
    from menace.ledger.queries import Answer
    from menace.ledger.store import RunRow


@click.command(
    short_help="Show a position, its moves, and a learner's box.",
    epilog=examples(
        "menace show .........",
        "menace show X...O.... --learner menace-x",
        "menace show 57 --learner menace-x",
        "menace show 'x.. .o. ...'",
    ),
)
@click.argument("board")
@click.option("--learner", metavar="NAME", help="Whose matchbox to open.")
@database_option
def show(board: str, learner: str | None, db: str) -> None:
    """Show BOARD, its position, and each move; with a learner, what its matchbox holds.

    BOARD is nine of X, O and . (a dot for an empty cell), row by row; rotations and reflections will do. With a
    learner, the number of one of its boxes will do, as it stands on the label.
    """
    from menace.cli.position import position_text
    from menace.ledger.database import open_database
    from menace.shelf.position import show as show_position

    with open_database(db) as store:
        click.echo(position_text(show_position(store, board, learner)))


@click.command(
    short_help="Answer a named query or SQL.",
    epilog=examples(
        "menace query",
        "menace query openings",
        "menace query 'SELECT board, images FROM position WHERE ply = 2' --csv",
    ),
)
@click.argument("question", metavar="[NAME | SQL]", required=False)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV; what a spreadsheet would run gets a ' in front.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list of objects.")
@click.option("--timeout", type=float, default=10.0, show_default=True, metavar="SECONDS", help="The time limit.")
@database_option
def query(question: str | None, as_csv: bool, as_json: bool, timeout: float, db: str) -> None:
    """Answer a named query or SQL, reading only; without an argument, list the named queries."""
    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other; give one of them")
    form = "csv" if as_csv else "json" if as_json else None
    from menace.ledger.database import open_database
    from menace.ledger.queries import Answer, named_queries
    from menace.ledger.queries import query as ask
    from menace.ledger.store import bound_memory

    if question is None:
        answer = Answer(["name", "question"], [(named.name, named.title) for named in named_queries()])
    else:
        bound_memory()
        with open_database(db) as store:
            answer = ask(store, question, timeout)
    click.echo(_answer_text(answer, form), nl=form != "csv")


def _answer_text(answer: Answer, form: str | None) -> str:
    if form == "json":
        import json

        return json.dumps(
            [dict(zip(answer.columns, map(_json_value, row), strict=True)) for row in answer.rows], indent=2
        )
    if form == "csv":
        from menace.output import csv_text, without_controls

        return csv_text(answer.columns, [[without_controls(value) for value in row] for row in answer.rows])
    from menace.cli.text import table

    return table(answer.columns, answer.rows) if answer.rows else "no rows"


def _json_value(value: object) -> object:
    """Return a value that JSON can say: bytes as hexadecimal, and no infinity."""
    if isinstance(value, bytes):
        return value.hex()
    return None if isinstance(value, float) and not math.isfinite(value) else value


@click.command(short_help="List the runs.", epilog=examples("menace runs"))
@database_option
def runs(db: str) -> None:
    """List the runs, and which of them are unfinished: interrupted, or under way."""
    from menace.cli.text import table
    from menace.ledger.database import open_database
    from menace.ledger.seats import names_now
    from menace.ledger.store import undamaged

    with open_database(db) as store:
        rows, learners = store.runs(), {row.learner_id: row for row in store.learners()}
    with undamaged(db):
        players = [names_now(row, learners) for row in rows]
    if not rows:
        click.echo("no runs yet; `menace selfplay` or `menace train` starts one")
        return
    header = ["run", "kind", "X", "O", "games", "of", "state", "seed", "started"]
    lines = [
        (r.run_id, r.kind, *names, r.games_played, r.games_wanted, _state(r), r.seed, r.started_at)
        for r, names in zip(rows, players, strict=True)
    ]
    click.echo(table(header, lines))


def _state(run: RunRow) -> str:
    if run.finished_at is None:
        return "unfinished"
    return "finished" if run.games_played == run.games_wanted else "abandoned"
