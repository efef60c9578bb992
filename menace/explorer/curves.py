"""Learning curves as SVG: exact strength by games, of several learners in one plot."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypedDict

from menace.drawing.board_shapes import Point
from menace.explorer.curve_axes import Plane, path_of
from menace.wording import counted

Points = Sequence[tuple[int, float]]  # games learned from, and the value after them
Bands = Mapping[str, Sequence[tuple[Points, Points]]]  # by name: the lower and the upper edge of each

# Dashes and colours differ together, so that curves can be told apart without colours; the theme sets the colours.
MARKS_APART = 14  # pixels, the least between marks on a curve that are seen; the others are where one points
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4", "14 3 3 3")


class CurvePoint(TypedDict):
    """A point of a curve."""

    games: int
    value: float


def curve_points(points: Points) -> list[CurvePoint]:
    """Return the points of a curve as JSON."""
    return [{"games": games, "value": value} for games, value in points]


def curves_svg(series: Mapping[str, Points], label: str, bands: Bands = MappingProxyType({})) -> str:
    """Return curves of values in one plot as SVG.

    Args:
        series: by name of the learner.
        label: the accessible name.
        bands: of curves that stand for several learners, the widest first.

    >>> curves_svg({"menace-x": [(0, -0.5), (10, 0.5)]}, "curves").count('class="line')
    1
    """
    return _picture(Plane(_last(series), first=_first(series)), series, label, bands)


def key_svg(number: int) -> str:
    """Return a sample of the stroke of the curve of a number, for a legend."""
    dashes = DASHES[number % len(DASHES)]
    return (
        f'<svg class="key" viewBox="0 0 36 8" width="36" height="8" aria-hidden="true">'
        f'<path class="line hue-{number % len(DASHES)}" stroke-dasharray="{dashes}" d="M0 4H36"/></svg>'
    )


def _last(series: Mapping[str, Points]) -> int:
    return max((points[-1][0] for points in series.values() if points), default=0)


def _first(series: Mapping[str, Points]) -> int:
    """Return where the first curve begins: the curve of a copy begins at the games of the original."""
    return min((points[0][0] for points in series.values() if points), default=0)


def _picture(plane: Plane, series: Mapping[str, Points], label: str, bands: Bands = MappingProxyType({})) -> str:
    lines = "".join(
        "".join(_band(plane, number, edges) for edges in bands.get(name, ())) + _line(plane, number, name, points)
        for number, (name, points) in enumerate(series.items())
    )
    width, height = plane.size
    return (
        f'<svg class="curves" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{html.escape(label)}">{plane.svg()}{lines}</svg>'
    )


def _band(plane: Plane, number: int, edges: tuple[Points, Points]) -> str:
    lower, upper = (plane.places(edge) for edge in edges)
    return f'<path class="band hue-{number % len(DASHES)}" d="{path_of([*lower, *reversed(upper)])}Z"/>'


def _line(plane: Plane, number: int, name: str, points: Points) -> str:
    places = plane.places(points)
    if not places:
        return ""
    hidden = ' class="hidden"'
    dots = "".join(
        f'<circle{"" if apart else hidden} cx="{x:.1f}" cy="{y:.1f}" r="2.5"><title>{html.escape(name)}: {amount:+.4f}'
        f" after {counted(games, 'game')}</title></circle>"
        for (x, y), (games, amount), apart in zip(places, points, marks_apart(places), strict=True)
    )
    hue = f"hue-{number % len(DASHES)}"
    dashes = DASHES[number % len(DASHES)]
    return f'<g class="{hue}"><path class="line {hue}" stroke-dasharray="{dashes}" d="{path_of(places)}"/>{dots}</g>'


def marks_apart(places: Sequence[Point]) -> list[bool]:
    """Return whether each mark on a curve is far enough from the one behind it to leave the line to be seen.

    >>> marks_apart([(0, 0), (90, 0), (95, 0), (99, 0)])
    [True, False, False, True]
    """
    apart: list[bool] = []
    behind = (math.inf, 0.0)
    for place in reversed(places):
        apart.append(math.dist(place, behind) >= MARKS_APART)
        if apart[-1]:
            behind = place
    return apart[::-1]
