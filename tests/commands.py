"""Helpers for tests of commands: results, checks for success and errors, and processes."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest


class Result(NamedTuple):
    code: int | str | None
    out: str
    err: str


Run = Callable[..., Result]


def ok(result: Result) -> str:
    assert not result.code, result.err
    assert result.err == ""
    return result.out


def refused(result: Result, *parts: str) -> None:
    assert result.code == 1, result
    assert result.out == ""
    assert len(result.err.splitlines()) == 1, result.err
    assert result.err.startswith("menace: ")
    for part in parts:
        assert part in result.err


def receive_interrupts() -> None:
    """Let a child process receive Ctrl-C, which the children of background processes ignore by default."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def start_command(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Start a command that can receive Ctrl-C, and kill it when the context ends."""
    if os.name == "nt":
        pytest.skip("Windows cannot send signals to single processes")
    options = {"text": True, "cwd": "/"} | options
    process = subprocess.Popen(command, preexec_fn=receive_interrupts, **options)  # noqa: PLW1509 - the function takes no lock
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


# Tests of unwritable files run this code before the code under test. The code drops the capabilities that let root
# write to any file, as described in capabilities(7) and capset(2).
DROP_PRIVILEGES = """
import ctypes, os
if os.geteuid() == 0:
    libc = ctypes.CDLL(None, use_errno=True)
    header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")
"""

# Every command that needs no input, in an order that lets all commands succeed. small.toml contains SMALL_DESIGN.
EVERY_COMMAND = """
--help
--version
selfplay --games 200 --seed 1
train menace-x --against random --games 50
new adam --plays X
show ......... --learner menace-x
strength menace-x
compare menace-x menace-o
history ......... --learner menace-x
mistakes menace-x
contents menace-x --csv
runs --json
games --run 1
learners
players
presets
rules
evaluate menace-x perfect
expect menace-x --against random --games 5
verify
query openings
backup copy.db
export graph.csv
export graph.dot
export graph.gexf
export graph.json
export site/
plot strength menace-x strength.pdf
plot beads menace-x beads.svg
labels menace-x labels.pdf
study run small.toml --workers 1
study table small.study --markdown
study plot small.study small.svg
new-game nine
check nine.py:Nine
rename adam eva
copy eva kain
delete kain --yes
init --game hexapawn --db hexapawn.db
""".strip().splitlines()
SMALL_DESIGN = 'plays = "X"\npreset = "menace"\nagainst = ["random"]\ngames = 9\nseeds = 2\n'
