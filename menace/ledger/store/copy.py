"""Copy a database in one quick read, as either a private copy for long queries or a backup file.

With SQLite's rollback journal, no program can commit while a reader holds a lock, so long computations read a copy.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from menace.errors import DatabaseBusy
from menace.files.atomic import WINDOWS, partial_folder, sync_folder
from menace.ledger.store.shipped_sql import renew_views

CACHE = 64 * 2**20  # maximum number of bytes of a private copy in memory; the rest is stored in an unnamed file
PAGES_PER_STEP = 1024  # number of pages to copy between two checks for the time limit and for Ctrl-C
MAX_READ_SECONDS = (
    20.0  # maximum number of seconds for which a copy may prevent commits, well below the patience of writers
)


def private_copy(source: sqlite3.Connection) -> sqlite3.Connection:
    """Return a private copy in memory or in a temporary file that disappears when it is closed.

    The copy has the views of this version of menace, and any thread may use it. The caller must hold a read lock on the
    source, so that no program writes during the copy.

    Raises:
        DatabaseBusy: if copying takes longer than MAX_READ_SECONDS.

    >>> with contextlib.closing(private_copy(store.database)) as copy:
    ...     copy.execute("SELECT name FROM learner ORDER BY learner_id").fetchall()
    [('menace-x',), ('menace-o',)]
    """
    copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    try:
        copy.execute(f"PRAGMA cache_size = -{CACHE // 1024}")
        _without_journal(copy)
        copy_pages(source, copy)
        with contextlib.suppress(sqlite3.Error):  # a damaged file may keep its old views
            renew_views(copy)
        copy.execute("PRAGMA query_only = ON")
        return copy
    except BaseException:
        copy.close()
        raise


def copy_pages(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy a database on which the caller holds a read lock. Raises DatabaseBusy after MAX_READ_SECONDS.

    >>> with contextlib.closing(sqlite3.connect(":memory:")) as target:
    ...     copy_pages(store.database, target)
    ...     target.execute("SELECT count(*) FROM learner").fetchone()
    (2,)
    """
    deadline = time.monotonic() + MAX_READ_SECONDS

    def check_time(_status: int, _remaining: int, _total: int) -> None:
        if time.monotonic() > deadline:
            raise DatabaseBusy(
                f"reading the database takes longer than {MAX_READ_SECONDS:g} s and would block other programs; "
                "copy the file while it is not in use, and query the copy"
            )

    source.backup(target, pages=PAGES_PER_STEP, progress=check_time)


def _without_journal(copy: sqlite3.Connection) -> None:
    """Disable SQLite's safeguards to write a copy faster, because an incomplete copy is discarded anyway."""
    copy.execute("PRAGMA journal_mode = OFF")
    copy.execute("PRAGMA synchronous = OFF")


@contextlib.contextmanager
def new_backup(target: Path, mode: int) -> Iterator[sqlite3.Connection]:
    """Yield an empty database that is durably renamed to `target` at the end, so that it survives a power cut.

    Until then, the file is in a temporary folder next to `target`. The folder is removed if an exception is raised.

    Args:
        target: a file that does not exist.
        mode: the file's final permissions. Until the file is complete, only its owner can read it.

    Raises:
        FileExistsError: if another program has created the target file in the meantime.
        OSError: if the file cannot be written.

    >>> with new_backup(Path("backup.db"), 0o600) as copy:
    ...     copy_pages(store.database, copy)
    >>> Path("backup.db").stat().st_size == Path(store.path).stat().st_size
    True
    """
    with partial_folder(target.parent) as folder:
        path = folder / "copy.db"
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode & stat.S_IRWXU | stat.S_IRUSR | stat.S_IWUSR))
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as copy:
            _without_journal(copy)
            yield copy
        with path.open("r+b") as file:
            path.chmod(mode)
            os.fsync(file.fileno())
        try:
            if WINDOWS:  # Windows never replaces a file when renaming, and cannot unlink a read-only file
                path.rename(target)
            else:
                os.link(path, target)  # unlike renaming, linking never replaces a file
        except FileExistsError:
            raise
        except OSError:  # the file system does not support links
            path.rename(target)
        sync_folder(target.parent)
