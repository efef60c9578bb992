"""A box and its moves: the one answer to what a learner has for a position, be it beads, values or odds.

Whoever shows boxes draws from here. A matchbox is the box of a learner that has beads; matchboxes stand on a shelf,
numbered from 1 as their positions are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from menace.errors import InvalidPlayer, UnreachableBoard
from menace.games.base import Board, Game, Side
from menace.games.look import board_text
from menace.ledger.store import MOST_BEADS
from menace.shelf.svg import board_svg
from menace.tables import html_table
from menace.wording import VERDICTS, amount_text, counted, percent

if TYPE_CHECKING:  # a box of beads is shown without numpy
    from menace.learners.base import Policy, Unit
    from menace.learners.machine import Machine
    from menace.ledger.machines import Learner
    from menace.ledger.store import MatchboxRow


@dataclass(frozen=True)
class Move:
    """One move from a position, and what a learner has for it.

    Attributes:
        action: its number on the canonical board; of equivalent moves the lowest.
        multiplicity: how many equivalent moves it stands for.
        next_position: number of the position that it leads to.
        verdict: `wins`, `draws` or `loses`, for the player to move, under perfect play.
        optimal: whether it keeps the value of the position.
        amount: beads, as a whole number; or a value, or odds. 0 where nobody has a box.
        share: the probability that the learner plays it now, 0 to 1; where beads are drawn, its share of them. None in
            a box that beads are drawn from and that is empty, and where nobody has a box.
        count: in how many games the learner learned it. Of values of positions: learned what it leads to.

    >>> from menace.learners.machine import Machine
    >>> box = box_of(Machine("menace", "X"), "XO.......")
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


@dataclass(frozen=True, repr=False)
class Box:
    """What a learner has for a position in which it is to move.

    Attributes:
        position_id: of its position in the database.
        board: the canonical board; on a matchbox, what is drawn on it.
        ply: the most moves that can have been made.
        number: of a matchbox on the learner's shelf, from 1; None of values and odds.
        unit: what the amounts of its moves are: `beads`, `value` or `odds`.
        moves: all that the position has, by action.
        game: the rules, which say how it looks.

    >>> from menace.learners.machine import Machine
    >>> box = box_of(Machine("menace", "X"), "OX.......")
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
        texts = {move.action: amount_text(move.amount, self.unit).removesuffix(" beads") for move in self.moves}
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
    def full(self) -> int:
        """How many piles hold as many beads as they can: what they gain from now on is lost."""
        return sum(move.beads == MOST_BEADS for move in self.moves) if self.has_beads else 0

    def share_of_beads(self, move: Move) -> float:
        """Return a move's share of the beads, 0 to 1, however they are picked; 0 where there are none."""
        return move.amount / self.beads if self.beads else 0.0


def box_of(machine: Machine, board: Board) -> Box | None:
    """Return what a machine has for a board, as people write it; None where it has no box, or is not to move.

    Raises:
        InvalidBoard, UnreachableBoard: if the text is not a board, or one that no game reaches.

    >>> from menace.learners.machine import Machine
    >>> box_of(Machine("menace", "X"), ".........")
    box 1 for ......... (12 beads): 0 draws 4 beads 33.3%, 1 draws 4 beads 33.3%, 4 draws 4 beads 33.3%
    """
    positions = machine.positions
    actual = positions.game.parse(board_text(board))
    try:
        return box_at(machine, positions.number_of(actual))
    except LookupError:
        raise UnreachableBoard(f"board {actual} is reached by no game of {positions.title}") from None


def boxes_of_machine(machine: Machine) -> tuple[Box, ...]:
    """Return every box of a machine in memory, by position.

    >>> from menace.learners.machine import Machine
    >>> len(boxes_of_machine(Machine("menace", "X"))), len(boxes_of_machine(Machine("menace", "O")))
    (304, 289)
    """
    policy = _policy(machine)
    boxed = machine.boxed.nonzero()[0].tolist()
    return tuple(_box(machine, policy, position, number) for number, position in enumerate(boxed, start=1))


