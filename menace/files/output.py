"""Write output files atomically, and tables as CSV and JSON that are safe for spreadsheets and programs.

A file, or a folder of files, is written under a temporary name in the same folder and then renamed, so that readers
never see a partial file.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import json
import math
import os
import re
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_
from pathlib import Path

from menace.errors import OutputError
from menace.files.atomic import NAME, NEW, OLD, PRIVATE, WINDOWS, move, partial_folder, put_file, sweep, sync_folder
from menace.files.optional_libraries import need_extra
from menace.text.wording import counted

SQLITE_HEADER = b"SQLite format 3\0"  # the first bytes of every SQLite database (SQLite file format, section 1.3)
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[1-9\xb9\xb2\xb3]) *(?:\.|$)", re.IGNORECASE)
SIDE_FILES = ("-journal", "-wal", "-shm")  # SQLite creates NAME-journal and so on beside a database NAME
# A spreadsheet interprets a cell that starts with one of these signs as a formula and may run it; East Asian versions
# also accept full-width signs. If semicolons separate cells, the text after a semicolon starts a cell, as does text
# after a tab, a line break, or quotes that follow one of them. (OWASP, CSV Injection)
SIGNS = r"=+\-@\uFF1D\uFF0B\uFF0D\uFF20"
FORMULA_START = re.compile(rf"""\A(?=[{SIGNS}\t\r\n])|[;\t\r\n]["']*(?=[{SIGNS}])""")
# Control characters that a terminal interprets, except tabs and line breaks.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# Characters that JSON allows unescaped, but that a terminal interprets or UTF-8 cannot encode.
TO_ESCAPE = re.compile(r"[\x7f-\x9f\ud800-\udfff]")
NO_CHARACTER = "\ufffd"
HARMLESS = "'"


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file atomically: readers see either the old or the complete new content, even after a power cut.

    A file that is replaced keeps its permissions. Other users cannot read the new content before it is in place.

    Args:
        path: the file to write. If it is a link, the link's target is replaced; a pipe or device is written to
            directly.
        content: the whole content.

    Raises:
        OutputError: if the folder is missing or the file cannot be written. An existing file is then unchanged.

    >>> write_file("board.txt", b"X...O....")
    >>> Path("board.txt").read_text()
    'X...O....'
    """
    name = os.fspath(path)
    with _translate_errors(name):
        target = _target(name)
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        put_file(target, content, _mode(target))
        sync_folder(target.parent)


def write_folder(
    path: str | os.PathLike[str],
    contents: Mapping[str, bytes],
    earlier: Callable[[Path], Collection[str]] = lambda _: (),
) -> None:
    """Write a folder of files atomically: it appears with all of its files, or not at all.

    An existing folder of that name is replaced if it contains only these files; each file keeps its permissions. If the
    process is killed during the replacement, the old folder, the new folder or neither is left; if neither, the next
    write to the same parent folder restores the old one.

    Args:
        path: the folder to write. If it is a link, the link's target is replaced.
        contents: the content of each file, by file name.
        earlier: returns the names of further files that an existing folder may contain; they are removed.

    Raises:
        OutputError: if something else has that name, or the files cannot be written. Existing files are then unchanged.

    >>> write_folder("kit", {"one.txt": b"1", "two.txt": b"2"})
    >>> sorted(file.name for file in Path("kit").iterdir())
    ['one.txt', 'two.txt']
    """
    name = os.fspath(path)
    with _translate_errors(name):
        target = Path(name).resolve()
        _check_place(name, target)
        sweep(target.parent)  # may restore an earlier folder
        names = {*contents, *earlier(target)}
        _check_replaceable(name, target, names)
        with partial_folder(target.parent) as partial:
            new, old = partial / NEW, partial / OLD / target.name
            new.mkdir(PRIVATE)
            for file, content in contents.items():
                put_file(new / file, content, _mode(target / file))
            sync_folder(new)
            new.chmod(_mode(target) or _searchable(file.stat().st_mode for file in new.iterdir()))
            if target.exists():
                old.parent.mkdir()
                move(target, old)
                _check_replaceable(name, old, names)  # another program may have added a file since the first check
            move(new, target)
            sync_folder(target.parent)


def _target(path: str) -> Path:
    """Return the file that a path leads to.

    Raises:
        OutputError: if no file may be written there.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise OutputError(f"{path} is a folder; name a file in it")
    _check_place(path, target)
    if target.is_file() and _is_database(target):
        raise OutputError(f"{path} is a database, which would be lost; name another file")
    return target


def _check_place(path: str, target: Path) -> None:
    if not target.parent.is_dir():
        raise OutputError(f"there is no folder {target.parent} for {target.name}; create it first")
    check_file_name(path)
    check_file_name(target)


def check_file_name(path: str | os.PathLike[str]) -> None:
    """Raise OutputError for a name that SQLite reserves beside a database, or that Windows reserves for a device.

    Even before the database exists, SQLite treats such a file as its own: it deletes the file or replays it into the
    database. Anything written to a device is lost.

    >>> check_file_name("menace.csv")
    >>> try:
    ...     check_file_name("menace.db-wal")
    ... except OutputError as error:
    ...     print(str(error).split(" for")[0])
    menace.db-wal is a name that SQLite reserves
    """
    name = Path(path).name
    if WINDOWS and DEVICE.match(name):
        raise OutputError(f"Windows reserves the name {name} for a device, whatever the extension; choose another name")
    if WINDOWS and ":" in name:
        raise OutputError(f"{name} contains a colon, so Windows would hide the content; choose another name")
    for ending in SIDE_FILES:
        if name.lower().endswith(ending):
            raise OutputError(
                f"{name} is a name that SQLite reserves for files beside a database {name[: -len(ending)]}:"
                " it would delete the file; choose another name"
            )


