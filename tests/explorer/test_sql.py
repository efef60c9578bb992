"""Tests that SQL entered on the explorer's pages cannot write, and that its time and memory are limited."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

import pytest
from browsing import HOME, Tags, start_server

from menace.explorer.datasette.database import Pool
from menace.explorer.server.serving import site
from menace.ledger.read_only_sql import GRACE

LIMIT = 0.3  # the time limit in these tests, in seconds
SLACK = 5  # additional seconds, because the computer may be busy
MAX_MEMORY_GROWTH = 300  # in MB, for the server and its processes together


@pytest.fixture(scope="module")
def path(shown: Path) -> Path:
    return shown


@contextlib.contextmanager
def served(*paths: Path, **options: Any) -> Iterator[Any]:
    """Yield an instance of Datasette with the configuration that plain `datasette` uses."""
    from datasette.app import Datasette

    server = Datasette([str(path) for path in paths], **options)
    yield server
    for database in server.databases.values():
        database.close()


@pytest.fixture(scope="module")
def server(path: Path) -> Iterator[Any]:
    with served(path, settings={"sql_time_limit_ms": int(LIMIT * 1000)}) as made:
        yield made


async def query(server: Any, sql: str, form: str = ".json", name: str = "menace", **arguments: str) -> Any:
    """Return the response of Datasette's SQL console, which has a different address in Datasette 1.0."""
    from datasette import __version__

    console = f"/{name}{form}" if __version__.startswith("0.") else f"/{name}/-/query{form}"
    return await server.client.get(f"{console}?{urlencode({'sql': sql, **arguments})}")


def ask(server: Any, sql: str, **arguments: str) -> Any:
    return asyncio.run(query(server, sql, **arguments))


def rows(server: Any, sql: str, **arguments: str) -> Any:
    return ask(server, sql, _shape="arrays", **arguments).json()["rows"]


COUNTING = "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t)"
TEXT = "printf('%.*c', 990000, 'a')"
DOUBLINGS = "WITH t0 AS (SELECT 1 AS a)" + "".join(
    f", t{i} AS (SELECT * FROM t{i - 1} UNION ALL SELECT * FROM t{i - 1})" for i in range(1, 28)
)
TRIM = "SELECT trim(printf('%.*c', 50000, 'a') || 'b', printf('%.*c', 50000, 'c') || 'a')"
NUMBERS = "'[' || replace(printf('%.*c', 300000, '1'), '1', '1,') || '1]'"
TOO_LONG, TOO_MUCH, TOO_LATE = "of more than 1,000,000 bytes", "the answer is larger than 16 MB", "took too long"
RUNAWAYS = {
    "SELECT hex(zeroblob(200000000))": TOO_LONG,
    f"SELECT replace({TEXT}, 'a', {TEXT})": TOO_LONG,
    "SELECT randomblob(1000000000)": TOO_LONG,
    f"{COUNTING} SELECT zeroblob(1000000000) FROM t": TOO_LONG,
    f"{COUNTING} SELECT group_concat(printf('%.*c', 100000, 'a')) FROM t": None,
    "SELECT json_group_array(printf('%.*c', 900000, 'a')) FROM move, position": None,
    f"{COUNTING} SELECT zeroblob(900000) FROM t LIMIT 900": TOO_MUCH,
    f"{COUNTING} SELECT sum(instr({TEXT}, printf('%.*c', 400000 + i, 'a') || 'b')) FROM t": TOO_LATE,
    TRIM: TOO_LATE,
    f"{COUNTING}, u AS (SELECT randomblob(900000) AS b FROM t) SELECT b FROM u ORDER BY b": None,
    f"SELECT count(*) FROM move a, move b WHERE {TEXT} LIKE '{'%a' * 400}%b' || a.action || b.action": None,
    "SELECT " + ", ".join(["randomblob(990000)"] * 2000): None,
    f"{COUNTING} SELECT count(*) FROM t": TOO_LATE,
    f"SELECT count(*) FROM json_each({NUMBERS}) a, json_each({NUMBERS}) b": None,
    f"{DOUBLINGS} SELECT count(*) FROM t27": None,
    "SELECT a.board FROM position a, position b, position c ORDER BY random()": TOO_LATE,
}


