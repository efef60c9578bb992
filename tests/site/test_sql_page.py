"""Tests of a site's SQL page: the data that the command publishes, and the page's results in a real browser."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import tomllib
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from browsing import checked_page
from commands import Run, ok, refused
from database_templates import fresh_database, trained_bytes
from playing import play_out
from runs import selfplay
from scripts_in_node import capitalize_narration

from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import new_learner
from menace.ledger.queries import named_queries, query
from menace.ledger.runs import copy_learner
from menace.ledger.store.database import published_copy
from menace.people.session import Session
from menace.site import export_site, pages
from menace.site.translation import translated

pytestmark = pytest.mark.slow

PHONE = {"width": 375, "height": 800}
# Integers are given as text, because seeds have up to 63 bits.
TEXTS = "(_, value) => typeof value === 'bigint' ? `int ${value}` : value"
ANSWER = f"async sql => JSON.stringify(await menace.ask(sql), {TEXTS})"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that contains a database, its site, and a hexapawn site with an SQL page."""
    folder = tmp_path_factory.mktemp("sql") / "class 5b & more"
    folder.mkdir()
    (folder / "menace.db").write_bytes(trained_bytes(10_000))
    with open_database(folder / "menace.db") as store:
        new_learner(store, "values", "X", "zhang")
        copy_learner(store, "menace-o", "adam")
        for seed, name in ((1, "Anna"), (2**62 + 7, "Zoë")):
            play_out(Session(store, "adam", seed=seed, name=name), random.Random(seed))
        export_site(store, folder / "site", published=[published_copy(store)])
    with create_database(folder / "hexapawn.db", "hexapawn") as store:
        new_learner(store, "eve", "X", "menace")
        export_site(store, folder / "hexapawn", published=[published_copy(store)])
    return folder


@pytest.fixture
def page(chromium: Any, folder: Path) -> Iterator[Any]:
    """Return the SQL page, displayed at the size of a phone's screen.

    The page's scripts must not fail, and the page must load only files.
    """
    with checked_page(chromium, folder.as_uri(), viewport=PHONE, accept_downloads=True) as opened:
        opened.set_default_timeout(20_000)
        opened.goto(f"{folder.as_uri()}/site/sql.html")
        opened.wait_for_selector("#answer tbody tr")
        yield opened


def ask(page: Any, sql: str) -> str:
    """Run SQL by submitting the page's form, and return the status."""
    page.fill("#sql", sql)
    page.keyboard.press("Control+Enter")
    page.wait_for_function("document.getElementById('stop').hidden")
    return str(page.locator("#status").text_content())


def restored(value: object) -> object:
    return int(value[4:]) if isinstance(value, str) and value.startswith("int ") else value


def test_all_named_queries_give_the_same_rows_as_menace_query(page: Any, folder: Path) -> None:
    names = {"Anna": "person 1", "Zoë": "person 2"}
    questions = {named["name"]: named for named in page.evaluate("menace.sql.questions")}
    assert list(questions) == [named.name for named in named_queries()]
    with open_database(folder / "menace.db") as store:
        for named in named_queries():
            wanted = query(store, named.name)
            rows = [[names.get(str(value), value) for value in row] for row in wanted.rows]
            answer = json.loads(page.evaluate(ANSWER, questions[named.name]["sql"]))
            assert answer["columns"] == list(wanted.columns)
            assert [[restored(value) for value in row] for row in answer["rows"]] == rows, named.name
        assert page.evaluate(ANSWER, "SELECT max(seed) FROM run").count(f"int {2**62 + 7}") == 1


