"""Runs chunks: in this process, in processes of this computer, or wherever an executor of the caller's sends them.

Workers are handed plain values and return arrays; the parent alone writes. What was written is never played again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import TypeAlias

from menace.errors import MenaceError
from menace.studies.chunk import Chunk, ChunkResult, play_chunk

CHUNK_SECONDS = 0.05  # that a chunk is to take: a scheduler's millisecond a task does not count then
CHUNK_MOST = 250  # machines
FIRST_CHUNK = 10  # machines, of a setting of which none is played yet
EACH_WORKER = 4  # chunks that are under way or wait, for each worker: what is kept in memory
WRITE_SECONDS = 0.5  # between two commits
WRITE_MACHINES = 5_000  # that wait to be written, at most
MESSAGE_MOST = 500  # characters of a failure that are kept

Outcome: TypeAlias = tuple[Chunk, ChunkResult | str]
Progress: TypeAlias = Callable[[int], object]


class Queue:
    """The machines that are to be played, cut into chunks of CHUNK_SECONDS, by how long those before them took."""

    def __init__(self, remaining: Iterator[Chunk]) -> None:
        self._remaining = remaining
        self._current: Chunk | None = None
        self._sizes: dict[int, int] = {}

    def take(self) -> Chunk | None:
        """Return the next chunk; None if there is no more."""
        whole = self._current or next(self._remaining, None)
        if whole is None:
            return None
        size = self._sizes.get(whole.setting_id, FIRST_CHUNK)
        rest = whole.seeds[size:]
        self._current = replace(whole, seeds=rest) if rest else None
        return replace(whole, seeds=whole.seeds[:size])

    def played(self, chunk: Chunk, seconds: float) -> None:
        """Take note of how long a chunk took."""
        each = max(seconds / len(chunk.seeds), 1e-6)
        self._sizes[chunk.setting_id] = max(1, min(CHUNK_MOST, int(CHUNK_SECONDS / each)))


class Writer:
    """Hands results on to be written, at most every WRITE_SECONDS, and when it is closed."""

    def __init__(self, write: Callable[[Sequence[Outcome]], None], progress: Progress | None) -> None:
        self._write, self._progress = write, progress
        self._waiting: list[Outcome] = []
        self._written_at = time.monotonic()
        self.machines = self.failed = 0

    def add(self, chunk: Chunk, result: ChunkResult | str) -> None:
        """Take a chunk with its result, or with the reason why it has none."""
        self._waiting.append((chunk, result))
        self.machines += len(chunk.seeds) if isinstance(result, ChunkResult) else 0
        self.failed += len(chunk.seeds) if isinstance(result, str) else 0
        waiting = sum(len(chunk.seeds) for chunk, _ in self._waiting)
        if waiting > WRITE_MACHINES or time.monotonic() - self._written_at > WRITE_SECONDS:
            self.flush()
        if self._progress is not None:
            self._progress(len(chunk.seeds))

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            self._write(self._waiting)
            self._waiting = []
        self._written_at = time.monotonic()


def run_here(queue: Queue, writer: Writer) -> None:
    """Play all chunks in this process."""
    while (chunk := queue.take()) is not None:
        result = _played(chunk)
        if isinstance(result, ChunkResult):
            queue.played(chunk, result.seconds)
        writer.add(chunk, result)


def run_on(executor: Executor, queue: Queue, writer: Writer, workers: int) -> None:
    """Play all chunks on an executor; those that fail are written as such, and the others go on.

    Raises:
        BrokenProcessPool: if its processes are gone; what they had is written as failed.
    """
    pending: dict[Future[ChunkResult], Chunk] = {}
    try:
        while True:
            while len(pending) < EACH_WORKER * workers and (chunk := queue.take()) is not None:
                pending[executor.submit(play_chunk, chunk)] = chunk
            if not pending:
                return
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                chunk = pending[future]
                result = _result_of(future)
                del pending[future]
                if isinstance(result, ChunkResult):
                    queue.played(chunk, result.seconds)
                writer.add(chunk, result)
    except BrokenProcessPool:
        for chunk in pending.values():
            writer.add(chunk, "the process that played it, or one beside it, has died")
        raise
    finally:
        for future in pending:
            future.cancel()


def run_in_processes(queue: Queue, writer: Writer, workers: int) -> None:
    """Play all chunks in processes of this computer; those that die are replaced.

    Raises:
        MenaceError: if none of them has played anything.
    """
    while True:
        before = writer.machines
        with _processes(workers) as executor:
            try:
                run_on(executor, queue, writer, workers)
                return
            except BrokenProcessPool:
                if writer.machines == before:
                    raise MenaceError(
                        "the worker processes died before they had played anything; in a script, let the study run"
                        ' below `if __name__ == "__main__":`, or with workers=1, in this process'
                    ) from None


@contextlib.contextmanager
def _processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Provide processes; on Ctrl-C those that play end, and nobody waits for the rest."""
    # A forked process needs no `if __name__ == "__main__"` in the script that began it.
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    executor = ProcessPoolExecutor(workers, multiprocessing.get_context(method), initializer=_leave_interrupts)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Let Ctrl-C end the parent alone, which then stops its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _result_of(future: Future[ChunkResult]) -> ChunkResult | str:
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a worker or an executor failed with is kept with the chunk
        return _message(error)


def _played(chunk: Chunk) -> ChunkResult | str:
    try:
        return play_chunk(chunk)
    except Exception as error:  # noqa: BLE001 - as that of a worker
        return _message(error)


def _message(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:MESSAGE_MOST]


def default_workers() -> int:
    """Return how many processes a study has: all cores but one.

    >>> default_workers() >= 1
    True
    """
    return max(1, (os.cpu_count() or 2) - 1)
