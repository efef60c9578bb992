"""An address of ours: what it is, and who answers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from menace.web.address import ROOT

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
    """

    path: str
    get: Handler | None
    post: Handler | None
    summary: str

    @property
    def pattern(self) -> str:
        """The address as a regular expression, from its beginning to its end."""
        return "^" + ROOT + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+?)", self.path.replace(".", r"\.")) + "$"
