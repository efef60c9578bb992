"""SARSA: the target of a move is gamma * the value of the move that the learner makes at its next turn.

Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.4. What it shares with
Q-learning is in action_values.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from menace.learners.action_values import OneStepSettings
from menace.learners.algorithm import Algorithm


@dataclass(frozen=True)
class SarsaSettings(OneStepSettings):
    """Settings of SARSA.

    >>> SarsaSettings(alpha=0.2).worth
    'made'
    """

    worth: ClassVar[Literal["made", "best", "mean"]] = "made"


SARSA = Algorithm("sarsa", "action_value", SarsaSettings)
