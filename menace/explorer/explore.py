"""Explore: any board, and what every learner knows there. The link is the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from datasette.utils.asgi import Response

from menace.analysis.history import Moment, box_history
from menace.analysis.position import show
from menace.analysis.records import HISTORY, history_records
from menace.errors import InvalidBoard, InvalidPlayer, MenaceError
from menace.explorer.board_editor import as_drawn, with_next_piece, with_other_side
from menace.explorer.board_report import BoardReport, amount_of, empty_text, explored, record_of
from menace.explorer.board_table import STILL, Cell, arrows_of, board_table, cells_of, choices, plain_cells, small_svg
from menace.explorer.explore_state import ExploreState, LookParams, explore_state_of
from menace.explorer.learner_at import check_short
from menace.explorer.links import sql_of
from menace.explorer.request import MISSING, Request
from menace.explorer.route import get
from menace.explorer.shares import shares_svg
from menace.games.base import Board
from menace.games.positions import Positions
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of
from menace.telling import opening, told
from menace.wording import VALUES, percent

MOMENTS_MOST = 200  # of a box's history in a table
GAMES_SHOWN = 20
BOARDS_SHOWN = 24
BOX_SQL = """select position.board, move.action, move.multiplicity, move.minimax, learner.name as learner,
  matchbox.beads, matchbox.picked, action_value.value, action_value.updates
from position join move using (position_id)
left join learner on learner.plays = position.to_move and learner.deleted_at is null
left join matchbox using (learner_id, position_id, action)
left join action_value using (learner_id, position_id, action)
where position.board = '{board}' order by learner.name, move.action"""


HISTORY_SQL = """SELECT block.*, run.kind, run.x_player, run.o_player FROM block JOIN run USING (run_id)
JOIN learner ON learner.learner_id IN (run.x_learner_id, run.o_learner_id)
WHERE learner.name = :learner ORDER BY block_id"""


@dataclass(frozen=True)
class FromParams(LookParams):
    """The same, with a move that was clicked."""

    from_: Annotated[str, "the board on which a move was clicked: the line goes on from there"] = ""


@dataclass(frozen=True)
class StartParams(LookParams):
    """The same, with a board that was typed."""

    board: Annotated[str, "a board, or the number of a box of the first learner; else the first board"] = ""


ELSEWHERE = {"302": "the address of the board as its game writes it"}
Owner: TypeAlias = Annotated[str, "whose box; it is needed"]


@get("/{database}/explore/{board}", "a board and what learners know there", others=ELSEWHERE)
async def explore(request: Request, params: FromParams) -> Response:
    """Show a board."""
    look = explore_state_of(request, request.part("board"), params)
    if params.from_ and look.picked is None:
        return _redirect(_after_click(look, params.from_))
    return await _shown(look)


async def _shown(look: ExploreState) -> Response:
    try:
        report = await look.request.ask(lambda store: explored(store, look.board, look.learners, look.line))
    except InvalidBoard as error:
        return await _impossible(look, str(error))
    if look.board != report.board:
        return _redirect(look._replace(board=report.board).to(line=look.line, sets=look.sets))
    setting = (
        await look.request.ask(lambda store: _neighbours(look, positions_of(store), report.board))
        if look.sets
        else None
    )
    return await look.request.page("explore", **context_of(look, report), setting=setting)


def context_of(look: ExploreState, report: BoardReport) -> dict[str, Any]:
    """Return what the page's template draws."""
    view, game = report.view, report.positions.game
    focus = report.holders[0] if report.holders else None
    moves = view.moves if focus is None else focus.moves
    chosen = {machine.name for machine in report.machines}
    return {
        "title": f"{report.positions.title}: {view.board}",
        "look": look,
        "found": report,
        "view": view,
        "focus": focus,
        "chosen": chosen,
        "drawn": board_table(
            cells_of(game, view.board, moves, focus.box.unit if focus and focus.box else None, look.picked),
            f"Board {view.board}",
            lambda number, cell: {"id": f"cell-{number}", **_click(look, cell)},
            arrows_of(game, view.board, moves),
        ),
        "choices": choices(game, view.board, look.picked),
        "small": lambda board: small_svg(game, board),
        "verdict": VALUES[view.minimax],
        "opening": opening,
        "told": told,
        "percent": lambda share: percent(share).strip(),
        "amount_of": amount_of,
        "empty_text": empty_text,
        "games_shown": GAMES_SHOWN,
        "boards_shown": BOARDS_SHOWN,
        "sql": sql_of(look.request, BOX_SQL.format(board=view.canonical.replace("'", "''"))),
    }


def _click(look: ExploreState, cell: Cell) -> Mapping[str, str]:
    """Return what a click on a cell of the board does: make its move, or say which piece is to move."""
    if cell.leads_to is not None:
        return {"formaction": look.request.path("explore", cell.leads_to)}
    if cell.picks is not None:
        return {"formaction": look.request.path("explore", look.board), "name": "pick", "value": str(cell.picks)}
    return STILL


