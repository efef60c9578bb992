"""Play the tournament of 1961, with 219 games as in Michie's figure 4, using our machines.

page.py writes the results, and figures.py draws them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.common import Bench, Machine, raw_numbers
from menace.figures.curves import FIRST_BEADS, PublishedCurve, published_curve
from menace.kernel import loop as kernel
from menace.learners.opponents.fixed import PRINTED_GAMES, SCHEDULE, corner_reply_weights, fixed_weights

MACHINES = 1000
MORE_MACHINES = 6000  # the number of machines for rare results, including the first MACHINES machines
CORNER, EDGE, CENTRE = range(3)  # the possible first moves, in the order of their positions

# These thresholds were set before the run.

# a curve is near the printed one if their mean distance is at most this many points, a tenth of the printed range
NEAR = 16.0
BAND = (5, 95)  # the percentiles of the machines' scores that limit the band
INSIDE = 0.9  # the share of the printed points that must be in the band, allowing for errors in reading them
ABANDONS = 18  # the game at which the machine "abandons all openings other than" the corner
FITS_BETTER = 2.0  # a rule fits better if at least this many times as many machines reproduce the figure with it
PROWESS = 0.8  # the minimum rank correlation between slope and exact strength for the median machine
SLOPE_GAMES = 20  # the number of games over which a slope is computed
STAGES = tuple(range(SLOPE_GAMES, PRINTED_GAMES, SLOPE_GAMES))  # numbers of games after which machines are measured
PRINTED_OUTCOMES = (55, 75, 89)  # games won, drawn and lost, counted roughly from the dots


class Rule(NamedTuple):
    """A machine and its opponent.

    Attributes:
        settings: these replace some of the preset's settings.
        otherwise: the fixed opponent that plays for Michie where no move is printed.
    """

    settings: dict[str, Any]
    otherwise: str = "perfect"


PRINTED: PublishedCurve = published_curve("1961")
RULES = {
    "resign": Rule({}),
    "restock": Rule({"when_empty": "restock"}),
    "random": Rule({"when_empty": "random"}),
    "8,4,2,1": Rule({"beads": (8, 4, 2, 1)}),
    "optimal": Rule({}, "optimal"),
}


@dataclass(frozen=True)
class Tournament:
    """The measurements of many machines over the 219 games of the tournament.

    Attributes:
        score: [machines, 220], 3 for each win, 1 for each draw and -1 for each loss, after 0 to 219 games; it stays
            constant once the first box is empty.
        beads: [machines, 220, 3], beads in the first box for a corner, an edge and the centre.
        lived: [machines], the number of games after which the first box was empty, or more than 219.
        outcomes: [machines, 3], X's wins, draws and O's wins.
    """

    score: NDArray[np.int64]
    beads: NDArray[np.int64]
    lived: NDArray[np.int64]
    outcomes: NDArray[np.int64]

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Whether the machine can still play after the last game, as a boolean array [machines]."""
        return self.lived > PRINTED_GAMES

    @property
    def in_first_box(self) -> NDArray[np.int64]:
        """The number of beads in the first box, as an array [machines, 220]."""
        beads: NDArray[np.int64] = self.beads.sum(axis=2)
        return beads

    @property
    def abandoned(self) -> NDArray[np.bool_]:
        """Whether, after game ABANDONS, the first box has beads only for a corner, as a boolean array [machines]."""
        at = self.beads[:, ABANDONS]
        abandoned: NDArray[np.bool_] = (at[:, CORNER] > 0) & (at[:, EDGE] == 0) & (at[:, CENTRE] == 0)
        return abandoned

    @property
    def opens(self) -> NDArray[np.intp]:
        """The opening with the most beads after the last game, as an array [machines]."""
        return self.beads[:, -1].argmax(axis=1)

    @property
    def near(self) -> NDArray[np.bool_]:
        """Whether the machine survived and its curve is near the printed one, as a boolean array [machines]."""
        gap = np.abs(self.score[:, PRINTED.games] - np.array(PRINTED.score))
        return self.alive & (gap.mean(axis=1) <= NEAR)

    @property
    def as_printed(self) -> NDArray[np.bool_]:
        """Whether the machine matches the printed curve, as a boolean array [machines].

        The curve of such a machine is near the printed one and never below -12, and the machine finally opens in a
        corner.
        """
        return self.near & (self.score.min(axis=1) >= -FIRST_BEADS) & (self.opens == CORNER)

    def first(self, machines: int) -> Tournament:
        """Return the tournament with only the first machines."""
        return Tournament(self.score[:machines], self.beads[:machines], self.lived[:machines], self.outcomes[:machines])

    def inside(self, which: NDArray[np.bool_]) -> float:
        """Return the fraction of printed points that lie in the band of the given machines, allowing for rounding."""
        low, high = np.percentile(self.score[which], BAND, axis=0)[:, PRINTED.games]
        score = np.array(PRINTED.score)
        return float(((score + PRINTED.exact >= low) & (score - PRINTED.exact <= high)).mean())


@lru_cache(maxsize=64)
def opponent(bench: Bench, variant: int, otherwise: str) -> kernel.FixedPlayer:
    """Return an opponent that answers the corner with one of Michie's variants and otherwise plays a fixed policy."""
    weight = corner_reply_weights(variant, fixed_weights(otherwise, bench.positions), bench.positions)
    return kernel.FixedPlayer(bench.arena.graph, weight, bench.positions.sum_over_moves(weight).astype(np.int32))


def play_one(
    bench: Bench, rule: Rule, seed: int, keep: tuple[int, ...] = ()
) -> tuple[NDArray[np.int64], NDArray[np.int64], int, NDArray[np.int64], list[Machine]]:
    """Play the tournament of a single machine.

    Returns:
        The machine's row of each array of `Tournament`, and copies of the machine after the games `keep`.
    """
    machine, numbers = bench.learner("michie-1961", "X", **rule.settings), raw_numbers(seed, 0)
    seat = machine.kernel_player(bench.arena.graph)
    score, beads = np.zeros(PRINTED_GAMES + 1, np.int64), np.zeros((PRINTED_GAMES + 1, 3), np.int64)
    outcomes, copies, lived = np.zeros(3, np.int64), [], PRINTED_GAMES + 1
    for game in range(PRINTED_GAMES + 1):
        score[game] = (3, 1, -1) @ outcomes
        beads[game] = machine.learned.amount[:3]
        if game in keep:
            copies.append(machine.copy())
        if game == PRINTED_GAMES:
            break
        variant = [variant for first, variant in SCHEDULE if first <= game + 1][-1]
        rival = opponent(bench, variant, rule.otherwise)
        played = bench.arena.play_until_ruin(seat, rival, numbers, 1, math.inf)
        if played.ruined:
            score[game:], beads[game:], lived = score[game], 0, game
            break
        outcomes += played.outcomes
    if lived > PRINTED_GAMES and rule.settings.get("when_empty", "resign") == "resign" and not beads[-1].any():
        lived = PRINTED_GAMES
    return score, beads, lived, outcomes, copies


def play_all(bench: Bench, rule: Rule, seeds: range) -> Tournament:
    """Play one tournament for each seed."""
    rows = [play_one(bench, rule, seed)[:4] for seed in seeds]
    score, beads, lived, outcomes = (np.array(column) for column in zip(*rows, strict=True))
    return Tournament(score, beads, lived, outcomes)
