"""The commands rules, init, backup, verify, new-game and check."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from menace.cli.shared import completion
from menace.cli.shared.options import database_option, examples, form_options, opened
from menace.cli.shared.terminal import print_records, say, table
from menace.errors import StoreError
from menace.files.tables import Table
from menace.text.wording import VALUES, Form, counted, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from menace.games.base import Game
    from menace.games.known_counts import Known


HEADER = ("game", "variant", "positions", "X boxes", "O boxes", "perfect play", "longest")
FIRST_MOVES = 12  # that are listed
PACKAGE = "matchbox-menace"  # the name of menace for pip


@click.command(
    short_help="List the games, or tell the rules of one.",
    epilog=examples("menace rules", "menace rules tictactoe", "menace rules tictactoe 4x4x4", "menace rules --json"),
)
@click.argument("name", required=False, metavar="[GAME]", shell_complete=completion.games)
@click.argument("variant", required=False, metavar="[VARIANT]", shell_complete=completion.variants)
@form_options()
def rules(name: str | None, variant: str | None, form: Form | None) -> None:
    """List the games with variants to choose from; with a GAME, tell its rules.

    Positions are counted up to symmetry, of which the exchange of X and O is one where either player puts either, as in
    wild tic-tac-toe. Boxes are those that a machine has for X or for O, one for each position where
    it has several moves, be they equivalent or not. Perfect play says who then wins, and in how many moves if the
    winner hurries and the loser delays; longest is the most moves that a game can last. A game has many more variants
    than these, and `menace init` makes any that is not too large.
    """
    from menace.games import get_game
    from menace.games.known_counts import Known, known_variants

    game = None if name is None else get_game(name, variant)
    rows = [known for known in known_variants() if game is None or known.game == game.name]
    if form is not None:
        print_records(Table(Known._fields, rows), form)
    elif game is None:
        say(f"{_table(rows)}\n\n{_plugins()}next: menace rules {rows[0].game}, or menace init --game {rows[0].game}")
    else:
        say(_rules_text(game, rows))


def _rules_text(game: Game, rows: list[Known]) -> str:
    """Return the rules of a game, its first board, and its known variants."""
    from menace.games.base import join_names

    names = [game.name_of(game.initial, action) for action in game.actions(game.initial)]
    parts = [
        f"{game.name} {game.variant}\n\n{game.rules}",
        game.draw(game.initial),
        f"X's first moves: {join_names(names[:FIRST_MOVES])}{', ...' if len(names) > FIRST_MOVES else ''}",
        f"as menace writes this board: {game.initial}",
    ]
    if rows:
        parts += [_table(rows), *filter(None, ["\n".join(_choices(rows))])]
    return "\n\n".join(parts)


def _table(rows: list[Known]) -> str:

    return table(HEADER, [(*known[:5], f"{VALUES[known.minimax]} in {known.perfect}", known.longest) for known in rows])


def _choices(rows: list[Known]) -> Iterator[str]:
    """Yield a line for each side of a variant with boxes that have no real choice: all their moves are equivalent."""
    for known in rows:
        for side, boxes, choices in (("X", known.x_boxes, known.x_choices), ("O", known.o_boxes, known.o_choices)):
            if choices < boxes:
                yield f"{known.variant}: {choices:,} of {side}'s {counted(boxes, 'box')} have moves that differ"


def _plugins() -> str:
    """Return lines about games from outside: those of MENACE_GAMES, and of installed packages."""
    from menace.games import GAMES, plugins

    lines = [f"{name}: {reference}" for reference, name in plugins.names_in_files().items()]
    for name, package in plugins.installed_games():
        if name not in GAMES:
            lines.append(f"{name}: package {package}")
        elif package != PACKAGE:
            lines.append(f"{name} of the package {package} is left out: menace has a game of its own by that name")
    return "".join(f"{line}\n" for line in lines) + "\n" if lines else ""


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
    "--variant",
    metavar="TEXT",
    shell_complete=completion.variants,
    help="Which one of its family; see `menace rules`.",
)
@click.option("--no-symmetry", is_flag=True, help="Treat every board as a position of its own.")
@database_option
def init(db: str, game: str, variant: str | None, no_symmetry: bool) -> None:
    """Make a database with every position of the game.

    `menace rules` lists the games with their variants. A game of your own, in a file, is named by the file and what it
    is called there, as in ./chomp.py:Chomp; with MENACE_GAMES=/home/me/chomp.py:Chomp every command knows it.
    """
    from menace.games.plugins import FILES, is_file, named_files, with_absolute_path
    from menace.ledger.database_file import create_database

    with create_database(db, game, variant, "none" if no_symmetry else "full") as store:
        positions, moves, rules = store.position_count(), store.move_count(), store.rules()
    say(f"{db}: {rules.name} {rules.variant}, {counted(positions, 'position')}, {counted(moves, 'move')}")
    if is_file(game) and with_absolute_path(game) not in map(with_absolute_path, named_files()):
        say(f"\nnext, so that every command knows the game:\n  {_assignment(FILES, with_absolute_path(game))}")


def _assignment(name: str, value: str) -> str:
    """Return the command that sets a variable of the environment: a shell's, or on Windows PowerShell's."""
    if os.name == "nt":
        return f'$env:{name} = "{value}"   (in the Command Prompt: set {name}={value})'
    return f"export {name}={quoted(value)}"


@click.command(short_help="Copy the database, even while others write to it.", epilog=examples("menace backup copy.db"))
@click.argument("file", shell_complete=completion.files)
@database_option
def backup(file: str, db: str) -> None:
    """Copy the database to FILE, consistently, even while others write."""
    if not file:
        raise StoreError("the copy's path is empty; name a file")
    if Path(file).is_dir():
        raise StoreError(f"{file} is a folder; name a file in it")
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
    from menace.ledger.log.verification import verify as verify_log

    with opened(db) as store:
        report = verify_log(store, since)
    say(
        f"{counted(report.blocks, 'block')} with {counted(report.games, 'game')} replayed:"
        f" every bead, count and strength of {counted(report.learners, 'machine')} agrees with the log"
    )


@click.command(
    "new-game",
    short_help="Write a game of your own to begin from, with its test.",
    epilog=examples("menace new-game hex", "menace check ./hex.py:Hex"),
)
@click.argument("name")
def new_game(name: str) -> None:
    """Write a small game that works into NAME.py, and its test into test_NAME.py, for you to change.

    Files that are there already are not touched.
    """
    from menace.games.new_game import write_new_game

    reference, test = write_new_game(name, Path())
    say(f"{reference.rpartition(':')[0]} and {test}\n\nnext: menace check {reference}")


@click.command(
    short_help="Check that a game of your own holds to the laws of games.",
    epilog=examples("menace check ./hex.py:Hex", "menace check ./hex.py:Hex 3x4", "menace check nim 1-2-3"),
)
@click.argument("game", shell_complete=completion.games)
@click.argument("variants", nargs=-1, metavar="[VARIANT]...", shell_complete=completion.variants)
def check(game: str, variants: tuple[str, ...]) -> None:
    """Say what holds of GAME, or which law of games it breaks, on which board; and count its positions.

    GAME is FILE.py:CLASS, or a game's name; without a VARIANT its default is checked.
    """
    from menace.games import get_game
    from menace.games.contract import laws_of

    games = [get_game(game, variant) for variant in variants or (None,)]
    for rules in games:
        say(_report(rules))
    say("\nwhat holds:")
    for law in laws_of(games[0]):
        say(f"  {law}")


def _report(game: Game) -> str:
    """Return how much of a game was checked, and what it is. Raises InvalidGame if it breaks a law, or is too large."""
    from menace.games.contract import check_game
    from menace.games.enumeration import enumerate_positions
    from menace.ledger.database_file import positions_most

    begun = time.perf_counter()
    checked = check_game(game)
    positions = enumerate_positions(game, limit=positions_most(game))
    seconds = time.perf_counter() - begun
    which = "all" if checked.whole else "near the beginning, and others at random"
    return (
        f"{game.name} {game.variant} holds to the laws of games on {counted(checked.boards, 'board')} ({which})\n"
        f"  {counted(len(positions), 'position')} up to symmetry, {counted(len(positions.action), 'move')};"
        f" {counted(positions.longest, 'move')} in a game at most; perfect play: {VALUES[int(positions.minimax[0])]}\n"
        f"  checked and solved in {seconds:.1f} s"
    )
