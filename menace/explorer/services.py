"""The services of each served file: a worker for sessions and polling, and one for training."""

from __future__ import annotations

import asyncio
import functools
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from menace.explorer.request import Request
from menace.explorer.sessions import Sessions
from menace.explorer.training_job import TrainingJob
from menace.explorer.workers import Worker

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
