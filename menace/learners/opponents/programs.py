"""Programs as players: a process that reads a line with a board and prints a line with a move.

Run as a module, this file is such a program for a Python function, so that a function that hangs can be ended:

    python -m menace.learners.opponents.programs ./agent.py:move tictactoe 3x3x3
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import IO, Self

from menace.errors import InvalidPlayer
from menace.games import get_game
from menace.games.plugins import callable_in_file
from menace.learners.opponents.functions import EXAMPLE
from menace.learners.policy import Choice, accepts_moves

STARTING = 10.0  # additional seconds for the first answer of a process, which includes its start
LONGEST_LINE = 10_000  # characters of a line that are read; the rest counts as another line
MOST_LINES = 1_000  # unread lines after which a program counts as ended
ENDED, LATE = "ended", "time limit"  # why a program gave no answer


class NoAnswer(InvalidPlayer):
    """A program gave no answer: it ended, or it exceeded its time limit."""


class Program:
    """A program that is asked for moves; it runs until it ends or exceeds its time limit, and is then started again.

    Args:
        command: the words of the command line.
        time_limit: the maximum number of seconds for an answer; None for no limit.

    >>> import sys
    >>> with Program([sys.executable, "-c", "while True: print(input().index('.'), flush=True)"]) as first_free:
    ...     first_free.ask("XO.......")
    '2'
    """

    def __init__(self, command: Sequence[str], time_limit: float | None = None) -> None:
        self.command, self.time_limit = list(command), time_limit
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
        self._has_answered = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, board: str) -> Choice:
        """Return the program's answer to a board: a line of text, or weights by name if the line is a JSON object.

        Raises:
            NoAnswer: if the program ended or exceeded its time limit. The message is `ended` or `time limit`.
            InvalidPlayer: if the program cannot be started, or ended before it answered for the first time.
        """
        while True:
            is_new = self._process is None
            process = self._process or self._start()
            try:
                line = self._exchange(process, board, STARTING if is_new else 0.0)
            except BaseException:
                self.close()
                raise
            if line:
                break
            self.close()
            if is_new and not self._has_answered:
                shown = " ".join(self.command)
                raise InvalidPlayer(f"{shown!r} ended with exit code {process.returncode} before its first answer")
            if is_new:  # otherwise it may have ended after its last answer, and is started again for this board
                raise NoAnswer(ENDED)
        self._has_answered = True
        with contextlib.suppress(ValueError):
            if isinstance(weights := json.loads(line), Mapping):
                return weights
        return line.strip()

    def _exchange(self, process: subprocess.Popen[str], board: str, more: float) -> str:
        """Write a board, and return the next line, or an empty text if the program ended."""
        assert process.stdin is not None
        with contextlib.suppress(queue.Empty):
            while True:  # discards lines that were printed in addition to the last answer
                if not self._lines.get_nowait():
                    return ""
        with contextlib.suppress(OSError):  # if the program has ended, its output ends, too
            process.stdin.write(f"{board}\n")
            process.stdin.flush()
        try:
            return self._lines.get(timeout=None if self.time_limit is None else self.time_limit + more)
        except queue.Empty:
            raise NoAnswer(LATE) from None

    def close(self) -> None:
        """End the program and every process of its group."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        self._reader.join(timeout=1.0)
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()

    def _start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(  # noqa: S603 - the user named the program
                self.command, stdin=pipe, stdout=pipe, encoding="utf-8", errors="replace", start_new_session=True
            )
        except OSError as error:
            raise InvalidPlayer(f"{self.command[0]!r} cannot be run ({error.strerror}); name a program") from None
        self._process, self._lines = process, queue.Queue()
        self._reader = threading.Thread(target=_read, args=(process.stdout, self._lines), daemon=True)
        self._reader.start()
        return process


def _read(stream: IO[str], lines: queue.Queue[str]) -> None:
    """Put the lines of a stream into a queue, and an empty text at its end or after too many unread lines."""
    with contextlib.suppress(OSError, ValueError), stream:
        while lines.qsize() < MOST_LINES and (line := stream.readline(LONGEST_LINE)):
            lines.put(line)
    lines.put("")


def main(reference: str, game: str, variant: str) -> None:
    """Answer the boards on standard input with a Python function. What the function prints goes to standard error."""
    answers, sys.stdout = sys.stdout, sys.stderr
    rules, function = get_game(game, variant), callable_in_file(reference, "function", EXAMPLE)
    with_moves = accepts_moves(function)
    for line in sys.stdin:
        board = line.strip()
        moves = [rules.name_of(board, action) for action in rules.actions(board)]
        choice = function(board, moves) if with_moves else function(board)
        print(json.dumps(choice) if isinstance(choice, Mapping) else choice, file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
