"""The SQL that ships with menace: files of db/, and the tables and views that they define."""

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
    folder = Path(*importlib.import_module("menace.db").__path__)  # importlib.resources takes longer to load
    return (folder / name).read_text(encoding="utf-8")


def run_script(connection: sqlite3.Connection, sql: str) -> None:
    """Run statements within the open transaction; sqlite3's own `executescript` would commit it first.

    Statements must end at a line end. The method of sqlite-utils tries after every character and takes 0.1 s for the
    schema.

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
    """Return the SQL of each table of db/schema.sql by name, without comments and spacing (see `strip_sql`).

    >>> "matchbox" in shipped_tables(), "boxes" in shipped_tables()  # which is a view
    (True, False)
    """
    statements = strip_sql(sql_file("schema.sql")).split(";")  # semicolons occur within statements only in comments
    matches = (re.match(r"CREATE TABLE (\w+) ", statement.strip()) for statement in statements)
    return {match[1]: match.string for match in matches if match is not None}


def strip_sql(sql: str) -> str:
    r"""Return SQL without its comments and spacing, which may change between versions.

    >>> strip_sql("CREATE TABLE a (  -- a comment; of some length\n    b  INTEGER\n)")
    'CREATE TABLE a ( b INTEGER )'
    """
    return " ".join(re.sub(r"--[^\n]*", "", sql).split())


@functools.cache
def shipped_views() -> dict[str, str]:
    """Return the SQL of each view of db/views.sql by name, in the form that SQLite stores.

    >>> shipped_views()["learning_curve"].splitlines()[0]
    'CREATE VIEW learning_curve AS'
    """
    matches = re.findall(r"^(CREATE VIEW (\w+).*?);$", sql_file("views.sql"), re.DOTALL | re.MULTILINE)
    return {name: sql for sql, name in matches}


def stale_views(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the views that a database lacks, or that differ from those that ship.

    >>> stale_views(store.database)
    []
    """
    views = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'"))
    return [name for name, sql in shipped_views().items() if views.get(name) != sql]


def renew_views(connection: sqlite3.Connection) -> None:
    """Replace the views with those that ship."""
    for name in stale_views(connection):
        connection.execute(f"DROP VIEW IF EXISTS {name}")
        connection.execute(shipped_views()[name])


def has_tables(connection: sqlite3.Connection) -> bool:
    """Return whether a database contains any table.

    >>> has_tables(store.database), has_tables(sqlite3.connect(":memory:"))
    (True, False)
    """
    return connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table'").fetchone() is not None
