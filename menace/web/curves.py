"""Exact strength by games, as curves: of several learners on one axis, and so small that they fit a line of a table."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from menace.notebook.curve import Curve

Points = Sequence[tuple[int, float]]  # games learned from, value for the learner from -1 to 1
Bands = Mapping[str, Sequence[tuple[Points, Points]]]  # by name: the lower and the upper edge of each

WIDTH, HEIGHT = 560, 230  # of the axes, in pixels
LEFT, TOP, RIGHT, BELOW = 44, 12, 12, 40  # around them
SMALL_WIDTH, SMALL_HEIGHT = 110, 26
LOWEST, HIGHEST = -1.0, 1.0
# Dashes and colours differ together, so that nobody needs to see the colours; the colours are set by the theme.
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4", "14 3 3 3")


def points_of(curve: Curve, opponent: str) -> list[tuple[int, float]]:
    """Return how strong a learner was by games, against an opponent as `wording.OPPONENTS` has them."""
    return [(games, found[opponent].value) for games, found in curve.points.items() if opponent in found]


def sparkline(points: Points, label: str) -> str:
    """Return a small curve as SVG, over the games since its first point to a logarithmic scale; empty without a curve.

    >>> sparkline([(0, -0.5), (10, 0.5)], "a curve").count("L")
    1
    """
    if not points[1:]:
        return ""
    first, last = points[0][0], points[-1][0]
    places = [
        (_part(games - first, last - first) * SMALL_WIDTH, _down(value) * SMALL_HEIGHT) for games, value in points
    ]
    return (
        f'<svg class="spark" viewBox="-2 -2 {SMALL_WIDTH + 4} {SMALL_HEIGHT + 4}" width="{SMALL_WIDTH + 4}"'
        f' height="{SMALL_HEIGHT + 4}" role="img" aria-label="{html.escape(label)}">'
        f'<path class="zero" d="M0 {SMALL_HEIGHT / 2:g}H{SMALL_WIDTH}"/><path class="line" d="{_path(places)}"/></svg>'
    )


def curves_svg(series: Mapping[str, Points], label: str, bands: Bands = MappingProxyType({})) -> str:
    """Return curves on one axis as SVG.

    Args:
        series: by name of the learner.
        label: what is shown, for those who do not see it.
        bands: of those that are of several learners, the widest first.

    >>> curves_svg({"menace-x": [(0, -0.5), (10, 0.5)]}, "curves").count('class="line')
    1
    """
    last = max((points[-1][0] for points in series.values() if points), default=0)
    lines = "".join(
        "".join(_band(number, edges, last) for edges in bands.get(name, ())) + _line(number, name, points, last)
        for number, (name, points) in enumerate(series.items())
    )
    return (
        f'<svg class="curves" viewBox="0 0 {LEFT + WIDTH + RIGHT} {TOP + HEIGHT + BELOW}" role="img"'
        f' aria-label="{html.escape(label)}">{_axes(last)}{lines}</svg>'
    )


def key_svg(number: int) -> str:
    """Return a stroke as the curve of a number has it, for the line of a table that says whose it is."""
    dashes = DASHES[number % len(DASHES)]
    return (
        f'<svg class="key" viewBox="0 0 36 8" width="36" height="8" aria-hidden="true">'
        f'<path class="line hue-{number % len(DASHES)}" stroke-dasharray="{dashes}" d="M0 4H36"/></svg>'
    )


def _places(points: Points, last: int) -> list[tuple[float, float]]:
    return [(LEFT + _part(games, last) * WIDTH, TOP + _down(value) * HEIGHT) for games, value in points]


def _band(number: int, edges: tuple[Points, Points], last: int) -> str:
    lower, upper = (_places(edge, last) for edge in edges)
    return f'<path class="band hue-{number % len(DASHES)}" d="{_path([*lower, *reversed(upper)])}Z"/>'


def _line(number: int, name: str, points: Points, last: int) -> str:
    places = _places(points, last)
    if not places:
        return ""
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"><title>{html.escape(name)}: {value:+.4f} after {games:,}'
        f"{' game' if games == 1 else ' games'}</title></circle>"
        for (x, y), (games, value) in zip(places, points, strict=True)
    )
    hue = f"hue-{number % len(DASHES)}"
    dashes = DASHES[number % len(DASHES)]
    return f'<g class="{hue}"><path class="line {hue}" stroke-dasharray="{dashes}" d="{_path(places)}"/>{dots}</g>'


def _axes(last: int) -> str:
    parts = [f'<path class="axis" d="M{LEFT} {TOP}V{TOP + HEIGHT}H{LEFT + WIDTH}"/>']
    for value in (1.0, 0.5, 0.0, -0.5, -1.0):
        y = TOP + _down(value) * HEIGHT
        parts.append(f'<path class="grid" d="M{LEFT} {y:g}H{LEFT + WIDTH}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:g}" text-anchor="end">{value:+.1f}</text>')
    for games in [0, *(10**power for power in range(13) if 10**power <= last)]:
        x = LEFT + _part(games, last) * WIDTH
        parts.append(f'<path class="axis" d="M{x:.1f} {TOP + HEIGHT}v4"/>')
        parts.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 17}" text-anchor="middle">{short(games)}</text>')
    parts.append(f'<text x="{LEFT + WIDTH}" y="{TOP + HEIGHT + 34}" text-anchor="end">games learned from</text>')
    return "".join(parts)


def short(games: int) -> str:
    """Return a number of games as an axis has room for it.

    >>> short(500), short(20_000), short(3_000_000)
    ('500', '20k', '3M')
    """
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if games >= size:
            return f"{games / size:g}{letter}"
    return str(games)


def _part(games: int, last: int) -> float:
    return math.log1p(games) / math.log1p(last) if last else 0.0


def _down(value: float) -> float:
    return (HIGHEST - value) / (HIGHEST - LOWEST)


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
