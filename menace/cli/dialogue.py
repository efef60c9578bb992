"""Questions and answers: what the commands share that a person types into."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

import click

from menace.cli.terminal import say
from menace.telling import told

if TYPE_CHECKING:
    from menace.people.play import Finished, Sitting

QUIT = "quit"
HELP = "help"
SHORT = {"q": QUIT, "exit": QUIT, "u": "undo", "h": "hint"}


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


def help_list(*lines: tuple[str, str]) -> str:
    """Return what can be typed, a line each, with what it does.

    >>> print(help_list(("hint", "what perfect play makes of each of your moves"), ("quit, q", "end here")))
    you can type
      hint     what perfect play makes of each of your moves
      quit, q  end here
    """
    width = max(len(typed) for typed, _ in lines)
    return "\n".join(["you can type", *(f"  {typed:{width}}  {does}" for typed, does in lines)])


def score_text(sitting: Sitting, person: str) -> str:
    """Say how the games of a sitting that are recorded have ended; `person` is what the person is called."""
    from menace.wording import counted

    won, lost = sitting.outcomes[sitting.person.outcome], sitting.outcomes[sitting.plays.outcome]
    score = told("score", person=person, persons=f"{won:,}", name=sitting.opponent, machines=f"{lost:,}")
    if sitting.game.positions.has_draws:
        score = told("score_with_draws", score=score, draws=counted(sitting.outcomes["draw"], "draw"))
    return f"score: {score}"


class NotRecordedError(Exception):
    """A finished game could not be recorded, and whoever played it knows."""


def recorded(sitting: Sitting) -> Finished:
    """Record a finished game, once more if it cannot be and the person wants to.

    Only a person at a terminal is asked: what comes through a pipe, or was typed ahead, was meant as another answer.

    Raises:
        NotRecordedError: if it was not recorded.
    """
    from menace.errors import StoreError

    while True:
        try:
            return sitting.finish()
        except StoreError as error:
            say(told("not_recorded", error=error), err=True)
            if not sys.stdin.isatty():
                raise NotRecordedError from None
            _forget_typed_ahead()
            if not agreed("try again?"):
                raise NotRecordedError from None


def _forget_typed_ahead() -> None:
    """Let an answer be one to the question that is about to be asked."""
    try:
        import termios
    except ImportError:  # where there are other terminals
        return
    with contextlib.suppress(termios.error, OSError, ValueError):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
