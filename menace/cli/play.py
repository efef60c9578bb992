"""The command `play`, for playing against a machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from menace.cli import completion_candidates
from menace.cli.dialogue import HELP, ask_for_move, help_list, play_games
from menace.cli.move_explanations import changes_text, choice_text
from menace.cli.options import database_option, examples, side
from menace.cli.player_arguments import check_function
from menace.cli.terminal_output import say
from menace.game_narration import ended, lesson, told
from menace.wording import VERDICTS_ON_SEVERAL, command_text, counted

if TYPE_CHECKING:
    from menace.analysis.history_from_log import RecordedDraw
    from menace.analysis.position import PositionView
    from menace.learners.policy import PolicyName
    from menace.ledger.store import Store
    from menace.people.game import GameUnderWay
    from menace.people.session import Finished, Session

BRIEF_HELP = "type {}, ?, hint, undo, quit or help"
SHOWN = 10  # recorded games that are listed for a box


@click.command(
    short_help="Play against a machine, and ask it why.",
    epilog=examples(
        "menace play",
        "menace play --as X --name Anna",
        "menace play menace-x --greedy --no-learning",
        "menace play perfect --as O",
    ),
)
@click.argument("name", required=False, shell_complete=completion_candidates.players)
@click.option("--as", "as_side", metavar="X|O", help="Your side; X begins.  [default: the one that it does not play]")
@click.option("--name", "person_name", metavar="NAME", help="What you are called; it is kept with your games.")
@click.option("--greedy", is_flag=True, help="Let a machine always play its best; it learns as usual.")
@click.option("--no-learning", is_flag=True, help="Record the game, but do not let the machine learn from it.")
@click.option(
    "--seed", type=int, default=None, metavar="N", help="With the same seed the same moves get the same answers."
)
@database_option
def play(
    name: str | None,
    as_side: str | None,
    person_name: str | None,
    greedy: bool,
    no_learning: bool,
    seed: int | None,
    db: str,
) -> None:
    """Play against the machine NAME (menace-x, or menace-o if you are X), or against random, optimal or perfect.

    NAME can also be a function in a Python file of yours, as ./my_player.py:novice.

    After each of its moves it says what it saw; ? shows its whole box, and the recorded games that filled it.
    A finished game is recorded, and learned from; one that you quit changes nothing.
    """
    from menace.arena.randomness import check_seed
    from menace.games.base import Side
    from menace.games.plugins import is_file
    from menace.learners.name_checks import check_name
    from menace.learners.opponents.fixed import check_fixed, is_fixed
    from menace.ledger.database_file import is_vacant, open_database, open_or_create_database
    from menace.ledger.player_names import player_name
    from menace.ledger.runs import default_opponent
    from menace.ledger.stored_rules import rules_of
    from menace.people.session import Session

    person = side(as_side, "--as") if as_side is not None else None
    if seed is not None:
        check_seed(seed)
    if person_name is not None:
        check_name(person_name)
    check_fixed(name or "")
    check_function(db, name or "", (person or Side.X).other)
    # A named learner cannot be in a database that does not exist yet.
    is_made = (name is None or is_fixed(name) or is_file(name)) and is_vacant(db)
    with (open_or_create_database if is_made else open_database)(db) as store:
        store.use_writer_timeout()
        if is_made:
            say(f"made {db}, a database of {rules_of(store).title}")
        if name is None:
            opponent = default_opponent(store, person)
            if not opponent.games:
                teach = command_text("selfplay", db=db)
                say(f"{opponent.name} has learned nothing yet (`{teach}` teaches it faster than people can)")
            name = opponent.name
        name = player_name(store, name, (person or Side.X).other)
        policy: PolicyName = "greedy" if greedy else "behaviour"
        session = Session(store, name, person, seed, person_name, policy, learns=not no_learning)
        never = ", and never learns" if isinstance(session.game.machine, str) else ""
        best = " at its best" if greedy else ""
        say(f"{session.opponent} plays {session.plays}{best}{never}; you play {session.person}")
        say(_help_text(session))
        play_games(
            session,
            session.name or "you",
            lambda: _play_game(session),
            lambda finished: _finished_text(session, finished),
            lambda: "nothing was recorded" if session.run is None else "this game was not recorded",
        )


def _help_text(session: Session) -> str:
    from menace.games.boards_as_text import is_of_cells, or_row_and_column

    rules = session.game.rules
    if is_of_cells(rules, rules.initial, rules.actions(rules.initial)):
        return BRIEF_HELP.format(f"a cell (its number{or_row_and_column(rules)})")
    return BRIEF_HELP.format(f"a move (such as {rules.name_of(rules.initial, rules.actions(rules.initial)[0])})")


def _full_help_text(session: Session) -> str:
    """Return the help on everything that can be typed on the person's turn."""
    from menace.games.boards_as_text import is_of_cells, or_row_and_column

    game = session.game
    actions = game.rules.actions(game.board)
    first = game.rules.name_of(game.board, actions[0])
    if is_of_cells(game.rules, game.board, actions):
        move = ("a cell", f"its number on the board (such as {first}){or_row_and_column(game.rules)}")
    else:
        move = ("a move", f"such as {first}")
    kept = " (finished games are kept)" if session.run is not None else ""
    return help_list(
        move,
        ("?", f"what {session.opponent} saw before its last move, and its whole box"),
        ("hint, h", "what perfect play makes of each of your moves"),
        ("undo, u", "take your last move back, and the answer to it"),
        ("quit, q", f"end here: this game is not recorded{kept}"),
        ("help", "this list"),
    )


