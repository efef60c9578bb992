"""The sessions of people with machines of one file, each by a secret token that its page holds.

They are in memory: finished games are in the database, others are lost with the server, as in a terminal. All of them
belong to the thread of one worker.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict

from menace.explorer.request_errors import LostSession, TooManySessions
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
