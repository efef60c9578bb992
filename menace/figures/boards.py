"""Boards drawn with matplotlib: many small ones at once, shares of their moves, and one board as the key of a figure.

Shapes of the same look are a single path across all boards: thousands draw quickly, and files stay small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import Colormap, LinearSegmentedColormap
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from menace.drawing.boards import (
    AMOUNT,
    LETTERS,
    STROKE,
    Disc,
    Line,
    Look,
    Mark,
    Point,
    Shape,
    Text,
    cell_centre,
    looks,
    shapes_of,
)
from menace.drawing.game_picture import Place
from menace.figures.style import BLACK, BLUE, GREEN, GREY, VERMILION
from menace.games.base import STONE, MoveMark

INK = "#222222"
GRID = "#8a8a8a"
RULE, FRAME = 0.045, 0.12  # widths of lines, in cells
DEAD_GROUND = "#cccccc"
MARKS = {"X": BLUE, "O": VERMILION, STONE: "#b5b5b5"}
SHADES = ("#ffffff", "#b7dcf2", "#56b4e9", "#0072b2", "#00365a")  # white to dark, through two of the blues of style.py
DARK = (BLUE, GREEN, VERMILION, BLACK)  # colours that letters stand out from in white
PIECES = {
    "X": Look(line=MARKS["X"], width=STROKE),
    "O": Look(line=MARKS["O"], width=STROKE),
    "stone": Look(line=MARKS[STONE], width=STROKE),
    "dead": Look(DEAD_GROUND),
}
LOOKS = looks(INK, GRID, RULE, **PIECES)
OVER = {"frame": Look(line=INK, width=FRAME)}  # of a game
OF_KEY = looks(BLACK, GREY, RULE, stone=PIECES["stone"], dead=PIECES["dead"])
ABOVE = {"ground": 3, "share": 3.1, "inner": 3.2, "dead": 3.3, "grid": 4, "frame": 5, "span": 5, "line": 7, "arrow": 8}
ABOVE_OTHERS = 6


class BoardDrawing(NamedTuple):
    """One board on a sheet.

    Attributes:
        pieces: on each cell, as in `Game.pieces`.
        place: where it stands.
        tint: its background colour.
        over: whether the game is over; then its frame is heavy.
        line: cells of the winner's row, or empty.
    """

    pieces: Sequence[str]
    place: Place
    tint: str
    over: bool
    line: tuple[int, ...] = ()


def draw_boards(axes: Axes, drawings: Sequence[BoardDrawing], shape: tuple[int, int]) -> None:
    """Draw boards onto axes whose units are points, y downwards.

    Args:
        axes: of the whole sheet.
        drawings: the boards; strokes scale with their cells.
        shape: rows and columns of a board.
    """
    sheet = _Sheet(axes)
    for drawing in drawings:
        look = LOOKS | {"ground": Look(drawing.tint)} | (OVER if drawing.over else {})
        shapes = shapes_of(drawing.pieces, shape)
        if drawing.line:
            shapes.append(
                Line("line", tuple(cell_centre(cell, shape[1]) for cell in (drawing.line[0], drawing.line[-1])))
            )
        cell = drawing.place.width / shape[1]
        sheet.add(shapes, look, (drawing.place.left, drawing.place.top), cell, cell)
    sheet.draw()


class _Sheet:
    """Shapes of boards, collected by look until they are drawn."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.paths: dict[tuple[float, Look], list[Path]] = {}

    def add(self, shapes: Iterable[Shape], of: Mapping[str, Look], corner: Point, cell: float, points: float) -> None:
        """Add the shapes of a board, whose cells have a size in the axes' unit (`cell`) and in points (`points`)."""
        for shape in shapes:
            look = of.get(shape.role, Look())
            places = [(corner[0] + x * cell, corner[1] + y * cell) for x, y in shape.points]
            if isinstance(shape, Text) and shape.role in of:
                text = self.axes.text(*places[0], shape.text, ha="center", va="center_baseline", zorder=ABOVE_OTHERS)
                text.set(fontsize=shape.size * points, color=look.fill)
            elif not isinstance(shape, Text) and look[:2] != Look()[:2]:
                key = ABOVE.get(shape.role, ABOVE_OTHERS), look._replace(width=look.width * points)
                self.paths.setdefault(key, []).append(_path(shape, places, cell))

    def draw(self) -> None:
        for (above, look), paths in sorted(self.paths.items()):
            path = Path.make_compound_path(*paths)
            path.should_simplify = False  # meant for curves of many points; here each of them counts
            patch = PathPatch(path, linewidth=look.width, clip_on=False, zorder=above)
            patch.set(facecolor=look.fill, edgecolor=look.line, fill=look.fill != "none")
            patch.set(capstyle="round", joinstyle="miter")
            self.axes.add_artist(patch)


