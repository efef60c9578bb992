"""Simple layout of the game graph for export: the place and colour of each position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from menace.naming_schemes import BeadColour

if TYPE_CHECKING:
    from menace.games.graph import GameGraph

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

    >>> from menace.exporting.game_graph import game_graph
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

    >>> from menace.exporting.game_graph import game_graph
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
