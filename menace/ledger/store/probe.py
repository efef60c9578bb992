"""Whether a database can be written to, asked before somebody's work depends on it."""

from __future__ import annotations

import sqlite3

from menace.ledger.store.connection import Connection, explained


def check_writable(store: Connection) -> None:
    """Begin to write, and take it back: the journal is made beside the file, and nothing in the file changes.

    Somebody else's lock is no reason to complain: it will be gone when it matters.

    Raises:
        StoreError: if the file, or the folder that its journal goes to, cannot be written, or the file has a trigger.
    """
    store.check_triggers()
    connection = store.database.conn
    ((version,),) = store.rows("PRAGMA user_version")
    with explained(store.path):
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(f"PRAGMA user_version = {version}")
        except sqlite3.OperationalError as error:
            if not getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
                raise
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
