"""The server of `menace serve`: Datasette with the explorer, for this machine alone."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from menace.errors import DatabaseBusy, OutputError
from menace.explorer.server.root_path import ROOT
from menace.explorer.server.security import HOST

SECONDS_TO_FINISH = 1  # in which a request under way may finish after Ctrl-C


def site(paths: Sequence[Path], read_only: bool = False, any_client: bool = False) -> Any:
    """Return a Datasette of files, with the explorer; one file may be missing, which its first page makes.

    With `any_client` a request may come from any address; else only one from this machine may write.
    """
    from datasette import __version__
    from datasette.app import Datasette

    from menace.ledger.database_file import is_vacant

    there = [str(path) for path in paths if not is_vacant(path)]
    missing = {"missing": str(paths[0])} if paths and not there else {}
    ours = {"read_only": read_only, "local": True, "any_client": any_client, **missing}
    plugins = {"plugins": {"menace": ours}}
    datasette = Datasette(there, **{"metadata" if __version__.startswith("0.") else "config": plugins})
    if missing:
        datasette.remove_database("_memory")  # which it adds where there is no file
    return datasette


def serve(paths: Sequence[Path], port: int, read_only: bool, ready: Callable[[str], None], host: str = HOST) -> None:
    """Serve files until Ctrl-C.

    Args:
        paths: of the databases.
        port: to listen on, 0 for any that is free.
        read_only: whether nothing is to be written.
        ready: called with the address of the first page when it can be opened.
        host: the address to listen on. Another than HOST is a container's, which is reached from outside of it:
            requests come from anywhere, under the names of this machine still.

    Raises:
        OutputError: if the port cannot be listened on.
        DatabaseBusy: if another program keeps a file locked.
        KeyboardInterrupt: by Ctrl-C.
    """
    datasette = site(paths, read_only, any_client=host != HOST)
    import uvicorn

    from menace.explorer.server.connections import AT_ONCE, HttpConnection, Listener

    with Listener() as listener:
        try:
            listener.bind((host, port))
            listener.listen()  # clients may connect before the server has started
        except (OSError, OverflowError) as error:
            in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            reason = "is in use by another program" if in_use else f"cannot be listened on ({error})"
            where = f"port {port}" if host == HOST else f"port {port} of {host}"
            raise OutputError(f"{where} {reason}; take another with --port") from None

        async def run() -> None:
            await _start(datasette, paths)
            server = uvicorn.Server(
                uvicorn.Config(
                    datasette.app(),
                    http=HttpConnection,
                    ws="none",
                    backlog=AT_ONCE,
                    log_level="warning",
                    timeout_graceful_shutdown=SECONDS_TO_FINISH,
                )
            )
            for name in ("uvicorn.error", "asyncio"):
                logging.getLogger(name).addFilter(_log_limiter)
            ready(f"http://{HOST}:{listener.getsockname()[1]}{ROOT}")
            await server.serve([listener])

        asyncio.run(run())
    raise KeyboardInterrupt  # it ends by Ctrl-C alone, which is lost if it comes at the very end of the loop


async def _start(datasette: Any, paths: Sequence[Path]) -> None:
    """Let Datasette read the files: since 1.0 it does so at startup, and does not wait long for locks."""
    from datasette.utils.sqlite import sqlite3

    try:
        with contextlib.redirect_stderr(io.StringIO()):  # to which it writes the statement that failed
            await datasette.invoke_startup()
    except sqlite3.OperationalError as error:
        names = ", ".join(map(str, paths))
        raise DatabaseBusy(f"{names} cannot be read ({error}); another program has it, try again later") from None


class LogLimiter(logging.Filter):
    """Limits the rate of log messages, and drops those of requests that Ctrl-C cancelled.

    Args:
        most: how many messages of a level are logged within a minute, of each logger.
    """

    def __init__(self, most: int = 10) -> None:
        super().__init__()
        self.most, self.minute, self.counts = most, 0, Counter[tuple[str, int]]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a message; the last one of a minute says that it is the last."""
        if record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError):
            return False
        kind, minute = (record.name, record.levelno), int(record.created // 60)
        if minute != self.minute:
            self.minute, self.counts = minute, Counter()
        self.counts[kind] += 1
        if self.counts[kind] == self.most:
            record.msg = f"{record.msg} (what else comes within this minute is not logged)"
        return self.counts[kind] <= self.most


_log_limiter = LogLimiter()
