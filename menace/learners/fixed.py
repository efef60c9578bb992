"""Fixed opponents: players that never learn, as tables of whole weights over moves.

A weight is a move's share of its position, so equivalent cells count each (`multiplicity`).

    random          every move alike
    optimal         alike among the cells that keep the minimax value
    perfect         alike among those that also win soonest or lose latest
    imperfect:P     as random with probability P (0 to 1, to the nearest 1/65536), else as perfect
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidPlayer
from menace.games.positions import Positions
from menace.learners.base import Policy, no_resigning
from menace.wording import ALL_FIXED_PLAYERS, FIXED_PLAYERS

LONGEST_NAME = 30  # characters of imperfect:P
RESERVED_NAMES = (*FIXED_PLAYERS, "imperfect", "best", "human")


def is_fixed(text: str) -> bool:
    """Say whether `text` names a fixed opponent (whether or not its P is one).

    >>> is_fixed("random"), is_fixed("imperfect:0.1"), is_fixed("menace-x")
    (True, True, False)
    """
    return text in FIXED_PLAYERS or text.startswith("imperfect:")


def check_fixed(text: str) -> None:
    """Raise InvalidPlayer if `text` is `imperfect:P` with a P that is none. Other texts pass.

    >>> check_fixed("imperfect:0.1")
    >>> check_fixed("imperfect:2")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidPlayer: player 'imperfect:2' needs a probability from 0 to 1, such as imperfect:0.1
    """
    if text.startswith("imperfect:"):
        _probability(text)


def is_reserved(name: str) -> bool:
    """Say whether a learner may not have this name.

    >>> is_reserved("Human"), is_reserved("imperfect:0.1"), is_reserved("menace-x")
    (True, True, False)
    """
    return name.lower() in RESERVED_NAMES or ":" in name


def fixed_weights(text: str, positions: Positions) -> NDArray[np.int32]:
    """Return the weights [moves] of a fixed opponent, for both sides; a position's sum stays below 2^31.

    Raises:
        InvalidPlayer: if `text` names none, or P is not a number from 0 to 1.

    >>> from menace.games.enumeration import tictactoe
    >>> fixed_weights("random", tictactoe())[:3].tolist()  # the first moves: a corner, an edge, the centre
    [4, 4, 1]
    >>> move = tictactoe().moves_of(tictactoe().number_of("X........"))
    >>> fixed_weights("optimal", tictactoe())[move.start : move.stop].tolist()  # only the centre holds
    [0, 0, 1, 0, 0]
    """
    if text == "random":
        return positions.multiplicity
    if text == "optimal":
        return np.where(positions.optimal, positions.multiplicity, 0).astype(np.int32)
    if text == "perfect":
        return _perfect(positions)
    if text.startswith("imperfect:"):
        # p * m * sum(f) + (65536 - p) * f * sum(m), with P in units of 1/65536
        p = round(65536 * _probability(text))
        random, perfect = positions.multiplicity.astype(np.int64), _perfect(positions).astype(np.int64)
        position = positions.position_of_move
        random_sum = positions.sum_over_moves(random).astype(np.int64)[position]
        perfect_sum = positions.sum_over_moves(perfect).astype(np.int64)[position]
        return (p * random * perfect_sum + (65536 - p) * perfect * random_sum).astype(np.int32)
    raise InvalidPlayer(f"no fixed opponent is called {text!r}; choose one of {ALL_FIXED_PLAYERS}")


def fixed_policy(text: str, positions: Positions, side: int) -> Policy:
    """Return a fixed opponent's probabilities for one side. Raises as `fixed_weights`.

    >>> from menace.games.enumeration import tictactoe
    >>> fixed_policy("random", tictactoe(), side=0).probability[:3].round(3).tolist()
    [0.444, 0.444, 0.111]
    """
    return Policy(positions, side, ((1.0, fixed_weights(text, positions)),), no_resigning(positions))


def _probability(text: str) -> float:
    try:
        probability = float(text.removeprefix("imperfect:"))
    except ValueError:
        probability = -1.0
    if not 0.0 <= probability <= 1.0 or len(text) > LONGEST_NAME:
        raise InvalidPlayer(f"player {text[:LONGEST_NAME]!r} needs a probability from 0 to 1, such as imperfect:0.1")
    return probability


def _perfect(positions: Positions) -> NDArray[np.int32]:
    """Among the optimal moves, those whose rest is as long as the position's own rest, less this move.

    In a drawn position every optimal move counts: nobody is in a hurry.
    """
    position = positions.position_of_move
    on_time = positions.plies_to_end[positions.next_position] + 1 == positions.plies_to_end[position]
    kept = positions.optimal & (on_time | (positions.minimax[position] == 0))
    return np.where(kept, positions.multiplicity, 0).astype(np.int32)
