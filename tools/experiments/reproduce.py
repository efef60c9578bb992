"""Run the published experiments again, and write the results to docs/reproductions/.

    python tools/experiments/reproduce.py                  all of them
    python tools/experiments/reproduce.py gutmann article  some of them

The program needs matplotlib and the compiled menace; without a compiler it takes hours. It makes as many pages at a
time as there are processors.

Each experiment is a folder here. Its module `page` has two functions: `reproduce(folder)` writes the page and its
figures, and `sample()` returns lines of the page that take about a second to compute. For the pages in TESTED,
tests/tools/test_experiments.py looks for these lines. All pages are made before a release. They are reproducible to
the byte, so `git diff docs/reproductions` shows what has changed. docs/development/tools.md has the rules for a page.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

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
    "teachers",  # several minutes
    "fate",  # several minutes
    "laslier-walliser",  # five minutes
    "jehiel-samet",
    "one-axis",
]
# Pages whose source was read whole, and those that lessons use: docs/in-class.md and docs/notebooks/.
READ = ("gutmann", "q-table", "article", "sekeres", "sala")
TESTED = (*READ, "hexapawn", "menace-1961", "teachers", "fate")


def main() -> int:
    """Run the named experiments and return the exit status."""
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
    """Return the name of the module that makes the page."""
    return f"experiments.{name.replace('-', '_')}.page"


def make(name: str) -> float:
    """Make one page and return the seconds that it took."""
    start = time.perf_counter()
    importlib.import_module(module_of(name)).reproduce(FOLDER)
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
