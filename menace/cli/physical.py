"""The command `physical`, which guides an operator through games with a machine of real matchboxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from menace.cli import completion_candidates
from menace.cli.dialogue import HELP, QUIT, ask, ask_for_move, play_games
from menace.cli.options import database_option, examples, naming_options
from menace.cli.terminal_output import say
from menace.errors import InvalidBeads
from menace.game_narration import ended, told
from menace.wording import command_text, turned

if TYPE_CHECKING:
    from menace.analysis.bead_names import BeadNames
    from menace.games.base import Board
    from menace.learners.box import Box, Move
    from menace.naming_schemes import Scheme
    from menace.people.physical import BoxToOpen
    from menace.people.session import Finished, Session

MACHINE_HELP = {
    True: "type the bead's colour, or the number of its cell on the box; undo or quit",
    False: "type the bead's colour, its number on the box, or its move; undo or quit",
}
PERSON_HELP = {
    True: "type {person}'s cell (its number on the board{or_row_and_column}); undo or quit",
    False: "type {person}'s move; undo or quit",
}


@click.command(
    short_help="Lead through a game with the real boxes.",
    epilog=examples("menace physical menace-x", "menace physical adam --name Anna"),
)
@click.argument("name", shell_complete=completion_candidates.learners)
@click.option("--name", "person_name", metavar="NAME", help="What the opponent is called; it is kept with the games.")
@naming_options
@database_option
def physical(name: str, person_name: str | None, colours: Scheme | None, numbering: Scheme | None, db: str) -> None:
    """Lead an operator through a game with the real boxes of the machine NAME, and keep its database in step.

    It says which box to open, asks which bead rolled out, shows the move on the actual board, and at the end which
    beads to add or to take away; then it offers another game. A game that is abandoned changes nothing.
    """
    from menace.analysis.bead_names import BeadNames
    from menace.ledger.database_file import open_database
    from menace.people.physical import physical_session

    with open_database(db) as store:
        store.use_writer_timeout()
        session = physical_session(store, name, person=person_name)
        game = session.game
        names = BeadNames(game.positions, store.learner(name).naming.but(colours, numbering))
        for box in game.at_board.matchboxes:  # a box without enough colours is refused before the game begins
            names.beads(box.board, [move.action for move in box.moves])
        say(f"{name} plays {session.plays}, {_opponent_name(session)} {session.person}")
        play_games(
            session,
            _opponent_name(session),
            lambda: _play_game(session, names),
            lambda finished: _instructions(session, names, finished),
            lambda: _put_back_text(session),
        )


def _opponent_name(session: Session) -> str:
    """Return the name of the machine's opponent."""
    return session.name or "the opponent"


def _play_game(session: Session, names: BeadNames) -> bool:
    """Guide the operator through a game; return whether to record it: False if the operator quits."""
    game = session.game
    while True:
        while game.outcome is None:
            say(f"\n{names.draw(game.board)}\n")
            if not (_opponents_turn(session, names) if game.persons_turn else _machines_turn(session, names)):
                return False
        say(f"\n{names.draw(game.board)}\n\n{_outcome_text(session)}")
        answer = ask("record this game? (y, undo or quit)")
        if answer in {"y", "yes"}:
            return True
        if answer == "undo" and game.plies:
            _take_back(session, names)
        elif answer == QUIT:
            return False


def _opponents_turn(session: Session, names: BeadNames) -> bool:
    """Ask for the opponent's move; return False if the operator quits."""
    from menace.games.boards_as_text import or_row_and_column

    def move(text: str) -> None:
        session.game.person_moves(names.move(session.game.board, text))

    person, way = _opponent_name(session), or_row_and_column(names.game)
    help_text = PERSON_HELP[names.of_cells].format(person=person, or_row_and_column=way)
    return _ask_for_move(f"{person}'s move ({session.person})", help_text, session, names, move)


def _machines_turn(session: Session, names: BeadNames) -> bool:
    """Ask for the bead that is drawn from the box, or move without one; return False if the operator quits."""
    from menace.people.physical import box_to_open

    opening = box_to_open(session.game)
    if opening is None:
        _move_without_bead(session, names)
        return True
    say(_opening_text(opening, names))
    help_text = MACHINE_HELP[names.of_cells]
    return _ask_for_move(
        "which bead rolled out", help_text, session, names, lambda bead: _draw(session, names, opening, bead)
    )


def _ask_for_move(
    question: str, help_text: str, session: Session, names: BeadNames, move: Callable[[str], None]
) -> bool:
    return ask_for_move(
        question, dict.fromkeys(["", "?", HELP], lambda: help_text), lambda: _take_back(session, names), move
    )


