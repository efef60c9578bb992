"""The claims of Gutmann et al. 2016, most of which its authors saw in one run, and how we judge them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN
from experiments.gutmann.program import (
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
from experiments.page import ranged

# The thresholds. If a claim names both values of alpha, a run is one of each, with the same seed.
MOST = 0.5  # "most of the times", "most of the states": more than this share
SIMILAR = 0.1  # "quite similar", "similarly": shares of outcomes differ by no more than this
MUCH = 2  # "much more volatile": the mean over the seeds is at least this many times as large
UNREST = 34.8  # "do not stabilize": chi-squared of ten blocks; if the shares stay the same, 1 % of runs exceed it
VERY_USEFUL = 0.1  # "very useful": the mean of wins less losses grows by this much
REASONABLE = 0.1  # "a reasonable level": the machines lose at most this much more than at the best level

BEGINNING = "5, beginning"
GREEDY = "5, no exploration"  # the paragraph on figures 1 and 3
EXPLORING = "5, epsilon 0.02"  # the paragraphs on figures 2, 4 and 5
CODE, TEXT, BOOK = NUMBERS

FIRST_PLAYER, HIGHER, INCREASING, FASTER, CALMER, ALIKE = (
    Claim(f'"{quoted}"', place, holds_if)
    for quoted, place, holds_if in (
        (
            "the first player wins most of the times",
            GREEDY,
            f"with either alpha it wins more than {MOST:.0%} of the games",
        ),
        (
            "In all cases the winning share of game opening player is constantly higher",
            GREEDY,
            f"after every {BLOCK} games X has won more of them than O, with either alpha",
        ),
        (
            "the number of shares of draws is increasing for an increasing number of games",
            GREEDY,
            f"more draws in the last {LATE:,} games than in the first, with either alpha",
        ),
        (
            "For lower learning rates the share of draw games is increasing faster",
            GREEDY,
            f"with 0.2 more draws than with 0.8 in the first {LATE:,} games, and no fewer in the last",
        ),
        (
            "the development for higher levels of alpha is less volatile",
            GREEDY,
            f"from {BLOCK} games to the next, the share of draws moves less with 0.8",
        ),
        (
            "The final results of the games looks quite similar as in the no randomisation case",
            EXPLORING,
            f"with either alpha the shares of the last {LATE:,} games are at most {100 * SIMILAR:.0f} points apart",
        ),
    )
)
STUCK_PLAYERS = Claim(
    '"both players stuck in a given strategy (a local optimum)"',
    GREEDY,
    f"with either alpha the last {LATE:,} games all end alike",
)
STILL = Claim(
    '"the value of most of the states does not change at all for both players" (figure 3)',
    GREEDY,
    f"of the nine states of each side that are recorded more than {MOST:.0%} keep their value through the last "
    f"{LATE:,} games, with either alpha",
)
UPDATED = Claim(
    'with randomisation "the values of the starting positions are constantly updated"',
    EXPLORING,
    f"of the same states more than {MOST:.0%} change in the last {LATE:,} games, with either alpha",
)
BETTER = Claim(
    '"The first player still performs better in general"',
    EXPLORING,
    "X wins more of all games than O, with either alpha",
    hardly_fails=True,  # X wins more often than O in random play, too
)
VOLATILE = Claim(
    '"With higher learning rate the values are much more volatile"',
    EXPLORING,
    f"X's openings, and O's replies to each, move {MUCH} times as far with 0.8, in the mean",
    "number",
)
UNSTABLE = Claim(
    'with the higher learning rate "the winning rates do not stabilize in 3000 iterations"',
    EXPLORING,
    f"the outcomes of the last {LATE:,} games, by {BLOCK}, differ by more than chance (chi-squared above {UNREST})",
)
MIDDLE, BAD, CORNER = (
    Claim(text, EXPLORING, f"with alpha {SLOW[0]}, in the mean of the run, {holds_if}")
    for text, holds_if in (
        (
            '"starting in the middle (green dashed line) seems to be slightly better than any other starting point"',
            "its value is the highest of X's nine",
        ),
        (
            '"states which are available after the first player started at the middle are in general disadvantageous"',
            "both of those recorded are worth less than 0 to O",
        ),
        (
            'of a corner: "it is better to put in the middle (brown solid line) than to put next to the first player"',
            "the middle is worth more to O, of the two states recorded",
        ),
    )
)
OPTIMAL = Claim(
    '"the algorithm still achieves strategies which are overall "optimal""',
    BEGINNING,
    "with at least one of the four settings nobody can beat X, nor O, playing greedily after the last game",
)

# The claims below were added later. Alpha is 0.2 in all but SLOWER.
ROBOT = Claim(
    '"the robot trained with no randomization might performed similarly against the other robot player"',
    EXPLORING,
    f"trained with epsilon 0 and 0.02, X's mean shares of wins, draws and losses against its own partner differ by at "
    f"most {100 * SIMILAR:.0f} points, both greedy, exactly",
    "number",
)
USEFUL = {
    side: Claim(
        f'against a human, "this plus information might be very useful": to {side}',
        EXPLORING,
        f"against `{HUMAN}`, greedy and exactly, its mean of wins less losses is at least "
        f"{100 * VERY_USEFUL:.0f} points higher if it was trained with epsilon 0.02",
        "number",
    )
    for side in ("O", "X")
}
SLOWER = Claim(
    'with the higher learning rate "overall, a slower convergence"',
    EXPLORING,
    f"with 0.8 it takes more games until the share of draws, by {LATE:,} games, stays within {100 * SETTLED:.0f} "
    f"points of its mean over the last {END:,} of {MORE_GAMES:,} games",
)
REASONABLE_LEVEL = Claim(
    '"We tried different levels of randomisation and this seems to be a reasonable level"',
    EXPLORING,
    f"with epsilon 0.02, the two machines lose to their best responses at most {100 * REASONABLE:.0f} points more, "
    f"in the mean, than with the best of {len(LEVELS)} levels",
    "number",
)
OFF_POLICY = Claim(
    '"the optimal policy is reached even when actions are selected according to a very exploratory policy"',
    "2.5",
    f"Q-learning that plays at random, after {FIRST_GAMES * (2**STAGES - 1):,} games against random play: greedy, X "
    "and O achieve exactly as much as the best response",
    "law",
    hardly_fails=True,  # it is a theorem
)

Runs: TypeAlias = Mapping[tuple[float, float], list[Run]]  # by alpha and epsilon
Judged: TypeAlias = tuple[str, NDArray[np.bool_]]  # what was measured, and which runs are as claimed


class Trials(NamedTuple):
    """All runs with one set of numbers.

    Attributes:
        runs: those of GAMES games, for VARIANTS and for each of LEVELS with alpha 0.2.
        long: those of MORE_GAMES games, for SLOW and FAST.
        short_of_best: [X and O, seeds], what Q-learning falls short of the best response.
    """

    runs: Runs
    long: Runs
    short_of_best: NDArray[np.float64]


def findings(trials: Trials) -> list[Finding]:
    """Judge all claims by the runs with one set of numbers."""
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


def mean_text(values: NDArray[np.float64], digits: int = 1) -> str:
    """Return mean ± standard deviation over the seeds, and the range."""
    low, high = (f"{value:.{digits}f}" for value in (values.min(), values.max()))
    return f"{values.mean():.{digits}f} ± {values.std(ddof=1):.{digits}f}" + ranged(low, high)


def both(shares: Sequence[NDArray[np.float64]]) -> str:
    """Return the means of shares with alpha 0.2 and with 0.8, in percent but without its sign."""
    return " / ".join(mean_text(100 * np.round(each, 9)) for each in shares)


def of_runs(flags: Sequence[NDArray[np.bool_]]) -> str:
    """Return the number of runs with alpha 0.2 and with 0.8."""
    return " / ".join(str(int(each.sum())) for each in flags)


def first_player(runs: Runs) -> Finding:
    """Judge whether the first player wins most games if nobody explores."""
    shares = [np.array([run.shares() for run in runs[variant]]) for variant in (STUCK, STUCK_FAST)]
    return FIRST_PLAYER.counted(
        f"X wins {both([each[:, 0] for each in shares])} %, draws {both([each[:, 1] for each in shares])} %",
        np.min([each[:, 0] for each in shares], axis=0) > MOST,
    )


def constantly(runs: Runs) -> Finding:
    """Judge whether the first player is always ahead if nobody explores."""
    ahead = [np.array([run.leads() for run in runs[variant]]) for variant in (STUCK, STUCK_FAST)]
    more = _leads(runs, (STUCK, STUCK_FAST))
    return HIGHER.counted(
        f"X is always ahead in {of_runs(ahead)} runs, at the end by {both(more)} points", np.all(ahead, axis=0)
    )


def _leads(runs: Runs, variants: Sequence[tuple[float, float]]) -> list[NDArray[np.float64]]:
    """Return [variants] of [seeds], X's share of wins less O's."""
    shares = [np.array([run.shares() for run in runs[variant]]) for variant in variants]
    return [each[:, 0] - each[:, 2] for each in shares]


def better(runs: Runs) -> Finding:
    """Judge whether the first player wins more games than the second if both explore."""
    ahead = _leads(runs, (SLOW, FAST))
    return BETTER.counted(f"X is ahead by {both(ahead)} points", np.min(ahead, axis=0) > 0)


def draws(runs: Runs) -> list[Finding]:
    """Judge how the share of draws grows if nobody explores."""
    pairs = [runs[STUCK], runs[STUCK_FAST]]
    first, last = ([np.array([run.drawn(first=early) for run in each]) for each in pairs] for early in (True, False))
    sooner, no_fewer = first[0] > first[1], last[0] >= last[1]
    swings = [np.array([run.draws_swing() for run in each]) for each in pairs]
    return [
        INCREASING.counted(
            f"first {LATE:,} games {both(first)} %, last {both(last)} %", np.all(np.greater(last, first), axis=0)
        ),
        FASTER.counted(
            f"first {LATE:,} games {mean_text(100 * np.round(first[0] - first[1], 9))} points more with 0.2 (more in "
            f"{sooner.sum()} runs), last {LATE:,} no fewer in {no_fewer.sum()} runs",
            sooner & no_fewer,
        ),
        CALMER.counted(f"it moves by {both(swings)} points", swings[1] < swings[0]),
    ]


def stuck(runs: Runs) -> Finding:
    """Judge whether play comes to rest if nobody explores."""
    alike = [np.array([run.last_shares().max() == 1 for run in runs[v]]) for v in (STUCK, STUCK_FAST)]
    return STUCK_PLAYERS.counted(f"all alike in {of_runs(alike)} runs", np.all(alike, axis=0))


def resting(claim: Claim, runs: Runs, variants: tuple[tuple[float, float], ...]) -> Finding:
    """Judge whether values come to rest, for the claim STILL, or do not, for UPDATED."""
    still = {side: [np.array([run.still(side) for run in runs[v]]) for v in variants] for side in TRACKED}
    shares = {side: each if claim is STILL else [1 - share for share in each] for side, each in still.items()}
    return claim.counted(
        ", ".join(f"{side} {both(each)} %" for side, each in shares.items()),
        np.min([share for each in shares.values() for share in each], axis=0) > MOST,
    )


def _shares_text(shares: NDArray[np.float64]) -> str:
    """Return mean shares of X's wins, draws and O's wins in percent."""
    return ", ".join(f"{100 * share:.1f}" for share in shares.mean(axis=0))


def similar(runs: Runs) -> Finding:
    """Judge whether games end as they do if nobody explores."""
    last = {v: np.array([run.last_shares() for run in runs[v]]) for v in VARIANTS}
    apart = [np.abs(last[a] - last[b]).max(axis=1) for a, b in ((STUCK, SLOW), (STUCK_FAST, FAST))]
    without, explored = (
        " / ".join(_shares_text(last[v]) for v in pair) for pair in ((STUCK, STUCK_FAST), (SLOW, FAST))
    )
    return ALIKE.counted(
        f"X wins, draws, O wins: {without} % without, {explored} % with", np.max(apart, axis=0) <= SIMILAR
    )


def volatile(runs: Runs) -> Finding:
    """Judge with which alpha values move more."""
    moves = {
        what: [fmean(run.volatility(what) for run in runs[variant]) for variant in (SLOW, FAST)]
        for what in runs[SLOW][0].states
    }
    return VOLATILE.judged(
        ", ".join(f"{what} {slow:.4f} / {fast:.4f}" for what, (slow, fast) in moves.items()),
        all(fast >= MUCH * slow for slow, fast in moves.values()),
    )


def unstable(runs: Runs) -> Finding:
    """Judge whether outcomes still change at the end."""
    unrest = [np.array([run.unrest() for run in runs[variant]]) for variant in (SLOW, FAST)]
    texts = " / ".join(mean_text(each, 0) for each in unrest)
    return UNSTABLE.counted(
        f"chi-squared {texts}, above in {of_runs([each > UNREST for each in unrest])} runs", unrest[1] > UNREST
    )


def course_mean(runs: list[Run], what: str, cells: tuple[int, ...], last: bool) -> NDArray[np.float64]:
    """Return values of states [runs, cells]: their mean over the games, or their values after the last game."""
    values = np.array([run.states[what][:, cells] for run in runs])
    mean: NDArray[np.float64] = values[:, -1] if last else values.mean(axis=1)
    return mean


def middle_first(runs: list[Run], last: bool = False) -> Judged:
    """Judge whether the centre is X's best opening."""
    values = course_mean(runs, "openings", tuple(range(9)), last)
    centre, others = values[:, 4], np.delete(values, 4, axis=1).max(axis=1)
    return f"centre {mean_text(centre, 3)}, best other {mean_text(others, 3)}", centre > others


