"""Epsilon-greedy exploration, shared by the learners of values.

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
from menace.learners.algorithm import LearnerState, Settings
from menace.learners.policy import Policy, PolicyName, greedy_policy
from menace.learners.settings import setting

EPSILON = "probability of exploring, in its first game"
EPSILON_DECAY = "what epsilon is multiplied by after each game"
EPSILON_LEAST = "what epsilon does not fall below"


@dataclass(frozen=True)
class ExplorationSettings(Settings):
    """How a learner of values explores.

    >>> ExplorationSettings(epsilon=0.5, epsilon_decay=0.99).epsilon_least
    0.0
    >>> ExplorationSettings(epsilon=2)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: setting epsilon=2 is not a number from 0 to 1
    """

    epsilon: float = setting(0.1, EPSILON, 0, 1)
    epsilon_decay: float = setting(1.0, EPSILON_DECAY, 0, 1)
    epsilon_least: float = setting(0.0, EPSILON_LEAST, 0, 1)
    epsilon_first: bool = setting(False, "multiply epsilon before each game, not after it")
    ties: Literal["random", "first"] = setting(
        "random", "of moves of equal value one is picked at random, or the first is"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self.epsilon, self.epsilon_least)

    def epsilon_greedy(self, learner: LearnerState, value: NDArray[np.float64], policy: PolicyName) -> Policy:
        """Return the policy for values [moves]; `greedy` does not explore."""
        return greedy_policy(learner.positions, learner.side, value, epsilon_of(learner, policy), self.ties == "first")

    def exploring(self, learner: LearnerState, learns: bool, epsilon: float) -> dict[str, Any]:
        """Return what the kernel's players that explore take; an epsilon of 0 or more overrides its own."""
        return {
            "value": learner.learned.amount,
            "count": learner.learned.count,
            "side": learner.side,
            "learns": learns,
            "total": np.zeros(len(learner.positions), np.int32),  # so `choose` is called everywhere
            "state": learner.learned.state,
            "epsilon": epsilon,
            "decay": self.epsilon_decay,
            "least": self.epsilon_least,
            "decay_first": self.epsilon_first,
            "first_of_ties": self.ties == "first",
        }


def on_site(settings: ExplorationSettings, learner: LearnerState) -> dict[str, Any]:
    """Return how the scripts of a site play a learner of values; `Algorithm.site_rule` says what is in it.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("td", "X")
    >>> rule = on_site(machine.settings, machine)
    >>> rule["kind"], rule["first_of_ties"]
    ('values', False)
    """
    return {
        "kind": "values",
        "boxed": learner.positions.moved_by(learner.side),
        "decay": settings.epsilon_decay,
        "least": settings.epsilon_least,
        "explores_alike": False,
        "first_of_ties": settings.ties == "first",
    }


def epsilon_of(learner: LearnerState, policy: PolicyName) -> float:
    """Return how often a learner explores now: never where it plays at its best.

    >>> from menace.learners.machine import Machine
    >>> epsilon_of(Machine("td", "X"), "behaviour"), epsilon_of(Machine("td", "X"), "greedy")
    (0.1, 0.0)
    """
    return (learner.learned.epsilon or 0.0) if policy == "behaviour" else 0.0


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
