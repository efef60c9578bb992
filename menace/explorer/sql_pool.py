"""The pool of processes that run SQL for Datasette's pages: started when none is idle, killed when late."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pickle
import subprocess
import sys
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

from menace.explorer.sql_process import Failure, Question, Rows, ServedSite

PROCESSES = 3  # as many as Datasette has threads for SQL
# With the server's own path, so that no file in the working directory is imported as a module; and without modules
# that are blocked in the server.
START = """
import json, sys
sys.path, kept_out = json.loads(sys.argv[1])
sys.modules.update(dict.fromkeys(kept_out))
from menace.explorer.sql_process import main
main()
"""


class Pool:
    """Processes for one Datasette, and a thread that waits for each: pages need the threads of the event loop."""

    def __init__(self, site: ServedSite) -> None:
        """Keep the site's description; no process is started yet."""
        self.site = site
        self._room, self._threads = asyncio.Semaphore(PROCESSES), ThreadPoolExecutor(PROCESSES, "menace sql")
        self._idle: list[_Process] = []
        self._all: weakref.WeakSet[_Process] = weakref.WeakSet()

    async def ask(self, question: Question) -> Rows | Failure:
        """Return the answer of an idle process, or a new one; a Failure if it ended without one, as it does when late.

        A process whose answer is no longer needed is ended, too, as after Ctrl-C.
        """
        async with self._room:
            process = self._idle.pop() if self._idle else _Process(self.site)
            self._all.add(process)
            start, answer = time.monotonic(), None
            try:
                answer = await asyncio.get_running_loop().run_in_executor(self._threads, process.ask, question)
            finally:
                if answer is None:
                    process.end()
                else:
                    self._idle.append(process)
        late = time.monotonic() - start >= question.longest
        return answer or Failure(
            "interrupted" if late else "the query made SQLite fail; ask for something else", interrupted=late
        )

    def close(self) -> None:
        """End all processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in list(self._all):
            process.end()


class _Process:
    """A process, and the pipes to it."""

    def __init__(self, site: ServedSite) -> None:
        kept_out = [name for name, module in sys.modules.items() if module is None]
        command = [sys.executable, "-P", "-c", START, json.dumps([sys.path, kept_out])]
        # In a session of its own, where Ctrl-C does not reach it: it ends when its pipe is closed.
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
        )
        self.end = weakref.finalize(self, _end, self._process)
        self._send(site)

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it has ended, and `ask` returns None
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()

    def ask(self, question: Question) -> Rows | Failure | None:
        """Return the answer; None if the process has ended."""
        self._send(question)
        answer: Rows | Failure | None = None
        with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):  # ended, amid an answer
            assert self._process.stdout is not None
            answer = pickle.load(self._process.stdout)  # noqa: S301 - sent by our own process
        return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in filter(None, (process.stdin, process.stdout)):
        with contextlib.suppress(OSError):
            pipe.close()
