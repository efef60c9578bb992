"""Run users' SQL with limits, and list learners' names, with SQLite as the only dependency.

SQLite checks the time limit and handles Ctrl-C only between the steps of a statement. A single step may take a long
time: `trim` with two strings of 50,000 characters takes 20 seconds. Therefore each query runs in a thread that is
abandoned after the time limit.

This module imports only SQLite, because it must load quickly. The explorer starts a process for SQL while a user waits,
and the shell completes names whenever the user presses Tab.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import Any, NamedTuple, TypeAlias

from menace.errors import QueryFailed

MAX_LENGTH = 1_000_000  # maximum size of a string, a blob or a row in bytes
MAX_ROWS = 1_000_000
NUMBER_SIZE = 8
GRACE = 0.25  # extra seconds for a statement to finish its current step and stop
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_LENGTH,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 250_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

MAX_HEAP = 512_000_000  # bytes
MAX_QUERY_SECONDS = 86_400  # seconds
MAX_ANSWER_SIZE = 64_000_000  # maximum size of a result in bytes
PATIENCE = 0.2  # maximum time, in seconds, that name completion waits for another program's commit
STEPS_PER_CHECK = 1000  # steps of SQLite's virtual machine between two time checks

Answer: TypeAlias = tuple[list[str], list[tuple[Any, ...]]]


def limit_memory(size: int = MAX_HEAP) -> None:
    """Limit the memory that SQLite uses in this process to `size` bytes.

    The other limits do not bound the memory needed to plan a query. For example, a query with thirty names, each of
    which refers to the previous name twice, expands to a billion terms.
    """
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA hard_heap_limit = {size}")


def opened(uri: str) -> sqlite3.Connection:
    """Return a connection to a file, given as a URI that includes the mode. Invalid UTF-8 in strings is replaced.

    >>> opened("file::memory:?mode=ro").execute("SELECT CAST(x'ff' AS TEXT)").fetchall()
    [('�',)]
    """
    connection = sqlite3.connect(uri, uri=True)
    connection.text_factory = lambda text: str(text, "utf-8", "replace")
    return connection


def bound(connection: sqlite3.Connection) -> None:
    """Make a connection read-only, and apply LIMITS to strings, blobs, rows and plans.

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
    """Return all rows of a query's result.

    Raises QueryFailed if the result has more than MAX_ROWS rows or `size_most` bytes.

    >>> bounded([("x" * 600_000,), ("x" * 600_000,)], 1_000_000)
    Traceback (most recent call last):
        ...
    menace.errors.QueryFailed: the answer is larger than 1 MB; select fewer rows or columns
    """
    rows: list[tuple[Any, ...]] = []
    size = 0
    for row in answer_rows:
        size += sum(len(value) if isinstance(value, (str, bytes)) else NUMBER_SIZE for value in row)
        if len(rows) == MAX_ROWS:
            raise QueryFailed(f"the answer has more than {MAX_ROWS:,} rows; reduce it with WHERE, LIMIT or GROUP BY")
        if size > size_most:
            raise QueryFailed(f"the answer is larger than {size_most // 10**6} MB; select fewer rows or columns")
        rows.append(row)
    return rows


HINTS = {
    "no such table": "; `SELECT name FROM sqlite_schema` lists tables and views",
    "no such column": "; a query such as `SELECT * FROM choices LIMIT 1` shows the columns of a table or view",
}


def explained(error: Exception, time_limit: float, path: str) -> QueryFailed:
    """Return the user-facing error for an SQLite error.

    >>> explained(sqlite3.OperationalError("no such table: box"), 10.0, "menace.db")
    QueryFailed('SQLite says: no such table: box; `SELECT name FROM sqlite_schema` lists tables and views')
    """
    code = getattr(error, "sqlite_errorname", "")
    if code == "SQLITE_INTERRUPT":
        return timeout_error(time_limit)
    if code == "SQLITE_AUTH" or "not authorized" in str(error):
        return QueryFailed(f"the query would do more than read ({error}); use SELECT")
    if code == "SQLITE_TOOBIG":
        return QueryFailed(f"the query creates a string or blob of more than {MAX_LENGTH:,} bytes; use shorter strings")
    if isinstance(error, MemoryError) or code == "SQLITE_FULL":
        return QueryFailed("the query needs more memory than is available; select fewer rows")
    if code.startswith("SQLITE_CORRUPT"):
        return QueryFailed(f"{path} is damaged ({error}); restore a backup")
    hint = next((hint for words, hint in HINTS.items() if words in str(error)), "")
    return QueryFailed(f"SQLite says: {error}{hint}")


def timeout_error(time_limit: float) -> QueryFailed:
    """Return the error for a query that took longer than `time_limit` seconds.

    >>> timeout_error(10.0)
    QueryFailed('the query took longer than 10 s; simplify it, or increase --timeout')
    """
    return QueryFailed(f"the query took longer than {time_limit:g} s; simplify it, or increase --timeout")


READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
# The first function loads a library, the second exposes and calls memory addresses, and the third writes to a log.
DENIED_FUNCTIONS = {"load_extension", "fts3_tokenizer", "sqlite_log"}
INSPECTING_PRAGMAS = {"table_info", "table_xinfo", "table_list", "foreign_key_list"}
INSPECTING_PRAGMAS |= {"index_list", "index_info", "index_xinfo"}
READING_PRAGMAS = INSPECTING_PRAGMAS | {"application_id", "user_version", "schema_version", "data_version"}
READING_PRAGMAS |= {"database_list", "function_list", "page_count", "max_page_count", "page_size"}
READING_PRAGMAS |= {"integrity_check", "quick_check"}
# Queries may also set these pragmas. sqlite-utils, which Datasette 1.0 uses, sets the last of these pragmas. The
# setting has no effect on a read-only connection, because no trigger fires.
PRAGMAS_WITH_VALUES = INSPECTING_PRAGMAS | {"recursive_triggers"}


