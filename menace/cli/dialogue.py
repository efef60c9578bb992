"""Questions and answers: what the commands share that a person types into."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from menace.play import Finished, Sitting

QUIT = "quit"
SHORT = {"q": QUIT, "exit": QUIT, "u": "undo", "h": "hint", "help": "?"}


def ask(question: str) -> str:
    """Return what a person types, in lower case and without spaces around; the end of the input is to quit.

    What comes through a pipe is printed, so that what is printed reads as it would on a terminal.
    """
    try:
        answer = input(f"{question}: ").strip().lower()
    except EOFError:
        click.echo()
        return QUIT
    if not sys.stdin.isatty():
        click.echo(answer)
    return SHORT.get(answer, answer)


def agreed(question: str) -> bool:
    """Ask until a person says yes or no; the end of the input is a no."""
    while True:
        answer = ask(f"{question} (y/n)")
        if answer in {"y", "yes"}:
            return True
        if answer in {"n", "no", QUIT}:
            return False


def recorded(sitting: Sitting) -> Finished | None:
    """Record a finished game, once more if it cannot be and the person wants to; None if it was not."""
    from menace.errors import StoreError

    while True:
        try:
            return sitting.finish()
        except StoreError as error:
            click.echo(f"the game is not recorded: {error}", err=True)
            if not agreed("try again?"):
                return None
