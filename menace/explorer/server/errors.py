"""Errors of HTTP requests, and the root path of the explorer's pages."""

from __future__ import annotations

from menace.errors import MenaceError

ROOT = "/-/menace"


class Refused(MenaceError):
    """A request that may not write, or that a page of another site may not send."""


class Misdirected(Refused):
    """A request under a host name that is not this machine's."""


class NoPage(MenaceError):
    """An address that does not exist."""


class BadRequest(MenaceError, ValueError):
    """A request that is not as its page sends it."""


class TooManySessions(MenaceError):
    """A new session for which there is no room: too many games are under way."""


class LostSession(MenaceError):
    """A session that the server no longer has: it was restarted, or other sessions have replaced it."""
