"""Routes: the decorator of a handler gives its address, and the handler's signature its parameters."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from menace.explorer.params import Param, params_of
from menace.explorer.root_path import ROOT

Handler: TypeAlias = Callable[..., Any]
H = TypeVar("H", bound=Handler)


class Route(NamedTuple):
    """A route of the explorer.

    Attributes:
        method: the HTTP method.
        path: the path below `ROOT`, with `{name}` for a variable part.
        handler: the function that answers it: with a page or a picture, or with the content of its JSON. One that is
            not a coroutine also takes a store of the file, and runs in a thread.
    """

    method: Literal["GET", "POST"]
    path: str
    handler: Handler

    @property
    def takes(self) -> Mapping[str, Param]:
        """The parameters of the query or the body, by name."""
        return params_of(self.handler)

    @property
    def pattern(self) -> str:
        """The address as a regular expression, from its beginning to its end."""
        return "^" + ROOT + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+?)", self.path.replace(".", r"\.")) + "$"


ROUTES: list[Route] = []  # of all imported pages


def _at(method: Literal["GET", "POST"], path: str) -> Callable[[H], H]:
    """Return a decorator that registers a handler as a route; see `Route`."""

    def registered(handler: H) -> H:
        ROUTES.append(Route(method, path, handler))
        return handler

    return registered


get = functools.partial(_at, "GET")
post = functools.partial(_at, "POST")
