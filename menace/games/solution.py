"""Solves a game by retrograde analysis on its arrays: minimax values and distances, for millions of positions."""

from __future__ import annotations

import numpy as np

from menace.games.base import Side
from menace.games.positions import Positions


def solve(positions: Positions) -> None:
    """Write `minimax` and `plies_to_end`, a ply at a time from the end. Whatever they held is written over.

    >>> from menace.games.enumeration import enumerate_positions
    >>> from menace.games.mnk import MNK
    >>> positions = enumerate_positions(MNK(3, 3, 2))  # two in a row: X wins with its second move
    >>> positions.minimax[:] = 0
    >>> solve(positions)
    >>> int(positions.minimax[0]), int(positions.plies_to_end[0])
    (1, 3)
    """
    over = positions.to_move < 0
    minimax, plies_to_end = positions.minimax, positions.plies_to_end
    minimax[over] = positions.outcome[over]
    plies_to_end[over] = 0
    for mover, (here, moves) in reversed(list(zip(positions.movers, positions.plies, strict=True))):
        ongoing = np.flatnonzero(~over[here]) + here.start
        starts = positions.first_move[ongoing] - moves.start
        sign = Side.of_number(mover).sign
        child = positions.next_position[moves]
        value = sign * minimax[child]
        best = np.maximum.reduceat(value, starts)
        minimax[ongoing] = sign * best
        # A longer game is worse for the winner, better for anyone else; moves that lose value do not count.
        owner_best = np.repeat(best, np.diff(np.append(starts, len(value))))
        preference = np.where(owner_best == 1, -1, 1) * plies_to_end[child]
        preference[value != owner_best] = -(2**30)
        plies_to_end[ongoing] = 1 + np.abs(np.maximum.reduceat(preference, starts))