def disadvantageous(runs: list[Run], last: bool = False) -> Judged:
    """Judge whether O's values are negative after X's opening in the centre."""
    values = course_mean(runs, "centre", TRACKED["O"]["centre"], last)
    texts = [f"{name} {mean_text(each, 3)}" for name, each in zip(("corner", "edge"), values.T, strict=True)]
    return ", ".join(texts), values.max(axis=1) < 0


def middle_reply(runs: list[Run], last: bool = False) -> Judged:
    """Judge whether O values the centre more than the square beside X's corner."""
    centre, beside = course_mean(runs, "corner", (4, 1), last).T
    return f"centre {mean_text(centre, 3)}, beside it {mean_text(beside, 3)}", centre > beside


def optimal(runs: Runs) -> Finding:
    """Judge whether both sides learn to play so that nobody can beat them."""
    safe = {v: np.array([[side.loss < UNBEATEN for side in run.worst] for run in runs[v]]) for v in VARIANTS}
    counts = {v: f"X {each[:, 0].sum()}, O {each[:, 1].sum()}" for v, each in safe.items()}
    return OPTIMAL.counted(
        f"unbeaten with epsilon 0.02: {counts[SLOW]} / {counts[FAST]}; with 0: {counts[STUCK]} / {counts[STUCK_FAST]}",
        np.any([each.all(axis=1) for each in safe.values()], axis=0),
    )


