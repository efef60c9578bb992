"""Tests that Ctrl-C at any moment ends a command with exit code 130 and one line, unless the command finishes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import start_command
from database_templates import trained_bytes

SHOW = ["show", ".........", "--learner", "menace-x"]
# These commands differ in the libraries that they import.
COMMANDS = [["--help"], SHOW, ["selfplay", "--games", "3"], ["play"], ["plot", "strength", "menace-x", "out.svg"]]
BAD = [["nonsense"], ["show", "X"]]  # these commands fail even without Ctrl-C

# This program interrupts itself at its nth import after the first line of `main`.
AT_IMPORT = """
import os, signal, sys
left, (pid, install) = [int(sys.argv.pop(1))], (os.getpid(), signal.signal)
def count(event, arguments):
    if event == "import":
        left[0] -= 1
        if left[0] == 0:
            os.kill(pid, signal.SIGINT)
def signal_once(*arguments):
    signal.signal = install
    sys.addaudithook(count)
    return install(*arguments)
from menace.__main__ import main
signal.signal = signal_once
main()
"""
# This program prints a line when it starts to handle Ctrl-C.
SAYS_WHEN = """
import os, signal, sys
pipe, install = int(sys.argv.pop(1)), signal.signal
def signal_once(*arguments):
    signal.signal = install
    previous = install(*arguments)
    os.write(pipe, b".")
    return previous
from menace.__main__ import main
signal.signal = signal_once
main()
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("interrupts") / "menace.db"
    path.write_bytes(trained_bytes(100))
    return path


@contextmanager
def running(
    code: str, first: int, command: list[str], database: Path, **options: object
) -> Iterator[subprocess.Popen[str]]:
    environment = os.environ | {"MENACE_DB": str(database)}
    arguments = [sys.executable, "-c", code, str(first), *command]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with start_command(arguments, env=environment, **(streams | options)) as process:  # type: ignore[arg-type]
        yield process


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.slow
def test_ctrl_c_during_an_import_prints_one_line(command: list[str], database: Path) -> None:
    command = [str(database.parent / word) if word == "out.svg" else word for word in command]
    with running(AT_IMPORT, 60, command, database) as process:
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "menace: interrupted\n")


@pytest.mark.parametrize("command", [["selfplay", "--games", "3"], ["play"], *BAD], ids=lambda command: command[0])
@pytest.mark.slow
def test_ctrl_c_soon_after_the_start_prints_one_line(command: list[str], database: Path) -> None:
    for delay in (0, 0.1):
        ready, ready_writer = os.pipe()
        with running(SAYS_WHEN, ready_writer, command, database, pass_fds=(ready_writer,)) as process:
            os.close(ready_writer)
            assert os.read(ready, 1) == b"."
            os.close(ready)
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        assert "Traceback" not in errors
        if process.returncode == 130:
            assert len(errors.splitlines()) == 1
            assert errors.startswith("menace: interrupted")
        else:
            assert process.returncode == {"nonsense": 2}.get(command[0], int(command in BAD))
            assert len(errors.splitlines()) == int(command in BAD)


SWALLOWED = {
    "a module that takes it for another error": "import deaf",
    "the end of an object": "class Last:\n    __del__ = lambda self: signal.raise_signal(signal.SIGINT)\nLast()",
}


@pytest.mark.parametrize("where", SWALLOWED)
def test_ctrl_c_is_not_lost_where_python_swallows_it(where: str, tmp_path: Path) -> None:
    (tmp_path / "deaf.py").write_text(
        "import signal\ntry:\n    signal.raise_signal(2)\nexcept BaseException:\n    pass\n"
    )
    code = f"import signal, sys\nfrom menace import __main__, cli\ndef command():\n    exec({SWALLOWED[where]!r})\n"
    code += "    print('passed over')\ncli.main = command\n__main__.main()"
    with start_command(
        [sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (130, "", "menace: interrupted\n")


def test_process_started_with_ctrl_c_ignored_continues(database: Path) -> None:
    """Shells make background jobs ignore Ctrl-C, so that pressing Ctrl-C in the terminal does not affect them."""
    command = [sys.executable, "-m", "menace", "selfplay", "--games", "300000", "--db", str(database)]
    ignored = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]
    with start_command(ignored, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for _ in range(10):
            time.sleep(0.05)
            process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert "300,000 games" in output
