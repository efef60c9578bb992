"""Tests of access control, attacks by malformed requests, names that contain code, and the start of the server."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
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
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx
import pytest
from browsing import HOME, PAGE_HEADERS, Tags, ask, get, post, run_async, scope_of, serving, start_server
from database_templates import fresh_database, learner_by_hand, trained_bytes
from datasette.app import Datasette
from random_requests import attack, digest

from menace.errors import DatabaseBusy, MenaceError, OutputError
from menace.explorer.pages import routes
from menace.explorer.server.security import Misdirected, Refused, check_origin, check_writer, guarded, headers_of
from menace.explorer.server.serving import serve, site
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import delete_learner, new_learner
from menace.ledger.log.verification import verify
from menace.ledger.store import connection

FILLED = {"database": "menace", "player": "menace-x", "name": "menace-x", "board": "........."}
READ = [HOME + route.path.format(**FILLED) for route in routes() if route.method == "GET"]
THEIRS = ["/", "/menace", "/menace.json?sql=select+1", "/menace/learner", "/menace/learner.csv", "/menace/learner/1"]
THEIRS += ["/menace/learner/1.json", "/-/static/app.css", "/-/static/none.js", "/-/menace/nothing", "/favicon.ico"]
THEIRS += ["/-/static-plugins/matchbox-menace/keys.js", "/-/versions.json", "/-/databases", "/nothing", "/menace/nil"]
THEIRS += ["/menace/nil.json", "/menace?sql=wrong", "/menace.json?sql=wrong", "/menace/learner/", "/menace/a/1%2"]
ADDRESSES = [*READ, *THEIRS]
FOREIGN_HOSTS = ["rebound.example:8001", "rebound.example", "127.0.0.1.rebound.example", "localhost.rebound.example"]
FOREIGN_HOSTS += ["0.0.0.0:8001", "192.168.0.7:8001", "[::]:8001", "::1", "localhost:", "localhost:8001:1"]
FOREIGN_HOSTS += ["a@localhost", ""]
CROSS = {"sec-fetch-site": "cross-site"}
LINK = {**CROSS, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


def answers(datasette: Any, requests: list[tuple[str, str, dict[str, str]]]) -> Iterator[Any]:
    """Return the responses to requests that are given as (method, address, headers)."""

    async def ask() -> list[Any]:
        await datasette.invoke_startup()
        return [await datasette.client.request(method, where, headers=headers) for method, where, headers in requests]

    yield from asyncio.run(ask())


def test_other_hosts_are_refused_at_every_address(database: Path) -> None:
    requests = [("GET", where, {"host": "rebound.example:8001"}) for where in ADDRESSES]
    requests += [(method, HOME, {"host": host}) for method in ("HEAD", "POST", "PUT") for host in FOREIGN_HOSTS]
    requests += [("OPTIONS", "/", {**PAGE_HEADERS, "host": host}) for host in FOREIGN_HOSTS]
    for (method, where, headers), answer in zip(requests, answers(site([database]), requests), strict=True):
        assert answer.status_code == 421, (method, where, headers)
        assert answer.text.count("\n") == 1 or method == "HEAD"
        assert answer.text.endswith("its own host names; open http://127.0.0.1/-/menace\n") or method == "HEAD"


@pytest.mark.parametrize("host", ["localhost", "localhost:8001", "127.0.0.1:1", "[::1]", "[::1]:65535"])
@pytest.mark.parametrize("site", [{}, {"sec-fetch-site": "none"}, {"sec-fetch-site": "same-origin"}, LINK])
def test_requests_from_this_computer_are_answered(host: str, site: dict[str, str]) -> None:
    check_origin("GET", {"host": host, **site})


@pytest.mark.parametrize("host", [*FOREIGN_HOSTS, None])
def test_other_and_missing_hosts_are_refused(host: str | None) -> None:
    with pytest.raises(Misdirected, match="at one of its own host names"):
        check_origin("GET", {"host": host} if host is not None else {})


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", CROSS),
        ("GET", {"sec-fetch-site": "same-site"}),
        ("GET", {"sec-fetch-site": "who knows"}),
        ("GET", {**CROSS, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"}),
        ("GET", {**CROSS, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}),
        ("GET", {**CROSS, "sec-fetch-mode": "navigate"}),
        ("GET", {**LINK, "sec-fetch-dest": "iframe"}),
        ("GET", {**LINK, "sec-fetch-dest": "object"}),
        ("POST", LINK),
    ],
)
def test_a_page_of_another_site_may_only_link_here(method: str, headers: dict[str, str]) -> None:
    with pytest.raises(
        Refused, match="pages on other sites may link to this address, but may not load it in any other way"
    ):
        check_origin(method, {"host": "localhost", **headers})


def test_pages_of_other_sites_read_no_address(database: Path) -> None:
    requests = [("GET", where, CROSS) for where in ADDRESSES]
    for request, answer in zip(requests, answers(site([database]), requests), strict=True):
        assert (answer.status_code, answer.text.count("\n")) == (403, 1), request


def test_a_link_from_another_site_opens_its_page(database: Path) -> None:
    (page, table) = answers(
        site([database]), [("GET", f"{HOME}/menace/machines", LINK), ("GET", "/menace/learner", LINK)]
    )
    assert (page.status_code, table.status_code) == (200, 200)


def test_duplicate_headers_are_refused() -> None:
    """Servers do not agree on which of two duplicate headers to use, so menace refuses requests with duplicates."""
    headers = headers_of({"headers": [(b"Host", b"localhost"), (b"host", b"rebound.example"), (b"x", b"1")]})
    assert headers == {"host": "localhost, rebound.example", "x": "1"}
    with pytest.raises(Misdirected):
        check_origin("GET", headers)


def policy_of(answer: Any) -> dict[str, str]:
    (header,) = answer.headers.get_list("content-security-policy")
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
    return dict(part.strip().split(" ", 1) for part in header.split(";"))


def test_every_response_has_the_policy_and_a_nonce_for_each_script(database: Path) -> None:
    requests = [("GET", where, {}) for where in ADDRESSES] + [("PUT", HOME, {}), ("GET", "/", {"host": "elsewhere"})]
    statuses, nonces, scripts = set(), set(), 0
    for (_, where, _), answer in zip(requests, answers(site([database]), requests), strict=True):
        policy = policy_of(answer)
        assert (policy["default-src"], policy["frame-ancestors"]) == ("'self'", "'none'"), where
        allowed, (nonce,) = policy["script-src"], re.findall(r"'nonce-([\w-]{20,})'", policy["script-src"])
        assert set(allowed.split()[:2]) == {"'self'", f"'nonce-{nonce}'"}
        assert re.search("unsafe-inline|unsafe-eval|:", allowed) is None
        statuses.add(answer.status_code)
        nonces.add(nonce)
        for tag in re.findall(r"<script\b[^>]*>", answer.text) if "html" in answer.headers["content-type"] else ():
            assert f' nonce="{nonce}"' in tag, where
            scripts += 1
    assert {200, 400, 404, 405, 421} <= statuses
    assert len(nonces) == len(requests)
    assert scripts > 30


def answered_by(app: Any) -> tuple[dict[bytes, bytes], list[Any]]:
    """Return the headers of an application's response, and the messages that the application sends before it fails."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    with contextlib.suppress(ZeroDivisionError):
        asyncio.run(guarded(app, HOME, True)(scope, None, send))  # type: ignore[arg-type]
    return dict(sent[0]["headers"]), sent


