"""Stands in for Cython's module `cython` where that is not installed: what kernel/loop.py, uncompiled, calls of it.

Types mean nothing to Python, so a declaration is its value. What only a compiled kernel uses is not here.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TypeVar

Value = TypeVar("Value")

compiled = False
int = double = ulonglong = None
nogil = nullcontext()


def declare(_kind: None, value: Value) -> Value:
    """Return the value, which C would keep as of the kind."""
    return value
