"""Open every page of the explorer and of a site in Firefox, and check its layout, errors, controls and SQL.

    python tools/release/walk_in_firefox.py           check everything, in about a minute
    python tools/release/walk_in_firefox.py PICTURES  also write screenshots to a folder

The program requires Firefox and `pip install websockets`. The tests in Chromium check far more than this program. This
program is meant to find differences between the two browsers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.transcripts import open_shell, serve_database

from menace.ledger.create_and_open import open_database
from menace.ledger.queries import named_queries, query
from release.firefox import Page, open_firefox

COMMANDS = [
    *("menace selfplay --games 2000 --seed 1", "menace new zhang --preset zhang --plays X"),
    *("menace train zhang --against random --games 2000 --seed 2", "menace new adam --plays X"),
    *("menace init --game hexapawn --db hexapawn.db", "menace selfplay --games 60 --seed 1 --db hexapawn.db"),
    "menace export site/ --sql",
]
WIDE, PHONE = (1000, 800), (375, 800)  # CSS pixels
EXPLORER = [
    *("", "menace/play/menace-x?seed=1", "menace/play/menace-x?seed=1#practice", "menace/play/perfect?seed=1"),
    *("menace/explore/XX.OO....", "menace/explore/XX.OO....?set=1", "menace/explore/XX.XX...."),
    *("menace/explore/........./history?learner=menace-x", "menace/boxes/menace-x", "menace/boxes/zhang?show=losing"),
    *("menace/machines", "menace/machines/menace-x", "menace/compare", "menace/graph?learner=menace-x"),
]
SITE = ["index.html", "play-menace-x.html", "play-zhang.html", "boxes-menace-x.html", "explore.html#board=XX.OO...."]
SITE += ["sql.html#openings"]
HEXAPAWN = ["hexapawn/play/menace-o?seed=1", "hexapawn/explore/OOO...XXX:X", "hexapawn/boxes/menace-x"]
OVER = "!document.getElementById('learned').hidden"
MOVES = "document.querySelectorAll('#moves li').length"
FREE = "#board button:not([aria-disabled])"


class Quiet(SimpleHTTPRequestHandler):
    """Serve a folder without logging requests."""

    def log_message(self, format: str, *arguments: object) -> None:
        """Do nothing."""


@contextmanager
def serve_site(folder: Path) -> Iterator[str]:
    """Serve a folder, and yield the address of the server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Walk:
    """A walk through all pages that records which views have been checked."""

    def __init__(self, page: Page, pictures: Path | None) -> None:
        self.page, self.pictures, self.seen = page, pictures, 0
        self.wrong: list[str] = []

    def check_page(self, address: str, name: str) -> None:
        """Open a page at both widths, and check that it fits into the window and has a heading."""
        for size in (WIDE, PHONE):
            self.page.resize(*size)
            self.page.open(address)
            if "/play" in address:
                self.page.wait(f"!!document.querySelector({FREE!r})")
            if self.page.value("document.querySelectorAll('h1').length") != 1:
                self.wrong.append(f"{address} has not one heading")
            if (width := self.page.value("document.documentElement.scrollWidth")) > size[0]:
                self.wrong.append(f"{address} is {width} wide in a window of {size[0]}")
            self.check_console(f"{name}-{size[0]}")

    def check_console(self, name: str) -> None:
        """Check the console for errors, and save a screenshot."""
        self.wrong += [f"{name}: {error}" for error in self.page.wrong]
        self.page.wrong.clear()
        self.seen += 1
        if self.pictures is not None:
            self.page.write_screenshot(self.pictures / f"{name}.png")

    def play_game(self, address: str, name: str) -> None:
        """Play a game until it ends. Type the first move, and make the other moves with the mouse."""
        page = self.page
        page.resize(*WIDE)
        page.open(address)
        page.wait(f"!!document.querySelector({FREE!r})")
        page.value(f"document.querySelector({FREE!r}).focus()")
        page.press("\ue007")  # Enter
        page.wait(f"{MOVES} > 1")
        while not page.value(OVER):
            before = page.value(MOVES)
            page.click(FREE)
            page.wait(f"{MOVES} > {before} && !document.querySelector('[aria-busy]')")
        self.check_console(f"{name}-after")

    def train(self, address: str, name: str) -> None:
        """Start training on the page, and stop it after some games."""
        page = self.page
        page.open(f"{address}#practice")
        page.wait("document.getElementById('speed-words').textContent !== ''")
        before = page.value("document.getElementById('trained').textContent")
        page.click("#go")
        page.wait(f"document.getElementById('trained').textContent !== {before!r}")
        page.click("#go")
        page.wait("!document.getElementById('go').classList.contains('going')")
        self.check_console(f"{name}-practised")


