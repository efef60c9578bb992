"""The claims of Gutmann et al. 2016, each told of one run, and their judgement."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
from experiments.common import UNBEATEN, percent, seeds_where, spread
from experiments.gutmann.program import (
    BLOCK,
    FAST,
    LATE,
    NUMBERS,
    SLOW,
    STEP,
    STUCK,
    STUCK_FAST,
    TRACKED,
    VARIANTS,
    Run,
)

# The thresholds. A run is one of alpha 0.2 and one of 0.8, of the same seed, where both are spoken of.
MOST = 0.5  # "most of the times", "most of the states": more than this share
SIMILAR = 0.1  # "quite similar": shares of outcomes differ by no more than this
MUCH = 2  # "much more volatile": the mean over the seeds is so many times as large
UNREST = (
    34.8  # "do not stabilize": chi-squared of ten blocks; 1 % of such runs have more where the shares stay the same
)

BEGINNING = "section 5, first paragraph"
GREEDY = "section 5, without exploration"  # the paragraph on figures 1 and 3
EXPLORING = "section 5, with epsilon 0.02"  # the paragraphs on figures 2, 4 and 5
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

Runs: TypeAlias = Mapping[tuple[float, float], list[Run]]  # by alpha and epsilon
Judged: TypeAlias = tuple[str, NDArray[np.bool_]]  # what was measured, and which runs are as claimed


def findings(code: Runs) -> list[Finding]:
    """Set what was claimed beside what was measured with the numbers of the report's program."""
    *first, alike = by_numbers(code)
    return [
        *first,
        stuck(code),
        resting(STILL, code, (STUCK, STUCK_FAST)),
        alike,
        resting(UPDATED, code, (SLOW, FAST)),
        better(code),
        volatile(code),
        unstable(code),
        MIDDLE.counted(*middle_first(code[SLOW])),
        BAD.counted(*disadvantageous(code[SLOW])),
        CORNER.counted(*middle_reply(code[SLOW])),
        optimal(code),
    ]


def by_numbers(runs: Runs) -> list[Finding]:
    """Judge what is said of games, which may hang on the numbers, by runs with the program's or with the text's."""
    return [first_player(runs), constantly(runs), *draws(runs), similar(runs)]


def first_player(runs: Runs) -> Finding:
    """Say whether the first player wins most of the times where nobody explores."""
    shares = {alpha: np.array([run.shares() for run in runs[alpha, 0.0]]) for alpha in (0.2, 0.8)}
    measured = "; ".join(
        f"alpha {alpha}: wins {percent(each[:, 0])}, draws {percent(each[:, 1])}" for alpha, each in shares.items()
    )
    return FIRST_PLAYER.counted(measured, np.min([each[:, 0] for each in shares.values()], axis=0) > MOST)


def constantly(runs: Runs) -> Finding:
    """Say whether the first player is ahead all the time where nobody explores."""
    ahead = {alpha: np.array([run.leads() for run in runs[alpha, 0.0]]) for alpha in (0.2, 0.8)}
    more = {alpha: [shares[0] - shares[2] for shares in (run.shares() for run in runs[alpha, 0.0])] for alpha in ahead}
    texts = [f"alpha {a}: in {seeds_where(each)}, in the end by {percent(more[a])}" for a, each in ahead.items()]
    measured = f"X is always ahead: {'; '.join(texts)}"
    return HIGHER.counted(measured, np.all(list(ahead.values()), axis=0))


def better(runs: Runs) -> Finding:
    """Say whether the first player wins more games than the second one where both explore."""
    shares = {alpha: np.array([run.shares() for run in runs[alpha, 0.02]]) for alpha in (0.2, 0.8)}
    ahead = {alpha: each[:, 0] - each[:, 2] for alpha, each in shares.items()}
    measured = "; ".join(f"alpha {alpha}: X wins {percent(each)} more than O" for alpha, each in ahead.items())
    return BETTER.counted(measured, np.min(list(ahead.values()), axis=0) > 0)


def draws(runs: Runs) -> list[Finding]:
    """Say how draws grow where nobody explores, and how fast."""
    slow, fast = runs[STUCK], runs[STUCK_FAST]
    first, last = (
        {alpha: np.array([run.drawn(first=early) for run in seeds]) for alpha, seeds in ((0.2, slow), (0.8, fast))}
        for early in (True, False)
    )
    sooner, no_fewer = first[0.2] > first[0.8], last[0.2] >= last[0.8]
    swings = [np.array([run.draws_swing() for run in seeds]) for seeds in (slow, fast)]
    growth = "; ".join(f"alpha {alpha} {percent(first[alpha])}, then {percent(last[alpha])}" for alpha in first)
    return [
        INCREASING.counted(
            f"drawn in the first and the last {LATE:,} games: {growth}",
            (last[0.2] > first[0.2]) & (last[0.8] > first[0.8]),
        ),
        FASTER.counted(
            f"drawn in the first {LATE:,} games with 0.2, less with 0.8: {percent(first[0.2] - first[0.8])}, above 0 "
            f"in {seeds_where(sooner)}; no fewer in the last in {seeds_where(no_fewer)}",
            sooner & no_fewer,
        ),
        CALMER.counted(
            f"from {BLOCK} games to the next, the share of draws moves by {percent(swings[0])} with alpha 0.2, by "
            f"{percent(swings[1])} with 0.8",
            swings[1] < swings[0],
        ),
    ]


