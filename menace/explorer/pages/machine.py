"""Serve the page of one machine, with its strength, settings, and risk of losing all beads for the first move."""

from __future__ import annotations

import time
from typing import Any

from datasette.utils.asgi import Response

from menace.analysis.grades import strength_of
from menace.analysis.learning_curves import thinned_curve
from menace.errors import InvalidPlayer, InvalidRun
from menace.explorer.content.curves import Plane, curve_points
from menace.explorer.content.json_for_scripts import machine_dict, preset_dict, settings_dict
from menace.explorer.pages.machines import machine_reply
from menace.explorer.server.requests import Request
from menace.explorer.server.routes import get, post
from menace.explorer.server.threads_and_caches import LARGE
from menace.explorer.sessions.training import run_json
from menace.learners.registry import LEARNERS, MAX_NAME_LENGTH, PRESETS
from menace.ledger.learners import (
    check_untaught,
    delete_learner,
    named_machine,
    opponents_of_side,
    rename_learner,
    settings_of,
)
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.runs import Training, abandon as abandon_run, copy_learner, order, unfinished_run
from menace.ledger.store import Run, Store
from menace.ledger.training import continue_run
from menace.people.physical import CountDifference, emptied, record_count
from menace.text.wording import OPPONENTS, unused_name

SECONDS_PER_REQUEST = 1.0  # training time per request; the page repeats the request until the run is finished
MAX_GAMES = 1_000_000  # maximum number of games in a run that a page starts; `menace train` accepts more
GAMES = 10_000


def changed_copy(
    store: Store, name: str, new: str, empty: str = "", against: str = "", games: int = GAMES
) -> Run | None:
    """Create a changed copy of a learner. If an opponent is given, return the copy's first run, before it is played.

    The copy is created only if the changes are valid.

    Args:
        store: the database.
        name: the name of the learner.
        new: the name of the copy.
        empty: the board whose box is emptied; an empty string to empty no box.
        against: the copy's opponent, which does not learn; an empty string for no opponent.
        games: the number of games against the opponent.

    Raises:
        UnknownLearner, InvalidPlayer, InvalidBeads, InvalidRun, InvalidBoard: if there is no such learner, if the new
            name is not allowed or is already taken, or if the learner has no such box or cannot play against the
            opponent.

    >>> run = changed_copy(store, "menace-x", "exile", "X.O......", "optimal", 50)
    >>> train_for(store, run).games_played, store.learner("exile").games
    (50, 150)
    >>> store.learner("menace-x").games
    100
    """
    if games > MAX_GAMES:
        raise InvalidRun(f"games={games:,} are too many for a page; use `menace train`")
    tipped = _emptied_box(store, name, empty) if empty else []
    with store.transaction():
        copied = copy_learner(store, name, new).name
        if tipped:
            record_count(store, copied, tipped)
        return order(store, Training(copied, against, games, alone=True)) if against else None


def _emptied_box(store: Store, name: str, board: str) -> list[CountDifference]:
    machine = named_machine(store, name)
    if not machine.has_beads:
        raise InvalidPlayer(f"{name} has no matchboxes to empty, because {machine.algorithm.name} learns values")
    box = machine.find_box(board)
    if box is None:
        raise InvalidPlayer(f"{name} has no box for {board}; enter a board on which it is to move and has a choice")
    return emptied(box)


def train_for(store: Store, run: Run, seconds: float = SECONDS_PER_REQUEST) -> Run:
    """Train for the given time, but for at least one block, and return the run.

    >>> run = order(store, Training("menace-x", "random", games=50, seed=1))
    >>> train_for(store, run).finished_at is None
    False
    """
    end = time.monotonic() + seconds
    for state in continue_run(store, run):
        run = state
        if time.monotonic() >= end:
            break
    return run


def run_of(store: Store, name: str, run_id: int) -> Run:
    """Return an unfinished run of the given learner.

    Raises:
        UnknownLearner, UnknownRun, InvalidRun: if there is no such run or if it belongs to another learner.
    """
    run = unfinished_run(store, run_id)
    if store.learner(name).learner_id not in run.learner_ids:
        raise InvalidRun(f"run {run_id} does not belong to {name}; the page of {name} lists its runs")
    return run


MAX_COPY_NAME_LENGTH = MAX_NAME_LENGTH - 5  # maximum length of the original's name within the name of a copy


