"""Tests that the textbook programs in tools/benchmarks/peers/ play and learn, and that ratios are correct."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from benchmarks.peers import article, page, picture, programs_by_task
from benchmarks.peers.measuring import Do, Entry, Row, measure
from checkout import ROOT
from oracle import EIGHT_SYMMETRIES, TICTACTOE

TRAINING_GAMES = {"zhang": 250, "gutmann": 250, "q_table": 4000, "sala": 4000}  # enough games to show an improvement


def text(board: list[int]) -> str:
    return "".join(".XO"[mark] for mark in board)


def check_outcome(cells: list[int]) -> str:
    """Check that a game is legal and is over after its last move, and return its outcome."""
    board = [0] * 9
    for ply, cell in enumerate(cells):
        assert board[cell] == 0
        assert TICTACTOE.outcome(text(board)) is None
        board[cell] = 1 + ply % 2
    result = TICTACTOE.outcome(text(board))
    assert result is not None
    return result


def count_wins(program: Any, games: int) -> int:
    """Return the number of games that X wins against random play."""
    won = 0
    for _ in range(games):
        board, cells = [0] * 9, []
        while TICTACTOE.outcome(text(board)) is None:
            free = [cell for cell in range(9) if board[cell] == 0]
            cells.append(random.choice(free) if len(cells) % 2 else program.choose(tuple(board)))
            board[cells[-1]] = 1 + (len(cells) - 1) % 2
        won += check_outcome(cells) == "X"
    return won


@pytest.mark.parametrize("name", TRAINING_GAMES)
def test_textbook_program_plays_by_the_rules_and_learns(name: str) -> None:
    """A difference of 20 wins in 200 games is three standard deviations.

    The seeds are fixed, so the test never fails by chance.
    """
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 - the generator of the programs
    program = import_module(f"benchmarks.peers.{name}").Textbook()
    before = count_wins(program, 200)
    for _ in range(TRAINING_GAMES[name]):
        check_outcome(program.play())
    assert count_wins(program, 200) >= before + 20


def test_article_program_plays_by_the_rules_and_learns_as_described() -> None:
    """X wins with its third move.

    Shorter games and later moves change more beads, and at least one bead always remains.
    """
    program = article.Textbook()
    random.seed(1)
    check_outcome(program.play())
    program = article.Textbook()
    boards: list[list[int]] = []
    board, played = [0] * 9, [0, 1, 4, 2, 8]  # X wins on a diagonal, and the first box contains only 0, 1 and 4
    for ply, cell in enumerate(played):
        boards.append(list(board))
        board[cell] = 1 + ply % 2
    assert article.winner(board) == 1
    program.learn(boards, played)
    changed = []
    for position, cell in zip(boards, played, strict=True):
        beads, image = program.find(position)
        changed.append(beads.count(image.index(cell)))
    # Piles start with two beads. The length of the game changes the piles by (9 - 5) // 2 = 2, and the plies change
    # them by 2, 3, 3, 4 and 4. The loser keeps one bead.
    assert changed == [2 + 4, 1, 2 + 5, 1, 2 + 6]
    assert len(program.boxes) == 627  # 765 boards, counted up to symmetry, minus the 138 final ones
    assert len(set(article.IMAGES)) == 8
    assert {"".join(map(str, image)) for image in article.IMAGES} == set(EIGHT_SYMMETRIES)


class Clock:
    """A simulated clock that the measured programs advance."""

    def __init__(self) -> None:
        self.now, self.calls = 0.0, ""

    def __call__(self) -> float:
        return self.now

    def program(self, name: str, seconds: float, batch: int = 1) -> Do:
        """Return a program that needs `seconds` per unit and does at least `batch` units per call."""

        def do(count: int) -> int:
            done = max(count, batch)
            self.now += seconds * done
            self.calls += name
            return done

        return do


def raise_import_error() -> Do:
    raise ImportError("No module named 'pgx'")


def measure_example(clock: Clock, rounds: int = 3) -> page.Record:
    row = Row(
        "Random playouts, noughts and crosses",
        "game",
        "A game.",
        (
            Entry("menace", lambda: clock.program("a", 0.5)),
            Entry("slower", lambda: clock.program("b", 1.5), slow=True),
            Entry("faster", lambda: clock.program("c", 0.125, batch=4), why="It plays four games at a time."),
            Entry("pgx", raise_import_error),
        ),
    )
    return page.record(measure([row], rounds, 8.0, clock), rounds, 8.0)


def test_programs_alternate_and_ratios_are_computed_per_round() -> None:
    clock = Clock()
    found = measure_example(clock)
    (row,) = found["rows"]
    assert [program["seconds"] for program in row["programs"]] == [[0.5] * 3, [1.5] * 3, [0.125] * 3, []]
    assert [page.ratios(row, program) for program in row["programs"][1:3]] == [(3.0,) * 3, (0.25,) * 3]
    # During the warm-up, one unit of `a` takes half a second, as do four units of `c`. `b` is slow and has no warm-up.
    assert clock.calls.startswith("ac" + "abc")
    assert [clock.calls.count(name) for name in "abc"] == [1 + 3 * 16, 3 * 6, 1 + 3 * 16]
    row["programs"][1]["seconds"] = [1.0, 4.0, 1.5]
    assert page.ratios(row, row["programs"][1]) == (2.0, 3.0, 8.0)


def test_table_shows_missing_and_faster_programs() -> None:
    found = measure_example(Clock())
    lines = page.table(found).splitlines()
    assert lines[2:] == [
        "| Random playouts, noughts and crosses | menace | 500 ms | 2 |  |",
        "|  | slower | 1.5 s | 0.667 | 3 (3 to 3) |",
        "|  | faster | 125 ms | 8 | **0.25 (0.25 to 0.25)** |",
        "|  | pgx | missing: No module named 'pgx' |  |  |",
    ]
    assert page.list_faster_programs(found) == [
        "| Random playouts, noughts and crosses | faster | 0.25 | It plays four games at a time. |"
    ]
    assert page.list_faster_programs(found)[0] in page.page(found)
    assert picture.bars(found) == [
        ("Random play", 0.0, False),
        ("faster", 8.0, False),
        ("menace", 2.0, True),
        ("slower", 1 / 1.5, False),
    ]


def test_every_program_of_the_rows_is_callable_and_on_the_page() -> None:
    for row in programs_by_task.ROWS:
        assert row.entries[0].name.startswith(("menace", "`menace"))
        for entry in row.entries:
            module, function, *arguments = entry.make.args  # type: ignore[attr-defined]
            assert callable(getattr(import_module(f"benchmarks.peers.{module}"), function))
            if function == "script":
                module, _, call = arguments[1].partition(".")
                assert callable(getattr(import_module(f"benchmarks.peers.{module}"), call.partition("(")[0]))
            if function == "training" and module == "textbooks":
                assert import_module(f"benchmarks.peers.{arguments[0]}").Textbook
    shown = (ROOT / "docs" / "development" / "peers.md").read_text(encoding="utf-8")
    table = shown.partition("\n## ")[0].splitlines()
    found = [[cell.strip() for cell in line.split("|")[1:3]] for line in table if line.startswith("| ")]
    expected = [
        [row.title if entry is row.entries[0] else "", entry.name]
        for row in programs_by_task.ROWS
        for entry in row.entries
    ]
    assert found[1:] == expected
