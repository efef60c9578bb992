"""Check the claims of Gutmann et al. 2016, most of which are based on a single run by the authors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, mean_cell
from experiments.gutmann.runs import (
    BLOCK,
    END,
    FAST,
    FIRST_GAMES,
    HUMAN,
    LATE,
    LEVELS,
    MORE_GAMES,
    NUMBERS,
    SETTLED,
    SLOW,
    STAGES,
    STUCK,
    STUCK_FAST,
    TRACKED,
    VARIANTS,
    Run,
)

# The thresholds. For claims about both values of alpha, two runs with the same seed, one for each value, count as one
# run.
MOST = 0.5  # "most of the times", "most of the states": more than this share of them
SIMILAR = 0.1  # "quite similar", "similarly": shares of outcomes differ by no more than this
MUCH = 2  # "much more volatile": the mean over the seeds is larger by at least this factor
# "do not stabilize": chi-squared for ten blocks; if the shares stay the same, 1 % of runs exceed this value
UNREST = 34.8
VERY_USEFUL = 0.1  # "very useful": the mean of wins minus losses increases by at least this amount
REASONABLE = 0.1  # "a reasonable level": the share of losses exceeds that at the best level by at most this much

BEGINNING = "5, beginning"
GREEDY = "5, greedy"  # claims from the paragraph on figures 1 and 3
EXPLORING = "5, exploring"  # claims from the paragraphs on figures 2, 4 and 5
CODE, TEXT, BOOK = NUMBERS

# The text after each quotation names the measurement. The report calls the centre "the middle".
FIRST_PLAYER = Claim(
    '"the first player wins most of the times": its wins, percent',
    GREEDY,
    f"it wins more than {MOST:.0%} of the games",
)
HIGHER = Claim(
    '"the winning share of game opening player is constantly higher": runs',
    GREEDY,
    f"X is ahead after every {BLOCK} games",
)
INCREASING = Claim(
    '"draws is increasing for an increasing number of games": more draws, points',
    GREEDY,
    f"more draws in the last {LATE:,} games than in the first",
)
FASTER = Claim(
    '"For lower learning rates ... draw games is increasing faster": more draws at first, points',
    GREEDY,
    f"with alpha 0.2, more draws than with 0.8 in the first {LATE:,} games, and no fewer in the last",
)
CALMER = Claim(
    '"the development for higher levels of alpha is less volatile": mean change of draws, points',
    GREEDY,
    f"from one block of {BLOCK} games to the next, the share of draws changes less with alpha 0.8",
)
STUCK_PLAYERS = Claim(
    '"both players stuck in a given strategy": runs',
    GREEDY,
    f"the last {LATE:,} games all have the same result",
)
STILL = Claim(
    '"the value of most of the states does not change at all": share, percent',
    GREEDY,
    f"more than {MOST:.0%} of the boards that the report's program records for each side keep their value for the"
    f" last {LATE:,} games",
)
ALIKE = Claim(
    '"quite similar as in the no randomisation case": largest difference of outcomes, points',
    EXPLORING,
    f"the shares of the last {LATE:,} games differ by at most {100 * SIMILAR:.0f} points",
)
UPDATED = Claim(
    '"the values of the starting positions are constantly updated": share, percent',
    EXPLORING,
    f"more than {MOST:.0%} of the same boards change their value in the last {LATE:,} games",
)
BETTER = Claim(
    '"The first player still performs better": wins less losses, percent',
    EXPLORING,
    "X wins more of all games than O",
    hardly_fails=True,  # X also wins more often than O in random play
)
VOLATILE = Claim(
    '"With higher learning rate the values are much more volatile": at least so many times',
    EXPLORING,
    f"all four mean changes of values are at least {MUCH} times as large with alpha 0.8",
    "number",
)
UNSTABLE = Claim(
    '"the winning rates do not stabilize in 3000 iterations": runs',
    EXPLORING,
    f"with alpha 0.8, the outcomes of the last {LATE:,} games change more than chance would (a chi-squared test above"
    f" {UNREST})",
)
MIDDLE = Claim(
    '"starting in the middle ... seems to be slightly better": its value less that of the best other',
    EXPLORING,
    "its mean is the highest of X's nine",
)
BAD = Claim(
    'after the middle, O\'s states "are in general disadvantageous": the higher of two values',
    EXPLORING,
    "both means over the run are below 0",
)
CORNER = Claim(
    'after a corner, "it is better to put in the middle": its value less that of an edge',
    EXPLORING,
    "the mean value of the middle is higher",
)
OPTIMAL = Claim(
    '"strategies which are overall "optimal"": runs in which each is unbeatable',
    BEGINNING,
    "with one of the four settings, X and O are both unbeatable",
)
# The claims below were added later.
ROBOT = Claim(
    'without exploration a robot "might performed similarly against the other": largest difference, points',
    EXPLORING,
    f"the mean shares against its opponent in training differ by at most {100 * SIMILAR:.0f} points",
    "number",
)
USEFUL = {
    side: Claim(
        f'against a human, it "might be very useful" to {side}: gain in wins less losses, points',
        EXPLORING,
        f"exploration adds at least {100 * VERY_USEFUL:.0f} points against `{HUMAN}`",
        "number",
    )
    for side in ("O", "X")
}
SLOWER = Claim(
    '"With higher learning rate ... a slower convergence": thousands of games',
    EXPLORING,
    f"with alpha 0.8, it takes more games until the share of draws stays within {100 * SETTLED:.0f} points of its"
    f" mean over the last {END:,} of {MORE_GAMES:,} games",
)
REASONABLE_LEVEL = Claim(
    '0.02 "seems to be a reasonable level": more losses than at the best level, points',
    EXPLORING,
    f"the machines lose at most {100 * REASONABLE:.0f} points more to their best responses than at the "
    f"best of {len(LEVELS)} levels",
    "number",
)
OFF_POLICY = Claim(
    'Q-learning becomes optimal "according to a very exploratory policy": runs of X, of O',
    "2.5",
    f"X and O, always exploring, learn a best response to random play within {FIRST_GAMES * (2**STAGES - 1):,} games",
    "law",
)

Runs: TypeAlias = Mapping[tuple[float, float], list[Run]]  # indexed by alpha and epsilon
Judged: TypeAlias = tuple[str, NDArray[np.bool_]]  # the measurement, and the runs that agree with the claim


class Trials(NamedTuple):
    """All runs that use one set of numbers.

    Attributes:
        runs: the runs of GAMES games, for VARIANTS and for each of LEVELS with alpha 0.2.
        long: the runs of MORE_GAMES games, for SLOW and FAST.
        short_of_best: [X and O, seeds, 2], the distances of Q-learning from the best response (`falls_short`).
    """

    runs: Runs
    long: Runs
    short_of_best: NDArray[np.float64]


def findings(trials: Trials) -> list[Finding]:
    """Check all claims. All runs in `trials` use the same set of numbers."""
    runs = trials.runs
    return [
        first_player(runs),
        constantly(runs),
        *draws(runs),
        stuck(runs),
        resting(STILL, runs, (STUCK, STUCK_FAST)),
        similar(runs),
        resting(UPDATED, runs, (SLOW, FAST)),
        better(runs),
        volatile(runs),
        unstable(runs),
        MIDDLE.counted(*middle_first(runs[SLOW])),
        BAD.counted(*disadvantageous(runs[SLOW])),
        CORNER.counted(*middle_reply(runs[SLOW])),
        optimal(runs),
        robot(runs),
        *(useful(claim, runs, side) for side, claim in USEFUL.items()),
        slower(trials.long),
        reasonable(runs),
        off_policy(trials.short_of_best),
    ]


def both(shares: Sequence[NDArray[np.float64]]) -> str:
    """Return the mean shares for alpha 0.2 and for 0.8, as numbers without the percent sign."""
    return "/".join(mean_cell(100 * each) for each in shares)


def of_runs(flags: Sequence[NDArray[np.bool_]]) -> str:
    """Return the numbers of flagged runs with alpha 0.2 and with alpha 0.8, as text."""
    return "/".join(str(int(each.sum())) for each in flags)


def first_player(runs: Runs) -> Finding:
    """Check whether the first player wins most of the games if neither player explores."""
    shares = [np.array([run.shares() for run in runs[variant]]) for variant in (STUCK, STUCK_FAST)]
    return FIRST_PLAYER.counted(
        both([each[:, 0] for each in shares]),
        np.min([each[:, 0] for each in shares], axis=0) > MOST,
    )


def constantly(runs: Runs) -> Finding:
    """Check whether the first player is always ahead if neither player explores."""
    ahead = [np.array([run.leads() for run in runs[variant]]) for variant in (STUCK, STUCK_FAST)]
    return HIGHER.counted(of_runs(ahead), np.all(ahead, axis=0))


def _leads(runs: Runs, variants: Sequence[tuple[float, float]]) -> list[NDArray[np.float64]]:
    """Return X's share of wins minus O's share of wins, as an array [seeds] for each variant."""
    shares = [np.array([run.shares() for run in runs[variant]]) for variant in variants]
    return [each[:, 0] - each[:, 2] for each in shares]


def better(runs: Runs) -> Finding:
    """Check whether the first player wins more games than the second player if both explore."""
    ahead = _leads(runs, (SLOW, FAST))
    return BETTER.counted(both(ahead), np.min(ahead, axis=0) > 0)


def draws(runs: Runs) -> list[Finding]:
    """Check how much the share of draws grows if neither player explores."""
    pairs = [runs[STUCK], runs[STUCK_FAST]]
    first, last = ([np.array([run.drawn(first=early) for run in each]) for each in pairs] for early in (True, False))
    sooner, no_fewer = first[0] > first[1], last[0] >= last[1]
    swings = [np.array([run.draws_swing() for run in each]) for each in pairs]
    return [
        INCREASING.counted(
            both([b - a for a, b in zip(first, last, strict=True)]), np.all(np.greater(last, first), axis=0)
        ),
        FASTER.counted(
            both([first[0] - first[1]]),
            sooner & no_fewer,
        ),
        CALMER.counted(both(swings), swings[1] < swings[0]),
    ]


def stuck(runs: Runs) -> Finding:
    """Check whether the shares of outcomes stop changing if neither player explores."""
    alike = [np.array([run.last_shares().max() == 1 for run in runs[v]]) for v in (STUCK, STUCK_FAST)]
    return STUCK_PLAYERS.counted(of_runs(alike), np.all(alike, axis=0))


def resting(claim: Claim, runs: Runs, variants: tuple[tuple[float, float], ...]) -> Finding:
    """Check whether values stop changing (the claim STILL) or keep changing (the claim UPDATED)."""
    still = {side: [np.array([run.still(side) for run in runs[v]]) for v in variants] for side in TRACKED}
    shares = {side: each if claim is STILL else [1 - share for share in each] for side, each in still.items()}
    return claim.counted(
        both([np.min(each, axis=0) for each in zip(*shares.values(), strict=True)]),
        np.min([share for each in shares.values() for share in each], axis=0) > MOST,
    )


def _difference(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return the largest difference between the mean shares of any outcome, in percentage points."""
    return float(100 * np.abs(left.mean(axis=0) - right.mean(axis=0)).max())


