"""The explorer's ground: its addresses, who may look and who may write, and the server itself."""

from __future__ import annotations

import asyncio
import http.client
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from templates import fresh_database

from menace.errors import DatabaseBusy
from menace.ledger.database import open_database
from menace.ledger.training import selfplay
from menace.web.errors import Refused
from menace.web.guard import check_writer
from menace.web.routes import routes
from menace.web.server import serve, site

# Datasette leaves its connections to the garbage collector; from Python 3.13 on that is a warning.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")

OURS = {
    "host": "127.0.0.1:8001",
    "origin": "http://127.0.0.1:8001",
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("web") / "menace.db"
    with fresh_database(path) as store:
        selfplay(store, games=50, seed=1)
    return path


def get(datasette: Any, address: str, **headers: str) -> Any:
    async def answer() -> Any:
        await datasette.invoke_startup()
        return await datasette.client.get(address, headers=headers)

    return asyncio.run(answer())


def test_the_home_has_every_learner_with_its_exact_strength(database: Path) -> None:
    page = get(site([database]), "/-/menace")
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert '<html lang="en">' in page.text
    for name in ("menace-x", "menace-o"):
        assert f">{name}</a></th>" in page.text
    assert get(site([database]), "/-/menace/menace/machines.json").json()[1]["name"] == "menace-o"


@pytest.mark.parametrize("address", ["/-/menace/nothing/machines.json", "/-/menace/_memory/machines.json"])
def test_a_database_that_is_not_ours_has_no_pages(database: Path, address: str) -> None:
    page = get(site([database]), address)
    assert page.status_code == 404
    assert page.json()["error"].startswith("no database of menace is served as")


def test_every_address_takes_only_what_it_is_for(database: Path) -> None:
    datasette = site([database])

    async def statuses() -> list[int]:
        await datasette.invoke_startup()
        return [
            (await datasette.client.request("PUT", "/-/menace" + re.sub(r"{\w+}", "menace", route.path))).status_code
            for route in routes()
        ]

    assert set(asyncio.run(statuses())) == {405}


def test_a_page_of_this_site_may_write() -> None:
    check_writer(OURS, 8001)
    check_writer({**OURS, "host": "[::1]:8001", "origin": "http://[::1]:8001"}, 8001)


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("host", "rebound.example:8001"),
        ("host", "127.0.0.1"),
        ("host", "127.0.0.1:8002"),
        ("host", "127.0.0.1.rebound.example:8001"),
        ("host", None),
        ("origin", "http://127.0.0.1:9999"),
        ("origin", "https://127.0.0.1:8001"),
        ("origin", "null"),
        ("origin", None),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", None),
        ("content-type", "text/plain"),
        ("content-type", "application/x-www-form-urlencoded"),
        ("content-type", None),
    ],
)
def test_nobody_else_may_write(header: str, value: str | None) -> None:
    headers = {name: text for name, text in {**OURS, header: value}.items() if text is not None}
    with pytest.raises(Refused):
        check_writer(headers, 8001)


def test_a_name_of_another_site_may_not_write_even_from_its_own_page() -> None:
    """A name that is made to lead here: Host and Origin agree, and are not this machine's."""
    with pytest.raises(Refused):
        check_writer({**OURS, "host": "rebound.example:8001", "origin": "http://rebound.example:8001"}, 8001)


def test_without_datasette_one_line_says_how_to_get_it(database: Path) -> None:
    without = "import sys; sys.modules['datasette'] = None; sys.argv[0] = 'menace'; from menace.cli import main; main()"
    command = [sys.executable, "-c", without, "serve", "--port", "0", "--db", str(database)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=30)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("menace: this needs datasette, which is not installed")
    assert len(run.stderr.splitlines()) == 1
    assert "pip install -e '.[web]'" in run.stderr


def test_a_file_that_another_program_locks_while_datasette_looks_at_it_is_one_line(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Datasette 1.0 looks at its files at once, and gives up on a lock after seconds, with lines of its own."""
    from datasette.app import Datasette
    from datasette.utils.sqlite import sqlite3

    async def startup(_: Datasette) -> None:
        sys.stderr.write("ERROR: conn=<...>, sql = 'PRAGMA schema_version'")
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(Datasette, "invoke_startup", startup)
    with pytest.raises(DatabaseBusy, match=r"menace.db cannot be read \(database is locked\)"):
        serve([database], 0, False, lambda _: None)
    assert capsys.readouterr().err == ""


@pytest.fixture
def served(database: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "menace", "serve", "--port", "0", "--db", str(database)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/")
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().split()[0]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_an_answer_does_not_wait_for_its_readers_nod(served: tuple[subprocess.Popen[str], str]) -> None:
    """With Nagle's algorithm all but the first answers on a connection take 40 ms or more."""
    parts = urlsplit(served[1])
    connection = http.client.HTTPConnection(parts.netloc, timeout=30)
    seconds = []
    for _ in range(40):
        start = time.monotonic()
        connection.request("GET", f"{parts.path}/openapi.json")
        connection.getresponse().read()
        seconds.append(time.monotonic() - start)
    connection.close()
    assert sorted(seconds)[10] < 0.02


@pytest.mark.slow
def test_ctrl_c_ends_the_server_soon(served: tuple[subprocess.Popen[str], str]) -> None:
    process, address = served
    for _ in range(50):
        try:
            with urllib.request.urlopen(address, timeout=10) as page:
                assert b"menace-x" in page.read()
                break
        except urllib.error.URLError:
            time.sleep(0.1)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(timeout=10)
    assert time.monotonic() - start < 2
    assert process.returncode == 130


def test_where_no_file_is_one_is_made_and_said_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "menace.db"
    command = [sys.executable, "-m", "menace", "serve", "--port", "0", "--db", str(path)]
    looking = [*command, "--read-only"]
    run = subprocess.run(looking, capture_output=True, text=True, check=False, cwd="/", timeout=60)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith(f"menace: there is no database {path}")
    assert not path.exists()
    for errors in (f"made {path}, a database of tictactoe 3x3x3; the page makes its first learner\n", ""):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")
        assert process.stdout is not None
        try:
            assert process.stdout.readline().startswith("http://127.0.0.1:")
        finally:
            process.kill()
            _, said = process.communicate()
        assert said == errors
    with open_database(path) as store:
        assert store.learners() == []
