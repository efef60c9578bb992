"""Helpers for testing the explorer: requests with the same headers that our pages send, and a real browser."""

from __future__ import annotations

import asyncio
import atexit
import functools
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from commands import start_command

HOME = "/-/menace"
PAGE_HEADERS = {
    "host": "127.0.0.1:8001",
    "origin": "http://127.0.0.1:8001",
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
}
# Each entry contains changes to PAGE_HEADERS, the address of a client, and the status of a write request with both.
WRITERS: list[tuple[dict[str, str], str, int]] = [
    ({}, "127.0.0.1", 200),
    ({}, "192.168.1.7", 403),
    ({"host": "192.168.1.7:8001", "origin": "http://192.168.1.7:8001"}, "192.168.1.7", 421),
    ({"host": "evil.example:8001"}, "127.0.0.1", 421),
    ({"origin": "http://evil.example"}, "127.0.0.1", 403),
    ({"origin": ""}, "127.0.0.1", 403),
    ({"sec-fetch-site": "cross-site"}, "127.0.0.1", 403),
    ({"content-type": "text/plain"}, "127.0.0.1", 403),
]
# The servers of a class and of a kiosk refuse these bodies at every address that reads a body.
MALFORMED_BODIES = [b"", b"[]", b"null", b"{", b"\xff", b"[" * 1500, b'{"turn": "' + b"x" * 3000 + b'"}']
MALFORMED_BODIES += [b'{"turn": 1, "code": 7, "name": null}', b'{"turn": ["a"], "ply": -1, "code": {}}']
CLIENT_ERROR = "responded with a status of 4"  # part of Chromium's message, for example about an invalid board


def run_async(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in another thread, because this thread may run the shared browser's event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def get(datasette: Any, address: str, **headers: str) -> Any:
    """Send a GET request to an address below HOME, and return the response."""

    async def answer() -> Any:
        await datasette.invoke_startup()
        return await datasette.client.get(HOME + address, headers=headers)

    return run_async(answer())


def post(datasette: Any, address: str, body: object, headers: dict[str, str] | None = None) -> Any:
    """Send a POST request to an address below HOME, and return the response. It has the headers that our pages send."""

    async def answer() -> Any:
        await datasette.invoke_startup()
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await datasette.client.post(HOME + address, content=content, headers=headers or PAGE_HEADERS)

    return run_async(answer())


def scope_of(
    method: str,
    path: str,
    headers: dict[str, str],
    client: str = "127.0.0.1",
    server: tuple[str, int] = ("127.0.0.1", 8001),
) -> dict[str, Any]:
    """Return the ASGI connection scope of a request."""
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": encoded, "server": server, "client": (client, 5000), "http_version": "1.1",
            "scheme": "http", "root_path": ""}  # fmt: skip


def ask(
    app: Callable[..., Awaitable[None]], scope: dict[str, Any], body: bytes = b"", cut_off: bool = False
) -> tuple[int, dict[bytes, bytes], bytes]:
    """Send a request to an ASGI application, and return the status, the headers and the body of the response.

    If `cut_off` is true, the connection ends after this part of the body.
    """
    sent: list[Any] = []
    parts = [{"type": "http.disconnect"}] * cut_off + [{"type": "http.request", "body": body, "more_body": cut_off}]

    async def receive() -> dict[str, Any]:
        return parts.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        await app(scope, receive, send)

    run_async(run())
    content = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], dict(sent[0]["headers"]), content


# This program first imports everything that `menace serve` needs, which takes two seconds. The program then forks a
# server for each line of options on standard input. Each server prints its process id before any other output.
FORK_SERVERS = """
import json, os, signal, sys
import datasette.app, uvicorn
import menace.explorer.pages, menace.explorer.server.serving
import menace.ledger.create_and_open
from menace.cli import main
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the parent does not wait for servers
for line in sys.stdin:
    if os.fork() == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        print(os.getpid(), flush=True)
        sys.argv = ["menace", "serve", "--port", "0", *json.loads(line)]
        try:
            main()
        finally:
            print(flush=True)  # for a test that waits for the address
            os._exit(1)
"""


@functools.cache
def start_fork_server() -> subprocess.Popen[str]:
    """Start the process that forks servers. Each test process starts only one such process."""
    if not hasattr(os, "fork"):
        pytest.skip("this system cannot fork")
    command = [sys.executable, "-c", FORK_SERVERS]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")

    def stop() -> None:
        process.kill()
        process.communicate()

    atexit.register(stop)
    return process


@contextmanager
def printed_by_server(database: Path, *options: str) -> Iterator[Iterator[str]]:
    """Serve a database with `menace serve`, and yield the lines that it prints."""
    process = start_fork_server()
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps(["--db", str(database), *options]), file=process.stdin, flush=True)
    server = int(process.stdout.readline())
    try:
        yield iter(process.stdout.readline, "")
    finally:
        os.kill(server, signal.SIGKILL)


