"""Commands to play a machine, and to look at the games that people played: play, games, replay, history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from menace.cli.options import ask, command_text, database_option, examples, recorded, side

if TYPE_CHECKING:
    from menace.games.base import Side
    from menace.history import Moment, RecordedDraw, ReplayedPly
    from menace.matchbox import PositionView
    from menace.play import Change, Finished, Ply, Sitting
    from menace.store import Store

HELP = "type a cell (its number, or row,column), ? for its box, hint, undo or quit"
QUIT = "quit"
PLURALS = {"wins": "win", "draws": "draw", "loses": "lose"}


@click.command(
    epilog=examples(
        "menace play", "menace play --as X", "menace play menace-x --no-learning", "menace play perfect --as O"
    )
)
@click.argument("name", required=False)
@click.option("--as", "as_side", metavar="X|O", help="Your side; X begins.  [default: the one that it does not play]")
@click.option("--no-learning", is_flag=True, help="Record the game, but do not let the machine learn from it.")
@click.option("--seed", type=int, default=None, metavar="N", help="For the same answers to the same moves.")
@database_option
def play(name: str | None, as_side: str | None, no_learning: bool, seed: int | None, db: str) -> None:
    """Play against the learner NAME (menace-x, or menace-o if you are X), or against random, optimal or perfect.

    After each of its moves it says what it saw; ? shows its whole box, and the recorded games that filled it.
    A finished game is recorded, and learned from; one that you quit changes nothing.
    """
    from menace.database import open_database, open_or_create_database
    from menace.play import sit_down, sit_down_without_learning
    from menace.players import is_fixed
    from menace.runs import default_opponent

    person = side(as_side, "--as") if as_side is not None else None
    # A learner that is named cannot be in a database that is yet to be made.
    opening = open_or_create_database if name is None or is_fixed(name) else open_database
    with opening(db) as store:
        if name is None:
            opponent = default_opponent(store, person)
            if not opponent.games:
                teach = command_text("selfplay", db=db)
                click.echo(f"{opponent.name} has learned nothing yet (`{teach}` teaches it faster than people can)")
            name = opponent.name
        sitting = (sit_down_without_learning if no_learning else sit_down)(store, name, person, seed)
        click.echo(f"{sitting.opponent} plays {_other(sitting.person)}, you play {sitting.person}; seed {sitting.seed}")
        click.echo(HELP)
        _sit(sitting)


def _sit(sitting: Sitting) -> None:
    """Play games until the person has had enough."""
    while _play_game(sitting):
        finished = recorded(sitting)
        if finished is None:
            break
        click.echo(_finished_text(sitting, finished))
        if ask("another game? (y/n)").lower() not in {"y", "yes"}:
            return
        sitting.begin()
    click.echo("nothing was recorded" if sitting.run is None else "this game was not recorded")


def _play_game(sitting: Sitting) -> bool:
    """Play one game; return whether it was finished."""
    while sitting.outcome is None:
        if sitting.persons_turn:
            click.echo(f"\n{board_text(sitting)}\n")
            if not _persons_turn(sitting):
                return False
        else:
            click.echo(_saw_text(sitting, sitting.machine_moves()))
    click.echo(f"\n{board_text(sitting)}\n")
    return True


def _persons_turn(sitting: Sitting) -> bool:
    """Ask until the person has moved or taken a move back; return False if they quit."""
    from menace.errors import IllegalMove

    while True:
        answer = ask(f"your move ({sitting.person})")
        try:
            if not answer:
                click.echo(HELP)
            elif answer in {QUIT, "q", "exit"}:
                return False
            if answer == "?":
                click.echo(_box_text(sitting))
            elif answer == "hint":
                click.echo(hint_text(sitting.store, sitting.board))
            elif answer == "undo":
                sitting.undo()
                return True
            else:
                sitting.person_moves(sitting.game.parse_action(answer))
                return True
        except IllegalMove as error:
            click.echo(str(error))


def _other(person: Side) -> Side:
    return "O" if person == "X" else "X"


def board_text(sitting: Sitting) -> str:
    """Return the board, on a terminal with the marks bold and the numbers of empty cells dim."""
    text = sitting.game.draw(sitting.board)
    return "".join(
        click.style(c, bold=True) if c in "XO" else click.style(c, dim=True) if c.isdigit() else c for c in text
    )


def _saw_text(sitting: Sitting, ply: Ply | None) -> str:
    """Say in a line what the machine saw and did."""
    name = sitting.opponent
    if ply is None:
        return f"{name}'s box is empty: it gives the game up"
    return f"{name} plays {ply.action}: {saw(ply.saw, ply.action, bool(ply.explored))}"


def saw(view: PositionView | None, cell: int, explored: bool) -> str:
    """Say what a machine saw before it played a cell of the board that `view` shows; None for a fixed opponent."""
    from menace.wording import percent

    if view is None:
        return "it never learns"
    if len(view.moves) == 1 and len(view.moves[0].cells) == 1:
        return "the only cell that is left"
    if not view.has_box:
        return "it has no box here, and takes any cell"
    if view.moves[0].beads is not None and not view.beads:
        return "its box is empty, so it takes any cell"
    move = next(move for move in view.moves if cell in move.cells)
    share = percent(move.share or 0.0).strip()
    explored_text = "exploring, " if explored else ""
    if move.beads is None:
        rank = 1 + sum((other.value or 0.0) > (move.value or 0.0) for other in view.moves)
        best = f"its {'best' if rank == 1 else f'number {rank}'} of {len(view.moves)}"
        return f"{explored_text}value {move.value:.3f}, {best}, which it plays {share} of the time"
    return f"{explored_text}{move.beads:,} of the {view.beads:,} beads in its box are for that ({share})"


def _box_text(sitting: Sitting) -> str:
    """Return the box of the machine's last move, with the verdicts of perfect play and the games that filled it."""
    from menace.cli.position import position_text
    from menace.history import recorded_draws
    from menace.matchbox import show

    plies = [ply for ply in sitting.plies if ply.by_machine]
    if not plies:
        return f"{sitting.opponent} has not moved yet"
    last = plies[-1]
    if last.saw is None or sitting.machine is None:
        return position_text(show(sitting.store, last.board))
    title = f"what {sitting.opponent} saw before it played {last.action}:\n\n{position_text(last.saw)}"
    if not last.saw.has_box:
        return title
    draws = recorded_draws(sitting.store, sitting.machine.row.learner_id, last.position)
    return f"{title}\n\n{_draws_text(last.saw, draws)}"


