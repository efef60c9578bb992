"""Define the commands rules, init, backup, verify, new-game and check."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from menace.cli import completion, options
from menace.cli.terminal import print_records, say, table
from menace.errors import StoreError
from menace.files.tables import Table
from menace.games import GAMES, Known, get_game, known_variants, plugins
from menace.games.base import Game, join_names
from menace.text.wording import VALUES, Form, counted, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from menace.ledger.store import Store


HEADER = ("game", "variant", "positions", "X boxes", "O boxes", "perfect play", "longest")
MAX_FIRST_MOVES = 12  # maximum number of first moves listed
PACKAGE = "matchbox-menace"  # the name of menace's distribution package


@options.command(
    "menace rules",
    "menace rules tictactoe",
    "menace rules tictactoe 4x4x4",
    "menace rules --json",
    short_help="List the games, or explain the rules of one.",
)
@click.argument("name", required=False, metavar="[GAME]", shell_complete=completion.games)
@click.argument("variant", required=False, metavar="[VARIANT]", shell_complete=completion.variants)
@options.form_options()
def rules(name: str | None, variant: str | None, form: Form | None) -> None:
    """List the games and some of their variants; with GAME, explain the rules of that game.

    Positions are counted up to symmetry. In games where either player may place either mark, such as wild tic-tac-toe,
    exchanging X and O is also a symmetry. A machine has one box for each position in which it has a choice of moves,
    even if all of these moves are equivalent. The column `perfect play` shows the result of perfect play and the length
    of the game if the winner wins as soon as possible and the loser holds out as long as possible. The column `longest`
    shows the maximum number of moves in a game. `menace init` accepts many variants that are not listed.
    """
    game = None if name is None else get_game(name, variant)
    rows = [known for known in known_variants() if game is None or known.game == game.name]
    if form is not None:
        print_records(Table(Known._fields, rows), form)
    elif game is None:
        commands = f"menace rules {rows[0].game}, or menace init --game {rows[0].game}"
        say(f"{_variant_table(rows)}\n\n{_plugin_lines()}try next: {commands}")
    else:
        say(_rules_text(game, rows))


def _rules_text(game: Game, rows: list[Known]) -> str:
    """Return the rules, the first board and the known variants of a game as text."""
    names = [game.name_of(game.initial, action) for action in game.actions(game.initial)]
    parts = [
        f"{game.name} {game.variant}\n\n{game.rules}",
        game.draw(game.initial),
        f"X's first moves: {join_names(names[:MAX_FIRST_MOVES])}{', ...' if len(names) > MAX_FIRST_MOVES else ''}",
        f"this board as text: {game.initial}",
    ]
    if rows:
        parts += [_variant_table(rows), *filter(None, ["\n".join(_choice_lines(rows))])]
    return "\n\n".join(parts)


def _variant_table(rows: list[Known]) -> str:

    return table(HEADER, [(*known[:5], f"{VALUES[known.minimax]} in {known.perfect}", known.longest) for known in rows])


def _choice_lines(rows: list[Known]) -> Iterator[str]:
    """Yield a line for each variant and side for which some boxes contain only equivalent moves."""
    for known in rows:
        for side, boxes, choices in (("X", known.x_boxes, known.x_choices), ("O", known.o_boxes, known.o_choices)):
            if choices < boxes:
                yield f"{known.variant}: {choices:,} of {side}'s {counted(boxes, 'box')} have non-equivalent moves"


def _plugin_lines() -> str:
    """Return lines that list the games from files in MENACE_GAMES and from installed packages."""
    lines = [f"{name}: {reference}" for reference, name in plugins.names_in_files().items()]
    for name, package in plugins.installed_games():
        if name not in GAMES:
            lines.append(f"{name}: package {package}")
        elif package != PACKAGE:
            lines.append(f"the game {name} of the package {package} is ignored; menace has a game with that name")
    return "".join(f"{line}\n" for line in lines) + "\n" if lines else ""


@options.command(
    "menace init",
    "menace init --db small.db --variant 3x3x3 --no-symmetry",
    short_help="Create a database with every position of a game.",
)
@options.game_options()
@click.option("--no-symmetry", is_flag=True, help="Treat rotated and mirrored boards as different positions.")
@options.database_option
def init(db: str, game: str, variant: str | None, no_symmetry: bool) -> None:
    """Create a database with every position of a game.

    `menace rules` lists the games and their variants. To use your own game, give its file and class, as in
    ./chomp.py:Chomp. Set MENACE_GAMES=/home/me/chomp.py:Chomp to make this game available to all commands.
    """
    from menace.ledger.create_and_open import create_database

    with create_database(db, game, variant, "none" if no_symmetry else "full") as store:
        positions, moves, rules = store.position_count(), store.move_count(), store.rules()
    say(f"{db}: {rules.name} {rules.variant}, {counted(positions, 'position')}, {counted(moves, 'move')}")
    if plugins.is_file(game) and plugins.with_absolute_path(game) not in map(
        plugins.with_absolute_path, plugins.named_files()
    ):
        say(
            "\nto make the game available to all commands, run\n  "
            f"{_set_variable_command(plugins.FILES, plugins.with_absolute_path(game))}"
        )


def _set_variable_command(name: str, value: str) -> str:
    """Return the shell command that sets an environment variable, in PowerShell syntax on Windows."""
    if os.name == "nt":
        return f'$env:{name} = "{value}"   (in the Command Prompt: set {name}={value})'
    return f"export {name}={quoted(value)}"


@options.command("menace backup copy.db", short_help="Copy the database, even while other programs write to it.")
@click.argument("file", shell_complete=completion.files)
@options.with_database
def backup(store: Store, file: str) -> None:
    """Write a consistent copy of the database to FILE, even while other programs write to the database."""
    if not file:
        raise StoreError("the copy's path is empty; name a file")
    if Path(file).is_dir():
        raise StoreError(f"{file} is a directory; name a file in it")
    store.backup(file)
    say(f"{file}: {counted(Path(file).stat().st_size, 'byte')}")


@options.command(
    "menace verify",
    "menace verify --since 120",
    short_help="Replay the log, and compare the result with the database.",
)
@click.option("--since", type=int, default=None, metavar="BLOCK", help="Check only the blocks after this one.")
@options.with_database
def verify(store: Store, since: int | None) -> None:
    """Replay the blocks of the log, and compare the result with everything that the machines have learned."""
    from menace.ledger.log.verification import verify as verify_log

    report = verify_log(store, since)
    say(
        f"replayed {counted(report.blocks, 'block')} with {counted(report.games, 'game')}:"
        f" every bead, count and strength of {counted(report.learners, 'machine')} agrees with the log"
    )


@options.command(
    "menace new-game hex",
    "menace check ./hex.py:Hex",
    name="new-game",
    short_help="Write a small game and its test as a starting point.",
)
@click.argument("name")
def new_game(name: str) -> None:
    """Write a small working game to NAME.py and its test to test_NAME.py, as a starting point for your own game.

    Existing files are not changed.
    """
    from menace.games.new_game import write_new_game

    reference, test = write_new_game(name, Path())
    say(f"wrote {reference.rpartition(':')[0]} and {test}\n\ntry next: menace check {reference}")


@options.command(
    "menace check ./hex.py:Hex",
    "menace check ./hex.py:Hex 3x4",
    "menace check nim 1-2-3",
    short_help="Check that your own game follows the rules for games.",
)
@click.argument("game", shell_complete=completion.games)
@click.argument("variants", nargs=-1, metavar="[VARIANT]...", shell_complete=completion.variants)
def check(game: str, variants: tuple[str, ...]) -> None:
    """Check that GAME is valid, and count its positions.

    If GAME breaks a law, the error message names the law and a board on which the law is broken. GAME is FILE.py:CLASS,
    or the name of a game. Without VARIANT, the default variant is checked.
    """
    from menace.games.contract import laws_of

    games = [get_game(game, variant) for variant in variants or (None,)]
    for rules in games:
        say(_check_report(rules))
    say("\nlaws that it obeys:")
    for law in laws_of(games[0]):
        say(f"  {law}")


def _check_report(game: Game) -> str:
    """Check a game, and report how many boards were checked and how large the game is. Raises InvalidGame."""
    from menace.games import contract
    from menace.ledger.create_and_open import positions_within

    begun = time.perf_counter()
    checked = contract.check_game(game)
    positions = positions_within(game)
    seconds = time.perf_counter() - begun
    which = "all" if checked.whole else "boards near the start of the game, and a random sample"
    return (
        f"{game.name} {game.variant} obeys the laws of games on {counted(checked.boards, 'board')} ({which})\n"
        f"  {counted(len(positions), 'position')} up to symmetry, {counted(len(positions.action), 'move')};"
        f" at most {counted(positions.longest, 'move')} in a game; perfect play: {VALUES[int(positions.minimax[0])]}\n"
        f"  checked and solved in {seconds:.1f} s"
    )
