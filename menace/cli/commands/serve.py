"""Define the command `serve`, which serves the explorer to a browser."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import click

from menace.cli import completion, options
from menace.cli.terminal import say
from menace.files.optional_libraries import need_extra
from menace.games.base import Side


@options.command(
    "menace serve",
    "menace serve --open --port 8765",
    "menace serve --read-only",
    "menace serve --player ./my_player.py:novice",
    "menace serve --class --db class.db",
    "menace serve --kiosk --db museum.db",
    short_help="Explore machines in a browser.",
)
@click.option(
    "--port", default=8001, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 selects any free port."
)
@click.option(
    "--host", default="127.0.0.1", metavar="ADDRESS", help="Address to listen on; use 0.0.0.0 in a container."
)
@click.option("--open", "opened", is_flag=True, help="Also open a browser.")
@click.option("--read-only", is_flag=True, help="Let visitors look and play, but not change the database.")
@click.option(
    "--player",
    "functions",
    multiple=True,
    metavar="FILE.py:FUNCTION",
    shell_complete=completion.learners_and_functions,
    help="A function of your own to add as an opponent; the function is stored in the database. May be repeated.",
)
@click.option("--class", "lesson", is_flag=True, help="Let pupils play on their phones; print an address and a code.")
@click.option(
    "--kiosk",
    is_flag=False,
    flag_value="day",
    type=click.Choice(["day", "exhibition"]),
    help="Let visitors teach one machine on a touch screen: a new one each day, or one for the whole exhibition.",
)
@options.database_option
def serve(
    port: int,
    host: str,
    opened: bool,
    read_only: bool,
    functions: tuple[str, ...],
    lesson: bool,
    kiosk: str | None,
    db: str,
) -> None:
    """Serve the explorer, with Datasette's tables and SQL pages, to a browser on this computer until you press Ctrl-C.

    If the database is missing, the home page offers to create it, except with --read-only.

    With or without --host, menace answers only requests that are addressed to localhost. With --host, however, everyone
    who can reach the address can change the database. Therefore, publish a container's port only to this computer, as
    in docker run -p 127.0.0.1:8001:8001.

    With --class, other computers can open only the pupils' page. The pupils' page uses the next port and, with --host,
    is available only at the given address. The teacher's page opens on this computer. If the last lesson in the
    database has not ended, the lesson continues with the same code.

    With --kiosk, the server serves only the kiosk's page, and only to this computer.
    """
    import webbrowser

    need_extra("datasette", "web")  # the explorer is a Datasette plugin and cannot be imported without Datasette
    from menace.explorer.server import serving

    if kiosk and (read_only or lesson or functions or host != "127.0.0.1"):
        raise click.UsageError("--kiosk cannot be combined with --class, --host, --player or --read-only")
    if read_only and functions:
        raise click.UsageError("--player writes to the database; leave out --player or --read-only")
    if read_only and lesson:
        raise click.UsageError("--class records games; leave out --class or --read-only")
    for text, plays in itertools.product(functions, Side):
        options.check_function(db, text, plays)
    _prepare_database(db, functions, creates=bool(functions or lesson or kiosk), read_only=read_only)

    def ready(address: str, *invitation: str) -> None:
        say(f"{address}  (press Ctrl-C to stop)")
        if invitation:
            _invite(*invitation)
        if opened or lesson:
            webbrowser.open(address)

    if lesson:
        serving.serve_class(Path(db), port, ready, host)
    elif kiosk:
        serving.serve_kiosk(Path(db), port, kiosk == "day", ready)
    else:
        serving.serve([Path(db)], port, read_only, ready, host)


def _prepare_database(db: str, functions: tuple[str, ...], creates: bool, read_only: bool) -> None:
    """Create the database and store the given functions in it if `creates` is true; otherwise check an existing file.

    If the file may be created later and does not exist yet, print a message.
    """
    from menace.ledger import create_and_open, learners

    if creates:
        with create_and_open.open_or_create_database(db) as store:
            learners.store_functions(store, functions)
    elif read_only or not create_and_open.is_missing_or_empty(db):
        create_and_open.open_database(db).close()  # raises an error if the file is missing or is not a menace database
    else:
        say(f"there is no database {db} yet; create it, along with a machine, on the home page", err=True)


def _invite(pupils: str, code: str) -> None:
    """Print the address and code for pupils and, if the output is a terminal, a QR code."""
    import segno

    say(f"pupils open {pupils} and type the code {code}")
    if sys.stdout.isatty():
        segno.make(pupils, error="m").terminal(compact=True)
