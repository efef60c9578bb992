"""Migrations of older databases: numbered SQL scripts, all in one transaction, after a copy beside the file.

Step N, db/migrations/N.sql, leads from schema N - 1 to N, and sets `user_version`; there is none yet. A step is frozen:
it contains the tables as they were in its version, not those of schema.sql. sqlite-utils' own migrations are not used:
they store their names in a table of the file, which already has its version in `user_version`, and with a transaction
for each step, a failure of the second would leave a file between two versions.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
from pathlib import Path

from menace.errors import DatabaseBusy, NotOurs, SchemaMismatch, StoreError
from menace.ledger.store.connection import SCHEMA_VERSION, Connection, connect, translate_errors
from menace.ledger.store.database import Store
from menace.ledger.store.locks import POLL, patiently, write_lock
from menace.ledger.store.sql import renew_views, run_script, sql_file

LOGGER = logging.getLogger("menace")


def upgrade(path: str | os.PathLike[str]) -> None:
    """Upgrade an older database, and log where the copy of the old file is.

    If this is interrupted at any time, the file is the old one or the new one.

    Raises:
        SchemaMismatch, NotOurs: if it is newer than this menace, or another program's.
        StoreError: if the copy or the file cannot be written; the file is as it was, then.
    """
    name = os.fspath(path)
    must = f"an older menace made {name}, so it must be upgraded first; but"
    try:
        copy = _upgraded(name)
    except (SchemaMismatch, NotOurs, DatabaseBusy):
        raise
    except StoreError as error:
        raise StoreError(f"{must} {error}") from error
    except OSError as error:
        raise StoreError(
            f"{must} no copy of it can be kept beside it ({error.strerror}): move it to a folder that can be written"
        ) from None
    if copy is not None:
        LOGGER.warning("%s was upgraded to schema %d; a copy of the old file is %s", name, SCHEMA_VERSION, copy)


def _upgraded(name: str) -> Path | None:
    """Run the steps. Return the copy of the old file; None if another process has upgraded the file already."""
    with translate_errors(name):
        database = connect(name, "rw")
    try:
        with contextlib.ExitStack() as undo, translate_errors(name):
            # Tables are rebuilt under their names: references must not follow the old ones, nor be checked before all
            # of them exist. Neither setting can be changed within a transaction.
            patiently(lambda: database.execute("PRAGMA foreign_keys = OFF"))
            patiently(lambda: database.execute("PRAGMA legacy_alter_table = ON"))
            with write_lock(database, POLL):
                schema = Connection(database, name, accept_older=True).schema
                if schema == SCHEMA_VERSION:
                    return None
                copy = _copy_beside(name, schema)
                undo.callback(copy.unlink, missing_ok=True)
                added = _save_indexes_and_triggers(database)
                for step in range(schema + 1, SCHEMA_VERSION + 1):
                    run_script(database, sql_file(f"migrations/{step}.sql"))
                renew_views(database)
                _restore_indexes_and_triggers(database, added)
                Store(database, name).check_references()
            undo.pop_all()  # committed: the copy stays
        with contextlib.suppress(sqlite3.Error):  # frees the space of the old tables, which can wait
            database.execute("VACUUM")
        return copy
    finally:
        database.close()


def _save_indexes_and_triggers(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the SQL of all indexes and triggers, by name: rebuilding a table drops its own.

    Triggers are dropped: none may change what the scripts write.
    """
    sql = "SELECT name, sql, type FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
    added = {}
    for name, text, kind in connection.execute(sql).fetchall():
        added[name] = text
        if kind == "trigger":
            escaped = name.replace('"', '""')
            connection.execute(f'DROP TRIGGER "{escaped}"')
    return added


def _restore_indexes_and_triggers(connection: sqlite3.Connection, added: dict[str, str]) -> None:
    """Recreate those that users added and are gone; one that does not fit the new tables is only in the copy."""
    for name, sql in added.items():
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone():
            with contextlib.suppress(sqlite3.Error):
                connection.execute(sql)


def _copy_beside(name: str, version: int) -> Path:
    """Copy the file, as it was when the write lock was taken, and return the copy."""
    file = Path(name)
    stem = f"{file.stem}-schema-{version}"
    targets = (file.with_name(f"{stem}{ending}{file.suffix}") for ending in ("", *(f"-{n}" for n in range(2, 1000))))
    target = next(target for target in targets if not target.exists())
    reader = connect(name, "rw")  # reads beside the write lock
    try:
        Connection(reader, name, accept_older=True).backup(target)
    finally:
        reader.close()
    return target
