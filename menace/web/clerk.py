"""One thread with one connection to a file: whoever wants something of it hands in a job, and waits.

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
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from menace.errors import DatabaseBusy, StoreError
from menace.ledger.database import open_unchanged
from menace.ledger.store import Store
from menace.web.library import LIBRARY

T = TypeVar("T")
Job = Callable[["Store"], Any]
SECONDS_TO_END = 1.5  # that a job under way has when the program ends: a block takes a quarter of a second

_working: weakref.WeakSet[Clerk] = weakref.WeakSet()


class Clerk:
    """A thread that does one job after the other on a file.

    Attributes:
        path: of the file.
        patience: seconds that a reading job waits for another program's lock; None: as long as a writer.
        leaving: set when the program ends; a job that goes on for long looks at it.
    """

    def __init__(self, path: Path, patience: float | None = None) -> None:
        self.path, self.patience = path, patience
        self.leaving = threading.Event()
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Job] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._file: tuple[int, int] | None = None  # that is open: device and inode
        self._hiring = threading.Lock()

    def hand(self, job: Callable[[Store], T]) -> Future[T]:
        """Hand a job in, and return what will hold its result."""
        future: Future[T] = Future()
        with self._hiring:
            if self._thread is None:
                # A daemon, so that the end of the program waits in `dismiss` and not for it.
                self._thread = threading.Thread(target=self._work, name=f"clerk of {self.path.name}", daemon=True)
                self._thread.start()
                _working.add(self)
        self._jobs.put((future, job))
        return future

    async def do(self, job: Callable[[Store], T]) -> T:
        """Return the result of a job.

        Raises:
            MenaceError: whatever it raises, or whatever is wrong with the file.
        """
        return await asyncio.wrap_future(self.hand(job))

    def dismiss(self) -> None:
        """End the thread after the job under way."""
        self.leaving.set()
        self._jobs.put(None)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(SECONDS_TO_END)

    def _work(self) -> None:
        store: Store | None = None
        while (handed := self._jobs.get()) is not None:
            future, job = handed
            if not future.set_running_or_notify_cancel():
                continue
            try:
                store = self._opened(store)
                found = job(store)
            except BaseException as error:  # noqa: BLE001 - the thread outlives it; whoever waits is told
                future.set_exception(error)
            else:
                future.set_result(found)
            del future, job, handed  # nothing is kept while nobody asks
        if store is not None:
            store.close()

    def _found(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _opened(self, store: Store | None) -> Store:
        """Return the connection, opened anew where another file has the name by now."""
        if store is not None:
            try:
                store.check()
                if self._file == self._found():
                    return store
            except DatabaseBusy:
                raise
            except StoreError:
                pass
            store.close()
        self._file = self._found()
        store = open_unchanged(self.path, self.patience)
        store.lend = LIBRARY.positions
        if self.patience is None:
            store.be_patient()
        return store


def dismiss_all() -> None:
    """End every thread: all are told first, so that they end together. Nobody waits for those who only read."""
    clerks = list(_working)
    for clerk in clerks:
        clerk.leaving.set()
    for clerk in clerks:
        if clerk.patience is None:
            clerk.dismiss()


atexit.register(dismiss_all)
