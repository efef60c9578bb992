"""Tests that the program in docs/your-own-game.md is short and correct and that its commands work."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from checkout import ROOT
from commands import Run, ok
from trial_games import PAGE, PROGRAM, chomp, write_chomp

from menace.games import plugins
from menace.games.enumeration import enumerate_positions

pytestmark = pytest.mark.slow
SIZES = [(rows, columns) for rows in range(1, 5) for columns in range(1, 6)]


def test_program_has_under_sixty_lines() -> None:
    assert len(PROGRAM.splitlines()) < 60
    assert "in fewer than sixty lines" in PAGE


@pytest.mark.parametrize("size", SIZES)
def test_x_wins_on_every_bar_except_1x1(size: tuple[int, int]) -> None:
    """X wins by strategy stealing. The reachable bars are the C(R + C, R) bars with the shape of a staircase."""
    positions = enumerate_positions(chomp("{}x{}".format(*size)), "none")
    assert positions.minimax[0] == (-1 if size == (1, 1) else 1)
    assert {board[:-2] for board in positions.boards} == set(staircases(*size))


def staircases(rows: int, columns: int, longest: int | None = None) -> list[str]:
    """Return every bar in which no row is longer than the row above it. Bites leave only these bars."""
    if rows == 0:
        return [""]
    return [
        "#" * length + "." * (columns - length) + below
        for length in range((columns if longest is None else longest) + 1)
        for below in staircases(rows - 1, columns, length)
    ]


def test_bite_removes_squares_below_and_right_and_poison_loses() -> None:
    game = chomp("2x3")
    assert game.play("######:X", 1) == "#..#..:O"
    assert game.play("######:X", 3) == "###...:O"
    assert game.outcome(game.play("#.....:X", 0)) == "O"
    assert game.outcome(game.play("######:O", 0)) == "X"
    assert game.outcome("#.....:X") is None


def test_lines_on_dominoes_are_in_the_new_game_template() -> None:
    (lines,) = re.findall(r"```py\n(.*?)```", PAGE, re.DOTALL)
    template = files("menace.games").joinpath("new_game.txt").read_text(encoding="utf-8").splitlines()
    assert set(lines.splitlines()) <= set(template)


def test_short_commands_run(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """test_page_and_pictures_are_up_to_date checks the slow commands."""
    write_chomp(tmp_path)
    monkeypatch.setattr(plugins, "_registered", {})
    monkeypatch.setenv(plugins.FILES, "./chomp.py:Chomp")
    assert "68 positions, 397 moves" in ok(run("init", "--game", "./chomp.py:Chomp", "--variant", "3x4"))
    ok(run("selfplay", "--games", "300", "--seed", "1"))
    assert "X wins" in ok(run("show", "######..##..:O", "--learner", "menace-o"))
    assert "32 labels" in ok(run("labels", "menace-x", "chomp-labels.pdf"))
    assert (tmp_path / "chomp-labels.pdf").read_bytes().startswith(b"%PDF")


def test_page_and_pictures_are_up_to_date() -> None:
    assert len(re.findall(r"!\[[^]]*\]\(your-own-game/", PAGE)) == 2
    check = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "docs" / "make_tutorial.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (check.returncode, check.stdout) == (0, ""), check.stdout + check.stderr
