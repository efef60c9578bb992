"""Columns of a database as arrays, checked: of the right kind, and within their range."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def whole(values: Sequence[Any], name: str, least: int, most: int) -> NDArray[np.int64]:
    """Return a column of whole numbers, as SQLite hands them over, as an array.

    Args:
        values: of the column `name`; anything else than numbers is refused.
        name: for the message.
        least: of the range that they lie in.
        most: likewise; both ends are included.

    Raises:
        ValueError: naming the column and what it may hold.

    >>> whole([4, 3, 2], "beads", 0, 100).tolist()
    [4, 3, 2]
    >>> whole([4, -3, 2], "beads", 0, 100)
    Traceback (most recent call last):
        ...
    ValueError: beads is -3, not a whole number from 0 to 100
    """
    try:
        found = np.frombuffer(array("q", values), np.int64) if values else np.zeros(0, np.int64)
    except (TypeError, OverflowError):
        raise ValueError(f"{name} holds something that is not a whole number") from None
    if found.size and not least <= found.min() <= found.max() <= most:
        wrong = found[(found < least) | (found > most)][0]
        raise ValueError(f"{name} is {wrong}, not a whole number from {least:,} to {most:,}")
    return found


def real(values: Sequence[Any], name: str, least: float, most: float) -> NDArray[np.float64]:
    """Return a column of numbers as `whole` does, as doubles.

    >>> real([0.5, 1], "value", 0, 1).tolist()
    [0.5, 1.0]
    >>> real([0.5, "one"], "value", 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: value holds something that is not a number
    """
    try:
        found = np.frombuffer(array("d", values), np.float64) if values else np.zeros(0)
    except (TypeError, OverflowError):
        raise ValueError(f"{name} holds something that is not a number") from None
    if found.size and not (least <= found.min() and found.max() <= most):
        wrong = found[~((found >= least) & (found <= most))][0]
        raise ValueError(f"{name} is {wrong:g}, not a number from {least:g} to {most:g}")
    return found
