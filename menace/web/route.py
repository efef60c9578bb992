"""An address of ours: what it is, what it takes, and who answers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from menace.web.address import ROOT

if TYPE_CHECKING:
    from datasette.utils.asgi import Response

    from menace.web.visit import Visit

Handler: TypeAlias = "Callable[[Visit], Awaitable[Response]]"
Kind: TypeAlias = Literal["string", "integer", "boolean", "object", "array"]


class Argument(NamedTuple):
    """What an address takes besides its parts.

    Attributes:
        kind: its type, as JSON Schema calls it; of an array, of texts.
        says: what it is, in words.
        needed: whether it may not be left out.
    """

    kind: Kind
    says: str
    needed: bool = False


class Sent(Mapping[str, Any]):
    """What was sent to an address: it can be asked for what the address is said to take, and for nothing else."""

    def __init__(self, found: Mapping[str, Any], takes: Mapping[str, Argument]) -> None:
        self._found, self._takes = found, takes

    def __getitem__(self, name: str) -> Any:
        check_told(name, self._takes)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def check_told(name: str, takes: Mapping[str, Argument]) -> None:
    """Check that what a handler asks for is in the description of its address, which can thus never lack it.

    >>> check_told("seed", {})
    Traceback (most recent call last):
        ...
    AssertionError: 'seed' is asked for, and not described; add it to what the route takes
    """
    if name not in takes:
        raise AssertionError(f"{name!r} is asked for, and not described; add it to what the route takes")


class Route(NamedTuple):
    """An address.

    Attributes:
        path: below `ROOT`, with `{name}` for a part.
        get: what answers who asks for it; None if it is only written to.
        post: what answers who writes to it; None if nothing can be written.
        summary: what it is, in a line.
        takes: what can stand behind the question mark, by name.
        body: what is sent to it, by name.
        others: what else it may answer, by status.
    """

    path: str
    get: Handler | None
    post: Handler | None
    summary: str
    takes: Mapping[str, Argument] = MappingProxyType({})
    body: Mapping[str, Argument] = MappingProxyType({})
    others: Mapping[str, str] = MappingProxyType({})

    @property
    def pattern(self) -> str:
        """The address as a regular expression, from its beginning to its end."""
        return "^" + ROOT + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+?)", self.path.replace(".", r"\.")) + "$"

    @property
    def parts(self) -> list[str]:
        """The names of its parts, in their order."""
        return re.findall(r"{(\w+)}", self.path)
