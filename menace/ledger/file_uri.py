"""The URI by which SQLite opens a file."""

from __future__ import annotations

from pathlib import PurePath


def file_uri(path: PurePath) -> str:
    r"""Return the URI of an absolute path. SQLite knows no host, so a Windows share is a path that begins with `//`.

    >>> from pathlib import PurePosixPath, PureWindowsPath
    >>> file_uri(PurePosixPath("/home/me/50% x?.db"))
    'file:///home/me/50%25%20x%3F.db'
    >>> file_uri(PureWindowsPath(r"C:\me\menace.db")), file_uri(PureWindowsPath(r"\\school\7b\menace.db"))
    ('file:///C:/me/menace.db', 'file:////school/7b/menace.db')
    """
    uri = path.as_uri()
    return uri if uri.startswith("file:///") else uri.replace("file://", "file:////", 1)
