"""Measure when the fate of a machine is decided, using families of copies.

After a machine has played some games, its copies continue separately, each with different random numbers. If the copies
in each family become similar while the families differ, the games before copying decided the machines' fate.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim
from experiments.common import Bench, raw_numbers
from menace.studies.runner import default_workers

FAMILIES, COPIES, GAMES = 150, 20, 10_000
# the numbers of games that a family's machine plays before it is copied
FORKS = (1, 3, 10, 30, 100, 300, 1_000, 3_000)
KINDS = {"menace": "MENACE", "td": "TD(0)", "q-learning": "Q-learning"}
TEACHERS = {"itself": "taught by itself", "perfect": "taught by a perfect player"}
MEASURES = {"opening": slice(0, 3), "strength": slice(3, 4)}  # columns of the array that `played` returns
BEADS = 12  # the number of beads in the first box of a new MENACE
RESAMPLES, LEVEL = 2_000, 0.95
NEGLIGIBLE = 1e-15  # a sum of mean squares below this results from rounding

# The following claims and thresholds were written before anything was run.

URN = 0.04  # the maximum difference between a share and the corresponding share for the urn
FIRST, DECIDED = 100, 0.95  # the number of early games, and the share of the variance that they must decide
# the share of the variance at which a machine's fate counts as decided, and the factor that counts as "long after"
HALF, LATER = 0.5, 10
CLAIMS = (
    Claim(
        "The opening of a MENACE that learns by self-play is decided as in Pólya's urn",
        "our reading; [What a bead is](../what-a-bead-is.md) describes the urn",
        f"the decided share is within {URN:g} of k / ({BEADS} + k) for each of the {len(FORKS)} values of k",
        "number",
    ),
    Claim(
        '"The first games have decided": the opening of a MENACE taught by a perfect player',
        "[What a bead is](../what-a-bead-is.md)",
        f"the decided share is at least {DECIDED:g} after {FIRST} games",
        "number",
    ),
    Claim(
        "A machine's strength is decided long after its opening",
        "our reading, of three learners with two teachers",
        f"with each of three learners and two teachers, it takes at least {LATER} times as many games to decide half of"
        f" the strength as to decide half of the opening; we count {GAMES:,} games if half is never decided",
        "number",
    ),
)

# The following functions measure families of copies.


def played(
    kind: str, teacher: str, forks: tuple[int, ...] = FORKS, families: int = FAMILIES, games: int = GAMES
) -> NDArray[np.float64]:
    """Return the probabilities of X's three openings and X's strength, as an array [forks, families, copies, 4].

    Strength is the exact value against the best response. The openings and the strength are measured for the machine's
    behaviour during training. If a machine teaches itself, its opponent is also copied.
    """
    bench = Bench()
    openings = bench.positions.moves_of(0)
    measured = np.empty((len(forks), families, COPIES, 4))
    for family in range(families):
        numbers, before = raw_numbers(family + 1, 0), 0
        parent, rival = bench.learner(kind, "X"), bench.learner(kind, "O") if teacher == "itself" else teacher
        for row, fork in enumerate(forks):
            bench.play(parent, rival, fork - before, numbers)
            before = fork
            for copy in range(COPIES):
                x, o = parent.copy(), rival if isinstance(rival, str) else rival.copy()
                bench.play(x, o, games - fork, raw_numbers(families + 1 + family * COPIES + copy, 0))
                shares = x.policy().probability[openings.start : openings.stop]
                measured[row, family, copy] = *shares, bench.worst(x, "behaviour").value
    return measured


class Share(NamedTuple):
    """A share of the variance, with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if np.isnan(self.value):
            return "-"
        value, low, high = (f"{round(number, 2) + 0.0:.2f}" for number in self)  # adding 0.0 turns -0 into 0
        return f"{value} ({low} to {high})"


def share_between(values: NDArray[np.float64]) -> Share:
    """Return the between-family share of the variance: the intraclass correlation of a one-way random-effects model.

    The share is (B - W) / (B + (n - 1) W). B and W are the mean squares between and within families of n copies, each
    summed over the components. The interval is computed by resampling families. The share is undefined (NaN) if all
    machines are equal.

    Args:
        values: [families, copies, components].
    """
    families, copies, _ = values.shape
    means, within = values.mean(axis=1), values.var(axis=1, ddof=1).sum(axis=-1)
    drawn = np.random.default_rng(0).integers(0, families, (RESAMPLES, families))
    rows = np.concatenate([np.arange(families)[None], drawn])  # the original families come first
    b = copies * means[rows].var(axis=1, ddof=1).sum(axis=-1)
    w = within[rows].mean(axis=1)
    total = b + (copies - 1) * w
    shares = np.divide(b - w, total, out=np.full(len(rows), np.nan), where=total > NEGLIGIBLE)
    if total[0] <= NEGLIGIBLE:
        return Share(np.nan, np.nan, np.nan)
    low, high = np.nanquantile(shares[1:], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Share(float(shares[0]), float(low), float(high))


Fates = dict[tuple[str, str, str], list[Share]]  # a share for each fork, keyed by (kind, teacher, measure)


def shares_of(case: tuple[str, str]) -> dict[str, list[Share]]:
    """Return the shares of the variance for one kind and teacher, indexed by measure."""
    values = played(*case)
    return {measure: [share_between(row[..., part]) for row in values] for measure, part in MEASURES.items()}


def all_fates() -> Fates:
    """Return the shares of the variance for all kinds, teachers and measures."""
    cases = list(product(KINDS, TEACHERS))
    with ProcessPoolExecutor(min(len(cases), default_workers() + 1)) as workers:
        results = list(workers.map(shares_of, cases))
    return {(*case, name): shares for case, by in zip(cases, results, strict=True) for name, shares in by.items()}


def urn(games: int) -> float:
    """Return the share of the variance between urns that has been decided after the given number of draws.

    Each urn starts with BEADS beads and gains one bead per draw.

    >>> round(urn(10), 2), round(urn(100), 2)
    (0.45, 0.89)
    """
    return games / (BEADS + games)


def decided_after(shares: list[Share]) -> int:
    """Return the first fork at which half of the variance is between families, or GAMES if there is no such fork."""
    return next((fork for fork, share in zip(FORKS, shares, strict=True) if share.value >= HALF), GAMES)
