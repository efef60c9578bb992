"""Interactive prompts: questions, answers and the loop of games, for the commands that a person plays with."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from menace.cli.terminal_output import say
from menace.errors import IllegalMove, InvalidBeads, StoreError
from menace.game_narration import told
from menace.wording import counted

if TYPE_CHECKING:
    from menace.people.session import Finished, Session

QUIT = "quit"
HELP = "help"
SHORT = {"q": QUIT, "exit": QUIT, "u": "undo", "h": "hint"}


def ask(question: str) -> str:
    """Return what a person types, in lower case and stripped; the end of the input means quit.

    Input from a pipe is echoed, so that the output reads as it would on a terminal.
    """
    try:
        answer = input(f"{question}: ").strip().lower()
    except EOFError:
        click.echo()
        return QUIT
    if not sys.stdin.isatty():
        click.echo(answer)
    return SHORT.get(answer, answer)


def confirm(question: str) -> bool:
    """Ask until a person answers yes or no; the end of the input means no."""
    while True:
        answer = ask(f"{question} (y/n)")
        if answer in {"y", "yes"}:
            return True
        if answer in {"n", "no", QUIT}:
            return False


def help_list(*lines: tuple[str, str]) -> str:
    """Return the help of a prompt: a line for each thing that can be typed, with its effect.

    >>> print(help_list(("hint", "what perfect play makes of each of your moves"), ("quit, q", "end here")))
    you can type
      hint     what perfect play makes of each of your moves
      quit, q  end here
    """
    width = max(len(typed) for typed, _ in lines)
    return "\n".join(["you can type", *(f"  {typed:{width}}  {does}" for typed, does in lines)])


def ask_for_move(
    question: str, answers: Mapping[str, Callable[[], str]], undo: Callable[[], object], move: Callable[[str], object]
) -> bool:
    """Ask until a move is made or taken back; return False if the person quits.

    Args:
        question: the text of the prompt.
        answers: functions that return the replies to input that is not a move.
        undo: takes a move back.
        move: makes the move that was typed. Raises IllegalMove or InvalidBeads if it is not possible.
    """
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
    result_text: Callable[[Finished], str],
    unrecorded_text: Callable[[], str],
) -> None:
    """Play the games of a session until the person stops.

    Args:
        session: the session.
        person: the person's name.
        play: plays one game, and returns whether to record it.
        result_text: returns the text after a recorded game.
        unrecorded_text: returns the text after a game that is not recorded.

    Raises:
        SystemExit: if a finished game could not be recorded.
    """
    try:
        while play():
            if (finished := _record(session)) is None:
                say(unrecorded_text())
                sys.exit(1)
            say(f"{result_text(finished)}\n\n{_score_text(session, person)}")
            if not confirm("another game?"):
                return
            session.begin()
        say(unrecorded_text())
    except (KeyboardInterrupt, click.Abort):
        if session.finished is None:
            raise click.Abort(unrecorded_text()) from None
        raise


def _score_text(session: Session, person: str) -> str:
    """Return the score of the recorded games of a session; `person` is the person's name."""
    won, lost = session.outcomes[session.person.outcome], session.outcomes[session.plays.outcome]
    score = told("score", person=person, persons=f"{won:,}", name=session.opponent, machines=f"{lost:,}")
    if session.game.positions.has_draws:
        score = told("score_with_draws", score=score, draws=counted(session.outcomes["draw"], "draw"))
    return f"score: {score}"


def _record(session: Session) -> Finished | None:
    """Record a finished game; if that fails, the person can try again. Return None if it is not recorded.

    Only a person at a terminal is asked: input from a pipe, or typed ahead, was meant for another question.
    """
    while True:
        try:
            return session.finish()
        except StoreError as error:
            say(told("not_recorded", error=error), err=True)
            if not sys.stdin.isatty():
                return None
            _discard_typed_ahead()
            if not confirm("try again?"):
                return None


def _discard_typed_ahead() -> None:
    """Discard input that was typed before the question was asked."""
    try:
        import termios
    except ImportError:  # not a Unix terminal
        return
    with contextlib.suppress(termios.error, OSError, ValueError):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
