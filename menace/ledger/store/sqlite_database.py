"""Database of sqlite_utils, imported without pandas.

sqlite_utils loads pandas where there is one, to know the type of its timestamps, which takes longer than all the rest
of menace. A program that has loaded it before keeps it.
"""

from __future__ import annotations

import sys
import threading
from importlib.abc import MetaPathFinder

__all__ = ["Database"]


class WithoutPandas(MetaPathFinder):
    """Says that there is no pandas, to the thread that made it alone: others may import it meanwhile."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:  # noqa: ARG002 - Python's
        """Raise ModuleNotFoundError for pandas, and leave all else to other finders."""
        if fullname == "pandas" and threading.get_ident() == self.thread:
            raise ModuleNotFoundError("pandas is not needed here", name=fullname)


_finder = WithoutPandas()
sys.meta_path.insert(0, _finder)
try:
    from sqlite_utils import Database
finally:
    sys.meta_path.remove(_finder)
