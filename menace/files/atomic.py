"""Partial files and folders, which are renamed into place when they are complete, and the removal of abandoned ones.

A partial file or folder has a name of its own, and the process that makes it holds a lock on it (flock), which ends
with the process, however that ends. So one that is not locked was left by a killed process, and the next process that
writes there removes it.

A folder that replaces another is made as NEW in a partial folder. The other one goes into OLD beside it, and only then
does NEW take its place. So while NEW is there, what is in OLD has not been replaced, and is put back before
the partial folder is removed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # no such locks on Windows; what a kill leaves stays there
    fcntl = None  # type: ignore[assignment]

NAME = re.compile(r"\.menace-[0-9a-f]{16}\.partial")
WINDOWS = os.name == "nt"
IN_USE_MOST = 2.0  # seconds for which other programs may have a file open on Windows: virus scanners, search indexes
POLL = 0.02  # seconds
NEW, OLD = "new", "old"
PRIVATE = 0o700
DEFAULT_MODE = 0o666  # less what the process's umask takes away
CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM}  # a folder, on some file systems


def unused_name(folder: Path) -> Path:
    """Return a name for something partial in a folder.

    >>> first, second = unused_name(Path("kit")), unused_name(Path("kit"))
    >>> first.suffix, first == second
    ('.partial', False)
    """
    return folder / f".menace-{os.urandom(8).hex()}.partial"


def put_file(target: Path, content: bytes, mode: int | None = None) -> None:
    """Write a partial file, durably, and rename it into its place, over another file there.

    Args:
        target: the place.
        content: all of it.
        mode: permissions that it has from the beginning; None as any new file. Windows has none.

    Raises:
        OSError: if it cannot be written or renamed. Then what was there stays.

    >>> put_file(Path("there.txt"), b"whole")
    >>> Path("there.txt").read_text(), list(Path().glob(".menace-*"))
    ('whole', [])
    """
    mode = None if WINDOWS else mode
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    path, handle = _locked(target.parent, lambda path: os.open(path, flags, DEFAULT_MODE if mode is None else mode))
    with contextlib.ExitStack() as removed, contextlib.ExitStack() as closed:
        removed.callback(_remove_file, path)
        closed.callback(os.close, handle)
        if mode is not None:
            path.chmod(mode)  # whatever the umask says
        _fill(handle, content)
        if fcntl is None:  # Windows renames no file that is open; elsewhere it stays locked until it is in its place
            closed.close()
        move(path, target)


def _fill(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
    os.fsync(handle)


def _remove_file(path: Path) -> None:
    with contextlib.suppress(OSError):  # it has been renamed
        path.unlink()


def move(path: Path, target: Path) -> None:
    """Rename a file, over another one, or a folder. On Windows wait while a program has one of them open, IN_USE_MOST.

    Raises:
        OSError: if it cannot be renamed.
    """
    deadline = time.monotonic() + IN_USE_MOST
    while True:
        try:
            path.replace(target)
        except PermissionError:
            if not WINDOWS or time.monotonic() > deadline:
                raise
        else:
            return
        time.sleep(POLL)


@contextlib.contextmanager
def partial_folder(folder: Path) -> Iterator[Path]:
    """Make a folder in a folder, for its owner alone; yield its path, to be filled and renamed when it is whole.

    One that still has the partial name at the end is removed.

    >>> with partial_folder(Path()) as path:
    ...     written = (path / "a.txt").write_text("whole")
    ...     there = path.rename("there")
    >>> [file.name for file in there.iterdir()]
    ['a.txt']
    """

    def make(path: Path) -> int:
        path.mkdir(PRIVATE)
        return os.open(path, os.O_RDONLY) if fcntl else -1

    path, handle = _locked(folder, make)
    try:
        yield path
    finally:
        with contextlib.suppress(OSError):
            _remove_folder(path)
        if handle >= 0:
            os.close(handle)


def _remove_folder(path: Path) -> None:
    """Remove a partial folder. Raises OSError, and leaves it, if what it was to replace cannot go back to its place."""
    if (path / NEW).exists() and (path / OLD).exists():
        for old in (path / OLD).iterdir():
            old.rename(path.parent / old.name)  # fails if another one has been made there
    shutil.rmtree(path, ignore_errors=True)


def _locked(folder: Path, make: Callable[[Path], int]) -> tuple[Path, int]:
    """Sweep a folder, make something partial in it, and return it with its descriptor, which holds the lock."""
    sweep(folder)
    while True:
        path = unused_name(folder)
        handle = make(path)
        if fcntl is None:
            return path, handle
        with contextlib.suppress(OSError):  # where there are no locks, nothing is swept either
            fcntl.flock(handle, fcntl.LOCK_EX)
        if path.exists():  # a sweeper may have been between making and locking
            return path, handle
        os.close(handle)


def sweep(folder: Path) -> None:
    """Remove what killed processes left in a folder: partial files and folders that no process has locked.

    A folder that was about to be replaced when the kill came is put back.

    >>> Path(".menace-0123456789abcdef.partial").touch()  # what a kill left
    >>> sweep(Path())
    >>> list(Path().iterdir())
    []
    """
    if fcntl is None:
        return
    with contextlib.suppress(OSError):
        for path in [path for path in folder.iterdir() if NAME.fullmatch(path.name)]:
            with contextlib.suppress(OSError):
                _remove_abandoned(path)


def _remove_abandoned(path: Path) -> None:
    """Remove something partial. Raises OSError (BlockingIOError) if the process that made it is alive."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if path.is_dir():
            _remove_folder(path)
        else:
            path.unlink()
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder outlive a power cut, where the file system can do that.

    Raises:
        OSError: if the device fails.
    """
    if WINDOWS:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in CANNOT_SYNC:
            raise
    finally:
        os.close(handle)
