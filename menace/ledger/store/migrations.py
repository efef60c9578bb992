"""Migrations of older databases: numbered SQL scripts, all in one transaction, after a copy beside the file.

Step N, db/migrations/N.sql, leads from schema N - 1 to N. A step is frozen: it holds the tables as they were in its
version, not those of schema.sql. sqlite-utils' own migrations are not used: they keep their names in a table of the
file, which already has its version in `user_version`, and a transaction for each would leave a file between two
versions if the second failed.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from menace.ledger.store.connection import SCHEMA_VERSION, Connection, connect, translate_errors
from menace.ledger.store.locks import POLL, patiently, write_lock
from menace.ledger.store.sql import renew_views, run_script, sql_file
from menace.ledger.store.store import Store

OLDEST = 1  # the oldest schema that is brought up to date


def upgrade(path: str | os.PathLike[str], complete: Callable[[Store, int], None]) -> Path | None:
    """Migrate an older file. If this is interrupted at any time, the file is the old one or the new one.

    Args:
        path: of a database of schema OLDEST or newer.
        complete: (database within the transaction, the schema that it had) writes what SQL alone cannot compute.

    Returns:
        the copy of the file as it was, beside it; None if another process has migrated it meanwhile.

    Raises:
        SchemaMismatch, NotOurs: if it is older than that, newer than this menace, or another program's.
        StoreError: if the copy or the file cannot be written; the file is as it was, then.
    """
    name = os.fspath(path)
    with translate_errors(name):
        database = connect(name, "rw")
    try:
        with contextlib.ExitStack() as undo, translate_errors(name):
            # Tables are rebuilt under their names: references must not follow the old ones, nor be checked before all
            # of them exist. Neither setting can be changed within a transaction.
            patiently(lambda: database.execute("PRAGMA foreign_keys = OFF"))
            patiently(lambda: database.execute("PRAGMA legacy_alter_table = ON"))
            with write_lock(database, POLL):
                old_schema = Connection(database, name, oldest=OLDEST).schema
                if old_schema == SCHEMA_VERSION:
                    return None
                copy = _copy_beside(name, old_schema)
                undo.callback(copy.unlink, missing_ok=True)
                added = _save_indexes_and_triggers(database)
                for step in range(old_schema + 1, SCHEMA_VERSION + 1):
                    run_script(database, sql_file(f"migrations/{step}.sql"))
                store = Store(database, name)
                renew_views(database)
                complete(store, old_schema)
                _restore_indexes_and_triggers(database, added)
                store.check_references()
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
    """Recreate those that users added and are gone; what does not fit the new tables stays only in the copy."""
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
        Connection(reader, name, oldest=OLDEST).backup(target)
    finally:
        reader.close()
    return target
