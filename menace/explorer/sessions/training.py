"""Training jobs that a page starts, pauses and watches, and the open games and workers for each served file."""

from __future__ import annotations

import asyncio
import functools
import secrets
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from menace.analysis.position import show_machine
from menace.errors import InvalidRun, MenaceError
from menace.explorer.content.records import changes_record, played_record, seen_record
from menace.explorer.server.errors import LostSession, TooManySessions
from menace.explorer.server.requests import Request
from menace.explorer.server.workers import Worker
from menace.explorer.sessions.progress import run_json
from menace.explorer.sessions.scene import names_of_beads
from menace.games.base import Side
from menace.ledger.learners import load_machine
from menace.ledger.log.recorded_game import changes, last_game, refilled
from menace.ledger.positions import positions_of
from menace.ledger.runs import Training, abandon, order, unfinished_run
from menace.ledger.store import Run, Store
from menace.ledger.training import Trainer, continue_run, ruined_text
from menace.people.session import Session
from menace.text.narration import opening, told


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


T = TypeVar("T")


class TrainingJob:
    """Trains machines of a file, in the thread of a worker.

    Attributes:
        worker: the worker whose thread trains.
        run: the last active run, as it was after its last transaction.
        error: the error that ended it, if any.
    """

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.run: Run | None = None
        self.error: str | None = None
        self._pause = threading.Event()
        self._future: Future[None] | None = None

    def state(self, run: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return whether a run is active here, whether it is this one, and the error that ended the last one."""
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
            raise InvalidRun(f"run {self.run.run_id} goes on; pause it or end it first")

    async def _do_when_idle(self, job: Callable[[Store], T]) -> T:
        """Return the result of a job while no run is active."""
        self._check_idle()
        self.error = None
        return await self.worker.do(job)

    def _carry_on(self, run: Run) -> None:
        self._check_idle()  # another request may have been first meanwhile
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


SESSIONS_MOST = 100
IDLE_MOST = 24 * 60 * 60  # seconds without a move after which a game under way may lose its place


class Sessions:
    """The sessions of one file, at most `SESSIONS_MOST`: then the longest idle without a game under way is dropped."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, tuple[Session, float]] = OrderedDict()  # and the time of its last request

    def add(self, session: Session) -> str:
        """Keep a session, and return its token.

        Raises:
            TooManySessions: if all are in the middle of a game.
        """
        while len(self._sessions) >= SESSIONS_MOST:
            long_ago = time.monotonic() - IDLE_MOST
            idle = (token for token, (held, used) in self._sessions.items() if used < long_ago or not held.is_under_way)
            if (token := next(idle, None)) is None:
                raise TooManySessions(
                    f"{SESSIONS_MOST} games are under way here; finish one of them, or come back later"
                )
            del self._sessions[token]
        token = secrets.token_urlsafe(16)
        self._sessions[token] = session, time.monotonic()
        return token

    def session(self, store: Store, token: str) -> Session:
        """Return a session.

        Raises:
            LostSession: if this file has no session of this token.
        """
        session, _ = self._sessions.get(token, (None, 0))
        if session is None or session.store is not store:
            raise LostSession(
                "this session is gone: the server was started again, or others needed the room; begin anew"
            )
        self._sessions[token] = session, time.monotonic()
        self._sessions.move_to_end(token)
        return session


CACHED_MOST = 16  # learners whose progress is cached


class Services:
    """The services of one file.

    Attributes:
        worker: runs sessions, and the polls of pages that show progress.
        sessions: of people with machines.
        training_job: trains, in a thread of its own.
        exact: held by who computes what takes long, so that such requests wait without a thread.
        progress_cache: returns the cache of a learner's progress, by name.
    """

    def __init__(self, path: Path) -> None:
        self.worker, self.sessions = Worker(path), Sessions()
        self.training_job = TrainingJob(Worker(path))
        self.exact = asyncio.Lock()
        self.progress_cache: Callable[[str], dict[str, Any]] = functools.lru_cache(CACHED_MOST)(lambda _: {})

    def stop(self) -> None:
        """Stop both threads, each after the job under way."""
        self.worker.stop()
        self.training_job.worker.stop()


_services: weakref.WeakKeyDictionary[Any, dict[Path, Services]] = weakref.WeakKeyDictionary()


def services_for(request: Request) -> Services:
    """Return the services of a request's file. Raises NoPage."""
    return services_of(request.datasette, request.file.path)


def services_of(datasette: Any, path: Path) -> Services:
    """Return the services of a file; they are started on first use."""
    by_path = _services.setdefault(datasette, {})
    if path not in by_path:
        services = by_path[path] = Services(path)
        weakref.finalize(datasette, services.stop).atexit = False
    return by_path[path]
