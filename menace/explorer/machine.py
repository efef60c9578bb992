"""The page of a machine: its settings, strength and curve, and the forms that rename, copy, change or delete it."""

from __future__ import annotations

from typing import Any

from datasette.utils.asgi import Response

from menace.analysis.learning_curves import thinned_curve_of
from menace.analysis.strength import strength_of
from menace.explorer import what_if
from menace.explorer.curves import Plane, curve_points
from menace.explorer.machines import machine_reply
from menace.explorer.progress import run_json
from menace.explorer.read_cache import LARGE
from menace.explorer.request import Request
from menace.explorer.route import get, post
from menace.explorer.settings_forms import machine_dict, preset_dict, settings_dict
from menace.learners.name_checks import NAME_MOST
from menace.learners.registry import LEARNERS, PRESETS
from menace.ledger.learners import check_untaught, delete_learner, rename_learner, settings_of
from menace.ledger.runs import abandon as abandon_run
from menace.ledger.runs import copy_learner
from menace.ledger.store import Run, Store
from menace.ledger.stored_policies import opponents_of_side
from menace.ledger.stored_positions import positions_of
from menace.ledger.stored_rules import rules_of
from menace.wording import OPPONENTS, unused_name

COPY_MOST = NAME_MOST - 5  # characters of a name, of which a copy's is made


def machine_report(store: Store, name: str) -> dict[str, Any]:
    """Return the report on a machine: its settings, strength and curve, and its unfinished runs."""
    row = store.learner(name)
    known = row.algorithm in LEARNERS
    exact = known and store.position_count() <= LARGE
    curve = thinned_curve_of(store, row, "behaviour")
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
        copy_name=unused_name(name[:COPY_MOST], {*details.pop("taken"), name[:COPY_MOST]}),
        plane=Plane.of(details["curves"].values()),
        **details,
    )


@get("/{database}/machines/{name}.json")
def machine_json(request: Request, store: Store) -> dict[str, Any]:
    """Return one machine: its row, settings, exact strength and curve."""
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
    """Give a machine another name."""
    row = store.learner(request.part("name"))
    rename_learner(store, row.name, name)
    return machine_reply(request, store.learner_by_id(row.learner_id).name)


@post("/{database}/machines/{name}/copy")
def copy(request: Request, store: Store, name: str) -> dict[str, str]:
    """Start a machine from what another has learned."""
    return machine_reply(request, copy_learner(store, request.part("name"), name).name)


@post("/{database}/machines/{name}/delete")
def delete(request: Request, store: Store, yes: bool = False) -> dict[str, Any]:
    """Delete a machine; one that has learned from games only if the page says yes."""
    row = store.learner(request.part("name"))
    if not yes:
        check_untaught(row, "say yes to delete")
    gone = delete_learner(store, row.name)
    return {"name": row.name, "address": request.path("machines"), "gone": gone}


@post("/{database}/machines/{name}/world")
def change(
    request: Request, store: Store, name: str, empty: str = "", against: str = "", games: int = what_if.GAMES
) -> dict[str, Any]:
    """Make a changed copy of a machine; see `what_if.changed_copy`."""
    wanted = (request.part("name"), name, empty.strip(), against.strip(), games)
    return _trained(request, store, what_if.changed_copy(store, *wanted), name)


@post("/{database}/machines/{name}/resume")
def resume(request: Request, store: Store, run_id: int) -> dict[str, Any]:
    """Carry an unfinished run of a machine on, for a second."""
    name = request.part("name")
    return _trained(request, store, what_if.run_of(store, name, run_id), name)


def _trained(request: Request, store: Store, run: Run | None, name: str) -> dict[str, Any]:
    carried = run and run_json(what_if.train_for(store, run))
    reply = machine_reply(request, store.learner(name).name)
    return {**reply, "run": carried, "more": f"{reply['address']}/resume"}


@post("/{database}/machines/{name}/abandon")
def abandon(request: Request, store: Store, run_id: int) -> dict[str, Any]:
    """End an unfinished run of a machine as it stands."""
    name = request.part("name")
    run = abandon_run(store, what_if.run_of(store, name, run_id).run_id)
    return {**machine_reply(request, name), "run": run_json(run)}
