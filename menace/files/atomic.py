"""Write files and folders atomically by renaming complete temporary files, and remove abandoned temporary files.

Each partial file or folder has a unique name. The writing process holds a lock (flock) on the partial file, and the
system releases the lock when the process ends for any reason. An unlocked partial file must therefore have been left
behind by a killed process. Such files are removed by the next process that writes to the same folder.

To replace a folder, the process builds the folder NEW inside a partial folder. The process then moves the existing
folder to OLD, next to NEW, and moves NEW to the final path. If NEW still exists inside an abandoned partial folder, the
replacement was not completed. OLD is then moved back before the partial folder is removed.
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
except ImportError:  # Windows has no flock, so abandoned files are not removed there
    fcntl = None  # type: ignore[assignment]

NAME = re.compile(r"\.menace-[0-9a-f]{16}\.partial")
WINDOWS = os.name == "nt"
MAX_WAIT_IN_USE = 2.0  # seconds to wait on Windows for another program, such as a virus scanner, to close a file
POLL = 0.02  # seconds
NEW, OLD = "new", "old"
PRIVATE = 0o700
DEFAULT_MODE = 0o666  # the permissions of new files before the umask of the process is applied
# the errors that fsync raises for folders on some file systems
CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM}


def unused_name(folder: Path) -> Path:
    """Return a unique name for a partial file or folder.

    Args:
        folder: the folder that will contain the partial file or folder.

    >>> first, second = unused_name(Path("kit")), unused_name(Path("kit"))
    >>> first.suffix, first == second
    ('.partial', False)
    """
    return folder / f".menace-{os.urandom(8).hex()}.partial"


def put_file(target: Path, content: bytes, mode: int | None = None) -> None:
    """Write a partial file durably and rename it to `target`, replacing any file there.

    Args:
        target: the final path.
        content: the whole content.
        mode: the permissions, set before any content is written; None for the default permissions. Ignored on Windows.

    Raises:
        OSError: if the file cannot be written or renamed. An existing file is then unchanged.

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
            path.chmod(mode)  # chmod sets the exact mode, regardless of the umask
        _fill(handle, content)
        # Windows cannot rename an open file. On other systems, the file stays locked until it has been renamed.
        if fcntl is None:
            closed.close()
        move(path, target)


def _fill(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
    os.fsync(handle)


def _remove_file(path: Path) -> None:
    with contextlib.suppress(OSError):  # the file no longer exists if it has been renamed
        path.unlink()


def move(path: Path, target: Path) -> None:
    """Rename a file or folder, replacing an existing file.

    On Windows, wait for up to MAX_WAIT_IN_USE seconds if another program has one of the files open.

    Raises:
        OSError: if the rename fails.
    """
    deadline = time.monotonic() + MAX_WAIT_IN_USE
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
    """Create a partial folder that only its owner can enter, and yield its path.

    The caller must fill and rename the folder. A folder that was not renamed is removed at the end.

    Args:
        folder: the parent folder.

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
    """Remove a partial folder after moving back any folder that it was about to replace.

    Raises:
        OSError: if the old folder cannot be moved back. In that case nothing is removed.
    """
    if (path / NEW).exists() and (path / OLD).exists():
        for old in (path / OLD).iterdir():
            old.rename(path.parent / old.name)  # the rename fails if there is another folder with the original name
    shutil.rmtree(path, ignore_errors=True)


def _locked(folder: Path, make: Callable[[Path], int]) -> tuple[Path, int]:
    """Remove abandoned files from a folder, create a partial file or folder there, and lock it.

    Returns:
        the path, and the descriptor that holds the lock, or -1 on systems without flock.
    """
    sweep(folder)
    while True:
        path = unused_name(folder)
        handle = make(path)
        if fcntl is None:
            return path, handle
        with contextlib.suppress(OSError):  # on file systems without locks, abandoned files remain
            fcntl.flock(handle, fcntl.LOCK_EX)
        if path.exists():  # another process may have removed the file before it was locked
            return path, handle
        os.close(handle)


def sweep(folder: Path) -> None:
    """Remove unlocked partial files and folders, which were left behind by killed processes.

    If a process was killed while it replaced a folder, the old folder is moved back.

    >>> Path(".menace-0123456789abcdef.partial").touch()  # left by a killed process
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
    """Remove a partial file or folder.

    Raises:
        BlockingIOError: if the process that created it is still running.
    """
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
    """Flush a folder's entries to disk, if the file system supports this, so that they survive a power cut.

    Raises:
        OSError: if the storage device reports an error.
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
