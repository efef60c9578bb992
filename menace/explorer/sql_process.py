"""The process that answers SQL of the explorer's pages: started and asked by `sql_pool`, and ended if it is late.

One step of SQLite may take hours, and a thread cannot be stopped in it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, NamedTuple

from menace.errors import QueryFailed
from menace.ledger.limits import bound, bound_memory, bounded, explained, opened

HEAP_MOST = 200_000_000  # bytes that SQLite may use: what a row of the answer has of it, Python has once more
SIZE_MOST = 16_000_000  # bytes of an answer, which the server makes a page of


class ServedSite(NamedTuple):
    """What is to be known of a Datasette.

    Attributes:
        files: path, URI, and whether it may change, of each database of ours by its name.
        options: what to make another from, where its plugins prepare connections, too; else None.
    """

    files: dict[str, tuple[Path, str, bool]]
    options: dict[str, Any] | None


class Question(NamedTuple):
    """A statement.

    Attributes:
        database: the name that Datasette has for it.
        sql: one statement.
        params: its parameters, by name or in order.
        rows_most: rows to return at most; None: no such limit.
        time_limit: milliseconds that SQLite has, between two steps.
        longest: seconds that the process has, in whatever step it is.
    """

    database: str
    sql: str
    params: dict[str, Any] | tuple[Any, ...]
    rows_most: int | None
    time_limit: int
    longest: float


class Rows(NamedTuple):
    """What a statement returned.

    Attributes:
        columns: their names.
        rows: at most one more than was asked for, which says that there are more.
    """

    columns: list[str]
    rows: list[tuple[Any, ...]]


class Failure(NamedTuple):
    """Why there is no answer.

    Attributes:
        reason: in words.
        interrupted: whether its time was over.
    """

    reason: str
    interrupted: bool


def main() -> None:
    """Answer what comes by standard input until nobody asks any more: a Site, then Questions, with Rows or Failure."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a plugin prints is no answer
    bound_memory(HEAP_MOST)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # whoever started us may ignore it
    questions: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    site: ServedSite = questions.get()
    prepare = _preparation(site)
    connections: dict[str, Any] = {}
    while True:
        question: Question = questions.get()
        try:
            if question.database not in connections:
                connections[question.database] = opened(site.files[question.database][1])
                prepare(connections[question.database], question.database)
            answer: Rows | Failure = _rows(connections[question.database], question)
        except Exception as error:  # noqa: BLE001 - whatever it is, the server raises it
            answer = _failure(error, question)
        pickle.dump(answer, answers)
        answers.flush()


def _listen(source: IO[bytes], questions: SimpleQueue[Any]) -> None:
    """Pass on what is asked. The process ends with whoever asks, whatever SQLite is doing."""
    try:
        while True:
            questions.put(pickle.load(source))  # noqa: S301 - the server sends it
    finally:
        os._exit(0)


def _preparation(site: ServedSite) -> Callable[[Any, str], object]:
    """Return what gives a connection to a database the functions of Datasette's connections, and their limits."""
    if site.options is None:
        return lambda connection, name: _prepare(connection, site.files[name][0])
    from datasette.app import Datasette
    from datasette.database import Database

    datasette = Datasette([], **site.options)
    for name, (path, _, is_mutable) in site.files.items():
        datasette.add_database(Database(datasette, str(path), is_mutable=is_mutable), name)

    def prepare(connection: Any, name: str) -> None:
        datasette._prepare_connection(connection, name)  # noqa: SLF001 - as the server's are prepared
        connection.row_factory = None
        bound(connection)

    return prepare


def _prepare(connection: Any, path: Path) -> None:
    """Do what Datasette does where there are no plugins but its own and ours; loading it takes five times as long."""
    from datasette.sql_functions import prepare_connection

    def svg(text: object) -> str | None:
        from menace.explorer.datasette_cells import board_svg

        return board_svg(path, text)

    prepare_connection(connection)
    connection.create_function("board_svg", 1, svg)
    bound(connection)


def _rows(connection: Any, question: Question) -> Rows:
    from datasette.utils import sqlite_timelimit

    connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()  # waits while another program has the file
    if "board_svg" in question.sql.lower():  # loads what draws
        connection.execute("SELECT board_svg('')").fetchall()
    _end_after(question.longest)
    try:
        with sqlite_timelimit(connection, question.time_limit), contextlib.closing(connection.cursor()) as cursor:
            cursor.execute(question.sql, question.params)
            wanted = cursor if question.rows_most is None else islice(cursor, question.rows_most + 1)
            return Rows([column[0] for column in cursor.description or ()], bounded(wanted, SIZE_MOST))
    finally:
        _end_after(0)


def _end_after(seconds: float) -> None:
    """End the process after a time, in a way that no step of SQLite, and no function of a plugin's, can hold up.

    Args:
        seconds: 0: never, after all.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)  # by SIGALRM
    elif seconds:  # on Windows
        faulthandler.dump_traceback_later(seconds, exit=True)
    else:
        faulthandler.cancel_dump_traceback_later()


def _failure(error: Exception, question: Question) -> Failure:
    if error.args == ("interrupted",):
        return Failure("interrupted", interrupted=True)
    failed = (
        error if isinstance(error, QueryFailed) else explained(error, question.time_limit / 1000, question.database)
    )
    return Failure(str(failed), interrupted=False)
