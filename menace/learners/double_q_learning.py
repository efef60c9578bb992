"""Double Q-learning: two values of each move learn by turns, and each is judged by the other at the next turn.

choose: epsilon-greedy on the mean of the two values, which is what the learner has for a move
learn:  after the game, for each of its own moves, from the first: let Q1 be the one of its two values whose turn it is
            Q1 += alpha * (gamma * Q2(its next turn, the move with the highest Q1 there) - Q1)
        the last one: Q1 += alpha * (reward - Q1)

Of moves with equal Q1 the first is judged. The book tosses a coin for which value learns; here they take turns, the
first one at a move's first game, because learning uses no random number: as many games teach each as by a coin, and no
game teaches both. Kept are the mean of the two, and half of their difference.

Source: H. van Hasselt, Double Q-learning, Advances in Neural Information Processing Systems 23 (2010); R. Sutton and
A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.7, equation 6.10 (number not checked).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from menace import kernel
from menace.games.positions import Positions
from menace.learners.action_values import ActionValueSettings
from menace.learners.algorithm import OWN, Algorithm, Learned, LearnerState


@dataclass(frozen=True)
class DoubleQLearningSettings(ActionValueSettings):
    """Settings of Double Q-learning.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("double-q-learning", "X", alpha=0.5)
    >>> _ = machine.learn(["0", "3", "1", "4", "2"])  # the last move's first value is 1/2 now, its second 0
    >>> machine.box("XX.OO....").moves[0].amount, float(machine.learned.half_difference.sum())
    (0.25, 0.25)
    """

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Give both values of every move the first value."""
        learned = super().fresh(positions, side, seed)
        learned.half_difference = np.zeros(positions.move_count)
        return learned

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it."""
        return kernel.DoublePlayer(
            graph,
            gamma=self.gamma,
            half=learner.learned.half_difference,
            **self.valuing(learner, learns, epsilon),
        )


ABOUT = "a value is the mean of two, which learn by turns"
DOUBLE_Q_LEARNING = Algorithm("double-q-learning", "action_value", DoubleQLearningSettings, about=ABOUT)
