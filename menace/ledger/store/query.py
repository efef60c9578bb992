"""SQL of anybody's, answered from a private copy: it reads and nothing else, and has limits on time, length and size.

SQLite looks at the clock and hears Ctrl-C between the steps of a statement, and one step may be long: `trim` of two
texts of 50,000 characters takes 20 seconds. So a query runs in a thread, which is left behind when its time is over.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from typing import Any, TypeAlias

from menace.errors import QueryFailed
from menace.ledger.limits import GRACE, bound, bounded, explained, took_too_long

LONGEST_QUERY = 86_400  # seconds
SIZE_MOST = 64_000_000  # bytes of an answer
STEPS_A_LOOK = 1000  # of SQLite's machine, between two looks at the clock

Answer: TypeAlias = tuple[list[str], list[tuple[Any, ...]]]


def check_time_limit(seconds: float) -> None:
    """Raise QueryFailed for a time limit that is none.

    >>> check_time_limit(10.0)
    >>> check_time_limit(0.0)
    Traceback (most recent call last):
        ...
    menace.errors.QueryFailed: a time limit of 0 s is not above 0 and at most 86,400
    """
    if not 0 < seconds <= LONGEST_QUERY:
        raise QueryFailed(f"a time limit of {seconds:g} s is not above 0 and at most {LONGEST_QUERY:,}")


def answer(copy: sqlite3.Connection, sql: str, time_limit: float, path: str) -> Answer:
    """Answer SQL that reads and nothing else: (names of columns, rows). The copy is closed when SQLite has ended.

    Args:
        copy: a private copy of the database.
        sql: one statement.
        time_limit: seconds.
        path: what the database is called in messages.

    Raises:
        QueryFailed: if SQLite refuses it, if it would write, or if it passes a limit.

    >>> copy = sqlite3.connect(":memory:", check_same_thread=False)
    >>> answer(copy, "SELECT 1 + 1 AS two", time_limit=1.0, path="menace.db")
    (['two'], [(2,)])
    """
    question = _Question(copy, sql, time_limit)
    try:
        found = question.wait()
    except (sqlite3.Error, sqlite3.Warning, MemoryError) as error:
        raise explained(error, time_limit, path) from None
    except UnicodeError as error:
        raise QueryFailed(f"the query or its answer has text that cannot be written ({error.reason})") from None  # type: ignore[attr-defined]
    if found is None:
        raise took_too_long(time_limit)
    return found


class _Question:
    """A statement under way in a thread of its own."""

    def __init__(self, copy: sqlite3.Connection, sql: str, time_limit: float) -> None:
        self.copy, self.sql = copy, sql
        self.time_limit, self.deadline = time_limit, time.monotonic() + time_limit
        self.found: Answer | None = None
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self._run, name="menace query", daemon=True)

    def wait(self) -> Answer | None:
        """Return the answer, or None if it takes too long. What ends the waiting, Ctrl-C too, ends the statement."""
        self.thread.start()
        try:
            self.thread.join(self.time_limit + GRACE)
        finally:
            self.deadline = 0.0
            self.thread.join(GRACE)
        if self.error is not None:
            raise self.error
        return self.found

    def _run(self) -> None:
        try:
            self.found = self._ask()
        except Exception as error:  # noqa: BLE001 - whatever it is, the thread that waits raises it
            self.error = error
        finally:
            self.copy.close()

    def _ask(self) -> Answer:
        bound(self.copy)
        self.copy.set_progress_handler(lambda: time.monotonic() > self.deadline, STEPS_A_LOOK)
        cursor = self.copy.execute(self.sql)
        if cursor.description is None:
            raise QueryFailed("the query returns no rows; only SELECT and the like are answered")
        return [column[0] for column in cursor.description], bounded(cursor, SIZE_MOST)
