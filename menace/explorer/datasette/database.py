"""Serve menace files as Datasette databases, run SQL with limits in separate processes, and describe the tables.

The descriptions come from db/README.md, and the named queries come from db/queries. A user's own metadata and
configuration take precedence.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import html
import importlib.resources
import json
import pickle
import re
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from datasette.database import Database, QueryInterrupted, Results
from datasette.plugins import pm
from datasette.tracer import trace
from datasette.utils.sqlite import sqlite3

from menace.explorer.datasette.sql_process import Failure, InPlace, Question, Rows, ServedSite
from menace.explorer.server import ROOT, served_databases, threads_and_caches
from menace.ledger import queries, read_only_sql
from menace.text.wording import unused_name

INTRODUCTION = """\
This database contains a complete game (every position and every move, with its value under perfect play), the machines
with everything that they have learned, and the log of their runs. Each query below answers a question. The views show
names and boards instead of the numbers in the tables. The page of each table or view explains its columns.
"""
EXPLORER = '<p><a href="{root}">Matchboxes</a>: play against machines, train them and look into their boxes.</p>\n'
MACHINES = '<p><a href="{root}/{name}/machines">Machines</a>: play against them, train them and compare them.</p>\n'
# These settings order rows, select the column to show in place of a row's number, and hide one of SQLite's own tables.
LOOKS: dict[str, dict[str, object]] = {
    "position": {"label_column": "board"},
    "learner": {"label_column": "name"},
    "run": {"sort_desc": "run_id"},
    "block": {"sort_desc": "block_id"},
    "game": {"sort_desc": "game_id"},
    "sqlite_sequence": {"hidden": True},
}

SECTION = re.compile(r"^### `(\w+)`\n\n(.*?)\n\n\| column .*?\n\|---.*?\n(.*?)\n(?!\|)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
COLUMN = re.compile(r"^\| `(\w+)` \| \w+ \| (.+) \|$", re.MULTILINE)


def describe(datasette: Any, names: Mapping[str, str]) -> None:
    """Describe databases in Datasette's metadata, and also in its configuration, where Datasette 1.0 looks for queries.

    Args:
        datasette: a Datasette instance whose hooks are called for the first time.
        names: a mapping from the name under which each menace database is served to Datasette's own name for it.
    """
    if not names:
        return
    root = html.escape(datasette.urls.path(ROOT))
    for attribute in ("_metadata_local", "config"):
        given = getattr(datasette, attribute, None)
        if given is None:
            continue
        databases = dict(given.get("databases") or {})
        for name, before in names.items():
            ours = copy.deepcopy(description())  # copied, because Datasette modifies the metadata
            databases[name] = _merge_metadata(
                _linked(MACHINES.format(root=root, name=name), databases.get(before) or {}, ours), ours
            )
        setattr(datasette, attribute, _linked(EXPLORER.format(root=root), given, {}) | {"databases": databases})


def _linked(line: str, given: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """Return `given` with `line` put before its description; if it has no description, use that of `ours`."""
    text = given.get("description_html")
    if text is None and given.get("description"):
        text = f"<p>{html.escape(given['description'])}</p>"
    return {**given, "description_html": line + (text or ours.get("description_html", ""))}


def _merge_metadata(given: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """Return `ours`, updated recursively with the values in `given`."""
    merged = dict(ours)
    for key, value in given.items():
        if value is None:  # an empty key in YAML
            continue
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _merge_metadata(value, merged[key]) if both else value
    return merged


@cache
def description() -> dict[str, Any]:
    """Return a database's metadata: its terms, its named queries, and its tables with their columns.

    >>> description()["queries"]["runs"]["title"], description()["tables"]["rules"]["columns"]["variant"][:20]
    ('Which runs were started, and how did they end?', 'the variant of the g')
    """
    readme = importlib.resources.files("menace.db").joinpath("README.md").read_text(encoding="utf-8")
    return {
        "description_html": f"<p>{_one_line(INTRODUCTION)}</p>\n{_words(readme)}\n",
        "queries": {named.name: _query_metadata(named) for named in queries.named_queries()},
        "tables": _tables(readme),
    }


def _query_metadata(named: queries.NamedQuery) -> dict[str, object]:
    """Return a named query's metadata; its description consists of the comments at the start of the SQL.

    The query's page initially hides the SQL.
    """
    lines = named.sql.splitlines()
    count = next(number for number, line in enumerate(lines) if not line.startswith("--"))
    description = " ".join(line.removeprefix("--").strip() for line in lines[1:count])
    sql = "\n".join(lines[count:]).rstrip(";")
    return {"title": named.title, "description": _quoted(description), "hide_sql": True, "sql": sql}


def _tables(readme: str) -> dict[str, dict[str, Any]]:
    """Return the descriptions of all tables and views, indexed by name."""
    described: dict[str, dict[str, Any]] = {}
    for name, text, rows in SECTION.findall(readme):
        # Column descriptions do not need quotes around names and values.
        columns = {column: _one_line(meaning).replace("`", "") for column, meaning in COLUMN.findall(rows)}
        described[name] = {"description": _quoted(text), "columns": columns}
    return {name: described.get(name, {}) | LOOKS.get(name, {}) for name in [*described, *(LOOKS.keys() - described)]}


def _words(readme: str) -> str:
    """Return an HTML list of common terms, with the formats of times and shares."""
    text = readme.partition("This page uses these terms:\n\n")[2].partition("\n\n## ")[0]
    bullets, _, rest = text.partition("\n\n")
    items = [f"<li>{_as_html(item)}</li>" for item in re.split(r"^- ", bullets, flags=re.MULTILINE)[1:]]
    return "\n".join(['<ul class="bullets">', *items, "</ul>", f"<p>{_as_html(rest)}</p>"])


def _one_line(text: str) -> str:
    """Put text on one line, and replace each Markdown link with the link's text."""
    return " ".join(LINK.sub(r"\1", text).split())


