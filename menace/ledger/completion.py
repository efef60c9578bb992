"""The learners of a file at a glance, for the shell to complete their names while somebody types.

It is asked at each Tab, so it loads nothing but SQLite itself, and answers with nothing where nothing can be read: no
file is made, none is brought up to date, and nobody is told what is wrong with one.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

PATIENCE = 0.2  # seconds, while a trainer commits


class LearnerName(NamedTuple):
    """A learner as its row says, which is not checked."""

    name: str
    plays: str
    preset: str
    games: int


def learners_at_a_glance(path: str | os.PathLike[str]) -> list[LearnerName]:
    """Return the learners of a file, the oldest first; none where it cannot be read.

    >>> [learner.name for learner in learners_at_a_glance(store.path)], learners_at_a_glance("no such file")
    (['menace-x', 'menace-o'], [])
    """
    sql = "SELECT name, plays, preset, games FROM learner WHERE deleted_at IS NULL ORDER BY learner_id"
    with contextlib.suppress(sqlite3.Error, OSError, ValueError):
        address = f"{Path(path).absolute().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as connection:
            learners = [LearnerName(*row) for row in connection.execute(sql)]
        # STRICT tables have the types; a name of old may hold what a shell would act on.
        return [learner for learner in learners if learner.name.isprintable()]
    return []
