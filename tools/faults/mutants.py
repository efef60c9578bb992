"""Change the code in one place at a time, and check that a test fails.

A mutant is a small change listed by mutations.py, such as `<` to `<=`, `and` to `or`, n to n + 1, a condition that is
always true, or a removed statement. The program makes each mutant in a copy of the tree and runs the tests that execute
the changed line, starting with the quickest. If the changed line runs on import, the program runs the quick tests for
the line's folder. A test kills a mutant if the test passes on the unchanged code, but fails or never ends on the
mutant. Examine each mutant that survives. Either a test is missing, or the change makes no difference.

    python tools/faults/mutants.py games arena ledger                    # 40 random mutants of each folder
    python tools/faults/mutants.py games --number 100 --seed 2
    python tools/faults/mutants.py ledger --only 'ledger/log/replay.py:9'  # mutants whose line contains this text
    python tools/faults/mutants.py games --list                          # print the mutants and run nothing
    python tools/faults/mutants.py kernel --number 100                   # the uncompiled kernel

The file build/coverage records which tests execute each line, and docs/development/tools.md explains how to create it.
Measure the coverage again after large changes, because line numbers must match. The program exits with 1 if any mutants
survive.
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

from faults.mutations import Mutant, list_mutants

ROOT = Path(__file__).parents[2]
SECOND_SHARE = 30  # the second group of tests may take this many times as long as the first
TIMEOUT_SECONDS = 1800.0  # far longer than the tests take
ALL_PASS, NONE_RAN = 0, 5  # pytest's exit codes
BROKEN, ENDLESS = "no test can run", "does not end"


def read_report(report: Path) -> Iterator[tuple[str, float, bool]]:
    """Yield the id of each test in a pytest report, its duration in seconds, and whether it failed."""
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - our own file
        file = case.get("classname", "").replace(".", "/")
        failed = any(case.find(word) is not None for word in ("failure", "error"))
        yield f"{file}.py::{case.get('name')}", float(case.get("time", 0)), failed


class Coverage:
    """The tests that execute each line, and their durations, read from the output of coverage.py and pytest."""

    def __init__(self, folder: Path) -> None:
        from coverage import CoverageData  # not part of any extra

        self.data = CoverageData(str(folder / "data"))
        self.data.read()
        self.names = {name.partition("menace/")[2]: name for name in self.data.measured_files()}
        reported = [case for report in folder.glob("*.xml") for case in read_report(report)]
        self.seconds = {test: seconds for test, seconds, failed in reported if not failed}

    def find_tests(self, file: str, mutant: Mutant, seconds: float) -> tuple[list[str], list[str]]:
        """Return two groups of tests that execute the lines of a mutant: the quickest tests and slower ones.

        The first group may take `seconds` in total, and the second may take SECOND_SHARE times as long. Each group may
        contain a single test that takes longer than this.
        """
        if file not in self.names:  # the compiled kernel
            return [], []
        by_line = self.data.contexts_by_lineno(self.names[file])
        contexts = {context for line in range(mutant.first, mutant.last + 1) for context in by_line.get(line, [])}
        ran = {context.rpartition("|")[0] for context in contexts} & self.seconds.keys()
        quickest = sorted(ran, key=lambda test: (self.seconds[test], test))
        until = dict(zip(quickest, accumulate(self.seconds[test] for test in quickest), strict=True))
        first = [test for test in quickest if until[test] <= seconds or test == quickest[0]]
        then = [
            test
            for test in quickest
            if test not in first and until[test] - self.seconds[test] <= SECOND_SHARE * seconds
        ]
        return first, then


class TreeCopy:
    """A copy of the tree, in which the program makes mutants and runs tests."""

    def __init__(self, folder: Path, compiled: bool) -> None:
        self.root = folder / "tree"
        ignored = [".git", ".venv", "build", "*_cache", *([] if compiled else ["*.so", "*.pyd"])]
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*ignored))
        (self.root / "menace" / "db").symlink_to("../db")  # setup.cfg also installs db/ here
        self.report = folder / "report.xml"
        # maps each test to whether it passes in the copy without a mutant
        self.passes = {"": True, BROKEN: True, ENDLESS: True}
        if self.run(["tests/tools/test_mutants.py"]):
            raise SystemExit("Tests fail in a copy of the tree without any mutant.")

    @contextmanager
    def apply_mutant(self, file: str, mutant: Mutant) -> Iterator[None]:
        """Put a mutant into a file, and delete the file's bytecode, because Python might not notice the change."""
        path = self.root / "menace" / file
        text = path.read_text()
        try:
            path.write_text(mutant.apply(text))
            Path(cache_from_source(path)).unlink(missing_ok=True)
            yield
        finally:
            path.write_text(text)
            Path(cache_from_source(path)).unlink(missing_ok=True)

    def run(self, arguments: list[str]) -> str:
        """Run pytest until a test fails, and return the id of that test, or "" if all tests pass."""
        self.report.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", "-qx", "-n0", f"--junitxml={self.report}", *arguments]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment = kept | {"PYTHONPATH": str(self.root)}
        with subprocess.Popen(
            command, cwd=self.root, env=environment, text=True, start_new_session=True, stdout=PIPE, stderr=STDOUT
        ) as process:
            try:
                output = process.communicate(timeout=TIMEOUT_SECONDS)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return ENDLESS
        if process.returncode in (ALL_PASS, NONE_RAN):
            return ""
        if "not found:" in output:
            raise SystemExit(f"Measure coverage again: {output[-300:]}")
        failed = [test for test, _, fails in read_report(self.report) if fails] if self.report.exists() else []
        return failed[0] if failed and failed[0].startswith("tests/") else BROKEN

    def find_killer(self, file: str, mutant: Mutant, arguments: list[str]) -> str:
        """Return the first test that fails because of a mutant, or BROKEN, ENDLESS, or "" if the mutant survives."""
        while True:
            with self.apply_mutant(file, mutant):
                failed = self.run(arguments)
            if failed not in self.passes:
                self.passes[failed] = not self.run([failed])
            if self.passes[failed]:
                return failed
            arguments = [*arguments, "--deselect", failed]


