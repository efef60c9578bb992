"""Twelve learners on one axis: a study of learners, sides, teachers and seeds. page.py writes the page."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.common import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, UNBEATEN, VERMILION, study
from experiments.teachers.study import Question
from menace.arena.marks_and_phases import Marks
from menace.games.base import Side

SEEDS, GAMES = 30, 100_000  # machines of each learner, side and teacher, and the games that each learns from
MARKS = Marks().list_up_to(GAMES)
# Presets, and the colours and dashes of their lines; learners of a colour are akin.
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
# Cases by teacher and side.
CASES = {(teacher, side.number): f"{side}, {words}" for teacher, words in enumerate(TEACHERS.values()) for side in Side}
MEASURES = {
    "random.value": "against random play",
    "optimal.value": "against optimal play",
    "best_response.value": "against the best reply",
}
SAMPLED = 200  # games that the tests play again
RANDOM, OPTIMAL, WORST = range(len(MEASURES))

# --- what counts as an answer, written before anything was run -------------------------------------------------------

HALF = 0.5  # of the machines of a learner, a side and a teacher
MOST = 6  # of the eleven others
ALIKE = 0.7  # a rank correlation of twelve learners; below 0.59 it may be chance (two-sided, 5 %)
PAIRS = (
    ("td-lambda", "td"),
    ("n-step-sarsa", "sarsa"),
    ("expected-sarsa", "sarsa"),
    ("double-q-learning", "q-learning"),
)
PAIRED = (
    "the 95 % interval of the mean difference against the best reply, paired by seed, after all games, is without 0"
)
QUESTIONS = (
    Question(
        "Do the others come to draw with optimal play in fewer games than `menace`?",
        "ours",
        f"yes, if at least {MOST} of {len(NAMES) - 1} do at an earlier mark in all four cases, no, if in none; of a"
        f" learner {100 * HALF:.0f} % of its machines must draw, at their best",
    ),
    Question(
        "Does the order of learners by their strength against random play tell that against the best reply?",
        "ours; textbooks' programs often measure against random play",
        f"yes, if Spearman's rank correlation of means after all games is at least {ALIKE} in all four cases, no, if in"
        " none",
    ),
    Question(
        "Are the learners that textbooks have later stronger than those they refine?",
        "ours",
        f"a learner is stronger in a case if {PAIRED}; yes, if in more cases stronger than weaker",
    ),
    Question(
        "Does a machine learn more from itself than from random play?",
        f"ours; [teachers](teachers.md) has four of the {len(NAMES)} learners, after 50,000 games",
        f"a learner does if {PAIRED}; yes, if at least {MOST} of {len(NAMES)} do and fewer learn less, by sides",
    ),
    Question(
        "Is one learner ahead of all others in all four cases?",
        "ours",
        "yes, if one has the highest mean against the best reply, after all games, in each",
    ),
)


# --- the study -------------------------------------------------------------------------------------------------------


def design(name: str, games: int = GAMES, seeds: int = SEEDS) -> dict[str, Any]:
    """Return the design of the study of a learner: both sides, both teachers."""
    preset = LEARNERS[name][0]
    teachers = {"grid": {"plays": list(Side)}, "against": ["random", {"preset": preset}]}
    return {"preset": preset, **teachers, "games": games, "seeds": seeds, "policies": "greedy"}


def strengths(games: int = GAMES, seeds: int = SEEDS) -> NDArray[np.float64]:
    """Return wins less losses of machines at their best: [measures, learners, sides, teachers, seeds, marks]."""
    values = []
    for name in LEARNERS:
        with study(**design(name, games, seeds)) as played:
            values.append([played.array(measure)[:, :, 0] for measure in MEASURES])
    return np.array(values).swapaxes(0, 1)


def half_draw(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the first mark at which half of the machines draw with optimal play, or infinity; [learners, ...]."""
    drawn = (strengths[OPTIMAL] > -UNBEATEN).mean(axis=-2) >= HALF
    return np.where(drawn.any(axis=-1), np.array(MARKS)[drawn.argmax(axis=-1)], np.inf)


def sample() -> list[str]:
    """Return lines of the page that a second suffices for: two machines of each learner, taught by random play."""
    values = 100 * strengths(SAMPLED, 2)[RANDOM, :, 0, 0, :, -1]
    return [
        f"{name}, X, after {SAMPLED} games with random play: against it seeds 1 and 2 win {one:.4f} % and {two:.4f} %"
        " more than they lose"
        for name, (one, two) in zip(NAMES, values, strict=True)
    ]
