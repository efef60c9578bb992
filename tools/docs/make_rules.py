"""Make menace/games/known.csv, the table that `menace rules` prints, by enumerating every variant in the table.

    python tools/docs/make_rules.py          write it
    python tools/docs/make_rules.py --check  change nothing; exit 1 and print what is out of date

The program takes one or two minutes. The largest variant needs 1 GB of memory.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from pathlib import Path

import numpy as np

from menace.games import Known, get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions

TABLE = Path(__file__).parents[2] / "menace" / "games" / "known.csv"

# Each variant was chosen because it was published, can be built from matchboxes, or is won by a different side.
VARIANTS = {
    "tictactoe": (
        *("3x3x3", "3x3x3-misere", "3x3x3-wild", "3x3x3-wild-misere"),
        *("3x4x3", "4x4x3", "4x4x4"),
    ),
    "connect": ("3x3x3", "4x4x3", "4x4x4"),
    "hexapawn": ("3x3", "3x4", "4x3", "4x4"),
    "nim": ("9-take3", "10-take3-misere", "21-take3", "21-take3-misere", "1-2-3", "3-4-5", "3-4-5-misere", "1-3-5-7"),
}


def known_variant(game: str, variant: str) -> Known:
    """Enumerate a variant of a game, and return its row in the table."""
    positions = enumerate_positions(get_game(game, variant))
    # Count the boxes as with the setting `boxes=choices`, before symmetry is applied.
    several = positions.action_counts > 1
    different = np.diff(positions.first_move) > 1
    counts = (
        int(np.count_nonzero(positions_where & positions.moved_by(side.number)))
        for positions_where in (several, different)
        for side in Side
    )
    ends = (int(positions.minimax[0]), int(positions.plies_to_end[0]), positions.longest)
    return Known(game, variant, len(positions), *counts, *ends)


def make_table() -> str:
    """Return the whole table as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(Known._fields)
    writer.writerows(known_variant(game, variant) for game, variants in VARIANTS.items() for variant in variants)
    return file.getvalue()


def main() -> int:
    """Write or check the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if the table is out of date")
    check = parser.parse_args().check
    new = make_table()
    if not check:
        TABLE.write_text(new, encoding="utf-8")
        return 0
    old = TABLE.read_text(encoding="utf-8")
    print("".join(f"{line}\n" for line in new.splitlines() if line not in old.splitlines()), end="")
    return 1 if new != old else 0


if __name__ == "__main__":
    sys.exit(main())
