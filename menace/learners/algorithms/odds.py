"""Michie's program of 1963 for the Pegasus: the odds of the moves that were made are multiplied or divided.

    choose: pick by weight; a move's probability p is its weight's share
    learn:  after the game, for each of its own moves, n plies back from the end (the last ply is 1):
            odds p / (1 - p) *= M_n after a win, /= M_n after a loss, unchanged after a draw
            (`origin=sliding`: *= M_n ^ (result - mu), with mu the mean of past results 1, 0, -1, before this one)
            then the position's weights are divided by their sum, and none stays below 2^-40
            and mu moves on: result by result, or by the average of each set of them (`set_size`)

To multiply a weight multiplies its odds, since the others stay. M_n = A ^ (B ^ (8 - n)), with A = 1.025, the multiplier
at n = 8, and B = 2, so that each ply nearer to the end squares it. M_1 is infinite in Michie's plot; here it is `last`,
by default 2^40, beyond which the smallest weight hides any difference.

Michie's plays are printed without a ninth move, which is forced, and his n is at most eight: a last move that was
forced is not counted, but where `counts_forced` says so.

mu after the jth play is (1 - D) / (D - D^(j + 2)) times the sum over i = 0..j of D^(j - i + 1) V_i, where V_0 = 0: a
mean whose weights D, D^2, ... sum to 1 once they are divided. Divided by D they are 1, D, D^2, ..., and their sum is
s = 1 + D s of the play before, so that mu += (V - mu) / s.

Source: D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963), figures 5 and 6 and
table 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.algorithm import OUTCOMES, OWN, Algorithm, Learned, LearnerState, Settings
from menace.learners.policy import Policy, PolicyName, best_moves
from menace.learners.settings import setting

SMALLEST = 2.0**-40
MULTIPLIER_AT = 8  # the n at which M_n is A
# Powers with many more digits than a double has are the same on every machine once they are rounded to one.
EXACTLY = Context(prec=50)


@dataclass(frozen=True)
class OddsSettings(Settings):
    """Settings of Michie's program.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("michie-1963-sliding", "O")
    >>> machine.settings == OddsSettings(origin="sliding"), machine.learned.outcome_mean
    (True, 0.0)
    """

    growth: float = setting(
        1.025,
        "Michie's A: what the odds of a move are multiplied by after a win, or divided by after a loss, if it was made"
        " eight plies before the end",
        1,
        2,
    )
    steepness: float = setting(
        2.0, "Michie's B: what the exponent of A is multiplied by for each ply nearer to the end", 1, 10
    )
    last: float = setting(
        2.0**40,
        "the multiplier of a last ply; no ply nearer to the end than the eighth has a larger one",
        1,
        2.0**40,
    )
    counts_forced: bool = setting(False, "whether a last move with one cell to choose counts as a ply")
    origin: Literal["fixed", "sliding"] = setting(
        "fixed", "results count from a draw (fixed), or from the mean of past results (sliding)"
    )
    memory: float = setting(
        0.98, "Michie's D: how much a result weighs in that mean, as a share of what the next one weighs", 0, 1
    )
    set_size: int = setting(1, "how many results enter the mean at once, as their average", 1, 10_000)

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Give the moves of a position equal weights."""
        kept = choices(positions, side)[positions.position_of_move]
        moves = np.maximum(np.diff(positions.first_move), 1)
        learned = Learned(kept, 1.0 / moves[positions.position_of_move], np.zeros(positions.move_count, np.int64))
        if self.origin == "sliding":
            learned.state[OUTCOMES] = (0.0, 1.0, 0.0, 0.0)
        return learned

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the shares of the weights (`behaviour`), or the moves of highest weight (`greedy`)."""
        positions, weight = learner.positions, learner.learned.amount
        if policy == "greedy":
            weight = best_moves(positions, learner.side, weight)
        return Policy.of_weights(positions, learner.side, weight)

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it; it does not explore."""
        positions, learned = learner.positions, learner.learned
        multiplier = multipliers(self, positions.longest)
        total = np.where(choices(positions, learner.side), 0, positions.cells).astype(np.int32)
        return kernel.OddsPlayer(
            graph,
            total=total,
            value=learned.amount,
            count=learned.count,
            state=learned.state,
            side=learner.side,
            learns=learns,
            multiplier=multiplier,
            counts_forced=self.counts_forced,
            sliding=self.origin == "sliding",
            memory=self.memory,
            set_size=self.set_size,
            smallest=SMALLEST,
        )


def multipliers(settings: OddsSettings, longest: int) -> NDArray[np.float64]:
    """Return [longest + 1], M_n at n: from n = 8 by powers of B towards the end of the game, by roots away from it.

    >>> multipliers(OddsSettings(), longest=9)[5:].round(4).tolist()  # M_5 to M_9
    [1.2184, 1.1038, 1.0506, 1.025, 1.0124]
    >>> multipliers(OddsSettings(steepness=1.5), longest=9)[5:].round(4).tolist()
    [1.0869, 1.0571, 1.0377, 1.025, 1.0166]
    """
    result = np.ones(max(longest, MULTIPLIER_AT) + 1)
    result[MULTIPLIER_AT] = settings.growth
    towards = Decimal(settings.steepness)
    away = EXACTLY.divide(1, towards)
    for n in range(MULTIPLIER_AT - 1, 0, -1):
        result[n] = min(_power(result[n + 1], towards), settings.last)
    for n in range(MULTIPLIER_AT + 1, longest + 1):
        result[n] = _power(result[n - 1], away)
    result[1] = settings.last
    return result[: longest + 1]


def _power(base: float, exponent: Decimal) -> float:
    """Return a power, rounded once."""
    return float(EXACTLY.power(Decimal(float(base)), exponent))


def choices(positions: Positions, side: int) -> NDArray[np.bool_]:
    """Return [positions], where the learner has more than one move to choose from.

    >>> from menace.games.enumeration import tictactoe
    >>> [int(choices(tictactoe(), side).sum()) for side in (0, 1)]
    [304, 280]
    """
    return positions.moved_by(side) & (np.diff(positions.first_move) > 1)


def _on_site(_settings: OddsSettings, learner: LearnerState) -> dict[str, Any]:
    return {"kind": "odds", "boxed": choices(learner.positions, learner.side)}


ODDS = Algorithm(
    "odds",
    "action_value",
    OddsSettings,
    words="For each of its moves it keeps a weight, and it plays by chance, each move as often as its weight says.",
    kit_rules=None,
    site_rule=_on_site,
    pile_rule=None,
    amounts=(SMALLEST, 1.0),
    worth="odds",
    by_share=True,
)
