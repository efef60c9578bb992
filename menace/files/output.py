"""Write output files atomically, and write tables as CSV and JSON that spreadsheets and programs can safely read.

Files and folders are written under temporary names in the same parent folder and then renamed. Readers therefore never
see partial files.
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
SIDE_FILES = ("-journal", "-wal", "-shm")  # SQLite appends these endings to a database's name
# Spreadsheets may run a cell that starts with one of these signs as a formula. East Asian versions also accept
# full-width signs. If a spreadsheet splits cells at semicolons, the text after a semicolon starts a new cell. The same
# applies to text after a tab or a line break, even in quotes. Source: OWASP, CSV Injection.
SIGNS = r"=+\-@\uFF1D\uFF0B\uFF0D\uFF20"
FORMULA_START = re.compile(rf"""\A(?=[{SIGNS}\t\r\n])|[;\t\r\n]["']*(?=[{SIGNS}])""")
# The control characters that terminals interpret, except tabs and line breaks.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# JSON allows these characters unescaped, but terminals interpret some of them, and UTF-8 cannot encode the others.
TO_ESCAPE = re.compile(r"[\x7f-\x9f\ud800-\udfff]")
NO_CHARACTER = "\ufffd"
HARMLESS = "'"


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file so that readers see either the old or the complete new content, even after a power cut.

    If a file is replaced, its permissions are kept. Other users cannot read the new content before it is complete.

    Args:
        path: the file to write. If the path is a link, the link's target is replaced. If it is a pipe or a device, the
            content is written directly to it.
        content: the whole content.

    Raises:
        OutputError: if the folder is missing, or the file cannot be written. An existing file is then not changed.

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
    """Write a folder atomically, so that readers never see an incomplete folder.

    An existing folder at this path is replaced if it contains only files with these names, and the permissions of those
    files are kept. If the process is killed during the replacement, the old folder, the new folder or neither may
    remain. If neither remains, the next write to the same parent folder restores the old folder.

    Args:
        path: the folder to write. If the path is a link, the link's target is replaced.
        contents: the content of each file, by file name.
        earlier: a function that returns the names of other files that an existing folder may contain. These files are
            removed.

    Raises:
        OutputError: if the path is not a replaceable folder, or the files cannot be written. Existing files are then
            not changed.

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
    """Return the file at a path, after following links.

    Raises:
        OutputError: if the path is a folder or a database, or its parent folder is missing.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise OutputError(f"{path} is a folder; choose a file in this folder")
    _check_place(path, target)
    if target.is_file() and _is_database(target):
        raise OutputError(f"{path} is a database, which would be lost; choose another file")
    return target


def _check_place(path: str, target: Path) -> None:
    if not target.parent.is_dir():
        raise OutputError(f"there is no folder {target.parent} for {target.name}; create it first")
    check_file_name(path)
    check_file_name(target)


def check_file_name(path: str | os.PathLike[str]) -> None:
    """Raise OutputError for file names that SQLite reserves for its own files or that Windows reserves for devices.

    SQLite deletes a file with a reserved name or replays it into the database, even if the file is older than the
    database. Data written to a device is lost.

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
        raise OutputError(
            f"{name} contains a colon, so Windows would write the content to a hidden stream; choose another name"
        )
    for ending in SIDE_FILES:
        if name.lower().endswith(ending):
            raise OutputError(
                f"{name} is a name that SQLite reserves for a file of the database {name[: -len(ending)]}, "
                "so SQLite would delete the file; choose another name"
            )


def _check_replaceable(path: str, target: Path, contents: Collection[str]) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise OutputError(f"{path} is a file, but {counted(len(contents), 'file')} need a folder; choose another path")
    foreign = sorted({file.name for file in target.iterdir() if not NAME.fullmatch(file.name)} - set(contents))
    if foreign:
        raise OutputError(f"{path} contains {foreign[0]}, which menace did not write; choose another folder")
    for file in contents:
        if (target / file).is_dir() or ((target / file).is_file() and _is_database(target / file)):
            raise OutputError(
                f"{Path(path) / file} is a database or a folder, which would be lost; choose another folder"
            )


def _is_database(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(SQLITE_HEADER)) == SQLITE_HEADER


def _mode(file: Path) -> int | None:
    """Return the permissions of an existing file, or None if there is no file."""
    return stat.S_IMODE(file.stat().st_mode) if file.exists() else None


def _searchable(modes: Iterable[int]) -> int:
    """Return permissions that let anyone able to read all the files in a folder enter it.

    Args:
        modes: the permissions of the files in the folder.
    """
    mode = stat.S_IMODE(reduce(and_, modes))
    return mode | stat.S_IRWXU | (mode & 0o444) >> 2


@contextlib.contextmanager
def _translate_errors(path: str) -> Iterator[None]:
    """Convert file errors to OutputError. A broken pipe is passed on to the caller unchanged.

    Args:
        path: the path to show in the error message.
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
    """Return the format that is selected by a file name's extension.

    Args:
        path: the file.
        formats: the allowed formats, in lower case without the dot.

    Raises:
        OutputError: if the extension is missing or not in `formats`.

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
    raise OutputError(f"{text} has no extension to select a format; use {endings}")


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
    """Return rows as a JSON list of objects.

    None, NaN and infinite numbers are written as null, and bytes as hexadecimal strings.

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
    r"""Return rows as CSV, in which None becomes an empty cell.

    Strings that a spreadsheet would run as formulas are escaped.

    >>> csv_text(["name", "minimax"], [("=1+1", -1)])
    "name,minimax\n'=1+1,-1\n"
    """
    return "".join(_csv_line(row) for row in [columns, *rows])


def _csv_line(row: Sequence[object]) -> str:
    """Return a row as a CSV line that ends with a line feed.

    The csv module quotes cells that contain a carriage return or a line feed only if its line terminator contains
    that character.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(map(_harmless, row))
    return text.getvalue().removesuffix("\r\n") + "\n"


def _harmless(value: object) -> object:
    return FORMULA_START.sub(rf"\g<0>{HARMLESS}", value) if isinstance(value, str) else value


def without_controls(value: object) -> object:
    r"""Return a value; in a string, replace all control characters except tabs and line breaks.

    >>> without_controls("a\x1b[2J\n"), without_controls(7)
    ('a\ufffd[2J\n', 7)
    """
    return CONTROL.sub(NO_CHARACTER, value) if isinstance(value, str) else value
