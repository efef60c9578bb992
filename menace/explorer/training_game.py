"""A training game of a machine, recorded move by move for a page."""

from __future__ import annotations

from typing import Any

from menace.analysis.position import show_machine
from menace.errors import InvalidRun
from menace.explorer.board_records import changes_record, played_record, seen_record
from menace.explorer.progress import run_json
from menace.explorer.session_scene import names_of_beads
from menace.game_narration import opening, told
from menace.games.base import Side
from menace.ledger.learners import load_machine
from menace.ledger.recorded_game import changes, last_game, refilled
from menace.ledger.runs import Training
from menace.ledger.store import Run, Store
from menace.ledger.stored_positions import positions_of
from menace.ledger.training import Trainer, ruined_text


def one_game(name: str, against: str, seed: int | None) -> Training:
    """Return the order of a run of one game; a machine that has nothing left for its first move resigns at once."""
    return Training(name, against, games=1, seed=seed, continue_when_ruined=True)


def training_game(store: Store, name: str, run: Run) -> dict[str, Any]:
    """Let a learner train in the next game of a run, and return it: a frame for each move, then the end.

    The boxes shown are right as long as no other program trains the learner during the game.

    Raises:
        MenaceError: as `Trainer.play_blocks`.
        InvalidRun: if the run ended without a game, since a machine has no bead left for its first move.
    """
    before = load_machine(store, positions_of(store), store.learner(name))
    trainer = Trainer(store)
    games_played = run.games_played
    run = trainer.play_blocks(run, games=1)
    if run.games_played == games_played:
        raise InvalidRun(f"run {run.run_id} has ended: {ruined_text(store, run)}")
    after = load_machine(store, before.positions, store.learner(name))
    arena, game = trainer.arena, before.positions.game
    recorded, boards = last_game(arena)
    beads = names_of_beads(store, before)

    def seen_box(ply: int) -> dict[str, Any] | None:
        if Side.after(ply) is not before.plays:
            return None
        machine = refilled(arena, before, arena.positions.path(recorded.actions[: ply + 1]))
        return seen_record(show_machine(store, boards[ply], machine), beads, recorded.actions[ply])

    frames = [
        {"name": game.name_of(board, action), **played_record(game, board), "saw": seen_box(ply)}
        for ply, (board, action) in enumerate(zip(boards, recorded.actions, strict=False))
    ]
    winner = {"X": run.x_player, "O": run.o_player}.get(recorded.outcome, "")
    end = opening("draw" if recorded.outcome == "draw" else "has_won", winner=winner)
    if recorded.ended_by == "resignation":
        end = told("by_resignation", end=end)
    return {
        "run": run_json(run),
        "plies": frames,
        **played_record(game, boards[-1]),
        "outcome": recorded.outcome,
        "said": f"{end}; {told('learns', name=name)}",
        "changes": changes_record(changes(arena, before, after, recorded), after, beads),
    }
