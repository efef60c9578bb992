"""The pages of the explorer, one file for each page, and the table of all routes.

They import the other folders of the explorer, and not each other's handlers. Start with games/networkx_graph.py,
which is short.

`routes` returns the table of all routes. A route is a path below `/-/menace`, with names in braces for its parts. The
first that matches answers: JSON and pictures come before pages, whose names may end alike.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from datasette import Forbidden
from datasette.utils.asgi import Response

from menace.errors import MenaceError
from menace.explorer.pages import (  # noqa: F401 - each registers its routes
    boxes,
    compare,
    explore,
    graph,
    home,
    machine,
    machines,
    play,
)
from menace.explorer.server.errors import ROOT, NoPage
from menace.explorer.server.requests import Request
from menace.explorer.server.routes import ROUTES, Route, arguments


def routes() -> list[Route]:
    """Return all routes, in the order in which they are tried."""
    return sorted(ROUTES, key=lambda route: (not route.path.endswith((".json", ".svg")), route.path))


async def elsewhere(request: Request) -> Response:
    """Lead from the address of a file alone to the first page. Raises NoPage for one that is no page's."""
    if request.file and not request.http.url_vars["rest"]:
        return Response.redirect(request.path())
    raise NoPage(f"{request.http.path} is no page of menace")


# An address that ends in a slash is not among them: Datasette leads to the one without.
ELSEWHERE = f"^{ROOT}/(?P<database>[^/]+)(?:/(?P<rest>.*[^/]))?$"


def views() -> list[tuple[str, Callable[..., Awaitable[Any]]]]:
    """Return all routes as patterns and views for Datasette; the last is of all other addresses below ours."""
    by_pattern: dict[str, dict[str, Route]] = {}
    for route in routes():
        by_pattern.setdefault(route.pattern, {})[route.method] = route
    by_pattern[ELSEWHERE] = {"GET": Route("GET", "", elsewhere)}
    return [(pattern, _view(methods)) for pattern, methods in by_pattern.items()]


def _view(methods: Mapping[str, Route]) -> Callable[..., Awaitable[Any]]:
    async def view(datasette: Any, request: Any) -> Any:
        route = methods.get("GET" if request.method == "HEAD" else request.method)
        if route is None:
            allowed = ", ".join(name for name in ("GET", "HEAD", "POST") if name.replace("HEAD", "GET") in methods)
            return Response.text("this address takes " + allowed, status=405, headers={"allow": allowed})
        ours = Request(datasette, request)
        try:
            if "database" in request.url_vars and not await ours.may_look():
                raise Forbidden("view-database")
            sent = await ours.body() if route.method == "POST" else ours.query(route.takes)
            values = arguments(route.handler, sent)
            if inspect.iscoroutinefunction(route.handler):
                answer = await route.handler(ours, **values)
            else:
                answer = await ours.ask(lambda store: route.handler(ours, store, **values))
            return answer if isinstance(answer, Response) else ours.json(answer)
        except MenaceError as error:
            return await ours.failure(error)

    return view
