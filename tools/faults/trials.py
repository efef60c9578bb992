"""Run a command in a child process, make its system calls fail, and read the folder that the command leaves behind."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from faults.commands import Case, post_all, verify_database
from faults.fuzz_damaged_files import LIBRARIES
from faults.power import ANSWERS
from menace.errors import MenaceError
from menace.files.atomic import NAME
from menace.files.output import SQLITE_HEADER
from menace.ledger.store import SCHEMA_VERSION
from menace.ledger.store.connection import APPLICATION_ID

SOURCE = Path(__file__).with_name("calls.c")
LIBRARY_VARIABLE = "MENACE_FAULT_CALLS"  # the environment variable that contains the path of the preloaded library
TIMEOUT_SECONDS = 60.0  # for a command
NOTHING, KILL, FAIL_ONCE, FAIL_ON = range(4)  # the same numbers as in calls.c
# letters defined in calls.c; on a full disk, the calls in the second group fail
ALL_CALLS, GROWING_CALLS = "wtofumdrl", "wtomrl"
VARYING_COLUMN_ENDS = ('_at"', 'seconds"')  # name endings of the columns whose values differ from run to run
SERVER_ERROR = 500
ERROR_PREFIXES = ("menace: ", "the game is not recorded: ")  # the beginnings of error messages

State = tuple[tuple[str, str], ...]  # (file name, digest of the file's content) pairs


@dataclass(frozen=True)
class Failure:
    """A failure that is caused deliberately while a command runs.

    Attributes:
        name: the name in the report.
        action: KILL, FAIL_ONCE or FAIL_ON.
        code: the error number of failing calls.
        calls: the letters of the calls that may fail.
    """

    name: str
    action: int
    code: int = 0
    calls: str = ALL_CALLS


FAILURES = (
    Failure("killed", KILL),
    Failure("disk full", FAIL_ON, errno.ENOSPC, GROWING_CALLS),
    Failure("device failed once", FAIL_ONCE, errno.EIO),
    Failure("device failed for good", FAIL_ON, errno.EIO),
)


@dataclass(frozen=True)
class Ended:
    """The outcome of a command: its exit code (minus the signal if killed), output, errors and number of calls."""

    code: int
    out: str
    err: str
    calls: int


def load_calls() -> None:
    """Restart this program with calls.c preloaded, unless it is preloaded already.

    This requires a C compiler and Linux.
    """
    if LIBRARY_VARIABLE in os.environ:
        Path(os.environ.pop(LIBRARY_VARIABLE)).unlink()
        del os.environ["LD_PRELOAD"]  # child programs are not affected
        return
    handle, name = tempfile.mkstemp(suffix=".so")
    os.close(handle)
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", name, SOURCE, "-ldl"], check=True)
    sys.stdout.flush()
    again = os.environ | {LIBRARY_VARIABLE: name, "LD_PRELOAD": name}
    os.execve(sys.executable, [sys.executable, *sys.argv], again)  # noqa: S606 - no shell is needed


def load_everything() -> None:
    """Import everything that commands import, so that child processes start quickly."""
    for name in (*LIBRARIES, "menace.studies.study", "menace.site", "menace.people.session"):
        __import__(name)
    os.environ.pop("MENACE_DB", None)


def run(
    case: Case, folder: Path, failure: Failure | None = None, nth: int = 0, log: Path | None = None, kill: float = 0
) -> Ended:
    """Run a command in a folder, using a child process.

    Args:
        case: the command.
        folder: the working directory. Only calls on files in this folder count.
        failure: the failure that happens at call number `nth`.
        nth: the number of the call, from 1.
        log: a file that records the calls.
        kill: the number of seconds after which the command is killed, or 0 to let it finish.
    """
    beside = folder.parent
    (beside / "in").write_text(case.typed)
    for name in ("out", "err", "calls"):
        (beside / name).write_bytes(b"")
    child = os.fork()
    if not child:
        _child(case, folder, failure or Failure("", NOTHING), nth, log)
    began, limit = time.monotonic(), kill or TIMEOUT_SECONDS
    status: int | None = None
    while status is None:
        ended, code = os.waitpid(child, os.WNOHANG)
        if ended:
            status = code
        elif time.monotonic() - began > limit:
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        else:
            time.sleep(0.001)
    out, err, calls = ((beside / name).read_text(errors="replace") for name in ("out", "err", "calls"))
    return Ended(os.waitstatus_to_exitcode(status), out, err, int(calls or 0))


def _child(case: Case, folder: Path, failure: Failure, nth: int, log: Path | None) -> None:
    code = 99
    try:
        count = (folder.parent / "calls").open("w")
        os.chdir(folder)
        for number, (name, flags) in enumerate((("in", os.O_RDONLY), ("out", os.O_WRONLY), ("err", os.O_WRONLY))):
            os.dup2(os.open(folder.parent / name, flags), number)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, mode) for n, mode in enumerate("rww"))
        calls = ctypes.CDLL(None)
        where, what = os.fsencode(folder), (failure.action, failure.code, failure.calls.encode())
        calls.fault_arm(where, os.fsencode(log or ""), ctypes.c_long(nth), *what)
        code = _command(case, folder)
        count.write(str(calls.fault_count()))
        count.close()
    except BaseException:  # noqa: BLE001 - a child must not continue as its parent
        import traceback

        traceback.print_exc()
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _command(case: Case, folder: Path) -> int:
    from menace import cli
    from menace.ledger import training

    if case.text == "POST":
        worst = 0
        for where, status, text in post_all(folder):
            print(where, status, text[:300])
            worst = max(worst, status)
        return 98 if worst >= SERVER_ERROR else 0
    sys.argv = ["menace", *case.arguments]
    try:
        with mock.patch.object(training, "BLOCK_SECONDS", 0.0):  # commits after each block
            cli.main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


# Reading a folder.


def is_database(path: Path) -> bool:
    """Return whether a file is an SQLite database."""
    with path.open("rb") as file:
        return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders, except journals and partially written files."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not path.name.endswith("-journal") and not any(NAME.fullmatch(part) for part in parts):
            yield path


def folder_state(folder: Path, known: dict[bytes, str]) -> State:
    """Return a folder's content, ignoring empty files, incomplete lines of answers, and times in databases.

    Args:
        folder: a folder that no process writes to. Journals in it are rolled back, as SQLite does on opening.
        known: a cache from the digests of databases' bytes to those of their checked content. The function extends it.

    Raises:
        sqlite3.Error, MenaceError: if a database is damaged.
    """
    found = []
    for path in files_in(folder):
        if path.stat().st_size == 0:
            continue
        if path.suffix == ANSWERS:  # the last line may be incomplete
            if lines := path.read_bytes().rpartition(b"\n")[0]:
                found.append((str(path.relative_to(folder)), hashlib.sha256(lines).hexdigest()))
        elif not is_database(path) and not path.with_name(f"{path.name}-journal").exists():
            found.append((str(path.relative_to(folder)), hashlib.sha256(path.read_bytes()).hexdigest()))
        elif digest := _cached_state(path, known):
            found.append((str(path.relative_to(folder)), digest))
    return tuple(found)


def _cached_state(path: Path, known: dict[bytes, str]) -> str:
    """Return a digest of the content of a database.

    If the same bytes have been read before, the digest comes from a cache.
    """
    if path.with_name(f"{path.name}-journal").exists():
        return _database_state(path, known)
    content = hashlib.sha256(path.read_bytes()).digest()
    if content not in known:
        known[content] = _database_state(path, known)
    return known[content]


def _database_state(path: Path, known: dict[bytes, str]) -> str:
    """Check a database, and return the digest of its content, or "" if it has no tables."""
    text = hashlib.sha256()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (checked,) = connection.execute("PRAGMA integrity_check").fetchone()
        if checked != "ok":
            raise MenaceError(f"integrity_check of {path.name} says {checked}")
        ((application_id,),) = connection.execute("PRAGMA application_id")
        ((version,),) = connection.execute("PRAGMA user_version")
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
        ]
        for name in names:
            columns = [f'"{row[1]}"' for row in connection.execute(f'PRAGMA table_info("{name}")')]
            listed = ", ".join(f"{name} IS NULL" if name.endswith(VARYING_COLUMN_ENDS) else name for name in columns)
            text.update(f"{name} {version}".encode())
            for row in connection.execute(f'SELECT {listed} FROM "{name}" ORDER BY {listed}'):
                text.update(repr(row).encode())
    if not names:
        return ""
    if (application_id, version) == (APPLICATION_ID, SCHEMA_VERSION) and text.digest() not in known:
        verify_database(path)
    return known.setdefault(text.digest(), text.hexdigest())


def find_leftovers(folder: Path) -> list[str]:
    """Return the names of a folder's partially written files, and of its journals that SQLite must roll back."""
    journals = (path.name for path in folder.rglob("*-journal") if path.read_bytes()[:1] not in {b"", b"\0"})
    return [*journals, *(path.name for path in folder.rglob("*") if NAME.fullmatch(path.name))]


def copy_folder(base: Path, folder: Path) -> Path:
    """Replace a folder with a copy of `base`, and return the folder's path."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder)
    return folder


def exit_faults(ended: Ended, killed: bool) -> list[str]:
    """Return the faults in a command's exit code and error output."""
    names, lines = [], ended.err.splitlines()
    if ended.code < 0 and not (killed and ended.code == -signal.SIGKILL):
        names.append(f"ended by signal {-ended.code}")
    if "Traceback" in ended.err:
        names.append("traceback")
    elif ended.code == 1 and (len(lines) != 1 or not lines[0].startswith(ERROR_PREFIXES)):
        names.append(f"{len(lines)} lines on standard error")
    if ended.code > 1:
        names.append(f"exit {ended.code}")
    return names