def _check_replaceable(path: str, target: Path, contents: Collection[str]) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise OutputError(f"{path} is a file, but {counted(len(contents), 'file')} need a folder; name another folder")
    foreign = sorted({file.name for file in target.iterdir() if not NAME.fullmatch(file.name)} - set(contents))
    if foreign:
        raise OutputError(f"{path} contains {foreign[0]}, which menace did not write; name another folder")
    for file in contents:
        if (target / file).is_dir() or ((target / file).is_file() and _is_database(target / file)):
            raise OutputError(f"{Path(path) / file} is a database or folder, which would be lost; name another folder")


def _is_database(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(SQLITE_HEADER)) == SQLITE_HEADER


def _mode(file: Path) -> int | None:
    """Return the permissions of an existing file, or None if there is no file."""
    return stat.S_IMODE(file.stat().st_mode) if file.exists() else None


def _searchable(modes: Iterable[int]) -> int:
    """Return folder permissions that let everybody who may read all of its files enter it.

    Args:
        modes: the permissions of the files.
    """
    mode = stat.S_IMODE(reduce(and_, modes))
    return mode | stat.S_IRWXU | (mode & 0o444) >> 2


@contextlib.contextmanager
def _translate_errors(path: str) -> Iterator[None]:
    """Raise OutputError in place of file errors; let a broken pipe pass to the caller.

    Args:
        path: the path to name in the message.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = (
            "free some space" if getattr(error, "errno", None) in {errno.ENOSPC, errno.EDQUOT} else "check the folder"
        )
        if WINDOWS and isinstance(error, PermissionError):
            hint = "close it in other programs"
        raise OutputError(f"{path} cannot be written ({reason}); {hint} and try again") from None


def file_format(path: str | os.PathLike[str], formats: Sequence[str]) -> str:
    """Return the format given by the extension of a file's name.

    Args:
        path: the file.
        formats: the allowed formats, in lower case and without the dot.

    Raises:
        OutputError: if the extension is none of them.

    >>> file_format("shelf.PDF", ["pdf", "svg"])
    'pdf'
    >>> file_format("shelf.doc", ["pdf", "svg"])
    Traceback (most recent call last):
        ...
    menace.errors.OutputError: shelf.doc has the extension .doc, which is not supported here; use one of .pdf, .svg
    """
    text = os.fspath(path)
    ending = Path(text).suffix
    chosen = ending.removeprefix(".").lower()
    if chosen in formats:
        return chosen
    endings = f"{'one of ' if len(formats) > 1 else ''}{', '.join(f'.{name}' for name in formats)}"
    if ending:
        raise OutputError(f"{text} has the extension {ending}, which is not supported here; use {endings}")
    raise OutputError(f"{text} has no extension, which would determine its format; use {endings}")


def parquet(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """Return rows as the bytes of a Parquet file.

    Raises:
        MissingExtra: if pyarrow is not installed.
    """
    need_extra("pyarrow", "study")
    import pyarrow as pa
    import pyarrow.parquet

    cells = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
    content = io.BytesIO()
    pa.parquet.write_table(pa.table(dict(zip(columns, cells, strict=True))), content)
    return content.getvalue()


def json_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as JSON: a list of objects.

    None and numbers that are not finite become null; bytes become hexadecimal text.

    >>> print(json_text(["name", "share"], [("zoë", float("nan"))]))
    [
      {
        "name": "zoë",
        "share": null
      }
    ]
    """
    objects = [dict(zip(columns, map(_json_value, row), strict=True)) for row in rows]
    text = json.dumps(objects, indent=2, ensure_ascii=False)
    return TO_ESCAPE.sub(lambda character: f"\\u{ord(character[0]):04x}", text)


def _json_value(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: _json_value(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_value(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return rows as CSV, with None as an empty cell.

    A text that a spreadsheet would interpret as a formula is made harmless.

    >>> csv_text(["name", "minimax"], [("=1+1", -1)])
    "name,minimax\n'=1+1,-1\n"
    """
    return "".join(_csv_line(row) for row in [columns, *rows])


def _csv_line(row: Sequence[object]) -> str:
    """Return a row as a line of CSV that ends with a line feed.

    The writer quotes a cell that contains any kind of line break only if its own line ends with both characters.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(map(_harmless, row))
    return text.getvalue().removesuffix("\r\n") + "\n"


def _harmless(value: object) -> object:
    return FORMULA_START.sub(rf"\g<0>{HARMLESS}", value) if isinstance(value, str) else value


def without_controls(value: object) -> object:
    r"""Return a value; in a text, control characters other than tabs and line breaks are replaced.

    >>> without_controls("a\x1b[2J\n"), without_controls(7)
    ('a\ufffd[2J\n', 7)
    """
    return CONTROL.sub(NO_CHARACTER, value) if isinstance(value, str) else value
