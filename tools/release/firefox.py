"""Control a headless Firefox through WebDriver BiDi (https://w3c.github.io/webdriver-bidi/).

Playwright supports only its own build of Firefox. This module uses the installed Firefox, needs no driver, and requires
only `pip install websockets`.
"""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LISTENS = "WebDriver BiDi listening on "
SECONDS = 30.0  # the maximum time in seconds to wait for a change on a page
SECONDS_TO_START = 120.0
POLL = 0.05  # seconds
PREFERENCES = 'user_pref("focusmanager.testmode", true);\n'  # with this setting, key presses reach a headless window
NAMES = ("firefox", "firefox-esr")


def find_firefox() -> str | None:
    """Return the path of Firefox, or None if Firefox is not installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """A tab of the browser.

    Attributes:
        wrong: Console errors and warnings and script exceptions so far.
    """

    def __init__(self, socket: Any) -> None:
        self._socket, self._numbers, self.wrong = socket, itertools.count(1), list[str]()
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        # a new tab is needed, because the first one receives no key presses
        self._tab = self._call("browsingContext.create", type="window")["context"]

    def _call(self, method: str, **params: object) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=SECONDS))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.wrong.append(f"{answer['params']['text']} {answer['params'].get('stackTrace') or ''}")
            if answer.get("id") == number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]

    def resize(self, width: int, height: int) -> None:
        """Resize the window to a size in CSS pixels."""
        self._call("browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": height})

    def open(self, address: str) -> None:
        """Open an address (even if only the part after # is new), and wait until the page is completely loaded."""
        for url in ("about:blank", address):
            self._call("browsingContext.navigate", context=self._tab, url=url, wait="complete")
        self._call("browsingContext.activate", context=self._tab)  # only an active tab receives key presses

    def value(self, expression: str) -> Any:
        """Evaluate a JavaScript expression, and return its value, converted through JSON.

        Raises RuntimeError if the expression fails.
        """
        text = f"Promise.resolve({expression}).then(value => JSON.stringify(value ?? null))"
        target = {"context": self._tab}
        result = self._call("script.evaluate", expression=text, target=target, awaitPromise=True)
        if result["type"] == "exception":
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['text']}")
        return json.loads(result["result"]["value"])

    def wait(self, condition: str, seconds: float = SECONDS) -> None:
        """Wait until a JavaScript expression becomes true.

        Raises TimeoutError if the expression does not become true in time.
        """
        deadline = time.monotonic() + seconds
        while not self.value(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.value('location.href')}: {condition} is not true after {seconds:g} s")
            time.sleep(POLL)

    def click(self, selector: str) -> None:
        """Click on the middle of the first matching element with the mouse."""
        found = f"document.querySelector({json.dumps(selector)})"
        self.wait(f"!!{found}")
        self.value(f"{found}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        x, y = self.value(f"(r => [r.x + r.width / 2, r.y + r.height / 2])({found}.getBoundingClientRect())")
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        steps = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "actions": steps})

    def press(self, key: str) -> None:
        """Press and release a key."""
        steps = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._act({"type": "key", "id": "keyboard", "actions": steps})

    def _act(self, source: dict[str, object]) -> None:
        self._call("input.performActions", context=self._tab, actions=[source])

    def write_screenshot(self, file: Path) -> None:
        """Write a screenshot as PNG."""
        shot = self._call("browsingContext.captureScreenshot", context=self._tab)
        file.write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def open_firefox() -> Iterator[Page]:
    """Start Firefox with a new profile, and yield a tab."""
    from websockets.sync.client import connect

    command = find_firefox()
    if command is None:
        raise FileNotFoundError("Firefox is not installed")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ["--headless", "--remote-debugging-port", "0", "--no-remote", "--profile", profile]
        (Path(profile) / "user.js").write_text(PREFERENCES, encoding="utf-8")
        said = Path(profile) / "said.txt"
        with (
            said.open("wb") as log,
            subprocess.Popen([command, *options], stdout=subprocess.DEVNULL, stderr=log) as process,
        ):
            try:
                with connect(f"{_address(said)}/session", max_size=None) as socket:
                    yield Page(socket)
            finally:
                process.kill()


def _address(said: Path) -> str:
    """Return the address that Firefox prints when Firefox is ready.

    Raises TimeoutError if Firefox does not print it in time.
    """
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        for line in said.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
            if LISTENS in line and line.endswith("\n"):
                return line.split(LISTENS)[1].strip()
        time.sleep(POLL)
    raise TimeoutError(f"Firefox does not listen: {said.read_text(encoding='utf-8', errors='replace')}")
