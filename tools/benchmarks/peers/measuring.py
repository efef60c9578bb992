"""Measure the processor time of several programs that run alternately in one process."""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Do: TypeAlias = Callable[[int], int]  # does at least the given number of units of work and returns the actual number
CALLS = 8  # the approximate number of calls to each program per round


@dataclass(frozen=True)
class Entry:
    """A program of a row.

    Attributes:
        name: the name shown in the table.
        make: returns the program. Raises ImportError or FileNotFoundError if something is not installed.
        why: the reason why the program is faster than ours, or empty if it should be slower.
        slow: whether one unit takes seconds. A slow program has no warm-up.
    """

    name: str
    make: Callable[[], Do]
    why: str = ""
    slow: bool = False


@dataclass(frozen=True)
class Row:
    """A task and the programs that perform it. The first program is ours, and the other programs are compared with it.

    Attributes:
        title: the name shown in the table.
        thing: the unit, such as a game, a policy or a run.
        counts: a description of the unit.
        entries: the programs.
    """

    title: str
    thing: str
    counts: str
    entries: tuple[Entry, ...]


@dataclass
class Measured:
    """A program in a row, together with its measurements.

    Attributes:
        entry: the program.
        do: the function that does the work, or None if something is not installed.
        missing: the reason why `do` is None.
        seconds: processor seconds per unit, one number per round.
        count: the number of units requested per call.
    """

    entry: Entry
    do: Do | None
    missing: str = ""
    seconds: list[float] = field(default_factory=list)
    count: int = 1


def processor_seconds() -> float:
    """Return the processor time in seconds of this process, its threads and its finished children."""
    commands = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + commands.ru_utime + commands.ru_stime


def set_up(row: Row) -> list[Measured]:
    """Set up the programs in a row. If a library is missing, store the reason instead of the program."""
    programs = []
    for entry in row.entries:
        try:
            programs.append(Measured(entry, entry.make()))
        except (ImportError, FileNotFoundError) as error:
            programs.append(Measured(entry, None, f"missing: {error}"))
    return programs


def warm_up(program: Measured, seconds: float, clock: Callable[[], float]) -> None:
    """Find how many units of work take about `seconds` / CALLS.

    The search also absorbs the extra time that a first call takes.
    """
    assert program.do is not None
    while True:
        start = clock()
        program.do(program.count)
        if clock() - start >= seconds / CALLS / 2:
            return
        program.count *= 2


def measure_round(programs: Sequence[Measured], seconds: float, clock: Callable[[], float]) -> None:
    """Run each program for `seconds` in short alternating calls, so that other load slows all programs equally."""
    times, things = [0.0] * len(programs), [0] * len(programs)
    while min(times) < seconds:
        number = times.index(min(times))
        program = programs[number]
        assert program.do is not None
        start = clock()
        things[number] += program.do(program.count)
        times[number] += clock() - start
    for program, time_, done in zip(programs, times, things, strict=True):
        program.seconds.append(time_ / done)


def measure(
    rows: Sequence[Row], rounds: int, seconds: float, clock: Callable[[], float] = processor_seconds
) -> list[tuple[Row, list[Measured]]]:
    """Measure all rows in each round, and return the programs of each row, including those that are missing."""
    measured = [(row, set_up(row)) for row in rows]
    for row, programs in measured:
        print(f"warming up: {row.title}", file=sys.stderr)
        for program in programs:
            if program.do and not program.entry.slow:
                warm_up(program, seconds, clock)
    gc.collect()
    gc.freeze()  # the objects of one library must not slow down garbage collection for another
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for _, programs in measured:
            measure_round([program for program in programs if program.do], seconds, clock)
    return measured
