"""Links to Datasette's console, with the SQL behind a page."""

from __future__ import annotations

from urllib.parse import urlencode

from menace.web.visit import Visit


def sql_link(visit: Visit, sql: str) -> str:
    """Return the address at which Datasette answers a statement about the visited file."""
    urls, name = visit.datasette.urls, visit.file.name
    if hasattr(urls, "database_query"):  # Datasette 1.0
        return str(urls.database_query(name, sql))
    return str(urls.database(name)) + "?" + urlencode({"sql": sql})
