"""Files that leave the database: complete or not there, and tables that a spreadsheet can be trusted with.

A file is written beside its place and renamed into it, so that nobody ever sees half of one.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import importlib.util
import io
import os
import secrets
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from menace.errors import MissingExtra, OutputError

STDOUT = "-"
# A spreadsheet takes a cell that begins so for a formula, and may run it. (OWASP, CSV Injection)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
HARMLESS = "'"


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file at once: whoever looks sees the old content, or all of the new.

    Args:
        path: where; `-` is standard output. A link's target is replaced, a pipe or device is written to.
        content: all of it.

    Raises:
        OutputError: if the folder is missing or the file cannot be written. Then what was there stays.
    """
    if os.fspath(path) == STDOUT:
        left = memoryview(content)
        while left:  # Python that was told not to buffer may write a part only
            left = left[sys.stdout.buffer.write(left) :]
        sys.stdout.flush()
        return
    target = Path(path)
    try:
        target = target.resolve()
        if target.is_dir():
            raise OutputError(f"{os.fspath(path)} is a directory; name a file in it")
        if not target.parent.is_dir():
            raise OutputError(f"there is no folder {target.parent} for {target.name}; make it first")
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target, content)
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = "make room" if getattr(error, "errno", None) in {errno.ENOSPC, errno.EDQUOT} else "check the folder"
        raise OutputError(f"{os.fspath(path)} cannot be written ({reason}); {hint}, and try again") from None


def _replace(target: Path, content: bytes) -> None:
    partial = target.with_name(f".menace-{secrets.token_hex(8)}.partial")
    try:
        with partial.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            partial.chmod(stat.S_IMODE(target.stat().st_mode))
        partial.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise


def file_format(path: str | os.PathLike[str], formats: Sequence[str], wanted: str | None = None) -> str:
    """Return the format that a file is to have: the one that is wanted, else the one that its name ends with.

    Raises:
        OutputError: if it is none of `formats`.
    """
    text = os.fspath(path)
    chosen = (wanted if wanted is not None else Path(text).suffix).removeprefix(".").lower()
    if chosen in formats:
        return chosen
    if wanted is not None:
        raise OutputError(f"{wanted!r} is no format here; there are {', '.join(formats)}")
    endings = ", ".join(f".{name}" for name in formats)
    raise OutputError(f"{text} does not say by its ending what it is to be; end it with one of {endings}")


def need_extra(module: str, extra: str) -> None:
    """Raise MissingExtra, with the command that installs it, unless a module can be imported."""
    if importlib.util.find_spec(module) is None:
        raise MissingExtra(
            f"this needs {module}, which is not installed; `pip install 'matchbox-menace[{extra}]'` does"
        )


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return rows as CSV, None as an empty cell; texts that a spreadsheet would take for formulas are made harmless.

    >>> csv_text(["name", "minimax"], [("=1+1", -1)])
    "name,minimax\n'=1+1,-1\n"
    """
    return "".join(_csv_line(row) for row in [columns, *rows])


def _csv_line(row: Sequence[object]) -> str:
    """Return a row as a line; the writer quotes cells with either kind of line break only if its own line has both."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(map(_harmless, row))
    return text.getvalue().removesuffix("\r\n") + "\n"


def _harmless(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return HARMLESS + value
    return value
