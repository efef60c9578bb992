"""Whole programs, from the start of Python to their end: one run is one thing done."""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.command import MENACE, run

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do

TOOLS = str(Path(__file__).parents[2])


def script(library: str, call: str, count: int = 1) -> Do:
    """Return runs of Python that import one module of peers/ and call it.

    Args:
        library: what has to be importable.
        call: such as `openspiel.loops('tic_tac_toe')`.
        count: how much of it is to be done in a run: games, or policies.
    """
    import_module(library)
    module = call.partition(".")[0]
    code = f"import sys; sys.path.insert(0, {TOOLS!r}); from benchmarks.peers import {module}; {call}({count})"
    return repeated(sys.executable, "-c", code)


def selfplay(games: int) -> Do:
    """Return runs of `menace selfplay` that each make a database."""

    def do(count: int) -> int:
        for _ in range(count):
            with tempfile.TemporaryDirectory() as name:
                path = str(Path(name) / "menace.db")
                run(MENACE, "selfplay", "--seed", "1", "--games", str(games), "--db", path)
        return count

    return do


def repeated(*command: str) -> Do:
    """Return runs of a command."""

    def do(count: int) -> int:
        for _ in range(count):
            run(*command)
        return count

    return do