def _quoted(text: str) -> str:
    """Put prose on one line, and replace Markdown's backticks with quotes, because Datasette shows plain text."""
    return re.sub(r"`([^`]*)`", r'"\1"', _one_line(text))


def _as_html(text: str) -> str:
    """Convert a Markdown paragraph with bold text, emphasis and code to HTML."""
    text = html.escape(_one_line(text), quote=False)
    for mark, tag in ((r"\*\*", "strong"), (r"\*", "em"), ("`", "code")):
        text = re.sub(rf"{mark}(.+?){mark}", rf"<{tag}>\1</{tag}>", text)
    return text


PROCESSES = 3  # the number of threads that Datasette uses for SQL
# The process uses the server's import path, so it does not import modules from the working directory. The process also
# blocks the modules that the server blocks.
START = """
import json, sys
sys.path, kept_out = json.loads(sys.argv[1])
sys.modules.update(dict.fromkeys(kept_out))
from menace.explorer.datasette.sql_process import main
main()
"""


class Pool:
    """A pool of SQL processes for a Datasette instance, with one thread per process to wait for the answers.

    The event loop's default threads must not be tied up waiting for the processes, because pages need those threads.
    """

    def __init__(self, site: ServedSite) -> None:
        """Store the description of the site. Each process is started when it is first needed."""
        self.site = site
        self._room, self._threads = asyncio.Semaphore(PROCESSES), ThreadPoolExecutor(PROCESSES, "menace sql")
        self._idle: list[_Process] = []
        self._all: weakref.WeakSet[_Process] = weakref.WeakSet()

    async def ask(self, question: Question) -> Rows | Failure:
        """Return an answer from an idle or new process, or a Failure if the process ended without answering.

        A process that takes too long ends itself. A process is also terminated if its answer is no longer needed, for
        example after Ctrl-C.
        """
        async with self._room:
            process = self._idle.pop() if self._idle else _Process(self.site)
            self._all.add(process)
            start, answer = time.monotonic(), None
            try:
                answer = await asyncio.get_running_loop().run_in_executor(self._threads, process.ask, question)
            finally:
                if answer is None:
                    process.end()
                else:
                    self._idle.append(process)
        late = time.monotonic() - start >= question.longest
        return answer or Failure(
            "interrupted" if late else "SQLite failed while running the query; try a different query", interrupted=late
        )

    def close(self) -> None:
        """End all processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in list(self._all):
            process.end()


class _Process:
    """An SQL process and the pipes to it."""

    def __init__(self, site: ServedSite) -> None:
        kept_out = [name for name, module in sys.modules.items() if module is None]
        command = [sys.executable, "-P", "-c", START, json.dumps([sys.path, kept_out])]
        # The process runs in a new session, so Ctrl-C does not reach it. It ends when its pipe is closed.
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
        )
        self.end = weakref.finalize(self, _end, self._process)
        self._send(site)

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # the process has ended, so `ask` returns None
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()

    def ask(self, question: Question) -> Rows | Failure | None:
        """Return the answer, or None if the process has ended."""
        self._send(question)
        answer: Rows | Failure | None = None
        with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):  # it ended while answering
            assert self._process.stdout is not None
            answer = pickle.load(self._process.stdout)  # noqa: S301 - sent by our own process
        return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in filter(None, (process.stdin, process.stdout)):
        with contextlib.suppress(OSError):
            pipe.close()


# Datasette does not escape database names in some addresses and links, and it reserves "/-/" for its own pages.
UNSAFE = re.compile(r"[^A-Za-z0-9_-]|^-$")
PARAMETER = re.compile(r"[:@$](\w+)")
# Datasette runs these queries for every page to check for changes, so they are answered without starting a process.
OWN = re.compile(
    r"PRAGMA schema_version|select (\*|name) from sqlite_master where type ?= ?'(table|view)'", re.IGNORECASE
)


class ServedDatabase(Database):  # type: ignore[misc]
    """A Datasette database for a menace file.

    Attributes:
        writer: the last connection that was opened for writing.
    """

    writer: Any = None

    def connect(self, write: bool = False) -> Any:
        """Return a connection to the file. Unlike Datasette, this method quotes the file name."""
        quoted = copy.copy(self)  # the copy shares the original's list of connections
        quoted.path = self._uri.removeprefix("file:")
        connection = Database.connect(quoted, write)
        if write:
            self.writer = connection
        return connection

    @property
    def _uri(self) -> str:
        return read_only_sql.file_uri(Path(self.path).absolute())

    @property
    def reading(self) -> str:
        """The URI with which Datasette opens the file for reading."""
        if not self.is_mutable:
            return f"{self._uri}?immutable=1"
        return f"{self._uri}?mode=ro" + ("&nolock=1" if self.ds.nolock else "")

    async def execute(
        self,
        sql: str,
        params: Any = None,
        truncate: bool = False,
        custom_time_limit: int | None = None,
        page_size: int | None = None,
        log_sql_errors: bool = True,
    ) -> Results:
        """Run a statement in a separate process. The arguments are the same as for Datasette's `Database.execute`.

        Raises:
            QueryInterrupted: if the statement takes too long, or only looks for facets to suggest.
            sqlite3.OperationalError: if SQLite rejects the statement, or the statement exceeds another limit.
        """
        # To suggest facets, Datasette would query each column of a view such as `choices`. Facets that the user selects
        # have a different time limit.
        limits = [self.ds.setting(f"facet_{name}time_limit_ms") for name in ("suggest_", "")]
        if custom_time_limit == limits[0] != limits[1]:
            raise QueryInterrupted(sqlite3.OperationalError("facets are not suggested"), sql, params)
        if OWN.fullmatch(sql):
            return await super().execute(sql, params, truncate, custom_time_limit, page_size, log_sql_errors)
        rows_most = self.ds.max_returned_rows
        rows_most += rows_most == (page_size or self.ds.page_size)
        limit = min(self.ds.sql_time_limit_ms, custom_time_limit or self.ds.sql_time_limit_ms)
        wanted = rows_most if truncate and rows_most else None
        longest = self.ds.sql_time_limit_ms / 1000 + read_only_sql.GRACE
        question = Question(self.name, sql, _parameters(sql, params), wanted, limit, longest)
        with trace("sql", database=self.name, sql=sql.strip(), params=params):
            answer = await _pool_of(self.ds).ask(question)
        if isinstance(answer, Failure):
            error = sqlite3.OperationalError(answer.reason)
            raise QueryInterrupted(error, sql, params) if answer.interrupted else error
        return _results(answer, question.rows_most)

    def close(self) -> None:
        """Close all connections and end the processes."""
        super().close()
        if self.ds in _POOLS:
            _POOLS.pop(self.ds).close()


_POOLS: WeakKeyDictionary[Any, Pool | InPlace] = WeakKeyDictionary()


def _pool_of(datasette: Any) -> Pool | InPlace:
    """Return the process pool for a Datasette instance, or an `InPlace` object if SQL runs in the server's process."""
    if datasette not in _POOLS:
        served = [database for database in datasette.databases.values() if isinstance(database, ServedDatabase)]
        files = {
            database.name: (Path(database.path).absolute(), database.reading, database.is_mutable)
            for database in served
        }
        site = ServedSite(files, _options(datasette) if _has_functions(datasette) else None)
        _POOLS[datasette] = Pool(site) if threads_and_caches.HAS_THREADS else InPlace(site)
    return _POOLS[datasette]


