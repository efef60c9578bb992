"""Parts of the picture of the game graph, which templates/menace_graph.html puts together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from menace.drawing.board_shapes import Text, shapes_of
from menace.drawing.picture_layout import Place
from menace.drawing.svg_boards import LOOKS, path_of, shapes_svg

OTHERS = {role: LOOKS[role] for role in ("dead", "stone", "letters")}
MARGIN = 12  # around all boards, in the sheet's points


def view_box(places: Collection[Place]) -> str:
    """Return the `viewBox` of a picture around all boards."""
    left, top = min(place.left for place in places) - MARGIN, min(place.top for place in places) - MARGIN
    right = max(place.left + place.width for place in places) + MARGIN
    bottom = max(place.top + place.height for place in places) + MARGIN
    return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"


def grid_path(shape: tuple[int, int]) -> str:
    """Return the lines of a board as the `d` of a path."""
    lines = (line for line in shapes_of([""] * (shape[0] * shape[1]), shape) if line.role == "grid")
    return "".join(path_of(line) for line in lines if not isinstance(line, Text))


@lru_cache(maxsize=4_000)  # two pages of the largest size
def pieces_svg(pieces: tuple[str, ...], columns: int) -> str:
    """Return the pieces of a board: X and O as one path, other pieces as shapes."""
    shapes = shapes_of(pieces, (len(pieces) // columns, columns))
    paths = "".join(path_of(shape) for shape in shapes if shape.role in {"X", "O"} and not isinstance(shape, Text))
    return (f'<path d="{paths}"/>' if paths else "") + shapes_svg(shapes, OTHERS)


def move_svg(points: Sequence[tuple[float, float]], stroke: Any) -> str:
    """Return a move as a line, from board to board."""
    start, bend, *curve, end = points
    red, green, blue, alpha = (*stroke.colour, 1.0)[:4]
    colour = f"rgb({red * 255:.0f} {green * 255:.0f} {blue * 255:.0f})"
    path = f"M{_at(start)}L{_at(bend)}C{' '.join(map(_at, curve))}L{_at(end)}"
    dashes = "" if isinstance(stroke.dashes, str) else f' stroke-dasharray="{" ".join(map(str, stroke.dashes[1]))}"'
    return f'<path d="{path}" color="{colour}" stroke-opacity="{alpha:.2g}" stroke-width="{stroke.width:.2f}"{dashes}/>'


def _at(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
