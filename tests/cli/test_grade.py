"""Tests of the output of `menace grade` for people and programs, and of its error messages."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from commands import Run, ok, refused
from hostile import write_hostile, write_players


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [*write_players(tmp_path, 2), *write_hostile(tmp_path, "several")]


def test_every_form_has_a_row_for_each_file_and_side(run: Run, files: list[str]) -> None:
    rows = list(csv.DictReader(ok(run("grade", *files, "--csv")).splitlines()))
    assert [(row["name"], row["plays"]) for row in rows] == [
        (name, side) for name in ("player000", "player001", "several") for side in "XO"
    ]
    assert float(rows[0]["random_win"]) > 0.5
    assert rows[0]["refutation"]
    assert (
        rows[4]["note"] == "cannot be loaded: NameError: the file has several functions (first, second);"
        " choose a function with --function"
    )
    assert [len(json.loads(ok(run("grade", *files, "--json", "--plays", "o")))), len(rows)] == [3, 6]
    for form in ("--markdown", "--latex"):
        assert ok(run("grade", files[0], form)).count("player000") == 2
    assert "wins / draws / losses in percent" in ok(run("grade", files[0]))


def test_function_is_chosen_in_a_reference_or_by_an_option(run: Run, files: list[str]) -> None:
    named = ok(run("grade", f"{files[2]}:first", "--plays", "X", "--csv"))
    assert named == ok(run("grade", files[2], "--function", "first", "--plays", "X", "--csv"))
    assert "returns '0'" in named


def test_game_symmetry_league_and_report_can_be_chosen_by_options(run: Run, files: list[str], tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("import helper\ndef move(board, moves):\n    return moves[helper.NUMBER]\n")
    (tmp_path / "helper.py").write_text("NUMBER = 0\n")
    options = (
        "--game",
        "hexapawn",
        "--symmetric",
        "--league",
        "--with",
        str(tmp_path / "helper.py"),
        "--html",
        "report/",
    )
    (x, o) = json.loads(ok(run("grade", str(tmp_path / "first.py"), *options, "--json")))
    assert (x["game"], x["symmetric"], x["contradictions"]) == ("hexapawn 3x3", True, None)
    assert x["against first"] == -o["against first"] != 0
    assert x["league"] is None
    assert len(list((tmp_path / "report").iterdir())) == 2


def test_control_characters_in_file_names_do_not_break_rows(run: Run, files: list[str], tmp_path: Path) -> None:
    named = Path(files[0]).rename(tmp_path / "new\nline.py")
    for form in ("--markdown", "--latex", "--csv"):
        assert "new line" in ok(run("grade", str(named), "--plays", "X", form))


def test_inputs_that_cannot_be_graded_are_refused_in_one_line(run: Run, files: list[str]) -> None:
    refused(run("grade", "missing.py"), "there is no file missing.py")
    refused(run("grade", files[0], "--game", "hexapwn"), "did you mean hexapawn?")
    for wrong in (
        ["--league", "--plays", "X"],
        ["--plays", "Z"],
        ["--time-limit", "0"],
        ["--time-limit", "nan"],
        ["--time-limit", "inf"],
        ["--memory", "1"],
    ):
        assert run("grade", files[0], *wrong).code == 2
