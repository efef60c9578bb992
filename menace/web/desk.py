"""The desk where people sit: sittings at machines of one file, by a token that only the page knows that began one.

They are in memory: what is finished is in the database, and what is not is lost with the server, as it is in a
terminal. Everything here runs in the thread of one clerk.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from menace.errors import IllegalMove, StoreError, UnknownLearner
from menace.ledger.store import Store
from menace.people.play import Finished, Sitting
from menace.web.errors import LostSitting, NoSeat

SITTINGS_MOST = 100
IDLE_MOST = 24 * 60 * 60  # seconds that a game under way keeps its place when nobody makes a move
POINTS = {1: 3, 0: 1, -1: -1}  # of Michie's figure: a win, a draw, a loss of the machine


@dataclass
class Seat:
    """A sitting at the desk.

    Attributes:
        token: by which the page names it.
        sitting: the person and the machine.
        used: when the page asked for it last, by `time.monotonic`.
        finished: what the last game did, if it is recorded.
        not_recorded: why it is not, if it is over.
        score: the machine's by games of the sitting, from 0: 3 for a win, 1 for a draw, -1 for a loss.
    """

    token: str
    sitting: Sitting
    used: float
    finished: Finished | None = None
    not_recorded: str | None = None
    score: list[int] = field(default_factory=lambda: [0])


class Desk:
    """The sittings at one file, at most `SITTINGS_MOST`: of those without a game under way, the idlest makes room."""

    def __init__(self) -> None:
        self._seats: OrderedDict[str, Seat] = OrderedDict()

    def seat_at(self, sitting: Sitting) -> Seat:
        """Return a place for a sitting, whose first game begins.

        Raises:
            NoSeat: if others are in the middle of a game at every place.
        """
        self._make_room()
        seat = Seat(secrets.token_urlsafe(16), sitting, time.monotonic())
        self._seats[seat.token] = seat
        _go_on(seat)
        return seat

    def _make_room(self) -> None:
        while len(self._seats) >= SITTINGS_MOST:
            long_ago = time.monotonic() - IDLE_MOST
            idle = (seat for seat in self._seats.values() if seat.used < long_ago or not _is_under_way(seat))
            if (seat := next(idle, None)) is None:
                raise NoSeat(f"{SITTINGS_MOST} games are under way here; finish one of them, or come back later")
            del self._seats[seat.token]

    def seat(self, store: Store, token: object) -> Seat:
        """Return a sitting.

        Raises:
            LostSitting: if there is none of this token on this file.
        """
        seat = self._seats.get(token) if isinstance(token, str) else None
        if seat is None or seat.sitting.store is not store:
            raise LostSitting(
                "this sitting is gone: the server was started again, or others needed the room; begin anew"
            )
        self._seats.move_to_end(seat.token)
        seat.used = time.monotonic()
        return seat


def _is_under_way(seat: Seat) -> bool:
    """Say whether somebody has moved in a game that is not recorded: it would be lost."""
    return not seat.sitting.finished and any(not ply.by_machine for ply in seat.sitting.game.plies)


def move(seat: Seat, text: str) -> None:
    """Make the person's move, as people write it, and the machine's answer.

    Raises:
        IllegalMove: if it is none, or it is not the person's turn.
    """
    game = seat.sitting.game
    if game.outcome is None:
        game.person_moves(game.rules.parse_action(game.board, text))
    else:
        game.person_moves(-1)  # refused: the game is over
    _go_on(seat)


def undo(seat: Seat) -> None:
    """Take the person's last move back, with the answer to it.

    Raises:
        IllegalMove: if there is none, or the game is recorded.
    """
    if seat.sitting.finished:
        raise IllegalMove("this game is over and recorded; what is recorded stays")
    seat.sitting.game.undo()
    seat.not_recorded = None


def resign(seat: Seat) -> None:
    """Resign the game: the machine has won it.

    Raises:
        IllegalMove: if it is not the person's turn, or nobody has moved.
    """
    seat.sitting.game.person_resigns()
    _go_on(seat)


def another_game(seat: Seat) -> None:
    """Begin another game; one that is under way is dropped, and changes nothing.

    Raises:
        StoreError: if the last one is over and cannot be recorded, or nothing can be.
    """
    if seat.sitting.game.outcome is not None and seat.sitting.game.plies:
        finish(seat)
    seat.sitting.begin()
    seat.finished = seat.not_recorded = None
    _go_on(seat)


def finish(seat: Seat) -> None:
    """Record a game that is over, if it is not recorded yet.

    Raises:
        IllegalMove: if it is not over.
        StoreError: if it cannot be recorded.
    """
    if not seat.sitting.finished:
        seat.finished = seat.sitting.finish()
        seat.not_recorded = None
        sign = {seat.sitting.plays.outcome: 1, "draw": 0}.get(seat.finished.outcome, -1)
        seat.score.append(seat.score[-1] + POINTS[sign])


def _go_on(seat: Seat) -> None:
    """Let the machine move if it is its turn, and record the game if it is over."""
    game = seat.sitting.game
    while game.outcome is None and not game.persons_turn:
        game.machine_moves()
    if game.outcome is None:
        return
    if not game.plies:  # to open the page is no game, even where the machine has nothing left to begin with
        seat.not_recorded = "nobody has moved"
        return
    try:
        finish(seat)
    except (StoreError, UnknownLearner) as error:
        seat.not_recorded = str(error)
