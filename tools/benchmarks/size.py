"""Try every command that only reads, and every page, on a large file: their time and memory, and how these grow.

A file of 1,000 machines and 100,000 blocks, and one of a tenth of that. What takes more than GROWTH times as long on
the larger one grows faster than its rows do; what takes more than the limits is too slow, or too large. Each is printed
with its figures; exit 1 if one does not hold. Times are of the processor.

    .venv/bin/python tools/benchmarks/size.py                                # some minutes
    .venv/bin/python tools/benchmarks/size.py --learners 200 --blocks 20000  # sooner
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

from faults.commands import PARTS, READING, cases
from faults.damage import LIBRARIES

GROWTH = 15.0  # times as long, and as much memory, at ten times the rows: ten, and half of that for what a clock sees
LEAST = 0.3  # seconds, and MOST_MB: below these nothing is too much
MOST_SECONDS, MOST_PAGE, MOST_MB = 20.0, 3.0, 500.0
VERIFY_SECONDS = 200.0  # it replays every block
GAMES_A_BLOCK = 10
WITHOUT = {"presets", "rules", "check", "replay", "query"}  # they read no file; nobody has played; see MORE
MORE = ("learners", "learners --json", "strength x*", "query openings", "query blocks", "query learners")
MORE += ("plot outcomes menace-x {}", "plot strength menace-x {}")  # into a file beside the database
PAIRS = {"compare", "page /{database}/compare", "page /{database}/compare.json"}  # of machines: their number squared
FAILED = 500  # the first of HTTP's codes that say that the server failed


class Cost(NamedTuple):
    """Seconds of the processor, and the most memory in MB that it had more than before."""

    seconds: float
    megabytes: float


def make(path: Path, learners: int, blocks: int) -> None:
    """Make a file of so many machines, each of which has learned a little, and of a run of so many blocks."""
    from menace.ledger.database_file import create_database
    from menace.ledger.learners import new_learner
    from menace.ledger.runs import SelfPlay, order
    from menace.ledger.training import carry_out

    with create_database(path) as store:
        carry_out(store, order(store, SelfPlay(games=GAMES_A_BLOCK * blocks, seed=1, marks=f"every:{GAMES_A_BLOCK}")))
        for number in range(learners // 2 - 1):
            x, o = (new_learner(store, f"{plays}{number}", plays).name for plays in ("X", "O"))  # type: ignore[arg-type]
            carry_out(store, order(store, SelfPlay(x, o, 20, seed=number)))


def cost(call: Callable[[], bool]) -> Cost:
    """Return what a call costs, in a child process that has imported everything. Raises RuntimeError if it fails."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            sys.stdout.flush()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            before = resource.getrusage(resource.RUSAGE_SELF)
            memory = _most_memory()
            succeeded = call()
            after = resource.getrusage(resource.RUSAGE_SELF)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            os.write(write, f"{seconds} {_most_memory() - memory}".encode())
        except BaseException:  # noqa: BLE001 - a child must not go on as its parent
            succeeded = False
        os._exit(0 if succeeded else 1)
    os.close(write)
    _, status = os.waitpid(child, 0)
    with os.fdopen(read) as answer:
        text = answer.read()
    if status or not text:
        raise RuntimeError("it failed")
    seconds, megabytes = map(float, text.split())
    return Cost(seconds, megabytes)


def _most_memory() -> float:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1]) / 1024


def commands(path: Path) -> dict[str, Callable[[], bool]]:
    """Return the commands that only read, by what is typed."""
    from menace import cli

    def run(arguments: list[str]) -> bool:
        sys.argv = ["menace", *arguments, "--db", str(path)]
        try:
            cli.main()
        except SystemExit as ended:
            return not ended.code
        return True

    found = {case.text: case.arguments for case in cases(READING) if case.arguments[0] not in WITHOUT}
    found |= {text: text.format(path.with_suffix(".csv")).split() for text in MORE}
    return {text: lambda arguments=arguments: run(arguments) for text, arguments in found.items()}


def pages(path: Path) -> dict[str, Callable[[], bool]]:
    """Return every address of the explorer that is read, by its path."""
    from menace.explorer.pages import routes
    from menace.explorer.server.errors import ROOT
    from menace.explorer.server.serving import site

    def ask(address: str) -> bool:
        async def answer() -> int:
            datasette = site([path])
            await datasette.invoke_startup()
            return int((await datasette.client.get(address)).status_code)

        return asyncio.run(answer()) < FAILED

    parts = PARTS | {"database": path.stem}
    found = {}
    for route in routes():
        if route.method == "GET":
            where = re.sub(r"{(\w+)}", lambda part: parts[part[1]], route.path)
            found[route.path] = ROOT + where + ("?learner=menace-x" if "learner" in route.takes else "")
    return {f"page {text}": lambda address=address: ask(address) for text, address in found.items()}


def judged(text: str, small: Cost, large: Cost) -> list[str]:
    """Return which limits something does not keep."""
    limit = MOST_PAGE if text.startswith("page ") else VERIFY_SECONDS if text == "verify" else MOST_SECONDS
    wrong = []
    growth = GROWTH * 10 if text in PAIRS else GROWTH
    if large.seconds > LEAST and large.seconds > growth * max(small.seconds, LEAST / growth):
        wrong.append("its time grows faster than the file")
    if large.seconds > limit:
        wrong.append(f"takes more than {limit:g} s")
    if large.megabytes > MOST_MB:
        wrong.append(f"takes more than {MOST_MB:g} MB")
    return wrong


def main() -> int:
    """Try everything; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learners", type=int, default=1000)
    parser.add_argument("--blocks", type=int, default=100_000)
    parser.add_argument("--only", default="", metavar="REGEX", help="only commands and pages that match")
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="where small.db and large.db are, or are made")
    options = parser.parse_args()
    for name in LIBRARIES:
        __import__(name)
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        folder = options.files or Path(name)
        small, large = folder / "small.db", folder / "large.db"
        for path, share in ((small, 10), (large, 1)):
            if not path.exists():
                make(path, options.learners // share, options.blocks // share)
        tried = zip((commands(small) | pages(small)).items(), (commands(large) | pages(large)).values(), strict=True)
        for (text, of_small), of_large in tried:
            if not re.search(options.only, text):
                continue
            began = time.monotonic()
            try:
                costs = cost(of_small), cost(of_large)
            except RuntimeError as error:
                wrong, figures = [str(error)], ""
            else:
                wrong = judged(text, *costs)
                (before, less), (after, more) = costs
                figures = f"{before:8.2f} {after:8.2f} s {after / max(before, 0.01):6.1f} x {less:6.0f} {more:6.0f} MB"
            faults += len(wrong)
            print(f"{text:60} {figures} {'; '.join(wrong)}  ({time.monotonic() - began:.0f} s)", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
