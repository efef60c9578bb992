"""Learning algorithms that store a value for each move in every position where the learner is to move.

    choose: epsilon-greedy on the values of the moves (exploration.py), except for UCB1
    learn:  after the game, for each of its own moves: Q += alpha * (target - Q)

Each algorithm defines its own target.
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
from menace.learners.algorithms.exploration import ExplorationSettings, site_rule_of_values
from menace.learners.policy import Policy, PolicyName, greedy_policy
from menace.learners.settings import setting


@dataclass(frozen=True)
class ActionValueSettings(ExplorationSettings):
    """Settings shared by all learners with move values.

    >>> from menace.learners.registry import PRESETS
    >>> isinstance(PRESETS["q-table"].settings, ActionValueSettings)
    True
    """

    alpha: float = setting(0.1, "step size", 0, 1)
    gamma: float = setting(1.0, "discount from each turn of the machine to its next turn", 0, 1)
    win: float = setting(1.0, "reward for a win", -1000, 1000)
    draw: float = setting(0.0, "reward for a draw", -1000, 1000)
    loss: float = setting(-1.0, "reward for a loss", -1000, 1000)
    initial_value: float = setting(0.0, "initial value of every move", -1000, 1000)

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Return the initial state, in which every move has the initial value."""
        kept = positions.moved_by(side)[positions.position_of_move]
        value = np.full(positions.move_count, float(self.initial_value))
        learned = Learned(kept, value, np.zeros(positions.move_count, np.int64))
        learned.state[0] = self.epsilon
        return learned

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the policy that is epsilon-greedy with respect to the values of the moves."""
        return self.epsilon_greedy(learner, learner.learned.amount, policy)

    def value_arguments(self, learner: LearnerState, learns: bool, epsilon: float) -> dict[str, Any]:
        """Return the arguments shared by all kernel players with move values."""
        return {
            "place": np.arange(learner.positions.move_count, dtype=np.int32),
            "alpha": self.alpha,
            "win": self.win,
            "draw": self.draw,
            "loss": self.loss,
            **self.exploring(learner, learns, epsilon),
        }

    def discounts(self, turns: int) -> NDArray[np.float64]:
        """Return the powers of gamma, starting with gamma^0, computed by repeated multiplication."""
        return np.array([1.0, *[self.gamma] * turns]).cumprod()


def action_value_algorithm(name: str, settings: type[ActionValueSettings], about: str = "") -> Algorithm:
    """Return an epsilon-greedy algorithm that uses move values.

    Args:
        name: the name of the algorithm.
        settings: the class of the algorithm's settings.
        about: a note on the meaning of the values.
    """
    words = (
        "The machine stores a value for each of its moves: the result that it expects after the move. The machine"
        " usually plays the move with the highest value, and sometimes tries another move."
    )
    return Algorithm(
        name,
        "action_value",
        settings,
        words=words,
        kit_rules=None,
        site_rule=site_rule_of_values,
        pile_rule=None,
        about=about,
    )


@dataclass(frozen=True)
class OneStepSettings(ActionValueSettings):
    """Settings for SARSA, Expected SARSA and Q-learning.

    The target for a move is the reward, or gamma * the value of the next turn.

    >>> from menace.learners.registry import PRESETS
    >>> settings = PRESETS["q-table"].settings  # a preset for SARSA
    >>> isinstance(settings, OneStepSettings), settings.order, settings.final
    (True, 'end-first', 'set')
    """

    # the value of the next turn: the value of the move made on that turn, or the highest or mean value of all its moves
    worth: ClassVar[Literal["made", "best", "mean"]]

    order: Literal["forward", "backward", "end-first"] = setting(
        "forward",
        "order in which its moves are updated after a game: forward, as played; backward, so that each moves towards"
        " the next one's new value; or end-first, the last move and then the others forward",
    )
    final: Literal["step", "set"] = setting(
        "step", "whether the value of a move that ended the game changes by one step, or is set to the reward"
    )

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner."""
        return kernel.MovePlayer(
            graph,
            gamma=self.gamma,
            worth=("made", "best", "mean").index(self.worth),
            end_first=self.order != "forward",
            backward=self.order == "backward",
            sets_final=self.final == "set",
            **self.value_arguments(learner, learns, epsilon),
        )


