"""The page Boxes: the boxes of a learner, now or after any block. Its address is its state."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from datasette.utils.asgi import Response

from menace.analysis.json_records import box_record
from menace.analysis.position import show
from menace.errors import InvalidBoard, InvalidBox
from menace.explorer.board_buttons import Cell, cells_with
from menace.explorer.board_editor import known_pieces, next_piece
from menace.explorer.box_list import COLOURINGS, FILTERS, BoxQuery, box_html, box_list_of, drawing_of
from menace.explorer.request import Request
from menace.explorer.request_errors import BadRequest
from menace.explorer.route import get
from menace.games.base import GAP
from menace.games.positions import Positions
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of


@dataclass(frozen=True)
class BoxesParams:
    """The parameters of the page.

    Attributes:
        show: a key of FILTERS.
        colour: a key of COLOURINGS.
        at: the number of the block after which the boxes are shown, 0 for the beginning; None for now.
        since: the number of the block from which changes are counted.
        draw: for each cell, between commas, the piece to search for in any orientation, or nothing.
        board: the only board to show, in any orientation, or the number of a box.
    """

    show: str = "all"
    colour: str = "share"
    at: int | None = None
    since: int = 0
    draw: str = ""
    board: str = ""

    @property
    def given(self) -> dict[str, str]:
        """The parameters that differ from their defaults, by name."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) != field.default}


def box_query(store: Store, name: str, params: BoxesParams) -> BoxQuery:
    """Return the query of an address.

    Raises:
        BadRequest: if a parameter is not valid.
        InvalidBoard, UnreachableBoard, InvalidBox: if its board is not a board or box of the learner.
    """
    if params.colour not in COLOURINGS or params.show not in FILTERS:
        raise BadRequest(f"boxes are coloured by {', '.join(COLOURINGS)}; {', '.join(FILTERS)} of them are shown")
    board = params.board.strip()
    return BoxQuery(
        name=name,
        show=params.show,
        colour=params.colour,
        at=params.at,
        since=params.since,
        drawn=drawing_of(positions_of(store), params.draw),
        position_id=show(store, board, name).position_id if board else None,
    )


@get("/{database}/boxes/{name}")
async def boxes(request: Request, params: BoxesParams) -> Response:
    """Show the boxes of a learner."""
    name = request.part("name")

    def answer(store: Store) -> dict[str, Any]:
        problem, address_of = "", request.boards(learner=name)
        try:
            query = box_query(store, name, params)
        except (InvalidBoard, InvalidBox) as error:
            problem, query = str(error), BoxQuery(name, position_id=-1, drawn=drawing_of(positions_of(store), ""))
        box_list = box_list_of(store, query)
        return {
            "query": query,
            "box_list": box_list,
            "problem": problem,
            "tables": {  # they are slow to draw
                box.position_id: box_html(box_list, box, query.colour, address_of(box.board), stage.each)
                for stage in box_list.stages
                for box in stage.boxes
            },
            "drawing": _drawing(box_list.machine.positions, query.drawn),
        }

    context = await request.ask(answer)
    query, box_list = context["query"], context["box_list"]
    return await request.page(
        "boxes",
        **context,
        params=params,
        title=f"The boxes of {query.name}" if box_list.machine.has_beads else f"What {query.name} learned",
        filters={name: FILTERS[name].text for name in box_list.counts},
        colours={name: text for name, text in COLOURINGS.items() if box_list.machine.has_beads or name != "beads"},
        to=lambda **changes: request.path(
            "boxes", name, **{**dict.fromkeys(vars(params), ""), **params.given, **changes}
        ),
        kept=lambda *but: [(name, value) for name, value in params.given.items() if name not in but],
    )


def _drawing(positions: Positions, drawn: tuple[str, ...]) -> dict[str, Any]:
    """Return the board to search by: a click puts the next piece on a cell, and shows the boxes that have it there."""
    known, first = known_pieces(positions), positions.game.pieces(positions.game.initial)
    pieces = [GAP if first[cell] == GAP else piece for cell, piece in enumerate(drawn)]

    def does(cell: Cell) -> dict[str, str]:
        here = cell.number
        after = ",".join([*drawn[:here], next_piece(known[here], drawn[here]), *drawn[here + 1 :]])
        return {"id": f"draw-{here}", "name": "draw", "value": after}

    return {"cells": cells_with(positions.game, pieces, empty="anything"), "does": does}


@get("/{database}/boxes/{name}.json")
def boxes_json(request: Request, store: Store, params: BoxesParams) -> dict[str, Any]:
    """Return the boxes of a learner as JSON."""
    box_list = box_list_of(store, box_query(store, request.part("name"), params))
    return {
        "learner": box_list.machine.name,
        "at": box_list.at,
        "last": box_list.last,
        "what": box_list.what,
        "counts": box_list.counts,
        "boxes": [box_record(box) for box in box_list.boxes],
    }
