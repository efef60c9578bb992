"""Interrupt every command that writes: kill it, fail its system calls, cut the power, fill the disk, lock its files.

After each, databases open and pass SQLite's integrity check and `menace verify`; what is in the folder is what one of
the command's commits left, and no fewer of them than were acknowledged; an error is one line and exit 1; and the
command, or `menace resume`, then does its work. Each fault is printed with what repeats it; it ends with counts, and
exit 1 if there was one. Databases and outputs are small, so that each of a command's calls can be tried.

    .venv/bin/python tools/faults.py calls                # kill, and errors, at each system call that writes: hours
    .venv/bin/python tools/faults.py calls --most 20      # at 20 of each command, from the first to the last
    .venv/bin/python tools/faults.py moments --times 20   # SIGKILL at random moments
    .venv/bin/python tools/faults.py power --times 3      # the power goes after each call
    .venv/bin/python tools/faults.py full                 # a small disk, mounted: as root
    .venv/bin/python tools/faults.py locks                # another process has the files locked
    .venv/bin/python tools/faults.py power --only '^merge' --seed 7

Needs Linux, a C compiler, and what `pip install -e '.[test]'` brings.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import errno
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
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent))

from fault_commands import READING, WRITING, Case, cases, make_folder
from fault_power import Call, Disk, is_boundary, read_calls
from fault_trials import (
    FAILURES,
    KILL,
    Ended,
    Failure,
    State,
    files_in,
    fresh,
    is_database,
    leftovers,
    load_calls,
    load_everything,
    run,
    state,
    wrong_end,
)

from menace.errors import MenaceError
from menace.ledger.store import locks

SOME = ("all", "none")  # of what is not synced: beside these, `some` of it at random
LOCKS = ("SHARED", "RESERVED", "EXCLUSIVE")
LONG, SHORT = 1.0, 0.2  # seconds that another process has a file locked
FREE = (0, 4, 16, 64, 160)  # KiB that are free on a small disk
BIG = ("selfplay --games 60000 --seed 5", "train menace-x --against random --games 60000 --seed 5")


@dataclass
class Report:
    """Counts of trials, and of faults, which are printed at once."""

    count: Counter[str] = field(default_factory=Counter)

    def add(self, trial: str, case: Case, faults: list[str], last: str = "") -> None:
        """Count a trial of a command."""
        self.count[trial.partition(",")[0]] += 1
        self.count["faults"] += len(faults)
        for fault in faults:
            print(f"{fault}: menace {case.text}\n    {trial}\n    {last.strip()[-300:]!r}", flush=True)


@dataclass(frozen=True)
class Recording:
    """A command to which nothing happened.

    Attributes:
        case: the command.
        ended: how it ended.
        calls: its calls that wrote.
        disk: as it was before; it can be played on.
        states: before it, after each call that makes something new hold, and after it.
        repeatable: whether it does the same each time.
    """

    case: Case
    ended: Ended
    calls: list[Call]
    disk: Disk
    states: list[State]
    repeatable: bool


class Bench:
    """A folder to begin from, one to work in, and what commands make of it when nothing befalls them."""

    def __init__(self, root: Path) -> None:
        self.base, self.work, self.spare, self.log = (root / name for name in ("base", "work", "spare", "log"))
        self.known: dict[bytes, str] = {}
        make_folder(self.base)
        self.before = self.state(self.base)

    def state(self, folder: Path) -> State:
        """Return what is in a folder. Raises sqlite3.Error or MenaceError if it is damaged."""
        return state(folder, self.known)

    def fresh(self) -> Path:
        """Return the folder to work in, as it is to begin with."""
        return fresh(self.base, self.work)

    def record(self, case: Case) -> Recording:
        """Run a command undisturbed, and record its calls."""
        self.log.write_bytes(b"")
        disk = Disk(self.fresh())
        ended = run(case, self.work, log=self.log)
        calls, states, replayed = read_calls(self.log), [self.before], copy.deepcopy(disk)
        for call in calls:
            replayed.call(call)
            if is_boundary(call):
                replayed.crashed(random.Random(0), "all", self.spare)  # noqa: S311 - nothing is picked
                states.append(self.state(self.spare))
        after = self.state(self.work)
        repeatable = case.is_repeatable and ended.code == 0
        if repeatable:
            run(case, self.fresh())
            repeatable = self.state(self.work) == after
        return Recording(case, ended, calls, disk, [*states, after], repeatable)

    def check(self, recorded: Recording, ended: Ended, failure: Failure | None) -> list[str]:
        """Return what is wrong with what a command left behind when something befell it.

        Then it is repeated, undisturbed.
        """
        case, after = recorded.case, recorded.states[-1]
        faults = wrong_end(ended, killed=failure is None or failure.action == KILL)
        try:
            found = self.state(self.work)
            if recorded.repeatable and found not in recorded.states:
                faults.append("a state that no commit left")
            if recorded.repeatable and ended.code == 0 and found != after:
                faults.append("exit 0, and it was not done")
            if failure is not None and failure.code == errno.ENOSPC and leftovers(self.work):
                faults.append(f"left {leftovers(self.work)}")
            if recorded.repeatable:
                faults += self.repeat(case, found, after)
        except (sqlite3.Error, MenaceError) as error:
            faults.append(f"damaged: {error}")
        return faults

    def repeat(self, case: Case, found: State, after: State) -> list[str]:
        """Do once more what was interrupted; return what is wrong then."""
        resumes = case.arguments[0] in {"selfplay", "train"} and found not in {self.before, after}
        again = Case(f"resume {' '.join(case.arguments[-2:])}") if resumes and "--db" in case.text else Case("resume")
        ended = run(again if resumes else case, self.work)
        faults = wrong_end(ended, killed=False)
        done = self.state(self.work)
        if resumes and ended.code == 1 and "no" in ended.err:  # its run was not written down yet
            ended = run(case, self.work)
            done = self.state(self.work)
        if found == self.before and ended.code != 0:
            faults.append(f"repeated, it ends with {ended.code}: {ended.err.strip()}")
        if (found == self.before or resumes) and done != after:
            faults.append("repeated, it does something else")
        if ended.code == 0 and leftovers(self.work):
            faults.append(f"repeated, it leaves {leftovers(self.work)}")
        return [f"then: {fault}" for fault in faults]


def try_calls(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Kill commands, and let their calls fail, at each call that writes; those that only read have none."""
    for case in cases(READING, options.only):
        ended = run(case, bench.fresh())
        wrote = [f"writes, by {ended.calls} calls"] if ended.calls else []
        report.add("only reads", case, wrote + wrong_end(ended, killed=False), ended.err)
    for case in cases(WRITING, options.only):
        recorded = bench.record(case)
        number = recorded.ended.calls
        most = min(options.most or number, number)
        for failure, turn in itertools.product(FAILURES, range(most)):
            nth = 1 + turn * (number - 1) // max(most - 1, 1)
            ended = run(case, bench.fresh(), failure, nth)
            report.add(
                f"{failure.name}, at call {nth} of {number}", case, bench.check(recorded, ended, failure), ended.err
            )


