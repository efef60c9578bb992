"""Define routes, and represent requests to the explorer with their parameters, databases and responses.

If threads are available, Datasette's event loop never waits for a database. Each query runs in a thread on a separate
connection, which is opened before the query and closed after it.
"""

from __future__ import annotations

import functools
import inspect
import json
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar
from urllib.parse import quote, unquote, urlencode

from datasette.utils import tilde_encode
from datasette.utils.asgi import Response

from menace.errors import DatabaseBusy, MenaceError, UnknownGame, UnknownLearner
from menace.explorer.server import ROOT, security, served_databases, threads_and_caches
from menace.explorer.server.security import Misdirected, Refused
from menace.games.base import has_pawns
from menace.ledger.rules import rules_of
from menace.ledger.store import Store


class NoPage(MenaceError):
    """An address that does not exist."""


class BadRequest(MenaceError, ValueError):
    """A malformed request, which no page of the explorer would send."""


class TooManySessions(MenaceError):
    """A request for a new session while too many games are in progress."""


class LostSession(MenaceError):
    """A request for a session that no longer exists, because the server restarted or another session replaced it."""


T = TypeVar("T")
MAX_TEXT_LENGTH = 2_000  # characters
MAX_DIGITS = 30
NEEDED = inspect.Parameter.empty


class Param(NamedTuple):
    """A parameter that a route accepts in the query string or the body.

    Attributes:
        kind: its type, a key of READERS.
        default: its value if it is missing or empty, or NEEDED if it is required. A list is never required.
        argument: the name of the Python argument.
    """

    kind: Any
    default: Any
    argument: str


@functools.cache
def route_parameters(handler: Callable[..., Any]) -> Mapping[str, Param]:
    """Return the parameters of a handler or of a dataclass of parameters, indexed by name.

    >>> from menace.explorer.pages.play import begin
    >>> list(route_parameters(begin)), route_parameters(begin)["seed"].default
    (['entries', 'as', 'name', 'seed', 'greedy', 'learning', 'physical', 'board'], None)
    """
    if shared := _class_of(handler):
        return route_parameters(shared)
    return {
        taken.name.rstrip("_"): Param(
            taken.annotation, () if taken.annotation == list[str] else taken.default, taken.name
        )
        for taken in inspect.signature(handler, eval_str=True).parameters.values()
        if taken.annotation in READERS
    }


