"""Answer the pupils of a class, on an address of their own, and the teacher, on this computer.

Pupils reach only a page, its static files, and four requests. Their server has no other handlers, so it cannot show the
explorer, the database or another file. The teacher's page belongs to the explorer's server, which answers only this
computer.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from datasette.utils.asgi import Response

from menace.errors import DatabaseBusy, MenaceError
from menace.explorer.classroom.lesson import MAX_NICKNAME, Lesson
from menace.explorer.classroom.results import Cards, add_up, tournament
from menace.explorer.server.routes import (
    ROOT,
    BadRequest,
    LostSession,
    Misdirected,
    Refused,
    TooManySessions,
    arguments,
)
from menace.explorer.server.security import (
    HTTP_PORT,
    App,
    Receive,
    Scope,
    Send,
    check_writer,
    guarded,
    headers_of,
)
from menace.explorer.server.threads_and_caches import Worker
from menace.ledger.store import Store
from menace.text.narration import for_scripts

TEACHER = "/-/class"  # the address of the teacher's page below the explorer's server
FILES: tuple[str, ...] = (
    "menace.css",
    "matchbox.css",
    "play.css",
    "class.css",
    "words.js",
    "drawing.js",
    "matchbox.js",
    "motion.js",
)
FILES += ("board_input.js", "class.js", "class_pupil.js")
MAX_BODY_SIZE = 2048  # bytes
PUPIL = "x-pupil"  # the header that contains a pupil's token
STATUS = {Refused: 403, Misdirected: 421, LostSession: 410, TooManySessions: 429, DatabaseBusy: 503}
KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
PUPIL_PAGE = {"clauses": for_scripts(), "longest": MAX_NICKNAME}
POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
POLICY += "frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
SAFE = {"content-security-policy": POLICY, "x-content-type-options": "nosniff", "referrer-policy": "same-origin"}


class Limit:
    """A limit on the rate of events for each key.

    Args:
        rate: the number of events per second that are allowed on average.
        most: the number of events that may follow each other at once.
    """

    MAX_KEYS = 10_000

    def __init__(self, rate: float, most: float) -> None:
        self.rate, self.most = rate, most
        self._left: dict[str, tuple[float, float]] = {}  # the events that are left at a time

    def check(self, key: str, cost: float = 1) -> None:
        """Count an event. Raises TooManySessions if it is one too many."""
        now = time.monotonic()
        left, then = self._left.get(key, (self.most, now))
        left = min(self.most, left + (now - then) * self.rate)
        if left < 1:
            raise TooManySessions("too many requests; wait a few seconds")
        if len(self._left) >= self.MAX_KEYS:
            self._left.clear()
        self._left[key] = left - cost, now


def check_pupil(scope: Scope, headers: dict[str, str]) -> None:
    """Check that a request names the address on which it arrived, and that a page of this server sent it.

    The Host must be the IP address and the port of the connection. Therefore a page of another site cannot reach the
    server under a name of its own. Browsers send Sec-Fetch-Site only to some addresses, but Origin with every POST.

    Raises:
        Misdirected, Refused: if it was not.
    """
    here, port = scope["server"]
    if headers.get("host") not in {f"{here}:{port}", here if port == HTTP_PORT else ""}:
        raise Misdirected(f"open http://{here}:{port}/")
    foreign = headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}
    if foreign and (scope["method"] != "GET" or headers.get("sec-fetch-mode") != "navigate"):
        raise Refused("pages of other sites may only link to this page")
    if scope["method"] == "POST":
        if headers.get("origin") != f"http://{headers['host']}":
            raise Refused("only a page of this server may send this, but the Origin is different or missing")
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise Refused("requests must be sent as application/json")


async def read_body(receive: Receive, most: int) -> dict[str, Any]:
    """Return the JSON object in a request. Raises BadRequest if it is longer than `most` bytes or is no JSON object."""
    sent, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadRequest("the request ended before it was complete")
        sent, more = sent + message.get("body", b""), message.get("more_body", False)
        if len(sent) > most:
            raise BadRequest(f"the request body is larger than {most} bytes")
    try:
        content = json.loads(sent)
        json.dumps(content, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise BadRequest("the request body is not a JSON object")
    return content


@cache
def _static(name: str) -> Response:
    body = (files("menace.explorer") / "static" / name).read_text("utf-8")
    return Response(body, content_type=KINDS[Path(name).suffix], headers={**SAFE, "cache-control": "max-age=300"})


def _json(content: object, status: int = 200) -> Response:
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    headers = {**SAFE, "cache-control": "no-store"}
    return Response(text, status, headers, "application/json; charset=utf-8")


def _failure(error: MenaceError) -> Response:
    return _json({"error": str(error)}, next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400))


class Classroom:
    """A lesson with its two servers.

    Attributes:
        for_pupils: the application that other computers reach.
        home: the address that pupils open, once the server listens.
    """

    def __init__(self, path: Path, render: Callable[..., Awaitable[str]]) -> None:
        """Open the lesson of a database.

        Args:
            path: the database.
            render: a coroutine that renders a template.
        """
        self.worker, self.render, self.home = Worker(path), render, ""
        self.lesson: Lesson = self.worker.submit(Lesson).result()
        self.cards, self._page = Cards(), ""
        self._by_client, self._by_pupil, self._wrong = Limit(100, 300), Limit(5, 20), Limit(0.5, 30)

    # Pupils.

    async def for_pupils(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of a pupil; nothing else is answered."""
        if scope["type"] != "http":
            return
        try:
            headers = headers_of(scope)
            self._by_client.check(scope["client"][0])
            check_pupil(scope, headers)
            response = await self._of_pupil(scope, headers, receive)
        except MenaceError as error:
            response = _failure(error)
        await response.asgi_send(send)

    async def _of_pupil(self, scope: Scope, headers: dict[str, str], receive: Receive) -> Response:
        route, lesson = (scope["method"], scope["path"]), self.lesson
        if route == ("GET", "/"):
            self._page = self._page or await self.render("menace_class_pupil.html", PUPIL_PAGE)
            return Response.html(self._page, headers={**SAFE, "cache-control": "no-store"})
        if scope["method"] == "GET" and scope["path"].removeprefix("/static/") in FILES:
            return _static(scope["path"].removeprefix("/static/"))
        if route == ("POST", "/join"):
            return await self._join(scope["client"][0], await read_body(receive, MAX_BODY_SIZE))
        if route not in {("GET", "/state"), ("POST", "/next"), ("POST", "/move")}:
            return _json({"error": "there is no such page"}, 404)
        pupil = lesson.pupil(headers.get(PUPIL, "")[:100])
        self._by_pupil.check(pupil.key)
        if scope["method"] == "POST":
            act = _next if scope["path"] == "/next" else _move
            values = arguments(act, await read_body(receive, MAX_BODY_SIZE))
            await self.worker.do(lambda store: act(lesson, store, pupil, **values))
        return _json(lesson.view(pupil))

    async def _join(self, client: str, sent: dict[str, Any]) -> Response:
        values, lesson = arguments(_join, sent), self.lesson
        self._wrong.check(client, 0)
        try:
            token = await self.worker.do(lambda store: lesson.join(store, **values))
        except Refused:
            self._wrong.check(client)
            raise
        return _json({"token": token})

    # The teacher.

    def for_teacher(self, app: App) -> App:
        """Return the explorer's application with the teacher's page added to it, for this computer only."""
        page = guarded(self._of_teacher, ROOT, local=True)

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            own = scope["type"] == "http" and scope["path"].startswith(TEACHER)
            await (page if own else app)(scope, receive, send)

        return answer

    async def _of_teacher(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = await self._page_or_action(scope, receive)
        except MenaceError as error:
            response = _failure(error)
        await response.asgi_send(send)

    async def _page_or_action(self, scope: Scope, receive: Receive) -> Response:
        name, choices = scope["path"].removeprefix(TEACHER), self.lesson.choices
        port, client = scope["server"][1], scope["client"][0]
        if (scope["method"], name) == ("GET", ""):
            shown = {"clauses": for_scripts(), "home": self.home, "code": choices.code, "qr": qr_code(self.home)}
            return Response.html(await self.render("menace_class.html", {**shown, "explorer": ROOT}))
        if (scope["method"], name) == ("GET", "/state.json"):
            return _json(await self.worker.do(self._state))
        act = ACTIONS.get(name.removeprefix("/"))
        if scope["method"] != "POST" or act is None:
            return _json({"error": "there is no such page"}, 404)
        check_writer(headers_of(scope), port, client)
        values = arguments(act, await read_body(receive, MAX_BODY_SIZE))
        result = await self.worker.do(lambda store: act(self.lesson, store, **values))
        return _json({**await self.worker.do(self._state), "result": result})

    def _state(self, store: Store) -> dict[str, Any]:
        """Return what the teacher's page shows."""
        lesson, cards = self.lesson, self.cards.all(store, self.lesson)
        results = Counter(result for pupil in lesson.pupils.values() for result, _ in pupil.games)
        return {
            "phase": lesson.phase,
            "together": lesson.choices.together,
            "chosen": lesson.choices.machines,
            "machines": [{"name": row.name, "plays": row.plays, "games": row.games} for row in store.learners()],
            "copied": bool(lesson.choices.copied),
            "pupils": [
                {"name": pupil.name, "games": len(pupil.games), "here": bool(pupil.key)}
                for pupil in lesson.pupils.values()
            ],
            "sums": {result: results[result] for result in ("win", "draw", "loss")},
            "cards": cards,
            "curves": self.cards.curves(),
        }


# The requests of pupils and of the teacher; each takes its arguments from the JSON object.


def _join(code: str, name: str) -> None:
    """Name the arguments of a request to join."""


def _next(lesson: Lesson, store: Store, pupil: Any, turn: str = "") -> None:
    lesson.next_game(store, pupil, turn)


def _move(lesson: Lesson, store: Store, pupil: Any, turn: str, ply: int, move: str) -> None:
    lesson.move(store, pupil, turn, ply, move)


def _choose(lesson: Lesson, store: Store, machines: list[str], together: bool = False) -> None:
    lesson.choose(store, machines, together)


def _phase(lesson: Lesson, store: Store, phase: str) -> None:
    lesson.change_phase(store, phase)


def _release(lesson: Lesson, store: Store, name: str, remove: bool = False) -> None:
    lesson.release(store, name, remove)


ACTIONS: dict[str, Callable[..., Any]] = {
    "choose": _choose,
    "phase": _phase,
    "next": lambda lesson, store: lesson.next_round(store),
    "release": _release,
    "tournament": lambda lesson, store: tournament(store, lesson),
    "sum": lambda lesson, store: add_up(store, lesson),
}


def qr_code(address: str) -> str:
    """Return the QR code of an address as SVG."""
    import segno

    return str(segno.make(address, error="m").svg_inline(scale=8, border=2, dark="#000", light="#fff", omitsize=True))
