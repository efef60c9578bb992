"""The exact outcomes of every X against every O: a column of many X at once, for each O.

Probability is carried forward as in evaluation.py, to the same bits. But the arrays have a column for each X, and what
several moves bring to a position is added move by move, as long stretches of memory: a pair takes some microseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menace.arena.evaluation import Outcomes, Step, batches, endings, game_of, steps
from menace.games.positions import Positions
from menace.learners.policy import Policy

TOGETHER = 200_000  # moves of X that are computed side by side: those of a ply stay in the processor's cache


class Arrivals(NamedTuple):
    """The moves of a ply by where they arrive: in layers, in each of which no two moves lead to the same child.

    Attributes:
        step: the ply.
        moves: [moves], the first move to each child, then the second moves, and so on.
        origins: [moves], the position that each comes from.
        layers: where in `moves` each layer lies; its moves lead to the first of `children`, in their order.
        children: the positions that the moves lead to, those with most arrivals first.
        is_only: whether no move of another ply leads to any of them.
    """

    step: Step
    moves: NDArray[np.intp]
    origins: NDArray[np.int32]
    layers: tuple[slice, ...]
    children: NDArray[np.int32]
    is_only: bool


@lru_cache(maxsize=4)
def arrivals(positions: Positions) -> tuple[Arrivals, ...]:
    """Return the plies of a game, the first one first, by where their moves arrive.

    >>> from menace.games.enumeration import tictactoe
    >>> [len(one.layers) for one in arrivals(tictactoe())]  # the most moves of a ply that lead to one position
    [1, 1, 2, 2, 3, 3, 4, 4, 5]
    """
    plies = np.zeros(len(positions), np.int64)  # that lead to each position
    for step in steps(positions):
        plies[np.unique(step.child)] += 1
    return tuple(_arrivals(step, plies) for step in steps(positions))


def _arrivals(step: Step, plies: NDArray[np.int64]) -> Arrivals:
    order = np.argsort(step.child, kind="stable")
    children, first, counts = np.unique(step.child[order], return_index=True, return_counts=True)
    by_count = np.argsort(-counts, kind="stable")
    parts = [order[first[by_count[: np.count_nonzero(counts > turn)]] + turn] for turn in range(counts.max())]
    bounds = np.cumsum([0, *map(len, parts)]).tolist()
    moves = np.concatenate(parts)
    layers = tuple(map(slice, bounds, bounds[1:]))
    is_only = bool((plies[children] == 1).all())
    return Arrivals(step, moves + step.moves.start, step.position_of_move[moves], layers, children[by_count], is_only)


def crosstable(xs: Sequence[Policy], os: Sequence[Policy]) -> list[list[Outcomes]]:
    """Return what `evaluation.outcomes` returns for each X, a list, against each O.

    Raises:
        InvalidGame: if the policies are of two games.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.learners.fixed import fixed_policy
    >>> xs, os = ([fixed_policy(name, tictactoe(), side) for name in ("random", "optimal")] for side in (0, 1))
    >>> [[round(found.o_wins, 4) for found in row] for row in crosstable(xs, os)]
    [[0.2881, 0.7775], [0.0, 0.0]]
    """
    if not xs:
        return []
    positions = game_of((*xs, *os))
    return [row for batch in batches(positions, xs, TOGETHER) for row in _rows(positions, batch, os)]


def _rows(positions: Positions, xs: Sequence[Policy], os: Sequence[Policy]) -> list[list[Outcomes]]:
    chances = np.stack([x.probability for x in xs], axis=1)
    of_x = [chances[ply.moves] for ply in arrivals(positions)]
    resigns = np.stack([x.resigns for x in xs], axis=1) if any(x.can_resign for x in xs) else None
    room = np.empty((max(len(ply.moves) for ply in arrivals(positions)), len(xs)))
    columns = [_column(positions, of_x, resigns, o, room) for o in os]
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in xs]


def _column(
    positions: Positions,
    of_x: Sequence[NDArray[np.float64]],
    resigns: NDArray[np.float64] | None,
    o: Policy,
    room: NDArray[np.float64],
) -> list[Outcomes]:
    """Return the outcomes of each X, a column of `of_x` (by ply) and of `resigns`, against one O.

    `room` is for the moves of a ply, and overwritten: to ask for memory for each would take a quarter of the time.
    """
    reach = np.zeros((len(positions), of_x[0].shape[1]))
    reach[0] = 1.0
    given_up = np.zeros((2, reach.shape[1]))  # by X, by O
    for ply, of_ply in zip(arrivals(positions), of_x, strict=True):
        here = ply.step.positions
        if ply.step.mover == 0:
            chance = of_ply
            if resigns is not None:
                given_up[0] += (reach[here] * resigns[here]).sum(axis=0)
        else:
            chance = o.probability[ply.moves, np.newaxis]
            if o.can_resign:
                given_up[1] += o.resigns[here] @ reach[here]
        flow = room[: len(ply.moves)]
        np.take(reach, ply.origins, axis=0, out=flow, mode="clip")  # else NumPy copies it once more
        flow *= chance
        arrived = flow[ply.layers[0]]
        for layer in ply.layers[1:]:
            arrived[: layer.stop - layer.start] += flow[layer]
        if ply.is_only:
            reach[ply.children] = arrived
        else:
            reach[ply.children] += arrived
    # As rows, so that NumPy adds in the same order as in evaluation.py.
    won, drawn, lost = (np.ascontiguousarray(reach[end].T).sum(axis=1) for end in endings(positions))
    return [*map(Outcomes._make, np.stack([won + given_up[1], drawn, lost + given_up[0]], axis=1).tolist())]
