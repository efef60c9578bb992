"""TD(lambda): values of the positions that its moves lead to, each step shared with those before by fading traces.

after the game, for the learner's afterstates s_1, ..., s_T, from the first:
    z(s_t) = 1                                              it has a trace now
    target = V(s_t+1), or after s_T what the game is worth
    step = alpha * (target - V(s_t))
    for each s of s_t, ..., s_1, backward:
        V(s) += step;  step *= lambda                       z(s) = lambda^(t - k) for s_k: no discount
    where its own move to s_t+1 explored (unless `from_exploration`): no step, and all traces end

No position comes twice in a game here, so traces that accumulate and traces that are replaced are the same, and so are
steps during a game and after it. With `trace_decay` 0 it is td with backup=afterstates, to the bit; with 1 each
afterstate moves by alpha towards what the game was worth, as in Monte Carlo.

Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 12.2, equations 12.5 to
12.7 (numbers not checked); R. Sutton, Learning to Predict by the Methods of Temporal Differences, Machine Learning 3
(1988). Ending traces where the learner explored is Watkins's cut (section 12.10, number not checked).
"""

from __future__ import annotations

from dataclasses import dataclass

from menace import kernel
from menace.learners.algorithm import OWN, Algorithm, LearnerState
from menace.learners.settings import setting
from menace.learners.td import StateValueSettings


@dataclass(frozen=True)
class TDLambdaSettings(StateValueSettings):
    """Settings of TD(lambda).

    >>> from menace.learners.machine import Machine
    >>> for trace_decay in (0.0, 0.5, 1.0):
    ...     machine = Machine("td-lambda", "X", trace_decay=trace_decay)
    ...     _ = machine.learn(["0", "3", "1", "4", "2"])
    ...     print(machine.box(".........").moves[0].amount)  # s_1, two turns before the win
    0.0
    0.05
    0.1
    """

    trace_decay: float = setting(0.8, "lambda: how much of a step each afterstate before gets, times itself", 0, 1)
    from_exploration: bool = setting(False, "whether it learns from its own exploratory moves too")

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it."""
        return kernel.TracePlayer(
            graph,
            from_exploration=self.from_exploration,
            fade=self.trace_decay,
            **self.valuing(learner, learns, epsilon),
        )


TD_LAMBDA = Algorithm("td-lambda", "state_value", TDLambdaSettings)