def _only_reads(action: int, first: str | None, second: str | None, *_rest: str | None) -> int:
    """Return whether SQLite may execute a step of a query. SQLite calls this function as its authorizer."""
    allowed = action in READING
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in DENIED_FUNCTIONS
    if action == sqlite3.SQLITE_PRAGMA:  # with an argument, pragmas such as user_version would change the file
        allowed = first in PRAGMAS_WITH_VALUES or (first in READING_PRAGMAS and second is None)
    # SQLite requests this permission before it uses a table-valued function such as json_each. These functions write
    # nothing. query_only prevents all writes.
    allowed |= action == sqlite3.SQLITE_UPDATE and first == "sqlite_master"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def check_time_limit(seconds: float) -> None:
    """Raise QueryFailed if a time limit is invalid.

    >>> check_time_limit(10.0)
    >>> check_time_limit(0.0)
    Traceback (most recent call last):
        ...
    menace.errors.QueryFailed: a time limit of 0 s is out of range; it must be above 0 and at most 86,400
    """
    if not 0 < seconds <= MAX_QUERY_SECONDS:
        raise QueryFailed(
            f"a time limit of {seconds:g} s is out of range; it must be above 0 and at most {MAX_QUERY_SECONDS:,}"
        )


def answer(copy: sqlite3.Connection, sql: str, time_limit: float, path: str) -> Answer:
    """Run a read-only query, and return its column names and its rows.

    The private copy is closed when SQLite has finished with it.

    Args:
        copy: a connection to a private copy of the database.
        sql: one statement.
        time_limit: the limit in seconds.
        path: the name of the database in messages.

    Raises:
        QueryFailed: if the statement fails, tries to write, or exceeds a limit.

    >>> copy = sqlite3.connect(":memory:", check_same_thread=False)
    >>> answer(copy, "SELECT 1 + 1 AS two", time_limit=1.0, path="menace.db")
    (['two'], [(2,)])
    """
    deadline, over = time.monotonic() + time_limit, threading.Event()
    outcome: list[Answer | Exception] = []

    def run() -> None:
        try:
            outcome.append(_run_query(copy, sql, lambda: over.is_set() or time.monotonic() > deadline))
        except Exception as error:  # noqa: BLE001 - the waiting thread raises any error
            outcome.append(error)
        finally:
            copy.close()

    thread = threading.Thread(target=run, name="menace query", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # Pyodide, for example, has no threads; SQLite still checks the deadline
        run()
    else:
        try:
            thread.join(time_limit + GRACE)
        finally:  # stops the statement even if Ctrl-C ends the wait
            over.set()
            thread.join(GRACE)
    result = outcome[0] if outcome else timeout_error(time_limit)
    if isinstance(result, UnicodeError):
        raise QueryFailed(f"the query or its answer contains text that cannot be encoded ({result.reason})") from None  # type: ignore[attr-defined]
    if isinstance(result, (sqlite3.Error, sqlite3.Warning, MemoryError)):
        raise explained(result, time_limit, path) from None
    if isinstance(result, Exception):
        raise result
    return result


def _run_query(copy: sqlite3.Connection, sql: str, is_over: Callable[[], bool]) -> Answer:
    bound(copy)
    copy.set_progress_handler(is_over, STEPS_PER_CHECK)
    cursor = copy.execute(sql)
    if cursor.description is None:
        raise QueryFailed("the query returns no rows; use a statement that returns rows, such as SELECT")
    return [column[0] for column in cursor.description], bounded(cursor, MAX_ANSWER_SIZE)


def file_uri(path: PurePath) -> str:
    r"""Return the URI of an absolute path.

    SQLite does not accept a host, so a Windows share becomes a path that begins with `//`.

    >>> from pathlib import PurePosixPath, PureWindowsPath
    >>> file_uri(PurePosixPath("/home/me/50% x?.db"))
    'file:///home/me/50%25%20x%3F.db'
    >>> file_uri(PureWindowsPath(r"C:\me\menace.db")), file_uri(PureWindowsPath(r"\\school\7b\menace.db"))
    ('file:///C:/me/menace.db', 'file:////school/7b/menace.db')
    """
    uri = path.as_uri()
    return uri if uri.startswith("file:///") else uri.replace("file://", "file:////", 1)


class LearnerName(NamedTuple):
    """A learner's row, whose values have not been validated."""

    name: str
    plays: str
    preset: str
    games: int


def list_learner_names(path: str | os.PathLike[str]) -> list[LearnerName]:
    """Return the learners in a file, oldest first, or an empty list if the file cannot be read.

    This function never creates or upgrades the file.

    >>> [learner.name for learner in list_learner_names(store.path)], list_learner_names("no such file")
    (['menace-x', 'menace-o'], [])
    """
    sql = "SELECT name, plays, preset, games FROM learner WHERE deleted_at IS NULL ORDER BY learner_id"
    with contextlib.suppress(sqlite3.Error, OSError, ValueError):
        address = f"{file_uri(Path(path).absolute())}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as connection:
            learners = [LearnerName(*row) for row in connection.execute(sql)]
        # STRICT tables guarantee the types. Manually edited names may contain characters that a shell interprets.
        return [learner for learner in learners if learner.name.isprintable()]
    return []
