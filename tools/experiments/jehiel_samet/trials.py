"""A move is worth what its last game paid: after how many games whoever can win wins surely. Trials of many machines.

Sure is exact: the opponent made for the machine cannot keep it from its goal. Where a game pays a machine only two
amounts that is for good: a game that reaches the goal narrows its choice to what it has just played.
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
from menace.arena.marks_and_phases import Marks
from menace.games.base import Side, SideText
from menace.games.plugins import game_in_file, register

PRESET, HER = "jehiel-samet", "gardner-1962"
MACHINES = 60  # of each case
MOST, SOME = 10_000_000, 100_000  # games: until the last is sure to win; where there is nothing to wait for
AT = tuple(Marks.parse("log:40").list_up_to(MOST)[1:])  # each 6 % later than the one before
SOON = AT[: AT.index(SOME) + 1]
LEARNER = "a learner"  # by the same rule
# Win-lose games, and who can win. Of equal names there are several variants.
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
    """Machines of one kind and their teacher.

    Attributes:
        game, variant: what is played.
        plays: the machines' side.
        teacher: a fixed opponent, or LEARNER.
        goal: what is to be sure: to win, or not to lose.
        everybody: whether it is to be sure of it against any opponent, or against the teacher alone.
        settings: that replace some of the preset's, the learning teacher's among them.
        preset: of the machines.
        marks: games after which it is looked at, until it is sure, or to the last.
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
    """What became of a machine.

    Attributes:
        sure: the first mark at which its goal is sure; infinite if none was.
        missed: games in which it did not reach its goal until then, or in all.
    """

    sure: float
    missed: int


def is_sure(strength: Strength, goal: Goal) -> bool:
    """Say whether a goal is sure for who is so strong."""
    return (1 - strength.win if goal == "win" else strength.loss) < UNBEATEN


def trial(bench: Bench, case: Case, seed: int) -> Trial:
    """Teach a machine until its goal is sure."""
    side = Side(case.plays)
    machine = bench.learner(case.preset, side, **case.settings)
    learns = case.teacher == LEARNER
    teacher = bench.learner(case.preset, side.other, **case.settings) if learns else case.teacher
    numbers, played, results = raw_numbers(seed, 0), 0, np.zeros(3, np.int64)
    reaching = [side.number * 2, *([1] if case.goal == "not lose" else [])]  # of X won, drawn, O won
    for mark in case.marks:
        results += bench.play(*side.x_and_o(machine, teacher), mark - played, numbers)
        played = mark
        strength = bench.worst(machine) if case.everybody else bench.against(machine, teacher, "greedy")
        if is_sure(strength, case.goal):
            return Trial(mark, played - int(results[reaching].sum()))
    return Trial(math.inf, played - int(results[reaching].sum()))


def trials(case: Case, machines: int = MACHINES) -> list[Trial]:
    """Return the trials of a case."""
    bench = Bench(variant=case.variant, game=case.game)
    return [trial(bench, case, seed) for seed in range(1, machines + 1)]


WON = {(title, teacher): Case(*title, plays, teacher) for title, plays in GAMES.items() for teacher in TEACHERS}
HELD_OUT = {title: Case(*title, plays, "perfect", everybody=False) for title, plays in GAMES.items()}
# The conditions of the proof, each left out in turn, and Gardner's machine beside the rule.
HEXAPAWN = ("hexapawn", "3x3", "O", "random")
BELOW = Case(*HEXAPAWN, settings={"initial_value": -2.0}, marks=SOON)
FIRST = Case(*HEXAPAWN, settings={"ties": "first"}, marks=SOON)
BY_HER = Case(*HEXAPAWN, preset=HER, marks=SOON)
# Three payoffs: 1, 0, -1; and the same game with a draw that pays as a loss, or as a win.
WILD = ("tictactoe", "3x3x3-wild", "X", "random")
THREE = Case(*WILD, marks=(SOME,))  # what is sure now need not be so later
NO_DRAWS = Case(*WILD, settings={"draw": -1.0}, marks=SOON)
TICTACTOE = "tictactoe", "3x3x3"
DRAWN = {side: Case(*TICTACTOE, str(side), "random", "not lose", marks=(SOME,)) for side in Side}
SAVED = {side: replace(case, settings={"draw": 1.0}, marks=SOON) for side, case in DRAWN.items()}
# Means of all payoffs, both players, with some exploration.
PAIRS, PAIR_GAMES = 20, 1_000_000
MEANS = {"average": True, "epsilon": 0.1}


def mean_pair(seed: int) -> tuple[float, float]:
    """Return how exploitable X and O are at their best, who learned from each other by means."""
    bench, numbers = Bench(), raw_numbers(seed, 0)
    x, o = (bench.learner(PRESET, side, **MEANS) for side in Side)
    bench.play(x, o, PAIR_GAMES, numbers)
    return exploitability(x.policy("greedy")), exploitability(o.policy("greedy"))
