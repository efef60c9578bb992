"""Define the claims, the searches and the machines for the question of how Michie should have filled his boxes.

page.py writes the page.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.claims import Claim
from experiments.common import UNBEATEN, Bench, raw_numbers
from menace.analysis.groups import Estimate, estimate, mean
from menace.learners.policy import PolicyName
from menace.learners.registry import get_preset
from menace.studies.design import Design
from menace.studies.runner import Chunk, score_machines
from menace.studies.search import Search

DESIGN = Path(__file__).parents[3] / "docs" / "rebuilt.toml"  # the same design as in docs/studies.md
TEACHERS = ("perfect", "imperfect:0.1", "imperfect:0.3", "random")
LENGTHS = (20, 220, 2_000)  # the numbers of games over which losses are counted
SEARCHED = {"seeds": 256, "fresh_seeds": 1}  # the page measures the settings with different seeds
SEEDS = range(100_001, 101_001)  # the seeds of the machines that are compared
EVENING = 220  # the number of games before the machines are measured or change teachers; Michie also played 220 games
LONG = 2_000
FALLEN = "best_response.losses"  # the measure that a search minimises to find machines that quickly become unbeatable

REWARDS = {name: getattr(get_preset("rebuilt").settings, name) for name in ("win", "draw", "loss")}
MACHINES: Mapping[str, dict[str, Any]] = {
    "Michie's": {},
    "one bead, Michie's rewards": {"beads": (1,)},
    "Michie's beads, large rewards": REWARDS,
    "rebuilt": {"beads": (1,), **REWARDS},
}
MICHIE, ONE_BEAD, LARGE, REBUILT = MACHINES

# The following claims were committed before the program ran.

# the rebuilt machine counts as being as good as the best machine found if it loses at most this many times as often
NEAR = 1.1
SOON = 0.5  # the share of machines that must be unbeatable
CLAIMS = {
    "few": Claim(
        "The rebuilt machine loses fewer games than Michie's with every teacher.",
        "ours",
        f"it loses fewer games with 95 % confidence, with each of {len(TEACHERS)} teachers, over"
        f" {', '.join(f'{games:,}' for games in LENGTHS[:-1])} and {LENGTHS[-1]:,} games",
        "number",
    ),
    "beads": Claim(
        "Michie should have started with one bead of each colour instead of four.",
        "ours",
        f"with one bead and Michie's rewards, a machine loses fewer of {EVENING} games with 95 % confidence, with each"
        " teacher",
        "number",
    ),
    "both": Claim(
        "Large rewards work best together with one bead of each colour.",
        "ours",
        f"with Michie's beads and large rewards, a machine loses more of {EVENING} games than the rebuilt machine with"
        " 95 % confidence, with each teacher",
        "number",
    ),
    "near": Claim(
        "The rebuilt machine is nearly as good as the best settings of each search, so one machine suits all aims.",
        "ours",
        f"the rebuilt machine loses at most {NEAR} times as many games as a machine with the best settings of each"
        " search",
        "number",
    ),
    "price": Claim(
        "The rebuilt machine learns sooner, but in the end it is easier to beat.",
        "ours",
        f"after {LONG:,} games it loses more often to its best response than Michie's machine does, with 95 %"
        " confidence, with each teacher",
        "number",
    ),
    "soon": Claim(
        "The rebuilt machine becomes unbeatable sooner.",
        "ours",
        f"after {LONG:,} games, more rebuilt machines than machines of Michie's are unbeatable, with 95 % confidence,"
        " with each teacher",
        "number",
    ),
    "moved": Claim(
        "The rebuilt machine also copes better with a new teacher.",
        "ours",
        f"after {EVENING} games with one teacher, it loses fewer of the next {EVENING} games with another teacher, with"
        " 95 % confidence, for each pair of teachers",
        "number",
    ),
}

# The following functions compute the results.


@cache
def _scores(
    settings: tuple[tuple[str, Any], ...], teacher: str, games: int, measure: str, seeds: range
) -> NDArray[np.float64]:
    (cell,) = Design(settings=dict(settings), against=[teacher], games=games).all_settings()
    policy: PolicyName = "behaviour" if measure.startswith("training") else "greedy"
    chunk = Chunk(0, cell.text, b"", games, (games,), (policy,), tuple(seeds))
    return np.array(score_machines(chunk, measure))


def scores(
    settings: Mapping[str, Any], teacher: str, games: int, measure: str = "training.losses", seeds: range = SEEDS
) -> NDArray[np.float64]:
    """Return each machine's score (see docs/studies.md); strength is measured with greedy play."""
    return _scores(tuple(settings.items()), teacher, games, measure, seeds)


def difference(one: str, other: str, teacher: str, games: int, measure: str = "training.losses") -> Estimate:
    """Return the mean difference between the scores of two machines, paired by seed."""
    pairs = scores(MACHINES[one], teacher, games, measure) - scores(MACHINES[other], teacher, games, measure)
    return estimate(pairs, mean)


def unbeatable(settings: Mapping[str, Any], teacher: str, games: int) -> NDArray[np.float64]:
    """Return 1 for each machine that is unbeatable, and 0 for all others."""
    return (scores(settings, teacher, games, FALLEN) < UNBEATEN) * 1.0


def moved(settings: Mapping[str, Any], teacher: str, then: str) -> NDArray[np.float64]:
    """Return how many games each machine loses to a second teacher, after EVENING games with the first teacher."""
    both = scores(settings, f"{teacher}:{EVENING},{then}", 2 * EVENING)
    return both - scores(settings, teacher, EVENING)


@cache
def searched(teacher: str, games: int, measure: str) -> dict[str, Any]:
    """Return the settings found by the search in docs/studies.md for the given teacher, number of games and measure."""
    table = tomllib.loads(DESIGN.read_text(encoding="utf-8"))
    table |= {**SEARCHED, "against": teacher, "games": games, "minimise": measure}
    table["policies"] = "behaviour" if measure.startswith("training") else "greedy"
    with TemporaryDirectory() as folder:
        found = Search(Path(folder) / "page.study", table).run().rows[0]
    beads, *rewards = found[:4]
    return {"beads": tuple(map(int, beads.split(","))), **dict(zip(REWARDS, map(int, rewards), strict=True))}


def beads(settings: Mapping[str, Any], teacher: str, seeds: range = SEEDS[:20]) -> tuple[int, float]:
    """Return the number of beads in all boxes before the first game, and the mean number after EVENING games."""
    bench, after = Bench(), []
    for seed in seeds:
        machine = bench.learner("menace", "X", **settings)
        before = int(machine.learned.amount[machine.learned.kept].sum())
        bench.play(machine, teacher, EVENING, raw_numbers(seed, 0))
        after.append(machine.learned.amount[machine.learned.kept].sum())
    return before, float(np.mean(after))
