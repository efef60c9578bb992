"""The server of `menace serve`: Datasette with the explorer, for this machine alone.

HTTP connections are bounded in number and time, so that incomplete requests cannot block the server. Uvicorn waits for
the rest of a request for ever, and accepts any number of connections; its `limit_concurrency` refuses complete
requests, and keeps incomplete ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import logging
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from menace.errors import DatabaseBusy, OutputError
from menace.explorer.server.errors import ROOT
from menace.explorer.server.security import HOST

MOST = 128  # connections
FILES_EACH = 4  # open files that a process must be allowed for each connection: most of them are not sockets
QUEUE = 1024  # connections that wait to be accepted; the system may allow fewer
AT_ONCE = 16  # connections accepted in one step; far fewer than MOST, or some would be closed before they are read


def most_connections() -> int:
    """Return how many connections may be open at once, however few files the system lets a process have."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else max(1, min(MOST, files // FILES_EACH))


class Listener(socket.socket):
    """A TCP socket with a long queue, although asyncio accepts few connections at once: it has one number for both."""

    def __init__(self) -> None:
        # With the protocol named, or asyncio leaves Nagle's algorithm on, which delays each response by 40 ms.
        super().__init__(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        # On Windows SO_REUSEADDR would let two programs listen on one port.
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
        self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if exclusive is None else exclusive, 1)

    def listen(self, _: int = QUEUE, /) -> None:
        """Listen with QUEUE, whatever the argument."""
        super().listen(QUEUE)


class HttpConnection(H11Protocol):
    """A connection that is closed if its request does not arrive in time, or if others need its place.

    It extends uvicorn's h11 protocol, which bounds the length of headers.

    Attributes:
        most: how many connections may be open at once.
        seconds: in which a request must arrive: the first from the beginning, others from their first byte.
        open: the connections of this process, ordered by their last complete request, or else their beginning.
    """

    most = most_connections()
    seconds = 10.0
    open: ClassVar[dict[HttpConnection, None]] = {}
    deadline: asyncio.TimerHandle | None = None

    @property
    def whole(self) -> bool:
        """Whether a request is complete, and is not answered yet."""
        return self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete

    @property
    def waits(self) -> bool:
        """Whether it waits for its client: for a request, or for a response to be read."""
        return not self.whole or self.flow.write_paused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Open; if there are too many, close the one that has waited longest, or this one if no other waits."""
        super().connection_made(transport)
        self.open[self] = None
        self._update_deadline()
        if len(self.open) > self.most:
            next(connection for connection in self.open if connection.waits).end()

    def data_received(self, data: bytes) -> None:
        """Receive a part of a request."""
        super().data_received(data)
        self._update_deadline()

    def on_response_complete(self) -> None:
        """Continue with the next request, which may have arrived, completely or in part."""
        super().on_response_complete()
        self._update_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._cancel_deadline()
        self.open.pop(self, None)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close after the response under way."""
        if self.cycle is None or self.cycle.more_body:
            self.end()
        else:
            super().shutdown()

    def end(self) -> None:
        """Close at once, whatever is still to be sent."""
        self.open.pop(self, None)
        self.transport.abort()

    def _update_deadline(self) -> None:
        if self.transport.is_closing():
            return
        if self.whole:
            self.open[self] = self.open.pop(self, None)
            self._cancel_deadline()
        elif self.deadline is None and self.timeout_keep_alive_task is None:  # else uvicorn closes it
            self.deadline = self.loop.call_later(self.seconds, self.end)

    def _cancel_deadline(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


SECONDS_TO_FINISH = 1  # in which a request under way may finish after Ctrl-C


def site(paths: Sequence[Path], read_only: bool = False, any_client: bool = False) -> Any:
    """Return a Datasette of files, with the explorer; one file may be missing, which its first page makes.

    With `any_client` a request may come from any address; else only one from this machine may write.
    """
    from datasette import __version__
    from datasette.app import Datasette

    from menace.ledger.database_file import is_missing_or_empty

    there = [str(path) for path in paths if not is_missing_or_empty(path)]
    missing = {"missing": str(paths[0])} if paths and not there else {}
    ours = {"read_only": read_only, "local": True, "any_client": any_client, **missing}
    plugins = {"plugins": {"menace": ours}}
    datasette = Datasette(there, **{"metadata" if __version__.startswith("0.") else "config": plugins})
    if missing:
        datasette.remove_database("_memory")  # which it adds where there is no file
    return datasette


def serve(paths: Sequence[Path], port: int, read_only: bool, ready: Callable[[str], None], host: str = HOST) -> None:
    """Serve files until Ctrl-C.

    Args:
        paths: of the databases.
        port: to listen on, 0 for any that is free.
        read_only: whether nothing is to be written.
        ready: called with the address of the first page when it can be opened.
        host: the address to listen on. Another than HOST is a container's, which is reached from outside of it:
            requests come from anywhere, under the names of this machine still.

    Raises:
        OutputError: if the port cannot be listened on.
        DatabaseBusy: if another program keeps a file locked.
        KeyboardInterrupt: by Ctrl-C.
    """
    datasette = site(paths, read_only, any_client=host != HOST)
    import uvicorn

    with Listener() as listener:
        try:
            listener.bind((host, port))
            listener.listen()  # clients may connect before the server has started
        except (OSError, OverflowError) as error:
            in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            reason = "is in use by another program" if in_use else f"cannot be listened on ({error})"
            where = f"port {port}" if host == HOST else f"port {port} of {host}"
            raise OutputError(f"{where} {reason}; take another with --port") from None

        async def run() -> None:
            await _start(datasette, paths)
            server = uvicorn.Server(
                uvicorn.Config(
                    datasette.app(),
                    http=HttpConnection,
                    ws="none",
                    backlog=AT_ONCE,
                    log_level="warning",
                    timeout_graceful_shutdown=SECONDS_TO_FINISH,
                )
            )
            for name in ("uvicorn.error", "asyncio"):
                logging.getLogger(name).addFilter(_log_limiter)
            ready(f"http://{HOST}:{listener.getsockname()[1]}{ROOT}")
            await server.serve([listener])

        asyncio.run(run())
    raise KeyboardInterrupt  # it ends by Ctrl-C alone, which is lost if it comes at the very end of the loop


async def _start(datasette: Any, paths: Sequence[Path]) -> None:
    """Let Datasette read the files: since 1.0 it does so at startup, and does not wait long for locks."""
    from datasette.utils.sqlite import sqlite3

    try:
        with contextlib.redirect_stderr(io.StringIO()):  # to which it writes the statement that failed
            await datasette.invoke_startup()
    except sqlite3.OperationalError as error:
        names = ", ".join(map(str, paths))
        raise DatabaseBusy(f"{names} cannot be read ({error}); another program has it, try again later") from None


class LogLimiter(logging.Filter):
    """Limits the rate of log messages, and drops those of requests that Ctrl-C cancelled.

    Args:
        most: how many messages of a level are logged within a minute, of each logger.
    """

    def __init__(self, most: int = 10) -> None:
        super().__init__()
        self.most, self.minute, self.counts = most, 0, Counter[tuple[str, int]]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a message; the last one of a minute says that it is the last."""
        if record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError):
            return False
        kind, minute = (record.name, record.levelno), int(record.created // 60)
        if minute != self.minute:
            self.minute, self.counts = minute, Counter()
        self.counts[kind] += 1
        if self.counts[kind] == self.most:
            record.msg = f"{record.msg} (what else comes within this minute is not logged)"
        return self.counts[kind] <= self.most


_log_limiter = LogLimiter()
