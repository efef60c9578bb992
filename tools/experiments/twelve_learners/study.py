"""Train twelve learners on both sides with two teachers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.common import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, UNBEATEN, VERMILION, study
from experiments.teachers.study import Question
from menace.arena.run_schedule import Marks
from menace.games.base import Side

# the number of machines for each learner, side and teacher, and the number of games that each machine plays
SEEDS, GAMES = 30, 100_000
MARKS = Marks().list_up_to(GAMES)
# The preset, colour and dash pattern of each learner; related learners have the same colour.
LEARNERS = {
    "menace": ("menace", VERMILION, "-"),
    "favourite": ("johnson-2013", VERMILION, "--"),
    "odds": ("michie-1963", ORANGE, "-"),
    "td": ("td", BLUE, "-"),
    "td-lambda": ("td-lambda", BLUE, "--"),
    "monte-carlo": ("monte-carlo", SKY, "-"),
    "n-step-sarsa": ("n-step-sarsa", SKY, "--"),
    "sarsa": ("sarsa", GREEN, "-"),
    "expected-sarsa": ("expected-sarsa", GREEN, "--"),
    "q-learning": ("q-learning", PURPLE, "-"),
    "double-q-learning": ("double-q-learning", PURPLE, "--"),
    "ucb1": ("ucb1", BLACK, "-"),
}
NAMES = list(LEARNERS)
TEACHERS = {"random": "taught by random play", "itself": "taught by itself"}
# The cases, indexed by (teacher, side).
CASES = {(teacher, side.number): f"{side}, {words}" for teacher, words in enumerate(TEACHERS.values()) for side in Side}
MEASURES = {
    "random.value": "against random play",
    "optimal.value": "against optimal play",
    "best_response.value": "against the best response",
}
RANDOM, OPTIMAL, WORST = range(len(MEASURES))

# The following rules for answering were written before the study was run.

HALF = 0.5  # the share of the machines that must draw
MOST = 6  # the number of learners, out of the eleven others, that counts as most of them
ALIKE = 0.7  # the minimum rank correlation for twelve learners; values below 0.59 may be due to chance (two-sided, 5 %)
PAIRS = (
    ("td-lambda", "td"),
    ("n-step-sarsa", "sarsa"),
    ("expected-sarsa", "sarsa"),
    ("double-q-learning", "q-learning"),
)
PAIRED = "its mean result against the best response differs with 95 % confidence"
QUESTIONS = (
    Question(
        "Do the other learners draw with optimal play after fewer games than `menace`?",
        "ours",
        f"yes, if at least {MOST} of the {len(NAMES) - 1} others do so in each of the four cases; no, if fewer than"
        f" {MOST} do so in each case; otherwise mixed",
    ),
    Question(
        "Does strength against random play rank the learners in the same order as strength against the best response?",
        "ours; textbooks' programs often measure against random play",
        f"yes, if Spearman's rank correlation of the final means is at least {ALIKE} in each of the four cases; no,"
        " if it is below 0.7 in each case; otherwise mixed",
    ),
    Question(
        "Are the textbooks' later learners stronger than those that they refine?",
        "ours",
        f"a learner is stronger or weaker in a case if {PAIRED}; yes, if the later learner is stronger in"
        " more cases than it is weaker",
    ),
    Question(
        "Does a machine learn more by self-play than from a random teacher?",
        f"ours; [teachers](teachers.md) has four of the {len(NAMES)} learners, after 50,000 games",
        f"a learner learns more or less if {PAIRED}; yes for a side, if at least {MOST} of {len(NAMES)} learners learn"
        " more, and fewer learn less",
    ),
    Question(
        "Is one learner the best in all four cases?",
        "ours",
        "yes, if one learner has the highest final mean against the best response in each case",
    ),
)


# The following functions run the study.


def design(name: str, games: int = GAMES, seeds: int = SEEDS) -> dict[str, Any]:
    """Return the design of the study of a learner, with both sides and both teachers."""
    preset = LEARNERS[name][0]
    teachers = {"grid": {"plays": list(Side)}, "against": ["random", {"preset": preset}]}
    return {"preset": preset, **teachers, "games": games, "seeds": seeds, "policies": "greedy"}


def strengths(games: int = GAMES, seeds: int = SEEDS) -> NDArray[np.float64]:
    """Return wins minus losses of greedy machines, as an array [measures, learners, sides, teachers, seeds, marks]."""
    values = []
    for name in LEARNERS:
        with study(**design(name, games, seeds)) as played:
            values.append([played.array(measure)[:, :, 0] for measure in MEASURES])
    return np.array(values).swapaxes(0, 1)


def half_draw(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the first mark at which half of the machines draw with optimal play, or infinity if they never do."""
    drawn = (strengths[OPTIMAL] > -UNBEATEN).mean(axis=-2) >= HALF
    return np.where(drawn.any(axis=-1), np.array(MARKS)[drawn.argmax(axis=-1)], np.inf)
