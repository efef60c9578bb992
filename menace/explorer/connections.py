"""Connections that are bounded in number and in time, so that half a request keeps nobody else waiting.

Uvicorn waits for the rest of a request for ever, and takes as many connections as there are; its `limit_concurrency`
refuses whole requests, and keeps the halves.
"""

from __future__ import annotations

import asyncio
import socket
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 128  # connections
FILES_EACH = 4  # that a process must be let have open for each connection: most of them are others'
QUEUE = 1024  # connections that the system keeps until they are accepted; the system may allow fewer
AT_ONCE = 16  # accepted before any of them is looked at; far fewer than MOST, or they would end before they are


def most_connections() -> int:
    """Return how many connections may be open at once, however few files the system lets a process have."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else max(1, min(MOST, files // FILES_EACH))


class Listener(socket.socket):
    """A socket of TCP whose queue is long, though asyncio is told to accept few at once: it has one number for both."""

    def __init__(self) -> None:
        # With the protocol named, or asyncio leaves Nagle's algorithm on, and each answer waits 40 ms for its reader.
        super().__init__(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)

    def listen(self, _: int = QUEUE, /) -> None:
        """Listen, whatever number of connections may wait."""
        super().listen(QUEUE)


class HttpConnection(H11Protocol):
    """A connection that ends where its request does not come, and makes room for others while it has none.

    It is uvicorn's on h11, which bounds the length of headers.

    Attributes:
        most: how many may be open at once.
        seconds: that a whole request may take to come: the first from the beginning, others from their first byte.
        open: those of this process, by when the last whole request came, or else they began.
    """

    most = most_connections()
    seconds = 10.0
    open: ClassVar[dict[HttpConnection, None]] = {}
    deadline: asyncio.TimerHandle | None = None

    @property
    def whole(self) -> bool:
        """Whether a request has come to its end, and is not answered yet."""
        return self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete

    @property
    def waits(self) -> bool:
        """Whether it waits for its client: for a request, or for an answer to be taken."""
        return not self.whole or self.flow.write_paused

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; the one that has waited longest makes room, or this one, where all others are being answered."""
        super().connection_made(transport)
        self.open[self] = None
        self._wait_or_not()
        if len(self.open) > self.most:
            next(other for other in self.open if other.waits).end()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._wait_or_not()

    def on_response_complete(self) -> None:
        """Go on to the next request, which may have come by now, or half of it."""
        super().on_response_complete()
        self._wait_or_not()

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room."""
        self._wait_no_more()
        self.open.pop(self, None)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """End, after the answer that is under way."""
        if self.cycle is None or self.cycle.more_body:
            self.end()
        else:
            super().shutdown()

    def end(self) -> None:
        """End at once, whatever is still to be sent."""
        self.open.pop(self, None)
        self.transport.abort()

    def _wait_or_not(self) -> None:
        if self.transport.is_closing():
            return
        if self.whole:
            self.open[self] = self.open.pop(self, None)
            self._wait_no_more()
        elif self.deadline is None and self.timeout_keep_alive_task is None:  # else uvicorn ends it
            self.deadline = self.loop.call_later(self.seconds, self.end)

    def _wait_no_more(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None
