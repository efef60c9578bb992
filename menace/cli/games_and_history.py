"""Commands on recorded games and the history of boxes: games, replay, history, forget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from menace.cli import completion_candidates
from menace.cli.dialogue import confirm
from menace.cli.move_explanations import changes_text, choice_text
from menace.cli.options import database_option, examples, form_options, opened
from menace.cli.tables_and_bars import table, table_text
from menace.cli.terminal_output import print_records, say
from menace.errors import InvalidBox, InvalidPlayer, UnknownLearner
from menace.game_narration import ended, told
from menace.wording import Form

if TYPE_CHECKING:
    from menace.analysis.history_from_log import ReplayedGame, ReplayedPly
    from menace.games.base import Game
    from menace.learners.policy import PolicyName
    from menace.ledger.store import Store
    from menace.ledger.undo import Lesson

SHOWN = 60  # entries that are listed


@click.command(
    epilog=examples(
        "menace games",
        "menace games --learner menace-x",
        "menace games --csv > games.csv",
        "menace games --run 1 --first 137",
        "menace games --run 1 --first 1 --count 1000 --csv > games.csv",
    )
)
@click.option("--learner", metavar="NAME", shell_complete=completion_candidates.learners, help="Only its games.")
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
    from menace.analysis.history_from_log import replay_game
    from menace.analysis.listings import players_in_words
    from menace.ledger.stored_rules import rules_of

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
    from menace.cli.position_text import moves_table

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
    shell_complete=completion_candidates.learners,
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
@click.argument("name", required=False, metavar="[NAME]", shell_complete=completion_candidates.learners)
@click.option("--yes", is_flag=True, help="Take it back without asking.")
@database_option
def forget(name: str | None, yes: bool, db: str) -> None:
    """Take back what the machine NAME learned last, from a recorded game or from a recount.

    Without NAME it is the machine that a person taught last. The game stays recorded, and the log says that it was
    taken back. Once more takes back what was learned before it. What a run of training taught stays.
    """
    from menace.ledger import undo

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
    from menace.games.boards_as_text import joined

    game, entries = lesson.learner.positions.game, list(lesson.entries)
    rows: list[tuple[object, ...]] = [
        (board, joined([game.name_of(board, action) for action in actions]), now, then)
        for board, actions, now, then in entries[:SHOWN]
    ]
    if not any(actions for _, actions, _, _ in entries):  # values of positions
        rows, header = [(board, now, then) for board, _, now, then in rows], ["board", "now", "then"]
    else:
        header = ["board", "moves", "now", "then"]
    omitted = f"... and {len(entries) - SHOWN:,} more\n" if len(entries) > SHOWN else ""
    now, then = lesson.learner.learned.games, lesson.before.games
    games = f"games: {now:,} now, {then:,} then\n" if now != then else ""
    return f"{table(header, rows)}\n{omitted}{games}" if rows else games
