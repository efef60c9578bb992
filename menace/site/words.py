"""The texts of a site about a learner: how it plays, its facts, and how to read its boxes."""

from __future__ import annotations

import json
from typing import Any

from menace.analysis.bead_names import BeadNames
from menace.games.base import MoveMark
from menace.learners.box import Box
from menace.learners.favourite_colour import FavouriteSettings
from menace.learners.machine import Machine
from menace.learners.settings import to_json
from menace.wording import BEADS, MATCHBOXES, counted

HOW_IT_PLAYS = {
    "menace": BEADS,
    "favourite": "Each box stands for one position{alike}. To move, the machine opens "
    "the box of the position and takes the colour with the most beads. After the game, beads are added to the boxes "
    "that were opened, or taken out.",
    "td": "For each position it keeps a value: what it has come to expect from there. It mostly plays the move that "
    "leads to the position of the highest value, and sometimes tries another.",
    "odds": "For each of its moves it keeps a weight, and it plays by chance, each move as often as its weight says.",
}
VALUES_OF_MOVES = (
    "For each of its moves it keeps a value: what it has come to expect from it. It mostly plays the move of the "
    "highest value, and sometimes tries another."
)

PARTS = {  # of the page Play, which a link can hide
    "box": "what it saw",
    "score": "the score",
    "worth": "what moves are worth",
    "changes": "what a game changed",
    "undo": "undo",
    "resign": "resign",
    "type": "typing a move",
    "explore": "the way to Explore",
    "training": "training",
    "settings": "how to play",
}


def title(machine: Machine) -> str:
    """Return the title of the page of its boxes, or values."""
    name = machine.name
    return f"The matchboxes of {name}" if machine.has_beads else f"What {name} learned"


def introduction(machine: Machine, of_cells: bool) -> str:
    """Return how a learner plays and learns; `of_cells` is whether its moves are cells."""
    alike = ""
    if len(machine.positions.symmetries) > 1:
        boards = "turned and mirrored boards" if of_cells else "boards that are alike by symmetry"
        alike = f", {boards} together"
    how = HOW_IT_PLAYS.get(machine.algorithm.name, VALUES_OF_MOVES).replace("{alike}", alike)
    if not machine.has_beads:
        return f"This machine learned to play from nothing but the results of its games. {how}"
    return f"{MATCHBOXES} {how} {_rewards(machine.settings, machine.positions.has_draws)}"


def _rewards(settings: Any, draws: bool) -> str:
    if isinstance(settings, FavouriteSettings) and settings.rewards != "outcome":
        return ""
    signs = {name: f"{getattr(settings, name):+d}".replace("-", "\N{MINUS SIGN}") for name in ("win", "draw", "loss")}
    which = "the last bead drawn" if getattr(settings, "credit", "all") == "last" else "each bead drawn"
    worth = "a win is {win}, a draw {draw}, a loss {loss}" if draws else "a win is {win}, a loss {loss}"
    return f"Here {worth} for {which}.".format(**signs)


def facts(machine: Machine, boxes: list[Box]) -> dict[str, str]:
    """Return facts about a learner, in a few words each."""
    texts = {
        "plays": f"{machine.plays}, {'first' if machine.plays == 'X' else 'second'}",
        "games learned from": f"{machine.learned.games:,}",
        "boxes" if machine.has_beads else "positions with a choice": f"{len(boxes):,}",
    }
    if machine.has_beads:
        texts["beads"] = f"{sum(box.beads for box in boxes):,}"
    return {**texts, "preset": machine.preset}


def settings_dict(machine: Machine) -> dict[str, str]:
    """Return a learner's algorithm and settings as text."""
    values: dict[str, object] = {"algorithm": machine.algorithm.name, **json.loads(to_json(machine.settings))}
    return {name: _setting(value) for name, value in values.items()}


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def legend(boxes: list[Box], names: BeadNames) -> str:
    """Return how to read the boxes."""
    unit = "beads" if boxes and boxes[0].has_beads else "value"
    first = boxes[0] if boxes else None
    where = MoveMark() if first is None else names.game.where(first.board, first.moves[0].action)
    shown = f"A cell shows the {unit} of the move there"
    if where.arrow:
        shown = f"Each arrow is a move, and below the board stand their {unit}"
    elif where.pair:
        shown = f"Each bar across two cells is a move, and below the board stand their {unit}"
    elif where.places:
        shown = f"A cell shows the pieces that can be put there, each with the {unit} of that move"
    merged = any(move.multiplicity > 1 for box in boxes for move in box.moves)
    like = " A move that is not shown is equivalent by symmetry to one that is." if merged else ""
    return f"{shown}, shaded by how likely it is to be played.{like}"


def stage_count(boxes: list[Box]) -> str:
    """Return the number of boxes, or positions, as text."""
    return counted(len(boxes), "box" if boxes[0].has_beads else "position")