def similar(runs: Runs) -> Finding:
    """Check whether the outcomes with exploration are similar to those without it."""
    last = {v: np.array([run.last_shares() for run in runs[v]]) for v in VARIANTS}
    pairs = [(last[STUCK], last[SLOW]), (last[STUCK_FAST], last[FAST])]
    apart = [np.abs(a - b).max(axis=1) for a, b in pairs]
    return ALIKE.counted("/".join(f"{_difference(*pair):.1f}" for pair in pairs), np.max(apart, axis=0) <= SIMILAR)


def volatile(runs: Runs) -> Finding:
    """Check whether values fluctuate more with the higher alpha."""
    moves = {
        what: [fmean(run.volatility(what) for run in runs[variant]) for variant in (SLOW, FAST)]
        for what in runs[SLOW][0].states
    }
    return VOLATILE.judged(
        f"{min(fast / slow for slow, fast in moves.values()):.1f}",
        all(fast >= MUCH * slow for slow, fast in moves.values()),
    )


def unstable(runs: Runs) -> Finding:
    """Check whether the shares of outcomes are still changing at the end of the runs."""
    unrest = [np.array([run.unrest() for run in runs[variant]]) for variant in (SLOW, FAST)]
    return UNSTABLE.counted(of_runs([each > UNREST for each in unrest]), unrest[1] > UNREST)


