"""Training that a page looks on at: start, pause, go on, a step, the end; and a game move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from menace.web.board import board_to_play
from menace.web.box import changes_of, open_box
from menace.web.errors import BadRequest
from menace.web.play import seed_of, text_of
from menace.web.progress import progress_of, trained_by
from menace.web.route import Route
from menace.web.scene import ended, names_of_beads
from menace.web.staff import staff_of
from menace.web.visit import Visit

if TYPE_CHECKING:
    from datasette.utils.asgi import Response

    from menace.ledger.store import RunRow, Store
    from menace.web.coach import ShownGame, ShownPly

LONGEST_NUMBER = 18  # digits: below 2^63


async def progress(visit: Visit) -> Response:
    """Return what became of a learner since a block."""
    given = visit.argument("after")
    if given and not (given.isascii() and given.isdecimal() and len(given) <= LONGEST_NUMBER):
        raise BadRequest("`after` is the number of a block")
    staff, name = staff_of(visit.datasette, visit.file.path), visit.part("player")
    seen = staff.seen.get(name, {})
    found = await staff.reader.do(lambda store: progress_of(store, name, int(given) if given else None, seen))
    staff.seen[name] = seen  # of a learner that there is
    return visit.json({**found, "training": trained_by(staff.coach, found["run"])})


async def start(visit: Visit) -> Response:
    """Order a run, and let it go on."""
    body = await visit.body()
    against, seed = text_of(body, "against"), seed_of(body)
    games: Any = body.get("games")  # `start_training` says what it has to be
    coach = staff_of(visit.datasette, visit.file.path).coach
    begin = coach.order if body.get("paused") is True else coach.start
    return visit.json(_run(await begin(visit.part("player"), against, games, seed)))


async def pause(visit: Visit) -> Response:
    """Let the run rest after the block under way."""
    await visit.body()
    run = await staff_of(visit.datasette, visit.file.path).coach.pause()
    return visit.json(_run(run) if run is not None else {})


async def resume(visit: Visit) -> Response:
    """Go on with a run that rests."""
    number = _number(await visit.body())
    return visit.json(_run(await staff_of(visit.datasette, visit.file.path).coach.resume(number)))


async def step(visit: Visit) -> Response:
    """Play one block of a run that rests."""
    number = _number(await visit.body())
    return visit.json(_run(await staff_of(visit.datasette, visit.file.path).coach.step(number)))


async def stop(visit: Visit) -> Response:
    """End a run as it stands."""
    number = _number(await visit.body())
    return visit.json(_run(await staff_of(visit.datasette, visit.file.path).coach.stop(number)))


async def game(visit: Visit) -> Response:
    """Let a learner train in one game, and return it move by move."""
    body = await visit.body()
    against, seed = text_of(body, "against"), seed_of(body)
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
        "run": _run(shown.run),
        "plies": [frame(ply) for ply in shown.plies],
        "board": shown.last_board,
        "outcome": shown.recorded.outcome,
        "said": f"{ended(shown.recorded.outcome, winner)}{by}; {name} learns from it",
        "html": {
            "board": board_to_play(rules, shown.last_board, {}, "The board"),
            "changes": changes_of(shown.changes, rules),
        },
    }


def _number(body: dict[str, Any]) -> int:
    number = body.get("run_id")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 2**63:
        raise BadRequest("`run_id` is the number of a run")
    return number


def _run(run: RunRow) -> dict[str, Any]:
    played = {"games_played": run.games_played, "games_wanted": run.games_wanted}
    return {"run_id": run.run_id, **played, "seed": str(run.seed), "finished": run.finished_at is not None}


ROUTES = [
    Route("/{database}/play/{player}/progress.json", progress, None, "what became of a learner since ?after= a block"),
    Route("/{database}/play/{player}/train", None, start, "let it train"),
    Route("/{database}/play/{player}/train/pause", None, pause, "let the training rest"),
    Route("/{database}/play/{player}/train/resume", None, resume, "go on with it"),
    Route("/{database}/play/{player}/train/step", None, step, "play one block of it"),
    Route("/{database}/play/{player}/train/stop", None, stop, "end it as it stands"),
    Route("/{database}/play/{player}/train/game", None, game, "one game, move by move"),
]
