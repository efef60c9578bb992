"""Copy a database for publication, without the names of people and without deleted data."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from menace.ledger.store.connection import translate_errors
from menace.ledger.store.database import Store
from menace.ledger.store.shipped_sql import run_script, shipped_tables, shipped_views, sql_file
from menace.ledger.store.tables import LEARNED_COLUMNS, insert


@dataclass(frozen=True)
class Published:
    """A copy of a database that may be published.

    Attributes:
        path: the path of the original.
        content: the copy, as the bytes of an SQLite file.
        replaced: a dictionary from each name of a person that was replaced to the name that replaces it.
        listed: descriptions, by heading, of what the copy contains and what it leaves out.
    """

    path: str
    content: bytes
    replaced: Mapping[str, str]
    listed: Mapping[str, str]


def published_copy(store: Store, keep_names: bool = False) -> Published:
    """Copy the rows of menace's own tables into a new database, which contains no traces of deleted rows.

    Args:
        store: the database.
        keep_names: whether the copy contains the names of people and the earlier names of learners. Otherwise, numbers
            replace the names of people and of deleted learners, and the runs of a learner show its current name.

    >>> published_copy(store).listed["machines"]
    'menace-x, menace-o'
    """
    with (
        store.copied() as original,
        contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as copy,
        translate_errors(store.path),
    ):

        def column(sql: str) -> list[str]:
            return [str(value) for (value,) in copy.execute(sql)]

        run_script(copy, sql_file("schema.sql") + sql_file("views.sql"))
        for table in shipped_tables():
            width = len(original.rows(f"SELECT 1 FROM pragma_table_info('{table}')"))
            insert(copy, table, width, original.rows(f"SELECT * FROM {table}"))
        learners = column("SELECT name FROM learner WHERE deleted_at IS NULL ORDER BY learner_id")
        deleted = column("SELECT learner_id FROM learner WHERE deleted_at IS NOT NULL")
        for table in (*LEARNED_COLUMNS, "evaluation"):
            copy.execute(f"DELETE FROM {table} WHERE learner_id IN ({', '.join(deleted)})")
        person = "json_extract(options, '$.person')"
        people = column(f"SELECT {person} FROM run WHERE {person} IS NOT NULL GROUP BY 1 ORDER BY min(run_id)")
        free = (name for number in itertools.count(1) if (name := f"person {number}") not in {*learners, *people})
        replaced = {} if keep_names else dict(zip(people, free, strict=False))
        if not keep_names:
            sql = f"UPDATE run SET options = json_set(options, '$.person', ?) WHERE {person} = ?"
            copy.executemany(sql, [(new, old) for old, new in replaced.items()])
            # No learner can have this name, because names must not contain brackets.
            copy.execute("UPDATE learner SET name = '(deleted ' || learner_id || ')' WHERE deleted_at IS NOT NULL")
            for side in "xo":
                now = f"SELECT name FROM learner WHERE learner_id = {side}_learner_id"
                copy.execute(f"UPDATE run SET {side}_player = ({now}) WHERE {side}_learner_id IS NOT NULL")
        copy.execute("VACUUM")
        ours = {*shipped_tables(), *shipped_views(), "sqlite_sequence"}
        there = original.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
        listed = {
            "machines": learners,
            "runs with players, seeds and times": column("SELECT count(*) FROM run"),
            "games with people": column("SELECT count(*) FROM game"),
            "people, instead of their names" if replaced else "people": list(replaced.values()) or people,
            "functions that played": column("SELECT name FROM policy ORDER BY name"),
            "not published, deleted machines": [str(len(deleted))] if deleted else [],
            "not published, your tables and views": [name for (name,) in there if name not in ours],
        }
        texts = {name: ", ".join(texts) for name, texts in listed.items() if texts}
        return Published(store.path, copy.serialize(), replaced, texts)
