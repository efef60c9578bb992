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
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from menace.errors import MissingExtra, OutputError

STDOUT = "-"
SQLITE_HEADER = b"SQLite format 3\0"  # how every SQLite database begins (its file format, section 1.3)
# A spreadsheet takes a cell that begins so for a formula, and may run it; East Asian ones take full-width signs, too.
# Where a semicolon separates cells, what follows one begins a cell, as after a tab, a line break, or a quote behind
# them. (OWASP, CSV Injection)
SIGNS = r"=+\-@\uFF1D\uFF0B\uFF0D\uFF20"
FORMULA_START = re.compile(rf"""\A(?=[{SIGNS}\t\r\n])|[;\t\r\n]["']*(?=[{SIGNS}])""")
HARMLESS = "'"


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file at once: whoever looks sees the old content, or all of the new.

    Args:
        path: where; `-` is standard output. A link's target is replaced, a pipe or device is written to.
        content: all of it.

    Raises:
        OutputError: if the folder is missing or the file cannot be written. Then what was there stays.
    """
    write_files({os.fspath(path): content})


def write_files(contents: Mapping[str, bytes]) -> None:
    """Write files that belong together: all of them, or none.

    Args:
        contents: what goes into each, by path as `write_file` has it.

    Raises:
        OutputError: if one of them cannot be written. Then all that was there stays; what went through a pipe is gone.
    """
    targets = {path: _target(path) for path in contents if path != STDOUT}
    partials: dict[str, Path] = {}
    try:
        for path, target in targets.items():
            with _explained(path):
                if target.exists() and not target.is_file():
                    target.write_bytes(contents[path])
                else:
                    partials[path] = _beside(target)
                    _write_partial(partials[path], target, contents[path])
        if STDOUT in contents:
            _write_to_stdout(contents[STDOUT])
        _rename(partials, targets)
    finally:
        for partial in partials.values():  # those that are still there
            with contextlib.suppress(OSError):
                partial.unlink()


def _target(path: str) -> Path:
    """Return the file that a path leads to. Raises OutputError if it can be none."""
    with _explained(path):
        target = Path(path).resolve()
        if target.is_dir():
            raise OutputError(f"{path} is a directory; name a file in it")
        if not target.parent.is_dir():
            raise OutputError(f"there is no folder {target.parent} for {target.name}; make it first")
        if target.is_file() and _is_database(target):
            raise OutputError(f"{path} is a database, and would be lost; name another file")
        return target


def _is_database(file: Path) -> bool:
    with file.open("rb") as found:
        return found.read(len(SQLITE_HEADER)) == SQLITE_HEADER


def _beside(target: Path) -> Path:
    return target.with_name(f".menace-{secrets.token_hex(8)}.partial")


def _write_partial(partial: Path, target: Path, content: bytes) -> None:
    with partial.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if target.exists():
        partial.chmod(stat.S_IMODE(target.stat().st_mode))


def _rename(partials: Mapping[str, Path], targets: Mapping[str, Path]) -> None:
    """Rename what was written into its place; if one of several cannot be, put back what was there before."""
    renamed: list[Path] = []
    olds = {}
    try:
        for path in partials if len(partials) > 1 else ():
            if targets[path].exists():
                with _explained(path):
                    olds[targets[path]] = _beside(targets[path])
                    shutil.copy2(targets[path], olds[targets[path]])
        for path, partial in partials.items():
            with _explained(path):
                partial.replace(targets[path])
            renamed.append(targets[path])
    except BaseException:
        for target in renamed:
            with contextlib.suppress(OSError):
                olds[target].replace(target) if target in olds else target.unlink()
        raise
    finally:
        for old in olds.values():
            with contextlib.suppress(OSError):
                old.unlink()


def _write_to_stdout(content: bytes) -> None:
    left = memoryview(content)
    while left:  # Python that was told not to buffer may write a part only
        left = left[sys.stdout.buffer.write(left) :]
    sys.stdout.flush()


@contextlib.contextmanager
def _explained(path: str) -> Iterator[None]:
    """Turn what goes wrong with a file into OutputError; but a reader that has gone away is the caller's matter."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = "make room" if getattr(error, "errno", None) in {errno.ENOSPC, errno.EDQUOT} else "check the folder"
        raise OutputError(f"{path} cannot be written ({reason}); {hint}, and try again") from None


def file_format(path: str | os.PathLike[str], formats: Sequence[str], wanted: str | None = None) -> str:
    """Return the format that a file is to have: the one that is wanted, else the one that its name ends with.

    Raises:
        OutputError: if it is none of `formats`.
    """
    text = os.fspath(path)
    ending = Path(text).suffix
    chosen = (wanted if wanted is not None else ending).removeprefix(".").lower()
    if chosen in formats:
        return chosen
    if wanted is not None:
        raise OutputError(f"{wanted!r} is no format here; there are {', '.join(formats)}")
    endings = f"{'one of ' if len(formats) > 1 else ''}{', '.join(f'.{name}' for name in formats)}"
    if text == STDOUT:
        raise OutputError(f"standard output has no ending to say the format by; say it with --to: {', '.join(formats)}")
    if ending:
        raise OutputError(f"{text} ends with {ending}, which is no format here; end it with {endings}")
    raise OutputError(f"{text} does not say by its ending what it is to be; end it with {endings}")


def need_extra(module: str, extra: str) -> None:
    """Raise MissingExtra, with the command that installs it, unless a module can be imported."""
    if importlib.util.find_spec(module) is None:
        raise MissingExtra(
            f"this needs {module}, which is not installed; install menace with its extra {extra!r}:"
            f" pip install -e '.[{extra}]' where it was cloned"
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
    return FORMULA_START.sub(rf"\g<0>{HARMLESS}", value) if isinstance(value, str) else value
