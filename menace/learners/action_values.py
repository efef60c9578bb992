"""Base of learners with values of moves: of every position in which the learner is to move.

choose: epsilon-greedy on the values of the moves (epsilon_greedy.py)
learn:  after the game, for each of its own moves: Q += alpha * (target - Q); the file of each says the target
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.games.positions import Positions
from menace.learners.algorithm import OWN, Learned, LearnerState
from menace.learners.epsilon_greedy import ExplorationSettings
from menace.learners.policy import Policy, PolicyName
from menace.learners.settings import setting


@dataclass(frozen=True)
class ActionValueSettings(ExplorationSettings):
    """Settings of a learner with values of moves.

    >>> from menace.learners.registry import PRESETS
    >>> isinstance(PRESETS["q-table"].settings, ActionValueSettings)
    True
    """

    alpha: float = setting(0.1, "step size", 0, 1)
    gamma: float = setting(1.0, "discount from one of its turns to the next", 0, 1)
    win: float = setting(1.0, "reward for a game that it has won", -1000, 1000)
    draw: float = setting(0.0, "reward for a drawn game", -1000, 1000)
    loss: float = setting(-1.0, "reward for a game that it has lost", -1000, 1000)
    initial_value: float = setting(0.0, "value of every move, before the first game", -1000, 1000)

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Give every move its first value."""
        kept = positions.moved_by(side)[positions.position_of_move]
        value = np.full(positions.move_count, float(self.initial_value))
        learned = Learned(kept, value, np.zeros(positions.move_count, np.int64))
        learned.state[0] = self.epsilon
        return learned

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the epsilon-greedy policy on the values of the moves."""
        return self.epsilon_greedy(learner, learner.learned.amount, policy)

    def valuing(self, learner: LearnerState, learns: bool, epsilon: float) -> dict[str, Any]:
        """Return what the kernel's players with values of moves take."""
        return {
            "place": np.arange(learner.positions.move_count, dtype=np.int32),
            "alpha": self.alpha,
            "win": self.win,
            "draw": self.draw,
            "loss": self.loss,
            **self.exploring(learner, learns, epsilon),
        }

    def discounts(self, turns: int) -> NDArray[np.float64]:
        """Return [turns + 1], gamma to the power of 0, 1, 2, ..., each multiplied from the one before."""
        return np.array([1.0, *[self.gamma] * turns]).cumprod()


@dataclass(frozen=True)
class OneStepSettings(ActionValueSettings):
    """Settings of SARSA, Expected SARSA and Q-learning: the target is the reward, or gamma * its next turn's worth.

    >>> from menace.learners.registry import PRESETS
    >>> settings = PRESETS["q-table"].settings  # of SARSA
    >>> isinstance(settings, OneStepSettings), settings.order, settings.final
    (True, 'end-first', 'set')
    """

    worth: ClassVar[Literal["made", "best", "mean"]]  # of its next turn: the move made there, or of all it has there

    order: Literal["forward", "backward", "end-first"] = setting(
        "forward",
        "update its moves forward, as they were played, or backward, each towards the next one's new value; or"
        " end-first: the last one, then the others forward, so that the end reaches the last two at once",
    )
    final: Literal["step", "set"] = setting(
        "step", "a last move that ended the game itself moves by a step, or is set to the reward"
    )

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it."""
        return kernel.MovePlayer(
            graph,
            gamma=self.gamma,
            worth=("made", "best", "mean").index(self.worth),
            end_first=self.order != "forward",
            backward=self.order == "backward",
            sets_final=self.final == "set",
            **self.valuing(learner, learns, epsilon),
        )
