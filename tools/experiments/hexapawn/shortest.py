"""Use dynamic programming to compute how many games each teacher needs on average to make HER unbeatable.

Each lost game removes one bead for a move that does not win, and no bead is ever put back. The possible contents of
HER's boxes therefore correspond to the subsets of these beads. Bit k of a subset is set if bead k has been removed.
Each lost game leads to the next layer, so the subsets are solved in layers, from boxes without any of these beads to
full boxes. A game that HER does not lose leaves the subset unchanged, so the value v of a subset appears on both sides
of its equation:

    v = 1 + a + c * v       a: the sum, over the losses, of their probability times the value after them
                            c: the probability that HER does not lose

A teacher that aims for the fewest games makes the moves that minimize a + c * v. These moves depend on v, which in turn
depends on the moves. The moves and v are therefore computed alternately until v no longer falls (policy iteration).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiments.common import Bench
from menace.learners.opponents.fixed import fixed_policy

Array: TypeAlias = NDArray[np.float64]
# The rows of an expectation [3, subsets], which covers the rest of a game. GAMES is `a` in the equation above, LOSSES
# is the same sum for lost games, and KEPT is `c`.
GAMES, LOSSES, KEPT = range(3)
# A function that takes X's expectations after all moves on a board ([moves, 3, subsets]) and returns X's expectation on
# that board.
Choice: TypeAlias = Callable[[NDArray[np.int64], Array], Array]
CLOSE = 1e-12  # smaller differences result from rounding
# Teachers that see the contents of the boxes. Two of these teachers win each game as often as they can. Among moves
# that win equally often, the first teacher chooses a move that leads to the fewest games. The second teacher chooses a
# move that leads to the most games.
WINNER, CLUMSY_WINNER = "wins as often as it can", "wins as often as it can, with the worst choice among equal moves"
SHORTEST = "needs the fewest games"  # the choices are found by policy iteration
SEEING = (SHORTEST, WINNER, CLUMSY_WINNER)


class Contents:
    """The possible contents of HER's boxes, with the mean number of games from each until HER is unbeatable."""

    def __init__(self) -> None:
        bench = Bench("full", "3x3", "hexapawn")
        self.positions = bench.positions
        machine = bench.learner("gardner-1962", "O")
        self.moves = np.flatnonzero(np.where(machine.learned.kept, machine.learned.amount, 0)).tolist()
        assert (machine.learned.amount[self.moves] == 1).all()
        loses = [move for move in self.moves if self.positions.minimax[self.positions.next_position[move]] != -1]
        self.bit = {move: bit for bit, move in enumerate(loses)}  # only beads that HER can lose have a bit
        self.subsets = np.arange(2 ** len(loses))

    def games_and_losses(self, teacher: str) -> tuple[float, float]:
        """Return the mean numbers of games and of lost games against a teacher, starting from full boxes."""
        values = np.zeros((2, len(self.subsets)))
        gone = sum((self.subsets >> bit) & 1 for bit in self.bit.values())
        for count in range(len(self.bit), -1, -1):
            subsets = self.subsets[gone == count]
            beatable = self._game(subsets, values, winner)[KEPT] < 1 - CLOSE
            subsets = subsets[beatable]  # the other subsets have the value 0
            if len(subsets):
                values[:, subsets] = self._values(subsets, values, teacher)
        return float(values[GAMES, 0]), float(values[LOSSES, 0])

    def _values(self, subsets: NDArray[np.int64], values: Array, teacher: str) -> Array:
        """Return the numbers of games and losses, starting from the subsets of one layer.

        `values` contains the results for earlier layers.
        """
        if teacher not in SEEING:
            policy = fixed_policy(teacher, self.positions, 0).probability
            choice: Choice = lambda moves, after: np.tensordot(policy[moves], after, 1)  # noqa: E731
            return solved(self._game(subsets, values, choice))
        choice = clumsy_winner if teacher == CLUMSY_WINNER else winner
        result = solved(self._game(subsets, values, choice))
        while teacher == SHORTEST:
            least = quickest(result[GAMES])
            better = solved(self._game(subsets, values, least))
            if (better[GAMES] > result[GAMES] - CLOSE * result[GAMES]).all():
                break
            result = better
        return result

    def _game(self, subsets: NDArray[np.int64], values: Array, choice: Choice) -> Array:
        """Return X's expectation over one game, as an array [3, subsets]."""
        positions = self.positions
        following, to_move = positions.next_position, positions.to_move
        left = {
            move: np.where(move in self.bit, 1 - (subsets >> self.bit.get(move, 0) & 1), 1).astype(float)
            for move in self.moves
        }

        def beads(position: int) -> NDArray[np.float64]:
            """Return, for each subset, the number of beads in HER's box for a position."""
            return np.sum([left[move] for move in positions.moves_of(position) if move in left], axis=0)

        @cache
        def drawing(position: int) -> Array:
            """Return X's expectation for the rest of a game, from a position where HER draws a bead."""
            moves = [move for move in positions.moves_of(position) if move in left]
            total = np.maximum(beads(position), 1)
            return np.sum([left[move] / total * answered(move) for move in moves], axis=0)

        def answered(move: int) -> Array:
            """Return X's expectation after a move made by HER."""
            position = int(following[move])
            if to_move[position] < 0:
                return np.stack([np.zeros(len(subsets)), np.zeros(len(subsets)), np.ones(len(subsets))])
            moves = np.array(positions.moves_of(position))
            return choice(moves, np.array([moved(int(reply), move) for reply in moves]))

        def moved(reply: int, bead: int) -> Array:
            """Return X's expectation after X's move `reply` if HER's last bead was `bead`."""
            position = int(following[reply])
            if bead not in self.bit:  # the move wins, so the next box contains a winning move that is never removed
                assert to_move[position] == 1
                return drawing(position)
            after = subsets | (1 << self.bit[bead])
            lost = np.stack([values[GAMES, after], 1 + values[LOSSES, after], np.zeros(len(subsets))])
            if to_move[position] < 0:
                return lost
            return np.where(beads(position) == 0, lost, drawing(position))

        openings = np.array(positions.moves_of(0))
        return choice(openings, np.array([drawing(int(following[move])) for move in openings]))


def solved(game: Array) -> Array:
    """Return each subset's numbers of games and losses as [2, subsets], given X's expectation over one game."""
    games, losses, kept = game
    return np.array([(1 + games) / (1 - kept), losses / (1 - kept)])


def quickest(value: Array) -> Choice:
    """Return a function that chooses the moves that minimize a + c * v."""

    def choice(_: NDArray[np.int64], after: Array) -> Array:
        best = (after[:, GAMES] + after[:, KEPT] * value).argmin(axis=0)
        return np.take_along_axis(after, best[None, None], axis=0)[0]

    return choice


def winner(_: NDArray[np.int64], after: Array) -> Array:
    """Choose a move that wins as often as possible.

    If there are several such moves, choose the move that leads to the fewest games.
    """
    return often(after, 1)


def clumsy_winner(_: NDArray[np.int64], after: Array) -> Array:
    """Choose a move that wins as often as possible.

    If there are several such moves, choose the move that leads to the most games.
    """
    return often(after, -1)


def often(after: Array, sign: int) -> Array:
    """Choose a move that wins as often as possible.

    If there are several such moves, choose the move that minimizes `sign` times the number of games.
    """
    tied = after[:, KEPT] <= after[:, KEPT].min(axis=0) + CLOSE
    chosen = np.where(tied, sign * after[:, GAMES], np.inf).argmin(axis=0)
    return np.take_along_axis(after, chosen[None, None], axis=0)[0]
