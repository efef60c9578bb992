"""The routes of training: progress, start, pause, resume, step, stop, and a single game move by move."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from menace.explorer.progress import BOXES_FIRST, BOXES_MOST, progress_of, run_json
from menace.explorer.request import Request
from menace.explorer.request_errors import BadRequest
from menace.explorer.route import get, post
from menace.explorer.services import services_for
from menace.explorer.training_job import TrainingJob
from menace.ledger.store import Run

NUMBER_MOST = 2**63 - 1  # of a block, as SQLite counts
GAMES_MOST = 1_000_000_000  # of a run that a page starts, at most: a quarter of an hour
LOOKERS_PATIENCE = 0.5  # seconds that a poll waits for a trainer's commit

TRAIN = "/{database}/play/{player}/train"


@get("/{database}/play/{player}/progress.json")
async def progress(request: Request, after: int | None = None, boxes: int = BOXES_FIRST) -> dict[str, Any]:
    """Return the progress of a learner since a block."""
    if not 1 <= boxes <= BOXES_MOST:
        raise BadRequest(f"boxes={boxes} is not a number of boxes from 1 to {BOXES_MOST:,}")
    services, name = services_for(request), request.part("player")
    cache, block = services.progress_cache(name), None if after is None else min(after, NUMBER_MOST)
    record = await services.worker.do(lambda store: progress_of(store, name, block, cache, boxes), LOOKERS_PATIENCE)
    return {**record, "training": services.training_job.state(record["run"])}


@post(TRAIN)
async def start(
    request: Request, against: str, games: int, seed: int | None = None, paused: bool = False
) -> dict[str, Any]:
    """Start a run. A paused one is only stored, to be played by `step` or `resume`."""
    if games > GAMES_MOST:
        raise BadRequest(f"games={games:,} are too many for a page; order {GAMES_MOST:,} at most, and go on after them")
    job = services_for(request).training_job
    return run_json(await job.start(request.part("player"), against, games, seed, paused))


@post(f"{TRAIN}/pause")
async def pause(request: Request) -> dict[str, Any]:
    """Pause the run after the block under way."""
    run = await services_for(request).training_job.pause()
    if run is None:
        raise BadRequest("no run has gone on here that could rest")
    return run_json(run)


def _act(name: str, act: Callable[[TrainingJob, int], Awaitable[Run]]) -> None:
    """Add a route for an action on a run that takes nothing but its number."""

    @post(f"{TRAIN}/{name}")
    async def handler(request: Request, run_id: int) -> dict[str, Any]:
        return run_json(await act(services_for(request).training_job, run_id))


_act("resume", TrainingJob.resume)
_act("stop", TrainingJob.stop)


@post(f"{TRAIN}/step")
async def step(request: Request, run_id: int, games: int | None = None) -> dict[str, Any]:
    """Play some games of a paused run: one block, or at most `games`, as many as take a fifth of a second."""
    if games is not None and games < 1:
        raise BadRequest(f"games={games} are no games; play 1 or more")
    return run_json(await services_for(request).training_job.step(run_id, games))


@post(f"{TRAIN}/game")
async def game(
    request: Request, against: str = "", seed: int | None = None, run_id: int | None = None
) -> dict[str, Any]:
    """Let a learner train in the next game of an unfinished run, or in a run of one game; return it move by move."""
    return await services_for(request).training_job.game(request.part("player"), run_id, against, seed)
