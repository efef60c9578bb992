"""`menace serve`: Datasette with the explorer, on this machine alone."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from menace.errors import DatabaseBusy, OutputError
from menace.explorer.address import ROOT
from menace.explorer.guard import HOST

SECONDS_TO_FINISH = 1  # that a request under way has after Ctrl-C


def site(paths: Sequence[Path], read_only: bool = False) -> Any:
    """Return a Datasette of some files, with our pages and what our tables and columns mean."""
    import importlib.resources

    import yaml
    from datasette import __version__
    from datasette.app import Datasette

    plugins = {"menace": {"read_only": read_only, "local": True}}
    metadata: dict[str, Any] = yaml.safe_load(
        importlib.resources.files("menace.db").joinpath("datasette.yaml").read_text()
    )
    metadata = {"databases": {path.stem: metadata["databases"]["menace"] for path in paths}}
    if __version__.startswith("0."):
        return Datasette([str(path) for path in paths], metadata={**metadata, "plugins": plugins})
    return Datasette([str(path) for path in paths], metadata=metadata, config={**metadata, "plugins": plugins})


def serve(paths: Sequence[Path], port: int, read_only: bool, ready: Callable[[str], None]) -> None:
    """Serve files until Ctrl-C.

    Args:
        paths: of the databases.
        port: to listen on, 0 for any that is free.
        read_only: whether nothing is to be written.
        ready: told the address of our home when it can be opened.

    Raises:
        OutputError: if the port cannot be listened on.
        DatabaseBusy: if somebody else keeps a file locked.
        KeyboardInterrupt: by Ctrl-C.
    """
    datasette = site(paths, read_only)
    import uvicorn

    from menace.explorer.connections import AT_ONCE, HttpConnection, Listener

    with Listener() as listener:
        try:
            listener.bind((HOST, port))
            listener.listen()  # whoever is told the address may come before the server has begun
        except (OSError, OverflowError) as error:
            raise OutputError(f"port {port} cannot be listened on: {error}; choose another with --port") from None

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
                logging.getLogger(name).addFilter(_worth_telling)
            ready(f"http://{HOST}:{listener.getsockname()[1]}{ROOT}")
            await server.serve([listener])

        asyncio.run(run())
    raise KeyboardInterrupt  # it ends by Ctrl-C alone, which is lost where it comes at the very end of the loop


async def _start(datasette: Any, paths: Sequence[Path]) -> None:
    """Let Datasette look at the files: since 1.0 it does so at once, and waits for nobody's lock for long."""
    from datasette.utils.sqlite import sqlite3

    try:
        with contextlib.redirect_stderr(io.StringIO()):  # where it writes the statement that failed
            await datasette.invoke_startup()
    except sqlite3.OperationalError as error:
        names = ", ".join(map(str, paths))
        raise DatabaseBusy(f"{names} cannot be read ({error}); another program has it, try again later") from None


class WorthTelling(logging.Filter):
    """Keeps out of the log what comes by the thousand, and requests that Ctrl-C ended, which are no fault.

    Args:
        most: how many messages of a level are logged within a minute, of each logger.
    """

    def __init__(self, most: int = 10) -> None:
        super().__init__()
        self.most, self.minute, self.told = most, 0, Counter[tuple[str, int]]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a message is worth telling; the last of a minute says that it is."""
        if record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError):
            return False
        kind, minute = (record.name, record.levelno), int(record.created // 60)
        if minute != self.minute:
            self.minute, self.told = minute, Counter()
        self.told[kind] += 1
        if self.told[kind] == self.most:
            record.msg = f"{record.msg} (what else comes within this minute is not logged)"
        return self.told[kind] <= self.most


_worth_telling = WorthTelling()
