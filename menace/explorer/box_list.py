"""The boxes of a learner for the page Boxes: filtered, searched and coloured, now or after any block."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias, get_args

from menace.analysis.bead_names import BeadNames
from menace.analysis.lines_through_board import images
from menace.errors import InvalidPlayer
from menace.explorer.learner_at import last_block, learner_at_blocks
from menace.explorer.read_cache import LIBRARY
from menace.explorer.request_errors import BadRequest
from menace.exporting.board_html import Mark, amount_text, board_html
from menace.exporting.move_marks_html import colours_of, mark_of
from menace.games.positions import Positions
from menace.learners.box import Box, Move
from menace.learners.machine import Machine
from menace.ledger.store import Store
from menace.site import BOXES_MOST
from menace.wording import VERDICTS, counted

Colouring: TypeAlias = Literal["share", "beads", "minimax", "change"]
COLOURINGS: tuple[Colouring, ...] = get_args(Colouring)


def favourite_of(box: Box) -> Move | None:
    """Return the most probable move of a box; of equals the lowest action. None if the box is empty."""
    held = [move for move in box.moves if move.share]
    return max(held, key=lambda move: (move.share or 0.0, -move.action), default=None)


def favourite_loses(box: Box) -> bool:
    """Return whether the favourite of a box that was opened throws the game away."""
    favourite = favourite_of(box)
    return favourite is not None and favourite.verdict == VERDICTS[-1] and not favourite.optimal and box.opened > 0


class Filter(NamedTuple):
    """A filter of boxes: its text, its predicate, and `beads` if it applies only to boxes of beads."""

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


class BoxQuery(NamedTuple):
    """The query of the page Boxes.

    Attributes:
        name: of the learner.
        show: a key of FILTERS.
        colour: what the cells are shaded by.
        at: the block after which the boxes are shown; None for now.
        since: the block from which changes are counted.
        drawn: by cell, the piece to search for, or nothing; empty if there is no search.
        position_id: the only position to show; None for all.
    """

    name: str
    show: str = "all"
    colour: Colouring = "share"
    at: int | None = None
    since: int = 0
    drawn: tuple[str, ...] = ()
    position_id: int | None = None


@dataclass(frozen=True)
class BoxList:
    """The boxes that the page shows.

    Attributes:
        machine: the learner at the requested time.
        what: the last block by then that taught it, in words; empty for now.
        at, last: the requested block; the log's last.
        counts: by filter, how many boxes of the search it keeps.
        boxes: the boxes shown.
        before: the boxes at `since`, by position; empty unless changes are shown.
        total: how many boxes the learner has.
    """

    machine: Machine
    what: str
    at: int
    last: int
    counts: dict[str, int]
    boxes: tuple[Box, ...]
    before: Mapping[int, Box]
    total: int

    @cached_property
    def names(self) -> BeadNames:
        """The names and colours of its beads."""
        return BeadNames(self.machine.positions, self.machine.naming)

    @property
    def stages(self) -> list[tuple[int, list[Box]]]:
        """The boxes by stage."""
        return [(stage, list(boxes)) for stage, boxes in groupby(self.boxes, key=lambda box: box.stage)]


def box_list_of(store: Store, query: BoxQuery) -> BoxList:
    """Return the boxes of a learner, or, if it has no boxes, the positions in which it has a choice.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if it has more boxes than a page holds.
        BadRequest: if too many games would have to be replayed.
    """
    last = last_block(store)
    times = [block for block in (query.at, query.since if query.colour == "change" else None) if block is not None]
    past = (
        {
            state.block_id: state
            for state in learner_at_blocks(store, query.name, *(min(block, last) for block in times))
        }
        if times
        else {}
    )
    at = last if query.at is None else min(query.at, last)
    machine = past[at].machine if query.at is not None else LIBRARY.learner(store, query.name)
    before = past[min(query.since, last)].machine if query.colour == "change" else None
    boxes = _boxes_shown(machine)
    if len(boxes) > BOXES_MOST:
        raise InvalidPlayer(
            f"machine {query.name} has {counted(len(boxes), 'box')}, more than the {BOXES_MOST:,} of a page"
        )
    matches = tuple(_matching(machine.positions, boxes, query))
    return BoxList(
        machine=machine,
        what=past[at].what if query.at is not None else "",
        at=at,
        last=last,
        counts={
            name: sum(map(kept.keeps, matches)) for name, kept in FILTERS.items() if machine.has_beads or not kept.beads
        },
        boxes=tuple(box for box in matches if FILTERS[query.show].keeps(box)),
        before={} if before is None else {box.position_id: box for box in _boxes_shown(before)},
        total=len(boxes),
    )


def _boxes_shown(machine: Machine) -> list[Box]:
    return [box for box in machine.boxes if box.has_beads or box.has_choice]


def _matching(positions: Positions, boxes: Iterable[Box], query: BoxQuery) -> Iterator[Box]:
    for box in boxes:
        if query.position_id not in {None, box.position_id}:
            continue
        if not any(query.drawn) or has_pieces(positions, box.board, query.drawn):
            yield box


def has_pieces(positions: Positions, board: str, drawn: Sequence[str]) -> bool:
    """Return whether a board, or an image of it, has the drawn pieces; an empty cell of the drawing matches any piece.

    >>> from menace.games.enumeration import tictactoe
    >>> drawn = ("", "", "X", "", "", "", "", "", "")  # X in the top right corner
    >>> has_pieces(tictactoe(), "X...O....", drawn), has_pieces(tictactoe(), ".X..O....", drawn)
    (True, False)
    """
    pieces_of = positions.game.pieces
    return any(
        all(wanted in {"", piece} for wanted, piece in zip(drawn, pieces_of(image), strict=True))
        for image in images(positions, board)
    )


def drawing_of(positions: Positions, text: str) -> tuple[str, ...]:
    """Return the pieces of a search, which the address has between commas.

    Raises:
        BadRequest: if they are not as many as the cells.
    """
    rows, columns = positions.game.shape
    drawn = tuple(text.split(",")) if text else ("",) * (rows * columns)
    if len(drawn) != rows * columns:
        raise BadRequest(f"the drawing has {counted(len(drawn), 'cell')}, the board {rows * columns}; leave it out")
    return drawn


# Boxes as HTML.


def box_html(box_list: BoxList, box: Box, colour: Colouring, address: str) -> str:
    """Return a box as a table, with its number or board as a link to an address."""
    game = box_list.machine.positions.game
    beads = colours_of(box, box_list.names) if colour == "beads" else {}
    marks = (
        _changes(box_list, box)
        if colour == "change"
        else [mark_of(box, move, beads.get(move.action)) for move in box.moves]
    )
    beads_held = f" <small>{counted(box.beads, 'bead')}</small>" if box.has_beads else ""
    link = f'<a href="{html.escape(address)}">{html.escape(str(box.number or box.board))}</a>'
    rows = board_html(game.pieces(box.board), game.shape, marks)
    return f'<table class="box"><caption>{link}{beads_held}</caption>{rows}</table>'


def _changes(box_list: BoxList, box: Box) -> list[Mark]:
    """Return marks with the change of each move, shaded by its size relative to the largest in the box."""
    before = box_list.before[box.position_id]
    changes = [now.amount - then.amount for now, then in zip(box.moves, before.moves, strict=True)]
    most = max(map(abs, changes)) or 1
    return [
        mark_of(box, move)._replace(
            verdict="more" if change > 0 else "fewer" if change < 0 else "same",
            share=abs(change) / most,
            amount=("+" if change > 0 else "") + amount_text(change),
        )
        for move, change in zip(box.moves, changes, strict=True)
    ]
