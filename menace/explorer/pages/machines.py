"""Serve a page for each machine, and the Machines page, which lists all machines and has a form for a new one.

The form and each machine's page show the risk that the machine loses all beads for its first move.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from datasette.utils.asgi import Response

from menace.analysis import grades, learning_curves, listings
from menace.arena.bead_distributions import GAMES_AHEAD, ruin_text
from menace.errors import InvalidPlayer, InvalidRun
from menace.explorer.content import curves, drawable_boxes, sessions
from menace.explorer.server.requests import BadRequest, Request, get, post
from menace.explorer.server.threads_and_caches import LARGE
from menace.games.base import Side, cell_count
from menace.learners import registry
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import is_fixed
from menace.ledger import learners, runs, training
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import Run, Store
from menace.people.physical import CountDifference, emptied, record_count
from menace.text.bead_colours import SCHEMES
from menace.text.wording import OPPONENTS, unused_name

NO_SETTINGS: dict[str, object] = {}


MICHIE_CELLS = 9  # Michie's colours and numbers are for boards with nine cells


def machine_list(store: Store) -> dict[str, Any]:
    """Return the machines in a database, and the presets for its game."""
    rules = rules_of(store)
    return {
        "game": rules.title,
        "words": rules.words,
        "presets": {name: drawable_boxes.preset_dict(name) for name in registry.presets_for(rules.title)},
        "learners": listings.list_learners(store).in_words().rows,
        "schemes": list(SCHEMES) if cell_count(rules.game) == MICHIE_CELLS else ["menace"],
    }


@get("/{database}/machines")
async def machines(request: Request, preset: str = "", name: str = "") -> Response:
    """Show all machines and, for a new machine, a form that is filled in with a preset's settings."""
    listing = await request.ask(machine_list)
    chosen = preset or next(iter(listing["presets"]))
    plays = registry.get_preset(chosen).plays
    registry.check_fits(chosen, listing["game"])
    taken = {name for name, *_ in listing["learners"]}
    return await request.page(
        "machines",
        title="Machines",
        chosen=listing["presets"][chosen],
        name=name or unused_name(f"{chosen}-{plays[0].lower()}", taken),
        may_be_random=any(setting["name"] == "initial" for setting in listing["presets"][chosen]["settings"]),
        **listing,
    )


@get("/{database}/machines.json")
def machines_json(_: Request, store: Store) -> list[dict[str, Any]]:
    """Return all machines, as `menace learners --json` does."""
    return listings.list_learners(store).table().records()


@post("/{database}/machines")
def make(
    request: Request,
    store: Store,
    name: str,
    plays: str,
    preset: str = registry.DEFAULT_PRESET,
    settings: dict[str, object] = NO_SETTINGS,
    seed: int | None = None,
    colours: str = "",
    numbering: str = "",
) -> dict[str, str]:
    """Create an untrained machine; see `new_learner`."""
    schemes: list[Any] = [colours or None, numbering or None]
    return machine_reply(request, learners.new_learner(store, name, Side(plays), preset, settings, seed, *schemes).name)


def machine_reply(request: Request, name: str) -> dict[str, str]:
    """Return a JSON response for a machine that has been created or changed."""
    return {"name": name, "address": request.path("machines", name)}


def requested_machine(store: Store, learner: str, preset: str, plays: str, settings: Sequence[str]) -> Machine:
    """Return a machine from the database, or a new machine with the given settings.

    Args:
        store: the database.
        learner: the name of the machine; empty for a new machine.
        preset: the preset of a new machine.
        plays: the side of a new machine.
        settings: settings that replace those of the preset, as `NAME=VALUE`.

    Raises:
        UnknownLearner, UnknownPreset, InvalidPlayer, InvalidSetting: if there is no such machine or if it
            cannot be created.
        BadRequest: if a setting is not NAME=VALUE.
    """
    if learner:
        return learners.named_machine(store, learner)
    positions = positions_of(store)
    registry.check_fits(preset, positions.title)
    for setting in settings:
        if "=" not in setting:
            raise BadRequest(f"setting={setting!r} is not NAME=VALUE")
    replaced = {name: value for name, _, value in (setting.partition("=") for setting in settings)}
    return Machine.fresh(*registry.preset_settings(preset, Side(plays), replaced), positions, Side(plays).number)


@get("/{database}/prospect.json")
def ruin_risk_json(
    _: Request,
    store: Store,
    setting: list[str],
    learner: str = "",
    preset: str = registry.DEFAULT_PRESET,
    plays: str = "X",
) -> dict[str, Any]:
    """Return, for each opponent, a sentence stating the risk that a machine loses all beads for its first move.

    The parameters are the same as for `requested_machine`.
    """
    machine = requested_machine(store, learner, preset, plays, setting)
    texts = {opponent: ruin_text(machine, opponent, GAMES_AHEAD) for opponent in filter(is_fixed, OPPONENTS)}
    return {"games": GAMES_AHEAD, "prospects": {who: text for who, text in texts.items() if text is not None}}


