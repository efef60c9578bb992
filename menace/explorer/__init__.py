"""The explorer, a Datasette plugin that adds pages for every menace database that Datasette serves.

Datasette finds the plugin through its entry point, so `datasette menace.db` shows the same pages as `menace serve`.
Datasette imports this module every time it starts, so slow imports are deferred until a page is requested.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from datasette import hookimpl

from menace.explorer.server import ROOT


@hookimpl
def register_routes() -> list[tuple[str, Callable[..., Awaitable[Any]]]]:
    """Return the routes of the explorer."""
    from menace.explorer.pages import views

    return views()


@hookimpl
def menu_links(datasette: Any) -> list[dict[str, str]]:
    """Add a link to the explorer's home page to Datasette's menu."""
    return [{"href": datasette.urls.path(ROOT), "label": "Matchboxes"}]


@hookimpl
def skip_csrf(scope: dict[str, Any]) -> bool:
    """Skip Datasette's CSRF check for the explorer, which has its own, stricter check.

    Datasette 1.0 does not have this hook.
    """
    return str(scope["path"]).startswith(ROOT)


@hookimpl(trylast=True)
def asgi_wrapper(datasette: Any) -> Callable[[Any], Any]:
    """Set security headers, and check the Host header if the server accepts requests only from this computer."""
    from menace.explorer.server.security import guarded

    local = bool((datasette.plugin_config("menace") or {}).get("local"))
    return lambda app: guarded(app, datasette.urls.path(ROOT), local)


@hookimpl
def prepare_jinja2_environment(env: Any) -> None:
    """Add a nonce to every script tag in templates, and register the functions that format text in templates."""
    from menace.explorer.server.security import ScriptNonces
    from menace.text.narration import opening, told
    from menace.text.wording import counted, ordinal, percent

    env.add_extension(ScriptNonces)
    env.globals |= {"told": told, "opening": opening, "counted": counted, "ordinal": ordinal}
    env.globals["percent"] = lambda share: percent(share).strip()


@hookimpl
def extra_css_urls(database: str | None, datasette: Any) -> list[str]:
    """Return the URL of the stylesheet that displays tables of menace databases in a fixed-width font."""
    from menace.explorer.server.served_databases import menace_files

    ours = database in {file.name for file in menace_files(datasette)}
    return [datasette.urls.static_plugins("matchbox-menace", "datasette.css")] if ours else []


@hookimpl
def render_cell(value: Any, column: str, database: str, datasette: Any) -> Any:
    """Draw boards in the cells of Datasette's tables."""
    if not isinstance(value, str) or column == "":
        return None
    from menace.explorer.datasette.cells import cell_html

    return cell_html(value, column, database, datasette)


@hookimpl(trylast=True)
def prepare_connection(conn: Any, database: str, datasette: Any) -> None:
    """Register the SQL function `board_svg`, and set the limits on SQL statements.

    Other plugins' implementations of this hook run first.
    """
    from menace.explorer.datasette.cells import add_board_svg
    from menace.explorer.datasette.database import bound_connection

    add_board_svg(conn, database, datasette)
    bound_connection(conn, database, datasette)


@hookimpl
def register_output_renderer(datasette: Any) -> list[dict[str, Any]]:
    """Serve menace databases with `ServedDatabase`, and add metadata that describes them.

    Datasette calls this hook before all others; the `startup` hook would run too late.
    """
    from menace.explorer.datasette.database import serve_menace_files

    serve_menace_files(datasette)
    return []
