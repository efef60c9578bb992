"""Differences between two machines: the boxes in which they choose differently, and by how much."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidPlayer
from menace.games.base import Board
from menace.games.positions import check_same_game
from menace.learners.machine import Machine
from menace.learners.policy import PolicyName, check_policy_name

LEAST = 1e-12  # smaller differences come from the rounding of shares


class BoxDifference(NamedTuple):
    """A position in which two machines of the same side choose differently.

    Attributes:
        position_id: its number.
        board: the canonical board.
        apart: the total variation distance of their choices, above 0 to 1: how much of the choice the first gives to
            other moves than the second. To resign is a choice, too.
        shares: by action, how likely each of the two is to make the move.
        resigns: how likely each of the two is to resign.
    """

    position_id: int
    board: Board
    apart: float
    shares: dict[int, tuple[float, float]]
    resigns: tuple[float, float]


def differences(first: Machine, second: Machine, policy: PolicyName = "behaviour") -> list[BoxDifference]:
    """Return the positions in which two machines choose differently, the largest difference first.

    Args:
        first: a machine.
        second: a machine of the same side and game; their algorithms may differ.
        policy: as they train (`behaviour`) or at their best (`greedy`).

    Raises:
        InvalidPlayer: if they play different sides.
        InvalidGame: if they play different games.

    >>> boxes = differences(Machine("menace", "X"), Machine("michie-1961", "X"))
    >>> len(boxes), boxes[0].board, round(boxes[0].apart, 3)  # where Michie's has no box, and picks any cell
    (5, 'XXOX..O.O', 0.167)
    >>> differences(Machine("menace", "X"), Machine("scroggs", "X"))  # more beads, the same choices
    []
    """
    check_policy_name(policy)
    positions = first.positions
    if first.plays is not second.plays:
        raise InvalidPlayer(f"one machine plays {first.plays}, the other {second.plays}; compare two of the same side")
    check_same_game(positions, second.positions)
    policies = (first.policy(policy), second.policy(policy))
    shares = np.stack([played.probability for played in policies])
    resigns = np.stack([played.resigns for played in policies])
    between = positions.sum_over_moves(np.abs(shares[0] - shares[1])) + np.abs(resigns[0] - resigns[1])
    apart = np.where(positions.moved_by(first.side), between / 2, 0.0)
    order = np.argsort(-apart, kind="stable")
    return [_at(first, shares, resigns, int(here), float(apart[here])) for here in order[: int((apart > LEAST).sum())]]


def _at(machine: Machine, shares: NDArray[Any], resigns: NDArray[Any], here: int, apart: float) -> BoxDifference:
    positions = machine.positions
    moves = positions.moves_of(here)
    own = {int(positions.action[move]): (float(shares[0, move]), float(shares[1, move])) for move in moves}
    return BoxDifference(here, positions.boards[here], apart, own, (float(resigns[0, here]), float(resigns[1, here])))
