"""Run a server for the pupils of a class at a separate address, and serve the teacher's page on this computer.

Pupils can load only one page and its static files, and can send only four kinds of requests. The pupils' server has no
other handlers, so it cannot expose the explorer, the database or any other file. The teacher's page is served by the
explorer, which accepts requests only from this computer.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import segno
from datasette.utils.asgi import Response

from menace.explorer.classroom.lesson import MAX_NICKNAME, Cards, Lesson, add_up, tournament
from menace.explorer.server import ROOT, requests, security
from menace.explorer.server.threads_and_caches import Worker
from menace.games.base import has_pawns
from menace.ledger.rules import rules_of
from menace.ledger.store import Store
from menace.text.narration import for_scripts

TEACHER = "/-/class"  # the address of the teacher's page on the explorer's server
FILES = requests.DRAWING | {"class.css", "class_pupil.js"}
CARD_SECONDS = 0.05  # maximum time spent on new cards before each response to the teacher's page
PUPIL_ACTIONS: dict[str, Callable[..., None]] = {"/next": Lesson.next_game, "/move": Lesson.move}
TEACHER_ACTIONS: dict[str, Callable[..., Any]] = {
    "/choose": Lesson.choose,
    "/phase": Lesson.change_phase,
    "/next": Lesson.next_round,
    "/release": Lesson.release,
    "/tournament": tournament,
    "/sum": add_up,
}


class Limit:
    """A limit on the rate of requests from each client or pupil.

    Args:
        rate: the number of requests per second that are allowed on average.
        most: the number of requests that may arrive in a burst.
    """

    def __init__(self, rate: float, most: float) -> None:
        self.rate, self.most = rate, most
        # maps each client to its number of requests and the time of the last request
        self._used: dict[str, tuple[float, float]] = {}

    def check(self, key: str, cost: float = 1) -> None:
        """Count a request. Raises TooManySessions if there have been too many requests from the same sender."""
        now = time.monotonic()
        used, then = self._used.get(key, (0.0, now))
        used = max(0.0, used - (now - then) * self.rate)
        if used >= self.most:
            raise requests.TooManySessions("too many requests; wait a few seconds")
        self._used[key] = used + cost, now


def check_pupil(scope: security.Scope, headers: dict[str, str]) -> None:
    """Check that a request's Host header is correct, and that a page of this server sent the request.

    The Host header must contain the IP address and port of the connection. This check prevents other sites from
    reaching this server by resolving their own host names to its address. Browsers send the Sec-Fetch-Site header only
    to some addresses, but they send the Origin header with every POST request.

    Raises:
        Misdirected, Refused: if one of the checks fails.
    """
    here, port = scope["server"]
    if headers.get("host") not in ({f"{here}:{port}", here} if port == security.HTTP_PORT else {f"{here}:{port}"}):
        raise security.Misdirected(f"this server accepts requests only at its own address; open http://{here}:{port}/")
    foreign = headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}
    if foreign and (scope["method"] != "GET" or headers.get("sec-fetch-mode") != "navigate"):
        raise security.Refused("pages on other sites may link to this page, but may not load it in any other way")
    if scope["method"] == "POST" and headers.get("origin") != f"http://{headers['host']}":
        raise security.Refused("only this server's pages may send this, but the Origin header is wrong or missing")
    if scope["method"] == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise security.Refused("requests must be sent as application/json")


class Classroom:
    """A lesson with its two servers.

    Attributes:
        home: the address that pupils open; known once the server is listening.
        by_client, by_pupil, wrong_codes: limits per client address, per pupil, and for wrong codes per client address.
    """

    def __init__(self, path: Path, render: Callable[..., Awaitable[str]]) -> None:
        """Open a database's lesson; `render` is a coroutine function that renders a template."""
        self.worker, self.render, self.home = Worker(path), render, ""
        self.lesson: Lesson = self.worker.submit(Lesson).result()
        self.pawns = self.worker.submit(lambda store: has_pawns(rules_of(store).game)).result()
        self.cards, self._page = Cards(), ""
        self.by_client, self.by_pupil, self.wrong_codes = Limit(200, 1000), Limit(5, 20), Limit(0.5, 30)

    async def for_pupils(self, scope: security.Scope, receive: security.Receive, send: security.Send) -> None:
        """Handle a request from a pupil, and reject any other request."""
        await requests.send_answer(self._pupil(scope, receive), send)

    async def _pupil(self, scope: security.Scope, receive: security.Receive) -> Response:
        headers, client = security.headers_of(scope), scope["client"][0]
        method, path = scope["method"], scope["path"]
        self.by_client.check(client)
        check_pupil(scope, headers)
        if (method, path) == ("GET", "/"):
            shown = {"clauses": for_scripts(), "longest": MAX_NICKNAME, "pawns": self.pawns}
            self._page = self._page or await self.render("menace_class_pupil.html", shown)
            return Response.html(self._page, headers=requests.FRESH)
        if file := requests.static_file(scope, FILES):
            return file
        if (method, path) == ("POST", "/join"):
            return await self._join(client, await requests.sent_arguments(Lesson.join, receive))
        if (method, path) != ("GET", "/state") and (method != "POST" or path not in PUPIL_ACTIONS):
            raise requests.NoPage("there is no such page")
        pupil = self.lesson.pupil(headers.get("x-pupil", ""))
        self.by_pupil.check(pupil.key)
        if act := PUPIL_ACTIONS.get(path):
            values = await requests.sent_arguments(act, receive)
            await self.worker.do(lambda store: act(self.lesson, store, pupil, **values))
        return requests.json_response(self.lesson.view(pupil))

    async def _join(self, client: str, values: dict[str, Any]) -> Response:
        self.wrong_codes.check(client, 0)
        try:
            token = await self.worker.do(lambda store: self.lesson.join(store, **values))
        except security.Refused:
            self.wrong_codes.check(client)
            raise
        return requests.json_response({"token": token})

    def for_teacher(self, app: security.App) -> security.App:
        """Return the explorer's application with the teacher's page, which only this computer can open."""

        async def own(scope: security.Scope, receive: security.Receive, send: security.Send) -> None:
            await requests.send_answer(self._teacher(scope, receive), send)

        page = security.guarded(own, ROOT, local=True)

        async def answer(scope: security.Scope, receive: security.Receive, send: security.Send) -> None:
            ours = scope["type"] == "http" and scope["path"].startswith(TEACHER)
            await (page if ours else app)(scope, receive, send)

        return answer

    async def _teacher(self, scope: security.Scope, receive: security.Receive) -> Response:
        name, method, lesson = scope["path"].removeprefix(TEACHER), scope["method"], self.lesson
        if (method, name) == ("GET", ""):
            code = segno.make(self.home, error="m").svg_inline(border=2, dark="#000", light="#fff", omitsize=True)
            shown = {"clauses": for_scripts(), "home": self.home, "code": lesson.choices.code, "qr": code}
            own = {"explorer": ROOT, "pawns": self.pawns}
            return Response.html(await self.render("menace_class.html", {**shown, **own}))
        if (method, name) == ("GET", "/state.json"):
            return requests.json_response(await self.worker.do(self._state))
        if method != "POST" or name not in TEACHER_ACTIONS:
            raise requests.NoPage("there is no such page")
        security.check_writer(security.headers_of(scope), scope["server"][1], scope["client"][0])
        act = TEACHER_ACTIONS[name]
        values = await requests.sent_arguments(act, receive)
        result = await self.worker.do(lambda store: act(lesson, store, **values))
        return requests.json_response({**await self.worker.do(self._state), "result": result})

    def _state(self, store: Store) -> dict[str, Any]:
        """Return the data that the teacher's page shows."""
        choices, pupils = self.lesson.choices, self.lesson.pupils.values()
        return {
            "phase": self.lesson.phase,
            "together": choices.together,
            "chosen": choices.machines,
            "copied": bool(choices.copied),
            "machines": [{"name": row.name, "plays": row.plays, "games": row.games} for row in store.learners()],
            "pupils": [{"name": each.name, "games": len(each.games), "here": bool(each.key)} for each in pupils],
            "cards": self.cards.all(store, self.lesson, CARD_SECONDS),
            "curve": self.cards.curve(),
        }
