"""The state of the page Explore, which its address holds: the board, the learners, the line of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple
from urllib.parse import quote, urlencode

from menace.analysis.lines_through_board import LineOfPlay
from menace.explorer.board_report import LEARNERS_MOST
from menace.explorer.request import Request

DIGITS_MOST = 6  # of a cell


class ExploreState(NamedTuple):
    """The state of the page.

    Attributes:
        request: it.
        board: as text.
        learners: their names; empty for the first ones of the database.
        line: the boards of the line of play.
        sets: whether clicks set pieces.
        picked: the cell of the selected piece.
    """

    request: Request
    board: str
    learners: tuple[str, ...]
    line: tuple[str, ...]
    sets: bool
    picked: int | None

    def to(self, board: str | None = None, *, line: Sequence[str] = (), sets: bool = False) -> str:
        """Return the address of a board, or of this one, with the same learners."""
        arguments = [("learner", name) for name in self.learners]
        arguments += [("line", ",".join(line))] if line else []
        arguments += [("set", "1")] if sets else []
        query = urlencode(arguments, safe=".,:", quote_via=quote)
        return self.request.path("explore", board or self.board) + (f"?{query}" if query else "")

    def exact(self) -> str:
        """Return the address of this state with what takes long."""
        address = self.to(line=self.line)
        return f"{address}{'&' if '?' in address else '?'}part=exact"

    def json(self) -> str:
        """Return the address of the JSON of this state."""
        path, _, query = self.to(line=self.line).partition("?")
        return f"{path}.json" + (f"?{query}" if query else "")

    def on_line(self, way: LineOfPlay, board: str) -> str:
        """Return the address of a board on a line."""
        return self.to(board, line=way.boards)

    def history(self, learner: str, ending: str) -> str:
        """Return the address of a box's history."""
        return self.request.path("explore", self.board, f"history{ending}", learner=learner)


@dataclass(frozen=True)
class ExploreParams:
    """The parameters of the page."""

    learner: Annotated[
        list[str], f"names of machines, {LEARNERS_MOST} at most; without any, the first ones of the file"
    ]
    line: Annotated[str, "boards between commas, each of which follows from the one before, this among them"] = ""
    set_: Annotated[str, "1: clicks set pieces"] = ""
    pick: Annotated[str, "the number of the cell whose piece is to move"] = ""


def explore_state_of(request: Request, board: str, params: ExploreParams) -> ExploreState:
    """Return the state of an address."""
    picked = params.pick
    return ExploreState(
        request=request,
        board=board,
        learners=tuple(params.learner),
        line=tuple(filter(None, params.line.split(","))),
        sets=bool(params.set_),
        picked=int(picked) if picked.isascii() and picked.isdigit() and len(picked) <= DIGITS_MOST else None,
    )
