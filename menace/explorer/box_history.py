"""The history of a box as a page, as SVG and as JSON: the share of each of its moves by games learned from."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Annotated, TypeAlias, cast

from datasette.utils.asgi import Response

from menace.analysis.history_from_log import Moment, box_history
from menace.analysis.json_records import HistoryRecord, history_records
from menace.errors import InvalidPlayer, MenaceError
from menace.explorer.curves import SHARE, Plane
from menace.explorer.learner_at import check_short
from menace.explorer.request import MISSING, Request
from menace.explorer.route import get
from menace.ledger.store import Store

MOMENTS_MOST = 200  # in a table
ROOM = 120  # for names beside the curves, in pixels
NAME_HEIGHT = 14
# Okabe & Ito's colours, which colour-blind people tell apart, readable in light and dark themes.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1b1b1b}.axis{stroke:#767676;stroke-width:1;fill:none}"
    ".grid{stroke:#767676;stroke-width:.4;fill:none}"
    ".share{fill:none;stroke-width:2;stroke-linejoin:round}"
    "@media(prefers-color-scheme:dark){text{fill:#ececec}}"
)

Owner: TypeAlias = Annotated[str, "whose box; it is needed"]


@get("/{database}/explore/{board}/history", "how a box came to be, as a page")
async def history(request: Request, learner: Owner = "") -> Response:
    """Show the history of a learner's box: a curve, and a table of its last changes."""
    moments = await _moments(request, learner)
    board = moments[-1].view.board
    return await request.page(
        "history",
        title=f"How {learner}'s box for {board} came to be",
        board_address=request.path("explore", board, learner=learner),
        json_address=request.path("explore", board, "history.json", learner=learner),
        curve=shares_svg(moments),
        moments=moments[-MOMENTS_MOST:],
        left_out=max(len(moments) - MOMENTS_MOST, 0),
        learner=learner,
    )


@get("/{database}/explore/{board}/history.svg", "how a box came to be, as a curve")
async def history_svg(request: Request, learner: Owner = "") -> Response:
    """Return the curve alone, or an error message if it cannot be drawn."""
    try:
        moments = await _moments(request, learner)
    except MenaceError as error:
        return Response.text(str(error), status=MISSING)
    return Response(shares_svg(moments), content_type="image/svg+xml; charset=utf-8")


@get("/{database}/explore/{board}/history.json", "how a box came to be, by block")
async def history_json(request: Request, learner: Owner = "") -> list[HistoryRecord]:
    """Return every moment of a box as `menace history --json` does."""
    return cast(list[HistoryRecord], history_records(await _moments(request, learner)).records())


async def _moments(request: Request, learner: str) -> Sequence[Moment]:
    def answer(store: Store) -> Sequence[Moment]:
        if not learner:
            raise InvalidPlayer("say whose box, with ?learner=NAME")
        check_short(store, learner)
        return box_history(store, request.part("board"), learner)

    return await request.ask(answer)


def shares_svg(moments: Sequence[Moment]) -> str:
    """Return the curves as a standalone SVG: steps from block to block, games on a logarithmic scale.

    Args:
        moments: of one box, as `box_history` returns them.
    """
    plane = Plane(moments[-1].games, SHARE, width=460, height=170, right=ROOM)
    title = html.escape(f"share of each move of {moments[-1].view.learner} on {moments[-1].view.board}")
    width, height = plane.size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" aria-label="{title}"><style>{STYLE}</style>{plane.svg()}{_lines(plane, moments)}</svg>'
    )


def _lines(plane: Plane, moments: Sequence[Moment]) -> str:
    moves, end = moments[-1].view.moves, plane.left + plane.width
    heights = _spread(plane, [plane.down(move.share or 0.0) for move in moves])
    parts = []
    for number, (move, at) in enumerate(zip(moves, heights, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        dashes = "" if number < len(COLOURS) else ' stroke-dasharray="5 3"'
        path = f"M{plane.left} {plane.down(_share(moments[0], number)):.1f}"
        for moment in moments[1:]:
            path += f"H{plane.across(moment.games):.1f}V{plane.down(_share(moment, number)):.1f}"
        name = html.escape(move.text)
        parts.append(f'<path class="share" stroke="{colour}"{dashes} d="{path}H{end}"><title>{name}</title></path>')
        parts.append(f'<path stroke="{colour}" stroke-width="3" d="M{end + 4} {at:.1f}h8"/>')
        parts.append(f'<text x="{end + 16}" y="{at + 4:.1f}">{name}</text>')
    return "".join(parts)


def _share(moment: Moment, number: int) -> float:
    return moment.view.moves[number].share or 0.0  # an empty box has none


def _spread(plane: Plane, heights: Sequence[float]) -> list[float]:
    """Return the heights of names beside their lines, moved apart so that they do not overlap.

    >>> _spread(Plane(1), [20.0, 20.0])
    [26, 12]
    """
    order = sorted(range(len(heights)), key=lambda number: (-heights[number], number))
    names, lowest = list(heights), plane.top + plane.height + NAME_HEIGHT / 2
    for place, number in enumerate(order):
        room = plane.top + NAME_HEIGHT * (len(order) - 1 - place)  # what the names above need
        names[number] = max(min(heights[number], lowest), min(room, lowest))
        lowest = names[number] - NAME_HEIGHT
    return names
