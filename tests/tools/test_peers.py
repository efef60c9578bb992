"""tools/benchmarks/measure_peers.py: programs written from descriptions play and learn, and times become ratios."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from benchmarks.peers import article, page, picture, rows
from benchmarks.peers.measuring import Do, Entry, Row, measure
from checkout import ROOT
from oracle import EIGHT_SYMMETRIES, TICTACTOE

LEARNING = {"zhang": 250, "gutmann": 250, "q_table": 4000, "sala": 4000}  # games, after which more are won


def text(board: list[int]) -> str:
    return "".join(".XO"[mark] for mark in board)


def outcome_of(cells: list[int]) -> str:
    """Return the outcome of a game by the cells that were taken; it is legal, and over at its end alone."""
    board = [0] * 9
    for ply, cell in enumerate(cells):
        assert board[cell] == 0
        assert TICTACTOE.outcome(text(board)) is None
        board[cell] = 1 + ply % 2
    result = TICTACTOE.outcome(text(board))
    assert result is not None
    return result


def wins(program: Any, games: int) -> int:
    """Return how many games X wins against random play."""
    won = 0
    for _ in range(games):
        board, cells = [0] * 9, []
        while TICTACTOE.outcome(text(board)) is None:
            free = [cell for cell in range(9) if board[cell] == 0]
            cells.append(random.choice(free) if len(cells) % 2 else program.choose(tuple(board)))
            board[cells[-1]] = 1 + (len(cells) - 1) % 2
        won += outcome_of(cells) == "X"
    return won


@pytest.mark.parametrize("name", LEARNING)
def test_a_textbooks_program_plays_by_the_rules_and_learns(name: str) -> None:
    """Twenty games of 200 are three standard deviations of the difference; seeds are fixed."""
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 - what the programs draw from
    program = import_module(f"benchmarks.peers.{name}").Textbook()
    before = wins(program, 200)
    for _ in range(LEARNING[name]):
        outcome_of(program.play())
    assert wins(program, 200) >= before + 20


def test_matchboxes_as_lists_of_beads_play_by_the_rules_and_learn_as_described() -> None:
    """X wins on its third move: shorter games and later moves change more beads, and none falls below one."""
    program = article.Textbook()
    random.seed(1)
    outcome_of(program.play())
    program = article.Textbook()
    boards: list[list[int]] = []
    board, played = [0] * 9, [0, 1, 4, 2, 8]  # a diagonal; the first box has 0, 1 and 4 alone
    for ply, cell in enumerate(played):
        boards.append(list(board))
        board[cell] = 1 + ply % 2
    assert article.winner(board) == 1
    program.learn(boards, played)
    changed = []
    for position, cell in zip(boards, played, strict=True):
        beads, image = program.find(position)
        changed.append(beads.count(image.index(cell)))
    # (9 - 5) // 2 = 2 for the length; 2, 3, 3, 4, 4 for the plies; two beads before, and a loser keeps one.
    assert changed == [2 + 4, 1, 2 + 5, 1, 2 + 6]
    assert len(program.boxes) == 627  # boards of both sides to move, up to symmetry: 765 less 138 that end games
    assert len(set(article.IMAGES)) == 8
    assert {"".join(map(str, image)) for image in article.IMAGES} == set(EIGHT_SYMMETRIES)


class Clock:
    """A clock that programs set forward."""

    def __init__(self) -> None:
        self.now, self.calls = 0.0, ""

    def __call__(self) -> float:
        return self.now

    def program(self, name: str, seconds: float, batch: int = 1) -> Do:
        """Return a program of which each thing takes so many seconds, and which does `batch` of them at least."""

        def do(count: int) -> int:
            done = max(count, batch)
            self.now += seconds * done
            self.calls += name
            return done

        return do


def missing() -> Do:
    raise ImportError("No module named 'pgx'")


def measured(clock: Clock, rounds: int = 3) -> page.Record:
    row = Row(
        "Random playouts, noughts and crosses",
        "game",
        "A game.",
        (
            Entry("menace", lambda: clock.program("a", 0.5)),
            Entry("slower", lambda: clock.program("b", 1.5), slow=True),
            Entry("faster", lambda: clock.program("c", 0.125, batch=4), why="it does four at a time"),
            Entry("pgx", missing),
        ),
    )
    return page.record(measure([row], rounds, 8.0, clock), rounds, 8.0)


def test_programs_take_turns_and_times_become_ratios_by_round() -> None:
    clock = Clock()
    found = measured(clock)
    (row,) = found["rows"]
    assert [program["seconds"] for program in row["programs"]] == [[0.5] * 3, [1.5] * 3, [0.125] * 3, []]
    assert [page.ratios(row, program) for program in row["programs"][1:3]] == [(3.0,) * 3, (0.25,) * 3]
    # Warming up: a call of ours fills half a second, one of c takes that with four things; b is slow.
    assert clock.calls.startswith("ac" + "abc")
    assert [clock.calls.count(name) for name in "abc"] == [1 + 3 * 16, 3 * 6, 1 + 3 * 16]
    row["programs"][1]["seconds"] = [1.0, 4.0, 1.5]
    assert page.ratios(row, row["programs"][1]) == (2.0, 3.0, 8.0)


def test_the_table_tells_who_is_missing_and_who_is_faster() -> None:
    found = measured(Clock())
    lines = page.table(found).splitlines()
    assert lines[2:] == [
        "| Random playouts, noughts and crosses | menace | 500 ms | 2 |  |",
        "|  | slower | 1.5 s | 0.667 | 3 (3 to 3) |",
        "|  | faster | 125 ms | 8 | **0.25 (0.25 to 0.25)** |",
        "|  | pgx | missing: No module named 'pgx' |  |  |",
    ]
    assert page.faster(found) == [
        "- Random playouts, noughts and crosses, faster: 0.25 of our time; it does four at a time."
    ]
    assert page.faster(found)[0] in page.page(found)
    assert picture.bars(found) == [
        ("Random play", 0.0, False),
        ("faster", 8.0, False),
        ("menace", 2.0, True),
        ("slower", 1 / 1.5, False),
    ]


def test_every_program_of_the_rows_is_there_and_on_the_page() -> None:
    for row in rows.ROWS:
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
    found = [[cell.strip() for cell in line.split("|")[1:3]] for line in shown.splitlines() if line.startswith("| ")]
    expected = [
        [row.title if entry is row.entries[0] else "", entry.name] for row in rows.ROWS for entry in row.entries
    ]
    assert found[1:] == expected
