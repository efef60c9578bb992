"""Play a lesson of `menace serve --class` with simulated pupils, and count the requests and games that are lost.

    python tools/benchmarks/classroom.py --minutes 10                30 pupils, 5 of them in real browsers
    python tools/benchmarks/classroom.py --minutes 3 --kills 3       also kill the server three times

Each simulated pupil sends the requests that the pupil's page sends, including polls, and thinks for two seconds per
move on average. If no response arrives, the pupil sends the same request again, as a browser may do. The program prints
the response times, and compares the games in the database with the games that the pupils finished: no game may be
missing or recorded twice. Finally, `menace verify` replays the log. Unless `--browsers` is 0, the program requires
playwright and Chromium.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import menace

THINKING, POLL, RETRY = 2.0, 2.0, 1.0  # seconds
RELOADS = 0.02  # the probability that an idle browser reloads its page


class Server:
    """A server process that can be killed and started again on the same ports."""

    def __init__(self, path: Path, port: int) -> None:
        self.seconds = 0.0  # processor time
        self.command = [sys.executable, "-m", "menace", "serve", "--class", "--port", str(port), "--db", str(path)]
        self.start()

    def start(self) -> None:
        """Start the process, and read the addresses and the code that it prints."""
        environment = {**os.environ, "BROWSER": "true"}  # opens no page
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        teacher, pupils = self.process.stdout.readline(), self.process.stdout.readline()
        self.teacher = teacher.split()[0]
        self.home, self.code = re.findall(r"open (\S+) and type the code (\w+)", pupils)[0]

    def stop(self, kind: signal.Signals) -> None:
        """End the process with a signal, and add its processor time to the total."""
        with suppress(OSError):  # only Linux has this file
            user, system = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").split()[13:15]
            self.seconds += (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        self.process.send_signal(kind)
        self.process.wait()

    def tell(self, action: str, **body: object) -> Any:
        """Send the teacher's action to the server."""
        origin, _, path = self.teacher.rpartition("/-/")
        host = origin.removeprefix("http://")
        connection = http.client.HTTPConnection(host, timeout=30)
        headers = {"origin": origin, "sec-fetch-site": "same-origin", "content-type": "application/json"}
        connection.request("POST", f"/-/{path}/{action}", json.dumps(body), headers)
        return json.loads(connection.getresponse().read())


class Pupil(threading.Thread):
    """A simulated pupil with a separate connection to the server.

    Attributes:
        times: how long each answer took, by the kind of request.
        ended: the games that the pupil saw end: the number in the database, and the moves.
        sent: the moves of each game, by its random name, as the pupil sent them.
        lost: the number of answers that never came.
    """

    def __init__(self, number: int, server: Server, end: float) -> None:
        super().__init__(daemon=True)
        self.label, self.server, self.end = f"pupil {number}", server, end
        self.random = random.Random(number)  # noqa: S311 - not for secrets
        self.times: dict[str, list[float]] = {"state": [], "move": [], "next": [], "join": []}
        self.ended: dict[int, tuple[str, ...]] = {}
        self.errors: list[str] = []
        self.lost, self.token = 0, ""
        self.connection: http.client.HTTPConnection | None = None

    def ask(self, what: str, body: dict[str, object] | None = None) -> Any:
        """Send a request, repeatedly if necessary, until a response arrives."""
        home = self.server.home.rstrip("/")
        headers = {"x-pupil": self.token, "origin": home, "content-type": "application/json"}
        while True:
            try:
                start = time.perf_counter()
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(home.removeprefix("http://"), timeout=30)
                self.connection.request("POST" if body else "GET", f"/{what}", body and json.dumps(body), headers)
                answer = self.connection.getresponse()
                content = json.loads(answer.read())
            except (OSError, http.client.HTTPException):
                self.connection = None
                self.lost += 1
                time.sleep(RETRY * self.random.random())
                continue
            self.times[what].append(time.perf_counter() - start)
            if answer.status != http.client.OK:
                raise RuntimeError(f"{self.label}: {what} {answer.status} {content}")
            return content

    def run(self) -> None:
        """Join the lesson, and play until it ends."""
        try:
            self.token = self.ask("join", {"code": self.server.code, "name": self.label})["token"]
            state = self.ask("state")
            while time.monotonic() < self.end:
                scene = state["scene"]
                if scene and scene["recorded"]:
                    self.ended[scene["recorded"]] = tuple(ply["name"] for ply in scene["plies"])
                if state["phase"] == "play" and not scene:
                    state = self.ask("next", {"turn": state["turn"]})
                    continue
                state = self._think(state)
                if state["phase"] != "play" or not state["scene"]:
                    continue
                scene, turn = state["scene"], state["turn"]
                if scene["outcome"] is not None:
                    state = self.ask("next", {"turn": turn})
                else:
                    move = self.random.choice(scene["moves"])["name"]
                    state = self.ask("move", {"turn": turn, "ply": len(scene["plies"]), "move": move})
            scene = state["scene"]
            if scene and scene["recorded"]:
                self.ended[scene["recorded"]] = tuple(ply["name"] for ply in scene["plies"])
            self.shown = len(state["games"])
        except Exception as error:  # noqa: BLE001 - the report names it
            self.errors.append(repr(error))

    def _think(self, state: Any) -> Any:
        left = self.random.expovariate(1 / THINKING)
        while left > 0 and time.monotonic() < self.end:
            time.sleep(min(left, POLL))
            left -= POLL
            if left > 0:
                state = self.ask("state")
        return state if state["phase"] == "play" else self.ask("state")


