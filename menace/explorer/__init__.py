"""The explorer: pages of Datasette's server for every database of menace that it serves.

A plugin of Datasette, found by its entry point: `datasette menace.db` has the pages as `menace serve` has. Every start
of Datasette imports this module, so it imports nothing that takes time until a page is asked for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from datasette import hookimpl

from menace.explorer.address import ROOT


@hookimpl
def register_routes() -> list[tuple[str, Callable[..., Awaitable[Any]]]]:
    """Return our addresses."""
    from menace.explorer.routes import views

    return views()


@hookimpl
def menu_links(datasette: Any) -> list[dict[str, str]]:
    """Link to our home from the menu of every page of Datasette's."""
    return [{"href": datasette.urls.path(ROOT), "label": "Matchboxes"}]


@hookimpl
def skip_csrf(scope: dict[str, Any]) -> bool:
    """Leave our writes to `guard`, which asks for more than Datasette's token. Datasette 1.0 has no such hook."""
    return str(scope["path"]).startswith(ROOT)


@hookimpl(trylast=True)
def asgi_wrapper(datasette: Any) -> Callable[[Any], Any]:
    """Set the headers of answers, and answer to no other machine's names where the server is for this one alone."""
    from menace.explorer.guard import guarded

    local = bool((datasette.plugin_config("menace") or {}).get("local"))
    return lambda app: guarded(app, datasette.urls.path(ROOT), local)


@hookimpl
def prepare_jinja2_environment(env: Any) -> None:
    """Give the scripts of all templates their nonce."""
    from menace.explorer.content_security import ScriptNonces

    env.add_extension(ScriptNonces)


@hookimpl
def render_cell(value: Any, column: str, database: str, datasette: Any) -> Any:
    """Draw boards in Datasette's tables."""
    if not isinstance(value, str) or column == "":
        return None
    from menace.explorer.datasette_cells import cell_html

    return cell_html(value, column, database, datasette)


@hookimpl(trylast=True)
def prepare_connection(conn: Any, database: str, datasette: Any) -> None:
    """Give SQL the function `board_svg`, and set limits, after all that other plugins do with the connection."""
    from menace.explorer.datasette_cells import add_board_svg
    from menace.explorer.served import bound_connection

    add_board_svg(conn, database, datasette)
    bound_connection(conn, database, datasette)


@hookimpl
def register_output_renderer(datasette: Any) -> list[dict[str, Any]]:
    """Serve files of ours in our way. Of all hooks this is the first: `startup` is called after they were read."""
    from menace.explorer.served import serve_ours

    serve_ours(datasette)
    return []
