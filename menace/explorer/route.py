"""Routes: a decorator of each handler gives its address, its signature the parameters and the type of its JSON."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from menace.explorer.params import Param, params_of
from menace.explorer.root_path import ROOT

Handler: TypeAlias = Callable[..., Any]
H = TypeVar("H", bound=Handler)
NOTHING: Mapping[str, str] = MappingProxyType({})


class Route(NamedTuple):
    """A route of the explorer.

    Attributes:
        method: of HTTP.
        path: below `ROOT`, with `{name}` for a variable part.
        summary: what it is, in one line.
        handler: the function that answers it: with a page or a picture, or with what its JSON is. One that is no
            coroutine takes a store of the file, too, and runs in a thread.
        others: its other responses, by status.
    """

    method: Literal["GET", "POST"]
    path: str
    summary: str
    handler: Handler
    others: Mapping[str, str] = NOTHING

    @property
    def takes(self) -> Mapping[str, Param]:
        """The parameters of the query or the body, by name."""
        return params_of(self.handler)

    @property
    def returns(self) -> Any:
        """The type of its JSON; `Response` of a page or a picture."""
        return inspect.get_annotations(self.handler, eval_str=True)["return"]

    @property
    def pattern(self) -> str:
        """The address as a regular expression, from its beginning to its end."""
        return "^" + ROOT + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+?)", self.path.replace(".", r"\.")) + "$"

    @property
    def parts(self) -> list[str]:
        """The names of its variable parts, in order."""
        return re.findall(r"{(\w+)}", self.path)


ROUTES: list[Route] = []  # of all imported pages


def _at(
    method: Literal["GET", "POST"], path: str, summary: str, others: Mapping[str, str] = NOTHING
) -> Callable[[H], H]:
    """Return a decorator that registers a handler as a route; see `Route`."""

    def registered(handler: H) -> H:
        ROUTES.append(Route(method, path, summary, handler, others))
        return handler

    return registered


get = functools.partial(_at, "GET")
post = functools.partial(_at, "POST")
