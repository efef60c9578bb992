"""Tests that printed tables fit into the terminal, omit no content and have correct headings."""

from __future__ import annotations

import os
import pty
import random
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from fcntl import ioctl
from itertools import pairwise
from pathlib import Path
from termios import TIOCSWINSZ

import pytest
from checkout import ROOT
from commands import EVERY_COMMAND, SMALL_DESIGN, Run, ok

from docs import transcripts
from menace import cli
from menace.arena.run_schedule import Marks
from menace.cli import run_summary, terminal
from menace.cli.run_summary import fit_line, share_blocks, value_blocks
from menace.cli.terminal import sparkline, table, wrap_command, wrap_line
from menace.ledger.store import BlockRow

FINE = [step * 10**power for power in range(11) for step in (1, 2, 5)]
TENS = [10**power for power in range(11)]
MILLIONS = [mark for mark in FINE if mark < 10**6] + [10**6 * n for n in range(1, 400)]
SERIES = {"1, 2, 5, 10, ...": FINE, "1, 10, 100, ...": TENS, "1, 2, 5, ..., each million": MILLIONS}


def step_ends(games: int, marks: list[int] | None = None) -> list[int]:
    """Return the numbers of games after which the steps of a run end.

    A step ends at each of the run's marks, or at each given mark, and after the last game.
    """
    if marks is not None:
        return [mark for mark in marks if mark < games] + [games]
    return Marks().list_up_to(games)[1:]


def count_odd(start: int, end: int) -> int:
    """Return the number of odd integers from start + 1 to end. X wins the odd-numbered games."""
    return (end + 1) // 2 - (start + 1) // 2


def blocks(games: int) -> list[BlockRow]:
    steps = pairwise([0, *step_ends(games)])
    return [
        BlockRow(0, 0, "games", end - start, count_odd(start, end), 0, end - start - count_odd(start, end), 0, 0, "")
        for start, end in steps
    ]


@pytest.mark.parametrize("games", [1, 3, 500, 10_000, 1_000_000, 3_000_000, 300_000_000, 10**9 + 7])
@pytest.mark.parametrize("room", [80, 100, 400])
def test_outcomes_fit_the_terminal_and_match_their_heading(
    games: int, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "output_width", lambda: room)
    lines = "".join(run_summary._outcomes_text(blocks(games), draws=True)).splitlines()
    heading, x_wins, draws, o_wins = lines
    assert max(map(len, lines)) <= room
    ends = step_ends(games, SERIES[heading.split(" in columns up to ")[1]])
    shares = [count_odd(start, end) / (end - start) for start, end in pairwise([0, *ends])]
    assert x_wins.split()[2] == sparkline(shares)
    assert o_wins.split()[2] == sparkline([1 - share for share in shares])
    assert draws.split()[1] == "▁" * len(ends)
    last = games - [0, *ends][-2]
    assert x_wins.endswith(f"{100 * shares[-1]:5.1f}% of the last {last:,}")


def test_wider_progress_line_has_at_least_the_same_points() -> None:
    ends = step_ends(300_000_000)
    pools = [run_summary.pool_steps(ends, room)[0] for room in range(400)]
    for narrow, wide in pairwise(pools):
        assert set(narrow) <= set(wide)
    assert pools[len(ends)] == list(range(len(ends)))
    assert all(len(pooled) <= max(room, len(TENS)) for room, pooled in enumerate(pools))
    assert all(pooled[-1] == len(ends) - 1 for pooled in pools)


def test_lines_of_blocks_fill_the_available_width() -> None:
    ends = step_ends(300_000_000)
    values = [index / len(ends) for index in range(len(ends))]
    counts = [count_odd(start, end) for start, end in pairwise([0, *ends])]
    for before in ("menace-x, games won ", "x" * 50):
        for line in (lambda room: value_blocks(ends, values, room), lambda room: share_blocks(ends, counts, room)):
            text = fit_line(before, line, " 12.5% of all")
            assert len(text) <= max(80, len(before) + run_summary.MIN_LINE + len(" 12.5% of all"))
    assert value_blocks(ends, values, 400) == sparkline(values)
    assert value_blocks(ends, values, 5)[-1] == sparkline(values[-1:])


def test_width_is_that_of_the_terminal() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    code = "from menace.cli.terminal import output_width; print(output_width())"
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 50, 132, 0, 0))
    subprocess.run([sys.executable, "-c", code], stdout=theirs, check=True, env=environment)
    os.close(theirs)
    assert os.read(ours, 100).split() == [b"132"]
    piped = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment)
    assert piped.stdout.split() == [b"80"]


