"""The game graph as flat arrays: what learners, kernel and exact evaluation index.

Positions are numbered by ply, so the positions of a ply, and their moves, are slices. Every move leads to a higher ply,
not always to the next one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from menace.games.base import NUMBER_OF_OUTCOME, NUMBER_OF_SIDE
from menace.games.walk import ACTIONS_MOST, HIGHEST_ACTION

if TYPE_CHECKING:
    from menace.games.positions import Positions

IntArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class TransitionTable:
    """Positions and moves as arrays of int32 (`to_move`, `outcome`: int8). Read only.

    Attributes:
        ply: [positions], the most moves that can have been made; ascending. Not how many were made in a game.
        to_move: [positions], 0 (X), 1 (O) or -1 (the game is over), as the rules say.
        outcome: [positions], 1 (X has won), 0 (draw), -1 (O has won) or 2 (the game goes on).
        minimax: [positions], value under perfect play as X sees it.
        plies_to_end: [positions], see `graph.label`.
        first_move: [positions + 1]; the moves of position p are `first_move[p]` up to `first_move[p + 1]`.
        action, next_position, multiplicity: [moves], see `positions.Positions`.
    """

    ply: IntArray
    to_move: NDArray[np.int8]
    outcome: NDArray[np.int8]
    minimax: IntArray
    plies_to_end: IntArray
    first_move: IntArray
    action: IntArray
    next_position: IntArray
    multiplicity: IntArray

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return len(self.ply)

    @property
    def moves(self) -> int:
        """How many moves there are."""
        return len(self.action)

    @cached_property
    def longest(self) -> int:
        """The most moves that a game can last."""
        return int(self.ply[-1])

    @cached_property
    def position_of_move(self) -> IntArray:
        """[moves], the position that each move is made from."""
        return np.repeat(np.arange(self.positions, dtype=np.int32), np.diff(self.first_move))

    @cached_property
    def cells(self) -> IntArray:
        """[positions], how many actions there are (moves counted with their multiplicities)."""
        return self.sum_over_moves(self.multiplicity).astype(np.int32)

    @cached_property
    def optimal(self) -> NDArray[np.bool_]:
        """[moves], whether the move keeps the minimax value of its position."""
        keeps: NDArray[np.bool_] = self.minimax[self.next_position] == self.minimax[self.position_of_move]
        return keeps

    @cached_property
    def plies(self) -> tuple[tuple[slice, slice], ...]:
        """For each ply but the last: the slice of its positions and the slice of their moves, which are not none."""
        starts = np.searchsorted(self.ply, np.arange(self.longest + 2))
        return tuple(
            (slice(start, end), slice(int(self.first_move[start]), int(self.first_move[end])))
            for start, end in zip(starts[:-2].tolist(), starts[1:-1].tolist(), strict=True)
        )

    @cached_property
    def movers(self) -> tuple[int, ...]:
        """For each ply of `plies` the side (0 for X, 1 for O) that is to move on all its boards that are not over."""
        return tuple(int(self.to_move[positions].max()) for positions, _ in self.plies)

    def sum_over_moves(self, amounts: NDArray[Any]) -> NDArray[np.float64]:
        """Return [positions], the sum of `amounts` ([moves]) over each position's moves; exact below 2^53."""
        sums = np.bincount(self.position_of_move, amounts, minlength=self.positions)
        return sums.astype(np.float64, copy=False)

    def most_of_moves(self, amounts: NDArray[Any]) -> NDArray[np.float64]:
        """Return [positions], the largest of `amounts` ([moves]) among each position's moves, 0 where there is none."""
        result = np.zeros(self.positions)
        moved = np.flatnonzero(np.diff(self.first_move))
        result[moved] = np.maximum.reduceat(amounts, self.first_move[moved])
        return result

    def moved_by(self, side: int) -> NDArray[np.bool_]:
        """Return [positions], whether `side` (0 for X, 1 for O) is to move there."""
        moved: NDArray[np.bool_] = self.to_move == side
        return moved

    def moves_of(self, position_id: int) -> range:
        """Return the indices of a position's moves."""
        return range(int(self.first_move[position_id]), int(self.first_move[position_id + 1]))

    def move_of(self, position_id: int, action: int) -> int:
        """Return the index of a position's move.

        Raises:
            LookupError: if the position has no such action.
        """
        for move in self.moves_of(position_id):
            if self.action[move] == action:
                return move
        raise LookupError(f"position {position_id} has no action {action}")

    @classmethod
    def from_rows(cls, positions: Iterable[Sequence[Any]], moves: Iterable[Sequence[Any]]) -> TransitionTable:
        """Build the table from what the database keeps.

        Args:
            positions: (number, ply, to_move and outcome as text, minimax, plies_to_end) of each, by number.
            moves: (position, action, next position, multiplicity) of each, by position, then by action.

        Raises:
            ValueError, LookupError: if a value is none of its kind, or out of its range. Not checked: whether they
                fit each other, which soundness.py asks.
        """
        number, ply, to_move, outcome, minimax, plies_to_end = _columns(positions, 6, "position")
        position, action, next_position, multiplicity = _columns(moves, 4, "move")
        positions_most = len(number) - 1
        if not np.array_equal(whole(number, "position_id", 0, positions_most), np.arange(len(number))):
            raise ValueError("its positions are not numbered from 0 without gaps")
        start = whole(position, "position_id", 0, positions_most)
        if np.any(np.diff(start) < 0):
            raise ValueError("its moves are not in the order of their positions")
        return cls(
            whole(ply, "ply", 0, positions_most).astype(np.int32),
            np.array([NUMBER_OF_SIDE[text] for text in to_move], np.int8),
            np.array([NUMBER_OF_OUTCOME[text] for text in outcome], np.int8),
            whole(minimax, "minimax", -1, 1).astype(np.int32),
            whole(plies_to_end, "plies_to_end", 0, positions_most).astype(np.int32),
            np.searchsorted(start, np.arange(len(number) + 1)).astype(np.int32),
            whole(action, "action", 0, HIGHEST_ACTION).astype(np.int32),
            whole(next_position, "next_position_id", 0, positions_most).astype(np.int32),
            whole(multiplicity, "multiplicity", 1, ACTIONS_MOST).astype(np.int32),
        )

    @classmethod
    def from_positions(cls, positions: Positions) -> TransitionTable:
        """Build the table from an enumeration, and solve it: the same labels as `graph.label`, a ply at a time."""
        table = cls(
            positions.ply,
            positions.to_move,
            positions.outcome,
            np.zeros(len(positions), np.int32),
            np.zeros(len(positions), np.int32),
            positions.first_move,
            positions.action,
            positions.next_position,
            positions.multiplicity,
        )
        table._solve()
        return table

    def _solve(self) -> None:
        over = self.to_move < 0
        self.minimax[over] = self.outcome[over]
        for mover, (positions, moves) in reversed(list(zip(self.movers, self.plies, strict=True))):
            ongoing = np.flatnonzero(~over[positions]) + positions.start
            starts = self.first_move[ongoing] - moves.start
            sign = 1 if mover == 0 else -1
            child = self.next_position[moves]
            value = sign * self.minimax[child]
            best = np.maximum.reduceat(value, starts)
            self.minimax[ongoing] = sign * best
            # A longer game is worse for the winner, better for anyone else; moves that lose value do not count.
            owner_best = np.repeat(best, np.diff(np.append(starts, len(value))))
            preference = np.where(owner_best == 1, -1, 1) * self.plies_to_end[child]
            preference[value != owner_best] = -(2**30)
            self.plies_to_end[ongoing] = 1 + np.abs(np.maximum.reduceat(preference, starts))


