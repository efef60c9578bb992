"""Represent requests to the explorer, with their parameters, databases and responses.

If threads are available, Datasette's event loop never waits for a database. Each query runs in a thread over its own
connection, which is opened before the query and closed after it.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import quote, unquote, urlencode

from datasette.utils import tilde_encode
from datasette.utils.asgi import Response

from menace.errors import DatabaseBusy, MenaceError, UnknownGame, UnknownLearner
from menace.explorer.server.routes import ROOT, BadRequest, LostSession, NoPage, Param, Refused, TooManySessions
from menace.explorer.server.security import HOST, MAX_BODY_SIZE, check_writer, explain_foreign_request, headers_of
from menace.explorer.server.served_databases import File, find_file, missing_file
from menace.explorer.server.threads import in_thread
from menace.explorer.server.threads_and_caches import LIBRARY
from menace.games.base import has_pawns
from menace.ledger.rules import rules_of
from menace.ledger.store import Store

T = TypeVar("T")
JSON = ".json"
BOARD = "BOARD"  # a placeholder for a board in an address
OK, MISSING, REFUSED, GONE, BUSY, WRONG = 200, 404, 403, 410, 503, 400
READ_TIMEOUT = 1.5  # seconds that a page waits for another program's lock; writing requests wait as long as commands do
STATUS = {
    NoPage: MISSING,
    UnknownLearner: MISSING,
    UnknownGame: MISSING,
    Refused: REFUSED,
    LostSession: GONE,
    TooManySessions: BUSY,
    DatabaseBusy: BUSY,
}


async def read_object(receive: Callable[[], Awaitable[Mapping[str, Any]]], most: int) -> dict[str, Any]:
    """Return the JSON object that a request contains.

    Raises:
        BadRequest: if the body is not a JSON object, is longer than `most` bytes, or is incomplete.
    """
    sent, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadRequest("the request ended before it was complete")
        sent += message.get("body", b"")
        more = message.get("more_body", False)
        if len(sent) > most:
            raise BadRequest(f"the request body is larger than {most // 1024} KiB")
    try:
        content = json.loads(sent)
        json.dumps(content, ensure_ascii=False).encode()  # raises an error if some text cannot be stored
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise BadRequest("the request body is not a JSON object")
    return content


class Request:
    """A request, with the data that its handler needs.

    Attributes:
        datasette: the server.
        http: Datasette's request.
    """

    def __init__(self, datasette: Any, http: Any) -> None:
        self.datasette = datasette
        self.http = http

    @cached_property
    def file(self) -> File:
        """The database that the address names, or the missing database that will be created. Raises NoPage."""
        if "database" in self.http.url_vars:
            return find_file(self.datasette, self.http.url_vars["database"])
        if file := missing_file(self.datasette):
            return file
        raise NoPage("the database already exists; open the first page again")

    @property
    def inside(self) -> bool:
        """Whether the address belongs to an existing file, so that the page should link to the file's other pages."""
        if "database" not in self.http.url_vars:
            return False
        try:
            return bool(self.file)
        except NoPage:
            return False

    @property
    def section(self) -> str:
        """The section of the file's pages, such as `explore`, to which the address belongs; empty for other pages."""
        return str(self.http.path).partition(ROOT)[2].split("/")[2] if "database" in self.http.url_vars else ""

    def part(self, name: str) -> str:
        """Return a decoded part of the address."""
        return unquote(self.http.url_vars[name])

    def query(self, takes: Mapping[str, Param]) -> dict[str, Any]:
        """Return the query parameters that a route accepts."""
        args = self.http.args
        return {
            name: args.getlist(name) if param.kind == list[str] else args.get(name)
            for name, param in takes.items()
            if name in args
        }

    def path(self, *parts: str, **arguments: object) -> str:
        """Return the address of a page of the explorer. If parts are given, the page belongs to the current file.

        Empty arguments are omitted, and arguments with several values are repeated. The address of the page of a
        machine called `a.json` differs from that of the JSON for a machine called `a`.
        """
        inside = [tilde_encode(self.file.name), *(quote(part, safe="") for part in parts)] if parts else []
        if inside[1:] and inside[-1].endswith(JSON):
            inside[-1] = inside[-1].removesuffix(JSON) + "%2Ejson"
        given = {name: value for name, value in arguments.items() if str(value)}
        query = urlencode(given, doseq=True, safe=".,:", quote_via=quote)
        return str(self.datasette.urls.path("/".join([ROOT, *inside]))) + (f"?{query}" if query else "")

    def boards(self, **arguments: object) -> Callable[[str], str]:
        """Return a function that maps a board to its address in Explore and is fast enough for hundreds of boards."""
        before, _, after = self.path("explore", BOARD, **arguments).partition(f"/{BOARD}")
        return lambda board: f"{before}/{quote(board, safe='')}{after}"

    def sql(self, sql: str, **parameters: str) -> str:
        """Return the address where Datasette's SQL console runs a statement on the file."""
        urls = self.datasette.urls
        console = "/-/query?" if hasattr(urls, "database_query") else "?"  # since Datasette 1.0
        return str(urls.database(self.file.name)) + console + urlencode({"sql": sql, **parameters})

    @cached_property
    def read_only(self) -> bool:
        """Whether the request must not write, because another computer sent it or the file or server is read-only."""
        settings = self.datasette.plugin_config("menace") or {}
        has_file = "database" in self.http.url_vars or "file" in vars(self)
        writable = not explain_foreign_request(*self._origin) and (not has_file or self.file.writable)
        return not writable or bool(settings.get("read_only"))

    @property
    def _origin(self) -> tuple[dict[str, str], int | None, str | None]:
        """The headers, the port on which the server listens, and the address of the client.

        If the server accepts requests from any client, all clients are treated as if they were on this computer.
        """
        scope = self.http.scope
        client, port = (scope.get("client") or (None,))[0], (scope.get("server") or (None, None))[1]
        settings = self.datasette.plugin_config("menace") or {}
        return headers_of(scope), port, HOST if settings.get("any_client") else client

    async def may_look(self) -> bool:
        """Return whether the client may see the database."""
        actor, name = self.http.actor, self.file.name
        if hasattr(self.datasette, "permission_allowed"):  # before Datasette 1.0
            return bool(await self.datasette.permission_allowed(actor, "view-database", resource=name, default=True))
        from datasette.resources import DatabaseResource

        return bool(await self.datasette.allowed(action="view-database", resource=DatabaseResource(name), actor=actor))

    async def ask(self, query: Callable[[Store], T]) -> T:
        """Run a query on the file over a separate connection, and return the result.

        Raises:
            MenaceError: whatever the query raises.
        """
        patience = None if self.http.method == "POST" else READ_TIMEOUT

        def answer() -> T:
            with Store.open(self.file.path, patience) as store:
                store.positions_cache = LIBRARY.positions
                return query(store)

        return await in_thread(answer)

    async def body(self) -> dict[str, Any]:
        """Return the JSON body, after checking that the request is allowed to write.

        Raises:
            Refused: if the request is not allowed to write.
            BadRequest: if the body is not a JSON object, is too long, or is incomplete.
        """
        check_writer(*self._origin)
        if self.read_only and self.section != "beginner":  # a beginner can be kept in memory; see pages/play.py
            name = self.http.url_vars.get("database", "this")
            raise Refused(f"{name} is read-only here; nothing can be written to it")
        return await read_object(self.http.receive, MAX_BODY_SIZE)

    async def page(
        self, template: str, status: int = OK, content_type: str = "text/html; charset=utf-8", **context: Any
    ) -> Response:
        """Render a page or picture from a template. For games with pawns, the page draws X and O as pawns."""
        if self.inside and status == OK and "pawns" not in context:
            context["pawns"] = await self.ask(lambda store: has_pawns(rules_of(store).game))
        content = await self.datasette.render_template(
            f"menace_{template}.html", {"page_request": self, **context}, request=self.http
        )
        return Response(content, status=status, content_type=content_type)

    def json(self, content: object, status: int = 200) -> Response:
        """Return a JSON response."""
        return Response(
            json.dumps(content, ensure_ascii=False, allow_nan=False),
            status=status,
            content_type="application/json; charset=utf-8",
        )

    async def failure(self, error: MenaceError) -> Response:
        """Return the response for an error, as JSON if the client requested JSON."""
        status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), WRONG)
        if self.http.method == "POST" or self.http.path.endswith(JSON):
            return self.json({"error": str(error)}, status)
        return await self.page(
            "error", status, error=str(error), title="Page not found" if status == MISSING else "Invalid request"
        )
