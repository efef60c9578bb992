"""Access control: which host names and origins are answered at every address, and the headers of responses."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import HOME, OURS
from datasette.app import Datasette

from menace.explorer.pages.routes import routes
from menace.explorer.server.errors import Misdirected, Refused
from menace.explorer.server.security import check_origin, guarded, headers_of
from menace.explorer.server.serving import site

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
    """Return what is answered to requests: method, address, headers."""

    async def ask() -> list[Any]:
        await datasette.invoke_startup()
        return [await datasette.client.request(method, where, headers=headers) for method, where, headers in requests]

    yield from asyncio.run(ask())


def test_no_address_answers_under_another_name_by_any_method(database: Path) -> None:
    requests = [("GET", where, {"host": "rebound.example:8001"}) for where in ADDRESSES]
    requests += [(method, HOME, {"host": host}) for method in ("HEAD", "POST", "PUT") for host in FOREIGN_HOSTS]
    requests += [("OPTIONS", "/", {**OURS, "host": host}) for host in FOREIGN_HOSTS]
    for (method, where, headers), answer in zip(requests, answers(site([database]), requests), strict=True):
        assert answer.status_code == 421, (method, where, headers)
        assert answer.text.count("\n") == 1 or method == "HEAD"
        assert answer.text.endswith("its own names; open http://127.0.0.1/-/menace\n") or method == "HEAD"


@pytest.mark.parametrize("host", ["localhost", "localhost:8001", "127.0.0.1:1", "[::1]", "[::1]:65535"])
@pytest.mark.parametrize("site", [{}, {"sec-fetch-site": "none"}, {"sec-fetch-site": "same-origin"}, LINK])
def test_who_is_at_home_is_answered(host: str, site: dict[str, str]) -> None:
    check_origin("GET", {"host": host, **site})


@pytest.mark.parametrize("host", [*FOREIGN_HOSTS, None])
def test_no_other_name_and_no_missing_one_is_this_machines(host: str | None) -> None:
    with pytest.raises(Misdirected, match="under its own names"):
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
def test_a_page_of_another_site_may_only_link_here(database: Path, method: str, headers: dict[str, str]) -> None:
    with pytest.raises(Refused, match="a page of another site may link to this address"):
        check_origin(method, {"host": "localhost", **headers})
    requests = [(method, where, headers) for where in ADDRESSES]
    for request, answer in zip(requests, answers(site([database]), requests), strict=True):
        assert (answer.status_code, answer.text.count("\n")) == (403, 1), request


def test_a_link_from_another_site_opens_its_page(database: Path) -> None:
    (page, table) = answers(
        site([database]), [("GET", f"{HOME}/menace/machines", LINK), ("GET", "/menace/learner", LINK)]
    )
    assert (page.status_code, table.status_code) == (200, 200)


def test_duplicate_headers_fit_no_rule() -> None:
    """Which of two a server believes is its own matter; here it is neither."""
    headers = headers_of({"headers": [(b"Host", b"localhost"), (b"host", b"rebound.example"), (b"x", b"1")]})
    assert headers == {"host": "localhost, rebound.example", "x": "1"}
    with pytest.raises(Misdirected):
        check_origin("GET", headers)


# Headers of answers.


def policy_of(answer: Any) -> dict[str, str]:
    (header,) = answer.headers.get_list("content-security-policy")
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
    return dict(part.strip().split(" ", 1) for part in header.split(";"))


def test_every_answer_has_the_policy_and_each_script_in_it_its_nonce(database: Path) -> None:
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
    """Return the headers of what an application answers, and all that it sends, up to where it fails."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    with contextlib.suppress(ZeroDivisionError):
        asyncio.run(guarded(app, HOME, True)(scope, None, send))  # type: ignore[arg-type]
    return dict(sent[0]["headers"]), sent


def test_a_script_among_the_data_has_no_nonce_and_one_of_the_template_has_its_answers_own(database: Path) -> None:
    """Also when another page is requested meanwhile, as Datasette's plugins do."""
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
    assert len(start["headers"]) == len(headers) == 3  # the policy of another is replaced
    nonce = re.search("'nonce-([^']+)'", headers[b"content-security-policy"].decode())
    assert nonce is not None
    assert body["body"].decode() == f'<script nonce="{nonce[1]}">1</script>{smuggled}'


def test_a_server_that_fails_has_the_policy_too() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise ZeroDivisionError

    headers, (start, _) = answered_by(app)
    assert start["status"] == 500
    assert b"content-security-policy" in headers


