"""Accessibility: axe-core finds no violation on the explorer's pages, light and dark, wide and on a phone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browsing import watched
from ledger import selfplay
from templates import trained_bytes

from menace.ledger.database_file import create_database, open_database
from menace.ledger.learners import new_learner

pytestmark = pytest.mark.slow

PHONE, WIDE = {"width": 375, "height": 800}, {"width": 1000, "height": 800}
SERVE = """
import sys
from pathlib import Path
from menace.explorer.server.serving import serve
serve([Path(name) for name in sys.argv[1:]], 0, False, lambda address: print(address, flush=True))
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Three games, and a file without learners, from one server."""
    folder = tmp_path_factory.mktemp("axe")
    (folder / "menace.db").write_bytes(trained_bytes(50))
    with open_database(folder / "menace.db") as store:
        new_learner(store, "zhang", "X", "zhang")
    for name, game, variant in (("hexapawn", "hexapawn", "3x3"), ("nim", "nim", "1-2-3")):
        with create_database(folder / f"{name}.db", game, variant) as store:
            selfplay(store, games=20, seed=1)
    create_database(folder / "empty.db", "nim", "1-2-3").close()
    files = [str(folder / f"{name}.db") for name in ("menace", "hexapawn", "nim", "empty")]
    with subprocess.Popen([sys.executable, "-c", SERVE, *files], stdout=subprocess.PIPE, text=True, cwd="/") as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def play_to_the_end(page: Any) -> None:
    """Make the first move that is there until the game is over, and see all that can be opened."""
    page.wait_for_selector("#board button")
    while page.evaluate("document.getElementById('learned').hidden"):
        moves = page.locator("#moves li").count()
        page.locator("#board button:not([aria-disabled])").first.click()
        page.wait_for_function(
            "moves => document.querySelectorAll('#moves li').length > moves && !document.querySelector('[aria-busy]')",
            arg=moves,
        )
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")


def look(page: Any) -> None:
    """Do nothing to a page before it is examined."""


def begin(page: Any) -> None:
    """Wait for the board, and show what each move is worth."""
    page.wait_for_selector("#board button")
    page.keyboard.down("h")


def sheet(page: Any) -> None:
    """Open the sheet of keys."""
    page.keyboard.press("?")


# Pages whose colours are those of others.
SAME_COLOURS = ("/hexapawn", "/nim", "/empty", "/menace/play/perfect", "/menace/boxes/zhang", "/menace/machines/nobody")
PAGES: list[tuple[str, Callable[[Any], object]]] = [
    ("", sheet),
    ("", look),
    ("/menace/play/menace-x?seed=1#practice", begin),
    ("/menace/play/menace-x?seed=2&name=Anna#practice", play_to_the_end),
    ("/menace/play/perfect?seed=1", look),
    ("/menace/explore/XX.OO....", look),
    ("/menace/explore/XX.OO....?set=1", look),
    ("/menace/explore/XX.XX....", look),
    ("/menace/explore/........./history?learner=menace-x", look),
    ("/menace/boxes/menace-x?colour=change&board=XX.OO....", look),
    ("/menace/boxes/zhang?show=losing", look),
    ("/menace/machines", look),
    ("/menace/machines/menace-x", look),
    ("/menace/compare", look),
    ("/menace/graph?learner=menace-x", look),
    ("/menace/machines/nobody", look),
    ("/hexapawn/play/menace-o?seed=1", begin),
    ("/hexapawn/explore/OOO...XXX:X", look),
    ("/hexapawn/boxes/menace-x?colour=beads", look),
    ("/hexapawn/graph?part=all", look),
    ("/nim/play/menace-x?seed=1", begin),
    ("/nim/explore/1-2-3:X", look),
    ("/nim/boxes/menace-x?colour=minimax", look),
    ("/empty/machines", look),
    ("/empty/compare", look),
]


def test_axe_finds_nothing_wrong_with_any_page(chromium: Any, served: str, axe: Callable[..., list[str]]) -> None:
    wrong = []
    with watched(chromium, served, viewport=PHONE, reduced_motion="reduce") as page:
        for address, act in PAGES:
            page.set_viewport_size(PHONE)
            page.emulate_media(color_scheme="light")
            page.goto(served + address)
            act(page)
            if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
                wrong.append(f"{address}: wider than a phone")
            wrong += [f"{address}: {violation}" for violation in axe(page)]
            page.set_viewport_size(WIDE)
            page.emulate_media(color_scheme="dark")
            if not address.startswith(SAME_COLOURS):
                wrong += [f"{address}, dark: {violation}" for violation in axe(page, "color-contrast")]
        assert wrong == []
        # It does look.
        page.evaluate("document.querySelector('h1').style.color = '#333'; document.documentElement.lang = ''")
        assert {violation.partition(":")[0] for violation in axe(page)} >= {"color-contrast", "html-has-lang"}
