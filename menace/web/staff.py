"""Who works for a server on each of its files: a desk where people sit, a coach who trains, a reader who looks."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import Any

from menace.web.clerk import Clerk
from menace.web.coach import Coach
from menace.web.sessions import Sessions

SEEN_MOST = 16  # learners of whom it is kept what a page was told last
READERS_PATIENCE = 0.5  # seconds that a page which asks twice a second waits for a trainer's commit


class Staff:
    """Those who work on one file, each in a thread of their own.

    Attributes:
        clerk: whose thread the sessions are in.
        sessions: of people at machines.
        coach: who lets machines train.
        reader: who answers pages that ask how it goes.
        seen: what the reader found last, by what was asked.
    """

    def __init__(self, path: Path) -> None:
        self.clerk, self.sessions = Clerk(path), Sessions()
        self.coach = Coach(Clerk(path))
        self.reader = Clerk(path, READERS_PATIENCE)
        self.seen: dict[str, Any] = {}

    def remember(self, name: str, seen: Any) -> None:
        """Keep what the reader found of a learner; of those that were asked for longest ago nothing is kept."""
        self.seen.pop(name, None)
        self.seen[name] = seen
        while len(self.seen) > SEEN_MOST:
            del self.seen[next(iter(self.seen))]


_staff: weakref.WeakKeyDictionary[Any, dict[Path, Staff]] = weakref.WeakKeyDictionary()


def staff_of(datasette: Any, path: Path) -> Staff:
    """Return who works for a server on a file; they begin when they are first asked for."""
    of_server = _staff.setdefault(datasette, {})
    if path not in of_server:
        staff = of_server[path] = Staff(path)
        for clerk in (staff.clerk, staff.coach.clerk, staff.reader):
            weakref.finalize(datasette, clerk.dismiss).atexit = False
    return of_server[path]