def test_only_scripts_of_templates_get_the_nonce_of_their_response(database: Path) -> None:
    """The nonce is correct even if a Datasette plugin requests another page while a page is being rendered."""
    datasette, smuggled = site([database]), "<script>2</script>{{ script_nonce() }}"

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await datasette.invoke_startup()
        await datasette.client.get("/menace")
        templates = datasette.jinja_env if hasattr(datasette, "jinja_env") else datasette.get_jinja_environment()
        template = templates.from_string("<script>1</script>{{ smuggled|safe }}")
        page = await datasette.render_template(template, {"smuggled": smuggled})
        await send({"type": "http.response.start", "status": 200, "headers": [(b"Content-Security-Policy", b"none")]})
        await send({"type": "http.response.body", "body": page.encode()})

    headers, (start, body) = answered_by(app)
    assert len(start["headers"]) == len(headers) == 3  # the application's own policy is replaced
    nonce = re.search("'nonce-([^']+)'", headers[b"content-security-policy"].decode())
    assert nonce is not None
    assert body["body"].decode() == f'<script nonce="{nonce[1]}">1</script>{smuggled}'


def test_failed_responses_have_the_policy() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise ZeroDivisionError

    headers, (start, _) = answered_by(app)
    assert start["status"] == 500
    assert b"content-security-policy" in headers


def test_incomplete_request_bodies_are_refused(database: Path) -> None:
    before, datasette = database.read_bytes(), site([database])
    run_async(datasette.invoke_startup())
    scope = scope_of("POST", f"{HOME}/menace/machines", PAGE_HEADERS)
    status, _, content = ask(datasette.app(), scope, b'{"name": "a", "plays": "X"}', cut_off=True)
    assert status == 400
    assert b"the request ended before it was complete" in content
    assert database.read_bytes() == before


