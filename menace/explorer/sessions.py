"""Sessions of people at machines of one file, by a token that only the page knows that began one.

They are in memory: what is finished is in the database, and what is not is lost with the server, as it is in a
terminal. All of them belong to the thread of one worker.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict

from menace.explorer.http_errors import LostSession, TooManySessions
from menace.ledger.store import Store
from menace.people.session import Session

SESSIONS_MOST = 100
IDLE_MOST = 24 * 60 * 60  # seconds that a game under way keeps its place when nobody makes a move


class Sessions:
    """The sessions at one file, at most `SESSIONS_MOST`: of those without a game under way, the idlest makes room."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, tuple[Session, float]] = OrderedDict()  # and when a page asked for it last

    def add(self, session: Session) -> str:
        """Keep a session, and return its token.

        Raises:
            TooManySessions: if a game is under way in all that there may be.
        """
        while len(self._sessions) >= SESSIONS_MOST:
            long_ago = time.monotonic() - IDLE_MOST
            idle = (
                token for token, (other, used) in self._sessions.items() if used < long_ago or not other.is_under_way
            )
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
            LostSession: if there is none of this token on this file.
        """
        session, _ = self._sessions.get(token, (None, 0))
        if session is None or session.store is not store:
            raise LostSession(
                "this session is gone: the server was started again, or others needed the room; begin anew"
            )
        self._sessions[token] = session, time.monotonic()
        self._sessions.move_to_end(token)
        return session
