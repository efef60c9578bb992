"""Explore: any board, and what every learner knows there. The link is the state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from menace.errors import InvalidBoard, InvalidPlayer, MenaceError
from menace.games.base import Board
from menace.ledger.positions import positions_of
from menace.shelf.history import box_history
from menace.shelf.position import show
from menace.shelf.records import history_records
from menace.web.asked import Argument
from menace.web.board import STILL, Cell, arrows_of, board_table, cells_of, choices, plain_cells, small_svg
from menace.web.explored import LEARNERS_MOST, Explored, amount_of, empty_text, explored, record_of
from menace.web.links import sql_of
from menace.web.look import Look, look_of
from menace.web.past import check_short
from menace.web.route import Route
from menace.web.setting import as_drawn, with_next_piece, with_other_side
from menace.web.shares import shares_svg
from menace.web.visit import MISSING, Visit
from menace.wording import VALUES, percent

if TYPE_CHECKING:
    from datasette.utils.asgi import Response

    from menace.games.positions import Positions
    from menace.ledger.store import Store

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


async def explore(visit: Visit) -> Response:
    """Show a board."""
    look = look_of(visit, visit.part("board"))
    if visit.argument("from") and look.picked is None:
        return _redirect(_after_click(look, visit.argument("from")))
    return await _shown(look)


async def _shown(look: Look) -> Response:
    try:
        found = await look.visit.ask(lambda store: explored(store, look.board, look.learners, look.line))
    except InvalidBoard as error:
        return await _impossible(look, str(error))
    if look.board != found.board:
        return _redirect(look._replace(board=found.board).to(line=look.line, sets=look.sets))
    setting = (
        await look.visit.ask(lambda store: _neighbours(look, positions_of(store), found.board)) if look.sets else None
    )
    return await look.visit.page("explore", **context_of(look, found), setting=setting)


def context_of(look: Look, found: Explored) -> dict[str, Any]:
    """Return what the page's template draws."""
    view, game = found.view, found.positions.game
    focus = found.holders[0] if found.holders else None
    moves = view.moves if focus is None else focus.moves
    chosen = {machine.name for machine in found.machines}
    return {
        "title": f"{found.positions.title}: {view.board}",
        "look": look,
        "found": found,
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
        "percent": lambda share: percent(share).strip(),
        "amount_of": amount_of,
        "empty_text": empty_text,
        "games_shown": GAMES_SHOWN,
        "boards_shown": BOARDS_SHOWN,
        "sql": sql_of(look.visit, BOX_SQL.format(board=view.canonical.replace("'", "''"))),
    }


def _click(look: Look, cell: Cell) -> Mapping[str, str]:
    """Return what a click on a cell of the board does: make its move, or say which piece is to move."""
    if cell.leads_to is not None:
        return {"formaction": look.visit.path("explore", cell.leads_to)}
    if cell.picks is not None:
        return {"formaction": look.visit.path("explore", look.board), "name": "pick", "value": str(cell.picks)}
    return STILL


def _neighbours(look: Look, positions: Positions, board: Board) -> dict[str, Any]:
    """Return the board on which clicks set pieces, and the same with the other side to move."""

    def does(number: int, _: Cell) -> dict[str, str]:
        after = with_next_piece(positions, board, number)
        return {"id": f"cell-{number}", "formaction": look.visit.path("explore", after)}

    return {
        "drawn": board_table(plain_cells(positions.game, board, "change"), "Set the pieces", does),
        "other_side": with_other_side(board),
        "initial": positions.game.initial,
    }


async def _impossible(look: Look, reason: str) -> Response:
    """Show why a text is no board that a game reaches, and the board itself where it can be drawn, to be mended."""

    def asked(store: Store) -> tuple[Board, dict[str, Any] | None]:
        positions = positions_of(store)
        board = as_drawn(positions, look.board)
        return positions.game.initial, None if board is None else _neighbours(look, positions, board)

    initial, setting = await look.visit.ask(asked)
    return await look.visit.page(
        "impossible", MISSING, title="No such board", look=look, reason=reason, initial=initial, setting=setting
    )


def _after_click(look: Look, before: str) -> str:
    """Return the address after a move that was clicked: the line goes on from the board before it."""
    line = look.line
    if look.board not in line or (before in line and line.index(look.board) != line.index(before) + 1):
        line = (*line[: line.index(before) + 1], look.board) if before in line else ()
    return look.to(line=line)


def _redirect(address: str) -> Response:
    from datasette.utils.asgi import Response

    return Response("", status=302, headers={"location": address})


