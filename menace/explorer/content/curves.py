"""Compute the coordinates of learning curves, with the number of games on a logarithmic x axis.

The y axis shows values or shares. templates/menace_curves.html draws the curves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from menace.drawing.boards import Point
from menace.text.wording import games_text

Points = Sequence[tuple[int, float]]  # pairs of a number of games and the learner's value after those games

MIN_MARK_DISTANCE = 14  # minimum distance in pixels between visible marks; hidden marks appear under the mouse pointer
MAX_TICKS = 8  # maximum number of labels below an axis


def curve_points(points: Points) -> list[dict[str, Any]]:
    """Return the points of a curve as JSON."""
    return [{"games": games, "value": value} for games, value in points]


def visible_marks(places: Sequence[Point]) -> list[bool]:
    """Return, for each mark on a curve, whether it is far enough from the next visible mark to be shown.

    >>> visible_marks([(0, 0), (90, 0), (95, 0), (99, 0)])
    [True, False, False, True]
    """
    apart: list[bool] = []
    behind = (math.inf, 0.0)
    for place in reversed(places):
        apart.append(math.dist(place, behind) >= MIN_MARK_DISTANCE)
        if apart[-1]:
            behind = place
    return apart[::-1]


class Scale(NamedTuple):
    """The scale of the y axis.

    Attributes:
        low, high: the amounts at its ends.
        ticks: the amounts with a grid line and a label.
        text: a function that returns the label of an amount.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    text: Callable[[float], str]


VALUE = Scale(-1.0, 1.0, (1.0, 0.5, 0.0, -0.5, -1.0), "{:+.1f}".format)
SHARE = Scale(0.0, 1.0, (0.0, 0.5, 1.0), "{:.0%}".format)


@dataclass(frozen=True)
class Plane:
    """The coordinate plane of a plot, with its axes.

    Attributes:
        last: the number of games at the right edge.
        first: the number of games at the left edge; for a copy, the number that its original had learned from.
        up: the y-axis scale.
        width, height: the size of the plane in pixels.
        left, top, right, below: the margins around it in pixels.
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

    @classmethod
    def of(cls, series: Iterable[Points]) -> Self:
        """Return a plane for curves of values. The plane's left edge is where the first curve begins."""
        games = [games for points in series for games, _ in points]
        return cls(first=min(games, default=0), last=max(games, default=0))

    @property
    def foot(self) -> int:
        """The y coordinate of the x axis."""
        return self.top + self.height

    @property
    def end(self) -> int:
        """The x coordinate of the right end."""
        return self.left + self.width

    @property
    def size(self) -> tuple[int, int]:
        """The width and height of the picture, including its axes and labels."""
        return self.end + self.right, self.foot + self.below

    def x_of_games(self, games: float) -> float:
        """Return the x coordinate for the given number of games.

        >>> Plane(last=99).x_of_games(0), Plane(last=99).x_of_games(99), Plane(last=99).x_of_games(9)
        (44.0, 604.0, 324.0)
        >>> Plane(first=100, last=199).x_of_games(100), Plane(first=100, last=199).x_of_games(109)
        (44.0, 324.0)
        """
        games, last = games - self.first, self.last - self.first
        if not last:
            return float(self.left)
        return self.left + math.log1p(games) / math.log1p(last) * self.width

    def y_of_amount(self, amount: float) -> float:
        """Return the y coordinate of an amount.

        >>> Plane(last=1).y_of_amount(1.0), Plane(last=1).y_of_amount(-1.0)
        (12.0, 242.0)
        """
        return self.top + (self.up.high - amount) / (self.up.high - self.up.low) * self.height

    def places(self, points: Points) -> list[Point]:
        """Return the pixel coordinates of the given points."""
        return [(self.x_of_games(games), self.y_of_amount(value)) for games, value in points]

    def path(self, points: Points) -> str:
        """Return the `d` attribute of an SVG path through points.

        >>> Plane(last=99).path([(0, 1.0), (9, 0.5)])
        'M44.0 12.0L324.0 69.5'
        """
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in self.places(points))

    def marks(self, points: Points) -> list[tuple[int, float, bool]]:
        """Return the coordinates of each point's mark, and whether the mark is visible."""
        return [(*point, apart) for point, apart in zip(points, visible_marks(self.places(points)), strict=True)]

    @property
    def numbers(self) -> list[tuple[int, str]]:
        """The numbers of games that are marked on the x axis, with their labels."""
        powers = [10**power for power in range(19) if 10**power <= self.last - self.first]
        sign = "+" if self.first else ""
        shown = powers[:: -(-len(powers) // MAX_TICKS) or 1]
        return [(self.first, f"{self.first:,}"), *((self.first + games, sign + games_text(games)) for games in shown)]
