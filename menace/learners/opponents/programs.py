"""Run programs as players. A program reads a line that contains a board, and prints a line that contains a move.

When this file is run as a module, it plays the moves of a Python function in a separate process, which can be killed if
the function hangs:

    python -m menace.learners.opponents.programs ./agent.py:move tictactoe 3x3x3
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

from menace.errors import InvalidPlayer, MenaceError
from menace.games import get_game
from menace.learners.opponents.functions import function_in_file
from menace.learners.policy import Choice, accepts_moves

STARTING = 10.0  # additional seconds for a process's first answer, because the process must start first
LONGEST_LINE = 65_536  # maximum number of bytes to read as one line; the rest counts as another line
MOST_LINES = 100  # number of unread lines after which a process is treated as ended
ENDED, LATE = "ended", "time limit"  # the reasons why a program gave no answer
FAULT = "\0"  # the first character of a line in which a program explains why it cannot play at all


class NoAnswer(InvalidPlayer):
    """The error that is raised if a program gave no answer because it ended or exceeded its time limit."""


class LineProcess:
    """A process that reads lines and prints lines. Ending the process also ends every other process in its group.

    Args:
        command: the words of the command line.
        grace: the number of seconds within which the process must end by itself after its input closes.
        options: further arguments for `subprocess.Popen`.

    Attributes:
        unread: the lines that the process has printed and that were not read yet. An empty line marks the end of the
            output, or too many unread lines.

    Raises:
        OSError: if the process cannot be started.
    """

    def __init__(self, command: Sequence[str], grace: float = 0.0, **options: Any) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True, **options)  # noqa: S603
        self.unread: queue.Queue[bytes] = queue.Queue()
        self._grace, self._reader = grace, threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def write(self, lines: bytes) -> None:
        """Write lines to the process.

        Errors are ignored, because a later read will show whether the process has ended.
        """
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.write(lines)
            self.process.stdin.flush()

    def read(self, seconds: float | None) -> bytes | None:
        """Return the next line. Return an empty line if the process has ended, or None if the time limit has passed."""
        try:
            return self.unread.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self) -> int:
        """End the process and its group, and return its exit code."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(self._grace)
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        code = self.process.wait()
        self._reader.join(timeout=1.0)
        return code

    def _read(self) -> None:
        assert self.process.stdout is not None
        with suppress(OSError, ValueError), self.process.stdout as output:
            while self.unread.qsize() < MOST_LINES and (line := output.readline(LONGEST_LINE)):
                self.unread.put(line)
        self.unread.put(b"")


class Program:
    """A program that chooses moves. A program that ends or exceeds its time limit is restarted.

    Args:
        command: the words of the command line.
        time_limit: the maximum number of seconds for an answer, or None for no limit.

    >>> import sys
    >>> with Program([sys.executable, "-c", "while True: print(input().index('.'), flush=True)"]) as first_free:
    ...     first_free.ask("XO.......")
    '2'
    """

    def __init__(self, command: Sequence[str], time_limit: float | None = None) -> None:
        self.command, self.time_limit = list(command), time_limit
        self._process: LineProcess | None = None
        self._has_answered = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, board: str) -> Choice:
        """Return the program's answer for a board: a line of text, or a dict of weights if the line is JSON.

        Raises:
            NoAnswer: if the program ended or exceeded its time limit. The message is `ended` or `time limit`.
            InvalidPlayer: if the program cannot be started or cannot play, or ended before its first answer.
        """
        line = self._answer(self._process, board, 0.0) if self._process else b""
        if not line:  # the program may have ended after its last answer
            try:
                self._process = LineProcess(self.command)
            except OSError as error:
                raise InvalidPlayer(
                    f"{self.command[0]!r} cannot be run ({error.strerror}); give a command that starts a program"
                ) from None
            line = self._answer(self._process, board, STARTING)
        if not line:
            raise NoAnswer(ENDED)
        self._has_answered = True
        text = line.decode(errors="replace").strip()
        if text.startswith(FAULT):
            raise InvalidPlayer(text.removeprefix(FAULT))
        with suppress(ValueError):
            if isinstance(weights := json.loads(text), Mapping):
                return weights
        return text

    def _answer(self, process: LineProcess, board: str, more: float) -> bytes:
        """Write a board and return the next line of output, or an empty line if the program has ended."""
        line: bytes | None = b"earlier"
        while line and not process.unread.empty():  # discard all lines printed after the last answer
            line = process.read(0.0)
        if line:
            process.write(f"{board}\n".encode())
            line = process.read(None if self.time_limit is None else self.time_limit + more)
        if line is None:
            self.close()
            raise NoAnswer(LATE)
        if not line:
            code, self._process = process.close(), None
            if not self._has_answered:
                shown = " ".join(self.command)
                raise InvalidPlayer(f"{shown!r} ended with exit code {code} before its first answer")
        return line

    def close(self) -> None:
        """End the program and every other process in its group."""
        if self._process is not None:
            self._process.close()
            self._process = None


def main(reference: str, game: str, variant: str) -> None:
    """Answer the boards on standard input by calling a Python function.

    Anything that the function prints goes to standard error. If the function raises an exception, the answer is the
    text of the exception, which is not a legal move.
    """
    answers, sys.stdout = sys.stdout, sys.stderr
    try:
        rules, function = get_game(game, variant), function_in_file(reference)
    except MenaceError as error:
        print(f"{FAULT}{error}", file=answers, flush=True)
        return
    with_moves = accepts_moves(function)
    for question in sys.stdin:
        board = question.strip()
        moves = [rules.name_of(board, action) for action in rules.actions(board)]
        try:
            choice = function(board, moves) if with_moves else function(board)  # type: ignore[call-arg]
            if isinstance(choice, Mapping):
                choice = json.dumps({str(move): float(weight) for move, weight in choice.items()})
            answer = str(choice)
        except (MenaceError, TypeError, ValueError, OverflowError) as error:
            answer = str(error)
        print(" ".join(answer.split()), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
