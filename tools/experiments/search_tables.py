"""Measure how much the strength of `mcts:N` depends on the seed of its table.

    python tools/experiments/search_tables.py              100 tables of mcts:100 in tic-tac-toe: two minutes
    python tools/experiments/search_tables.py 30 --tables 20

The program prints the mean ± the standard deviation and the range over the tables 0, 1, 2, ...; the player `mcts:N`
uses table 0.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from statistics import fmean, stdev

from menace.arena.exact_strength import against, strength_against_best_response
from menace.games.enumeration import tictactoe
from menace.learners.opponents.fixed import fixed_policy
from menace.learners.opponents.monte_carlo_search import choice_frequencies
from menace.learners.policy import Policy


def losses(playouts: int, table: int) -> dict[str, float]:
    """Return the percentage of games that a table loses, for each side and opponent."""
    positions, weights = tictactoe(), choice_frequencies(tictactoe(), playouts, table)
    lost = {}
    for side, name in enumerate("XO"):
        policy = Policy.of_weights(positions, side, weights, f"mcts:{playouts}")
        lost[f"{name} against optimal play"] = 100 * against(policy, fixed_policy("optimal", positions, 1 - side)).loss
        lost[f"{name} against its best response"] = 100 * strength_against_best_response(policy).loss
    return lost


def main() -> None:
    """Measure the tables, and print how much their losses vary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("playouts", nargs="?", type=int, default=100)
    parser.add_argument("--tables", type=int, default=100)
    options = parser.parse_args()
    measured: defaultdict[str, list[float]] = defaultdict(list)
    for table in range(options.tables):
        for name, lost in losses(options.playouts, table).items():
            measured[name].append(lost)
    for name, lost in measured.items():
        spread = f"{fmean(lost):.1f} ± {stdev(lost):.1f} %, from {min(lost):.1f} to {max(lost):.1f} %"
        print(f"mcts:{options.playouts}, {name}: table 0 loses {lost[0]:.1f} %; {len(lost)} tables lose {spread}")


if __name__ == "__main__":
    main()
