"""Run SQL for Datasette's pages in a process that `database.Pool` starts.

The process is killed if a statement takes too long. A thread would not be enough, because a single SQLite step may take
hours and a thread cannot be stopped during a step. Where processes cannot be started, `InPlace` runs SQL in the
server's process, and SQLite enforces the time limit only between steps.
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
from menace.ledger.read_only_sql import bound, bounded, explained, limit_memory, opened

MAX_HEAP = 200_000_000  # maximum number of bytes that SQLite may use; Python also copies each row of the answer
MAX_ANSWER_SIZE = 16_000_000  # maximum size in bytes of a response that the server renders as a page


class ServedSite(NamedTuple):
    """The description of a Datasette instance.

    Attributes:
        files: the path, URI and mutability of each menace database, by name.
        options: the arguments for creating another Datasette instance if other plugins modify connections; otherwise
            None.
    """

    files: dict[str, tuple[Path, str, bool]]
    options: dict[str, Any] | None


class Question(NamedTuple):
    """A statement to run.

    Attributes:
        database: Datasette's name for the database.
        sql: one statement.
        params: its parameters, by name or in order.
        rows_most: the maximum number of rows to return; None for no limit.
        time_limit: the time in milliseconds after which SQLite is interrupted between two of its steps.
        longest: the time in seconds after which the process is killed.
    """

    database: str
    sql: str
    params: dict[str, Any] | tuple[Any, ...]
    rows_most: int | None
    time_limit: int
    longest: float


class Rows(NamedTuple):
    """The result of a statement.

    Attributes:
        columns: the names of the columns.
        rows: the rows, plus one additional row if more rows exist than were requested.
    """

    columns: list[str]
    rows: list[tuple[Any, ...]]


class Failure(NamedTuple):
    """The reason for a missing answer.

    Attributes:
        reason: the reason in words.
        interrupted: whether the statement took too long.
    """

    reason: str
    interrupted: bool


def main() -> None:
    """Read a ServedSite and then Questions from standard input, and write Rows or a Failure for each Question."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of a plugin must not become part of an answer
    limit_memory(MAX_HEAP)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the parent process may be ignoring this signal
    questions: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    connections = Connections(questions.get(), _end_after)
    while True:
        pickle.dump(connections.answer(questions.get()), answers)
        answers.flush()


class Connections:
    """Connections to the files of a site; each connection is opened when it is first needed.

    Args:
        site: the site.
        end_after: a function that ends the process after the given number of seconds; 0 cancels an earlier call.
    """

    def __init__(self, site: ServedSite, end_after: Callable[[float], object]) -> None:
        self.site, self.end_after = site, end_after
        self._prepare, self._open = _preparation(site), dict[str, Any]()

    def answer(self, question: Question) -> Rows | Failure:
        """Run a statement."""
        name = question.database
        try:
            if name not in self._open:
                self._open[name] = opened(self.site.files[name][1])
                self._prepare(self._open[name], name)
            return _rows(self._open[name], question, self.end_after)
        except Exception as error:  # noqa: BLE001 - the server raises it
            return _failure(error, question)


class InPlace(Connections):
    """A replacement for `database.Pool` that runs SQL in the server's own process."""

    def __init__(self, site: ServedSite) -> None:
        limit_memory()
        super().__init__(site, lambda _: None)

    async def ask(self, question: Question) -> Rows | Failure:
        """Return the answer to a question."""
        return self.answer(question)

    def close(self) -> None:
        """Close all connections."""
        for connection in self._open.values():
            connection.close()


def _listen(source: IO[bytes], questions: SimpleQueue[Any]) -> None:
    """Queue the questions. End the process as soon as its parent ends, even during a statement."""
    try:
        while True:
            questions.put(pickle.load(source))  # noqa: S301 - the server sends it
    finally:
        os._exit(0)


def _preparation(site: ServedSite) -> Callable[[Any, str], object]:
    """Return a function that prepares a connection as Datasette does and sets limits on it."""
    if site.options is None:
        return lambda connection, name: _prepare(connection, site.files[name][0])
    from datasette.app import Datasette
    from datasette.database import Database

    datasette = Datasette([], **site.options)
    for name, (path, _, is_mutable) in site.files.items():
        datasette.add_database(Database(datasette, str(path), is_mutable=is_mutable), name)

    def prepare(connection: Any, name: str) -> None:
        datasette._prepare_connection(connection, name)  # noqa: SLF001 - the same preparation as in the server
        connection.row_factory = None
        bound(connection)

    return prepare


def _prepare(connection: Any, path: Path) -> None:
    """Prepare a connection as Datasette would if there were no other plugins, but without importing Datasette."""
    from datasette.sql_functions import prepare_connection

    def svg(text: object) -> str | None:
        from menace.explorer.datasette.cells import board_svg

        return board_svg(path, text)

    prepare_connection(connection)
    connection.create_function("board_svg", 1, svg)
    bound(connection)


def _rows(connection: Any, question: Question, end_after: Callable[[float], object]) -> Rows:
    from datasette.utils import sqlite_timelimit

    connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()  # wait if the file is locked
    if "board_svg" in question.sql.lower():  # load the drawing modules now
        connection.execute("SELECT board_svg('')").fetchall()
    end_after(question.longest)
    try:
        with sqlite_timelimit(connection, question.time_limit), contextlib.closing(connection.cursor()) as cursor:
            cursor.execute(question.sql, question.params)
            wanted = cursor if question.rows_most is None else islice(cursor, question.rows_most + 1)
            return Rows([column[0] for column in cursor.description or ()], bounded(wanted, MAX_ANSWER_SIZE))
    finally:
        end_after(0)


def _end_after(seconds: float) -> None:
    """Kill this process after a given time, even during an SQLite step or a call to a plugin's function.

    Args:
        seconds: the time until the process is killed; 0 cancels an earlier call.
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
