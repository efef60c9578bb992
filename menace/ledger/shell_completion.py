"""The URI of a database, and its learners, read fast: for the shell's completion of their names.

Completion runs at each press of Tab, so it imports nothing but SQLite, and returns nothing where a file cannot be read:
it never creates or upgrades a file, and reports no errors.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path, PurePath
from typing import NamedTuple


def file_uri(path: PurePath) -> str:
    r"""Return the URI of an absolute path. SQLite knows no host, so a Windows share is a path that begins with `//`.

    >>> from pathlib import PurePosixPath, PureWindowsPath
    >>> file_uri(PurePosixPath("/home/me/50% x?.db"))
    'file:///home/me/50%25%20x%3F.db'
    >>> file_uri(PureWindowsPath(r"C:\me\menace.db")), file_uri(PureWindowsPath(r"\\school\7b\menace.db"))
    ('file:///C:/me/menace.db', 'file:////school/7b/menace.db')
    """
    uri = path.as_uri()
    return uri if uri.startswith("file:///") else uri.replace("file://", "file:////", 1)


PATIENCE = 0.2  # seconds, while a trainer commits


class LearnerName(NamedTuple):
    """A learner's row, not validated."""

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
        address = f"{file_uri(Path(path).absolute())}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as connection:
            learners = [LearnerName(*row) for row in connection.execute(sql)]
        # STRICT tables enforce the types. A name that somebody edited may contain characters that a shell interprets.
        return [learner for learner in learners if learner.name.isprintable()]
    return []
