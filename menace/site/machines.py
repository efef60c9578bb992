"""A learner as a page's script plays it: its rule, and what it has learned, for every move of the game."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidSetting
from menace.games.positions import Positions
from menace.learners.boxes import boxed_positions, first_beads
from menace.learners.exploration import ExplorationSettings
from menace.learners.favourite import FavouriteSettings, bead_changes
from menace.learners.machine import Machine
from menace.learners.menace import MenaceSettings
from menace.learners.odds import choices
from menace.shelf.naming import BeadNames


def learner_table(machine: Machine, names: BeadNames) -> dict[str, Any]:
    """Return all that a script knows of a learner.

    Args:
        machine: as it has learned.
        names: what its beads and moves are called.

    >>> from menace.colours import OWN
    >>> machine = Machine("scroggs", "X")
    >>> table = learner_table(machine, BeadNames(machine.positions, OWN))
    >>> table["rule"]["kind"], table["weight"][:3], table["learns"]
    ('beads', [8, 8, 8], True)
    """
    positions = machine.positions
    rule, entries = _rule(machine), machine.entries_of(range(positions.move_count))
    numbers = names.numbers_of_cells if names.of_cells else ()
    table = {
        "name": machine.name,
        "plays": machine.plays,
        "side": machine.side,
        "unit": machine.algorithm.unit,
        "games": machine.learned.games,
        "learns": machine.has_beads,
        "counted": not machine.algorithm.of_positions,
        "rule": rule,
        "weight": machine.amounts_of(entries),
        "picked": machine.counts_of(entries),
        "epsilon": machine.learned.epsilon or 0.0,
        "numbers": [] if list(numbers) == list(range(len(numbers))) else list(numbers),
        **_colours(machine, names),
    }
    return {**table, "print": fingerprint(positions, table)}


def fingerprint(positions: Positions, table: Mapping[str, Any]) -> str:
    """Return what tells one learner, as it stands, from all others: what is kept in a browser belongs to it alone."""
    told = {key: table[key] for key in ("name", "plays", "rule", "weight", "picked", "epsilon")}
    content = json.dumps([positions.title, positions.symmetry, told], sort_keys=True)
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:16]


def _rule(machine: Machine) -> dict[str, Any]:
    """Return the settings of its algorithm, as static/players.js takes them."""
    settings, positions = machine.settings, machine.positions
    if isinstance(settings, MenaceSettings):
        return {
            "kind": "beads",
            "boxed": _bits(boxed_positions(settings, positions, machine.side)),
            "first_beads": first_beads(settings, positions).tolist(),
            **{key: getattr(settings, key) for key in ("win", "draw", "loss", "floor", "when_empty")},
            "last_only": settings.credit == "last",
        }
    if isinstance(settings, FavouriteSettings):
        return {
            "kind": "favourite",
            "boxed": _bits(boxed_positions(settings, positions, machine.side)),
            "changes": bead_changes(settings, positions.longest).ravel().tolist(),
            "floor": settings.floor,
            **_exploring(settings, alike=True, first=False),
        }
    if isinstance(settings, ExplorationSettings):
        everywhere = _bits(positions.moved_by(machine.side))
        first = settings.ties == "first"
        return {"kind": "values", "boxed": everywhere, **_exploring(settings, alike=False, first=first)}
    return {"kind": "odds", "boxed": _bits(choices(positions, machine.side))}


def _exploring(settings: Any, *, alike: bool, first: bool) -> dict[str, Any]:
    decay, least = settings.epsilon_decay, settings.epsilon_least
    return {"decay": decay, "least": least, "explores_alike": alike, "first_of_ties": first}


def _bits(flags: NDArray[np.bool_]) -> str:
    return "".join("1" if flag else "0" for flag in flags.tolist())


def _colours(machine: Machine, names: BeadNames) -> dict[str, Any]:
    """Return the colours of its beads, and which each move has; none if there are fewer than moves, or no beads."""
    positions = machine.positions
    colours: dict[tuple[str, str], int] = {}
    of_moves = [-1] * positions.move_count
    boxed = machine.boxed.nonzero()[0].tolist() if machine.has_beads else []
    try:
        for position in boxed:
            span = positions.moves_of(position)
            actions = [int(positions.action[move]) for move in span]
            beads = names.beads(positions.boards[position], actions)
            for move, action in zip(span, actions, strict=True):
                one = beads[action].colour
                of_moves[move] = colours.setdefault((one.name, one.hex), len(colours))
    except InvalidSetting:
        return {"colours": [], "colour_of_move": []}
    return {"colours": list(colours), "colour_of_move": of_moves if colours else []}
