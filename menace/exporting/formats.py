"""Writers of the game graph for other programs: GEXF, GraphML, JSON, CSV, DOT. The same graph gives the same bytes.

format    read by                                        positions and moves carry besides their attributes
------    -------                                        --------------------------------------------------
gexf      Gephi, networkx.read_gexf                      label (the board), place, size, colour
graphml   yEd, Cytoscape, igraph, networkx.read_graphml  nothing
json      d3, networkx.node_link_graph(edges="edges")    nothing: nodes have `id`, edges `source` and `target`
csv       spreadsheets                                   two tables: positions, and moves with their boards
dot       Graphviz                                       see dot.py

Attributes of the whole graph (game, variant, part, learner, ...) are kept by graphml, json and dot; gexf has
them in its description; csv does not have them.
"""

from __future__ import annotations

import io
import json
import math
from typing import Any

import networkx as nx
from networkx.readwrite.gexf import GEXFWriter

from menace.drawing.export_layout import COLOUR_OF_MINIMAX, layout
from menace.exporting.dot import dot_text
from menace.games.base import Game
from menace.games.graph import GameGraph
from menace.ledger.stored_positions import MOVE_COLUMNS, POSITION_COLUMNS
from menace.output_files import csv_text

POSITIONS_APART = 20.0  # in the units of Gephi
SIZE, SIZE_OF_ENDS, SIZE_MORE = 8.0, 5.0, 16.0
THICKNESS_MORE = 8.0
LEARNED_MOVE_COLUMNS = ("share", "beads", "learned_value", "picked", "updates")


def gexf(graph: GameGraph) -> bytes:
    """Return the graph as GEXF 1.2 for Gephi, laid out by ply and coloured by minimax.

    >>> from menace.exporting.game_graph import game_graph
    >>> first = game_graph(store, "optimal").subgraph([0, 1])
    >>> [line.strip() for line in gexf(first).decode().splitlines() if "<viz:color" in line]
    ['<viz:color r="204" g="204" b="204" a="1.0" />', '<viz:color r="204" g="204" b="204" a="1.0" />']
    """
    drawn = graph.copy()
    drawn.graph["name"] = title(drawn)
    most = max(node.get("visits", 0) for _, node in graph.nodes(data=True))
    for position, (x, y) in layout(graph).items():
        node = drawn.nodes[position]
        red, green, blue = COLOUR_OF_MINIMAX[node["minimax"]].rgb
        node["label"] = node["board"]
        node["viz"] = {
            "color": {"r": red, "g": green, "b": blue},
            "size": _size(node, most),
            "position": {"x": x * POSITIONS_APART, "y": y * POSITIONS_APART, "z": 0.0},
        }
    for _, _, edge in drawn.edges(data=True):
        if "share" in edge:
            edge["viz"] = {"thickness": round(1.0 + THICKNESS_MORE * edge["share"], 3)}
    writer = GEXFWriter(drawn)
    meta = writer.xml.find("meta")
    meta.attrib.clear()  # it has today's date
    meta.find("creator").text = "menace"
    description = type(meta)("description")
    description.text = _about(graph)
    meta.append(description)
    return _xml_bytes(writer)


def _size(node: dict[str, Any], most_visits: int) -> float:
    """Return the size of a position: by the learner's visits; without a learner, finished ones are smaller."""
    if not most_visits:
        return SIZE_OF_ENDS if "outcome" in node else SIZE
    return round(SIZE_OF_ENDS + SIZE_MORE * math.sqrt(node.get("visits", 0) / most_visits), 3)


def graphml(graph: GameGraph) -> bytes:
    """Return the graph as GraphML, with typed attributes.

    >>> from menace.exporting.game_graph import game_graph
    >>> read = nx.parse_graphml(graphml(game_graph(store, "optimal")).decode(), node_type=int)
    >>> read.graph["variant"], read.nodes[0]["minimax"]
    ('3x3x3', 0)
    """
    file = io.BytesIO()
    nx.write_graphml_xml(graph, file)  # this writer never uses lxml, so the bytes do not depend on it
    return _ended(file.getvalue())


def node_link_json(graph: GameGraph) -> bytes:
    """Return the graph as node-link JSON: nodes, and edges under `edges`, as networkx 3.6 calls them (d3: `links`).

    >>> from menace.exporting.game_graph import game_graph
    >>> json.loads(node_link_json(game_graph(store, "optimal")))["edges"][0]
    {'source': 0, 'target': 1, 'action': 0, 'multiplicity': 4, 'minimax': 0, 'optimal': 1}
    """
    return _json_bytes(
        {
            "directed": True,
            "multigraph": False,
            "graph": graph.graph,
            "nodes": [{"id": position, **node} for position, node in graph.nodes(data=True)],
            "edges": [{"source": start, "target": end, **edge} for start, end, edge in graph.edges(data=True)],
        }
    )


def csv_tables(graph: GameGraph) -> dict[str, bytes]:
    r"""Return two tables, `positions` and `moves`, with the columns of the database; missing values are empty.

    >>> from menace.exporting.game_graph import game_graph
    >>> print(*csv_tables(game_graph(store, "optimal"))["moves"].decode().splitlines()[:2], sep="\n")
    position_id,action,next_position_id,board,next_board,multiplicity,minimax,optimal
    0,0,1,.........,X........,4,0,1
    """
    learned_columns = [
        name for name in ("learned_value", "visits") if any(name in node for _, node in graph.nodes(data=True))
    ]
    columns = (*POSITION_COLUMNS, *learned_columns)
    positions = [(position, *(node.get(column) for column in columns)) for position, node in graph.nodes(data=True)]
    learned_move_columns = [
        name for name in LEARNED_MOVE_COLUMNS if any(name in edge for _, _, edge in graph.edges(data=True))
    ]
    move_columns = (*MOVE_COLUMNS, *learned_move_columns)
    board = {position: node["board"] for position, node in graph.nodes(data=True)}
    moves = [
        (start, edge["action"], end, board[start], board[end], *(edge.get(column) for column in move_columns))
        for start, end, edge in graph.edges(data=True)
    ]
    move_header = ("position_id", "action", "next_position_id", "board", "next_board", *move_columns)
    return {
        "positions": csv_text(("position_id", *columns), positions).encode(),
        "moves": csv_text(move_header, moves).encode(),
    }


def dot(graph: GameGraph, game: Game) -> bytes:
    """Return the graph in the DOT language; `game` draws the boards."""
    return dot_text(graph, game, title(graph)).encode()


def title(graph: GameGraph) -> str:
    """Return the title of the graph.

    >>> from menace.exporting.game_graph import game_graph
    >>> title(game_graph(store, "X-optimal"))
    'tictactoe 3x3x3: X-optimal play'
    """
    about = graph.graph
    part = {"all": "all positions", "played": "positions played"}.get(about["part"], f"{about['part']} play")
    owner = f", moves as {about['learner']} plays them" if "learner" in about else ""
    return f"{about['game']} {about['variant']}: {part}{owner}"


def _about(graph: GameGraph) -> str:
    attributes = "; ".join(f"{name}: {value}" for name, value in graph.graph.items())
    return f"{title(graph)} ({attributes})"


def _json_bytes(content: object) -> bytes:
    """Return JSON that every reader accepts: no NaN, and plain ASCII."""
    return (json.dumps(content, allow_nan=False, separators=(",", ":")) + "\n").encode("ascii")


def _xml_bytes(writer: GEXFWriter) -> bytes:
    file = io.BytesIO()
    writer.write(file)
    return _ended(file.getvalue())


def _ended(xml: bytes) -> bytes:
    return xml.rstrip(b"\n") + b"\n"
