"""The commands play, games, replay, history and forget."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from menace.cli.shared import completion
from menace.cli.shared.dialogue import HELP, ask_for_move, changes_text, choice_text, confirm, help_list, play_games
from menace.cli.shared.options import check_function, database_option, examples, form_options, opened, side
from menace.cli.shared.terminal import print_records, say, table, table_text
from menace.errors import InvalidBox, InvalidPlayer, UnknownLearner
from menace.text.narration import ended, lesson, told
from menace.text.wording import VERDICTS_ON_SEVERAL, Form, command_text, counted

if TYPE_CHECKING:
    from menace.analysis.history import RecordedDraw, ReplayedGame, ReplayedPly
    from menace.analysis.position import PositionView
    from menace.games.base import Game
    from menace.learners.policy import PolicyName
    from menace.ledger.log.undo import Lesson
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
@click.argument("name", required=False, shell_complete=completion.players)
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
    from menace.arena.play import check_seed
    from menace.games.base import Side
    from menace.games.plugins import is_file
    from menace.learners.opponents.fixed import check_fixed, is_fixed
    from menace.learners.registry import check_name
    from menace.ledger.database_file import is_vacant, open_database, open_or_create_database
    from menace.ledger.function_players import player_name
    from menace.ledger.rules import rules_of
    from menace.ledger.runs import default_opponent
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
    from menace.games.base import moves_are_cells, row_and_column_hint

    rules = session.game.rules
    if moves_are_cells(rules, rules.initial, rules.actions(rules.initial)):
        return BRIEF_HELP.format(f"a cell (its number{row_and_column_hint(rules)})")
    return BRIEF_HELP.format(f"a move (such as {rules.name_of(rules.initial, rules.actions(rules.initial)[0])})")


def _full_help_text(session: Session) -> str:
    """Return the help on everything that can be typed on the person's turn."""
    from menace.games.base import moves_are_cells, row_and_column_hint

    game = session.game
    actions = game.rules.actions(game.board)
    first = game.rules.name_of(game.board, actions[0])
    if moves_are_cells(game.rules, game.board, actions):
        move = ("a cell", f"its number on the board (such as {first}){row_and_column_hint(game.rules)}")
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
    from menace.analysis.history import recorded_draws
    from menace.analysis.position import show
    from menace.cli.commands.show import position_text

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
    from menace.cli.shared.terminal import table

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
    from menace.games.base import join_names

    by_verdict: dict[str, dict[int, str]] = {verdict: {} for verdict in VERDICTS_ON_SEVERAL}
    for move in show(store, board).moves:
        by_verdict[move.verdict] |= dict(zip(move.cells, move.names, strict=True))
    parts = [
        f"{join_names([names[cell] for cell in sorted(names)])}"
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


GAMES_SHOWN = 60  # entries that are listed


@click.command(
    epilog=examples(
        "menace games",
        "menace games --learner menace-x",
        "menace games --csv > games.csv",
        "menace games --run 1 --first 137",
        "menace games --run 1 --first 1 --count 1000 --csv > games.csv",
    )
)
@click.option("--learner", metavar="NAME", shell_complete=completion.learners, help="Only its games.")
@click.option("--run", "run_id", type=int, metavar="N", help="The games of a run between machines, played again.")
@click.option("--first", type=int, default=1, metavar="N", help="--run: from its game number N on.  [default: 1]")
@click.option("--count", type=int, default=10, metavar="N", help="--run: how many.  [default: 10]")
@form_options()
@database_option
def games(learner: str | None, run_id: int | None, first: int, count: int, form: Form | None, db: str) -> None:
    """List the recorded games: those that people finished; or with --run, games between machines.

    Those are not recorded: they are played again from the log, to the bit.
    """
    if run_id is not None:
        _print_games_of_run(db, run_id, first, count, form)
        return
    from menace.analysis.listings import list_games

    with opened(db) as store:
        listed = list_games(store, learner)
    if form is not None:
        print_records(listed.table(), form)
    elif listed:
        say(table_text(listed.in_words()))
    else:
        say("no recorded games yet; `menace play` plays one")


def _print_games_of_run(db: str, run_id: int, first: int, count: int, form: Form | None) -> None:
    from menace.analysis.listings import list_games_of_run

    with opened(db) as store:
        listed = list_games_of_run(store, run_id, first, count)
    if form is not None:
        print_records(listed.table(), form)
    else:
        say(table_text(listed.in_words()))


@click.command(short_help="Show a recorded game, with the beads as they were.", epilog=examples("menace replay 1"))
@click.argument("game_id", metavar="GAME", type=int)
@database_option
def replay(game_id: int, db: str) -> None:
    """Show a recorded GAME move by move, with the machine's boxes as they were then, rebuilt from the log."""
    from menace.analysis.history import replay_game
    from menace.analysis.listings import players_in_words
    from menace.ledger.rules import rules_of

    with opened(db) as store:
        replayed = replay_game(store, game_id)
        game = rules_of(store).game
    (x, o), outcome = players_in_words(replayed), replayed.game.outcome
    policy: PolicyName = "greedy" if replayed.greedy else "behaviour"
    say(f"game {game_id}: {x} (X) against {o} (O), {replayed.played_at}")
    for number, ply in enumerate(replayed.plies, start=1):
        say(f"\n{game.draw(ply.board)}\n\n{_ply_text(number, ply, game, policy)}")
    end = ended(outcome)
    if replayed.game.ended_by == "resignation":
        end = told("by_resignation", end=end)
    say(f"\n{game.draw(replayed.last_board)}\n\n{end}; {_lesson_text(replayed, game)}")


def _lesson_text(replayed: ReplayedGame, game: Game) -> str:
    """Return what a recorded game taught, in the words that are used at the end of a game."""
    learner = next((ply.player for ply in replayed.plies if ply.saw is not None), None)
    if learner is None or not (replayed.run.x_learns or replayed.run.o_learns):
        return told("nobody_learned")
    if not replayed.changes:
        return told("changed_nothing", name=learner)
    learned = told("learned", name=learner)
    if replayed.taken_back:
        learned = told("learned_back", learned=learned)
    return f"{learned}:\n{changes_text(replayed.changes, game)}"


def _ply_text(number: int, ply: ReplayedPly, game: Game, policy: PolicyName) -> str:
    """Return who made a ply and, for a learner, the contents of its box."""
    from menace.cli.commands.show import moves_table

    player = f"{number}. {ply.player} ({ply.side})"
    if ply.action is None:
        return f"{player} {'resigns' if ply.saw is None else 'has an empty box, and resigns'}"
    if ply.saw is None:
        return told("plays", name=player, move=game.name_of(ply.board, ply.action))
    why = choice_text(ply.saw, ply.action, ply.explored, ply.restocked, policy)
    title = f"{told('plays', name=player, move=game.name_of(ply.board, ply.action))}: {why}"
    return f"{title}\n\n{moves_table(ply.saw)}" if ply.saw.box is not None else title


@click.command(
    short_help="Show how a box came to be.",
    epilog=examples(
        "menace history ......... --learner menace-x",
        "menace history 57 --learner adam",
        "menace history ......... --learner menace-x --csv > first-box.csv",
    ),
)
@click.argument("board")
@click.option(
    "--learner",
    metavar="NAME",
    shell_complete=completion.learners,
    help="Whose box it is.  [default: the only machine's whose turn it is]",
)
@form_options()
@database_option
def history(board: str, learner: str | None, form: Form | None, db: str) -> None:
    """Show how a machine's box came to be: as it began, and after each step of the log that changed it.

    BOARD is a board, or the number of the box on its label.
    """
    from menace.analysis.listings import list_history

    with opened(db) as store:
        learner = learner if learner is not None else _only_learner_for(store, board)
        moments = list_history(store, board, learner)
    if form is not None:
        print_records(moments.table(), form)
        return
    say(f"{moments[0].view.drawing}\n\n{table_text(moments.in_words())}")


def _only_learner_for(store: Store, board: str) -> str:
    """Return the name of the only learner of the side that moves on a board; the only one, if it is a box's number.

    Raises:
        InvalidBoard, UnreachableBoard: if it is not a board, or one that no game reaches.
        InvalidPlayer: if the game is over there.
        UnknownLearner: if there is not exactly one.
    """
    from menace.analysis.position import show

    try:
        view = show(store, board)
    except InvalidBox:  # the number of a box, which any learner may have
        names, playing = [row.name for row in store.learners()], ""
    else:
        if view.to_move is None:
            raise InvalidPlayer(f"no machine has a box for {view.board}: the game is over there")
        names, playing = [row.name for row in store.learners() if row.plays == view.to_move], f" to play {view.to_move}"
    if len(names) != 1:
        there = ", ".join(names) or "none yet (`menace new` makes one)"
        raise UnknownLearner(f"say whose box it is with --learner; there are{playing}: {there}")
    return names[0]


@click.command(
    short_help="Take back a machine's last game or recount.",
    epilog=examples("menace forget menace-x", "menace forget menace-x --yes"),
)
@click.argument("name", required=False, metavar="[NAME]", shell_complete=completion.learners)
@click.option("--yes", is_flag=True, help="Take it back without asking.")
@database_option
def forget(name: str | None, yes: bool, db: str) -> None:
    """Take back what the machine NAME learned last, from a recorded game or from a recount.

    Without NAME it is the machine that a person taught last. The game stays recorded, and the log says that it was
    taken back. Once more takes back what was learned before it. What a run of training taught stays.
    """
    from menace.ledger.log import undo

    with opened(db) as store:
        lesson = undo.last_lesson(store, name)
        learner = lesson.learner.name
        say(f"{learner} learned last from {lesson.what}, {lesson.block.created_at}\n\n{_undone_text(lesson)}")
        if not yes and not confirm(f"take that back from {learner}?"):
            say("nothing was taken back")
            return
        block_id = undo.forget(store, lesson)
    say(f"taken back as block {block_id}")


def _undone_text(lesson: Lesson) -> str:
    """Return what would be undone, as a table, and the learner's numbers of games before and after."""
    from menace.games.base import join_names

    game, entries = lesson.learner.positions.game, list(lesson.entries)
    rows: list[tuple[object, ...]] = [
        (board, join_names([game.name_of(board, action) for action in actions]), now, then)
        for board, actions, now, then in entries[:GAMES_SHOWN]
    ]
    if not any(actions for _, actions, _, _ in entries):  # values of positions
        rows, header = [(board, now, then) for board, _, now, then in rows], ["board", "now", "then"]
    else:
        header = ["board", "moves", "now", "then"]
    omitted = f"... and {len(entries) - GAMES_SHOWN:,} more\n" if len(entries) > GAMES_SHOWN else ""
    now, then = lesson.learner.learned.games, lesson.before.games
    games = f"games: {now:,} now, {then:,} then\n" if now != then else ""
    return f"{table(header, rows)}\n{omitted}{games}" if rows else games
