"""Define the explorer's pages, with related pages in the same file, and the table of all routes.

Pages import modules from the explorer's other folders, but they do not import each other's handlers. Read graph.py
first, because it is short.

A route is a path below `/-/menace` in which names in braces stand for variable parts. The first route that
matches a request handles it. Routes for JSON and pictures come before routes for pages, because the name of a machine
may end in `.json`.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from datasette import Forbidden
from datasette.utils.asgi import Response

from menace.errors import MenaceError
from menace.explorer.pages import boxes, compare, explore, graph, home, machines, play  # noqa: F401 - they add routes
from menace.explorer.server import ROOT
from menace.explorer.server.requests import ROUTES, NoPage, Request, Route, arguments, json_response


def routes() -> list[Route]:
    """Return all routes in the order in which they are tried."""
    return sorted(ROUTES, key=lambda route: (not route.path.endswith((".json", ".svg")), route.path))


async def elsewhere(request: Request) -> Response:
    """Redirect an address that names only a file to the home page. Raises NoPage for any other unknown address."""
    if request.file and not request.http.url_vars["rest"]:
        return Response.redirect(request.path())
    raise NoPage(f"there is no page {request.http.path}")


# The pattern excludes addresses that end in a slash, because Datasette redirects them to addresses without the slash.
ELSEWHERE = f"^{ROOT}/(?P<database>[^/]+)(?:/(?P<rest>.*[^/]))?$"


def views() -> list[tuple[str, Callable[..., Awaitable[Any]]]]:
    """Return all routes as patterns and views for Datasette.

    The last route matches all other addresses of the explorer.
    """
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
            return Response.text("this address accepts only " + allowed, status=405, headers={"allow": allowed})
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
            return answer if isinstance(answer, Response) else json_response(answer)
        except MenaceError as error:
            return await ours.failure(error)

    return view
