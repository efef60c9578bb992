"""Serve the Boxes page, which shows a machine's boxes, and the page that shows the history of one box."""

from __future__ import annotations

import html
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

from datasette.utils.asgi import Response

from menace.analysis import bead_names, board_report, listings, replayed_learners
from menace.analysis.history import Moment
from menace.analysis.position import show
from menace.errors import InvalidBoard, InvalidBox, InvalidPlayer, MenaceError
from menace.explorer.content import board_inputs, curves
from menace.explorer.server.requests import MISSING, BadRequest, Request, get
from menace.explorer.server.threads_and_caches import LIBRARY
from menace.exporting.board_html import Mark, Stage, amount_text, box_marks, group_by_stage, matchbox_html
from menace.files.tables import Listing
from menace.games.base import GAP
from menace.games.positions import Positions
from menace.learners.box import Box
from menace.learners.machine import Machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.site import MAX_BOXES
from menace.text.wording import VERDICTS, counted

MAX_BOXES_OF_LARGE_GAME = 1_000  # number of boxes shown if the game has more than MAX_BOXES

COLOURINGS = {
    "share": "beads",
    "beads": "numbers",
    "minimax": "perfect play",
    "change": "what has changed",
}


def favourite_loses(box: Box) -> bool:
    """Return whether the most probable move in an opened box loses value; ties go to the first move."""
    if not (box.opened and any(move.share for move in box.moves)):
        return False
    favourite = max(box.moves, key=lambda move: (move.share or 0.0, -move.action))
    return favourite.verdict == VERDICTS[-1] and not favourite.optimal


class Filter(NamedTuple):
    """A filter for boxes, with its label, its predicate, and whether it applies only to boxes with beads."""

    text: str
    beads: bool
    keeps: Callable[[Box], bool]


FILTERS: dict[str, Filter] = {
    "all": Filter("all", False, lambda _: True),
    "empty": Filter("empty", True, lambda box: box.beads == 0),
    "single": Filter("a single colour left", True, lambda box: sum(move.amount > 0 for move in box.moves) == 1),
    "losing": Filter("a losing favourite", False, favourite_loses),
    "unopened": Filter("never opened", False, lambda box: box.opened == 0),
}


@dataclass(frozen=True)
class BoxesParams:
    """The parameters of the page.

    Attributes:
        show: a key of FILTERS.
        colour: a key of COLOURINGS.
        at: the number of the block after which the boxes are shown; 0 for the beginning, None for their current state.
        since: the number of the block from which changes are counted.
        draw: the pieces to search for, one for each cell, separated by commas; an empty string matches any piece.
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


ALL_BOXES = BoxesParams()


@dataclass(frozen=True)
class BoxList:
    """The boxes that the Boxes page shows.

    Attributes:
        machine: the learner at the requested time.
        what: a description of the last block before that time from which the learner learned; empty for the current
        state.
        at, last: the requested block, and the last block of the log.
        counts: for each filter, the number of searched boxes that match it.
        boxes: the boxes shown.
        before: the boxes as they were at `since`, by position; empty unless changes are shown.
        total: the number of boxes of the learner.
        searched: the number of boxes that are filtered and searched; in a large game, this is only some of them.
        film: the learner's past states, block by block.
    """

    machine: Machine
    what: str
    at: int
    last: int
    counts: dict[str, int]
    boxes: tuple[Box, ...]
    before: Mapping[int, Box]
    total: int
    searched: int
    film: list[replayed_learners.OwnBlock]

    @cached_property
    def names(self) -> bead_names.BeadNames:
        """The names and colours of the learner's beads."""
        return bead_names.BeadNames(self.machine.positions, self.machine.naming)

    @property
    def beads(self) -> int:
        """The total number of beads in the learner's boxes."""
        return int(self.machine.learned.amount[self.machine.learned.kept].sum())

    @cached_property
    def stages(self) -> list[Stage]:
        """The boxes grouped by stage."""
        return group_by_stage(self.boxes)

    @property
    def moment(self) -> int:
        """The index in `film` of the last moment at or before the requested block."""
        return max(0, bisect_right(self.film, self.at, key=lambda own: own.block_id) - 1)


