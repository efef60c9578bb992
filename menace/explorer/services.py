"""What a server has for each of its files: a worker for sessions and pages, and one that trains."""

from __future__ import annotations

import functools
import weakref
from pathlib import Path
from typing import Any

from menace.explorer.sessions import Sessions
from menace.explorer.training_job import TrainingJob
from menace.explorer.workers import Worker

SEEN_MOST = 16  # learners of whom it is kept what a page was told last


class Services:
    """What there is for one file.

    Attributes:
        worker: whose thread sessions are in, and what pages ask that look on.
        sessions: of people with machines.
        training_job: what trains, in a thread of its own.
        seen: returns where it is kept what a page that looks on was told last, by learner.
    """

    def __init__(self, path: Path) -> None:
        self.worker, self.sessions = Worker(path), Sessions()
        self.training_job = TrainingJob(Worker(path))
        self.seen = functools.lru_cache(SEEN_MOST)(_nothing_seen)

    def leave(self) -> None:
        """Let both threads end, each after the job under way."""
        self.worker.leave()
        self.training_job.worker.leave()


def _nothing_seen(_: str) -> dict[str, Any]:
    return {}


_services: weakref.WeakKeyDictionary[Any, dict[Path, Services]] = weakref.WeakKeyDictionary()


def services_of(datasette: Any, path: Path) -> Services:
    """Return what a server has for a file; it begins when it is first asked for."""
    by_path = _services.setdefault(datasette, {})
    if path not in by_path:
        services = by_path[path] = Services(path)
        weakref.finalize(datasette, services.leave).atexit = False
    return by_path[path]
