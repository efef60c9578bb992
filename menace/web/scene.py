"""What the page shows of a session, as JSON: the board, the machine's box, the score, and what the game changed."""

from __future__ import annotations

from typing import Any

from menace.games.base import Board
from menace.learners.machine import Machine
from menace.ledger.rulebook import rules_of
from menace.ledger.store import LearnerRow, Store
from menace.people.game import GameUnderWay, Ply
from menace.people.session import Session
from menace.shelf.naming import BeadNames
from menace.shelf.position import PositionView, show, show_machine
from menace.telling import lesson, opening, told
from menace.web.board import board_to_play
from menace.web.box import changes_of, open_box
from menace.web.curves import score_svg


def scene_of(store: Store, token: str, session: Session) -> dict[str, Any]:
    """Return what a page shows of a session. `html` has the pieces of it that are drawn here."""
    game = session.game
    outcome = game.outcome
    moves = [] if outcome is not None else moves_on(store, game.board)
    last = _last_of_machine(game)
    view = _saw(store, game, last)
    drawn = None if last is None else last.action
    return {
        "token": token,
        "player": session.opponent,
        "plays": session.plays,
        "person": session.person,
        "name": session.name,
        "kind": session.kind,
        "learns": session.learns,
        "seed": str(session.seed),  # numbers of JavaScript end at 2^53
        "game": sum(session.outcomes.values()) + (0 if session.finished else 1),
        "board": game.board,
        "outcome": outcome,
        "recorded": None if session.finished is None else session.finished.game_id,
        "error": session.not_recorded,
        "said": _said(session),
        "plies": plies_of(game),
        "moves": moves,
        "drawn": None if last is None else _drawn(last, view, game.rules.name_of(last.board, last.action)),
        "resigned": game.resigned,
        "score": {**_score(session), "points": session.score},
        "html": {
            "before": None if last is None else _board(game, last.board, [], "The board before its move"),
            "board": _board(game, game.board, moves, "The board"),
            "box": _box(store, session, view, drawn),
            "changes": _changes(session),
            "score": score_svg(session.score, session.opponent),
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


def _box(store: Store, session: Session, view: PositionView | None, drawn: int | None) -> str:
    if isinstance(session.game.machine, str):
        return f"<p>{session.opponent} has no boxes, and never learns.</p>"
    if view is None:
        return "<p>It has not moved yet. When it does, its box for the board opens here.</p>"
    return open_box(view, session.game.rules, names_of_beads(store, session.game.machine), drawn)


def _changes(session: Session) -> str:
    if session.finished is None:
        return ""
    return changes_of(session.finished.changes, session.game.rules)


def _score(session: Session) -> dict[str, int | None]:
    """Count how games have ended; `draws` is None in a game that has none."""
    return {
        "person": session.outcomes[session.person.outcome],
        "machine": session.outcomes[session.plays.outcome],
        "draws": session.outcomes["draw"] if session.game.positions.has_draws else None,
    }


def _said(session: Session) -> str:
    """Say how it stands, in a line."""
    game, opponent = session.game, session.opponent
    outcome = game.outcome
    if outcome is None:
        return opening("your_move", side=session.person) + "."
    end = opening({"draw": "draw", session.person.outcome: "you_won"}.get(outcome, "has_won"), winner=opponent)
    if game.person_resigned:
        end = told("you_resigned", end=end)
    elif game.resigned:
        end = told("it_resigned", end=end, name=opponent)
    if session.finished is None:
        return f"{end}. {opening('not_recorded', error=session.not_recorded)}."
    recorded = opening("recorded", game=session.finished.game_id)
    if not isinstance(game.machine, str):
        recorded = lesson(recorded, opponent, learns=session.learns, changes=bool(session.finished.changes))
    return f"{end}. {recorded}."