def _class_of(handler: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the dataclass that a handler accepts as its parameters, or None if it accepts separate arguments."""
    shared = inspect.signature(handler, eval_str=True).parameters.get("params")
    return None if shared is None else shared.annotation


def arguments(handler: Callable[..., Any], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the values that a client sent to keyword arguments for a handler.

    Args:
        handler: the function.
        sent: the values that the client sent, by name.

    Raises:
        BadRequest: if a required parameter is missing, or if a parameter has the wrong type.
    """
    values = {param.argument: _value(sent.get(name), name, param) for name, param in route_parameters(handler).items()}
    shared = _class_of(handler)
    return values if shared is None else {"params": shared(**values)}


def _value(value: object, name: str, param: Param) -> Any:
    """Convert a parameter to its type; if it is missing or empty, return its default."""
    if value not in (None, "", [], {}):
        return READERS[param.kind](value, name)
    if param.default is NEEDED:
        raise BadRequest(f"{name} is missing; enter a value")
    return param.default


def _read_text(value: object, name: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT_LENGTH:
        raise BadRequest(f"{name} is not a string of at most {MAX_TEXT_LENGTH:,} characters")
    return value


def _read_number(value: object, name: str) -> int:
    """Convert a parameter, which is a number or a string of digits, to an integer.

    >>> _read_number("1,000 ", "games"), _read_number(7, "seed")
    (1000, 7)
    """
    text = value.strip().replace(",", "") if isinstance(value, str) else value
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
        return int(text)
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    raise BadRequest(f"{name} is not an integer; enter digits")


def _reader_of(kind: type[T], otherwise: str) -> Callable[[object, str], T]:
    """Return a function that returns a value of the given type unchanged, and raises BadRequest for any other value."""

    def read(value: object, name: str) -> T:
        if not isinstance(value, kind):
            raise BadRequest(f"{name} is {otherwise}")
        return value

    return read


_read_list = _reader_of(list, "not a list")


READERS: Mapping[Any, Callable[[object, str], Any]] = {
    str: _read_text,
    int: _read_number,
    int | None: _read_number,
    bool: _reader_of(bool, "neither true nor false"),
    dict[str, object]: _reader_of(dict, "not an object"),
    list[str]: lambda value, name: [_read_text(text, name) for text in _read_list(value, name)],
}


Handler: TypeAlias = Callable[..., Any]
H = TypeVar("H", bound=Handler)


class Route(NamedTuple):
    """A route of the explorer.

    Attributes:
        method: the HTTP method.
        path: the path below `ROOT`, with `{name}` for a variable part.
        handler: the function that returns a page, a picture, or the content of a JSON response. If it is not a
            coroutine function, it also takes the file's store and runs in a thread.
    """

    method: Literal["GET", "POST"]
    path: str
    handler: Handler

    @property
    def takes(self) -> Mapping[str, Param]:
        """The parameters that the route accepts in the query string or the body, indexed by name."""
        return route_parameters(self.handler)

    @property
    def pattern(self) -> str:
        """A regular expression for the whole address."""
        return "^" + ROOT + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+?)", self.path.replace(".", r"\.")) + "$"


ROUTES: list[Route] = []  # the routes of all pages that have been imported


def _at(method: Literal["GET", "POST"], path: str) -> Callable[[H], H]:
    """Return a decorator that registers a handler as a route; see `Route`."""

    def registered(handler: H) -> H:
        ROUTES.append(Route(method, path, handler))
        return handler

    return registered


get = functools.partial(_at, "GET")
post = functools.partial(_at, "POST")


JSON = ".json"
BOARD = "BOARD"  # a placeholder for a board in an address
OK, MISSING, REFUSED, GONE, BUSY, WRONG = 200, 404, 403, 410, 503, 400
# seconds to wait for another program's lock when reading; requests that write wait as long as commands do
READ_TIMEOUT = 1.5
STATUS = {
    Misdirected: security.MISDIRECTED,
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
    def file(self) -> served_databases.File:
        """The database that the address names or, if it names none, the missing database that will be created.

        Raises NoPage.
        """
        if name := self.http.url_vars.get("database"):
            file, reason = (
                served_databases.find_file(self.datasette, name),
                f"this server has no menace database {name!r}",
            )
        else:
            file = served_databases.missing_file(self.datasette)
            reason = "the database already exists; open the home page again"
        if file is None:
            raise NoPage(reason)
        return file

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
        """The section that contains the page, such as `explore`, or an empty string if the page belongs to no file."""
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

        Empty arguments are omitted, and arguments with several values are repeated. The page of a machine called
        `a.json` and the JSON for a machine called `a` have different addresses.
        """
        inside = [tilde_encode(self.file.name), *(quote(part, safe="") for part in parts)] if parts else []
        if inside[1:] and inside[-1].endswith(JSON):
            inside[-1] = inside[-1].removesuffix(JSON) + "%2Ejson"
        given = {name: value for name, value in arguments.items() if str(value)}
        query = urlencode(given, doseq=True, safe=".,:", quote_via=quote)
        return str(self.datasette.urls.path("/".join([ROOT, *inside]))) + (f"?{query}" if query else "")

    def boards(self, **arguments: object) -> Callable[[str], str]:
        """Return a fast function that maps each of many boards to the address of the board's Explore page."""
        before, _, after = self.path("explore", BOARD, **arguments).partition(f"/{BOARD}")
        return lambda board: f"{before}/{quote(board, safe='')}{after}"

    def sql(self, sql: str, **parameters: str) -> str:
        """Return the address at which Datasette's SQL console runs a statement on the file."""
        urls = self.datasette.urls
        console = "/-/query?" if hasattr(urls, "database_query") else "?"  # since Datasette 1.0
        return str(urls.database(self.file.name)) + console + urlencode({"sql": sql, **parameters})

    @cached_property
    def read_only(self) -> bool:
        """Whether the request must not write: another computer sent it, or the file or the server is read-only."""
        settings = self.datasette.plugin_config("menace") or {}
        has_file = "database" in self.http.url_vars or "file" in vars(self)
        writable = not security.explain_foreign_request(*self._origin) and (not has_file or self.file.writable)
        return not writable or bool(settings.get("read_only"))

    @property
    def _origin(self) -> tuple[dict[str, str], int | None, str | None]:
        """The headers, the port on which the server listens, and the address of the client.

        If the server accepts requests from any client, all clients are treated as if they were on this computer.
        """
        scope = self.http.scope
        client, port = (scope.get("client") or (None,))[0], (scope.get("server") or (None, None))[1]
        settings = self.datasette.plugin_config("menace") or {}
        return security.headers_of(scope), port, security.HOST if settings.get("any_client") else client

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
                store.positions_cache = threads_and_caches.LIBRARY.positions
                return query(store)

        return await threads_and_caches.in_thread(answer)

    async def body(self) -> dict[str, Any]:
        """Return the JSON body, after checking that the request is allowed to write.

        Raises:
            Refused: if the request is not allowed to write.
            BadRequest: if the body is not a JSON object, is too long, or is incomplete.
        """
        security.check_writer(*self._origin)
        # an untrained machine may exist only in memory; see pages/play.py
        if self.read_only and self.section != "beginner":
            name = self.http.url_vars.get("database", "this")
            raise Refused(f"{name} is read-only here; nothing can be written to it")
        return await read_object(self.http.receive, security.MAX_BODY_SIZE)

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

    async def failure(self, error: MenaceError) -> Response:
        """Return the response for an error, as JSON if the client requested JSON."""
        response = error_response(error)
        if self.http.method == "POST" or self.http.path.endswith(JSON):
            return response
        return await self.page(
            "error",
            response.status,
            error=str(error),
            title="Page not found" if response.status == MISSING else "Invalid request",
        )


STATIC = "/static/"  # the path of scripts and stylesheets
DRAWING = {"menace.css", "matchbox.css", "play.css", "words.js", "drawing.js", "matchbox.js", "motion.js"}
DRAWING |= {"board_input.js", "swap.js", "forms.js"}  # required by pages with a board and a box
SAFE = {name.decode(): value.decode() for name, value in security.policy("").items()}
SAFE["content-security-policy"] = re.sub("script-src [^;]*; ", "", SAFE["content-security-policy"])  # no inline scripts
FRESH = {**SAFE, "cache-control": "no-store"}


MAX_SENT_SIZE = 2048  # maximum number of bytes in a request to a small server


async def sent_arguments(handler: Handler, receive: Callable[[], Awaitable[Mapping[str, Any]]]) -> dict[str, Any]:
    """Parse the body of a request, and return the keyword arguments for a handler.

    Raises BadRequest as in `arguments`.
    """
    return arguments(handler, await read_object(receive, MAX_SENT_SIZE))


def static_file(scope: Mapping[str, Any], names: Collection[str]) -> Response | None:
    """Return the script or stylesheet that a request names, or None if `names` does not contain it."""
    name = str(scope["path"]).removeprefix(STATIC)
    return (
        _static_response(name)
        if scope["path"] == STATIC + name and scope["method"] == "GET" and name in names
        else None
    )


@cache
def _static_response(name: str) -> Response:
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    text = (files("menace.explorer") / "static" / name).read_text("utf-8")
    return Response(text, headers={**SAFE, "cache-control": "max-age=300"}, content_type=f"{kind}; charset=utf-8")


def json_response(content: object, status: int = OK) -> Response:
    """Return a response with JSON."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    return Response(text, status, FRESH, "application/json; charset=utf-8")


def error_response(error: MenaceError) -> Response:
    """Return a JSON response for an error, with the error's HTTP status."""
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), WRONG)
    return json_response({"error": str(error)}, status)


async def send_answer(answer: Awaitable[Response], send: security.Send) -> None:
    """Await a response and send it; if that raises an error, send a response that describes the error."""
    try:
        response = await answer
    except MenaceError as error:
        response = error_response(error)
    await response.asgi_send(send)
