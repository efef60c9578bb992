"""Show one machine in a museum: visitors play against it on a touch screen, and it learns only from their games.

The server has handlers only for its own page, so it cannot expose the explorer, SQL, settings or another machine. Each
move is one transaction, which also stores the game in progress, so a game can continue after a power cut.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterator
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from datasette.utils.asgi import Response

from menace.analysis.learning_curves import film_of
from menace.explorer.content.drawable_boxes import load_bead_names, record_with_boxes, shown_record, taught_text
from menace.explorer.server import requests, security, threads_and_caches
from menace.learners.box import Box
from menace.learners.machine import Machine
from menace.ledger import learners, training
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import Store
from menace.ledger.store.database import last_lesson, runs_with_people, save_lesson
from menace.people.session import Session
from menace.text.narration import for_scripts
from menace.text.wording import counted

BOXES = 13  # number of boxes in the film that shows a copy of the machine practising
SAVED = "machine"  # a key that distinguishes the stored state of a kiosk from that of a lesson


def today() -> date:
    """Return the date in the time zone of this computer."""
    return datetime.now().astimezone().date()


class Exhibit:
    """The machine that visitors teach, and the game in progress. The methods run in a single worker thread.

    Args:
        daily: whether to use a new machine each day instead of one machine for the whole exhibition.
    """

    def __init__(self, daily: bool) -> None:
        self._daily, self._turn = daily, ""
        self._id: int | None = None  # the id of the row that contains the stored state
        self._session: Session | None = None
        self._film: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """The name of the machine that visitors are currently teaching."""
        return f"kiosk-{today()}" if self._daily else "kiosk"

    def _current_session(self, store: Store) -> Session | None:
        """Return the session of the game in progress. After a restart or an error, continue from the stored state."""
        if self._session is None or self._session.store is not store:
            self._session = None
            self._id, saved = last_lesson(store, SAVED) or (None, {})
            if saved.get("plies") and saved.pop(SAVED) == self.name and store.has_learner(self.name):
                self._turn, session = saved.pop("turn"), Session(store, self.name)
                self._session = session if session.continue_run(**saved) else None
        return self._session

    def _change_and_store(self, store: Store, session: Session, act: Callable[[Session], object]) -> None:
        """In one transaction, perform an action, record the game if it has ended, and store any game in progress."""
        self._session = None  # restored below if everything succeeds
        with store.transaction():
            act(session)
            if session.game.outcome is not None and session.game.plies:
                session.finish()
            state = {SAVED: session.opponent, "turn": self._turn, **session.progress()}
            self._id = save_lesson(store, self._id, state)
        self._session = session

    def begin(self, store: Store, turn: str = "", visit: bool = False) -> None:
        """Begin a game for a new visitor or after the last game has ended. A repeated request changes nothing."""
        session = self._current_session(store)
        if session is not None and (turn != self._turn or (session.game.outcome is None and not visit)):
            return
        if not store.has_learner(self.name):
            learners.new_learner(store, self.name, learners.new_beginner(positions_of(store)).plays)
        if session is None or visit or session.opponent != self.name:
            session = Session(store, self.name)
        else:
            session.begin()
        self._turn = secrets.token_hex(8)
        self._change_and_store(store, session, Session.answer)

    def move(self, store: Store, turn: str, ply: int, move: str) -> None:
        """Make a visitor's move. A repeated request changes nothing. Raises IllegalMove if the move is not legal."""
        session = self._current_session(store)
        if session is None or (turn, ply) != (self._turn, len(session.game.plies)) or session.game.outcome is not None:
            return
        self._change_and_store(store, session, lambda session: session.move(move))

    def view(self, store: Store) -> dict[str, Any]:
        """Return the data that the page shows."""
        session = self._current_session(store)
        scene = None if session is None else record_with_boxes(store, session)
        visitor = 0 if session is None else runs_with_people(store, store.learner(session.opponent).learner_id)[0]
        return {"turn": self._turn, "scene": scene, "visitor": visitor, **self._taught_texts(store, session)}

    def _machine(self, store: Store) -> Machine:
        return (
            learners.named_machine(store, self.name)
            if store.has_learner(self.name)
            else learners.new_beginner(positions_of(store))
        )

    def _taught_texts(self, store: Store, session: Session | None = None) -> dict[str, str]:
        """Describe what visitors have `taught` the machine and, after a game, what a visitor's `own` game moved."""
        machine = self._machine(store)
        first, loss = (
            training.measure(each.policy())["random"].loss
            for each in (learners.new_beginner(positions_of(store)), machine)
        )
        visitors, since = runs_with_people(store, machine.learner_id)
        before, now = round(100 * first), round(100 * loss)
        if since is None:
            nobody = "Nobody has taught this machine yet"
            return {"taught": f"{nobody}. It loses {before} of 100 games against random moves."}
        day = datetime.fromisoformat(since).astimezone().date()
        start = "this morning" if day == today() else f"{day.day} {day:%B}"
        taught = f"{counted(visitors, 'visitor')} {'has' if visitors == 1 else 'have'} taught it"
        effect = f"At first, it lost {before} of 100 games against random moves; now it loses {now}."
        if now == before:
            effect = f"It still loses {now} of 100 games against random moves."
        said = {"taught": f"Since {start}, {taught}. {effect}"}
        if session is None or session.finished is None:
            return said
        return said | {"own": f"{taught_text(session.finished.changes)}."}

    def film(self, store: Store) -> dict[str, Any]:
        """Return a film that shows a copy of the machine practising. The film is recomputed only after a game.

        Each frame contains the amounts in each box.
        """
        machine = self._machine(store)
        of = {"name": machine.name, "games": machine.learned.games}
        if not self._film.items() >= of.items():
            names = load_bead_names(store, machine)
            frames = [[[move.amount for move in box.moves] for box in _boxes(at.machine)] for at in film_of(machine)]
            boxes = [shown_record(box, names) for box in _boxes(machine)]
            self._film = {**of, "boxes": boxes, "frames": frames}
        return self._film | self._taught_texts(store)


