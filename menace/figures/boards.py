"""Draw boards with matplotlib: many small boards with shaded moves, or a single board as the key of a figure.

All shapes with the same look are combined into a single path, so thousands of boards can be drawn quickly and files
stay small.
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
from menace.figures.panels import BLACK, BLUE, GREEN, GREY, VERMILION
from menace.games.base import STONE, MoveMark

INK = "#222222"
GRID = "#8a8a8a"
RULE_WIDTH, FRAME_WIDTH = 0.045, 0.12  # widths of the grid lines and the frame, relative to a cell
DEAD_COLOUR = "#cccccc"
PIECE_COLOURS = {"X": BLUE, "O": VERMILION, STONE: "#b5b5b5"}
SHADES = ("#ffffff", "#b7dcf2", "#56b4e9", "#0072b2", "#00365a")  # from white to dark blue
DARK_COLOURS = (BLUE, GREEN, VERMILION, BLACK)  # colours on which white letters are readable
PIECES = {
    "X": Look(line=PIECE_COLOURS["X"], width=STROKE),
    "O": Look(line=PIECE_COLOURS["O"], width=STROKE),
    "stone": Look(line=PIECE_COLOURS[STONE], width=STROKE),
    "dead": Look(DEAD_COLOUR),
}
LOOKS = looks(INK, GRID, RULE_WIDTH, **PIECES)
FINISHED_LOOK = {"frame": Look(line=INK, width=FRAME_WIDTH)}  # the heavy frame around a finished game
KEY_LOOKS = looks(BLACK, GREY, RULE_WIDTH, stone=PIECES["stone"], dead=PIECES["dead"])
LAYERS = {"ground": 3, "share": 3.1, "inner": 3.2, "dead": 3.3, "grid": 4, "frame": 5, "span": 5, "line": 7, "arrow": 8}
TOP_LAYER = 6


class BoardDrawing(NamedTuple):
    """A board to be drawn in a picture.

    Attributes:
        pieces: the piece on each cell, as in `Game.pieces`.
        place: the place of the board.
        tint: the background colour of the board.
        over: whether the game is over. The board then has a heavy frame.
        line: the cells of the winning row; empty if there is none.
    """

    pieces: Sequence[str]
    place: Place
    tint: str
    over: bool
    line: tuple[int, ...] = ()


def draw_boards(axes: Axes, drawings: Sequence[BoardDrawing], shape: tuple[int, int]) -> None:
    """Draw boards on axes whose unit is a point and whose y axis points down.

    Args:
        axes: the axes of the whole picture.
        drawings: the boards; line widths scale with their cells.
        shape: the number of rows and columns of a board.
    """
    sheet = _Sheet(axes)
    for drawing in drawings:
        look = LOOKS | {"ground": Look(drawing.tint)} | (FINISHED_LOOK if drawing.over else {})
        shapes = shapes_of(drawing.pieces, shape)
        if drawing.line:
            shapes.append(
                Line("line", tuple(cell_centre(cell, shape[1]) for cell in (drawing.line[0], drawing.line[-1])))
            )
        cell = drawing.place.width / shape[1]
        sheet.add(shapes, look, (drawing.place.left, drawing.place.top), cell, cell)
    sheet.draw()


class _Sheet:
    """Collects the shapes of all boards, and draws all shapes with the same look together."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.paths: dict[tuple[float, Look], list[Path]] = {}

    def add(self, shapes: Iterable[Shape], of: Mapping[str, Look], corner: Point, cell: float, points: float) -> None:
        """Add the shapes of a board. Each cell is `cell` axis units (`points` points) wide."""
        for shape in shapes:
            look = of.get(shape.role, Look())
            places = [(corner[0] + x * cell, corner[1] + y * cell) for x, y in shape.points]
            if isinstance(shape, Text) and shape.role in of:
                text = self.axes.text(*places[0], shape.text, ha="center", va="center_baseline", zorder=TOP_LAYER)
                text.set(fontsize=shape.size * points, color=look.fill)
            elif not isinstance(shape, Text) and look[:2] != Look()[:2]:
                key = LAYERS.get(shape.role, TOP_LAYER), look._replace(width=look.width * points)
                self.paths.setdefault(key, []).append(_path(shape, places, cell))

    def draw(self) -> None:
        """Draw all shapes, the lowest layer first."""
        for (above, look), paths in sorted(self.paths.items()):
            path = Path.make_compound_path(*paths)
            path.should_simplify = False  # simplification would drop points that these paths need
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
    """Shade cells and arrows by the shares of their moves, from 0 to 1; larger shares are darker.

    Args:
        axes: the axes of the whole picture, whose unit is a point.
        boards: for each board, its place, its pieces, and its moves with their shares. Moves with share 0 are not
            drawn.
        shape: the number of rows and columns of a board.
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
        shaded = PolyCollection(
            outlines, array=shares, cmap=share_colour_map(), clim=(0, 1), edgecolors=edge, zorder=above
        )
        shaded.set_linewidth(0.4)
        shaded.set_gid(f"{role}s")
        if outlines or role == "share":
            axes.add_collection(shaded, autolim=False)


def share_colour_map() -> Colormap:
    """Return the colour map for shares from 0 to 1."""
    return LinearSegmentedColormap.from_list("beads", SHADES)


def draw_key(axes: Axes, pieces: Sequence[str], shape: tuple[int, int], moves: Sequence[Mark], size: float) -> None:
    """Draw one board as a key to the colours of moves; the board fills the axes.

    Args:
        axes: the axes for this board.
        pieces: the piece on each cell, as in `Game.pieces`.
        shape: the number of rows and columns of the board.
        moves: the moves with their colours; the amount is written on the cell of a move, but not on an arrow.
        size: the font size, in points.
    """
    rows, columns = shape
    taken = {move.where.cells[0] for move in moves if move.where.cells}
    sheet = _Sheet(axes)
    for drawn in shapes_of(["" if cell in taken else piece for cell, piece in enumerate(pieces)], shape, moves):
        look = KEY_LOOKS if drawn.mark is None else _key_looks(drawn.mark)
        sheet.add([drawn], look, (0, 0), 1, size / (AMOUNT if drawn.role == "amount" else LETTERS))
    sheet.draw()
    axes.set(xlim=(-0.05, columns + 0.05), ylim=(rows + 0.05, -0.05), aspect="equal", anchor="NW")
    axes.set_axis_off()


def _key_looks(move: Mark) -> dict[str, Look]:
    """Return the looks for a move's shapes in a key, based on the colour of the move's line."""
    colour = move.colour or "none"
    ink = "white" if colour in DARK_COLOURS and not move.hollow else BLACK
    arrow = Look("white", colour, RULE_WIDTH) if move.hollow else Look(colour, BLACK, RULE_WIDTH)
    look = {"share": Look(colour), "inner": Look("white" if move.hollow else "none"), "arrow": arrow}
    return look | ({"amount": Look(ink)} if move.where.cells else {})
