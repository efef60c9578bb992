"""Tries of interruptions.py: counts of them, and the folders that commands work in, with what must be found there."""

from __future__ import annotations

import copy
import errno
import random
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from faults.commands import Case, make_folder
from faults.power import Call, Disk, is_boundary, read_calls
from faults.trials import KILL, Ended, Failure, State, fresh, leftovers, run, state, wrong_end
from menace.errors import MenaceError


@dataclass
class Report:
    """Counts of trials, and of faults, which are printed at once."""

    count: Counter[str] = field(default_factory=Counter)
    last: str = ""  # command
    quiet: bool = False  # does not print how far it is

    def __str__(self) -> str:
        return ", ".join(f"{number:,} {what}" for what, number in sorted(self.count.items()))

    def add(self, trial: str, case: Case, faults: list[str], last: str = "") -> None:
        """Count a trial of a command."""
        if case.text != self.last and not self.quiet:
            self.last = case.text
            print(f"... {self}; menace {case.text}", flush=True)
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
        self.recorded: dict[str, Recording] = {}
        root.mkdir(exist_ok=True)
        make_folder(self.base)
        self.before = self.state(self.base)

    def state(self, folder: Path) -> State:
        """Return what is in a folder. Raises sqlite3.Error or MenaceError if it is damaged."""
        return state(folder, self.known)

    def fresh(self) -> Path:
        """Return the folder to work in, as it is to begin with."""
        return fresh(self.base, self.work)

    def record(self, case: Case) -> Recording:
        """Run a command undisturbed, and record its calls; a second time, return what was recorded."""
        if case.text not in self.recorded:
            self.recorded[case.text] = self._record(case)
        return self.recorded[case.text]

    def _record(self, case: Case) -> Recording:
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