def _boxes(machine: Machine) -> Iterator[Box]:
    return islice(machine.each_box(), BOXES)


FILES = requests.DRAWING | {"kiosk.css", "kiosk_page.js"}
READS = {"/state": Exhibit.view, "/film": Exhibit.film}
WRITES: dict[str, Callable[..., None]] = {"/begin": Exhibit.begin, "/move": Exhibit.move}


class Kiosk:
    """A kiosk server for a database; `render` is a coroutine function that renders a template."""

    def __init__(self, path: Path, daily: bool, render: Callable[..., Awaitable[str]]) -> None:
        self.worker, self.exhibit, self._render = threads_and_caches.Worker(path), Exhibit(daily), render

    async def app(self, scope: security.Scope, receive: security.Receive, send: security.Send) -> None:
        """Handle a request from the page, and reject any other request."""
        await requests.send_answer(self._answer(scope, receive), send)

    async def _answer(self, scope: security.Scope, receive: security.Receive) -> Response:
        method, path, headers = scope["method"], scope["path"], security.headers_of(scope)
        security.check_origin(method, headers)
        if (method, path) == ("GET", "/"):
            game = await self.worker.do(rules_of)
            shown = {"clauses": for_scripts(), "words": game.words, "rules": game.game.rules}
            return Response.html(await self._render("menace_kiosk.html", shown), headers=requests.FRESH)
        if file := requests.static_file(scope, FILES):
            return file
        if method == "GET" and path in READS:
            return requests.json_response(await self.worker.do(lambda store: READS[path](self.exhibit, store)))
        if method != "POST" or path not in WRITES:
            raise requests.NoPage("there is no such page")
        security.check_writer(headers, scope["server"][1], scope["client"][0])
        values = await requests.sent_arguments(WRITES[path], receive)
        await self.worker.do(lambda store: WRITES[path](self.exhibit, store, **values))
        return requests.json_response(await self.worker.do(self.exhibit.view))