def _draw(session: Session, names: BeadNames, opening: BoxToOpen, bead: str) -> None:
    """Make the move of the bead that rolled out. Raises InvalidBeads if the box should not hold it."""
    box = opening.box
    action = names.bead(box.board, bead)
    held = [move for move in box.moves if move.beads]
    if action not in {move.action for move in held}:
        bead, piles = names.describe(box.board, action), _piles_text(box, held, names)
        raise InvalidBeads(
            f"box {box.number} should hold no {bead} bead, only {piles}:"
            " draw another; or quit, and `menace recount` what it holds"
        )
    ply = session.game.bead_drawn(action)
    turned = f" ({_move_text(names, box.board, action)} on the box)" if opening.turning is not None else ""
    say(f"{session.opponent} plays {_move_text(names, ply.board, ply.action)}{turned}")


def _move_text(names: BeadNames, board: Board, action: int) -> str:
    return f"cell {names.name(board, action)}" if names.of_cells else names.name(board, action)


def _move_without_bead(session: Session, names: BeadNames) -> None:
    name, game = session.opponent, session.game
    choices = game.positions.cells[game.position]
    ply = game.machine_moves()
    if ply is None:
        say(f"{name}'s box for this board is empty, so it resigns")
        return
    move, kind = names.name(ply.board, ply.action), "cell" if names.of_cells else "move"
    if choices == 1:
        only = _move_text(names, ply.board, ply.action)
        say(f"{name} plays {only}, the only one left; it needs no box for that")
    elif not ply.learned:
        say(f"{name}'s box for this board is empty, so it takes a {kind} at random: {move}")
    else:
        say(f"{name} has no box for this board, so it takes a {kind} at random: {move}")


def _opening_text(opening: BoxToOpen, names: BeadNames) -> str:
    """Return the text that says which box to open, what it shows, and what it should hold."""
    box = opening.box
    drawing = [f"     {line}" for line in names.draw(box.board).splitlines()]
    piles = _piles_text(box, box.moves, names)
    lines = [f"open box {box.number} (stage {box.stage}); it shows", *drawing]
    if opening.turning is not None:
        lines.append(f"     ({turned(opening.turning)})")
    if opening.restocked:
        lines.append(f"it is empty: put its first beads back, {piles}; then shake it, and draw")
    else:
        lines.append(f"it holds {piles}")
    return "\n".join(lines)


def _piles_text(box: Box, moves: Iterable[Move], names: BeadNames) -> str:
    return ", ".join(f"{move.beads:,} {names.describe(box.board, move.action)}" for move in moves)


def _take_back(session: Session, names: BeadNames) -> None:
    """Take back the operator's last entry, with the machine's own moves since."""
    from menace.people.physical import restocked_boxes

    game = session.game
    before = restocked_boxes(game)
    ply = game.take_back()
    while ply.by_machine and ply.numbers and game.plies:
        ply = game.take_back()
    who = session.opponent if ply.by_machine else _opponent_name(session)
    move, bead = names.name(ply.board, ply.action), "; put its bead back" if ply.by_machine else ""
    say(f"{who}'s move {move} is taken back{bead}")
    still = {box.number for box in restocked_boxes(game)}
    for box in before:
        if box.number not in still:
            say(f"take the first beads out of box {box.number} again: it was empty")


def _put_back_text(session: Session) -> str:
    """Return the instructions for the beads of a game that is abandoned."""
    from menace.people.physical import restocked_boxes

    what = "nothing was recorded" if session.run is None else "this game was not recorded"
    lines = [f"{what}; put every bead back into the box it came from"]
    boxes = restocked_boxes(session.game)
    lines += [f"take the first beads out of box {box.number} again: it was empty" for box in boxes]
    return "\n".join(lines)


def _outcome_text(session: Session) -> str:
    outcome = session.game.outcome
    return ended(str(outcome), _opponent_name(session) if outcome == session.person else session.opponent)


def _instructions(session: Session, names: BeadNames, finished: Finished) -> str:
    """Return the instructions after a game: for each box the beads to add or to take away."""
    from menace.people.physical import bead_changes

    lines = [told("recorded", game=finished.game_id)]
    changes = bead_changes(session.game)
    if changes:
        lines.append("put each bead back into the box that it rolled out of, and then:")
    else:
        lines.append("put each bead back into the box that it rolled out of; nothing else changes")
    for change in changes:
        verb = "add" if change.beads > 0 else "take away"
        which = f"box {change.box.number} ({change.box.board})"
        lines.append(f"  {which}: {verb} {abs(change.beads)} {names.describe(change.box.board, change.action)}")
    if finished.taught_meanwhile:
        lines.append(
            f"others have taught {session.opponent} in the database meanwhile, so its real boxes are out of date"
            f" (`{command_text('contents', session.opponent, db=session.store.path)}` prints what they should hold)"
        )
    return "\n".join(lines)
