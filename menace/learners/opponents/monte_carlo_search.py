"""Tabulate how often ten Monte Carlo tree searches with fixed seeds and N playouts choose each move.

The search is UCT (Kocsis and Szepesvári, Bandit based Monte-Carlo planning, ECML 2006, pages 282 to 293). The
terminology follows Browne et al., A survey of Monte Carlo tree search methods (IEEE TCIAIG 4, 2012, pages 1 to 43).

    tree = the position to search
    N times:
        from that position, while the board is in the tree:
            make a move that was never made there, or, if there is none, the move with the highest
            mean + sqrt(2 ln n / m)     mean result over its m visits; n visits of the board. This is UCB1, which is UCT
                                        with C_p = 1 / sqrt(2). For the mover, a win counts 1, a draw 1/2, a loss 0.
        add the board that was reached to the tree
        play to the end at random, every action with equal probability
        add a visit and the result to each move made in the tree
    choose the move with the most visits; among these, the one with the best results

Any remaining ties are resolved by drawing one of the moves by multiplicity. Equivalent moves are merged, but a board
reached by two paths is stored twice, as in most programs. In table t of a game with P positions, the searches for
position p use random numbers from PCG64(p + t * P), one for each ply of each search. The player `mcts:N` uses table 0.
The script tools/experiments/search_tables.py measures how much the strengths of other tables differ.

The only floating-point operations are + - * / and square roots, which IEEE 754 requires to be correctly rounded. The
logarithms are computed with `decimal`, which also rounds correctly. The table is therefore identical, bit for bit, on
every platform.
"""

from __future__ import annotations

import decimal
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.games.positions import IntArray, Positions

Integers: TypeAlias = NDArray[np.signedinteger[Any]]

SEARCHES = 10  # number of searches per position
ROWS = 300_000  # maximum number of boards in the trees of one batch of searches; a board needs 100 to 300 bytes
LOW = np.uint64(0xFFFFFFFF)
PRECISION = decimal.Context(prec=28)


class _Moves(NamedTuple):
    """The moves of all positions, as arrays [positions, most moves]. Unused columns have multiplicity 0."""

    multiplicity: IntArray
    next_position: IntArray


class _Step(NamedTuple):
    """The moves that the searches make at one ply, with one move for each search that is still within its tree."""

    search: Integers
    row: Integers
    column: Integers
    mover: Integers


