"""An address of ours: what it is, what it takes, and who answers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from menace.web.address import ROOT
from menace.web.asked import Argument

if TYPE_CHECKING:
    from datasette.utils.asgi import Response

    from menace.web.visit import Visit

Handler: TypeAlias = "Callable[[Visit], Awaitable[Response]]"


class Route(NamedTuple):
    """An address.

    Attributes:
        path: below `ROOT`, with `{name}` for a part.
        get: what answers who asks for it; None if it is only written to.
        post: what answers who writes to it; None if nothing can be written.
        summary: what it is, in a line.
        takes: what can stand behind the question mark, by name.
        body: what is sent to it, by name.
        gives: what its answer as JSON has, by the words for it; of several alike, each.
        several: whether that is a list.
        others: what else it may answer, by status.
    """

    path: str
    get: Handler | None
    post: Handler | None
    summary: str
    takes: Mapping[str, Argument] = MappingProxyType({})
    body: Mapping[str, Argument] = MappingProxyType({})
    gives: str = ""
    several: bool = False
    others: Mapping[str, str] = MappingProxyType({})

    @property
    def pattern(self) -> str:
        """The address as a regular expression, from its beginning to its end."""
        return "^" + ROOT + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+?)", self.path.replace(".", r"\.")) + "$"

    @property
    def parts(self) -> list[str]:
        """The names of its parts, in their order."""
        return re.findall(r"{(\w+)}", self.path)
