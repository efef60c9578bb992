"""Check the claims about a theorem on reinforcement without punishment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding, Verdict
from experiments.laslier_walliser.trials import (
    AT,
    EARLY,
    GAMES,
    LATE,
    LONG_GAMES,
    MICHIE,
    NEVER,
    POSITIVE,
    RESIGNING,
    UNPUNISHED,
    WORTHLESS,
    Case,
    Curves,
    Run,
)

Measured: TypeAlias = Mapping[Case, Curves]
LongRuns: TypeAlias = Mapping[Case, Sequence[Run]]
Array: TypeAlias = NDArray[np.float64]

ABSTRACT, OURS = "its abstract", "our reading"
HALF, STILL, PERFECT, HIGH = 0.5, 0.75, 0.01, 0.5
MOST_PAIRS = 0.5  # "most pairs" means more than this share of the pairs
UNMOVED = 0.99  # a machine counts as unchanged if it keeps at least this share of its exploitability
CONFIDENCE = 0.95  # the confidence level of the interval for a median

# The theorem is about the limit, which no run reaches; a run can only show that machines approach it.
CONVERGES = Claim(
    "“converges with probability one to the (unique) subgame perfect equilibrium”, if moves are chosen in proportion "
    "to what they have paid",
    ABSTRACT,
    f"with {POSITIVE.numbers}, exploitability falls from {EARLY:,} to {LATE:,} games and from there to {GAMES:,} games"
    f" in over {100 * MOST_PAIRS:.0f} % of the pairs (otherwise *no*), and the medians fall below {PERFECT:g}"
    " (otherwise *open*)",
    "number",
)
ON_THEIR_WAY = [
    Claim(
        f"the same, if a loss pays nothing ({case.numbers})",
        OURS,
        f"from {LATE:,} to {GAMES:,} games, the exploitability of X and of O falls by more than half",
        "law",
        noun="pairs",
    )
    for case in (NEVER, UNPUNISHED)
]
STANDS = [
    Claim(
        f"machines with punishment ({case.numbers}) stop improving ({words})",
        OURS,
        f"from {LATE:,} to {GAMES:,} games, the median X and O keep more than {100 * STILL:.0f} % of their "
        "exploitability (*open* if this is not sure)",
        "number",
    )
    for case, words in ((MICHIE, "empty boxes are restocked"), (RESIGNING, "empty boxes resign"))
]
SLOWER = Claim(
    "a reward for a loss slows learning",
    OURS,
    f"after {GAMES:,} games the median exploitability is higher with {POSITIVE.numbers} than with "
    f"{NEVER.numbers}, for X and for O",
    "number",
)
UNEQUAL = Claim(
    "a machine that gets the same reward for a draw and a loss does not learn to draw",
    OURS,
    f"with {WORTHLESS.numbers}, after {GAMES:,} games the median exploitability of O is more than {HIGH:g}",
    "number",
)
REACHED = Claim(
    "machines without punishment become perfect",
    "our question",
    f"with {NEVER.numbers}, after {LONG_GAMES:,} games the exploitability of X and of O is less than {PERFECT:g}",
    "law",
    noun="pairs",
)


def at(curves: Curves, games: int) -> Array:
    """Return the exploitability after the given number of games, as an array [2, pairs]."""
    return curves[:, AT.index(games)]


def unmoved(curves: Curves) -> NDArray[np.bool_]:
    """Return whether each machine was unchanged over the last nine tenths of its games, as an array [2, pairs]."""
    stood: NDArray[np.bool_] = at(curves, GAMES) >= UNMOVED * at(curves, LATE)
    return stood


def interval(values: Array) -> tuple[float, float]:
    """Return a confidence interval for the median, based on order statistics and valid for any distribution.

    >>> interval(np.arange(1.0, 61.0))
    (22.0, 39.0)
    """
    rank = below = 0
    while (below := below + math.comb(len(values), rank)) < (1 - CONFIDENCE) / 2 * 2 ** len(values):
        rank += 1
    low, high = np.sort(values)[[rank - 1, len(values) - rank]].tolist()
    return low, high


def fall(curves: Curves) -> str:
    """Describe how O's median exploitability falls from LATE to GAMES games."""
    before, after = (np.median(at(curves, games)[1]) for games in (LATE, GAMES))
    return f"O's median exploitability falls from {before:.3f} to {after:.3f}"


def converges(curves: Curves) -> Finding:
    """Test the theorem on the case in which all payoffs are positive."""
    early, late, end = (at(curves, games) for games in (EARLY, LATE, GAMES))
    falls = ((late < early) & (end < late)).all(axis=0)
    near = bool((np.median(end, axis=1) < PERFECT).all())
    words = f"falls in {falls.sum()} of {falls.size} pairs"
    if falls.mean() <= MOST_PAIRS:
        verdict = Verdict("no", words)
    else:
        verdict = Verdict("yes", words) if near else Verdict("open", f"{words}; not near 0 yet")
    return Finding(CONVERGES, f"from {LATE:,} to {GAMES:,} games, {fall(curves)}", verdict)


def stands(claim: Claim, curves: Curves) -> Finding:
    """Check whether machines stop improving."""
    kept = at(curves, GAMES) / at(curves, LATE)
    x, o = (f"{100 * np.median(side):.0f} %" for side in kept)
    words = f"the median X keeps {x} of its exploitability, and the median O keeps {o}"
    ends = [interval(side) for side in kept]
    if any(low <= STILL <= high for low, high in ends):
        return Finding(claim, words, Verdict("open", f"an interval includes {STILL:g}"))
    return claim.judged(words, all(low > STILL for low, _ in ends), "it falls")


def findings(measured: Measured, long_runs: LongRuns) -> list[Finding]:
    """Check each claim."""
    made = [converges(measured[POSITIVE])]
    for claim, case in zip(ON_THEIR_WAY, (NEVER, UNPUNISHED), strict=True):
        before, after = at(measured[case], LATE), at(measured[case], GAMES)
        made.append(claim.counted(fall(measured[case]), (after < HALF * before).all(axis=0)))
    made += [stands(claim, measured[case]) for claim, case in zip(STANDS, (MICHIE, RESIGNING), strict=True)]
    slow, quick = (at(measured[case], GAMES) for case in (POSITIVE, NEVER))
    words = (
        f"for O it is {np.median(slow[1]):.3f} with {POSITIVE.numbers}, and {np.median(quick[1]):.3f} with"
        f" {NEVER.numbers}"
    )
    made.append(SLOWER.judged(words, bool((np.median(slow, axis=1) > np.median(quick, axis=1)).all()), "it is not"))
    o = at(measured[WORTHLESS], GAMES)[1]
    made.append(UNEQUAL.judged(f"it is {np.median(o):.3f}", float(np.median(o)) > HIGH, "it learns to draw"))
    ends = np.array([run.exploitability[:, -1] for run in long_runs[NEVER]])
    x, o = np.median(ends, axis=0)
    words = f"the median exploitability of X is {x:.4f}, and that of O is {o:.4f}"
    return [*made, REACHED.counted(words, (ends < PERFECT).all(axis=1))]