@contextmanager
def serving(database: Path, *options: str) -> Iterator[str]:
    """Serve a database with `menace serve`, and yield the address of the home page."""
    with printed_by_server(database, *options) as lines:
        yield next(lines).split()[0]


class Served(NamedTuple):
    """A server's process, the address of its home page, and the number of seconds that it took to start."""

    process: subprocess.Popen[str]
    home: str
    starting: float


@contextmanager
def start_server(database: Path) -> Iterator[Served]:
    """Serve a database with `menace serve` in a process that a test may interrupt."""
    command = [sys.executable, "-m", "menace", "serve", "--port", "0", "--db", str(database)]
    start = time.monotonic()
    with start_command(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield Served(process, process.stdout.readline().split()[0], time.monotonic() - start)


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "FOO")
# Addresses that do not belong to the pages of a class or a kiosk, so that their servers must not answer them.
OTHER_ADDRESSES = ["/-/metadata", "/-/databases", "/-/plugins", "/-/class", "/-/class/state.json", "/-/class/phase"]
OTHER_ADDRESSES += ["/-/class/sum", "/favicon.ico", "", "//", "*", "http://x/", "/\0", "/static", "/static/", "/state/"]
OTHER_ADDRESSES += ["/static/../security.py", "/static/%2e%2e/x", "/static//etc/passwd", "/static/play.js", "/film/"]
OTHER_ADDRESSES += ["/static/..\\x", "/static/menace.css/", "/static/kiosk_page.js/", "/State", "/state.json", "/join/"]


def answered_requests(
    app: Callable[..., Awaitable[None]],
    allowed: set[tuple[str, str]],
    database: str,
    scope: Callable[[str, str], dict[str, Any]],
) -> dict[tuple[str, str], int]:
    """Send requests with every method to the allowed addresses, to those of the explorer, and to other addresses.

    Check that each response has the content security policy, and return all statuses except 404.
    """
    from menace.explorer.pages import routes  # loads Datasette

    names = {"database": database, "player": "menace-x", "name": "menace-x", "board": "........."}
    paths = [path for _, path in allowed] + [HOME + route.path.format(**names) for route in routes()]
    paths += [f"/{database}{rest}" for rest in ("", ".json", ".db", "/-/query", "?sql=select+1")]
    statuses = {}
    for request in itertools.product(METHODS, {*paths, *OTHER_ADDRESSES}):
        statuses[request], headers, _ = ask(app, scope(*request), b"{}")
        assert b"default-src 'self'" in headers[b"content-security-policy"]
    return {request: status for request, status in statuses.items() if status != 404}


class Tags(HTMLParser):
    """The tags of a page with their attributes, and its text both with and without the surrounding whitespace."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in reversed(attrs)}))  # the first of two counts

    def handle_data(self, data: str) -> None:
        self.texts |= {data, data.strip()}

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]


class Quiet(SimpleHTTPRequestHandler):
    """A web host that logs nothing."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serve_files(folder: Path) -> Iterator[str]:
    """Serve the static files in a folder, and yield the address of the server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def launch_browser() -> Iterator[Any]:
    """Start chromium. If Chromium or Playwright is missing, skip the test, or fail if MENACE_NO_SKIP is set."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)("chromium is not installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@contextmanager
def watched(page: Any, home: str) -> Iterator[Any]:
    """Check that a page's scripts raise no errors and that the page sends requests only to the host of `home`."""
    wrong: list[str] = []

    def note(message: Any) -> None:
        if message.type == "error" and CLIENT_ERROR not in message.text:
            wrong.append(message.text)

    def check(request: Any) -> None:
        if urlsplit(request.url).netloc not in {urlsplit(home).netloc, ""}:
            wrong.append(request.url)

    listeners = {"pageerror": lambda error: wrong.append(str(error)), "console": note, "request": check}
    for event, listener in listeners.items():
        page.on(event, listener)
    yield page
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    assert wrong == []


@contextmanager
def checked_page(chromium: Any, home: str, **options: Any) -> Iterator[Any]:
    """Open a page in a new browser context, and record its errors and requests."""
    context = chromium.new_context(**options)
    with watched(context.new_page(), home) as opened:
        yield opened
        context.close()


def make_first_move(page: Any) -> None:
    """Make the first possible move on the Play page, and wait for the machine's reply."""
    moves = page.locator("#moves li").count()
    page.locator("#board button:not([aria-disabled])").first.click()
    page.wait_for_function(
        "moves => document.querySelectorAll('#moves li').length > moves && !document.querySelector('[aria-busy]')",
        arg=moves,
    )
