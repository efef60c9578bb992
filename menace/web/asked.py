"""What a page sends, read with care: it may be anything that is JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from menace.web.errors import BadRequest

TEXT_MOST = 2_000  # characters


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


DIGITS_MOST = 30


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
