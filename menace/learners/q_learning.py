"""Q-learning: the target of a move is gamma * the best value at the learner's next turn.

Source: C. Watkins, Learning from Delayed Rewards, 1989; R. Sutton and A. Barto, Reinforcement Learning: An
Introduction, 2nd edition, section 6.5. What it shares with SARSA is in action_values.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from menace.learners.action_values import ActionValueSettings
from menace.learners.base import BOTH, PLAIN, Algorithm, Preset


@dataclass(frozen=True)
class QLearningSettings(ActionValueSettings):
    """Settings of Q-learning.

    >>> QLearningSettings(alpha=0.2).off_policy
    True
    """

    off_policy: ClassVar[bool] = True


Q_LEARNING = Algorithm("q-learning", "action_value", QLearningSettings)

Q_LEARNING_PRESETS = {
    "q-learning": Preset(
        "q-learning",
        QLearningSettings(alpha=0.1, epsilon=0.1),
        BOTH,
        "Q-learning with plain settings, for comparison",
        f"{PLAIN} The algorithm: C. Watkins, Learning from Delayed Rewards, thesis, King's College, Cambridge (1989);"
        " with P. Dayan, Q-learning, Machine Learning 8 (1992), doi.org/10.1007/BF00992698.",
    ),
    "sala": Preset(
        "q-learning",
        QLearningSettings(alpha=0.1, epsilon=1.0, epsilon_decay=0.9999, epsilon_least=0.5),
        BOTH,
        "Q-learning on both sides",
        "M. Sala, Tic-Tac-Toe with Q-Learning (2020), marziosala.github.io/tic-tac-toe: epsilon from 1, times 0.9999 a"
        " game, not below 0.5; ties at random.",
    ),
}
