"""Plant bugs in the Q-learner in docs/grading.md, and print which bugs exact grades and sampled games find.

    python tools/docs/planted_bugs.py

Printing the table for docs/grading.md takes 40 seconds of processor time. Each bug replaces one piece of code. The
limit for each count is the count's mean over correct runs plus four standard deviations. The last lines report the
number of false alarms in as many other correct runs.
"""

from __future__ import annotations

import random
import re
import statistics
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import menace
from menace.games.base import SideText

PAGE = Path(__file__).parents[2] / "docs" / "grading.md"
CORRECT = 20  # number of correct runs that set the limits; false alarms are counted in the same number of further runs
RUNS = 5  # of each bug
TRAINING = 12_000  # games
TESTS = ("exact grade", "1,000 games", "100 games")
SIDES: tuple[SideText, ...] = ("X", "O")
UPDATE = "values[board][move] += alpha * (target - values[board][move])"
NEXT = "max(values[after][reply] for reply in free(after))"
GREEDY = "max(free(image), key=values[image].__getitem__)"
WIN = "1 if won(after, piece) else 0"
BUGS = {  # the code that each bug replaces, and its replacement
    "the reward of O has the wrong sign": (WIN, '(1 if piece == "X" else -1) if won(after, piece) else 0'),
    "the last move of a game is not learned": (UPDATE, f"if not over: {UPDATE}"),
    "the maximum includes occupied cells": (NEXT, "max(values[after])"),
    "the value of a finished board is added to the reward": (
        "reward if over else -",
        "reward - max(values[after]) if over else -",
    ),
    "the opponent's value keeps its sign": (f"-{NEXT}", NEXT),
    "one of the eight images is mistyped": ('"036147258"', '"036174258"'),
    "the player still explores one move in ten when it is tested": (
        GREEDY,
        f"random.choice(free(image)) if random.random() < 0.1 else {GREEDY}",
    ),
    "a draw is rewarded like a win": (WIN, "1 if won(after, piece) or not free(after) else 0"),
    "the maximum leaves out the last reply": (
        NEXT,
        "max((values[after][reply] for reply in free(after)[:-1]), default=0)",
    ),
    "a diagonal is missing": (', "246"]', "]"),
    "training never explores": ("epsilon=0.8", "epsilon=0.0"),
    "the next value is that of a random reply": (NEXT, "values[after][chance.choice(free(after))]"),
    "the learning rate is a hundred times too small": ("alpha=0.5", "alpha=0.005"),
}
Names = dict[str, Any]


class Measured(NamedTuple):
    """The counts of one run, indexed by test, and the phrases in a failing grade that blame a move by X or by O."""

    counts: dict[str, tuple[float, ...]]
    blames: tuple[str, ...]


