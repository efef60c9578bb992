"""Many small boards at once, each kind of stroke as a single path: thousands draw quickly, and files stay small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from menace.games.base import Board
from menace.plotting.sheet import Place
from menace.plotting.style import BLUE, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

INK = "#222222"
GRID = "#8a8a8a"
REACH = 0.29  # of a mark from the middle of its cell, in cells
MARK, RULE, FRAME = 0.13, 0.045, 0.12  # widths of lines, in cells
MARKS = {"X": BLUE, "O": VERMILION}


class Drawing(NamedTuple):
    """One board on a sheet.

    Attributes:
        board: its text, row by row.
        place: where it stands.
        tint: the colour of its ground.
        over: whether the game is over; then its frame is heavy.
        line: cells of the winner's row, or nothing.
    """

    board: Board
    place: Place
    tint: str
    over: bool
    line: tuple[int, ...] = ()


def draw_boards(axes: Axes, drawings: Sequence[Drawing], shape: tuple[int, int]) -> None:
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
        _fill(axes, alike, tint)
    for cell, alike in sorted(by_cell.items()):
        _rules(axes, alike, shape, cell)
        _marks(axes, alike, shape, cell)


def _fill(axes: Axes, drawings: list[Drawing], tint: str) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    path = Path.make_compound_path(*(_rectangle(drawing.place) for drawing in drawings))
    axes.add_artist(PathPatch(path, facecolor=tint, edgecolor="none", clip_on=False, zorder=3))


def _rectangle(place: Place) -> Path:
    from matplotlib.path import Path

    left, top, right, bottom = place.left, place.top, place.left + place.width, place.top + place.height
    return Path([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], closed=True)


def _rules(axes: Axes, drawings: list[Drawing], shape: tuple[int, int], cell: float) -> None:
    """The lines between the cells, and the frames."""
    rows, columns = shape
    inner = []
    for place in (drawing.place for drawing in drawings):
        right, bottom = place.left + place.width, place.top + place.height
        inner += [[(place.left + c * cell, place.top), (place.left + c * cell, bottom)] for c in range(1, columns)]
        inner += [[(place.left, place.top + r * cell), (right, place.top + r * cell)] for r in range(1, rows)]
    _strokes(axes, inner, GRID, RULE * cell, 4)
    for over, width in ((False, RULE), (True, FRAME)):
        frames = [_rectangle(drawing.place) for drawing in drawings if drawing.over == over]
        _stroke(axes, frames, INK if over else GRID, width * cell, 5)


def _marks(axes: Axes, drawings: list[Drawing], shape: tuple[int, int], cell: float) -> None:
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D

    reach, circle = REACH * cell, Path.unit_circle()
    crosses, rounds, wins = [], [], []
    for drawing in drawings:
        middles = [
            (
                drawing.place.left + (number % shape[1] + 0.5) * cell,
                drawing.place.top + (number // shape[1] + 0.5) * cell,
            )
            for number in range(len(drawing.board))
        ]
        for (x, y), mark in zip(middles, drawing.board, strict=True):
            if mark == "X":
                crosses.append([(x - reach, y - reach), (x + reach, y + reach)])
                crosses.append([(x - reach, y + reach), (x + reach, y - reach)])
            elif mark == "O":
                rounds.append(circle.transformed(Affine2D().scale(reach).translate(x, y)))
        if drawing.line:
            wins.append([middles[drawing.line[0]], middles[drawing.line[-1]]])
    _strokes(axes, crosses, MARKS["X"], MARK * cell, 6)
    _stroke(axes, rounds, MARKS["O"], MARK * cell, 6)
    _strokes(axes, wins, INK, MARK * cell, 7)


def _strokes(axes: Axes, segments: list[list[tuple[float, float]]], colour: str, width: float, zorder: int) -> None:
    from matplotlib.path import Path

    _stroke(axes, [Path(segment) for segment in segments], colour, width, zorder)


def _stroke(axes: Axes, paths: list[Path], colour: str, width: float, zorder: int) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if not paths:
        return
    path = Path.make_compound_path(*paths)
    path.should_simplify = False  # meant for curves of many points; here each of them counts
    patch = PathPatch(path, fill=False, edgecolor=colour, linewidth=width, clip_on=False, zorder=zorder)
    patch.set_capstyle("round")
    patch.set_joinstyle("miter")
    axes.add_artist(patch)