def test_plain_datasette_adds_the_policy_only_to_our_pages(database: Path) -> None:
    requests = [("GET", where, {"host": "school.example", **CROSS}) for where in ("/menace", f"{HOME}/menace/machines")]
    theirs, ours = answers(Datasette([str(database)]), requests)
    assert (theirs.status_code, ours.status_code) == (200, 200)
    assert "content-security-policy" not in theirs.headers
    assert "nonce" not in theirs.text
    assert policy_of(ours)["frame-ancestors"] == "'none'"
    assert "This page is read-only: you cannot play" in ours.text
    assert "data-post" not in ours.text


def test_plain_datasette_is_local_only_if_configured(database: Path) -> None:
    metadata = {"plugins": {"menace": {"local": True}}}
    datasette = Datasette([str(database)], metadata=metadata)
    if not datasette.plugin_config("menace"):  # Datasette 1.0
        datasette = Datasette([str(database)], config=metadata)
    (answer,) = answers(datasette, [("GET", "/menace", {"host": "school.example"})])
    assert answer.status_code == 421


def answers_to(datasette: Any, client: Any, requests: list[dict[str, Any]]) -> list[Any]:
    """Return the responses to requests from a client."""

    async def ask() -> list[Any]:
        await datasette.invoke_startup()
        transport = httpx.ASGITransport(app=datasette.app(), client=client)
        async with httpx.AsyncClient(transport=transport, base_url=PAGE_HEADERS["origin"]) as sender:
            return [await sender.request(**request) for request in requests]

    return asyncio.run(ask())


@pytest.mark.parametrize("client", [("192.168.0.7", 5000), None])
def test_plain_datasette_is_read_only_for_other_computers(database: Path, client: Any) -> None:
    look = [{"method": "GET", "url": f"{HOME}/menace/machines"}]
    ((there,), (here,)) = (answers_to(Datasette([str(database)]), who, look) for who in (client, ("127.0.0.1", 5000)))
    assert "This page is read-only: you cannot play" in there.text
    assert "This page is read-only: you cannot play" not in here.text
    assert "data-post" in here.text


def test_writes_from_other_computers_are_refused_even_with_forged_headers(database: Path) -> None:
    """With `datasette --host 0.0.0.0`, other computers can read the pages but cannot write."""
    before = database.read_bytes()
    written = [HOME + route.path.format(**FILLED) for route in routes() if route.method == "POST"]
    requests = [{"method": "POST", "url": where, "json": {"name": "a"}, "headers": PAGE_HEADERS} for where in written]
    for answer in answers_to(Datasette([str(database)]), ("192.168.0.7", 50_000), requests):
        assert answer.status_code == 403
        assert "only this computer may write, but the request comes from 192.168.0.7" in answer.json()["error"]
    assert database.read_bytes() == before


def test_container_accepts_writes_from_outside_under_local_names(database: Path) -> None:
    """The container runs `menace serve --host 0.0.0.0`, and the browser runs on the container's host."""
    forged = {"host": "rebound.example:8001", "origin": "http://rebound.example:8001"}
    request = {"method": "POST", "url": f"{HOME}/menace/machines/menace-x/rename", "json": {"name": "elsewhere"}}
    requests = [request | {"headers": PAGE_HEADERS | wrong} for wrong in (forged, CROSS, {})]
    sent = answers_to(site([database], any_client=True), ("172.17.0.1", 50_000), requests)
    assert [answer.status_code for answer in sent] == [421, 403, 200]
    assert b"elsewhere" in database.read_bytes()


@pytest.mark.parametrize("space", ["+", "%20", "%0A", "%0D%0A", "%C2%A0"])
def test_many_spaces_after_a_comment_are_refused_quickly(space: str, database: Path) -> None:
    many, few = "/menace.json?sql=/**/" + space * 3000 + "x", "/menace.json?sql=/**/" + space * 100 + "select+1+as+a"
    start = time.monotonic()
    refused, answered = answers(site([database]), [("GET", many, {}), ("GET", few, {})])
    assert (refused.status_code, refused.text.count("\n")) == (403, 1)
    assert "spaces in a row" in refused.text
    assert "spaces in a row" not in answered.text
    assert (
        time.monotonic() - start < 5
    )  # in seconds; without the check, Datasette's time is quadratic in the number of spaces