async def start(visit: Visit) -> Response:
    """Go to the board that was typed, or to the first one."""
    text = visit.argument("board").strip()
    if not text:
        text = await visit.ask(lambda store: positions_of(store).game.initial)
    look = look_of(visit, text)

    def asked(store: Store) -> Board:
        names = look.learners or (tuple(row.name for row in store.learners()) if text.isdecimal() else ())
        return show(store, text, names[0] if names else None).board  # a number is that of a box, of the first learner

    try:
        board = await visit.ask(asked)
    except InvalidBoard as error:
        return await _impossible(look, str(error))
    return _redirect(look.to(board, sets=look.sets))


async def explore_json(visit: Visit) -> Response:
    """Return the same as JSON."""
    look = look_of(visit, visit.part("board"))
    try:
        found = await visit.ask(lambda store: explored(store, look.board, look.learners, look.line))
    except InvalidBoard as error:
        return visit.json({"error": str(error)}, MISSING)
    return visit.json(record_of(found))


# How a box came to be.


async def history(visit: Visit) -> Response:
    """Show how a learner's box came to be: a curve, and a table of its last changes."""
    name, board = visit.argument("learner"), visit.part("board")
    moments = await visit.ask(lambda store: _moments(store, board, name))
    return await visit.page(
        "history",
        title=f"How {name}'s box for {moments[-1].view.board} came to be",
        look=look_of(visit, moments[-1].view.board)._replace(line=()),
        curve=shares_svg(moments),
        moments=moments[-MOMENTS_MOST:],
        left_out=max(len(moments) - MOMENTS_MOST, 0),
        percent=lambda share: percent(share).strip(),
        amount_of=amount_of,
        sql=sql_of(visit, HISTORY_SQL, learner=name),
    )


async def history_svg(visit: Visit) -> Response:
    """Return the curve alone; a picture that cannot be drawn says why."""
    from datasette.utils.asgi import Response

    name, board = visit.argument("learner"), visit.part("board")
    try:
        moments = await visit.ask(lambda store: _moments(store, board, name))
    except MenaceError as error:
        return Response.text(str(error), status=MISSING)
    return Response(shares_svg(moments), content_type="image/svg+xml; charset=utf-8")


async def history_json(visit: Visit) -> Response:
    """Return every moment of a box as `menace history --json` does."""
    name, board = visit.argument("learner"), visit.part("board")
    table = history_records(await visit.ask(lambda store: _moments(store, board, name)))
    return visit.json(table.records())


def _moments(store: Store, board: str, name: str) -> Any:
    if not name:
        raise InvalidPlayer("say whose box, with ?learner=NAME")
    check_short(store, name)
    return box_history(store, board, name)


RECORD = (
    "board canonical position_id ply to_move outcome images minimax plies_to_end moves learners ways_on exact recorded"
    " before equivalent line best"
)
LEARNER = {"learner": Argument("string", "whose box", True)}
LOOK = {
    "learner": Argument(
        "array", f"names of learners, {LEARNERS_MOST} at most; without any, the first ones of the file"
    ),
    "line": Argument("string", "boards between commas, each of which follows from the one before, this among them"),
    "set": Argument("string", "1: clicks set pieces"),
    "pick": Argument("string", "the number of the cell whose piece is to move"),
}
START = {
    **LOOK,
    "board": Argument("string", "a board, or the number of a box of the first learner; else the first board"),
}
FROM = {**LOOK, "from": Argument("string", "the board on which a move was clicked: the line goes on from there")}
ELSEWHERE = {"302": "the address of the board as its game writes it"}
ROUTES = [
    Route("/{database}/explore", start, None, "the board that was typed, or the first one", START, others=ELSEWHERE),
    Route("/{database}/explore/{board}/history.svg", history_svg, None, "how a box came to be, as a curve", LEARNER),
    Route(
        "/{database}/explore/{board}/history.json",
        history_json,
        None,
        "how a box came to be, by block",
        LEARNER,
        gives="block_id what games board action multiplicity amount unit share picked",
        several=True,
    ),
    Route("/{database}/explore/{board}/history", history, None, "how a box came to be, as a page", {**LOOK, **LEARNER}),
    Route(
        "/{database}/explore/{board}.json",
        explore_json,
        None,
        "a board and what learners know there, as JSON",
        LOOK,
        gives=RECORD,
    ),
    Route("/{database}/explore/{board}", explore, None, "a board and what learners know there", FROM, others=ELSEWHERE),
]
