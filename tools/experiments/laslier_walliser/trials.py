"""Measure the exact exploitability of ten kinds of machines against the number of games.

Each case consists of pairs of machines with the same settings; the two machines of a pair learn from each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.common import Bench, Machine, raw_numbers
from menace.arena.run_schedule import Marks
from menace.games.base import Side
from menace.games.positions import Positions
from menace.games.symmetry import SymmetryUse
from menace.learners.settings import MAX_BEADS

GAMES = 10_000_000
# the numbers of pairs for most kinds of machines, for kinds with punishment, and for kinds without a claim
PAIRS, MORE_PAIRS, FEW_PAIRS = 60, 150, 12
LONG_GAMES, LONG_PAIRS = 100_000_000, 3
MARKS = "log:4"
AT = tuple(Marks.parse(MARKS).list_up_to(GAMES))
LONG_AT = tuple(Marks.parse(MARKS).list_up_to(LONG_GAMES))
EARLY, LATE = GAMES // 100, GAMES // 10  # the last two powers of ten before GAMES
Curves: TypeAlias = NDArray[np.float64]  # the exploitability of X and O, as an array [2, marks, pairs]


@dataclass(frozen=True)
class Case:
    """Machines of one kind, which learn by playing each other in pairs.

    Attributes:
        text: a short description.
        rewards: the beads added after a win, a draw and a loss.
        others: other settings that differ from preset `menace`.
        symmetry: whether equivalent boards share a box.
        pairs: the number of pairs.
    """

    text: str
    rewards: tuple[int, int, int]
    others: tuple[tuple[str, Any], ...] = ()
    symmetry: SymmetryUse = "full"
    pairs: int = PAIRS

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that differ from the preset `menace`."""
        return dict((*zip(("win", "draw", "loss"), self.rewards, strict=True), *self.others))

    @property
    def numbers(self) -> str:
        """The rewards as text."""
        return ", ".join(map(str, self.rewards))

    def pair(self, bench: Bench) -> list[Machine]:
        """Return untrained machines for X and O."""
        return [bench.learner("menace", side, **self.settings) for side in Side]


MICHIE = Case("Michie's rewards", (3, 1, -1), pairs=MORE_PAIRS)
RESIGNING = Case("Michie's rewards, an empty box resigns", (3, 1, -1), (("when_empty", "resign"),), pairs=MORE_PAIRS)
UNPUNISHED = Case("Michie's, but nothing for a loss", (3, 1, 0))
NEVER = Case("preset `never-punish`", (2, 1, 0))
POSITIVE = Case("every game pays something", (3, 2, 1))
WORTHLESS = Case("a draw pays as little as a loss", (1, 0, 0))
REWARDS = (MICHIE, RESIGNING, UNPUNISHED, NEVER, POSITIVE, WORTHLESS)
ONE = Case("`never-punish`, beginning with 1 bead per colour", (2, 1, 0), (("beads", (1,)),), pairs=FEW_PAIRS)
HUNDRED = Case("`never-punish`, beginning with 100 beads per colour", (2, 1, 0), (("beads", (100,)),), pairs=FEW_PAIRS)
APART = Case("`never-punish`, a box for each board", (2, 1, 0), symmetry="none", pairs=FEW_PAIRS)
MICHIE_APART = Case("Michie's rewards, a box for each board", (3, 1, -1), symmetry="none", pairs=FEW_PAIRS)
CASES = (*REWARDS, ONE, HUNDRED, APART, MICHIE_APART)
LONG_CASES = (MICHIE, NEVER)


@dataclass(frozen=True)
class Run:
    """The measurements of a pair of machines.

    Attributes:
        exploitability: [2, marks], of X and of O.
        opened: [2], the number of boxes opened in the last nine tenths of the games.
        boxes: [2], the number of all boxes.
        fullest: the largest pile, as a share of the maximum.
    """

    exploitability: NDArray[np.float64]
    opened: tuple[int, int]
    boxes: tuple[int, int]
    fullest: float


@cache
def bench(symmetry: SymmetryUse) -> Bench:
    """Return a bench with or without symmetry."""
    return Bench(symmetry)


def boxes(positions: Positions, moves: NDArray[Any]) -> int:
    """Return the number of boxes in which at least one entry of the array `moves` [moves] is above 0."""
    return int((positions.sum_over_moves(moves) > 0).sum())


def play(case: Case, seed: int, marks: Sequence[int] = AT) -> Run:
    """Play the games of a pair until its last mark, and measure both machines at each mark."""
    pair, numbers, played, curves = case.pair(bench(case.symmetry)), raw_numbers(seed, 0), 0, []
    before = [machine.learned.count.copy() for machine in pair]
    for mark in marks:
        bench(case.symmetry).play(*pair, mark - played, numbers)
        played = mark
        if mark <= marks[-1] // 10:
            before = [machine.learned.count.copy() for machine in pair]
        curves.append([exploitability(bench(case.symmetry), machine) for machine in pair])
    x, o = (
        boxes(machine.positions, machine.learned.count - earlier) for machine, earlier in zip(pair, before, strict=True)
    )
    x_boxes, o_boxes = (boxes(machine.positions, machine.learned.kept) for machine in pair)
    fullest = max(int(machine.learned.amount.max()) for machine in pair) / MAX_BEADS
    return Run(np.array(curves).T, (x, o), (x_boxes, o_boxes), fullest)


def exploitability(bench: Bench, machine: Machine) -> float:
    """Return the exploitability of the policy that a machine uses during training."""
    return -bench.worst(machine, "behaviour").value


def play_pairs(cases: Iterable[Case], pairs: int | None = None, marks: Sequence[int] = AT) -> dict[Case, list[Run]]:
    """Play the games of each case's pairs (or only of the first `pairs`), using several processes."""
    jobs = [(case, seed) for case in cases for seed in range(1, (pairs or case.pairs) + 1)]
    runs: dict[Case, list[Run]] = {}
    with ProcessPoolExecutor() as pool:
        for (case, _), run in zip(jobs, pool.map(play, *zip(*jobs, strict=True), [marks] * len(jobs)), strict=True):
            runs.setdefault(case, []).append(run)
    return runs


def curves_of(runs: Iterable[Run]) -> Curves:
    """Return the exploitability of several pairs of machines."""
    return np.stack([run.exploitability for run in runs], axis=-1)
