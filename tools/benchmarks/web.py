"""Benchmark the explorer against its budgets, in a real browser.

    python tools/benchmarks/web.py [--rounds 7] [--games 20000000]

The program prints a line for each budget and exits with 1 if a budget is exceeded. The program requires the extra
`test`, Chromium and Linux. Long runs alternate between those with polling pages and those without. The budgets apply to
an otherwise idle computer, so the program first prints the load average. The program also prints the server's processor
time, which depends less on the load.
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

KILO = 1000  # bytes per kilobyte, as for network traffic
OBSERVED_SECONDS = 10  # the duration in seconds of each of the two observations: the training and the film
SCREEN = {"width": 1920, "height": 1080}
THOUSAND = "4"  # the value of the slider for 1,000 games per second
# names that occur in the traces recorded by Chromium
MAIN_THREAD, TASK = "CrRendererMain", "ThreadControllerImpl::RunTask"
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
POLLING_PAGES = 4  # open while a machine is being trained
# Addresses below a database, with arguments that make each page as large as possible.
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
    """A running server: the address of its home page, its start time and its process id."""

    home: str
    start: float
    pid: int

    def processor(self) -> float:
        """Return the processor time that the server has used, in ms."""
        used = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return 1000 * (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(database: str) -> Iterator[Server]:
    """Serve a database in another process until the context ends."""
    start = time.perf_counter()
    command = (MENACE, "serve", "--port", "0", "--db", database)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        try:
            yield Server(process.stdout.readline().split()[0], start, process.pid)
        finally:
            process.kill()


@contextmanager
def launch_chromium() -> Iterator[Any]:
    """Start a browser before any server starts, and close it at the end."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


def check_first_page(budgets: Budgets, browser: Any, database: str, rounds: int) -> None:
    """Check the time from the command until the home page is drawn, and the number of bytes received."""
    seconds, drawn, sizes = [], [], []
    for _ in range(rounds):
        with serving(database) as server, browser.new_context() as context:
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
    budgets.check_at_most(
        "from menace serve to the drawn first page, in s", median(seconds), 3, f"worst of {rounds} {max(seconds):.2f}"
    )
    budgets.check_at_most(
        "drawing the first page on a running server, in s", median(drawn), 0.3, f"worst {max(drawn):.2f}"
    )
    budgets.check_at_most("transfer for the first page, in kB", max(sizes), 60, "all resources")


def check_later_pages(budgets: Budgets, browser: Any, server: Server, rounds: int) -> None:
    """Check how long it takes to draw each page without a browser cache, both the first time and later."""
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
        budgets.check_at_most(f"{name}, drawn, in s", median(seconds[1:]), most, details)


