"""Learning algorithms that store a value for each position: TD(0) and TD(lambda)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from menace.games.base import ONGOING, Side
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.algorithm import OWN, Algorithm, Learned, LearnerState
from menace.learners.algorithms.exploration import ExplorationSettings, site_rule_of_values
from menace.learners.policy import Policy, PolicyName
from menace.learners.settings import setting


@dataclass(frozen=True)
class StateValueSettings(ExplorationSettings):
    """Settings shared by all learners with position values.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("zhang", "X", initial="minimax")
    >>> machine.settings.win, float(machine.learned.amount[0])  # perfect play leads to a draw
    (1.0, 0.5)
    """

    alpha: float = setting(0.1, "step size", 0, 1)
    win: float = setting(1.0, "value of a won game", -1000, 1000)
    draw: float = setting(0.5, "value of a drawn game", -1000, 1000)
    loss: float = setting(0.0, "value of a lost game", -1000, 1000)
    drawn_by_other: float = setting(
        0.5, "value of a game drawn by the opponent's move (backup=afterstates)", -1000, 1000
    )
    initial: Literal["constant", "minimax", "uniform", "uniform-ends"] = setting(
        "constant",
        "values before the first game: constant; minimax, the minimax values; uniform, random in [0, 1) from the"
        " machine's seed for unfinished games; uniform-ends, random for finished games too, which never change",
    )
    initial_value: float = setting(0.5, "initial value of unfinished games if initial=constant", -1000, 1000)

    @property
    def of_afterstates(self) -> bool:
        """Whether the learner stores values only for afterstates, which are the positions after its own moves."""
        return True

    @property
    def needs_seed(self) -> bool:
        """Whether the initial values are random."""
        return self.initial.startswith("uniform")

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Return the initial state, in which every position has its initial value."""
        player = Side.of_number(side)
        by_result = {1: self.win, 0: self.draw, -1: self.loss}
        value = np.full(len(positions), float(self.initial_value))
        if self.initial == "minimax":
            for result, worth in by_result.items():
                value[player.sign * positions.minimax == result] = worth
        elif self.needs_seed:
            value = _uniform(seed, len(positions))
        if self.initial != "uniform-ends":
            for result, worth in by_result.items():
                value[player.sign * positions.outcome.astype(np.int32) == result] = worth
        kept = positions.outcome == ONGOING
        if self.of_afterstates:
            kept &= positions.moved_by(player.other.number) & (positions.ply > 0)
        learned = Learned(kept, value, np.zeros(len(positions), np.int64))
        learned.state[0] = self.epsilon
        return learned

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the policy that is epsilon-greedy with respect to the values of the next positions."""
        return self.epsilon_greedy(learner, learner.learned.amount.take(learner.positions.next_position), policy)

    def value_arguments(self, learner: LearnerState, learns: bool, epsilon: float) -> dict[str, Any]:
        """Return the arguments shared by all kernel players with position values."""
        return {
            "place": learner.positions.next_position,
            "alpha": self.alpha,
            "win": self.win,
            "loss": self.loss,
            "drawn_by_other": self.drawn_by_other,
            **self.exploring(learner, learns, epsilon),
        }


@dataclass(frozen=True)
class TDSettings(StateValueSettings):
    """TD(0), with position values from the learner's point of view.

        choose: epsilon-greedy on the value of the position that a move leads to (exploration.py)
        learn, `backup=all`: after the game, from its last move back to its first, for the position before each move:
                V(position) += alpha * (V(next position) - V(position)), with the next position's new value,
                except where the learner itself explored (unless `from_exploration`)
        learn, `backup=afterstates`: after the game, for the positions that its own moves led to, from the first:
                V(afterstate) += alpha * (V(next afterstate) - V(afterstate)); if the opponent made the last move, the
                last afterstate moves towards `loss` or `drawn_by_other`

    The value of a finished position is the setting for its outcome (`win`, `draw` or `loss`), except with
    `initial=uniform-ends`. If the opponent resigns, the value of the position before the resignation moves towards
    `win`.

    Source: Sutton and Barto, Reinforcement Learning: An Introduction, chapter 1, and the program that accompanies this
    chapter.

    >>> TDSettings(backup="afterstates").of_afterstates
    True
    """

    backup: Literal["all", "afterstates"] = setting(
        "all", "which positions are updated after a game: all, or only the machine's own afterstates"
    )
    from_exploration: bool = setting(False, "whether the machine also learns from its own exploratory moves")

    @property
    def of_afterstates(self) -> bool:
        """Whether `backup` is `afterstates`."""
        return self.backup == "afterstates"

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner."""
        return kernel.StatePlayer(
            graph,
            afterstates=self.of_afterstates,
            from_exploration=self.from_exploration,
            **self.value_arguments(learner, learns, epsilon),
        )


