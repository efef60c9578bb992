"""Marks of moves on a board in HTML: the amount that a box has for each, and the colour of its beads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from menace.drawing.board_shapes import arrow_of
from menace.errors import InvalidSetting
from menace.exporting.board_html import Mark, amount_text, arrow_path

if TYPE_CHECKING:
    from menace.analysis.bead_names import BeadNames
    from menace.games.base import Board, Game
    from menace.learners.box import Box, Move
    from menace.naming_schemes import BeadColour


def mark_of(box: Box, move: Move, colour: BeadColour | None = None) -> Mark:
    """Return the mark of a move on the board of its box; `colour` is that of its beads, if it is shown."""
    place, name = box.game.where(box.board, move.action), box.game.name_of(box.board, move.action)
    return Mark(place, name, move.verdict, move.share or 0.0, amount_text(move.amount), colour and colour.hex)


def move_look(game: Game, board: Board, action: int) -> dict[str, Any]:
    """Return what a script draws a move from: its name, cells or arrow, the arrow's path, and the piece that it puts.

    A pair is cells with a path.

    >>> from menace.games import get_game
    >>> move_look(get_game(), "X........", 4)
    {'name': '4', 'cells': (4,), 'arrow': None, 'path': None, 'places': ''}
    """
    where = game.where(board, action)
    arrow = arrow_of(where, game.pieces(board), game.shape[1])
    return {
        "name": game.name_of(board, action),
        "cells": where.pair or where.cells,
        "arrow": where.arrow,
        "path": None if arrow is None else arrow_path(arrow),
        "places": where.places,
    }


def colours_of(box: Box, names: BeadNames) -> dict[int, BeadColour]:
    """Return the colour of each move's beads; none where there are fewer colours than moves, or no beads."""
    if not box.has_beads:
        return {}
    try:
        beads = names.beads(box.board, [move.action for move in box.moves])
    except InvalidSetting:
        return {}
    return {action: bead.colour for action, bead in beads.items()}
