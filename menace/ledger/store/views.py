"""The views that ship with menace."""

from __future__ import annotations

import functools
import re

from menace.ledger.store.connection import sql_file


@functools.cache
def shipped_views() -> dict[str, str]:
    """Return the SQL of each view of db/views.sql, by name, as a file that has it keeps it.

    >>> shipped_views()["learning_curve"].splitlines()[0]
    'CREATE VIEW learning_curve AS'
    """
    found = re.findall(r"^(CREATE VIEW (\w+).*?);$", sql_file("views.sql"), re.DOTALL | re.MULTILINE)
    return {name: sql for sql, name in found}
