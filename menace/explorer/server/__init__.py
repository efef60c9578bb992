"""Handle requests: routes and parameters, access and security headers, connections and worker threads.

Pages import this folder, but it does not import any page. Start with requests.py, which defines routes.
"""

from __future__ import annotations

from menace.errors import MenaceError

ROOT = "/-/menace"


class Refused(MenaceError):
    """A request that is not allowed to write, or that comes from a page of another site."""


class Misdirected(Refused):
    """A request whose Host header does not name this computer."""


class NoPage(MenaceError):
    """An address that does not exist."""


class BadRequest(MenaceError, ValueError):
    """A request that does not have the form its page would send."""


class TooManySessions(MenaceError):
    """A request for a new session while too many games are in progress."""


class LostSession(MenaceError):
    """A request for a session that no longer exists, because the server restarted or another session replaced it."""
