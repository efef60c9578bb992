"""Tests that hundreds of incomplete requests neither delay other requests nor fill the log."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import logging
import signal
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from browsing import PAGE_HEADERS, start_server

uvicorn = pytest.importorskip("uvicorn")

from menace.explorer.server.serving import (  # noqa: E402
    ACCEPT_QUEUE,
    ACCEPTS_PER_STEP,
    FILES_PER_CONNECTION,
    MAX_CONNECTIONS,
    HttpConnection,
    Listener,
    LogLimiter,
    max_http_connections,
)
from menace.ledger.create_and_open import open_database  # noqa: E402
from menace.ledger.log.verification import verify  # noqa: E402

WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1234"
HALVES = [b"", b"G", b"GET / HTTP/1.1\r\n", WHOLE[:-2], HALF_BODY]
LONG = 60.0  # seconds; longer than any test takes


class Server:
    """A server and the connections to it.

    Attributes:
        kind: the class of its connections.
        go: an event for which requests wait.
        size: the size of a response in bytes.
        begun, cut_off: the numbers of requests that began, and of those that were cut off.
        opened: the open connections.
    """

    def __init__(self, most: int, seconds: float) -> None:
        class Few(HttpConnection):
            open: ClassVar[dict[HttpConnection, None]] = {}

        Few.most, Few.seconds = most, seconds
        self.kind, self.size, self.begun, self.cut_off = Few, 2, 0, 0
        self.go = threading.Event()
        self.go.set()
        self.opened: list[socket.socket] = []
        self.listener = Listener()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen()
        self.address = self.listener.getsockname()
        config = uvicorn.Config(
            self, http=Few, ws="none", backlog=ACCEPTS_PER_STEP, log_level="critical", lifespan="off"
        )
        self.server = uvicorn.Server(config)

    async def __call__(self, _: Any, receive: Any, send: Any) -> None:
        """Answer a complete request."""
        self.begun += 1
        message = {"more_body": True}
        while message.get("more_body"):
            message = await receive()
        self.cut_off += message["type"] == "http.disconnect"
        while not self.go.is_set():
            await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % self.size)]})
        for goes_on in (True, False):
            await send({"type": "http.response.body", "body": b"x" * (self.size // 2), "more_body": goes_on})

    def ask(self) -> float:
        """Send a complete request, and return the time in seconds until the response."""
        start = time.monotonic()
        connection = http.client.HTTPConnection(*self.address, timeout=20)
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"x" * self.size
        connection.close()
        return time.monotonic() - start

    def send(self, sent: bytes) -> socket.socket:
        """Open a connection, send the given data, and return the connection."""
        opened = socket.create_connection(self.address, timeout=20)
        self.opened.append(opened)
        opened.sendall(sent)
        return opened


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


@contextlib.contextmanager
def running(most: int = MAX_CONNECTIONS, seconds: float = LONG) -> Iterator[Server]:
    """Serve requests until the end of the `with` block."""
    served = Server(most, seconds)
    thread = threading.Thread(target=lambda: asyncio.run(served.server.serve([served.listener])))
    thread.start()
    try:
        served.ask()
        wait_for(lambda: not served.kind.open)
        yield served
    finally:
        served.go.set()
        for opened in served.opened:
            opened.close()
        served.server.should_exit = True
        thread.join(20)
        served.listener.close()


def read_until_closed(opened: socket.socket) -> bytes:
    """Read from a connection until the server closes it, and return the received data."""
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while part := opened.recv(4096):
            answer += part
    return answer


def test_requests_are_answered_at_once_among_hundreds_of_incomplete_ones() -> None:
    with running(most=20) as served:
        seconds = []
        for half in HALVES:
            for _ in range(60):
                served.send(half)
            seconds.append(served.ask())
            assert len(served.kind.open) <= 20
        assert max(seconds) < 1
        assert [read_until_closed(opened) for opened in served.opened[:200]] == [
            b""
        ] * 200  # the server has closed the oldest connections
        last = served.opened[-1]
        last.sendall(b"56789")  # the server can still complete the newest request
        assert last.recv(4096).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("half", HALVES)
def test_incomplete_requests_are_closed(half: bytes) -> None:
    with running(seconds=0.3) as served:
        start = time.monotonic()
        assert read_until_closed(served.send(half)) == b""
        assert 0.2 < time.monotonic() - start < 5
        wait_for(lambda: not served.kind.open)
        wait_for(lambda: served.cut_off == half.startswith(b"POST"))


@pytest.mark.parametrize("first", [b"", WHOLE])
def test_very_slow_requests_are_closed(first: bytes) -> None:
    with running(seconds=0.5) as served:
        opened = served.send(first)
        start = time.monotonic()
        with pytest.raises(OSError, match=r"reset|[Bb]roken pipe"):  # noqa: PT012 - one of several sends fails
            while time.monotonic() - start < 10:
                opened.sendall(b"G")
                time.sleep(0.05)
        assert time.monotonic() - start < 5


def test_incomplete_request_after_a_complete_one_is_closed() -> None:
    """No data arrive after the response, whereas uvicorn itself would check the time only when data arrive."""
    with running(seconds=0.3) as served:
        assert read_until_closed(served.send(WHOLE + HALF_BODY)).count(b"HTTP/1.1 200") == 1


def test_responses_may_take_longer_than_the_limit_for_requests() -> None:
    with running(seconds=0.2) as served:
        served.go.clear()
        opened = served.send(WHOLE[:5])
        for part in (WHOLE[5:9], WHOLE[9:]):
            time.sleep(0.01)
            opened.sendall(part)
        time.sleep(0.6)
        served.go.set()
        assert opened.recv(4096).startswith(b"HTTP/1.1 200")


def test_newest_connection_is_refused_if_all_others_are_busy() -> None:
    with running(most=5) as served:
        served.go.clear()
        under_way = [served.send(WHOLE) for _ in range(4)]
        wait_for(lambda: served.begun == 5)  # the count includes the request that `running` sends
        halves = [served.send(b"GET /") for _ in range(40)]
        assert [read_until_closed(opened) for opened in halves[:39]] == [b""] * 39
        halves[39].sendall(WHOLE[5:])
        wait_for(lambda: served.begun == 6)
        assert read_until_closed(served.send(WHOLE)) == b""
        served.go.set()
        for opened in (*under_way, halves[39]):
            assert opened.recv(4096).startswith(b"HTTP/1.1 200")


def test_connection_with_an_unread_response_is_closed_first() -> None:
    with running(most=3) as served:
        served.size = 30_000_000
        for _ in range(3):
            served.send(WHOLE)
        wait_for(lambda: sum(connection.flow.write_paused for connection in list(served.kind.open)) == 3)
        served.size = 2
        assert served.ask() < 5


def test_connection_limit_fits_the_limit_on_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    for files, most in (
        (1024, MAX_CONNECTIONS),
        (256, 256 // FILES_PER_CONNECTION),
        (2, 1),
        (resource.RLIM_INFINITY, MAX_CONNECTIONS),
    ):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert max_http_connections() == most
    assert (
        ACCEPTS_PER_STEP * 4 <= 256 // FILES_PER_CONNECTION
    )  # a new connection must not be closed as one of the oldest before the server has read from it
    assert ACCEPT_QUEUE > MAX_CONNECTIONS


def filter_messages(most: int, messages: list[tuple[str, int, float]]) -> list[str]:
    """Return the messages that pass the filter. Each message is given with its level and time."""
    filters = LogLimiter(most)
    records = []
    for text, level, when in messages:
        record = logging.LogRecord("a", level, "", 0, text, (), None)
        record.created = when
        if filters.filter(record):
            records.append(record.getMessage())
    return records


def test_repeated_log_messages_are_limited_per_minute() -> None:
    flood = [("again", logging.WARNING, 60.0 + 0.01 * number) for number in range(12_000)]
    logged = filter_messages(3, flood)
    assert len(logged) == 2 * 3
    assert logged[:2] == ["again", "again"]
    assert logged[2] == "again (further messages in this minute are not logged)"
    assert filter_messages(3, [*flood[:100], ("an error", logging.ERROR, 61.0)])[-1] == "an error"


@pytest.mark.slow
def test_ctrl_c_ends_a_server_that_trains_among_incomplete_requests(database: Path) -> None:
    with start_server(database) as (process, home, starting):
        host = home.split("/")[2]
        address = ("127.0.0.1", int(host.rpartition(":")[2]))

        def ask() -> float:
            start = time.monotonic()
            with urllib.request.urlopen(f"{home}/menace/machines.json", timeout=20) as answer:
                assert answer.status == 200
            return time.monotonic() - start

        ask()
        with contextlib.ExitStack() as stack:
            for number in range(400):
                opened = stack.enter_context(socket.create_connection(address))
                opened.sendall(b"GET / HTTP/1.1\r\n" if number % 2 else b"\0\r\n\r\n")
            assert min(ask(), ask()) < 1
            body = json.dumps({"against": "random", "games": 100_000_000}).encode()
            headers = {**PAGE_HEADERS, "origin": f"http://{host}", "host": host}
            train_it = urllib.request.Request(f"{home}/menace/play/menace-x/train", body, headers)
            urllib.request.urlopen(train_it, timeout=30).close()
            time.sleep(0.5)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            _, printed = process.communicate(timeout=30)
            assert time.monotonic() - start < 1.5 + starting
    assert process.returncode == 130
    assert "Traceback" not in printed
    assert "Invalid HTTP request received." in printed
    assert printed.count("\n") <= 20
    with open_database(database) as store:
        assert store.learner("menace-x").games > 50
        assert store.runs()[-1].finished_at is None
        verify(store)
