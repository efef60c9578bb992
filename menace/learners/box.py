"""A box and its moves: what a learner has for a position (beads, values or odds), for everything that shows boxes.

A matchbox is the box of a learner that has beads; matchboxes stand on a shelf,
numbered from 1 as their positions are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from menace.drawing.boards import board_svg
from menace.files.tables import html_table
from menace.games.base import Board, Game
from menace.learners.settings import MOST_BEADS
from menace.text.wording import amount_text, counted, percent, without_noise

if TYPE_CHECKING:  # a box of beads is shown without numpy
    from menace.learners.algorithm import Unit


@dataclass(frozen=True)
class Move:
    """One move from a position, and what a learner has for it.

    Attributes:
        action: its number on the canonical board; of equivalent moves the lowest.
        multiplicity: how many equivalent moves it stands for.
        next_position: number of the position that it leads to.
        verdict: `wins`, `draws` or `loses`, for the player to move, under perfect play.
        optimal: whether it keeps the value of the position.
        amount: beads, as a whole number; or a value, or odds. 0 where there is no box.
        share: the probability that the learner plays it now, 0 to 1; where beads are drawn, its share of them. None in
            a box that beads are drawn from and that is empty, and where there is no box.
        count: in how many games the learner learned it. Of values of positions: learned what it leads to.

    >>> from menace.learners.machine import Machine
    >>> box = Machine("menace", "X").box("XO.......")
    >>> [(move.action, move.verdict) for move in box.moves if not move.optimal]
    [(2, 'draws'), (5, 'draws'), (7, 'draws'), (8, 'draws')]
    """

    action: int
    multiplicity: int
    next_position: int
    verdict: str
    optimal: bool
    amount: float = 0
    share: float | None = None
    count: int = 0

    @property
    def beads(self) -> int:
        """The amount of a move in a matchbox."""
        return int(self.amount)

    @property
    def shown(self) -> float:
        """The amount for people, without what rounding leaves of a 0."""
        return without_noise(self.amount)


@dataclass(frozen=True, repr=False)
class Box:
    """What a learner has for a position in which it is to move.

    Attributes:
        position_id: of its position in the database.
        board: the canonical board; on a matchbox, what is drawn on it.
        ply: the most moves that can have been made.
        number: of a matchbox on the learner's shelf, from 1; None of values and odds.
        unit: what the amounts of its moves are: `beads`, `value` or `odds`.
        about: what is to be said of the amounts beside the unit, where that is not all.
        moves: all that the position has, by action.
        game: the rules, which say how it looks.

    >>> from menace.learners.machine import Machine
    >>> box = Machine("menace", "X").box("OX.......")
    >>> box.board, box.number, box.stage, box.beads
    ('OX.......', 7, 2, 21)
    """

    position_id: int
    board: Board
    ply: int
    number: int | None
    unit: Unit
    moves: tuple[Move, ...]
    game: Game = field(compare=False)
    about: str = ""

    def rows(self) -> list[tuple[str, ...]]:
        """Return a row for each move: its name, verdict, amount and unit, share, in words."""
        return [
            (
                self.game.name_of(self.board, m.action),
                m.verdict,
                amount_text(m.amount, self.unit),
                "" if m.share is None else percent(m.share).strip(),
            )
            for m in self.moves
        ]

    @property
    def by_name(self) -> dict[str, Move]:
        """Its moves by their names.

        >>> from menace.learners.machine import Machine
        >>> {name: move.beads for name, move in Machine("menace", "X").box(".........").by_name.items()}
        {'0': 4, '1': 4, '4': 4}
        """
        return {self.game.name_of(self.board, move.action): move for move in self.moves}

    @property
    def title(self) -> str:
        """What it is, in words."""
        name = "values" if self.number is None else f"box {self.number}"
        beads = f" ({counted(self.beads, 'bead')})" if self.has_beads else ""
        return f"{name} for {self.board}{beads}"

    def __repr__(self) -> str:
        return f"{self.title}: " + ", ".join(" ".join(filter(None, row)) for row in self.rows())

    def _repr_html_(self) -> str:
        return self._repr_svg_() + html_table(["move", "verdict", self.unit, "share"], self.rows(), self.title)

    def _repr_svg_(self) -> str:
        texts = {
            m.action: f"{m.beads:,}" if self.has_beads else f"{m.shown:.3g}" for m in self.moves
        }  # a cell is small
        return board_svg(self.game, self.board, texts, {move.action: move.share or 0.0 for move in self.moves})

    @property
    def stage(self) -> int:
        """The learner's which move this is, from 1, by the longest way."""
        return self.ply // 2 + 1

    @property
    def has_beads(self) -> bool:
        """Whether it is a matchbox."""
        return self.unit == "beads"

    @property
    def has_choice(self) -> bool:
        """Whether there is more than one move on the board, equivalent ones counted."""
        return sum(move.multiplicity for move in self.moves) > 1

    @property
    def beads(self) -> int:
        """All beads in it; 0 of values and odds."""
        return sum(move.beads for move in self.moves) if self.has_beads else 0

    @property
    def opened(self) -> int:
        """In how many games a move of it was learned from."""
        return sum(move.count for move in self.moves)

    @property
    def full(self) -> int:
        """How many piles hold as many beads as they can: what they gain from now on is lost."""
        return sum(move.beads == MOST_BEADS for move in self.moves) if self.has_beads else 0

    def share_of_beads(self, move: Move) -> float:
        """Return a move's share of the beads, 0 to 1, however they are picked; 0 where there are none."""
        return move.amount / self.beads if self.beads else 0.0


def shares_of(beads: Sequence[float]) -> list[float | None]:
    """Return how often each bead is drawn, 0 to 1; None of each in an empty box.

    >>> shares_of([3, 1]), shares_of([0, 0])
    ([0.75, 0.25], [None, None])
    """
    total = sum(beads)
    return [amount / total if total else None for amount in beads]
