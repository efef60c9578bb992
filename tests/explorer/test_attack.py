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
import subprocess
import sys
import time
import urllib.request
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
from browsing import HOME, PAGE_HEADERS, get
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


LINK = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
HOST, ELSEWHERE = PAGE_HEADERS["host"], "http://elsewhere.example"
NO_NAME, NO_LINK = ("its own names; open http://127.0.0.1/-/menace", "pages of other sites may link to this address")
HOSTS, ORIGIN = "the Host is none of localhost, 127.0.0.1, [::1]", "the Origin is different or missing"
BY_DATASETTE = "Sec-Fetch-Site was"  # this message comes from Datasette 1.0, which checks before menace does
FETCHED, TYPE = "Sec-Fetch-Site is not same-origin", "must be sent as application/json"
FOREIGN = [  # (headers, message from each page, message from a server that is for this computer only and checks first)
    ({**PAGE_HEADERS, "origin": ELSEWHERE, "sec-fetch-site": "cross-site"}, ORIGIN, NO_LINK),
    ({**PAGE_HEADERS, "sec-fetch-site": "cross-site"}, FETCHED, NO_LINK),
    ({**PAGE_HEADERS, **LINK}, FETCHED, NO_LINK),
    ({**PAGE_HEADERS, "content-type": "application/x-www-form-urlencoded", "origin": ELSEWHERE}, ORIGIN, ORIGIN),
    ({**PAGE_HEADERS, "content-type": "text/plain"}, TYPE, TYPE),
    ({**PAGE_HEADERS, "host": "elsewhere.example:8001", "origin": f"{ELSEWHERE}:8001"}, HOSTS, NO_NAME),
    ({**PAGE_HEADERS, "host": "elsewhere.example:8001"}, HOSTS, NO_NAME),
    ({**PAGE_HEADERS, "origin": "null"}, ORIGIN, ORIGIN),
    ({**PAGE_HEADERS, "origin": "http://["}, ORIGIN, ORIGIN),
    ({**PAGE_HEADERS, "origin": f"{PAGE_HEADERS['origin']}/"}, ORIGIN, ORIGIN),
    ({**PAGE_HEADERS, "sec-fetch-site": "same-site"}, FETCHED, NO_LINK),
    ({key: value for key, value in PAGE_HEADERS.items() if key != "sec-fetch-site"}, FETCHED, FETCHED),
    ({key: value for key, value in PAGE_HEADERS.items() if key != "origin"}, ORIGIN, ORIGIN),
    ({"host": HOST, "content-type": "multipart/form-data; boundary=x", "x-forwarded-host": HOST}, ORIGIN, ORIGIN),
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
        for route, (headers, by_page, by_server) in itertools.product(writable, FOREIGN):
            where, message = HOME + route.path.format(**filled), by_server if local else by_page
            answer = await datasette.client.post(where, content=content, headers=headers)
            requests += 1
            right = message in answer.text or BY_DATASETTE in answer.text
            if answer.status_code != (421 if message == NO_NAME else 403) or not right:
                wrong.append((where, headers, answer.status_code, answer.text))

    asyncio.run(ask())
    assert wrong == []
    assert requests == len(FOREIGN) * len(writable) > 100
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


class Tags(HTMLParser):
    """A parser that collects the tags of a page and the attributes that run code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.bad: list[str] = []
        self.texts: set[str] = set()
        self.feed(text)

    def handle_data(self, data: str) -> None:
        self.texts |= {data, data.strip()}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        runs = [name for name in given if name.startswith("on")]
        elsewhere = [value for name, value in attrs if name in {"href", "src"} and re.match(r"\w+:|//", value or "")]
        if given.get("rel") == "icon" and (given["href"] or "").startswith("data:image/svg+xml,"):
            elsewhere = []  # a picture embedded in the page cannot run or load anything
        if runs or elsewhere or (tag == "script" and not given.get("src")):
            self.bad.append(f"{tag} {attrs}")


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
            bad = tags.bad if page else [*tags.bad, *({name for name in names if name.isprintable()} - tags.texts)]
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
    """The server may take a second to finish requests, plus its start-up time, because this computer may be busy."""
    command = [sys.executable, "-m", "menace", "serve", "--port", "0", "--db", str(database)]
    begun = time.monotonic()
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None
    addresses = [f"{HOME}/menace/machines", *[f"{HOME}/menace/play/menace-x/progress.json"] * 4]
    try:
        home = urlsplit(server.stdout.readline().split()[0])
        urllib.request.urlopen(home.geturl(), timeout=20).close()
        starting = time.monotonic() - begun
        with contextlib.ExitStack() as stack:
            connection = stack.enter_context(contextlib.closing(sqlite3.connect(database, isolation_level=None)))
            connection.execute("BEGIN EXCLUSIVE")
            for address in addresses:
                asking = stack.enter_context(socket.create_connection((home.hostname, home.port)))
                asking.sendall(f"GET {address} HTTP/1.1\r\nHost: {home.netloc}\r\n\r\n".encode())
            time.sleep(0.3)
            server.send_signal(signal.SIGINT)
            start = time.monotonic()
            _, printed = server.communicate(timeout=20)
            seconds = time.monotonic() - start
    finally:
        server.kill()
        server.wait()
    assert seconds < 1 + starting
    assert "Traceback" not in printed


def test_reading_an_older_file_does_not_change_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "menace.db"
    path.write_bytes(trained_bytes(50))
    monkeypatch.setattr(connection, "SCHEMA_VERSION", connection.SCHEMA_VERSION + 1)
    before = digest(path)
    answer = get(site([path]), "/menace/machines.json")
    assert answer.status_code == 400
    assert "upgrades it" in answer.json()["error"]
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
