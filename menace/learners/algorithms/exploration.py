"""Epsilon-greedy exploration for all learners with values.

If the random number `high` is less than floor(epsilon * 2^32), the learner draws a move by multiplicity. Otherwise, the
learner plays the move with the highest value. If several moves have the highest value, `ties` determines whether the
learner draws one of them by multiplicity or plays the first.

After each game from which the learner learns, epsilon is multiplied by epsilon_decay, but never falls below
epsilon_least. With `epsilon_first`, epsilon is multiplied by epsilon_decay before each game instead of after the game.
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

EPSILON = "probability of exploring in the first game"
EPSILON_DECAY = "factor by which epsilon is multiplied after each game"
EPSILON_LEAST = "lower bound of epsilon"


@dataclass(frozen=True)
class ExplorationSettings(Settings):
    """Exploration settings shared by all learners with values.

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
    epsilon_first: bool = setting(False, "multiply epsilon before each game instead of after it")
    ties: Literal["random", "first"] = setting(
        "random", "among moves with the same highest value, play a random one or the first"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self.epsilon, self.epsilon_least)

    def epsilon_greedy(self, learner: LearnerState, value: NDArray[np.float64], policy: PolicyName) -> Policy:
        """Return the epsilon-greedy policy for the given values, or the greedy policy.

        The greedy policy never explores.
        """
        return greedy_policy(learner.positions, learner.side, value, epsilon_of(learner, policy), self.ties == "first")

    def exploring(self, learner: LearnerState, learns: bool, epsilon: float) -> dict[str, Any]:
        """Return the arguments for kernel players that explore.

        An `epsilon` of 0 or more replaces the learner's own epsilon.
        """
        return {
            "value": learner.learned.amount,
            "count": learner.learned.count,
            "side": learner.side,
            "learns": learns,
            "total": np.zeros(
                len(learner.positions), np.int32
            ),  # zero sums make the kernel call `choose` in every position
            "state": learner.learned.state,
            "epsilon": epsilon,
            "decay": self.epsilon_decay,
            "least": self.epsilon_least,
            "decay_first": self.epsilon_first,
            "first_of_ties": self.ties == "first",
        }


def site_rule_of_values(settings: ExplorationSettings, learner: LearnerState) -> dict[str, Any]:
    """Return the data that a site's scripts need to play as a learner with values (see `Algorithm.site_rule`).

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("td", "X")
    >>> rule = site_rule_of_values(machine.settings, machine)
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
    """Return the learner's current exploration rate, or 0 for the learner's greedy policy.

    >>> from menace.learners.machine import Machine
    >>> epsilon_of(Machine("td", "X"), "behaviour"), epsilon_of(Machine("td", "X"), "greedy")
    (0.1, 0.0)
    """
    return (learner.learned.epsilon or 0.0) if policy == "behaviour" else 0.0


def check_least(epsilon: float, least: float) -> None:
    """Check that the initial epsilon is not below the lower bound of epsilon.

    Raises:
        InvalidSetting: if `epsilon` is less than `least`.

    >>> check_least(epsilon=0.1, least=0.5)
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: setting epsilon_least=0.5 is above epsilon=0.1
    """
    if least > epsilon:
        raise InvalidSetting(f"setting epsilon_least={least} is above epsilon={epsilon}")
