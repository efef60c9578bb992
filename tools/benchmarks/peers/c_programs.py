"""C: what does the kernel's work, and what plays MENACE against itself as fast as we can write it."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from benchmarks.command import compiled_limit, limit_seconds
from benchmarks.kernel import MATCHES, c_program, compiled_c
from benchmarks.peers.ours import TIC_TAC_TOE, positions_of

if TYPE_CHECKING:
    from benchmarks.peers.measuring import Do


@cache
def same_work_library() -> ctypes.CDLL:
    """Compile tools/benchmarks/kernel.c and values.c; the library stays loaded."""
    with compiled_c() as library:
        return library


def same_work(x: str, o: str) -> Do:
    """Return training that learns what the kernel learns, to the bit (tools/benchmarks/kernel.py holds that)."""
    (match,) = (match for match in MATCHES if (match.x, match.o) == (x, o))
    program = c_program(same_work_library())(positions_of(TIC_TAC_TOE), match)

    def do(count: int) -> int:
        program.play(count)
        return count

    return do


def fastest() -> Do:
    """Return MENACE against itself by tools/benchmarks/limit.c, from fresh boxes at each call."""
    with compiled_limit() as library:

        def do(count: int) -> int:
            limit_seconds(library, count, 1)
            return count

        return do
