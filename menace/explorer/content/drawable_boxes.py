"""Build JSON records for the pages' scripts: boards, boxes, changes, sessions, presets and settings.

Boxes and changes are oriented like the displayed board. The record of a setting includes its meaning, range and value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Literal, get_args, get_origin, get_type_hints

from menace.analysis import bead_names, listings, position
from menace.drawing.boards import cell_names
from menace.exporting.board_html import bead_colours, move_drawing
from menace.games.base import Board, Game, Outcome, Side
from menace.learners import registry, settings
from menace.learners.box import Box, Move
from menace.learners.machine import Machine
from menace.ledger.log.recorded_game import Change
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import LearnerRow, Store
from menace.people.game import GameUnderWay, Ply
from menace.people.physical import PUT_BACK, BoxToOpen, PhysicalSession
from menace.people.session import Session
from menace.site.translation import ENGLISH
from menace.text.narration import ended, lesson, opening, told
from menace.text.wording import called, counted, is_beginner, turned

NO_BEAD: Mapping[str, str | None] = {"bead": None, "colour": None}


def played_record(game: Game, board: Board) -> dict[str, Any]:
    """Return a record of a board in a game in progress, with the names of its cells."""
    return {**board_record(game, board), "cells": cell_names(game)}


def board_record(game: Game, board: Board) -> dict[str, Any]:
    """Return a record of a board with its text, its `shape` (rows and columns), and the piece on each cell."""
    return {"board": board, "shape": game.shape, "pieces": game.pieces(board)}


def seen_record(view: position.PositionView, names: bead_names.BeadNames, action: int | None) -> dict[str, Any]:
    """Return a record of the box that a machine opened and of its moves, oriented like the displayed board.

    The `marks` of a move are the cells or paths of all equivalent moves. `drawn` is the index of the row in which the
    machine's move comes first. `unit`, `title` and `drawn` are None if there is no box.

    Args:
        view: the board and the box.
        names: the names of beads.
        action: the move that the machine made, or None.
    """
    game, box = names.game, view.seen_box
    rows = [] if box is None else [row for row, move in enumerate(view.moves) if action in move.cells]
    beads = _beads_of(view.box, names)

    def draw_moves(cells: Iterable[int]) -> list[dict[str, Any]]:
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
                "marks": draw_moves(move.cells),
                **beads.get(move.action, NO_BEAD),
            }
            for move in view.moves
        ],
    }


def changes_record(changes: Iterable[Change], machine: Machine, names: bead_names.BeadNames) -> list[dict[str, Any]]:
    """Return the changes that a game made to each box, by move.

    A change to the value of the board itself is recorded as a move without names.

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


def shown_record(box: Box, names: bead_names.BeadNames) -> dict[str, Any]:
    """Return a record of a box for other programs, including the data that a script needs to draw the box."""
    beads = _beads_of(box, names)
    moves = [{**_move(box.game, box.board, move, move.action), **beads.get(move.action, NO_BEAD)} for move in box.moves]
    return {**listings.box_record(box), **board_record(box.game, box.board), "moves": moves}


def _beads_of(box: Box | None, names: bead_names.BeadNames) -> Mapping[int | None, Mapping[str, str | None]]:
    """Return the colour of each move's beads, with the colour's name under the key `bead`."""
    colours = {} if box is None else bead_colours(box, names)
    return {action: {"bead": colour.name, "colour": colour.hex} for action, colour in colours.items()}


def _move(game: Game, board: Board, move: Move, action: int) -> dict[str, Any]:
    return {**listings.move_record(move), **move_drawing(game, board, action), "action": action}


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
            "value": settings.show(getattr(values, name)),
            "means": means,
            "may_be": settings.describe(type(values), name),
            "choices": _choices(kinds[name]),
        }
        for name, means in settings.explain(type(values)).items()
    ]


def _choices(kind: Any) -> list[str] | None:
    if kind is bool:
        return list(YES_NO)
    return [str(choice) for choice in get_args(kind)] if get_origin(kind) is Literal else None


def preset_dict(name: str) -> dict[str, Any]:
    """Return a record of a preset with its name, colours, numbering, unit and settings."""
    preset = registry.PRESETS[name]
    made = {"name": name, "unit": registry.LEARNERS[preset.algorithm].unit, "settings": settings_dict(preset.settings)}
    return vars(preset) | preset.naming._asdict() | made


def changed_settings(values: Mapping[str, Any], preset: str) -> dict[str, str]:
    """Return the preset's value for each setting that has a different value in the learner."""
    if preset not in registry.PRESETS:
        return {}
    published = {setting["name"]: setting["value"] for setting in settings_dict(registry.PRESETS[preset].settings)}
    return {name: published[name] for name, value in values.items() if published.get(name, value) != value}


