"""Answer the page of a kiosk: one page, its static files, and four requests of the browser on this computer.

The server has no other handlers, so it cannot show the explorer, SQL, settings, other machines or another file.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from datasette.utils.asgi import Response

from menace.explorer.kiosk.exhibit import Exhibit
from menace.explorer.server.requests import read_object
from menace.explorer.server.routes import NoPage, arguments
from menace.explorer.server.security import Receive, Scope, Send, check_origin, check_writer, headers_of
from menace.explorer.server.small_server import DRAWING, FRESH, STATIC, json_response, send_answer, static_file
from menace.explorer.server.threads_and_caches import Worker
from menace.ledger.rules import rules_of
from menace.site.translation import ENGLISH
from menace.text.narration import for_scripts

FILES = DRAWING | {"kiosk.css", "kiosk.js"}
MAX_BODY_SIZE = 2048  # bytes
READS = {"/state": Exhibit.view, "/film": Exhibit.film}
WRITES: dict[str, Callable[..., None]] = {"/begin": Exhibit.begin, "/move": Exhibit.move}


class Kiosk:
    """The server of a kiosk.

    Args:
        path: the database.
        daily: whether each day has a machine of its own.
        render: a coroutine that renders a template.
    """

    def __init__(self, path: Path, daily: bool, render: Callable[..., Awaitable[str]]) -> None:
        self.worker, self.exhibit, self._render = Worker(path), Exhibit(daily), render

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of the page; nothing else is answered."""
        await send_answer(self._answer(scope, receive), send)

    async def _answer(self, scope: Scope, receive: Receive) -> Response:
        method, path, headers = scope["method"], scope["path"], headers_of(scope)
        check_origin(method, headers)
        if (method, path) == ("GET", "/"):
            game = await self.worker.do(rules_of)
            shown = {"clauses": for_scripts(), "about": ENGLISH.about(game.words), "rules": game.game.rules}
            return Response.html(await self._render("menace_kiosk.html", shown), headers=FRESH)
        if method == "GET" and path.startswith(STATIC) and path.removeprefix(STATIC) in FILES:
            return static_file(path.removeprefix(STATIC))
        if method == "GET" and path in READS:
            return json_response(await self.worker.do(lambda store: READS[path](self.exhibit, store)))
        if method != "POST" or path not in WRITES:
            raise NoPage("there is no such page")
        check_writer(headers, scope["server"][1], scope["client"][0])
        act = WRITES[path]
        values = arguments(act, await read_object(receive, MAX_BODY_SIZE))
        await self.worker.do(lambda store: act(self.exhibit, store, **values))
        return json_response(await self.worker.do(self.exhibit.view))
