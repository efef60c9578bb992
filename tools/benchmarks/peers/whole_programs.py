"""Whole programs, whose measured times include the time that Python takes to start. The unit is one run."""

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
    """Return a function that starts Python, imports one module of peers/ and calls one of its functions.

    Args:
        library: a module that the script needs.
        call: an expression such as `openspiel.loops('tic_tac_toe')`.
        count: the number of games or policies per run.
    """
    import_module(library)
    module = call.partition(".")[0]
    code = f"import sys; sys.path.insert(0, {TOOLS!r}); from benchmarks.peers import {module}; {call}({count})"
    return repeat_command(sys.executable, "-c", code)


def selfplay(games: int) -> Do:
    """Return a function that runs `menace selfplay`, each time with a new database."""

    def do(count: int) -> int:
        for _ in range(count):
            with tempfile.TemporaryDirectory() as name:
                path = str(Path(name) / "menace.db")
                run(MENACE, "selfplay", "--seed", "1", "--games", str(games), "--db", path)
        return count

    return do


def repeat_command(*command: str) -> Do:
    """Return a function that runs a command."""

    def do(count: int) -> int:
        for _ in range(count):
            run(*command)
        return count

    return do
