"""The claims of Gutmann et al. 2016, each told of one run, and their judgement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import TypeAlias

import numpy as np

from reproductions.claims import Claim, Finding
from reproductions.common import percent, seeds_where, spread
from reproductions.gutmann_figures import OPENINGS, REPLIES, Cells
from reproductions.gutmann_run import BLOCK, FAST, LATE, NUMBERS, SLOW, STEP, STUCK, STUCK_FAST, Run

# The thresholds. A run is one of alpha 0.2 and one of 0.8, of the same seed, where both are spoken of.
MOST = 0.5  # "most of the times", "most of the states": more than this share
SIMILAR = 0.1  # "quite similar": shares of outcomes differ by no more than this
MUCH = 2  # "much more volatile": the mean over the seeds is so many times as large

GREEDY = "section 5, without exploration"  # the paragraph on figures 1 and 3
EXPLORING = "section 5, with epsilon 0.02"  # the paragraphs on figures 2, 4 and 5
CODE, TEXT = "the program's numbers", "the text's numbers"

FIRST_PLAYER = {
    name: Claim(
        f'"the first player wins most of the times" ({name})',
        GREEDY,
        f"with either alpha it wins more than {MOST:.0%} of the games",
    )
    for name in NUMBERS
}
HIGHER, BETTER = (
    Claim(f'"{quoted}"', place, "X wins more of all games than O, with either alpha")
    for quoted, place in (
        ("the winning share of game opening player is constantly higher", GREEDY),
        ("The first player still performs better in general", EXPLORING),
    )
)
INCREASING, FASTER, CALMER = (
    {name: Claim(f'"{quoted}" ({name})', GREEDY, holds_if) for name in (CODE, TEXT)}
    for quoted, holds_if in (
        (
            "the number of shares of draws is increasing for an increasing number of games",
            f"more draws in the last {LATE:,} games than in the first, with either alpha",
        ),
        (
            "For lower learning rates the share of draw games is increasing faster",
            f"with 0.2 more draws than with 0.8 in the first {LATE:,} games, and no fewer in the last",
        ),
        (
            "the development for higher levels of alpha is less volatile",
            f"from {BLOCK} games to the next, the share of draws moves less with 0.8",
        ),
    )
)
STUCK_PLAYERS = Claim(
    '"both players stuck in a given strategy (a local optimum)"',
    GREEDY,
    f"with either alpha the last {LATE:,} games all end alike",
)
STILL = Claim(
    '"the value of most of the states does not change at all for both players"',
    GREEDY,
    f"of X's nine openings, and of O's sixteen replies to the centre and to a corner, more than {MOST:.0%} keep their "
    f"value through the last {LATE:,} games, with either alpha",
)
ALIKE = Claim(
    '"The final results of the games looks quite similar as in the no randomisation case"',
    EXPLORING,
    f"with either alpha the shares of the last {LATE:,} games are at most {100 * SIMILAR:.0f} points apart",
)
VOLATILE = Claim(
    '"With higher learning rate the values are much more volatile"',
    EXPLORING,
    f"X's openings, and O's replies to the centre and to a corner, move {MUCH} times as far with 0.8, in the mean",
    "number",
)
MIDDLE = '"starting in the middle (green dashed line) seems to be slightly better than any other starting point"'
LONG = "the same, alpha 0.2, ten times the games"
CENTRE_FIRST = tuple(
    Claim(text, EXPLORING, "its value is the highest")
    for text in (
        f"{MIDDLE} (alpha 0.2, mean of the run)",
        "the same, after the last game",
        "the same, alpha 0.8, mean of the run",
        f"{LONG}, mean of the run",
    )
)
BAD = '"states which are available after the first player started at the middle are in general disadvantageous"'
DISADVANTAGEOUS = tuple(
    Claim(text, EXPLORING, "O's corners and its edges are worth less than 0 to it")
    for text in (f"{BAD} (alpha 0.2)", "the same, alpha 0.8", LONG)
)
CORNER = (
    '"if the first player starts at the corner it is better to put in the middle (brown solid line) than to put next '
    'to the first player"'
)
CENTRE_REPLIES = tuple(
    Claim(text, EXPLORING, "its value is the highest")
    for text in (f"{CORNER} (alpha 0.2)", "the same, alpha 0.8", LONG)
)

BESIDE = {kind: REPLIES["corner"][kind] for kind in ("centre", "square beside it")}
Runs: TypeAlias = Mapping[tuple[float, float], list[Run]]  # by alpha and epsilon


def of_kind(run: Run, what: str, cells: tuple[int, ...], last: bool = False) -> float:
    """Return the value of a kind of state: its mean over the games, or what it was after the last one."""
    values = run.states[what][:, list(cells)].mean(axis=1)
    return float(values[-1] if last else values.mean())


def findings(runs: Mapping[str, Runs], long: list[Run]) -> list[Finding]:
    """Set what was claimed beside what was measured."""
    code = runs[CODE]
    return [
        *(first_player(claim, runs[name]) for name, claim in FIRST_PLAYER.items()),
        opener(HIGHER, code, (STUCK, STUCK_FAST)),
        *(finding for both in zip(draws(CODE, code), draws(TEXT, runs[TEXT]), strict=True) for finding in both),
        *stuck(code),
        similar(code),
        opener(BETTER, code, (SLOW, FAST)),
        volatile(code),
        *(
            best_kind(claim, seeds, "openings", OPENINGS, last)
            for claim, seeds, last in zip(
                CENTRE_FIRST, (code[SLOW], code[SLOW], code[FAST], long), (False, True, False, False), strict=True
            )
        ),
        *map(disadvantageous, DISADVANTAGEOUS, (code[SLOW], code[FAST], long)),
        *(
            best_kind(claim, seeds, "corner", BESIDE)
            for claim, seeds in zip(CENTRE_REPLIES, (code[SLOW], code[FAST], long), strict=True)
        ),
    ]


def first_player(claim: Claim, runs: Runs) -> Finding:
    """Say whether the first player wins most of the times where nobody explores."""
    shares = {alpha: np.array([run.shares() for run in runs[alpha, 0.0]]) for alpha in (0.2, 0.8)}
    measured = "; ".join(
        f"alpha {alpha}: wins {percent(each[:, 0])}, draws {percent(each[:, 1])}" for alpha, each in shares.items()
    )
    return claim.counted(measured, np.min([each[:, 0] for each in shares.values()], axis=0) > MOST)


def opener(claim: Claim, runs: Runs, variants: Iterable[tuple[float, float]]) -> Finding:
    """Say whether the first player wins more games than the second one."""
    shares = {alpha: np.array([run.shares() for run in runs[alpha, epsilon]]) for alpha, epsilon in variants}
    ahead = {alpha: each[:, 0] - each[:, 2] for alpha, each in shares.items()}
    measured = "; ".join(f"alpha {alpha}: {percent(each)} more" for alpha, each in ahead.items())
    return claim.counted(measured, np.min(list(ahead.values()), axis=0) > 0)


def draws(name: str, runs: Runs) -> list[Finding]:
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
        INCREASING[name].counted(
            f"drawn in the first and the last {LATE:,} games: {growth}",
            (last[0.2] > first[0.2]) & (last[0.8] > first[0.8]),
        ),
        FASTER[name].counted(
            f"with 0.2 more than with 0.8 in the first {LATE:,} games in {seeds_where(sooner)}, no fewer in the last "
            f"in {seeds_where(no_fewer)}",
            sooner & no_fewer,
        ),
        CALMER[name].counted(
            f"the share of draws moves by {percent(swings[0])} with alpha 0.2, by {percent(swings[1])} with 0.8",
            swings[1] < swings[0],
        ),
    ]


def stuck(runs: Runs) -> list[Finding]:
    """Say whether play and values come to rest where nobody explores."""
    slow, fast = runs[STUCK], runs[STUCK_FAST]
    alike = [np.array([run.last_shares().max() == 1 for run in seeds]) for seeds in (slow, fast)]
    drawn = percent(run.drawn(first=False) for run in fast)
    still = {
        f"alpha {alpha}, {side}": np.array([run.still(*what) for run in runs[alpha, 0.0]])
        for alpha in (0.2, 0.8)
        for side, what in (("X", ("openings",)), ("O", ("centre", "corner")))
    }
    return [
        STUCK_PLAYERS.counted(
            f"alpha 0.2: in {seeds_where(alike[0])}; 0.8: in {seeds_where(alike[1])} (drawn {drawn})",
            alike[0] & alike[1],
        ),
        STILL.counted(
            "; ".join(f"{name}: {percent(shares)}" for name, shares in still.items()),
            np.min(list(still.values()), axis=0) > MOST,
        ),
    ]


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


def best_kind(claim: Claim, runs: list[Run], what: str, kinds: Cells, last: bool = False) -> Finding:
    """Say whether the centre, of several kinds of states, has the highest value."""
    values = {name: np.array([of_kind(run, what, cells, last) for run in runs]) for name, (cells, _) in kinds.items()}
    best = values["centre"] > np.max([value for name, value in values.items() if name != "centre"], axis=0)
    return claim.counted("; ".join(f"{name} {spread(value)}" for name, value in values.items()), best)


def disadvantageous(claim: Claim, runs: list[Run]) -> Finding:
    """Say whether O, after the middle, thinks little of its corners and of its edges."""
    kinds = REPLIES["centre"]
    values = {name: np.array([of_kind(run, "centre", cells) for run in runs]) for name, (cells, _) in kinds.items()}
    means = "; ".join(f"{name} {spread(value)}" for name, value in values.items())
    return claim.counted(means, np.max(list(values.values()), axis=0) < 0)
