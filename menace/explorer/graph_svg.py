"""The game graph as SVG, in which every board is a link."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from menace.drawing.board_shapes import Text, shapes_of
from menace.drawing.picture_layout import Place
from menace.drawing.svg_boards import LOOKS, path_of, shapes_svg
from menace.games.base import Board
from menace.wording import VALUES

OTHERS = {role: LOOKS[role] for role in ("dead", "stone", "letters")}
OVER = ' class="over"'
MARGIN = 12  # around all boards, in the sheet's points


def graph_svg(drawing: Mapping[str, Any], address_of: Callable[[Board], str]) -> str:
    """Return a part of a game as SVG.

    Args:
        drawing: as `graph.graph_drawing` returns it.
        address_of: returns the address that a board links to.
    """
    sheet, painted = drawing["sheet"], drawing["paint"]
    boards = [
        _board(drawing["game"], node, sheet.places[position], painted.tints[position], address_of, number == 0)
        for number, (position, node) in enumerate(drawing["graph"].nodes(data=True))
    ]
    strokes = sorted(
        painted.strokes.items(), key=lambda move_and_stroke: (move_and_stroke[1].above, move_and_stroke[1].width)
    )
    moves = [_move(sheet.moves[move], stroke) for move, stroke in strokes]
    left, top, width, height = _around(list(sheet.places.values()))
    return (
        f'<svg id="graph" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" role="group"'
        f' aria-label="{html.escape(painted.description)}"><defs>{_grid(drawing["game"].shape)}</defs>'
        f'<g class="moves">{"".join(moves)}</g><g class="boards">{"".join(boards)}</g></svg>'
    )


def _around(places: Sequence[Place]) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the box around all boards."""
    left, top = min(place.left for place in places) - MARGIN, min(place.top for place in places) - MARGIN
    right = max(place.left + place.width for place in places) + MARGIN
    return left, top, right - left, max(place.top + place.height for place in places) + MARGIN - top


def _grid(shape: tuple[int, int]) -> str:
    lines = (line for line in shapes_of([""] * (shape[0] * shape[1]), shape) if line.role == "grid")
    return f'<path id="grid" d="{"".join(path_of(line) for line in lines if not isinstance(line, Text))}"/>'


def _board(
    game: Any, node: Mapping[str, Any], place: Place, tint: str, address_of: Callable[[Board], str], first: bool
) -> str:
    """Return a board as a link, scaled so that a cell is 1."""
    rows, columns = game.shape
    board, over = node["board"], "outcome" in node
    says = (
        f"{board}, ply {node['ply']}, "
        + ("over" if over else f"{node['to_move']} to move")
        + f": {VALUES[node['minimax']]}"
    )
    at = f"{place.middle:.1f} {place.top + place.height / 2:.1f} {node['ply']}"
    return (
        f'<a href="{html.escape(address_of(board))}" data-at="{at}"'
        f' tabindex="{0 if first else -1}"><title>{html.escape(says)}</title>'
        f'<g transform="translate({place.left:.1f} {place.top:.1f})scale({place.width / columns:.3f})">'
        f'<rect width="{columns}" height="{rows}" color="{tint}"{OVER if over else ""}/>'
        f'<use href="#grid"/>{_marks(tuple(game.pieces(board)), columns)}</g></a>'
    )


@lru_cache(maxsize=4_000)  # two pages of the largest size
def _marks(pieces: tuple[str, ...], columns: int) -> str:
    """Return the pieces of a board: X and O as one path, other pieces as shapes."""
    shapes = shapes_of(pieces, (len(pieces) // columns, columns))
    paths = "".join(path_of(shape) for shape in shapes if shape.role in {"X", "O"} and not isinstance(shape, Text))
    return (f'<path d="{paths}"/>' if paths else "") + shapes_svg(shapes, OTHERS)


def _move(points: Sequence[tuple[float, float]], stroke: Any) -> str:
    start, bend, *curve, end = points
    red, green, blue, alpha = (*stroke.colour, 1.0)[:4]
    colour = f"rgb({red * 255:.0f} {green * 255:.0f} {blue * 255:.0f})"
    path = f"M{_at(start)}L{_at(bend)}C{' '.join(map(_at, curve))}L{_at(end)}"
    dashes = "" if isinstance(stroke.dashes, str) else f' stroke-dasharray="{" ".join(map(str, stroke.dashes[1]))}"'
    return f'<path d="{path}" color="{colour}" stroke-opacity="{alpha:.2g}" stroke-width="{stroke.width:.2f}"{dashes}/>'


def _at(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
