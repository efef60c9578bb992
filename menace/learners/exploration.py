"""Epsilon-greedy exploration, which the learners of values share.

explore where high < floor(epsilon * 2^32): pick by multiplicity; otherwise take the move of highest value,
moves of exactly equal value by multiplicity, or the first of them (`ties`)
after each game that it learns from: epsilon *= epsilon_decay, raised to epsilon_least
(`epsilon_first`: before the game)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidSetting
from menace.games.positions import Positions
from menace.learners.base import Learned
from menace.learners.policy import Policy, PolicyKind, greedy_policy
from menace.learners.settings import bounded, check


@dataclass(frozen=True)
class ExplorationSettings:
    """How a learner of values explores.

    Attributes:
        epsilon: probability of exploring, in its first game.
        epsilon_decay: what epsilon is multiplied by after each game.
        epsilon_least: what epsilon does not fall below.
        epsilon_first: multiply epsilon before each game, not after it.
        ties: of moves of equal value one is picked at `random`, or the `first` is.

    >>> ExplorationSettings(epsilon=0.5, epsilon_decay=0.99).epsilon_least
    0.0
    >>> ExplorationSettings(epsilon=2)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: setting epsilon=2 is not a number from 0 to 1
    """

    epsilon: float = bounded(0.1, 0, 1)
    epsilon_decay: float = bounded(1.0, 0, 1)
    epsilon_least: float = bounded(0.0, 0, 1)
    epsilon_first: bool = False
    ties: Literal["random", "first"] = "random"

    def __post_init__(self) -> None:
        check(self)
        check_least(self.epsilon, self.epsilon_least)

    def epsilon_greedy(
        self, positions: Positions, side: int, value: NDArray[np.float64], learned: Learned, kind: PolicyKind
    ) -> Policy:
        """Return the policy for values [moves]; `greedy` does not explore."""
        epsilon = (learned.epsilon or 0.0) if kind == "behaviour" else 0.0
        return greedy_policy(positions, side, value, epsilon, self.ties == "first")

    def exploring(self, positions: Positions, learned: Learned, epsilon: float) -> dict[str, Any]:
        """Return how to explore, as the kernel's player takes it; an epsilon of 0 or more overrides its own."""
        return {
            "total": np.zeros(len(positions), np.int32),  # so it is asked everywhere
            "state": learned.state,
            "epsilon": epsilon,
            "decay": self.epsilon_decay,
            "least": self.epsilon_least,
            "decay_first": self.epsilon_first,
            "first_of_ties": self.ties == "first",
        }


def check_least(epsilon: float, least: float) -> None:
    """Check that epsilon does not begin below what epsilon does not fall below.

    Raises:
        InvalidSetting: if it does.

    >>> check_least(epsilon=0.1, least=0.5)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: setting epsilon_least=0.5 is above epsilon=0.1
    """
    if least > epsilon:
        raise InvalidSetting(f"setting epsilon_least={least} is above epsilon={epsilon}")
