"""The Database class of sqlite_utils, imported without pandas.

If pandas is installed, sqlite_utils loads it for the type of its timestamps, which takes longer than the rest of
menace. A program that has already imported pandas keeps it.
"""

from __future__ import annotations

import sys
import threading
from importlib.abc import MetaPathFinder

__all__ = ["Database"]


class WithoutPandas(MetaPathFinder):
    """Hides pandas from the thread that created it; other threads may import pandas at the same time."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:  # noqa: ARG002 - Python's
        """Raise ModuleNotFoundError for pandas, and leave everything else to other finders."""
        if fullname == "pandas" and threading.get_ident() == self.thread:
            raise ModuleNotFoundError("pandas is not needed here", name=fullname)


_finder = WithoutPandas()
sys.meta_path.insert(0, _finder)
try:
    from sqlite_utils import Database
finally:
    sys.meta_path.remove(_finder)
