"""Training jobs that a page starts, pauses and displays."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, TypeVar

from menace.analysis.position import show_machine
from menace.errors import InvalidRun, MenaceError
from menace.explorer.content.json_for_scripts import changes_record, played_record, seen_record
from menace.explorer.server.threads_and_caches import Worker
from menace.explorer.sessions.progress import run_json
from menace.explorer.sessions.scene import load_bead_names
from menace.games.base import Side
from menace.ledger.learners import load_machine
from menace.ledger.log.recorded_game import changes, last_game, refilled
from menace.ledger.positions import positions_of
from menace.ledger.runs import Training, abandon, order, unfinished_run
from menace.ledger.store import Run, Store
from menace.ledger.training import Trainer, continue_run, ruined_text
from menace.text.narration import opening, told


def one_game(name: str, against: str, seed: int | None) -> Training:
    """Return the options of a run of one game; a machine without beads for its first move resigns at once."""
    return Training(name, against, games=1, seed=seed, continue_when_ruined=True)


def training_game(store: Store, name: str, run: Run) -> dict[str, Any]:
    """Play the next game of a run, from which the learner learns, and return a frame for each move and the end.

    The boxes shown are correct if no other program trains the learner during the game.

    Raises:
        MenaceError: as in `Trainer.play_blocks`.
        InvalidRun: if the run ended without a game because a machine has no bead left for its first move.
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
    beads = load_bead_names(store, before)

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


T = TypeVar("T")


class TrainingJob:
    """A training job, which trains machines of a file in the thread of a worker.

    Attributes:
        worker: the worker whose thread trains.
        run: the last active run, in its state after the last transaction.
        error: the error that ended the run, if any.
    """

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.run: Run | None = None
        self.error: str | None = None
        self._pause = threading.Event()
        self._future: Future[None] | None = None

    def state(self, run: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return whether a run is active here, whether it is the given one, and the error that ended the last run."""
        own = self.run and self.run.run_id
        here = own is not None and run is not None and own == run["run_id"]
        return {"going": self._is_active, "here": here, "run_id": own, "error": self.error}

    async def start(self, name: str, against: str, games: int, seed: int | None, paused: bool) -> Run:
        """Order a run as `menace train` does, and carry it out unless it starts paused.

        Raises:
            InvalidRun: if another is active.
            MenaceError: as `runs.order`.
        """
        training = Training(name, against, games, seed)
        run = self.run = await self._do_when_idle(lambda store: order(store, training))
        if not paused:
            self._carry_on(run)
        return run

    async def resume(self, run_id: int) -> Run:
        """Resume a paused run.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, it has ended, or another is active.
        """
        run = await self._do_when_idle(lambda store: unfinished_run(store, run_id))
        self._carry_on(run)
        return run

    async def step(self, run_id: int, games: int | None = None) -> Run:
        """Play some games of a paused run, as many as take no long; one block, if it is not said how many.

        Raises:
            UnknownRun, InvalidRun: as `resume`.
        """
        most = 1 if games is None else None
        run = self.run = await self._do_when_idle(
            lambda store: Trainer(store).play_blocks(unfinished_run(store, run_id), most, games)
        )
        return run

    async def pause(self) -> Run | None:
        """Pause the run after the block under way, and return it."""
        self._pause.set()
        if self._future is not None:
            await asyncio.wait([asyncio.wrap_future(self._future)])
        return self.run

    async def stop(self, run_id: int) -> Run:
        """End a run as it is.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, or it has ended.
        """
        if self.run is not None and self.run.run_id == run_id:
            await self.pause()
        run = self.run = await self.worker.do(lambda store: abandon(store, run_id))
        return run

    async def game(self, name: str, run_id: int | None, against: str, seed: int | None) -> dict[str, Any]:
        """Let a learner train in the next game of a paused run, or in a run of one game; return it move by move.

        Raises:
            UnknownRun, InvalidRun: as `resume`.
            MenaceError: as `runs.order`.
        """

        def play(store: Store) -> dict[str, Any]:
            is_new = run_id is None
            run = order(store, one_game(name, against, seed)) if is_new else unfinished_run(store, run_id)
            return training_game(store, name, run)

        return await self._do_when_idle(play)

    @property
    def _is_active(self) -> bool:
        return self._future is not None and not self._future.done()

    def _check_idle(self) -> None:
        if self._is_active and self.run is not None:
            raise InvalidRun(f"run {self.run.run_id} is in progress; pause or end it first")

    async def _do_when_idle(self, job: Callable[[Store], T]) -> T:
        """Return the result of a job while no run is active."""
        self._check_idle()
        self.error = None
        return await self.worker.do(job)

    def _carry_on(self, run: Run) -> None:
        self._check_idle()  # another request may have started a run in the meantime
        self.run = run
        self._pause.clear()
        self._future = self.worker.submit(lambda store: self._carry_out(store, run))

    def _carry_out(self, store: Store, run: Run) -> None:
        try:
            for state in continue_run(store, run):
                self.run = state
                if self._pause.is_set() or self.worker.stopping.is_set():
                    break
        except MenaceError as error:
            self.error = str(error)