def _columns(rows: Iterable[Sequence[Any]], count: int, what: str) -> list[tuple[Any, ...]]:
    columns = list(zip(*rows, strict=True))
    if len(columns) != count:
        raise ValueError(f"it has no {what}s")
    return columns


def whole(values: Sequence[Any], name: str, least: int, most: int) -> NDArray[np.int64]:
    """Return a column of whole numbers, as SQLite hands them over, as an array.

    Args:
        values: of the column `name`; anything else than numbers is refused.
        name: for the message.
        least: of the range that they lie in.
        most: likewise; both ends are included.

    Raises:
        ValueError: naming the column and what it may hold.
    """
    try:
        found = np.frombuffer(array("q", values), np.int64) if values else np.zeros(0, np.int64)
    except (TypeError, OverflowError):
        raise ValueError(f"{name} holds what is no whole number") from None
    if found.size and not least <= found.min() <= found.max() <= most:
        wrong = found[(found < least) | (found > most)][0]
        raise ValueError(f"{name} is {wrong}, not a whole number from {least:,} to {most:,}")
    return found


def real(values: Sequence[Any], name: str, least: float, most: float) -> NDArray[np.float64]:
    """Return a column of numbers as `whole` does, as doubles."""
    try:
        found = np.frombuffer(array("d", values), np.float64) if values else np.zeros(0)
    except (TypeError, OverflowError):
        raise ValueError(f"{name} holds what is no number") from None
    if found.size and not (least <= found.min() and found.max() <= most):
        wrong = found[~((found >= least) & (found <= most))][0]
        raise ValueError(f"{name} is {wrong:g}, not a number from {least:g} to {most:g}")
    return found