def play_history(walked: Walk, address: str) -> None:
    """Play back a machine's history, and check that the time shown on the page changes."""
    page = walked.page
    page.resize(*WIDE)
    page.open(address)
    page.wait("!document.getElementById('film').hidden")
    before = page.value("document.getElementById('after').textContent")
    page.click("#film")
    for _ in range(3):
        page.wait(f"document.getElementById('after').textContent !== {before!r}")
        before = page.value("document.getElementById('after').textContent")
    walked.check_console("film")
    page.click("#film")
    page.wait("document.getElementById('film').ariaPressed === 'false'")
    page.value("new Promise(done => setTimeout(done, 500))")  # waits for the requested data


def move_on_explore(walked: Walk, address: str) -> None:
    """Make a move on the Explore page, and check that it leads to the next board."""
    page = walked.page
    page.open(address)
    before = page.value("location.href")
    page.click("main table a[href*=explore]")
    page.wait(f"location.href !== {before!r}")
    walked.check_console("explored")


# Integers are compared as text, because seeds have up to 63 bits.
AS_TEXTS = "JSON.stringify(rows, (_, value) => typeof value === 'bigint' ? `int ${value}` : value)"


def compare_answers(walked: Walk, address: str) -> None:
    """Run all named queries on the SQL page, and compare the rows with those that `menace query` returns."""
    walked.page.open(address)
    walked.page.wait("document.querySelectorAll('#answer tbody tr').length > 0")
    sql = {named["name"]: named["sql"] for named in walked.page.value("menace.sql.questions")}
    with open_database("menace.db") as store:
        for named in named_queries():
            wanted = [
                [f"int {cell}" if isinstance(cell, int) else cell for cell in row]
                for row in query(store, named.name).rows
            ]
            answer = walked.page.value(f"menace.ask({json.dumps(sql[named.name])}).then(({{ rows }}) => {AS_TEXTS})")
            if json.loads(answer) != wanted:
                walked.wrong.append(f"{address} gives other rows than `menace query {named.name}`")
    walked.check_console("sql-answers")


def main() -> None:
    """Walk through all pages, and print the number of views that were checked."""
    pictures = Path(sys.argv[1]).absolute() if sys.argv[1:] else None
    if pictures is not None:
        pictures.mkdir(exist_ok=True)
    with open_shell(80) as shell, ExitStack() as stack:
        for command in COMMANDS:
            shell(command)
        home, hexapawn = (stack.enter_context(serve_database(name)) for name in ("menace", "hexapawn"))
        site = stack.enter_context(serve_site(Path("site")))
        walked = Walk(stack.enter_context(open_firefox()), pictures)
        addresses = {f"explorer-{number}": f"{home}/{page}".rstrip("/") for number, page in enumerate(EXPLORER)}
        addresses |= {f"hexapawn-{number}": f"{hexapawn}/{page}" for number, page in enumerate(HEXAPAWN)}
        addresses |= {f"site-{number}": f"{site}/{page}" for number, page in enumerate(SITE)}
        for name, address in addresses.items():
            walked.check_page(address, name)
        for name, address in (("explorer", f"{home}/menace/play/menace-x"), ("site", f"{site}/play-menace-x.html")):
            walked.play_game(address, name)
            walked.train(address, name)
        play_history(walked, f"{home}/menace/boxes/menace-x")
        move_on_explore(walked, f"{home}/menace/explore/XX.OO....")
        shell(COMMANDS[-1])  # the walk has changed the database
        for folder in (site, Path("site").absolute().as_uri()):
            compare_answers(walked, f"{folder}/sql.html")
    print(*walked.wrong, f"{walked.seen} views in Firefox, {len(walked.wrong)} errors", sep="\n")
    sys.exit(bool(walked.wrong))


if __name__ == "__main__":
    main()
