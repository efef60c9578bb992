"""Boards in figures: many small ones at once, shares of their moves, and one board as the key of a figure.

Each kind of stroke of many boards is a single path: thousands draw quickly, and files stay small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import Colormap, LinearSegmentedColormap
from matplotlib.patches import PathPatch, Polygon, Rectangle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

from menace.drawing.sheet import Place
from menace.games.base import DEAD, GAP, STONE, Where
from menace.games.look import Arrow, Shape, arrow_of, aside, blocks_of, middle, place_of
from menace.plotting.style import BLACK, BLUE, GREEN, GREY, VERMILION

INK = "#222222"
GRID = "#8a8a8a"
REACH = 0.29  # of a mark from the middle of its cell, in cells
MARK, RULE, FRAME = 0.13, 0.045, 0.12  # widths of lines, in cells
DEAD_GROUND = "#cccccc"
MARKS = {"X": BLUE, "O": VERMILION, STONE: "#b5b5b5"}
SHAFT, HEAD = 0.14, 0.32  # widths of an arrow, in cells
HEAD_LONG = 0.26
SHADES = ("#ffffff", "#b7dcf2", "#56b4e9", "#0072b2", "#00365a")  # white to dark, through two of the house's blues
DARK = (BLUE, GREEN, VERMILION, BLACK)  # colours that letters stand out from in white


class Drawing(NamedTuple):
    """One board on a sheet.

    Attributes:
        pieces: what stands on each cell, as `Game.pieces` has it.
        place: where it stands.
        tint: the colour of its ground.
        over: whether the game is over; then its frame is heavy.
        line: cells of the winner's row, or nothing.
    """

    pieces: Sequence[str]
    place: Place
    tint: str
    over: bool
    line: tuple[int, ...] = ()


def draw_boards(axes: Axes, drawings: Sequence[Drawing], shape: Shape) -> None:
    """Draw boards onto axes whose units are points, y downwards.

    Args:
        axes: of the whole sheet.
        drawings: the boards; strokes are as wide as their cells ask for.
        shape: rows and columns of a board.
    """
    by_tint: dict[str, list[Drawing]] = {}
    by_cell: dict[float, list[Drawing]] = {}
    for drawing in drawings:
        by_tint.setdefault(drawing.tint, []).append(drawing)
        by_cell.setdefault(drawing.place.width / shape[1], []).append(drawing)
    for tint, alike in sorted(by_tint.items()):
        _fill(axes, [place for drawing in alike for place in _blocks(drawing, shape)], tint)
    for cell, alike in sorted(by_cell.items()):
        dead = [place for drawing in alike for place in _dead(drawing, shape)]
        if dead:
            _fill(axes, dead, DEAD_GROUND)
        _rules(axes, alike, shape, cell)
        _marks(axes, alike, shape, cell)


def _blocks(drawing: Drawing, shape: Shape) -> list[Place]:
    """Return where the boards stand that a drawing is made of: mostly one."""
    place, cell = drawing.place, drawing.place.width / shape[1]
    return [
        place._replace(left=place.left + cell * first, width=cell * columns)
        for first, columns in blocks_of(drawing.pieces, shape)
    ]


def _dead(drawing: Drawing, shape: Shape) -> list[Place]:
    """Return the cells on which nobody will play any more."""
    cell = drawing.place.width / shape[1]
    corners = (divmod(number, shape[1]) for number, piece in enumerate(drawing.pieces) if piece == DEAD)
    return [
        Place(left=drawing.place.left + cell * column, top=drawing.place.top + cell * row, width=cell, height=cell)
        for row, column in corners
    ]


def _fill(axes: Axes, places: list[Place], tint: str) -> None:
    path = Path.make_compound_path(*map(_rectangle, places))
    axes.add_artist(PathPatch(path, facecolor=tint, edgecolor="none", clip_on=False, zorder=3))


def _rectangle(place: Place) -> Path:
    left, top, right, bottom = place.left, place.top, place.left + place.width, place.top + place.height
    return Path([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], closed=True)


def _rules(axes: Axes, drawings: list[Drawing], shape: Shape, cell: float) -> None:
    """The lines between the cells, and the frames."""
    rows, inner = shape[0], []
    for place in (place for drawing in drawings for place in _blocks(drawing, shape)):
        columns = round(place.width / cell)
        right, bottom = place.left + place.width, place.top + place.height
        inner += [[(place.left + c * cell, place.top), (place.left + c * cell, bottom)] for c in range(1, columns)]
        inner += [[(place.left, place.top + r * cell), (right, place.top + r * cell)] for r in range(1, rows)]
    _strokes(axes, inner, GRID, RULE * cell, 4)
    for over, width in ((False, RULE), (True, FRAME)):
        blocks = [_blocks(drawing, shape) for drawing in drawings if drawing.over == over]
        frames = [_rectangle(place) for places in blocks for place in places]
        _stroke(axes, frames, INK if over else GRID, width * cell, 5)


def _marks(axes: Axes, drawings: list[Drawing], shape: Shape, cell: float) -> None:
    reach, circle = REACH * cell, Path.unit_circle()
    crosses, wins = [], []
    rounds: dict[str, list[Path]] = {"O": [], STONE: []}
    for drawing in drawings:
        middles = [
            (drawing.place.left + x * cell, drawing.place.top + y * cell)
            for x, y in (middle(number, shape[1]) for number in range(len(drawing.pieces)))
        ]
        for (x, y), piece in zip(middles, drawing.pieces, strict=True):
            if piece == "X":
                crosses.append([(x - reach, y - reach), (x + reach, y + reach)])
                crosses.append([(x - reach, y + reach), (x + reach, y - reach)])
            elif piece in rounds:
                rounds[piece].append(circle.transformed(Affine2D().scale(reach).translate(x, y)))
            elif piece and piece not in {GAP, DEAD}:
                size = min(0.7, 1.2 / len(piece)) * cell
                axes.text(x, y, piece, ha="center", va="center_baseline", fontsize=size, color=INK, zorder=6)
        if drawing.line:
            wins.append([middles[drawing.line[0]], middles[drawing.line[-1]]])
    _strokes(axes, crosses, MARKS["X"], MARK * cell, 6)
    for piece, paths in rounds.items():
        _stroke(axes, paths, MARKS[piece], MARK * cell, 6)
    _strokes(axes, wins, INK, MARK * cell, 7)


def shade_boards(axes: Axes, boards: Sequence[tuple[Place, Sequence[tuple[Where, float]]]], shape: Shape) -> None:
    """Draw the shares of moves, 0 to 1, onto axes whose units are points: the more, the darker its cell or arrow.

    Args:
        axes: of the whole sheet.
        boards: where each board stands, and its moves; those of share 0 are left out.
        shape: rows and columns of a board.
    """
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) - 0.5
    cells: list[tuple[NDArray[np.float64], float]] = []
    arrows: list[tuple[NDArray[np.float64], float]] = []
    for place, moves in boards:
        cell, corner = place.width / shape[1], np.array((place.left, place.top))
        for where, share in moves:
            arrow = arrow_of(where, shape[1])
            if share and arrow is not None:
                arrows.append((corner + cell * _outline(arrow), share))
            elif share:
                wide = (0.5, 1) if where.puts else (1, 1)  # a cell that two moves share is shaded by halves
                cells.append((corner + cell * (corners * wide + place_of(where, shape[1])), share))
    for name, drawn, edge, above in (("shares", cells, "none", 1), ("arrows", arrows, GREY, 8)):
        colours = np.array([share for _, share in drawn])
        outlines = [outline for outline, _ in drawn]
        shaded = PolyCollection(outlines, array=colours, cmap=shades(), clim=(0, 1), edgecolors=edge, zorder=above)
        shaded.set_linewidth(0.4)
        shaded.set_gid(name)
        if drawn or name == "shares":
            axes.add_collection(shaded, autolim=False)


def shades() -> Colormap:
    """Return the colours of shares, 0 to 1."""
    return LinearSegmentedColormap.from_list("beads", SHADES)


def _outline(arrow: Arrow) -> NDArray[np.float64]:
    """Return the corners of an arrow, in cells."""
    start, tip = np.array(arrow.start), np.array(arrow.tip)
    along = (tip - start) / np.hypot(*(tip - start))
    aside, neck = np.array((-along[1], along[0])), tip - HEAD_LONG * along
    half = [start + aside * SHAFT / 2, neck + aside * SHAFT / 2, neck + aside * HEAD / 2]
    other = [neck - aside * HEAD / 2, neck - aside * SHAFT / 2, start - aside * SHAFT / 2]
    return np.array([*half, tip, *other])


class KeyMove(NamedTuple):
    """A move on the board of a key.

    Attributes:
        where: it is to be seen.
        colour: of its line.
        text: that is written on its cell.
        hollow: whether another line has its colour too, and this one is dashed.
    """

    where: Where
    colour: str
    text: str
    hollow: bool


def draw_key(axes: Axes, pieces: Sequence[str], shape: Shape, moves: Sequence[KeyMove], size: float) -> None:
    """Draw one board that says which colour is which move: fills the axes.

    Args:
        axes: of this board alone.
        pieces: what stands on each cell, as `Game.pieces` has it.
        shape: rows and columns of the board.
        moves: where each is, and its colour; what is written on an arrow is left out.
        size: of the letters, in points.
    """
    rows, columns = shape
    taken = {move.where.cells[0] for move in moves if move.where.cells}
    grounds = [KeyMove(Where((cell,)), "white", piece, False) for cell, piece in enumerate(pieces) if cell not in taken]
    shown = [*grounds, *(move for move in moves if move.where.cells)]
    for where, colour, text, hollow in sorted(shown, key=lambda move: (move.where.cells[0], aside(move.where))):
        if text == GAP:
            continue
        (x, y), half = place_of(where, columns), 0.25 if where.puts else 0.5
        ground = DEAD_GROUND if text == DEAD else colour
        axes.add_patch(Rectangle((x - half, y - 0.5), 2 * half, 1, facecolor=ground, edgecolor=GREY))
        if hollow:
            inset = 0.56 * half
            axes.add_patch(Rectangle((x - inset, y - 0.28), 2 * inset, 0.56, facecolor="white", edgecolor="none"))
        weight = "normal" if where.cells[0] in taken else "bold"
        ink = "white" if colour in DARK and not hollow else BLACK
        words, points = "" if text == DEAD else text, size * (0.7 if where.puts else 1)
        axes.text(x, y, words, ha="center", va="center", fontsize=points, color=ink, weight=weight)
    for where, colour, _, hollow in moves:
        arrow = arrow_of(where, columns)
        if arrow is not None:
            inside, edge, width = ("white", colour, 1.2) if hollow else (colour, BLACK, 0.5)
            outline = _outline(arrow)
            axes.add_patch(Polygon(outline, facecolor=inside, edgecolor=edge, linewidth=width, zorder=4))
    axes.set(xlim=(-0.05, columns + 0.05), ylim=(rows + 0.05, -0.05), aspect="equal", anchor="NW")
    axes.set_axis_off()


def _strokes(axes: Axes, segments: list[list[tuple[float, float]]], colour: str, width: float, zorder: int) -> None:
    _stroke(axes, [Path(segment) for segment in segments], colour, width, zorder)


def _stroke(axes: Axes, paths: list[Path], colour: str, width: float, zorder: int) -> None:
    if not paths:
        return
    path = Path.make_compound_path(*paths)
    path.should_simplify = False  # meant for curves of many points; here each of them counts
    patch = PathPatch(path, fill=False, edgecolor=colour, linewidth=width, clip_on=False, zorder=zorder)
    patch.set_capstyle("round")
    patch.set_joinstyle("miter")
    axes.add_artist(patch)
