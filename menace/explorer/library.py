"""Positions and learners in memory: pages that follow each other do not read, and check, a million rows each."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path

from menace.errors import StoreError
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.ledger.learners import load_machine
from menace.ledger.store import Store
from menace.ledger.stored_positions import positions_of

LEARNERS_MOST = 16
MOVES_MOST = 200_000  # of a learner that is kept, in some 3 MB
NS_TO_REST = 100_000_000  # that a file was left alone: those of two writers between whom we read can have one time
POSITIONS_MOST = 3_000_000  # in all, unless one game alone has more; 4x4x4 has 1.2 million, in some 100 MB


class Library:
    """Positions and learners that were read last.

    Positions are known by the file's device and inode, its rules, and how many there are; learners by what the file's
    system says of it besides: when it was written last, and its size.

    menace itself never changes the positions of a file. Whoever edits them by hand meets the checks of `menace verify`,
    and of a server that is started afterwards.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[Hashable, Positions] = OrderedDict()
        self._learners: OrderedDict[Hashable, Machine] = OrderedDict()
        self._lock = threading.Lock()

    def positions(self, store: Store, read: Callable[[Store], Positions]) -> Positions:
        """Return the positions of a file; `read` reads them if they are not here.

        Raises:
            StoreError: as `read`.
        """
        count = store.position_count()
        status = _state_of(store.path)
        key = (status.st_dev, status.st_ino, store.path, store.rules(), count)
        with self._lock:  # who comes while it is read waits for it, and does not read it as well
            if key not in self._games:
                self._games[key] = read(store)
            self._games.move_to_end(key)
            while len(self._games) > 1 and sum(map(len, self._games.values())) > POSITIONS_MOST:
                self._games.popitem(last=False)
            return self._games[key]

    def learner(self, store: Store, name: str) -> Machine:
        """Return a learner by name, to look at only: others are lent the same.

        It is read again after anybody has written to the file, by whatever program.

        Raises:
            UnknownLearner, StoreError: as `named_machine`.
        """
        with store.snapshot():  # while we hold its lock, nobody writes
            row, positions, state = store.learner(name), positions_of(store), _state_of(store.path)
            key = (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size, store.path, row)
            with self._lock:
                machine = self._learners.get(key)
            if machine is not None and machine.positions is positions:
                return machine
            machine = load_machine(store, positions, row)
            rests = time.time_ns() - state.st_mtime_ns > NS_TO_REST
        if rests and positions.move_count <= MOVES_MOST:
            with self._lock:
                self._learners[key] = machine
                while len(self._learners) > LEARNERS_MOST:
                    self._learners.popitem(last=False)
        return machine


def _state_of(path: str) -> os.stat_result:
    try:
        return Path(path).stat()
    except OSError:
        raise StoreError(f"{path} was moved or deleted meanwhile; look for it, and start again") from None


LIBRARY = Library()
