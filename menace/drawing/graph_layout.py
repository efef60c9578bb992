"""Layouts of the game graph: layered for pictures, and a simple one for exports."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.text.bead_colours import BeadColour

if TYPE_CHECKING:
    from menace.games.networkx_graph import GameGraph


def pooled(values: Iterable[float]) -> list[float]:
    """Return the numbers nearest to `values` (least squares) that never fall, by pooling adjacent violators.

    To keep a distance d between neighbours, take n * d from the nth before, and add it again.

    Source: M. Ayer and others, An empirical distribution function for sampling with incomplete information, Annals of
    Mathematical Statistics 26 (1955).

    >>> pooled([1.0, 3.0, 2.0, 4.0])
    [1.0, 2.5, 2.5, 4.0]
    """
    blocks: list[tuple[float, int]] = []  # mean and size of those that share their mean
    for value in values:
        mean, size = value, 1
        while blocks and blocks[-1][0] > mean:
            previous, count = blocks.pop()
            mean, size = (mean * size + previous * count) / (size + count), size + count
        blocks.append((mean, size))
    return [mean for mean, size in blocks for _ in range(size)]


Rows: TypeAlias = list[list[int]]
Edges: TypeAlias = Sequence[tuple[int, int]]
Matrix: TypeAlias = NDArray[np.float64]
Order: TypeAlias = NDArray[np.intp]

SEED = 1961  # of the shuffled starts: the same rows and edges give the same orders
SWEEPS = 12  # of barycentres, down and up, before sifting
STARTED_NODES = 3_000  # that all starts together may have, for time: 24 starts for 125 nodes, 3 for 765
ROUNDS = 60  # of pulling nodes towards their neighbours; they have settled long before
SPREAD = 0.25  # how much of a node's wish is an even spacing of its row, and not its neighbours


def crossings(rows: Rows, edges: Edges) -> int:
    """Return how many pairs of edges between neighbouring rows cross, exactly, when each row stands in its order.

    >>> crossings([[0, 1], [2, 3]], [(0, 3), (1, 2), (1, 3)])
    1
    """
    return int(sum(map(_crossed, _matrices(rows, edges))))


def ordered(rows: Rows, edges: Edges, starts: int | None = None) -> Rows:
    """Return the rows, each in an order that leaves few crossings.

    Args:
        rows: the nodes of each row, in any order.
        edges: (start, end), the end in a row below the start's.
        starts: how many are tried, 1 or more; None takes as many as there is time for.

    Measured: perfect play's 125 positions come from 723 crossings to 265, which 400 more starts do not better; all 765
    from 106,676 to 53,265 (51,048 with ten times the starts and time; 53,658 with one).
    """
    between = _matrices(rows, edges)
    generator = np.random.default_rng(SEED)
    best = [np.arange(len(row)) for row in rows]
    fewest = _all_crossed(between, best)
    for start in range(starts or max(2, STARTED_NODES // max(1, sum(map(len, rows))))):
        orders = [np.arange(len(row)) if start == 0 else generator.permutation(len(row)) for row in rows]
        _sweep(between, orders)
        _sift(between, orders)
        crossings = _all_crossed(between, orders)
        if crossings < fewest:
            best, fewest = orders, crossings
    return [[row[place] for place in order] for row, order in zip(rows, best, strict=True)]


def _matrices(rows: Rows, edges: Edges) -> list[Matrix]:
    """Return for each row but the last a matrix [nodes, nodes of the next row]: 1 where there is an edge.

    Edges that pass a row by are left out: they order nothing.
    """
    place = {node: (number, place) for number, row in enumerate(rows) for place, node in enumerate(row)}
    between = [np.zeros((len(row), len(below))) for row, below in itertools.pairwise(rows)]
    for start, end in edges:
        number, upper = place[start]
        below, lower = place[end]
        if below == number + 1:
            between[number][upper, lower] = 1
    return between


def _crossed(matrix: Matrix) -> float:
    """Return how many pairs of ones stand so that the lower one is further left: for each, those below and left."""
    left = np.cumsum(matrix, axis=1) - matrix
    below_left = np.cumsum(left[::-1], axis=0)[::-1] - left
    return float((matrix * below_left).sum())


def _all_crossed(between: list[Matrix], orders: list[Order]) -> float:
    return sum(_crossed(m[orders[number]][:, orders[number + 1]]) for number, m in enumerate(between))


def _neighbours(between: list[Matrix], orders: list[Order], number: int) -> list[Matrix]:
    """Return matrices [nodes of a row, nodes of a neighbouring row in its order]: of those above, of those below."""
    above = [between[number - 1].T[:, orders[number - 1]]] if number else []
    return [*above, between[number][:, orders[number + 1]]] if number < len(between) else above


def _sweep(between: list[Matrix], orders: list[Order]) -> None:
    """Sort each row by the mean place of its neighbours above, then upwards by those below, and again."""
    last = len(between)
    for _ in range(SWEEPS):
        for number, side in [(n, 0) for n in range(1, last + 1)] + [(n, -1) for n in range(last - 1, -1, -1)]:
            matrix = _neighbours(between, orders, number)[side]
            degree = matrix.sum(axis=1)
            mean = _summed(matrix, np.arange(matrix.shape[1])) / np.maximum(degree, 1)
            orders[number] = orders[number][np.argsort(mean[orders[number]], kind="stable")]


def _sift(between: list[Matrix], orders: list[Order]) -> None:
    """Move single nodes to their best place in their row, until no move leaves fewer crossings."""
    stale = set(range(len(orders)))  # rows that have changed, or have a neighbour that has, since they were sifted
    while stale:
        for number in range(len(orders)):
            if number in stale:
                stale.remove(number)
                if _sift_row(between, orders, number):
                    stale |= {number - 1, number, number + 1} & set(range(len(orders)))


def _sift_row(between: list[Matrix], orders: list[Order], number: int) -> bool:
    """Move each node of a row to its best place, and say whether that left fewer crossings."""
    if not between:  # a single row: nothing crosses
        return False
    costs = np.sum([_costs(matrix) for matrix in _neighbours(between, orders, number)], axis=0)
    dearer = costs.T - costs
    return sum(_sift_node(orders, number, node, dearer[node]) for node in orders[number].copy()) > 0


def _sift_node(orders: list[Order], number: int, node: int, dearer: Matrix) -> bool:
    """Move one node to its best place, and say whether that left fewer crossings.

    `dearer` [others]: how many more edges cross if the node stands right of the other than if it stands left of it.
    """
    order = orders[number]
    here = int(np.flatnonzero(order == node)[0])
    change = np.concatenate([[0], np.cumsum(dearer[order])])
    best = int(np.argmin(change))
    if change[best] >= change[here]:
        return False
    orders[number] = np.insert(np.delete(order, here), best - (best > here), node)
    return True


def _costs(matrix: Matrix) -> Matrix:
    """Return [nodes, nodes]: how many edges of the first and the second cross, if the first stands left of the second.

    It is the product of the matrix and of what stands left in it; a sum over the few ones takes less than that.
    """
    left = np.cumsum(matrix, axis=1) - matrix
    nodes, columns = np.nonzero(matrix)
    first = np.flatnonzero(np.diff(nodes, prepend=-1))
    costs = np.zeros((len(matrix), len(matrix)))
    if len(first):
        costs[nodes[first]] = np.add.reduceat(left.T[columns], first, axis=0)
    return costs


def _summed(matrix: Matrix, amounts: NDArray[Any]) -> Matrix:
    """Return the sum of `amounts` over the ones of each row. BLAS would do it in threads that wait for busy cores."""
    sums: Matrix = (matrix * amounts).sum(axis=1)
    return sums


def placed(rows: Rows, edges: Edges, distances: Sequence[float], width: float) -> dict[int, float]:
    """Return where each node stands, 0 to `width`: near its neighbours, and its row spread a little over the width.

    Args:
        rows: the nodes of each row, from left to right; they keep this order.
        edges: as `ordered` takes them.
        distances: of each row, the least from one node's middle to the next one's; half of it is kept to the margins.
        width: of the whole. Rows must fit: nodes times distance at most.

    >>> placed([[0], [1, 2]], [(0, 1), (0, 2)], distances=[10, 10], width=100)
    {0: 50.0, 1: 43.75, 2: 56.25}
    """
    between = _matrices(rows, edges)
    even = [(np.arange(len(row)) + 0.5) * width / max(1, len(row)) for row in rows]
    places = [row.copy() for row in even]
    for _ in range(ROUNDS):
        for number in [*range(len(rows)), *reversed(range(len(rows)))]:
            pulls, degrees = np.zeros(len(rows[number])), np.zeros(len(rows[number]))
            for matrix, other_places in _with_places(between, places, number):
                pulls += _summed(matrix, other_places)
                degrees += matrix.sum(axis=1)
            wish = np.where(degrees > 0, pulls / np.maximum(degrees, 1), even[number])
            places[number] = _apart((1 - SPREAD) * wish + SPREAD * even[number], distances[number], width)
    return {node: float(x) for row, xs in zip(rows, places, strict=True) for node, x in zip(row, xs, strict=True)}


def _with_places(between: list[Matrix], places: list[Matrix], number: int) -> list[tuple[Matrix, Matrix]]:
    above = [(between[number - 1].T, places[number - 1])] if number else []
    return [*above, (between[number], places[number + 1])] if number < len(between) else above


def _apart(wishes: Matrix, distance: float, width: float) -> Matrix:
    """Return the places nearest to the wishes (least squares) that keep order, distance and margins.

    Less what the nodes on their left take up, places must only not fall. Cutting them off at the margins leaves them
    the best.
    """
    taken = np.arange(len(wishes)) * distance
    level, margin = np.array(pooled((wishes - taken).tolist())), distance / 2
    places: Matrix = np.clip(level, margin, max(margin, width - margin - float(taken[-1]))) + taken
    return places


def ports(edges: Edges, x: Mapping[int, float], widths: Mapping[int, float]) -> tuple[list[float], list[float]]:
    """Return where each edge leaves its start and reaches its end: fanned out about a node's middle.

    Args:
        edges: (start, end).
        x: where each node stands.
        widths: of each node, how far its fan may reach in all.

    >>> ports([(0, 1), (0, 2)], {0: 50, 1: 20, 2: 80}, {0: 8, 1: 8, 2: 8})
    ([49.0, 51.0], [20.0, 80.0])
    """
    leaves, reaches = [0.0] * len(edges), [0.0] * len(edges)
    for ends, here, there in ((leaves, 0, 1), (reaches, 1, 0)):
        fans: dict[int, list[int]] = {}
        for number, edge in enumerate(edges):
            fans.setdefault(edge[here], []).append(number)
        for node, fan in fans.items():
            fan.sort(key=lambda number: (x[edges[number][there]], number))
            step = widths[node] / max(len(fan), 4)
            for place, number in enumerate(fan):
                ends[number] = x[node] + (place - (len(fan) - 1) / 2) * step
    return leaves, reaches


# As X sees it: sky blue, grey and orange of a palette that colour-blind people can distinguish. (Okabe and Ito, 2008)
COLOUR_OF_MINIMAX = {
    1: BeadColour("sky blue", (86, 180, 233)),
    0: BeadColour("grey", (204, 204, 204)),
    -1: BeadColour("orange", (230, 159, 0)),
}
WIDTH_TO_HEIGHT = 1.5
ROWS_APART_LEAST = 2


def by_ply(graph: GameGraph) -> dict[int, list[int]]:
    """Return the positions of each ply, in the order of their numbers.

    >>> from menace.exporting.learner_graph import game_graph
    >>> {ply: len(row) for ply, row in by_ply(game_graph(store)).items()}
    {0: 1, 1: 3, 2: 12, 3: 38, 4: 108, 5: 174, 6: 204, 7: 153, 8: 57, 9: 15}
    """
    rows: dict[int, list[int]] = {}
    for position, node in graph.nodes(data=True):
        rows.setdefault(node["ply"], []).append(position)
    return rows


def layout(graph: GameGraph) -> dict[int, tuple[float, float]]:
    """Return where each position stands: (x, y), y upwards, a row a ply with the empty board on top at 0.

    The positions of a row are 1 apart and centred on 0; rows are so far apart that the picture is broader than high.

    >>> from menace.exporting.learner_graph import game_graph
    >>> places = layout(game_graph(store, "optimal"))
    >>> [places[position] for position in range(4)]
    [(0.0, 0.0), (-1.0, -2.0), (0.0, -2.0), (1.0, -2.0)]
    """
    rows = by_ply(graph)
    widest = max(map(len, rows.values()))
    apart = max(ROWS_APART_LEAST, round(widest / (WIDTH_TO_HEIGHT * len(rows))))
    return {
        position: (place - (len(row) - 1) / 2, float(-ply * apart))
        for ply, row in rows.items()
        for place, position in enumerate(row)
    }
