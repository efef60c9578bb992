"""Every fact about tic-tac-toe in docs/facts.md, recomputed from the tables of menace."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from menace.arena.exact_strength import against, exact_outcomes
from menace.arena.play_loop import play_games
from menace.games.base import ONGOING
from menace.games.positions import Positions
from menace.learners.fixed_opponents import fixed_policy
from menace.learners.machine import Machine
from menace.learners.menace import MenaceSettings

FACTS = Path(__file__).parents[1] / "docs" / "facts.md"
Tables = dict[str, Positions]


def stated() -> dict[str, str]:
    """The first table: value by fact."""
    text = FACTS.read_text(encoding="utf-8").split("\n## ")[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return {fact: value for fact, value, _ in rows[2:]}


def numbers_in(text: str) -> list[Fraction]:
    return [Fraction(number.replace(",", "")) for number in re.findall(r"\d+(?:,\d{3})*(?:/\d+)?", text)]


def with_sum(numbers: Sequence[int]) -> list[int]:
    return [*numbers, sum(numbers)]


def by_outcome(outcomes: np.ndarray, weights: Sequence[int]) -> list[int]:
    """Return the sum, then the sums where X has won, where O has, and of draws."""
    parts = [sum(w for w, outcome in zip(weights, outcomes.tolist(), strict=True) if outcome == o) for o in (1, -1, 0)]
    return [sum(parts), *parts]


def ways(positions: Positions) -> list[int]:
    """Return [positions], in how many ways each is reached."""
    result = [1] + [0] * (len(positions) - 1)
    for move, position in enumerate(positions.position_of_move.tolist()):
        result[positions.next_position[move]] += result[position]
    return result


def boxes(positions: Positions, side: int, which: str) -> list[int]:
    """Return how many boxes a machine has at each of its moves."""
    kept = MenaceSettings(boxes=which).fresh(positions, side).kept  # type: ignore[arg-type]
    boxed = np.unique(positions.position_of_move[kept])
    return np.bincount(positions.ply[boxed] // 2).tolist()


@pytest.fixture(scope="module")
def counted(by_symmetry: Tables) -> dict[str, list[int] | list[Fraction]]:
    full, none = by_symmetry["full"], by_symmetry["none"]
    over = full.outcome != ONGOING
    beads = MenaceSettings().fresh(full, 0)
    random = [fixed_policy("random", full, side) for side in (0, 1)]
    games = by_outcome(none.outcome, ways(none))
    x_boxes = boxes(full, 0, "choices")
    michie = sum(boxes(full, 0, "michie"))
    return {
        "boards that can be reached, by ply": with_sum(np.bincount(none.ply).tolist()),
        "classes, by ply": with_sum(np.bincount(full.ply).tolist()),
        "classes in which the game is over": by_outcome(full.outcome, over.astype(int).tolist()),
        "moves between classes": [full.move_count],
        "complete games": games,
        "complete games, as ways through the classes": [by_outcome(full.outcome, ways(full))[0]],
        "boxes of a machine for X, by its move": with_sum(x_boxes),
        "boxes of a machine for X, the forced last move with one too": [sum(boxes(full, 0, "all"))],
        "boxes of a machine for O, by its move": with_sum(boxes(full, 1, "choices")),
        "boxes of Michie's own machine": [michie, sum(x_boxes), sum(x_boxes) - michie],
        "colours of beads in the 304 boxes": [int(beads.kept.sum())],
        "beads in them when new, with 4, 3, 2, 1 of a colour": [int(beads.amount[beads.kept].sum())],
        "classes that X wins, O wins, nobody wins under perfect play": [
            int((full.minimax == value).sum()) for value in (1, -1, 0)
        ],
        "random against random: X wins, drawn, O wins": list(exact_outcomes(*random)),
    }


@pytest.mark.parametrize("fact", stated())
def test_the_fact_holds(counted: dict[str, list[Fraction]], fact: str) -> None:
    assert numbers_in(stated()[fact]) == counted[fact]


def test_every_counted_fact_is_stated(counted: dict[str, list[Fraction]]) -> None:
    assert stated().keys() == counted.keys()


LEARNERS = Path(__file__).parents[1] / "docs" / "learners.md"


@pytest.mark.parametrize("teacher", ["optimal", "random", "defensive"])
def test_what_a_restocked_machine_learns_hangs_on_its_teacher(positions: Positions, teacher: str) -> None:
    """Ten of the 200 machines: their mean is within four standard errors of what is stated (or above 99.9 %)."""
    draws = []
    for seed in range(1, 11):
        machine = Machine("menace", "X")
        play_games(machine, teacher, games=10_000, seed=seed)
        draws.append(against(machine.policy(), fixed_policy("optimal", positions, 1)).draw)
    row = next(line for line in LEARNERS.read_text(encoding="utf-8").splitlines() if f"| `{teacher}`" in line)
    wanted = float(re.findall(r"([0-9.]+)%", row)[0]) / 100
    if "more than" in row:
        assert np.mean(draws) > wanted
    else:
        assert abs(np.mean(draws) - wanted) < 4 * np.std(draws, ddof=1) / np.sqrt(len(draws))
