"""What Gutmann et al. 2016 claim, beside what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

import numpy as np

from reproductions.common import Claim, percent, seeds_where, spread, verdict
from reproductions.gutmann_figures import OPENINGS, REPLIES, Cells
from reproductions.gutmann_run import FAST, LATE, NUMBERS, SLOW, STEP, VARIANTS, Run

# The thresholds.
MOST = 0.5  # "most of the times": more than this share of all games
SEEDS_NEEDED = 0.9  # what is said of every run is so in this share of the seeds

BESIDE = {kind: REPLIES["corner"][kind] for kind in ("centre", "square beside it")}


def of_kind(run: Run, what: str, cells: tuple[int, ...], last: bool = False) -> float:
    """Return the value of a kind of state: its mean over the games, or what it was after the last one."""
    values = run.states[what][:, list(cells)].mean(axis=1)
    return float(values[-1] if last else values.mean())


def best_kind(runs: list[Run], what: str, kinds: Cells, kind: str, last: bool = False) -> tuple[str, float]:
    """Return the values of the kinds of states, and in which share of the seeds `kind` has the highest."""
    values = {name: np.array([of_kind(run, what, cells, last) for run in runs]) for name, (cells, _) in kinds.items()}
    best = values[kind] > np.max([found for name, found in values.items() if name != kind], axis=0)
    text = "; ".join(f"{name} {spread(found)}" for name, found in values.items())
    return f"{text}; {kind} highest in {seeds_where(best)}", float(best.mean())


def claims(runs: Mapping[str, Mapping[tuple[float, float], list[Run]]], long: list[Run]) -> list[Claim]:
    """Set what was claimed beside what was measured."""
    code = runs["the program's numbers"]
    return [
        *(first_player(name, runs[name]) for name in NUMBERS),
        *draws(code),
        *settled(code),
        *states(code, long),
    ]


def first_player(name: str, runs: Mapping[tuple[float, float], list[Run]]) -> Claim:
    """Say whether the first player wins most of the times."""
    wins = {alpha: [float(run.shares()[0]) for run in runs[alpha, 0.02]] for alpha in (0.2, 0.8)}
    drawn = {alpha: [float(run.shares()[1]) for run in runs[alpha, 0.02]] for alpha in (0.2, 0.8)}
    measured = "; ".join(f"alpha {a}: wins {percent(wins[a])}, draws {percent(drawn[a])}" for a in wins)
    least = min(fmean(found) for found in wins.values())
    ahead = all(run.shares()[0] > run.shares()[2] for a in wins for run in runs[a, 0.02])
    otherwise = "it wins more often than the second player does" if ahead else "it does not even win more often"
    return Claim(
        f'"the first player wins most of the times" ({name})',
        measured,
        verdict(least > MOST, otherwise),
        holds_if=f"with either alpha it wins more than {MOST:.0%} of the games",
    )


def draws(runs: Mapping[tuple[float, float], list[Run]]) -> list[Claim]:
    """Say how draws grow, and whether faster with the larger alpha."""
    slow, fast = runs[SLOW], runs[FAST]
    grown = [run.drawn(first=False) > run.drawn(first=True) for run in slow + fast]
    more = [b.drawn(first=False) > a.drawn(first=False) for a, b in zip(slow, fast, strict=True)]
    sooner = [b.drawn(first=True) > a.drawn(first=True) for a, b in zip(slow, fast, strict=True)]

    def growth(some: list[Run]) -> str:
        return f"{percent(r.drawn(first=True) for r in some)}, then {percent(r.drawn(first=False) for r in some)}"

    measured = f"drawn in the first and the last {LATE:,} games: alpha 0.2 {growth(slow)}; alpha 0.8 {growth(fast)}"
    needed = f"in {SEEDS_NEEDED:.0%} of the seeds"
    return [
        Claim(
            "draws grow as both learn",
            f"{measured}; more in the last in {sum(grown)} of {len(grown)} runs",
            verdict(np.mean(grown) >= SEEDS_NEEDED, f"in {np.mean(grown):.0%} of the runs"),
            holds_if=f"more draws in the last {LATE:,} games than in the first, {needed}",
        ),
        Claim(
            "draws grow faster with the larger alpha",
            f"with 0.8 more than with 0.2 in the first {LATE:,} games in {seeds_where(sooner)}, in the last in "
            f"{seeds_where(more)}",
            verdict(min(np.mean(more), np.mean(sooner)) >= SEEDS_NEEDED, "only where seeds are averaged, and late"
                    if np.mean(more) > 1 / 2 else "if anything, slower"),
            holds_if=f"more draws with 0.8 in the first and in the last {LATE:,} games, {needed}",
        ),
    ]  # fmt: skip


def settled(runs: Mapping[tuple[float, float], list[Run]]) -> list[Claim]:
    """Say what is volatile, and what is stable."""
    slow, fast, stuck, stuck_fast = (runs[variant] for variant in VARIANTS)
    needed = f"in {SEEDS_NEEDED:.0%} of the seeds"
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
    all_drawn = [[run.drawn(first=False) == 1 for run in some] for some in (stuck, stuck_fast)]
    return [
        Claim(
            "values are more volatile with the larger alpha",
            f"they move within {STEP} games by, on average with alpha 0.2 and with 0.8: {'; '.join(texts)}",
            verdict(least >= SEEDS_NEEDED, f"in {least:.0%} of the seeds for one kind of states"),
            holds_if=f"X's openings, and O's replies to the centre and to a corner, move more with 0.8, {needed}",
        ),
        Claim(
            "without exploration it becomes stable",
            f"the last {LATE:,} games all drawn: alpha 0.2 in {seeds_where(all_drawn[0])}, 0.8 in "
            f"{seeds_where(all_drawn[1])} (drawn {percent(run.drawn(first=False) for run in stuck_fast)})",
            verdict(min(np.mean(all_drawn[0]), np.mean(all_drawn[1])) >= SEEDS_NEEDED, "with alpha 0.2 it does"
                    if np.mean(all_drawn[0]) >= SEEDS_NEEDED else "with neither alpha"),
            holds_if=f"with either alpha the last {LATE:,} games are all drawn, {needed}",
        ),
    ]  # fmt: skip


def states(runs: Mapping[tuple[float, float], list[Run]], long: list[Run]) -> list[Claim]:
    """Say which states have the highest values."""
    needed = f"in {SEEDS_NEEDED:.0%} of the seeds"
    cases = [
        ("X's best opening is the centre (alpha 0.2, mean of the run)",
         runs[SLOW], "openings", OPENINGS, "centre", False),
        ("the same, after the last game", runs[SLOW], "openings", OPENINGS, "centre", True),
        ("the same, alpha 0.8, mean of the run", runs[FAST], "openings", OPENINGS, "centre", False),
        ("the same, alpha 0.2, ten times the games, mean of the run", long, "openings", OPENINGS, "centre", False),
        ("after the middle, O's corners are better than its edges (alpha 0.2)",
         runs[SLOW], "centre", REPLIES["centre"], "corner", False),
        ("the same, alpha 0.8", runs[FAST], "centre", REPLIES["centre"], "corner", False),
        ("the same, alpha 0.2, ten times the games", long, "centre", REPLIES["centre"], "corner", False),
        ("after a corner, the centre is better for O than the square beside (alpha 0.2)",
         runs[SLOW], "corner", BESIDE, "centre", False),
        ("the same, alpha 0.8", runs[FAST], "corner", BESIDE, "centre", False),
        ("the same, alpha 0.2, ten times the games", long, "corner", BESIDE, "centre", False),
    ]  # fmt: skip
    found = []
    for text, some, what, kinds, kind, last in cases:
        measured, share = best_kind(some, what, kinds, kind, last)
        holds = verdict(share >= SEEDS_NEEDED, f"in {share:.0%} of the seeds")
        found.append(Claim(text, measured, holds, holds_if=f"its value is the highest, {needed}"))
    return found
