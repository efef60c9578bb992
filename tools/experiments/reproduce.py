"""Run published experiments afresh, and write the results to docs/reproductions/.

    python tools/experiments/reproduce.py                  all of them
    python tools/experiments/reproduce.py gutmann article  some of them

Needs matplotlib, besides menace itself (compiled: without a compiler it takes hours). As many pages are made at a
time as there are processors.

Each experiment is a folder here. In its module `page`, the function `reproduce(folder)` writes the page and its
figures. The pages in TESTED also have `sample()`, which computes some lines of the page in about a second;
tests/tools/test_experiments.py looks for these lines. All pages are made before a release. They are the same to the
byte, so `git diff docs/reproductions` shows what has changed. docs/development/tools.md contains the rules for pages.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the worker processes import `experiments`
FOLDER = Path(__file__).parents[2] / "docs" / "reproductions"

# The names of the pages; a folder beside this file makes each.
REPRODUCTIONS = [
    "gutmann",
    "q-table",
    "article",
    "sekeres",
    "sala",
    "menace-1961",
    "michie-1963",
    "symmetry",
    "hexapawn",
    "sutton-barto",
    "wos",
    "tournaments",
    "teachers",
    "laslier-walliser",  # seven minutes
    "jehiel-samet",
    "one-axis",
]
# Pages whose source was read whole, and those that lessons use: docs/in-class.md and docs/notebooks/.
READ = ("gutmann", "q-table", "article", "sekeres", "sala")
TESTED = (*READ, "hexapawn", "menace-1961")


def main() -> int:
    """Run the experiments that are named; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(REPRODUCTIONS)} (all of them if none is named)"
    )
    names = parser.parse_args().names or REPRODUCTIONS
    for name in names:
        if name not in REPRODUCTIONS:
            parser.error(f"no reproduction is called {name!r}; choose one of {', '.join(REPRODUCTIONS)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(min(len(names), os.cpu_count() or 1)) as workers:
        for name, seconds in zip(names, workers.map(make, names), strict=True):
            print(f"{name}: {seconds:.0f} s", flush=True)
    return 0


def module_of(name: str) -> str:
    """Return the name of the module that makes a page."""
    return f"experiments.{name.replace('-', '_')}.page"


def make(name: str) -> float:
    """Make one page; return the seconds that it took."""
    start = time.perf_counter()
    importlib.import_module(module_of(name)).reproduce(FOLDER)
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
