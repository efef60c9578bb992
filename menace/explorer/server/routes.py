"""Define decorators that register handlers as routes, the conversion of parameters to arguments, and request errors."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from menace.errors import MenaceError

ROOT = "/-/menace"


class Refused(MenaceError):
    """A request that is not allowed to write, or that comes from a page of another site."""


class Misdirected(Refused):
    """A request whose Host header does not name this computer."""


class NoPage(MenaceError):
    """An address that does not exist."""


class BadRequest(MenaceError, ValueError):
    """A request that does not have the form its page would send."""


class TooManySessions(MenaceError):
    """A request for a new session while too many games are in progress."""


class LostSession(MenaceError):
    """A request for a session that no longer exists, because the server restarted or another session replaced it."""


MAX_TEXT_LENGTH = 2_000  # characters
MAX_DIGITS = 30
NEEDED = inspect.Parameter.empty


class Param(NamedTuple):
    """A parameter of a route, in the query or the body.

    Attributes:
        kind: its type, a key of READERS.
        default: its value if it is missing or empty, or NEEDED if it is required. A list is never required.
        argument: the name of the Python argument.
    """

    kind: Any
    default: Any
    argument: str


@functools.cache
def route_parameters(handler: Callable[..., Any]) -> Mapping[str, Param]:
    """Return the parameters of a handler, or of a dataclass of parameters, by name.

    >>> from menace.explorer.pages.play import begin
    >>> list(route_parameters(begin)), route_parameters(begin)["seed"].default
    (['entries', 'as', 'name', 'seed', 'greedy', 'learning', 'physical', 'board'], None)
    """
    if shared := _class_of(handler):
        return route_parameters(shared)
    return {
        taken.name.rstrip("_"): Param(
            taken.annotation, () if taken.annotation == list[str] else taken.default, taken.name
        )
        for taken in inspect.signature(handler, eval_str=True).parameters.values()
        if taken.annotation in READERS
    }


def _class_of(handler: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the dataclass that a handler accepts as its parameters, or None if it accepts separate arguments."""
    shared = inspect.signature(handler, eval_str=True).parameters.get("params")
    return None if shared is None else shared.annotation


def arguments(handler: Callable[..., Any], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the values that a client sent to keyword arguments for a handler.

    Args:
        handler: the function.
        sent: the values that the client sent, by name.

    Raises:
        BadRequest: if a required parameter is missing, or if a parameter has the wrong type.
    """
    values = {param.argument: _value(sent.get(name), name, param) for name, param in route_parameters(handler).items()}
    shared = _class_of(handler)
    return values if shared is None else {"params": shared(**values)}


def _value(value: object, name: str, param: Param) -> Any:
    """Convert a parameter to its type; if it is missing or empty, return its default."""
    if value not in (None, "", [], {}):
        return READERS[param.kind](value, name)
    if param.default is NEEDED:
        raise BadRequest(f"{name} is missing; enter a value")
    return param.default


def _read_text(value: object, name: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT_LENGTH:
        raise BadRequest(f"{name} is not a string of at most {MAX_TEXT_LENGTH:,} characters")
    return value


def _read_number(value: object, name: str) -> int:
    """Convert a parameter, which is a number or a string of digits, to an integer.

    >>> _read_number("1,000 ", "games"), _read_number(7, "seed")
    (1000, 7)
    """
    text = value.strip().replace(",", "") if isinstance(value, str) else value
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
        return int(text)
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    raise BadRequest(f"{name} is not an integer; enter digits")


def _read_flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise BadRequest(f"{name} is neither true nor false")
    return value


def _read_object(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise BadRequest(f"{name} is not an object")
    return value


def _read_texts(value: object, name: str) -> list[str]:
    if not isinstance(value, list):
        raise BadRequest(f"{name} is not a list")
    return [_read_text(text, name) for text in value]


READERS: Mapping[Any, Callable[[object, str], Any]] = {
    str: _read_text,
    int: _read_number,
    int | None: _read_number,
    bool: _read_flag,
    dict[str, object]: _read_object,
    list[str]: _read_texts,
}


Handler: TypeAlias = Callable[..., Any]
H = TypeVar("H", bound=Handler)


class Route(NamedTuple):
    """A route of the explorer.

    Attributes:
        method: the HTTP method.
        path: the path below `ROOT`, with `{name}` for a variable part.
        handler: the function that returns a page, a picture, or the content of a JSON response. If it is not a
            coroutine function, it also takes the file's store and runs in a thread.
    """

    method: Literal["GET", "POST"]
    path: str
    handler: Handler

    @property
    def takes(self) -> Mapping[str, Param]:
        """The parameters, by name, that the route accepts in the query or the body."""
        return route_parameters(self.handler)

    @property
    def pattern(self) -> str:
        """A regular expression for the whole address."""
        return "^" + ROOT + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+?)", self.path.replace(".", r"\.")) + "$"


ROUTES: list[Route] = []  # the routes of all pages that have been imported


def _at(method: Literal["GET", "POST"], path: str) -> Callable[[H], H]:
    """Return a decorator that registers a handler as a route; see `Route`."""

    def registered(handler: H) -> H:
        ROUTES.append(Route(method, path, handler))
        return handler

    return registered


get = functools.partial(_at, "GET")
post = functools.partial(_at, "POST")
