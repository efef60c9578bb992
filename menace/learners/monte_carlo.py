"""First-visit Monte Carlo control: the target of each move is the return, what the game paid in the end.

after the game, for the learner's moves at its turns t = 1, ..., T, from the first:
    G = gamma^(T - t) * reward
    Q += alpha * (G - Q)                with `average`: Q += (G - Q) / N, its N-th return, so that Q is their mean

No position comes twice in a game here, so first-visit and every-visit are the same. With alpha = 1 and epsilon = 0 a
move is worth what its last game paid, and the best is played.

Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 5.4 (on-policy first-visit
Monte Carlo control, for epsilon-soft policies), which takes the mean; the constant step is that of equation 6.1
(numbers not checked).
"""

from __future__ import annotations

from dataclasses import dataclass

from menace import kernel
from menace.learners.action_values import ActionValueSettings
from menace.learners.algorithm import OWN, Algorithm, LearnerState
from menace.learners.settings import setting


@dataclass(frozen=True)
class MonteCarloSettings(ActionValueSettings):
    """Settings of Monte Carlo control.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("monte-carlo", "X", average=True)
    >>> for game in (["0", "3", "1", "4", "2"], ["0", "3", "1", "4", "8", "5"]):  # won, lost
    ...     print(machine.learn(game), machine.box(".........").moves[0].amount)
    X 1.0
    O 0.0
    """

    average: bool = setting(False, "a value is the mean of its returns, whatever alpha and its first value")

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it."""
        turns = learner.positions.longest
        return kernel.ReturnPlayer(
            graph,
            steps=turns,
            discount=self.discounts(turns),
            averages=self.average,
            **self.valuing(learner, learns, epsilon),
        )


MONTE_CARLO = Algorithm("monte-carlo", "action_value", MonteCarloSettings)
