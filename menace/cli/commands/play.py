"""Define the commands play, games, replay, history and forget."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from menace.cli import completion, dialogue, options
from menace.cli.terminal import print_report, say, table
from menace.errors import InvalidBox, InvalidPlayer, UnknownLearner
from menace.games.base import Game, Side, SideText, join_names, moves_are_cells, row_and_column_hint
from menace.games.plugins import is_file
from menace.text.narration import ended, lesson, told
from menace.text.wording import VERDICTS_ON_SEVERAL, Form, command_text, counted

if TYPE_CHECKING:
    from menace.analysis.history import RecordedDraw, ReplayedGame, ReplayedPly
    from menace.analysis.position import PositionView
    from menace.learners.policy import PolicyName
    from menace.ledger.log.replay import Lesson
    from menace.ledger.store import Store
    from menace.people.session import Finished, Session


BRIEF_HELP = "type {}, ?, hint, undo, quit or help"
MAX_LISTED_GAMES = 10  # maximum number of recorded games listed for a box


@options.command(
    "menace play",
    "menace play --as X --name Anna",
    "menace play menace-x --greedy --no-learning",
    "menace play perfect --as O",
    short_help="Play against a machine that explains its moves.",
)
@click.argument("name", required=False, shell_complete=completion.players)
@click.option(
    "--as", "as_side", metavar="X|O", help="Your side; X begins.  [default: the side that the machine does not play]"
)
@click.option("--name", "person_name", metavar="NAME", help="Your name, which is stored with your games.")
@options.greedy_option("Make the machine always play its best move; it still learns from the game.")
@click.option("--no-learning", is_flag=True, help="Record the game, but do not train the machine.")
@click.option(
    "--seed",
    type=int,
    default=None,
    metavar="N",
    help="Random seed. With the same seed, the machine gives the same replies to the same moves.",
)
@options.database_option
def play(
    name: str | None,
    as_side: str | None,
    person_name: str | None,
    policy: PolicyName,
    no_learning: bool,
    seed: int | None,
    db: str,
) -> None:
    """Play against the machine NAME. The default is menace-x, or menace-o if you play X.

    NAME can also be a fixed opponent such as random, optimal or perfect, or a function in your own Python file, such as
    ./my_player.py:novice.

    After each move, the machine shows the contents of the box that it used. Type ? to see the whole box and the
    recorded games that changed it. A finished game is recorded, and the machine learns from it. If you quit a game,
    nothing changes.
    """
    from menace.arena.play import check_seed
    from menace.learners.opponents.fixed import check_fixed, is_fixed
    from menace.learners.registry import check_name
    from menace.ledger import create_and_open, learners
    from menace.ledger.rules import rules_of
    from menace.people.session import Session

    person = options.parse_side(as_side, "--as") if as_side is not None else None
    if seed is not None:
        check_seed(seed)
    if person_name is not None:
        check_name(person_name)
    check_fixed(name or "")
    options.check_function(db, name or "", (person or Side.X).other)
    # If the player is a learner, do not create a database, because a new database would not contain the learner.
    is_made = (name is None or is_fixed(name) or is_file(name)) and create_and_open.is_missing_or_empty(db)
    with (create_and_open.open_or_create_database if is_made else create_and_open.open_database)(db) as store:
        store.use_writer_timeout()
        if is_made:
            say(f"created {db}, a database for {rules_of(store).title}")
        if name is None:
            name = _default_opponent_name(store, person, db)
        name = learners.player_name(store, name, (person or Side.X).other)
        session = Session(store, name, person, seed, person_name, policy, learns=not no_learning)
        never = " and never learns" if isinstance(session.game.machine, str) else ""
        best = ", always with its best move" if policy == "greedy" else ""
        say(f"{session.opponent} plays {session.plays}{best}{never}; you play {session.person}")
        say(_help_text(session))
        dialogue.play_games(
            session,
            session.name or "you",
            lambda: _play_game(session),
            lambda finished: _finished_text(session, finished),
            lambda: "nothing was recorded" if session.run is None else "this game was not recorded",
        )


def _default_opponent_name(store: Store, person: SideText | None, db: str) -> str:
    """Return the machine that a person plays against by default, and print a note if it is untrained."""
    from menace.ledger.runs import default_opponent

    opponent = default_opponent(store, person)
    if not opponent.games:
        teach = command_text("selfplay", db=db)
        say(f"{opponent.name} has learned nothing yet (`{teach}` trains it faster than people can)")
    return opponent.name


def _help_text(session: Session) -> str:
    return BRIEF_HELP.format(dialogue.move_example(session.game.rules))


def _full_help_text(session: Session) -> str:
    """Return a description of everything that the person can type on their turn."""
    game = session.game
    actions = game.rules.actions(game.board)
    first = game.rules.name_of(game.board, actions[0])
    if moves_are_cells(game.rules, game.board, actions):
        move = ("a cell", f"its number on the board (such as {first}){row_and_column_hint(game.rules)}")
    else:
        move = ("a move", f"such as {first}")
    kept = " (finished games stay recorded)" if session.run is not None else ""
    return dialogue.help_list(
        move,
        ("?", f"show the whole box that {session.opponent} used for its last move"),
        ("hint, h", "show the result of each of your moves under perfect play"),
        ("undo, u", "undo your last move and the reply to it"),
        ("quit, q", f"stop without recording this game{kept}"),
        ("help", "show this list"),
    )


def _play_game(session: Session) -> bool:
    """Play one game, and return whether it was played to the end."""
    game = session.game
    session.answer()
    _say_answer(session)
    while game.outcome is None:
        say(f"\n{dialogue.board_drawing(game.rules, game.board)}\n")
        if not _ask_for_move(session):
            return False
    say(f"\n{dialogue.board_drawing(game.rules, game.board)}\n")
    return True


def _ask_for_move(session: Session) -> bool:
    """Ask until the person makes or undoes a move; return False if the person quits."""

    def move(text: str) -> None:
        session.move(text)
        _say_answer(session)

    answers: dict[str, Callable[[], str]] = {
        "": lambda: _help_text(session),
        dialogue.HELP: lambda: _full_help_text(session),
        "?": lambda: _box_text(session),
        "hint": lambda: hint_text(session.store, session.game.board),
    }
    return dialogue.ask_for_move(f"your move ({session.person})", answers, session.undo, move)


def _say_answer(session: Session) -> None:
    """If the machine made the last move, print one line with that move and the reason for it."""
    name, game = session.opponent, session.game
    if game.resigned:
        say(told("resigns", name=name))
    elif game.plies and (ply := game.plies[-1]).by_machine:
        why = (
            ""
            if ply.saw is None
            else f": {dialogue.choice_text(ply.saw, ply.action, ply.explored, ply.restocked, session.policy)}"
        )
        say(told("plays", name=name, move=game.rules.name_of(ply.board, ply.action)) + why)


def _box_text(session: Session) -> str:
    """Return the box that the machine used for its last move, and the recorded games that changed it.

    The text shows each move with its result under perfect play.
    """
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
    return f"{title}\n\n{_draws_text(view, draws, machine.algorithm.values_positions)}"


def _draws_text(view: PositionView, draws: list[RecordedDraw], values_positions: bool) -> str:
    """Return a table of the latest recorded games that changed a box, with the number of other games that changed it.

    For a learner with position values, the other games cannot be counted, because each game can change a value several
    times.
    """
    others = max(sum(move.count for move in view.moves) - len(draws), 0)
    machines = f"{counted(others, 'game')} between machines" if others else ""
    if values_positions and others:
        machines = "games between machines (which are not recorded individually)"
    if not draws:
        return f"changed by {machines}, and by none with people" if others else "no game has changed this box"
    cells = {move.action: move.text for move in view.moves}
    latest = draws[: -MAX_LISTED_GAMES - 1 : -1]
    rows = [(draw.game.game_id, cells[draw.action], draw.result, draw.run.started_at) for draw in latest]
    more = f", the latest {MAX_LISTED_GAMES} of which are listed" if len(draws) > MAX_LISTED_GAMES else ""
    lines = table(["game", "picked", "result", "played"], rows)
    return f"changed by {machines}{' and ' if others else ''}{counted(len(draws), 'game')} with people{more}:\n{lines}"


def hint_text(store: Store, board: str) -> str:
    """Return a hint with the results of the person's moves under perfect play.

    >>> hint_text(store, "X........")
    'hint: against perfect play 4 draws; 1 2 3 5 6 7 8 lose'
    """
    from menace.analysis.position import show

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
    """Describe how the game ended, and how it changed the machine's boxes."""
    end = told("you_won") if finished.outcome == session.person else ended(finished.outcome, session.opponent)
    recorded = told("recorded", game=finished.game_id)
    title = lesson(recorded, session.opponent, learns=session.learns, changes=bool(finished.changes))
    if not session.learns or not finished.changes:
        return f"{end}; {title}"
    if finished.taught_meanwhile:
        title = told("meanwhile", learns=title)
    return f"{end}; {title}:\n{dialogue.changes_text(finished.changes, session.game.rules)}"


