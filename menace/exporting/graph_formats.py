"""Write the game graph as GEXF, GraphML, JSON, CSV or DOT. The same graph always produces the same bytes."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx
from networkx.readwrite.gexf import GEXFWriter

from menace.drawing.graph_layout import COLOUR_OF_MINIMAX, by_ply, layout
from menace.files.output import csv_text
from menace.games.base import Game, rows_text
from menace.games.networkx_graph import GameGraph
from menace.ledger.positions import MOVE_COLUMNS, POSITION_COLUMNS

NUMERAL = re.compile(r"-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)")
COLUMN_POINTS = 22  # width of each column of a board, in points; characters are 17 points apart
UNSHARED_WIDTH = 0.6
MIN_WIDTH, WIDTH_RANGE = 0.4, 5.0
BOARD_FONT = "fontname=Courier, fontsize=14"


def dot_text(graph: GameGraph, game: Game, title: str) -> str:
    """Return the graph in the DOT language.

    Args:
        graph: the graph, as returned by `game_graph`.
        game: the game, which draws the boards.
        title: the text above the graph.

    >>> from menace.exporting.learner_graph import game_graph
    >>> from menace.games import get_game
    >>> text = dot_text(game_graph(store, "optimal").subgraph([0, 1]), get_game(), "the first move")
    >>> print(text.splitlines()[-2])
      0 -> 1 [action=0, multiplicity=4, minimax=0, optimal=1, style=solid, color="#888888", penwidth=0.6]
    """
    return "\n".join(["digraph game {", *map("  {}".format, _lines(graph, game, title)), "}", ""])


def _lines(graph: GameGraph, game: Game, title: str) -> Iterator[str]:
    yield f"graph [label={quote_label(title)}, labelloc=t, fontname=Helvetica, fontsize=20, ranksep=1.2, nodesep=0.15]"
    yield f"graph [{_attributes(graph.graph)}]"
    yield f"node [shape=box, style=filled, margin=0.06, {BOARD_FONT}]"
    yield "edge [arrowsize=0.5]"
    places = layout(graph)
    for position, node in graph.nodes(data=True):
        yield f"{position} [{_attributes(node)}, {_node_attributes(node, game, places[position])}]"
    for row in by_ply(graph).values():
        yield f"{{ rank=same; {'; '.join(map(str, row))} }}"
    for start, end, edge in graph.edges(data=True):
        yield f"{start} -> {end} [{_attributes(edge)}, {_edge_attributes(edge)}]"


def _node_attributes(node: Mapping[str, Any], game: Game, place: tuple[float, float]) -> str:
    """Return the attributes of a position: its board, row by row, and a double border if the game is over."""
    columns = game.shape[1]
    drawing = "\n".join(rows_text(game.pieces(node["board"]), game.shape, " "))
    colour = COLOUR_OF_MINIMAX[node["minimax"]].hex
    pos = "{:g},{:g}".format(*(coordinate * COLUMN_POINTS * (columns + 0.5) for coordinate in place))
    border = ", peripheries=2" if "outcome" in node else ""
    return f"label={quote_label(drawing)}, fillcolor={quote(colour)}, pos={quote(pos)}{border}"


def _edge_attributes(edge: Mapping[str, Any]) -> str:
    style = "solid" if edge["optimal"] else "dashed"
    if "share" not in edge:
        return f'style={style}, color="#888888", penwidth={UNSHARED_WIDTH}'
    return f"style={style}, penwidth={MIN_WIDTH + WIDTH_RANGE * edge['share']:.2f}"


def _attributes(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={quote(value)}" for name, value in values.items())


def quote(value: object) -> str:
    r"""Format an attribute value in DOT syntax; only text is quoted.

    >>> print(quote(-1), quote(1e-05), quote('a "b" \\'))
    -1 "1e-05" "a \"b\" \\"
    """
    text = str(value)
    if not isinstance(value, str) and NUMERAL.fullmatch(text):
        return text
    return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"'))


def quote_label(text: str) -> str:
    r"""Format a label in DOT syntax, so that Graphviz reads no part of it as an escape sequence or an entity.

    >>> print(quote_label(r'"R&D" \N'))
    "\"R&amp;D\" \\N"
    """
    return quote(text.replace("&", "&amp;")).replace("\n", "\\n")


POSITION_DISTANCE = 20.0  # in Gephi's unit of length
SIZE, END_SIZE, SIZE_RANGE = 8.0, 5.0, 16.0
THICKNESS_RANGE = 8.0
LEARNED_MOVE_COLUMNS = ("share", "beads", "learned_value", "picked", "updates")


def gexf(graph: GameGraph) -> bytes:
    """Return the graph as GEXF 1.2 for Gephi, laid out by ply and coloured by minimax value.

    >>> from menace.exporting.learner_graph import game_graph
    >>> first = game_graph(store, "optimal").subgraph([0, 1])
    >>> [line.strip() for line in gexf(first).decode().splitlines() if "<viz:color" in line]
    ['<viz:color r="204" g="204" b="204" a="1.0" />', '<viz:color r="204" g="204" b="204" a="1.0" />']
    """
    drawn = graph.copy()
    drawn.graph["name"] = graph_title(drawn)
    most = max(node.get("visits", 0) for _, node in graph.nodes(data=True))
    for position, (x, y) in layout(graph).items():
        node = drawn.nodes[position]
        red, green, blue = COLOUR_OF_MINIMAX[node["minimax"]].rgb
        node["label"] = node["board"]
        node["viz"] = {
            "color": {"r": red, "g": green, "b": blue},
            "size": _size(node, most),
            "position": {"x": x * POSITION_DISTANCE, "y": y * POSITION_DISTANCE, "z": 0.0},
        }
    for _, _, edge in drawn.edges(data=True):
        if "share" in edge:
            edge["viz"] = {"thickness": round(1.0 + THICKNESS_RANGE * edge["share"], 3)}
    writer = GEXFWriter(drawn)
    meta = writer.xml.find("meta")
    meta.attrib.clear()  # removes the current date
    meta.find("creator").text = "menace"
    description = type(meta)("description")
    description.text = _description(graph)
    meta.append(description)
    return _xml_bytes(writer)


def _size(node: dict[str, Any], most_visits: int) -> float:
    """Return the size of a position, which grows with its visits; without a learner, final positions are smaller."""
    if not most_visits:
        return END_SIZE if "outcome" in node else SIZE
    return round(END_SIZE + SIZE_RANGE * math.sqrt(node.get("visits", 0) / most_visits), 3)


def graphml(graph: GameGraph) -> bytes:
    """Return the graph as GraphML with typed attributes.

    >>> from menace.exporting.learner_graph import game_graph
    >>> read = nx.parse_graphml(graphml(game_graph(store, "optimal")).decode(), node_type=int)
    >>> read.graph["variant"], read.nodes[0]["minimax"]
    ('3x3x3', 0)
    """
    file = io.BytesIO()
    nx.write_graphml_xml(graph, file)  # unlike write_graphml, this function never uses lxml, whose output differs
    return _end_with_newline(file.getvalue())


def node_link_json(graph: GameGraph) -> bytes:
    """Return the graph as node-link JSON. Edges are listed under `edges`, as in networkx 3.6, but d3 expects `links`.

    >>> from menace.exporting.learner_graph import game_graph
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
    r"""Return the tables `positions` and `moves` as CSV with the columns of the database; missing values are empty.

    >>> from menace.exporting.learner_graph import game_graph
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
    return dot_text(graph, game, graph_title(graph)).encode()


def graph_title(graph: GameGraph) -> str:
    """Return the title of the graph.

    >>> from menace.exporting.learner_graph import game_graph
    >>> graph_title(game_graph(store, "X-optimal"))
    'tictactoe 3x3x3: X-optimal play'
    """
    about = graph.graph
    part = {"all": "all positions", "played": "positions played"}.get(about["part"], f"{about['part']} play")
    owner = f", moves as {about['learner']} plays them" if "learner" in about else ""
    return f"{about['game']} {about['variant']}: {part}{owner}"


def _description(graph: GameGraph) -> str:
    attributes = "; ".join(f"{name}: {value}" for name, value in graph.graph.items())
    return f"{graph_title(graph)} ({attributes})"


def _json_bytes(content: object) -> bytes:
    """Return JSON that every parser accepts: pure ASCII, without NaN."""
    return (json.dumps(content, allow_nan=False, separators=(",", ":")) + "\n").encode("ascii")


def _xml_bytes(writer: GEXFWriter) -> bytes:
    file = io.BytesIO()
    writer.write(file)
    return _end_with_newline(file.getvalue())


def _end_with_newline(xml: bytes) -> bytes:
    return xml.rstrip(b"\n") + b"\n"