def _has_functions(datasette: Any) -> bool:
    """Return whether another plugin modifies connections, for example by adding SQL functions."""
    prepare = {hook.plugin_name for hook in pm.hook.prepare_connection.get_hookimpls()}
    return bool(datasette.sqlite_extensions or prepare - {"datasette.sql_functions", "menace"})


def _options(datasette: Any) -> dict[str, Any]:
    """Return the arguments that create another Datasette instance with the same plugins and settings."""
    options = {name: getattr(datasette, name) for name in ("plugins_dir", "sqlite_extensions")}
    options |= {"settings": datasette.settings_dict(), "metadata": datasette._metadata_local}  # noqa: SLF001
    if hasattr(datasette, "config"):  # otherwise, Datasette 1.0 would create a file for its internal tables
        options |= {"config": datasette.config, "internal": ":memory:"}
    return options


def serve_menace_files(datasette: Any) -> None:
    """Serve each menace file as a `ServedDatabase` under a safe name, and describe it.

    The order of the databases does not change.
    """
    served: dict[str, Any] = {}
    names: dict[str, str] = {}  # maps safe names to Datasette's own names for menace files
    for name, database in datasette.databases.items():
        if served_databases.menace_path(database) is not None:
            taken = {*served, *datasette.databases} - {name}
            safe = unused_name(UNSAFE.sub("_", name), taken, "_")  # numbered as in Datasette
            made = served[safe] = ServedDatabase(datasette, database.path, is_mutable=database.is_mutable)
            made.name = made.route = safe
            names[safe] = name
        else:
            served[name] = database
    datasette.databases = served
    describe(datasette, names)


