"""The command `serve`, which serves the explorer to a browser."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import click

from menace.cli.shared import completion
from menace.cli.shared.options import check_function, database_option, examples
from menace.cli.shared.terminal import say
from menace.files.optional_libraries import need_extra

if TYPE_CHECKING:
    pass


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
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Listen there: 0.0.0.0 in a container.")
@click.option("--open", "opened", is_flag=True, help="Open a browser, too.")
@click.option("--read-only", is_flag=True, help="Show it to others: nothing can be changed or played for keeps.")
@click.option(
    "--player",
    "functions",
    multiple=True,
    metavar="FILE.py:FUNCTION",
    shell_complete=completion.learners_and_functions,
    help="A function of yours to play and train against; the database keeps its tables. Can be repeated.",
)
@database_option
def serve(port: int, host: str, opened: bool, read_only: bool, functions: tuple[str, ...], db: str) -> None:
    """Serve the explorer of a database on this machine, until Ctrl-C. Datasette's tables and SQL are there, too.

    Where the database is missing, the first page makes it, with its first machine. --read-only makes none.

    Pages are answered as those of localhost, whatever --host says; but with it whoever reaches the address can write,
    from wherever. So let nobody reach a container's port but this machine: docker run -p 127.0.0.1:8001:8001.
    """
    import webbrowser

    from menace.games.base import Side
    from menace.ledger.database_file import is_missing_or_empty, open_database, open_or_create_database
    from menace.ledger.function_players import store_functions

    need_extra("datasette", "web")  # the room `explorer` is a plugin of it, and cannot be imported without
    from menace.explorer.server.serving import serve as serve_files

    if functions and read_only:
        raise click.UsageError("--player writes to the database; leave out one of --player and --read-only")
    for text, plays in itertools.product(functions, Side):
        check_function(db, text, plays)
    if functions:
        with open_or_create_database(db) as store:
            store_functions(store, functions)
    elif read_only or not is_missing_or_empty(db):
        open_database(db).close()  # raises if there is none, or it is not a menace database
    else:
        say(f"there is no database {db} yet; the page makes it, with its first machine", err=True)

    def ready(address: str) -> None:
        say(f"{address}  (Ctrl-C ends it)")
        if opened:
            webbrowser.open(address)

    serve_files([Path(db)], port, read_only, ready, host)
