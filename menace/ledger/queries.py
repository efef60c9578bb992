"""Run read-only queries on a database: the named queries from db/queries, and SQL from users."""

from __future__ import annotations

import importlib.resources
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from menace.errors import QueryFailed, UnknownQuery
from menace.files.tables import Table
from menace.text.wording import did_you_mean, unused_name

if TYPE_CHECKING:
    from menace.ledger.store import Store

TIME_LIMIT = 10.0  # seconds


@dataclass(frozen=True)
class NamedQuery:
    """A query that ships with menace.

    >>> named = next(named for named in named_queries() if named.name == "biggest-boxes")
    >>> named.title, len(db.query(named.sql).rows)
    ('Which boxes contain the most beads?', 20)
    """

    name: str
    title: str
    sql: str


def named_queries() -> list[NamedQuery]:
    """Return every named query, sorted by name.

    >>> [named.title for named in named_queries() if named.name == "runs"]
    ['Which runs were started, and how did they end?']
    """
    folder = importlib.resources.files("menace.db").joinpath("queries")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    texts = ((file.name.removesuffix(".sql"), file.read_text(encoding="utf-8")) for file in files)
    return [NamedQuery(name, sql.splitlines()[0].removeprefix("--").strip(), sql) for name, sql in texts]


def query(store: Store, question: str, time_limit: float = TIME_LIMIT) -> Table:
    """Run a named query or an SQL statement, read-only.

    Args:
        store: the database.
        question: the name of a query (one word of letters, digits and hyphens), or SQL.
        time_limit: the limit in seconds.

    Raises:
        UnknownQuery: if there is no named query with this name.
        QueryFailed: if the SQL fails, tries to write, or exceeds a limit.

    >>> query(store, "SELECT count(*) FROM position WHERE minimax = 1").rows
    [(412,)]
    >>> query(store, "DELETE FROM learner")
    Traceback (most recent call last):
        ...
    menace.errors.QueryFailed: the query would do more than read (not authorized); use SELECT
    """
    if not isinstance(time_limit, int | float):
        raise QueryFailed(
            f"time_limit {time_limit!r} is not a number of seconds; write parameter values in the SQL itself"
        )
    columns, rows = store.query(_sql(question), time_limit)
    return Table(_distinct(columns), rows)


def is_sql(question: str) -> bool:
    """Return whether a question is SQL rather than a query's name (one word of letters, digits and hyphens).

    >>> is_sql("SELECT 1"), is_sql("openings")
    (True, False)
    """
    return re.fullmatch(r"[\w-]+", question.strip()) is None


def _distinct(names: list[str]) -> list[str]:
    """Return unique column names by adding a number to repeated names."""
    distinct: list[str] = []
    for name in names:
        distinct.append(unused_name(name, distinct, "_"))
    return distinct


def _sql(question: str) -> str:
    if not isinstance(question, str):
        raise UnknownQuery(f"{question!r} is not a query; pass the name of a query, or SQL, as a string")
    if not question.strip():
        raise UnknownQuery("the query is empty; `menace query` lists the named queries and also accepts SQL")
    if is_sql(question):
        return question
    question = question.strip()
    known = {named.name: named.sql for named in named_queries()}
    if question not in known:
        similar = did_you_mean(question, known)
        raise UnknownQuery(
            f"no query is called {question!r}; {similar}`menace query` lists the named queries and also accepts SQL"
        )
    return known[question]
