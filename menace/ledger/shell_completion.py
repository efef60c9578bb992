"""Read the URI and the learners of a database fast, so that the shell can complete their names.

Completion runs on each press of Tab, so this module imports only SQLite and returns nothing if a file cannot be read.
It never creates or upgrades a file, and reports no errors.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path, PurePath
from typing import NamedTuple


def file_uri(path: PurePath) -> str:
    r"""Return the URI of an absolute path.

    SQLite accepts no host, so a Windows share becomes a path that begins with `//`.

    >>> from pathlib import PurePosixPath, PureWindowsPath
    >>> file_uri(PurePosixPath("/home/me/50% x?.db"))
    'file:///home/me/50%25%20x%3F.db'
    >>> file_uri(PureWindowsPath(r"C:\me\menace.db")), file_uri(PureWindowsPath(r"\\school\7b\menace.db"))
    ('file:///C:/me/menace.db', 'file:////school/7b/menace.db')
    """
    uri = path.as_uri()
    return uri if uri.startswith("file:///") else uri.replace("file://", "file:////", 1)


PATIENCE = 0.2  # seconds, while another program commits


class LearnerName(NamedTuple):
    """A learner's row, which is not validated."""

    name: str
    plays: str
    preset: str
    games: int


def list_learner_names(path: str | os.PathLike[str]) -> list[LearnerName]:
    """Return the learners of a file, oldest first, or an empty list if it cannot be read.

    >>> [learner.name for learner in list_learner_names(store.path)], list_learner_names("no such file")
    (['menace-x', 'menace-o'], [])
    """
    sql = "SELECT name, plays, preset, games FROM learner WHERE deleted_at IS NULL ORDER BY learner_id"
    with contextlib.suppress(sqlite3.Error, OSError, ValueError):
        address = f"{file_uri(Path(path).absolute())}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as connection:
            learners = [LearnerName(*row) for row in connection.execute(sql)]
        # STRICT tables enforce the types. A name that was edited by hand may contain characters that a shell
        # interprets.
        return [learner for learner in learners if learner.name.isprintable()]
    return []