def stuck(runs: Runs) -> Finding:
    """Say whether play comes to rest where nobody explores."""
    slow, fast = runs[STUCK], runs[STUCK_FAST]
    alike = [np.array([run.last_shares().max() == 1 for run in seeds]) for seeds in (slow, fast)]
    drawn = percent(run.drawn(first=False) for run in fast)
    return STUCK_PLAYERS.counted(
        f"the last {LATE:,} games end alike: alpha 0.2: in {seeds_where(alike[0])}; 0.8: in {seeds_where(alike[1])} "
        f"(drawn {drawn})",
        alike[0] & alike[1],
    )


def resting(claim: Claim, runs: Runs, variants: tuple[tuple[float, float], ...]) -> Finding:
    """Say whether values come to rest, as STILL has it, or do not, as UPDATED has it."""
    still = {
        f"alpha {variant[0]}, {side}": np.array([run.still(side) for run in runs[variant]])
        for variant in variants
        for side in TRACKED
    }
    shares = still if claim is STILL else {name: 1 - share for name, share in still.items()}
    texts = [f"{name}: {percent(share)}" for name, share in shares.items()]
    return claim.counted(
        f"of nine states of each side {'stand still' if claim is STILL else 'change'}: {'; '.join(texts)}",
        np.min(list(shares.values()), axis=0) > MOST,
    )


def similar(runs: Runs) -> Finding:
    """Say whether games end as they do where nobody explores."""
    texts, apart = [], []
    for alpha in (0.2, 0.8):
        greedy, exploring = (np.array([run.last_shares() for run in runs[alpha, e]]) for e in (0.0, 0.02))
        apart.append(np.abs(greedy - exploring).max(axis=1))
        percentages = [
            " / ".join(f"{100 * share:.1f}" for share in shares.mean(axis=0)) for shares in (greedy, exploring)
        ]
        texts.append(f"alpha {alpha}: {percentages[0]} % without, {percentages[1]} % with")
    return ALIKE.counted(
        f"X wins, drawn, O wins of the last {LATE:,} games, mean of the seeds: {'; '.join(texts)}",
        np.max(apart, axis=0) <= SIMILAR,
    )


def volatile(runs: Runs) -> Finding:
    """Say with which alpha values move more."""
    moves = {
        what: [fmean(run.volatility(what) for run in runs[variant]) for variant in (SLOW, FAST)]
        for what in runs[SLOW][0].states
    }
    texts = [f"{what} {slow:.4f} and {fast:.4f}" for what, (slow, fast) in moves.items()]
    return VOLATILE.judged(
        f"they move within {STEP} games by, on average with alpha 0.2 and with 0.8: {'; '.join(texts)}",
        all(fast >= MUCH * slow for slow, fast in moves.values()),
    )


def unstable(runs: Runs) -> Finding:
    """Say whether outcomes still change at the end."""
    unrest = {alpha: np.array([run.unrest() for run in runs[alpha, 0.02]]) for alpha in (0.2, 0.8)}
    texts = [f"alpha {a}: {spread(each, 0)}, in {seeds_where(each > UNREST)}" for a, each in unrest.items()]
    return UNSTABLE.counted(
        f"chi-squared of the last {LATE:,} games; above {UNREST} is more than chance: {'; '.join(texts)}",
        unrest[0.8] > UNREST,
    )


def course_mean(runs: list[Run], what: str, cells: tuple[int, ...], last: bool) -> NDArray[np.float64]:
    """Return values of states [runs, cells]: their mean over the games, or what they were after the last one."""
    values = np.array([run.states[what][:, cells] for run in runs])
    mean: NDArray[np.float64] = values[:, -1] if last else values.mean(axis=1)
    return mean


def middle_first(runs: list[Run], last: bool = False) -> Judged:
    """Say whether the centre is X's best opening."""
    values = course_mean(runs, "openings", tuple(range(9)), last)
    centre, others = values[:, 4], np.delete(values, 4, axis=1).max(axis=1)
    return f"X's value of the centre {spread(centre)}; of the best other {spread(others)}", centre > others


def disadvantageous(runs: list[Run], last: bool = False) -> Judged:
    """Say whether O thinks little of what it can have after the middle."""
    values = course_mean(runs, "centre", TRACKED["O"]["centre"], last)
    texts = [f"{name} {spread(each)}" for name, each in zip(("corner", "edge"), values.T, strict=True)]
    return f"O's value of its replies: {'; '.join(texts)}", values.max(axis=1) < 0


def middle_reply(runs: list[Run], last: bool = False) -> Judged:
    """Say whether the centre is worth more to O after a corner than the square beside it."""
    centre, beside = course_mean(runs, "corner", (4, 1), last).T
    return f"O's value of the centre {spread(centre)}; of the square beside it {spread(beside)}", centre > beside


def optimal(runs: Runs) -> Finding:
    """Say whether both sides learn to play so that nobody can beat them."""
    safe = {v: np.array([[side.loss < UNBEATEN for side in run.worst] for run in runs[v]]) for v in VARIANTS}
    texts = [f"alpha {a}, epsilon {e:g}: X {each[:, 0].sum()}, O {each[:, 1].sum()}" for (a, e), each in safe.items()]
    return OPTIMAL.counted(
        f"nobody can beat, of {len(runs[SLOW])}: {'; '.join(texts)}",
        np.any([each.all(axis=1) for each in safe.values()], axis=0),
    )
