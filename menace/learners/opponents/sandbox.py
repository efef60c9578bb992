"""Run submissions (Python files written by strangers) in separate processes with limits, and request moves from them.

The limits protect against mistakes and pranks, but not against attackers. docs/grading.md explains what the limits
cover and how to run all submissions in a container.
"""

from __future__ import annotations

import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TypeAlias

from menace.errors import InvalidPlayer
from menace.games.base import Board
from menace.learners.opponents.programs import LineProcess
from menace.learners.opponents.sandbox_process import remove_folder
from menace.learners.policy import LARGEST, SMALLEST

PROGRAM = Path(__file__).with_name("sandbox_process.py")
BATCH = 30  # number of questions per batch, small enough that a batch fits into a pipe and writing never blocks
SIDE_LIMIT = 10  # time limit for all moves of a side, as a multiple of the limit for one move
LONGEST_SHOWN = 120  # maximum number of characters that are shown of an answer or an error
POLL = 0.1  # seconds between checks of the event that stops everything
GRACE = 5.0  # number of seconds within which the supervisor must end a submission
FILE_SIZE = 10_000_000  # bytes
SIGNALLED = 128  # exit codes above this number indicate a signal
# For each architecture, the number that Linux assigns to it, and the numbers of its system calls clone, clone3, fork
# and vfork.
SYSTEM_CALLS: dict[str, tuple[int, int, int, list[int]]] = {
    "x86_64": (0xC000003E, 56, 435, [57, 58]),
    "aarch64": (0xC00000B7, 220, 435, []),
}
NAMESPACES = True

Answer: TypeAlias = dict[str, float] | str  # the weights by move name, or the reason why the answer is not a legal move


