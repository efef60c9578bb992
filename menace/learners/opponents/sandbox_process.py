"""Run a single submission with limits, and answer questions about boards. `Sandbox` runs this program in a process.

This file runs as a script in an isolated interpreter for every submission, so it imports only a few modules from the
standard library. The first process is the supervisor, which starts a second process for the submission. The pipe for
questions stays open until menace closes it or exits. The supervisor then ends every process that the submission
started, and removes the submission's folder.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import select
import signal
import stat
import struct
import sys
import time
import types
from contextlib import suppress

TYPE_CHECKING = False  # importing `typing` would take longer than starting the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LONGEST = 300  # maximum length of an answer or a message, in characters
NAMESPACES = 0x70000000  # CLONE_NEWUSER, CLONE_NEWPID and CLONE_NEWNET
VARIADIC = 4  # the flag in the code object of a function that accepts *args
DEATH_SIGNAL, SECCOMP, SUBREAPER, NO_NEW_PRIVILEGES = 1, 22, 36, 38  # options for prctl


def main() -> None:
    """Supervise a submission until the pipe for questions closes."""
    task = json.loads(sys.argv[1])
    task["questions"], task["answers"] = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # redirects everything that the submission prints to the third pipe
    if not hasattr(os, "fork"):
        _work(task)
        return
    with suppress(OSError, AttributeError):  # only Linux has these calls
        libc = ctypes.CDLL(None)
        libc.prctl(SUBREAPER, 1, 0, 0, 0)
        if task["namespaces"]:
            libc.unshare(NAMESPACES)  # separate process ids and no network, if the system permits this
    worker = os.fork()
    if not worker:
        try:
            os.setsid()
            with suppress(OSError, AttributeError):
                ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)  # in case the supervisor is killed
            _work(task)
        finally:
            os._exit(0)
    for pipe in (task["answers"], 1, 2):
        os.close(pipe)
    closed = select.poll()
    closed.register(task["questions"], 0)
    closed.poll()
    code = _end(worker)
    with suppress(OSError):
        remove_folder(task["folder"])
    os._exit(code)


def _end(worker: int) -> int:
    """End the worker and its remaining processes. Return the worker's exit code, or 128 plus its signal's number."""
    ended, status = os.waitpid(worker, os.WNOHANG)
    if not ended:
        time.sleep(0.02)  # the worker may already be ending
        os.kill(worker, signal.SIGKILL)
        status = os.waitpid(worker, 0)[1]
    with suppress(OSError):
        os.killpg(worker, signal.SIGKILL)
    with suppress(OSError):  # Linux makes this process the parent of all orphaned processes, and lists its children
        while True:
            with open(f"/proc/self/task/{os.getpid()}/children") as children:
                for child in children.read().split():
                    os.kill(int(child), signal.SIGKILL)
            os.wait()
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def remove_folder(folder: str) -> None:
    """Remove a folder, even if the submission removed the permissions to do so.

    This function does not use `shutil` because importing that module would take longer.

    Nested folders are moved up before they are removed, because there may be too many levels for recursion.
    """
    os.chmod(folder, stat.S_IRWXU)
    while entries := list(os.scandir(folder)):
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
                continue
            os.chmod(entry.path, stat.S_IRWXU)
            for inner in list(os.scandir(entry.path)):
                if inner.is_dir(follow_symlinks=False):
                    os.chmod(inner.path, stat.S_IRWXU)  # otherwise, the folder cannot be moved
                os.rename(inner.path, os.path.join(folder, os.urandom(8).hex()))
            os.rmdir(entry.path)
    os.rmdir(folder)


# Functions for the submission's process.


def _work(task: dict[str, Any]) -> None:
    """Load the function and answer all questions."""
    answers = task["answers"]
    _limit(task)
    try:
        sys.path.insert(0, task["folder"])
        sys.meta_path.append(_InstalledPackages())
        function = _function(task["file"], task["function"])
        takes_moves = _takes_moves(function)
    except BaseException as error:  # noqa: BLE001 - any error in a submission is reported
        _send(answers, {"error": _reason(error)})
        return
    _send(answers, {})
    with os.fdopen(task["questions"], "rb") as questions:
        for question in questions:
            board, moves = json.loads(question)
            try:
                choice = function(board, moves) if takes_moves else function(board)
                if isinstance(choice, dict):
                    choice = {str(move)[:LONGEST]: float(weight) for move, weight in choice.items()}
                reply = {"choice": choice if isinstance(choice, dict) else str(choice)[:LONGEST]}
            except BaseException as error:  # noqa: BLE001
                reply = {"error": _reason(error)}
            _send(answers, reply)


class _InstalledPackages:
    """A finder that makes installed packages importable only when a submission first imports one, to save time."""

    def find_spec(self, name: str, path: Any = None, _target: object = None) -> Any:
        if name.partition(".")[0] in sys.stdlib_module_names:  # modules for other operating systems
            return None
        sys.meta_path.remove(self)
        import site

        site.main()
        return next(filter(None, (finder.find_spec(name, path) for finder in sys.meta_path)), None)


def _function(file: str, name: str | None) -> Callable[..., Any]:
    """Run a file and return the named function. If no name is given, return `move` or the only public function."""
    module = types.ModuleType("submission")
    module.__file__ = file
    sys.modules["submission"] = module
    with open(file, "rb") as source:
        exec(compile(source.read(), os.path.basename(file), "exec"), module.__dict__)  # noqa: S102 - within limits
    own = [
        key
        for key, value in vars(module).items()
        if isinstance(value, types.FunctionType) and value.__module__ == "submission" and not key.startswith("_")
    ]
    chosen = name or ("move" if hasattr(module, "move") else own[0] if len(own) == 1 else "")
    function: Callable[..., Any] | None = getattr(module, chosen, None)
    if not callable(function):
        wanted = f"no function {chosen}" if chosen else "several functions" if own else "no function"
        names = f" ({', '.join(own)})" if own else ""
        raise NameError(f"the file has {wanted}{names}; choose a function with --function")
    return function


def _takes_moves(function: Callable[..., Any]) -> bool:
    """Return whether a function takes a board and its legal moves rather than only a board."""
    if isinstance(function, types.FunctionType):
        return function.__code__.co_argcount >= 2 or bool(function.__code__.co_flags & VARIADIC)
    import inspect

    try:
        inspect.signature(function).bind("", [])
    except TypeError:
        return False
    return True


def _reason(error: BaseException) -> str:
    """Return the type and message of an exception on one line."""
    if isinstance(error, OSError) and error.errno == errno.EAGAIN:
        return "it may not start processes"
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - the submission may define the exception's class
        text = ""
    return f"{type(error).__name__}{': ' * bool(text)}{text}"[:LONGEST]


def _send(answers: int, content: dict[str, Any]) -> None:
    line = json.dumps(content).encode() + b"\n"
    while line:
        line = line[os.write(answers, line) :]


# Functions that limit the submission's process.


def _limit(task: dict[str, Any]) -> None:
    """Limit the resources of this process, as far as the operating system allows."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = {"CPU": task["seconds"], "AS": task["memory"], "FSIZE": task["file_size"], "NOFILE": 64, "CORE": 0}
    if not (task["calls"] and _refuse_processes(*task["calls"])):
        limits["NPROC"] = 0  # this also prevents new threads, except for the superuser
    for name, limit in limits.items():
        with suppress(AttributeError, OSError, ValueError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))


