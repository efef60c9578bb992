"""The parameters of a route, from the signature of its handler, and the validation of what a client sends.

A parameter is `Annotated` with its meaning, and may be omitted if it has a default. A handler that shares parameters
with others takes a dataclass of them. A name that is a Python keyword ends in `_`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from menace.explorer.request_errors import BadRequest

Kind: TypeAlias = Literal["string", "integer", "boolean", "object", "array"]

TEXT_MOST = 2_000  # characters
DIGITS_MOST = 30
NEEDED = inspect.Parameter.empty
KINDS: dict[Any, Kind] = {
    str: "string",
    int: "integer",
    int | None: "integer",
    bool: "boolean",
    dict[str, object]: "object",
    list[str]: "array",
}


class Param(NamedTuple):
    """A parameter of a route, in the query or the body.

    Attributes:
        kind: its type, as JSON Schema calls it; of an array, of texts.
        means: what it is, in words.
        default: the value if it is missing or empty; NEEDED if it is required. An array never is.
        argument: its name in Python.
    """

    kind: Kind
    means: str
    default: Any
    argument: str


@functools.cache
def params_of(handler: Callable[..., Any]) -> Mapping[str, Param]:
    """Return the parameters of a handler, or of a dataclass of parameters, by name.

    >>> from menace.explorer.machine import rename
    >>> params_of(rename)["name"].means
    'the new name'
    """
    shared = _class_of(handler)
    if shared is not None:
        return params_of(shared)
    params = {}
    for name, annotation in _annotations(handler).items():
        if metadata := getattr(annotation, "__metadata__", ()):
            kind, default = KINDS[get_args(annotation)[0]], inspect.signature(handler).parameters[name].default
            params[name.rstrip("_")] = Param(kind, metadata[0], () if kind == "array" else default, name)
    return params


def _class_of(handler: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the dataclass of parameters that a handler takes; None if it takes them one by one."""
    shared: Callable[..., Any] | None = _annotations(handler).get("params")
    return shared


@functools.cache
def _annotations(handler: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the annotations of a function, or of a class and those that it inherits from."""
    owners = reversed(handler.__mro__) if isinstance(handler, type) else [handler]
    return {
        name: annotation
        for owner in owners
        for name, annotation in inspect.get_annotations(owner, eval_str=True).items()
    }


def arguments(handler: Callable[..., Any], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments for a handler.

    Args:
        handler: the function.
        sent: what the client sent, by name.

    Raises:
        BadRequest: if a required parameter is missing, or one is of another type.
    """
    values = {param.argument: _value(sent.get(name), name, param) for name, param in params_of(handler).items()}
    shared = _class_of(handler)
    return values if shared is None else {"params": shared(**values)}


def _value(value: object, name: str, param: Param) -> Any:
    """Return a parameter as its handler takes it, or its default if it is missing or empty."""
    if value not in (None, "", [], {}):
        return READERS[param.kind](value, name)
    if param.default is NEEDED:
        raise BadRequest(f"{name} is missing; type one")
    return param.default


def read_text(value: object, name: str) -> str:
    """Return a parameter as text. Raises BadRequest."""
    if not isinstance(value, str) or len(value) > TEXT_MOST:
        raise BadRequest(f"{name} is no text of at most {TEXT_MOST:,} characters")
    return value


def read_number(value: object, name: str) -> int:
    """Return a parameter as a whole number, from a number or a text of digits. Raises BadRequest.

    >>> read_number("1,000 ", "games"), read_number(7, "seed")
    (1000, 7)
    """
    text = value.strip().replace(",", "") if isinstance(value, str) else value
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= DIGITS_MOST:
        return int(text)
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    raise BadRequest(f"{name} is not a whole number; type digits")


def _read_flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise BadRequest(f"{name} is neither true nor false")
    return value


def _read_object(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise BadRequest(f"{name} is no object")
    return value


def _read_texts(value: object, name: str) -> list[str]:
    if not isinstance(value, list):
        raise BadRequest(f"{name} is no list")
    return [read_text(text, name) for text in value]


READERS: Mapping[Kind, Callable[[object, str], Any]] = {
    "string": read_text,
    "integer": read_number,
    "boolean": _read_flag,
    "object": _read_object,
    "array": _read_texts,
}