def load_box_list(
    store: Store,
    name: str,
    params: BoxesParams = ALL_BOXES,
    drawn: Sequence[str] = (),
    position_id: int | None = None,
) -> BoxList:
    """Load a learner's boxes or, for a learner without boxes, the positions in which it has a choice.

    Args:
        store: the database.
        name: the name of the learner.
        params: the parameters of the page.
        drawn: the piece to search for on each cell, where an empty string matches any piece; empty for no search.
        position_id: the only position to show; None for all positions.

    Raises:
        UnknownLearner: if there is no such learner.
        BadRequest: if too many games would have to be replayed.
    """
    last, film = replayed_learners.last_block(store), replayed_learners.own_blocks(store, name)

    def past(block: int) -> replayed_learners.LearnerAt:
        return replayed_learners.learner_in_film(store, name, film, min(block, last))

    then = None if params.at is None else past(params.at)
    machine = LIBRARY.learner(store, name) if then is None else then.machine
    position_ids, total = _searched_positions(machine, position_id)
    before = past(params.since).machine.each_box(position_ids) if params.colour == "change" else ()
    matches = [
        box
        for box in machine.each_box(position_ids)
        if not any(drawn) or has_pieces(machine.positions, box.board, drawn)
    ]
    return BoxList(
        machine=machine,
        what="" if then is None else then.what,
        at=last if params.at is None else min(params.at, last),
        last=last,
        counts={
            key: sum(map(kept.keeps, matches)) for key, kept in FILTERS.items() if machine.has_beads or not kept.beads
        },
        boxes=tuple(box for box in matches if FILTERS[params.show].keeps(box)),
        before={box.position_id: box for box in before},
        total=total,
        searched=len(position_ids),
        film=film,
    )


def _searched_positions(machine: Machine, position_id: int | None) -> tuple[list[int], int]:
    """Return the positions of the boxes to filter and search, and the total number of boxes.

    In a large game, only the given position and those within two moves of it are searched. If no position is given, the
    first positions are searched.
    """
    positions = machine.positions
    kept = machine.boxed & (machine.has_beads | (positions.action_counts > 1))
    total = int(kept.sum())
    if position_id is None:
        ids = kept.nonzero()[0]
        if total > MAX_BOXES:
            ids = ids[: MAX_BOXES_OF_LARGE_GAME + 1]
            whole = ids[positions.ply[ids] < positions.ply[ids[-1]]]  # only the positions of complete stages
            ids = whole if len(whole) else ids[:-1]
        return ids.tolist(), total
    near = {position_id}
    if total > MAX_BOXES:
        for _ in range(2):
            near |= {after for before in near for after in _next_positions(positions, before)}
    return [position for position in sorted(near)[:MAX_BOXES_OF_LARGE_GAME] if position >= 0 and kept[position]], total


def _next_positions(positions: Positions, position_id: int) -> list[int]:
    moves = positions.moves_of(position_id)
    after: list[int] = positions.next_position[moves.start : moves.stop].tolist()
    return after


def has_pieces(positions: Positions, board: str, drawn: Sequence[str]) -> bool:
    """Return whether a board contains the drawn pieces in any orientation; empty drawn cells match any piece.

    >>> from menace.games.enumeration import tictactoe
    >>> drawn = ("", "", "X", "", "", "", "", "", "")  # X in the top right corner
    >>> has_pieces(tictactoe(), "X...O....", drawn), has_pieces(tictactoe(), ".X..O....", drawn)
    (True, False)
    """
    pieces_of = positions.game.pieces
    return any(
        all(wanted in {"", piece} for wanted, piece in zip(drawn, pieces_of(image), strict=True))
        for image in board_report.images(positions, board)
    )