@dataclass(frozen=True)
class SarsaSettings(OneStepSettings):
    """SARSA: the target for a move is gamma * the value of the move that the learner makes at its next turn.

    Source: Sutton and Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.4.

    >>> SarsaSettings(alpha=0.2).worth
    'made'
    """

    worth: ClassVar[Literal["made", "best", "mean"]] = "made"


SARSA = action_value_algorithm("sarsa", SarsaSettings)


@dataclass(frozen=True)
class ExpectedSarsaSettings(OneStepSettings):
    """Expected SARSA: the target for a move is gamma * the expected value of the next turn under the current policy.

    after the game, for each of the learner's moves, in `order`:
        Q += alpha * (gamma * V - Q)          the last one: Q += alpha * (reward - Q)
        V = epsilon * (mean of Q over the actions at its next turn) + (1 - epsilon) * (highest Q there)

    The current policy uses the exploration rate of the current game. Without exploration, Expected SARSA is identical
    to Q-learning.

    Source: Sutton and Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.6, equation 6.9 (number
    not checked).

    >>> ExpectedSarsaSettings(alpha=1.0).worth
    'mean'
    """

    worth: ClassVar[Literal["made", "best", "mean"]] = "mean"


EXPECTED_SARSA = action_value_algorithm("expected-sarsa", ExpectedSarsaSettings)


@dataclass(frozen=True)
class QLearningSettings(OneStepSettings):
    """Q-learning: the target for a move is gamma * the highest value at the learner's next turn.

    Source: Watkins, Learning from Delayed Rewards, 1989; Sutton and Barto, Reinforcement Learning: An Introduction, 2nd
    edition, section 6.5.

    >>> QLearningSettings(alpha=0.2).worth
    'best'
    """

    worth: ClassVar[Literal["made", "best", "mean"]] = "best"


Q_LEARNING = action_value_algorithm("q-learning", QLearningSettings)


@dataclass(frozen=True)
class DoubleQLearningSettings(ActionValueSettings):
    """Double Q-learning: each move has two values, which are updated alternately.

    The target for one value depends on the other value.

    choose: epsilon-greedy on the mean of the two values, which is the move's amount
    learn:  after the game, for each of its own moves, from the first: let Q1 be the value whose turn it is to learn
                Q1 += alpha * (gamma * Q2(its next turn, the move with the highest Q1 there) - Q1)
            the last one: Q1 += alpha * (reward - Q1)

    If several moves have the highest Q1, the first is used. In the book, a coin toss decides which value to update. In
    this implementation, learning uses no random numbers, so the updates of a move alternate between its two values. The
    first game in which a move is made updates the move's first value. On average, this updates each value as often as a
    coin toss would, and no game updates both of a move's values. The learner stores the mean of a move's two values and
    half of their difference.

    Source: van Hasselt, Double Q-learning, Advances in Neural Information Processing Systems 23 (2010); Sutton and
    Barto, Reinforcement Learning: An Introduction, 2nd edition, section 6.7, equation 6.10 (number not checked).

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("double-q-learning", "X", alpha=0.5)
    >>> _ = machine.learn(["0", "3", "1", "4", "2"])  # the last move's first value is now 1/2, its second value 0
    >>> machine.box("XX.OO....").moves[0].amount, float(machine.learned.half_difference.sum())
    (0.25, 0.25)
    """

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Return the initial state, in which both values of each move equal the initial value."""
        learned = super().fresh(positions, side, seed)
        learned.half_difference = np.zeros(positions.move_count)
        return learned

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner."""
        return kernel.DoublePlayer(
            graph,
            gamma=self.gamma,
            half=learner.learned.half_difference,
            **self.value_arguments(learner, learns, epsilon),
        )


DOUBLE_Q_LEARNING = action_value_algorithm(
    "double-q-learning", DoubleQLearningSettings, about="a value is the mean of two values that are updated alternately"
)


