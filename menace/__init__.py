"""menace: Donald Michie's matchbox machine that learns noughts and crosses, on SQLite.

    import menace

    with menace.open_or_create_database("menace.db") as store:
        menace.selfplay(store, games=10_000, seed=1)
        print(menace.show(store, "X...O....", "menace-x"))

The functions that the commands call, loaded when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
