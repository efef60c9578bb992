"""Benchmark the explorer against its budgets, in a real browser.

    python tools/benchmarks/web.py [--rounds 7] [--games 20000000]

Prints a line for each budget and exits 1 if one does not hold. Needs the extra `test`, chromium, and Linux. What is
compared (a long run while pages look on, and while none does) is measured in turn, A B A B. The budgets are for a
machine that does nothing else, and the load average is printed first; beside a time stands the server's processor
time, which depends less on it.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.command import ENVIRONMENT, MENACE, Budgets, run

KILO = 1000  # bytes, as networks count
OBSERVED = 10  # seconds of training and of a film
SCREEN = {"width": 1920, "height": 1080}
THOUSAND = "4"  # games a second: the place of the slider
MAIN_THREAD, TASK = "CrRendererMain", "ThreadControllerImpl::RunTask"  # as chromium traces them
FRAMES = """milliseconds => new Promise(done => {
  const frames = [];
  let last = performance.now();
  const end = last + milliseconds;
  const next = now => {
    frames.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(next);
    else done(frames);
  };
  requestAnimationFrame(next);
})"""
LOOKERS = 4  # pages that look on while a machine trains
# Addresses below a database, each with the arguments that make it show most.
PAGES = {
    "play": "play/menace-x#practice",
    "explore": "explore/XX.OO....?learner=menace-x&learner=zhang",
    "boxes": "boxes/menace-x",
    "machines": "machines",
    "machine": "machines/menace-x",
    "compare": "compare",
    "graph": "graph?learner=menace-x",
    "graph of all positions": "graph?part=all",
}


class Server(NamedTuple):
    """A server: the address of home, when it was started, and its process."""

    home: str
    start: float
    pid: int

    def processor(self) -> float:
        """Return the milliseconds of processor time that it has used."""
        used = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return 1000 * (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(database: str) -> Iterator[Server]:
    """Serve a file."""
    start = time.perf_counter()
    command = (MENACE, "serve", "--port", "0", "--db", database)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        try:
            yield Server(process.stdout.readline().split()[0], start, process.pid)
        finally:
            process.kill()


@contextmanager
def chromium() -> Iterator[Any]:
    """Give a browser that is already there when the server starts."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


def first_page(budgets: Budgets, browser: Any, database: str, rounds: int) -> None:
    """From the command to home drawn in a browser, and all that came over the wire for it."""
    seconds, drawn, sizes = [], [], []
    for _ in range(rounds):
        with served(database) as server, browser.new_context() as context:
            page = context.new_page()
            wire = context.new_cdp_session(page)
            wire.send("Network.enable")
            got: list[float] = []
            wire.on("Network.loadingFinished", lambda event, got=got: got.append(event["encodedDataLength"]))
            start = time.perf_counter()
            page.goto(server.home)
            page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
            drawn.append(time.perf_counter() - start)
            seconds.append(time.perf_counter() - server.start)
            page.wait_for_load_state("networkidle")
            sizes.append(sum(got) / KILO)
    budgets.check(
        "menace serve to a drawn first page, in s", median(seconds), 3, f"worst of {rounds} {max(seconds):.2f}"
    )
    budgets.check("the first page, drawn after the server is up, in s", median(drawn), 0.3, f"worst {max(drawn):.2f}")
    budgets.check("the first page over the wire, in kB", max(sizes), 60, "all that it loads")


def later_pages(budgets: Budgets, browser: Any, server: Server, rounds: int) -> None:
    """Each page as it is drawn, the first time after the server began and later, with nothing kept by the browser."""
    for name, address in PAGES.items():
        seconds = []
        before = server.processor()
        for _ in range(rounds + 1):
            with browser.new_context() as context:
                page = context.new_page()
                start = time.perf_counter()
                page.goto(f"{server.home}/menace/{address}", wait_until="load")
                page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
                seconds.append(time.perf_counter() - start)
        used = (server.processor() - before) / len(seconds)
        details = (
            f"the first time {seconds[0]:.2f}, worst of {rounds} later {max(seconds[1:]):.2f}; server {used:.0f} ms"
        )
        most = 2 if name == "graph of all positions" else 0.3
        budgets.check(f"{name}, drawn, in s", median(seconds[1:]), most, details)