def _play_game(session: Session) -> bool:
    """Play one game; return whether it was finished."""
    game = session.game
    session.answer()
    _say_answer(session)
    while game.outcome is None:
        say(f"\n{board_text(game)}\n")
        if not _persons_turn(session):
            return False
    say(f"\n{board_text(game)}\n")
    return True


def _persons_turn(session: Session) -> bool:
    """Ask until the person has moved or taken a move back; return False if they quit."""

    def move(text: str) -> None:
        session.move(text)
        _say_answer(session)

    answers: dict[str, Callable[[], str]] = {
        "": lambda: _help_text(session),
        HELP: lambda: _full_help_text(session),
        "?": lambda: _box_text(session),
        "hint": lambda: hint_text(session.store, session.game.board),
    }
    return ask_for_move(f"your move ({session.person})", answers, session.undo, move)


def board_text(game: GameUnderWay) -> str:
    """Return the board, on a terminal with the marks bold and the numbers of empty cells dim."""
    text = game.rules.draw(game.board)
    return "".join(
        click.style(c, bold=True) if c in "XO" else click.style(c, dim=True) if c.isdigit() else c for c in text
    )


def _say_answer(session: Session) -> None:
    """Print in one line what the machine saw and played, if it moved last."""
    name, game = session.opponent, session.game
    if game.resigned:
        say(told("resigns", name=name))
    elif game.plies and (ply := game.plies[-1]).by_machine:
        why = (
            ""
            if ply.saw is None
            else f": {choice_text(ply.saw, ply.action, ply.explored, ply.restocked, session.policy)}"
        )
        say(told("plays", name=name, move=game.rules.name_of(ply.board, ply.action)) + why)


def _box_text(session: Session) -> str:
    """Return the box of the machine's last move, with the verdicts of perfect play and the games that taught it."""
    from menace.analysis.history_from_log import recorded_draws
    from menace.analysis.position import show
    from menace.cli.position_text import position_text

    plies = [ply for ply in session.game.plies if ply.by_machine]
    if not plies:
        return f"{session.opponent} has not moved yet"
    last = plies[-1]
    view = last.saw or show(session.store, last.board)
    move = session.game.rules.name_of(last.board, last.action)
    title = f"what {session.opponent} saw before it played {move}:\n\n{position_text(view)}"
    machine = session.game.machine
    if isinstance(machine, str) or view.box is None:
        return title
    draws = recorded_draws(session.store, machine.learner_id, last.position)
    return f"{title}\n\n{_draws_text(view, draws, machine.algorithm.of_positions)}"


def _draws_text(view: PositionView, draws: list[RecordedDraw], of_positions: bool) -> str:
    """Return the latest recorded games that taught a box, and the number of other games that did.

    Values of positions change in other ways than by the move that was made, so that no number of games follows.
    """
    from menace.cli.tables_and_bars import table

    others = max(sum(move.count for move in view.moves) - len(draws), 0)
    machines = f"{counted(others, 'game')} between machines" if others else ""
    if of_positions and others:
        machines = "games between machines (not recorded one by one)"
    if not draws:
        return f"taught by {machines}, and none with people" if others else "no game has taught this"
    cells = {move.action: move.text for move in view.moves}
    latest = draws[: -SHOWN - 1 : -1]
    rows = [(draw.game.game_id, cells[draw.action], draw.result, draw.run.started_at) for draw in latest]
    more = f", the latest {SHOWN} of which are" if len(draws) > SHOWN else ""
    lines = table(["game", "picked", "result", "played"], rows)
    return f"taught by {machines}{' and ' if others else ''}{counted(len(draws), 'game')} with people{more}:\n{lines}"


def hint_text(store: Store, board: str) -> str:
    """Return the results of the person's moves under perfect play.

    >>> hint_text(store, "X........")
    'hint: against perfect play 4 draws; 1 2 3 5 6 7 8 lose'
    """
    from menace.analysis.position import show
    from menace.games.boards_as_text import joined

    by_verdict: dict[str, dict[int, str]] = {verdict: {} for verdict in VERDICTS_ON_SEVERAL}
    for move in show(store, board).moves:
        by_verdict[move.verdict] |= dict(zip(move.cells, move.names, strict=True))
    parts = [
        f"{joined([names[cell] for cell in sorted(names)])}"
        f" {result if len(names) == 1 else VERDICTS_ON_SEVERAL[result]}"
        for result, names in by_verdict.items()
        if names
    ]
    return f"hint: against perfect play {'; '.join(parts)}"


def _finished_text(session: Session, finished: Finished) -> str:
    """Return how the game ended, and what it changed in which boxes."""
    end = told("you_won") if finished.outcome == session.person else ended(finished.outcome, session.opponent)
    recorded = told("recorded", game=finished.game_id)
    title = lesson(recorded, session.opponent, learns=session.learns, changes=bool(finished.changes))
    if not session.learns or not finished.changes:
        return f"{end}; {title}"
    if finished.taught_meanwhile:
        title = told("meanwhile", learns=title)
    return f"{end}; {title}:\n{changes_text(finished.changes, session.game.rules)}"
