"""The menace databases among those that Datasette serves."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from menace.explorer.server.errors import NoPage
from menace.ledger.store.connection import APPLICATION_ID

APPLICATION_ID_AT = slice(68, 72)  # https://www.sqlite.org/fileformat.html, "The Database Header"

_KNOWN: set[tuple[int, int]] = set()  # files by device and inode


class File(NamedTuple):
    """A menace database.

    Attributes:
        name: Datasette's name for it, before encoding.
        path: of the file.
        writable: whether Datasette may change it: it was not opened as immutable.
    """

    name: str
    path: Path
    writable: bool


def is_ours(path: Path) -> bool:
    """Return whether a file is a menace database, by its header.

    A known one is not opened again: closing a file drops all locks of the process on it, also those by which SQLite
    keeps writers apart (https://www.sqlite.org/howtocorrupt.html, 2.2).
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


def path_of(database: Any) -> Path | None:
    """Return the path of a database of Datasette's; None if it is not a menace database."""
    path = Path(database.path) if database.path else None
    return path if path is not None and is_ours(path) else None


def files_of(datasette: Any) -> list[File]:
    """Return the menace databases that a Datasette serves, in its order."""
    return [
        File(name, path, bool(database.is_mutable))
        for name, database in datasette.databases.items()
        if (path := path_of(database)) is not None
    ]


def missing_file(datasette: Any) -> File | None:
    """Return the database that `menace serve` serves as soon as there is one; None if it serves one already."""
    path = (datasette.plugin_config("menace") or {}).get("missing")
    return File(Path(path).stem, Path(path), writable=True) if path and not files_of(datasette) else None


def file_named(datasette: Any, route: str) -> File:
    """Return the database that an address names.

    Raises:
        NoPage: if there is no menace database of that name.
    """
    try:
        name = datasette.get_database(route=route).name
    except KeyError:
        name = None
    for file in files_of(datasette):
        if file.name == name:
            return file
    raise NoPage(f"no database of menace is served as {route!r}")
