"""Build a networkx graph of a database's game, with a learner's beads or values if requested, and write it to files.

Each node is the number of a position. The attributes of positions and moves have the names and types of the database
columns. NULL values, such as `to_move` of a final position, are omitted. No attribute is called `value`, `label`, `id`,
`name` or `weight`, because graph viewers use these names for special purposes.

If a learner is given, the learner's own moves have additional attributes. `share` is the current probability of the
move. `beads` and `picked`, or `learned_value` and `updates`, are the stored values. A position's `visits` is the number
of times that the learner visited the position, as far as the learner's counts show. Only games from which the learner
has learned are counted. If the learner stores values of positions, each position also has a `learned_value`.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from networkx.readwrite.gexf import GEXFWriter

from menace.drawing.graph_layout import COLOUR_OF_MINIMAX, by_ply, layout
from menace.errors import InvalidPlayer, InvalidSetting
from menace.files.output import csv_text, file_format, write_file, write_folder
from menace.games.base import Game, rows_text
from menace.games.networkx_graph import GameGraph
from menace.learners.box import Move
from menace.learners.machine import Machine
from menace.ledger.learners import load_machine
from menace.ledger.positions import MOVE_COLUMNS, POSITION_COLUMNS, positions_of
from menace.ledger.rules import rules_of
from menace.ledger.store import Store
from menace.text.wording import EXPORT_FORMATS, PARTS, Part

# For each part, the sides that must keep the minimax value.
OPTIMAL_SIDES: dict[str, str] = {"all": "", "optimal": "XO", "X-optimal": "X", "O-optimal": "O"}


def game_graph(store: Store, part: Part = "all", learner: str | None = None) -> GameGraph:
    """Return the positions and moves of a database as a networkx graph.

    Args:
        store: the database.
        part: the positions to include. `all` includes every position. `optimal` includes those reached when both sides
            keep the minimax value; `X-optimal` and `O-optimal` include those reached when the named side keeps the
            minimax value and the other side plays any moves. `played` includes those that the learner has visited.
        learner: the name of a learner whose beads or values are added to its moves, or None.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if `part` is `played`, and no learner is given or the learner has not learned from any game.
        InvalidSetting: if there is no such part.

    >>> graph = game_graph(store, "optimal", learner="menace-x")
    >>> len(graph), graph.number_of_edges(), graph.nodes[0]["visits"], graph.edges[0, 1]["beads"]
    (125, 210, 100, 16)
    """
    check_part(part)
    with store.copied() as copy:
        if part == "played" and learner is None:
            raise missing_learner_error(copy, "the part 'played'")
        graph = whole_graph(copy)
        if learner is not None:
            _add_machine(graph, load_machine(copy, positions_of(copy), copy.learner(learner)))
    return select_part(graph, part)


def check_part(part: str) -> None:
    """Raise InvalidSetting if there is no part with this name.

    >>> check_part("best")
    Traceback (most recent call last):
        ...
    menace.errors.InvalidSetting: unknown part 'best'; choose one of all, optimal, played, X-optimal, O-optimal
    """
    if part not in PARTS:
        raise InvalidSetting(f"unknown part {part!r}; choose one of {', '.join(PARTS)}")


def whole_graph(store: Store) -> GameGraph:
    """Return all positions and moves of a database, without a learner's data.

    >>> len(whole_graph(store))
    765
    """
    positions_of(store)  # raises an error if the stored positions are not those of the game
    return _build_graph(store, store.positions(), store.all_moves())


def neighbourhood(store: Store, numbers: Collection[int]) -> GameGraph:
    """Return the given positions, the moves from them, and the positions to which these moves lead.

    The function reads only these rows, even in a large game.

    >>> len(neighbourhood(store, [0])), neighbourhood(store, [0]).number_of_edges()
    (4, 3)
    """
    moves = [row for number in sorted(numbers) for row in store.table_rows("move", number, number)]
    ends = sorted({*numbers, *(row[2] for row in moves)})
    return _build_graph(store, (row for number in ends for row in store.table_rows("position", number, number)), moves)


def subgraph(graph: GameGraph, positions: Collection[int]) -> GameGraph:
    """Return the subgraph of the given positions and the moves between them.

    >>> subgraph(whole_graph(store), [0, 1, 3]).edges
    OutEdgeView([(0, 1), (0, 3)])
    """
    return _subgraph(graph, {*positions}, [(a, b) for a, b in graph.edges if a in positions and b in positions])


def add_machine_to_copy(graph: GameGraph, machine: Machine) -> GameGraph:
    """Return a copy of the whole graph, with a machine's beads or values added.

    >>> from menace.ledger.learners import named_machine
    >>> add_machine_to_copy(whole_graph(store), named_machine(store, "menace-x")).edges[0, 1]["beads"]
    16
    """
    copy: GameGraph = graph.copy()
    _add_machine(copy, machine)
    return copy


def select_part(graph: GameGraph, part: Part) -> GameGraph:
    """Return a part of the whole graph (see `game_graph`). Raises InvalidPlayer if the learner has not played.

    >>> len(select_part(whole_graph(store), "optimal"))
    125
    """
    part_graph = _played_part(graph) if part == "played" else _optimal_part(graph, OPTIMAL_SIDES[part])
    part_graph.graph["part"] = part
    return part_graph


def missing_learner_error(store: Store, what: str) -> InvalidPlayer:
    """Return the error for a request, described by `what`, that needs a learner but does not name one.

    >>> print(missing_learner_error(store, "a page"))
    a page needs a machine; name one with --learner (the machines are: menace-x, menace-o)
    """
    names = ", ".join(row.name for row in store.learners())
    known = f"the machines are: {names}" if names else "there are no machines yet"
    return InvalidPlayer(f"{what} needs a machine; name one with --learner ({known})")


def _build_graph(store: Store, positions: Iterable[tuple[Any, ...]], moves: Iterable[tuple[Any, ...]]) -> GameGraph:
    rules = store.rules()
    graph: GameGraph = nx.DiGraph(game=rules.name, variant=rules.variant, symmetry=rules.symmetry)
    for number, *values in positions:
        columns = zip(POSITION_COLUMNS, values, strict=True)
        graph.add_node(number, **{column: value for column, value in columns if value is not None})
    for start, action, end, *values in moves:
        graph.add_edge(start, end, action=action, **dict(zip(MOVE_COLUMNS, values, strict=True)))
    return graph


def _add_machine(graph: GameGraph, machine: Machine) -> None:
    """Add a machine's beads or values to the graph."""
    positions = machine.positions
    graph.graph.update(
        learner=machine.name,
        plays=machine.plays.value,
        algorithm=machine.algorithm.name,
        preset=machine.preset,
        games=machine.learned.games,
    )
    own = np.flatnonzero(positions.moved_by(machine.side)[positions.position_of_move])
    ends = (positions.position_of_move[own].tolist(), positions.next_position[own].tolist())
    for start, end, share in zip(*ends, machine.policy().probability[own].tolist(), strict=True):
        graph[start][end]["share"] = share
    for box in machine.boxes:
        for held in box.moves:
            graph[box.position_id][held.next_position].update(_move_attributes(machine, held))
    _add_visits(graph, machine)


