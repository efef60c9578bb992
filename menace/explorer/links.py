"""Links to Datasette's console, with the SQL behind a page."""

from __future__ import annotations

from urllib.parse import urlencode

from menace.explorer.request import Visit


def sql_of(visit: Visit, sql: str, **parameters: str) -> str:
    """Return the address at which Datasette answers a statement about the visited file."""
    urls, inside = visit.datasette.urls, visit.file.name
    console = "/-/query?" if hasattr(urls, "database_query") else "?"  # since Datasette 1.0
    return str(urls.database(inside)) + console + urlencode({"sql": sql, **parameters})