def _refuse_processes(machine: int, clone: int, clone3: int, forks: list[int]) -> bool:
    """Install a seccomp filter that makes the Linux kernel refuse new processes but still allow new threads.

    Args:
        machine: the kernel's number for the architecture.
        clone: the number of the system call `clone`.
        clone3: the number of `clone3`. The filter cannot read its flags, so it makes the call look unsupported, and
            libc uses `clone` instead.
        forks: the numbers of `fork` and `vfork`, if the architecture has these calls.

    Returns:
        Whether the kernel accepted the filter.
    """
    load, equal, at_least, any_bit, result = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, refuse, unknown = 0x7FFF0000, 0x50000 | errno.EAGAIN, 0x50000 | errno.ENOSYS
    number, architecture, first_argument, thread = 0, 4, 16, 0x10000
    steps = [(load, 0, 0, architecture), (equal, 1, 0, machine), (result, 0, 0, refuse), (load, 0, 0, number)]
    steps += [(at_least, 0, 1, 0x40000000), (result, 0, 0, refuse)]  # system calls of the x32 ABI
    for fork in forks:
        steps += [(equal, 0, 1, fork), (result, 0, 0, refuse)]
    steps += [(equal, 0, 1, clone3), (result, 0, 0, unknown), (equal, 1, 0, clone), (result, 0, 0, allow)]
    steps += [(load, 0, 0, first_argument), (any_bit, 1, 0, thread), (result, 0, 0, refuse), (result, 0, 0, allow)]
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    header = struct.pack("HP", len(steps), ctypes.addressof(program))
    libc = ctypes.CDLL(None)
    return not (libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(SECCOMP, 2, header, 0, 0))


if __name__ == "__main__":
    main()
