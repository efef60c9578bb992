"""What goes wrong between a browser and us."""

from __future__ import annotations

from menace.errors import MenaceError


class Refused(MenaceError):
    """A request that may not write, or that a page of another site may not send."""


class Misdirected(Refused):
    """A request under a name that is none of this machine's."""


class NoPage(MenaceError):
    """An address that leads nowhere."""


class BadRequest(MenaceError, ValueError):
    """A request that is not as its page sends it."""


class TooManySessions(MenaceError):
    """A session that has no room: too many people are in the middle of a game."""


class LostSession(MenaceError):
    """A session that the server does not know: it was started again meanwhile, or others have taken its place."""
