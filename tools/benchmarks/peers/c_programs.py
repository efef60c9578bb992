"""A C program that does the same work as the kernel, and the fastest version of MENACE that we can write in C."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from benchmarks.command import compile_limit_program, time_limit_program
from benchmarks.kernel import MATCHES, c_factory, compile_c_programs
from benchmarks.peers.ours import TIC_TAC_TOE, positions_of

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do


@cache
def same_work_library() -> ctypes.CDLL:
    """Compile and load tools/benchmarks/kernel.c and values.c, once per process."""
    with compile_c_programs() as library:
        return library


def same_work(x: str, o: str) -> Do:
    """Return a function that trains machines exactly as the kernel does."""
    (match,) = (match for match in MATCHES if (match.x, match.o) == (x, o))
    program = c_factory(same_work_library())(positions_of(TIC_TAC_TOE), match)

    def do(count: int) -> int:
        program.play(count)
        return count

    return do


def fastest() -> Do:
    """Return a function that lets MENACE play against itself with limit.c. Each call starts with new boxes."""
    with compile_limit_program() as library:

        def do(count: int) -> int:
            time_limit_program(library, count, 1)
            return count

        return do
