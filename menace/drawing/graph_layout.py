"""Compute a layered layout of the game graph for pictures, and a simple layout for exports."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace.text.bead_colours import BeadColour

if TYPE_CHECKING:
    from menace.games.networkx_graph import GameGraph


def isotonic_fit(values: Iterable[float]) -> list[float]:
    """Return the nondecreasing least-squares fit to `values`, computed by pooling adjacent violators.

    To keep neighbouring values at least d apart, subtract n * d from the nth value and add n * d to the nth result.

    Source: Ayer et al., An empirical distribution function for sampling with incomplete information, Annals of
    Mathematical Statistics 26 (1955).

    >>> isotonic_fit([1.0, 3.0, 2.0, 4.0])
    [1.0, 2.5, 2.5, 4.0]
    """
    blocks: list[tuple[float, int]] = []  # the mean and size of each block of pooled values
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

SEED = 1961  # the seed for random starts, fixed so that results are reproducible
SWEEPS = 12  # number of downward and upward barycentre sweeps before sifting
STARTED_NODES = 3_000  # total number of nodes over all starts, which allows 24 starts for 125 nodes and 3 for 765
ROUNDS = 60  # number of iterations that move nodes towards their neighbours, far more than needed for convergence
SPREAD = 0.25  # weight of even spacing, from 0 to 1; the mean of the neighbours has the remaining weight


def count_crossings(rows: Rows, edges: Edges) -> int:
    """Return the exact number of edge crossings between adjacent rows for the given order of each row.

    >>> count_crossings([[0, 1], [2, 3]], [(0, 3), (1, 2), (1, 3)])
    1
    """
    return int(sum(map(_crossed, _matrices(rows, edges))))


def order_rows(rows: Rows, edges: Edges, starts: int | None = None) -> Rows:
    """Reorder the nodes in each row so that few edges cross, and return the rows.

    For the 125 positions of perfect play, this function reduces the number of crossings from 723 to 265, and 400 more
    starts find nothing better. For all 765 positions, this function reduces the number of crossings from 106,676 to
    53,265. A single start leaves 53,658 crossings. Ten times the default number of starts leaves 51,048 crossings, but
    takes ten times as long.

    Args:
        rows: the nodes of each row, in any order.
        edges: a pair (start, end) for each edge. The end is in a row below the start.
        starts: the number of starts of the search, 1 or more, or None to choose a number that limits the running time.
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
        if not fewest:
            break
    return [[row[place] for place in order] for row, order in zip(rows, best, strict=True)]


