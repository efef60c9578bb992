"""Marks: the numbers of games after which learners are measured, and the rows written there."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from menace.arena.schedule import Marks
from menace.arena.strength import against, worst_case
from menace.errors import InvalidRun
from menace.games.positions import Positions
from menace.learners.opponents.fixed import fixed_policy
from menace.ledger.database_file import create_database
from menace.ledger.learners import load_machine, new_learner
from menace.ledger.training import evaluation_rows, measure, shown_marks


def one_two_five(number: int) -> bool:
    return str(number).rstrip("0") in {"1", "2", "5"} if number < 10**6 else number % 10**6 == 0


def is_power(number: int, each: int) -> bool:
    """Say whether a rounded power 10^(k / each) is the number, in whole numbers."""
    low, high = (2 * number - 1) ** each, (2 * number + 1) ** each
    k = max(0, math.floor(each * math.log10(number - 0.5)) - 1)
    while 2**each * 10**k < low:
        k += 1
    return 2**each * 10**k < high


LAWS = {
    "1-2-5": one_two_five,
    "every:1": lambda number: number > 0,
    "every:7": lambda number: number % 7 == 0,
    "every:500": lambda number: number % 500 == 0,
    "log:1": lambda number: is_power(number, 1),
    "log:4": lambda number: is_power(number, 4),
    "log:20": lambda number: is_power(number, 20),
    "log:137": lambda number: is_power(number, 137),
    "0": lambda number: number < 0,
    "0,100,220": lambda number: number in {100, 220},
    "3,4,1000": lambda number: number in {3, 4, 1000},
}


@pytest.mark.parametrize("text", LAWS)
def test_marks_are_what_their_law_says_and_both_ends(text: str) -> None:
    marks = Marks.parse(text)
    wanted = [number for number in range(1, 2301) if LAWS[text](number)]
    for games in (1, 2, 100, 220, 999, 1000, 2300):
        assert marks.upto(games) == sorted({0, games, *(mark for mark in wanted if mark < games)})
    for before, mark in pairwise([0, *wanted]):
        assert all(marks.next(games) == mark for games in range(before, mark))
    if marks.kind == "list":
        assert marks.next(marks.numbers[-1]) is None
    assert marks.upto(0) == [0]
    assert str(marks) == text
    assert Marks.parse(str(marks)) == marks


@pytest.mark.parametrize(("text", "number"), [("1-2-5", 1_000_000), ("log:20", 10), ("every:123456789", 123_456_789)])
def test_marks_of_long_runs(text: str, number: int) -> None:
    marks, law = Marks.parse(text), {"1-2-5": one_two_five, "log:20": lambda games: is_power(games, 20)}.get(text)
    for games in (10**6 - 1, 10**6, 10**9 + 7, 10**12 - 1):
        mark = marks.next(games)
        assert mark is not None
        assert mark > games
        assert law(mark) if law else mark % number == 0 and mark - games <= number
    assert all(10**power in Marks.parse("log:20").upto(10**12) for power in range(13))


def test_marks_by_logarithm_are_evenly_apart() -> None:
    marks = Marks.parse("log:20").upto(10**9)
    apart = [math.log10(later / earlier) for earlier, later in pairwise(marks) if earlier >= 1000]
    assert len(apart) == 6 * 20
    assert all(abs(step - 1 / 20) < 1e-3 for step in apart)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "marks '' are not 1-2-5, every:500, log:20, or a list such as 0,100,220"),
        ("1-2-4", "are not 1-2-5"),
        ("each:5", "'each:5' are not 1-2-5"),
        ("every:", "are not 1-2-5"),
        ("every:1_000", "are not 1-2-5"),
        ("every:1e3", "are not 1-2-5"),
        ("every:-1", "are not 1-2-5"),
        ("every:0", "marks 'every:0': the number is 1 or more, as in every:500"),
        ("every:5:6", "are not 1-2-5"),
        ("every:99999999999999", "are not 1-2-5"),
        ("log:0", "the number is 1 or more"),
        ("log:1001", "marks 'log:1001': at most 1,000 in each power of ten, such as log:20"),
        ("1,,2", "are not 1-2-5"),
        ("0,²", "are not 1-2-5"),
        ("100,50", "marks '100,50': each is larger than the one before, as in 0,100,220"),
        ("100,100", "each is larger"),
        (",".join(map(str, range(1001))), "1,001 marks: list at most 1,000, or say every:500 or log:20"),
        (500, "marks 500 are not text"),
        (None, "marks None are not text"),
    ],
)
def test_what_are_no_marks_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidRun, match=re.escape(message)):
        Marks.parse(text)


def test_too_many_marks_are_refused_with_what_will_do() -> None:
    marks = Marks.parse("every:7")
    marks.check(700_000)
    with pytest.raises(InvalidRun, match="'every:7' of 700,001 games are too many: take every:8 or more"):
        marks.check(700_001)
    with pytest.raises(InvalidRun, match="take every:10000 or more"):
        Marks.parse("every:1").upto(10**9)
    for text in ("every:10000", "1-2-5", "log:1000", "0"):
        Marks.parse(text).check(10**9)
    Marks().check(10**12)


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
    assert {first + mark for mark in Marks().upto(10**6) if first + mark < last} <= set(shown)
    assert len(shown) <= 2 + 6 * len(str(last))
    steps = [games - first for games in shown if games - first >= 3]
    assert all(later <= 2 * earlier for earlier, later in pairwise(steps))
