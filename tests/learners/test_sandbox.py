"""Tests that submissions run with limits and are terminated together with all the processes that they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from commands import start_command
from hostile import ESCAPING, nothing_left, processes_in, write_hostile

from menace.errors import InvalidPlayer
from menace.learners.opponents import sandbox
from menace.learners.opponents.sandbox import Answer, Sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems limit less")
FIRST = (".........", ["0", "4"])


def answers(
    file: Path, *, seconds: float = 5, extra: tuple[Path, ...] = (), function: str | None = None
) -> list[Answer]:
    with Sandbox(file, function, seconds, 1024, extra) as box:
        box.start_clock()
        return box.ask([FIRST] * 3)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "player.py"
    path.write_text(text)
    return path


def test_answers_are_weights_by_move_or_reasons(tmp_path: Path) -> None:
    text = (
        "def _helper(board): return 7\n"
        "replies = ['4', {'0': 1, '4': 2.5}, '9']\n"
        "def best(board, *rest):\n    return replies.pop(0)\n"
    )
    assert answers(written(tmp_path, text)) == [{"4": 1.0}, {"0": 1.0, "4": 2.5}, "returns '9'"]


def test_function_may_take_only_the_board_and_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, "def first(board): return 0\ndef second(board, *, depth=3): return 4\n")
    assert answers(path, function="second") == [{"4": 1.0}] * 3
    with pytest.raises(InvalidPlayer, match=r"no function third \(first, second\); choose a function with --function"):
        answers(path, function="third")


def test_environment_is_clean_and_folder_contains_only_what_was_copied(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "1")
    (tmp_path / "beside.py").write_text("")
    helper = tmp_path / "helper.py"
    helper.write_text("import os\nFILES, VARIABLES = sorted(os.listdir()), sorted(os.environ)\n")
    text = "from helper import *\nsaid = [FILES, VARIABLES[:4], VARIABLES[4:]]\ndef move(board): return said.pop(0)\n"
    assert answers(written(tmp_path, text), extra=(helper,)) == [
        "returns \"['helper.py', 'player.py']\"",
        "returns \"['HOME', 'LC_CTYPE', 'MKL_NUM_THREADS', 'OMP_NUM_THREADS']\"",
        "returns \"['OPENBLAS_NUM_THREADS', 'PATH', 'TEMP', 'TMP', 'TMPDIR']\"",
    ]
    assert nothing_left(temporary)


def test_installed_packages_and_threads_work(tmp_path: Path) -> None:
    text = (
        "import threading\ndef move(board, moves):\n    import numpy\n    thread = threading.Thread(target=print)\n"
        "    thread.start()\n    thread.join()\n    return numpy.array(moves)[-1]\n"
    )
    assert answers(written(tmp_path, text)) == [{"4": 1.0}] * 3


@pytest.mark.parametrize("namespaces", [True, False])
def test_grandchildren_in_sessions_of_their_own_are_ended_where_processes_may_start(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, namespaces: bool
) -> None:
    # as for root on an architecture whose system calls menace does not know
    monkeypatch.setattr(sandbox, "SYSTEM_CALLS", {})
    monkeypatch.setattr(sandbox, "NAMESPACES", namespaces)
    with Sandbox(written(tmp_path, ESCAPING), None, 5, 1024) as box:
        box.start_clock()
        if box.ask([FIRST])[0] == {"0": 1.0}:
            assert len(processes_in(temporary)) >= 3
    assert nothing_left(temporary)


def test_submission_that_kills_its_supervisor_is_ended(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # in a separate namespace, the submission cannot see the supervisor
    monkeypatch.setattr(sandbox, "NAMESPACES", False)
    monkeypatch.setattr(sandbox, "SYSTEM_CALLS", {})
    path = written(tmp_path, "import os\ndef move(board):\n    os.kill(os.getppid(), 9)\n    while True: pass\n")
    with pytest.raises(InvalidPlayer, match=r"is killed by signal|exits with status"):
        answers(path)
    assert nothing_left(temporary)


def test_folders_without_permissions_are_removed(tmp_path: Path, temporary: Path) -> None:
    text = "import os\ndef move(board):\n    os.makedirs('a/b', exist_ok=True)\n    os.chmod('a', 0)\n    return '4'\n"
    assert answers(written(tmp_path, text))[0] == {"4": 1.0}
    assert nothing_left(temporary)


def test_folders_too_deep_for_recursion_are_removed(tmp_path: Path, temporary: Path) -> None:
    text = (
        "import os\nfor _ in range(1200):\n    os.mkdir('folder')\n    os.chdir('folder')\n"
        "open('file', 'w').close()\nos.chmod('.', 0)\ndef move(board):\n    return '4'\n"
    )
    assert answers(written(tmp_path, text)) == [{"4": 1.0}] * 3
    assert nothing_left(temporary)


def test_event_stops_a_submission_that_hangs(tmp_path: Path, temporary: Path) -> None:
    stop, (path,) = threading.Event(), write_hostile(tmp_path, "hangs")
    threading.Timer(0.3, stop.set).start()
    start = time.monotonic()
    with Sandbox(Path(path), None, 60, 1024, (), stop) as box:
        box.start_clock()
        with pytest.raises(InvalidPlayer, match="interrupted"):
            box.ask([FIRST])
    assert time.monotonic() - start < 20
    assert nothing_left(temporary)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_submissions_end_when_the_command_ends(tmp_path: Path, temporary: Path, sent: signal.Signals) -> None:
    paths = write_hostile(tmp_path, "hangs", "sleeps_at_import")
    command = [sys.executable, "-m", "menace", "grade", *paths, "--time-limit", "60"]
    with start_command(command, env={**os.environ, "TMPDIR": str(temporary)}, stderr=subprocess.PIPE) as process:
        while len(processes_in(temporary)) < 4:  # two supervisors and their submissions
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(sent)
        assert process.wait(20) == (130 if sent == signal.SIGINT else -sent)
    assert nothing_left(temporary)
