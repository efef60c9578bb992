"""A box and its moves: a learner's beads, values or odds for a position, as everything that shows boxes uses them.

A matchbox is the box of a learner with beads. Matchboxes are numbered from 1, in the order of their positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from menace.drawing.boards import board_svg
from menace.errors import InvalidBox
from menace.files.tables import html_table
from menace.games.base import Board, Game, Side
from menace.learners.settings import MAX_BEADS
from menace.text.wording import amount_text, counted, percent, without_noise

if TYPE_CHECKING:  # boxes of beads can be shown without importing numpy
    from menace.learners.algorithm import Unit


@dataclass(frozen=True)
class Move:
    """A move from a position, and what a learner has learned about it.

    Attributes:
        action: the action on the canonical board; the lowest of equivalent ones.
        multiplicity: the number of equivalent actions.
        next_position: the number of the position that it leads to.
        verdict: `wins`, `draws` or `loses` for the player to move, under perfect play.
        optimal: whether it keeps the value of the position.
        amount: the number of beads, the value or the odds; 0 if there is no box.
        share: the current probability that the learner plays it, 0 to 1; its share of the beads if beads are drawn.
            None in an empty box of beads, and if there is no box.
        count: the number of games in which it was updated; for values of positions, updates of the position it leads
            to.

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
        """The amount of a move in a matchbox, as an integer."""
        return int(self.amount)

    @property
    def shown(self) -> float:
        """The amount for people; rounding errors around 0 are removed."""
        return without_noise(self.amount)


@dataclass(frozen=True, repr=False)
class Box:
    """What a learner has learned about a position in which it is to move.

    Attributes:
        position_id: the number of the position.
        board: the canonical board, which is drawn on a matchbox.
        ply: the length of the longest path to the position, in moves.
        number: the number of a matchbox, from 1; None for values and odds.
        unit: the unit of the amounts: `beads`, `value` or `odds`.
        about: a note on the meaning of the amounts, if the unit does not say everything.
        moves: all moves of the position, by action.
        game: the rules, which also determine how boards look.

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
        """Return a row of texts for each move: its name, verdict, amount with unit, and share."""
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
        """The moves by name.

        >>> from menace.learners.machine import Machine
        >>> {name: move.beads for name, move in Machine("menace", "X").box(".........").by_name.items()}
        {'0': 4, '1': 4, '4': 4}
        """
        return {self.game.name_of(self.board, move.action): move for move in self.moves}

    @property
    def title(self) -> str:
        """A title for people."""
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
        }  # short numbers, because cells are small
        return board_svg(self.game, self.board, texts, {move.action: move.share or 0.0 for move in self.moves})

    @property
    def stage(self) -> int:
        """The number of the learner's move at this position, from 1, on the longest path."""
        return self.ply // 2 + 1

    @property
    def has_beads(self) -> bool:
        """Whether it is a matchbox."""
        return self.unit == "beads"

    @property
    def has_choice(self) -> bool:
        """Whether there is more than one action on the board, counting equivalent ones."""
        return sum(move.multiplicity for move in self.moves) > 1

    @property
    def beads(self) -> int:
        """The total number of beads; 0 for values and odds."""
        return sum(move.beads for move in self.moves) if self.has_beads else 0

    @property
    def opened(self) -> int:
        """The number of games in which a move of this box was updated."""
        return sum(move.count for move in self.moves)

    @property
    def full(self) -> int:
        """The number of piles at the maximum, which no longer grow."""
        return sum(move.beads == MAX_BEADS for move in self.moves) if self.has_beads else 0

    def share_of_beads(self, move: Move) -> float:
        """Return a move's share of the beads, 0 to 1, regardless of how moves are chosen; 0 if there are no beads."""
        return move.amount / self.beads if self.beads else 0.0


def draw_probabilities(beads: Sequence[float]) -> list[float | None]:
    """Return the probability of drawing each kind of bead, 0 to 1; None for each in an empty box.

    >>> draw_probabilities([3, 1]), draw_probabilities([0, 0])
    ([0.75, 0.25], [None, None])
    """
    total = sum(beads)
    return [amount / total if total else None for amount in beads]


def found_box(box: Box | None, name: str, plays: Side, board: object) -> Box:
    """Return a box that was looked for.

    Raises:
        InvalidBox: if there is none.
    """
    if box is None:
        raise InvalidBox(f"{name} plays {plays} and has no box for board {board}; `find_box` returns None instead")
    return box
