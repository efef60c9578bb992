"""Mutants: change the code in one place, and see whether a test fails.

A mutant is one small change (mutations.py): `<` to `<=`, `and` to `or`, a condition that is always true or false, n to
n + 1, a value that is not returned, a statement left out. It is made in a copy of the tree, never in the tree itself.
Those tests run on it that executed its line, the quickest first; where it runs on import, the quick ones of its room.
It is killed by the first test that fails and that passes without it, and by one that does not end. Who survives is to
be looked at: a test is missing, or the change makes no difference.

    python tools/faults/mutants.py games arena ledger                    # 40 of each room, picked by a seed
    python tools/faults/mutants.py games --number 100 --seed 2
    python tools/faults/mutants.py ledger --only 'ledger/log/undo.py:9'  # those whose place and change contain this
    python tools/faults/mutants.py games --list                          # the mutants, and run nothing
    python tools/faults/mutants.py kernel --number 100                   # with its tests, uncompiled

Which tests executed a line is in build/coverage, which docs/development/tools.md says how to fill; it has the lines of
the tree as it was then, so measure again after changing much. It ends with exit 1 if there were survivors.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import cache_from_source
from itertools import accumulate
from pathlib import Path
from subprocess import PIPE, STDOUT
from xml.etree import ElementTree as ET

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults.mutations import Mutant, mutants

ROOT = Path(__file__).parents[2]
MORE = 30  # times as long as the first tests those take that run where none of them fails
PATIENCE = 1800.0  # seconds, after which tests do not end: many times what those take that are run
ALL_PASS, NONE_RAN = 0, 5  # pytest's exit codes
BROKEN, ENDLESS = "nothing can run", "does not end"


def cases(report: Path) -> Iterator[tuple[str, float, bool]]:
    """Yield of each test that pytest reports: its id, how many seconds it took, whether it failed."""
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - our own file
        file = case.get("classname", "").replace(".", "/")
        failed = any(case.find(word) is not None for word in ("failure", "error"))
        yield f"{file}.py::{case.get('name')}", float(case.get("time", 0)), failed


class Measured:
    """Which tests executed a line, and how long each took: what coverage.py and pytest left in a folder."""

    def __init__(self, folder: Path) -> None:
        from coverage import CoverageData  # it is in no extra

        self.data = CoverageData(str(folder / "data"))
        self.data.read()
        self.names = {name.partition("menace/")[2]: name for name in self.data.measured_files()}
        reported = [case for report in folder.glob("*.xml") for case in cases(report)]
        self.seconds = {test: seconds for test, seconds, failed in reported if not failed}

    def tests(self, file: str, mutant: Mutant, seconds: float) -> tuple[list[str], list[str]]:
        """Return tests that executed the lines of a mutant: the quickest, which took so long in all, and slower ones.

        Those take MORE times as long, and one of either kind may take longer.
        """
        if file not in self.names:  # the kernel, compiled
            return [], []
        by_line = self.data.contexts_by_lineno(self.names[file])
        contexts = {context for line in range(mutant.first, mutant.last + 1) for context in by_line.get(line, [])}
        ran = {context.rpartition("|")[0] for context in contexts} & self.seconds.keys()
        quickest = sorted(ran, key=lambda test: (self.seconds[test], test))
        until = dict(zip(quickest, accumulate(self.seconds[test] for test in quickest), strict=True))
        first = [test for test in quickest if until[test] <= seconds or test == quickest[0]]
        then = [test for test in quickest if test not in first and until[test] - self.seconds[test] <= MORE * seconds]
        return first, then


class Copy:
    """A copy of the tree, in which mutants are made and tests run."""

    def __init__(self, folder: Path, compiled: bool) -> None:
        self.root = folder / "tree"
        ignored = [".git", ".venv", "build", "*_cache", *([] if compiled else ["*.so", "*.pyd"])]
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*ignored))
        (self.root / "menace" / "db").symlink_to("../db")  # as setup.cfg installs it
        self.report = folder / "report.xml"
        self.passes = {"": True, BROKEN: True, ENDLESS: True}  # what is known of tests without any mutant
        if self.run(["tests/tools/test_mutants.py"]):
            raise SystemExit("Tests fail in a copy of the tree, without any mutant.")

    @contextmanager
    def changed(self, file: str, mutant: Mutant) -> Iterator[None]:
        """Have a mutant in a file; no bytecode of it stays, which is told from that of another by seconds and size."""
        path = self.root / "menace" / file
        text = path.read_text()
        try:
            path.write_text(mutant.applied(text))
            Path(cache_from_source(path)).unlink(missing_ok=True)
            yield
        finally:
            path.write_text(text)
            Path(cache_from_source(path)).unlink(missing_ok=True)

    def run(self, arguments: list[str]) -> str:
        """Run pytest until a test fails, and return its id; "" if none does."""
        self.report.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", "-qx", "-n0", f"--junitxml={self.report}", *arguments]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment = kept | {"PYTHONPATH": str(self.root)}
        with subprocess.Popen(
            command, cwd=self.root, env=environment, text=True, start_new_session=True, stdout=PIPE, stderr=STDOUT
        ) as process:
            try:
                output = process.communicate(timeout=PATIENCE)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return ENDLESS
        if process.returncode in (ALL_PASS, NONE_RAN):
            return ""
        if "not found:" in output:
            raise SystemExit(f"Measure coverage again: {output[-300:]}")
        failed = [test for test, _, fails in cases(self.report) if fails] if self.report.exists() else []
        return failed[0] if failed and failed[0].startswith("tests/") else BROKEN

    def killer(self, file: str, mutant: Mutant, arguments: list[str]) -> str:
        """Return the first test that fails because of a mutant, or what else happens; "" if nothing does."""
        while True:
            with self.changed(file, mutant):
                failed = self.run(arguments)
            if failed not in self.passes:
                self.passes[failed] = not self.run([failed])
            if self.passes[failed]:
                return failed
            arguments = [*arguments, "--deselect", failed]


def picked(room: str, number: int, seed: int, only: str) -> list[tuple[str, Mutant]]:
    """Return so many mutants of a folder, in the order of its files: the same for the same seed and tree."""
    folder = ROOT / "menace" / room
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    names = [file.relative_to(ROOT / "menace").as_posix() for file in files]
    every = [(name, mutant) for name, file in zip(names, files, strict=True) for mutant in mutants(file.read_text())]
    every = [(name, mutant) for name, mutant in every if only in f"{name}:{mutant}"]
    chosen = random.Random(f"{seed} {room}").sample(range(len(every)), min(number, len(every)))  # noqa: S311
    return [every[i] for i in sorted(chosen)]


def survivors(room: str, chosen: list[tuple[str, Mutant]], copied: Copy, measured: Measured, seconds: float) -> int:
    """Try mutants of a folder, print what becomes of each, and return how many survive."""
    survived = 0
    of_room = ["-m", "not slow", f"tests/{room if (ROOT / 'tests' / room).is_dir() else 'package'}"]
    for name, mutant in chosen:
        began = time.monotonic()
        first, then = measured.tests(name, mutant, seconds)
        parts = [first, then] if first else [of_room]
        killer = next(filter(None, (copied.killer(name, mutant, part) for part in parts if part)), "")
        survived += not killer
        verdict = f"killed: {killer}" if killer else f"SURVIVES {len(first) + len(then) or 'its room'}"
        print(f"{name}:{mutant}\n    {verdict}, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{room}: {len(chosen)} mutants, {len(chosen) - survived} killed", flush=True)
    return survived


def main() -> None:
    """Parse what is asked, and do it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="+", help="folders of menace/, or files beside them, such as kernel")
    parser.add_argument("--number", type=int, default=40, help="how many mutants of each room")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--only", default="", help="a text that place and change contain: FILE:LINE: OLD -> NEW")
    parser.add_argument("--seconds", type=float, default=10, help="how long the tests took that run first")
    parser.add_argument("--coverage", type=Path, default=ROOT / "build" / "coverage", help="what was measured")
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    asked = parser.parse_args()
    chosen = {room: picked(room, asked.number, asked.seed, asked.only) for room in asked.rooms}
    if asked.list:
        print(*(f"{name}:{mutant}" for room in chosen.values() for name, mutant in room), sep="\n")
        return
    measured = Measured(asked.coverage)
    with tempfile.TemporaryDirectory() as folder:
        # Python runs a mutant of the kernel itself; tests/kernel/test_compiled.py holds that it does the same compiled.
        copied = Copy(Path(folder), compiled="kernel" not in asked.rooms)
        sys.exit(sum(survivors(room, some, copied, measured, asked.seconds) for room, some in chosen.items()) > 0)


if __name__ == "__main__":
    main()
