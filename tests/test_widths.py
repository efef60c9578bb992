"""Printed output fits the terminal, breaks at words, and loses nothing."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from commands import Run, ok

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import transcripts

from menace import cli
from menace.cli.shared.output import command_lines, table, wrapped

WORDS = ("a", "box", "of", "menace-x", "12", "0.5", "X...O....", "perfect", "q" * 37)


def texts(chance: random.Random, most: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(0, most)))


def letters(text: str) -> list[str]:
    """All that is no space and no sign of a break, in order."""
    return sorted(re.sub(r"[\s\\]", "", text))


@pytest.mark.parametrize("room", [20, 41, 60, 80])
def test_a_table_fits_whatever_is_in_it_and_keeps_all_of_it(room: int) -> None:
    chance = random.Random(room)
    for _ in range(200):
        count = chance.randint(1, 9)
        header = [texts(chance, 2) for _ in range(count)]
        rows = [[texts(chance, 9) for _ in range(count)] for _ in range(chance.randint(0, 4))]
        rows = [[*row[:-1], chance.randint(0, 10**18)] for row in rows]
        whole, shown = table(header, rows, 10**9), table(header, rows, room)
        assert max(map(len, shown.splitlines()), default=0) <= room
        assert letters(shown) == letters(whole)
        if rows and max(map(len, whole.splitlines())) <= room:
            assert shown == whole


@pytest.mark.parametrize("room", [20, 41, 80])
def test_lines_are_broken_at_words_and_longer_words_with_a_sign(room: int) -> None:
    chance = random.Random(room)
    for _ in range(300):
        line = "  " * chance.randint(0, 2) + texts(chance, 20)
        shown = wrapped(line, room)
        assert max(map(len, shown.splitlines()), default=0) <= room
        assert shown.replace("\\\n", "").replace(" ", "").replace("\n", "") == line.replace(" ", "")
        for part in re.split(r"(?<!\\)\n", shown):  # whole words, or marked ones
            assert set(re.sub(r"\\\n *", "", part).split()) <= set(line.split())


def test_a_command_in_several_lines_is_the_same_command() -> None:
    command = "  echo new 'a name of many words' --set beads=8,4,2,1 \"and  another one\" -- end"
    wanted = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
    for room in (20, 30, 40, 60):
        lines = command_lines(command, room)
        assert subprocess.run(["bash", "-c", lines], capture_output=True, text=True, check=True).stdout == wanted
        assert "\\\n" in lines


@pytest.mark.parametrize("columns", [60, 80])
def test_a_pipe_is_as_wide_as_its_lines_and_a_terminal_as_it_is(
    trained: Run, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    question = "SELECT 'one two three ' || printf('%.100c', '.') AS text, 'four five' AS other"
    assert max(map(len, ok(trained("query", question)).splitlines())) > 100
    monkeypatch.setenv("COLUMNS", str(columns))
    assert max(map(len, ok(trained("query", question)).splitlines())) <= columns
    assert max(map(len, ok(trained("query", question, "--csv")).splitlines())) > 100


def test_an_error_is_broken_at_words_on_a_terminal_and_one_line_through_a_pipe(tmp_path: Path) -> None:
    """Standard error has a width of its own, wherever standard output goes."""
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "menace", "show", "XX.......", "--db", "a folder of mine/and its database.db"]
    piped = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    assert len(piped.stderr.splitlines()) == 1
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, check=False, env=environment)
    lines = os.read(ours, 10_000).decode().splitlines()
    os.close(theirs)
    os.close(ours)
    assert len(lines) > 1
    assert max(map(len, lines)) <= 40
    assert " ".join(line.strip() for line in lines) == piped.stderr.rstrip("\n")


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("name", ["", *cli.cli.commands])
def test_help_fits_and_its_examples_are_the_same_commands(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    command = cli.cli.commands[name] if name else cli.cli
    shown = ok(run(*name.split(), "--help"))
    assert max(map(len, shown.splitlines())) <= columns
    epilog = (command.epilog or "").split("Examples:\n")[1]
    joined = re.sub(r" \\\n +", " ", shown.split("Examples:\n")[1])
    assert [line.strip() for line in joined.splitlines()] == [line.strip() for line in epilog.splitlines()]
    if not name:
        described = " ".join(shown.split())
        assert all(subcommand.get_short_help_str(1000) in described for subcommand in cli.cli.commands.values())


@pytest.mark.parametrize("page", transcripts.pages(), ids=lambda page: page.name)
def test_what_a_page_shows_fits_80_columns(page: Path) -> None:
    """It is what is printed there: test_readme.py types it."""
    shown = "".join(transcripts.fenced(page.read_text(encoding="utf-8"), "console")).splitlines()
    lines = [line for line in shown if not line.startswith("$ ")]
    assert lines or page.name == "plots.md"  # which sends what is printed to a file
    assert [line for line in lines if len(line) > 80] == []


@pytest.mark.slow
@pytest.mark.parametrize("page", transcripts.pages(), ids=lambda page: page.name)
def test_every_command_of_a_page_runs_and_fits_60_columns(page: Path) -> None:
    """What a page's shell blocks write for programs goes to files; what is for people is printed instead."""
    text = page.read_text(encoding="utf-8")
    commands = transcripts.commands(text)
    assert commands
    wide, widest = [], 0
    with transcripts.walk(60) as shell:
        transcripts.write_files(text)
        for command in commands:
            lines = shell(re.sub(r" > \w+\.txt$", "", command)).splitlines()
            widest = max(widest, *map(len, lines), 0)
            wide += [(command, line) for line in lines if len(line) > 60]
    assert wide == []
    assert widest >= 50  # so that there was something to break
