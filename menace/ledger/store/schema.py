"""The tables of a database, compared with those that menace makes, before a row of them is read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from menace.ledger.store.connection import sql_file


def shipped_tables() -> dict[str, str]:
    """Return the SQL of each table of db/schema.sql, by name, as `bare` has it.

    >>> "matchbox" in shipped_tables(), "boxes" in shipped_tables()  # which is a view
    (True, False)
    """
    statements = bare(sql_file("schema.sql")).split(";")  # none within a statement but in comments
    found = (re.match(r"CREATE TABLE (\w+) ", statement.strip()) for statement in statements)
    return {match[1]: match.string for match in found if match is not None}


def bare(sql: str) -> str:
    r"""Return SQL without its comments and spacing, which may be reworded.

    >>> bare("CREATE TABLE a (  -- a comment; of some length\n    b  INTEGER\n)")
    'CREATE TABLE a ( b INTEGER )'
    """
    return " ".join(re.sub(r"--[^\n]*", "", sql).split())


def wrong_tables(tables: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names of the tables that are missing or not as menace makes them; others do no harm.

    Args:
        tables: (name, SQL) of each table that a file has.

    >>> tables = store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    >>> wrong_tables(tables), wrong_tables(tables[1:])
    ([], ['rules'])
    """
    found = {name: bare(sql) for name, sql in tables}
    return sorted(name for name, sql in shipped_tables().items() if found.get(name) != sql)
