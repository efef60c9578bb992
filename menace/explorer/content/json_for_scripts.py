"""Build JSON records for the pages' scripts: boards, boxes, changes, presets and settings.

Boxes and changes are oriented like the displayed board. The record of a setting includes its meaning, range and value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal, get_args, get_origin, get_type_hints

from menace.analysis.bead_names import BeadNames
from menace.analysis.listings import box_record, learner_record, move_record
from menace.analysis.position import PositionView
from menace.drawing.boards import cell_names
from menace.exporting.board_html import bead_colours, move_drawing
from menace.games.base import Board, Game
from menace.learners.box import Box, Move
from menace.learners.machine import Machine
from menace.learners.registry import LEARNERS, PRESETS
from menace.learners.settings import describe, explain, show
from menace.ledger.log.recorded_game import Change
from menace.ledger.store import LearnerRow

NO_BEAD: Mapping[str, str | None] = {"bead": None, "colour": None}


def played_record(game: Game, board: Board) -> dict[str, Any]:
    """Return a record of a board in a game in progress, with the names of its cells."""
    return {**board_record(game, board), "cells": cell_names(game)}


def board_record(game: Game, board: Board) -> dict[str, Any]:
    """Return a record of a board with its text, its `shape` (rows and columns), and the piece on each cell."""
    return {"board": board, "shape": game.shape, "pieces": game.pieces(board)}


def seen_record(view: PositionView, names: BeadNames, action: int | None) -> dict[str, Any]:
    """Return a record of the box that a machine opened, with its moves, oriented like the displayed board.

    The `marks` of a move are the cells or paths of all equivalent moves. `drawn` is the index of the row that contains
    the machine's move, in which that move comes first. `unit`, `title` and `drawn` are None if there is no box.

    Args:
        view: the board and the box.
        names: the names of beads.
        action: the move that the machine made, or None.
    """
    game, box = names.game, view.seen_box
    rows = [] if box is None else [row for row, move in enumerate(view.moves) if action in move.cells]
    beads = _beads_of(view.box, names)

    def marks_of(cells: Iterable[int]) -> list[dict[str, Any]]:
        looks = [move_drawing(game, view.board, cell) for cell in sorted(cells, key=lambda cell: cell != action)]
        return [{"cells": look["cells"], "path": look["path"]} for look in looks]

    return {
        **board_record(game, view.board),
        "kind": view.kind,
        "unit": None if box is None else box.unit,
        "title": None if box is None else box.title,
        "number": None if box is None else box.number,
        "drawn": rows[0] if rows else None,
        "moves": [
            {
                **_move(game, view.board, move, move.cells[0]),
                "names": move.names,
                "marks": marks_of(move.cells),
                **beads.get(move.action, NO_BEAD),
            }
            for move in view.moves
        ],
    }


def changes_record(changes: Iterable[Change], machine: Machine, names: BeadNames) -> list[dict[str, Any]]:
    """Return a game's changes to each box, by move. A change to the value of the board itself is a move without names.

    `put_back` is the number of beads added to an empty box before the machine learned.
    """
    return [
        {
            **board_record(names.game, board),
            "moves": [
                {**_changed(change, names.game), **beads.get(change.action, NO_BEAD)}
                for beads in [_beads_of(machine.find_box(board), names)]
                for change in changed
            ],
        }
        for board, changed in groupby(changes, attrgetter("board"))
    ]


def _changed(change: Change, game: Game) -> dict[str, Any]:
    cells = change.cells or ()
    return {
        **(move_drawing(game, change.board, cells[0]) if cells else {}),
        "names": [game.name_of(change.board, cell) for cell in cells],
        "before": change.before,
        "after": change.after,
        "put_back": change.put_back,
    }


def shown_record(box: Box, names: BeadNames) -> dict[str, Any]:
    """Return a record of a box for other programs, with the data that a script needs to draw it."""
    beads = _beads_of(box, names)
    moves = [{**_move(box.game, box.board, move, move.action), **beads.get(move.action, NO_BEAD)} for move in box.moves]
    return {**box_record(box), **board_record(box.game, box.board), "moves": moves}


def _beads_of(box: Box | None, names: BeadNames) -> Mapping[int | None, Mapping[str, str | None]]:
    """Return, for each move, the colour of its beads, with the colour's name as `bead`."""
    colours = {} if box is None else bead_colours(box, names)
    return {action: {"bead": colour.name, "colour": colour.hex} for action, colour in colours.items()}


def _move(game: Game, board: Board, move: Move, action: int) -> dict[str, Any]:
    return {**move_record(move), **move_drawing(game, board, action), "action": action}


YES_NO = ("yes", "no")


def settings_dict(values: Any) -> list[dict[str, Any]]:
    """Return a record for each setting with its name, its value as text, its meaning, its range and any choices.

    >>> from menace.learners.algorithms.beads import MenaceSettings
    >>> settings = settings_dict(MenaceSettings())
    >>> settings[1]["name"], settings[1]["value"], settings[1]["may_be"]
    ('beads', '4,3,2,1', 'integers from 1 to 10000, separated by commas')
    >>> settings[2]["name"], settings[2]["choices"]
    ('merged', ['yes', 'no'])
    """
    kinds = get_type_hints(type(values))
    return [
        {
            "name": name,
            "value": show(getattr(values, name)),
            "means": means,
            "may_be": describe(type(values), name),
            "choices": _choices(kinds[name]),
        }
        for name, means in explain(type(values)).items()
    ]


def _choices(kind: Any) -> list[str] | None:
    if kind is bool:
        return list(YES_NO)
    return [str(choice) for choice in get_args(kind)] if get_origin(kind) is Literal else None


def preset_dict(name: str) -> dict[str, Any]:
    """Return a record of a preset with its name, colours, numbering, unit and settings."""
    preset = PRESETS[name]
    made = {"name": name, "unit": LEARNERS[preset.algorithm].unit, "settings": settings_dict(preset.settings)}
    return vars(preset) | preset.naming._asdict() | made


def changed_settings(values: Mapping[str, Any], preset: str) -> dict[str, str]:
    """Return the preset's values of those settings that the learner has changed."""
    if preset not in PRESETS:
        return {}
    published = {setting["name"]: setting["value"] for setting in settings_dict(PRESETS[preset].settings)}
    return {name: published[name] for name, value in values.items() if published.get(name, value) != value}


def machine_dict(row: LearnerRow) -> dict[str, Any]:
    """Return a record of a learner's row, with its settings and the preset's values where they differ."""
    record = learner_record(row)
    texts = {
        name: show(tuple(value) if isinstance(value, list) else value) for name, value in record["settings"].items()
    }
    return {
        **record,
        "known": row.algorithm in LEARNERS,
        "instead_of": changed_settings(texts, row.preset),
        "texts": texts,
    }
