"""Manage the sessions and threads of each served file."""

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

from menace.explorer.server.requests import Request
from menace.explorer.server.routes import LostSession, TooManySessions
from menace.explorer.server.threads_and_caches import start_worker
from menace.explorer.sessions.training import TrainingJob
from menace.ledger.store import Store
from menace.people.session import Session

MAX_SESSIONS = 100


MAX_IDLE_TIME = 24 * 60 * 60  # seconds after which an idle session may be replaced, even during a game


class Sessions:
    """The sessions of one file, at most MAX_SESSIONS. A new one replaces the longest idle one with no current game."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, tuple[Session, float]] = OrderedDict()  # with the times of their last requests

    def add(self, session: Session) -> str:
        """Add a session and return its token.

        Raises:
            TooManySessions: if all sessions have a game in progress.
        """
        while len(self._sessions) >= MAX_SESSIONS:
            long_ago = time.monotonic() - MAX_IDLE_TIME
            idle = (token for token, (held, used) in self._sessions.items() if used < long_ago or not held.is_under_way)
            if (token := next(idle, None)) is None:
                raise TooManySessions(
                    f"{MAX_SESSIONS} games are in progress here; finish one of them, or try again later"
                )
            del self._sessions[token]
        token = secrets.token_urlsafe(16)
        self._sessions[token] = session, time.monotonic()
        return token

    def session(self, store: Store, token: str) -> Session:
        """Return the session with the given token.

        Raises:
            LostSession: if the file has no session with this token.
        """
        session, _ = self._sessions.get(token, (None, 0))
        if session is None or session.store is not store:
            raise LostSession(
                "this session no longer exists, because the server restarted or had too many; start a new session"
            )
        self._sessions[token] = session, time.monotonic()
        self._sessions.move_to_end(token)
        return session


MAX_CACHED_LEARNERS = 16  # maximum number of learners whose progress is cached


class Services:
    """The services of one file.

    Attributes:
        worker: the worker for sessions and for polls of progress.
        sessions: the sessions of people who play against machines.
        training_job: the training job, which has its own worker.
        exact: a lock for slow computations, so that requests that wait for one do not occupy a thread.
        progress_cache: a function that returns the progress cache for the learner with the given name.
    """

    def __init__(self, path: Path) -> None:
        self.worker, self.sessions = start_worker(path), Sessions()
        self.training_job = TrainingJob(start_worker(path))
        self.exact = asyncio.Lock()
        self.progress_cache: Callable[[str], dict[str, Any]] = functools.lru_cache(MAX_CACHED_LEARNERS)(lambda _: {})

    def stop(self) -> None:
        """Stop both workers, each after its current job."""
        self.worker.stop()
        self.training_job.worker.stop()


_services: weakref.WeakKeyDictionary[Any, dict[Path, Services]] = weakref.WeakKeyDictionary()


def services_for(request: Request) -> Services:
    """Return the services of the file that a request names. Raises NoPage if there is no such file."""
    return services_of(request.datasette, request.file.path)


def services_of(datasette: Any, path: Path) -> Services:
    """Return the services of a file; the first call starts them."""
    by_path = _services.setdefault(datasette, {})
    if path not in by_path:
        services = by_path[path] = Services(path)
        weakref.finalize(datasette, services.stop).atexit = False
    return by_path[path]
