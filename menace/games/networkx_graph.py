"""Represent a game as a networkx DiGraph with positions as nodes, moves as edges, and minimax values as attributes.

Nodes are position numbers. The attributes of nodes are `board`, `ply`, `to_move`, `outcome`, `images`, `minimax` and
`plies_to_end`. Edges have the attributes `action`, `multiplicity`, `minimax` (the value of the position after the move)
and `optimal` (1 if the move keeps the value of its position, otherwise 0). All attributes are ints or strings, except
that `to_move` and `outcome` may be None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import networkx as nx

from menace.games.base import NUMBER_OF_OUTCOME, OUTCOME_OF_NUMBER, TEXT_OF_SIDE, Side

if TYPE_CHECKING:
    from menace.games.positions import Positions

GameGraph: TypeAlias = "nx.DiGraph[int]"


def build_graph(positions: Positions) -> GameGraph:
    """Return a graph of all positions and moves, labelled with minimax values.

    The graph itself has the attributes `game`, `variant` and `symmetry`.

    >>> from menace.games import get_game
    >>> from menace.games.enumeration import enumerate_positions
    >>> graph = build_graph(enumerate_positions(get_game()))
    >>> graph.nodes[0]["minimax"], graph.number_of_edges()
    (0, 2096)
    """
    game = positions.game
    graph: GameGraph = nx.DiGraph(game=game.name, variant=game.variant, symmetry=positions.symmetry)
    for position in range(len(positions)):
        graph.add_node(
            position,
            board=positions.boards[position],
            ply=int(positions.ply[position]),
            to_move=TEXT_OF_SIDE[int(positions.to_move[position])],
            outcome=OUTCOME_OF_NUMBER[int(positions.outcome[position])],
            images=int(positions.images[position]),
        )
    for position in range(len(positions)):
        for move in range(positions.first_move[position], positions.first_move[position + 1]):
            graph.add_edge(
                position,
                int(positions.next_position[move]),
                action=int(positions.action[move]),
                multiplicity=int(positions.multiplicity[move]),
            )
    label(graph)
    return graph


def label(graph: nx.DiGraph[int]) -> None:
    """Set `minimax`, `plies_to_end` and `optimal` on the nodes and edges of a graph, starting from the end of the game.

    `minimax` is the value under perfect play from X's point of view (1, 0 or -1). `plies_to_end` is the remaining
    length of the game if the winner tries to shorten the game and the loser tries to prolong it. In a drawn position,
    both sides try to prolong the game.

    >>> graph = nx.DiGraph([(0, 1), (0, 2)])
    >>> graph.add_node(0, to_move="X")
    >>> for end, outcome in ((1, "O"), (2, "X")):
    ...     graph.add_node(end, to_move=None, outcome=outcome)
    >>> label(graph)
    >>> graph.nodes[0]["minimax"], graph[0][1]["optimal"], graph[0][2]["optimal"]
    (1, 0, 1)
    """
    for position in reversed(list(nx.topological_sort(graph))):
        node = graph.nodes[position]
        if node["to_move"] is None:
            node["minimax"] = NUMBER_OF_OUTCOME[node["outcome"]]
            node["plies_to_end"] = 0
            continue
        sign = Side(node["to_move"]).sign
        node["minimax"] = sign * max(sign * graph.nodes[child]["minimax"] for child in graph[position])
        lengths = []
        for child, edge in graph[position].items():
            edge["minimax"] = graph.nodes[child]["minimax"]
            edge["optimal"] = int(edge["minimax"] == node["minimax"])
            if edge["optimal"]:
                lengths.append(graph.nodes[child]["plies_to_end"])
        wins = node["minimax"] == sign
        node["plies_to_end"] = 1 + (min(lengths) if wins else max(lengths))
