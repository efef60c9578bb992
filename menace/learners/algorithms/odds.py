"""Michie's 1963 program, written for the Pegasus computer. The program multiplies or divides the odds of its moves.

    choose: draw by weight; a move's probability p is its share of the weights
    learn:  after the game, for each of its own moves, n plies back from the end (the last ply is 1):
            odds p / (1 - p) *= M_n after a win, /= M_n after a loss, unchanged after a draw
            (`origin=sliding`: *= M_n ^ (result - mu), where mu is the mean of previous results, each 1, 0 or -1)
            then divide the position's weights by their sum, and raise weights below 2^-40 to 2^-40
            and update mu with each result, or with the average of each set of results (`set_size`)

Multiplying the weight of a move multiplies the move's odds by the same factor, because the other weights do not change.
M_n = A ^ (B ^ (8 - n)), where A = 1.025 is the multiplier at n = 8 and B = 2, so the multiplier is squared for each ply
nearer to the end. In Michie's plot, M_1 is infinite. Here, M_1 is `last`, which is 2^40 by default. An M_1 above 2^40
would have the same effect because weights never fall below 2^-40.

Michie's printed games omit the forced ninth move, and his n does not exceed eight. Therefore a forced last move does
not count as a ply unless `counts_forced` is set.

After game j, mu is (1 - D) / (D - D^(j + 2)) times the sum over i = 0..j of D^(j - i + 1) V_i, where V_0 = 0. Mu is
therefore a weighted mean of the outcomes, with the weights 1, D, D^2 and so on, starting with the newest outcome. The
sum s of the weights is 1 + D times the previous sum, so each outcome V changes mu by (V - mu) / s.

Source: Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963), figures 5 and 6 and table
3.
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
MULTIPLIER_AT = 8  # the n for which M_n equals A
# Powers are computed with far more digits than a double has, so they round to the same double on every platform.
EXACTLY = Context(prec=50)


@dataclass(frozen=True)
class OddsSettings(Settings):
    """The settings of Michie's program.

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("michie-1963-sliding", "O")
    >>> machine.settings == OddsSettings(origin="sliding"), machine.learned.outcome_mean
    (True, 0.0)
    """

    growth: float = setting(
        1.025,
        "Michie's A: the factor by which a win multiplies, or a loss divides, the odds of a move made eight plies"
        " before the end",
        1,
        2,
    )
    steepness: float = setting(
        2.0, "Michie's B: the factor by which the exponent of A grows for each ply nearer to the end", 1, 10
    )
    last: float = setting(
        2.0**40,
        "multiplier for the last ply, and upper limit of the multipliers for the six plies before it",
        1,
        2.0**40,
    )
    counts_forced: bool = setting(False, "whether a forced last move counts as a ply")
    origin: Literal["fixed", "sliding"] = setting(
        "fixed", "whether results are measured relative to a draw (fixed) or to the mean of past results (sliding)"
    )
    memory: float = setting(
        0.98, "Michie's D: the weight of a past result in the mean, relative to the weight of the next one", 0, 1
    )
    set_size: int = setting(
        1, "number of results that are averaged and then counted as one result in the mean", 1, 10_000
    )

    def fresh(self, positions: Positions, side: int, seed: int = 0) -> Learned:
        """Return the initial state, in which all moves of a position have equal weights."""
        kept = positions_with_choice(positions, side)[positions.position_of_move]
        moves = np.maximum(np.diff(positions.first_move), 1)
        learned = Learned(kept, 1.0 / moves[positions.position_of_move], np.zeros(positions.move_count, np.int64))
        if self.origin == "sliding":
            learned.state[OUTCOMES] = (0.0, 1.0, 0.0, 0.0)
        return learned

    def policy(self, learner: LearnerState, policy: PolicyName) -> Policy:
        """Return the policy that draws moves by weight (`behaviour`) or plays the highest-weighted move (`greedy`)."""
        positions, weight = learner.positions, learner.learned.amount
        if policy == "greedy":
            weight = best_moves(positions, learner.side, weight)
        return Policy.of_weights(positions, learner.side, weight)

    def player(
        self, learner: LearnerState, graph: kernel.Graph, learns: bool, epsilon: float = OWN
    ) -> kernel.FixedPlayer:
        """Return a kernel player for the learner. This player does not explore."""
        positions, learned = learner.positions, learner.learned
        multiplier = multipliers(self, positions.longest)
        total = np.where(positions_with_choice(positions, learner.side), 0, positions.action_counts).astype(np.int32)
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
    """Return the multiplier M_n for each n, computed from M_8 by repeatedly applying powers and roots of degree B.

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
    """Return a power that is rounded only once."""
    return float(EXACTLY.power(Decimal(float(base)), exponent))


def positions_with_choice(positions: Positions, side: int) -> NDArray[np.bool_]:
    """Return a boolean array [positions] that is true where the learner is to move and has more than one move.

    >>> from menace.games.enumeration import tictactoe
    >>> [int(positions_with_choice(tictactoe(), side).sum()) for side in (0, 1)]
    [304, 280]
    """
    return positions.moved_by(side) & (np.diff(positions.first_move) > 1)


def _on_site(_settings: OddsSettings, learner: LearnerState) -> dict[str, Any]:
    return {"kind": "odds", "boxed": positions_with_choice(learner.positions, learner.side)}


ODDS = Algorithm(
    "odds",
    "action_value",
    OddsSettings,
    words="The machine stores a weight for each of its moves, and draws moves at random in proportion to the weights.",
    kit_rules=None,
    site_rule=_on_site,
    pile_rule=None,
    amounts=(SMALLEST, 1.0),
    worth="odds",
    by_share=True,
)