class Client:
    """A connection that is kept open, as a browser keeps it, and writes as a page of ours."""

    def __init__(self, home: str) -> None:
        self.parts = urlsplit(home)
        self.connection = http.client.HTTPConnection(self.parts.netloc)
        site = f"{self.parts.scheme}://{self.parts.netloc}"
        self.headers = {"origin": site, "sec-fetch-site": "same-origin", "content-type": "application/json"}

    def answered(self, address: str, body: object = None) -> tuple[int, bytes]:
        """Return the status and the content of an answer."""
        method, sent = ("GET", None) if body is None else ("POST", json.dumps(body))
        self.connection.request(method, self.parts.path + address, sent, self.headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def ask(self, address: str, body: object = None) -> tuple[float, Any]:
        """Return in how many milliseconds a request is answered, and the answer."""
        start = time.perf_counter()
        status, content = self.answered(address, body)
        milliseconds = 1000 * (time.perf_counter() - start)
        if status != http.client.OK:
            sys.exit(f"{address}: {status} {content[:200]!r}")
        return milliseconds, json.loads(content)


def observed(browser: Any, page: Any, act: Callable[[], None]) -> tuple[list[float], list[float]]:
    """Return the milliseconds between frames for OBSERVED seconds from an act on, and the processor's of each task."""
    browser.start_tracing(page=page, categories=["toplevel"])
    act()
    frames: list[float] = page.evaluate(FRAMES, OBSERVED * 1000)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main = {event["tid"] for event in events if event["name"] == "thread_name" and event["args"]["name"] == MAIN_THREAD}
    tasks = [event for event in events if event["name"] == TASK and event["tid"] in main]
    return frames, [event.get("tdur", 0) / 1000 for event in tasks]


def trained(budgets: Budgets, browser: Any, home: str, name: str, rounds: int) -> None:
    """A machine at 1,000 games a second, with all its boxes in view."""
    longest, busiest, speeds, used = [], [], [], []
    for seed in range(rounds):
        with browser.new_context(viewport=SCREEN) as context:
            page = context.new_page()
            page.goto(home)
            page.click("#all-boxes")
            page.wait_for_selector("#boxes .small-box:nth-child(300) svg", state="attached")
            page.locator("[name=speed]").fill(THOUSAND)
            page.click("#practice summary")
            page.fill("[name=games]", "1000000")
            page.fill("[name=seed]", str(seed))
            start, before = time.perf_counter(), games_of(page)
            frames, tasks = observed(browser, page, lambda page=page: page.click("#go"))
            speeds.append((games_of(page) - before) / (time.perf_counter() - start))
            page.click("#go")
            longest.append(max(frames))
            busiest.append(max(tasks))
            used.append(sum(tasks) / OBSERVED)
    details = f"worst of {rounds} {max(longest):.0f}; processor: {median(used):.0f} ms a second"
    budgets.check(f"all boxes at 1,000 games a second on {name}, the longest frame in ms", min(longest), 50, details)
    budgets.check("its longest task, in ms of processor", min(busiest), 50, f"worst {max(busiest):.0f}")
    budgets.check_least("games that it played, a second", max(speeds), 900, f"worst {min(speeds):.0f}")


def games_of(page: Any) -> int:
    """Return the games that a page says its machine has learned from."""
    return int(page.text_content("#games").split()[0].replace(",", ""))


def film(budgets: Budgets, browser: Any, server: Server, rounds: int) -> None:
    """The film of all boxes: what a frame of it takes of the server and of the browser."""
    served, drawn, longest = [], [], []
    for _ in range(rounds):
        with browser.new_context(viewport=SCREEN) as context:
            page = context.new_page()
            page.goto(f"{server.home}/menace/boxes/menace-x")
            answers: list[object] = []
            page.on("response", lambda answer, answers=answers: answers.append(answer))
            before = server.processor()
            _, tasks = observed(browser, page, lambda page=page: page.click("#film"))
            served.append((server.processor() - before) / len(answers))
            drawn.append(sum(tasks) / len(answers))
            longest.append(max(tasks))
    details = f"worst of {rounds} {max(served):.0f}; {len(answers)} frames in {OBSERVED} s"
    budgets.check("a frame of the film of boxes, in ms of the server's processor", min(served), 100, details)
    details = f"worst {max(drawn):.0f}; the longest task {min(longest):.0f}"
    budgets.check("the same of the browser", min(drawn), 50, details)


def site_size(budgets: Budgets, site: Path) -> None:
    """A site of one machine, as a server sends it."""
    sizes = {path.name: len(gzip.compress(path.read_bytes())) / KILO for path in site.iterdir()}
    picture = sizes["preview.png"]  # no page loads it
    details = f"{sum(sizes.values()):.0f} with the picture that links are shown with"
    budgets.check("a site of one machine, compressed, in kB", sum(sizes.values()) - picture, 200, details)


def moves(budgets: Budgets, server: Server, games: int) -> None:
    """A person's move, answered by the machine's, the last ones with all that they teach it written down."""
    client, times, last = Client(server.home), [], []
    before = server.processor()
    here = "/menace/play/menace-x"
    for seed in range(games):
        _, scene = client.ask(f"{here}/begin", {"seed": str(seed)})
        while scene["outcome"] is None:
            move = {"token": scene["token"], "move": scene["moves"][0]["name"]}
            milliseconds, scene = client.ask(f"{here}/move", move)
            (times if scene["outcome"] is None else last).append(milliseconds)
    used = (server.processor() - before) / (len(times) + len(last))
    details = f"{len(times)} moves, worst {max(times):.0f}; server {used:.1f} ms, last moves included"
    budgets.check("a move answered, in ms", median(times), 50, details)
    details = f"{len(last)} games, recorded and learned from, worst {max(last):.0f}"
    budgets.check("the last move of a game answered, in ms", median(last), 50, details)


def exactly(budgets: Budgets, server: Server, database: str, address: str, rounds: int) -> None:
    """What Explore says, without its drawing."""
    client = Client(server.home)
    first, _ = client.ask(f"/{database}/{address}")
    before = server.processor()
    times = [client.ask(f"/{database}/{address}")[0] for _ in range(rounds)]
    used = (server.processor() - before) / rounds
    details = f"the first time {first:.0f}, worst of {rounds} later {max(times):.0f}; server {used:.0f} ms"
    budgets.check(f"Explore's figures of {database}, in ms", median(times), 50, details)


def looked_on(budgets: Budgets, browser: Any, database: str, rounds: int, games: int) -> None:
    """A long run by another process, with pages that poll and without."""

    def selfplay(seed: int) -> tuple[float, float]:
        before = os.times().children_user + os.times().children_system
        seconds, *_ = run(MENACE, "selfplay", "--seed", str(seed), "--games", str(games), "--db", database)
        return seconds, os.times().children_user + os.times().children_system - before

    alone, watched = [], []
    with served(database) as server, browser.new_context() as context:
        pages = [context.new_page() for _ in range(LOOKERS)]
        for seed in range(rounds + 1):
            for page in pages:
                page.goto("about:blank")
            alone.append(selfplay(2 * seed))
            for page in pages:
                page.goto(f"{server.home}/menace/play/menace-x#practice")
                page.wait_for_selector("#boxes .small-box")
            watched.append(selfplay(2 * seed + 1))
    seconds, alone_seconds = (
        [median(values) for values in zip(*measurements[1:], strict=True)] for measurements in (watched, alone)
    )
    ratio = median(a[0] / b[0] for a, b in zip(watched[1:], alone[1:], strict=True))
    details = (
        f"{seconds[0]:.2f} s / {alone_seconds[0]:.2f} s; processor time {seconds[1]:.2f} s / {alone_seconds[1]:.2f} s"
    )
    budgets.check(f"selfplay of {games:,} games, with {LOOKERS} pages polling / without", ratio, 1.05, details)


def main() -> int:
    """Measure everything; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=20_000_000)
    arguments = parser.parse_args()
    rounds, budgets = arguments.rounds, Budgets()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        database, large = str(Path(name) / "menace.db"), str(Path(name) / "connect.db")
        for order in ("selfplay --games 10000 --seed 1", "new zhang --preset zhang --plays X"):
            run(MENACE, *order.split(), "--db", database)
        run(MENACE, "init", "--game", "connect", "--variant", "4x4x3", "--db", large)
        run(MENACE, "selfplay", "--games", "1000", "--seed", "1", "--db", large)
        first_page(budgets, browser, database, rounds)
        with served(database) as server:
            later_pages(budgets, browser, server, rounds)
            moves(budgets, server, 10 * rounds)
            trained(budgets, browser, f"{server.home}/menace/play/menace-x#practice", "a server", rounds)
            film(budgets, browser, server, rounds)
            exactly(budgets, server, "menace", "explore/XX.OO.....json?learner=menace-x&learner=zhang", 5 * rounds)
        with served(large) as server:
            exactly(budgets, server, "connect", "explore/.................json?learner=menace-x", 5 * rounds)
        site = Path(name) / "site"
        run(MENACE, "export", f"{site}/", "--learner", "menace-x", "--db", database)
        site_size(budgets, site)
        trained(budgets, browser, (site / "play-menace-x.html").as_uri() + "#practice", "a site", rounds)
        looked_on(budgets, browser, database, rounds, arguments.games)
    return 0 if budgets.hold else 1


if __name__ == "__main__":
    sys.exit(main())
