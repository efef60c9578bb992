"""A substitute for the `cython` module that provides only the names that the uncompiled loop.py uses.

Types have no effect in Python, so a declaration simply returns its value.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TypeVar

Value = TypeVar("Value")

compiled = False
int = double = ulonglong = None
nogil = nullcontext()


def declare(_kind: None, value: Value) -> Value:
    """Return the value unchanged. In compiled code, `declare` declares a variable of the given type."""
    return value
