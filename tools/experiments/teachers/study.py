"""Which teacher makes which machine, and how few games it takes: a study of machines, sides, teachers and seeds.

What is asked, by whom, what is played and what counts as an answer stands here; page.py writes the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.common import UNBEATEN, Bench, raw_numbers, study
from menace.arena.exact_strength import most_likely_refutation
from menace.arena.marks_and_phases import Marks
from menace.games.base import Side
from menace.studies.study import Study

SEEDS, GAMES = 60, 50_000  # machines of each kind, and the games that each learns from
MARKS = Marks().list_up_to(GAMES)
KINDS: Mapping[str, dict[str, Any]] = {
    "menace": {"preset": "menace"},
    "menace, draw=0": {"preset": "menace", "draw": 0},
    "scroggs": {"preset": "scroggs"},
    "johnson-2013": {"preset": "johnson-2013"},
    "michie-1963": {"preset": "michie-1963"},
    "zhang": {"preset": "zhang"},
    "q-learning": {"preset": "q-learning"},
    "q-learning, alpha=0.5, epsilon=0.5": {"preset": "q-learning", "alpha": 0.5, "epsilon": 0.5},
}
TEACHERS: Mapping[str, str] = {
    "random": "random",
    "novice": "the function of docs/your-own-player.md",
    "imperfect:0.5": "imperfect:0.5",
    "imperfect:0.1": "imperfect:0.1",
    "optimal": "optimal",
    "perfect": "perfect",
    "itself": "the same preset and settings on the other side, which learns, too",
    "Woś's curriculum": "random:200,blocking:100,optimal",  # his ends after 500 games
    "rising curriculum": "random:1000,imperfect:0.5:1000,perfect",  # of docs/learners.md
}
TAUGHT_BY = {teacher: number for number, teacher in enumerate(TEACHERS)}
MEASURES = ("random.wins", "random.losses", "optimal.draws", "optimal.losses", "best_response.losses")
POLICIES = ("behaviour", "greedy")
BEHAVIOUR, GREEDY = 0, 1
Strengths: TypeAlias = Mapping[str, NDArray[np.float64]]  # [kinds, sides, teachers, policies, seeds, marks] by measure

# --- what counts as an answer, written before anything was run -------------------------------------------------------

HALF, NEARLY_ALL = 0.5, 0.95  # of the machines of a kind, a side and a teacher
WOS_GAMES = 500  # of his curriculum
DRAWS = 0.99  # with the optimal player: by this a thesis would call a machine strong
INFALLIBLE = 0.001  # games lost to random play, as on the page of Michie's program
EXPERT = 0.10  # games lost to the optimal player, at most, likewise
SHOWN, LEVEL = 10_000, 0.05  # games of a curve of rewards; a mean reward that rises by less has levelled off


class Question(NamedTuple):
    """What is asked, where it is from, and what decides it."""

    text: str
    source: str
    decided_by: str


QUESTIONS = (
    Question(
        "Could random moves alone teach perfect play?",
        "a question on the page [tournaments](tournaments.md), claims 6 and 7; he asks it of a MENACE",
        f"a kind learns it if at least {100 * HALF:.0f} % of its machines are unbeatable, at their best, after"
        f" {GAMES:,} games",
    ),
    Question(
        f"Does the teacher decide how well a machine draws with the optimal player, after {WOS_GAMES} games?",
        "[Woś](wos.md), claims 11 and 12: MENACE as X, as it trains; his curriculum beside the optimal player alone",
        "the 95 % interval of the mean difference, paired by seed, is without 0",
    ),
    Question(
        "Does a draw with the optimal player say that nobody beats a machine?",
        "[Woś](wos.md), claims 1 to 12, which measure machines so",
        f"no, if of all machines at their best that draw {100 * DRAWS:.0f} % or more at least"
        f" {100 * HALF:.0f} % can be beaten",
    ),
    Question(
        "Is a machine unbeatable that is infallible against random play?",
        "[Michie 1963](michie-1963.md), claims 2 and 3: X and O taught by random play, as they train",
        f"no, if of all that lose less than {100 * INFALLIBLE:g} % to random play, at their best, at least"
        f" {100 * HALF:.0f} % can be beaten",
    ),
    Question(
        "Do two machines that learn together become experts?",
        "[Michie 1963](michie-1963.md), claims 9 and 10: his machine, as it trains, after 600 plays",
        f"a kind does if it loses at most {100 * EXPERT:.0f} % to the optimal player, at its best, in the mean",
    ),
    Question(
        "Does a curve of rewards show that a machine can be beaten?",
        "ours; such curves are how textbooks' programs show learning",
        "no, if machines of preset `q-learning`, X, taught by random play, have a mean reward after"
        f" {SHOWN:,} games that rises by less than {LEVEL} until {GAMES:,}, and then at least {100 * HALF:.0f} % of"
        " them lose at least half of their games to the best reply, at their best",
    ),
)


# --- the study -------------------------------------------------------------------------------------------------------


def opponent(teacher: str, kind: dict[str, Any]) -> Any:
    """Return a teacher of a kind of machine, as `Study` takes it."""
    if teacher == "novice":
        page = (Path(__file__).parents[3] / "docs" / "your-own-player.md").read_text(encoding="utf-8")
        names: dict[str, Any] = {}
        exec(re.findall("```python\n(.*?)```", page, re.DOTALL)[0], names)  # noqa: S102 - our own page
        return names["novice"]
    return kind if teacher == "itself" else TEACHERS[teacher]


def design(name: str, side: Side, games: int = GAMES, seeds: int = SEEDS) -> dict[str, Any]:
    """Return the design of a study of a kind of machine on a side."""
    against = [opponent(teacher, KINDS[name]) for teacher in TEACHERS]
    options = {"plays": side, "against": against, "games": games, "seeds": seeds, "policies": POLICIES}
    return {**KINDS[name], **options}


def strengths(played: Study) -> NDArray[np.float64]:
    """Return what was measured: [measures, teachers, policies, seeds, marks]."""
    return np.array([played.array(measure) for measure in MEASURES])


def all_strengths() -> tuple[Strengths, int, int]:
    """Return all strengths; and how many machines of `imperfect:0.1` are unbeatable, and of these some line beats."""
    results, unbeatable, lines = [], 0, 0
    for name in KINDS:
        for side in Side:
            with study(**design(name, side)) as played:
                results.append(strengths(played))
                losses = results[-1][MEASURES.index("best_response.losses"), TAUGHT_BY["imperfect:0.1"], GREEDY, :, -1]
                for seed in (1 + np.flatnonzero(losses < UNBEATEN)).tolist():
                    policy = played.machine(seed, against="imperfect:0.1").policy("greedy")
                    unbeatable, lines = unbeatable + 1, lines + (most_likely_refutation(policy) is not None)
    array = np.reshape(results, (len(KINDS), len(Side), *results[0].shape))
    return dict(zip(MEASURES, np.moveaxis(array, 2, 0), strict=True)), unbeatable, lines


def quickest(losses: NDArray[np.float64], share: float) -> tuple[int, str] | None:
    """Return the first mark at which some teacher has made a share of the machines unbeatable, and which teachers have.

    A machine is unbeatable if the best reply to it wins nothing, exactly: less than UNBEATEN, since sums are doubles.

    Args:
        losses: to the best reply, [teachers, seeds, marks].
        share: of the machines.
    """
    reached = (losses < UNBEATEN).mean(axis=1) >= share
    first = int(reached.any(axis=0).argmax())
    teachers = [teacher for teacher, made in zip(TEACHERS, reached[:, first], strict=True) if made]
    return (MARKS[first], " or ".join(teachers)) if teachers else None


# --- one run as textbooks plot it ------------------------------------------------------------------------------------

WINDOW, STEP, SEED = 100, 100, 1  # games of the moving average, and between exact measurements
TEXTBOOK = "q-learning"


def rewards(teacher: str, games: int = SHOWN) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the rewards of a run's games, and exact values every STEP games.

    The run is the study's machine of the seed. Values are [measurements, 3]: as it trains against its teacher, at its
    best against its teacher, and at its best against the best reply.
    """
    bench, numbers = Bench(), raw_numbers(SEED, 0)
    machine, gains, values = bench.learner(TEXTBOOK, "X"), [], []
    for game in range(games + 1):
        if game % STEP == 0:
            taught = [bench.against(machine, teacher, policy).value for policy in POLICIES]
            values.append([*taught, bench.worst(machine).value])
        x_won, _, o_won = bench.play(machine, teacher, 1, numbers)
        gains.append(x_won - o_won)
    return np.array(gains[:games]), np.array(values)