def _uniform(seed: int, count: int) -> NDArray[np.float64]:
    """Return one double in [0, 1) per position, computed from the upper 53 bits of PCG64(seed)'s raw numbers."""
    raw_numbers = np.random.PCG64(seed).random_raw(count)
    return (raw_numbers >> np.uint64(11)).astype(np.float64) / 2.0**53


def state_value_algorithm(name: str, settings: type[StateValueSettings]) -> Algorithm:
    """Return an epsilon-greedy algorithm that uses position values."""
    words = (
        "The machine stores a value for each position: the result that it expects from there. The machine usually plays"
        " the move that leads to the position with the highest value, and sometimes tries another move."
    )
    return Algorithm(
        name, "state_value", settings, words=words, kit_rules=None, site_rule=site_rule_of_values, pile_rule=None
    )


TD = state_value_algorithm("td", TDSettings)


@dataclass(frozen=True)
class TDLambdaSettings(StateValueSettings):
    """TD(lambda) with afterstate values.

    Each step also updates the values of earlier afterstates, using decaying traces.

    after the game, for the learner's afterstates s_1, ..., s_T, from the first:
        z(s_t) = 1                                              start its trace
        target = V(s_t+1), or after s_T the value of the game
        step = alpha * (target - V(s_t))
        for each s of s_t, ..., s_1, backward:
            V(s) += step;  step *= lambda                       z(s) = lambda^(t - k) for s_k: no discount
        if its own move to s_t+1 explored (unless `from_exploration`): no step, and all traces end

    No position can occur twice in a game. Therefore accumulating traces and replacing traces are equivalent here, and
    so are updates during and after a game. If `trace_decay` is 0, the results are bit for bit the same as those of td
    with backup=afterstates. If `trace_decay` is 1, each afterstate's value moves by the fraction alpha towards the
    value of the game, as in Monte Carlo.

    Source: Sutton and Barto, Reinforcement Learning: An Introduction, 2nd edition, section 12.2, equations 12.5 to 12.7
    (numbers not checked); Sutton, Learning to Predict by the Methods of Temporal Differences, Machine Learning 3
    (1988). As in Watkins's method, exploratory moves cut traces (section 12.10, number not checked).

    >>> from menace.learners.machine import Machine
    >>> for trace_decay in (0.0, 0.5, 1.0):
    ...     machine = Machine("td-lambda", "X", trace_decay=trace_decay)
    ...     _ = machine.learn(["0", "3", "1", "4", "2"])
    ...     print(machine.box(".........").moves[0].amount)  # s_1, two turns before the win
    0.0
    0.05
    0.1
    """

    trace_decay: float = setting(0.8, "lambda: the factor by which the step shrinks for each earlier afterstate", 0, 1)
    from_exploration: bool = setting(False, "whether the machine also learns from its own exploratory moves")

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner."""
        return kernel.TracePlayer(
            graph,
            from_exploration=self.from_exploration,
            fade=self.trace_decay,
            **self.value_arguments(learner, learns, epsilon),
        )


TD_LAMBDA = state_value_algorithm("td-lambda", TDLambdaSettings)