WORDS = ("a", "box", "of", "menace-x", "12", "0.5", "X...O....", "perfect", "q" * 37)


def texts(chance: random.Random, most: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(0, most)))


def letters(text: str) -> list[str]:
    """Return the text without spaces and without the marks that indicate a broken line."""
    return sorted(re.sub(r"[\s\\]", "", text))


@pytest.mark.parametrize("room", [20, 41, 60, 80])
def test_table_fits_and_keeps_all_content(room: int) -> None:
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
def test_lines_break_at_words_and_long_words_are_marked(room: int) -> None:
    chance = random.Random(room)
    for _ in range(300):
        line = "  " * chance.randint(0, 2) + texts(chance, 20)
        shown = wrap_line(line, room)
        assert max(map(len, shown.splitlines()), default=0) <= room
        assert shown.replace("\\\n", "").replace(" ", "").replace("\n", "") == line.replace(" ", "")
        # each part either consists of whole words or ends with the mark of a broken line
        for part in re.split(r"(?<!\\)\n", shown):
            assert set(re.sub(r"\\\n *", "", part).split()) <= set(line.split())


def test_wrapped_command_is_equivalent() -> None:
    command = "  echo new 'a name of many words' --set beads=8,4,2,1 \"and  another one\" -- end"
    wanted = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
    for room in (20, 30, 40, 60):
        lines = wrap_command(command, room)
        assert subprocess.run(["bash", "-c", lines], capture_output=True, text=True, check=True).stdout == wanted
        assert "\\\n" in lines


@pytest.mark.parametrize("columns", [60, 80])
def test_pipe_output_is_not_wrapped_and_terminal_output_is(
    trained: Run, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    question = "SELECT 'one two three ' || printf('%.100c', '.') AS text, 'four five' AS other"
    assert max(map(len, ok(trained("query", question)).splitlines())) > 100
    monkeypatch.setenv("COLUMNS", str(columns))
    assert max(map(len, ok(trained("query", question)).splitlines())) <= columns
    assert max(map(len, ok(trained("query", question, "--csv")).splitlines())) > 100


def test_error_wraps_on_a_terminal_and_is_one_line_in_a_pipe(tmp_path: Path) -> None:
    """The width of tables on standard error does not depend on standard output."""
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
def test_help_fits_the_terminal_and_keeps_its_examples(
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


@pytest.mark.parametrize("page", transcripts.find_pages(), ids=lambda page: page.name)
def test_output_on_pages_fits_80_columns(page: Path) -> None:
    """A test in test_readme.py checks that pages show the actual output."""
    shown = "".join(transcripts.code_blocks(page.read_text(encoding="utf-8"), "console")).splitlines()
    lines = [line for line in shown if not line.startswith("$ ")]
    assert lines or page.name == "plots.md"  # the commands on this page write their output to files
    assert [line for line in lines if len(line) > 80] == []


def check_width(shell: Callable[[str], str], commands: list[str]) -> None:
    """Run commands in a terminal 60 columns wide, and check that all lines fit and that some of them are wrapped."""
    lines = [(command, line) for command in commands for line in shell(command).splitlines()]
    assert [(command, line) for command, line in lines if len(line) > 60] == []
    assert max(len(line) for _, line in lines) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("page", ["README.md", "docs/building.md", "docs/grading.md", "docs/playing.md"])
def test_commands_on_pages_run_and_fit_60_columns(page: str) -> None:
    """Shell blocks on pages redirect output that is meant for programs to files, and print all other output.

    The next test covers the commands on other pages, and test_readme.py runs the commands on all pages.
    """
    text = (ROOT / page).read_text(encoding="utf-8")
    with transcripts.open_shell(60) as shell:
        transcripts.write_files(text)
        check_width(shell, [re.sub(r" > \w+\.txt$", "", command) for command in transcripts.page_commands(text)])


@pytest.mark.slow
def test_every_command_fits_60_columns() -> None:
    with transcripts.open_shell(60) as shell:
        Path("small.toml").write_text(SMALL_DESIGN, encoding="utf-8")
        for_programs = re.compile("--(csv|json|markdown)")
        check_width(shell, [f"menace {command}" for command in EVERY_COMMAND if not for_programs.search(command)])