def serve_file(datasette: Any, file: served_databases.File) -> served_databases.File:
    """Serve a menace file that did not exist when the server started, and return the file with its safe name."""
    datasette.add_database(Database(datasette, str(file.path), is_mutable=True))
    serve_menace_files(datasette)
    return served_databases.menace_files(datasette)[0]


def bound_connection(connection: Any, database: str, datasette: Any) -> None:
    """Make a Datasette connection to a menace file read-only and limit its SQL, unless it was opened for writing."""
    served = datasette.databases.get(database)
    if isinstance(served, ServedDatabase) and served.writer is not connection:
        read_only_sql.bound(connection)


def _parameters(sql: str, params: Any) -> dict[str, Any] | tuple[Any, ...]:
    """Copy parameters to a plain dict or tuple, because some dicts from Datasette compute their values on access."""
    if not isinstance(params, dict):
        return tuple(params or ())
    values = {str(name): value for name, value in params.items()}
    for name in PARAMETER.findall(sql):
        with contextlib.suppress(KeyError):
            values[name] = params[name]
    return values


def _results(answer: Rows, rows_most: int | None) -> Results:
    """Convert rows to a Datasette `Results` object."""
    cursor = _cursor(tuple(answer.columns))
    rows = [sqlite3.Row(cursor, row) for row in answer.rows]
    return Results(rows[:rows_most], rows_most is not None and len(rows) > rows_most, cursor.description)


@lru_cache(maxsize=128)
def _cursor(columns: tuple[str, ...]) -> Any:
    """Return a cursor with the given columns, from which SQLite rows can be created."""
    names = ", ".join('NULL AS "{}"'.format(name.replace('"', '""')) for name in columns)
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        return connection.execute(f"SELECT {names or 'NULL'}")
