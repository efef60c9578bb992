"""Datasette shows every table, view, row and named query of a database, and describes them."""

from __future__ import annotations

import asyncio
import gc
import html
import importlib.resources
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from datasette.utils import tilde_encode
from ledger import boxes_of, selfplay, train
from playing import play_out
from templates import fresh_database

from menace.learners.machine import Machine
from menace.learners.policy import Policy
from menace.learners.tabulated_policies import tabulate
from menace.ledger.learners import new_learner
from menace.ledger.queries import named_queries, query
from menace.ledger.runs import copy_learner, import_machine
from menace.ledger.store import Store
from menace.people.recount import CountDifference, record_count
from menace.people.session import Session

ROOT = Path(__file__).parents[1]
FILE = importlib.resources.files("menace.db").joinpath("datasette.yaml").read_bytes()
TOLD: dict[str, Any] = yaml.safe_load(FILE)
QUERIES: dict[str, Any] = TOLD["databases"]["menace"]["queries"]
TABLES: dict[str, Any] = TOLD["databases"]["menace"]["tables"]
Pages = dict[str, Any]
Request = Callable[..., Pages]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database with something in every table: all kinds of learners, runs and blocks."""
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
        yield store


def requests_to(path: Path) -> Iterator[Request]:
    """Yield what fetches pages of a database by their addresses, without a network."""
    from datasette import __version__
    from datasette.app import Datasette

    # This machine may be busy.
    limits = dict.fromkeys(("sql_time_limit_ms", "facet_time_limit_ms", "facet_suggest_time_limit_ms"), 30_000)
    options = {"metadata": yaml.safe_load(FILE), "settings": limits}  # of its own: Datasette writes into it
    if not __version__.startswith("0."):  # 1.0 takes the questions from there, the rest from the metadata
        options["config"] = yaml.safe_load(FILE)
    site = Datasette([str(path)], **options)

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
    gc.collect()  # while that warning is ignored


@pytest.fixture(scope="module")
def ask_fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Request]:
    """The same, of a database without learners."""
    path = tmp_path_factory.mktemp("fresh") / "menace.db"
    fresh_database(path).close()
    yield from requests_to(path)
    gc.collect()


@pytest.fixture(scope="module")
def schema(store: Store) -> dict[str, str]:
    """Return `table` or `view` by name, for all that Datasette shows."""
    with closing(sqlite3.connect(store.path)) as connection:
        return dict(connection.execute("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')"))


def failures(pages: Pages) -> dict[str, int]:
    """Return the status of each page that does not show what it should."""
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


def test_every_named_question_is_answered_as_menace_answers_it(store: Store, ask: Request) -> None:
    assert list(QUERIES) == [named.name for named in named_queries()]
    assert failures(ask(*(f"/menace/{name}" for name in QUERIES))) == {}
    answers = ask(*(f"/menace/{name}.json?_shape=array" for name in QUERIES))
    assert failures(answers) == {}
    for name, answer in zip(QUERIES, answers.values(), strict=True):
        right = query(store, name)
        assert answer.json() == [dict(zip(right.columns, row, strict=True)) for row in right.rows], name


def test_every_link_from_row_to_row_leads_somewhere(store: Store, ask: Request, schema: dict[str, str]) -> None:
    """One of each kind: from a page to the rows of a table, or to all rows of a table that point to a row."""
    tables = [name for name, kind in schema.items() if kind == "table"]
    addresses = [*(f"/menace/{name}" for name in tables), *(row for name in tables for row in rows_of(store, name))]
    kinds: dict[tuple[str, str], str] = {}
    for address, page in ask(*addresses).items():
        for link in re.findall(r'href="(/menace/(?:\w+/[^"/?]+|\w+\?\w+_id=\d+))"', page.text):
            kinds[address, re.sub(r"/[^/?]+$|\d+$", "", link)] = html.unescape(link)
    assert {("/menace/move", "/menace/position"), ("/menace/run/1", "/menace/block?run_id=")} <= kinds.keys()
    assert failures(ask(*kinds.values())) == {}


def test_a_foreign_key_shows_the_board_or_the_name_and_leads_there_and_back(ask: Request) -> None:
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


def test_it_opens_before_there_is_a_learner(ask_fresh: Request, schema: dict[str, str]) -> None:
    assert failures(ask_fresh("/menace", *(f"/menace/{name}" for name in [*schema, *QUERIES]))) == {}


# Metadata and settings.


def test_the_file_follows_from_the_dictionary_and_the_questions() -> None:
    """Of the sources here; what is installed is the same where it was built from them."""
    check = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "make_datasette.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (check.returncode, check.stdout) == (0, ""), check.stdout + check.stderr
    assert (ROOT / "db" / "datasette.yaml").read_bytes() == FILE


def test_every_column_is_explained(store: Store, schema: dict[str, str]) -> None:
    assert schema.keys() == TABLES.keys()
    with closing(sqlite3.connect(store.path)) as connection:
        for name in schema.keys() - {"sqlite_sequence"}:
            columns = [column for _, column, *_ in connection.execute(f"PRAGMA table_info({name})")]
            assert list(TABLES[name]["columns"]) == columns
            assert all(TABLES[name]["columns"].values())


def test_no_question_hides_a_table() -> None:
    """Both have their pages under the name of the database."""
    assert not QUERIES.keys() & TABLES.keys()


def test_pages_say_what_they_show(ask: Request) -> None:
    for name, page in zip(TABLES, ask(*(f"/menace/{name}" for name in TABLES)).values(), strict=True):
        descriptions = [TABLES[name].get("description", ""), *TABLES[name].get("columns", {}).values()]
        assert [text for text in descriptions if text not in html.unescape(page.text)] == []
    for name, page in zip(QUERIES, ask(*(f"/menace/{name}" for name in QUERIES)).values(), strict=True):
        assert QUERIES[name]["title"] in html.unescape(page.text)
        assert QUERIES[name]["description"] in html.unescape(page.text)
    database = ask("/menace")["/menace"].text
    assert TOLD["databases"]["menace"]["description_html"].strip() in database
    assert 'href="/menace/sqlite_sequence"' not in database


def test_nothing_that_is_shown_has_the_marks_of_a_markdown_text() -> None:
    def texts(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for key, part in value.items():
                yield from texts(part) if key != "sql" else ()
        elif isinstance(value, str):
            yield value

    assert [text for text in texts(TOLD) if re.search(r"`|\*\*|\]\(|\n- ", text)] == []


def test_the_dictionary_says_where_the_file_is_and_what_to_change_in_it() -> None:
    readme = importlib.resources.files("menace.db").joinpath("README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r'`python -c "(.*)"`', readme)
    folder = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True).stdout.strip()
    assert (Path(folder) / "datasette.yaml").read_bytes() == FILE
    changed = re.sub(r"\bmenace:", "school:", FILE.decode())
    assert yaml.safe_load(changed)["databases"] == {"school": TOLD["databases"]["menace"]}
