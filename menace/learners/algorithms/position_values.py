"""Learners with values of positions: TD(0) and TD(lambda), on a base that they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from menace.games.base import ONGOING, Side
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.algorithm import OWN, Algorithm, Learned, LearnerState
from menace.learners.algorithms.exploration import ExplorationSettings, on_site
from menace.learners.policy import Policy, PolicyName
from menace.learners.settings import setting


@dataclass(frozen=True)
class StateValueSettings(ExplorationSettings):
    """Settings of a learner with values of positions.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("zhang", "X", initial="minimax")
    >>> machine.settings.win, float(machine.learned.amount[0])  # perfect play is a draw
    (1.0, 0.5)
    """

    alpha: float = setting(0.1, "step size", 0, 1)
    win: float = setting(1.0, "value of a game that it has won", -1000, 1000)
    draw: float = setting(0.5, "value of a drawn game", -1000, 1000)
    loss: float = setting(0.0, "value of a game that it has lost", -1000, 1000)
    drawn_by_other: float = setting(
        0.5, "value of a game that is drawn by the other side's move (backup=afterstates)", -1000, 1000
    )
    initial: Literal["constant", "minimax", "uniform", "uniform-ends"] = setting(
        "constant",
        "values before the first game: constant, the minimax values, or at random in [0, 1), from the machine's own"
        " seed: uniform where the game goes on, uniform-ends also where it is over, for good",
    )
    initial_value: float = setting(0.5, "the constant", -1000, 1000)

    @property
    def of_afterstates(self) -> bool:
        """Whether it keeps values of the positions that its own moves lead to, and of no others."""
        return True

    @property
    def seeded(self) -> bool:
        """Whether the first values are random."""
        return self.initial.startswith("uniform")

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Give every position its first value."""
        player = Side.of_number(side)
        by_result = {1: self.win, 0: self.draw, -1: self.loss}
        value = np.full(len(positions), float(self.initial_value))
        if self.initial == "minimax":
            for result, worth in by_result.items():
                value[player.sign * positions.minimax == result] = worth
        elif self.seeded:
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
        """Return the epsilon-greedy policy on the values of next positions."""
        return self.epsilon_greedy(learner, learner.learned.amount.take(learner.positions.next_position), policy)

    def valuing(self, learner: LearnerState, learns: bool, epsilon: float) -> dict[str, Any]:
        """Return what the kernel's players with values of positions take."""
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
    """TD(0): values of positions, as the learner sees them.

        choose: epsilon-greedy on the value of the position that a move leads to (exploration.py)
        learn, `backup=all`: after the game, from its last move back to its first, for the position before each move:
                V(position) += alpha * (V(next position) - V(position)), with the next position's new value,
                but not where the learner itself explored (unless `from_exploration`)
        learn, `backup=afterstates`: after the game, for the positions that its own moves led to, from the first:
                V(afterstate) += alpha * (V(next afterstate) - V(afterstate)); where the other had the last word, the
                last afterstate moves towards `loss` or `drawn_by_other`

    A finished position has the value of its outcome: win, draw or loss (`initial=uniform-ends` apart). Where the
    other resigned, the position in which it did so moves towards `win`.

    Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, chapter 1, and their program for it.

    >>> TDSettings(backup="afterstates").of_afterstates
    True
    """

    backup: Literal["all", "afterstates"] = setting(
        "all", "what a game updates: all of its positions, or the machine's own afterstates only"
    )
    from_exploration: bool = setting(False, "whether it learns from its own exploratory moves too")

    @property
    def of_afterstates(self) -> bool:
        """Whether `backup` says so."""
        return self.backup == "afterstates"

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it."""
        return kernel.StatePlayer(
            graph,
            afterstates=self.of_afterstates,
            from_exploration=self.from_exploration,
            **self.valuing(learner, learns, epsilon),
        )


def _uniform(seed: int, count: int) -> NDArray[np.float64]:
    """Return doubles in [0, 1): the upper 53 bits of the raw numbers of PCG64(seed), one a position."""
    raw_numbers = np.random.PCG64(seed).random_raw(count)
    return (raw_numbers >> np.uint64(11)).astype(np.float64) / 2.0**53


def of_positions(name: str, settings: type[StateValueSettings]) -> Algorithm:
    """Return an algorithm whose values are those of positions, and which explores by epsilon."""
    words = (
        "For each position it keeps a value: what it has come to expect from there. It mostly plays the move that leads"
        " to the position of the highest value, and sometimes tries another."
    )
    return Algorithm(name, "state_value", settings, words=words, kit_rules=None, site_rule=on_site, pile_rule=None)


TD = of_positions("td", TDSettings)


@dataclass(frozen=True)
class TDLambdaSettings(StateValueSettings):
    """TD(lambda): values of the positions that its moves lead to, each step shared with those before by fading traces.

    after the game, for the learner's afterstates s_1, ..., s_T, from the first:
        z(s_t) = 1                                              it has a trace now
        target = V(s_t+1), or after s_T what the game is worth
        step = alpha * (target - V(s_t))
        for each s of s_t, ..., s_1, backward:
            V(s) += step;  step *= lambda                       z(s) = lambda^(t - k) for s_k: no discount
        where its own move to s_t+1 explored (unless `from_exploration`): no step, and all traces end

    No position comes twice in a game here, so traces that accumulate and traces that are replaced are the same, and
    so are steps during a game and after it. With `trace_decay` 0 it is td with backup=afterstates, to the bit; with
    1 each afterstate moves by alpha towards what the game was worth, as in Monte Carlo.

    Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 12.2, equations
    12.5 to 12.7 (numbers not checked); R. Sutton, Learning to Predict by the Methods of Temporal Differences,
    Machine Learning 3 (1988). Ending traces where the learner explored is Watkins's cut (section 12.10, number not
    checked).

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


TD_LAMBDA = of_positions("td-lambda", TDLambdaSettings)
