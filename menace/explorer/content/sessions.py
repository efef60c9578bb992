"""Manage sessions, threads and training jobs for each served file, and report the progress of a machine in training.

Progress consists of the blocks stored since a page's last poll, the machine's first boxes, and its strength. Progress
is read from the database, so any program may train the machine. Reads are short, and results are cached for all pages.
"""

from __future__ import annotations

import asyncio
import functools
import secrets
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from menace.analysis import bead_names, learning_curves, listings, position
from menace.errors import InvalidRun, MenaceError
from menace.explorer.content.drawable_boxes import (
    changes_record,
    load_bead_names,
    played_record,
    seen_record,
    shown_record,
)
from menace.explorer.server.requests import LostSession, Request, TooManySessions
from menace.explorer.server.threads_and_caches import Worker, start_worker
from menace.games.base import Side
from menace.learners.machine import Machine
from menace.ledger import learners, runs
from menace.ledger.log.recorded_game import changes, last_game, refilled
from menace.ledger.positions import positions_of
from menace.ledger.store import BlockRow, LearnerRow, Run, Store, now
from menace.ledger.training import Trainer, play_to_end, ruined_text
from menace.people.session import Session
from menace.text.narration import opening, told
from menace.text.wording import RESULTS

MAX_SESSIONS = 100


MAX_IDLE_TIME = 24 * 60 * 60  # seconds after which an idle session may be replaced, even during a game


class Sessions:
    """Up to MAX_SESSIONS sessions for one file.

    A new session replaces the session that has been idle longest and has no game in progress.
    """

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, tuple[Session, float]] = OrderedDict()  # each with the time of its last use

    def add(self, session: Session) -> str:
        """Add a session and return its token.

        Raises:
            TooManySessions: if all sessions have a game in progress.
        """
        while len(self._sessions) >= MAX_SESSIONS:
            long_ago = time.monotonic() - MAX_IDLE_TIME
            idle = (token for token, (held, used) in self._sessions.items() if used < long_ago or not held.is_under_way)
            if (token := next(idle, None)) is None:
                raise TooManySessions(
                    f"{MAX_SESSIONS} games are already in progress; finish one of them, or try again later"
                )
            del self._sessions[token]
        token = secrets.token_urlsafe(16)
        self._sessions[token] = session, time.monotonic()
        return token

    def session(self, store: Store, token: str) -> Session:
        """Return the session with the given token.

        Raises:
            LostSession: if the file has no session with this token.
        """
        session, _ = self._sessions.get(token, (None, 0))
        if session is None or session.store is not store:
            raise LostSession(
                "this session no longer exists, because the server restarted or had too many sessions; start a new one"
            )
        self._sessions[token] = session, time.monotonic()
        self._sessions.move_to_end(token)
        return session


MAX_CACHED_LEARNERS = 16  # maximum number of learners whose progress is cached


class Services:
    """The services for one file.

    Attributes:
        worker: the worker for sessions and for polls of progress.
        sessions: the sessions of people who play against machines.
        training_job: the training job, which has its own worker.
        exact: a lock for slow computations, so that requests that wait for one do not occupy a thread.
        progress_cache: a function that returns the progress cache for the learner with the given name.
    """

    def __init__(self, path: Path) -> None:
        self.worker, self.sessions = start_worker(path), Sessions()
        self.training_job = TrainingJob(start_worker(path))
        self.exact = asyncio.Lock()
        self.progress_cache: Callable[[str], dict[str, Any]] = functools.lru_cache(MAX_CACHED_LEARNERS)(lambda _: {})

    def stop(self) -> None:
        """Stop both workers, each as soon as its current job is finished."""
        self.worker.stop()
        self.training_job.worker.stop()


_services: weakref.WeakKeyDictionary[Any, dict[Path, Services]] = weakref.WeakKeyDictionary()


def services_for(request: Request) -> Services:
    """Return the services for the file that a request names. Raises NoPage if there is no such file."""
    return services_of(request.datasette, request.file.path)


def services_of(datasette: Any, path: Path) -> Services:
    """Return the services for a file; the first call starts these services."""
    by_path = _services.setdefault(datasette, {})
    if path not in by_path:
        services = by_path[path] = Services(path)
        weakref.finalize(datasette, services.stop).atexit = False
    return by_path[path]


MAX_BLOCKS = 100  # maximum number of blocks in one response (about 8 kB); a page that missed more blocks polls again
DEFAULT_BOXES = 12  # number of boxes in a response unless the page requests a different number
MAX_BOXES = 1000
ACTIVE_TIME = timedelta(seconds=5)  # a run counts as active for this long after its last block


