"""Train hexapawn machines until they are unbeatable or can no longer improve.

The compiled kernel plays the games. Python code examines a machine only after it has lost a game. Whether a machine is
safe or stuck depends only on which colours are left in its boxes, not on the number of beads. Each combination of
colours is therefore examined only once.
"""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.common import BLACK, BLUE, GREEN, ORANGE, SKY, VERMILION, Bench, Machine, raw_numbers
from menace.arena.exact_strength import best_response, strength_against_best_response
from menace.games.symmetry import SymmetryUse
from menace.kernel.loop import FixedPlayer
from menace.learners.policy import Policy

GAMES = 1000  # the maximum number of games for each machine
MARKS = (10, 20, 50, 100, 1000)  # numbers of games after which the exploitability is measured
MADE = "made"
OPPONENTS = {
    "random": "random play",
    "optimal": "optimal play",
    MADE: "the best response",
}
MACHINES = 2000  # the number of machines for each rule and opponent; the seeds are 1, 2, ...


@dataclass(frozen=True)
class Rule:
    """A learning rule: a preset, the settings that differ from it, and whether mirror images share boxes."""

    name: str
    preset: str
    colour: str
    settings: dict[str, Any] = field(default_factory=dict)
    symmetry: SymmetryUse = "full"
    line: str = "-"  # the line style in figures


RULES = (
    Rule("HER (`gardner-1962`)", "gardner-1962", BLACK),
    Rule("`punish-all`", "punish-all", VERMILION),
    Rule("`plus-minus`", "plus-minus", BLUE),
    Rule("`plus-minus`, all beads", "plus-minus", SKY, {"credit": "all"}),
    Rule("HER, no box where a move is forced", "gardner-1962", GREEN, {"boxes": "choices"}, line="--"),
    Rule("HER, 37 boxes (no mirror)", "gardner-1962", ORANGE, symmetry="none"),
)


@dataclass
class Course:
    """The results of one machine's games.

    Attributes:
        lost: the number of games that it lost before it became unbeatable, or in total.
        safe: the number of games after which it is unbeatable, or infinity.
        stuck: the number of games after which X wins whatever the machine draws from the beads left, or infinity.
        empty: the number of its empty boxes.
        gave_up: whether a box of its first move is empty, so that it resigns at once after that opening.
        worst: [MARKS], the exact probability of losing to the best response.
    """

    lost: int = 0
    safe: float = math.inf
    stuck: float = math.inf
    empty: int = 0
    gave_up: bool = False
    worst: list[float] = field(default_factory=list)


class School:
    """A school in which the machines of one rule play a given opponent."""

    def __init__(self, rule: Rule, opponent: str) -> None:
        self.rule = rule
        self.opponent = opponent
        self.bench = Bench(rule.symmetry, "3x3", "hexapawn")
        self.solved: dict[bytes, tuple[bool, bool]] = {}
        self.made: dict[bytes, FixedPlayer] = {}

    def prospects(self, machine: Machine) -> tuple[bool, bool]:
        """Return whether the machine is unbeatable, and whether it can no longer become unbeatable."""
        left = machine.learned.amount > 0
        key = left.tobytes()
        if key not in self.solved:
            # The machine is safe if X can never win, and stuck if X can always win, whatever beads the machine draws.
            self.solved[key] = not self._x_wins(left, max), self._x_wins(left, min)
        return self.solved[key]

    def _x_wins(self, left: NDArray[np.bool_], drawn: Any) -> bool:
        """Return whether X can win if the machine always draws the best (`max`) or the worst (`min`) bead for X."""
        positions = self.bench.positions
        wins: list[bool] = (positions.outcome == 1).tolist()
        following, to_move = positions.next_position.tolist(), positions.to_move.tolist()
        for position in range(len(positions) - 1, -1, -1):
            if to_move[position] == 0:
                wins[position] = any(wins[following[move]] for move in positions.moves_of(position))
            elif to_move[position] == 1:
                after = [wins[following[move]] for move in positions.moves_of(position) if left[move]]
                wins[position] = drawn(after, default=True)  # the machine resigns at an empty box
        return wins[0]

    def player(self, machine: Machine) -> FixedPlayer:
        """Return the opponent. The best response is computed for the machine in its current state."""
        if self.opponent != MADE:
            return self.bench.player(self.opponent, False)
        key = machine.learned.amount.tobytes()
        if key not in self.made:
            reply = best_response(machine.policy()).parts[0][1].astype(np.int32)
            total = self.bench.positions.sum_over_moves(reply).astype(np.int32)
            self.made[key] = FixedPlayer(self.bench.arena.graph, reply, total)
        return self.made[key]

    def teach(self, seed: int) -> tuple[Course, list[Policy]]:
        """Train a new machine until it is safe or stuck, and return its results and its policies at MARKS."""
        machine, course = self.bench.learner(self.rule.preset, "O", **self.rule.settings), Course()
        arena, positions, policies = self.bench.arena, self.bench.positions, []
        o, x = self.bench.player(machine, True), self.player(machine)
        numbers = raw_numbers(seed, 0)
        for game in range(1, GAMES + 1):
            played = arena.play(x, o, numbers, 1, math.inf)
            if played.outcomes[0]:
                course.lost += 1
                safe, stuck = self.prospects(machine)
                if safe or stuck:
                    course.safe, course.stuck = (game, math.inf) if safe else (math.inf, game)
                    break
                x = self.player(machine) if self.opponent == MADE else x
            if game in MARKS:
                policies.append(machine.copy().policy())
        policies += [machine.policy()] * (len(MARKS) - len(policies))
        beads = positions.sum_over_moves(np.where(machine.learned.kept, machine.learned.amount, 0))
        empty = machine.boxed & (beads == 0)
        course.empty, course.gave_up = int(empty.sum()), bool((empty & (positions.ply == 1)).any())
        return course, policies

    def teach_all(self, machines: int) -> list[Course]:
        """Return the results of the given number of machines, including their exploitability."""
        taught = [self.teach(seed) for seed in range(1, machines + 1)]
        policies = [policy for _, case_policies in taught for policy in case_policies]
        losses = np.array([strength_against_best_response(policy).loss for policy in policies])
        for (course, _), worst in zip(taught, losses.reshape(-1, len(MARKS)), strict=True):
            course.worst = worst.tolist()
        return [course for course, _ in taught]


CoursesByCase = dict[tuple[str, str], list[Course]]  # the keys are (rule, opponent)


def teach_case(rule: Rule, opponent: str) -> list[Course]:
    """Return the results of all machines for one rule and one opponent."""
    return School(rule, opponent).teach_all(MACHINES)


def teach_everybody() -> CoursesByCase:
    """Return the results of all machines, computed in parallel."""
    cases = [(rule, opponent) for rule in RULES for opponent in OPPONENTS]
    with ProcessPoolExecutor() as pool:
        course_lists = pool.map(teach_case, *zip(*cases, strict=True))
        return {(rule.name, opponent): courses for (rule, opponent), courses in zip(cases, course_lists, strict=True)}