def _draws_text(view: PositionView, draws: list[RecordedDraw]) -> str:
    """Say which recorded games taught a box, the latest ten of them, and how many others did."""
    from menace.cli.text import table

    cells = {move.action: " ".join(map(str, move.cells)) for move in view.moves}
    counted = sum(move.count or 0 for move in view.moves)
    others = f"{counted - len(draws):,} games between machines" if counted > len(draws) else "no other games"
    if not draws:
        return f"taught by {others}, and by none with people"
    rows = [(draw.game.game_id, cells[draw.action], draw.result, draw.run.started_at) for draw in draws[-10:][::-1]]
    more = f" (the latest 10 of {len(draws)})" if len(draws) > len(rows) else ""
    lines = table(["game", "it drew", "and", "played"], rows)
    return f"taught by {others}, and by these with people{more}:\n{lines}"


def hint_text(store: Store, board: str) -> str:
    """Say what perfect play makes of each of the person's moves."""
    from menace.matchbox import show

    found: dict[str, list[int]] = {"wins": [], "draws": [], "loses": []}
    for move in show(store, board).moves:
        found[move.result] += move.cells
    parts = [
        f"{' '.join(map(str, sorted(cells)))} {result if len(cells) == 1 else PLURALS[result]}"
        for result, cells in found.items()
        if cells
    ]
    return f"hint: against perfect play {'; '.join(parts)}"


def _finished_text(sitting: Sitting, finished: Finished) -> str:
    """Say how the game ended, and which boxes it changed and how."""
    ends = {sitting.person: "you have won", "draw": "a draw"}
    end = ends.get(finished.outcome, f"{sitting.opponent} has won")
    title = f"{end}; recorded as game {finished.game_id}"
    if not sitting.learns:
        return f"{title}, and not learned from"
    if not finished.changes:
        return f"{title}; it changes nothing in {sitting.opponent}"
    meanwhile = " (into what others have taught it meanwhile)" if finished.taught_meanwhile else ""
    return f"{title}; {sitting.opponent} learns from it{meanwhile}:\n{changes_text(finished.changes)}"


def changes_text(changes: tuple[Change, ...]) -> str:
    """Return what a game changed, as a table."""
    from menace.cli.text import table

    rows = [
        (
            change.board,
            "" if change.cells is None else " ".join(map(str, change.cells)),
            change.before,
            change.after,
            f"{change.after - change.before:+d}"
            if isinstance(change.after, int)
            else f"{change.after - change.before:+.4f}",
        )
        for change in changes
    ]
    return table(["board", "cells", "before", "after", "change"], rows)


