"""The process that answers SQL of the explorer's pages: started by `sql_pool`, asked by pipe, killed at any moment.

One step of SQLite may take hours or gigabytes, and a thread cannot be stopped in it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import threading
from itertools import islice
from queue import SimpleQueue
from typing import IO, Any, NamedTuple

from menace.errors import QueryFailed
from menace.ledger.store.query import bound_memory, bounded, explained

HEAP_MOST = 200_000_000  # bytes that SQLite may use: what a row of the answer has of it, Python has once more
SIZE_MOST = 16_000_000  # bytes of an answer, which the server makes a page of
BEGUN = "begun"


class Site(NamedTuple):
    """What a Datasette is made of.

    Attributes:
        options: what it was made with.
        databases: name, path, and whether it may change, of each file of ours.
    """

    options: dict[str, Any]
    databases: list[tuple[str, str, bool]]


class Question(NamedTuple):
    """A statement.

    Attributes:
        database: the name that Datasette has for it.
        sql: one statement.
        params: its parameters, by name or in order.
        rows_most: rows to return at most; None: no such limit.
        time_limit: milliseconds.
    """

    database: str
    sql: str
    params: dict[str, Any] | tuple[Any, ...]
    rows_most: int | None
    time_limit: int


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
    """Answer what comes by standard input until nobody asks any more: each question with BEGUN, then Rows or Failure.

    The first message says what the Datasette of the server is made of.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a plugin prints is no answer
    bound_memory(HEAP_MOST)
    questions: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    site = _datasette(questions.get())
    connections: dict[str, Any] = {}
    while True:
        question: Question = questions.get()
        try:
            if question.database not in connections:
                connections[question.database] = _connection(site, question.database)
            connection = connections[question.database]
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()  # waits while another program commits
            _send(answers, BEGUN)
            answer: Rows | Failure = _rows(connection, question)
        except Exception as error:  # noqa: BLE001 - whatever it is, the server raises it
            answer = _failure(error, question)
        _send(answers, answer)


def _listen(source: IO[bytes], questions: SimpleQueue[Any]) -> None:
    """Pass on what is asked. The process ends with whoever asks, whatever SQLite is doing."""
    try:
        while True:
            questions.put(pickle.load(source))  # noqa: S301 - the server sends it
    finally:
        os._exit(0)


def _send(answers: IO[bytes], message: object) -> None:
    pickle.dump(message, answers)
    answers.flush()


def _datasette(told: Site) -> Any:
    """Return a Datasette whose connections are the server's: with its plugins, and their SQL functions."""
    from datasette.app import Datasette

    from menace.web.served import ServedDatabase

    site = Datasette([], **told.options)
    for name, path, is_mutable in told.databases:
        site.add_database(ServedDatabase(site, path, is_mutable=is_mutable), name)
    return site


def _connection(site: Any, name: str) -> Any:
    connection = site.get_database(name).connect()
    site._prepare_connection(connection, name)  # noqa: SLF001 - as Datasette's own connections are prepared
    connection.row_factory = None
    return connection


def _rows(connection: Any, question: Question) -> Rows:
    from datasette.utils import sqlite_timelimit

    with sqlite_timelimit(connection, question.time_limit), contextlib.closing(connection.cursor()) as cursor:
        cursor.execute(question.sql, question.params)
        wanted = cursor if question.rows_most is None else islice(cursor, question.rows_most + 1)
        rows = bounded(wanted, SIZE_MOST)
        return Rows([column[0] for column in cursor.description or ()], rows)


def _failure(error: Exception, question: Question) -> Failure:
    if error.args == ("interrupted",):
        return Failure("interrupted", interrupted=True)
    failed = (
        error if isinstance(error, QueryFailed) else explained(error, question.time_limit / 1000, question.database)
    )
    return Failure(str(failed), interrupted=False)