@lru_cache(maxsize=4)
def choice_frequencies(positions: Positions, playouts: int, table: int = 0) -> IntArray:
    """Return, for each move, the number of searches that choose it, or the multiplicity of the move if it is forced.

    Args:
        positions: the game. A playout takes about 10 µs.
        playouts: the number of playouts per search, 1 or more.
        table: the number of the table, which selects its random numbers.

    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> nim = enumerate_positions(get_game("nim", "9-take3"))
    >>> choice_frequencies(nim, 100)[:3].tolist()  # leaving 8 wins
    [9, 1, 0]
    """
    weights = positions.multiplicity.copy()
    choices = np.flatnonzero(np.diff(positions.first_move) > 1)
    if not len(choices):
        return weights
    weights[np.isin(positions.position_of_move, choices)] = 0
    moves = _rectangular(positions)
    for roots in np.array_split(choices, len(choices) * SEARCHES * playouts // ROWS + 1):
        chosen = _Searches(positions, moves, roots, playouts, table).chosen()
        np.add.at(weights, np.repeat(positions.first_move[roots], SEARCHES) + chosen, 1)
    return weights


def _rectangular(positions: Positions) -> _Moves:
    counts = np.diff(positions.first_move)
    column = np.arange(counts.max())
    here = column < counts[:, None]
    move = np.where(here, positions.first_move[:-1, None] + column, 0)
    return _Moves(np.where(here, positions.multiplicity[move], 0), positions.next_position[move])


class _Searches:
    """Searches that run in parallel. Board b of search s is stored in row b * searches + s. The root is board 0."""

    def __init__(self, positions: Positions, moves: _Moves, roots: Integers, playouts: int, table: int) -> None:
        self.to_move, self.moves, self.playouts = positions.to_move, moves, playouts
        self.points = positions.outcome + 1  # X's points: 2 for a win, 1 for a draw, 0 for a loss
        self.roots = np.repeat(roots, SEARCHES)
        shape = playouts * len(self.roots), moves.multiplicity.shape[1]
        self.visits, self.results, self.children = (np.zeros(shape, np.int32) for _ in range(3))
        self.board_visits = np.zeros(len(self.visits), np.int32)
        # The last set of random numbers is not used for a playout; its first numbers break ties in the final choice.
        size = (playouts + 1) * positions.longest * SEARCHES
        seeds = (roots + table * len(positions)).tolist()
        numbers = [np.random.PCG64(seed).random_raw(size) & LOW for seed in seeds]
        self.numbers = np.concatenate([each.reshape(playouts + 1, -1, SEARCHES) for each in numbers], axis=2)
        logarithms = [2 * float(PRECISION.ln(decimal.Decimal(visits))) for visits in range(1, playouts + 1)]
        self.twice_logarithm = np.array([0.0, *logarithms])

    def chosen(self) -> Integers:
        """Return, for each search, the column of the chosen move."""
        for playout in range(self.playouts):
            self._play_out(playout)
        roots = slice(len(self.roots))
        rank = self.visits[roots].astype(np.int64) * (2 * self.playouts + 1) + self.results[roots]
        return _pick(self._highest(rank, self.roots), self.numbers[self.playouts, 0])

    def _play_out(self, playout: int) -> None:
        position, steps = self._descend(playout)
        plies = np.zeros(len(self.roots), np.int64)
        for step in steps:
            plies[step.search] += 1
        search = np.arange(len(self.roots))
        while len(search := search[self.to_move[position[search]] >= 0]):
            here = position[search]
            column = _pick(self.moves.multiplicity[here], self.numbers[playout, plies[search], search])
            position[search] = self.moves.next_position[here, column]
            plies[search] += 1
        self._learn(steps, self.points[position])

    def _descend(self, playout: int) -> tuple[Integers, list[_Step]]:
        """Return the position at which each search leaves its tree or ends the game, and the moves that lead there."""
        position = self.roots.copy()
        search: Integers = np.arange(len(self.roots))
        row, steps = search, list[_Step]()
        while len(search):
            here = position[search]
            column = _pick(self._best(row, here), self.numbers[playout, len(steps), search])
            steps.append(_Step(search, row, column, self.to_move[here]))
            there = position[search] = self.moves.next_position[here, column]
            new = self.visits[row, column] == 0
            if playout + 1 < self.playouts:
                self.children[row[new], column[new]] = (playout + 1) * len(self.roots) + search[new]
            within = ~new & (self.to_move[there] >= 0)
            search, row = search[within], self.children[row, column][within]
        return position, steps

    def _best(self, row: Integers, position: Integers) -> Integers:
        """Return the multiplicities of the moves to explore next, and 0 for all other moves."""
        visits = self.visits[row]
        with np.errstate(divide="ignore", invalid="ignore"):
            bound = self.results[row] / (2 * visits)
            bound += np.sqrt(self.twice_logarithm[self.board_visits[row], None] / visits)
        bound[visits == 0] = np.inf
        return self._highest(bound, position)

    def _highest(self, value: NDArray[Any], position: Integers) -> Integers:
        multiplicity = self.moves.multiplicity[position]
        value[multiplicity == 0] = -1
        return np.where(value == value.max(axis=1, keepdims=True), multiplicity, 0)

    def _learn(self, steps: list[_Step], points: Integers) -> None:
        for search, row, column, mover in steps:
            self.visits[row, column] += 1
            self.board_visits[row] += 1
            self.results[row, column] += np.where(mover == 0, points[search], 2 - points[search])


def _pick(weights: Integers, numbers: NDArray[np.uint64]) -> Integers:
    """Return a random column for each row, drawn according to the row's weights."""
    sums = weights.cumsum(axis=1)
    reached = (numbers * sums[:, -1].astype(np.uint64)) >> np.uint64(32)
    column: Integers = np.count_nonzero(sums <= reached[:, None].astype(np.int64), axis=1)
    return column
