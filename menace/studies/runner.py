"""Runs chunks: in this process, in processes of this computer, or wherever an executor of the caller's sends them.

Workers are handed plain values and return arrays; the parent alone writes. What was written is never played again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from menace.errors import MenaceError
from menace.studies.chunk import Chunk, ChunkResult, play_chunk

CHUNK_SECONDS = 0.1  # of a processor, that a chunk is to take: a scheduler's milliseconds a task do not count then
CHUNK_MOST = 500  # machines
FIRST_CHUNK = 10  # machines, the first of a setting: those that all fail are told in time
EACH_WORKER = 4  # chunks that are under way or wait, for each worker: what is kept in memory
EXECUTOR_WORKERS = 64  # that an executor is taken to have, if nobody says how many
WRITE_SECONDS = 0.5  # between two commits
WRITE_MACHINES = 5_000  # that wait to be written, at most
MESSAGE_MOST = 500  # characters of a failure that are kept
ORPHAN_SECONDS = 1.0  # between two looks of a worker whether its parent is there
DIED = "the process that played it died"

Outcome: TypeAlias = tuple[Chunk, ChunkResult | str]
Progress: TypeAlias = Callable[[int], object]


class Queue:
    """The machines that are to be played, cut into chunks of CHUNK_SECONDS, by how long the last one took."""

    def __init__(self, remaining: Iterator[Chunk], first_size: int = FIRST_CHUNK) -> None:
        self._remaining, self._first_size, self._size = remaining, first_size, first_size
        self._current: Chunk | None = None

    def take(self) -> Chunk | None:
        """Return the next chunk; None if there is no more."""
        whole = self._current or next(self._remaining, None)
        if whole is None:
            return None
        size = self._size if self._current else self._first_size
        rest = whole.seeds[size:]
        self._current = replace(whole, seeds=rest) if rest else None
        return replace(whole, seeds=whole.seeds[:size])

    def played(self, chunk: Chunk, seconds: float) -> None:
        """Take note of how long a chunk took."""
        each = max(seconds / len(chunk.seeds), 1e-6)
        self._size = max(1, min(CHUNK_MOST, int(CHUNK_SECONDS / each)))


class Writer:
    """Hands results on to be written, at most every WRITE_SECONDS, and when it is closed."""

    def __init__(self, write: Callable[[Sequence[Outcome]], None], progress: Progress | None) -> None:
        self._write, self._progress = write, progress
        self._waiting: list[Outcome] = []
        self._machines_waiting = 0
        self._written_at = time.monotonic()
        self.machines = 0  # that were played

    def add(self, chunk: Chunk, result: ChunkResult | str) -> None:
        """Take a chunk with its result, or with the reason why it has none."""
        self._waiting.append((chunk, result))
        self.machines += len(chunk.seeds) if isinstance(result, ChunkResult) else 0
        self._machines_waiting += len(chunk.seeds)
        if self._machines_waiting > WRITE_MACHINES or time.monotonic() - self._written_at > WRITE_SECONDS:
            self.flush()
        if self._progress is not None:
            self._progress(len(chunk.seeds))

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            self._write(self._waiting)
            self._waiting, self._machines_waiting = [], 0
        self._written_at = time.monotonic()


def run_here(queue: Queue, writer: Writer) -> None:
    """Play all chunks in this process."""
    while (chunk := queue.take()) is not None:
        _take_down(chunk, _result_of(partial(play_chunk, chunk)), queue, writer)


def run_on(executor: Executor, queue: Queue, writer: Writer, workers: int = EXECUTOR_WORKERS) -> list[Chunk]:
    """Play all chunks on an executor; one that fails is written as failed, and the others go on.

    Returns:
        The chunks that were under way, or waited, when the executor's processes died; it can play no more then.
    """
    pending: dict[Future[ChunkResult], Chunk] = {}
    lost: list[Chunk] = []
    try:
        while True:
            while not lost and len(pending) < EACH_WORKER * workers and (chunk := queue.take()) is not None:
                try:
                    pending[executor.submit(play_chunk, chunk)] = chunk
                except BrokenExecutor:
                    lost.append(chunk)
            if not pending:
                return lost
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                chunk = pending.pop(future)
                try:
                    _take_down(chunk, _result_of(future.result), queue, writer)
                except BrokenExecutor:
                    lost.append(chunk)
    finally:
        for future in pending:
            future.cancel()


def run_in_processes(queue: Queue, writer: Writer, workers: int) -> None:
    """Play all chunks in processes of this computer; those that die are replaced.

    What was under way then is played once more, each chunk in a process of its own: one that kills it is written as
    failed, and no other.

    Raises:
        MenaceError: if new processes cannot begin, for want of a line in the script.
    """
    while True:
        with _processes(workers) as executor:
            lost = run_on(executor, queue, writer, workers)
        if not lost:
            return
        for chunk in lost:
            with _processes(1) as executor:
                died = run_on(executor, Queue(iter([chunk]), CHUNK_MOST), writer, 1)
            if died and not writer.machines and _start_method() != "fork":
                raise MenaceError(
                    "the worker processes died before they had played anything; in a script, let the study run below"
                    ' `if __name__ == "__main__":`, or with workers=1, in this process'
                )
            if died:
                writer.add(chunk, DIED)


@contextlib.contextmanager
def _processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Provide processes; on Ctrl-C those that play end, and nobody waits for the rest."""
    context = multiprocessing.get_context(_start_method())
    executor = ProcessPoolExecutor(workers, context, initializer=_begin_worker, initargs=(os.getpid(),))
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _start_method() -> str:
    """Return how processes begin: a forked one needs no `if __name__ == "__main__"` in the script that began it."""
    return "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"


def _begin_worker(parent: int) -> None:
    """Let Ctrl-C end the parent alone, which then stops its workers; and end with it if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=[parent], daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(ORPHAN_SECONDS)
    os._exit(1)


def _result_of(play: Callable[[], ChunkResult]) -> ChunkResult | str:
    """Return what a chunk came to, or why it failed, whatever the error. Raises BrokenExecutor, which is its end."""
    try:
        return play()
    except BrokenExecutor:
        raise
    except Exception as error:  # noqa: BLE001 - it is kept with the chunk
        return " ".join(f"{type(error).__name__}: {error}".split())[:MESSAGE_MOST]


def _take_down(chunk: Chunk, result: ChunkResult | str, queue: Queue, writer: Writer) -> None:
    if isinstance(result, ChunkResult):
        queue.played(chunk, result.seconds)
    writer.add(chunk, result)


def default_workers() -> int:
    """Return how many processes a study has: all cores but one.

    >>> default_workers() >= 1
    True
    """
    return max(1, (os.cpu_count() or 2) - 1)
