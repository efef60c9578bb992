"""Marks: the numbers of games after which learners are measured, and the rows written there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from menace.arena.best_response import worst_case
from menace.arena.evaluation import against
from menace.games.positions import Positions
from menace.learners.fixed_opponents import fixed_policy
from menace.ledger.database_file import create_database
from menace.ledger.learners import load_machine, new_learner
from menace.ledger.marks import MARKS, evaluation_rows, measure, next_mark, shown_marks


def test_marks_are_1_2_5_by_tens_up_to_a_million_and_then_every_million() -> None:
    wanted = [step * 10**power for power in range(6) for step in (1, 2, 5)]
    wanted += [million * 10**6 for million in range(1, 12)]
    assert list(MARKS) == wanted[:18]
    for before, mark in zip([0, *wanted], wanted, strict=False):
        for games in {before, before + 1, (before + mark) // 2, mark - 1}:
            if before <= games < mark:
                assert next_mark(games) == mark
    assert next_mark(10**12) == 10**12 + 10**6


@pytest.mark.parametrize("side", [0, 1])
def test_rows_hold_both_policies_against_three_opponents(positions: Positions, tmp_path: Path, side: int) -> None:
    with create_database(tmp_path / "menace.db") as store:
        machine = load_machine(store, positions, new_learner(store, "a", "XO"[side]))
    learned = machine.learned
    learned.games = 17
    learned.amount[learned.kept] = np.arange(int(learned.kept.sum())) % 5 + 1
    rows = evaluation_rows(8, machine)
    assert [row[:5] for row in rows] == [
        (8, machine.learner_id, 17, kind, opponent)
        for kind in ("behaviour", "greedy")
        for opponent in ("random", "optimal", "best")
    ]
    for row in rows:
        policy = machine.policy(row.policy)  # type: ignore[arg-type]
        right = (
            worst_case(policy)
            if row.opponent == "best"
            else against(policy, fixed_policy(row.opponent, positions, 1 - side))
        )
        assert row[5:] == pytest.approx(tuple(right), abs=1e-15)
        assert row[5:] == tuple(measure(policy)[row.opponent])


@pytest.mark.parametrize("first", [0, 1, 12_345])
@pytest.mark.parametrize("last", [12_346, 12_400, 10**6, 987_654_321, 10**12])
def test_a_long_curve_is_shown_at_its_ends_at_the_marks_and_evenly_between(first: int, last: int) -> None:
    shown = shown_marks(first, last)
    assert shown == sorted(set(shown))
    assert (shown[0], shown[-1]) == (first, last)
    assert {first + mark for mark in MARKS if first + mark < last} <= set(shown)
    assert len(shown) <= 2 + 6 * len(str(last))
    steps = [games - first for games in shown if games - first >= 3]
    assert all(later <= 2 * earlier for earlier, later in pairwise(steps))
