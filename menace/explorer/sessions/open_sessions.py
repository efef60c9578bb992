"""The open games and workers for each served file."""

from __future__ import annotations

import asyncio
import functools
import secrets
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from menace.explorer.server.errors import LostSession, TooManySessions
from menace.explorer.server.requests import Request
from menace.explorer.server.threads_and_caches import Worker
from menace.explorer.sessions.training import TrainingJob
from menace.ledger.store import Store
from menace.people.session import Session

SESSIONS_MOST = 100


IDLE_MOST = 24 * 60 * 60  # seconds without a move after which a game under way may lose its place


class Sessions:
    """The sessions of one file, at most `SESSIONS_MOST`: then the longest idle without a game under way is dropped."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, tuple[Session, float]] = OrderedDict()  # and the time of its last request

    def add(self, session: Session) -> str:
        """Keep a session, and return its token.

        Raises:
            TooManySessions: if all are in the middle of a game.
        """
        while len(self._sessions) >= SESSIONS_MOST:
            long_ago = time.monotonic() - IDLE_MOST
            idle = (token for token, (held, used) in self._sessions.items() if used < long_ago or not held.is_under_way)
            if (token := next(idle, None)) is None:
                raise TooManySessions(
                    f"{SESSIONS_MOST} games are under way here; finish one of them, or come back later"
                )
            del self._sessions[token]
        token = secrets.token_urlsafe(16)
        self._sessions[token] = session, time.monotonic()
        return token

    def session(self, store: Store, token: str) -> Session:
        """Return a session.

        Raises:
            LostSession: if this file has no session of this token.
        """
        session, _ = self._sessions.get(token, (None, 0))
        if session is None or session.store is not store:
            raise LostSession(
                "this session is gone: the server was started again, or others needed the room; begin anew"
            )
        self._sessions[token] = session, time.monotonic()
        self._sessions.move_to_end(token)
        return session


CACHED_MOST = 16  # learners whose progress is cached


class Services:
    """The services of one file.

    Attributes:
        worker: runs sessions, and the polls of pages that show progress.
        sessions: of people with machines.
        training_job: trains, in a thread of its own.
        exact: held by who computes what takes long, so that such requests wait without a thread.
        progress_cache: returns the cache of a learner's progress, by name.
    """

    def __init__(self, path: Path) -> None:
        self.worker, self.sessions = Worker(path), Sessions()
        self.training_job = TrainingJob(Worker(path))
        self.exact = asyncio.Lock()
        self.progress_cache: Callable[[str], dict[str, Any]] = functools.lru_cache(CACHED_MOST)(lambda _: {})

    def stop(self) -> None:
        """Stop both threads, each after the job under way."""
        self.worker.stop()
        self.training_job.worker.stop()


_services: weakref.WeakKeyDictionary[Any, dict[Path, Services]] = weakref.WeakKeyDictionary()


def services_for(request: Request) -> Services:
    """Return the services of a request's file. Raises NoPage."""
    return services_of(request.datasette, request.file.path)


def services_of(datasette: Any, path: Path) -> Services:
    """Return the services of a file; they are started on first use."""
    by_path = _services.setdefault(datasette, {})
    if path not in by_path:
        services = by_path[path] = Services(path)
        weakref.finalize(datasette, services.stop).atexit = False
    return by_path[path]
