"""Tests of programs as players, including programs that hang, exit, print too much or print nonsense."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from menace.errors import InvalidPlayer
from menace.learners.opponents import programs
from menace.learners.opponents.programs import NoAnswer, Program


def program(code: str, time_limit: float | None = 5.0) -> Program:
    return Program([sys.executable, "-u", "-c", code], time_limit)


@pytest.fixture(autouse=True)
def _short_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "STARTING", 5.0)


def test_one_process_answers_all_boards() -> None:
    with program("import os\nwhile True: print(input(), os.getpid())") as player:
        answers = [str(player.ask(board)).split() for board in ("X", "O", "XO")]
    assert [board for board, _ in answers] == ["X", "O", "XO"]
    assert len({process for _, process in answers}) == 1


def test_json_object_in_a_line_is_read_as_weights() -> None:
    with program('while True: input(); print(\'{"4": 3, "0": 1}\')') as player:
        assert player.ask("X") == {"4": 3, "0": 1}


def test_a_program_that_hangs_is_ended_and_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "STARTING", 2.0)
    code = "import time\nwhile True:\n b = input()\n if b == 'hang': time.sleep(60)\n print(b)"
    with program(code, 0.2) as player:
        assert player.ask("X") == "X"
        start = time.monotonic()
        with pytest.raises(NoAnswer, match=r"^time limit$"):
            player.ask("hang")
        assert time.monotonic() - start < 2
        assert player.ask("O") == "O"


def test_a_program_that_ends_is_started_again() -> None:
    code = "while True:\n b = input()\n if b == 'end': raise SystemExit(3)\n print(b)"
    with program(code) as player:
        assert player.ask("X") == "X"
        with pytest.raises(NoAnswer, match=r"^ended$"):
            player.ask("end")
        assert player.ask("O") == "O"


def test_a_program_that_answers_one_board_and_ends_answers_every_board() -> None:
    with program("print(input())") as player:
        assert [player.ask(board) for board in "abcdef"] == list("abcdef")


def test_lines_after_the_answer_are_not_answers_to_the_next_board() -> None:
    with program("while True: print(input()); print('by the way')") as player:
        first = player.ask("X")
        time.sleep(0.3)
        assert (first, player.ask("O")) == ("X", "O")


@pytest.mark.parametrize("code", ["while True: print('x' * 100)", "import sys\nwhile True: sys.stdout.write('x')"])
def test_a_program_that_floods_its_output_does_not_fill_the_memory(code: str) -> None:
    with program(code) as player:
        for _ in range(3):
            try:
                answer = player.ask("X")
            except NoAnswer:
                continue
            assert set(str(answer)) == {"x"}
            time.sleep(0.3)
            assert player._process is not None
            assert player._process.unread.qsize() <= programs.MOST_LINES + 1


@pytest.mark.parametrize("code", ["raise SystemExit(7)", "import os\nos.close(1)\nimport time\ntime.sleep(60)"])
def test_a_program_that_never_answers_is_an_error(code: str) -> None:
    with program(code) as player, pytest.raises(InvalidPlayer, match="before its first answer"):
        player.ask("X")


def test_a_missing_program_is_an_error() -> None:
    with Program(["./no-such-program"]) as player, pytest.raises(InvalidPlayer, match="cannot be run"):
        player.ask("X")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups of this kind")
def test_processes_that_a_program_started_are_ended_with_it(tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    child = f"import time\nwhile True: open({str(beat)!r}, 'a').write('.'); time.sleep(0.05)"
    code = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {child!r}])\nwhile True: print(input())"
    with program(code) as player:
        player.ask("X")
        while not beat.exists():
            time.sleep(0.02)
    time.sleep(0.2)
    size = beat.stat().st_size
    time.sleep(0.3)
    assert beat.stat().st_size == size


def test_a_python_function_answers_in_a_process(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(
        "def move(board, moves):\n    print('thinking')\n    return moves[-1]\n"
        "def odds(board):\n    return {'4': 1}\n"
        "def fails(board):\n    return [][0]\n"
    )
    command = [sys.executable, "-m", "menace.learners.opponents.programs"]
    for name, answer in (("move", "8"), ("odds", {"4": 1})):
        with Program([*command, f"{file}:{name}", "tictactoe", "3x3x3"], 20) as player:
            assert player.ask("XO.......") == answer
    with Program([*command, f"{file}:fails", "tictactoe", "3x3x3"], 20) as player:
        assert "IndexError: list index out of range" in str(player.ask("XO......."))
    with (
        Program([*command, f"{file}:missing", "tictactoe", "3x3x3"], 20) as player,
        pytest.raises(InvalidPlayer, match=r"agent\.py does not define the function missing"),
    ):
        player.ask("XO.......")
