"""Commands on the database as a whole: init, backup, verify."""

from __future__ import annotations

from pathlib import Path

import click

from menace.cli import completion
from menace.cli.options import database_option, examples
from menace.cli.terminal import say


@click.command(epilog=examples("menace init", "menace init --db small.db --variant 3x3x3 --no-symmetry"))
@click.option("--game", default="tictactoe", show_default=True, help="The game.")
@click.option("--variant", default="3x3x3", show_default=True, metavar="RxCxK", help="Rows x columns x in a row.")
@click.option("--no-symmetry", is_flag=True, help="Treat every board as a position of its own.")
@database_option
def init(db: str, game: str, variant: str, no_symmetry: bool) -> None:
    """Make a database with every position of the game."""
    from menace.ledger.database import create_database

    with create_database(db, game, variant, "none" if no_symmetry else "full") as store:
        positions, moves = store.position_count(), store.move_count()
    say(f"{db}: {game} {variant}, {positions:,} positions, {moves:,} moves")


@click.command(short_help="Copy the database, even while others write to it.", epilog=examples("menace backup copy.db"))
@click.argument("file", shell_complete=completion.files)
@database_option
def backup(file: str, db: str) -> None:
    """Copy the database to FILE, consistently, even while others write."""
    from menace.errors import StoreError
    from menace.ledger.database import open_database

    if not file:
        raise StoreError("the copy's path is empty; name a file")
    if Path(file).is_dir():
        raise StoreError(f"{file} is a directory; name a file in it")
    with open_database(db) as store:
        store.backup(file)
    say(f"{file}: {Path(file).stat().st_size:,} bytes")


@click.command(
    short_help="Replay the log, and compare everything.", epilog=examples("menace verify", "menace verify --since 120")
)
@click.option("--since", type=int, default=None, metavar="BLOCK", help="Check what happened after this block.")
@database_option
def verify(db: str, since: int | None) -> None:
    """Replay the log of blocks, and compare everything that was learned."""
    from menace.ledger.database import open_database
    from menace.ledger.verification import verify as verify_log

    with open_database(db) as store:
        found = verify_log(store, since)
    say(
        f"{found.blocks:,} blocks with {found.games:,} games replayed:"
        f" every bead, count and strength of {found.learners:,} learners agrees with the log"
    )
