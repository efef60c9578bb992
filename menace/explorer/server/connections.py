"""HTTP connections bounded in number and time, so that incomplete requests cannot block the server.

Uvicorn waits for the rest of a request for ever, and accepts any number of connections; its `limit_concurrency`
refuses complete requests, and keeps incomplete ones.
"""

from __future__ import annotations

import asyncio
import socket
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

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
