"""Addresses of ours: beside each handler stands where it is and what it answers, in its signature what it takes."""

from __future__ import annotations

import functools
import re
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from menace.explorer.address import ROOT
from menace.explorer.params import Param, params_of

Handler: TypeAlias = Callable[..., Awaitable[Any]]
H = TypeVar("H", bound=Handler)
NOTHING: Mapping[str, str] = MappingProxyType({})


class Route(NamedTuple):
    """An address.

    Attributes:
        method: how it is asked.
        path: below `ROOT`, with `{name}` for a part.
        summary: what it is, in a line.
        handler: what answers.
        gives: what its answer as JSON has, by the words for it; of several alike, each.
        several: whether that is a list.
        others: what else it may answer, by status.
    """

    method: Literal["GET", "POST"]
    path: str
    summary: str
    handler: Handler
    gives: str = ""
    several: bool = False
    others: Mapping[str, str] = NOTHING

    @property
    def takes(self) -> Mapping[str, Param]:
        """What can stand behind the question mark, or is sent, by name."""
        return params_of(self.handler)

    @property
    def pattern(self) -> str:
        """The address as a regular expression, from its beginning to its end."""
        return "^" + ROOT + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+?)", self.path.replace(".", r"\.")) + "$"

    @property
    def parts(self) -> list[str]:
        """The names of its parts, in their order."""
        return re.findall(r"{(\w+)}", self.path)


ROUTES: list[Route] = []  # of all pages that are imported


def _at(method: Literal["GET", "POST"], path: str, summary: str, gives: str = "", **more: Any) -> Callable[[H], H]:
    """Return what makes a handler answer at an address; see `Route`."""

    def registered(handler: H) -> H:
        ROUTES.append(Route(method, path, summary, handler, gives, **more))
        return handler

    return registered


get = functools.partial(_at, "GET")
post = functools.partial(_at, "POST")
