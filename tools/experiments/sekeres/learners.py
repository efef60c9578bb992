"""Train the learners in Sekeres 2025, which are variants of Zhang's program."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.common import SEEDS, Bench, Machine, raw_numbers
from menace.arena.exact_strength import outcomes
from menace.games.base import ONGOING, Side
from menace.games.positions import Positions

GAMES = 3_000_000
EPSILON = 0.1
OWN_GAMES = 100_000  # the number of games that Zhang's unchanged program plays, with its own epsilon of 0.01
TEN = SEEDS[:10]
BASELINE, MINIMAX, NO_TIES, AGAINST_RANDOM, RANDOM = "Baseline", "Minimax", "No Ties", "Against Random", "Random"
MEANT, KNOWN_ENDS = "minimax as meant", "random, ends known"
# Sekeres' five learners, with his names, and two of ours, with names in lower case. Each learner has a preset and the
# settings that override those of the preset.
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    BASELINE: ("zhang", {}),
    MINIMAX: ("zhang-minimax", {}),
    NO_TIES: ("zhang-no-ties", {}),
    AGAINST_RANDOM: ("zhang", {}),
    RANDOM: ("zhang-random", {}),
    MEANT: ("zhang-minimax", {}),
    KNOWN_ENDS: ("zhang-random", {"initial": "uniform"}),
}
NAMES = tuple(KINDS)

Pairs: TypeAlias = dict[int, dict[str, list[Machine]]]  # [seed][name] contains X and O


def minimax_as_run(positions: Positions) -> NDArray[np.int64]:
    """Return what Sekeres' program uses as minimax values, from X's point of view, as an array [positions].

    In tic_tac_toe_functions.jl, `fill_minimax!` starts with the results of finished boards from X's point of view. The
    function then continues as if these were the results for the player to move. The value of a position becomes the
    largest negated value of its successors. Afterwards, `set_symbol!` again interprets the values from X's point of
    view.
    """
    value = positions.outcome.astype(np.int64)
    for position in range(len(positions) - 1, -1, -1):  # the successors of a position have higher numbers
        if positions.outcome[position] == ONGOING:
            value[position] = max(-value[positions.next_position[move]] for move in positions.moves_of(position))
    return value


def fresh(bench: Bench, name: str, seed: int) -> list[Machine]:
    """Return an untrained X and O of one kind."""
    preset, settings = KINDS[name]
    pair = [bench.learner(preset, side, 2 * seed + k, epsilon=EPSILON, **settings) for k, side in enumerate(Side)]
    if name == MINIMAX:
        as_run = minimax_as_run(bench.positions)
        for machine, sign in zip(pair, (1, -1), strict=True):
            ongoing = bench.positions.outcome == ONGOING
            machine.learned.amount[ongoing] = (1 + sign * as_run[ongoing]) / 2
    return pair


def train(bench: Bench, name: str, seed: int, games: int = GAMES) -> list[Machine]:
    """Return an X and an O of one kind after training."""
    x, o = fresh(bench, name, seed)
    if name == AGAINST_RANDOM:
        bench.play(x, "random", games, raw_numbers(seed, 0))
        bench.play("random", o, games, raw_numbers(seed, 0))
    else:
        bench.play(x, o, games, raw_numbers(seed, 0))
    return [x, o]


def as_it_comes(bench: Bench, seed: int) -> list[Machine]:
    """Return X and O of Zhang's unchanged program, trained for that program's own number of games."""
    x, o = (bench.learner("zhang", side) for side in Side)
    bench.play(x, o, OWN_GAMES, raw_numbers(seed, 0))
    return [x, o]


def all_against_all(bench: Bench, pairs: Pairs) -> NDArray[np.float64]:
    """Return the exact outcome probabilities of greedy play, as an array [X, O, seed of X, seed of O, outcome]."""
    policies = [[[bench.policy(p, p.side) for p in pairs[seed][name]] for seed in TEN] for name in NAMES]
    shape = (len(NAMES), len(NAMES), len(TEN), len(TEN))
    meetings = [outcomes(policies[i][a][0], policies[j][b][1]) for i, j, a, b in np.ndindex(shape)]
    return np.array(meetings).reshape(*shape, 3)