def _move_attributes(machine: Machine, move: Move) -> dict[str, float]:
    """Return the learned attributes of a move; attributes of positions are not included."""
    if machine.has_beads:
        return {"beads": move.beads, "picked": move.count}
    counts = {} if machine.algorithm.values_positions else {"updates": move.count}
    return {"learned_value": move.amount, **counts}


def _add_visits(graph: GameGraph, machine: Machine) -> None:
    """Add the number of visits to each position.

    If the algorithm stores values of positions, each position's count is its number of visits. Otherwise, each use of a
    move is a visit to both positions that the move connects.
    """
    positions, learned = machine.positions, machine.learned
    entries = np.flatnonzero(learned.kept)
    counts = machine.counts_of(entries)
    if machine.algorithm.values_positions:
        for position, value, count in zip(entries.tolist(), machine.amounts_of(entries), counts, strict=True):
            graph.nodes[position].update(learned_value=value, visits=count)
        return
    ends = (positions.position_of_move[entries].tolist(), positions.next_position[entries].tolist())
    for start, end, count in zip(*ends, counts, strict=True):
        for position in (start, end):
            node = graph.nodes[position]
            node["visits"] = node.get("visits", 0) + count


def _optimal_part(graph: GameGraph, optimal_sides: str) -> GameGraph:
    """Return the part that is reachable from the first board if `optimal_sides` make only optimal moves."""

    def allowed(start: int, edge: dict[str, Any]) -> bool:
        return edge["optimal"] == 1 or graph.nodes[start]["to_move"] not in optimal_sides

    reached = {0}
    moves = []
    for start in graph:  # children have larger numbers than their parents
        if start in reached:
            edges = [(start, end) for end, edge in graph[start].items() if allowed(start, edge)]
            reached.update(end for _, end in edges)
            moves += edges
    return _subgraph(graph, reached, moves)