def machine_report(store: Store, name: str) -> dict[str, Any]:
    """Return a report on a machine with its settings, strength, curve and unfinished runs."""
    row = store.learner(name)
    known = row.algorithm in LEARNERS
    exact = known and store.position_count() <= LARGE
    curve = thinned_curve(store, row, "behaviour")
    return {
        "machine": machine_dict(row),
        "settings": settings_dict(settings_of(row)) if known else [],
        "preset": preset_dict(row.preset) if row.preset in PRESETS else None,
        "report": strength_of(store, row.name) if exact else None,
        "has_draws": exact and positions_of(store).has_draws,
        "curves": {words: curve.against(who) for who, words in OPPONENTS.items()},
        "runs": [run for run in store.runs() if run.finished_at is None and row.learner_id in run.learner_ids],
        "first": rules_of(store).game.initial,
        "fixed": opponents_of_side(store, rules_of(store).title, row.plays.other),
        "others": [other.name for other in store.learners() if other.plays != row.plays],
        "has_beads": known and LEARNERS[row.algorithm].has_beads,
        "taken": {other.name for other in store.learners()},
    }


@get("/{database}/machines/{name}")
async def machine(request: Request) -> Response:
    """Show one machine."""
    name = request.part("name")
    details = await request.ask(lambda store: machine_report(store, name))
    name = details["machine"]["name"]
    return await request.page(
        "machine",
        title=name,
        here=request.path("machines", name),
        copy_name=unused_name(name[:MAX_COPY_NAME_LENGTH], {*details.pop("taken"), name[:MAX_COPY_NAME_LENGTH]}),
        plane=Plane.of(details["curves"].values()),
        **details,
    )


@get("/{database}/machines/{name}.json")
def machine_json(request: Request, store: Store) -> dict[str, Any]:
    """Return a machine as JSON with its row, settings, exact strength and curve."""
    details = machine_report(store, request.part("name"))
    report, row = details["report"], details["machine"]
    return {
        **{key: value for key, value in row.items() if key not in {"texts", "known", "deleted_at"}},
        "strength": report.table().records() if report else [],
        "curves": {words: curve_points(points) for words, points in details["curves"].items()},
        "unfinished_runs": [run.run_id for run in details["runs"]],
    }


@post("/{database}/machines/{name}/rename")
def rename(request: Request, store: Store, name: str) -> dict[str, str]:
    """Rename a machine."""
    row = store.learner(request.part("name"))
    rename_learner(store, row.name, name)
    return machine_reply(request, store.learner_by_id(row.learner_id).name)


@post("/{database}/machines/{name}/copy")
def copy(request: Request, store: Store, name: str) -> dict[str, str]:
    """Copy a machine with everything that it has learned."""
    return machine_reply(request, copy_learner(store, request.part("name"), name).name)


@post("/{database}/machines/{name}/delete")
def delete(request: Request, store: Store, yes: bool = False) -> dict[str, Any]:
    """Delete a machine. If the machine has learned from games, the request must contain a confirmation."""
    row = store.learner(request.part("name"))
    if not yes:
        check_untaught(row, "check the box to delete")
    gone = delete_learner(store, row.name)
    return {"name": row.name, "address": request.path("machines"), "gone": gone}


@post("/{database}/machines/{name}/world")
def change(
    request: Request, store: Store, name: str, empty: str = "", against: str = "", games: int = GAMES
) -> dict[str, Any]:
    """Create a changed copy of a machine; see `changed_copy`."""
    wanted = (request.part("name"), name, empty.strip(), against.strip(), games)
    return _train_and_reply(request, store, changed_copy(store, *wanted), name)


@post("/{database}/machines/{name}/resume")
def resume(request: Request, store: Store, run_id: int) -> dict[str, Any]:
    """Continue an unfinished run of a machine for about a second."""
    name = request.part("name")
    return _train_and_reply(request, store, run_of(store, name, run_id), name)


def _train_and_reply(request: Request, store: Store, run: Run | None, name: str) -> dict[str, Any]:
    carried = run and run_json(train_for(store, run))
    reply = machine_reply(request, store.learner(name).name)
    return {**reply, "run": carried, "more": f"{reply['address']}/resume"}


@post("/{database}/machines/{name}/abandon")
def abandon(request: Request, store: Store, run_id: int) -> dict[str, Any]:
    """End an unfinished run of a machine in its current state."""
    name = request.part("name")
    run = abandon_run(store, run_of(store, name, run_id).run_id)
    return {**machine_reply(request, name), "run": run_json(run)}