def course_mean(runs: list[Run], what: str, cells: tuple[int, ...], last: bool) -> NDArray[np.float64]:
    """Return the values of states, either after the last game or averaged over the games, as an array [runs, cells]."""
    values = np.array([run.states[what][:, cells] for run in runs])
    mean: NDArray[np.float64] = values[:, -1] if last else values.mean(axis=1)
    return mean


def middle_first(runs: list[Run], last: bool = False) -> Judged:
    """Check whether the centre is X's best opening."""
    values = course_mean(runs, "openings", tuple(range(9)), last)
    centre, others = values[:, 4], np.delete(values, 4, axis=1).max(axis=1)
    return mean_cell(centre - others, 3), centre > others


def disadvantageous(runs: list[Run], last: bool = False) -> Judged:
    """Check whether O's values are negative after X has opened in the centre."""
    values = course_mean(runs, "centre", TRACKED["O"]["centre"], last)
    return mean_cell(values.max(axis=1), 3), values.max(axis=1) < 0


def middle_reply(runs: list[Run], last: bool = False) -> Judged:
    """Check whether O values the centre more than the square beside X's corner."""
    centre, beside = course_mean(runs, "corner", (4, 1), last).T
    return mean_cell(centre - beside, 3), centre > beside


def up_to(count: int) -> str:
    """Return a phrase that states a count as an upper limit."""
    return f"up to {count}" if count else "none"


