"""Tests of tools/docs/planted_bugs.py, which compares how well exact grades and sampled games reveal planted bugs."""

from __future__ import annotations

import random
from typing import Any

import pytest
from docs.planted_bugs import BUGS, CORRECT, RUNS, TESTS, Measured
from exact_oracle import GAMES, Solved

from docs import planted_bugs

TABLE = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in planted_bugs.PAGE.read_text(encoding="utf-8")
    .partition("### Planted bugs")[2]
    .partition("\n## ")[0]
    .splitlines()
    if line.startswith("|")
]


def measured(exact: float, long: float, short: float, *blames: str) -> Measured:
    return Measured(dict(zip(TESTS, ((exact, 0.0), (long, 0.0), (short, 0.0)), strict=True)), blames)


def test_each_bug_changes_the_program_in_one_place() -> None:
    programs = [planted_bugs.program(bug) for bug in [None, *BUGS]]
    assert len(BUGS) == 13
    assert len(set(programs)) == 14
    for code in programs:
        compile(code, "q_learner.py", "exec")


def test_bug_that_adds_the_value_of_finished_boards_changes_nothing() -> None:
    """The page says that the value of a finished board is always 0."""
    learned = []
    for bug in (None, "the value of a finished board is added to the reward"):
        names: dict[str, Any] = {}
        exec(planted_bugs.program(bug), names)
        learned.append({board: row for board, row in names["train"](300, 1).items() if any(row)})
    assert learned[0] == learned[1] != {}


def test_run_fails_above_the_mean_plus_four_standard_deviations() -> None:
    limits = planted_bugs.limits_of([measured(0, 1, 0), measured(0, 3, 0)])
    assert limits == {TESTS[0]: [0, 0], TESTS[1]: [pytest.approx(2 + 4 * 2**0.5), 0], TESTS[2]: [0, 0]}
    assert [planted_bugs.fails(measured(1, 7.6, 0), test, limits) for test in TESTS] == [True, False, False]
    assert [planted_bugs.fails(measured(0, 7.7, 1), test, limits) for test in TESTS] == [False, True, True]


def test_row_counts_failures_and_shows_the_first_blame() -> None:
    limits = planted_bugs.limits_of([measured(0, 0, 0)] * 2)
    runs = [measured(0, 0, 0), measured(2, 1, 0, "O: 8 at X........ (100.0%) loses"), measured(4, 0, 0, "O: x")]
    assert planted_bugs.row("a bug", runs, limits) == "| a bug | 2 | 1 | 0 | 2, 0 | O: 8 at X........ |"


def test_games_are_counted_for_the_player() -> None:
    def first(board: str) -> str:
        return str(board.index("."))

    for plays in planted_bugs.SIDES:
        lost, not_won = planted_bugs.lost_and_not_won(first, plays, 2000, random.Random(1))
        exact = planted_bugs.menace.grade(first, plays).against["random"]
        assert lost / 2000 == pytest.approx(exact.loss, abs=0.06)
        assert not_won / 2000 == pytest.approx(1 - exact.win, abs=0.06)


def test_move_blamed_for_a_missing_diagonal_loses_value() -> None:
    """A brute-force calculation on boards confirms that the move loses value."""
    solved = Solved(GAMES["tictactoe 3x3x3"])
    run = planted_bugs.measure("a diagonal is missing", 0, training=3_000)
    assert run.blames
    for blame in run.blames:
        side, move, _, board = blame.replace(":", "").split()[:4]
        after = board[: int(move)] + side + board[int(move) + 1 :]
        assert solved.value[after] != solved.value[board]


@pytest.mark.slow
def test_table_of_page_matches_one_run_of_a_bug(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row[0]: row[1:] for row in TABLE}
    assert list(rows)[2:-2] == list(BUGS)
    assert planted_bugs.measure(None, 0).blames == ()
    for bug in ("a diagonal is missing", "the player still explores one move in ten when it is tested"):
        assert rows[bug][0] == str(RUNS)
        (blame, *_) = planted_bugs.measure(bug, 0).blames
        assert blame.startswith(rows[bug][-1])
    planted_bugs.main(correct=2, runs=1, training=20)
    printed = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in printed[2:15]] == list(BUGS)
    assert f"in {CORRECT} other correct runs" in str(TABLE)
