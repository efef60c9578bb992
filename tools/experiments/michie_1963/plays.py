"""Run as many plays as Michie's program did, define the numbers in his figures, and find the plays that emerge."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.common import Bench, Machine, raw_numbers
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.policy import Policy
from menace.text.bead_colours import MICHIE_NUMBERS

RANDOM = "random-distinct"
# figure 5: the first player's wins, losses and draws in each 100 random plays
TESTS = {"A0": (58, 33, 9), "A2": (57, 28, 15)}
OPENINGS = {"centre": 69, "corner": 64, "edge": 67}  # the openings in these 200 plays
EMERGED = ("01732684", "1023784")  # openings in figure 9, in the first and in the second run
ARROWS = (3, 5)  # the hundreds at which figure 9 has arrows labelled "Standard play begins to emerge", for each run
MOST_LIKELY = 0.5  # a play has emerged if it is more likely than all other plays combined

# The values in figures 7 to 9, read by eye to within 1 or 2 percent. For each hundred plays, they show how many the
# first player won, and how many it won or drew.
PRINTED: dict[int, list[tuple[tuple[int, ...], tuple[int, ...]]]] = {
    7: [
        ((56, 78, 88, 90, 97, 86, 93, 96, 97, 94), (71, 84, 90, 92, 99, 92, 100, 98, 99, 97)),
        ((66, 89, 89, 93, 94, 94, 94, 95), (80, 93, 96, 95, 100, 100, 100, 100)),
    ],
    8: [
        ((58, 35, 26, 21, 17, 5, 8, 9, 12, 4), (70, 45, 41, 40, 28, 18, 20, 17, 23, 10)),
        ((50, 36, 34, 28, 23, 15, 12, 8, 11, 5), (58, 59, 41, 36, 34, 33, 22, 16, 19, 17)),
    ],
    9: [
        ((67, 68, 34, 19, 9, 8), (75, 87, 100, 100, 100, 100)),
        ((56, 65, 74, 66, 14, 0, 1, 4), (63, 72, 88, 85, 78, 90, 96, 95)),
    ],
}
LEARNS = {7: (True, False), 8: (False, True), 9: (True, True)}
WHO = {7: "first player learns", 8: "second player learns", 9: "both learn"}
# the index in (X's wins, draws, O's wins) of the learner's losses, or of draws if both sides learn
MEASURED = {7: 2, 8: 0, 9: 1}
ENDS = {
    figure: [len(wins) for wins, _ in runs] for figure, runs in PRINTED.items()
}  # the length of each run in hundreds of plays
LOOKS = ENDS | {9: sorted({*ENDS[9], *ARROWS})}  # the hundreds of plays after which machines are measured


class Play(NamedTuple):
    """The most likely play of two machines, up to the move after which its outcome is certain.

    Both emergent plays that Michie prints end at this move.

    Attributes:
        path: the positions after its moves.
        probability: the probability that the machines make it.
        whole: the probability of the likeliest complete play, which begins with it.
    """

    path: tuple[int, ...]
    probability: float
    whole: float


class Course(NamedTuple):
    """Machines that take part in one of the experiments.

    Attributes:
        shares: [machines, hundreds, 3], the first player's wins, draws and losses, counted in the plays.
        exact: [machines, 3], the exact shares after each number of hundreds in LOOKS.
        to_optimal: [machines, 2], how often each then loses to an optimal player, if both learn.
        plays: the likeliest play of each pair of machines then, if both learn.
    """

    shares: NDArray[np.float64]
    exact: dict[int, NDArray[np.float64]]
    to_optimal: dict[int, NDArray[np.float64]]
    plays: dict[int, list[Play]]

    def won_or_drawn(self) -> NDArray[np.float64]:
        """Return the share of plays that the first player won or drew, as an array [machines, hundreds]."""
        shares: NDArray[np.float64] = self.shares[:, :, 0] + self.shares[:, :, 1]
        return shares


def seats(bench: Bench, learns: tuple[bool, bool], preset: str, **settings: Any) -> list[Machine | str]:
    """Return the two players, each of which is either a new machine or a random player."""
    return [
        bench.learner(preset, side, **settings) if learning else RANDOM
        for side, learning in zip(Side, learns, strict=True)
    ]


def course(bench: Bench, figure: int, machines: int, preset: str = "michie-1963", **settings: Any) -> Course:
    """Run an experiment with seeds 1 to `machines`, for as many plays as in the longer of Michie's two runs."""
    looks = LOOKS[figure]
    shares = np.zeros((machines, max(looks), 3))
    result = Course(shares, *({look: [] for look in looks} for _ in range(3)))  # type: ignore[arg-type]
    for seed in range(1, machines + 1):
        x, o = seats(bench, LEARNS[figure], preset, **settings)
        numbers = raw_numbers(seed, 0)
        for hundred in range(max(looks)):
            shares[seed - 1, hundred] = bench.play(x, o, 100, numbers) / 100
            if hundred + 1 in result.exact:
                _measure(bench, x, o, result, hundred + 1)
    return result._replace(
        exact={end: np.array(rows) for end, rows in result.exact.items()},
        to_optimal={end: np.array(rows) for end, rows in result.to_optimal.items()},
    )