def parse_drawing(positions: Positions, text: str) -> tuple[str, ...]:
    """Parse the address's comma-separated list of pieces to search for.

    Raises:
        BadRequest: if the number of pieces differs from the number of cells.
    """
    rows, columns = positions.game.shape
    drawn = tuple(text.split(",")) if text else ("",) * (rows * columns)
    if len(drawn) != rows * columns:
        raise BadRequest(f"`draw` has {counted(len(drawn), 'cell')}, but the board has {rows * columns}; omit `draw`")
    return drawn


# Boxes as HTML.


def box_html(box_list: BoxList, box: Box, colour: str, address: str, each: int) -> str:
    """Return the HTML of a box: its board, a link to `address` labelled with its number or board text, and any drawer.

    `each` is the number of beads that each bead in the picture represents.
    """
    marks = _changes(box_list, box) if colour == "change" else ()
    beads_held = f" <small>{counted(box.beads, 'bead')}</small>" if box.has_beads else ""
    name = f"box {box.number}" if box.number else html.escape(box.board)
    link = f'<a id="b{box.position_id}" href="{html.escape(address)}">{name}{beads_held}</a>'
    return matchbox_html(box, box_list.names, link, each, marks)


def _changes(box_list: BoxList, box: Box) -> list[Mark]:
    """Return marks that show the change in each move's amount, shaded relative to the largest change in the box."""
    before = box_list.before[box.position_id]
    changes = [now.amount - then.amount for now, then in zip(box.moves, before.moves, strict=True)]
    most = max(map(abs, changes)) or 1
    return [
        mark._replace(
            verdict="more" if change > 0 else "fewer" if change < 0 else "same",
            share=abs(change) / most,
            amount=("+" if change > 0 else "") + amount_text(change),
        )
        for mark, change in zip(box_marks(box, box_list.names), changes, strict=True)
    ]


def search(store: Store, name: str, params: BoxesParams) -> tuple[tuple[str, ...], int | None]:
    """Return the pieces and the position to search for; the position is None if `board` is empty.

    Raises:
        BadRequest: if a parameter is not valid.
        InvalidBoard, UnreachableBoard, InvalidBox: if `board` is not a board of the game or a box of the learner.
    """
    if params.colour not in COLOURINGS or params.show not in FILTERS:
        raise BadRequest(
            f"`colour` must be one of {', '.join(COLOURINGS)}, and `show` must be one of {', '.join(FILTERS)}"
        )
    board, drawn = params.board.strip(), parse_drawing(positions_of(store), params.draw)
    return drawn, show(store, board, name).position_id if board else None


@get("/{database}/boxes/{name}")
async def boxes(request: Request, params: BoxesParams) -> Response:
    """Show the boxes of a learner."""
    name = request.part("name")

    def answer(store: Store) -> dict[str, Any]:
        problem, address_of = "", request.boards(learner=name)
        try:
            drawn, position_id = search(store, name, params)
        except (InvalidBoard, InvalidBox) as error:
            problem, drawn, position_id = str(error), parse_drawing(positions_of(store), ""), -1
        box_list = load_box_list(store, name, params, drawn, position_id)
        return {
            "box_list": box_list,
            "problem": problem,
            "tables": {  # drawn here, in a worker thread, because drawing is slow
                box.position_id: box_html(box_list, box, params.colour, address_of(box.board), stage.each)
                for stage in box_list.stages
                for box in stage.boxes
            },
            "drawing": _drawing(box_list.machine.positions, drawn),
        }

    context = await request.ask(answer)
    box_list = context["box_list"]
    return await request.page(
        "boxes",
        **context,
        params=params,
        title=f"The {'boxes' if box_list.machine.has_beads else 'values'} of {name}",
        filters={name: FILTERS[name].text for name in box_list.counts},
        colours={name: text for name, text in COLOURINGS.items() if box_list.machine.has_beads or name != "beads"},
        to=lambda **changes: request.path(
            "boxes", name, **{**dict.fromkeys(vars(params), ""), **params.given, **changes}
        ),
        kept=lambda *but: [(name, value) for name, value in params.given.items() if name not in but],
    )


