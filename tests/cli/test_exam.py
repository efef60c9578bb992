"""Tests of `menace exam` for people, functions and programs."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from commands import Run, ok, refused

from menace.learners.opponents import programs

AGENT = """
def first(board, moves):
    print("thinking about", board)
    return moves[0]
"""


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("agent.py").write_text(AGENT)
    return "./agent.py"


def test_person_answers_exam_resumes_it_and_is_graded(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["exam", "--game", "hexapawn", "--plays", "O", "--symmetric", "--answers", "me.jsonl"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("z9\n\nundo\nb3-b2\nquit\n"))
    out = ok(run(*arguments))
    assert "question 1\n" in out
    assert "you lose" in out
    assert "answers are kept as they are given" in out
    assert "the answers are stored in me.jsonl" in out
    assert len(Path("me.jsonl").read_text().splitlines()) == 2  # a description and one answer
    files = ("ab", "bc")  # pairs of neighbouring files
    ahead = [f"{file}{row}-{file}{row - 1}" for file in "abc" for row in (3, 2)]
    captures = [f"{a}{row}x{b}{row - 1}" for pair in files for a, b in (pair, pair[::-1]) for row in (3, 2)]
    monkeypatch.setattr(
        sys, "stdin", io.StringIO("\n".join([*ahead, *captures] * 10))
    )  # those that are not legal are refused
    out = ok(run(*arguments))
    assert "contains 1 answer; the exam continues" in out
    assert "question 2\n" in out
    assert "question 1\n" not in out
    assert "exploitability" in out
    assert "the value was decided by" in out


def test_answers_of_a_person_are_lost_without_a_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("4\n"))
    out = ok(run("exam"))
    assert "your value against the best response is -1 to 0" in out
    assert "the answers were not saved" in out


def test_exam_questions_a_function_in_a_separate_process(run: Run, agent: str) -> None:
    out = ok(run("exam", "--player", f"{agent}:first", "--plays", "O", "--symmetric", "--copies", "4"))
    assert "asked for 97 boards; assumed to treat mirrored and rotated boards alike" in out
    assert "after 87 answers: loss against random play 46.9%" in out
    assert "of 4 copies of boards" in out
    rows = json.loads(
        ok(run("exam", "--player", f"{agent}:first", "--plays", "O", "--losses", "--symmetric", "--json"))
    )
    assert {row["quantity"]: row["least"] == row["most"] for row in rows[:3]} == {
        "win": False,
        "draw": False,
        "loss": True,
    }


def test_missing_answer_is_recorded_and_counts_as_a_loss(run: Run, agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import time\nwhile True:\n board = input()\n n = board.count('X')\n"
        " if n == 2: raise SystemExit\n if board[0] == 'X': time.sleep(60)\n"
        " print('nonsense' if board[1] == 'X' else board.index('.'), flush=True)"
    )
    Path("program.py").write_text(code)
    monkeypatch.setattr(programs, "STARTING", 1.0)
    command = f"{sys.executable} program.py"
    out = ok(run("exam", "--command", command, "--time-limit", "0.5", "--plays", "O", "--symmetric", "--answers", "a"))
    answers = [json.loads(line) for line in Path("a").read_text().splitlines()[1:]]
    assert {answer["reason"] for answer in answers} == {"", "time limit", "illegal: nonsense", "ended"}
    for reason in ("time limit", "illegal", "ended"):
        assert f": {reason}" in out


def test_function_that_raises_or_returns_several_lines_gives_no_legal_move(run: Run, agent: str) -> None:
    Path("odd.py").write_text("def odd(board):\n    return '0\\n1' if board.count('O') else [][0]\n")
    ok(run("exam", "--player", "./odd.py:odd", "--plays", "O", "--symmetric", "--answers", "a"))
    answers = [json.loads(line) for line in Path("a").read_text().splitlines()[1:]]
    assert [answer["move"] for answer in answers] == [None] * 3
    assert {answer["reason"] for answer in answers} == {"illegal: odd.py fails in line 2, odd: IndexError:"}


def test_repeats_give_intervals(run: Run, agent: str) -> None:
    out = ok(run("exam", "--player", f"{agent}:first", "--game", "hexapawn", "--symmetric", "--repeats", "5"))
    assert "bounds are 95 % confidence intervals" in out
    assert " to " in out
    assert "each board was asked 5 times" in out


def test_exam_errors_are_printed_in_one_line(run: Run, agent: str) -> None:
    refused(run("exam", "--command", "./missing"), "'./missing' cannot be run")
    refused(run("exam", "--command", f"{sys.executable} -c pass"), "before its first answer")
    refused(run("exam", "--copies", "3"), "copies")
    refused(run("exam", "--player", f"{agent}:last"), "agent.py does not define the function last; it defines first")
    refused(run("exam", "--game", "chess"), "chess")
    ok(run("exam", "--player", f"{agent}:first", "--game", "hexapawn", "--answers", "h.jsonl"))
    refused(run("exam", "--player", f"{agent}:first", "--answers", "h.jsonl"), "h.jsonl belongs to another exam")
    for arguments in (
        ["--time-limit", "3"],
        ["--json"],
        ["--player", "a.py:b", "--command", "c"],
        ["--command", ""],
        ["--command", "'"],
    ):
        assert run("exam", *arguments).code == 2
