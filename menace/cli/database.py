"""Commands on the database as a whole: init, backup, verify."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from menace.cli import completion
from menace.cli.options import database_option, examples, opened
from menace.cli.terminal import say
from menace.wording import counted


@click.command(
    short_help="Make a database with every position of a game.",
    epilog=examples(
        "menace init",
        "menace init --db small.db --variant 3x3x3 --no-symmetry",
    ),
)
@click.option(
    "--game",
    default="tictactoe",
    show_default=True,
    shell_complete=completion.games,
    help="The game, or FILE.py:CLASS, a game of your own.",
)
@click.option(
    "--variant", metavar="TEXT", shell_complete=completion.variants, help="Which one of its family; see `menace rules`."
)
@click.option("--no-symmetry", is_flag=True, help="Treat every board as a position of its own.")
@database_option
def init(db: str, game: str, variant: str | None, no_symmetry: bool) -> None:
    """Make a database with every position of the game.

    `menace rules` lists the games with their variants. A game of your own, in a file, is named by the file and what it
    is called there, as in ./chomp.py:Chomp; with MENACE_GAMES=./chomp.py:Chomp every command knows it.
    """
    from menace.games.plugins import FILES, is_file, named_files
    from menace.ledger.database import create_database

    with create_database(db, game, variant, "none" if no_symmetry else "full") as store:
        positions, moves, rules = store.position_count(), store.move_count(), store.rules()
    say(f"{db}: {rules.name} {rules.variant}, {counted(positions, 'position')}, {counted(moves, 'move')}")
    if is_file(game) and game not in named_files():
        say(f"\nnext, so that every command knows the game:\n  export {FILES}={shlex.quote(game)}")


@click.command(short_help="Copy the database, even while others write to it.", epilog=examples("menace backup copy.db"))
@click.argument("file", shell_complete=completion.files)
@database_option
def backup(file: str, db: str) -> None:
    """Copy the database to FILE, consistently, even while others write."""
    from menace.errors import StoreError

    if not file:
        raise StoreError("the copy's path is empty; name a file")
    if Path(file).is_dir():
        raise StoreError(f"{file} is a directory; name a file in it")
    with opened(db) as store:
        store.backup(file)
    say(f"{file}: {counted(Path(file).stat().st_size, 'byte')}")


@click.command(
    short_help="Replay the log, and compare everything.", epilog=examples("menace verify", "menace verify --since 120")
)
@click.option("--since", type=int, default=None, metavar="BLOCK", help="Check what happened after this block.")
@database_option
def verify(db: str, since: int | None) -> None:
    """Replay the log of blocks, and compare everything that was learned."""
    from menace.ledger.verification import verify as verify_log

    with opened(db) as store:
        found = verify_log(store, since)
    say(
        f"{counted(found.blocks, 'block')} with {counted(found.games, 'game')} replayed:"
        f" every bead, count and strength of {counted(found.learners, 'learner')} agrees with the log"
    )
