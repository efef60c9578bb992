"""Support the trials in interruptions.py: count them, and prepare and check the folders in which commands run."""

from __future__ import annotations

import copy
import errno
import random
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from faults.commands import Case, make_initial_folder
from faults.power import Call, Disk, is_boundary, read_calls
from faults.trials import KILL, Ended, Failure, State, copy_folder, exit_faults, find_leftovers, folder_state, run
from menace.errors import MenaceError


@dataclass
class Report:
    """Counts trials and faults, and prints each fault immediately.

    Attributes:
        count: the number of trials by name, and of `faults`.
        last: the last command.
        quiet: whether progress is not printed.
    """

    count: Counter[str] = field(default_factory=Counter)
    last: str = ""
    quiet: bool = False

    def __str__(self) -> str:
        return ", ".join(f"{number:,} {name}" for name, number in sorted(self.count.items()))

    def add(self, trial: str, case: Case, faults: list[str], last: str = "") -> None:
        """Count a trial of a command, and print each of its faults with the end of `last`, the command's output."""
        if case.text != self.last and not self.quiet:
            self.last = case.text
            print(f"... {self}; menace {case.text}", flush=True)
        self.count[trial.partition(",")[0]] += 1
        self.count["faults"] += len(faults)
        for fault in faults:
            print(f"{fault}: menace {case.text}\n    {trial}\n    {last.strip()[-300:]!r}", flush=True)


@dataclass(frozen=True)
class Recording:
    """An undisturbed run of a command.

    Attributes:
        case: the command.
        ended: its exit code and output.
        calls: the system calls of the run that change files.
        disk: the disk before the run. The calls can be applied to it.
        states: the folder's contents before the run, after each call that commits a change, and after the run.
        repeatable: whether the command has the same result each time.
    """

    case: Case
    ended: Ended
    calls: list[Call]
    disk: Disk
    states: list[State]
    repeatable: bool


class Bench:
    """The initial folder, the working folder, and recordings of undisturbed runs."""

    def __init__(self, root: Path) -> None:
        self.base, self.work, self.spare, self.log = (root / name for name in ("base", "work", "spare", "log"))
        self.known: dict[bytes, str] = {}
        self.recorded: dict[str, Recording] = {}
        root.mkdir(exist_ok=True)
        make_initial_folder(self.base)
        self.before = self.state(self.base)

    def state(self, folder: Path) -> State:
        """Return the content of a folder. Raises sqlite3.Error or MenaceError if a database is damaged."""
        return folder_state(folder, self.known)

    def reset(self) -> Path:
        """Reset the working folder to the initial one, and return its path."""
        return copy_folder(self.base, self.work)

    def record(self, case: Case) -> Recording:
        """Run a command undisturbed and record its calls, or return an existing recording."""
        if case.text not in self.recorded:
            self.recorded[case.text] = self._record(case)
        return self.recorded[case.text]

    def _record(self, case: Case) -> Recording:
        self.log.write_bytes(b"")
        disk = Disk(self.reset())
        ended = run(case, self.work, log=self.log)
        calls, states, replayed = read_calls(self.log), [self.before], copy.deepcopy(disk)
        for call in calls:
            replayed.call(call)
            if is_boundary(call):
                replayed.crash(random.Random(0), "all", self.spare)  # noqa: S311 - unused for `all`
                states.append(self.state(self.spare))
        after = self.state(self.work)
        repeatable = case.is_repeatable and ended.code == 0
        if repeatable:
            run(case, self.reset())
            repeatable = self.state(self.work) == after
        return Recording(case, ended, calls, disk, [*states, after], repeatable)

    def check(self, recorded: Recording, ended: Ended, failure: Failure | None) -> list[str]:
        """Return the faults in a folder that a disturbed command has left behind.

        The result includes the faults in a second, undisturbed run of the command.
        """
        case, after = recorded.case, recorded.states[-1]
        faults = exit_faults(ended, killed=failure is None or failure.action == KILL)
        try:
            found = self.state(self.work)
            if recorded.repeatable and found not in recorded.states:
                faults.append("a state that no commit wrote")
            if recorded.repeatable and ended.code == 0 and found != after:
                faults.append("exit 0, but the work is not done")
            if failure is not None and failure.code == errno.ENOSPC and find_leftovers(self.work):
                faults.append(f"left {find_leftovers(self.work)}")
            if recorded.repeatable:
                faults += self.repeat(case, found, after)
        except (sqlite3.Error, MenaceError) as error:
            faults.append(f"damaged: {error}")
        return faults

    def repeat(self, case: Case, found: State, after: State) -> list[str]:
        """Repeat or resume an interrupted command, and return the faults that occur."""
        resumes = case.arguments[0] in {"selfplay", "train"} and found not in {self.before, after}
        again = Case(f"resume {' '.join(case.arguments[-2:])}") if resumes and "--db" in case.text else Case("resume")
        ended = run(again if resumes else case, self.work)
        resumes |= case.arguments[0] == "exam"
        faults = exit_faults(ended, killed=False)
        done = self.state(self.work)
        if resumes and ended.code == 1 and "no" in ended.err:  # the run had not been stored yet
            ended = run(case, self.work)
            done = self.state(self.work)
        if found == self.before and ended.code != 0:
            faults.append(f"the repeated command exits with {ended.code}: {ended.err.strip()}")
        if (found == self.before or resumes) and done != after:
            faults.append("the repeated command has a different result")
        if ended.code == 0 and find_leftovers(self.work):
            faults.append(f"the repeated command leaves {find_leftovers(self.work)}")
        return [f"afterwards: {fault}" for fault in faults]
