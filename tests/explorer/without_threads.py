"""Send a request to every route of the explorer on a system that, like Pyodide, cannot start threads or processes.

    PYTHONPATH=tests:tests/explorer:tools python tests/explorer/without_threads.py FOLDER

The program prints the method, address, status and first characters of each response as JSON.
"""

from __future__ import annotations

import _thread
import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

BASE = "/lite/app/"  # in a browser tab, the explorer is served below the address of the tab's own page


def refuse_threads(*_: object, **__: object) -> None:
    raise RuntimeError("can't start new thread")


def refuse_processes(*_: object, **__: object) -> None:
    raise OSError(138, "emscripten does not support processes")


def forbid_threads_and_processes() -> None:
    """Make every attempt to start a thread or a process raise the same error as in Pyodide 314."""
    threading.Thread.start = refuse_threads
    _thread.start_new_thread = _thread.start_joinable_thread = threading._start_new_thread = refuse_threads
    subprocess.Popen.__init__ = subprocess._fork_exec = refuse_processes
    multiprocessing.Process.start = refuse_processes
    for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system", "popen"):
        setattr(os, name, refuse_processes)


def run_in_executor(_: object, function: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
    """Call a function in the current thread, as Pyodide's event loop does.

    Datasette uses this function to read static files.
    """
    done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    done.set_result(function(*args))
    return done


class Browser:
    """A browser tab that sends requests.

    Attributes:
        answers: the method, path, status and text of each response.
    """

    def __init__(self, database: Path) -> None:
        from menace.explorer.server.serving import BrowserTab

        self.tab = BrowserTab(str(database), BASE)
        self.answers: list[tuple[str, str, int, str]] = []

    async def send(self, method: str, path: str, body: object = None) -> Any:
        """Send a request, and return the response: the text for GET, or the parsed content for POST."""
        kind = "application/json" if method == "POST" else ""
        status, headers, content = await self.tab.answer(method, path, kind, json.dumps(body))
        assert "frame-ancestors 'self'" in headers["content-security-policy"]
        assert status != 302 or headers["location"].startswith(BASE)
        text = content.decode("utf-8", "replace")
        self.answers.append((method, path, status, text))
        await asyncio.sleep(0)  # let other tasks run, as they can between two messages in a browser tab
        return json.loads(text) if method == "POST" else text


async def send_all(folder: Path) -> list[tuple[str, str, int, str]]:
    """Send requests to all routes, pages and static files, and return the responses."""
    from browsing import HOME

    from menace.ledger.create_and_open import create_database, open_database
    from menace.ledger.log.verification import verify
    from menace.ledger.runs import SelfPlay, order
    from menace.ledger.training import carry_out

    asyncio.get_running_loop().run_in_executor = run_in_executor
    with create_database(folder / "menace.db") as store:
        carry_out(store, order(store, SelfPlay(games=50, seed=1)))
    served, new = Browser(folder / "menace.db"), Browser(folder / "new.db")
    await new.send("GET", HOME)
    await new.send("POST", HOME, {"plays": "X"})
    await read_pages(served)
    await write(served)
    await served.send("POST", f"{HOME}/menace/play/menace-y/train", {"against": "random", "games": 3000})
    progress = f"{HOME}/menace/play/menace-y/progress.json"
    while json.loads(await served.send("GET", progress))["training"]["going"]:
        pass
    with open_database(folder / "menace.db") as store:
        assert verify(store).games > 3000
    rows = (
        "/menace/-/query.json" if hasattr(served.tab.datasette, "allowed") else "/menace.json"
    )  # Datasette 1.0 or 0.65
    for sql in SQL:
        await served.send("GET", f"{rows}?_shape=array&sql={sql}")
    return new.answers + served.answers


async def read_pages(browser: Browser) -> None:
    """Request all menace pages that do not need a session, some Datasette pages, and all static files."""
    from browsing import HOME
    from checkout import ROOT
    from test_routes import READING, address

    pages = [f"{HOME}{address(route)}" for route in READING if not route.path.endswith("session.json")]
    files = sorted((ROOT / "menace" / "explorer" / "static").iterdir())
    static = [f"/-/static-plugins/matchbox-menace/{path.name}" for path in files]
    for path in (*pages, *static, "/", "/menace", "/menace/learner", "/menace/choices.json", "/menace/learners"):
        await browser.send("GET", f"{path}?learner=menace-x&number=1")


async def write(browser: Browser) -> None:
    """Send all requests that write. Later requests use the tokens and runs that earlier requests created."""
    from browsing import HOME
    from faults.commands import POSTS

    given: dict[str, object] = {}
    for path, body in POSTS[1:]:  # the first request creates a database
        name = "Twin" if path.endswith("delete") else "menace-x"
        reply = await browser.send("POST", f"{HOME}/menace{path}".format(player=name, name=name), {**given, **body})
        given |= {key: reply[key] for key in ("token", "run_id") if key in reply}
        if path.endswith("begin"):
            await browser.send("GET", f"{HOME}/menace/play/menace-x/session.json?token={given['token']}")
    beginner = f"{HOME}/menace/beginner"
    token = (await browser.send("POST", f"{beginner}/begin", {"seed": 1}))["token"]
    await browser.send("GET", f"{beginner}/session.json?token={token}")
    for action in ("move", "undo", "resign", "finish", "next"):
        await browser.send(
            "POST", f"{beginner}/{action}", {"token": token} | ({"move": "0"} if action == "move" else {})
        )


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i %2B 1 FROM n) SELECT sum(i) FROM n"
SQL = ["SELECT count(*) AS n FROM learner", "DELETE FROM learner", ENDLESS, "SELECT length(hex(zeroblob(900000)))"]


if __name__ == "__main__":
    forbid_threads_and_processes()
    json.dump(asyncio.run(send_all(Path(sys.argv[1]))), sys.stdout)