def test_every_question_is_shown_and_explained(page: Any) -> None:
    options = page.locator("#question option").evaluate_all("found => found.map(option => option.value)")
    assert options == ["", *(named.name for named in named_queries())]
    for name in options[1:]:
        page.select_option("#question", name)
        page.wait_for_function("document.getElementById('stop').hidden")
        assert re.match(r"[\d,]+ rows?", page.locator("#status").text_content())
        assert page.locator("#why").text_content().endswith(".")
        assert page.url.endswith(f"#{name}")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_boards_are_drawn_and_lead_to_explore(page: Any) -> None:
    ask(page, "SELECT board, ply FROM position WHERE board = 'X...O....'")
    cells = page.locator("#answer .drawn td").all_text_contents()
    assert cells == ["X", "", "", "", "O", "", "", "", ""]
    page.click("#answer .drawn a")
    assert page.url.endswith("explore.html#board=X...O....")
    assert page.locator("#wanted").input_value() == "X...O...."
    page.click("nav >> text=SQL")
    page.wait_for_selector("#answer tbody tr")


def test_own_sql_is_in_the_address_and_may_write(page: Any) -> None:
    assert ask(page, "SELECT 1 + 1 AS two, 0.5, NULL, x'00ff', 'a <b> & 100%'") == "1 row"
    assert page.locator("#answer tbody td").all_text_contents() == ["2", "0.5", "", "2 bytes", "a <b> & 100%"]
    assert page.locator("#question").input_value() == ""
    page.reload()
    page.wait_for_selector("text=a <b> & 100%")
    assert ask(page, "CREATE TABLE mine (word); INSERT INTO mine VALUES ('a'), ('b')") == "2 rows changed"
    assert ask(page, "SELECT * FROM mine WHERE 0") == "0 rows"
    assert page.locator("#answer th").all_text_contents() == ["word"]
    assert ask(page, "DELETE FROM matchbox; SELECT count(*) FROM matchbox") == "1 row"
    assert ask(page, "SELECT * FROM nowhere") == "SQLite reports an error: no such table: nowhere"
    assert page.locator("#answer table").count() == 0
    many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1500) SELECT x FROM n"
    assert ask(page, many) == "1,500 rows; the table below shows the first 1,000"
    assert page.locator("#answer tbody tr").count() == 1000


def test_long_query_can_be_stopped(page: Any) -> None:
    page.fill("#sql", "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n")
    page.click("#ask button >> nth=0")
    page.wait_for_timeout(300)
    assert page.locator("#save").is_disabled()
    page.click("#stop")
    assert "was stopped" in page.locator("#status").text_content()
    assert ask(page, "SELECT name FROM learner") == "4 rows"


def test_saved_database_can_be_opened(page: Any, tmp_path: Path) -> None:
    ask(page, "UPDATE learner SET name = 'mine' WHERE name = 'adam'")
    with page.expect_download() as waiting:
        page.click("#save")
    assert waiting.value.suggested_filename == "menace.db"
    (tmp_path / "saved.db").write_bytes(Path(waiting.value.path()).read_bytes())
    with open_database(tmp_path / "saved.db") as store:
        assert [row.name for row in store.learners()] == ["menace-x", "menace-o", "values", "mine"]
    assert ask(page, "SELECT count(*) FROM learner") == "1 row"


def test_page_is_one_small_file_without_names(folder: Path) -> None:
    file = folder / "site" / "sql.html"
    assert file.stat().st_size < pages.MAX_SQL_PAGE_SIZE / 2
    text = file.read_text("utf-8")
    assert re.findall(r"<(?:script|link|img)[^>]* (?:src|href)=\"(?!data:)", text) == []
    assert "MIT license" in text
    for table in ("matchbox", "learning_curve"):
        assert f"<code>{table}</code>:" in text
    assert "-- the number of beads, from 0 to the maximum size of a pile" in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_accessible(chromium: Any, folder: Path, axe: Callable[..., list[str]], scheme: str) -> None:
    with checked_page(chromium, folder.as_uri(), color_scheme=scheme, viewport=PHONE) as opened:
        opened.goto(f"{folder.as_uri()}/site/sql.html#biggest-boxes")
        opened.wait_for_selector("#answer tbody tr")
        opened.click("summary >> nth=0")
        assert axe(opened) == []


