"""Run published experiments afresh, and write what came of them to docs/reproductions/.

    python tools/reproduce.py                   all of them
    python tools/reproduce.py gutmann article   some of them

Needs matplotlib, besides menace itself (compiled: without a compiler it takes hours).
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "reproductions"

# The name of a page, and the module in tools/reproductions/ that makes it.
REPRODUCTIONS = {
    "gutmann": "gutmann",
    "q-table": "q_table",
    "article": "article",
    "sekeres": "sekeres",
    "sala": "sala",
    "michie-1963": "michie",
    "symmetry": "symmetry",
    "hexapawn": "hexapawn",
}


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
    for name in names:
        start = time.perf_counter()
        importlib.import_module(f"reproductions.{REPRODUCTIONS[name]}").reproduce(FOLDER)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
