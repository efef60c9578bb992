"""Serve the Explore page, which shows any board and what learners have learned about it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

from datasette.utils.asgi import Response

from menace.analysis.board_report import BoardReport, board_report, known_report
from menace.analysis.position import show
from menace.drawing.boards import strokes
from menace.errors import InvalidBoard
from menace.explorer.content import board_inputs, sessions
from menace.explorer.server.requests import MISSING, NoPage, Request, get
from menace.explorer.server.threads_and_caches import LARGE, LIBRARY
from menace.games.base import Board
from menace.games.positions import Positions
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import Store
from menace.text.wording import VALUES

EXACT = "exact"  # the part of the page that takes seconds to compute in a large game


class ExploreState(NamedTuple):
    """The state of the Explore page.

    Attributes:
        request: the request.
        board: the board as text.
        learners: the names of the learners shown; empty for the first learners of the database.
        line: the boards of the line of play.
        sets: whether clicks place and remove pieces instead of making moves.
        picked: the cell of the selected piece, or None.
    """

    request: Request
    board: str
    learners: tuple[str, ...]
    line: tuple[str, ...]
    sets: bool
    picked: int | None

    def to(self, board: str | None = None, *, line: Sequence[str] = (), sets: bool = False, part: str = "") -> str:
        """Return the address of a board (by default the current board) for the same learners."""
        arguments = {"learner": self.learners, "line": ",".join(line), "set": "1" if sets else "", "part": part}
        return self.request.path("explore", board or self.board, **arguments)

    def json(self) -> str:
        """Return the address of the JSON version of this page."""
        path, _, query = self.to(line=self.line).partition("?")
        return f"{path}.json" + (f"?{query}" if query else "")


@dataclass(frozen=True)
class ExploreParams:
    """The parameters of the page.

    Attributes:
        learner: the names of machines; if empty, the first machines of the file.
        line: consecutive boards, separated by commas, including the current board.
        set_: `1` if clicks place and remove pieces instead of making moves.
        pick: the number of the cell whose piece is selected.
        from_: the board on which the person clicked a move; the line of play continues from it.
        part: EXACT to include the part that takes seconds to compute in a large game; otherwise the page only links to
            it.
        board: the board that the person entered, or the number of a box of the first machine.
    """

    learner: list[str]
    line: str = ""
    set_: str = ""
    pick: int | None = None
    from_: str = ""
    part: str = ""
    board: str = ""


def explore_state(request: Request, board: str, params: ExploreParams) -> ExploreState:
    """Return the page state that the parameters of an address describe."""
    line = tuple(filter(None, params.line.split(",")))
    return ExploreState(request, board, tuple(params.learner), line, bool(params.set_), params.pick)


@get("/{database}/explore/{board}")
async def explore(request: Request, params: ExploreParams) -> Response:
    """Show a board."""
    state = explore_state(request, request.part("board"), params)
    if params.from_ and state.picked is None:
        return Response.redirect(_after_click(state, params.from_))
    return await _board_page(state, params.part)


async def _board_page(state: ExploreState, part: str) -> Response:
    """Show a board.

    In a large game, show only the part that is fast to compute, with a link to the full page (`part=exact`).
    """

    def known(store: Store) -> BoardReport:
        if store.position_count() > LARGE and part != EXACT:
            return known_report(store, state.board, state.learners, state.line)
        return board_report(store, state.board, state.learners, state.line, LIBRARY.learner)

    try:
        async with sessions.services_for(state.request).exact if part == EXACT else nullcontext():
            report = await state.request.ask(known)
    except InvalidBoard as error:
        return await _impossible_page(state, str(error))
    if state.board != report.board:
        return Response.redirect(state._replace(board=report.board).to(line=state.line, sets=state.sets))
    setting = (
        await state.request.ask(lambda store: _setting_board(state, positions_of(store), report.board))
        if state.sets
        else None
    )
    return await state.request.page("explore", **explore_context(state, report), setting=setting)


def explore_context(state: ExploreState, report: BoardReport) -> dict[str, Any]:
    """Return the context for the page's template."""
    view, game = report.view, report.rules.game
    focus = report.holders[0] if report.holders else None
    moves = view.moves if focus is None else focus.moves
    unit = focus.box.unit if focus is not None and focus.box is not None else None
    return {
        "title": f"{report.rules.heading}: {view.board}",
        "state": state,
        "report": report,
        "exact": report.exact,
        "view": view,
        "focus": focus,
        "cells": board_inputs.cells_of(game, view.board, moves, unit, state.picked, report.distances),
        "does": lambda cell: _click(state, cell),
        "arrows": board_inputs.arrows_of(game, view.board, moves, unit, report.distances),
        "struck": strokes(game, view.board),
        "choices": board_inputs.choices(game, view.board, state.picked),
        "small": lambda board: board_inputs.small_svg(game, board),
        "verdict": VALUES[view.minimax],
    }


