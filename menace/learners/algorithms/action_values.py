"""Learners with values of moves: of every position in which the learner is to move.

choose: epsilon-greedy on the values of the moves (exploration.py), except by UCB1
learn:  after the game, for each of its own moves: Q += alpha * (target - Q); each class says the target
"""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.algorithm import OWN, Algorithm, Learned, LearnerState, Settings
from menace.learners.algorithms.exploration import ExplorationSettings, on_site
from menace.learners.policy import Policy, PolicyName, greedy_policy
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


def of_moves(name: str, settings: type[ActionValueSettings], about: str = "") -> Algorithm:
    """Return an algorithm whose values are those of moves, and which explores by epsilon."""
    words = (
        "For each of its moves it keeps a value: what it has come to expect from it. It mostly plays the move of the"
        " highest value, and sometimes tries another."
    )
    return Algorithm(
        name,
        "action_value",
        settings,
        words=words,
        kit_rules=None,
        site_rule=on_site,
        pile_rule=None,
        about=about,
    )


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


@dataclass(frozen=True)
class SarsaSettings(OneStepSettings):
    """SARSA: the target of a move is gamma * the value of the move that the learner makes at its next turn.

    Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.4.

    >>> SarsaSettings(alpha=0.2).worth
    'made'
    """

    worth: ClassVar[Literal["made", "best", "mean"]] = "made"


SARSA = of_moves("sarsa", SarsaSettings)


@dataclass(frozen=True)
class ExpectedSarsaSettings(OneStepSettings):
    """Expected SARSA: the target of a move is gamma * the mean value of its next turn, by the odds of its moves there.

    after the game, for each of the learner's moves, in `order`:
        Q += alpha * (gamma * V - Q)          the last one: Q += alpha * (reward - Q)
        V = epsilon * (mean of Q over the cells of its next turn) + (1 - epsilon) * (highest Q there)

    Epsilon is the one that this game was played with. Without exploration it is Q-learning.

    Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.6, equation 6.9
    (number not checked).

    >>> ExpectedSarsaSettings(alpha=1.0).worth
    'mean'
    """

    worth: ClassVar[Literal["made", "best", "mean"]] = "mean"


EXPECTED_SARSA = of_moves("expected-sarsa", ExpectedSarsaSettings)


@dataclass(frozen=True)
class QLearningSettings(OneStepSettings):
    """Q-learning: the target of a move is gamma * the best value at the learner's next turn.

    Source: C. Watkins, Learning from Delayed Rewards, 1989; R. Sutton and A. Barto, Reinforcement Learning: An
    Introduction, 2nd edition, section 6.5.

    >>> QLearningSettings(alpha=0.2).worth
    'best'
    """

    worth: ClassVar[Literal["made", "best", "mean"]] = "best"


Q_LEARNING = of_moves("q-learning", QLearningSettings)


@dataclass(frozen=True)
class DoubleQLearningSettings(ActionValueSettings):
    """Double Q-learning: two values of each move learn by turns, and each is judged by the other at the next turn.

    choose: epsilon-greedy on the mean of the two values, which is what the learner has for a move
    learn:  after the game, for each of its own moves, from the first: let Q1 be its value whose turn it is
                Q1 += alpha * (gamma * Q2(its next turn, the move with the highest Q1 there) - Q1)
            the last one: Q1 += alpha * (reward - Q1)

    Of moves with equal Q1 the first is judged. The book tosses a coin for which value learns; here they take turns,
    the first one at a move's first game, because learning uses no random number: as many games teach each as by a
    coin, and no game teaches both. Kept are the mean of the two, and half of their difference.

    Source: H. van Hasselt, Double Q-learning, Advances in Neural Information Processing Systems 23 (2010); R.
    Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.7, equation 6.10 (number
    not checked).

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


DOUBLE_Q_LEARNING = of_moves(
    "double-q-learning", DoubleQLearningSettings, about="a value is the mean of two, which learn by turns"
)


@dataclass(frozen=True)
class NStepSarsaSettings(ActionValueSettings):
    """n-step SARSA: the target of a move is the value of the move that it makes n turns later, or what the game paid.

    after the game, for the learner's moves at its turns t = 1, ..., T, from the first:
        G = gamma^n * Q(its move at turn t + n), or gamma^(T - t) * reward where t + n > T
        Q += alpha * (G - Q)

    With `steps` 1 this is SARSA; with as many as it has turns, Monte Carlo with a constant step.

    Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 7.2, equations 7.4
    and 7.5 (the section checked, these numbers not).

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


