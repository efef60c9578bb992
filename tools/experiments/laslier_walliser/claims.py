"""What is claimed of reinforcement without punishment, and the verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim, Finding
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
    LongRun,
)
from experiments.page import ranged

Measured: TypeAlias = Mapping[Case, Curves]
LongRuns: TypeAlias = Mapping[Case, Sequence[LongRun]]

ABSTRACT, OURS = "its abstract", "our reading"
HALF, STILL, PERFECT, HIGH = 0.5, 0.75, 0.01, 0.5
UNMOVED = 0.99  # of what it was: a machine that keeps so much stands still
# The theorem is of the limit, which no run reaches: what can be asked is whether machines are still on their way.
CONVERGES = Claim(
    "“converges with probability one to the (unique) subgame perfect equilibrium”, if moves are chosen in proportion "
    "to what they have paid",
    ABSTRACT,
    f"with {POSITIVE.numbers}, where every game pays something, X and O of each pair can be exploited less after "
    f"{LATE:,} games than after {EARLY:,}, and less after {GAMES:,}",
    "law",
    noun="pairs",
)
ON_THEIR_WAY = [
    Claim(
        f"nor need a loss pay anything ({case.numbers})",
        OURS,
        f"with {case.numbers}, after {GAMES:,} games X and O of each pair are less than {HALF:g} times as exploitable "
        f"as after {LATE:,}",
        "law",
        noun="pairs",
    )
    for case in (NEVER, UNPUNISHED)
]
STANDS = [
    Claim(
        f"who is punished stands still ({words})",
        OURS,
        f"with {case.numbers}, after {GAMES:,} games the median pair keeps more than {STILL:g} of the exploitability "
        f"that it had after {LATE:,}, as X and as O",
        "number",
    )
    for case, words in ((MICHIE, "empty boxes restocked"), (RESIGNING, "empty boxes resign"))
]
SLOWER = Claim(
    "what the theorem is surest of is slow: a loss that pays something is long repeated",
    OURS,
    f"after {GAMES:,} games the median is higher with {POSITIVE.numbers} than with {NEVER.numbers}, as X and as O",
    "number",
)
UNEQUAL = Claim(
    "payoffs must differ: who is paid as little for a draw as for a loss does not learn to draw",
    OURS,
    f"with {WORTHLESS.numbers}, after {GAMES:,} games the median O is exploitable by more than {HIGH:g}",
    "number",
)
REACHED = Claim(
    "so it becomes perfect",
    "our question",
    f"with {NEVER.numbers}, after {LONG_GAMES:,} games X and O of each pair are exploitable by less than {PERFECT:g}",
    "law",
    noun="pairs",
)


def at(curves: Curves, games: int) -> NDArray[np.float64]:
    """Return the exploitability after so many games, [2, seeds]."""
    return curves[:, AT.index(games)]


def unmoved(curves: Curves) -> NDArray[np.bool_]:
    """Return which machines stood still in the last nine tenths of their games, [2, seeds]."""
    stood: NDArray[np.bool_] = at(curves, GAMES) >= UNMOVED * at(curves, LATE)
    return stood


def middle(values: NDArray[np.float64]) -> str:
    """Return the median, and the range."""
    return f"{np.median(values):.3f}" + ranged(f"{values.min():.3f}", f"{values.max():.3f}")


def both(values: NDArray[np.float64]) -> str:
    """Return the medians of X and O."""
    return f"X {np.median(values[0]):.3f}, O {np.median(values[1]):.3f}"


def by_games(values: Mapping[int, NDArray[np.float64]]) -> str:
    """Return the medians of X and O after so many games each."""
    return "exploitability: " + "; ".join(f"after {games:,} games {both(ends)}" for games, ends in values.items())


def findings(measured: Measured, long_runs: LongRuns) -> list[Finding]:
    """Judge each claim."""
    early, late, end = (at(measured[POSITIVE], games) for games in (EARLY, LATE, GAMES))
    falls = ((late < early) & (end < late)).all(axis=0)
    made = [CONVERGES.counted(by_games({EARLY: early, LATE: late, GAMES: end}), falls)]
    for claim, case in zip(ON_THEIR_WAY, (NEVER, UNPUNISHED), strict=True):
        before, after = at(measured[case], LATE), at(measured[case], GAMES)
        less = (after < HALF * before).all(axis=0)
        made.append(claim.counted(by_games({LATE: before, GAMES: after}), less))
    for claim, case in zip(STANDS, (MICHIE, RESIGNING), strict=True):
        kept = np.median(at(measured[case], GAMES) / at(measured[case], LATE), axis=1)
        made.append(
            claim.judged(
                f"after {GAMES:,} games X keeps {kept[0]:.2f}, O {kept[1]:.2f} of its exploitability after {LATE:,}",
                bool((kept > STILL).all()),
                "it falls",
            )
        )
    slow, quick = (np.median(at(measured[case], GAMES), axis=1) for case in (POSITIVE, NEVER))
    words = (
        f"after {GAMES:,} games X {slow[0]:.3f}, with {NEVER.numbers} {quick[0]:.3f}; O {slow[1]:.3f}, {quick[1]:.3f}"
    )
    made.append(SLOWER.judged(words, bool((slow > quick).all()), "it is not"))
    o = float(np.median(at(measured[WORTHLESS], GAMES)[1]))
    made.append(UNEQUAL.judged(f"after {GAMES:,} games O {o:.3f}", o > HIGH, "it learns to draw"))
    ends = np.array([run.exploitability[:, -1] for run in long_runs[NEVER]])
    return [*made, REACHED.counted(by_games({LONG_GAMES: ends.T}), (ends < PERFECT).all(axis=1))]
