"""The positions of the files that a server serves, read once for all its pages: to learn changes none of them.

A page asks on a connection of its own, which would read them, and check them, anew: a quarter of a second for a game of
twenty thousand positions.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from menace.ledger.store import Store

T = TypeVar("T")
POSITIONS = "the positions"  # as `positions_of` calls them

_known: weakref.WeakKeyDictionary[Any, dict[Path, tuple[object, object]]] = weakref.WeakKeyDictionary()


def answered(datasette: Any, path: Path, store: Store, question: Callable[[Store], T]) -> T:
    """Return the answer to a question that a file is asked, with its positions if they are known already.

    Args:
        datasette: the server, which remembers them.
        path: of the file.
        store: the same file, opened for this question.
        question: asked once.

    Raises:
        MenaceError: whatever the question raises.
    """
    known, of = _known.setdefault(datasette, {}), (path.stat().st_dev, path.stat().st_ino, store.rules())
    then, positions = known.get(path, (None, None))
    if then == of:
        store.take_over(POSITIONS, positions)
    answer = question(store)
    if (found := store.found(POSITIONS)) is not None:
        known[path] = of, found
    return answer
