"""A worker of a file: one thread with one connection, which does one job after the other for whoever waits.

A connection of SQLite's belongs to the thread that made it, and what is kept beside it (positions, sessions, a trainer)
outlives a request. The thread ends with the server, after the job under way.
"""

from __future__ import annotations

import asyncio
import atexit
import queue
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TypeVar

from menace.errors import DatabaseBusy, StoreError
from menace.explorer.library import LIBRARY
from menace.ledger.database import open_unchanged
from menace.ledger.store import Store

T = TypeVar("T")
SECONDS_TO_END = 1.5  # that jobs under way have when the program ends: a block takes a quarter of a second

_workers: weakref.WeakSet[Worker] = weakref.WeakSet()


class Worker:
    """A thread that does one job after the other on a file.

    Attributes:
        path: of the file.
        leaving: set when the program ends; a job that goes on for long looks at it.
        writing: the jobs under way or waiting that may write; the end of the program waits for them alone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.leaving = threading.Event()
        self.writing: set[Future[Any]] = set()
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[Store], Any], float | None] | None]
        self._jobs = queue.SimpleQueue()
        self._file: tuple[int, int] | None = None  # that is open: device and inode
        # A daemon, which the end of the program waits for in `leave_all` alone: the threads of a ThreadPoolExecutor are
        # joined however long their job takes.
        threading.Thread(target=self._work, name=f"worker of {path.name}", daemon=True).start()
        _workers.add(self)

    def hand(self, job: Callable[[Store], T], patience: float | None = None) -> Future[T]:
        """Hand a job in, and return what will hold its result.

        Args:
            job: what is done with the file.
            patience: seconds that a job which only reads waits for another program's lock; None: it may write, and
                waits as long as a writer.
        """
        future: Future[T] = Future()
        if patience is None:
            self.writing.add(future)
            future.add_done_callback(self.writing.discard)
        self._jobs.put((future, job, patience))
        return future

    async def do(self, job: Callable[[Store], T], patience: float | None = None) -> T:
        """Return the result of a job; see `hand`.

        Raises:
            MenaceError: whatever it raises, or whatever is wrong with the file.
        """
        return await asyncio.wrap_future(self.hand(job, patience))

    def leave(self) -> None:
        """Let the thread end after the jobs that may write."""
        self.leaving.set()
        self._jobs.put(None)

    def _work(self) -> None:
        store: Store | None = None
        while (handed := self._jobs.get()) is not None:
            future, job, patience = handed
            if self.leaving.is_set() and patience is not None:
                future.cancel()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                store = self._opened(store, patience)
                if patience is None:
                    store.use_writer_timeout()
                result = job(store)
            except BaseException as error:  # noqa: BLE001 - the thread outlives it; whoever waits is told
                future.set_exception(error)
            else:
                future.set_result(result)
                del result
            del future, job, handed  # nothing is kept while nobody asks
        if store is not None:
            store.close()

    def _opened(self, store: Store | None, patience: float | None) -> Store:
        """Return the connection, opened anew where another file has the name by now."""
        if store is not None:
            store.patience = patience
            try:
                store.check()
                if self._file == _identity(self.path):
                    return store
            except DatabaseBusy:
                raise
            except StoreError:
                pass
            store.close()
        self._file = _identity(self.path)
        store = open_unchanged(self.path, patience)
        store.positions_cache = LIBRARY.positions
        return store


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and the inode of a file; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@atexit.register
def leave_all() -> None:
    """End every thread: all are told first, so that they end together."""
    workers = list(_workers)
    for worker in workers:
        worker.leave()
    wait([future for worker in workers for future in list(worker.writing)], SECONDS_TO_END)
