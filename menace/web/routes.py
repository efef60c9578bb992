"""All addresses of ours, and which page answers.

An address is a path below `/-/menace`, with names in braces for its parts. The first that fits answers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from menace.errors import MenaceError
from menace.web.route import Route
from menace.web.visit import Visit


def routes() -> list[Route]:
    """Return all addresses, in the order in which they are tried."""
    from menace.web import boxes, compare, explore, graph, home, machine, machines, play, prospect, training

    pages = (home, training, play, explore, boxes, machines, machine, prospect, compare, graph)
    return [OPENAPI, *(route for page in pages for route in page.ROUTES)]


async def openapi_json(visit: Visit) -> Any:
    """Return the description of all addresses."""
    from menace.web.openapi import description

    return visit.json(description(routes()))


OPENAPI = Route(
    "/openapi.json", openapi_json, None, "all addresses, as OpenAPI describes them", gives="openapi info paths"
)


def views() -> list[tuple[str, Callable[..., Awaitable[Any]]]]:
    """Return all addresses as Datasette wants them."""
    return [(route.pattern, _view(route)) for route in routes()]


def _view(route: Route) -> Callable[..., Awaitable[Any]]:
    async def view(datasette: Any, request: Any) -> Any:
        from datasette import Forbidden
        from datasette.utils.asgi import Response

        methods = {"GET": route.get, "HEAD": route.get, "POST": route.post}
        answer = methods.get(request.method)
        if answer is None:
            allowed = ", ".join(method for method, one in methods.items() if one is not None)
            return Response.text("this address takes " + allowed, status=405, headers={"allow": allowed})
        visit = Visit(datasette, request, route.takes, route.body)
        try:
            if "database" in request.url_vars and not await visit.may_look():
                raise Forbidden("view-database")
            return await answer(visit)
        except MenaceError as error:
            return await visit.failure(error)

    return view
