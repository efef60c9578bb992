"""n-step SARSA: the target of a move is the value of the move that it makes n turns later, or what the game paid.

after the game, for the learner's moves at its turns t = 1, ..., T, from the first:
    G = gamma^n * Q(its move at turn t + n), or gamma^(T - t) * reward where t + n > T
    Q += alpha * (G - Q)

With `steps` 1 this is SARSA; with as many as it has turns, Monte Carlo with a constant step.

Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 7.2, equations 7.4 and
7.5 (the section checked, these numbers not).
"""

from __future__ import annotations

from dataclasses import dataclass

from menace import kernel
from menace.learners.action_values import ActionValueSettings
from menace.learners.algorithm import OWN, Algorithm, LearnerState
from menace.learners.settings import setting


@dataclass(frozen=True)
class NStepSarsaSettings(ActionValueSettings):
    """Settings of n-step SARSA.

    >>> from menace.learners.machine import Machine
    >>> game = ["0", "3", "1", "4", "2"]  # X has three turns, and wins
    >>> for steps in (1, 2, 3):
    ...     machine = Machine("n-step-sarsa", "X", steps=steps)
    ...     print(machine.learn(game), float(machine.learned.amount.sum()))
    X 0.1
    X 0.2
    X 0.30000000000000004
    """

    steps: int = setting(2, "how many of its turns later the move is whose value it learns from: n", 1, 1000)

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it."""
        turns = learner.positions.longest
        return kernel.ReturnPlayer(
            graph,
            steps=min(self.steps, turns),
            discount=self.discounts(turns),
            averages=False,
            **self.valuing(learner, learns, epsilon),
        )


N_STEP_SARSA = Algorithm("n-step-sarsa", "action_value", NStepSarsaSettings)