def _path(shape: Line | Disc, places: list[Point], cell: float) -> Path:
    if isinstance(shape, Disc):
        return Path.unit_circle().transformed(Affine2D().scale(shape.radius * cell).translate(*places[0]))
    return Path([*places, places[0]], closed=True) if shape.closed else Path(places)


def shade_boards(
    axes: Axes,
    boards: Sequence[tuple[Place, Sequence[str], Sequence[tuple[MoveMark, float]]]],
    shape: tuple[int, int],
) -> None:
    """Draw the shares of moves, 0 to 1, onto axes whose units are points: the larger, the darker the cell or arrow.

    Args:
        axes: of the whole sheet.
        boards: where each board stands, its pieces, and its moves; those of share 0 are left out.
        shape: rows and columns of a board.
    """
    drawn: dict[str, list[tuple[float, np.ndarray]]] = {"share": [], "arrow": []}
    for place, pieces, moves in boards:
        marks = [Mark(where, share=share) for where, share in moves if share]
        for part in shapes_of(pieces, shape, marks):
            if isinstance(part, Line) and part.mark is not None and part.role in drawn:
                corners = np.array(part.points) * place.width / shape[1] + (place.left, place.top)
                drawn[part.role].append((part.mark.share, corners))
    for role, edge, above in (("share", "none", 1), ("arrow", GREY, 8)):
        shares = np.array([share for share, _ in drawn[role]])
        outlines = [corners for _, corners in drawn[role]]
        shaded = PolyCollection(outlines, array=shares, cmap=shades(), clim=(0, 1), edgecolors=edge, zorder=above)
        shaded.set_linewidth(0.4)
        shaded.set_gid(f"{role}s")
        if outlines or role == "share":
            axes.add_collection(shaded, autolim=False)


def shades() -> Colormap:
    """Return the colour map of shares, 0 to 1."""
    return LinearSegmentedColormap.from_list("beads", SHADES)


def draw_key(axes: Axes, pieces: Sequence[str], shape: tuple[int, int], moves: Sequence[Mark], size: float) -> None:
    """Draw one board as a key of colours to moves; it fills the axes.

    Args:
        axes: of this board alone.
        pieces: on each cell, as in `Game.pieces`.
        shape: rows and columns of the board.
        moves: the mark and colour of each; its amount is written on its cell, but not on an arrow.
        size: of the letters, in points.
    """
    rows, columns = shape
    taken = {move.where.cells[0] for move in moves if move.where.cells}
    sheet = _Sheet(axes)
    for drawn in shapes_of(["" if cell in taken else piece for cell, piece in enumerate(pieces)], shape, moves):
        look = OF_KEY if drawn.mark is None else _looks_of(drawn.mark)
        sheet.add([drawn], look, (0, 0), 1, size / (AMOUNT if drawn.role == "amount" else LETTERS))
    sheet.draw()
    axes.set(xlim=(-0.05, columns + 0.05), ylim=(rows + 0.05, -0.05), aspect="equal", anchor="NW")
    axes.set_axis_off()


def _looks_of(move: Mark) -> dict[str, Look]:
    """Return the looks of a move on a key, in the colour of its line."""
    colour = move.colour or "none"
    ink = "white" if colour in DARK and not move.hollow else BLACK
    arrow = Look("white", colour, RULE) if move.hollow else Look(colour, BLACK, RULE)
    look = {"share": Look(colour), "inner": Look("white" if move.hollow else "none"), "arrow": arrow}
    return look | ({"amount": Look(ink)} if move.where.cells else {})
