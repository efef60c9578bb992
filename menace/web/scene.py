"""What the page shows of a sitting, as JSON: the board, the machine's box, the score, and what the game changed."""

from __future__ import annotations

from typing import Any

from menace.games.base import Board
from menace.learners.machine import Machine
from menace.ledger.rulebook import rules_of
from menace.ledger.store import LearnerRow, Store
from menace.people.game import GameUnderWay, Ply
from menace.people.play import Sitting
from menace.shelf.naming import BeadNames
from menace.shelf.position import PositionView, show, show_machine
from menace.telling import lesson, opening, told
from menace.web.board import board_to_play
from menace.web.box import changes_of, open_box
from menace.web.curves import score_svg
from menace.web.desk import Seat


def scene_of(store: Store, seat: Seat) -> dict[str, Any]:
    """Return what a page shows of a sitting. `html` has the pieces of it that are drawn here."""
    sitting = seat.sitting
    game = sitting.game
    outcome = game.outcome
    moves = [] if outcome is not None else moves_on(store, game.board)
    last = _last_of_machine(game)
    view = _saw(store, game, last)
    drawn = None if last is None else last.action
    return {
        "token": seat.token,
        "player": sitting.opponent,
        "plays": sitting.plays,
        "person": sitting.person,
        "name": sitting.name,
        "kind": sitting.kind,
        "learns": sitting.learns,
        "seed": str(sitting.seed),  # numbers of JavaScript end at 2^53
        "game": sum(sitting.outcomes.values()) + (0 if sitting.finished else 1),
        "board": game.board,
        "outcome": outcome,
        "recorded": None if seat.finished is None or not sitting.finished else seat.finished.game_id,
        "error": seat.not_recorded,
        "said": _said(seat),
        "plies": plies_of(game),
        "moves": moves,
        "drawn": None if last is None else _drawn(last, view, game.rules.name_of(last.board, last.action)),
        "resigned": game.resigned,
        "score": {**_score(sitting), "points": seat.score},
        "html": {
            "before": None if last is None else _board(game, last.board, [], "The board before its move"),
            "board": _board(game, game.board, moves, "The board"),
            "box": _box(store, sitting, view, drawn),
            "changes": _changes(seat),
            "score": score_svg(seat.score, sitting.opponent),
        },
    }


def moves_on(store: Store, board: Board) -> list[dict[str, Any]]:
    """Return each move on a board with its name, where it is to be seen, and what perfect play makes of it."""
    rules = rules_of(store).game
    found = []
    for move in show(store, board).moves:
        for action, name in zip(move.cells, move.names, strict=True):
            where = rules.where(board, action)
            place = {"cells": where.cells, "arrow": where.arrow, "puts": where.puts}
            found.append({"action": action, "name": name, "verdict": move.verdict, **place})
    return sorted(found, key=lambda one: int(one["action"]))


def plies_of(game: GameUnderWay) -> list[dict[str, Any]]:
    """Return the plies of a game: their names, boards, and who made them."""
    return [
        {"name": game.rules.name_of(ply.board, ply.action), "board": ply.board, "by_machine": ply.by_machine}
        for ply in game.plies
    ]


def names_of_beads(store: Store, learner: LearnerRow | Machine) -> BeadNames:
    """Return the colours of a learner's beads."""
    return BeadNames(rules_of(store), learner.naming)


def _board(game: GameUnderWay, board: Board, moves: list[dict[str, Any]], label: str) -> str:
    verdicts = {move["action"]: move["verdict"] for move in moves}
    return board_to_play(game.rules, board, verdicts, label)


def _last_of_machine(game: GameUnderWay) -> Ply | None:
    """Return the machine's last ply; None if it has not moved, or has resigned since."""
    return None if game.resigned else next((ply for ply in reversed(game.plies) if ply.by_machine), None)


def _saw(store: Store, game: GameUnderWay, last: Ply | None) -> PositionView | None:
    if isinstance(game.machine, str):
        return None
    if game.resigned:
        return show_machine(store, game.board, game.at_board)
    return None if last is None else last.saw


def _drawn(ply: Ply, view: PositionView | None, name: str) -> dict[str, Any]:
    """Return what was drawn: its name, and which row of the box it is, where there is one."""
    rows = [] if view is None or view.box is None else [ply.action in move.cells for move in view.moves]
    row = rows.index(True) if True in rows else None
    return {"name": name, "row": row, "explored": bool(ply.explored), "restocked": ply.restocked}


def _box(store: Store, sitting: Sitting, view: PositionView | None, drawn: int | None) -> str:
    if isinstance(sitting.game.machine, str):
        return f"<p>{sitting.opponent} has no boxes, and never learns.</p>"
    if view is None:
        return "<p>It has not moved yet. When it does, its box for the board opens here.</p>"
    return open_box(view, sitting.game.rules, names_of_beads(store, sitting.game.machine), drawn)


def _changes(seat: Seat) -> str:
    if seat.finished is None or not seat.sitting.finished:
        return ""
    return changes_of(seat.finished.changes, seat.sitting.game.rules)


def _score(sitting: Sitting) -> dict[str, int | None]:
    """Count how games have ended; `draws` is None in a game that has none."""
    return {
        "person": sitting.outcomes[sitting.person.outcome],
        "machine": sitting.outcomes[sitting.plays.outcome],
        "draws": sitting.outcomes["draw"] if sitting.game.positions.has_draws else None,
    }


def _said(seat: Seat) -> str:
    """Say how it stands, in a line."""
    sitting = seat.sitting
    game, opponent = sitting.game, sitting.opponent
    outcome = game.outcome
    if outcome is None:
        return opening("your_move", side=sitting.person) + "."
    end = opening({"draw": "draw", sitting.person.outcome: "you_won"}.get(outcome, "has_won"), winner=opponent)
    if game.person_resigned:
        end = told("you_resigned", end=end)
    elif game.resigned:
        end = told("it_resigned", end=end, name=opponent)
    if seat.finished is None or not sitting.finished:
        return f"{end}. {opening('not_recorded', error=seat.not_recorded)}."
    recorded = opening("recorded", game=seat.finished.game_id)
    if not isinstance(game.machine, str):
        recorded = lesson(recorded, opponent, learns=sitting.learns, changes=bool(seat.finished.changes))
    return f"{end}. {recorded}."
