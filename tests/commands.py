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
    """Make a child process receive Ctrl-C, because children of background processes ignore it by default."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def start_command(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Start a command that receives Ctrl-C, and kill it when the context ends."""
    if os.name == "nt":
        pytest.skip("Windows cannot send signals to single processes")
    options = {"text": True, "cwd": "/"} | options
    process = subprocess.Popen(command, preexec_fn=receive_interrupts, **options)  # noqa: PLW1509 - the function takes no lock
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


# Tests of unwritable files run this code first. The code removes the capabilities with which root can write everywhere,
# as described in capabilities(7) and capset(2).
DROP_PRIVILEGES = """
import ctypes, os
if os.geteuid() == 0:
    libc = ctypes.CDLL(None, use_errno=True)
    header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")
"""
