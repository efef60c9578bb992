"""The explorer's base: its addresses, who may read and write, and the server itself."""

from __future__ import annotations

import asyncio
import http.client
import re
import signal
import socket
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

from menace.errors import DatabaseBusy, OutputError
from menace.explorer.pages.routes import routes
from menace.explorer.server.errors import Refused
from menace.explorer.server.security import check_writer
from menace.explorer.server.serving import serve, site

OURS = {
    "host": "127.0.0.1:8001",
    "origin": "http://127.0.0.1:8001",
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
}


def get(datasette: Any, address: str, **headers: str) -> Any:
    async def answer() -> Any:
        await datasette.invoke_startup()
        return await datasette.client.get(address, headers=headers)

    return asyncio.run(answer())


def test_the_home_has_every_learner_with_its_exact_strength(shown: Path) -> None:
    page = get(site([shown]), "/-/menace")
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert '<html lang="en">' in page.text
    for name in ("menace-x", "menace-o"):
        assert f">{name}</a></h3>" in page.text
    assert get(site([shown]), "/-/menace/menace/machines.json").json()[1]["name"] == "menace-o"


def test_a_game_goes_by_its_name_in_words_with_its_rules(shown: Path) -> None:
    home, board, machines = (
        get(site([shown]), f"/-/menace{path}").text for path in ("", "/menace/explore/.........", "/menace/machines")
    )
    assert "<h2>Noughts and crosses</h2>" in home
    assert "<h1>Noughts and crosses: .........</h1>" in board
    assert "Machines that play noughts and crosses <small>" in machines
    for page in (home, board):
        assert "<summary>The rules</summary><p>X and O take turns to put their mark on an empty cell" in page


@pytest.mark.parametrize("address", ["/-/menace/nothing/machines.json", "/-/menace/_memory/machines.json"])
def test_a_database_that_is_not_ours_has_no_pages(shown: Path, address: str) -> None:
    page = get(site([shown]), address)
    assert page.status_code == 404
    assert page.json()["error"].startswith("no database of menace is served as")


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/menace", ""),
        ("/menace/", "/menace"),
        ("/menace/machines/", "/menace/machines"),
        ("/menace/explore/", "/menace/explore"),
        ("/menace/nonsense", None),
        ("/menace/x/y/z", None),
        ("/nonsense", None),
        ("/nonsense/play", None),
    ],
)
def test_a_trimmed_address_leads_home_and_another_has_our_page_with_a_link_there(
    shown: Path, address: str, leads_to: str | None
) -> None:
    page = get(site([shown]), f"/-/menace{address}")
    if leads_to is None:
        assert page.status_code == 404
        assert '<p><a href="/-/menace">To the first page</a></p>' in page.text
    else:
        assert (page.status_code, page.headers["location"]) == (302, f"/-/menace{leads_to}")


def test_every_address_takes_only_what_it_is_for(shown: Path) -> None:
    datasette = site([shown])

    async def statuses() -> list[int]:
        await datasette.invoke_startup()
        return [
            (await datasette.client.request("PUT", "/-/menace" + re.sub(r"{\w+}", "menace", route.path))).status_code
            for route in routes()
        ]

    assert set(asyncio.run(statuses())) == {405}


@pytest.mark.parametrize(
    ("host", "port", "client"),
    [
        ("127.0.0.1:8001", 8001, "127.0.0.1"),
        ("localhost:8001", 8001, "127.255.255.254"),
        ("[::1]:8001", 8001, "::1"),
        ("localhost:8001", 8001, "::ffff:127.0.0.1"),
        ("localhost", 80, "127.0.0.1"),
        ("localhost:9000", None, "127.0.0.1"),
    ],
)
def test_a_page_of_this_site_may_write(host: str, port: int | None, client: str) -> None:
    check_writer({**OURS, "host": host, "origin": f"http://{host}"}, port, client)


OTHERS = "only this machine may write: the request comes from"
WRONG_HOST, WRONG_PORT = "its Host is none of localhost, 127.0.0.1", "the port of its Host is not 8001"
WRONG_ORIGIN, WRONG_SITE = "its Origin is another, or missing", "Sec-Fetch-Site is not same-origin"
WRONG_TYPE = "is sent as application/json"


