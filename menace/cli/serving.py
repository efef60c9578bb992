"""The command `serve`, which serves the explorer to a browser."""

from __future__ import annotations

import itertools
from pathlib import Path

import click

from menace.cli import completion_candidates
from menace.cli.options import database_option, examples
from menace.cli.player_arguments import check_function
from menace.cli.terminal_output import say


@click.command(
    short_help="Explore machines in a browser.",
    epilog=examples(
        "menace serve",
        "menace serve --open --port 8765",
        "menace serve --read-only",
        "menace serve --player ./my_player.py:novice",
    ),
)
@click.option("--port", default=8001, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes any.")
@click.option("--open", "opened", is_flag=True, help="Open a browser, too.")
@click.option("--read-only", is_flag=True, help="Show it to others: nothing can be changed or played for keeps.")
@click.option(
    "--player",
    "functions",
    multiple=True,
    metavar="FILE.py:FUNCTION",
    shell_complete=completion_candidates.learners_and_functions,
    help="A function of yours to play and train against; the database keeps its tables. Can be repeated.",
)
@database_option
def serve(port: int, opened: bool, read_only: bool, functions: tuple[str, ...], db: str) -> None:
    """Serve the explorer of a database on this machine, until Ctrl-C. Datasette's tables and SQL are there, too.

    Makes the database if it is missing; its first page then makes the first machine. --read-only makes none.
    """
    import webbrowser

    from menace.extras import need_extra
    from menace.games.base import Side
    from menace.ledger.database_file import is_vacant, open_database, open_or_create_database
    from menace.ledger.player_names import keep_functions
    from menace.ledger.stored_rules import rules_of

    need_extra("datasette", "web")  # the room `explorer` is a plugin of it, and cannot be imported without
    from menace.explorer.server import serve as serve_files

    if functions and read_only:
        raise click.UsageError("--player writes to the database; leave out one of --player and --read-only")
    for text, plays in itertools.product(functions, Side):
        check_function(db, text, plays)
    is_made = not read_only and is_vacant(db)
    with (open_or_create_database if is_made else open_database)(
        db
    ) as store:  # raises for a file that is not a menace database
        if is_made:
            say(f"made {db}, a database of {rules_of(store).title}; the page makes its first machine", err=True)
        if functions:
            keep_functions(store, functions)

    def ready(address: str) -> None:
        say(f"{address}  (Ctrl-C ends it)")
        if opened:
            webbrowser.open(address)

    serve_files([Path(db)], port, read_only, ready)
