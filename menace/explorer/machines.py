"""The page Machines: all machines of a database, and a form for a new one with the settings of a preset.

The form says how likely such a machine is to run out of beads for its first move, as the page of a machine does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict, cast

from datasette.utils.asgi import Response

from menace.analysis.json_records import LearnerRecord, learner_records
from menace.arena.first_box import GAMES_AHEAD, ruin_text
from menace.explorer.request import Request
from menace.explorer.request_errors import BadRequest
from menace.explorer.route import get, post
from menace.explorer.settings_forms import PresetRecord, machine_dict, preset_dict
from menace.games.base import Side
from menace.games.boards_as_text import cells_of
from menace.learners.fixed_opponents import is_fixed
from menace.learners.machine import Machine
from menace.learners.registry import DEFAULT_PRESET, check_fits, get_preset, preset_settings, presets_for
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of
from menace.ledger.stored_rules import rules_of
from menace.naming_schemes import SCHEMES
from menace.wording import OPPONENTS, unused_name

NO_SETTINGS: dict[str, object] = {}
NINE = 9  # cells, for which Michie's colours and numbers are


class MachineReply(TypedDict):
    """The name of a machine that was made or changed, and the address of its page."""

    name: str
    address: str


def machine_list(store: Store) -> dict[str, Any]:
    """Return the machines of a database, and the presets of its game."""
    rules = rules_of(store)
    return {
        "game": rules.title,
        "words": rules.words,
        "presets": {name: preset_dict(name, preset) for name, preset in presets_for(rules.title).items()},
        "learners": [machine_dict(row) for row in store.learners()],
        "schemes": list(SCHEMES) if cells_of(rules.game) == NINE else ["menace"],
    }


@get("/{database}/machines", "the machines of a file, and a form for a new one")
async def machines(
    request: Request,
    preset: Annotated[str, "whose settings the form begins with"] = "",
    name: Annotated[str, "that the form begins with"] = "",
) -> Response:
    """Show all machines, and the form for a new one, with the settings of a preset."""
    listing = await request.ask(machine_list)
    chosen = preset or next(iter(listing["presets"]))
    plays = get_preset(chosen).plays
    check_fits(chosen, listing["game"])
    taken = {learner["name"] for learner in listing["learners"]}
    return await request.page(
        "machines",
        title="Machines",
        chosen=listing["presets"][chosen],
        name=name or unused_name(f"{chosen}-{plays[0].lower()}", taken),
        may_be_random=any(setting["name"] == "initial" for setting in listing["presets"][chosen]["settings"]),
        **listing,
    )


@get("/{database}/machines.json", "the machines of a file")
def machines_json(_: Request, store: Store) -> list[LearnerRecord]:
    """Return all machines, as `menace learners --json` does."""
    return cast(list[LearnerRecord], learner_records(store.learners()).records())


@get("/{database}/presets.json", "the presets for the game, each setting explained")
def presets_json(_: Request, store: Store) -> list[PresetRecord]:
    """Return the presets that the game can have, each setting explained."""
    return list(machine_list(store)["presets"].values())


@post("/{database}/machines", "make a machine that has learned nothing yet")
def make(
    request: Request,
    store: Store,
    name: Annotated[str, "its name"],
    plays: Annotated[str, "its side, X or O"],
    preset: Annotated[str, "where its settings come from; menace if it is missing"] = DEFAULT_PRESET,
    settings: Annotated[dict[str, object], "that replace the preset's, by name; values or texts"] = NO_SETTINGS,
    seed: Annotated[int | None, "of a random start, 0 to 2^63 - 1"] = None,
    colours: Annotated[str, "of its beads, menace or michie; the preset's if it is missing"] = "",
    numbering: Annotated[str, "of cells, likewise"] = "",
) -> MachineReply:
    """Make a machine that has learned nothing yet."""
    schemes: list[Any] = [colours or None, numbering or None]
    return machine_reply(request, new_learner(store, name, Side(plays), preset, settings, seed, *schemes).name)


def machine_reply(request: Request, name: str) -> MachineReply:
    """Return the JSON for a machine that was made or changed."""
    return {"name": name, "address": request.path("machines", name)}


def requested_machine(store: Store, learner: str, preset: str, plays: str, settings: Sequence[str]) -> Machine:
    """Return a machine of the database, or a new one with given settings.

    Args:
        store: the database.
        learner: its name; empty for a new one.
        preset: where the settings of a new one come from.
        plays: its side.
        settings: those that replace the preset's, as `NAME=VALUE`.

    Raises:
        UnknownLearner, UnknownPreset, InvalidPlayer, InvalidSetting: if there is no such machine, or it cannot
            be made.
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


class RuinRisk(TypedDict):
    """How many games are looked ahead, and a sentence by opponent."""

    games: int
    prospects: dict[str, str]


@get("/{database}/prospect.json", "how likely a machine is to run out of beads for its first move")
def ruin_risk_json(
    _: Request,
    store: Store,
    setting: Annotated[list[str], "settings that replace the preset's, as NAME=VALUE"],
    learner: Annotated[str, "the name of a machine; without it, one that could be made"] = "",
    preset: Annotated[str, f"where the settings of that one come from; {DEFAULT_PRESET} if missing"] = DEFAULT_PRESET,
    plays: Annotated[str, "its side, X or O; X if it is missing"] = "X",
) -> RuinRisk:
    """Return how likely a machine is to run out of beads for its first move, in a sentence by opponent."""
    machine = requested_machine(store, learner, preset, plays, setting)
    texts = {opponent: ruin_text(machine, opponent, GAMES_AHEAD) for opponent in filter(is_fixed, OPPONENTS)}
    return {"games": GAMES_AHEAD, "prospects": {who: text for who, text in texts.items() if text is not None}}
