"""Measure menace and other programs that do the same work.

    .venv/bin/pip install --quiet -e '.[bench]'
    .venv/bin/python tools/benchmarks/measure_peers.py                a table in Markdown; about ten minutes
    .venv/bin/python tools/benchmarks/measure_peers.py --json > FILE  all measurements as JSON
    .venv/bin/python tools/benchmarks/measure_peers.py --write        also docs/development/peers.md and its picture
    .venv/bin/python tools/benchmarks/measure_peers.py --of FILE      the table from a JSON file, without measuring
    .venv/bin/python tools/benchmarks/measure_peers.py --row TD       only rows whose title contains TD

peers/programs_by_task.py lists the programs: textbook programs, OpenSpiel, PettingZoo, pgx, matchbox-rl, our kernel
(compiled and uncompiled), C programs, and whole commands. The programs in each row run alternately on a single core.
The processor time of a program includes that of the commands that it starts. Ratios are computed within each round.
In the table, libraries that are not installed are marked as missing.

The program exits with 1 unless TD training is faster than a textbook program by at least the ratio in the budget.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from menace.kernel import loop as kernel

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.peers.measuring import measure
from benchmarks.peers.page import Record, format_significant, page, ratios, record, table
from benchmarks.peers.programs_by_task import ROWS

DOCS = Path(__file__).parents[2] / "docs"
# minimum ratio of our games per second to the textbook program's
BUDGETS = {"menace": 5000.0, "menace, not compiled": 40.0}
BUDGET_ROW = "TD(0) learns, both sides"


def use_one_core() -> None:
    """Run this process and its children on a single core, if the system supports this."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def check_budgets(measured: Record) -> bool:
    """Print whether TD training beats a textbook program by the ratios in BUDGETS, and return the result."""
    hold = True
    for row in measured["rows"]:
        textbook = row["programs"][-1]
        if row["title"] != BUDGET_ROW or not textbook["seconds"]:
            continue
        for program in row["programs"]:
            if program["name"] in BUDGETS:
                pair = {"programs": [program]}
                ratio, least = ratios(pair, textbook)[1], BUDGETS[program["name"]]
                hold &= ratio >= least
                verdict = "holds" if ratio >= least else "FAILS"
                words = f"{program['name']} compared with the textbook program for TD"
                print(
                    f"{verdict}  {words}: {format_significant(ratio)} times, at least {format_significant(least)}",
                    file=sys.stderr,
                )
    return hold


def write(measured: Record) -> None:
    """Write the page and its picture."""
    from benchmarks.peers.picture import picture

    (DOCS / "pictures" / "measured").mkdir(exist_ok=True)
    (DOCS / "pictures" / "measured" / "peers.svg").write_bytes(picture(measured))
    (DOCS / "development" / "peers.md").write_text(page(measured), encoding="utf-8")


def main() -> int:
    """Run all measurements and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="minimum time per program and round (default 0.5)")
    parser.add_argument("--row", metavar="TEXT", default="", help="measure only rows whose title contains TEXT")
    parser.add_argument("--json", action="store_true", help="print the measurements as JSON")
    parser.add_argument("--write", action="store_true", help="write the page and its picture")
    parser.add_argument("--of", metavar="FILE", type=Path, help="read measurements from this JSON file")
    options = parser.parse_args()
    rows = [row for row in ROWS if options.row.lower() in row.title.lower()]
    if not rows:
        parser.error(f"no row title contains {options.row!r}")
    if options.of:
        measured = json.loads(options.of.read_text(encoding="utf-8"))
    elif not kernel.COMPILED:
        sys.exit("the kernel is not compiled; see CONTRIBUTING.md")
    else:
        use_one_core()
        measured = record(measure(rows, options.rounds, options.seconds), options.rounds, options.seconds)
    print(json.dumps(measured, indent=1) if options.json else table(measured))
    if options.write:
        write(measured)
    return 0 if check_budgets(measured) else 1


if __name__ == "__main__":
    sys.exit(main())
