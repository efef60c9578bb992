"""A stand-in for the `cython` module where Cython is not installed; provides only what the uncompiled loop.py uses.

Python ignores types, so a declaration evaluates to its value.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TypeVar

Value = TypeVar("Value")

compiled = False
int = double = ulonglong = None
nogil = nullcontext()


def declare(_kind: None, value: Value) -> Value:
    """Return the value, which compiled code would store as a variable of the given type."""
    return value
