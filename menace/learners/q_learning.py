"""Q-learning: the target of a move is gamma * the best value at the learner's next turn.

Source: C. Watkins, Learning from Delayed Rewards, 1989; R. Sutton and A. Barto, Reinforcement Learning: An
Introduction, 2nd edition, section 6.5. What it shares with SARSA is in action_values.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from menace.learners.action_values import OneStepSettings
from menace.learners.algorithm import Algorithm


@dataclass(frozen=True)
class QLearningSettings(OneStepSettings):
    """Settings of Q-learning.

    >>> QLearningSettings(alpha=0.2).worth
    'best'
    """

    worth: ClassVar[Literal["made", "best", "mean"]] = "best"


Q_LEARNING = Algorithm("q-learning", "action_value", QLearningSettings)
