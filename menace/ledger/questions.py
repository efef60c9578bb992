"""Named questions: the files of db/queries, each one SELECT with its title in the first line's comment."""

from __future__ import annotations

import importlib.resources
from dataclasses import dataclass


@dataclass(frozen=True)
class NamedQuery:
    """A question that ships with menace.

    >>> named = next(named for named in named_queries() if named.name == "biggest-boxes")
    >>> named.title, len(db.query(named.sql).rows)
    ('Which boxes hold the most beads?', 20)
    """

    name: str
    title: str
    sql: str


def named_queries() -> list[NamedQuery]:
    """Return every named query, by name.

    >>> [named.title for named in named_queries() if named.name == "runs"]
    ['Which runs were there, and how did they go?']
    """
    folder = importlib.resources.files("menace.db").joinpath("queries")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    texts = ((file.name.removesuffix(".sql"), file.read_text(encoding="utf-8")) for file in files)
    return [NamedQuery(name, sql.splitlines()[0].removeprefix("--").strip(), sql) for name, sql in texts]
