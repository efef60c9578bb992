"""Limits of SQL from users: it only reads, within bounds on length, rows, size, memory and time.

SQLite checks the time and handles Ctrl-C between the steps of a statement, and one step may be long: `trim` of two
texts of 50,000 characters takes 20 seconds. So a query runs in a thread, which is abandoned when its time is over.

The explorer's process for SQL is started while a user waits, so this imports nothing but SQLite.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from menace.errors import QueryFailed

LENGTH_MOST = 1_000_000  # bytes of a text, a blob or a row
ROWS_MOST = 1_000_000
NUMBER_SIZE = 8
GRACE = 0.25  # seconds to stop between two steps
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LENGTH_MOST,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 250_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

HEAP_MOST = 512_000_000  # bytes
LONGEST_QUERY = 86_400  # seconds
SIZE_MOST = 64_000_000  # bytes of an answer
STEPS_A_LOOK = 1000  # of SQLite's virtual machine, between two checks of the time

Answer: TypeAlias = tuple[list[str], list[tuple[Any, ...]]]


def bound_memory(size: int = HEAP_MOST) -> None:
    """Let SQLite use `size` bytes in this process and no more, from now on.

    The other limits do not bound what it takes to plan a query: a name that stands for twice another, and so on thirty
    times, is a billion terms.
    """
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA hard_heap_limit = {size}")


def opened(uri: str) -> sqlite3.Connection:
    """Return a connection to a file, by a URI with its mode; invalid UTF-8 in texts is replaced.

    >>> opened("file::memory:?mode=ro").execute("SELECT CAST(x'ff' AS TEXT)").fetchall()
    [('�',)]
    """
    connection = sqlite3.connect(uri, uri=True)
    connection.text_factory = lambda text: str(text, "utf-8", "replace")
    return connection


def bound(connection: sqlite3.Connection) -> None:
    """Restrict a connection to reading, with texts, blobs, rows and plans within LIMITS.

    >>> connection = sqlite3.connect(":memory:")
    >>> bound(connection)
    >>> connection.execute("SELECT hex(zeroblob(1000000))")
    Traceback (most recent call last):
        ...
    sqlite3.DataError: string or blob too big
    """
    for limit, value in LIMITS.items():
        connection.setlimit(limit, value)
    connection.set_authorizer(_only_reads)


def bounded(answer_rows: Iterable[tuple[Any, ...]], size_most: int) -> list[tuple[Any, ...]]:
    """Return the rows of an answer. Raises QueryFailed if there are over ROWS_MOST, or over `size_most` bytes.

    >>> bounded([("x" * 600_000,), ("x" * 600_000,)], 1_000_000)
    Traceback (most recent call last):
        ...
    menace.errors.QueryFailed: the answer has over 1 MB; ask for fewer rows or columns
    """
    rows: list[tuple[Any, ...]] = []
    size = 0
    for row in answer_rows:
        size += sum(len(value) if isinstance(value, (str, bytes)) else NUMBER_SIZE for value in row)
        if len(rows) == ROWS_MOST:
            raise QueryFailed(f"the answer has over {ROWS_MOST:,} rows; ask for fewer with WHERE, LIMIT or GROUP BY")
        if size > size_most:
            raise QueryFailed(f"the answer has over {size_most // 10**6} MB; ask for fewer rows or columns")
        rows.append(row)
    return rows


HINTS = {
    "no such table": "; `SELECT name FROM sqlite_schema` lists tables and views",
    "no such column": "; `SELECT * FROM choices LIMIT 1`, for one, shows the columns of a table or view",
}


def explained(error: Exception, time_limit: float, path: str) -> QueryFailed:
    """Return the error for users that an error of SQLite stands for.

    >>> explained(sqlite3.OperationalError("no such table: box"), 10.0, "menace.db")
    QueryFailed('SQLite says: no such table: box; `SELECT name FROM sqlite_schema` lists tables and views')
    """
    code = getattr(error, "sqlite_errorname", "")
    if code == "SQLITE_INTERRUPT":
        return took_too_long(time_limit)
    if code == "SQLITE_AUTH" or "not authorized" in str(error):
        return QueryFailed(f"the query would do more than read ({error}); ask with SELECT")
    if code == "SQLITE_TOOBIG":
        return QueryFailed(f"the query makes a text or blob of over {LENGTH_MOST:,} bytes; ask for shorter ones")
    if isinstance(error, MemoryError) or code == "SQLITE_FULL":
        return QueryFailed("the query needs more room than there is; ask for less")
    if code.startswith("SQLITE_CORRUPT"):
        return QueryFailed(f"{path} is damaged ({error}); go back to a backup of it")
    hint = next((hint for words, hint in HINTS.items() if words in str(error)), "")
    return QueryFailed(f"SQLite says: {error}{hint}")


def took_too_long(time_limit: float) -> QueryFailed:
    """Return the error for a query that took over `time_limit` seconds.

    >>> took_too_long(10.0)
    QueryFailed('the query took over 10 s; ask for less, or raise --timeout')
    """
    return QueryFailed(f"the query took over {time_limit:g} s; ask for less, or raise --timeout")


READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
# The first loads a library; the second exposes an address, and calls one that it is given; the third writes to a log.
DENIED_FUNCTIONS = {"load_extension", "fts3_tokenizer", "sqlite_log"}
INSPECTING_PRAGMAS = {"table_info", "table_xinfo", "table_list", "foreign_key_list"}
INSPECTING_PRAGMAS |= {"index_list", "index_info", "index_xinfo"}
READING_PRAGMAS = INSPECTING_PRAGMAS | {"application_id", "user_version", "schema_version", "data_version"}
READING_PRAGMAS |= {"database_list", "function_list", "page_count", "max_page_count", "page_size"}
READING_PRAGMAS |= {"integrity_check", "quick_check"}
# With a value, too. sqlite-utils, and so Datasette 1.0, sets the last; where nothing is written no trigger fires.
PRAGMAS_WITH_VALUES = INSPECTING_PRAGMAS | {"recursive_triggers"}


def _only_reads(action: int, first: str | None, second: str | None, *_rest: str | None) -> int:
    """Return whether SQLite may carry out a step of a query: its authorizer."""
    allowed = action in READING
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in DENIED_FUNCTIONS
    if action == sqlite3.SQLITE_PRAGMA:  # a value behind user_version and the like would set it
        allowed = first in PRAGMAS_WITH_VALUES or (first in READING_PRAGMAS and second is None)
    # To use a table-valued function such as json_each, SQLite asks for this, though it writes nothing then; and that
    # nothing is written in truth, query_only sees to.
    allowed |= action == sqlite3.SQLITE_UPDATE and first == "sqlite_master"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def check_time_limit(seconds: float) -> None:
    """Raise QueryFailed for an invalid time limit.

    >>> check_time_limit(10.0)
    >>> check_time_limit(0.0)
    Traceback (most recent call last):
        ...
    menace.errors.QueryFailed: a time limit of 0 s is not above 0 and at most 86,400
    """
    if not 0 < seconds <= LONGEST_QUERY:
        raise QueryFailed(f"a time limit of {seconds:g} s is not above 0 and at most {LONGEST_QUERY:,}")


def answer(copy: sqlite3.Connection, sql: str, time_limit: float, path: str) -> Answer:
    """Run a read-only query: (names of columns, rows). The copy is closed when SQLite has ended.

    Args:
        copy: a private copy of the database.
        sql: one statement.
        time_limit: seconds.
        path: what the database is called in messages.

    >>> copy = sqlite3.connect(":memory:", check_same_thread=False)
    >>> answer(copy, "SELECT 1 + 1 AS two", time_limit=1.0, path="menace.db")
    (['two'], [(2,)])
    """
    deadline, over = time.monotonic() + time_limit, threading.Event()
    outcome: list[Answer | Exception] = []

    def run() -> None:
        try:
            outcome.append(_run_query(copy, sql, lambda: over.is_set() or time.monotonic() > deadline))
        except Exception as error:  # noqa: BLE001 - the waiting thread raises it, whatever it is
            outcome.append(error)
        finally:
            copy.close()

    thread = threading.Thread(target=run, name="menace query", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # there are no threads, as in Pyodide; SQLite looks at the deadline all the same
        run()
    else:
        try:
            thread.join(time_limit + GRACE)
        finally:  # whatever ends the wait, Ctrl-C too, ends the statement
            over.set()
            thread.join(GRACE)
    result = outcome[0] if outcome else took_too_long(time_limit)
    if isinstance(result, UnicodeError):
        raise QueryFailed(f"the query or its answer has text that cannot be written ({result.reason})") from None  # type: ignore[attr-defined]
    if isinstance(result, (sqlite3.Error, sqlite3.Warning, MemoryError)):
        raise explained(result, time_limit, path) from None
    if isinstance(result, Exception):
        raise result
    return result


def _run_query(copy: sqlite3.Connection, sql: str, is_over: Callable[[], bool]) -> Answer:
    bound(copy)
    copy.set_progress_handler(is_over, STEPS_A_LOOK)
    cursor = copy.execute(sql)
    if cursor.description is None:
        raise QueryFailed("the query returns no rows; only SELECT and the like are answered")
    return [column[0] for column in cursor.description], bounded(cursor, SIZE_MOST)