def children(of: int) -> list[int]:
    """Return the child processes of a process."""
    processes = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # the process has ended
            if int(status.read_text().rpartition(")")[2].split()[1]) == of:
                processes.append(int(status.parent.name))
    return processes


def memory() -> float:
    """Return the memory that this process and its child processes use, in MB."""
    total = 0
    for process in (os.getpid(), *children(os.getpid())):
        with contextlib.suppress(OSError):
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return total * os.sysconf("SC_PAGE_SIZE") / 1e6


async def checked_page(task: asyncio.Task[Any]) -> float:
    """Return the peak memory use during a task, in MB."""
    most = memory()
    while not task.done():
        await asyncio.sleep(0.02)
        most = max(most, memory())
    return most


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory of processes is read from /proc")
@pytest.mark.parametrize(("sql", "message"), RUNAWAYS.items(), ids=[sql[:60] for sql in RUNAWAYS])
def test_runaway_query_is_stopped_within_limits(server: Any, sql: str, message: str | None) -> None:
    assert rows(server, "SELECT 1") == [[1]]  # this starts a process

    async def run() -> tuple[Any, float, float]:
        before, start = memory(), time.monotonic()
        task = asyncio.ensure_future(query(server, sql))
        most = await checked_page(task)
        return task.result(), time.monotonic() - start, most - before

    answer, seconds, taken = asyncio.run(run())
    assert answer.status_code == 400
    assert message is None or message in answer.text, answer.text[:500]
    assert seconds < LIMIT + GRACE + SLACK
    assert taken < MAX_MEMORY_GROWTH


def test_other_pages_are_answered_during_runaway_queries(server: Any) -> None:
    async def run() -> tuple[list[int], float]:
        runaways = [asyncio.ensure_future(query(server, TRIM)) for _ in range(3)]
        await asyncio.sleep(0.1)
        start = time.monotonic()
        pages = [f"{HOME}/menace/machines", "/menace/learner", "/menace/position.json"]
        answers = [await server.client.get(page) for page in pages]
        seconds = time.monotonic() - start
        return [answer.status_code for answer in [*answers, *await asyncio.gather(*runaways)]], seconds

    statuses, seconds = asyncio.run(run())
    assert statuses == [200] * 3 + [400] * 3
    assert seconds < LIMIT + GRACE + SLACK


def test_page_reports_that_a_query_was_stopped(server: Any) -> None:
    for sql, message in ((TRIM, TOO_LATE), ("SELECT randomblob(2000000)", TOO_LONG)):
        assert message in ask(server, sql, form="").text


def test_runaway_view_in_a_foreign_file_is_stopped(path: Path, tmp_path: Path) -> None:
    strange = tmp_path / "strange.db"
    strange.write_bytes(path.read_bytes())
    with contextlib.closing(sqlite3.connect(strange)) as connection:
        connection.execute(f"CREATE VIEW evil AS {TRIM} AS evil")
    with served(strange, settings={"sql_time_limit_ms": 300}) as server:
        start = time.monotonic()
        answer = asyncio.run(server.client.get("/strange/evil.json"))
        assert time.monotonic() - start < 2 * (LIMIT + GRACE + SLACK)
        assert answer.status_code in {400, 500}
        assert asyncio.run(server.client.get("/strange/learner.json")).status_code == 200


