"""Test the server under load, with training, polling pages and large files.

    python tools/benchmarks/server_load.py [--minutes 10] [--learners 1000] [--marks 16000]

The program prints a line for each budget and exits with 1 if a budget is exceeded. The program requires Linux, and
takes two minutes in addition to the time for training (`--minutes`). Times are processor times. The time of a command
includes that of all its child processes.
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

from menace.ledger.create_and_open import open_database, open_or_create_database
from menace.ledger.learners import new_learner
from menace.ledger.runs import SelfPlay, order
from menace.ledger.training import carry_out

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.command import MENACE, Budgets, run
from benchmarks.web import KILO, Client, serving

POLL_SECONDS = 0.5  # the time in seconds between a page's polls while the data is changing
SETTLING_SECONDS = 60  # after this time, the server's memory must not grow any more
SAMPLE_SECONDS = 10  # the length of the periods over which medians are taken
GAMES = 20  # the number of games that each of the thousand learners plays
GAMES_PER_MARK = 1_000_000  # in a long run
LEARNER = "/menace/play/menace-x"


def resident_memory(process: int) -> float:
    """Return the resident memory of a process, in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    match = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert match is not None
    return int(match[1]) / 1024


def poll_while_training(home: str, process: int, seconds: float) -> Iterator[tuple[float, float, int]]:
    """Train a learner while a page polls the server.

    For each poll, yield the time, the server's memory in MB and the size of the response.
    """
    client, after, start, going = Client(home), "", time.monotonic(), False
    while (passed := time.monotonic() - start) < seconds:
        if not going:
            client.ask(f"{LEARNER}/train", {"against": "random", "games": 10**9})
        status, content = client.request(f"{LEARNER}/progress.json{after}")
        if status == http.client.OK:  # any other status means that a trainer is committing right now
            scene = json.loads(content)
            after, going = f"?after={scene['block']}", scene["training"]["going"]
            yield passed, resident_memory(process), len(content)
        time.sleep(POLL_SECONDS)


def check_memory(budgets: Budgets, folder: Path, minutes: float) -> None:
    """Check the server's memory and responses while a learner is trained and a page polls."""
    database = str(folder / "menace.db")
    run(MENACE, "selfplay", "--games", "1000", "--seed", "1", "--db", database)
    with serving(database) as server:
        samples = list(poll_while_training(server.home, server.pid, SETTLING_SECONDS + SAMPLE_SECONDS + 60 * minutes))
    end = samples[-1][0]
    before = median(
        used for passed, used, _ in samples if SETTLING_SECONDS <= passed < SETTLING_SECONDS + SAMPLE_SECONDS
    )
    after = median(used for passed, used, _ in samples if passed >= end - SAMPLE_SECONDS)
    details = f"from {before:.1f} to {after:.1f}; at the start {samples[0][1]:.1f}"
    budgets.check_at_most(f"growth of memory in {minutes:g} minutes of training, in MB", after - before, 5, details)
    budgets.check_at_most(
        "the largest response to a page that polls, in kB", max(size for *_, size in samples) / KILO, 50, ""
    )


def add_marks(path: str, marks: int) -> None:
    """Add `marks` blocks, each with a measurement, to the first run in a file, without playing any games."""
    with open_database(path) as store, store.transaction():
        conn, games = store.database, store.run(1).games_played
        conn.execute("UPDATE run SET games_wanted = ?, games_played = ?", [games + marks * GAMES_PER_MARK] * 2)
        first = store.blocks()[-1].block_id
        conn.execute(
            """WITH RECURSIVE turn (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM turn WHERE n < ?)
               INSERT INTO block SELECT NULL, 1, 'games', ?, ?, 0, 0, 0, 0, created_at
               FROM turn, block WHERE block_id = ?""",
            [marks, GAMES_PER_MARK, GAMES_PER_MARK, first],
        )
        conn.execute(
            """INSERT INTO evaluation SELECT later.block_id, learner_id, learner_games + (later.block_id - ?) * ?,
                   policy, opponent, win, draw, loss
               FROM evaluation JOIN block AS later ON later.block_id > ? WHERE evaluation.block_id = ?""",
            [first, GAMES_PER_MARK, first, first],
        )
        conn.execute("UPDATE learner SET games = ?", [games + marks * GAMES_PER_MARK])


def check_responses(budgets: Budgets, folder: Path, marks: int) -> None:
    """Check the size of responses about learners that have many measurements."""
    database = str(folder / "menace.db")
    Path(database).unlink()
    run(MENACE, "selfplay", "--games", "1000", "--seed", "1", "--db", database)
    add_marks(database, marks)
    with open_database(database) as store:
        last = store.latest_block(1)
    with serving(database) as server:
        client = Client(server.home)
        for address in (f"{LEARNER}/progress.json", f"{LEARNER}/progress.json?after={last - 1}",
                        "/menace/machines/menace-x.json", "/menace/compare.json", ".json"):  # fmt: skip
            milliseconds, _ = client.ask(address)
            _, content = client.request(address)
            label = f"{address} with {marks:,} marks, in kB"
            budgets.check_at_most(label, len(content) / KILO, 50, f"the first response took {milliseconds:.0f} ms")


def processor_seconds(*command: str) -> float:
    """Run a command and return its processor time in seconds."""
    before = os.times()
    run(*command)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def check_compare(budgets: Budgets, folder: Path, learners: int) -> None:
    """Check `menace compare` on a file with many learners, each of which has played a few games."""
    database = str(folder / "large.db")
    with open_or_create_database(database) as store:
        for number in range(learners // 2):
            x, o = (new_learner(store, f"{plays}{number}", plays).name for plays in ("X", "O"))
            carry_out(store, order(store, SelfPlay(x, o, GAMES, seed=number)))
    pairs = (learners // 2) ** 2
    seconds = processor_seconds(MENACE, "compare", "--db", database)
    details = f"{pairs:,} pairs, {1e6 * seconds / pairs:.0f} us each"
    budgets.check_at_most(f"compare with {learners:,} learners, in s", seconds, 5, details)


def check_verify(budgets: Budgets, folder: Path, runs: int) -> None:
    """Check `menace verify` on a file with two learners and many runs that have short blocks with measurements."""
    database = str(folder / "runs.db")
    with open_or_create_database(database) as store:
        for number in range(runs):
            carry_out(store, order(store, SelfPlay(games=GAMES, seed=number)))
        blocks = len(store.blocks())
    seconds = processor_seconds(MENACE, "verify", "--db", database)
    budgets.check_at_most(
        "verify, in ms per block", 1000 * seconds / blocks, 1.7, f"{blocks:,} blocks, {seconds:.1f} s"
    )


def main() -> int:
    """Run all measurements and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--learners", type=int, default=1000)
    parser.add_argument("--marks", type=int, default=16_000)
    arguments = parser.parse_args()
    budgets = Budgets()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_compare(budgets, folder, arguments.learners)
        check_verify(budgets, folder, arguments.learners // 2)
        check_memory(budgets, folder, arguments.minutes)
        check_responses(budgets, folder, arguments.marks)
    return 0 if budgets.hold else 1


if __name__ == "__main__":
    sys.exit(main())
