"""Runs a command in a child process whose system calls fail, and checks what it leaves; interruptions.py uses it."""

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

from faults.commands import Case, post_all, verified
from faults.damage import LIBRARIES
from menace.errors import MenaceError
from menace.files.atomic import NAME
from menace.files.output import SQLITE_HEADER
from menace.ledger.store import SCHEMA_VERSION
from menace.ledger.store.connection import APPLICATION_ID

SOURCE = Path(__file__).with_name("calls.c")
LOADED = "MENACE_FAULT_CALLS"  # the environment variable that names the library, once it is loaded
PATIENCE = 60.0  # seconds that a command may take
NOTHING, KILL, FAIL_ONCE, FAIL_ON = range(4)  # as calls.c has them
ALL, MAKES_MORE = "wtofumdrl", "wtomrl"  # its letters of calls: all, and those that a full disk refuses
VARYING = ('_at"', 'seconds"')  # how columns end, in SQL, that are otherwise each time
SERVER_FAILED = 500
OURS = ("menace: ", "the game is not recorded: ")  # how a line begins that says why a command ends with 1

State = tuple[tuple[str, str], ...]  # of a folder: names of files and what is in them


@dataclass(frozen=True)
class Failure:
    """What befalls a command.

    Attributes:
        name: as the report has it.
        action: KILL, FAIL_ONCE, FAIL_ON.
        code: the error that calls fail with.
        calls: the letters of those that fail.
    """

    name: str
    action: int
    code: int = 0
    calls: str = ALL


FAILURES = (
    Failure("killed", KILL),
    Failure("disk full", FAIL_ON, errno.ENOSPC, MAKES_MORE),
    Failure("device failed once", FAIL_ONCE, errno.EIO),
    Failure("device failed for good", FAIL_ON, errno.EIO),
)


@dataclass(frozen=True)
class Ended:
    """How a command ended: its code (below 0: the signal that killed it), what it printed, its counted calls."""

    code: int
    out: str
    err: str
    calls: int


def load_calls() -> None:
    """Start this program again with calls.c loaded, unless it is. Needs a C compiler, and Linux."""
    if LOADED in os.environ:
        Path(os.environ.pop(LOADED)).unlink()
        del os.environ["LD_PRELOAD"]  # what is started from here is left alone
        return
    handle, name = tempfile.mkstemp(suffix=".so")
    os.close(handle)
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", name, SOURCE, "-ldl"], check=True)
    sys.stdout.flush()
    again = os.environ | {LOADED: name, "LD_PRELOAD": name}
    os.execve(sys.executable, [sys.executable, *sys.argv], again)  # noqa: S606 - no shell is needed


def load_everything() -> None:
    """Import what commands import, once, so that their children need not."""
    for name in (*LIBRARIES, "menace.studies.study", "menace.site", "menace.people.session"):
        __import__(name)
    os.environ.pop("MENACE_DB", None)


def run(
    case: Case, folder: Path, failure: Failure | None = None, nth: int = 0, log: Path | None = None, kill: float = 0
) -> Ended:
    """Run a command in a folder, in a child process.

    Args:
        case: the command.
        folder: its working directory; calls on files in it count.
        failure: what befalls it at its `nth` call.
        nth: counted from 1.
        log: a file that its calls are written to.
        kill: seconds after which it is killed, if they are not 0.
    """
    beside = folder.parent
    (beside / "in").write_text(case.typed)
    for name in ("out", "err", "calls"):
        (beside / name).write_bytes(b"")
    child = os.fork()
    if not child:
        _child(case, folder, failure or Failure("", NOTHING), nth, log)
    began, limit = time.monotonic(), kill or PATIENCE
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
    except BaseException:  # noqa: BLE001 - a child must not go on as its parent
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
        return 98 if worst >= SERVER_FAILED else 0
    sys.argv = ["menace", *case.arguments]
    try:
        with mock.patch.object(training, "BLOCK_SECONDS", 0.0):  # one block at a time
            cli.main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


# What a folder holds.


def is_database(path: Path) -> bool:
    """Say whether a file is an SQLite database."""
    with path.open("rb") as file:
        return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and those below it that are no journals and not partial."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not path.name.endswith("-journal") and not any(NAME.fullmatch(part) for part in parts):
            yield path


def state(folder: Path, known: dict[bytes, str]) -> State:
    """Return what is in a folder, but for times; files that are empty are not in it.

    Args:
        folder: that nobody writes to. A journal in it is played back, as by whoever opens its database.
        known: what is in databases that were checked, by their bytes and by what is in them; more are added.

    Raises:
        sqlite3.Error, MenaceError: if a database in it is damaged.
    """
    found = []
    for path in files_in(folder):
        if path.stat().st_size == 0:
            continue
        if not is_database(path) and not path.with_name(f"{path.name}-journal").exists():
            found.append((str(path.relative_to(folder)), hashlib.sha256(path.read_bytes()).hexdigest()))
        elif digest := _known(path, known):
            found.append((str(path.relative_to(folder)), digest))
    return tuple(found)


def _known(path: Path, known: dict[bytes, str]) -> str:
    """Return what is in a database; one that is the same to the byte is not read again."""
    if path.with_name(f"{path.name}-journal").exists():
        return _database(path, known)
    content = hashlib.sha256(path.read_bytes()).digest()
    if content not in known:
        known[content] = _database(path, known)
    return known[content]


def _database(path: Path, known: dict[bytes, str]) -> str:
    """Return what is in a database, or nothing if it is empty."""
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
            listed = ", ".join(f"{name} IS NULL" if name.endswith(VARYING) else name for name in columns)
            text.update(f"{name} {version}".encode())
            for row in connection.execute(f'SELECT {listed} FROM "{name}" ORDER BY {listed}'):
                text.update(repr(row).encode())
    if not names:
        return ""
    if (application_id, version) == (APPLICATION_ID, SCHEMA_VERSION) and text.digest() not in known:
        verified(path)
    return known.setdefault(text.digest(), text.hexdigest())


def leftovers(folder: Path) -> list[str]:
    """Return the names of partial files in a folder, and of journals that SQLite would play back."""
    journals = (path.name for path in folder.rglob("*-journal") if path.read_bytes()[:1] not in {b"", b"\0"})
    return [*journals, *(path.name for path in folder.rglob("*") if NAME.fullmatch(path.name))]


def fresh(base: Path, folder: Path) -> Path:
    """Copy a folder, over what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder)
    return folder


def wrong_end(ended: Ended, killed: bool) -> list[str]:
    """Return what is wrong with how a command ended."""
    names, lines = [], ended.err.splitlines()
    if ended.code < 0 and not (killed and ended.code == -signal.SIGKILL):
        names.append(f"ended by signal {-ended.code}")
    if "Traceback" in ended.err:
        names.append("traceback")
    elif ended.code == 1 and (len(lines) != 1 or not lines[0].startswith(OURS)):
        names.append(f"{len(lines)} lines on standard error")
    if ended.code > 1:
        names.append(f"exit {ended.code}")
    return names
