"""A worker thread for a file: it runs jobs one after the other on a single SQLite connection.

An SQLite connection belongs to the thread that opened it, and what goes with it (positions, sessions, a trainer)
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
from menace.explorer.read_cache import LIBRARY
from menace.ledger.store import Store

T = TypeVar("T")
SECONDS_TO_END = 1.5  # in which jobs under way may finish when the program ends: a block takes a quarter of a second

_workers: weakref.WeakSet[Worker] = weakref.WeakSet()


class Worker:
    """A thread that runs jobs on a file one after the other.

    Attributes:
        path: of the file.
        stopping: set when the program ends; long jobs check it.
        writing: the running or queued jobs that may write; the end of the program waits for them alone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stopping = threading.Event()
        self.writing: set[Future[Any]] = set()
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[Store], Any], float | None] | None]
        self._jobs = queue.SimpleQueue()
        self._file: tuple[int, int] | None = None  # the open file: device and inode
        # A daemon, for which the end of the program waits in `stop_all` alone: the threads of a ThreadPoolExecutor are
        # joined however long their job takes.
        threading.Thread(target=self._work, name=f"worker of {path.name}", daemon=True).start()
        _workers.add(self)

    def submit(self, job: Callable[[Store], T], patience: float | None = None) -> Future[T]:
        """Queue a job, and return the future of its result.

        Args:
            job: a function of the store.
            patience: seconds that a reading job waits for another program's lock; None for a job that may write,
                which waits as long as a writer.
        """
        future: Future[T] = Future()
        if patience is None:
            self.writing.add(future)
            future.add_done_callback(self.writing.discard)
        self._jobs.put((future, job, patience))
        return future

    async def do(self, job: Callable[[Store], T], patience: float | None = None) -> T:
        """Return the result of a job; see `submit`.

        Raises:
            MenaceError: whatever the job raises, or if the file cannot be opened.
        """
        return await asyncio.wrap_future(self.submit(job, patience))

    def stop(self) -> None:
        """Stop the thread after the jobs that may write."""
        self.stopping.set()
        self._jobs.put(None)

    def _work(self) -> None:
        store: Store | None = None
        while (item := self._jobs.get()) is not None:
            future, job, patience = item
            if self.stopping.is_set() and patience is not None:
                future.cancel()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                store = self._opened(store, patience)
                if patience is None:
                    store.use_writer_timeout()
                result = job(store)
            except BaseException as error:  # noqa: BLE001 - the thread survives it, and the future holds it
                future.set_exception(error)
            else:
                future.set_result(result)
                del result
            del future, job, item  # keep nothing alive while the queue is empty
        if store is not None:
            store.close()

    def _opened(self, store: Store | None, patience: float | None) -> Store:
        """Return the connection, reopened if another file has the path by now."""
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
        store = Store.open(self.path, patience)
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
def stop_all() -> None:
    """Stop all threads: all are signalled first, so that they end together."""
    workers = list(_workers)
    for worker in workers:
        worker.stop()
    wait([future for worker in workers for future in list(worker.writing)], SECONDS_TO_END)
