"""Checks that a game graph read from a file is safe to play on, because the kernel does not check indices.

The properties of every graph that rules can give are checked in a few passes over whole arrays. Whether it is the graph
of its game is not checked here, but by `verify`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from menace.games.base import NO_SIDE, ONGOING, Side
from menace.games.enumeration import ACTIONS_MOST, MOVES_MOST
from menace.games.positions import Positions


def check_sound(positions: Positions) -> None:
    """Check everything that the kernel, learners and evaluation assume of positions.

    Raises:
        ValueError: naming the first position or move that violates it.

    >>> from dataclasses import replace
    >>> from menace.games.enumeration import tictactoe
    >>> check_sound(tictactoe())
    >>> check_sound(replace(tictactoe(), minimax=np.ones(765, np.int32)))
    Traceback (most recent call last):
        ...
    ValueError: position 337 is over, and its value is not that of its outcome
    """
    over = positions.outcome != ONGOING
    _check_positions(positions, over)
    _check_moves(positions)
    _check_labels(positions, over)
    actions = positions.sum_over_moves(positions.multiplicity)
    many = (np.diff(positions.first_move) > MOVES_MOST) | (actions > ACTIONS_MOST)
    _refuse("position", np.flatnonzero(many), "has too many moves")


def _check_positions(positions: Positions, over: NDArray[np.bool_]) -> None:
    ply = positions.ply
    step = np.diff(ply)
    _refuse("position", np.flatnonzero((step < 0) | (step > 1)) + 1, "has a ply that does not follow from the last")
    _refuse("position", np.flatnonzero((ply == 0) != (np.arange(len(positions)) == 0)), "is at an impossible ply")
    _refuse(
        "position", np.flatnonzero((positions.to_move == NO_SIDE) != over), "is over, or not, but for who is to move"
    )
    moves = np.diff(positions.first_move)
    _refuse("position", np.flatnonzero((moves == 0) != over), "has no moves, or has moves and is over")
    if over[0] or positions.to_move[0] != 0:
        raise ValueError("X is not to move in position 0")
    # Both sides of evaluation go through the plies one after the other: all of one ply are the same side's.
    mover = np.full(int(ply[-1]) + 1, NO_SIDE)
    mover[ply[~over]] = positions.to_move[~over]
    _refuse("position", np.flatnonzero(~over & (mover[ply] != positions.to_move)), "is not the side's of its ply")


def _check_moves(positions: Positions) -> None:
    position, child = positions.position_of_move, positions.next_position
    _refuse("move", np.flatnonzero((child <= position) | (child >= len(positions))), "leads to no later position")
    _refuse("move", np.flatnonzero(positions.ply[child] <= positions.ply[position]), "leads to no higher ply")
    _refuse("move", np.flatnonzero(positions.to_move[child] == positions.to_move[position]), "does not pass the turn")
    follows = (np.diff(position) > 0) | (np.diff(positions.action) > 0)
    _refuse("move", np.flatnonzero(~follows) + 1, "repeats an action of its position")


def _check_labels(positions: Positions, over: NDArray[np.bool_]) -> None:
    """A solved graph has one right minimax value and distance to the end: they follow, move by move, from the end."""
    wrong = over & ((positions.minimax != positions.outcome) | (positions.plies_to_end != 0))
    _refuse("position", np.flatnonzero(wrong), "is over, and its value is not that of its outcome")
    ongoing = np.flatnonzero(~over)
    starts = positions.first_move[ongoing]
    sign = np.array([side.sign for side in Side], np.int32)[positions.to_move[ongoing]]
    lengths = np.diff(np.append(starts, positions.move_count))
    value = np.repeat(sign, lengths) * positions.minimax[positions.next_position]
    best = np.maximum.reduceat(value, starts)
    _refuse("position", ongoing[best != sign * positions.minimax[ongoing]], "does not have the value of its best move")
    rest = np.where(np.repeat(best, lengths) == 1, -1, 1) * positions.plies_to_end[positions.next_position]
    rest[value != np.repeat(best, lengths)] = -(2**30)
    plies = 1 + np.abs(np.maximum.reduceat(rest, starts))
    _refuse(
        "position", ongoing[plies != positions.plies_to_end[ongoing]], "is not as far from the end as its moves say"
    )


def _refuse(what: str, wrong: NDArray[np.intp], why: str) -> None:
    if wrong.size:
        raise ValueError(f"{what} {wrong[0]} {why}")