def test_pages_show_the_name_and_the_rules_of_the_game(shown: Path) -> None:
    home, board, machines = (
        get(site([shown]), path).text for path in ("", "/menace/explore/.........", "/menace/machines")
    )
    assert "<h2>Noughts and crosses</h2>" in home
    assert "<h1>Noughts and crosses: .........</h1>" in board
    assert "Machines that play noughts and crosses <small>" in machines
    for page in (home, board):
        assert "<summary>The rules</summary><p>The board has 3 rows and 3 columns. X and O take turns" in page


@pytest.mark.parametrize("address", ["/nothing/machines.json", "/_memory/machines.json"])
def test_other_databases_have_no_pages(shown: Path, address: str) -> None:
    page = get(site([shown]), address)
    assert page.status_code == 404
    assert page.json()["error"].startswith("this server has no menace database")


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
def test_shortened_addresses_redirect_and_unknown_ones_show_an_error_page(
    shown: Path, address: str, leads_to: str | None
) -> None:
    page = get(site([shown]), address)
    if leads_to is None:
        assert page.status_code == 404
        assert '<p><a href="/-/menace">Go to the first page</a></p>' in page.text
    else:
        assert (page.status_code, page.headers["location"]) == (302, f"/-/menace{leads_to}")


def test_every_address_refuses_other_methods(shown: Path) -> None:
    requests = [("PUT", HOME + re.sub(r"{\w+}", "menace", route.path), {}) for route in routes()]
    assert {answer.status_code for answer in answers(site([shown]), requests)} == {405}


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
    check_writer({**PAGE_HEADERS, "host": host, "origin": f"http://{host}"}, port, client)


OTHERS = "only this computer may write, but the request comes from"
WRONG_HOST, WRONG_PORT = "the Host header is none of localhost, 127.0.0.1", "the port in the Host header is not 8001"
WRONG_ORIGIN, WRONG_SITE = "the Origin header is wrong or missing", "the Sec-Fetch-Site header is not same-origin"
WRONG_TYPE = "must be sent as application/json"


RULES: list[tuple[str, str, list[str | None]]] = [
    (
        "host",
        WRONG_HOST,
        ["rebound.example:8001", "127.0.0.1.rebound.example:8001", "127.0.0.1:\u0668\u0660\u0660\u0661"],
    ),
    ("host", WRONG_HOST, ["127.0.0.1:8001, rebound.example", "rebound.example:8001@127.0.0.1:8001", None]),
    ("host", WRONG_PORT, ["127.0.0.1", "127.0.0.1:8002", "127.0.0.1:99999"]),
    ("origin", WRONG_ORIGIN, ["http://127.0.0.1:9999", "https://127.0.0.1:8001", "http://127.0.0.1:8001/", "http://["]),
    ("origin", WRONG_ORIGIN, ["null", None]),
    ("sec-fetch-site", WRONG_SITE, ["cross-site", "same-site", "none", None]),
    (
        "content-type",
        WRONG_TYPE,
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None],
    ),
]


@pytest.mark.parametrize(("header", "message", "values"), RULES)
def test_each_rule_for_writing_refuses_and_says_what_it_expects(
    header: str, message: str, values: list[str | None]
) -> None:
    for value in values:
        headers = {name: text for name, text in {**PAGE_HEADERS, header: value}.items() if text is not None}
        if header == "host" and value is not None:
            # the origin matches, so only the rule about host names can refuse the request
            headers["origin"] = f"http://{value}"
        with pytest.raises(Refused, match=message):
            check_writer(headers, 8001, "127.0.0.1")


ELSEWHERE = "http://elsewhere.example"
BY_DATASETTE = "Sec-Fetch-Site was"  # this message comes from Datasette 1.0, whose check runs before menace's
# Each row has headers, and the message and status of any page, and of a server that answers only this computer.
FOREIGN = [
    ({"origin": ELSEWHERE, **CROSS}, (WRONG_ORIGIN, 403), ("pages on other sites may link to this address", 403)),
    ({"content-type": "text/plain"}, (WRONG_TYPE, 403), (WRONG_TYPE, 403)),
    ({"host": "elsewhere.example:8001", "origin": f"{ELSEWHERE}:8001"}, (WRONG_HOST, 403), ("its own host names", 421)),
]


@pytest.mark.slow
@pytest.mark.parametrize("local", [True, False])
def test_cross_site_writes_are_refused_at_every_address(database: Path, local: bool) -> None:
    before, content = digest(database), json.dumps({"name": "new", "plays": "X", "against": "random", "games": 3})
    writable = [HOME + route.path.format(**FILLED) for route in routes() if route.method == "POST"]

    async def answers_to(headers: dict[str, str]) -> list[Any]:
        datasette: Any = site([database]) if local else Datasette([str(database)])
        await datasette.invoke_startup()
        return [await datasette.client.post(where, content=content, headers=headers) for where in writable]

    assert len(writable) > 20
    for changed, by_page, by_server in FOREIGN:
        message, status = by_server if local else by_page
        for where, answer in zip(writable, asyncio.run(answers_to(PAGE_HEADERS | changed)), strict=True):
            assert answer.status_code == status, where
            assert message in answer.text or BY_DATASETTE in answer.text, (where, answer.text)
    assert digest(database) == before


