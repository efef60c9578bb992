"""Commands on the games that people played, and on how boxes came to be: games, replay, history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from menace.cli.options import database_option, examples
from menace.cli.seen import changes_text, saw
from menace.wording import over

if TYPE_CHECKING:
    from menace.games.base import Game
    from menace.ledger.store import Store
    from menace.shelf.history import ReplayedGame, ReplayedPly


@click.command(epilog=examples("menace games", "menace games --learner menace-x"))
@click.option("--learner", metavar="NAME", help="Only its games.")
@database_option
def games(learner: str | None, db: str) -> None:
    """List the recorded games: those that people finished."""
    from menace.cli.text import table
    from menace.ledger.database import open_database
    from menace.shelf.history import recorded_games

    with open_database(db) as store:
        rows = recorded_games(store, learner)
    if not rows:
        click.echo("no recorded games yet; `menace play` plays one")
        return
    header = ["game", "X", "O", "outcome", "moves", "ended by", "learned", "played"]
    lines = [
        (
            *(row.game.game_id, *row.players, row.game.outcome, row.game.actions),
            *(row.game.ended_by, "yes" if row.run.x_learns or row.run.o_learns else "no", row.played_at),
        )
        for row in rows
    ]
    click.echo(table(header, lines))


@click.command(short_help="Show a recorded game, with the beads as they were.", epilog=examples("menace replay 1"))
@click.argument("game_id", metavar="GAME", type=int)
@database_option
def replay(game_id: int, db: str) -> None:
    """Show a recorded GAME move by move, with the machine's boxes as they were then, rebuilt from the log."""
    from menace.ledger.database import open_database
    from menace.ledger.rulebook import rules_of
    from menace.shelf.history import replay_game

    with open_database(db) as store:
        found = replay_game(store, game_id)
        game = rules_of(store).game
    (x, o), outcome = found.players, found.game.outcome
    click.echo(f"game {game_id}: {x} (X) against {o} (O), {found.played_at}")
    for number, ply in enumerate(found.plies, start=1):
        click.echo(f"\n{game.draw(ply.board)}\n\n{_ply_text(number, ply, game)}")
    by = " by resignation" if found.game.ended_by == "resignation" else ""
    click.echo(f"\n{game.draw(found.last_board)}\n\n{over(outcome)}{by}{_lesson_text(found, game)}")


def _lesson_text(found: ReplayedGame, game: Game) -> str:
    """Say what a recorded game taught, in the words of the game's own end."""
    learner = next((ply.player for ply in found.plies if ply.saw is not None), None)
    if learner is None or not (found.run.x_learns or found.run.o_learns):
        return "; nobody learned from it"
    if not found.changes:
        return f"; it changed nothing in {learner}"
    return f"; {learner} learned from it:\n{changes_text(found.changes, game)}"


def _ply_text(number: int, ply: ReplayedPly, game: Game) -> str:
    """Say who made a ply and, of a learner, what its box held."""
    from menace.cli.position import moves_table

    who = f"{number}. {ply.player} ({ply.side})"
    if ply.action is None:
        return f"{who} has an empty box, and gives the game up"
    if ply.saw is None:
        return f"{who} plays {game.name_of(ply.board, ply.action)}"
    title = (
        f"{who} plays {game.name_of(ply.board, ply.action)}: {saw(ply.saw, ply.action, ply.explored, ply.restocked)}"
    )
    return f"{title}\n\n{moves_table(ply.saw)}" if ply.saw.box is not None else title


@click.command(
    short_help="Show how a box came to be.",
    epilog=examples("menace history ......... --learner menace-x", "menace history 57 --learner adam"),
)
@click.argument("board")
@click.option("--learner", metavar="NAME", help="Whose box.  [default: the only learner's]")
@database_option
def history(board: str, learner: str | None, db: str) -> None:
    """Show how a learner's box came to be: as it began, and after each step of the log that changed it.

    BOARD is a board, or the number of the box on its label.
    """
    from menace.cli.text import table
    from menace.ledger.database import open_database
    from menace.shelf.history import box_history

    with open_database(db) as store:
        learner = learner if learner is not None else _only_learner(store)
        moments = box_history(store, board, learner)
    view = moments[0].view
    order = sorted(range(len(view.moves)), key=lambda index: view.moves[index].cells)
    header = ["block", "what changed it", *(view.moves[index].text for index in order)]
    rows = [(moment.block_id, moment.what, *(moment.view.moves[index].amount for index in order)) for moment in moments]
    unit = "beads" if view.box is not None and view.box.has_beads else "values"
    click.echo(f"{view.drawing}\n\n{unit} of {learner} for each {view.kind} of this board\n\n{table(header, rows)}")


def _only_learner(store: Store) -> str:
    """Return the name of the only learner. Raises UnknownLearner if there is none, or more."""
    from menace.errors import UnknownLearner

    names = [row.name for row in store.learners()]
    if len(names) != 1:
        raise UnknownLearner(f"say whose box it is with --learner; there are: {', '.join(names) or 'none yet'}")
    return names[0]
