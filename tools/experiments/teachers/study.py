"""Define questions about which teachers make machines unbeatable, the games, and the rules for answering.

page.py writes the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.common import UNBEATEN, Bench, measured, raw_numbers, study
from menace.analysis.groups import estimate, mean
from menace.arena.exact_strength import most_likely_refutation
from menace.arena.run_schedule import Marks
from menace.games.base import Side
from menace.studies.study import Study

SEEDS, GAMES = 60, 50_000  # the number of machines of each kind, and the number of games that each machine learns from
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
    "itself": "the same preset and settings on the other side, which learns too",
    "Woś's curriculum": "random:200,blocking:100,optimal",  # Woś's own curriculum ends after 500 games
    "rising curriculum": "random:1000,imperfect:0.5:1000,perfect",  # from docs/learners.md
}
# The following constants are for varying the teacher's error rate.

# the probability with which the teacher makes a random move instead of a perfect one
RATES = (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1)
# the kinds of machines, and the number of machines for each rate and side
SWEPT, SWEPT_SEEDS = ("menace", "zhang", "q-learning"), 1_000

TAUGHT_BY = {teacher: number for number, teacher in enumerate(TEACHERS)}
MEASURES = ("random.wins", "random.losses", "optimal.draws", "optimal.losses", "best_response.losses")
POLICIES = ("behaviour", "greedy")
BEHAVIOUR, GREEDY = 0, 1
# arrays [kinds, sides, teachers, policies, seeds, marks], indexed by measure
Strengths: TypeAlias = Mapping[str, NDArray[np.float64]]

# The following rules for answering were written before anything was run.

# the best rates are compared at the last mark and at the first mark at which this share of the machines is unbeatable
FEW = 0.1
HALF, NEARLY_ALL = 0.5, 0.95  # shares of the machines of one kind, side and teacher
WOS_GAMES = 500  # the number of games in Woś's curriculum
DRAWS = 0.99  # according to the thesis, a machine that draws this share of games with the optimal player is strong
INFALLIBLE = 0.001  # the share of games lost to random play, as on the page about Michie's program
EXPERT = 0.10  # the maximum share of games lost to the optimal player, as on the page about Michie's program
# the number of games in a reward curve, which has levelled off if the mean reward then rises by less than LEVEL
SHOWN, LEVEL = 10_000, 0.05


class Question(NamedTuple):
    """A question, its source, and the rule that decides the answer."""

    text: str
    source: str
    decided_by: str


SWEEP = Question(
    "Should a teacher err less often if it gives more lessons?",
    "ours",
    f"yes, if the best rate after {GAMES:,} games is lower than the best rate when {100 * FEW:.0f} % of the machines"
    " are first unbeatable, and if each of the two rates is better at its own time with 95 % confidence",
)
QUESTIONS = (
    Question(
        "Could random moves alone teach perfect play?",
        "[tournaments](tournaments.md), claims 6 and 7",
        f"yes for a kind, if at least {100 * HALF:.0f} % of its machines are unbeatable",
    ),
    Question(
        f"Does the teacher decide how often MENACE as X draws with the optimal player after {WOS_GAMES} games?",
        "[Woś](wos.md), claims 11 and 12",
        "yes, if the optimal player and Woś's curriculum differ with 95 % confidence",
    ),
    Question(
        "Does a draw with the optimal player mean that nobody beats a machine?",
        "[Woś](wos.md), claims 1 to 12",
        f"no, if at least {100 * HALF:.0f} % of the machines that draw {100 * DRAWS:.0f} % or more of their games can"
        " be beaten",
    ),
    Question(
        "Is a machine unbeatable if random play hardly ever beats it?",
        "[Michie 1963](michie-1963.md), claims 2 and 3",
        f"no, if at least {100 * HALF:.0f} % of the machines that lose less than {100 * INFALLIBLE:g} % of their games"
        " to random play can be beaten",
    ),
    Question(
        "Do two machines that learn together become experts?",
        "[Michie 1963](michie-1963.md), claims 9 and 10",
        f"yes for a kind, if its machines lose on average at most {100 * EXPERT:.0f} % of their games to the optimal"
        " player",
    ),
    Question(
        "Does a curve of rewards show that a machine can be beaten?",
        "ours",
        f"no, if the mean reward of `q-learning` as X, taught by random play, rises by less than {LEVEL} after"
        f" {SHOWN:,} games, but at least {100 * HALF:.0f} % of the machines then lose half of their games to "
        "the best response",
    ),
)


# The following functions run the study.


def opponent(teacher: str, kind: dict[str, Any]) -> Any:
    """Return the teacher for a kind of machine, in the form that `Study` accepts."""
    if teacher == "novice":
        page = (Path(__file__).parents[3] / "docs" / "your-own-player.md").read_text(encoding="utf-8")
        names: dict[str, Any] = {}
        exec(re.findall("```python\n(.*?)```", page, re.DOTALL)[0], names)  # noqa: S102 - our own page
        return names["novice"]
    return kind if teacher == "itself" else TEACHERS[teacher]


def design(name: str, side: Side, games: int = GAMES, seeds: int = SEEDS) -> dict[str, Any]:
    """Return the design of the study for one kind of machine on one side."""
    against = [opponent(teacher, KINDS[name]) for teacher in TEACHERS]
    options = {"plays": side, "against": against, "games": games, "seeds": seeds, "policies": POLICIES}
    return {**KINDS[name], **options}


def strengths(played: Study) -> NDArray[np.float64]:
    """Return the measured strengths, as an array [measures, teachers, policies, seeds, marks]."""
    return np.array([played.array(measure) for measure in MEASURES])


def all_strengths() -> tuple[Strengths, int, int]:
    """Return all strengths, how many machines `imperfect:0.1` makes unbeatable, and how many have a refutation."""
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
    """Return the first mark at which any teacher has made enough machines unbeatable, with the names of such teachers.

    A machine counts as unbeatable if its best response wins less than UNBEATEN, which allows for rounding errors.

    Args:
        losses: to the best response, [teachers, seeds, marks].
        share: the required share of the machines.
    """
    reached = (losses < UNBEATEN).mean(axis=1) >= share
    first = int(reached.any(axis=0).argmax())
    teachers = [teacher for teacher, made in zip(TEACHERS, reached[:, first], strict=True) if made]
    return (MARKS[first], " or ".join(teachers)) if teachers else None


# The following code varies the teacher's error rate.


def sweep(name: str, side: Side, games: int = GAMES, seeds: int = SWEPT_SEEDS) -> NDArray[np.bool_]:
    """Return whether each machine is unbeatable when it plays greedily, as an array [rates, seeds, marks]."""
    against = [f"imperfect:{rate:g}" for rate in RATES]
    options = {"plays": side, "against": against, "games": games, "seeds": seeds, "policies": "greedy"}
    return measured("best_response.losses", **KINDS[name], **options) < UNBEATEN


class Fall(NamedTuple):
    """The best error rates at an early mark and at the last one, and whether each is proved better at its own mark."""

    mark: int
    early: float
    late: float
    proved: bool

    @classmethod
    def of(cls, unbeatable: NDArray[np.bool_]) -> Self:
        """Choose the two rates using the first half of the seeds, and compare them using the other half."""
        chosen, kept = np.split(unbeatable, 2, axis=1)
        shares = chosen.mean(axis=1)
        mark = int((shares.max(axis=0) >= FEW).argmax())
        early, late = int(shares[:, mark].argmax()), int(shares[:, -1].argmax())
        gains = (kept[early] * 1.0 - kept[late])[:, [mark, -1]].T * [[1], [-1]]  # the gain of each rate at its own mark
        proved = RATES[late] < RATES[early] and all(estimate(gain, mean).low > 0 for gain in gains)
        return cls(MARKS[mark], RATES[early], RATES[late], proved)


# The following code plots one run as textbooks do.

# the number of games in the moving average, and the number of games between exact measurements
WINDOW, STEP, SEED = 100, 100, 1
TEXTBOOK = "q-learning"


def rewards(teacher: str, games: int = SHOWN) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the reward of each game in a run, and the machine's exact values every STEP games.

    The run trains the machine that has seed SEED in the study. The values are an array [measurements, 3]: the training
    policy against the teacher, the greedy policy against the teacher, and the greedy policy against the best response.
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
