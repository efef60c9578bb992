"""Positions of games in memory: pages that follow each other do not read, and check, a million rows each."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING

from menace.errors import StoreError

if TYPE_CHECKING:
    from menace.games.positions import Positions
    from menace.ledger.store import Store

POSITIONS_MOST = 3_000_000  # in all, unless one game alone has more; 4x4x4 has 1.2 million, in some 100 MB


class Library:
    """Positions that were read last, by file: its device and inode, its rules, and how many positions it has.

    menace itself never changes the positions of a file. Whoever edits them by hand meets the checks of `menace verify`,
    and of a server that is started afterwards.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[Hashable, Positions] = OrderedDict()
        self._lock = threading.Lock()

    def positions(self, store: Store, read: Callable[[Store], Positions]) -> Positions:
        """Return the positions of a file; `read` reads them if they are not here.

        Raises:
            StoreError: as `read`.
        """
        count = store.position_count()
        try:
            found = Path(store.path).stat()
        except OSError:
            raise StoreError(f"{store.path} was moved or deleted meanwhile; look for it, and start again") from None
        key = (found.st_dev, found.st_ino, store.path, store.rules(), count)
        with self._lock:  # who comes while it is read waits for it, and does not read it as well
            if key not in self._games:
                self._games[key] = read(store)
            self._games.move_to_end(key)
            while len(self._games) > 1 and sum(map(len, self._games.values())) > POSITIONS_MOST:
                self._games.popitem(last=False)
            return self._games[key]


LIBRARY = Library()
