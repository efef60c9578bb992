"""Training that a page looks on at: start, pause, go on, a step, the end; and a game move by move."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from datasette.utils.asgi import Response

from menace.shelf.records import RUNS
from menace.web.coach import Coach
from menace.web.errors import BadRequest
from menace.web.progress import progress_of, run_json
from menace.web.route import get, post
from menace.web.staff import staff_of
from menace.web.visit import Visit

LONGEST_NUMBER = 18  # digits: below 2^63
GAMES_MOST = 1_000_000_000  # of a run that a page orders: a quarter of an hour, and more can follow


TRAIN = "/{database}/play/{player}/train"
RUN = " ".join(RUNS)
Against: TypeAlias = Annotated[str, "whom it trains against: random, optimal, perfect, imperfect:P, or a learner"]
Seed: TypeAlias = Annotated[
    int | None, "of the run, 0 to 2^63 - 1, as a number or a text; one from the system if it is missing"
]
RunId: TypeAlias = Annotated[int, "the number of an unfinished run"]


@get(
    "/{database}/play/{player}/progress.json",
    "what became of a learner",
    "learner plays has_draws games block more blocks run boxes strength training",
)
async def progress(
    visit: Visit,
    after: Annotated[str, "the number of the last block that is known; without it, how the learner stands alone"] = "",
) -> Response:
    """Return what became of a learner since a block."""
    if after and not (after.isascii() and after.isdecimal() and len(after) <= LONGEST_NUMBER):
        raise BadRequest("after is the number of a block")
    staff, name = staff_of(visit.datasette, visit.file.path), visit.part("player")
    seen = staff.seen.get(name, {})
    found = await staff.reader.do(lambda store: progress_of(store, name, int(after) if after else None, seen))
    staff.remember(name, seen)  # of a learner that there is
    return visit.json({**found, "training": staff.coach.told(found["run"])})


@post(TRAIN, "let it train", RUN)
async def start(
    visit: Visit,
    against: Against,
    games: Annotated[int, f"how many games, 1 to {GAMES_MOST:,}"],
    seed: Seed = None,
    paused: Annotated[bool, "whether the run is written down only, to be played by `step` or `resume`"] = False,
) -> Response:
    """Order a run, and let it go on."""
    if games > GAMES_MOST:
        raise BadRequest(f"games={games:,} are too many for a page; order {GAMES_MOST:,} at most, and go on after them")
    coach = _coach(visit)
    begin = coach.order if paused else coach.start
    return visit.json(run_json(await begin(visit.part("player"), against, games, seed)))


@post(f"{TRAIN}/pause", "let the training rest", RUN)
async def pause(visit: Visit) -> Response:
    """Let the run rest after the block under way."""
    run = await _coach(visit).pause()
    if run is None:
        raise BadRequest("no run has gone on here that could rest")
    return visit.json(run_json(run))


@post(f"{TRAIN}/resume", "go on with it", RUN)
async def resume(visit: Visit, run_id: RunId) -> Response:
    """Go on with a run that rests."""
    return visit.json(run_json(await _coach(visit).resume(run_id)))


@post(f"{TRAIN}/step", "play one block of it", RUN)
async def step(visit: Visit, run_id: RunId) -> Response:
    """Play one block of a run that rests."""
    return visit.json(run_json(await _coach(visit).step(run_id)))


@post(f"{TRAIN}/stop", "end it as it stands", RUN)
async def stop(visit: Visit, run_id: RunId) -> Response:
    """End a run as it stands."""
    return visit.json(run_json(await _coach(visit).stop(run_id)))


@post(f"{TRAIN}/game", "one game, move by move", "run plies board shape pieces outcome said changes")
async def game(visit: Visit, against: Against, seed: Seed = None) -> Response:
    """Let a learner train in one game, and return it move by move."""
    return visit.json(await _coach(visit).game(visit.part("player"), against, seed))


def _coach(visit: Visit) -> Coach:
    return staff_of(visit.datasette, visit.file.path).coach
