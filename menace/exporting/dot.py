r"""The game graph in Graphviz's DOT language: `dot -Tsvg graph.dot > graph.svg`.

Boards are in rows by ply, coloured by who wins under perfect play; moves that keep the value are solid and others
dashed, and a learner's own are the thicker the likelier it plays them. All attributes of positions and moves are kept.
Positions also have `pos`, so that `neato -n -Tsvg` quickly draws what is too large for `dot`, such as 3x4x3.

Source of the rules for texts: graphviz.org/doc/info/lang.html. A text stands between quotes, in which only `\"` is an
escape. Beyond that, labels read `\n`, `\N` and so on, and HTML entities; other attributes are kept as they stand, but
a backslash may not come before the closing quote, and so is doubled: a program that reads them back undoes that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from menace.drawing.export_layout import COLOUR_OF_MINIMAX, by_ply, layout
from menace.games.base import Game
from menace.games.boards_as_text import rows_text
from menace.games.graph import GameGraph

NUMERAL = re.compile(r"-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)")
POINTS_APART = 22  # for each column of the board, whose signs are 17 points apart
UNSHARED_WIDTH = 0.6
WIDTH_LEAST, WIDTH_MORE = 0.4, 5.0
DRAWN = "fontname=Courier, fontsize=14"


def dot_text(graph: GameGraph, game: Game, title: str) -> str:
    """Return the graph in the DOT language.

    Args:
        graph: from `game_graph`.
        game: the rules, which draw the boards.
        title: the text above the graph.

    >>> from menace.exporting.game_graph import game_graph
    >>> from menace.games import get_game
    >>> text = dot_text(game_graph(store, "optimal").subgraph([0, 1]), get_game(), "the first move")
    >>> print(text.splitlines()[-2])
      0 -> 1 [action=0, multiplicity=4, minimax=0, optimal=1, style=solid, color="#888888", penwidth=0.6]
    """
    return "\n".join(["digraph game {", *map("  {}".format, _lines(graph, game, title)), "}", ""])


def _lines(graph: GameGraph, game: Game, title: str) -> Iterator[str]:
    yield f"graph [label={label(title)}, labelloc=t, fontname=Helvetica, fontsize=20, ranksep=1.2, nodesep=0.15]"
    yield f"graph [{_attributes(graph.graph)}]"
    yield f"node [shape=box, style=filled, margin=0.06, {DRAWN}]"
    yield "edge [arrowsize=0.5]"
    places = layout(graph)
    for position, node in graph.nodes(data=True):
        yield f"{position} [{_attributes(node)}, {_look(node, game, places[position])}]"
    for row in by_ply(graph).values():
        yield f"{{ rank=same; {'; '.join(map(str, row))} }}"
    for start, end, edge in graph.edges(data=True):
        yield f"{start} -> {end} [{_attributes(edge)}, {_line(edge)}]"


def _look(node: Mapping[str, Any], game: Game, place: tuple[float, float]) -> str:
    """Return the style of a position: its board, row by row; a finished one has a double border."""
    columns = game.shape[1]
    drawing = "\n".join(rows_text(game.pieces(node["board"]), game.shape, " "))
    colour = COLOUR_OF_MINIMAX[node["minimax"]].hex
    pos = "{:g},{:g}".format(*(coordinate * POINTS_APART * (columns + 0.5) for coordinate in place))
    border = ", peripheries=2" if "outcome" in node else ""
    return f"label={label(drawing)}, fillcolor={quoted(colour)}, pos={quoted(pos)}{border}"


def _line(edge: Mapping[str, Any]) -> str:
    style = "solid" if edge["optimal"] else "dashed"
    if "share" not in edge:
        return f'style={style}, color="#888888", penwidth={UNSHARED_WIDTH}'
    return f"style={style}, penwidth={WIDTH_LEAST + WIDTH_MORE * edge['share']:.2f}"


def _attributes(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={quoted(value)}" for name, value in values.items())


def quoted(value: object) -> str:
    r"""Return an attribute's value as DOT writes it; numbers as they are.

    >>> print(quoted(-1), quoted(1e-05), quoted('a "b" \\'))
    -1 "1e-05" "a \"b\" \\"
    """
    text = str(value)
    if not isinstance(value, str) and NUMERAL.fullmatch(text):
        return text
    return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"'))


def label(text: str) -> str:
    r"""Return a label as DOT writes it, with nothing in it read as an escape or an entity.

    >>> print(label(r'"R&D" \N'))
    "\"R&amp;D\" \\N"
    """
    return quoted(text.replace("&", "&amp;")).replace("\n", "\\n")
