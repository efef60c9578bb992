"""The command that serves the explorer."""

from __future__ import annotations

from pathlib import Path

import click

from menace.cli.options import database_option, examples
from menace.cli.terminal import say


@click.command(
    short_help="Explore machines in a browser.",
    epilog=examples("menace serve", "menace serve --open --port 8765", "menace serve --read-only"),
)
@click.option("--port", default=8001, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes any.")
@click.option("--open", "opened", is_flag=True, help="Open a browser, too.")
@click.option("--read-only", is_flag=True, help="Show it to others: nothing can be changed or played for keeps.")
@database_option
def serve(port: int, opened: bool, read_only: bool, db: str) -> None:
    """Serve the explorer of a database on this machine, until Ctrl-C. Datasette's tables and SQL are there, too."""
    import webbrowser

    from menace.extras import need_extra
    from menace.ledger.database import open_database

    need_extra("datasette", "web")  # the room `web` is a plugin of it, and cannot be imported without
    from menace.web.server import serve as serve_files

    with open_database(db):  # what is no database of ours is said here
        pass

    def ready(address: str) -> None:
        say(f"{address}  (Ctrl-C ends it)")
        if opened:
            webbrowser.open(address)

    serve_files([Path(db)], port, read_only, ready)
