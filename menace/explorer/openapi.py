"""The OpenAPI description of the explorer's routes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import EnumType
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, TypeAlias, Union, get_args, get_origin, get_type_hints, is_typeddict

from datasette.utils.asgi import Response

from menace import __version__
from menace.explorer.access_checks import BODY_MOST
from menace.explorer.params import NEEDED, Param
from menace.explorer.root_path import ROOT
from menace.explorer.route import Route

Kinds: TypeAlias = tuple[Any, ...]  # that a type is composed of

VERSION = "3.1.0"  # https://spec.openapis.org/oas/v3.1.0
PARTS = {
    "database": "the name of a database, as Datasette writes it in addresses",
    "name": "the name of a machine",
    "player": "the name of a machine",
    "board": "a board, as its game writes it",
}
TYPES = {".json": "application/json", ".svg": "image/svg+xml"}
READ = {
    "400": "it is not as it should be",
    "403": "the database is not shown to whoever asks",
    "404": "there is no such thing",
    "503": "somebody else kept the file busy for long",
}
WRITTEN = {
    **READ,
    "400": "it is not as it should be; nothing was written",
    "403": "only a page of this site may write, and not to what is shown read-only",
}
ERROR = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def description(routes: Sequence[Route]) -> dict[str, Any]:
    """Return the OpenAPI description of routes.

    >>> from menace.explorer.routes import routes
    >>> described = description(routes())["paths"]["/-/menace/{database}/graph.json"]
    >>> [parameter["name"] for parameter in described["get"]["parameters"]]
    ['database', 'part', 'learner', 'board']
    """
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(ROOT + route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": VERSION,
        "info": {
            "title": "menace",
            "version": __version__,
            "description": "The explorer of matchbox machines. Nothing is written by GET. What writes takes JSON of at"
            f" most {BODY_MOST // 1024} KiB, from a page of the same site on this computer: Origin, Sec-Fetch-Site,"
            " Host and the client's address are checked.",
        },
        "paths": paths,
    }


def _operation(route: Route) -> dict[str, Any]:
    reads = route.method == "GET"
    parts = [_parameter("path", part, PARTS.get(part, part), {"type": "string"}, True) for part in route.parts]
    query = [
        _parameter("query", name, param.means, _schema(param), param.default is NEEDED)
        for name, param in (route.takes.items() if reads else ())
    ]
    others = {**route.others, **(READ if reads else WRITTEN)}
    page = "text/html" if reads else "application/json"
    kind = next((kind for ending, kind in TYPES.items() if route.path.endswith(ending)), page)
    answer = {"description": route.summary if reads else "what was done", "content": {kind: _given(route)}}
    return {
        "summary": route.summary,
        "parameters": parts + query,
        **({} if reads else {"requestBody": _body(route)}),
        "responses": {"200": answer} | {status: _response(status, words) for status, words in others.items()},
    }


def _parameter(where: str, name: str, means: str, schema: dict[str, Any], required: bool) -> dict[str, Any]:
    return {"name": name, "in": where, "required": required, "description": means, "schema": schema}


def _schema(param: Param) -> dict[str, Any]:
    return {"type": param.kind, **({"items": {"type": "string"}} if param.kind == "array" else {})}


def _body(route: Route) -> dict[str, Any]:
    properties = {name: {**_schema(param), "description": param.means} for name, param in route.takes.items()}
    needed = [name for name, param in route.takes.items() if param.default is NEEDED]
    schema: dict[str, Any] = {"type": "object", "properties": properties, **({"required": needed} if needed else {})}
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _given(route: Route) -> dict[str, Any]:
    """Return the schema of a JSON response; none for a page or a picture."""
    return {} if route.returns is Response else {"schema": schema_of(route.returns)}


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type: a TypedDict, a container, a union, an enumeration of texts, or a scalar.

    >>> schema_of(dict[str, list[int | None]])["additionalProperties"]
    {'type': 'array', 'items': {'anyOf': [{'type': 'integer'}, {'type': 'null'}]}}
    """
    if is_typeddict(kind):
        fields = get_type_hints(kind, include_extras=True)
        properties = {name: schema_of(field) for name, field in fields.items()}
        required = [name for name, field in fields.items() if get_origin(field) is not NotRequired]
        return {"type": "object", "properties": properties, "required": required}
    if isinstance(kind, EnumType):
        return {"type": "string", "enum": list(kind.__members__)}
    if kind in SCALARS:
        return {"type": SCALARS[kind]}
    return {} if kind is Any else COMPOSED[get_origin(kind)](get_args(kind))


def _union(kinds: Kinds) -> dict[str, Any]:
    return {"anyOf": [schema_of(kind) for kind in kinds]}


def _array(kinds: Kinds) -> dict[str, Any]:
    return {"type": "array", "items": schema_of(kinds[0])}


COMPOSED: Mapping[Any, Callable[[Kinds], dict[str, Any]]] = {
    list: _array,
    tuple: _array,  # of one type
    dict: lambda kinds: {"type": "object", "additionalProperties": schema_of(kinds[1])},
    UnionType: _union,
    Union: _union,  # of a Literal and None
    Literal: lambda texts: {"type": "string", "enum": list(texts)},
    NotRequired: lambda kinds: schema_of(kinds[0]),
}


def _response(status: str, words: str) -> dict[str, Any]:
    """Return a response other than 200: an error as JSON, or what leads elsewhere."""
    content = {"application/json": {"schema": ERROR}}
    return {"description": words, **({"content": content} if status >= "4" else {})}