def _drawing(positions: Positions, drawn: tuple[str, ...]) -> dict[str, Any]:
    """Return the search board; a click on a cell puts the next piece there and searches for matching boxes."""
    known, first = board_inputs.known_pieces(positions), positions.game.pieces(positions.game.initial)
    pieces = [GAP if first[cell] == GAP else piece for cell, piece in enumerate(drawn)]

    def does(cell: board_inputs.Cell) -> dict[str, str]:
        here = cell.number
        after = ",".join([*drawn[:here], board_inputs.piece_after_click(known[here], drawn[here]), *drawn[here + 1 :]])
        return {"id": f"draw-{here}", "name": "draw", "value": after}

    return {"cells": board_inputs.cells_with(positions.game, pieces, empty="anything"), "does": does}


@get("/{database}/boxes/{name}.json")
def boxes_json(request: Request, store: Store, params: BoxesParams) -> dict[str, Any]:
    """Return the boxes of a learner as JSON."""
    name = request.part("name")
    box_list = load_box_list(store, name, params, *search(store, name, params))
    return {
        "learner": box_list.machine.name,
        "at": box_list.at,
        "last": box_list.last,
        "what": box_list.what,
        "counts": box_list.counts,
        "boxes": [listings.box_record(box) for box in box_list.boxes],
    }


MAX_MOMENTS = 200  # maximum number of rows in the table
NAMES_WIDTH = 120  # width in pixels for the names beside the curves
NAME_HEIGHT = 14


@get("/{database}/explore/{board}/history")
async def history(request: Request, learner: str = "") -> Response:
    """Show the history of a learner's box as a curve and a table of the latest changes."""
    moments = await request.ask(lambda store: _moments(request, store, learner))
    board = moments[-1].view.board
    return await request.page(
        "history",
        title=f"History of {learner}'s box for {board}",
        board=board,
        shown=MAX_MOMENTS,
        **_history_drawing(moments),
        learner=learner,
    )


@get("/{database}/explore/{board}/history.svg")
async def history_svg(request: Request, learner: str = "") -> Response:
    """Return only the curve, or an error message if the curve cannot be drawn."""
    try:
        moments = await request.ask(lambda store: _moments(request, store, learner))
    except MenaceError as error:
        return Response.text(str(error), status=MISSING)
    return await request.page("shares", content_type="image/svg+xml; charset=utf-8", **_history_drawing(moments))


@get("/{database}/explore/{board}/history.json")
def history_json(request: Request, store: Store, learner: str = "") -> list[dict[str, Any]]:
    """Return the complete history of a box, as `menace history --json` does."""
    return _moments(request, store, learner).table().records()


def _moments(request: Request, store: Store, learner: str) -> Listing[Moment]:
    if not learner:
        raise InvalidPlayer("the address must name the machine, as in ?learner=NAME")
    replayed_learners.check_short(store, learner)
    return listings.list_history(store, request.part("board"), learner)


def _history_drawing(moments: Sequence[Moment]) -> dict[str, Any]:
    """Return the data for a box's curves, given the moments that `box_history` returned."""
    plane = curves.Plane(moments[-1].games, curves.SHARE, width=460, height=170, right=NAMES_WIDTH)
    shares = [move.share or 0.0 for move in moments[-1].view.moves]  # an empty box has no shares
    return {
        "plane": plane,
        "moments": moments,
        "heights": _separate_names(plane, [plane.y_of_amount(share) for share in shares]),
    }


def _separate_names(plane: curves.Plane, heights: Sequence[float]) -> list[float]:
    """Return the y coordinates of the names beside the lines, spread out so that the names do not overlap.

    >>> _separate_names(curves.Plane(1), [20.0, 20.0])
    [26, 12]
    """
    order = sorted(range(len(heights)), key=lambda number: (-heights[number], number))
    names, lowest = list(heights), plane.foot + NAME_HEIGHT / 2
    for place, number in enumerate(order):
        room = plane.top + NAME_HEIGHT * (len(order) - 1 - place)  # space for the remaining names
        names[number] = max(min(heights[number], lowest), min(room, lowest))
        lowest = names[number] - NAME_HEIGHT
    return names
