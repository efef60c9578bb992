"""Compares the claims of Gutmann et al. 2016 with measurements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import TypeAlias

import numpy as np

from reproductions.common import Claim, percent, seeds_where, spread, verdict
from reproductions.gutmann_figures import OPENINGS, REPLIES, Cells
from reproductions.gutmann_run import BLOCK, FAST, LATE, NUMBERS, SLOW, STEP, STUCK, STUCK_FAST, Run

# The thresholds.
MOST = 0.5  # "most of the times", "most of the states": more than this share
SEEDS_NEEDED = 0.9  # a claim about every run holds in this share of the seeds
SIMILAR = 0.1  # "quite similar": shares of outcomes differ by no more than this

NEEDED = f"in {SEEDS_NEEDED:.0%} of the seeds"
GREEDY = "section 5, without exploration"  # the paragraph on figures 1 and 3
EXPLORING = "section 5, with epsilon 0.02"  # the paragraphs on figures 2, 4 and 5
BESIDE = {kind: REPLIES["corner"][kind] for kind in ("centre", "square beside it")}
Runs: TypeAlias = Mapping[tuple[float, float], list[Run]]  # by alpha and epsilon


def of_kind(run: Run, what: str, cells: tuple[int, ...], last: bool = False) -> float:
    """Return the value of a kind of state: its mean over the games, or what it was after the last one."""
    values = run.states[what][:, list(cells)].mean(axis=1)
    return float(values[-1] if last else values.mean())


def claims(runs: Mapping[str, Runs], long: list[Run]) -> list[Claim]:
    """Set what was claimed beside what was measured."""
    code = runs["the program's numbers"]
    by_numbers = (draws(name, runs[name]) for name in ("the program's numbers", "the text's numbers"))
    return [
        *(first_player(name, runs[name]) for name in NUMBERS),
        opener(code, "the winning share of game opening player is constantly higher", (STUCK, STUCK_FAST), GREEDY),
        *(claim for both in zip(*by_numbers, strict=True) for claim in both),
        *stuck(code),
        similar(code),
        opener(code, "The first player still performs better in general", (SLOW, FAST), EXPLORING),
        volatile(code),
        *openings(code, long),
        *replies(code, long),
    ]


def first_player(name: str, runs: Runs) -> Claim:
    """Say whether the first player wins most of the times where nobody explores."""
    shares = {alpha: [run.shares() for run in runs[alpha, 0.0]] for alpha in (0.2, 0.8)}
    measured = "; ".join(
        f"alpha {alpha}: wins {percent(won for won, _, _ in each)}, draws {percent(drawn for _, drawn, _ in each)}"
        for alpha, each in shares.items()
    )
    least = min(fmean(won for won, _, _ in results) for results in shares.values())
    ahead = [bool(won > lost) for results in shares.values() for won, _, lost in results]
    return Claim(
        f'"the first player wins most of the times" ({name})',
        measured,
        verdict(least > MOST, f"it wins more games than the second player in {sum(ahead)} of {len(ahead)} runs"),
        GREEDY,
        f"with either alpha it wins more than {MOST:.0%} of the games",
    )


def opener(runs: Runs, quoted: str, variants: Iterable[tuple[float, float]], place: str) -> Claim:
    """Say whether the first player wins more games than the second one."""
    ahead = {alpha: [bool(run.shares()[0] > run.shares()[2]) for run in runs[alpha, epsilon]]
             for alpha, epsilon in variants}  # fmt: skip
    least = min(float(np.mean(flags)) for flags in ahead.values())
    return Claim(
        f'"{quoted}"',
        "; ".join(f"alpha {alpha}: in {seeds_where(flags)}" for alpha, flags in ahead.items()),
        verdict(least >= SEEDS_NEEDED, f"with one alpha in {least:.0%} of the seeds"),
        place,
        f"X wins more of all games than O, with either alpha, {NEEDED}",
    )


def draws(name: str, runs: Runs) -> list[Claim]:
    """Say how draws grow where nobody explores, and how fast."""
    slow, fast = runs[STUCK], runs[STUCK_FAST]
    pairs = list(zip(slow, fast, strict=True))
    grown = [run.drawn(first=False) > run.drawn(first=True) for run in slow + fast]
    sooner = [a.drawn(first=True) > b.drawn(first=True) for a, b in pairs]
    no_fewer = [a.drawn(first=False) >= b.drawn(first=False) for a, b in pairs]
    calmer = [b.draws_swing() < a.draws_swing() for a, b in pairs]

    def growth(seeds: list[Run]) -> str:
        return f"{percent(r.drawn(first=True) for r in seeds)}, then {percent(r.drawn(first=False) for r in seeds)}"

    return [
        Claim(
            f'"the number of shares of draws is increasing for an increasing number of games" ({name})',
            f"drawn in the first and the last {LATE:,} games: alpha 0.2 {growth(slow)}; alpha 0.8 {growth(fast)}; "
            f"more in the last in {sum(grown)} of {len(grown)} runs",
            verdict(np.mean(grown) >= SEEDS_NEEDED, f"in {np.mean(grown):.0%} of the runs"),
            GREEDY,
            f"more draws in the last {LATE:,} games than in the first, {NEEDED}",
        ),
        Claim(
            f'"For lower learning rates the share of draw games is increasing faster" ({name})',
            f"with 0.2 more than with 0.8 in the first {LATE:,} games in {seeds_where(sooner)}, no fewer in the last "
            f"in {seeds_where(no_fewer)}",
            verdict(min(np.mean(sooner), np.mean(no_fewer)) >= SEEDS_NEEDED,
                    f"more in the first in {np.mean(sooner):.0%} of the seeds, no fewer in the last in "
                    f"{np.mean(no_fewer):.0%}"),
            GREEDY,
            f"with 0.2 more draws than with 0.8 in the first {LATE:,} games, and no fewer in the last, {NEEDED}",
        ),
        Claim(
            f'"the development for higher levels of alpha is less volatile" ({name})',
            f"the share of draws moves by {percent(r.draws_swing() for r in slow)} with alpha 0.2, by "
            f"{percent(r.draws_swing() for r in fast)} with 0.8, less with 0.8 in {seeds_where(calmer)}",
            verdict(np.mean(calmer) >= SEEDS_NEEDED, f"in {np.mean(calmer):.0%} of the seeds"),
            GREEDY,
            f"from {BLOCK} games to the next, the share of draws moves less with 0.8, {NEEDED}",
        ),
    ]  # fmt: skip


def stuck(runs: Runs) -> list[Claim]:
    """Say whether play and values come to rest where nobody explores."""
    slow, fast = runs[STUCK], runs[STUCK_FAST]
    alike = [[run.last_shares().max() == 1 for run in seeds] for seeds in (slow, fast)]
    drawn = percent(run.drawn(first=False) for run in fast)
    still = {
        f"alpha {alpha}, {side}": [run.still(*what) for run in runs[alpha, 0.0]]
        for alpha in (0.2, 0.8)
        for side, what in (("X", ("openings",)), ("O", ("centre", "corner")))
    }
    most = {name: [share > MOST for share in shares] for name, shares in still.items()}
    least = min(float(np.mean(flags)) for flags in most.values())
    return [
        Claim(
            '"both players stuck in a given strategy (a local optimum)"',
            f"alpha 0.2: in {seeds_where(alike[0])}; 0.8: in {seeds_where(alike[1])} (drawn {drawn})",
            verdict(min(np.mean(alike[0]), np.mean(alike[1])) >= SEEDS_NEEDED, "with alpha 0.2 they do"
                    if np.mean(alike[0]) >= SEEDS_NEEDED else "with neither alpha"),
            GREEDY,
            f"with either alpha the last {LATE:,} games all end alike, {NEEDED}",
        ),
        Claim(
            '"the value of most of the states does not change at all for both players"',
            "; ".join(f"{name}: {percent(still[name])}, most in {seeds_where(most[name])}" for name in still),
            verdict(least >= SEEDS_NEEDED, f"for one player and alpha in {least:.0%} of the seeds"),
            GREEDY,
            f"of X's nine openings, and of O's sixteen replies to the centre and to a corner, more than {MOST:.0%} "
            f"keep their value through the last {LATE:,} games, with either alpha, {NEEDED}",
        ),
    ]  # fmt: skip


def similar(runs: Runs) -> Claim:
    """Say whether games end as they do where nobody explores."""
    texts, most = [], 0.0
    for alpha in (0.2, 0.8):
        greedy, exploring = (np.mean([run.last_shares() for run in runs[alpha, e]], axis=0) for e in (0.0, 0.02))
        most = max(most, float(np.abs(greedy - exploring).max()))
        percentages = [" / ".join(f"{100 * share:.1f}" for share in shares) for shares in (greedy, exploring)]
        texts.append(f"alpha {alpha}: {percentages[0]} % without, {percentages[1]} % with")
    return Claim(
        '"The final results of the games looks quite similar as in the no randomisation case"',
        f"X wins, drawn, O wins of the last {LATE:,} games, mean of the seeds: {'; '.join(texts)}",
        verdict(most <= SIMILAR, f"{100 * most:.0f} points apart"),
        EXPLORING,
        f"with either alpha these shares are at most {100 * SIMILAR:.0f} points apart",
    )


def volatile(runs: Runs) -> Claim:
    """Say with which alpha values move more."""
    slow, fast = runs[SLOW], runs[FAST]
    moves = {
        what: [b.volatility(what) > a.volatility(what) for a, b in zip(slow, fast, strict=True)]
        for what in slow[0].states
    }
    least = min(float(np.mean(flags)) for flags in moves.values())
    texts = [
        f"{what} {fmean(r.volatility(what) for r in slow):.4f} and {fmean(r.volatility(what) for r in fast):.4f}, "
        f"more with 0.8 in {seeds_where(flags)}"
        for what, flags in moves.items()
    ]
    return Claim(
        '"With higher learning rate the values are much more volatile"',
        f"they move within {STEP} games by, on average with alpha 0.2 and with 0.8: {'; '.join(texts)}",
        verdict(least >= SEEDS_NEEDED, f"in {least:.0%} of the seeds for one kind of states"),
        EXPLORING,
        f"X's openings, and O's replies to the centre and to a corner, move more with 0.8, {NEEDED}",
    )


def best_kind(text: str, runs: list[Run], what: str, kinds: Cells, last: bool = False) -> Claim:
    """Say whether the centre, of several kinds of states, has the highest value."""
    values = {name: np.array([of_kind(run, what, cells, last) for run in runs]) for name, (cells, _) in kinds.items()}
    best = values["centre"] > np.max([value for name, value in values.items() if name != "centre"], axis=0)
    means = "; ".join(f"{name} {spread(value)}" for name, value in values.items())
    return Claim(
        text,
        f"{means}; centre highest in {seeds_where(best)}",
        verdict(best.mean() >= SEEDS_NEEDED, f"in {best.mean():.0%} of the seeds"),
        EXPLORING,
        f"its value is the highest, {NEEDED}",
    )


def openings(runs: Runs, long: list[Run]) -> list[Claim]:
    """Say which opening X thinks best."""
    quoted = '"starting in the middle (green dashed line) seems to be slightly better than any other starting point"'
    return [
        best_kind(f"{quoted} (alpha 0.2, mean of the run)", runs[SLOW], "openings", OPENINGS),
        best_kind("the same, after the last game", runs[SLOW], "openings", OPENINGS, last=True),
        best_kind("the same, alpha 0.8, mean of the run", runs[FAST], "openings", OPENINGS),
        best_kind("the same, alpha 0.2, ten times the games, mean of the run", long, "openings", OPENINGS),
    ]


def replies(runs: Runs, long: list[Run]) -> list[Claim]:
    """Say what O thinks of its replies."""
    middle = '"states which are available after the first player started at the middle are in general disadvantageous"'
    corner = (
        '"if the first player starts at the corner it is better to put in the middle (brown solid line) than to put '
        'next to the first player"'
    )
    cases = {"alpha 0.2": runs[SLOW], "alpha 0.8": runs[FAST], "alpha 0.2, ten times the games": long}
    return [
        *(disadvantageous(f"{middle} ({name})" if first else f"the same, {name}", seeds)
          for first, (name, seeds) in zip((True, False, False), cases.items(), strict=True)),
        *(best_kind(f"{corner} ({name})" if first else f"the same, {name}", seeds, "corner", BESIDE)
          for first, (name, seeds) in zip((True, False, False), cases.items(), strict=True)),
    ]  # fmt: skip


def disadvantageous(text: str, runs: list[Run]) -> Claim:
    """Say whether O, after the middle, thinks little of its corners and of its edges."""
    kinds = REPLIES["centre"]
    values = {name: np.array([of_kind(run, "centre", cells) for run in runs]) for name, (cells, _) in kinds.items()}
    below = np.max(list(values.values()), axis=0) < 0
    means = "; ".join(f"{name} {spread(value)}" for name, value in values.items())
    return Claim(
        text,
        f"{means}; both below 0 in {seeds_where(below)}",
        verdict(below.mean() >= SEEDS_NEEDED, f"in {below.mean():.0%} of the seeds"),
        EXPLORING,
        f"O's corners and its edges are worth less than 0 to it, {NEEDED}",
    )