def test_what_was_sent_of_a_request_that_is_cut_off_is_not_taken_for_the_whole(database: Path) -> None:
    before, sent = database.read_bytes(), []
    parts = [
        {"type": "http.request", "body": b'{"name": "a", "plays": "X"}', "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def ask() -> None:
        datasette = site([database])
        await datasette.invoke_startup()
        where = f"{HOME}/menace/machines"
        scope = {"type": "http", "method": "POST", "path": where, "raw_path": where.encode(), "query_string": b""}
        scope |= {"client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 8001), "scheme": "http"}
        scope["headers"] = [(name.encode(), text.encode()) for name, text in OURS.items()]
        coming = iter(parts)

        async def receive() -> Any:
            return next(coming)

        async def send(message: Any) -> None:
            sent.append(message)

        await datasette.app()(scope, receive, send)

    asyncio.run(ask())
    assert sent[0]["status"] == 400
    assert b"the request ended before all of it was sent" in sent[1]["body"]
    assert database.read_bytes() == before


# Plain `datasette`, which may be served under any name.


def test_plain_datasette_answers_as_it_does_and_our_pages_have_the_policy(database: Path) -> None:
    requests = [("GET", where, {"host": "school.example", **CROSS}) for where in ("/menace", f"{HOME}/menace/machines")]
    theirs, ours = answers(Datasette([str(database)]), requests)
    assert (theirs.status_code, ours.status_code) == (200, 200)
    assert "content-security-policy" not in theirs.headers
    assert "nonce" not in theirs.text
    assert policy_of(ours)["frame-ancestors"] == "'none'"
    assert "Only to look at here" in ours.text
    assert "data-post" not in ours.text


@pytest.mark.parametrize("client", [("192.168.0.7", 5000), None])
def test_plain_datasette_offers_another_machine_nothing_to_write(database: Path, client: Any) -> None:
    async def ask(client: Any) -> str:
        datasette = Datasette([str(database)])
        await datasette.invoke_startup()
        transport = httpx.ASGITransport(datasette.app(), client=client)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8001") as sender:
            return (await sender.get(f"{HOME}/menace/machines")).text

    assert "Only to look at here" in asyncio.run(ask(client))
    here = asyncio.run(ask(("127.0.0.1", 5000)))
    assert "Only to look at here" not in here
    assert "data-post" in here


def test_plain_datasette_is_local_only_where_configured_so(database: Path) -> None:
    metadata = {"plugins": {"menace": {"local": True}}}
    datasette = Datasette([str(database)], metadata=metadata)
    if not datasette.plugin_config("menace"):  # Datasette 1.0
        datasette = Datasette([str(database)], config=metadata)
    (answer,) = answers(datasette, [("GET", "/menace", {"host": "school.example"})])
    assert answer.status_code == 421


def test_who_writes_from_another_machine_is_refused_whatever_headers_it_forges(database: Path) -> None:
    """What `datasette --host 0.0.0.0` shows to others they cannot change."""
    httpx = pytest.importorskip("httpx")
    before = database.read_bytes()

    async def ask() -> list[Any]:
        datasette = Datasette([str(database)])
        await datasette.invoke_startup()
        responses = []
        for route in routes():
            if route.method != "POST":
                continue
            transport = httpx.ASGITransport(app=datasette.app(), client=("192.168.0.7", 50_000))
            async with httpx.AsyncClient(transport=transport, base_url=OURS["origin"]) as client:
                responses.append(
                    await client.post(HOME + route.path.format(**FILLED), json={"name": "a"}, headers=OURS)
                )
        return responses

    for answer in asyncio.run(ask()):
        assert answer.status_code == 403
        assert "only this machine may write: the request comes from 192.168.0.7" in answer.json()["error"]
    assert database.read_bytes() == before


def test_a_container_is_written_to_from_outside_under_the_names_of_this_machine_alone(database: Path) -> None:
    """What `menace serve --host 0.0.0.0` answers to a browser on the computer that the container runs on."""
    datasette, path = site([database], any_client=True), f"{HOME}/menace/machines/menace-x/rename"
    forged = {"host": "rebound.example:8001", "origin": "http://rebound.example:8001"}

    async def ask() -> list[int]:
        await datasette.invoke_startup()
        transport = httpx.ASGITransport(app=datasette.app(), client=("172.17.0.1", 50_000))
        async with httpx.AsyncClient(transport=transport, base_url=OURS["origin"]) as client:
            sent = [
                await client.post(path, json={"name": "elsewhere"}, headers=OURS | wrong)
                for wrong in (forged, CROSS, {})
            ]
        return [answer.status_code for answer in sent]

    assert asyncio.run(ask()) == [421, 403, 200]
    assert b"elsewhere" in database.read_bytes()


@pytest.mark.parametrize("space", ["+", "%20", "%0A", "%0D%0A", "%C2%A0"])
def test_spaces_behind_a_comment_keep_nobody_waiting(space: str, database: Path) -> None:
    many, few = "/menace.json?sql=/**/" + space * 3000 + "x", "/menace.json?sql=/**/" + space * 100 + "select+1+as+a"
    start = time.monotonic()
    refused, answered = answers(site([database]), [("GET", many, {}), ("GET", few, {})])
    assert (refused.status_code, refused.text.count("\n")) == (403, 1)
    assert "spaces in a row" in refused.text
    assert "spaces in a row" not in answered.text
    assert time.monotonic() - start < 5  # seconds; Datasette takes one for each thousand squared
