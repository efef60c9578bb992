"""`menace serve`: Datasette with the explorer, on this machine alone."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from menace.errors import DatabaseBusy, OutputError
from menace.web.address import ROOT

HOST = "127.0.0.1"
SECONDS_TO_FINISH = 1  # that a request under way has after Ctrl-C


def site(paths: Sequence[Path], read_only: bool = False) -> Any:
    """Return a Datasette of some files, with our pages and what our tables and columns mean."""
    import importlib.resources

    import yaml
    from datasette import __version__
    from datasette.app import Datasette

    plugins = {"menace": {"read_only": read_only, "local": True}}
    told: dict[str, Any] = yaml.safe_load(importlib.resources.files("menace.db").joinpath("datasette.yaml").read_text())
    told = {"databases": {path.stem: told["databases"]["menace"] for path in paths}}
    if __version__.startswith("0."):
        return Datasette([str(path) for path in paths], metadata={**told, "plugins": plugins})
    return Datasette([str(path) for path in paths], metadata=told, config={**told, "plugins": plugins})


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

    # Named as TCP's, or asyncio leaves Nagle's algorithm on, and each answer waits 40 ms for the browser's nod.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            listener.listen()  # whoever is told the address may come before the server has begun
        except (OSError, OverflowError) as error:
            raise OutputError(f"port {port} cannot be listened on: {error}; choose another with --port") from None

        async def run() -> None:
            await _start(datasette, paths)
            config = uvicorn.Config(datasette.app(), log_level="warning", timeout_graceful_shutdown=SECONDS_TO_FINISH)
            logging.getLogger("uvicorn.error").addFilter(_is_worth_telling)
            server = uvicorn.Server(config)
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


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """Say whether a message is: a request that Ctrl-C ended is no fault, and needs no traceback."""
    return record.exc_info is None or not isinstance(record.exc_info[1], asyncio.CancelledError)
