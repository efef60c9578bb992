"""Which teacher makes which machine, and how few games it takes: a study of machines, sides, teachers and seeds.

What is asked, by whom, what is played and what counts as an answer stands here; teachers_page.py writes the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.analysis.seed_statistics import Estimate, estimate, mean
from menace.arena.best_response import most_likely_refutation
from menace.arena.marks import Marks
from menace.games.base import Side
from menace.studies.study import Study
from reproductions.common import UNBEATEN, Bench, raw_numbers

SEEDS, GAMES = 60, 50_000  # machines of each kind, and the games that each learns from
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def novice(board: str, moves: Sequence[str]) -> str:
    """Return the move of docs/your-own-player.md: win, else block, else the centre, else the first free cell."""
    for piece in "OX" if board.count("X") > board.count("O") else "XO":
        for line in LINES:
            row = "".join(board[cell] for cell in line)
            if sorted(row) == sorted("." + piece + piece):
                return str(line[row.index(".")])
    return "4" if "4" in moves else moves[0]


ITSELF = object()  # the same preset and settings on the other side, which learns, too
WOS_GAMES = 500  # of his curriculum
TEACHERS: Mapping[str, Any] = {
    "random": "random",
    "novice": novice,
    "imperfect:0.5": "imperfect:0.5",
    "imperfect:0.1": "imperfect:0.1",
    "optimal": "optimal",
    "perfect": "perfect",
    "itself": ITSELF,
    "Woś's curriculum": "random:200,blocking:100,optimal",  # of 500 games; here it goes on with optimal
    "rising curriculum": "random:1000,imperfect:0.5:1000,perfect",  # of docs/learners.md
}


@dataclass(frozen=True)
class Kind:
    """A kind of machine: a preset, and settings that replace some of its own."""

    name: str
    preset: str
    settings: Mapping[str, Any] = field(default_factory=dict)


KINDS = (
    Kind("menace", "menace"),
    Kind("menace, draw=0", "menace", {"draw": 0}),
    Kind("scroggs", "scroggs"),
    Kind("johnson-2013", "johnson-2013"),
    Kind("michie-1963", "michie-1963"),
    Kind("zhang", "zhang"),
    Kind("q-learning", "q-learning"),
    Kind("q-learning, alpha=0.5, epsilon=0.5", "q-learning", {"alpha": 0.5, "epsilon": 0.5}),
)
MEASURES = ("random.wins", "random.losses", "optimal.draws", "optimal.losses", "worst.losses")
POLICIES = ("behaviour", "greedy")
BEHAVIOUR, GREEDY = 0, 1
Strengths: TypeAlias = Mapping[str, NDArray[np.float64]]  # by measure, [teachers, policies, marks, seeds]

# --- what counts as an answer, written before anything was run -------------------------------------------------------

HALF, NEARLY_ALL = 0.5, 0.95  # of the machines of a kind, a side and a teacher
DRAWS = 0.99  # with the optimal player: by this a thesis would call a machine strong
INFALLIBLE = 0.001  # games lost to random play, as on the page of Michie's program
EXPERT = 0.10  # games lost to the optimal player, at most, likewise
SHOWN, LEVEL = 10_000, 0.05  # games of a curve of rewards; a mean reward that rises by less has levelled off
WOS, MICHIE = "[Woś](wos.md), claims {}", "[Michie 1963](michie-1963.md), claim {}"


@dataclass(frozen=True)
class Question:
    """What is asked, by whom, and what decides it."""

    text: str
    source: str
    decided_by: str


PERFECT, DECIDES, BY_DRAWS, BY_RANDOM, TOGETHER, REWARDS = QUESTIONS = (
    Question(
        "Could random moves alone teach perfect play?",
        "a question on the page [tournaments](tournaments.md), claims 6 and 7; he asks it of a MENACE",
        f"a kind learns it if at least {100 * HALF:.0f} % of its machines are unbeatable, at their best, after"
        f" {GAMES:,} games",
    ),
    Question(
        f"Does the teacher decide how well a machine draws with the optimal player, after {WOS_GAMES} games?",
        WOS.format("11 and 12") + ": MENACE as X, as it trains; his curriculum beside the optimal player alone",
        "the 95 % interval of the mean difference, paired by seed, is without 0",
    ),
    Question(
        "Does a draw with the optimal player say that nobody beats a machine?",
        WOS.format("1 to 12") + ", which measure machines so",
        f"no, if of all machines at their best that draw {100 * DRAWS:.0f} % or more at least"
        f" {100 * HALF:.0f} % can be beaten",
    ),
    Question(
        "Is a machine unbeatable that is infallible against random play?",
        MICHIE.format("2") + ": X and O taught by random play, as they train",
        f"no, if of all that lose less than {100 * INFALLIBLE:g} % to random play, at their best, at least"
        f" {100 * HALF:.0f} % can be beaten",
    ),
    Question(
        "Do two machines that learn together become experts?",
        MICHIE.format("9 and 10") + ": his machine, as it trains, after 600 plays",
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


def marks(games: int = GAMES) -> list[int]:
    """Return the numbers of games after which machines are measured: 0, 1, 2, 5, 10, ..."""
    return Marks().upto(games)


def design(kind: Kind, side: Side, games: int = GAMES, seeds: int = SEEDS) -> dict[str, Any]:
    """Return what `Study` is asked of a kind of machine on a side: all teachers."""
    itself = {"preset": kind.preset, **kind.settings}
    against = [itself if teacher is ITSELF else teacher for teacher in TEACHERS.values()]
    chosen = {"preset": kind.preset, "plays": side, **kind.settings}
    return {**chosen, "against": against, "games": games, "seeds": seeds, "policies": POLICIES}


def strengths(folder: Path, kind: Kind, side: Side, games: int = GAMES, seeds: int = SEEDS) -> Strengths:
    """Play and measure the machines of a kind on a side."""
    study = Study(folder / "teachers.study", **design(kind, side, games, seeds)).run(workers=1)
    shape = (len(TEACHERS), len(POLICIES), seeds)
    return {
        measure: np.stack(
            [np.reshape(list(study.scores(measure, mark).values()), shape) for mark in marks(games)], axis=2
        )
        for measure in MEASURES
    }


def played() -> tuple[dict[tuple[str, Side], Strengths], int, int]:
    """Return all strengths; and of the machines of `imperfect:0.1` that are unbeatable, how many some line beats."""
    results, unbeatable, lines = {}, 0, 0
    with TemporaryDirectory() as folder:
        for kind in KINDS:
            for side in Side:
                results[kind.name, side] = strengths(Path(folder), kind, side)
                study = Study(Path(folder) / "teachers.study", **design(kind, side))
                losses = study.scores("worst.losses")["against imperfect:0.1, greedy"]
                for seed in (1 + np.flatnonzero(losses < UNBEATEN)).tolist():
                    machine = study.machine(seed, against="imperfect:0.1")
                    unbeatable += 1
                    lines += most_likely_refutation(machine.policy("greedy")) is not None
    return results, unbeatable, lines


def first_mark(losses: NDArray[np.float64], share: float) -> int | None:
    """Return the first mark at which at least a share of the machines is unbeatable; `losses` is [marks, seeds].

    A machine is unbeatable if the best reply to it wins nothing, exactly: less than UNBEATEN, since sums are doubles.
    """
    reached = (losses < UNBEATEN).mean(axis=1) >= share
    return marks()[int(reached.argmax())] if reached.any() else None


def quickest(losses: NDArray[np.float64], share: float) -> tuple[str, int] | None:
    """Return the teacher with the fewest games to that, and how many; `losses` is [teachers, marks, seeds]."""
    firsts = [(first_mark(of_teacher, share), teacher) for of_teacher, teacher in zip(losses, TEACHERS, strict=True)]
    reached = [(mark, teacher) for mark, teacher in firsts if mark is not None]
    if not reached:
        return None
    least = min(mark for mark, _ in reached)
    return " or ".join(teacher for mark, teacher in reached if mark == least), least


def difference(result: Strengths) -> Estimate:
    """Return how many draws with the optimal player more its teaching gives than Woś's curriculum, as they train."""
    place = marks().index(WOS_GAMES)
    drawn = dict(zip(TEACHERS, result["optimal.draws"][:, BEHAVIOUR, place], strict=True))
    return estimate(drawn["optimal"] - drawn["Woś's curriculum"], mean)


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
            taught = [bench.against(machine, teacher, policy).value for policy in ("behaviour", "greedy")]
            values.append([*taught, bench.worst(machine).value])
        x_won, _, o_won = bench.play(machine, teacher, 1, numbers)
        gains.append(x_won - o_won)
    return np.array(gains[:games]), np.array(values)