def _played_part(graph: GameGraph) -> GameGraph:
    """Return the positions that the machine visited, and the moves between them.

    Of the machine's own moves, only those that it learned from are included.
    """
    visited = {position for position, node in graph.nodes(data=True) if node.get("visits", 0) > 0}
    if not visited:
        name = graph.graph["learner"]
        raise InvalidPlayer(
            f"machine {name} has not learned from any game yet, so the part 'played' is empty; train it first"
        )
    moves = [
        (start, end)
        for start, end, edge in graph.edges(data=True)
        if start in visited and end in visited and edge.get("picked", edge.get("updates", 1)) > 0
    ]
    return _subgraph(graph, visited, moves)


def _subgraph(graph: GameGraph, positions: set[int], moves: list[tuple[int, int]]) -> GameGraph:
    """Return part of a graph in the graph's own order; networkx's `subgraph` would use the order of a set."""
    result: GameGraph = nx.DiGraph(**graph.graph)
    result.add_nodes_from((position, node) for position, node in graph.nodes(data=True) if position in positions)
    result.add_edges_from((start, end, graph[start][end]) for start, end in moves)
    return result


NUMERAL = re.compile(r"-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)")
COLUMN_POINTS = 22  # width of each column of a board, in points; characters are 17 points apart
UNSHARED_WIDTH = 0.6
MIN_WIDTH, WIDTH_RANGE = 0.4, 5.0
BOARD_FONT = "fontname=Courier, fontsize=14"


def dot(graph: GameGraph, game: Game) -> bytes:
    """Return the graph in the DOT language.

    Args:
        graph: the graph, as returned by `game_graph`.
        game: the game, which draws the boards.

    >>> from menace.games import get_game
    >>> text = dot(game_graph(store, "optimal").subgraph([0, 1]), get_game())
    >>> print(text.decode().splitlines()[-2])
      0 -> 1 [action=0, multiplicity=4, minimax=0, optimal=1, style=solid, color="#888888", penwidth=0.6]
    """
    return "\n".join(["digraph game {", *map("  {}".format, _lines(graph, game)), "}", ""]).encode()


def _lines(graph: GameGraph, game: Game) -> Iterator[str]:
    title = quote_label(graph_title(graph))
    yield f"graph [label={title}, labelloc=t, fontname=Helvetica, fontsize=20, ranksep=1.2, nodesep=0.15]"
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
LEARNED_POSITION_COLUMNS = ("learned_value", "visits")
LEARNED_MOVE_COLUMNS = ("share", "beads", "learned_value", "picked", "updates")


