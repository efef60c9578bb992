"""What is asked of an address and sent to it: what it takes, and reading it with care, as it may be anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from menace.web.errors import BadRequest

Kind: TypeAlias = Literal["string", "integer", "boolean", "object", "array"]

TEXT_MOST = 2_000  # characters
DIGITS_MOST = 30


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


def text(body: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """Return a text that was sent.

    Args:
        body: what was sent.
        key: its name.
        default: what stands for one that is missing or empty; None if it is needed.

    Raises:
        BadRequest: if it is none, or is missing.

    >>> text({"name": "adam"}, "name"), text({}, "colours", "")
    ('adam', '')
    """
    found = body.get(key)
    if found is None or found == "":
        if default is None:
            raise BadRequest(f"{key} is missing; type one")
        return default
    if not isinstance(found, str) or len(found) > TEXT_MOST:
        raise BadRequest(f"{key} is no text of at most {TEXT_MOST:,} characters")
    return found


def number(body: Mapping[str, Any], key: str) -> int | None:
    """Return a whole number that was sent, as a number or a text of digits; None if it is missing or empty.

    Raises:
        BadRequest: if it is none.

    >>> number({"games": "1000"}, "games"), number({"games": ""}, "games"), number({"seed": 7}, "seed")
    (1000, None, 7)
    """
    found = body.get(key)
    if isinstance(found, str):
        digits = found.strip().replace(",", "")
        if not digits:
            return None
        if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS_MOST:
            return int(digits)
    elif found is None or (isinstance(found, int) and not isinstance(found, bool)):
        return found
    raise BadRequest(f"{key} is not a whole number; type digits")


def flag(body: Mapping[str, Any], key: str, default: bool = False) -> bool:
    """Return a yes or no that was sent; `default` if it is missing.

    Raises:
        BadRequest: if it is neither.
    """
    found = body.get(key, default)
    if not isinstance(found, bool):
        raise BadRequest(f"{key} is neither true nor false")
    return found


def table(body: Mapping[str, Any], key: str) -> dict[str, object]:
    """Return an object that was sent; an empty one if it is missing.

    Raises:
        BadRequest: if it is none.
    """
    found = body.get(key) or {}
    if not isinstance(found, dict):
        raise BadRequest(f"{key} is no object")
    return found
