"""Looking into a matchbox: one position as it looks on an actual board, and what a learner has in its box."""

from __future__ import annotations

from dataclasses import dataclass

from menace.database import game_of, symmetry_of
from menace.games.base import Board, Outcome, Side
from menace.positions import actual_actions, canonical
from menace.store import LearnerRow, Store

RESULTS = {1: "wins", 0: "draws", -1: "loses"}


@dataclass(frozen=True)
class MoveView:
    """One move, with all equivalent cells of the actual board.

    Attributes:
        action: its number on the canonical board, as the database has it.
        cells: its cells on the board that was asked for.
        next_board: the canonical board that it leads to.
        result: `wins`, `draws` or `loses`, for the player to move, under perfect play.
        optimal: whether it keeps the value of the position.
        beads: in the learner's box, or None without a learner or a box.
        share: of the box's beads, 0 to 1, or None; None too in an empty box.
        drawn: in how many games the learner drew that bead and learned from it, or None.
    """

    action: int
    cells: tuple[int, ...]
    next_board: Board
    result: str
    optimal: bool
    beads: int | None
    share: float | None
    drawn: int | None


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
        has_box: whether that learner has a box for the position.
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
    moves: tuple[MoveView, ...]

    @property
    def beads(self) -> int:
        """All beads in the box."""
        return sum(move.beads or 0 for move in self.moves)


def show(store: Store, board: str, learner: str | None = None) -> PositionView:
    """Look a board up, and look into a learner's box for it.

    Args:
        store: the database.
        board: any image of a position, as people write it: `X...O....`, `x.. .o. ...`.
        learner: name of a learner, or None for the position alone.

    Raises:
        InvalidBoard, UnreachableBoard: if the text is no board, or one that no game reaches.
        UnknownLearner: if there is no such learner.
    """
    game, symmetry = game_of(store), symmetry_of(store)
    actual = game.parse(board)
    owner = store.learner(learner) if learner is not None else None
    row = store.position(canonical(game, actual, symmetry))
    box = _box(store, owner, row["position_id"])
    total = sum(beads for beads, _ in box.values())
    moves = []
    for move in store.moves(row["position_id"]):
        beads, drawn = box.get(move["action"], (None, None))
        moves.append(
            MoveView(
                action=move["action"],
                cells=actual_actions(game, actual, move["action"], symmetry),
                next_board=move["next_board"],
                result=RESULTS[move["minimax"] * (1 if row["to_move"] == "X" else -1)],
                optimal=bool(move["optimal"]),
                beads=beads,
                share=beads / total if beads is not None and total else None,
                drawn=drawn,
            )
        )
    return PositionView(
        board=actual,
        canonical=row["board"],
        drawing=game.draw(actual),
        position_id=row["position_id"],
        ply=row["ply"],
        to_move=row["to_move"],
        outcome=row["outcome"],
        images=row["images"],
        minimax=row["minimax"],
        plies_to_end=row["plies_to_end"],
        learner=owner.name if owner else None,
        plays=owner.plays if owner else None,
        has_box=bool(box),
        moves=tuple(moves),
    )


def _box(store: Store, learner: LearnerRow | None, position_id: int) -> dict[int, tuple[int, int]]:
    if learner is None:
        return {}
    rows = store.learned_at("matchbox", learner.learner_id, position_id)
    return {action: (beads, drawn) for _, action, beads, drawn in rows}
