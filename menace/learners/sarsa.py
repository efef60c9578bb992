"""SARSA: the target of a move is gamma * the value of the move that the learner makes at its next turn.

Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.4. What it shares with
Q-learning is in action_values.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from menace.learners.action_values import ActionValueSettings
from menace.learners.base import BOTH, PLAIN, Algorithm, Preset


@dataclass(frozen=True)
class SarsaSettings(ActionValueSettings):
    """Settings of SARSA.

    >>> SarsaSettings(alpha=0.2).off_policy
    False
    """

    off_policy: ClassVar[bool] = False


SARSA = Algorithm("sarsa", "action_value", SarsaSettings)

SARSA_PRESETS = {
    "sarsa": Preset(
        "sarsa",
        SarsaSettings(alpha=0.1, epsilon=0.1),
        BOTH,
        "SARSA with plain settings, for comparison",
        f"{PLAIN} The algorithm: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition (2018),"
        " incompleteideas.net/book/the-book-2nd.html, section 6.4.",
    ),
    "q-table": Preset(
        "sarsa",
        SarsaSettings(
            alpha=0.2,
            epsilon=1.0,
            epsilon_decay=0.9999,
            epsilon_first=True,
            ties="first",
            order="end-first",
            final="set",
        ),
        BOTH,
        "a dictionary of Q values, learned against a random opponent",
        "C. Anderson, Reinforcement Learning for Two-Player Games, notes of CS 440, Colorado State University,"
        " www.cs.colostate.edu/~anderson/cs440: X against a random O. A winning move is set to 1, a drawing one to 0,"
        " and after O's win the last move moves towards -1; the others move, as they play, towards the value that the"
        " next one then has.",
    ),
}