MAX_LISTED_ENTRIES = 60  # maximum number of entries that are listed before an undo


@options.command(
    "menace games",
    "menace games --learner menace-x",
    "menace games --csv > games.csv",
    "menace games --run 1 --first 137",
    "menace games --run 1 --first 1 --count 1000 --csv > games.csv",
)
@click.option(
    "--learner", metavar="NAME", shell_complete=completion.learners, help="List only the games of this machine."
)
@click.option("--run", "run_id", type=int, metavar="N", help="List games between machines, replayed from run N.")
@click.option("--first", type=int, default=1, metavar="N", help="With --run: the first game to list.  [default: 1]")
@click.option("--count", type=int, default=10, metavar="N", help="With --run: the number of games.  [default: 10]")
@options.form_options()
@options.with_database
def games(store: Store, learner: str | None, run_id: int | None, first: int, count: int, form: Form | None) -> None:
    """List the recorded games, which are all finished games against people; with --run, list games between machines.

    Games between machines are not recorded individually, but they can be replayed exactly from the log.
    """
    from menace.analysis import listings

    if run_id is not None:
        print_report(listings.list_games_of_run(store, run_id, first, count), form)
    else:
        none = "there are no recorded games yet; `menace play` starts one"
        print_report(listings.list_games(store, learner), form, none)


