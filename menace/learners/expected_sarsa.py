"""Expected SARSA: the target of a move is gamma * the mean value of its next turn, by the odds of its moves there.

after the game, for each of the learner's moves, in `order`:
    Q += alpha * (gamma * V - Q)          the last one: Q += alpha * (reward - Q)
    V = epsilon * (mean of Q over the cells of its next turn) + (1 - epsilon) * (highest Q there)

Epsilon is the one that this game was played with. Without exploration it is Q-learning.

Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.6, equation 6.9 (number
not checked). What it shares with SARSA and Q-learning is in action_values.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from menace.learners.action_values import OneStepSettings
from menace.learners.algorithm import Algorithm


@dataclass(frozen=True)
class ExpectedSarsaSettings(OneStepSettings):
    """Settings of Expected SARSA.

    >>> ExpectedSarsaSettings(alpha=1.0).worth
    'mean'
    """

    worth: ClassVar[Literal["made", "best", "mean"]] = "mean"


EXPECTED_SARSA = Algorithm("expected-sarsa", "action_value", ExpectedSarsaSettings)
