"""Training that a page looks on at: start, pause, go on, a step, the end; and a game move by move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from menace.shelf.records import RUNS
from menace.web.asked import Argument, flag, number, text
from menace.web.board import board_to_play
from menace.web.box import changes_of, open_box
from menace.web.errors import BadRequest
from menace.web.progress import progress_of, run_json, trained_by
from menace.web.route import Handler, Route
from menace.web.scene import ended, names_of_beads
from menace.web.staff import staff_of
from menace.web.visit import Visit

if TYPE_CHECKING:
    from datasette.utils.asgi import Response

    from menace.ledger.store import Store
    from menace.web.coach import ShownGame, ShownPly

LONGEST_NUMBER = 18  # digits: below 2^63
GAMES_MOST = 1_000_000_000  # of a run that a page orders: a quarter of an hour, and more can follow


async def progress(visit: Visit) -> Response:
    """Return what became of a learner since a block."""
    given = visit.argument("after")
    if given and not (given.isascii() and given.isdecimal() and len(given) <= LONGEST_NUMBER):
        raise BadRequest("after is the number of a block")
    staff, name = staff_of(visit.datasette, visit.file.path), visit.part("player")
    seen = staff.seen.get(name, {})
    found = await staff.reader.do(lambda store: progress_of(store, name, int(given) if given else None, seen))
    staff.remember(name, seen)  # of a learner that there is
    return visit.json({**found, "training": trained_by(staff.coach, found["run"])})


async def start(visit: Visit) -> Response:
    """Order a run, and let it go on."""
    body = await visit.body()
    against, seed, games = text(body, "against"), number(body, "seed"), number(body, "games") or 0
    if games > GAMES_MOST:
        raise BadRequest(f"games={games:,} are too many for a page; order {GAMES_MOST:,} at most, and go on after them")
    coach = staff_of(visit.datasette, visit.file.path).coach
    begin = coach.order if flag(body, "paused") else coach.start
    return visit.json(run_json(await begin(visit.part("player"), against, games, seed)))


async def pause(visit: Visit) -> Response:
    """Let the run rest after the block under way."""
    await visit.body()
    run = await staff_of(visit.datasette, visit.file.path).coach.pause()
    if run is None:
        raise BadRequest("no run has gone on here that could rest")
    return visit.json(run_json(run))


async def resume(visit: Visit) -> Response:
    """Go on with a run that rests."""
    run_id = _run_of(await visit.body())
    return visit.json(run_json(await staff_of(visit.datasette, visit.file.path).coach.resume(run_id)))


async def step(visit: Visit) -> Response:
    """Play one block of a run that rests."""
    run_id = _run_of(await visit.body())
    return visit.json(run_json(await staff_of(visit.datasette, visit.file.path).coach.step(run_id)))


async def stop(visit: Visit) -> Response:
    """End a run as it stands."""
    run_id = _run_of(await visit.body())
    return visit.json(run_json(await staff_of(visit.datasette, visit.file.path).coach.stop(run_id)))


async def game(visit: Visit) -> Response:
    """Let a learner train in one game, and return it move by move."""
    body = await visit.body()
    against, seed = text(body, "against"), number(body, "seed")
    staff, name = staff_of(visit.datasette, visit.file.path), visit.part("player")
    shown = await staff.coach.game(name, against, seed)
    return visit.json(await staff.reader.do(lambda store: shown_as_json(store, shown, name)))


def shown_as_json(store: Store, shown: ShownGame, name: str) -> dict[str, Any]:
    """Return a game between machines as the page shows it: a frame for each move, then the end."""
    from menace.ledger.positions import positions_of

    rules, beads = positions_of(store).game, names_of_beads(store, store.learner(name))

    def frame(ply: ShownPly) -> dict[str, Any]:
        return {
            "name": rules.name_of(ply.board, ply.action),
            "board": ply.board,
            "html": {
                "board": board_to_play(rules, ply.board, {}, "The board"),
                "box": None if ply.saw is None else open_box(ply.saw, rules, beads, ply.action),
            },
        }

    winner = {"X": shown.run.x_player, "O": shown.run.o_player}.get(shown.recorded.outcome, "")
    by = " by resignation" if shown.recorded.ended_by == "resignation" else ""
    return {
        "run": run_json(shown.run),
        "plies": [frame(ply) for ply in shown.plies],
        "board": shown.last_board,
        "outcome": shown.recorded.outcome,
        "said": f"{ended(shown.recorded.outcome, winner)}{by}; {name} learns from it",
        "html": {
            "board": board_to_play(rules, shown.last_board, {}, "The board"),
            "changes": changes_of(shown.changes, rules),
        },
    }


def _run_of(body: Mapping[str, Any]) -> int:
    found = number(body, "run_id")
    if found is None or not 0 <= found < 2**63:
        raise BadRequest("run_id is the number of a run")
    return found


RUN_TOLD = " ".join(RUNS)
SHOWN = "run plies board outcome said html"
PROGRESS = "learner plays has_draws games block more blocks run boxes strength html training"


def _to(act: str, handler: Handler, summary: str, **body: Argument) -> Route:
    """Return an address at which training is ordered, or a run is dealt with."""
    return Route(
        f"/{{database}}/play/{{player}}/train{act}",
        None,
        handler,
        summary,
        body=body,
        gives=SHOWN if act == "/game" else RUN_TOLD,
    )


AGAINST = Argument("string", "whom it trains against: random, optimal, perfect, imperfect:P, or a learner", True)
SEED = Argument("integer", "of the run, 0 to 2^63 - 1, as a number or a text; one from the system if it is missing")
GAMES = Argument("integer", f"how many games, 1 to {GAMES_MOST:,}", True)
PAUSED = Argument("boolean", "whether the run is written down only, to be played by `step` or `resume`")
RUN = Argument("integer", "the number of an unfinished run", True)
AFTER = Argument("string", "the number of the last block that is known; without it, how the learner stands alone")
ROUTES = [
    Route(
        "/{database}/play/{player}/progress.json",
        progress,
        None,
        "what became of a learner",
        {"after": AFTER},
        gives=PROGRESS,
    ),
    _to("", start, "let it train", against=AGAINST, games=GAMES, seed=SEED, paused=PAUSED),
    _to("/pause", pause, "let the training rest"),
    _to("/resume", resume, "go on with it", run_id=RUN),
    _to("/step", step, "play one block of it", run_id=RUN),
    _to("/stop", stop, "end it as it stands", run_id=RUN),
    _to("/game", game, "one game, move by move", against=AGAINST, seed=SEED),
]
