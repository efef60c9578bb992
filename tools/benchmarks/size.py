"""Measure the time and memory of every read-only command and every page on a small and a large file.

The large file contains 1,000 machines and 100,000 blocks, and the small file contains a tenth of each. A command or
page fails if it exceeds the limits on time or memory, or if it takes more than MAX_GROWTH times as long on the large
file as on the small one. The program prints the time and memory for each command and page, and exits with 1 if any of
them fails. Times are processor times.

    .venv/bin/python tools/benchmarks/size.py                                # a few minutes
    .venv/bin/python tools/benchmarks/size.py --learners 200 --blocks 20000  # less time
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults.commands import PARTS, READING, select_cases
from faults.fuzz_damaged_files import LIBRARIES

# the factor by which times may grow when there are ten times as many rows, including a margin for noise
MAX_GROWTH = 15.0
MIN_SECONDS = 0.3  # growth is ignored for shorter times
MAX_COMMAND_SECONDS, MAX_PAGE_SECONDS, MAX_MB = 20.0, 3.0, 500.0
VERIFY_SECONDS = 200.0  # verify replays every block
GAMES_PER_BLOCK = 10
# commands that need no file, need no recorded games, or are in EXTRA_COMMANDS
SKIPPED = {"presets", "rules", "check", "replay", "query"}
EXTRA_COMMANDS = ("learners", "learners --json", "strength x*")
EXTRA_COMMANDS += tuple(f"query {name}" for name in ("openings", "blocks", "learners", "learning-curve"))
EXTRA_COMMANDS += ("plot outcomes menace-x {}", "plot strength menace-x {}")  # writes a file next to the database
QUADRATIC = {
    "compare",
    "page /{database}/compare",
    "page /{database}/compare.json",
}  # the time for these commands and pages grows with the square of the number of machines
SERVER_ERROR = 500  # the lowest HTTP status of a server error


class Cost(NamedTuple):
    """The processor time in seconds, and the increase in peak memory in MB."""

    seconds: float
    megabytes: float


def make_database(path: Path, learners: int, blocks: int) -> None:
    """Create a file with the given number of briefly trained machines and a run with the given number of blocks."""
    from menace.ledger.create_and_open import create_database
    from menace.ledger.learners import new_learner
    from menace.ledger.runs import SelfPlay, order
    from menace.ledger.training import carry_out

    with create_database(path) as store:
        carry_out(
            store, order(store, SelfPlay(games=GAMES_PER_BLOCK * blocks, seed=1, marks=f"every:{GAMES_PER_BLOCK}"))
        )
        for number in range(learners // 2 - 1):
            # type: ignore[arg-type]
            x, o = (new_learner(store, f"{plays}{number}", plays).name for plays in ("X", "O"))
            carry_out(store, order(store, SelfPlay(x, o, 20, seed=number)))


def measure_cost(call: Callable[[], bool]) -> Cost:
    """Measure a call in a child process, after all modules have been imported.

    Raises RuntimeError if the call fails.
    """
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            sys.stdout.flush()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            before = resource.getrusage(resource.RUSAGE_SELF)
            memory = _peak_memory()
            succeeded = call()
            after = resource.getrusage(resource.RUSAGE_SELF)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            os.write(write, f"{seconds} {_peak_memory() - memory}".encode())
        except BaseException:  # noqa: BLE001 - a child must not continue as its parent
            succeeded = False
        os._exit(0 if succeeded else 1)
    os.close(write)
    _, status = os.waitpid(child, 0)
    with os.fdopen(read) as answer:
        text = answer.read()
    if status or not text:
        raise RuntimeError("failed")
    seconds, megabytes = map(float, text.split())
    return Cost(seconds, megabytes)


def _peak_memory() -> float:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1]) / 1024


def read_only_commands(path: Path) -> dict[str, Callable[[], bool]]:
    """Return functions that run the read-only commands, indexed by command line."""
    from menace import cli

    def run(arguments: list[str]) -> bool:
        sys.argv = ["menace", *arguments, "--db", str(path)]
        try:
            cli.main()
        except SystemExit as ended:
            return not ended.code
        return True

    found = {case.text: case.arguments for case in select_cases(READING) if case.arguments[0] not in SKIPPED}
    found |= {text: text.format(path.with_suffix(".csv")).split() for text in EXTRA_COMMANDS}
    return {text: lambda arguments=arguments: run(arguments) for text, arguments in found.items()}


def explorer_pages(path: Path) -> dict[str, Callable[[], bool]]:
    """Return functions, indexed by path, each of which sends a GET request to an address of the explorer."""
    from menace.explorer.pages import routes
    from menace.explorer.server import ROOT
    from menace.explorer.server.serving import site

    def ask(address: str) -> bool:
        async def answer() -> int:
            datasette = site([path])
            await datasette.invoke_startup()
            return int((await datasette.client.get(address)).status_code)

        return asyncio.run(answer()) < SERVER_ERROR

    parts = PARTS | {"database": path.stem}
    found = {}
    for route in routes():
        if route.method == "GET":
            where = re.sub(r"{(\w+)}", lambda part: parts[part[1]], route.path)
            found[route.path] = ROOT + where + ("?learner=menace-x" if "learner" in route.takes else "")
    return {f"page {text}": lambda address=address: ask(address) for text, address in found.items()}


def exceeded_limits(text: str, small: Cost, large: Cost) -> list[str]:
    """Return the limits that a command or page exceeds."""
    limit = (
        MAX_PAGE_SECONDS if text.startswith("page ") else VERIFY_SECONDS if text == "verify" else MAX_COMMAND_SECONDS
    )
    wrong = []
    growth = MAX_GROWTH * 10 if text in QUADRATIC else MAX_GROWTH
    if large.seconds > MIN_SECONDS and large.seconds > growth * max(small.seconds, MIN_SECONDS / growth):
        wrong.append("its time grows faster than the file")
    if large.seconds > limit:
        wrong.append(f"takes more than {limit:g} s")
    if large.megabytes > MAX_MB:
        wrong.append(f"takes more than {MAX_MB:g} MB")
    return wrong


def main() -> int:
    """Run all measurements and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learners", type=int, default=1000)
    parser.add_argument("--blocks", type=int, default=100_000)
    parser.add_argument("--only", default="", metavar="REGEX", help="measure only the commands and pages that match")
    parser.add_argument(
        "--files", type=Path, metavar="FOLDER", help="folder with small.db and large.db, which are created if missing"
    )
    options = parser.parse_args()
    for name in LIBRARIES:
        __import__(name)
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        folder = options.files or Path(name)
        small, large = folder / "small.db", folder / "large.db"
        for path, share in ((small, 10), (large, 1)):
            if not path.exists():
                make_database(path, options.learners // share, options.blocks // share)
        tried = zip(
            (read_only_commands(small) | explorer_pages(small)).items(),
            (read_only_commands(large) | explorer_pages(large)).values(),
            strict=True,
        )
        for (text, of_small), of_large in tried:
            if not re.search(options.only, text):
                continue
            began = time.monotonic()
            try:
                costs = measure_cost(of_small), measure_cost(of_large)
            except RuntimeError as error:
                wrong, figures = [str(error)], ""
            else:
                wrong = exceeded_limits(text, *costs)
                (before, less), (after, more) = costs
                figures = f"{before:8.2f} {after:8.2f} s {after / max(before, 0.01):6.1f} x {less:6.0f} {more:6.0f} MB"
            faults += len(wrong)
            print(f"{text:60} {figures} {'; '.join(wrong)}  ({time.monotonic() - began:.0f} s)", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