@options.command("menace replay 1", short_help="Show a recorded game move by move, with the boxes used.")
@click.argument("game_id", metavar="GAME", type=int)
@options.with_database
def replay(store: Store, game_id: int) -> None:
    """Show a recorded GAME move by move, with the machine's boxes as they were before each of its moves.

    The command rebuilds the contents of the boxes from the log.
    """
    from menace.analysis.history import replay_game
    from menace.analysis.listings import players_in_words
    from menace.ledger.rules import rules_of

    replayed = replay_game(store, game_id)
    game = rules_of(store).game
    (x, o), outcome = players_in_words(replayed), replayed.recorded.outcome
    policy: PolicyName = "greedy" if replayed.greedy else "behaviour"
    say(f"game {game_id}: {x} (X) against {o} (O), {replayed.played_at}")
    for number, ply in enumerate(replayed.plies, start=1):
        say(f"\n{game.draw(ply.board)}\n\n{_ply_text(number, ply, game, policy)}")
    end = ended(outcome)
    if replayed.recorded.ended_by == "resignation":
        end = told("by_resignation", end=end)
    say(f"\n{game.draw(replayed.last_board)}\n\n{end}; {_lesson_text(replayed, game)}")


def _lesson_text(replayed: ReplayedGame, game: Game) -> str:
    """Describe what a machine learned from a recorded game, using the same wording as at the end of a game."""
    learner = next((ply.player for ply in replayed.plies if ply.saw is not None), None)
    if learner is None or not (replayed.run.x_learns or replayed.run.o_learns):
        return told("nobody_learned")
    if not replayed.changes:
        return told("changed_nothing", name=learner)
    learned = told("learned", name=learner)
    if replayed.taken_back:
        learned = told("learned_back", learned=learned)
    return f"{learned}:\n{dialogue.changes_text(replayed.changes, game)}"


def _ply_text(number: int, ply: ReplayedPly, game: Game, policy: PolicyName) -> str:
    """Describe a ply: the player, the move and, if a learner made the move, the learner's box."""
    from menace.cli.commands.show import moves_table

    player = f"{number}. {ply.player} ({ply.side})"
    if ply.action is None:
        return f"{player} {'resigns' if ply.saw is None else 'has an empty box and resigns'}"
    if ply.saw is None:
        return told("plays", name=player, move=game.name_of(ply.board, ply.action))
    why = dialogue.choice_text(ply.saw, ply.action, ply.explored, ply.restocked, policy)
    title = f"{told('plays', name=player, move=game.name_of(ply.board, ply.action))}: {why}"
    return f"{title}\n\n{moves_table(ply.saw)}" if ply.saw.box is not None else title


