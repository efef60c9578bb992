"""Interrupt every command that writes files: kill it, make calls fail, cut the power, fill the disk or lock files.

After each interruption, the program checks the following conditions:

- Databases open and pass SQLite's integrity check and `menace verify`.
- The folder contains the state after one of the command's commits, and no acknowledged commit is lost.
- An error is one line with exit code 1.
- The command, or `menace resume`, then finishes its work.

The program prints each fault together with the trial that reproduces it. At the end, the program prints the number of
trials and faults, and exits with 1 if there were any faults. Databases and outputs are small, so that the program can
interrupt every call of a command.

    python tools/faults/interruptions.py calls                   # kills and errors at each writing call; takes hours
    python tools/faults/interruptions.py calls --max-calls 20    # at 20 evenly spaced calls of each command
    python tools/faults/interruptions.py moments --times 20      # SIGKILL at random moments
    python tools/faults/interruptions.py power --times 3         # power cuts after each call
    python tools/faults/interruptions.py full                    # a small mounted disk; requires root
    python tools/faults/interruptions.py locks                   # another process locks the files
    python tools/faults/interruptions.py power --only '^merge' --seed 7

The program requires Linux, a C compiler and the `test` extra.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import itertools
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

from menace.errors import MenaceError
from menace.ledger.store import sqlite

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults.commands import READING, WRITING, Case, select_cases
from faults.interruption_folders import Bench, Report
from faults.power import is_boundary
from faults.trials import (
    FAILURES,
    State,
    exit_faults,
    files_in,
    find_leftovers,
    is_database,
    load_calls,
    load_everything,
    run,
)

# how much of the unsynced data reaches the disk; the other option, `some`, is a random share
UNSYNCED_SHARES = ("all", "none")
LOCKS = ("SHARED", "RESERVED", "EXCLUSIVE")
LONG, SHORT = 1.0, 0.2  # how long, in seconds, another process keeps a file locked
FREE_KIB = (0, 4, 16, 64, 160)  # on a small disk
LONG_COMMANDS = ("selfplay --games 60000 --seed 5", "train menace-x --against random --games 60000 --seed 5")


def try_calls(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """At each call that writes, kill the command or make the call fail.

    Check that read-only commands do not write anything.
    """
    for case in select_cases(READING, options.only):
        ended = run(case, bench.reset())
        wrote = [f"writes with {ended.calls} calls"] if ended.calls else []
        report.add("read-only", case, wrote + exit_faults(ended, killed=False), ended.err)
    for case in select_cases(WRITING, options.only):
        recorded = bench.record(case)
        number = recorded.ended.calls
        tried = min(options.max_calls or number, number)
        for failure, turn in itertools.product(FAILURES, range(tried)):
            nth = 1 + turn * (number - 1) // max(tried - 1, 1)
            ended = run(case, bench.reset(), failure, nth)
            report.add(
                f"{failure.name}, at call {nth} of {number}", case, bench.check(recorded, ended, failure), ended.err
            )


def try_moments(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Kill commands at random moments."""
    chance = random.Random(options.seed)  # noqa: S311 - for moments
    for case in [
        *select_cases(WRITING, options.only),
        *(case for case in map(Case, LONG_COMMANDS) if re.search(options.only, case.text)),
    ]:
        recorded = bench.record(case)
        began = time.monotonic()
        run(case, bench.reset())
        whole = time.monotonic() - began
        for _ in range(options.times):
            seconds = chance.uniform(0.001, whole)
            ended = run(case, bench.reset(), kill=seconds)
            report.add(f"random kill, after {seconds:.3f} s", case, bench.check(recorded, ended, None), ended.err)