def test_sql_page_works_for_another_game_and_language(page: Any, folder: Path, tmp_path: Path) -> None:
    page.goto(f"{folder.as_uri()}/hexapawn/sql.html")
    page.wait_for_selector("#answer tbody tr")
    ask(page, "SELECT board FROM position WHERE position_id = 0")
    assert page.locator("#answer .drawn td").count() == 9
    assert page.locator("#answer .drawn .x").count() == 3
    source = resources.files("menace").joinpath("text/narration.toml").read_text("utf-8")
    (tmp_path / "loud.toml").write_text(capitalize_narration(source), "utf-8")
    with open_database(folder / "hexapawn.db") as store:
        words = translated(tmp_path / "loud.toml")
        export_site(store, folder / "loud", words=words, published=[published_copy(store)])
    page.goto(f"{folder.as_uri()}/loud/sql.html")
    page.wait_for_selector("#answer tbody tr")
    assert re.fullmatch(r"\d+ ROWS?", page.locator("#status").text_content())
    assert page.locator("h1").text_content() == "QUERY THE DATABASE WITH SQL"


def test_vendored_files_equal_their_record() -> None:
    folder = resources.files("menace").joinpath("site", "sql_js")
    record = tomllib.loads(folder.joinpath("source.toml").read_text("utf-8"))
    assert (record["name"], record["license"]) == ("sql.js", "MIT")
    names = {file.name for file in folder.iterdir()}
    assert names == {"LICENSE.txt", "source.toml", pages.ENGINE, pages.MODULE}
    for name, digest in record["files"].items():
        assert hashlib.sha256(gzip.decompress(folder.joinpath(f"{name}.gz").read_bytes())).hexdigest() == digest


@pytest.fixture
def small(run: Run, tmp_path: Path) -> Run:
    """Return `run` in a folder that contains the database of a small game with learners."""
    with fresh_database(tmp_path / "menace.db", "2x3x2") as store:
        selfplay(store, games=5, seed=1)
    return run


def test_command_lists_what_it_publishes(small: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(tmp_path / "menace.db") as store:
        play_out(Session(store, "menace-x", name="Anna"), random.Random(1))
        store.database.execute("CREATE TABLE notes (text)")
    lines = ok(small("export", "site/", "--sql")).splitlines()[1:]
    assert re.fullmatch(r"site/sql\.html \(0\.\d MB\) publishes menace\.db:", lines[0])
    assert lines[1:] == [
        "  machines: menace-x, menace-o",
        "  runs with players, seeds and times: 2",
        "  games with people: 1",
        "  people, instead of their names: person 1",
        "  not published, your tables and views: notes",
    ]
    assert "  people: Anna\n" in ok(small("export", "site/", "--sql", "--names"))
    assert "sql.html" in (tmp_path / "site" / "files.txt").read_text().split()
    assert 'href="sql.html"' in (tmp_path / "site" / "index.html").read_text()
    monkeypatch.setattr(pages, "MAX_SQL_PAGE_SIZE", 100_000)
    assert "warning: sql.html is larger than 0.1 MB" in small("export", "site/", "--sql").err
    ok(small("export", "site/"))
    assert "sql.html" not in {file.name for file in (tmp_path / "site").iterdir()}
    for words, message in [
        (["site/", "--sql", "--learner", "menace-x"], "publishes the whole database"),
        (["site/", "--names"], "--names applies only to --sql"),
        (["x.dot", "--sql"], "apply only to a site"),
    ]:
        result = small("export", *words)
        assert (result.code, message in result.err, len(result.err.splitlines())) == (2, True, 1), result.err
    refused(small("export", "no/site/", "--sql"), "there is no folder")


def test_each_database_has_its_page(small: Run, tmp_path: Path) -> None:
    with create_database(tmp_path / "my nim.db", "nim", "1-2-3") as store:
        new_learner(store, "eve", "X", "menace")
    out = ok(small("export", "site/", "--db", "my nim.db", "--db", "menace.db", "--sql"))
    assert "sql.html (0." in out
    assert "sql-menace.html (0." in out
    for page, link in (("boxes-eve.html", "sql.html"), ("boxes-menace-x.html", "sql-menace.html")):
        assert f'href="{link}"' in (tmp_path / "site" / page).read_text()
    ok(small("export", "site/"))  # the SQL page of the other database is also replaced
