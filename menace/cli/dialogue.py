"""Ask a person for input, play games with a person, and explain a machine's moves."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from menace.cli.terminal import say, table
from menace.errors import IllegalMove, InvalidBeads, StoreError
from menace.games.base import Game, join_names, moves_are_cells, row_and_column_hint
from menace.text.narration import told
from menace.text.wording import counted, percent

if TYPE_CHECKING:
    from menace.analysis.position import PositionView
    from menace.learners.box import Box, Move
    from menace.learners.policy import PolicyName
    from menace.ledger.log.recorded_game import Change
    from menace.people.session import Finished, Session


QUIT = "quit"
HELP = "help"
ABBREVIATIONS = {"q": QUIT, "exit": QUIT, "u": "undo", "h": "hint"}


def ask(question: str) -> str:
    """Ask a question, and return the answer, stripped and in lower case. The end of the input counts as `quit`.

    Input from a pipe is echoed, so the output looks the same as on a terminal. Abbreviations such as `q` are expanded.
    """
    try:
        answer = input(f"{question}: ").strip().lower()
    except EOFError:
        click.echo()
        return QUIT
    if not sys.stdin.isatty():
        click.echo(answer)
    return ABBREVIATIONS.get(answer, answer)


def confirm(question: str) -> bool:
    """Ask until the person answers yes or no, and return whether the answer was yes. The end of input counts as no."""
    while True:
        answer = ask(f"{question} (y/n)")
        if answer in {"y", "yes"}:
            return True
        if answer in {"n", "no", QUIT}:
            return False


def help_list(*lines: tuple[str, str]) -> str:
    """Return the help for a prompt, with one line for each possible input and its effect.

    >>> print(help_list(("hint", "show the result of each move under perfect play"), ("quit, q", "stop")))
    you can type:
      hint     show the result of each move under perfect play
      quit, q  stop
    """
    width = max(len(typed) for typed, _ in lines)
    return "\n".join(["you can type:", *(f"  {typed:{width}}  {does}" for typed, does in lines)])


def board_drawing(rules: Game, board: str) -> str:
    """Return the board as lines of text; on a terminal, marks are bold and the numbers of empty cells are dim."""
    return "".join(
        click.style(c, bold=True) if c in "XO" else click.style(c, dim=True) if c.isdigit() else c
        for c in rules.draw(board)
    )


def move_example(rules: Game) -> str:
    """Return a description of how people type a move in a game.

    >>> from menace.games import get_game
    >>> move_example(get_game()), move_example(get_game("hexapawn"))
    ('a cell (its number, or row,column)', 'a move (such as a1-a2)')
    """
    actions = rules.actions(rules.initial)
    if moves_are_cells(rules, rules.initial, actions):
        return f"a cell (its number{row_and_column_hint(rules)})"
    return f"a move (such as {rules.name_of(rules.initial, actions[0])})"


def ask_for_move(
    question: str, answers: Mapping[str, Callable[[], str]], undo: Callable[[], object], move: Callable[[str], object]
) -> bool:
    """Ask until the person makes or undoes a move; return False if the person quits.

    Args:
        question: the text of the prompt.
        answers: maps inputs that are not moves to functions that return the reply.
        undo: undoes the last move.
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
        result_text: returns the text to print after a recorded game.
        unrecorded_text: returns the text to print after a game that is not recorded.

    Raises:
        SystemExit: if a finished game cannot be recorded.
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
    """Return the score of a session's recorded games as text; `person` is the person's name."""
    won, lost = session.outcomes[session.person.outcome], session.outcomes[session.plays.outcome]
    score = told("score", person=person, persons=f"{won:,}", name=session.opponent, machines=f"{lost:,}")
    if session.game.positions.has_draws:
        score = told("score_with_draws", score=score, draws=counted(session.outcomes["draw"], "draw"))
    return f"score: {score}"


def _record(session: Session) -> Finished | None:
    """Record a finished game; return None if recording fails and the person does not want to try again.

    Only a person at a terminal is asked to try again, because the next line from a pipe would answer a different
    question.
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
    """Discard input that was typed before the question appeared."""
    try:
        import termios
    except ImportError:  # on Windows
        return
    with contextlib.suppress(termios.error, OSError, ValueError):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def choice_text(view: PositionView, cell: int, explored: int, restocked: int, policy: PolicyName = "behaviour") -> str:
    """Explain a machine's move from the contents of the box before the move.

    Args:
        view: the position before the move.
        cell: an action on the board of `view`.
        explored: 1 if the machine explored, otherwise 0.
        restocked: 1 if the box was empty and was restocked before the move, otherwise 0.
        policy: how the machine played; a `greedy` move is not drawn at random.
    """
    if sum(len(move.cells) for move in view.moves) == 1:
        return told("only", kind=view.kind)
    box = view.box
    if box is None:
        return told("no_box", kind=view.kind)
    if explored:
        return told("explored", kind=view.kind)
    move = next(move for move in view.moves if cell in move.cells)
    share = percent(move.share or 0.0).strip()
    if not box.has_beads or (box.beads and move.share != box.share_of_beads(move)):
        held = _rank_text(box, move)
        return told("often", held=held, share=share) if policy == "behaviour" else held
    if not box.beads:
        return told("empty", kind=view.kind)
    before = f"{told('restocked')}: " if restocked else ""
    most = "" if policy == "behaviour" else f", {_best_text(box, move)}"
    clause = "only_bead" if box.beads == 1 else "one_bead" if move.beads == 1 else "beads"
    return f"{before}{told(clause, beads=f'{move.beads:,}', all=f'{box.beads:,}', share=share)}{most}"


def _rank_text(box: Box, move: Move) -> str:
    """Describe a move's beads or value, and say whether any other move had more."""
    text = counted(move.beads, "bead") if box.has_beads else f"{box.unit} {move.shown_amount:.3f}"
    best = move.amount == max(other.amount for other in box.moves)
    return f"{text}, {_best_text(box, move)}" if best else text


def _best_text(box: Box, move: Move) -> str:
    """Say that a move is one of the best, and how many other moves are equally good."""
    equal = [other.amount for other in box.moves].count(move.amount)
    return told("best") if equal == 1 else told("equal", others=equal - 1)


def changes_text(changes: tuple[Change, ...], game: Game) -> str:
    """Return a table of everything that a game changed in a machine's boxes."""
    put_back = any(change.put_back for change in changes)
    rows = []
    for change in changes:
        cells = join_names([game.name_of(change.board, cell) for cell in change.cells or ()])
        before, after = change.before, change.after
        if change.action is not None and float(before).is_integer() and float(after).is_integer():
            before, after = int(before), int(after)  # some machines store bead counts as floats
        learned = after - before - change.put_back
        sign = "+.4f" if isinstance(learned, float) else "+d"
        restocked = [change.put_back] if put_back else []
        rows.append((change.board, cells, before, *restocked, after, format(learned, sign) if learned else ""))
    of_cells = all(moves_are_cells(game, change.board, change.cells or ()) for change in changes)
    header = [
        "board",
        "cells" if of_cells else "moves",
        "before",
        *(["put back"] if put_back else []),
        "after",
        "learned",
    ]
    return table(header, rows)
