"""Run the server for `menace serve`: Datasette with the explorer, available only on this computer.

The number and duration of HTTP connections are limited so that incomplete requests cannot block the server. Uvicorn
itself accepts any number of connections and waits forever for the rest of a request. Uvicorn's `limit_concurrency`
option rejects complete requests but keeps incomplete ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import logging
import socket
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from menace.errors import DatabaseBusy, OutputError
from menace.explorer.server import ROOT
from menace.explorer.server.security import HOST
from menace.explorer.server.threads_and_caches import HAS_THREADS

MAX_CONNECTIONS = 128
FILES_PER_CONNECTION = 4  # number of open files to allow for each connection; most open files are not sockets
ACCEPT_QUEUE = 1024  # number of connections that can wait to be accepted; the system may allow fewer
ACCEPTS_PER_STEP = 16  # number of connections accepted per step; if it were much larger, some would be closed unread


def max_http_connections() -> int:
    """Return how many connections may be open at a time under the system's limit on open files."""
    try:
        import resource
    except ImportError:  # Windows
        return MAX_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (
        MAX_CONNECTIONS
        if files == resource.RLIM_INFINITY
        else max(1, min(MAX_CONNECTIONS, files // FILES_PER_CONNECTION))
    )


class Listener(socket.socket):
    """A TCP socket with a long queue.

    asyncio would use one number for both the length of the queue and the number of connections accepted in one step.
    """

    def __init__(self) -> None:
        # If no protocol were given, asyncio would not turn off Nagle's algorithm, which delays each response by 40 ms.
        super().__init__(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        # On Windows, SO_REUSEADDR would let two programs listen on one port.
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
        self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if exclusive is None else exclusive, 1)

    def listen(self, _: int = ACCEPT_QUEUE, /) -> None:
        """Listen with a queue of ACCEPT_QUEUE connections, ignoring the argument."""
        super().listen(ACCEPT_QUEUE)


class HttpConnection(H11Protocol):
    """A connection that is closed if its request arrives too late or if another connection needs its place.

    The class extends uvicorn's h11 protocol, which limits the length of headers.

    Attributes:
        most: the maximum number of open connections.
        seconds: the time within which a request must arrive. It is measured from the opening of the connection for the
            first request, and from the first byte for later requests.
        open: the connections of this process, ordered by the time of their last complete request or of their opening.
    """

    most = max_http_connections()
    seconds = 10.0
    open: ClassVar[dict[HttpConnection, None]] = {}
    deadline: asyncio.TimerHandle | None = None

    @property
    def whole(self) -> bool:
        """Whether a complete request has arrived but has not been answered yet."""
        return self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete

    @property
    def waits(self) -> bool:
        """Whether the connection is waiting for its client to send a request or to read a response."""
        return not self.whole or self.flow.write_paused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Open the connection. If too many connections are now open, close the one that has waited longest.

        If no other connection is waiting, the new one is closed.
        """
        super().connection_made(transport)
        self.open[self] = None
        self._update_deadline()
        if len(self.open) > self.most:
            next(connection for connection in self.open if connection.waits).close_at_once()

    def data_received(self, data: bytes) -> None:
        """Receive part of a request."""
        super().data_received(data)
        self._update_deadline()

    def on_response_complete(self) -> None:
        """Continue with the next request, which may already have arrived completely or in part."""
        super().on_response_complete()
        self._update_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection from the list of open connections."""
        self._cancel_deadline()
        self.open.pop(self, None)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close the connection after the current response."""
        if self.cycle is None or self.cycle.more_body:
            self.close_at_once()
        else:
            super().shutdown()

    def close_at_once(self) -> None:
        """Close the connection at once, without sending the rest of a response."""
        self.open.pop(self, None)
        self.transport.abort()

    def _update_deadline(self) -> None:
        if self.transport.is_closing():
            return
        if self.whole:
            self.open[self] = self.open.pop(self, None)
            self._cancel_deadline()
        elif self.deadline is None and self.timeout_keep_alive_task is None:  # otherwise, uvicorn closes the connection
            self.deadline = self.loop.call_later(self.seconds, self.close_at_once)

    def _cancel_deadline(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


SHUTDOWN_TIMEOUT = 1  # number of seconds that current requests have to finish after Ctrl-C


def site(paths: Sequence[Path], read_only: bool = False, any_client: bool = False, base_url: str = "/") -> Any:
    """Return a Datasette instance with the explorer. One file may be missing; in that case, the home page creates it.

    If `any_client` is true, requests from any address may write; otherwise only requests from this computer may write.
    All addresses begin with `base_url`, which ends with a slash.
    """
    from datasette import __version__
    from datasette.app import Datasette

    from menace.ledger.create_and_open import is_missing_or_empty

    there = [str(path) for path in paths if not is_missing_or_empty(path)]
    missing = {"missing": str(paths[0])} if paths and not there else {}
    ours = {"read_only": read_only, "local": True, "any_client": any_client, **missing}
    plugins = {"plugins": {"menace": ours}}
    settings = {"base_url": base_url} | ({} if HAS_THREADS else {"num_sql_threads": 0})
    key = "metadata" if __version__.startswith("0.") else "config"
    datasette = Datasette(there, settings=settings, **{key: plugins})
    if missing:
        datasette.remove_database("_memory")  # Datasette adds this database if it is given no file
    return datasette


class PupilConnection(HttpConnection):
    """A pupil's connection. The number of pupils' connections is limited separately from the teacher's."""

    open: ClassVar[dict[HttpConnection, None]] = {}


ANY_HOST = "0.0.0.0"  # noqa: S104 - pupils reach the class from other computers


def own_address() -> str:
    """Return this computer's address on its network, or HOST if the computer is not on a network. No data is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation; see https://www.rfc-editor.org/rfc/rfc5737
        except OSError:
            return HOST
        return str(probe.getsockname()[0])


def serve(paths: Sequence[Path], port: int, read_only: bool, ready: Callable[[str], None], host: str = HOST) -> None:
    """Serve the explorer until Ctrl-C.

    Args:
        paths: the paths of the databases.
        port: the port to listen on; 0 for any free port.
        read_only: whether writing is forbidden.
        ready: a function that is called with the address of the first page as soon as the page can be opened.
        host: the address to listen on. Addresses other than HOST are meant for containers. Requests may then come from
            any address, but they must still name this computer as their host.

    Raises:
        OutputError: if the server cannot listen on the port.
        DatabaseBusy: if another program keeps a file locked.
        KeyboardInterrupt: after Ctrl-C.
    """
    datasette = site(paths, read_only, any_client=host != HOST)

    async def run(listener: Listener) -> None:
        await _start(datasette, paths)
        ready(f"http://{HOST}:{_port(listener)}{ROOT}")
        await _server(datasette.app(), HttpConnection).serve([listener])

    _run_until_interrupted(run, _open_listener(host, port))


def serve_kiosk(path: Path, port: int, daily: bool, ready: Callable[[str], None]) -> None:
    """Serve a kiosk on this computer until Ctrl-C, with a new machine each day or with one machine for all days.

    The other arguments and the errors are the same as for `serve`.
    """
    from menace.explorer.kiosk import Kiosk

    datasette = site([path], read_only=False)  # renders the page, but serves no requests

    async def run(listener: Listener) -> None:
        await _start(datasette, [path])
        ready(f"http://{HOST}:{_port(listener)}/")
        await _server(Kiosk(path, daily, datasette.render_template).app, HttpConnection).serve([listener])

    _run_until_interrupted(run, _open_listener(HOST, port))


def serve_class(path: Path, port: int, ready: Callable[[str, str, str], None], host: str = HOST) -> None:
    """Serve a class until Ctrl-C, with the explorer and the teacher's page on this computer.

    Args:
        path: the path of the database.
        port: the port of the explorer. The pupils' pages are served on the next port. If it is 0, both are free ports.
        ready: a function that is called with the addresses of the teacher's and of the pupils' page, and the code.
        host: the address of the pupils' pages; HOST for all addresses of this computer.

    The errors are those of `serve`.
    """
    from menace.explorer.classroom.server import TEACHER, Classroom

    datasette, everywhere = site([path], read_only=False), ANY_HOST if host == HOST else host

    async def run(listener: Listener, of_class: Listener) -> None:
        await _start(datasette, [path])
        classroom = Classroom(path, datasette.render_template)
        address = own_address() if everywhere == ANY_HOST else everywhere
        classroom.home = f"http://{address}:{_port(of_class)}/"
        pupils = _server(classroom.for_pupils, PupilConnection)
        pupils.capture_signals = contextlib.nullcontext
        task = asyncio.create_task(pupils.serve([of_class]))  # noqa: RUF006, F841 - it ends with this coroutine
        ready(f"http://{HOST}:{_port(listener)}{TEACHER}", classroom.home, classroom.lesson.choices.code)
        await _server(classroom.for_teacher(datasette.app()), HttpConnection).serve([listener])

    listener = _open_listener(HOST, port)
    try:
        of_class = _open_listener(everywhere, _port(listener) + 1 if port else 0)
    except OutputError:
        listener.close()
        raise
    _run_until_interrupted(run, listener, of_class)


def _server(app: Any, connection: type[HttpConnection]) -> Any:
    """Return a uvicorn server for an application."""
    import uvicorn

    return uvicorn.Server(
        uvicorn.Config(
            app,
            interface="asgi3",
            http=connection,
            ws="none",
            backlog=ACCEPTS_PER_STEP,
            log_level="warning",
            timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        )
    )


def _run_until_interrupted(run: Callable[..., Coroutine[Any, Any, None]], *listeners: Listener) -> None:
    """Run servers with their listening sockets until Ctrl-C, and then raise KeyboardInterrupt and close the sockets."""
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(_log_limiter)
    with contextlib.ExitStack() as stack:
        for listener in listeners:
            stack.enter_context(listener)
        asyncio.run(run(*listeners))
    raise KeyboardInterrupt  # only Ctrl-C ends the loop, and its exception would otherwise be lost


def _port(listener: Listener) -> int:
    return int(listener.getsockname()[1])


def _open_listener(host: str, port: int) -> Listener:
    """Return a listening socket. Raises OutputError if the port is in use or unavailable."""
    listener = Listener()
    try:
        listener.bind((host, port))
        listener.listen()  # clients can then connect before the server has started
    except (OSError, OverflowError) as error:
        listener.close()
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = "is in use by another program" if in_use else f"is not available ({error})"
        where = f"port {port}" if host == HOST else f"port {port} of {host}"
        raise OutputError(f"{where} {reason}; choose another one with --port") from None
    return listener


async def _start(datasette: Any, paths: Sequence[Path]) -> None:
    """Let Datasette read the files.

    Since version 1.0, Datasette reads files at startup and does not wait long for locks.
    """
    from datasette.utils.sqlite import sqlite3

    try:
        with contextlib.redirect_stderr(io.StringIO()):  # Datasette writes failed statements to standard error
            await datasette.invoke_startup()
    except sqlite3.OperationalError as error:
        names = ", ".join(map(str, paths))
        raise DatabaseBusy(f"{names} cannot be read ({error}): another program is using it; try again later") from None


class LogLimiter(logging.Filter):
    """A filter that limits the rate of log messages and drops messages about requests that Ctrl-C cancelled.

    Args:
        most: the maximum number of messages per minute for each logger and level.
    """

    def __init__(self, most: int = 10) -> None:
        super().__init__()
        self.most, self.minute, self.counts = most, 0, Counter[tuple[str, int]]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a message.

        The last message logged in a minute says that further messages are dropped.
        """
        if record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError):
            return False
        kind, minute = (record.name, record.levelno), int(record.created // 60)
        if minute != self.minute:
            self.minute, self.counts = minute, Counter()
        self.counts[kind] += 1
        if self.counts[kind] == self.most:
            record.msg = f"{record.msg} (further messages in this minute are not logged)"
        return self.counts[kind] <= self.most


_log_limiter = LogLimiter()


TAB_HOST = "127.0.0.1:8001"  # makes the security checks treat requests from the tab like requests from this computer
FRAMES = "frame-ancestors 'none'"


class BrowserTab:
    """The explorer in a browser tab.

    Args:
        database: the path of the database file.
        base_url: the path, with a slash at the end, below which a service worker passes requests to this tab.
    """

    def __init__(self, database: str, base_url: str) -> None:
        self.datasette = site([Path(database)], base_url=base_url)

    async def answer(self, method: str, path: str, content_type: str, body: str) -> tuple[int, dict[str, str], bytes]:
        """Return the status, headers and body of the response. Pages of the same site may show the response in a frame.

        Args:
            method: the HTTP method.
            path: the path and the query of the address, without `base_url`.
            content_type: the Content-Type of the request, which pages of other sites cannot set to JSON.
            body: the body of the request.
        """
        await self.datasette.invoke_startup()
        headers = {"host": TAB_HOST, "origin": f"http://{TAB_HOST}", "sec-fetch-site": "same-origin"}
        headers["content-type"] = content_type
        reply: Any = await self.datasette.client.request(method, path, content=body, headers=headers)
        headers = {name: text.replace(FRAMES, FRAMES.replace("none", "self")) for name, text in reply.headers.items()}
        return reply.status_code, headers, reply.content
