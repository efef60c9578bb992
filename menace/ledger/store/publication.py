"""Copy a database for publication, without names of people and without anything that was deleted."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from dataclasses import dataclass

from menace.ledger.store.connection import translate_errors
from menace.ledger.store.database import Store
from menace.ledger.store.shipped_sql import run_script, shipped_tables, shipped_views, sql_file
from menace.ledger.store.tables import LEARNED_COLUMNS, insert


@dataclass(frozen=True)
class Published:
    """A copy of a database for everybody, and a description of its contents.

    Attributes:
        path: the path of the original.
        content: the copy, as the bytes of an SQLite file.
        learners: the names of its learners.
        runs: the number of its runs.
        games: the number of its games with people.
        people: the names of people in the original.
        stand_ins: the names that replace those of people; empty if the copy contains the names of people.
        functions: the names of its players that are stored as weights.
        deleted: the number of deleted learners in the log. Their boxes, values and strengths are not in the copy.
        left_out: the names of tables and views of the original that are not menace's. They are not in the copy.
    """

    path: str
    content: bytes
    learners: tuple[str, ...]
    runs: int
    games: int
    people: tuple[str, ...]
    stand_ins: tuple[str, ...]
    functions: tuple[str, ...]
    deleted: int
    left_out: tuple[str, ...]


def published_copy(store: Store, keep_names: bool = False) -> Published:
    """Copy the rows of menace's own tables into a new database, which contains no rest of deleted rows.

    Args:
        store: the database.
        keep_names: whether the copy contains the names of people and the earlier names of learners. Otherwise, numbers
            replace the names of people and of deleted learners, and the runs of a learner show its current name.

    >>> copy = published_copy(store)
    >>> copy.learners, copy.runs, copy.games, copy.people
    (('menace-x', 'menace-o'), 1, 0, ())
    """
    with (
        store.copied() as original,
        contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as copy,
        translate_errors(store.path),
    ):
        run_script(copy, sql_file("schema.sql") + sql_file("views.sql"))
        for table in shipped_tables():
            width = len(original.rows(f"SELECT * FROM pragma_table_info('{table}')"))
            insert(copy, table, width, original.rows(f"SELECT * FROM {table}"))
        for table in (*LEARNED_COLUMNS, "evaluation"):
            deleted = "SELECT learner_id FROM learner WHERE deleted_at IS NOT NULL"
            copy.execute(f"DELETE FROM {table} WHERE learner_id IN ({deleted})")

        def column(sql: str) -> tuple[str, ...]:
            return tuple(value for (value,) in copy.execute(sql))

        names = column("SELECT name FROM learner WHERE deleted_at IS NULL ORDER BY learner_id")
        person = "json_extract(options, '$.person')"
        people = column(f"SELECT {person} FROM run WHERE {person} IS NOT NULL GROUP BY 1 ORDER BY min(run_id)")
        free = (name for number in itertools.count(1) if (name := f"person {number}") not in {*names, *people})
        stand_ins = () if keep_names else tuple(itertools.islice(free, len(people)))
        sql = f"UPDATE run SET options = json_set(options, '$.person', ?) WHERE {person} = ?"
        copy.executemany(sql, zip(stand_ins, people, strict=False))
        if not keep_names:
            # No learner can have this name, because names must not contain brackets.
            copy.execute("UPDATE learner SET name = '(deleted ' || learner_id || ')' WHERE deleted_at IS NOT NULL")
            for side in "xo":
                now = f"SELECT name FROM learner WHERE learner_id = {side}_learner_id"
                copy.execute(f"UPDATE run SET {side}_player = ({now}) WHERE {side}_learner_id IS NOT NULL")
        copy.execute("VACUUM")
        there = original.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
        ours = {*shipped_tables(), *shipped_views()}
        ((deleted_count, runs, games),) = copy.execute(
            "SELECT (SELECT count(*) FROM learner WHERE deleted_at IS NOT NULL), (SELECT count(*) FROM run),"
            " (SELECT count(*) FROM game)"
        )
        return Published(
            path=store.path,
            content=copy.serialize(),
            learners=names,
            runs=runs,
            games=games,
            people=people,
            stand_ins=stand_ins,
            functions=column("SELECT name FROM policy ORDER BY name"),
            deleted=deleted_count,
            left_out=tuple(name for (name,) in there if name not in ours and not name.startswith("sqlite_")),
        )