def matchboxes_of(machine: Learner) -> tuple[Box, ...]:
    """Return every box of a learner that has beads, as they stand on the shelf.

    Raises:
        InvalidPlayer: if it has none: it learns values.

    >>> machine = db["menace-x"].machine()
    >>> max(box.beads for box in matchboxes_of(machine)), sum(not box.beads for box in matchboxes_of(machine))
    (170, 0)
    """
    if not machine.has_beads:
        raise InvalidPlayer(
            f"learner {machine.row.name} has no matchboxes: {machine.row.algorithm} learns values; name one with beads"
        )
    return boxes_of_machine(machine)


def box_at(machine: Machine, position_id: int) -> Box | None:
    """Return what a machine in memory has for a position, None where it has no box, or is not to move.

    >>> from menace.learners.machine import Machine
    >>> box_at(Machine("menace", "X"), 0).title, box_at(Machine("menace", "O"), 0)
    ('box 1 for ......... (12 beads)', None)
    """
    boxed = machine.boxed
    if not boxed[position_id]:
        return None
    return _box(machine, _policy(machine), position_id, int(boxed[: position_id + 1].sum()))


def _policy(machine: Machine) -> Policy | None:
    """Return how a machine plays, None if it draws beads: then each box says so itself."""
    return None if machine.draws_beads else machine.policy()


def _box(machine: Machine, policy: Policy | None, position_id: int, number: int) -> Box:
    positions, here = machine.positions, machine.positions.moves_of(position_id)
    span, entries = slice(here.start, here.stop), machine.entries_of(here)
    amounts = machine.amounts_of(entries)
    shares = shares_of(amounts) if policy is None else policy.probability[span].tolist()
    after = positions.next_position[span]
    results = machine.plays.sign * positions.minimax[after]
    columns = (positions.action[span], positions.multiplicity[span], after, results, positions.optimal[span])
    held = zip(*(column.tolist() for column in columns), amounts, shares, machine.counts_of(entries), strict=True)
    return Box(
        position_id=position_id,
        board=positions.boards[position_id],
        ply=int(positions.ply[position_id]),
        number=number if machine.has_beads else None,
        unit=machine.algorithm.unit,
        moves=tuple(
            Move(action, multiplicity, next_position, VERDICTS[result], optimal, amount, share, count)
            for action, multiplicity, next_position, result, optimal, amount, share, count in held
        ),
        game=positions.game,
    )


def shares_of(beads: Sequence[float]) -> list[float | None]:
    """Return how often each bead is drawn, 0 to 1; None of each in an empty box.

    >>> shares_of([3, 1]), shares_of([0, 0])
    ([0.75, 0.25], [None, None])
    """
    total = sum(beads)
    return [amount / total if total else None for amount in beads]


def moves_in_rows(position: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> tuple[Move, ...]:
    """Return the moves of a position as nobody's, from its row and theirs as `Store.position` and `.moves` have them.

    `rows` are by action. Needs no numpy.

    >>> corner = store.position("X........")
    >>> [move.action for move in moves_in_rows(corner, store.moves(corner["position_id"])) if move.verdict == "draws"]
    [4]
    """
    sign = Side(position["to_move"] or Side.X).sign  # of a game that is over there are no moves
    return tuple(
        Move(
            action=row["action"],
            multiplicity=row["multiplicity"],
            next_position=row["next_position_id"],
            verdict=VERDICTS[sign * row["minimax"]],
            optimal=bool(row["optimal"]),
        )
        for row in rows
    )


def box_in_rows(
    game: Game, position: Mapping[str, Any], moves: Sequence[Move], piles: Sequence[MatchboxRow], number: int | None
) -> Box | None:
    """Return the matchbox that beads are drawn from, as the rows of a database have it; None if there are none.

    It equals the box of the machine in memory. Needs no numpy.

    Args:
        game: the rules.
        position: the row of its position.
        moves: those of the position, by action.
        piles: the rows of the box, likewise.
        number: of the box.

    Raises:
        ValueError: if the rows are of other moves than the position has.
    """
    if not piles:
        return None
    if [pile.action for pile in piles] != [move.action for move in moves]:
        raise ValueError(f"the box of position {position['position_id']} does not have a row for each of its moves")
    shares = shares_of([pile.beads for pile in piles])
    return Box(
        position_id=position["position_id"],
        board=position["board"],
        ply=position["ply"],
        number=number,
        unit="beads",
        moves=tuple(
            replace(move, amount=pile.beads, share=share, count=pile.picked)
            for move, pile, share in zip(moves, piles, shares, strict=True)
        ),
        game=game,
    )