def _measure(bench: Bench, x: Machine | str, o: Machine | str, course: Course, end: int) -> None:
    """Add the exact results of the two players' current behaviour."""
    course.exact[end].append(bench.outcomes(x, o, "behaviour"))  # type: ignore[attr-defined]
    if isinstance(x, str) or isinstance(o, str):
        return
    lost = [bench.outcomes(x, "optimal", "behaviour").o_wins, bench.outcomes("optimal", o, "behaviour").x_wins]
    course.to_optimal[end].append(lost)  # type: ignore[attr-defined]
    course.plays[end].append(likeliest(bench, bench.policy(x, 0, "behaviour"), bench.policy(o, 1, "behaviour")))


def likeliest(bench: Bench, x: Policy, o: Policy) -> Play:
    """Return the play in which each player makes its most likely move, or the first of several equally likely moves."""
    positions, position, path, chances = bench.positions, 0, [], [1.0]
    while len(moves := positions.moves_of(position)):
        shares = (x, o)[len(path) % 2].probability[moves.start : moves.stop]
        best = int(shares.argmax())
        chances.append(chances[-1] * float(shares[best]))
        position = int(positions.next_position[moves.start + best])
        path.append(position)
    end = 1 + [certain(positions)[visited] for visited in path].index(True)
    return Play(tuple(path[:end]), chances[end], chances[-1])


@cache
def certain(positions: Positions) -> tuple[bool, ...]:
    """Return whether all continuations from a position have the same outcome, as a boolean array [positions]."""
    outcomes_of: list[set[int]] = [set() for _ in range(len(positions))]
    for position in reversed(range(len(positions))):  # the successors of a position have larger numbers
        after = positions.next_position[list(positions.moves_of(position))].tolist()
        outcomes_of[position] = set().union(*(outcomes_of[child] for child in after)) or {
            int(positions.outcome[position])
        }
    return tuple(len(outcomes) == 1 for outcomes in outcomes_of)


# The following functions convert plays to and from Michie's notation.


def path_of(bench: Bench, digits: str) -> tuple[int, ...]:
    """Return the positions in a play, given in Michie's numbering of the squares."""
    board, path = "." * 9, []
    for digit, piece in zip(digits, "XO" * 5, strict=False):
        cell = MICHIE_NUMBERS.index(int(digit))
        board = board[:cell] + piece + board[cell + 1 :]
        path.append(bench.position(board))
    return tuple(path)


def digits_of(bench: Bench, path: tuple[int, ...]) -> str:
    """Return a play in Michie's numbering of the squares. Among equivalent squares, the lowest number is used."""
    board, digits = "." * 9, ""
    for position, piece in zip(path, "XO" * 5, strict=False):
        for digit in range(9):
            cell = MICHIE_NUMBERS.index(digit)
            after = board[:cell] + piece + board[cell + 1 :]
            if board[cell] == "." and bench.position(after) == position:
                board, digits = after, digits + str(digit)
                break
    return digits


def mistakes(bench: Bench, path: tuple[int, ...]) -> int:
    """Return the number of moves in a play that change the result of perfect play."""
    values = [int(bench.positions.minimax[position]) for position in (0, *path)]
    return sum(value != next_value for value, next_value in itertools.pairwise(values))
