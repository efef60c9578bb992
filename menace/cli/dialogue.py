"""Questions and answers: what the commands share that a person types into."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from menace.cli.terminal import say
from menace.telling import told

if TYPE_CHECKING:
    from menace.people.session import Finished, Session

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


def moved(
    question: str, answers: Mapping[str, Callable[[], str]], undo: Callable[[], None], move: Callable[[str], None]
) -> bool:
    """Ask until a move is made or taken back; return False if whoever is asked quits.

    Args:
        question: that is asked.
        answers: what is said to answers that are no move.
        undo: takes a move back.
        move: makes the move that was typed. Raises IllegalMove, InvalidBeads: why it cannot be.
    """
    from menace.errors import IllegalMove, InvalidBeads

    while (answer := ask(question)) != QUIT:
        if answer in answers:
            say(answers[answer]())
            continue
        try:
            if answer == "undo":
                undo()
            else:
                move(answer)
        except (IllegalMove, InvalidBeads) as error:
            say(str(error))
        else:
            return True
    return False


def play_games(
    session: Session,
    person: str,
    play: Callable[[], bool],
    told: Callable[[Finished], str],
    left: Callable[[], str],
) -> None:
    """Play the games of a session until the person has had enough.

    Args:
        session: that has begun.
        person: what the person is called.
        play: plays one game, and returns whether it is to be recorded.
        told: says what a recorded game did.
        left: says what becomes of a game that is not recorded.

    Raises:
        SystemExit: if a finished game could not be recorded.
    """
    try:
        while play():
            if (finished := _recorded(session)) is None:
                say(left())
                sys.exit(1)
            say(f"{told(finished)}\n\n{_score_text(session, person)}")
            if not agreed("another game?"):
                return
            session.begin()
        say(left())
    except (KeyboardInterrupt, click.Abort):
        if session.finished is None:
            say(f"\n{left()}", err=True)
        raise


def _score_text(session: Session, person: str) -> str:
    """Say how the games of a session that are recorded have ended; `person` is what the person is called."""
    from menace.wording import counted

    won, lost = session.outcomes[session.person.outcome], session.outcomes[session.plays.outcome]
    score = told("score", person=person, persons=f"{won:,}", name=session.opponent, machines=f"{lost:,}")
    if session.game.positions.has_draws:
        score = told("score_with_draws", score=score, draws=counted(session.outcomes["draw"], "draw"))
    return f"score: {score}"


def _recorded(session: Session) -> Finished | None:
    """Record a finished game, once more if it cannot be and the person wants to; None if it is not recorded then.

    Only a person at a terminal is asked: what comes through a pipe, or was typed ahead, was meant as another answer.
    """
    from menace.errors import StoreError

    while True:
        try:
            return session.finish()
        except StoreError as error:
            say(told("not_recorded", error=error), err=True)
            if not sys.stdin.isatty():
                return None
            _forget_typed_ahead()
            if not agreed("try again?"):
                return None


def _forget_typed_ahead() -> None:
    """Let an answer be one to the question that is about to be asked."""
    try:
        import termios
    except ImportError:  # where there are other terminals
        return
    with contextlib.suppress(termios.error, OSError, ValueError):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
