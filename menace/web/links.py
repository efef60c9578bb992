"""Addresses of ours that end in the name of a machine, and Datasette's console with the SQL behind a page."""

from __future__ import annotations

from urllib.parse import urlencode

from menace.web.visit import Visit

JSON = ".json"


def named(visit: Visit, kind: str, name: str) -> str:
    """Return the address of a page of a machine; one called `a.json` does not look like the JSON of one called `a`."""
    address = visit.path(kind, name)
    return address.removesuffix(JSON) + "%2Ejson" if address.endswith(JSON) else address


def json_address(visit: Visit, kind: str, name: str) -> str:
    """Return the address of the JSON of a machine."""
    return named(visit, kind, name) + JSON


def sql_of(visit: Visit, sql: str, **parameters: str) -> str:
    """Return the address at which Datasette answers a statement about the visited file."""
    urls, inside = visit.datasette.urls, visit.file.name
    console = "/-/query?" if hasattr(urls, "database_query") else "?"  # since Datasette 1.0
    return str(urls.database(inside)) + console + urlencode({"sql": sql, **parameters})