def training_progress(
    store: Store, name: str, after: int | None, cache: dict[str, Any], boxes: int = DEFAULT_BOXES
) -> dict[str, Any]:
    """Return the progress that a learner has made since a given block.

    The result contains `contents` and `strength` only if something has changed and no blocks remain to be sent.

    Args:
        store: the database.
        name: the name of the learner.
        after: the number of a block; None to return only the current state, including `boxes`.
        cache: results of earlier calls for this learner, which are reused until something changes.
        boxes: the maximum number of first boxes to return.

    Raises:
        UnknownLearner: if there is no such learner.
        DatabaseBusy: if other programs hold the lock for too long.
    """
    with store.snapshot():
        row = store.learner(name)
        latest = store.latest_block(row.learner_id)
        blocks = [] if after is None else store.blocks_after(row.learner_id, after, MAX_BLOCKS)
        run = store.latest_run(row.learner_id)
        last = blocks[-1].block_id if blocks else after
        more = last is not None and last < latest
        latest_block = store.block(latest)
        rival = None if run is None else _rival(store, run, row)
        key = (row.learner_id, row.games, latest, rival and (rival.name, store.latest_block(rival.learner_id)))
        positions = positions_of(store)
        is_known = more or cache.get("key") == key
        machines = [] if is_known else [learners.load_machine(store, positions, each) for each in (row, rival) if each]
    if machines:
        cache.update(key=key, machine=machines[0], strength=_curve(store, row), contents={}, rival=None)
    if machines and rival is not None:
        boxes_of_rival = _boxes(machines[1], DEFAULT_BOXES)
        cache["rival"] = {"learner": rival.name, "boxes": boxes_of_rival}
    is_new = not more and (after is None or blocks)
    return {
        "learner": row.name,
        "plays": row.plays,
        "has_draws": positions.has_draws,
        "games": row.games,
        "block": latest if last is None else last,
        "more": more,
        "blocks": [_block(block, row) for block in blocks if block.games],
        "run": None if run is None else _run_record(store, run, latest_block, cache),
        "boxes": _boxes(cache["machine"], boxes) if after is None else None,
        "contents": _amounts_in_first_boxes(cache, boxes) if is_new else None,
        "rival": cache["rival"] if is_new else None,
        "strength": cache["strength"] if is_new else None,
    }


def _rival(store: Store, run: Run, row: LearnerRow) -> LearnerRow | None:
    """Return the learner that opposed a given learner in a run, or None if there was none or it has been deleted."""
    _, rival_id = row.plays.x_and_o(run.x_learner_id, run.o_learner_id)
    rival = None if rival_id is None else store.learner_by_id(rival_id)
    return None if rival is None or rival.deleted_at else rival


def _boxes(machine: Machine, most: int) -> list[dict[str, Any]]:
    names = bead_names.BeadNames(machine.positions, machine.naming)
    return [shown_record(box, names) for box in islice(machine.each_box(), most)]


def _amounts_in_first_boxes(cache: dict[str, Any], most: int) -> list[dict[str, Any]]:
    """Return the contents of a machine's first boxes.

    Pages that show the same number of boxes share one computation.
    """
    machine, known = cache["machine"], cache["contents"]
    if most not in known:
        known[most] = [
            {"amounts": [move.amount for move in box.moves], "shares": [move.share for move in box.moves]}
            for box in islice(machine.each_box(), most)
        ]
    contents: list[dict[str, Any]] = known[most]
    return contents


def run_json(run: Run, stopped: Collection[int] = frozenset()) -> dict[str, Any]:
    """Return a run as a record for scripts.

    The seed is sent as text, because JavaScript integers are exact only up to 2^53.
    """
    return {**listings.run_record(run, stopped=stopped), "seed": str(run.seed)}


def _run_record(store: Store, run: Run, latest: BlockRow | None, cache: dict[str, Any]) -> dict[str, Any]:
    """Return a run as a record; `latest` is the latest block of the learner being trained."""
    stopped: set[int] = set()
    why: str | None = None
    if run.finished_at is not None and run.games_played < run.games_wanted:
        if cache.get("ended", (None,))[0] != run.run_id:
            stopped = store.stopped_runs()
            cache["ended"] = run.run_id, stopped, ruined_text(store, run) if run.run_id in stopped else None
        _, stopped, why = cache["ended"]
    return {**run_json(run, stopped), "why": why, "active": _is_active(run, latest)}


def _is_active(run: Run, latest: BlockRow | None) -> bool:
    """Return whether a run has just committed a block. Times are stored as text that sorts chronologically."""
    if run.finished_at is not None or latest is None or latest.run_id != run.run_id:
        return False
    return (datetime.now(UTC) - ACTIVE_TIME).isoformat() < latest.created_at <= now()


def _block(block: BlockRow, row: LearnerRow) -> dict[str, int]:
    own, others = row.plays.x_and_o(block.x_wins, block.o_wins)
    return {
        "block": block.block_id,
        "games": block.games,
        **dict(zip(RESULTS, (own, block.draws, others), strict=True)),
    }


def _curve(store: Store, row: LearnerRow) -> list[dict[str, Any]]:
    points = learning_curves.thinned_curve(store, row, "behaviour").points
    return [
        {"games": games, "losses": {who: strength.loss for who, strength in strengths.items()}}
        for games, strengths in points.items()
    ]


def one_game(name: str, against: str, seed: int | None) -> runs.Training:
    """Return the options for a one-game run in which a machine with no beads for its first move resigns at once."""
    return runs.Training(name, against, games=1, seed=seed, continue_when_ruined=True)


