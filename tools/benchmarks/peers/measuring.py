"""Programs timed by turns in one run: seconds of the processor for a thing done, by round."""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Do: TypeAlias = Callable[[int], int]  # does so many things, or a few more; returns how many
CALLS = 8  # of a program in a round, about


@dataclass(frozen=True)
class Entry:
    """A program of a row.

    Attributes:
        name: for people.
        make: returns it, ready; raises ImportError or FileNotFoundError where something is not installed.
        why: why it is faster than ours, if it is; empty where nobody expects that.
        slow: whether doing it once takes seconds, so that it is done only in the rounds.
    """

    name: str
    make: Callable[[], Do]
    why: str = ""
    slow: bool = False


@dataclass(frozen=True)
class Row:
    """What is done, by whom. The first program is ours, to which the others are compared.

    Attributes:
        title: for people.
        thing: what is counted: a game, a policy, a run.
        counts: what doing it once comprises.
        entries: the programs.
    """

    title: str
    thing: str
    counts: str
    entries: tuple[Entry, ...]


@dataclass
class Measured:
    """A program of a row, and what was measured: seconds for a thing, by round. `missing` says why there are none."""

    entry: Entry
    do: Do | None
    missing: str = ""
    seconds: list[float] = field(default_factory=list)
    count: int = 1  # things asked for in a call


def processor_seconds() -> float:
    """Return the processor time of this process, all its threads, and the commands that it has run."""
    commands = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + commands.ru_utime + commands.ru_stime


def made(row: Row) -> list[Measured]:
    """Make the programs of a row; where a library is missing there is a reason in place of one."""
    programs = []
    for entry in row.entries:
        try:
            programs.append(Measured(entry, entry.make()))
        except (ImportError, FileNotFoundError) as error:
            programs.append(Measured(entry, None, f"missing: {error}"))
    return programs


def warm_up(program: Measured, seconds: float, clock: Callable[[], float]) -> None:
    """Find how many things fill a call of `seconds` / CALLS, at least one; what is done once is done by then."""
    assert program.do is not None
    while True:
        start = clock()
        program.do(program.count)
        if clock() - start >= seconds / CALLS / 2:
            return
        program.count *= 2


def measure_round(programs: Sequence[Measured], seconds: float, clock: Callable[[], float]) -> None:
    """Let all programs work for `seconds` each, in short turns, so that whatever else goes on slows all alike."""
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
    """Measure all rows in each round; return the programs of each row, those that are missing among them."""
    measured = [(row, made(row)) for row in rows]
    for row, programs in measured:
        print(f"warming up: {row.title}", file=sys.stderr)
        for program in programs:
            if program.do and not program.entry.slow:
                warm_up(program, seconds, clock)
    gc.collect()
    gc.freeze()  # a library's objects are no work for the programs of others
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for _, programs in measured:
            measure_round([program for program in programs if program.do], seconds, clock)
    return measured