@click.command(epilog=examples("menace games", "menace games --learner menace-x"))
@click.option("--learner", metavar="NAME", help="Only its games.")
@database_option
def games(learner: str | None, db: str) -> None:
    """List the recorded games: those that people finished."""
    from menace.cli.text import table
    from menace.database import open_database
    from menace.history import recorded_games

    with open_database(db) as store:
        rows = recorded_games(store, learner)
    if not rows:
        click.echo("no recorded games yet; `menace play` plays one")
        return
    header = ["game", "X", "O", "outcome", "moves", "ended by", "learned", "played"]
    lines = [
        (
            *(row.game.game_id, row.run.x_player, row.run.o_player, row.game.outcome, row.game.actions),
            *(row.game.ended_by, "yes" if row.run.x_learns or row.run.o_learns else "no", row.played_at),
        )
        for row in rows
    ]
    click.echo(table(header, lines))


@click.command(epilog=examples("menace replay 1"))
@click.argument("game_id", metavar="GAME", type=int)
@database_option
def replay(game_id: int, db: str) -> None:
    """Show a recorded GAME move by move, with the machine's boxes as they were then, rebuilt from the log."""
    from menace.database import game_of, open_database
    from menace.history import replay_game

    with open_database(db) as store:
        found = replay_game(store, game_id)
        draw = game_of(store).draw
    run, outcome = found.run, found.game.outcome
    click.echo(f"game {game_id}: {run.x_player} (X) against {run.o_player} (O), {found.played_at}")
    for number, ply in enumerate(found.plies, start=1):
        click.echo(f"\n{draw(ply.board)}\n\n{_ply_text(number, ply)}")
    end = "a draw" if outcome == "draw" else f"{outcome} has won"
    by = " by resignation" if found.game.ended_by == "resignation" else ""
    click.echo(f"\n{draw(found.last_board)}\n\n{end}{by}")


def _ply_text(number: int, ply: ReplayedPly) -> str:
    """Say who made a ply and, of a learner, what its box held."""
    from menace.cli.position import moves_table

    who = f"{number}. {ply.player} ({ply.side})"
    if ply.action is None:
        return f"{who} has an empty box, and gives the game up"
    if ply.box is None:
        return f"{who} plays {ply.action}"
    title = f"{who} plays {ply.action}: {saw(ply.box, ply.action, ply.explored)}"
    return f"{title}\n\n{moves_table(ply.box)}" if ply.box.has_box else title


@click.command(
    epilog=examples("menace history ......... --learner menace-x", "menace history X...O.... --learner adam")
)
@click.argument("board")
@click.option("--learner", required=True, metavar="NAME", help="Whose box.")
@database_option
def history(board: str, learner: str, db: str) -> None:
    """Show how a learner's box for BOARD came to be: as it began, and after each step of the log that changed it."""
    from menace.cli.text import table
    from menace.database import open_database
    from menace.history import box_history

    with open_database(db) as store:
        moments = box_history(store, board, learner)
    view = moments[0].view
    order = sorted(range(len(view.moves)), key=lambda index: view.moves[index].cells)
    header = ["block", "what changed it", *(" ".join(map(str, view.moves[index].cells)) for index in order)]
    rows = [(moment.block_id, _moment_text(moment), *_amounts(moment.view, order)) for moment in moments]
    unit = "beads" if view.moves[0].beads is not None else "values"
    click.echo(f"{view.drawing}\n\n{unit} of {learner} for each cell of this board\n\n{table(header, rows)}")


def _amounts(view: PositionView, order: list[int]) -> list[float | None]:
    return [move.beads if move.beads is not None else move.value for move in (view.moves[index] for index in order)]


def _moment_text(moment: Moment) -> str:
    if moment.run is None:
        return "as it began"
    if moment.game_id is not None:
        return f"game {moment.game_id}, with a person"
    if moment.run.kind in {"copy", "recount"}:
        return f"run {moment.run.run_id}: {'copied' if moment.run.kind == 'copy' else 'beads counted again'}"
    games = f"game {moment.first_game:,}"
    if moment.last_game > moment.first_game:
        games = f"games {moment.first_game:,} to {moment.last_game:,}"
    return f"run {moment.run.run_id}: {moment.run.kind}, {games}"


COMMANDS = [play, games, replay, history]