@dataclass(frozen=True)
class NStepSarsaSettings(ActionValueSettings):
    """n-step SARSA: the target is the value of the learner's move n turns later, or the reward if the game ends first.

    after the game, for the learner's moves at its turns t = 1, ..., T, from the first:
        G = gamma^n * Q(its move at turn t + n), or gamma^(T - t) * reward where t + n > T
        Q += alpha * (G - Q)

    If n is 1, this algorithm is SARSA. If n is at least the number of turns in a game, this algorithm is Monte Carlo
    with a constant step size.

    Source: Sutton and Barto, Reinforcement Learning: An Introduction, 2nd edition, section 7.2, equations 7.4 and 7.5
    (numbers not checked).

    >>> from menace.learners.machine import Machine
    >>> game = ["0", "3", "1", "4", "2"]  # X has three turns and wins
    >>> for steps in (1, 2, 3):
    ...     machine = Machine("n-step-sarsa", "X", steps=steps)
    ...     print(machine.learn(game), float(machine.learned.amount.sum()))
    X 0.1
    X 0.2
    X 0.30000000000000004
    """

    steps: int = setting(
        2, "n: the number of turns after which the value of the learner's move is used as the target", 1, 1000
    )

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner."""
        turns = learner.positions.longest
        return kernel.ReturnPlayer(
            graph,
            steps=min(self.steps, turns),
            discount=self.discounts(turns),
            averages=False,
            **self.value_arguments(learner, learns, epsilon),
        )


N_STEP_SARSA = action_value_algorithm("n-step-sarsa", NStepSarsaSettings)


@dataclass(frozen=True)
class MonteCarloSettings(ActionValueSettings):
    """First-visit Monte Carlo control: the target for a move is the return, which is the game's discounted reward.

    after the game, for the learner's moves at its turns t = 1, ..., T, from the first:
        G = gamma^(T - t) * reward
        Q += alpha * (G - Q)                with `average`: n += 1, then Q += (1 / n) * (G - Q)

    With `average`, Q is the mean of the move's n returns, apart from rounding. The factor 1 / n is rounded before the
    multiplication. The formula Q += (G - Q) / n would be rounded differently and would therefore resolve some ties
    differently.

    No position can occur twice in a game, so first-visit and every-visit Monte Carlo are identical here. With alpha = 1
    and epsilon = 0, the value of a move is the reward of the last game in which it was made, and the learner always
    plays the move with the highest value.

    Source: Sutton and Barto, Reinforcement Learning: An Introduction, 2nd edition, section 5.4 (on-policy first-visit
    Monte Carlo control, for epsilon-soft policies), which uses the mean. The constant step size comes from equation 6.1
    of the same book (numbers not checked).

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("monte-carlo", "X", average=True)
    >>> for game in (["0", "3", "1", "4", "2"], ["0", "3", "1", "4", "8", "5"]):  # won, lost
    ...     print(machine.learn(game), machine.box(".........").moves[0].amount)
    X 1.0
    O 0.0
    """

    average: bool = setting(
        False,
        "the n-th return of a move changes its value by (1 / n) * (return - value), so the value is the mean of the "
        "returns, and alpha and the initial value have no effect",
    )

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner."""
        turns = learner.positions.longest
        return kernel.ReturnPlayer(
            graph,
            steps=turns,
            discount=self.discounts(turns),
            averages=self.average,
            **self.value_arguments(learner, learns, epsilon),
        )


MONTE_CARLO = action_value_algorithm("monte-carlo", MonteCarloSettings)


FEW = 2048  # every smaller count has its own table entry; the kernel uses the same limit
DIGITS = 32  # maximum number of low bits to drop from a count, which is enough for 2^43 games
PRECISION = decimal.Context(prec=28)