def training_game(store: Store, name: str, run: Run) -> dict[str, Any]:
    """Let a learner play the next game of a run and learn from it. Return one frame for each move and one for the end.

    The boxes shown in the frames are correct only if no other program trains the learner during the game.

    Raises:
        MenaceError: as in `Trainer.play_blocks`.
        InvalidRun: if the run ended without a game because a machine has no bead left for its first move.
    """
    before = learners.load_machine(store, positions_of(store), store.learner(name))
    trainer = Trainer(store)
    games_played = run.games_played
    run = trainer.play_blocks(run, games=1)
    if run.games_played == games_played:
        raise InvalidRun(f"run {run.run_id} has ended: {ruined_text(store, run)}")
    after = learners.load_machine(store, before.positions, store.learner(name))
    arena, game = trainer.arena, before.positions.game
    recorded, boards = last_game(arena)
    beads = load_bead_names(store, before)

    def seen_box(ply: int) -> dict[str, Any] | None:
        if Side.after(ply) is not before.plays:
            return None
        machine = refilled(arena, before, arena.positions.path(recorded.actions[: ply + 1]))
        return seen_record(position.show_machine(store, boards[ply], machine), beads, recorded.actions[ply])

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
    """A job that trains the machines in a file.

    Attributes:
        worker: the worker that trains.
        run: the last active run, as it was after the last transaction.
        error: the error that ended the run, if any.
    """

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.run: Run | None = None
        self.error: str | None = None
        self._pause = threading.Event()
        self._future: Future[None] | asyncio.Future[None] | None = None

    def state(self, run: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return whether this job is playing, whether `run` is its latest run, and any error that ended the run."""
        own = self.run and self.run.run_id
        here = own is not None and run is not None and own == run["run_id"]
        return {"going": self._is_active, "here": here, "run_id": own, "error": self.error}

    async def start(self, name: str, against: str, games: int, seed: int | None, paused: bool) -> Run:
        """Create a run as `menace train` does, and play it unless `paused` is true.

        Raises:
            InvalidRun: if another run is active.
            MenaceError: the same errors as for `runs.order`.
        """
        training = runs.Training(name, against, games, seed)
        run = self.run = await self._do_when_idle(lambda store: runs.order(store, training))
        if not paused:
            self._carry_on(run)
        return run

    async def resume(self, run_id: int) -> Run:
        """Resume a paused run.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, the run has ended, or another run is active.
        """
        run = await self._do_when_idle(lambda store: runs.unfinished_run(store, run_id))
        self._carry_on(run)
        return run

    async def step(self, run_id: int, games: int | None = None) -> Run:
        """Continue a paused run briefly: for at most `games` games, or for one block if `games` is None.

        Raises:
            UnknownRun, InvalidRun: the same errors as for `resume`.
        """
        most = 1 if games is None else None
        run = self.run = await self._do_when_idle(
            lambda store: Trainer(store).play_blocks(runs.unfinished_run(store, run_id), most, games)
        )
        return run

    async def pause(self) -> Run | None:
        """Pause the run after the current block, and return the run."""
        self._pause.set()
        if self._future is not None:
            await asyncio.wait([asyncio.wrap_future(self._future)])
        return self.run

    async def stop(self, run_id: int) -> Run:
        """End a run without playing its remaining games.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, or it has ended.
        """
        if self.run is not None and self.run.run_id == run_id:
            await self.pause()
        run = self.run = await self.worker.do(lambda store: runs.abandon(store, run_id))
        return run

    async def play_one_game(self, name: str, run_id: int | None, against: str, seed: int | None) -> dict[str, Any]:
        """Train a learner in the next game of a paused run, or in a new one-game run, and return the game's moves.

        Raises:
            UnknownRun, InvalidRun: the same errors as for `resume`.
            MenaceError: the same errors as for `runs.order`.
        """

        def play(store: Store) -> dict[str, Any]:
            is_new = run_id is None
            run = runs.order(store, one_game(name, against, seed)) if is_new else runs.unfinished_run(store, run_id)
            return training_game(store, name, run)

        return await self._do_when_idle(play)

    @property
    def _is_active(self) -> bool:
        return self._future is not None and not self._future.done()

    def _check_idle(self) -> None:
        if self._is_active and self.run is not None:
            raise InvalidRun(f"run {self.run.run_id} is in progress; pause or end it first")

    async def _do_when_idle(self, job: Callable[[Store], T]) -> T:
        """Run a job if no training run is active, and return the job's result."""
        self._check_idle()
        self.error = None
        return await self.worker.do(job)

    def _carry_on(self, run: Run) -> None:
        self._check_idle()  # another request may have started a run since the first check
        self.run = run
        self._pause.clear()
        self._future = self.worker.start(lambda store: self._carry_out(store, run))

    def _carry_out(self, store: Store, run: Run) -> Iterator[None]:
        try:
            for state in play_to_end(store, run):
                self.run = state
                if self._pause.is_set() or self.worker.stopping.is_set():
                    break
                yield
        except MenaceError as error:
            self.error = str(error)
