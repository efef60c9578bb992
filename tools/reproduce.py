"""Run published experiments afresh, and write the results to docs/reproductions/.

    python tools/reproduce.py                   all of them
    python tools/reproduce.py gutmann article   some of them

Needs matplotlib, besides menace itself (compiled: without a compiler it takes hours). As many pages are made at a
time as there are processors.

A page is a module in tools/reproductions/ with two functions: `reproduce(folder)` writes the page and its figures;
`sample()` gives lines of the page that a second of computing suffices for. tests/test_reproductions.py looks for the
lines of the pages in TESTED. All pages are made before a release; they are the same to the byte, so that
`git diff docs/reproductions` shows what has changed. docs/development/tools.md has the rules for what stands on a page.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "reproductions"

# The name of a page, and the module in tools/reproductions/ that makes it.
REPRODUCTIONS = {
    "gutmann": "gutmann",
    "q-table": "q_table",
    "article": "article",
    "sekeres": "sekeres",
    "sala": "sala",
    "menace-1961": "menace_1961_page",
    "michie-1963": "michie",
    "symmetry": "symmetry",
    "hexapawn": "hexapawn",
    "sutton-barto": "sutton_barto",
    "wos": "wos",
    "tournaments": "tournaments",
    "teachers": "teachers_page",
    "laslier-walliser": "laslier_walliser_page",  # five minutes
    "jehiel-samet": "jehiel_samet_page",
    "one-axis": "one_axis_page",
}
# Pages whose source was read whole, and those that lessons use: docs/in-class.md and docs/notebooks/.
READ = ("gutmann", "q-table", "article", "sekeres", "sala")
TESTED = (*READ, "hexapawn", "menace-1961")


def main() -> int:
    """Run the experiments that are named; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(REPRODUCTIONS)} (all of them if none is named)"
    )
    names = parser.parse_args().names or list(REPRODUCTIONS)
    for name in names:
        if name not in REPRODUCTIONS:
            parser.error(f"no reproduction is called {name!r}; choose one of {', '.join(REPRODUCTIONS)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(min(len(names), os.cpu_count() or 1)) as workers:
        for name, seconds in zip(names, workers.map(make, names), strict=True):
            print(f"{name}: {seconds:.0f} s", flush=True)
    return 0


def make(name: str) -> float:
    """Make one page; return the seconds that it took."""
    start = time.perf_counter()
    importlib.import_module(f"reproductions.{REPRODUCTIONS[name]}").reproduce(FOLDER)
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
