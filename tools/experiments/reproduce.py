"""Reproduce the published experiments, and write the results to docs/reproductions/.

    python tools/experiments/reproduce.py                  all of them
    python tools/experiments/reproduce.py gutmann article  some of them

The program requires matplotlib. A run takes about an hour with the compiled kernel, and many hours without it. The
program generates several pages in parallel, one for each of the computer's processors.

Each experiment has a folder in tools/experiments/. The module `page` in each folder defines two functions:
`reproduce(folder)` writes the page and its figures, and `sample()` returns results that take a second to compute. For
the pages in TESTED, tests/tools/test_experiments.py compares these results with NAME-sample.txt. Generate all pages
before a release: the files are reproducible byte for byte, so `git diff docs/reproductions` shows what has changed. The
rules for pages are in docs/development/tools.md.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # `experiments` is a package in tools/

FOLDER = Path(__file__).parents[2] / "docs" / "reproductions"

# The names of the pages.
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
    "laslier-walliser",  # seven minutes
    "jehiel-samet",
    "twelve-learners",
    "rebuilt",  # ten minutes
]
# Pages whose source was read completely, and pages that are used in docs/in-class.md, docs/notebooks/ and
# docs/building.md.
READ = ("gutmann", "q-table", "article", "sekeres", "sala")
TESTED = (*READ, "hexapawn", "menace-1961", "teachers", "fate", "rebuilt")


def main() -> int:
    """Run the named experiments, or all experiments by default, and return the exit status."""
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
    """Return the name of the module that writes a page."""
    return f"experiments.{name.replace('-', '_')}.page"


def make(name: str) -> float:
    """Write one page, and return the time taken in seconds."""
    start = time.perf_counter()
    importlib.import_module(module_of(name)).reproduce(FOLDER)
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