def browse(server: Server, count: int, end: float, errors: list[str]) -> None:
    """Let pupils play in real browser windows, with the teacher's page open in a separate window."""
    from playwright.sync_api import Error, sync_playwright

    chance = random.Random(99)  # noqa: S311 - not for secrets
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        teacher = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        teacher.goto(server.teacher)
        pages = []
        for number in range(count):
            page = browser.new_context(viewport={"width": 375, "height": 812}).new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(server.home)
            page.fill("[name=code]", server.code)
            page.fill("[name=name]", f"browser {number}")
            page.click("#join button")
            pages.append(page)
        while time.monotonic() < end:
            time.sleep(THINKING / max(1, count))
            page = chance.choice(pages)
            with suppress(Error):
                if page.locator("#next:visible").count():
                    page.click("#next", timeout=1000)
                elif cells := page.locator("#stage button[data-cell]:not([aria-disabled])").all():
                    chance.choice(cells).click(timeout=1000)
                elif chance.random() < RELOADS:
                    page.reload()
        browser.close()


def percentile(times: list[float], share: float) -> float:
    """Return the time in milliseconds within which the given share of the responses arrived."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else 0.0


def report(path: Path, pupils: list[Pupil]) -> int:
    """Print the response times, compare the games with the database, and return the number of faults."""
    for kind in ("join", "next", "move", "state"):
        times = [seconds for pupil in pupils for seconds in pupil.times[kind]]
        parts = [f"{share:.0%} {percentile(times, share):5.0f} ms" for share in (0.5, 0.95, 0.99, 1)]
        print(f"{kind:>6}: {len(times):6,} answers within: {', '.join(parts)}")
    faults = [error for pupil in pupils for error in pupil.errors]
    with menace.Database(path) as db:
        sql = """SELECT game_id, json_extract(options, '$.person'), actions FROM run
                 JOIN block USING (run_id) JOIN game USING (block_id)"""
        kept = {game: (person, actions.split(",")) for game, person, actions in db.query(sql).rows}
        seen = [game for pupil in pupils for game in pupil.ended]
        faults += [f"game {game} was seen twice" for game in set(seen) if seen.count(game) > 1]
        for pupil in pupils:
            own = {game: actions for game, (person, actions) in kept.items() if person == pupil.label}
            faults += [f"{pupil.label}: game {game} is lost" for game in pupil.ended.keys() - own.keys()]
            faults += [
                f"{pupil.label}: game {game} has {own[game]}, not {moves}"
                for game, moves in pupil.ended.items()
                if game in own and list(moves) != own[game]
            ]
            unseen = len(own.keys() - pupil.ended.keys())
            if unseen > pupil.lost:
                faults.append(f"{pupil.label}: {unseen} games were recorded that it never saw end")
        lost = sum(pupil.lost for pupil in pupils)
        checked = db.verify()
        print(
            f"{len(kept):,} games in the database, {len(seen):,} seen to end by simulated pupils; {lost} answers lost;"
            f" verify: {checked.learners} machines agree with the log"
        )
    print("\n".join(faults) or "no error, no lost or doubled game")
    return len(faults)


def main() -> int:
    """Run the lesson."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pupils", type=int, default=30)
    parser.add_argument("--browsers", type=int, default=5, help="how many of the pupils use real browsers")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--port", type=int, default=8101)
    parser.add_argument("--together", action="store_true", help="let all pupils play against one machine")
    options = parser.parse_args()
    path = Path(tempfile.mkdtemp()) / "class.db"
    server = Server(path, options.port)
    try:
        start = time.monotonic()
        end = start + 60 * options.minutes
        pupils = [Pupil(number, server, end) for number in range(options.pupils - options.browsers)]
        errors: list[str] = []
        others = [threading.Thread(target=browse, args=(server, options.browsers, end, errors))] * bool(
            options.browsers
        )
        for thread in (*pupils, *others):
            thread.start()
            time.sleep(0.05)
        time.sleep(5)
        if options.together:
            server.tell("choose", machines=["menace-x", "menace-o"], together=True)
        server.tell("phase", phase="play")
        for kill in range(options.kills):
            time.sleep(max(0.0, start + (kill + 1) * 60 * options.minutes / (options.kills + 1) - time.monotonic()))
            server.stop(signal.SIGKILL)
            print(f"killed the server after {time.monotonic() - start:.0f} s")
            server.start()
        for thread in (*pupils, *others):
            thread.join()
        print(f"{options.pupils} pupils, {options.browsers} in browsers, {options.minutes:g} minutes; errors: {errors}")
        ranked, sums = (server.tell(action)["result"] for action in ("tournament", "sum"))
        print(f"tournament: {ranked['ranked'][:3]}; sums: {sums}")
        server.tell("phase", phase="over")
    finally:
        server.stop(signal.SIGKILL)
    share = server.seconds / (time.monotonic() - start)
    print(f"the server used {share:.0%} of one core; load average of the computer: {os.getloadavg()[1]:.1f}")
    return min(1, report(path, pupils) + len(errors))


if __name__ == "__main__":
    sys.exit(main())
