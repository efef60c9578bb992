"""A coach: lets a machine train while pages look on, as fast as it goes or game by game.

What is trained is an ordinary run, written down before it is carried out: to pause is to leave it unfinished, to resume
is to go on with it, to stop is to end it as it stands. One run of a file goes on at a time.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from menace.errors import InvalidRun, MenaceError
from menace.ledger.runs import Training, abandon, unfinished_run
from menace.ledger.runs import order as order_run
from menace.ledger.store import Run, Store
from menace.ledger.training import Trainer, continue_run
from menace.web.clerk import Clerk
from menace.web.training_game import training_game


class Coach:
    """Who trains machines of a file, in the thread of a clerk.

    Attributes:
        clerk: whose thread it is.
        run: that was gone on with last, as it stood after its last transaction.
        error: what ended it, if something did.
    """

    def __init__(self, clerk: Clerk) -> None:
        self.clerk = clerk
        self.run: Run | None = None
        self.error: str | None = None
        self._pause = threading.Event()
        self._going: Future[None] | None = None

    @property
    def is_going(self) -> bool:
        """Whether a run goes on now."""
        return self._going is not None and not self._going.done()

    def told(self, run: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return whether a run goes on here, whether it is this one, and what ended the last one."""
        own = self.run and self.run.run_id
        here = own is not None and run is not None and own == run["run_id"]
        return {"going": self.is_going, "here": here, "run_id": own, "error": self.error}

    async def order(self, name: str, against: str, games: int, seed: int | None) -> Run:
        """Order a run as `menace train` does; nothing of it is played yet.

        Raises:
            InvalidRun: if another goes on.
            MenaceError: as `runs.order`.
        """
        self._check_idle()
        self.error = None
        it = Training(name, against, games, seed)
        run = self.run = await self.clerk.do(lambda store: order_run(store, it))
        return run

    async def start(self, name: str, against: str, games: int, seed: int | None) -> Run:
        """Order a run, and let it go on. Raises as `order`."""
        run = await self.order(name, against, games, seed)
        self._go_on(run)
        return run

    async def resume(self, run_id: int) -> Run:
        """Let a run that was paused go on.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, it has ended, or another goes on.
        """
        self._check_idle()
        run = await self._unfinished(run_id)
        self._go_on(run)
        return run

    async def step(self, run_id: int) -> Run:
        """Play one block of a run that is paused.

        Raises:
            UnknownRun, InvalidRun: as `resume`.
        """
        self._check_idle()
        run = await self._unfinished(run_id)
        self.error = None
        self.run = await self.clerk.do(lambda store: Trainer(store).play_blocks(run, most=1))
        return self.run

    async def pause(self) -> Run | None:
        """Let the run rest after the block under way, and return it as it stands then."""
        self._pause.set()
        going = self._going
        if going is not None:
            await asyncio.wait([asyncio.wrap_future(going)])
        return self.run

    async def stop(self, run_id: int) -> Run:
        """End a run as it stands.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, or it has ended.
        """
        if self.run is not None and self.run.run_id == run_id:
            await self.pause()
        self.run = await self.clerk.do(lambda store: abandon(store, run_id))
        return self.run

    async def game(self, name: str, against: str, seed: int | None) -> dict[str, Any]:
        """Let a learner train in one game, a run of its own, and return it move by move.

        Raises:
            InvalidRun: if a run goes on.
            MenaceError: as `runs.order`.
        """
        self._check_idle()
        self.error = None
        return await self.clerk.do(lambda store: training_game(store, name, against, seed))

    def _check_idle(self) -> None:
        if self.is_going and self.run is not None:
            raise InvalidRun(f"run {self.run.run_id} goes on; pause it or end it first")

    async def _unfinished(self, run_id: int) -> Run:
        return await self.clerk.do(lambda store: unfinished_run(store, run_id))

    def _go_on(self, run: Run) -> None:
        self._check_idle()  # somebody else may have been first, while we asked
        self.run, self.error = run, None
        self._pause.clear()
        self._going = self.clerk.hand(lambda store: self._carry_out(store, run))

    def _carry_out(self, store: Store, run: Run) -> None:
        try:
            for state in continue_run(store, run):
                self.run = state
                if self._pause.is_set() or self.clerk.leaving.is_set():
                    break
        except MenaceError as error:
            self.error = str(error)
