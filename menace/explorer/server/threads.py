"""Check once, at the start, whether this system can start threads, which a browser tab (Pyodide) cannot.

A system without threads cannot start processes either. Jobs and SQL then run in place, on the event loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def _can_start_threads() -> bool:
    thread = threading.Thread(target=int)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True


HAS_THREADS = _can_start_threads()


async def in_thread(function: Callable[[], T]) -> T:
    """Call a slow function in a thread, or in place if there are no threads, and return its result."""
    return await asyncio.to_thread(function) if HAS_THREADS else function()
