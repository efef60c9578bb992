"""Commands for whoever writes a game: new-game, check."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from menace.cli import completion_candidates
from menace.cli.options import examples
from menace.cli.terminal_output import say
from menace.wording import VALUES, counted

if TYPE_CHECKING:
    from menace.games.base import Game


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
@click.argument("game", shell_complete=completion_candidates.games)
@click.argument("variants", nargs=-1, metavar="[VARIANT]...", shell_complete=completion_candidates.variants)
def check(game: str, variants: tuple[str, ...]) -> None:
    """Say what holds of GAME, or which law of games it breaks, on which board; and count its positions.

    GAME is FILE.py:CLASS, or a game's name; without a VARIANT its default is checked.
    """
    from menace.games import get_game
    from menace.testing import laws_of

    games = [get_game(game, variant) for variant in variants or (None,)]
    for rules in games:
        say(_report(rules))
    say("\nwhat holds:")
    for law in laws_of(games[0]):
        say(f"  {law}")


def _report(game: Game) -> str:
    """Return how much of a game was checked, and what it is. Raises InvalidGame if it breaks a law, or is too large."""
    from menace.games.enumeration import enumerate_positions
    from menace.ledger.database_file import positions_most
    from menace.testing import check_game

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
