"""Tests that attack the explorer with malformed requests, cross-site writes and names that contain code."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import re
import signal
import socket
import sqlite3
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
from browsing import HOME, PAGE_HEADERS, Tags, get, start_server
from datasette.app import Datasette
from random_requests import attack, digest
from templates import learner_by_hand, trained_bytes

from menace.errors import MenaceError
from menace.explorer.pages import routes
from menace.explorer.server.serving import site
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import delete_learner, new_learner
from menace.ledger.log.verification import verify
from menace.ledger.store import connection


@pytest.mark.parametrize(("seed", "requests"), [(12, 200), pytest.param(13, 300, marks=pytest.mark.slow)])
def test_random_requests_cause_no_server_error(database: Path, seed: int, requests: int) -> None:
    assert asyncio.run(attack(database, seed, requests)) == []
    with open_database(database) as store:
        verify(store)


ELSEWHERE = "http://elsewhere.example"
BY_DATASETTE = "Sec-Fetch-Site was"  # this message comes from Datasette 1.0, whose check runs before menace's
# Each rule has one request here; test_access.py tests the rules with all headers. Each entry contains the headers, the
# message and status that a page returns, and those that a server for local requests returns, which checks first.
FOREIGN = [
    (
        {"origin": ELSEWHERE, "sec-fetch-site": "cross-site"},
        ("the Origin header is different or missing", 403),
        ("pages on other sites may link to this address", 403),
    ),
    (
        {"content-type": "text/plain"},
        ("must be sent as application/json", 403),
        ("must be sent as application/json", 403),
    ),
    (
        {"host": "elsewhere.example:8001", "origin": f"{ELSEWHERE}:8001"},
        ("the Host header is none of localhost, 127.0.0.1, [::1]", 403),
        ("its own host names; open http://127.0.0.1/-/menace", 421),
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("local", [True, False])
def test_cross_site_writes_are_refused_at_every_address(database: Path, local: bool) -> None:
    before, content = digest(database), json.dumps({"name": "new", "plays": "X", "against": "random", "games": 3})
    writable = [route for route in routes() if route.method == "POST"]
    filled = {"database": "menace", "player": "menace-x", "name": "menace-x", "board": "........."}
    requests, wrong = 0, []

    async def ask() -> None:
        nonlocal requests
        datasette = site([database]) if local else Datasette([str(database)])
        await datasette.invoke_startup()
        for route, (changed, by_page, by_server) in itertools.product(writable, FOREIGN):
            where, (message, status) = HOME + route.path.format(**filled), by_server if local else by_page
            answer = await datasette.client.post(where, content=content, headers=PAGE_HEADERS | changed)
            requests += 1
            right = message in answer.text or BY_DATASETTE in answer.text
            if answer.status_code != status or not right:
                wrong.append((where, changed, answer.status_code, answer.text))

    asyncio.run(ask())
    assert wrong == []
    assert requests == len(FOREIGN) * len(writable) > 60
    assert digest(database) == before


RULED = ["-", "'", '"', "&", "<", ">", "<b>", "</td>", "<script>", "a'b", 'a"b', "a&amp;b", "&#60;", "a;b", "a--b"]
RULED += ["' or 1=1", '"><i>', "{{7*7}}", "{%raw%}", "${7}", "$1", "%", "%s", "%2e", "%00", "a.json", "a.svg", "~2E"]
RULED += ["a?b=c", "a#b", "a+b", "a b", "a=b", "[a]", "(a)", "a|b", "a^b", "`a`", "é", "日本", "ß", "٣", "\U0001f4a9"]
RULED += ["on=alert", "a@b", "a!b", "*", "null", "NaN", "true", "0", "1e999", "__proto__", "constructor", "a" * 64]
RULED += ["learners.json", "progress.json", "history", "train", "begin", "machines", "a..b", "a.b.json.json", "x_"]
RULED += ["drop table learner", "select", "Infinity", "0x10", "-1", "1.0", "ñandú", "мама", "اسم", "שם", "Ǆ", "a.js"]
RULED += ["true.json", "tab.html", "ﬁ", "0.0.0.0", "localhost", "con", "nul", "style", "script", "undefined"]
EDITED = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\u202eevil\u2066", "' onclick='alert(1)"]
EDITED += ['"><svg onload=alert(1)>', "javascript:alert(1)", "</title><script>1</script>", "a\nb", "a\0b", "\\"]
EDITED += ["..", ".", "a/b", "&lt;b&gt;", "%2F..", "a?b=c#d"]


def dangerous_tags(page: Tags) -> list[str]:
    """Return the tags of a page that run code or load content from other sites."""
    bad = []
    for tag, given in page.tags:
        runs = any(name.startswith("on") for name in given) or (tag == "script" and not given.get("src"))
        elsewhere = any(re.match(r"\w+:|//", given.get(name, "")) for name in ("href", "src"))
        # a picture that is embedded in the page cannot run or load anything
        is_picture = given.get("rel") == "icon" and given.get("href", "").startswith("data:image/svg+xml,")
        if runs or (elsewhere and not is_picture):
            bad.append(f"{tag} {given}")
    return bad


@pytest.fixture
def named(database: Path) -> tuple[Path, list[str]]:
    allowed = []
    with open_database(database) as store:
        for name in RULED:
            try:
                allowed.append(new_learner(store, name, "X").name)
            except MenaceError:
                continue
        for name in EDITED:
            learner_by_hand(store, name, "X")
    return database, [*allowed, *EDITED]


@pytest.mark.slow
def test_names_with_code_are_escaped_on_every_page(named: tuple[Path, list[str]]) -> None:
    database, names = named
    assert len(names) >= 50
    wrong = []

    async def look() -> None:
        datasette = site([database])
        await datasette.invoke_startup()
        chance = random.Random(3)
        pages = ["", "/menace/machines"]
        for name in names:
            part = quote(name, safe="").replace(".json", "%2Ejson")  # as in the links on our pages
            part = "%2E" * len(name) if name in {".", ".."} else part
            own = [f"/menace/machines/{part}", f"/menace/play/{part}", f"/menace/boxes/{part}?show=empty"]
            pages += [chance.choice(own)] if name in RULED else own[:2]
        for page, name in zip(("explore/.........", "compare", "graph"), EDITED, strict=False):
            pages.append(f"/menace/{page}?{urlencode({'learner': name})}")
        for page in pages:
            answer = await datasette.client.get(HOME + page)
            assert answer.headers["content-type"].startswith("text/html"), page
            tags = Tags(answer.text)
            bad = dangerous_tags(tags)
            bad += [] if page else {name for name in names if name.isprintable()} - tags.texts
            if answer.status_code != 200 or bad:
                wrong.append((page, answer.status_code, bad[:9]))

    asyncio.run(look())
    assert wrong == []


def test_pages_wait_only_briefly_for_a_locked_file(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("menace.explorer.server.requests.READ_TIMEOUT", 0.05)

    async def wait() -> tuple[Any, float]:
        datasette = site([database])
        await datasette.invoke_startup()
        # Datasette itself reads the file during this request
        await datasette.client.get(f"{HOME}/menace/machines.json")
        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            start = time.monotonic()
            answer = await datasette.client.get(f"{HOME}/menace/machines/menace-x.json")
            return answer, time.monotonic() - start

    answer, seconds = asyncio.run(wait())
    assert answer.status_code == 503
    assert "locked by another program" in answer.json()["error"]
    assert seconds < 5


@pytest.mark.slow
def test_ctrl_c_ends_the_server_while_pages_poll_a_locked_file(database: Path) -> None:
    """The server may take its start-up time plus one second to finish requests, because the computer may be busy."""
    addresses = [f"{HOME}/menace/machines", *[f"{HOME}/menace/play/menace-x/progress.json"] * 4]
    with start_server(database) as (process, address, starting), contextlib.ExitStack() as stack:
        home = urlsplit(address)
        urllib.request.urlopen(address, timeout=20).close()
        connection = stack.enter_context(contextlib.closing(sqlite3.connect(database, isolation_level=None)))
        connection.execute("BEGIN EXCLUSIVE")
        for page in addresses:
            asking = stack.enter_context(socket.create_connection((home.hostname, home.port)))
            asking.sendall(f"GET {page} HTTP/1.1\r\nHost: {home.netloc}\r\n\r\n".encode())
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        _, printed = process.communicate(timeout=20)
        seconds = time.monotonic() - start
    assert seconds < 1 + starting
    assert "Traceback" not in printed


def test_reading_an_older_file_does_not_change_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "menace.db"
    path.write_bytes(trained_bytes(50))
    monkeypatch.setattr(connection, "SCHEMA_VERSION", connection.SCHEMA_VERSION + 1)
    before = digest(path)
    answer = get(site([path]), "/menace/machines.json")
    assert answer.status_code == 400
    assert "upgrades the file" in answer.json()["error"]
    assert get(site([path]), "/menace/play/menace-x").status_code == 400
    assert digest(path) == before
    assert [file.name for file in tmp_path.iterdir()] == ["menace.db"]


def test_game_against_a_deleted_machine_can_be_finished(database: Path) -> None:
    with open_database(database) as store:
        new_learner(store, "doomed", "O")

    async def play() -> dict[str, Any]:
        datasette = site([database])
        await datasette.invoke_startup()

        async def send(act: str, **sent: object) -> dict[str, Any]:
            where = f"{HOME}/menace/play/doomed/{act}"
            return dict((await datasette.client.post(where, content=json.dumps(sent), headers=PAGE_HEADERS)).json())

        scene = await send("begin", seed=1)
        with open_database(database) as store:
            delete_learner(store, "doomed")
        for cell in "012345678":
            reply = await send("move", token=scene["token"], move=cell)
            scene = reply if "board" in reply else scene
        return scene

    scene = asyncio.run(play())
    assert scene["outcome"] is not None
    assert scene["error"].startswith("doomed has been deleted")