def try_moments(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Kill commands at random moments."""
    chance = random.Random(options.seed)  # noqa: S311 - it picks moments
    for case in [
        *cases(WRITING, options.only),
        *(case for case in map(Case, BIG) if re.search(options.only, case.text)),
    ]:
        recorded = bench.record(case)
        began = time.monotonic()
        run(case, bench.fresh())
        whole = time.monotonic() - began
        for _ in range(options.times):
            seconds = chance.uniform(0.001, whole)
            ended = run(case, bench.fresh(), kill=seconds)
            report.add(f"random kill, after {seconds:.3f} s", case, bench.check(recorded, ended, None), ended.err)


def try_power(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Cut the power after each call: what was not synced is there, is not, or is in part."""
    chance = random.Random(options.seed)  # noqa: S311 - it picks sectors
    for case in cases(WRITING, options.only):
        recorded = bench.record(case)
        disk, made, held = recorded.disk, 0, 0
        step = max(1, len(recorded.calls) // options.most) if options.most else 1
        for number, call in enumerate(recorded.calls, 1):
            disk.call(call)
            made += is_boundary(call)
            held = made if disk.is_synced else held
            ended = number == len(recorded.calls)
            if number % step and not ended:
                continue
            possible = recorded.states[-1:] if ended else recorded.states[held : made + 1]  # done is done
            for which in (*SOME, *["some"] * options.times):
                disk.crashed(chance, which, bench.spare)
                faults = _after_crash(bench, possible)
                report.add(f"power cut, after call {number}, {which} unsynced", case, faults)


def _after_crash(bench: Bench, possible: list[State]) -> list[str]:
    try:
        found = bench.state(bench.spare)
    except (sqlite3.Error, MenaceError) as error:
        return [f"damaged: {error}"]
    return [] if found in possible else ["a state that no commit left, or one before what was acknowledged"]


def try_full(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Run commands on a small disk, with so much room left; then repeat them with more."""
    small = bench.work
    for case, free in itertools.product(cases(WRITING, options.only), FREE):
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
            full = leftovers(small)
            subprocess.run(["mount", "-o", "remount,size=64m", small], check=True)
            faults = bench.check(recorded, ended, None) + [f"left {full}" for _ in full[:1]]
            report.add(f"small disk, {free} KiB free", case, faults, ended.err)
        finally:
            subprocess.run(["umount", small], check=True)


def try_locks(bench: Bench, report: Report, options: argparse.Namespace) -> None:
    """Let another process lock every database of the folder: for longer than commands wait, and for less."""
    for table in (WRITING, READING):
        for case, lock in itertools.product(cases(table, options.only), LOCKS):
            recorded = bench.record(case)
            for held, patience in ((LONG, LONG / 4), (SHORT, LONG * 10)):
                with locked(bench.fresh(), lock, held), patience_of(patience):
                    ended = run(case, bench.work)
                faults = wrong_end(ended, killed=False)
                found = bench.state(bench.work)
                if ended.code == 1 and "locked by another program" not in ended.err:
                    faults.append("does not say that it is locked")
                if recorded.repeatable and found != (recorded.states[-1] if ended.code == 0 else bench.before):
                    faults.append(f"exit {ended.code}, and it is otherwise")
                if held == SHORT and ended.code != 0:
                    faults.append("does not wait")
                report.add(f"{lock} lock, for {held} s", case, faults, ended.err)


@contextlib.contextmanager
def patience_of(seconds: float) -> Iterator[None]:
    """Let commands wait so long for locks."""
    with mock.patch.multiple(locks, PATIENCE=seconds, WRITERS_PATIENCE=seconds):
        yield


@contextlib.contextmanager
def locked(folder: Path, lock: str, seconds: float) -> Iterator[None]:
    """Let another process hold a lock on each database of a folder."""
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
    """Run the trials that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", nargs="+", choices=TRIALS)
    parser.add_argument("--only", default="", metavar="REGEX", help="only commands that match")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="calls of a command; 0: all")
    parser.add_argument("--times", type=int, default=3, metavar="N", help="random trials of each command, or call")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    load_calls()
    load_everything()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="menace-faults-") as name:
        bench = Bench(Path(name).resolve())
        for trial in options.trials:
            TRIALS[trial](bench, report, options)
    print(", ".join(f"{number:,} {what}" for what, number in sorted(report.count.items())))
    sys.exit(1 if report.count["faults"] else 0)


if __name__ == "__main__":
    main()
