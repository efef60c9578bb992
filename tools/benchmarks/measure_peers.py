"""Measure menace beside other programs that do the same work, in one run.

    .venv/bin/pip install --quiet -e '.[bench]'
    .venv/bin/python tools/benchmarks/measure_peers.py                a table in Markdown; some ten minutes
    .venv/bin/python tools/benchmarks/measure_peers.py --json > FILE  all that was measured
    .venv/bin/python tools/benchmarks/measure_peers.py --write        docs/development/peers.md and its picture as well
    .venv/bin/python tools/benchmarks/measure_peers.py --of FILE      of what --json printed, without measuring
    .venv/bin/python tools/benchmarks/measure_peers.py --row TD       only rows with this in their title

Programs of textbooks, OpenSpiel, PettingZoo, pgx, matchbox-rl, our kernel compiled and not, C and whole commands: all
stand in peers/rows.py. Those of a row take turns on one core, timed by the processor's time, that of their commands
included; ratios are made in each round. A library that is not installed is said to be missing.

Exits 1 if a budget does not hold: of TD training beside a textbook's program.
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
from benchmarks.peers.page import Record, figures, page, ratios, record, table
from benchmarks.peers.rows import ROWS

DOCS = Path(__file__).parents[2] / "docs"
BUDGETS = {"menace": 5000.0, "menace, not compiled": 40.0}  # times the textbook program's games a second
BUDGET_ROW = "TD(0) learns, both sides"


def one_core() -> None:
    """Keep this process, and what it starts, on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def budgets_hold(measured: Record) -> bool:
    """Print whether TD training is as many times as fast as a textbook's program as it is to be."""
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
                words = f"{program['name']} beside the textbook's program for TD"
                print(f"{verdict}  {words}: {figures(ratio)} times, at least {figures(least)}", file=sys.stderr)
    return hold


def write(measured: Record) -> None:
    """Write the page and its picture."""
    from benchmarks.peers.picture import picture

    (DOCS / "pictures" / "measured").mkdir(exist_ok=True)
    (DOCS / "pictures" / "measured" / "peers.svg").write_bytes(picture(measured))
    (DOCS / "development" / "peers.md").write_text(page(measured), encoding="utf-8")


def main() -> int:
    """Measure everything; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each program in a round, at least (0.5)")
    parser.add_argument("--row", metavar="TEXT", default="", help="only rows whose title has this")
    parser.add_argument("--json", action="store_true", help="print what was measured as JSON")
    parser.add_argument("--write", action="store_true", help="write the page and its picture")
    parser.add_argument("--of", metavar="FILE", type=Path, help="take this JSON, and measure nothing")
    options = parser.parse_args()
    rows = [row for row in ROWS if options.row.lower() in row.title.lower()]
    if not rows:
        parser.error(f"no row has {options.row!r} in its title")
    if options.of:
        measured = json.loads(options.of.read_text(encoding="utf-8"))
    elif not kernel.COMPILED:
        sys.exit("the kernel is not compiled here; see CONTRIBUTING.md")
    else:
        one_core()
        measured = record(measure(rows, options.rounds, options.seconds), options.rounds, options.seconds)
    print(json.dumps(measured, indent=1) if options.json else table(measured))
    if options.write:
        write(measured)
    return 0 if budgets_hold(measured) else 1


if __name__ == "__main__":
    sys.exit(main())