N_STEP_SARSA = of_moves("n-step-sarsa", NStepSarsaSettings)


@dataclass(frozen=True)
class MonteCarloSettings(ActionValueSettings):
    """First-visit Monte Carlo control: the target of each move is the return, what the game paid in the end.

    after the game, for the learner's moves at its turns t = 1, ..., T, from the first:
        G = gamma^(T - t) * reward
        Q += alpha * (G - Q)                with `average`: n += 1, then Q += (1 / n) * (G - Q)

    With `average`, n counts the returns of the move, and Q is their mean up to rounding. The step 1 / n is rounded
    first and then multiplied; Q += (G - Q) / n would round differently, and so break other ties.

    No position comes twice in a game here, so first-visit and every-visit are the same. With alpha = 1 and epsilon
    = 0 a move is worth what its last game paid, and the best is played.

    Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition, section 5.4 (on-policy
    first-visit Monte Carlo control, for epsilon-soft policies), which takes the mean; the constant step is that of
    equation 6.1 (numbers not checked).

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("monte-carlo", "X", average=True)
    >>> for game in (["0", "3", "1", "4", "2"], ["0", "3", "1", "4", "8", "5"]):  # won, lost
    ...     print(machine.learn(game), machine.box(".........").moves[0].amount)
    X 1.0
    O 0.0
    """

    average: bool = setting(
        False,
        "the n-th return of a move changes its value by (1 / n) * (return - value), so the value is the mean of the"
        " returns, whatever alpha and its first value",
    )

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


MONTE_CARLO = of_moves("monte-carlo", MonteCarloSettings)


FEW = 2048  # as in the kernel: counts below it have an entry of their own
DIGITS = 32  # binary ones that a count may lose: no machine plays 2^43 games
PRECISION = decimal.Context(prec=28)


@dataclass(frozen=True)
class UCB1Settings(Settings):
    """UCB1: each position is a bandit whose arms are its moves, paid what the game pays in the end.

    choose: a move that was never made, if there is one; else the one of highest upper bound
                Q + exploration * sqrt(ln N / n)          n games in which it was made, of N at this position
            of several the multiplicities decide, as everywhere; equivalent moves are one arm
    learn:  after the game, for each of its own moves: n += 1, then Q += (1 / n) * (reward - Q)

    Q is the mean of what the move was paid, up to rounding. The step 1 / n is rounded first and then multiplied. Bounds
    tie only if they are equal to the last bit, so Q += (reward - Q) / n would break other ties and play other games.

    For payoffs from 0 to 1, UCB1 has sqrt(2 ln N / n); for -1 to 1 that is twice as much, `exploration` = 2
    sqrt(2). It needs no epsilon. What is known of its regret holds for one bandit whose payoffs stay as they are,
    not for a game.

    The kernel has neither logarithms nor roots: it reads them in two tables. Counts from 2048 on lose their last
    binary digits, so that eleven are left: n is then at most 1/1024 lower.

    Source: P. Auer, N. Cesa-Bianchi and P. Fischer, Finite-time Analysis of the Multiarmed Bandit Problem, Machine
    Learning 47 (2002), figure 1; R. Sutton and A. Barto, Reinforcement Learning: An Introduction, 2nd edition,
    section 2.7, equation 2.10 (number not checked). Playing whole games like that is UCT
    (opponents/tree_search.py) without a tree that grows.

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


def _bounds_on_site(settings: UCB1Settings, learner: LearnerState) -> dict[str, Any]:
    highest = (settings.policy(learner, "behaviour").probability > 0).astype(int)
    return {"kind": "values", "boxed": learner.positions.moved_by(learner.side), "highest": highest.tolist()}


UCB1 = Algorithm(
    "ucb1",
    "action_value",
    UCB1Settings,
    words="For each of its moves it keeps a value, the mean of what the games paid. It plays the move of the highest"
    " bound: its value, and the more the seldomer it was made.",
    kit_rules=None,
    site_rule=_bounds_on_site,
    pile_rule=None,
    about="a value is the mean of what its n games paid (value += (1 / n) * (reward - value)); it plays the highest"
    " value + exploration * sqrt(ln N / n), where N counts all games here",
)
