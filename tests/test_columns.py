"""Summaries of blocks in columns: they fit the terminal, and their headings are true."""

from __future__ import annotations

import os
import pty
import struct
import subprocess
import sys
from fcntl import ioctl
from itertools import pairwise
from termios import TIOCSWINSZ

import pytest

from menace.arena.schedule import Marks
from menace.cli.shared import run_summary
from menace.cli.shared.output import sparkline
from menace.cli.shared.run_summary import fitted, line_of_shares, line_of_values
from menace.ledger.store import BlockRow

FINE = [step * 10**power for power in range(11) for step in (1, 2, 5)]
TENS = [10**power for power in range(11)]
MILLIONS = [mark for mark in FINE if mark < 10**6] + [10**6 * n for n in range(1, 400)]
SERIES = {"1, 2, 5, 10, ...": FINE, "1, 10, 100, ...": TENS, "1, 2, 5, ..., each million": MILLIONS}


def ends_of(games: int, marks: list[int] | None = None) -> list[int]:
    """Return where the steps of a run end: at its marks, or at those that are given, and at its end."""
    if marks is not None:
        return [mark for mark in marks if mark < games] + [games]
    return Marks().upto(games)[1:]


def odd(start: int, end: int) -> int:
    """Return how many of the numbers from start + 1 to end are odd: the games that X wins."""
    return (end + 1) // 2 - (start + 1) // 2


def blocks(games: int) -> list[BlockRow]:
    steps = pairwise([0, *ends_of(games)])
    return [
        BlockRow(0, 0, "games", end - start, odd(start, end), 0, end - start - odd(start, end), 0, 0, "")
        for start, end in steps
    ]


@pytest.mark.parametrize("games", [1, 3, 500, 10_000, 1_000_000, 3_000_000, 300_000_000, 10**9 + 7])
@pytest.mark.parametrize("room", [80, 100, 400])
def test_outcomes_fit_the_terminal_and_the_heading_is_true(
    games: int, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_summary, "width", lambda: room)
    lines = "".join(run_summary._outcomes_text(blocks(games), draws=True)).splitlines()
    heading, x_wins, draws, o_wins = lines
    assert max(map(len, lines)) <= room
    ends = ends_of(games, SERIES[heading.split(" up to each of ")[1]])
    shares = [odd(start, end) / (end - start) for start, end in pairwise([0, *ends])]
    assert x_wins.split()[2] == sparkline(shares)
    assert o_wins.split()[2] == sparkline([1 - share for share in shares])
    assert draws.split()[1] == "▁" * len(ends)
    last = games - [0, *ends][-2]
    assert x_wins.endswith(f"{100 * shares[-1]:5.1f}% of the last {last:,}")


def test_a_wider_line_is_never_coarser() -> None:
    ends = ends_of(300_000_000)
    pools = [run_summary.columns(ends, room)[0] for room in range(400)]
    for narrow, wide in pairwise(pools):
        assert set(narrow) <= set(wide)
    assert pools[len(ends)] == list(range(len(ends)))
    assert all(len(pooled) <= max(room, len(TENS)) for room, pooled in enumerate(pools))
    assert all(pooled[-1] == len(ends) - 1 for pooled in pools)


def test_lines_take_the_room_that_their_texts_leave() -> None:
    ends = ends_of(300_000_000)
    values = [index / len(ends) for index in range(len(ends))]
    counts = [odd(start, end) for start, end in pairwise([0, *ends])]
    for before in ("menace-x, games won ", "x" * 50):
        for line in (lambda room: line_of_values(ends, values, room), lambda room: line_of_shares(ends, counts, room)):
            text = fitted(before, line, " 12.5% of all")
            assert len(text) <= max(80, len(before) + run_summary.LINE_LEAST + len(" 12.5% of all"))
    assert line_of_values(ends, values, 400) == sparkline(values)
    assert line_of_values(ends, values, 5)[-1] == sparkline(values[-1:])


def test_the_width_is_the_terminals() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    code = "from menace.cli.shared.run_summary import width; print(width())"
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 50, 132, 0, 0))
    subprocess.run([sys.executable, "-c", code], stdout=theirs, check=True, env=environment)
    os.close(theirs)
    assert os.read(ours, 100).split() == [b"132"]
    piped = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment)
    assert piped.stdout.split() == [b"80"]