@dataclass(frozen=True)
class UCB1Settings(Settings):
    """UCB1: each position is a bandit. The arms of the bandit are the moves, and the payoff is the reward of the game.

    choose: a move that was never made, if there is one; else the move with the highest upper bound
                Q + exploration * sqrt(ln N / n)          made in n of the N games at this position
            ties are drawn by multiplicity, as everywhere; equivalent moves are one arm
    learn:  after the game, for each of its own moves: n += 1, then Q += (1 / n) * (reward - Q)

    Apart from rounding, Q is the mean reward of the move. The factor 1 / n is rounded before the multiplication. Two
    bounds are tied only if all their bits are equal. The formula Q += (reward - Q) / n rounds differently and would
    therefore produce different ties and different games.

    For payoffs from 0 to 1, UCB1 adds a bonus of sqrt(2 ln N / n). Payoffs from -1 to 1 require twice this bonus, so
    `exploration` is 2 sqrt(2) by default. UCB1 does not need an epsilon. The known regret bounds apply to a single
    bandit with stationary payoffs, not to a game.

    The kernel looks up the logarithms and square roots in tables. For counts of 2048 or more, only the eleven highest
    binary digits are used, so the count is at most 1/1024 too low.

    Source: Auer, Cesa-Bianchi and Fischer, Finite-time Analysis of the Multiarmed Bandit Problem, Machine Learning 47
    (2002), figure 1; Sutton and Barto, Reinforcement Learning: An Introduction, 2nd edition, section 2.7, equation 2.10
    (number not checked). Applied to whole games in this way, UCB1 is UCT (opponents/monte_carlo_search.py) without a
    growing tree.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("ucb1", "X")
    >>> machine.learn(["0", "3", "1", "4", "2"])
    'X'
    >>> [move.share for move in machine.box(".........").moves]
    [0.0, 0.8, 0.2]
    """

    exploration: float = setting(2.8284271247461903, "the factor c in the upper bound Q + c sqrt(ln N / n)", 0, 1000)
    win: float = setting(1.0, "reward for a win", -1000, 1000)
    draw: float = setting(0.0, "reward for a draw", -1000, 1000)
    loss: float = setting(-1.0, "reward for a loss", -1000, 1000)

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Return the initial state, in which the mean of every move is 0."""
        kept = positions.moved_by(side)[positions.position_of_move]
        return Learned(kept, np.zeros(positions.move_count), np.zeros(positions.move_count, np.int64))

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the policy that plays the move with the highest upper bound (`behaviour`) or mean value (`greedy`)."""
        value = learner.learned.amount if policy == "greedy" else self.bounds(learner)
        return greedy_policy(learner.positions, learner.side, value, 0.0, first_of_ties=False)

    def bounds(self, learner: LearnerState) -> NDArray[np.float64]:
        """Return an array [moves] of upper bounds. The bound of a move that was never made is infinite."""
        positions, count = learner.positions, learner.learned.count
        games = positions.sum_over_moves(count).astype(np.int64)[positions.position_of_move]
        logarithm, root = root_tables()
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (self.exploration * logarithm)[table_index(games)] / root[table_index(count)]
        return np.where(count == 0, np.inf, learner.learned.amount + reach)

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner. This player never explores at random."""
        logarithm, root = root_tables()
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


def table_index(count: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the table indices for counts. The lowest bits of counts of FEW or more are dropped.

    >>> table_index(np.array([0, 2047, 2048, 2049, 4095, 4096])).tolist()
    [0, 2047, 2048, 2048, 3071, 3072]
    """
    lost = np.maximum(np.frexp(count.astype(np.float64))[1].astype(np.int64) - FEW.bit_length() + 1, 0)
    entry: NDArray[np.int64] = lost * (FEW // 2) + (count >> lost)
    return entry


@lru_cache(maxsize=1)
def root_tables() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return tables of sqrt(ln n) and sqrt(n). In both tables, `table_index(n)` is the index for the count n.

    `decimal` computes correctly rounded logarithms, and square roots follow IEEE 754, so the tables are the same on
    every platform.

    >>> [table[[1, 4, 3072]].tolist() for table in root_tables()]  # the last entry is for 4096
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
    words="The machine stores a value for each of its moves: the mean reward of the games in which it made the move."
    " The machine plays the move with the highest bound, which is the move's value plus a bonus. The bonus is larger"
    " for rarely made moves.",
    kit_rules=None,
    site_rule=_bounds_on_site,
    pile_rule=None,
    about="a value is the mean reward of the move's n games (value += (1 / n) * (reward - value)); the learner plays"
    " the highest value + exploration * sqrt(ln N / n), where N counts all games at the position",
)
