"""Read the SQL files in db/, and the tables and views that they define."""

from __future__ import annotations

import functools
import importlib
import re
import sqlite3
from pathlib import Path


def sql_file(name: str) -> str:
    """Return the text of a file in db/.

    >>> "CREATE TABLE matchbox" in sql_file("schema.sql")
    True
    """
    folder = Path(*importlib.import_module("menace.db").__path__)  # importlib.resources takes longer to import
    return (folder / name).read_text(encoding="utf-8")


def run_script(connection: sqlite3.Connection, sql: str) -> None:
    """Run statements within the open transaction, because sqlite3's `executescript` would commit the transaction first.

    Each statement must end at the end of a line. The parser of sqlite-utils is not used here. It looks for the end of a
    statement after every character, which takes 0.1 s for the schema.

    >>> connection = sqlite3.connect(":memory:")
    >>> run_script(connection, sql_file("schema.sql"))
    >>> connection.execute("SELECT count(*) FROM learner").fetchone()
    (0,)
    """
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


@functools.cache
def shipped_tables() -> dict[str, str]:
    """Return a dictionary from each table name in db/schema.sql to its SQL, in the form of `strip_sql`.

    >>> "matchbox" in shipped_tables(), "boxes" in shipped_tables()  # `boxes` is a view
    (True, False)
    """
    statements = strip_sql(sql_file("schema.sql")).split(";")  # within statements, only comments contain semicolons
    matches = (re.match(r"CREATE TABLE (\w+) ", statement.strip()) for statement in statements)
    return {match[1]: match.string for match in matches if match is not None}


def strip_sql(sql: str) -> str:
    r"""Return SQL without comments and extra spacing, which may differ between versions.

    >>> strip_sql("CREATE TABLE a (  -- a comment; of some length\n    b  INTEGER\n)")
    'CREATE TABLE a ( b INTEGER )'
    """
    return " ".join(re.sub(r"--[^\n]*", "", sql).split())


@functools.cache
def shipped_views() -> dict[str, str]:
    """Return a dictionary from each view name in db/views.sql to its SQL, in the form that SQLite stores.

    >>> shipped_views()["learning_curve"].splitlines()[0]
    'CREATE VIEW learning_curve AS'
    """
    matches = re.findall(r"^(CREATE VIEW (\w+).*?);$", sql_file("views.sql"), re.DOTALL | re.MULTILINE)
    return {name: sql for sql, name in matches}


def stale_views(connection: sqlite3.Connection) -> list[str]:
    """Return the names of views that are missing from a database or differ from the views in db/views.sql.

    >>> stale_views(store.database)
    []
    """
    views = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'"))
    return [name for name, sql in shipped_views().items() if views.get(name) != sql]


def renew_views(connection: sqlite3.Connection) -> None:
    """Replace the database's views with the views in db/views.sql."""
    for name in stale_views(connection):
        connection.execute(f"DROP VIEW IF EXISTS {name}")
        connection.execute(shipped_views()[name])


def has_tables(connection: sqlite3.Connection) -> bool:
    """Return whether a database contains a table.

    >>> has_tables(store.database), has_tables(sqlite3.connect(":memory:"))
    (True, False)
    """
    return connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table'").fetchone() is not None
