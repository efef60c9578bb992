"""Looking into a matchbox: one position as it looks on an actual board, and what a learner has for its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from menace.errors import InvalidBox
from menace.games.base import Board, Outcome, Side
from menace.ledger.rulebook import check_as_ruled, rules_of
from menace.ledger.store import MOST_BEADS, LearnerRow, Store, undamaged
from menace.wording import VERDICTS

if TYPE_CHECKING:  # a box of beads is shown without numpy
    from menace.ledger.machines import Learner

LONGEST_NUMBER, LONGEST_SHOWN = 9, 20  # digits of a box's number that is looked up; of one that is shown
DRAWING = ("menace",)  # algorithms that draw beads from boxes, as `Algorithm` says too, which would load numpy


@dataclass(frozen=True)
class MoveView:
    """One move, with all equivalent cells of the actual board.

    Attributes:
        action: its number on the canonical board, as the database has it.
        cells: its cells on the board that was asked for.
        next_board: the canonical board that it leads to.
        result: `wins`, `draws` or `loses`, for the player to move, under perfect play.
        optimal: whether it keeps the value of the position.
        beads: in the learner's box, or None if it has no box here, or learns values.
        value: what the learner takes the move to be worth, or its weight, or None if it keeps beads.
        share: the probability that the learner plays it now, 0 to 1; of a box, its share of the beads. None without a
            learner, and in an empty box.
        count: in how many games the learner learned it, or None.
    """

    action: int
    cells: tuple[int, ...]
    next_board: Board
    result: str
    optimal: bool
    beads: int | None
    value: float | None
    share: float | None
    count: int | None


@dataclass(frozen=True)
class PositionView:
    """A position and its moves, as one of its boards shows them.

    Attributes:
        board: the board that was asked for.
        canonical: the canonical board of its position.
        drawing: the board as lines of text, with a number on each empty cell.
        minimax: value as X sees it, 1, 0 or -1.
        learner: name of the learner whose beads are shown, or None.
        plays: the side of that learner, or None.
        has_box: whether that learner has a box, or values, for the position.
        box: the number of its matchbox on the shelf, from 1; None without a matchbox.
    """

    board: Board
    canonical: Board
    drawing: str
    position_id: int
    ply: int
    to_move: Side | None
    outcome: Outcome | None
    images: int
    minimax: int
    plies_to_end: int
    learner: str | None
    plays: str | None
    has_box: bool
    box: int | None
    moves: tuple[MoveView, ...]

    @property
    def beads(self) -> int:
        """All beads in the box."""
        return sum(move.beads or 0 for move in self.moves)

    @property
    def full(self) -> int:
        """How many piles hold as many beads as they can: what they gain from now on is lost."""
        return sum(move.beads == MOST_BEADS for move in self.moves)


def show(store: Store, board: str, learner: str | None = None) -> PositionView:
    """Look a board up, and look into a learner's box for it.

    Args:
        store: the database.
        board: any image of a position, as people write it: `X...O....`, `x.. .o. ...`; with a learner, the number of
            one of its boxes will do.
        learner: name of a learner, or None for the position alone.

    Raises:
        InvalidBoard, UnreachableBoard: if the text is no board, or one that no game reaches.
        InvalidBox: if it is a number, and the learner has no box of it.
        UnknownLearner: if there is no such learner.
    """
    owner = store.learner(learner) if learner is not None else None
    if board.strip().isdecimal() and board.strip().isascii():
        board = _board_of_box(store, owner, board.strip())
    return _view(store, board, owner, lambda position_id: _contents(store, owner, position_id))


def _board_of_box(store: Store, owner: LearnerRow | None, number: str) -> Board:
    if owner is None:
        raise InvalidBox(f"{number} is the number of a box; say whose with --learner, or name a board")
    boxes = store.box_count(owner.learner_id)
    if not boxes:
        raise InvalidBox(f"learner {owner.name} has no matchboxes, so none is number {number}; name a board")
    if len(number) > LONGEST_NUMBER or not 1 <= int(number) <= boxes:
        raise InvalidBox(f"learner {owner.name} has no box {number[:LONGEST_SHOWN]}; they are numbered 1 to {boxes}")
    return store.box_board(owner.learner_id, int(number))


def show_machine(store: Store, board: str, machine: Learner) -> PositionView:
    """As `show`, for a machine in memory: as it was when it moved, or as the log has it at another time.

    Raises:
        InvalidBoard, UnreachableBoard: if the text is no board, or one that no game reaches.
    """
    return _view(store, board, machine.row, lambda position_id: machine_contents(machine, position_id))


def _view(
    store: Store, board: str, owner: LearnerRow | None, contents_at: Callable[[int], dict[int, dict[str, Any]]]
) -> PositionView:
    rules = rules_of(store)
    actual = rules.game.parse(board)
    row = store.position(rules.canonical(actual))
    with undamaged(store.path):
        found = store.moves(row["position_id"])
        check_as_ruled(rules, row, found)
        contents = contents_at(row["position_id"])
        moves = [
            MoveView(
                action=move["action"],
                cells=rules.actions_for(actual, move["action"]),
                next_board=move["next_board"],
                result=VERDICTS[move["minimax"] * (1 if row["to_move"] == "X" else -1)],
                optimal=bool(move["optimal"]),
                **contents.get(move["action"], NOTHING),
            )
            for move in found
        ]
    return PositionView(
        board=actual,
        canonical=row["board"],
        drawing=rules.game.draw(actual),
        position_id=row["position_id"],
        ply=row["ply"],
        to_move=row["to_move"],
        outcome=row["outcome"],
        images=row["images"],
        minimax=row["minimax"],
        plies_to_end=row["plies_to_end"],
        learner=owner.name if owner else None,
        plays=owner.plays if owner else None,
        has_box=bool(contents),
        box=_box_number(store, owner, row["position_id"]) if contents else None,
        moves=tuple(moves),
    )


def _box_number(store: Store, owner: LearnerRow | None, position_id: int) -> int | None:
    return store.box_number(owner.learner_id, position_id) if owner is not None else None


NOTHING = {"beads": None, "value": None, "share": None, "count": None}


def _contents(store: Store, learner: LearnerRow | None, position_id: int) -> dict[int, dict[str, Any]]:
    """Return what a learner has for each action: beads or value, share and count; nothing where it has no box."""
    if learner is None:
        return {}
    if learner.algorithm in DRAWING:
        box = store.matchbox(learner.learner_id, position_id)
        return _box_contents((pile.action, pile.beads, pile.picked) for pile in box)
    # Shares that follow from the whole policy need it.
    from menace.ledger.machines import load_machine
    from menace.ledger.positions import positions_of

    return machine_contents(load_machine(store, positions_of(store), learner), position_id)


def _box_contents(piles: Iterable[tuple[int, int, int]]) -> dict[int, dict[str, Any]]:
    """Return the same of a box that beads are drawn from: (action, beads, picked) of each colour."""
    box = list(piles)
    total = sum(beads for _, beads, _ in box)
    return {
        action: {"beads": beads, "value": None, "share": beads / total if total else None, "count": picked}
        for action, beads, picked in box
    }


def machine_contents(machine: Learner, position_id: int) -> dict[int, dict[str, Any]]:
    """Return what a machine in memory has for each action of a position: beads or value, share and count.

    Nothing where it has no box, or is not to move.
    """
    positions, learned, stored_as = machine.positions, machine.learned, machine.algorithm.stored_as
    moves = positions.moves_of(position_id)
    if machine.draws_beads:
        kept = [move for move in moves if learned.kept[move]]
        return _box_contents((int(positions.action[m]), int(learned.amount[m]), int(learned.count[m])) for m in kept)
    policy = machine.policy()
    if not policy.moves_here[position_id]:
        return {}
    contents = {}
    for move in moves:
        place = int(positions.next_position[move]) if stored_as == "state_value" else move
        if not learned.kept[place] and stored_as != "state_value":
            continue
        contents[int(positions.action[move])] = {
            "beads": int(learned.amount[place]) if machine.keeps_boxes else None,
            "value": None if machine.keeps_boxes else float(learned.amount[place]),
            "share": float(policy.probability[move]),
            "count": int(learned.count[place]),
        }
    return contents