def _matrices(rows: Rows, edges: Edges) -> list[Matrix]:
    """Return, for each row except the last, an edge matrix that contains 1 for each edge to the next row.

    Edges that skip a row are omitted because they are not used to order the rows.
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
    """Return the number of crossings in an edge matrix.

    For each entry that is 1, count the ones below and to the left of that entry, and add these counts.
    """
    left = np.cumsum(matrix, axis=1) - matrix
    below_left = np.cumsum(left[::-1], axis=0)[::-1] - left
    return float((matrix * below_left).sum())


def _all_crossed(between: list[Matrix], orders: list[Order]) -> float:
    return sum(_crossed(m[orders[number]][:, orders[number + 1]]) for number, m in enumerate(between))


def _neighbours(between: list[Matrix], orders: list[Order], number: int) -> list[Matrix]:
    """Return the edge matrices between a row and the ordered rows above and below it."""
    above = [between[number - 1].T[:, orders[number - 1]]] if number else []
    return [*above, between[number][:, orders[number + 1]]] if number < len(between) else above


def _sweep(between: list[Matrix], orders: list[Order]) -> None:
    """Repeatedly sort the nodes of each row by the mean place of their neighbours. Each sweep goes down and then up."""
    last, edges = len(between), [np.nonzero(matrix) for matrix in between]
    down, up = [(row, row - 1) for row in range(1, last + 1)], [(row, row + 1) for row in range(last - 1, -1, -1)]
    for number, beside in (down + up) * SWEEPS:
        upper, lower = edges[min(number, beside)]
        nodes, neighbours = (lower, upper) if beside < number else (upper, lower)
        size = len(orders[number])
        total = np.bincount(nodes, _places(orders[beside])[neighbours], size)
        mean = total / np.maximum(np.bincount(nodes, minlength=size), 1)
        orders[number] = orders[number][np.argsort(mean[orders[number]], kind="stable")]


def _places(order: Order) -> Order:
    """Return the place of each node in an order."""
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places


def _sift(between: list[Matrix], orders: list[Order]) -> None:
    """Move individual nodes to the best places in their rows until no move reduces the number of crossings."""
    # The rows that must be sifted again because these rows or adjacent rows have changed.
    stale = set(range(len(orders)))
    while stale:
        for number in range(len(orders)):
            if number in stale:
                stale.remove(number)
                if _sift_row(between, orders, number):
                    stale |= {number - 1, number, number + 1} & set(range(len(orders)))


def _sift_row(between: list[Matrix], orders: list[Order], number: int) -> bool:
    """Move each node of a row to its best place, and return whether that reduced the number of crossings."""
    if not between:  # a graph with a single row has no crossings
        return False
    costs = np.sum([_crossings_of_pairs(matrix) for matrix in _neighbours(between, orders, number)], axis=0)
    return _sift_nodes(orders, number, costs.T - costs)


def _sift_nodes(orders: list[Order], number: int, dearer: Matrix) -> bool:
    """Move each node of a row to its best place in turn, and return whether that reduced the number of crossings.

    Most nodes are already in their best places, so the function computes the best places of many nodes at once.

    Args:
        orders: the order of the nodes in each row.
        number: the index of the row.
        dearer: the additional crossings if a node is moved from the left of another node to its right, as an array
            [nodes, others].
    """
    waiting, many, is_better = orders[number], 1, False
    while len(waiting):
        order, nodes = orders[number], waiting[:many]
        change = np.zeros((len(nodes), len(order) + 1))
        np.cumsum(dearer[nodes[:, None], order], axis=1, out=change[:, 1:])
        best, here, each = change.argmin(axis=1), _places(order)[nodes], np.arange(len(nodes))
        better = np.flatnonzero(change[each, best] < change[each, here])
        many *= 2
        if len(better):
            nodes, many, is_better = nodes[: better[0] + 1], 1, True
            orders[number] = _moved(order, int(here[better[0]]), int(best[better[0]]))
        waiting = waiting[len(nodes) :]
    return is_better


def _moved(order: Order, here: int, place: int) -> Order:
    """Return an order with the node at `here` moved before the node at `place`, or to the end."""
    node = order[here : here + 1]
    if place > here:
        return np.concatenate((order[:here], order[here + 1 : place], node, order[place:]))
    return np.concatenate((order[:place], node, order[place:here], order[here + 1 :]))


def _crossings_of_pairs(matrix: Matrix) -> Matrix:
    """Return, for each pair of nodes, the number of crossings between their edges if the first node is to the left.

    The result, an array [nodes, nodes], could be computed as a matrix product. Summing over the ones in the sparse
    matrix is faster.
    """
    left = np.cumsum(matrix, axis=1) - matrix
    nodes, columns = np.nonzero(matrix)
    first = np.flatnonzero(np.diff(nodes, prepend=-1))
    costs = np.zeros((len(matrix), len(matrix)))
    if len(first):
        costs[nodes[first]] = np.add.reduceat(left.T[columns], first, axis=0)
    return costs


def _row_sums(matrix: Matrix, amounts: NDArray[Any]) -> Matrix:
    """Return the sum of `amounts` over the ones in each row.

    This function avoids BLAS because BLAS threads would wait for busy cores.
    """
    sums: Matrix = (matrix * amounts).sum(axis=1)
    return sums


def place_nodes(rows: Rows, edges: Edges, distances: Sequence[float], width: float) -> dict[int, float]:
    """Return x coordinates that place each node close to its neighbours while slightly spreading out each row.

    Args:
        rows: the nodes of each row from left to right. The result keeps this order.
        edges: a pair (start, end) for each edge. The end is in a row below the start.
        distances: for each row, the minimum distance between adjacent nodes. The margin at each end is half this
            distance.
        width: the total width, which must be at least the number of nodes times the distance for every row.

    >>> place_nodes([[0], [1, 2]], [(0, 1), (0, 2)], distances=[10, 10], width=100)
    {0: 50.0, 1: 43.75, 2: 56.25}
    """
    between = _matrices(rows, edges)
    even = [(np.arange(len(row)) + 0.5) * width / max(1, len(row)) for row in rows]
    places = [row.copy() for row in even]
    for _ in range(ROUNDS):
        for number in [*range(len(rows)), *reversed(range(len(rows)))]:
            pulls, degrees = np.zeros(len(rows[number])), np.zeros(len(rows[number]))
            for matrix, other_places in _with_places(between, places, number):
                pulls += _row_sums(matrix, other_places)
                degrees += matrix.sum(axis=1)
            wish = np.where(degrees > 0, pulls / np.maximum(degrees, 1), even[number])
            places[number] = _apart((1 - SPREAD) * wish + SPREAD * even[number], distances[number], width)
    return {node: float(x) for row, xs in zip(rows, places, strict=True) for node, x in zip(row, xs, strict=True)}


def _with_places(between: list[Matrix], places: list[Matrix], number: int) -> list[tuple[Matrix, Matrix]]:
    above = [(between[number - 1].T, places[number - 1])] if number else []
    return [*above, (between[number], places[number + 1])] if number < len(between) else above


def _apart(wishes: Matrix, distance: float, width: float) -> Matrix:
    """Return the least-squares fit to the desired places that respects the order, the margins and the minimum distance.

    After the space for the nodes to the left is subtracted, the places only have to be nondecreasing. Clipping the
    places to the margins preserves optimality.
    """
    taken = np.arange(len(wishes)) * distance
    level, margin = np.array(isotonic_fit((wishes - taken).tolist())), distance / 2
    places: Matrix = np.clip(level, margin, max(margin, width - margin - float(taken[-1]))) + taken
    return places


def ports(edges: Edges, x: Mapping[int, float], widths: Mapping[int, float]) -> tuple[list[float], list[float]]:
    """Return the x coordinates at which each edge leaves one node and reaches the other.

    The ends of a node's edges are spread out around the node's centre.

    Args:
        edges: a pair (start, end) for each edge.
        x: the x coordinate of each node.
        widths: for each node, the total width over which its edges spread.

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