def gexf(graph: GameGraph) -> bytes:
    """Return the graph as GEXF 1.2 for Gephi, laid out by ply and coloured by minimax value.

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
    attributes = "; ".join(f"{name}: {value}" for name, value in graph.graph.items())
    description.text = f"{graph_title(graph)} ({attributes})"
    meta.append(description)
    file = io.BytesIO()
    writer.write(file)
    return _end_with_newline(file.getvalue())


def _size(node: dict[str, Any], most_visits: int) -> float:
    """Return the size at which to draw a position.

    The size grows with the number of visits. Without a learner, final positions are smaller.
    """
    if not most_visits:
        return END_SIZE if "outcome" in node else SIZE
    return round(END_SIZE + SIZE_RANGE * math.sqrt(node.get("visits", 0) / most_visits), 3)


def graphml(graph: GameGraph) -> bytes:
    """Return the graph as GraphML with typed attributes.

    >>> read = nx.parse_graphml(graphml(game_graph(store, "optimal")).decode(), node_type=int)
    >>> read.graph["variant"], read.nodes[0]["minimax"]
    ('3x3x3', 0)
    """
    file = io.BytesIO()
    nx.write_graphml_xml(graph, file)  # unlike write_graphml, this function never uses lxml, whose output differs
    return _end_with_newline(file.getvalue())


def node_link_json(graph: GameGraph) -> bytes:
    """Return the graph as node-link JSON. Edges are listed under `edges`, as in networkx 3.6, but d3 expects `links`.

    >>> json.loads(node_link_json(game_graph(store, "optimal")))["edges"][0]
    {'source': 0, 'target': 1, 'action': 0, 'multiplicity': 4, 'minimax': 0, 'optimal': 1}
    """
    content = {
        "directed": True,
        "multigraph": False,
        "graph": graph.graph,
        "nodes": [{"id": position, **node} for position, node in graph.nodes(data=True)],
        "edges": [{"source": start, "target": end, **edge} for start, end, edge in graph.edges(data=True)],
    }
    return (json.dumps(content, allow_nan=False, separators=(",", ":")) + "\n").encode("ascii")


def csv_tables(graph: GameGraph) -> dict[str, bytes]:
    r"""Return the tables `positions` and `moves` as CSV with the columns of the database; missing values are empty.

    >>> print(*csv_tables(game_graph(store, "optimal"))["moves"].decode().splitlines()[:2], sep="\n")
    position_id,action,next_position_id,board,next_board,multiplicity,minimax,optimal
    0,0,1,.........,X........,4,0,1
    """
    nodes, edges = graph.nodes, [edge for _, _, edge in graph.edges(data=True)]
    learned = [name for name in LEARNED_POSITION_COLUMNS if any(name in node for node in nodes.values())]
    columns = (*POSITION_COLUMNS, *learned)
    positions = [(position, *(node.get(column) for column in columns)) for position, node in nodes.items()]
    move_columns = (*MOVE_COLUMNS, *(name for name in LEARNED_MOVE_COLUMNS if any(name in edge for edge in edges)))
    board = {position: node["board"] for position, node in nodes.items()}
    moves = [
        (start, edge["action"], end, board[start], board[end], *(edge.get(column) for column in move_columns))
        for start, end, edge in graph.edges(data=True)
    ]
    move_header = ("position_id", "action", "next_position_id", "board", "next_board", *move_columns)
    return {
        "positions": csv_text(("position_id", *columns), positions).encode(),
        "moves": csv_text(move_header, moves).encode(),
    }


def graph_title(graph: GameGraph) -> str:
    """Return the title of the graph.

    >>> graph_title(game_graph(store, "X-optimal"))
    'tictactoe 3x3x3: X-optimal play'
    """
    about = graph.graph
    part = {"all": "all positions", "played": "positions played"}.get(about["part"], f"{about['part']} play")
    owner = f", moves as {about['learner']} plays them" if "learner" in about else ""
    return f"{about['game']} {about['variant']}: {part}{owner}"


def _end_with_newline(xml: bytes) -> bytes:
    return xml.rstrip(b"\n") + b"\n"


@dataclass(frozen=True)
class Exported:
    """A summary of an export.

    Attributes:
        files: the paths of the files that were written.
        positions: the number of positions in the files.
        moves: the number of moves in the files.

    >>> export(store, "perfect.dot", "optimal")
    Exported(files=('perfect.dot',), positions=125, moves=210)
    """

    files: tuple[str, ...]
    positions: int
    moves: int


def export(
    store: Store,
    path: str | os.PathLike[str],
    part: Part = "all",
    learner: str | None = None,
) -> Exported:
    """Write the game graph to a file.

    Args:
        store: the database.
        path: the file, whose extension selects the format. With `graph.csv`, positions.csv and moves.csv are written to
            a folder `graph`.
        part: the positions to include, as in `game_graph`.
        learner: the name of a learner whose beads or values are added to its moves, or None.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if `part` is `played`, and no learner is given or the learner has not learned from any game.
        InvalidSetting: if there is no such part.
        OutputError: if the format is unknown, or the file cannot be written.

    >>> export(store, "perfect.csv", "optimal").files
    ('perfect/positions.csv', 'perfect/moves.csv')
    """
    form = file_format(path, tuple(EXPORT_FORMATS))
    graph = game_graph(store, part, learner)
    files = _write(store, graph, form, os.fspath(path))
    return Exported(files, len(graph), graph.number_of_edges())


def _write(store: Store, graph: GameGraph, form: str, path: str) -> tuple[str, ...]:
    """Write the graph in the given format, and return the paths of the files."""
    if form == "csv":
        folder = Path(path).with_suffix("") if Path(path).suffix.lower() == ".csv" else Path(path)
        tables = {f"{name}.csv": table for name, table in csv_tables(graph).items()}
        write_folder(folder, tables)
        return tuple(str(folder / name) for name in tables)
    writers: dict[str, Callable[[GameGraph], bytes]] = {
        "dot": lambda drawn: dot(drawn, rules_of(store).game),
        "gexf": gexf,
        "graphml": graphml,
        "json": node_link_json,
    }
    write_file(path, writers[form](graph))
    return (path,)