class Sandbox:
    """A process that runs a submission and answers questions. The process starts with the first question.

    `close` ends the submission and every process that it started, and removes the submission's folder.

    Args:
        file: the submission.
        function: the name of its function; None for `move`, or the only public function.
        seconds: the time limit for one move; all moves of a side may take ten times as long.
        memory: the memory limit in megabytes.
        extra: further files to copy into the submission's folder.
        stop: an event that, once set, ends the process.

    Attributes:
        printed: the number of bytes that the submission printed.
    """

    def __init__(
        self,
        file: Path,
        function: str | None,
        seconds: float,
        memory: int,
        extra: Sequence[Path] = (),
        stop: threading.Event | None = None,
    ) -> None:
        self.file, self.function, self.seconds, self.memory, self.extra = file, function, seconds, memory, extra
        self.printed = 0
        self._stop = stop or threading.Event()
        self._process: LineProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, questions: Sequence[tuple[Board, list[str]]]) -> list[Answer]:
        """Return the answers to questions. Each question consists of a board and the names of its legal moves.

        Raises:
            InvalidPlayer: if the submission ends, hangs or violates the protocol. The message says which of these
                happened.
        """
        answers: list[Answer] = []
        try:
            process = self._process or self._start()
            for start in range(0, len(questions), BATCH):
                batch = questions[start : start + BATCH]
                if not process.unread.empty():
                    raise InvalidPlayer("sends answers without being asked")
                process.write(b"".join(json.dumps(question).encode() + b"\n" for question in batch))
                answers += [_read_answer(self._receive(process, f"on board {board}"), moves) for board, moves in batch]
        except BaseException:
            self.close()
            raise
        return answers

    def start_clock(self) -> None:
        """Start timing all moves of a side."""
        self._deadline = time.monotonic() + SIDE_LIMIT * self.seconds

    def close(self) -> int:
        """End the submission and every process it started, remove the submission's folder, and return its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        code = process.close()  # this makes the supervisor end the submission
        self._counter.join(GRACE)
        with suppress(OSError):
            remove_folder(self._folder)  # in case the supervisor could not remove the folder
        return code

    def _start(self) -> LineProcess:
        self._folder = folder = tempfile.mkdtemp(prefix="menace-submission-")
        system = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # required by Windows
        threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
        places = {"PATH": os.defpath, "HOME": folder, "TMPDIR": folder, "TEMP": folder, "TMP": folder}
        command = [sys.executable, "-I", "-S", "-B", "-u", str(PROGRAM), json.dumps(self._process_settings())]
        try:
            for path in (*self.extra, self.file):
                shutil.copy(path, folder)
            self._process = process = LineProcess(
                command,
                GRACE if hasattr(os, "fork") else 0.0,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**system, **threads, **places},
            )
        except OSError as error:
            remove_folder(folder)
            raise InvalidPlayer(f"{error.filename or self.file} cannot be read ({error.strerror})") from None
        self._counter = threading.Thread(target=self._count_output, args=(process,), daemon=True)
        self._counter.start()
        loaded = _parse_line(self._receive(process, "while it is loaded"))
        if "error" in loaded:
            raise InvalidPlayer(f"cannot be loaded: {_shown(loaded['error'])}")
        return process

    def _process_settings(self) -> dict[str, Any]:
        return {
            "file": str(Path(self._folder) / self.file.name),
            "folder": self._folder,
            "function": self.function,
            "seconds": math.ceil(2 * SIDE_LIMIT * self.seconds) + 1,
            "memory": self.memory * 2**20,
            "file_size": FILE_SIZE,
            "calls": SYSTEM_CALLS.get(platform.machine()) if sys.platform == "linux" else None,
            "namespaces": NAMESPACES,
        }

    def _receive(self, process: LineProcess, when: str) -> bytes:
        """Return the submission's next line. The function waits no longer than the time limits allow."""
        end, line = min(self._deadline, time.monotonic() + self.seconds), None
        while line is None:
            left = end - time.monotonic()
            if self._stop.is_set():
                raise InvalidPlayer("was interrupted")
            line = process.read(min(max(left, 0.0), POLL))
            if line is None and left <= 0:
                limit = SIDE_LIMIT * self.seconds if end == self._deadline else self.seconds
                raise InvalidPlayer(f"exceeds the time limit of {limit:g} seconds {when}")
        if line:
            return line
        code = self.close()
        number = -code if code < 0 else code - SIGNALLED  # the signal may have ended the submission or its supervisor
        ended = f"is killed by signal {number}" if number > 0 else f"exits with status {code}"
        raise InvalidPlayer(f"{ended} {when}")

    def _count_output(self, process: LineProcess) -> None:
        assert process.process.stderr is not None
        with process.process.stderr as pipe, suppress(OSError, ValueError):
            while content := os.read(pipe.fileno(), 65_536):
                self.printed += len(content)


def _parse_line(line: bytes) -> dict[str, Any]:
    """Parse a line from a submission as a dict. The line may contain anything."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        content = None
    if not line.endswith(b"\n") or not isinstance(content, dict):
        raise InvalidPlayer("violates the protocol by sending something other than answers")
    return content


def _read_answer(line: bytes, moves: Sequence[str]) -> Answer:
    r"""Convert any answer to a dict of weights by move, or to a string that explains why the answer is not legal.

    >>> _read_answer(b'{"choice": "4"}\n', ["0", "4"]), _read_answer(b'{"choice": "9"}\n', ["0", "4"])
    ({'4': 1.0}, "returns '9'")
    """
    content = _parse_line(line)
    if "error" in content:
        return _shown(content["error"])
    choice = content.get("choice")
    weights = choice if isinstance(choice, dict) else {choice: 1.0} if isinstance(choice, str) else {}
    try:
        amounts = [float(weight) for weight in weights.values()]
    except (TypeError, ValueError, OverflowError):
        amounts = []
    is_legal = weights.keys() <= set(moves) and min(amounts, default=-1) >= 0 and SMALLEST <= sum(amounts) <= LARGEST
    return dict(zip(weights, amounts, strict=True)) if is_legal else f"returns {_shown(choice)!r}"


def _shown(value: object) -> str:
    """Return text from a submission, without control characters and shortened to fit into a table."""
    text = printable(str(value))
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def printable(text: str) -> str:
    """Return the text with each unprintable character replaced by a space."""
    return "".join(character if character.isprintable() else " " for character in text)
