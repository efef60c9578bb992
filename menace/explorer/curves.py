"""Learning curves as SVG: exact strength by games, of several learners in one plot; and the axes of such plots.

Games are on a logarithmic x axis, values or shares on the y axis.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, TypedDict

from menace.drawing.board_shapes import Point
from menace.wording import counted, games_text

Points = Sequence[tuple[int, float]]  # games learned from, and the value after them
Bands = Mapping[str, Sequence[tuple[Points, Points]]]  # by name: the lower and the upper edge of each

# Dashes and colours differ together, so that curves can be told apart without colours; the theme sets the colours.
MARKS_APART = 14  # pixels, the least between marks on a curve that are seen; the others are where one points
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4", "14 3 3 3")
TICKS_MOST = 8  # numbers of games that have room below an axis


class CurvePoint(TypedDict):
    """A point of a curve."""

    games: int
    value: float


def curve_points(points: Points) -> list[CurvePoint]:
    """Return the points of a curve as JSON."""
    return [{"games": games, "value": value} for games, value in points]


def curves_svg(series: Mapping[str, Points], label: str, bands: Bands = MappingProxyType({})) -> str:
    """Return curves of values in one plot as SVG.

    It begins where the first curve does: the curve of a copy begins at the games of the original.

    Args:
        series: by name of the learner.
        label: the accessible name.
        bands: of curves that stand for several learners, the widest first.

    >>> curves_svg({"menace-x": [(0, -0.5), (10, 0.5)]}, "curves").count('class="line')
    1
    """
    games = [games for points in series.values() for games, _ in points]
    plane = Plane(first=min(games, default=0), last=max(games, default=0))
    lines = "".join(
        "".join(_band(plane, number, edges) for edges in bands.get(name, ())) + _line(plane, number, name, points)
        for number, (name, points) in enumerate(series.items())
    )
    width, height = plane.size
    return (
        f'<svg class="curves" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{html.escape(label)}">{plane.svg()}{lines}</svg>'
    )


def key_svg(number: int) -> str:
    """Return a sample of the stroke of the curve of a number, for a legend."""
    size = 'viewBox="0 0 36 8" width="36" height="8"'
    return f'<svg class="key" {size} aria-hidden="true">{_stroke(number, "M0 4H36")}</svg>'


def _stroke(number: int, path: str) -> str:
    hue = number % len(DASHES)
    return f'<path class="line hue-{hue}" stroke-dasharray="{DASHES[hue]}" d="{path}"/>'


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
    return f'<g class="hue-{number % len(DASHES)}">{_stroke(number, path_of(places))}{dots}</g>'


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


class Scale(NamedTuple):
    """The scale of the y axis.

    Attributes:
        low, high: its ends.
        ticks: the amounts with a grid line and a number.
        text: returns such a number as text.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    text: Callable[[float], str]


VALUE = Scale(-1.0, 1.0, (1.0, 0.5, 0.0, -0.5, -1.0), "{:+.1f}".format)
SHARE = Scale(0.0, 1.0, (0.0, 0.5, 1.0), "{:.0%}".format)


@dataclass(frozen=True)
class Plane:
    """The plane of a plot, with its axes.

    Attributes:
        last: the number of games at its right end.
        first: the number of games at its left end: of a copy, those of the original.
        up: the scale of the y axis.
        width, height: of the plane, in pixels.
        left, top, right, below: what is free around it.
    """

    last: int
    up: Scale = VALUE
    width: int = 560
    height: int = 230
    left: int = 44
    top: int = 12
    right: int = 12
    below: int = 40
    first: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture, with axes and numbers."""
        return self.left + self.width + self.right, self.top + self.height + self.below

    def across(self, games: float) -> float:
        """Return the x coordinate of a number of games.

        >>> Plane(last=99).across(0), Plane(last=99).across(99), Plane(last=99).across(9)
        (44.0, 604.0, 324.0)
        >>> Plane(first=100, last=199).across(100), Plane(first=100, last=199).across(109)
        (44.0, 324.0)
        """
        games, last = games - self.first, self.last - self.first
        if not last:
            return float(self.left)
        return self.left + math.log1p(games) / math.log1p(last) * self.width

    def down(self, amount: float) -> float:
        """Return the y coordinate of an amount.

        >>> Plane(last=1).down(1.0), Plane(last=1).down(-1.0)
        (12.0, 242.0)
        """
        return self.top + (self.up.high - amount) / (self.up.high - self.up.low) * self.height

    def places(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """Return the coordinates of points of games and amounts."""
        return [(self.across(games), self.down(amount)) for games, amount in points]

    def svg(self) -> str:
        """Return the axes, with grid lines and numbers."""
        foot, end = self.top + self.height, self.left + self.width
        parts = [f'<path class="axis" d="M{self.left} {self.top}V{foot}H{end}"/>']
        for amount in self.up.ticks:
            y = self.down(amount)
            parts.append(f'<path class="grid" d="M{self.left} {y:.1f}H{end}"/>')
            parts.append(f'<text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">{self.up.text(amount)}</text>')
        for games in self._numbers():
            x = self.across(games)
            parts.append(f'<path class="axis" d="M{x:.1f} {foot}v4"/>')
            plus = "+" if self.first else ""
            number = f"{games:,}" if games == self.first else plus + games_text(games - self.first)
            parts.append(f'<text x="{x:.1f}" y="{foot + 17}" text-anchor="middle">{number}</text>')
        parts.append(f'<text x="{end}" y="{foot + 34}" text-anchor="end">games learned from</text>')
        return "".join(parts)

    def _numbers(self) -> list[int]:
        powers = [10**power for power in range(19) if 10**power <= self.last - self.first]
        return [self.first, *(self.first + power for power in powers[:: -(-len(powers) // TICKS_MOST) or 1])]


def path_of(places: Sequence[tuple[float, float]]) -> str:
    """Return a line through places as the `d` of a path.

    >>> path_of([(0, 1), (2.25, 3)])
    'M0.0 1.0L2.2 3.0'
    """
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