class Client:
    """A persistent connection, on which requests have the same headers as the requests that our pages send."""

    def __init__(self, home: str) -> None:
        self.parts = urlsplit(home)
        self.connection = http.client.HTTPConnection(self.parts.netloc)
        site = f"{self.parts.scheme}://{self.parts.netloc}"
        self.headers = {"origin": site, "sec-fetch-site": "same-origin", "content-type": "application/json"}

    def request(self, address: str, body: object = None) -> tuple[int, bytes]:
        """Send a request (a POST request if it has a body), and return the status and content of the response."""
        method, sent = ("GET", None) if body is None else ("POST", json.dumps(body))
        self.connection.request(method, self.parts.path + address, sent, self.headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def ask(self, address: str, body: object = None) -> tuple[float, Any]:
        """Send a request, and return the response time in ms and the decoded JSON.

        If the status is not 200, the program exits.
        """
        start = time.perf_counter()
        status, content = self.request(address, body)
        milliseconds = 1000 * (time.perf_counter() - start)
        if status != http.client.OK:
            sys.exit(f"{address}: {status} {content[:200]!r}")
        return milliseconds, json.loads(content)


def observe_frames(browser: Any, page: Any, act: Callable[[], None]) -> tuple[list[float], list[float]]:
    """Call `act`, and measure frames and tasks for OBSERVED_SECONDS.

    Return the times between frames and the processor time of each task, both in ms.
    """
    browser.start_tracing(page=page, categories=["toplevel"])
    act()
    frames: list[float] = page.evaluate(FRAMES, OBSERVED_SECONDS * 1000)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main = {event["tid"] for event in events if event["name"] == "thread_name" and event["args"]["name"] == MAIN_THREAD}
    tasks = [event for event in events if event["name"] == TASK and event["tid"] in main]
    return frames, [event.get("tdur", 0) / 1000 for event in tasks]


def check_training_page(budgets: Budgets, browser: Any, home: str, name: str, rounds: int) -> None:
    """Check the page of a machine that plays 1,000 training games per second while all its boxes are visible."""
    longest, busiest, speeds, used = [], [], [], []
    for seed in range(rounds):
        with browser.new_context(viewport=SCREEN) as context:
            page = context.new_page()
            page.goto(home)
            page.click("#more summary")
            page.click("#all-boxes")
            page.wait_for_selector("#boxes .small-box:nth-child(300) svg", state="attached")
            page.locator("[name=speed]").fill(THOUSAND)
            page.fill("[name=games]", "1000000")
            page.fill("[name=seed]", str(seed))
            start, before = time.perf_counter(), read_game_count(page)
            frames, tasks = observe_frames(browser, page, lambda page=page: page.click("#go"))
            speeds.append((read_game_count(page) - before) / (time.perf_counter() - start))
            page.click("#go")
            longest.append(max(frames))
            busiest.append(max(tasks))
            used.append(sum(tasks) / OBSERVED_SECONDS)
    details = f"worst of {rounds} {max(longest):.0f}; processor: {median(used):.0f} ms per second"
    budgets.check_at_most(
        f"longest frame with all boxes at 1,000 games per second on {name}, in ms", min(longest), 50, details
    )
    budgets.check_at_most(
        "longest task of that page, in ms of processor time", min(busiest), 50, f"worst {max(busiest):.0f}"
    )
    budgets.check_at_least("games per second of that page", max(speeds), 900, f"worst {min(speeds):.0f}")


def read_game_count(page: Any) -> int:
    """Return the machine's number of games, as shown on the machine's page."""
    return int(page.text_content("#games").split()[0].replace(",", ""))


def check_film(budgets: Budgets, browser: Any, server: Server, rounds: int) -> None:
    """Check how much processor time the server and the browser need for each frame of the film that shows all boxes."""
    server_times, drawn, longest = [], [], []
    for _ in range(rounds):
        with browser.new_context(viewport=SCREEN) as context:
            page = context.new_page()
            page.goto(f"{server.home}/menace/boxes/menace-x")
            answers: list[object] = []
            page.on("response", lambda answer, answers=answers: answers.append(answer))
            before = server.processor()
            _, tasks = observe_frames(browser, page, lambda page=page: page.click("#film"))
            server_times.append((server.processor() - before) / len(answers))
            drawn.append(sum(tasks) / len(answers))
            longest.append(max(tasks))
    details = f"worst of {rounds} {max(server_times):.0f}; {len(answers)} frames in {OBSERVED_SECONDS} s"
    budgets.check_at_most(
        "a frame of the film of boxes, in ms of the server's processor time", min(server_times), 100, details
    )
    details = f"worst {max(drawn):.0f}; the longest task {min(longest):.0f}"
    budgets.check_at_most("the same frame, in ms of the browser's processor time", min(drawn), 50, details)


def check_site_size(budgets: Budgets, site: Path) -> None:
    """Check the compressed size of a site with one machine."""
    sizes = {path.name: len(gzip.compress(path.read_bytes())) / KILO for path in site.iterdir()}
    picture = sizes["preview.png"]  # only link previews use this picture
    details = f"{sum(sizes.values()):.0f} with the preview picture"
    budgets.check_at_most(
        "compressed size of a site with one machine, in kB", sum(sizes.values()) - picture, 200, details
    )


def check_moves(budgets: Budgets, server: Server, games: int) -> None:
    """Check the time that the server takes to respond to a person's move.

    For the last move of a game, this time includes learning from the game and storing it.
    """
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
    details = f"{len(times)} moves, worst {max(times):.0f}; server {used:.1f} ms, including last moves"
    budgets.check_at_most("response to a move, in ms", median(times), 50, details)
    details = f"{len(last)} games, recorded and learned from, worst {max(last):.0f}"
    budgets.check_at_most("response to the last move of a game, in ms", median(last), 50, details)


def check_explore_json(budgets: Budgets, server: Server, database: str, address: str, rounds: int) -> None:
    """Check the response time of the JSON that the Explore page requests."""
    client = Client(server.home)
    first, _ = client.ask(f"/{database}/{address}")
    before = server.processor()
    times = [client.ask(f"/{database}/{address}")[0] for _ in range(rounds)]
    used = (server.processor() - before) / rounds
    details = f"the first time {first:.0f}, worst of {rounds} later {max(times):.0f}; server {used:.0f} ms"
    budgets.check_at_most(f"JSON of Explore for {database}, in ms", median(times), 50, details)


def check_run_with_polling_pages(budgets: Budgets, browser: Any, database: str, rounds: int, games: int) -> None:
    """Check how much polling pages slow down a long run in another process."""

    def selfplay(seed: int) -> tuple[float, float]:
        before = os.times().children_user + os.times().children_system
        seconds, *_ = run(MENACE, "selfplay", "--seed", str(seed), "--games", str(games), "--db", database)
        return seconds, os.times().children_user + os.times().children_system - before

    alone, watched = [], []
    with serving(database) as server, browser.new_context() as context:
        pages = [context.new_page() for _ in range(POLLING_PAGES)]
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
    budgets.check_at_most(
        f"selfplay of {games:,} games, with {POLLING_PAGES} pages polling / without", ratio, 1.05, details
    )


def main() -> int:
    """Run all measurements and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=20_000_000)
    arguments = parser.parse_args()
    rounds, budgets = arguments.rounds, Budgets()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    with tempfile.TemporaryDirectory() as name, launch_chromium() as browser:
        database, large = str(Path(name) / "menace.db"), str(Path(name) / "connect.db")
        for order in ("selfplay --games 10000 --seed 1", "new zhang --preset zhang --plays X"):
            run(MENACE, *order.split(), "--db", database)
        run(MENACE, "init", "--game", "connect", "--variant", "4x4x3", "--db", large)
        run(MENACE, "selfplay", "--games", "1000", "--seed", "1", "--db", large)
        check_first_page(budgets, browser, database, rounds)
        with serving(database) as server:
            check_later_pages(budgets, browser, server, rounds)
            check_moves(budgets, server, 10 * rounds)
            check_training_page(budgets, browser, f"{server.home}/menace/play/menace-x#practice", "a server", rounds)
            check_film(budgets, browser, server, rounds)
            check_explore_json(
                budgets, server, "menace", "explore/XX.OO.....json?learner=menace-x&learner=zhang", 5 * rounds
            )
        with serving(large) as server:
            check_explore_json(budgets, server, "connect", "explore/.................json?learner=menace-x", 5 * rounds)
        site = Path(name) / "site"
        run(MENACE, "export", f"{site}/", "--learner", "menace-x", "--db", database)
        check_site_size(budgets, site)
        check_training_page(budgets, browser, (site / "play-menace-x.html").as_uri() + "#practice", "a site", rounds)
        check_run_with_polling_pages(budgets, browser, database, rounds, arguments.games)
    return 0 if budgets.hold else 1


if __name__ == "__main__":
    sys.exit(main())
