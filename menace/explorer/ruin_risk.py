"""The risk that a machine runs out of beads for its first move, for its page and the form that makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypedDict

from menace.arena.ruin import GAMES_AHEAD, ruin_text
from menace.explorer.request import Request
from menace.explorer.request_errors import BadRequest
from menace.explorer.route import get
from menace.games.base import Side
from menace.learners.fixed_opponents import is_fixed
from menace.learners.machine import Machine
from menace.learners.registry import DEFAULT_PRESET, check_fits, preset_settings
from menace.ledger.learners import named_machine
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of
from menace.wording import OPPONENTS


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
async def ruin_risk_json(
    request: Request,
    setting: Annotated[list[str], "settings that replace the preset's, as NAME=VALUE"],
    learner: Annotated[str, "the name of a machine; without it, one that could be made"] = "",
    preset: Annotated[str, f"where the settings of that one come from; {DEFAULT_PRESET} if missing"] = DEFAULT_PRESET,
    plays: Annotated[str, "its side, X or O; X if it is missing"] = "X",
) -> RuinRisk:
    """Return how likely a machine is to run out of beads for its first move, in a sentence by opponent."""

    def answer(store: Store) -> dict[str, str]:
        machine = requested_machine(store, learner, preset, plays, setting)
        texts = {opponent: ruin_text(machine, opponent, GAMES_AHEAD) for opponent in filter(is_fixed, OPPONENTS)}
        return {opponent: text for opponent, text in texts.items() if text is not None}

    return {"games": GAMES_AHEAD, "prospects": await request.ask(answer)}
