"""Run the threads that answer requests about a file, and cache the data that they read."""

from __future__ import annotations

import asyncio
import atexit
import os
import queue
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TypeVar

from menace.errors import DatabaseBusy, StoreError
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.ledger.learners import load_machine
from menace.ledger.positions import positions_of
from menace.ledger.store import Store

LARGE = 100_000  # for games with more positions than this, exact reports take several seconds
MAX_LEARNERS = 16
# maximum number of moves in all cached learners together (about 130 MB); a single learner may have more
MAX_MOVES = 10_000_000
# A file must have been unchanged for this long, because writes before and after a read can get the same timestamp.
MIN_AGE_NS = 100_000_000
# The maximum number of positions in all cached games together; a single game may have more. 4x4x4 has 1.2 million
# positions (about 100 MB).
MAX_POSITIONS = 3_000_000


class Library:
    """A cache of the most recently read positions and learners.

    The cache key for positions contains the file's device and inode, its rules, and the number of positions. The cache
    key for a learner also contains the file's modification time and size.

    The positions of a file never change unless someone edits the file by hand. `menace verify` and a restarted server
    detect manual edits.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[Hashable, Positions] = OrderedDict()
        self._learners: OrderedDict[Hashable, Machine] = OrderedDict()
        self._lock = threading.Lock()

    def positions(self, store: Store, read: Callable[[Store], Positions]) -> Positions:
        """Return the positions of a file, calling `read` if they are not cached.

        Raises:
            StoreError: as in `read`.
        """
        count = store.position_count()
        status = _state_of(store.path)
        key = (status.st_dev, status.st_ino, store.path, store.rules(), count)
        with self._lock:  # other threads wait for the result instead of reading the positions themselves
            if key not in self._games:
                self._games[key] = read(store)
            self._games.move_to_end(key)
            while len(self._games) > 1 and sum(map(len, self._games.values())) > MAX_POSITIONS:
                self._games.popitem(last=False)
            return self._games[key]

    def learner(self, store: Store, name: str) -> Machine:
        """Return the learner with the given name. The learner is shared, so callers must not change it.

        The learner is read again after a program has written to the file.

        Raises:
            UnknownLearner, StoreError: as in `named_machine`.
        """
        with store.snapshot():  # no program writes while the lock is held
            row, positions, state = store.learner(name), positions_of(store), _state_of(store.path)
            key = (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size, store.path, row)
            with self._lock:
                machine = self._learners.get(key)
            if machine is not None and machine.positions is positions:
                return machine
            machine = load_machine(store, positions, row)
            rests = time.time_ns() - state.st_mtime_ns > MIN_AGE_NS
        if rests:
            with self._lock:
                self._learners[key] = machine
                while len(self._learners) > 1 and (
                    len(self._learners) > MAX_LEARNERS or self._cached_move_count() > MAX_MOVES
                ):
                    self._learners.popitem(last=False)
        return machine

    def _cached_move_count(self) -> int:
        return sum(machine.positions.move_count for machine in self._learners.values())


def _state_of(path: str) -> os.stat_result:
    try:
        return Path(path).stat()
    except OSError:
        raise StoreError(f"{path} has been moved or deleted; put it back, or restart the server") from None


LIBRARY = Library()


T = TypeVar("T")


def _can_start_threads() -> bool:
    """Return whether this system can start threads and processes; a browser tab (Pyodide) cannot."""
    thread = threading.Thread(target=int)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True


HAS_THREADS = _can_start_threads()  # without threads, jobs and SQL run on the event loop


async def in_thread(function: Callable[[], T]) -> T:
    """Call a slow function in a thread, or directly if there are no threads, and return its result."""
    return await asyncio.to_thread(function) if HAS_THREADS else function()


SECONDS_TO_END = 1.5  # number of seconds that jobs have to finish when the program ends; a block takes 0.25 s

_workers: weakref.WeakSet[Worker] = weakref.WeakSet()


class Worker:
    """A thread that runs jobs on a file one after another.

    Attributes:
        path: the path of the file.
        stopping: an event that is set when the program ends; long jobs check it.
        writing: the running and queued jobs that may write. Only these jobs delay the end of the program.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stopping = threading.Event()
        self.writing: set[Future[Any]] = set()
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[Store], Any], float | None] | None]
        self._jobs = queue.SimpleQueue()
        self._file: tuple[int, int] | None = None  # the device and inode of the open file
        self._store: Store | None = None
        self._begin()

    def _begin(self) -> None:
        # The thread is a daemon, so only `stop_all` delays the end of the program. Python would wait for the threads of
        # a ThreadPoolExecutor even if their jobs took a long time.
        threading.Thread(target=self._work, name=f"worker of {self.path.name}", daemon=True).start()
        _workers.add(self)

    def submit(self, job: Callable[[Store], T], patience: float | None = None) -> Future[T]:
        """Queue a job, and return a future for its result.

        Args:
            job: a function of the store.
            patience: the time in seconds that a read-only job waits for another program's lock; None for a job that may
                write, which waits as long as other writers do.
        """
        future: Future[T] = Future()
        if patience is None:
            self.writing.add(future)
            future.add_done_callback(self.writing.discard)
        self._jobs.put((future, job, patience))
        return future

    async def do(self, job: Callable[[Store], T], patience: float | None = None) -> T:
        """Run a job in the thread, and return its result; see `submit`.

        Raises:
            MenaceError: any error that the job raises, or an error if the file cannot be opened.
        """
        return await asyncio.wrap_future(self.submit(job, patience))

    def start(self, job: Callable[[Store], Iterator[object]]) -> Future[None] | asyncio.Future[None]:
        """Start a long job that may write, and return a future that is done when the job ends.

        The job yields only outside transactions.
        """

        def steps(store: Store) -> None:
            for _ in job(store):
                pass

        return self.submit(steps)

    def stop(self) -> None:
        """Stop the thread as soon as all running and queued jobs that may write have finished."""
        self.stopping.set()
        self._jobs.put(None)

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            future, job, patience = item
            if self.stopping.is_set() and patience is not None:
                future.cancel()
            if not future.set_running_or_notify_cancel():
                continue
            self._run(future, job, patience)
            del future, job, item  # free these objects while the thread waits for the next job
        if self._store is not None:
            self._store.close()

    def _run(self, future: Future[T], job: Callable[[Store], T], patience: float | None) -> None:
        try:
            future.set_result(job(self._opened(patience)))
        except BaseException as error:  # noqa: BLE001 - the worker must survive it, and the future reports it
            future.set_exception(error)

    def _opened(self, patience: float | None) -> Store:
        """Return the connection to the file. Reopen the connection if there is now a different file at the path."""
        store = self._store
        if store is not None:
            store.patience = patience
            try:
                store.check()
            except DatabaseBusy:
                raise
            except StoreError:
                self._file = None
            if self._file is None or self._file != _identity(self.path):
                store.close()
                store = None
        if store is None:
            self._file = _identity(self.path)
            store = self._store = Store.open(self.path, patience)
            store.positions_cache = LIBRARY.positions
        if patience is None:
            store.use_writer_timeout()
        return store


class InPlaceWorker(Worker):
    """A worker without a thread, which runs each job immediately on the event loop."""

    def _begin(self) -> None:
        pass

    def submit(self, job: Callable[[Store], T], patience: float | None = None) -> Future[T]:
        """Run a job, and return a future for its result."""
        future: Future[T] = Future()
        self._run(future, job, patience)
        return future

    def start(self, job: Callable[[Store], Iterator[object]]) -> asyncio.Future[None]:
        """Start a task for a long job. Requests are answered between steps of the job."""

        async def steps() -> None:
            for _ in job(self._opened(None)):
                await asyncio.sleep(0)

        return asyncio.ensure_future(steps())


def start_worker(path: Path) -> Worker:
    """Return a worker for a file, with its own thread if threads are available."""
    return Worker(path) if HAS_THREADS else InPlaceWorker(path)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file, or None if the file does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@atexit.register
def stop_all() -> None:
    """Stop all threads. All threads are signalled before the first wait, so that they end at the same time."""
    workers = list(_workers)
    for worker in workers:
        worker.stop()
    wait([future for worker in workers for future in list(worker.writing)], SECONDS_TO_END)
