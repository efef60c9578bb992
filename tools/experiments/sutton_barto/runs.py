"""Sutton and Barto's program for their first chapter: exact probabilities, and the runs for the exercises.

As in the authors' program, O learns against random X, and a draw is worth as little as a loss.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.common import SEEDS, STRENGTHS, Bench, Machine, raw_numbers, study
from experiments.sutton_barto import magic_square
from menace.arena.exact_strength import against
from menace.games.positions import Positions
from menace.games.symmetry import SymmetryUse
from menace.kernel import loop as kernel
from menace.learners.policy import Policy, greedy_policy
from menace.studies.study import Study

PRESET = "sutton-barto"
TWENTY = SEEDS
MARKS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
O = 1  # noqa: E741
MAGIC_SQUARE = f"{magic_square.__file__}:MagicSquare"
ITSELF = "itself"


@dataclass(frozen=True)
class Courses:
    """Exact results of greedy O after each number of games in MARKS, for each of twenty seeds."""

    study: Study
    measured: dict[str, NDArray[np.float64]]  # arrays [seeds, MARKS], indexed by measure

    def at(self, games: int, measure: str) -> NDArray[np.float64]:
        """Return a measure after the given number of games, as an array [seeds]."""
        return self.measured[measure][:, MARKS.index(games)]

    @cached_property
    def machines(self) -> list[Machine]:
        """The player O of each seed after the last game, reconstructed by replaying the games."""
        return [self.study.machine(seed) for seed in TWENTY]


@cache
def courses(
    teacher: str = "random",
    symmetry: SymmetryUse = "none",
    game: str = MAGIC_SQUARE,
    seeds: int = len(TWENTY),
    **settings: Any,
) -> Courses:
    """Teach an O for each seed. The teacher is a fixed player or an X that also learns (ITSELF)."""
    with study(
        game=game,
        symmetry=symmetry,
        preset=PRESET,
        plays="O",
        against={"preset": PRESET, **settings} if teacher == ITSELF else teacher,
        games=MARKS[-1],
        marks=",".join(map(str, MARKS)),
        seeds=seeds,
        policies="greedy",
        **settings,
    ) as played:
        return Courses(played, {name: played.array(name).reshape(seeds, -1)[:, 1:] for name in STRENGTHS})


# The following functions compute the two sets of probabilities exactly.


def winning_chances(
    positions: Positions,
    epsilon: float = 0.0,
    skipped: float = 0.0,
    x: Policy | None = None,
    allowed: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Return the probability that O wins from each of its afterstates, as an array [positions].

    Args:
        positions: the game.
        epsilon: how often O moves at random, 0 to 1, instead of making the best move by these values.
        skipped: the share of O's moves from which nothing is learned. Such moves occur only in games that go on, so the
            rule gives these games less weight than the games that X ends.
        x: the opponent; None stands for random X.
        allowed: [moves], the moves that O chooses from; None stands for all.
    """
    value: NDArray[np.float64] = np.where(positions.outcome == -1, 1.0, 0.0)
    ways = positions.multiplicity if x is None else np.where(x.moves_here[positions.position_of_move], x.probability, 1)
    over = positions.to_move < 0
    for position in np.flatnonzero(~over)[::-1]:  # the successors of a position have higher numbers
        moves = slice(*positions.first_move[position : position + 2])
        children, weight = positions.next_position[moves], ways[moves]
        after = value[children]
        if positions.to_move[position] == O:
            best = after.max() if allowed is None else after[allowed[moves]].max()
            value[position] = (1 - epsilon) * best + epsilon * after.mean()
        else:
            weight = weight * np.where(over[children], 1.0, 1.0 - skipped)
            value[position] = after @ weight / weight.sum()
    return value


def policy_of(positions: Positions, value: NDArray[np.float64], epsilon: float = 0.0) -> Policy:
    """Return the policy of an O that takes the most valuable afterstate and explores with probability epsilon."""
    return greedy_policy(positions, O, value[positions.next_position], epsilon)


def wins_of(bench: Bench, policy: Policy) -> float:
    """Return the probability that a given O wins against random X."""
    return against(policy, bench.policy("random", 0)).win


def with_smaller_steps(bench: Bench, seed: int, stages: int, first_games: int, **settings: Any) -> Machine:
    """Return O after several stages, each of which halves the step size and doubles the number of games."""
    machine, numbers = bench.learner(PRESET, "O", **settings), raw_numbers(seed, 0)
    for stage in range(stages):
        machine.settings = dataclasses.replace(machine.settings, alpha=machine.settings.alpha / (2 if stage else 1))
        bench.play("random", machine, first_games * 2**stage, numbers)
    return machine


# The following code is for an opponent that plays equivalent positions differently.


def one_sided(positions: Positions) -> Policy:
    """Return an X that takes the first free cell half of the time and a random free cell otherwise."""
    ways = positions.multiplicity.astype(np.int64)
    first = np.zeros_like(ways)
    first[positions.first_move[:-1][positions.to_move >= 0]] = 1
    weights = ways + first * positions.sum_over_moves(ways).astype(np.int64)[positions.position_of_move]
    return Policy.of_weights(positions, 0, weights.astype(np.int32))


class OneSided:
    """Games of O against the one-sided X, with a value for each board or for each class of equivalent boards."""

    def __init__(self, bench: Bench, folded: Bench) -> None:
        self.bench = bench
        positions = bench.positions
        self.x = one_sided(positions)
        weights = self.x.parts[0][1]
        self.seat = kernel.FixedPlayer(bench.arena.graph, weights, positions.sum_over_moves(weights).astype(np.int32))
        classes = np.array([folded.position(board) for board in positions.boards])
        self.equivalent = [np.flatnonzero(classes == number) for number in range(len(folded.positions))]
        self.classes = classes

    def teach(self, seed: int, games: int, shared: bool, **settings: Any) -> Machine:
        """Return O after its games.

        If values are shared, all equivalent boards receive the new values after each game.
        """
        machine, arena = self.bench.learner(PRESET, "O", **settings), self.bench.arena
        if not shared:
            seat = self.bench.player(machine, True)
            arena.play(self.seat, seat, raw_numbers(seed, 0), games, float("inf"))
            return machine
        seat, amount = self.bench.player(machine, True), machine.learned.amount
        numbers, after = raw_numbers(seed, 0), self.bench.positions.next_position
        for _ in range(games):
            taken = arena.play(self.seat, seat, numbers, 1, float("inf")).numbers
            for move in arena.plies[1][1:taken:2].tolist():
                board = after[move]
                amount[self.equivalent[self.classes[board]]] = amount[board]
        return machine

    def wins(self, machine: Machine) -> float:
        """Return the exact probability that greedy O wins."""
        return against(machine.policy("greedy"), self.x).win

    def best(self) -> NDArray[np.float64]:
        """Return the probability that the strongest O wins from each of its afterstates, as an array [positions]."""
        return winning_chances(self.bench.positions, x=self.x)

    def apart(self) -> NDArray[np.float64]:
        """Return the range of the best O's probabilities within each class of equivalent boards after O's moves."""
        best = self.best()
        own = self.bench.positions.to_move == 0
        return np.array([np.ptp(best[boards]) for boards in self.equivalent if own[boards[0]]])