# The colours for X wins, draws and O wins come from Okabe and Ito's palette for colour-blind readers (2008).
COLOUR_OF_MINIMAX = {
    1: BeadColour("sky blue", (86, 180, 233)),
    0: BeadColour("grey", (204, 204, 204)),
    -1: BeadColour("orange", (230, 159, 0)),
}
WIDTH_TO_HEIGHT = 1.5
MIN_ROW_DISTANCE = 2


def by_ply(graph: GameGraph) -> dict[int, list[int]]:
    """Return the positions at each ply, in ascending order.

    >>> from menace.exporting.graphs import game_graph
    >>> {ply: len(row) for ply, row in by_ply(game_graph(store)).items()}
    {0: 1, 1: 3, 2: 12, 3: 38, 4: 108, 5: 174, 6: 204, 7: 153, 8: 57, 9: 15}
    """
    rows: dict[int, list[int]] = {}
    for position, node in graph.nodes(data=True):
        rows.setdefault(node["ply"], []).append(position)
    return rows


def layout(graph: GameGraph) -> dict[int, tuple[float, float]]:
    """Return the coordinates (x, y) of each position, with one row per ply.

    The initial board is at the top, where y = 0, and y increases upwards. Neighbouring positions in a row are 1 apart,
    and each row is centred at x = 0. The distance between rows is chosen so that the picture is wider than it is high.

    >>> from menace.exporting.graphs import game_graph
    >>> places = layout(game_graph(store, "optimal"))
    >>> [places[position] for position in range(4)]
    [(0.0, 0.0), (-1.0, -2.0), (0.0, -2.0), (1.0, -2.0)]
    """
    rows = by_ply(graph)
    widest = max(map(len, rows.values()))
    apart = max(MIN_ROW_DISTANCE, round(widest / (WIDTH_TO_HEIGHT * len(rows))))
    return {
        position: (place - (len(row) - 1) / 2, float(-ply * apart))
        for ply, row in rows.items()
        for place, position in enumerate(row)
    }