@pytest.mark.parametrize(
    ("header", "value", "message"),
    [
        ("host", "rebound.example:8001", WRONG_HOST),
        ("host", "127.0.0.1", WRONG_PORT),
        ("host", "127.0.0.1:8002", WRONG_PORT),
        ("host", "127.0.0.1:99999", WRONG_PORT),
        ("host", "127.0.0.1.rebound.example:8001", WRONG_HOST),
        ("host", "127.0.0.1:8001, rebound.example", WRONG_HOST),
        ("host", "rebound.example:8001@127.0.0.1:8001", WRONG_HOST),
        ("host", "127.0.0.1:\u0668\u0660\u0660\u0661", WRONG_HOST),
        ("host", None, WRONG_HOST),
        ("origin", "http://127.0.0.1:9999", WRONG_ORIGIN),
        ("origin", "https://127.0.0.1:8001", WRONG_ORIGIN),
        ("origin", "null", WRONG_ORIGIN),
        ("origin", None, WRONG_ORIGIN),
        ("sec-fetch-site", "cross-site", WRONG_SITE),
        ("sec-fetch-site", "same-site", WRONG_SITE),
        ("sec-fetch-site", "none", WRONG_SITE),
        ("sec-fetch-site", None, WRONG_SITE),
        ("content-type", "text/plain", WRONG_TYPE),
        ("content-type", "application/x-www-form-urlencoded", WRONG_TYPE),
        ("content-type", None, WRONG_TYPE),
    ],
)
def test_nobody_else_may_write_and_each_rule_says_what_it_expects(header: str, value: str | None, message: str) -> None:
    headers = {name: text for name, text in {**OURS, header: value}.items() if text is not None}
    if header == "host" and value is not None:
        headers["origin"] = f"http://{value}"  # so that no other rule refuses it
    with pytest.raises(Refused, match=message):
        check_writer(headers, 8001, "127.0.0.1")


@pytest.mark.parametrize("client", ["192.168.0.7", "8.8.8.8", "::ffff:192.168.0.7", "2001:db8::1", "0.0.0.0", "", "me"])
def test_another_machine_may_not_write_whatever_headers_it_forges(client: str) -> None:
    with pytest.raises(Refused, match=f"{OTHERS} {client or 'an unknown address'}"):
        check_writer(OURS, 8001, client)


def test_who_comes_by_a_unix_socket_may_not_write() -> None:
    with pytest.raises(Refused, match=f"{OTHERS} an unknown address"):
        check_writer(OURS, None, None)


def test_without_datasette_one_line_says_how_to_get_it(shown: Path) -> None:
    without = "import sys; sys.modules['datasette'] = None; sys.argv[0] = 'menace'; from menace.cli import main; main()"
    command = [sys.executable, "-c", without, "serve", "--port", "0", "--db", str(shown)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=30)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("menace: this needs datasette, which is not installed")
    assert len(run.stderr.splitlines()) == 1
    assert '[web]"' in run.stderr


def test_a_file_that_another_program_locks_while_datasette_looks_at_it_is_one_line(
    shown: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Datasette 1.0 looks at its files at once, and gives up on a lock after seconds, with lines of its own."""
    from datasette.app import Datasette
    from datasette.utils.sqlite import sqlite3

    async def startup(_: Datasette) -> None:
        sys.stderr.write("ERROR: conn=<...>, sql = 'PRAGMA schema_version'")
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(Datasette, "invoke_startup", startup)
    with pytest.raises(DatabaseBusy, match=r"menace.db cannot be read \(database is locked\)"):
        serve([shown], 0, False, lambda _: None)
    assert capsys.readouterr().err == ""


@pytest.fixture
def served(shown: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "menace", "serve", "--port", "0", "--db", str(shown)]
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
        connection.request("GET", f"{parts.path}/none/machines.json")
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


def test_a_port_in_use_is_said_to_be(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        fresh_database(tmp_path / "menace.db").close()
        with pytest.raises(OutputError, match=f"^port {port} is in use by another program; take another with --port$"):
            serve([tmp_path / "menace.db"], port, read_only=True, ready=print)


def test_a_missing_file_is_reported_in_a_line_and_left_to_the_page(tmp_path: Path) -> None:
    path = tmp_path / "menace.db"
    command = [sys.executable, "-m", "menace", "serve", "--port", "0", "--db", str(path)]
    looking = [*command, "--read-only"]
    run = subprocess.run(looking, capture_output=True, text=True, check=False, cwd="/", timeout=60)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith(f"menace: there is no database {path}")
    assert not path.exists()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith("http://127.0.0.1:")
    finally:
        process.kill()
        _, printed = process.communicate()
    assert printed == f"there is no database {path} yet; the page makes it, with its first machine\n"
    assert not path.exists()
