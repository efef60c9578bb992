"""Axes of learning curves as SVG: games on a logarithmic x axis, values or shares on the y axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from menace.wording import games_text

TICKS_MOST = 8  # numbers of games that have room below an axis


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