def robot(runs: Runs) -> Finding:
    """Judge whether exploration changes the result against the partner."""
    shares = [np.array([(run.met.win, run.met.draw, run.met.loss) for run in runs[v]]) for v in (STUCK, SLOW)]
    return ROBOT.judged(
        f"X wins, draws, loses {_shares_text(shares[0])} % without, {_shares_text(shares[1])} % with",
        bool(np.abs(shares[0].mean(axis=0) - shares[1].mean(axis=0)).max() <= SIMILAR),
    )


def useful(claim: Claim, runs: Runs, side: str) -> Finding:
    """Judge whether exploration helps a side against HUMAN."""
    values = [np.array([run.human["XO".index(side)].value for run in runs[variant]]) for variant in (STUCK, SLOW)]
    texts = [mean_text(100 * each) for each in values]
    return claim.judged(
        f"{texts[0]} points without, {texts[1]} with", bool(values[1].mean() - values[0].mean() >= VERY_USEFUL)
    )


def slower(long: Runs) -> Finding:
    """Judge with which alpha the share of draws settles later."""
    games = [np.array([run.settled_after() for run in long[variant]]) for variant in (SLOW, FAST)]
    texts = " / ".join(mean_text(each / 1000) for each in games)
    return SLOWER.counted(f"after {texts} thousand games", games[1] > games[0])


def lost(runs: list[Run]) -> NDArray[np.float64]:
    """Return [X and O, seeds], the share of games that each loses to its best response, exactly."""
    return np.array([[run.worst[side].loss for run in runs] for side in (0, 1)])


def reasonable(runs: Runs) -> Finding:
    """Judge whether another level of exploration makes the two machines much stronger."""
    mean = {level: float(lost(runs[SLOW[0], level]).mean()) for level in LEVELS}
    least = min(mean, key=lambda level: mean[level])
    return REASONABLE_LEVEL.judged(
        f"they lose {100 * mean[SLOW[1]]:.1f} %, and least, {100 * mean[least]:.1f} %, with epsilon {least:g}",
        mean[SLOW[1]] - mean[least] <= REASONABLE,
    )


def off_policy(short_of_best: NDArray[np.float64]) -> Finding:
    """Judge whether Q-learning that plays at random learns a best response."""
    reached = short_of_best < UNBEATEN
    x, o = reached.sum(axis=1)
    return OFF_POLICY.counted(f"X in {x}, O in {o} runs", reached.all(axis=0))
