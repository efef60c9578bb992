"""Michie's program of 1963 for the Pegasus: the odds of the moves that were made are multiplied or divided.

    choose: pick by weight; a move's probability p is its weight's share
    learn:  after the game, for each of its own moves, n plies back from the end (the last ply is 1):
            odds p / (1 - p) *= M_n after a win, /= M_n after a loss, unchanged after a draw
            (`origin=sliding`: *= M_n ^ (result - mu), with mu the mean of past results 1, 0, -1:
             mu = memory * mu + (1 - memory) * result, after the game)
            then the position's weights are divided by their sum, and none stays below 2^-40

To multiply a weight multiplies its odds, since the others stay. M_n = growth ^ (2 ^ (8 - n)): 1.025 at n = 8, squared
for each ply nearer to the end. M_1 is infinite in Michie's plot; here it is `last`, by default 2^40, beyond which the
smallest weight hides any difference.

Source: D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963), figure 6 and table 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from menace import kernel
from menace.colours import MICHIE
from menace.games.positions import Positions
from menace.learners.base import BOTH, Algorithm, Learned, Policy, PolicyKind, Preset, no_resigning
from menace.learners.settings import bounded, check

SMALLEST = 2.0**-40
GROWTH_AT = 8  # the n at which M_n is `growth`


@dataclass(frozen=True)
class OddsSettings:
    """Settings of Michie's program.

    Attributes:
        growth: what the odds of a move are multiplied by after a win, or divided by after a loss, if it was made eight
            plies before the end; squared for each ply nearer to it.
        last: the same for a last ply.
        origin: results count from a draw (`fixed`), or from the mean of past results (`sliding`).
        memory: how much of that mean is kept at each game (Michie's decay D).

    >>> from menace.learners.machine import Machine
    >>> machine = Machine("michie-1963-sliding", "O")
    >>> machine.settings == OddsSettings(origin="sliding"), machine.learned.outcome_mean
    (True, 0.0)
    """

    growth: float = bounded(1.025, 1, 2)
    last: float = bounded(2.0**40, 1, 2.0**40)
    origin: Literal["fixed", "sliding"] = "fixed"
    memory: float = bounded(0.98, 0, 1)

    def __post_init__(self) -> None:
        check(self)

    def fresh(self, positions: Positions, side: int) -> Learned:
        """Give the moves of a position equal weights."""
        kept = choices(positions, side)[positions.position_of_move]
        moves = np.maximum(np.diff(positions.first_move), 1)
        learned = Learned(kept, 1.0 / moves[positions.position_of_move], np.zeros(positions.move_count, np.int64))
        if self.origin == "sliding":
            learned.state[1] = 0.0
        return learned

    def policy(self, positions: Positions, side: int, learned: Learned, kind: PolicyKind) -> Policy:
        """Return the shares of the weights (`behaviour`), or the moves of highest weight (`greedy`)."""
        weight = learned.amount
        if kind == "greedy":
            weight = (weight == positions.most_of_moves(weight)[positions.position_of_move]) * positions.multiplicity
        return Policy(positions, side, ((1.0, weight),), no_resigning(positions))

    def player(
        self, graph: kernel.Graph, positions: Positions, side: int, learned: Learned, learns: bool
    ) -> kernel.FixedPlayer:
        """Return the learner as the kernel plays it; it does not explore."""
        total = np.where(choices(positions, side), 0, positions.cells).astype(np.int32)
        return kernel.OddsPlayer(
            graph,
            total=total,
            value=learned.amount,
            count=learned.count,
            state=learned.state,
            side=side,
            learns=learns,
            multiplier=multipliers(self, positions.longest),
            sliding=self.origin == "sliding",
            memory=self.memory,
            smallest=SMALLEST,
        )


def multipliers(settings: OddsSettings, longest: int) -> NDArray[np.float64]:
    """Return [longest + 1], M_n at n: by repeated squaring towards the end of the game, square roots away from it.

    Multipliers above `last` are `last`.

    >>> multipliers(OddsSettings(), longest=9)[5:].round(4).tolist()  # M_5 to M_9
    [1.2184, 1.1038, 1.0506, 1.025, 1.0124]
    """
    result = np.ones(longest + 1)
    if longest >= GROWTH_AT:
        result[GROWTH_AT] = settings.growth
    else:
        result[longest] = settings.growth
        for _ in range(GROWTH_AT - longest):
            result[longest] *= result[longest]
    for n in range(min(longest, GROWTH_AT) - 1, 0, -1):
        result[n] = min(result[n + 1] * result[n + 1], settings.last)
    for n in range(GROWTH_AT + 1, longest + 1):
        result[n] = np.sqrt(result[n - 1])
    result[1] = settings.last
    return result


def choices(positions: Positions, side: int) -> NDArray[np.bool_]:
    """Return [positions], where the learner has more than one move to choose from.

    >>> from menace.games.enumeration import tictactoe
    >>> [int(choices(tictactoe(), side).sum()) for side in (0, 1)]
    [304, 280]
    """
    return positions.moved_by(side) & (np.diff(positions.first_move) > 1)


ODDS = Algorithm("odds", "action_value", OddsSettings, amounts=(SMALLEST, 1.0), worth="odds", by_share=True)

MICHIE_1963 = (
    "D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963),"
    " doi.org/10.1093/comjnl/6.3.232"
)
ODDS_PRESETS = {
    "michie-1963": Preset(
        "odds",
        OddsSettings(),
        BOTH,
        "the Pegasus program: odds are multiplied and divided",
        f"{MICHIE_1963}, figure 6. M_1, infinite there, is 2^40 here.",
        MICHIE,
    ),
    "michie-1963-sliding": Preset(
        "odds",
        OddsSettings(origin="sliding"),
        BOTH,
        "its improved form: results count from their own mean",
        f"{MICHIE_1963}, table 3. M_1, infinite there, is 2^40 here; the decay D of the mean, 0.98, is ours.",
        MICHIE,
    ),
}
