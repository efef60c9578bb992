"""TD(0): values of positions, as the learner sees them.

    choose: epsilon-greedy on the value of the position that a move leads to (exploration.py)
    learn, `backup=all`: after the game, from its last move back to its first, for the position before each move:
            V(position) += alpha * (V(next position) - V(position)), with the next position's new value,
            but not where the learner itself explored (unless `from_exploration`)
    learn, `backup=afterstates`: after the game, for the positions that its own moves led to, from the first:
            V(afterstate) += alpha * (V(next afterstate) - V(afterstate)); where the other had the last word, the
            last afterstate moves towards `loss` or `drawn_by_other`

A finished position has the value of its outcome: win, draw or loss (`initial=uniform-ends` apart). Where the other
resigned, the position in which it did so moves towards `win`.

Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, chapter 1, and their program for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.games.base import ONGOING, Side
from menace.games.positions import Positions
from menace.learners.base import BOTH, OWN, PLAIN, Algorithm, Learned, Learner, Preset
from menace.learners.exploration import ExplorationSettings
from menace.learners.policy import Policy, PolicyKind
from menace.learners.settings import setting


@dataclass(frozen=True)
class TDSettings(ExplorationSettings):
    """Settings of TD(0).

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
        "values before the first game: constant, the minimax values, or at random in [0, 1), from the learner's own"
        " seed: uniform where the game goes on, uniform-ends also where it is over, for good",
    )
    initial_value: float = setting(0.5, "the constant", -1000, 1000)
    backup: Literal["all", "afterstates"] = setting(
        "all", "what a game updates: all of its positions, or the learner's own afterstates only"
    )
    from_exploration: bool = setting(False, "whether it learns from its own exploratory moves too")

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
        if self.backup == "afterstates":
            kept &= positions.moved_by(player.other.number) & (positions.ply > 0)
        learned = Learned(kept, value, np.zeros(len(positions), np.int64))
        learned.state[0] = self.epsilon
        return learned

    def policy(self, learner: Learner, kind: PolicyKind) -> Policy:
        """Return the epsilon-greedy policy on the values of next positions."""
        return self.epsilon_greedy(learner, learner.learned.amount[learner.positions.next_position], kind)

    def player(self, learner: Learner, graph: kernel.Graph, learns: bool, epsilon: float = OWN) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it."""
        return kernel.StatePlayer(
            graph,
            value=learner.learned.amount,
            place=learner.positions.next_position,
            count=learner.learned.count,
            side=learner.side,
            learns=learns,
            alpha=self.alpha,
            win=self.win,
            loss=self.loss,
            drawn_by_other=self.drawn_by_other,
            afterstates=self.backup == "afterstates",
            from_exploration=self.from_exploration,
            **self.exploring(learner, epsilon),
        )


def _uniform(seed: int, count: int) -> NDArray[np.float64]:
    """Return doubles in [0, 1): the upper 53 bits of the raw numbers of PCG64(seed), one a position."""
    numbers = np.random.PCG64(seed).random_raw(count)
    return (numbers >> np.uint64(11)).astype(np.float64) / 2.0**53


TD = Algorithm("td", "state_value", TDSettings)

ZHANG = "S. Zhang, github.com/ShangtongZhang/reinforcement-learning-an-introduction, chapter01"
SEKERES = (
    "G. Sekeres, github.com/gsekeres/cornell_theory_reading_group_RL, chapter01 (2025): Zhang's program, begun"
    " otherwise; 100,000 games with epsilon 0.01, 3,000,000 with epsilon 0.1"
)
TD_PRESETS = {
    "td": Preset(
        "td",
        TDSettings(alpha=0.1, epsilon=0.1, draw=0.0, loss=-1.0, drawn_by_other=0.0, initial_value=0.0),
        BOTH,
        "TD(0) with plain settings, for comparison",
        f"{PLAIN} The algorithm: R. Sutton, Learning to Predict by the Methods of Temporal Differences, Machine"
        " Learning 3 (1988), doi.org/10.1007/BF00115009.",
    ),
    "zhang": Preset(
        "td",
        TDSettings(alpha=0.1, epsilon=0.01),
        BOTH,
        "the program for Sutton & Barto, chapter 1",
        f"{ZHANG}: TD(0) over every position of a game, in reverse; epsilon 0.01 while training.",
    ),
    "zhang-minimax": Preset(
        "td",
        TDSettings(alpha=0.1, epsilon=0.01, initial="minimax"),
        BOTH,
        "zhang, starting from the minimax values",
        f"{SEKERES}. His program turns a sign round on the way; these are the values that he meant.",
    ),
    "zhang-random": Preset(
        "td",
        TDSettings(alpha=0.1, epsilon=0.01, initial="uniform-ends"),
        BOTH,
        "zhang, all values at random, those of finished games for good",
        f"{SEKERES}. Uniform in [0, 1), from the learner's own seed; finished positions too, which keep their values.",
    ),
    "zhang-no-ties": Preset(
        "td",
        TDSettings(alpha=0.1, epsilon=0.01, draw=0.0, drawn_by_other=0.0),
        BOTH,
        "zhang, with a draw worth as little as a loss",
        f"{SEKERES}.",
    ),
    "sutton-barto": Preset(
        "td",
        TDSettings(
            alpha=0.5,
            epsilon=0.01,
            draw=0.0,
            drawn_by_other=0.0,
            backup="afterstates",
            ties="first",
        ),
        BOTH,
        "Sutton & Barto's own program for chapter 1",
        "R. Sutton and A. Barto, incompleteideas.net/book/code/TTT.lisp: O learns against random X, a draw is worth as"
        " little as a loss, exploration teaches nothing. Of equal moves theirs is the first by the numbers of a magic"
        " square, ours the first by the cells.",
    ),
    "value-function": Preset(
        "td",
        TDSettings(
            alpha=0.2,
            epsilon=0.02,
            win=1.0,
            draw=0.0,
            loss=-1.0,
            drawn_by_other=-0.1,
            initial_value=0.0,
            backup="afterstates",
            from_exploration=True,
        ),
        BOTH,
        "values of its own afterstates",
        "The program of a report by Gutmann, Vicente, Holler and Panova, Reinforcement Learning and the Tic-Tac-Toe"
        " Example, 2016, whose address we do not know; also with alpha 0.8 and epsilon 0. Its text has"
        " initial_value=0.5 and draws worth 0, whoever drew; with losses worth 0 as well, these are the numbers of"
        " R. Sutton and A. Barto, Reinforcement Learning: An Introduction (1998), incompleteideas.net/book, chapter 1.",
    ),
}
