"""Find the menace databases among the databases that Datasette serves."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from menace.ledger.store.connection import APPLICATION_ID

APPLICATION_ID_AT = slice(68, 72)  # https://www.sqlite.org/fileformat.html, "The Database Header"

_KNOWN: set[tuple[int, int]] = set()  # known files, by device and inode


class File(NamedTuple):
    """A menace database.

    Attributes:
        name: Datasette's name for it, before encoding.
        path: the path of the file.
        writable: whether Datasette may change it; False if it was opened as immutable.
    """

    name: str
    path: Path
    writable: bool


def is_menace_file(path: Path) -> bool:
    """Return whether the header of a file identifies a menace database.

    A known file is not opened again. Closing the file would release all of the process's locks on it, including
    SQLite's own locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    try:
        status = path.stat()
        file_id = (status.st_dev, status.st_ino)
        if file_id in _KNOWN:
            return True
        with path.open("rb") as file:
            head = file.read(APPLICATION_ID_AT.stop)
    except OSError:
        return False
    ours = int.from_bytes(head[APPLICATION_ID_AT], "big") == APPLICATION_ID
    if ours:
        _KNOWN.add(file_id)
    return ours


def menace_path(database: Any) -> Path | None:
    """Return the path of a Datasette database, or None if it is not a menace database."""
    path = Path(database.path) if database.path else None
    return path if path is not None and is_menace_file(path) else None


def menace_files(datasette: Any) -> list[File]:
    """Return the menace databases that a Datasette instance serves, in Datasette's order."""
    return [
        File(name, path, bool(database.is_mutable))
        for name, database in datasette.databases.items()
        if (path := menace_path(database)) is not None
    ]


def missing_file(datasette: Any) -> File | None:
    """Return the database that `menace serve` will serve once its file exists, or None if it already serves one."""
    path = (datasette.plugin_config("menace") or {}).get("missing")
    return File(Path(path).stem, Path(path), writable=True) if path and not menace_files(datasette) else None


def find_file(datasette: Any, route: str) -> File | None:
    """Return the menace database that an address names, or None if there is no such database."""
    try:
        name = datasette.get_database(route=route).name
    except KeyError:
        return None
    return next((file for file in menace_files(datasette) if file.name == name), None)
