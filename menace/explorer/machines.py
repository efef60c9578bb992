"""The page Machines: all machines of a database, and a form for a new one with the settings of a preset."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict, cast

from datasette.utils.asgi import Response

from menace.analysis.json_records import LearnerRecord, learner_records
from menace.explorer.request import Request
from menace.explorer.route import get, post
from menace.explorer.settings_forms import PresetRecord, machine_dict, preset_dict
from menace.games.base import Side
from menace.games.boards_as_text import cells_of
from menace.learners.registry import DEFAULT_PRESET, check_fits, get_preset, presets_for
from menace.ledger.learners import new_learner
from menace.ledger.store import Store
from menace.ledger.stored_rules import rules_of
from menace.naming_schemes import SCHEMES
from menace.wording import unused_name

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
        address_of=lambda name: request.path("machines", name),
        sql=request.sql("SELECT name, plays, preset, settings, games FROM learner WHERE deleted_at IS NULL"),
        **listing,
    )


@get("/{database}/machines.json", "the machines of a file")
async def machines_json(request: Request) -> list[LearnerRecord]:
    """Return all machines, as `menace learners --json` does."""
    table = await request.ask(lambda store: learner_records(store.learners()))
    return cast(list[LearnerRecord], table.records())


@get("/{database}/presets.json", "the presets for the game, each setting explained")
async def presets_json(request: Request) -> list[PresetRecord]:
    """Return the presets that the game can have, each setting explained."""
    return list((await request.ask(machine_list))["presets"].values())


@post("/{database}/machines", "make a machine that has learned nothing yet")
async def make(
    request: Request,
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
    row = await request.ask(lambda store: new_learner(store, name, Side(plays), preset, settings, seed, *schemes))
    return machine_reply(request, row.name)


def machine_reply(request: Request, name: str) -> MachineReply:
    """Return the JSON for a machine that was made or changed."""
    return {"name": name, "address": request.path("machines", name)}
