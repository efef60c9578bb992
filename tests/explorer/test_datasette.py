"""Tests that Datasette shows and describes every table, view, row and named query of a database."""

from __future__ import annotations

import asyncio
import copy
import gc
import html
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from database_templates import fresh_database
from datasette import __version__
from datasette.utils import tilde_encode
from playing import play_out
from runs import boxes_of, selfplay, train

from menace.explorer.datasette.database import description
from menace.learners.machine import Machine
from menace.learners.opponents.functions import tabulate
from menace.learners.policy import Policy
from menace.ledger.learners import new_learner
from menace.ledger.queries import named_queries, query
from menace.ledger.runs import copy_learner, import_machine
from menace.ledger.store import Store
from menace.ledger.store.database import save_lesson
from menace.people.physical import CountDifference, record_count
from menace.people.session import Session

TOLD = description()
QUERIES: dict[str, Any] = TOLD["queries"]
TABLES: dict[str, Any] = TOLD["tables"]
Pages = dict[str, Any]
Request = Callable[..., Pages]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database with rows in every table, covering all kinds of learners, runs and blocks."""
    with fresh_database(tmp_path_factory.mktemp("datasette") / "menace.db") as store:
        selfplay(store, games=50, seed=1)
        train(store, new_learner(store, "a value _ a position", "O", "zhang").name, "random", games=10, seed=2)
        train(store, new_learner(store, "moves", "X", "sala").name, "random", games=10, seed=3)
        lowest = tabulate(Policy.from_function(lambda _board, moves: moves[0], "O"))
        train(store, "moves", lowest.name, games=10, seed=4)
        copy_learner(store, "menace-x", "ours")
        import_machine(store, Machine("menace", "O"), "from elsewhere")
        play_out(Session(store, "ours", seed=1))
        (first, *_) = boxes_of(store, "ours")
        beads = next(move.beads for move in first.moves if move.action == 4)
        record_count(store, "ours", [CountDifference(first, 4, beads, beads + 5)])
        with store.transaction():
            save_lesson(store, None, {"code": "ABCD"})
        yield store


def requests_to(path: Path, **options: Any) -> Iterator[Request]:
    """Yield a function that fetches pages from plain Datasette without using the network."""
    from datasette.app import Datasette

    # The time limits are longer than usual, because the computer may be busy.
    limits = dict.fromkeys(("sql_time_limit_ms", "facet_time_limit_ms", "facet_suggest_time_limit_ms"), 30_000)
    settings = {**limits, "suggest_facets": False}  # otherwise, each page would query every column for facets
    site = Datasette([str(path)], settings=settings, **options)

    known: Pages = {}

    async def fetch(addresses: tuple[str, ...]) -> Pages:
        for address in set(addresses) - known.keys():
            known[address] = await site.client.get(address, follow_redirects=True)
        return {address: known[address] for address in addresses}

    yield lambda *addresses: asyncio.run(fetch(addresses))
    site.executor.shutdown()
    for database in site.databases.values():
        database.close()


@pytest.fixture(scope="module")
def ask(store: Store) -> Iterator[Request]:
    yield from requests_to(store.path)
    gc.collect()  # garbage-collects files that are still open, while warnings about them are ignored


@pytest.fixture(scope="module")
def ask_fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Request]:
    """Yield a function that fetches pages about a database that has no learners."""
    path = tmp_path_factory.mktemp("fresh") / "menace.db"
    fresh_database(path).close()
    yield from requests_to(path)
    gc.collect()


@pytest.fixture(scope="module")
def schema(store: Store) -> dict[str, str]:
    """Return a dictionary from the name of each item that Datasette shows to its type (`table` or `view`)."""
    with closing(sqlite3.connect(store.path)) as connection:
        return dict(connection.execute("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')"))


def failures(pages: Pages) -> dict[str, int]:
    """Return the status of each page that does not contain its expected text."""
    return {address: page.status_code for address, page in pages.items() if page.status_code != 200}


def rows_of(store: Store, table: str) -> list[str]:
    """Return the addresses of the first and the last row of a table."""
    with closing(sqlite3.connect(store.path)) as connection:
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        keys = [name for _, name, *_, place in sorted(columns, key=lambda column: column[5]) if place] or ["rowid"]
        ordered = f"SELECT {', '.join(keys)} FROM {table} ORDER BY 1"
        rows = connection.execute(ordered).fetchall()
    assert rows, f"the database of this test has nothing in {table}"
    return [f"/menace/{table}/{','.join(tilde_encode(str(key)) for key in row)}" for row in (rows[0], rows[-1])]


@pytest.mark.slow
def test_every_table_view_and_row_opens(store: Store, ask: Request, schema: dict[str, str]) -> None:
    tables = [f"/menace/{name}" for name in schema]
    assert len(tables) >= 18
    rows = [row for name, kind in schema.items() if kind == "table" for row in rows_of(store, name)]
    pages = ["/menace", *tables, *rows]
    assert failures(ask("/", *pages, *(f"{page}.json" for page in pages), *(f"{page}.csv" for page in tables))) == {}


@pytest.mark.slow
def test_every_column_can_be_a_facet(ask: Request) -> None:
    facets = [
        f"/menace/{name}?{'&'.join(f'_facet={column}' for column in table['columns'])}"
        for name, table in TABLES.items()
        if "columns" in table
    ]
    assert failures(ask(*facets)) == {}


def test_named_queries_return_the_rows_of_menace_query(store: Store, ask: Request) -> None:
    assert list(QUERIES) == [named.name for named in named_queries()]
    assert failures(ask(*(f"/menace/{name}" for name in QUERIES))) == {}
    answers = ask(*(f"/menace/{name}.json?_shape=array" for name in QUERIES))
    assert failures(answers) == {}
    for name, answer in zip(QUERIES, answers.values(), strict=True):
        right = query(store, name)
        assert answer.json() == [dict(zip(right.columns, row, strict=True)) for row in right.rows], name


def test_links_between_rows_lead_to_existing_pages(store: Store, ask: Request, schema: dict[str, str]) -> None:
    """The test follows one link of each kind. A link leads to a row, or to all rows that refer to a certain row."""
    tables = [name for name, kind in schema.items() if kind == "table"]
    addresses = [*(f"/menace/{name}" for name in tables), *(row for name in tables for row in rows_of(store, name))]
    kinds: dict[tuple[str, str], str] = {}
    for address, page in ask(*addresses).items():
        for link in re.findall(r'href="(/menace/(?:\w+/[^"/?]+|\w+\?\w+_id=\d+))"', page.text):
            kinds[address, re.sub(r"/[^/?]+$|\d+$", "", link)] = html.unescape(link)
    assert {("/menace/move", "/menace/position"), ("/menace/run/1", "/menace/block?run_id=")} <= kinds.keys()
    assert failures(ask(*kinds.values())) == {}


def test_foreign_keys_show_labels_and_link_both_ways(ask: Request) -> None:
    links = {
        "/menace/move": '<a href="/menace/position/1">X........</a>',
        "/menace/matchbox": '<a href="/menace/learner/1">menace-x</a>',
        "/menace/run": '<a href="/menace/learner/2">menace-o</a>',
        "/menace/change": '<a href="/menace/position/0">.........</a>',
        "/menace/position/4": "/menace/move?next_position_id=4",
        "/menace/learner/1": "/menace/run?x_learner_id=1",
        "/menace/run/1": "/menace/block?run_id=1",
    }
    pages = ask(*links, *(link for link in links.values() if link.startswith("/")))
    assert failures(pages) == {}
    for address, link in links.items():
        assert link in pages[address].text, address


def test_pages_open_without_learners(ask_fresh: Request, schema: dict[str, str]) -> None:
    assert failures(ask_fresh("/menace", *(f"/menace/{name}" for name in [*schema, *QUERIES]))) == {}


def test_every_column_is_explained(store: Store, schema: dict[str, str]) -> None:
    assert schema.keys() == TABLES.keys()
    with closing(sqlite3.connect(store.path)) as connection:
        for name in schema.keys() - {"sqlite_sequence"}:
            columns = [column for _, column, *_ in connection.execute(f"PRAGMA table_info({name})")]
            assert list(TABLES[name]["columns"]) == columns
            assert all(TABLES[name]["columns"].values())


def test_query_names_differ_from_table_names() -> None:
    """Queries and tables have addresses below the same database name."""
    assert not QUERIES.keys() & TABLES.keys()


def test_pages_show_their_descriptions(ask: Request) -> None:
    for name, page in zip(TABLES, ask(*(f"/menace/{name}" for name in TABLES)).values(), strict=True):
        descriptions = [TABLES[name].get("description", ""), *TABLES[name].get("columns", {}).values()]
        assert [text for text in descriptions if text not in html.unescape(page.text)] == []
    for name, page in zip(QUERIES, ask(*(f"/menace/{name}" for name in QUERIES)).values(), strict=True):
        assert QUERIES[name]["title"] in html.unescape(page.text)
        assert QUERIES[name]["description"] in html.unescape(page.text)
    database = ask("/menace")["/menace"].text
    assert TOLD["description_html"].strip() in database
    assert "<strong>minimax</strong>" in TOLD["description_html"]
    assert 'href="/menace/sqlite_sequence"' not in database


def test_descriptions_contain_no_markdown() -> None:
    def texts(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for key, part in value.items():
                yield from texts(part) if key != "sql" else ()
        elif isinstance(value, str):
            yield value

    assert [text for text in texts(TOLD) if re.search(r"`|\*\*|\]\(|\n- ", text)] == []


def test_datasette_pages_link_to_the_explorer(ask: Request) -> None:
    for page, link in (("/", "/-/menace"), ("/menace", "/-/menace/menace/machines")):
        assert f'<p><a href="{link}">' in ask(page)[page].text
        assert failures(ask(link)) == {}


def test_user_metadata_is_merged_with_ours(tmp_path: Path) -> None:
    """Datasette finds metadata under the file's name even if it serves the file under a different name."""
    path = tmp_path / "our school.db"
    fresh_database(path).close()
    said = {
        "title": "A school",
        "description": "Room <3>",
        "databases": {
            "our school": {
                "description_html": "<p>Our machines</p>",
                "queries": {"mine": "SELECT 1", "runs": {"sql": "SELECT 2", "title": "Our runs"}},
                "tables": {"learner": {"description": "Who learns"}, "run": None},
            }
        },
    }
    given = copy.deepcopy(said)
    for ask in requests_to(path, **({"metadata": said} if __version__.startswith("0.") else {"config": said})):
        texts = {page: answer.text for page, answer in ask("/", "/our_school", "/our_school/learner").items()}
        assert "A school" in texts["/"]
        assert "Room &lt;3&gt;" in texts["/"]
        assert "<p>Our machines</p>" in texts["/our_school"]
        assert "/our_school/mine" in texts["/our_school"]
        assert "Our runs" in texts["/our_school"]
        assert QUERIES["strength"]["title"] in texts["/our_school"]
        assert all('<p><a href="/-/menace' in texts[page] for page in ("/", "/our_school"))
        assert "Who learns" in texts["/our_school/learner"]
        assert TABLES["learner"]["columns"]["seed"] in html.unescape(texts["/our_school/learner"])
    assert said == given
    gc.collect()