def program(bug: str | None = None) -> str:
    """Return the program on the page, with the given bug if one is named."""
    code = re.search(r"```python\n# q_learner.py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    old, new = BUGS[bug] if bug else ("", "")
    assert not bug or code[1].count(old) == 1, bug
    return code[1].replace(old, new) if bug else code[1]


@cache
def correct_names() -> Names:
    """Return the names that the correct program defines."""
    names: Names = {}
    exec(program(), names)  # noqa: S102 - code of our own page
    return names


def lost_and_not_won(move: Callable[[str], str], plays: SideText, games: int, chance: random.Random) -> tuple[int, int]:
    """Play games against random play, and return how many the player lost and how many it did not win."""
    rules, losses, wins = correct_names(), 0, 0
    for _ in range(games):
        board, piece = "." * 9, "X"
        while True:
            cell = int(move(board)) if piece == plays else chance.choice(rules["free"](board))
            board = board[:cell] + piece + board[cell + 1 :]
            if rules["won"](board, piece):
                losses, wins = losses + (piece != plays), wins + (piece == plays)
                break
            if "." not in board:
                break
            piece = "O" if piece == "X" else "X"
    return losses, games - wins


def measure(bug: str | None, seed: int, training: int = TRAINING) -> Measured:
    """Train the program once, with a bug if one is named, and measure it with each test."""
    names: Names = {}
    exec(program(bug), names)  # noqa: S102 - code of our own page
    random.seed(seed)
    chance = random.Random(seed)  # noqa: S311 - for games
    move = names["player"](names["train"](training, seed))
    grades = [menace.grade(move, side) for side in SIDES]
    erring = tuple(float(len({mistake.board for mistake in graded.mistakes})) for graded in grades)
    sampled = {
        test: tuple(float(count) for side in SIDES for count in lost_and_not_won(move, side, games, chance))
        for test, games in zip(TESTS[1:], (1000, 100), strict=True)
    }
    blames = tuple(f"{graded.plays}: {graded.blame}" for graded in grades if graded.mistakes)
    return Measured({TESTS[0]: erring} | sampled, blames)


def limits_of(correct: Sequence[Measured]) -> dict[str, list[float]]:
    """Return the limit for each count, indexed by test."""
    return {
        test: [
            statistics.mean(counts) + 4 * statistics.stdev(counts)
            for counts in zip(*(run.counts[test] for run in correct), strict=True)
        ]
        for test in TESTS
    }


def fails(run: Measured, test: str, limits: dict[str, list[float]]) -> bool:
    """Return whether any count of a run exceeds the limit for that count."""
    return any(count > limit for count, limit in zip(run.counts[test], limits[test], strict=True))


def row(bug: str, runs: Sequence[Measured], limits: dict[str, list[float]]) -> str:
    """Return a table row for a bug.

    The row contains the number of runs in which each test finds the bug, the number of boards with errors, and a move
    to blame.
    """
    revealed = [str(sum(fails(run, test, limits) for run in runs)) for test in TESTS]
    erring = [f"{statistics.median(counts):g}" for counts in zip(*(run.counts[TESTS[0]] for run in runs), strict=True)]
    blames = [re.sub(r"( \(| loses| draws).*", "", blame) for run in runs for blame in run.blames[:1]]
    return f"| {bug} | {' | '.join(revealed)} | {', '.join(erring)} | {blames[0] if blames else 'none'} |"


def main(correct: int = CORRECT, runs: int = RUNS, training: int = TRAINING) -> None:
    """Print the table, followed by the limits and the false alarms."""
    jobs = [(None, seed) for seed in range(2 * correct)] + [(bug, seed) for bug in BUGS for seed in range(runs)]
    with ProcessPoolExecutor() as pool:
        measured = list(pool.map(measure, *zip(*jobs, strict=True), [training] * len(jobs)))
    limits, checked = limits_of(measured[:correct]), measured[correct : 2 * correct]
    by_bug = dict(
        zip(BUGS, (measured[first : first + runs] for first in range(2 * correct, len(jobs), runs)), strict=True)
    )
    print(
        f"| planted bug | {' | '.join(TESTS)} | boards on which X, O errs | blamed first |\n|---|---|---|---|---|---|"
    )
    for bug, of_bug in by_bug.items():
        print(row(bug, of_bug, limits))
    found = [sum(all(fails(run, test, limits) for run in of_bug) for of_bug in by_bug.values()) for test in TESTS]
    alarms = [sum(fails(run, test, limits) for run in checked) for test in TESTS]
    print(f"| **bugs revealed in every run** | {' | '.join(map(str, found))} | | |")
    print(f"| **false alarms in {correct} other correct runs** | {' | '.join(map(str, alarms))} | | |\n")
    named = sum(all(run.blames for run in of_bug) for of_bug in by_bug.values())
    print(f"Bugs for which the grade names boards in every run: {named}. Limits:")
    for test in TESTS:
        print(f"{test}: {', '.join(f'{limit:.1f}' for limit in limits[test])}")


if __name__ == "__main__":
    main()