@options.command(
    "menace history ......... --learner menace-x",
    "menace history 57 --learner adam",
    "menace history ......... --learner menace-x --csv > first-box.csv",
    short_help="Show the history of a machine's box.",
)
@click.argument("board")
@click.option(
    "--learner",
    metavar="NAME",
    shell_complete=completion.learners,
    help="The machine that owns the box.  [default: the only machine that moves on this board]",
)
@options.form_options()
@options.with_database
def history(store: Store, board: str, learner: str | None, form: Form | None) -> None:
    """Show the history of a machine's box: the first contents, and every step in the log that changed them.

    BOARD is a board, or the number on the label of the box.
    """
    from menace.analysis.listings import list_history

    learner = learner if learner is not None else _only_learner_for(store, board)
    moments = list_history(store, board, learner)
    if form is None:
        say(f"{moments[0].view.drawing}\n")
    print_report(moments, form)


def _only_learner_for(store: Store, board: str) -> str:
    """Return the name of the only learner that can have a box for `board`, which may be a board or a box number.

    Raises:
        InvalidBoard: if `board` is neither a board nor a number.
        UnreachableBoard: if no game reaches the board.
        InvalidPlayer: if the game is over on this board.
        UnknownLearner: if there is no such learner, or there are several.
    """
    from menace.analysis.position import show

    try:
        view = show(store, board)
    except InvalidBox:  # `board` is a box number, and any learner may have a box with that number
        names, playing = [row.name for row in store.learners()], ""
    else:
        if view.to_move is None:
            raise InvalidPlayer(f"no machine has a box for {view.board}, because the game is over")
        names, playing = [row.name for row in store.learners() if row.plays == view.to_move], f" to play {view.to_move}"
    if len(names) != 1:
        there = ", ".join(names) or "none yet (`menace new` creates one)"
        raise UnknownLearner(f"name the owner of the box with --learner; the machines{playing} are: {there}")
    return names[0]


@options.command(
    "menace forget menace-x",
    "menace forget menace-x --yes",
    short_help="Undo what a machine last learned from a game or a recount.",
)
@click.argument("name", required=False, metavar="[NAME]", shell_complete=completion.learners)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@options.with_database
def forget(store: Store, name: str | None, yes: bool) -> None:
    """Undo what the machine NAME last learned from a recorded game or a recount.

    The default is the machine that a person taught most recently. The game stays recorded, and the log records the
    undo. Run the command again to undo the previous game or recount. Training runs cannot be undone.
    """
    from menace.ledger.log import replay

    lesson = replay.last_lesson(store, name)
    learner = lesson.learner.name
    say(f"{learner} learned last from {lesson.what}, {lesson.block.created_at}\n\n{_undone_text(lesson)}")
    if not yes and not dialogue.confirm(f"undo what {learner} learned from it?"):
        say("nothing was undone")
        return
    block_id = replay.forget(store, lesson)
    say(f"undone; the log records this as block {block_id}")


def _undone_text(lesson: Lesson) -> str:
    """Return a table of the entries that an undo would change, and the number of games before and after the undo."""
    game, entries = lesson.learner.positions.game, list(lesson.entries)
    rows: list[tuple[object, ...]] = [
        (board, join_names([game.name_of(board, action) for action in actions]), now, then)
        for board, actions, now, then in entries[:MAX_LISTED_ENTRIES]
    ]
    if not any(actions for _, actions, _, _ in entries):  # a learner with position values
        rows, header = [(board, now, then) for board, _, now, then in rows], ["board", "now", "after undo"]
    else:
        header = ["board", "moves", "now", "after undo"]
    omitted = f"... and {len(entries) - MAX_LISTED_ENTRIES:,} more\n" if len(entries) > MAX_LISTED_ENTRIES else ""
    now, then = lesson.learner.learned.games, lesson.before.games
    games = f"games: {now:,} now, {then:,} after the undo\n" if now != then else ""
    return f"{table(header, rows)}\n{omitted}{games}" if rows else games