def optimal(runs: Runs) -> Finding:
    """Check whether both sides become unbeatable."""
    safe = {v: np.array([[side.loss < UNBEATEN for side in run.worst] for run in runs[v]]) for v in VARIANTS}
    x, o = np.max([each.sum(axis=0) for each in safe.values()], axis=0)
    return OPTIMAL.counted(
        f"X: {up_to(x)}, O: {up_to(o)}",
        np.any([each.all(axis=1) for each in safe.values()], axis=0),
    )


def robot(runs: Runs) -> Finding:
    """Check whether exploration changes the results against the training partner."""
    shares = [np.array([(run.met.win, run.met.draw, run.met.loss) for run in runs[v]]) for v in (STUCK, SLOW)]
    difference = _difference(*shares)
    return ROBOT.judged(f"{difference:.1f}", difference <= 100 * SIMILAR)


def useful(claim: Claim, runs: Runs, side: str) -> Finding:
    """Check whether exploration helps a side against the opponent HUMAN."""
    values = [np.array([run.human["XO".index(side)].value for run in runs[variant]]) for variant in (STUCK, SLOW)]
    gain = float(values[1].mean() - values[0].mean())
    return claim.judged(f"{100 * gain:+.1f}", gain >= VERY_USEFUL)


def slower(long: Runs) -> Finding:
    """Check whether the share of draws settles later with the higher alpha."""
    games = [np.array([run.settled_after() for run in long[variant]]) for variant in (SLOW, FAST)]
    texts = "/".join(mean_cell(each / 1000) for each in games)
    return SLOWER.counted(texts, games[1] > games[0])


def lost(runs: list[Run]) -> NDArray[np.float64]:
    """Return the exact share of games that each side loses to its best response, as an array [X and O, seeds]."""
    return np.array([[run.worst[side].loss for run in runs] for side in (0, 1)])


def reasonable(runs: Runs) -> Finding:
    """Check whether a different level of exploration makes the two machines much stronger."""
    mean = {level: float(lost(runs[SLOW[0], level]).mean()) for level in LEVELS}
    least = min(mean, key=lambda level: mean[level])
    return REASONABLE_LEVEL.judged(
        f"{100 * (mean[SLOW[1]] - mean[least]):.1f}",
        mean[SLOW[1]] - mean[least] <= REASONABLE,
    )


def off_policy(short_of_best: NDArray[np.float64]) -> Finding:
    """Check whether Q-learning learns a best response while it plays at random."""
    reached = short_of_best < UNBEATEN
    x, o = reached[:, :, 0].sum(axis=1)
    return OFF_POLICY.counted(f"{x}, {o}", reached[:, :, 0].all(axis=0))
