"""Links to Datasette's SQL console, with the SQL behind a page."""

from __future__ import annotations

from urllib.parse import urlencode

from menace.explorer.request import Request


def sql_of(request: Request, sql: str, **parameters: str) -> str:
    """Return the address at which Datasette runs a statement on the request's database."""
    urls, inside = request.datasette.urls, request.file.name
    console = "/-/query?" if hasattr(urls, "database_query") else "?"  # since Datasette 1.0
    return str(urls.database(inside)) + console + urlencode({"sql": sql, **parameters})