SECONDS_PER_REQUEST = 1.0  # training time per request; the page sends requests until the run is finished
MAX_GAMES = 1_000_000  # maximum number of games in a run that a page starts; `menace train` accepts more
GAMES = 10_000


def changed_copy(
    store: Store, name: str, new: str, empty: str = "", against: str = "", games: int = GAMES
) -> Run | None:
    """Create a changed copy of a learner.

    If an opponent is given, return the copy's first run, which has not been played yet.

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
        copied = runs.copy_learner(store, name, new).name
        if tipped:
            record_count(store, copied, tipped)
        return runs.order(store, runs.Training(copied, against, games, alone=True)) if against else None


def _emptied_box(store: Store, name: str, board: str) -> list[CountDifference]:
    machine = learners.named_machine(store, name)
    if not machine.has_beads:
        raise InvalidPlayer(f"{name} has no matchboxes to empty, because {machine.algorithm.name} learns values")
    box = machine.find_box(board)
    if box is None:
        raise InvalidPlayer(f"{name} has no box for {board}; enter a board on which this machine has a choice of moves")
    return emptied(box)


def train_for(store: Store, run: Run, seconds: float = SECONDS_PER_REQUEST) -> Run:
    """Train for the given time, and for at least one block, and return the run.

    >>> run = runs.order(store, runs.Training("menace-x", "random", games=50, seed=1))
    >>> train_for(store, run).finished_at is None
    False
    """
    end = time.monotonic() + seconds
    for state in training.play_to_end(store, run):
        run = state
        if time.monotonic() >= end:
            break
    return run


def run_of(store: Store, name: str, run_id: int) -> Run:
    """Return an unfinished run of the given learner.

    Raises:
        UnknownLearner, UnknownRun, InvalidRun: if there is no such run or if it belongs to another learner.
    """
    run = runs.unfinished_run(store, run_id)
    if store.learner(name).learner_id not in run.learner_ids:
        raise InvalidRun(f"run {run_id} does not belong to {name}; choose a run listed on the page of {name}")
    return run


MAX_COPY_NAME_LENGTH = registry.MAX_NAME_LENGTH - 5  # maximum length of the original's name within the name of a copy


def machine_report(store: Store, name: str) -> dict[str, Any]:
    """Return a report on a machine with its settings, strength, curve and unfinished runs."""
    row = store.learner(name)
    known = row.algorithm in registry.LEARNERS
    exact = known and store.position_count() <= LARGE
    curve = learning_curves.thinned_curve(store, row, "behaviour")
    return {
        "machine": drawable_boxes.machine_dict(row),
        "settings": drawable_boxes.settings_dict(learners.settings_of(row)) if known else [],
        "preset": drawable_boxes.preset_dict(row.preset) if row.preset in registry.PRESETS else None,
        "report": grades.strength_of(store, row.name) if exact else None,
        "has_draws": exact and positions_of(store).has_draws,
        "curves": {words: curve.against(who) for who, words in OPPONENTS.items()},
        "runs": [run for run in store.runs() if run.finished_at is None and row.learner_id in run.learner_ids],
        "first": rules_of(store).game.initial,
        "fixed": learners.opponents_of_side(store, rules_of(store).title, row.plays.other),
        "others": [other.name for other in store.learners() if other.plays != row.plays],
        "has_beads": known and registry.LEARNERS[row.algorithm].has_beads,
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
        plane=curves.Plane.of(details["curves"].values()),
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
        "curves": {words: curves.curve_points(points) for words, points in details["curves"].items()},
        "unfinished_runs": [run.run_id for run in details["runs"]],
    }


@post("/{database}/machines/{name}/rename")
def rename(request: Request, store: Store, name: str) -> dict[str, str]:
    """Rename a machine."""
    row = store.learner(request.part("name"))
    learners.rename_learner(store, row.name, name)
    return machine_reply(request, store.learner_by_id(row.learner_id).name)


@post("/{database}/machines/{name}/copy")
def copy(request: Request, store: Store, name: str) -> dict[str, str]:
    """Copy a machine with everything that it has learned."""
    return machine_reply(request, runs.copy_learner(store, request.part("name"), name).name)


@post("/{database}/machines/{name}/delete")
def delete(request: Request, store: Store, yes: bool = False) -> dict[str, Any]:
    """Delete a machine. If the machine has learned from games, the request must contain a confirmation."""
    row = store.learner(request.part("name"))
    if not yes:
        learners.check_untaught(row, "check the box to delete")
    gone = learners.delete_learner(store, row.name)
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
    carried = run and sessions.run_json(train_for(store, run))
    reply = machine_reply(request, store.learner(name).name)
    return {**reply, "run": carried, "more": f"{reply['address']}/resume"}


@post("/{database}/machines/{name}/abandon")
def abandon(request: Request, store: Store, run_id: int) -> dict[str, Any]:
    """End an unfinished run of a machine without playing its remaining games."""
    name = request.part("name")
    run = runs.abandon(store, run_of(store, name, run_id).run_id)
    return {**machine_reply(request, name), "run": sessions.run_json(run)}
