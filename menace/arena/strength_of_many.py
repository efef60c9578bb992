"""Measuring: the exact strength of many policies of one side, each against the three opponents of `evaluation`.

What all measurements share is prepared once: the policies of the fixed opponents, and memory for the shares from each
position. Of a machine at tic-tac-toe some ten microseconds are left (docs/development/performance.md).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from menace import kernel
from menace.arena.best_response import TIE
from menace.arena.exact_strength import Strength
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.policy import Policy, PolicyName
from menace.wording import OPPONENTS


class Strengths(NamedTuple):
    """What a policy achieves against `random`, `optimal`, and `best`, the best response to it.

    >>> Strengths._fields
    ('random', 'optimal', 'best')
    """

    random: Strength
    optimal: Strength
    best: Strength


class Measuring:
    """Measures policies of one side of a game.

    Args:
        positions: the game.
        side: 0 for X, 1 for O.

    >>> machine = Machine("menace", "X")
    >>> measuring = Measuring(machine.positions, machine.side)
    >>> [round(strength.win, 3) for strength in measuring.of(machine)]
    [0.607, 0.0, 0.02]
    """

    def __init__(self, positions: Positions, side: int) -> None:
        self.positions, self.side = positions, side
        other = Side.of_number(side).other.number
        self._random, self._optimal = (
            kernel.view(fixed_policy(name, positions, other).probability) for name in tuple(OPPONENTS)[:2]
        )
        # The kernel holds Python's lock meanwhile, so that two threads may measure by one of these.
        self._scratch = kernel.view(np.empty(6 * len(positions)))

    def of(self, machine: Machine, policy: PolicyName = "behaviour") -> Strengths:
        """Return the strengths of a machine as it plays now.

        Args:
            machine: of this game and side, which is not checked.
            policy: `behaviour`, as it trains, or `greedy`, at its best.
        """
        return self.of_policy(machine.policy(policy))

    def of_policy(self, policy: Policy) -> Strengths:
        """Return the strengths of a policy of this game and side, which is not checked."""
        win, loss, optimal_win, optimal_loss, best_win, best_loss = self.shares_of(policy)
        strength = self._strength
        return Strengths(strength(win, loss), strength(optimal_win, optimal_loss), strength(best_win, best_loss))

    def shares_of(self, policy: Policy) -> tuple[float, float, float, float, float, float]:
        """Return wins and losses against each of the three, as summed up: perhaps a hair outside 0 to 1."""
        shares: tuple[float, float, float, float, float, float] = kernel.strengths(
            self.positions.graph,
            self.side,
            TIE,
            kernel.view(policy.weights),
            kernel.view(policy.resigns),
            self._random,
            self._optimal,
            self._scratch,
        )
        return shares

    def _strength(self, win: float, loss: float) -> Strength:
        """Return a strength whose shares are from 0 to 1: sums may be rounded to a hair outside."""
        win, loss = min(win, 1.0), min(loss, 1.0)
        return Strength(win, max(1.0 - win - loss, 0.0) if self.positions.has_draws else 0.0, loss)


@lru_cache(maxsize=4)
def measuring(positions: Positions, side: int) -> Measuring:
    """Return what measures policies of a side, the same each time.

    >>> from menace.games.enumeration import tictactoe
    >>> measuring(tictactoe(), 0) is measuring(tictactoe(), 0)
    True
    """
    return Measuring(positions, side)
