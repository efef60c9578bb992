"""Errors of HTTP requests, and the root path of the explorer's pages."""

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
    """A request for a new session when too many games are in progress."""


class LostSession(MenaceError):
    """A request for a session that the server no longer has, because it was restarted or the session was replaced."""
