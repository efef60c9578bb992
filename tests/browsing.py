"""Helpers for tests of the explorer: requests with the headers of our pages, and a real browser."""

from __future__ import annotations

import asyncio
import atexit
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

HOME = "/-/menace"
REBOUND = "rebound.example"  # the test browser resolves this foreign host name to this computer
PAGE_HEADERS = {
    "host": "127.0.0.1:8001",
    "origin": "http://127.0.0.1:8001",
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
}
CLIENT_ERROR = "responded with a status of 4"  # part of chromium's message, for example for an invalid board


def get(datasette: Any, address: str, **headers: str) -> Any:
    """Send a GET request for an address below HOME and return the response."""

    async def answer() -> Any:
        await datasette.invoke_startup()
        return await datasette.client.get(HOME + address, headers=headers)

    return asyncio.run(answer())


def post(datasette: Any, address: str, body: object, headers: dict[str, str] | None = None) -> Any:
    """Send a POST request to an address below HOME and return the response. The headers are those of our pages."""

    async def answer() -> Any:
        await datasette.invoke_startup()
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await datasette.client.post(HOME + address, content=content, headers=headers or PAGE_HEADERS)

    return asyncio.run(answer())


def scope_of(
    method: str,
    path: str,
    headers: dict[str, str],
    client: str = "127.0.0.1",
    server: tuple[str, int] = ("127.0.0.1", 8001),
) -> dict[str, Any]:
    """Return the ASGI scope of a request."""
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": encoded, "server": server, "client": (client, 5000), "http_version": "1.1",
            "scheme": "http", "root_path": ""}  # fmt: skip


def ask(
    app: Callable[..., Awaitable[None]], scope: dict[str, Any], body: bytes = b""
) -> tuple[int, dict[bytes, bytes], bytes]:
    """Send a request to an ASGI application, and return the status, the headers and the body of the response."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        await app(scope, receive, send)

    asyncio.run(run())
    content = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], dict(sent[0]["headers"]), content


# The process that runs this program imports everything for `menace serve`, which takes two seconds. The process then
# forks a server for each line of options on its standard input. A server prints its process id before its own output.
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
    """Start the process that forks servers. Each test process starts only one."""
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
def serving(database: Path, *options: str) -> Iterator[str]:
    """Serve a database with `menace serve` and yield the address of the home page."""
    process = start_fork_server()
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps(["--db", str(database), *options]), file=process.stdin, flush=True)
    server = int(process.stdout.readline())
    try:
        yield process.stdout.readline().split()[0]
    finally:
        os.kill(server, signal.SIGKILL)


@contextmanager
def launch_browser() -> Iterator[Any]:
    """Start chromium. If chromium or playwright is missing, skip the test, or fail if MENACE_NO_SKIP is set."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        (pytest.fail if os.environ.get("MENACE_NO_SKIP") else pytest.skip)("chromium is not installed")
    with playwright.sync_playwright() as driver:
        options = ["--no-sandbox", f"--host-resolver-rules=MAP {REBOUND} 127.0.0.1"]
        opened = driver.chromium.launch(executable_path=path, args=options)
        yield opened
        opened.close()


@contextmanager
def checked_page(chromium: Any, home: str, **options: Any) -> Iterator[Any]:
    """Open a page, and check that its scripts raise no errors and that it sends requests only to the host of `home`."""
    wrong: list[str] = []

    def note(message: Any) -> None:
        if message.type == "error" and CLIENT_ERROR not in message.text:
            wrong.append(message.text)

    context = chromium.new_context(**options)
    opened = context.new_page()
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", note)
    opened.on(
        "request", lambda request: urlsplit(request.url).netloc == urlsplit(home).netloc or wrong.append(request.url)
    )
    yield opened
    context.close()
    assert wrong == []
