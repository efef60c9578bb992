"""A cache of positions and learners, so that consecutive requests do not read a million rows each."""

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

LARGE = 100_000  # positions; in games of more, exact reports take seconds
LEARNERS_MOST = 16
MOVES_MOST = 10_000_000  # of all cached learners, unless one alone has more; in some 130 MB
NS_TO_REST = (
    100_000_000  # for which a file must be unchanged: two writes, before and after a read, can have the same time
)
POSITIONS_MOST = 3_000_000  # in all, unless one game alone has more; 4x4x4 has 1.2 million, in some 100 MB


class Library:
    """The positions and learners that were read last.

    Positions are keyed by the file's device and inode, its rules, and their number; learners also by the file's
    modification time and size.

    menace never changes the positions of a file. Edits by hand are detected by `menace verify`, and by a server that is
    started afterwards.
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
        with self._lock:  # other threads wait until it is read, and do not read it as well
            if key not in self._games:
                self._games[key] = read(store)
            self._games.move_to_end(key)
            while len(self._games) > 1 and sum(map(len, self._games.values())) > POSITIONS_MOST:
                self._games.popitem(last=False)
            return self._games[key]

    def learner(self, store: Store, name: str) -> Machine:
        """Return a learner by name. It is shared, and must not be changed.

        It is read again after any program has written to the file.

        Raises:
            UnknownLearner, StoreError: as `named_machine`.
        """
        with store.snapshot():  # nobody writes while the lock is held
            row, positions, state = store.learner(name), positions_of(store), _state_of(store.path)
            key = (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size, store.path, row)
            with self._lock:
                machine = self._learners.get(key)
            if machine is not None and machine.positions is positions:
                return machine
            machine = load_machine(store, positions, row)
            rests = time.time_ns() - state.st_mtime_ns > NS_TO_REST
        if rests:
            with self._lock:
                self._learners[key] = machine
                while len(self._learners) > 1 and (len(self._learners) > LEARNERS_MOST or self._moves() > MOVES_MOST):
                    self._learners.popitem(last=False)
        return machine

    def _moves(self) -> int:
        return sum(machine.positions.move_count for machine in self._learners.values())


def _state_of(path: str) -> os.stat_result:
    try:
        return Path(path).stat()
    except OSError:
        raise StoreError(f"{path} was moved or deleted meanwhile; look for it, and start again") from None


LIBRARY = Library()
