"""A box and its moves, which contain a learner's beads, values or odds for a position. All displays use this form.

A box with beads is a matchbox. Matchboxes are numbered from 1 in the order of their positions.
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

if TYPE_CHECKING:  # matchboxes can be displayed without importing numpy
    from menace.learners.algorithm import Unit


@dataclass(frozen=True)
class Move:
    """A move in a position, together with what a learner has learned about the move.

    Attributes:
        action: the action on the canonical board, which is the lowest of all equivalent actions.
        multiplicity: the number of equivalent actions.
        next_position: the number of the position that the move leads to.
        verdict: `wins`, `draws` or `loses` for the player to move, under perfect play.
        optimal: whether the move preserves the value of the position under perfect play.
        amount: the number of beads, the value or the odds; 0 if there is no box.
        share: the current probability, 0 to 1, that the learner plays the move. If beads are drawn, this is the move's
            share of the beads. None if the matchbox is empty or there is no box.
        count: the number of games that updated the move or, if positions have values, the position after the move.

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
        """The number of beads for a move in a matchbox."""
        return int(self.amount)

    @property
    def shown_amount(self) -> float:
        """The amount to display, without rounding errors around 0."""
        return without_noise(self.amount)


@dataclass(frozen=True, repr=False)
class Box:
    """What a learner has learned about a position in which that learner is to move.

    Attributes:
        position_id: the number of the position.
        board: the canonical board, which is drawn on a matchbox.
        ply: the length of the longest path to the position, in moves.
        number: the number of the matchbox, from 1; None for boxes with values or odds.
        unit: the unit of the amounts: `beads`, `value` or `odds`.
        about: a note on the meaning of the amounts, in case the unit alone is not clear enough.
        moves: all moves in the position, in ascending order of action.
        game: the rules, which also determine the appearance of boards.

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
        """Return a row of strings for each move: its name, verdict, amount with unit, and share."""
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
        """A dictionary of the moves in the box, keyed by the name of the move.

        >>> from menace.learners.machine import Machine
        >>> {name: move.beads for name, move in Machine("menace", "X").box(".........").by_name.items()}
        {'0': 4, '1': 4, '4': 4}
        """
        return {self.game.name_of(self.board, move.action): move for move in self.moves}

    @property
    def title(self) -> str:
        """The title that is displayed for the box."""
        name = "values" if self.number is None else f"box {self.number}"
        beads = f" ({counted(self.beads, 'bead')})" if self.has_beads else ""
        return f"{name} for {self.board}{beads}"

    def __repr__(self) -> str:
        return f"{self.title}: " + ", ".join(" ".join(filter(None, row)) for row in self.rows())

    def _repr_html_(self) -> str:
        return self._repr_svg_() + html_table(["move", "verdict", self.unit, "share"], self.rows(), self.title)

    def _repr_svg_(self) -> str:
        # the numbers are short because a drawing has little space
        texts = {m.action: f"{m.beads:,}" if self.has_beads else f"{m.shown_amount:.3g}" for m in self.moves}
        return board_svg(self.game, self.board, texts, {move.action: move.share or 0.0 for move in self.moves})

    @property
    def stage(self) -> int:
        """The number of the learner's move in this position, counted from 1 on the longest path to the position."""
        return self.ply // 2 + 1

    @property
    def has_beads(self) -> bool:
        """Whether the box contains beads."""
        return self.unit == "beads"

    @property
    def has_choice(self) -> bool:
        """Whether the board has more than one action. Equivalent actions count separately."""
        return sum(move.multiplicity for move in self.moves) > 1

    @property
    def beads(self) -> int:
        """The total number of beads, or 0 for values and odds."""
        return sum(move.beads for move in self.moves) if self.has_beads else 0

    @property
    def opened(self) -> int:
        """The number of games that updated at least one move in this box."""
        return sum(move.count for move in self.moves)

    @property
    def full(self) -> int:
        """The number of piles that have reached the maximum size and no longer grow."""
        return sum(move.beads == MAX_BEADS for move in self.moves) if self.has_beads else 0

    def share_of_beads(self, move: Move) -> float:
        """Return a move's share of the box's beads, 0 to 1, or 0 if the box is empty."""
        return move.amount / self.beads if self.beads else 0.0


def draw_probabilities(beads: Sequence[float]) -> list[float | None]:
    """Return the probability, from 0 to 1, of drawing each kind of bead, or a list of None if there are no beads.

    >>> draw_probabilities([3, 1]), draw_probabilities([0, 0])
    ([0.75, 0.25], [None, None])
    """
    total = sum(beads)
    return [amount / total if total else None for amount in beads]


def found_box(box: Box | None, name: str, plays: Side, board: object) -> Box:
    """Return the given box, or raise an error if it is None.

    Raises:
        InvalidBox: if the box is None.
    """
    if box is None:
        raise InvalidBox(f"{name} plays {plays} and has no box for board {board}; to get None instead, call `find_box`")
    return box