def machine_dict(row: LearnerRow) -> dict[str, Any]:
    """Return a record of a learner's row, with its settings and the preset's values where the two differ."""
    record = listings.learner_record(row)
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in record["settings"].items()}
    texts = {name: settings.show(value) for name, value in values.items()}
    return {
        **record,
        "known": row.algorithm in registry.LEARNERS,
        "instead_of": changed_settings(texts, row.preset),
        "texts": texts,
    }


def session_record(store: Store, token: str, session: Session) -> dict[str, Any]:
    """Return the state of a session in the form that the page's script expects."""
    game = session.game
    outcome = game.outcome
    last = _last_of_machine(game)
    seen_box = _seen_box(store, game, last)
    return {
        "token": token,
        "player": session.opponent,
        "plays": session.plays,
        "person": session.person,
        "name": session.name,
        "policy": session.policy,
        "learns": session.learns,
        "seed": str(session.seed),  # as text, because JavaScript integers are exact only up to 2^53
        "game": sum(session.outcomes.values()) + (0 if session.finished else 1),
        **played_record(game.rules, game.board),
        "outcome": outcome,
        "recorded": None if session.finished is None else session.finished.game_id,
        "unsaved": session.is_unsaved,
        "lessons": [(_result(outcome, session.person), loss, games) for outcome, loss, games in session.lessons],
        "first_box": _first_box(store, session.machine),
        "error": session.not_recorded,
        "said": _status_text(session),
        "plies": ply_records(game),
        "moves": [] if outcome is not None else move_records(store, game.board),
        "drawn": None if last is None else _drawn_move(game, last, seen_box),
        "saw": seen_box,
        "changes": _changes(store, session),
        "resigned": game.resigned,
        "score": {**_score(session), "points": session.score},
    }


def physical_record(store: Store, token: str, session: PhysicalSession) -> dict[str, Any]:
    """Return the state of a session with real matchboxes in the form that the page's script expects.

    Cells are numbered according to the operator's scheme. `box` is the box to open, in the orientation of its label.
    `todo` lists what to do with the beads after a recorded game. `plies` is the number of moves.
    """
    game, names, opening = session.game, session.names, session.opening
    moves = move_records(store, game.board) if game.outcome is None and opening is None else []
    played = played_record(game.rules, game.board)
    if names.of_cells:
        numbers = [str(number) for number in names.numbers_of_cells]
        places = [place.partition(", ")[2] for place in played["cells"]["places"]]
        played["cells"]["names"] = numbers
        played["cells"]["places"] = [f"{number}, {place}" for number, place in zip(numbers, places, strict=True)]
    return {
        "token": token,
        "player": session.opponent,
        "name": session.name,
        **played,
        "before": game.rules.pieces(game.plies[-1].board if game.plies else game.board),
        "plies": len(game.plies),
        "entries": session.operator_entries,
        "moves": [{**move, "name": names.name(game.board, move["action"])} for move in moves],
        "box": None
        if opening is None
        else {**physical_box(opening.box, names), "says": _opening_texts(session, opening)},
        "outcome": game.outcome,
        "recorded": None if session.finished is None else session.finished.game_id,
        "headline": _headline(session, opening),
        "said": session.said,
        "todo": [] if session.finished is None else [PUT_BACK, *session.changes_texts()],
        "outdated": session.outdated_text(),
    }


def physical_box(box: Box, names: bead_names.BeadNames) -> dict[str, Any]:
    """Return a record of a real box, in the orientation of its label, with the operator's name for each bead."""
    return {**shown_record(box, names), "beads": [names.describe(box.board, move.action) for move in box.moves]}


def _opening_texts(session: PhysicalSession, opening: BoxToOpen) -> list[str]:
    texts = [] if opening.turning is None else [f"its label shows {turned(opening.turning)}"]
    return [*texts, session.contents_text(opening)] if opening.restocked else texts


def _headline(session: PhysicalSession, opening: BoxToOpen | None) -> str:
    """Return the operator's next step, or the result of the game."""
    outcome = session.game.outcome
    if opening is not None:
        return f"open box {opening.box.number}; which colour came out?"
    if outcome is None:
        return f"tap the move of {session.opponents_name} ({session.person})."
    end = ended(outcome, session.opponents_name if outcome == session.person.outcome else session.opponent)
    recorded = "" if session.finished is None else f"; {told('recorded', game=session.finished.game_id)}"
    return f"{end}{recorded}."


def record_with_boxes(store: Store, session: Session) -> dict[str, Any]:
    """Return the state of a session that has no token, including all boxes `opened` in the current game."""
    names, plies = load_bead_names(store, session.game.at_board), session.game.plies
    opened = [seen_record(ply.saw, names, ply.action) for ply in plies if ply.saw]
    return {**session_record(store, "", session), "opened": opened}


