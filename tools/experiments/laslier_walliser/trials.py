"""Reinforcement without punishment: who can be exploited how much after 10 million games, by rewards, beads, symmetry.

Each case is a study of pairs that learn from each other, both by the same settings: exact exploitability by games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.common import Bench, Machine, measured, raw_numbers
from menace.arena.marks_and_phases import Marks
from menace.games.base import Side
from menace.games.positions import Positions
from menace.games.symmetry import SymmetryUse
from menace.learners.settings import MOST_BEADS

GAMES, SEEDS = 10_000_000, 12
LONG_GAMES, LONG_SEEDS = 100_000_000, 3
MARKS = "log:4"
AT = tuple(Marks.parse(MARKS).list_up_to(GAMES))
LONG_AT = tuple(Marks.parse(MARKS).list_up_to(LONG_GAMES))
EARLY, LATE = GAMES // 100, GAMES // 10  # the powers of ten before the end
Curves: TypeAlias = NDArray[np.float64]  # exploitability, [2, marks, seeds]: X's, then O's


@dataclass(frozen=True)
class Case:
    """Machines of one kind, which learn from each other.

    Attributes:
        text: what it is, in words.
        rewards: beads after a win, a draw and a loss.
        others: settings that are not as in preset `menace`.
        symmetry: of the boxes.
    """

    text: str
    rewards: tuple[int, int, int]
    others: tuple[tuple[str, Any], ...] = ()
    symmetry: SymmetryUse = "full"

    @property
    def settings(self) -> dict[str, Any]:
        """What it has instead of preset `menace`'s settings."""
        return dict((*zip(("win", "draw", "loss"), self.rewards, strict=True), *self.others))

    @property
    def numbers(self) -> str:
        """The rewards as text."""
        return ", ".join(map(str, self.rewards))

    def pair(self, bench: Bench) -> list[Machine]:
        """Return X and O before their first game."""
        return [bench.learner("menace", side, **self.settings) for side in Side]


MICHIE = Case("Michie's rewards", (3, 1, -1))
RESIGNING = Case("Michie's rewards, an empty box resigns", (3, 1, -1), (("when_empty", "resign"),))
UNPUNISHED = Case("Michie's, but nothing for a loss", (3, 1, 0))
NEVER = Case("preset `never-punish`", (2, 1, 0))
POSITIVE = Case("every game pays something", (3, 2, 1))
WORTHLESS = Case("a draw pays as little as a loss", (1, 0, 0))
REWARDS = (MICHIE, RESIGNING, UNPUNISHED, NEVER, POSITIVE, WORTHLESS)
ONE = Case("`never-punish`, each box begins with 1 bead of a colour", (2, 1, 0), (("beads", (1,)),))
HUNDRED = Case("`never-punish`, each box begins with 100 beads of a colour", (2, 1, 0), (("beads", (100,)),))
APART = Case("`never-punish`, a box for each board", (2, 1, 0), symmetry="none")
MICHIE_APART = Case("Michie's rewards, a box for each board", (3, 1, -1), symmetry="none")
CASES = (*REWARDS, ONE, HUNDRED, APART, MICHIE_APART)
LONG_CASES = (MICHIE, NEVER)


@dataclass(frozen=True)
class LongRun:
    """A pair that went on.

    Attributes:
        exploitability: [2, marks].
        opened: [2], the boxes that were opened in the last nine tenths of its games.
        boxes: [2], all boxes.
        fullest: the highest pile, as a share of what a pile can hold.
    """

    exploitability: NDArray[np.float64]
    opened: tuple[int, int]
    boxes: tuple[int, int]
    fullest: float


def boxes(positions: Positions, moves: NDArray[Any]) -> int:
    """Return how many boxes have any of some moves; `moves` is [moves], above 0 for those."""
    return int((positions.sum_over_moves(moves) > 0).sum())


def long_run(case: Case, seed: int, marks: Sequence[int] = LONG_AT) -> LongRun:
    """Play a pair beyond the study: up to its end they are the study's games."""
    bench = Bench(case.symmetry)
    pair, numbers, played, curves = case.pair(bench), raw_numbers(seed, 0), 0, []
    before = [machine.learned.count.copy() for machine in pair]
    for mark in marks:
        bench.play(*pair, mark - played, numbers)
        played = mark
        if mark <= marks[-1] // 10:
            before = [machine.learned.count.copy() for machine in pair]
        curves.append([exploitability(bench, machine) for machine in pair])
    x, o = (
        boxes(machine.positions, machine.learned.count - earlier) for machine, earlier in zip(pair, before, strict=True)
    )
    x_boxes, o_boxes = (boxes(machine.positions, machine.learned.kept) for machine in pair)
    fullest = max(int(machine.learned.amount.max()) for machine in pair) / MOST_BEADS
    return LongRun(np.array(curves).T, (x, o), (x_boxes, o_boxes), fullest)


def exploitability(bench: Bench, machine: Machine) -> float:
    """Return how much less than the value of the game, a draw, it has against the best reply, as it trains."""
    return -bench.worst(machine, "behaviour").value


def curves_of(case: Case) -> Curves:
    """Run the study of a case: each pair is played twice, once to measure X and once O."""
    design = {"symmetry": case.symmetry, "against": {"preset": "menace", **case.settings}, **case.settings}
    values = measured(
        "best_response.value", grid={"plays": ["X", "O"]}, games=GAMES, seeds=SEEDS, marks=MARKS, **design
    )
    return -values.transpose(0, 2, 1)