@pytest.mark.parametrize(
    "client", ["192.168.0.7", "8.8.8.8", "::ffff:192.168.0.7", "2001:db8::1", "0.0.0.0", "", "me", None]
)
def test_check_writer_refuses_other_computers(client: str | None) -> None:
    port = 8001 if client is not None else None  # None is a Unix socket
    with pytest.raises(Refused, match=f"{OTHERS} {client or 'an unknown address'}"):
        check_writer(PAGE_HEADERS, port, client)


def test_missing_datasette_is_reported_in_one_line(shown: Path) -> None:
    without = "import sys; sys.modules['datasette'] = None; sys.argv[0] = 'menace'; from menace.cli import main; main()"
    command = [sys.executable, "-c", without, "serve", "--port", "0", "--db", str(shown)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=30)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("menace: this feature needs datasette, which is not installed")
    assert len(run.stderr.splitlines()) == 1
    assert '[web]"' in run.stderr


def test_file_locked_during_start_is_reported_in_one_line(
    shown: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Datasette 1.0 reads its database files when it starts.

    If a file stays locked, the error message of Datasette itself has several lines.
    """
    from datasette.utils.sqlite import sqlite3

    async def startup(_: Datasette) -> None:
        sys.stderr.write("ERROR: conn=<...>, sql = 'PRAGMA schema_version'")
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(Datasette, "invoke_startup", startup)
    with pytest.raises(DatabaseBusy, match=r"menace.db cannot be read \(database is locked\)"):
        serve([shown], 0, False, lambda _: None)
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_responses_are_not_delayed_by_nagles_algorithm(shown: Path) -> None:
    """With Nagle's algorithm, every response on a connection except the first takes at least 40 ms."""
    seconds = []
    with serving(shown) as address:
        parts = urlsplit(address)
        connection = http.client.HTTPConnection(parts.netloc, timeout=30)
        for _ in range(40):
            start = time.monotonic()
            connection.request("GET", f"{parts.path}/none/machines.json")
            connection.getresponse().read()
            seconds.append(time.monotonic() - start)
        connection.close()
    assert sorted(seconds)[10] < 0.02


def test_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        fresh_database(tmp_path / "menace.db").close()
        with pytest.raises(OutputError, match=f"^port {port} is in use by another program; choose another one"):
            serve([tmp_path / "menace.db"], port, read_only=True, ready=print)


def test_missing_file_is_reported_in_one_line_and_not_created(tmp_path: Path) -> None:
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
    assert printed == f"there is no database {path} yet; create it, along with a machine, on the home page\n"
    assert not path.exists()


@pytest.mark.parametrize(("seed", "requests"), [(12, 200), pytest.param(13, 300, marks=pytest.mark.slow)])
def test_random_requests_cause_no_server_error(database: Path, seed: int, requests: int) -> None:
    assert asyncio.run(attack(database, seed, requests)) == []
    with open_database(database) as store:
        verify(store)


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

    datasette = site([database])
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
        answer = get(datasette, page)
        assert answer.headers["content-type"].startswith("text/html"), page
        tags = Tags(answer.text)
        bad = dangerous_tags(tags)
        bad += [] if page else {name for name in names if name.isprintable()} - tags.texts
        if answer.status_code != 200 or bad:
            wrong.append((page, answer.status_code, bad[:9]))
    assert wrong == []


def test_pages_wait_only_briefly_for_a_locked_file(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("menace.explorer.server.requests.READ_TIMEOUT", 0.05)

    datasette = site([database])
    get(datasette, "/menace/machines.json")  # Datasette itself reads the file during this request
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        start = time.monotonic()
        answer = get(datasette, "/menace/machines/menace-x.json")
        seconds = time.monotonic() - start
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

    datasette = site([database])

    def send(act: str, **sent: object) -> dict[str, Any]:
        reply: dict[str, Any] = post(datasette, f"/menace/play/doomed/{act}", sent).json()
        return reply

    scene = send("begin", seed=1)
    with open_database(database) as store:
        delete_learner(store, "doomed")
    for cell in "012345678":
        reply = send("move", token=scene["token"], move=cell)
        scene = reply if "board" in reply else scene
    assert scene["outcome"] is not None
    assert scene["error"].startswith("doomed has been deleted")
