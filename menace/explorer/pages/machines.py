"""Serve the Machines page, which lists a database's machines and has a form for a new machine based on a preset.

The form and the page of a machine show the risk that the machine loses all beads for its first move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasette.utils.asgi import Response

from menace.analysis.listings import list_learners
from menace.arena.first_box import GAMES_AHEAD, ruin_text
from menace.explorer.content.json_for_scripts import preset_dict
from menace.explorer.server.requests import Request
from menace.explorer.server.routes import BadRequest, get, post
from menace.games.base import Side, cell_count
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import is_fixed
from menace.learners.registry import DEFAULT_PRESET, check_fits, get_preset, preset_settings, presets_for
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import Store
from menace.text.bead_colours import SCHEMES
from menace.text.wording import OPPONENTS, unused_name

NO_SETTINGS: dict[str, object] = {}


MICHIE_CELLS = 9  # Michie's colours and numbers are for boards with nine cells


def machine_list(store: Store) -> dict[str, Any]:
    """Return the machines of a database, and the presets of its game."""
    rules = rules_of(store)
    return {
        "game": rules.title,
        "words": rules.words,
        "presets": {name: preset_dict(name) for name in presets_for(rules.title)},
        "learners": list_learners(store).in_words().rows,
        "schemes": list(SCHEMES) if cell_count(rules.game) == MICHIE_CELLS else ["menace"],
    }


@get("/{database}/machines")
async def machines(request: Request, preset: str = "", name: str = "") -> Response:
    """Show all machines, and the form for a new machine with the settings of a preset."""
    listing = await request.ask(machine_list)
    chosen = preset or next(iter(listing["presets"]))
    plays = get_preset(chosen).plays
    check_fits(chosen, listing["game"])
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
    """Return all machines, like `menace learners --json`."""
    return list_learners(store).table().records()


@post("/{database}/machines")
def make(
    request: Request,
    store: Store,
    name: str,
    plays: str,
    preset: str = DEFAULT_PRESET,
    settings: dict[str, object] = NO_SETTINGS,
    seed: int | None = None,
    colours: str = "",
    numbering: str = "",
) -> dict[str, str]:
    """Create an untrained machine; see `new_learner`."""
    schemes: list[Any] = [colours or None, numbering or None]
    return machine_reply(request, new_learner(store, name, Side(plays), preset, settings, seed, *schemes).name)


def machine_reply(request: Request, name: str) -> dict[str, str]:
    """Return the JSON for a machine that was created or changed."""
    return {"name": name, "address": request.path("machines", name)}


def requested_machine(store: Store, learner: str, preset: str, plays: str, settings: Sequence[str]) -> Machine:
    """Return a machine of the database, or a new one with the given settings.

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
        return named_machine(store, learner)
    positions = positions_of(store)
    check_fits(preset, positions.title)
    for setting in settings:
        if "=" not in setting:
            raise BadRequest(f"setting={setting!r} is not NAME=VALUE")
    replaced = {name: value for name, _, value in (setting.partition("=") for setting in settings)}
    return Machine.fresh(*preset_settings(preset, Side(plays), replaced), positions, Side(plays).number)


@get("/{database}/prospect.json")
def ruin_risk_json(
    _: Request, store: Store, setting: list[str], learner: str = "", preset: str = DEFAULT_PRESET, plays: str = "X"
) -> dict[str, Any]:
    """Return, for each opponent, a sentence stating the risk that a machine loses all beads for its first move.

    The parameters are the same as for `requested_machine`.
    """
    machine = requested_machine(store, learner, preset, plays, setting)
    texts = {opponent: ruin_text(machine, opponent, GAMES_AHEAD) for opponent in filter(is_fixed, OPPONENTS)}
    return {"games": GAMES_AHEAD, "prospects": {who: text for who, text in texts.items() if text is not None}}