def _click(state: ExploreState, cell: board_inputs.Cell) -> dict[str, str]:
    """Return the attributes of a cell's button. A click on the button makes a move or selects the piece to move."""
    own = {"id": f"cell-{cell.number}"}
    if cell.leads_to is None and cell.picks is None:
        return own | board_inputs.NOT_CLICKABLE
    own["formaction"] = state.request.path("explore", cell.leads_to or state.board)
    return own if cell.leads_to else own | {"name": "pick", "value": str(cell.picks)}


def _setting_board(state: ExploreState, positions: Positions, board: Board) -> dict[str, Any]:
    """Return the board on which clicks place and remove pieces, and the same board with the other side to move."""

    def does(cell: board_inputs.Cell) -> dict[str, str]:
        after = board_inputs.with_next_piece(positions, board, cell.number)
        return {"id": f"cell-{cell.number}", "formaction": state.request.path("explore", after)}

    return {
        "cells": board_inputs.cells_with(positions.game, positions.game.pieces(board)),
        "does": does,
        "other_side": board_inputs.with_other_side(board),
        "initial": positions.game.initial,
    }


async def _impossible_page(state: ExploreState, reason: str) -> Response:
    """Explain why no game reaches a board. If the board can be drawn, show it so that people can edit it."""

    def answer(store: Store) -> tuple[Board, dict[str, Any] | None]:
        positions = positions_of(store)
        board = board_inputs.drawable_board(positions, state.board)
        return positions.game.initial, None if board is None else _setting_board(state, positions, board)

    initial, setting = await state.request.ask(answer)
    return await state.request.page(
        "impossible", MISSING, title="No such board", state=state, reason=reason, initial=initial, setting=setting
    )


def _after_click(state: ExploreState, before: str) -> str:
    """Return the address that a click on a move opens; the line of play continues from the board before the move."""
    line = state.line
    if state.board not in line or (before in line and line.index(state.board) != line.index(before) + 1):
        line = (*line[: line.index(before) + 1], state.board) if before in line else ()
    return state.to(line=line)


@get("/{database}/explore")
async def start(request: Request, params: ExploreParams) -> Response:
    """Redirect to the board that a person entered, or to the first board."""
    text = params.board.strip() or await request.ask(lambda store: rules_of(store).game.initial)
    state = explore_state(request, text, params)

    def answer(store: Store) -> Board:
        names = state.learners or (tuple(row.name for row in store.learners()) if text.isdecimal() else ())
        return show(store, text, names[0] if names else None).board  # a number identifies a box of the first learner

    try:
        board = await request.ask(answer)
    except InvalidBoard as error:
        return await _impossible_page(state, str(error))
    return Response.redirect(state.to(board, sets=state.sets))


@get("/{database}/explore/{board}.json")
def explore_json(request: Request, store: Store, params: ExploreParams) -> dict[str, Any]:
    """Return the report on a board as JSON."""
    state = explore_state(request, request.part("board"), params)
    try:
        return board_report(store, state.board, state.learners, state.line, LIBRARY.learner).record()
    except InvalidBoard as error:
        raise NoPage(str(error)) from None