def sample_mutants(room: str, number: int, seed: int, only: str) -> list[tuple[str, Mutant]]:
    """Return a random sample of the mutants in a folder, sorted by file.

    The seed and the tree determine which mutants are in the sample.
    """
    folder = ROOT / "menace" / room
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    names = [file.relative_to(ROOT / "menace").as_posix() for file in files]
    texts = [(name, file.read_text()) for name, file in zip(names, files, strict=True)]
    every = [(name, mutant) for name, text in texts for mutant in list_mutants(text)]
    every = [(name, mutant) for name, mutant in every if only in f"{name}:{mutant}"]
    chosen = random.Random(f"{seed} {room}").sample(range(len(every)), min(number, len(every)))  # noqa: S311
    return [every[i] for i in sorted(chosen)]


def try_mutants(
    room: str, chosen: list[tuple[str, Mutant]], copied: TreeCopy, measured: Coverage, seconds: float
) -> int:
    """Test the mutants in a folder, print the result for each of them, and return the number of survivors."""
    survived = 0
    folder_tests = ["-m", "not slow", f"tests/{room if (ROOT / 'tests' / room).is_dir() else 'package'}"]
    for name, mutant in chosen:
        began = time.monotonic()
        first, then = measured.find_tests(name, mutant, seconds)
        parts = [first, then] if first else [folder_tests]
        killer = next(filter(None, (copied.find_killer(name, mutant, part) for part in parts if part)), "")
        survived += not killer
        verdict = f"killed: {killer}" if killer else f"SURVIVES {len(first) + len(then) or 'tests of its folder'}"
        print(f"{name}:{mutant}\n    {verdict}, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{room}: {len(chosen)} mutants, {len(chosen) - survived} killed", flush=True)
    return survived


def main() -> None:
    """Run or list the mutants that the options select."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="+", help="folders in menace/, or names of files directly in menace/")
    parser.add_argument("--number", type=int, default=40, help="the number of mutants per folder (default 40)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (default 1)")
    parser.add_argument("--only", default="", help="try only mutants whose FILE:LINE: OLD -> NEW contains this text")
    parser.add_argument("--seconds", type=float, default=10, help="time for the first group of tests (default 10)")
    parser.add_argument(
        "--coverage", type=Path, default=ROOT / "build" / "coverage", help="folder that contains the measured coverage"
    )
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    options = parser.parse_args()
    chosen = {room: sample_mutants(room, options.number, options.seed, options.only) for room in options.rooms}
    if options.list:
        print(*(f"{name}:{mutant}" for room in chosen.values() for name, mutant in room), sep="\n")
        return
    measured = Coverage(options.coverage)
    with tempfile.TemporaryDirectory() as folder:
        # Mutants of the kernel run without being compiled. tests/kernel/test_compiled.py checks that the compiled
        # kernel gives the same results.
        copied = TreeCopy(Path(folder), compiled="kernel" not in options.rooms)
        sys.exit(sum(try_mutants(room, some, copied, measured, options.seconds) for room, some in chosen.items()) > 0)


if __name__ == "__main__":
    main()
