"""Count the games until a machine that values each move by that move's last payoff is sure to win.

A machine is sure of reaching its goal if not even the best response to it, computed exactly, can prevent this. With
only two payoffs, a machine that is sure stays sure, because reaching the goal narrows its choices to the moves that it
just made.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from experiments.common import UNBEATEN, Bench, raw_numbers
from menace.arena.exact_strength import Strength, exploitability
from menace.arena.run_schedule import Marks
from menace.games.base import Side, SideText
from menace.games.plugins import game_in_file, register
from menace.learners.opponents.fixed import FIXED

PRESET, HER = "jehiel-samet", "gardner-1962"
MACHINES = 60  # the number of machines in each case
# the maximum number of games until a machine is sure of its goal, and the number of games in the other cases
MOST, SOME = 10_000_000, 100_000
AT = tuple(Marks.parse("log:40").list_up_to(MOST)[1:])  # each mark is 6 % higher than the previous one
SOON = AT[: AT.index(SOME) + 1]
LEARNER = "a learner"  # this teacher learns by the same rule as the machine
# Win-lose games, each with the side that can force a win.
GAMES: Mapping[tuple[str, str], SideText] = {
    ("nim", "9-take3"): "X",
    ("nim", "10-take3-misere"): "X",
    ("nim", "21-take3"): "X",
    ("nim", "1-2-3"): "O",
    ("nim", "3-4-5"): "X",
    ("nim", "1-3-5-7"): "O",
    ("hexapawn", "3x3"): "O",
    ("hexapawn", "3x4"): "X",
    ("hexapawn", "4x3"): "O",
    ("hexapawn", "4x4"): "X",
    ("notakto", "1"): "X",
    ("notakto", "2"): "O",
}
NOTAKTO = f"{Path(__file__).parents[3] / 'docs' / 'your-own-game' / 'notakto.py'}:Notakto"
for _game, _variant in GAMES:
    if _game == "notakto":
        register(game_in_file(NOTAKTO, _variant))
TEACHERS = ("random", "optimal", LEARNER)
Goal = Literal["win", "not lose"]


@dataclass(frozen=True)
class Case:
    """Machines of one kind and the teacher that they play against.

    Attributes:
        game, variant: the game.
        plays: the machines' side.
        teacher: a fixed opponent, or LEARNER.
        goal: the result that the machine should be sure of.
        everybody: whether it must be sure against every opponent, or only against its teacher.
        settings: replace settings of the preset, for a learning teacher too.
        preset: the preset of the machines.
        marks: the numbers of games after which the machine is measured, until it is sure.
    """

    game: str
    variant: str
    plays: SideText
    teacher: str
    goal: Goal = "win"
    everybody: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)
    preset: str = PRESET
    marks: tuple[int, ...] = AT


@dataclass(frozen=True)
class Trial:
    """The result for one machine.

    Attributes:
        sure: the first mark at which it is sure of its goal; infinite if there is none.
        missed: the number of games until then in which it missed its goal.
    """

    sure: float
    missed: int


def is_sure(strength: Strength, goal: Goal) -> bool:
    """Return whether a player with this strength is sure of reaching the goal."""
    return (1 - strength.win if goal == "win" else strength.loss) < UNBEATEN


def trial(bench: Bench, case: Case, seed: int) -> Trial:
    """Train a machine until it is sure of reaching its goal."""
    side = Side(case.plays)
    machine = bench.learner(case.preset, side, **case.settings)
    learns = case.teacher == LEARNER
    teacher = bench.learner(case.preset, side.other, **case.settings) if learns else case.teacher
    numbers, played, results = raw_numbers(seed, 0), 0, np.zeros(3, np.int64)
    # the indices of the outcomes (X wins, draw, O wins) that reach the goal
    reaching = [side.number * 2, *([1] if case.goal == "not lose" else [])]
    for mark in case.marks:
        results += bench.play(*side.x_and_o(machine, teacher), mark - played, numbers)
        played = mark
        strength = bench.worst(machine) if case.everybody else bench.against(machine, teacher, "greedy")
        if is_sure(strength, case.goal):
            return Trial(mark, played - int(results[reaching].sum()))
    return Trial(math.inf, played - int(results[reaching].sum()))


def trials(case: Case, machines: int = MACHINES) -> list[Trial]:
    """Return a trial for each machine in a case."""
    bench = Bench(variant=case.variant, game=case.game)
    return [trial(bench, case, seed) for seed in range(1, machines + 1)]


WON = {(title, teacher): Case(*title, plays, teacher) for title, plays in GAMES.items() for teacher in TEACHERS}
HELD_OUT = {title: Case(*title, plays, "perfect", everybody=False) for title, plays in GAMES.items()}
# The proof needs two conditions; each of these cases violates one of them. HER is Gardner's machine.
HEXAPAWN = ("hexapawn", "3x3", "O", "random")
BELOW = Case(*HEXAPAWN, settings={"initial_value": -2.0}, marks=SOON)
FIRST = Case(*HEXAPAWN, settings={"ties": "first"}, marks=SOON)
BY_HER = Case(*HEXAPAWN, preset=HER, marks=SOON)
# Games with three payoffs (1, 0, -1), and the same games with a draw that pays as little as a loss or as much as a win.
WILD = ("tictactoe", "3x3x3-wild", "X", "random")
THREE = Case(*WILD, marks=(SOME,))  # with three payoffs, a machine that is sure may not stay sure
NO_DRAWS = Case(*WILD, settings={"draw": -1.0}, marks=SOON)
TICTACTOE = "tictactoe", "3x3x3"
DRAWN = {side: Case(*TICTACTOE, str(side), "random", "not lose", marks=(SOME,)) for side in Side}
SAVED = {side: replace(case, settings={"draw": 1.0}, marks=SOON) for side, case in DRAWN.items()}
# Machines that average all payoffs and explore a little.
PAIRS, PAIR_GAMES = 20, 1_000_000
MEANS = {"average": True, "epsilon": 0.1}


def mean_pair(seed: int) -> tuple[float, float]:
    """Return the exploitability of greedy X and greedy O after they learn average payoffs by playing each other."""
    bench, numbers = Bench(), raw_numbers(seed, 0)
    x, o = (bench.learner(PRESET, side, **MEANS) for side in Side)
    bench.play(x, o, PAIR_GAMES, numbers)
    return exploitability(x.policy("greedy")), exploitability(o.policy("greedy"))


# Opponents that play the same policy in every game.
RIVALS = tuple(name for name, opponent in FIXED.items() if not opponent.later)


def alone(rival: str, side: Side) -> list[float]:
    """Return the exact payoffs of machines that learned average payoffs and play greedily against their teacher."""
    bench, payoffs = Bench(), []
    for seed in range(1, PAIRS + 1):
        machine = bench.learner(PRESET, side, **MEANS)
        bench.play(*side.x_and_o(machine, rival), PAIR_GAMES, raw_numbers(seed, 0))
        payoffs.append(bench.against(machine, rival).value)
    return payoffs