def try_power(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """After each call, simulate a power cut that leaves all, none or some of the unsynced data on the disk."""
    chance = random.Random(options.seed)  # noqa: S311 - for sectors
    for case in select_cases(WRITING, options.only):
        recorded = bench.record(case)
        disk, made, held = copy.deepcopy(recorded.disk), 0, 0
        step = max(1, len(recorded.calls) // options.max_calls) if options.max_calls else 1
        for number, call in enumerate(recorded.calls, 1):
            disk.call(call)
            made += is_boundary(call)
            held = made if disk.is_synced else held
            ended = number == len(recorded.calls)
            if number % step and not ended:
                continue
            possible = (
                recorded.states[-1:] if ended else recorded.states[held : made + 1]
            )  # after a command has finished, nothing may be lost
            for which in (*UNSYNCED_SHARES, *["some"] * options.times):
                disk.crash(chance, which, bench.spare)
                faults = _after_crash(bench, possible)
                report.add(f"power cut, after call {number}, {which} unsynced", case, faults)


def _after_crash(bench: Bench, possible: list[State]) -> list[str]:
    try:
        found = bench.state(bench.spare)
    except (sqlite3.Error, MenaceError) as error:
        return [f"damaged: {error}"]
    return [] if found in possible else ["a state that no commit wrote, or an acknowledged commit is lost"]


def try_full(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Run commands on a disk that is almost full, and then repeat them with more space."""
    small = bench.work
    for case, free in itertools.product(select_cases(WRITING, options.only), FREE_KIB):
        recorded = bench.record(case)
        shutil.rmtree(small)
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", small], check=True)
        try:
            shutil.copytree(bench.base, small, dirs_exist_ok=True)
            used = os.statvfs(small)
            kibibytes = (used.f_blocks - used.f_bfree) * used.f_frsize // 1024
            subprocess.run(["mount", "-o", f"remount,size={kibibytes + free}k", small], check=True)
            ended = run(case, small)
            full = find_leftovers(small)
            subprocess.run(["mount", "-o", "remount,size=64m", small], check=True)
            faults = bench.check(recorded, ended, None) + [f"left {full}" for _ in full[:1]]
            report.add(f"small disk, {free} KiB free", case, faults, ended.err)
        finally:
            subprocess.run(["umount", small], check=True)


def try_locks(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Lock every database in another process, both for longer and for less time than commands wait."""
    for table in (WRITING, READING):
        for case, lock in itertools.product(select_cases(table, options.only), LOCKS):
            recorded = bench.record(case)
            for held, patience in ((LONG, LONG / 4), (SHORT, LONG * 10)):
                with lock_databases(bench.reset(), lock, held), waiting_for_locks(patience):
                    ended = run(case, bench.work)
                faults = exit_faults(ended, killed=False)
                found = bench.state(bench.work)
                if ended.code == 1 and "locked by another program" not in ended.err:
                    faults.append("the error does not mention the lock")
                if recorded.repeatable and found != (recorded.states[-1] if ended.code == 0 else bench.before):
                    faults.append(f"exit {ended.code}, but the folder is in another state")
                if held == SHORT and ended.code != 0:
                    faults.append("does not wait")
                report.add(f"{lock} lock, for {held} s", case, faults, ended.err)


@contextlib.contextmanager
def waiting_for_locks(seconds: float) -> Iterator[None]:
    """Make commands wait `seconds` for locks."""
    with mock.patch.multiple(sqlite, PATIENCE=seconds, WRITERS_PATIENCE=seconds):
        yield


@contextlib.contextmanager
def lock_databases(folder: Path, lock: str, seconds: float) -> Iterator[None]:
    """Lock each database in a folder from another process."""
    ready, tell = os.pipe()
    child = os.fork()
    if not child:
        opened = [sqlite3.connect(path, isolation_level=None) for path in files_in(folder) if is_database(path)]
        for connection in opened:
            connection.execute("BEGIN" if lock == "SHARED" else f"BEGIN {lock.replace('RESERVED', 'IMMEDIATE')}")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        os.write(tell, b".")
        time.sleep(seconds)
        os._exit(0)
    os.read(ready, 1)
    os.close(ready), os.close(tell)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


TRIALS: dict[str, Callable[[Bench, Report, argparse.Namespace], None]] = {
    "calls": try_calls,
    "moments": try_moments,
    "power": try_power,
    "full": try_full,
    "locks": try_locks,
}


def main() -> None:
    """Run the trials that the arguments select."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", nargs="+", choices=TRIALS)
    parser.add_argument("--only", default="", metavar="REGEX", help="try only commands that match")
    parser.add_argument(
        "--max-calls", type=int, default=0, metavar="N", help="how many calls to try per command (default 0: all)"
    )
    parser.add_argument(
        "--times", type=int, default=3, metavar="N", help="number of random trials per command or call (default 3)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    load_calls()
    load_everything()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="menace-faults-") as name:
        bench = Bench(Path(name).resolve())
        for trial in options.trials:
            TRIALS[trial](bench, report, options)
    print(report)
    sys.exit(1 if report.count["faults"] else 0)


if __name__ == "__main__":
    main()
