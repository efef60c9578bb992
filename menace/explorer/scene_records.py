"""Boards, boxes and changes as records from which a page's script draws them, the moves as the board lies."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Any

from menace.analysis.naming import BeadNames
from menace.analysis.position import PositionView
from menace.analysis.records import box_record, move_record
from menace.exporting.move_marks import colours_of, explore_state_of
from menace.games.base import Board, Game
from menace.learners.box import Box, Move
from menace.ledger.recording import Change


def board_record(game: Game, board: Board) -> dict[str, Any]:
    """Return a board: its text, its `shape` as rows and columns, and the piece on each cell."""
    return {"board": board, "shape": game.shape, "pieces": game.pieces(board)}


def seen_record(view: PositionView, names: BeadNames, action: int | None) -> dict[str, Any]:
    """Return what a machine saw: its box for a board as the board lies, by moves.

    Args:
        view: the board, and the box; `unit`, `title` and `drawn` are None where there is no box.
        names: the colours of beads.
        action: what it took, which is in the row `drawn`; None if nothing.
    """
    game, box = names.game, view.seen_box
    rows = [] if box is None else [row for row, move in enumerate(view.moves) if action in move.cells]
    colours = {} if view.box is None else colours_of(view.box, names)
    return {
        **board_record(game, view.board),
        "kind": view.kind,
        "unit": None if box is None else box.unit,
        "title": None if box is None else box.title,
        "drawn": rows[0] if rows else None,
        "moves": [
            {**_move(game, view.board, move, move.cells[0]), "names": move.names, "colour": colours.get(move.action)}
            for move in view.moves
        ],
    }


def changes_record(changes: Iterable[Change], game: Game) -> list[dict[str, Any]]:
    """Return what a game changed in each box, by moves; a board's own value changes as a move without names.

    `put_back` are the beads that an empty box was given before it learned.
    """
    return [
        {**board_record(game, board), "moves": [_changed(change, game) for change in changed]}
        for board, changed in groupby(changes, attrgetter("board"))
    ]


def _changed(change: Change, game: Game) -> dict[str, Any]:
    cells = change.cells or ()
    return {
        **(explore_state_of(game, change.board, cells[0]) if cells else {}),
        "names": [game.name_of(change.board, cell) for cell in cells],
        "before": change.before,
        "after": change.after,
        "put_back": change.put_back,
    }


def shown_record(box: Box) -> dict[str, Any]:
    """Return a box as other programs read it, with what a script needs to draw it."""
    moves = [_move(box.game, box.board, move, move.action) for move in box.moves]
    return {**box_record(box), **board_record(box.game, box.board), "moves": moves}


def _move(game: Game, board: Board, move: Move, action: int) -> dict[str, Any]:
    return {**move_record(move), **explore_state_of(game, board, action), "action": action}
