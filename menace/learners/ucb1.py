"""UCB1: each position is a bandit whose arms are its moves, paid what the game pays in the end.

choose: a move that was never made, if there is one; else the one of highest upper bound
            Q + exploration * sqrt(ln N / n)          n games in which it was made, of N at this position
        of several the multiplicities decide, as everywhere; equivalent moves are one arm
learn:  after the game, for each of its own moves: Q += (reward - Q) / n, so that Q is the mean of what it was paid

For payoffs from 0 to 1, UCB1 has sqrt(2 ln N / n); for -1 to 1 that is twice as much, `exploration` = 2 sqrt(2). It
needs no epsilon. What is known of its regret holds for one bandit whose payoffs stay as they are, not for a game.

The kernel has neither logarithms nor roots: it reads them in two tables. Counts from 2048 on lose their last binary
digits, so that eleven are left: n is then at most 1/1024 lower.

Source: P. Auer, N. Cesa-Bianchi and P. Fischer, Finite-time Analysis of the Multiarmed Bandit Problem, Machine Learning
47 (2002), figure 1; R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 2.7, equation
2.10 (number not checked). Playing whole games like that is UCT (tree_search.py) without a tree that grows.
"""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.games.positions import Positions
from menace.learners.algorithm import OWN, Algorithm, Learned, LearnerState, Settings
from menace.learners.policy import Policy, PolicyName, greedy_policy
from menace.learners.settings import setting

FEW = 2048  # as in the kernel: counts below it have an entry of their own
DIGITS = 32  # binary ones that a count may lose: no machine plays 2^43 games
PRECISION = decimal.Context(prec=28)


@dataclass(frozen=True)
class UCB1Settings(Settings):
    """Settings of UCB1.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("ucb1", "X")
    >>> machine.learn(["0", "3", "1", "4", "2"])
    'X'
    >>> [move.share for move in machine.box(".........").moves]  # the corner has won; an edge or the centre is next
    [0.0, 0.8, 0.2]
    """

    exploration: float = setting(
        2.8284271247461903, "c of the upper bound Q + c sqrt(ln N / n) by which it chooses", 0, 1000
    )
    win: float = setting(1.0, "reward for a game that it has won", -1000, 1000)
    draw: float = setting(0.0, "reward for a drawn game", -1000, 1000)
    loss: float = setting(-1.0, "reward for a game that it has lost", -1000, 1000)

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Begin without a game: what was never made has the mean 0."""
        kept = positions.moved_by(side)[positions.position_of_move]
        return Learned(kept, np.zeros(positions.move_count), np.zeros(positions.move_count, np.int64))

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the policy of the highest upper bound (`behaviour`), or of the highest mean (`greedy`)."""
        value = learner.learned.amount if policy == "greedy" else self.bounds(learner)
        return greedy_policy(learner.positions, learner.side, value, 0.0, first_of_ties=False)

    def bounds(self, learner: LearnerState) -> NDArray[np.float64]:
        """Return [moves], the upper bounds, infinite where a move was never made."""
        positions, count = learner.positions, learner.learned.count
        games = positions.sum_over_moves(count).astype(np.int64)[positions.position_of_move]
        logarithm, root = roots()
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (self.exploration * logarithm)[rank(games)] / root[rank(count)]
        return np.where(count == 0, np.inf, learner.learned.amount + reach)

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it; it does not explore by chance."""
        logarithm, root = roots()
        positions, learned = learner.positions, learner.learned
        return kernel.BoundPlayer(
            graph,
            value=learned.amount,
            count=learned.count,
            state=learned.state,
            place=np.arange(positions.move_count, dtype=np.int32),
            total=np.zeros(len(positions), np.int32),
            side=learner.side,
            learns=learns,
            epsilon=0.0,
            decay=1.0,
            least=0.0,
            decay_first=False,
            first_of_ties=False,
            alpha=0.0,
            averages=True,
            steps=positions.longest,
            discount=np.ones(positions.longest + 1),
            win=self.win,
            draw=self.draw,
            loss=self.loss,
            reach=self.exploration * logarithm,
            root=root,
        )


def rank(count: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the entries of counts in the tables: from FEW on they lose their last binary digits.

    >>> rank(np.array([0, 2047, 2048, 2049, 4095, 4096])).tolist()
    [0, 2047, 2048, 2048, 3071, 3072]
    """
    lost = np.maximum(np.frexp(count.astype(np.float64))[1].astype(np.int64) - FEW.bit_length() + 1, 0)
    entry: NDArray[np.int64] = lost * (FEW // 2) + (count >> lost)
    return entry


@lru_cache(maxsize=1)
def roots() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return two tables, by rank: the roots of the natural logarithms of counts, and those of the counts themselves.

    Logarithms are those of `decimal`, rounded correctly, and roots as IEEE 754 says: the tables are alike everywhere.

    >>> [table[[1, 4, 3072]].tolist() for table in roots()]  # the last is 4096
    [[0.0, 1.1774100225154747, 2.884053773201766], [1.0, 2.0, 64.0]]
    """
    counts = [*range(FEW), *(count << lost for lost in range(1, DIGITS + 1) for count in range(FEW // 2, FEW))]
    known = [decimal.Decimal(0), *(PRECISION.ln(decimal.Decimal(count)) for count in range(1, FEW))]
    doubled = [lost * known[2] for lost in range(DIGITS + 1)]
    logarithms = [*known, *(known[n] + more for more in doubled[1:] for n in range(FEW // 2, FEW))]
    return np.sqrt(np.array(logarithms, np.float64)), np.sqrt(np.array(counts, np.float64))


ABOUT = (
    "a value is the mean of what its n games paid; it plays the highest value + exploration * sqrt(ln N / n), N being"
    " all games here"
)
UCB1 = Algorithm("ucb1", "action_value", UCB1Settings, about=ABOUT)
