"""The history of a box as a page, as SVG and as JSON: the share of each of its moves by games learned from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasette.utils.asgi import Response

from menace.analysis.history_from_log import Moment
from menace.analysis.listings import list_history
from menace.analysis.trajectories import check_short
from menace.errors import InvalidPlayer, MenaceError
from menace.explorer.curves import SHARE, Plane
from menace.explorer.request import MISSING, Request
from menace.explorer.route import get
from menace.ledger.store import Store
from menace.tables import Listing

MOMENTS_MOST = 200  # in a table
ROOM = 120  # for names beside the curves, in pixels
NAME_HEIGHT = 14


@get("/{database}/explore/{board}/history")
async def history(request: Request, learner: str = "") -> Response:
    """Show the history of a learner's box: a curve, and a table of its last changes."""
    moments = await request.ask(lambda store: _moments(request, store, learner))
    board = moments[-1].view.board
    return await request.page(
        "history",
        title=f"How {learner}'s box for {board} came to be",
        board=board,
        shown=MOMENTS_MOST,
        **_drawing(moments),
        learner=learner,
    )


@get("/{database}/explore/{board}/history.svg")
async def history_svg(request: Request, learner: str = "") -> Response:
    """Return the curve alone, or an error message if it cannot be drawn."""
    try:
        moments = await request.ask(lambda store: _moments(request, store, learner))
    except MenaceError as error:
        return Response.text(str(error), status=MISSING)
    return await request.page("shares", content_type="image/svg+xml; charset=utf-8", **_drawing(moments))


@get("/{database}/explore/{board}/history.json")
def history_json(request: Request, store: Store, learner: str = "") -> list[dict[str, Any]]:
    """Return every moment of a box as `menace history --json` does."""
    return _moments(request, store, learner).table().records()


def _moments(request: Request, store: Store, learner: str) -> Listing[Moment]:
    if not learner:
        raise InvalidPlayer("say whose box, with ?learner=NAME")
    check_short(store, learner)
    return list_history(store, request.part("board"), learner)


def _drawing(moments: Sequence[Moment]) -> dict[str, Any]:
    """Return what the curves are drawn from: of one box, as `box_history` returns its moments."""
    plane = Plane(moments[-1].games, SHARE, width=460, height=170, right=ROOM)
    shares = [move.share or 0.0 for move in moments[-1].view.moves]  # an empty box has none
    return {"plane": plane, "moments": moments, "heights": _spread(plane, [plane.down(share) for share in shares])}


def _spread(plane: Plane, heights: Sequence[float]) -> list[float]:
    """Return the heights of names beside their lines, moved apart so that they do not overlap.

    >>> _spread(Plane(1), [20.0, 20.0])
    [26, 12]
    """
    order = sorted(range(len(heights)), key=lambda number: (-heights[number], number))
    names, lowest = list(heights), plane.foot + NAME_HEIGHT / 2
    for place, number in enumerate(order):
        room = plane.top + NAME_HEIGHT * (len(order) - 1 - place)  # what the names above need
        names[number] = max(min(heights[number], lowest), min(room, lowest))
        lowest = names[number] - NAME_HEIGHT
    return names