def _neighbours(look: ExploreState, positions: Positions, board: Board) -> dict[str, Any]:
    """Return the board on which clicks set pieces, and the same with the other side to move."""

    def does(number: int, _: Cell) -> dict[str, str]:
        after = with_next_piece(positions, board, number)
        return {"id": f"cell-{number}", "formaction": look.request.path("explore", after)}

    return {
        "drawn": board_table(plain_cells(positions.game, board, "change"), "Set the pieces", does),
        "other_side": with_other_side(board),
        "initial": positions.game.initial,
    }


async def _impossible(look: ExploreState, reason: str) -> Response:
    """Show why a text is no board that a game reaches, and the board itself where it can be drawn, to be mended."""

    def asked(store: Store) -> tuple[Board, dict[str, Any] | None]:
        positions = positions_of(store)
        board = as_drawn(positions, look.board)
        return positions.game.initial, None if board is None else _neighbours(look, positions, board)

    initial, setting = await look.request.ask(asked)
    return await look.request.page(
        "impossible", MISSING, title="No such board", look=look, reason=reason, initial=initial, setting=setting
    )


def _after_click(look: ExploreState, before: str) -> str:
    """Return the address after a move that was clicked: the line goes on from the board before it."""
    line = look.line
    if look.board not in line or (before in line and line.index(look.board) != line.index(before) + 1):
        line = (*line[: line.index(before) + 1], look.board) if before in line else ()
    return look.to(line=line)


def _redirect(address: str) -> Response:
    return Response("", status=302, headers={"location": address})


@get("/{database}/explore", "the board that was typed, or the first one", others=ELSEWHERE)
async def start(request: Request, params: StartParams) -> Response:
    """Go to the board that was typed, or to the first one."""
    text = params.board.strip() or await request.ask(lambda store: positions_of(store).game.initial)
    look = explore_state_of(request, text, params)

    def asked(store: Store) -> Board:
        names = look.learners or (tuple(row.name for row in store.learners()) if text.isdecimal() else ())
        return show(store, text, names[0] if names else None).board  # a number is that of a box, of the first learner

    try:
        board = await request.ask(asked)
    except InvalidBoard as error:
        return await _impossible(look, str(error))
    return _redirect(look.to(board, sets=look.sets))


@get(
    "/{database}/explore/{board}.json",
    "a board and what learners know there, as JSON",
    "board canonical position_id ply to_move outcome images minimax plies_to_end moves learners ways_on exact recorded"
    " before equivalent line best",
)
async def explore_json(request: Request, params: LookParams) -> Response:
    """Return the same as JSON."""
    look = explore_state_of(request, request.part("board"), params)
    try:
        report = await request.ask(lambda store: explored(store, look.board, look.learners, look.line))
    except InvalidBoard as error:
        return request.json({"error": str(error)}, MISSING)
    return request.json(record_of(report))


# How a box came to be.


@get("/{database}/explore/{board}/history", "how a box came to be, as a page")
async def history(request: Request, learner: Owner = "") -> Response:
    """Show how a learner's box came to be: a curve, and a table of its last changes."""
    moments = await _moments(request, learner)
    board = moments[-1].view.board
    return await request.page(
        "history",
        title=f"How {learner}'s box for {board} came to be",
        look=explore_state_of(request, board, LookParams([learner])),
        curve=shares_svg(moments),
        moments=moments[-MOMENTS_MOST:],
        left_out=max(len(moments) - MOMENTS_MOST, 0),
        percent=lambda share: percent(share).strip(),
        amount_of=amount_of,
        sql=sql_of(request, HISTORY_SQL, learner=learner),
    )


@get("/{database}/explore/{board}/history.svg", "how a box came to be, as a curve")
async def history_svg(request: Request, learner: Owner = "") -> Response:
    """Return the curve alone; a picture that cannot be drawn says why."""
    try:
        moments = await _moments(request, learner)
    except MenaceError as error:
        return Response.text(str(error), status=MISSING)
    return Response(shares_svg(moments), content_type="image/svg+xml; charset=utf-8")


@get("/{database}/explore/{board}/history.json", "how a box came to be, by block", " ".join(HISTORY), several=True)
async def history_json(request: Request, learner: Owner = "") -> Response:
    """Return every moment of a box as `menace history --json` does."""
    return request.json(history_records(await _moments(request, learner)).records())


async def _moments(request: Request, learner: str) -> Sequence[Moment]:
    def asked(store: Store) -> Sequence[Moment]:
        if not learner:
            raise InvalidPlayer("say whose box, with ?learner=NAME")
        check_short(store, learner)
        return box_history(store, request.part("board"), learner)

    return await request.ask(asked)