def move_records(store: Store, board: Board) -> list[dict[str, Any]]:
    """Return a record of each move, with its drawing, its verdict, the moves left, and the pieces after the move."""
    rules, positions = rules_of(store).game, positions_of(store)
    moves = [
        {
            "action": action,
            "verdict": move.verdict,
            "ends_in": int(positions.plies_to_end[move.next_position]) + 1,
            **move_drawing(rules, board, action),
            "pieces": rules.pieces(rules.play(board, action)),
        }
        for move in position.show(store, board).moves
        for action in move.cells
    ]
    return sorted(moves, key=itemgetter("action"))


def ply_records(game: GameUnderWay) -> list[dict[str, Any]]:
    """Return a record of each ply of a game: its name, its board, and whether the machine made the move."""
    return [
        {
            "name": game.rules.name_of(ply.board, ply.action),
            "board": ply.board,
            "pieces": game.rules.pieces(ply.board),
            "by_machine": ply.by_machine,
        }
        for ply in game.plies
    ]


def load_bead_names(store: Store, learner: LearnerRow | Machine) -> bead_names.BeadNames:
    """Return the names for a learner's beads."""
    return bead_names.BeadNames(rules_of(store), learner.naming)


def _last_of_machine(game: GameUnderWay) -> Ply | None:
    """Return the machine's last ply, or None if it has not moved or has resigned since then."""
    return None if game.resigned else next((ply for ply in reversed(game.plies) if ply.by_machine), None)


def _seen_box(store: Store, game: GameUnderWay, last: Ply | None) -> dict[str, Any] | None:
    """Return the box that the machine opened for its last move or resignation, or None if it has no boxes."""
    if isinstance(game.machine, str):
        return None
    names = load_bead_names(store, game.machine)
    if game.resigned:
        return seen_record(position.show_machine(store, game.board, game.at_board), names, None)
    return None if last is None or last.saw is None else seen_record(last.saw, names, last.action)


def _first_box(store: Store, machine: Machine | str) -> dict[str, Any] | None:
    """Return the first box of a machine, or None if it has none."""
    box = None if isinstance(machine, str) else next(machine.each_box(), None)
    return None if box is None or isinstance(machine, str) else shown_record(box, load_bead_names(store, machine))


def _changes(store: Store, session: Session) -> list[dict[str, Any]]:
    """Return the game's changes, or an empty list if the game is not over or no machine learned from it."""
    machine = session.game.machine
    if isinstance(machine, str) or session.finished is None:
        return []
    return changes_record(session.finished.changes, machine, load_bead_names(store, machine))


def _drawn_move(game: GameUnderWay, ply: Ply, seen_box: dict[str, Any] | None) -> dict[str, Any]:
    """Return the name of the drawn move and, if there is a box, the move's row in it."""
    return {
        "name": game.rules.name_of(ply.board, ply.action),
        "row": None if seen_box is None else seen_box["drawn"],
        "explored": bool(ply.explored),
        "restocked": ply.restocked,
    }


def _score(session: Session) -> dict[str, int | None]:
    """Return each side's number of wins and the number of draws; `draws` is None in a game without draws."""
    return {
        "person": session.outcomes[session.person.outcome],
        "machine": session.outcomes[session.plays.outcome],
        "draws": session.outcomes["draw"] if session.game.positions.has_draws else None,
    }


def _result(outcome: Outcome, side: Side) -> str:
    return "draw" if outcome == "draw" else "win" if outcome == side.outcome else "loss"


def taught_text(changes: Iterable[Change]) -> str:
    """Say how many beads a person's game moved into or out of the boxes."""
    moved = round(sum(change.after - change.before - change.put_back for change in changes))
    return opening("taught_less" if moved < 0 else "taught_more", beads=counted(abs(moved), "bead"))


def _status_text(session: Session) -> str:
    """Describe the status of the session in one line."""
    game, opponent = session.game, called(session.opponent)
    outcome = game.outcome
    if outcome is None:
        return opening("your_move", side=ENGLISH.side(game.rules.name, session.person)) + "."
    end = opening({"draw": "draw", session.person.outcome: "you_won"}.get(outcome, "has_won"), winner=opponent)
    if game.person_resigned:
        end = told("you_resigned", end=end)
    elif game.resigned:
        end = told("it_resigned", end=end, name=opponent)
    if session.finished is None:
        return f"{end}. {opening('not_recorded', error=session.not_recorded)}."
    if is_beginner(session.opponent) and session.finished.changes:
        return f"{end}. {taught_text(session.finished.changes)}."
    recorded = opening("recorded", game=session.finished.game_id)
    if not isinstance(game.machine, str):
        recorded = lesson(recorded, opponent, learns=session.learns, changes=bool(session.finished.changes))
    return f"{end}. {recorded}."