def test_query_results_equal_those_of_sqlite(server: Any, path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for sql in (
            "SELECT * FROM position",
            "SELECT 1 AS a, 2 AS a, NULL, 1.5, 'é\U0001f4a9', 9223372036854775807, '' AS \"\"\"\"",
            "SELECT json_each.value FROM json_each('[1, 2]') WHERE value > 1",
            "SELECT name, type FROM pragma_table_info('learner')",
            "WITH t(x) AS (VALUES (1), (2)) SELECT max(x) OVER () FROM t",
            "SELECT name FROM learner WHERE name LIKE 'menace%' ORDER BY 1 LIMIT 0",
        ):
            cursor = connection.execute(sql)
            right = {"columns": [column[0] for column in cursor.description], "rows": [list(row) for row in cursor]}
            reply = ask(server, sql, _shape="arrays", _extra="columns").json()
            assert {key: reply[key] for key in right} == right, sql


def test_datasette_features_work(server: Any) -> None:
    assert rows(server, "SELECT :a || :b", a="x", b="1") == [["x1"]]
    assert rows(server, "EXPLAIN QUERY PLAN SELECT * FROM learner")
    assert rows(server, "EXPLAIN SELECT 1")
    assert rows(server, "SELECT board_svg('.........') LIKE '<svg%'") == [[1]]
    assert rows(server, "SELECT escape_fts('a b')") == [['"a" "b"']]

    async def texts(*addresses: str) -> list[str]:
        answers = [await server.client.get(address) for address in addresses]
        assert [(answer.status_code, answer.text[:200]) for answer in answers if answer.status_code != 200] == []
        return [answer.text for answer in answers]

    stream, filtered, faceted, page = asyncio.run(
        texts(
            "/menace/position.csv?_stream=1&_size=100",
            "/menace/position.json?_where=images=8&_sort_desc=position_id&ply__gt=1&_shape=array",
            "/menace/position.json?_facet=ply&_facet=outcome",
            "/menace/position?_size=3",
        )
    )
    assert len(stream.splitlines()) == 1 + 765
    assert {row["images"] for row in json.loads(filtered)} == {8}
    assert "facet_results" in faceted
    assert "X........" in page


def test_pages_of_slow_views_query_no_column_for_facets(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ask_pool = Pool.ask

    async def recording(pool: Pool, question: Any) -> Any:
        asked.append(question.sql)
        return await ask_pool(pool, question)

    monkeypatch.setattr(Pool, "ask", recording)

    async def pages() -> list[Any]:
        return [await server.client.get(f"/menace/{name}") for name in ("choices", "boxes", "learner")]

    assert [page.status_code for page in asyncio.run(pages())] == [200, 200, 200]
    assert [sql for sql in asked if "group by" in sql.lower() or "json_type" in sql or "glob" in sql] == []


def test_truncated_rows_are_reported(server: Any) -> None:
    reply = ask(server, "SELECT * FROM move", _shape="arrays").json()
    assert len(reply["rows"]) == 1000
    assert reply["truncated"] is True
    assert ask(server, "SELECT * FROM move LIMIT 1000", _shape="arrays").json()["truncated"] is False


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT fts3_tokenizer('simple')",
        "SELECT FTS3_Tokenizer('simple', x'4141414141414141')",
        "SELECT load_extension('x')",
        "WITH t AS (SELECT 1) DELETE FROM learner",
        "SELECT 1; DROP TABLE learner",
        "SELECT nonsense",
    ],
)
def test_writing_statements_are_refused_with_a_message(server: Any, path: Path, sql: str) -> None:
    before = path.read_bytes()
    answer = ask(server, sql)
    assert answer.status_code == 400
    assert "Traceback" not in answer.text
    assert ("more than read" in answer.text) == ("(" in sql)
    assert path.read_bytes() == before
    assert rows(server, "SELECT 1") == [[1]]


@pytest.mark.parametrize("version", [3, 4, 5])
def test_full_text_search_in_a_foreign_file_works(path: Path, tmp_path: Path, version: int) -> None:
    strange = tmp_path / "strange.db"
    strange.write_bytes(path.read_bytes())
    with contextlib.closing(sqlite3.connect(strange, isolation_level=None)) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE note USING fts{version}(text)")
        connection.execute("INSERT INTO note VALUES ('a matchbox'), ('a bead')")
    with served(strange) as server:
        response = asyncio.run(server.client.get("/strange/note.json?_search=bead&_shape=array"))
        assert [row["text"] for row in response.json()] == ["a bead"]
        denied = (
            "SELECT fts3_tokenizer('simple', x'4141414141414141'), (SELECT count(*) FROM note WHERE note MATCH 'a')"
        )
        assert asyncio.run(query(server, denied, name="strange")).status_code == 400
        assert asyncio.run(server.client.get("/strange/note")).status_code == 200


