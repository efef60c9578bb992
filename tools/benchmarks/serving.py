"""Load-test the server: its memory while it trains, its answers to a page that polls, and large files.

    python tools/benchmarks/serving.py [--minutes 10] [--learners 1000] [--marks 16000]

Prints a figure beside each budget and exits 1 if one does not hold. Needs Linux. It takes two minutes more than the
training that it watches. Times are of the processor, for commands with all that they start.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from menace.ledger.database_file import open_database, open_or_create_database
from menace.ledger.learners import new_learner
from menace.ledger.runs import SelfPlay, order
from menace.ledger.training import carry_out

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.command import MENACE, Budgets, run
from benchmarks.web import KILO, Client, served

POLL = 0.5  # seconds, as a page polls while something changes
SETTLED = 60  # seconds after which the server's memory is to grow no more
SAMPLES = 10  # seconds of which the median is taken
GAMES = 20  # that a learner among a thousand has learned from
MARK = 1_000_000  # games between marks of a long run
LEARNER = "/menace/play/menace-x"


def memory_of(process: int) -> float:
    """Return the resident memory of a process, in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    match = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert match is not None
    return int(match[1]) / 1024


def watched(home: str, process: int, seconds: float) -> Iterator[tuple[float, float, int]]:
    """Train a learner while a page polls; yield the time, the server's memory and the size of each answer."""
    client, after, start, going = Client(home), "", time.monotonic(), False
    while (passed := time.monotonic() - start) < seconds:
        if not going:
            client.ask(f"{LEARNER}/train", {"against": "random", "games": 10**9})
        status, content = client.answered(f"{LEARNER}/progress.json{after}")
        if status == http.client.OK:  # else a trainer commits
            scene = json.loads(content)
            after, going = f"?after={scene['block']}", scene["training"]["going"]
            yield passed, memory_of(process), len(content)
        time.sleep(POLL)


def memory(budgets: Budgets, folder: Path, minutes: float) -> None:
    """Measure the server's memory and answers while it trains and a page polls."""
    database = str(folder / "menace.db")
    run(MENACE, "selfplay", "--games", "1000", "--seed", "1", "--db", database)
    with served(database) as server:
        samples = list(watched(server.home, server.pid, SETTLED + SAMPLES + 60 * minutes))
    end = samples[-1][0]
    before = median(used for passed, used, _ in samples if SETTLED <= passed < SETTLED + SAMPLES)
    after = median(used for passed, used, _ in samples if passed >= end - SAMPLES)
    details = f"from {before:.1f} to {after:.1f}, in the first minute from {samples[0][1]:.1f}"
    budgets.check(f"memory in {minutes:g} minutes of training after the first, in MB more", after - before, 5, details)
    budgets.check("the longest answer to a page that looks on, in kB", max(size for *_, size in samples) / KILO, 50, "")


def lengthen(path: str, marks: int) -> None:
    """Write into a file that its first run went on for as many marks: what is read of it, not what was learned."""
    with open_database(path) as store, store.transaction():
        conn, games = store.database, store.run(1).games_played
        conn.execute("UPDATE run SET games_wanted = ?, games_played = ?", [games + marks * MARK] * 2)
        first = store.blocks()[-1].block_id
        conn.execute(
            """WITH RECURSIVE turn (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM turn WHERE n < ?)
               INSERT INTO block SELECT NULL, 1, 'games', ?, ?, 0, 0, 0, 0, created_at
               FROM turn, block WHERE block_id = ?""",
            [marks, MARK, MARK, first],
        )
        conn.execute(
            """INSERT INTO evaluation SELECT later.block_id, learner_id, learner_games + (later.block_id - ?) * ?,
                   policy, opponent, win, draw, loss
               FROM evaluation JOIN block AS later ON later.block_id > ? WHERE evaluation.block_id = ?""",
            [first, MARK, first, first],
        )
        conn.execute("UPDATE learner SET games = ?", [games + marks * MARK])


def answers(budgets: Budgets, folder: Path, marks: int) -> None:
    """What is sent of learners that were measured often."""
    database = str(folder / "menace.db")
    Path(database).unlink()
    run(MENACE, "selfplay", "--games", "1000", "--seed", "1", "--db", database)
    lengthen(database, marks)
    with open_database(database) as store:
        last = store.latest_block(1)
    with served(database) as server:
        client = Client(server.home)
        for address in (f"{LEARNER}/progress.json", f"{LEARNER}/progress.json?after={last - 1}",
                        "/menace/machines/menace-x.json", "/menace/compare.json", ".json"):  # fmt: skip
            milliseconds, _ = client.ask(address)
            _, content = client.answered(address)
            what = f"{address} of {marks:,} marks, in kB"
            budgets.check(what, len(content) / KILO, 50, f"the first time in {milliseconds:.0f} ms")


def processor_of(*command: str) -> float:
    """Return the seconds of processor time that a command takes."""
    before = os.times()
    run(*command)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def compared(budgets: Budgets, folder: Path, learners: int) -> None:
    """A file of many learners, each of which has learned a little."""
    database = str(folder / "large.db")
    with open_or_create_database(database) as store:
        for number in range(learners // 2):
            x, o = (new_learner(store, f"{plays}{number}", plays).name for plays in ("X", "O"))
            carry_out(store, order(store, SelfPlay(x, o, GAMES, seed=number)))
    pairs = (learners // 2) ** 2
    seconds = processor_of(MENACE, "compare", "--db", database)
    details = f"{pairs:,} pairs, {1e6 * seconds / pairs:.0f} us each"
    budgets.check(f"compare of {learners:,} learners, in s", seconds, 5, details)


def verified(budgets: Budgets, folder: Path, runs: int) -> None:
    """A file of two learners with many runs, whose blocks are short, and each measured."""
    database = str(folder / "runs.db")
    with open_or_create_database(database) as store:
        for number in range(runs):
            carry_out(store, order(store, SelfPlay(games=GAMES, seed=number)))
        blocks = len(store.blocks())
    seconds = processor_of(MENACE, "verify", "--db", database)
    budgets.check("verify, in ms a block", 1000 * seconds / blocks, 1.7, f"{blocks:,} blocks, {seconds:.1f} s")


def main() -> int:
    """Try everything; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--learners", type=int, default=1000)
    parser.add_argument("--marks", type=int, default=16_000)
    arguments = parser.parse_args()
    budgets = Budgets()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compared(budgets, folder, arguments.learners)
        verified(budgets, folder, arguments.learners // 2)
        memory(budgets, folder, arguments.minutes)
        answers(budgets, folder, arguments.marks)
    return 0 if budgets.hold else 1


if __name__ == "__main__":
    sys.exit(main())
