"""The training of a file's machines while pages look on, as fast as it goes or game by game.

What is trained is an ordinary run, written down before it is carried out: to pause is to leave it unfinished, to resume
is to go on with it, to stop is to end it as it stands. One run of a file goes on at a time.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, TypeVar

from menace.errors import InvalidRun, MenaceError
from menace.explorer.training_game import training_game
from menace.explorer.workers import Worker
from menace.ledger.runs import Training, abandon, order, unfinished_run
from menace.ledger.store import Run, Store
from menace.ledger.training import Trainer, continue_run

T = TypeVar("T")


class TrainingJob:
    """What trains machines of a file, in the thread of a worker.

    Attributes:
        worker: whose thread it is.
        run: that was gone on with last, as it stood after its last transaction.
        error: what ended it, if something did.
    """

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.run: Run | None = None
        self.error: str | None = None
        self._pause = threading.Event()
        self._going: Future[None] | None = None

    def state(self, run: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return whether a run goes on here, whether it is this one, and what ended the last one."""
        own = self.run and self.run.run_id
        here = own is not None and run is not None and own == run["run_id"]
        return {"going": self._is_going, "here": here, "run_id": own, "error": self.error}

    async def start(self, name: str, against: str, games: int, seed: int | None, paused: bool) -> Run:
        """Order a run as `menace train` does, and let it go on unless it is to be paused at once.

        Raises:
            InvalidRun: if another goes on.
            MenaceError: as `runs.order`.
        """
        training = Training(name, against, games, seed)
        run = self.run = await self._alone(lambda store: order(store, training))
        if not paused:
            self._go_on(run)
        return run

    async def resume(self, run_id: int) -> Run:
        """Let a run that was paused go on.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, it has ended, or another goes on.
        """
        run = await self._alone(lambda store: unfinished_run(store, run_id))
        self._go_on(run)
        return run

    async def step(self, run_id: int) -> Run:
        """Play one block of a run that is paused.

        Raises:
            UnknownRun, InvalidRun: as `resume`.
        """
        run = self.run = await self._alone(
            lambda store: Trainer(store).play_blocks(unfinished_run(store, run_id), most=1)
        )
        return run

    async def pause(self) -> Run | None:
        """Let the run rest after the block under way, and return it as it stands then."""
        self._pause.set()
        if self._going is not None:
            await asyncio.wait([asyncio.wrap_future(self._going)])
        return self.run

    async def stop(self, run_id: int) -> Run:
        """End a run as it stands.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, or it has ended.
        """
        if self.run is not None and self.run.run_id == run_id:
            await self.pause()
        run = self.run = await self.worker.do(lambda store: abandon(store, run_id))
        return run

    async def game(self, name: str, against: str, seed: int | None) -> dict[str, Any]:
        """Let a learner train in one game, a run of its own, and return it move by move.

        Raises:
            InvalidRun: if a run goes on.
            MenaceError: as `runs.order`.
        """
        return await self._alone(lambda store: training_game(store, name, against, seed))

    @property
    def _is_going(self) -> bool:
        return self._going is not None and not self._going.done()

    def _check_idle(self) -> None:
        if self._is_going and self.run is not None:
            raise InvalidRun(f"run {self.run.run_id} goes on; pause it or end it first")

    async def _alone(self, job: Callable[[Store], T]) -> T:
        """Return the result of a job that nothing goes on beside."""
        self._check_idle()
        self.error = None
        return await self.worker.do(job)

    def _go_on(self, run: Run) -> None:
        self._check_idle()  # somebody else may have been first, while we asked
        self.run = run
        self._pause.clear()
        self._going = self.worker.hand(lambda store: self._carry_out(store, run))

    def _carry_out(self, store: Store, run: Run) -> None:
        try:
            for state in continue_run(store, run):
                self.run = state
                if self._pause.is_set() or self.worker.leaving.is_set():
                    break
        except MenaceError as error:
            self.error = str(error)