def test_datasette_connections_only_read_unless_opened_for_writing(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "menace.db"
    copy.write_bytes(path.read_bytes())

    async def run(server: Any) -> None:
        await server.invoke_startup()
        database = server.get_database("menace")
        for sql in ("SELECT fts3_tokenizer('simple')", "ATTACH ':memory:' AS x", "SELECT hex(zeroblob(999999))"):
            with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|too big"):
                await database.execute_fn(lambda connection, sql=sql: connection.execute(sql))
        await database.execute_write("UPDATE learner SET name = 'renamed' WHERE name = 'menace-x'")
        assert (await database.execute("SELECT count(*) FROM learner WHERE name = 'renamed'")).single_value() == 1

    with served(copy) as server:
        asyncio.run(run(server))


PLUGIN = """
from datasette import hookimpl

@hookimpl
def prepare_connection(conn):
    conn.create_function("shout", 1, str.upper)
"""


def test_functions_of_other_plugins_work(path: Path, tmp_path: Path) -> None:
    from datasette.plugins import pm

    (tmp_path / "shouting.py").write_text(PLUGIN)
    before = set(pm.get_plugins())
    try:
        with served(path, plugins_dir=str(tmp_path)) as server:
            assert rows(server, "SELECT shout('a'), board_svg('.........') LIKE '<svg%'") == [["A", 1]]
            assert "more than read" in ask(server, "SELECT shout(fts3_tokenizer('simple'))").text
    finally:
        for plugin in set(pm.get_plugins()) - before:
            pm.unregister(plugin)


def test_queries_wait_for_another_program_that_writes(server: Any, path: Path) -> None:
    assert rows(server, "SELECT 1") == [[1]]
    with contextlib.closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as connection:
        connection.execute("BEGIN EXCLUSIVE")

        async def run() -> Any:
            task = asyncio.ensure_future(query(server, "SELECT count(*) FROM move"))
            await asyncio.sleep(2 * (LIMIT + GRACE))  # longer than the time limit for queries
            assert not task.done()
            connection.execute("ROLLBACK")
            return await task

        assert asyncio.run(run()).status_code == 200


def test_immutable_file_can_be_read(path: Path) -> None:
    from datasette.app import Datasette

    server = Datasette([], immutables=[str(path)])
    assert rows(server, "SELECT count(*) FROM position") == [[765]]
    server.get_database("menace").close()


@contextlib.contextmanager
def slow_query(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Yield a server on which a slow query is running."""
    with start_server(path) as (process, home, _):
        where = urlsplit(home)
        urllib.request.urlopen(f"{where.scheme}://{where.netloc}/menace/learner.json", timeout=60).close()
        with socket.create_connection((where.hostname, where.port)) as asking:
            asking.sendall(f"GET /menace.json?sql={quote(TRIM)} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
            time.sleep(0.6)
            yield process


def ended(processes: list[int]) -> bool:
    return all(not Path(f"/proc/{process}").exists() or "Z" in status(process) for process in processes)


def status(process: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return "Z"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_server(path: Path, by: signal.Signals) -> None:
    with slow_query(path) as process:
        processes = children(process.pid)
        assert processes
        start = time.monotonic()
        process.send_signal(by)
        _, printed = process.communicate(timeout=30)
        assert time.monotonic() - start < 1.5 + 2  # this computer may be busy
        deadline = time.monotonic() + SLACK
        while not ended(processes) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert ended(processes)
    assert "Traceback" not in printed


NAMES = ['a"><img src=x onerror=alert(1)>', "a%2e", "a#b", "a?b", "a&b", "a'b", "my class", "schüler", "a\nb", "a\\b"]
NAMES += ["menace.backup", "<\u2215script><script>alert(1)<\u2215script>", "{{7*7}}", "_x"]


async def walked(server: Any) -> tuple[set[str], list[str]]:
    """Follow links from the home pages of Datasette and menace, and return the pages found and their errors."""
    known: set[str] = set()
    wrong: list[str] = []
    fresh = {"/", HOME, "/-/databases.json"}
    for _ in range(3):
        links: set[str] = set()
        chosen = sorted(fresh)[:: max(1, len(fresh) // 24)]
        for page in chosen:
            answer = await server.client.get(page, follow_redirects=True)
            html = "html" in answer.headers.get("content-type", "")
            tags = Tags(answer.text if html else "").tags
            runs = [tag for tag, given in tags for name in given if name.startswith("on") and "alert" in given[name]]
            if answer.status_code != 200 or runs or (html and "<script>alert(1)" in answer.text):
                wrong.append(f"{page}: {answer.status_code} {runs}")
            targets = [given["href"] for _, given in tags if given.get("href")]
            links |= {urljoin(page, link).partition("#")[0] for link in targets if not re.match(r"\w+:|//", link)}
        known |= set(chosen)
        fresh = {link for link in links if "/static" not in link and "-/logout" not in link} - known
    return known, wrong


@pytest.mark.parametrize(("by", "called"), [("menace serve", NAMES[::2]), ("datasette", NAMES[1::2])])
def test_file_with_any_name_is_served(path: Path, tmp_path: Path, by: str, called: list[str]) -> None:
    from datasette.app import Datasette

    files = [tmp_path / f"{name}.db" for name in called]
    for file in files:
        file.symlink_to(path)
    server = Datasette([str(file) for file in files]) if by == "datasette" else site(files)
    names = [entry.name for entry in server.databases.values() if entry.path]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in names)
    known, wrong = asyncio.run(walked(server))
    assert wrong == []
    assert {name for name in names if any(name in page.split("/") for page in known)} == set(names)
    assert [rows(server, "SELECT count(*) FROM position", name=name) for name in names] == [[[765]]] * len(files)
    assert {entry.name for entry in tmp_path.iterdir()} == {file.name for file in files}
    for name in names:
        server.databases[name].close()


def test_files_keep_their_order_and_have_unique_names(path: Path, tmp_path: Path) -> None:
    names = ["z", "a&b", "a?b", "a_b", "other"]
    for name in names[:-1]:
        (tmp_path / f"{name}.db").write_bytes(path.read_bytes())
    sqlite3.connect(tmp_path / "other.db").close()
    metadata = {"databases": {"a?b": {"title": "kept"}, "a_b": {"title": "its own"}}}
    with served(*(tmp_path / f"{name}.db" for name in names), metadata=metadata) as server:
        names_and_stems = [(entry.name, Path(entry.path).stem) for entry in server.databases.values() if entry.path]
        assert [stem for _, stem in names_and_stems] == names
        by_stem = {stem: name for name, stem in names_and_stems}
        assert by_stem["z"] == "z"
        assert by_stem["a_b"] == "a_b"
        assert len({name for name in by_stem.values() if re.fullmatch(r"[a-z0-9_]+", name)}) == len(names)
        assert server._metadata_local["databases"][by_stem["a?b"]]["title"] == "kept"
        assert server._metadata_local["databases"]["a_b"]["title"] == "its own"


def test_sql_process_starts_quickly_and_loads_few_modules() -> None:
    code = (
        "import sys, menace.explorer.datasette.sql_process as p, pathlib\n"
        "connection = p.opened('file::memory:')\n"
        "p._preparation(p.ServedSite({'m': (pathlib.Path('m'), '', True)}, None))(connection, 'm')\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "datasette.sql_functions" in run.stdout.split()
    assert not {"datasette.app", "sqlite_utils", "numpy", "menace.ledger.store"} & set(run.stdout.split())
