"""The routes of training: progress, start, pause, resume, step, stop, and a single game move by move."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeAlias, cast

from menace.explorer.progress import BOXES_FIRST, BOXES_MOST, Progress, RunRecord, progress_of, run_json
from menace.explorer.request import Request
from menace.explorer.request_errors import BadRequest
from menace.explorer.route import get, post
from menace.explorer.training_game import TrainingGame
from menace.explorer.training_job import TrainingJob
from menace.ledger.store import Run

NUMBER_MOST = 2**63 - 1  # of a block, as SQLite counts
GAMES_MOST = 1_000_000_000  # of a run that a page starts, at most: a quarter of an hour
LOOKERS_PATIENCE = 0.5  # seconds that a poll waits for a trainer's commit

TRAIN = "/{database}/play/{player}/train"
Against: TypeAlias = Annotated[
    str, "whom it trains against: random, optimal, perfect, imperfect:P, or a machine, which learns, too"
]
Seed: TypeAlias = Annotated[
    int | None, "of the run, 0 to 2^63 - 1, as a number or a text; one from the system if it is missing"
]
RunId: TypeAlias = Annotated[int, "the number of an unfinished run"]


@get("/{database}/play/{player}/progress.json", "what became of a machine")
async def progress(
    request: Request,
    after: Annotated[
        int | None, "the number of the last block that is known; without it, how the machine stands alone"
    ] = None,
    boxes: Annotated[int, f"how many of its first boxes, 1 to {BOXES_MOST:,}"] = BOXES_FIRST,
) -> Progress:
    """Return the progress of a learner since a block."""
    if not 1 <= boxes <= BOXES_MOST:
        raise BadRequest(f"boxes={boxes} is not a number of boxes from 1 to {BOXES_MOST:,}")
    services, name = request.services, request.part("player")
    cache, block = services.progress_cache(name), None if after is None else min(after, NUMBER_MOST)
    record = await services.worker.do(lambda store: progress_of(store, name, block, cache, boxes), LOOKERS_PATIENCE)
    return cast(Progress, {**record, "training": services.training_job.state(record["run"])})


@post(TRAIN, "let it train")
async def start(
    request: Request,
    against: Against,
    games: Annotated[int, f"how many games, 1 to {GAMES_MOST:,}"],
    seed: Seed = None,
    paused: Annotated[bool, "whether the run is written down only, to be played by `step` or `resume`"] = False,
) -> RunRecord:
    """Start a run."""
    if games > GAMES_MOST:
        raise BadRequest(f"games={games:,} are too many for a page; order {GAMES_MOST:,} at most, and go on after them")
    job = request.services.training_job
    return run_json(await job.start(request.part("player"), against, games, seed, paused))


@post(f"{TRAIN}/pause", "let the training rest")
async def pause(request: Request) -> RunRecord:
    """Pause the run after the block under way."""
    run = await request.services.training_job.pause()
    if run is None:
        raise BadRequest("no run has gone on here that could rest")
    return run_json(run)


def _act(name: str, summary: str, act: Callable[[TrainingJob, int], Awaitable[Run]]) -> None:
    """Add a route for an action on a run that takes nothing but its number."""

    @post(f"{TRAIN}/{name}", summary)
    async def handler(request: Request, run_id: RunId) -> RunRecord:
        return run_json(await act(request.services.training_job, run_id))


_act("resume", "go on with it", TrainingJob.resume)
_act("stop", "end it as it stands", TrainingJob.stop)


@post(f"{TRAIN}/step", "play some games of it")
async def step(
    request: Request,
    run_id: RunId,
    games: Annotated[int | None, "at most, as many as take a fifth of a second; one block if it is missing"] = None,
) -> RunRecord:
    """Play some games of a paused run."""
    if games is not None and games < 1:
        raise BadRequest(f"games={games} are no games; play 1 or more")
    return run_json(await request.services.training_job.step(run_id, games))


@post(f"{TRAIN}/game", "one game, move by move")
async def game(
    request: Request,
    against: Against = "",
    seed: Seed = None,
    run_id: Annotated[int | None, "of an unfinished run whose next game it is; without it, a run of its own"] = None,
) -> TrainingGame:
    """Let a learner train in one game, and return it move by move."""
    return await request.services.training_job.game(request.part("player"), run_id, against, seed)
