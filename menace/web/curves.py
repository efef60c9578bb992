"""Curves by games: exact strength, of several learners on one axis or in a line of a table, and a sitting's score."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from menace.web.axes import VALUE, Plane, Scale, path_of
from menace.wording import counted

Points = Sequence[tuple[int, float]]  # games learned from, and what they brought: a value from -1 to 1, or losses
Bands = Mapping[str, Sequence[tuple[Points, Points]]]  # by name: the lower and the upper edge of each

PERCENT = Scale(0.0, 100.0, (0.0, 50.0, 100.0), "{:g}%".format, "{:.1f}%")
SMALL_WIDTH, SMALL_HEIGHT = 110, 26  # in a line of a table, in pixels
NARROW, LOW = 330, 140  # beside a board, likewise
SCORES_SAID = 20  # of a sitting, to who does not see it
# Dashes and colours differ together, so that nobody needs to see the colours; the colours are set by the theme.
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4", "14 3 3 3")


def sparkline(points: Points, label: str) -> str:
    """Return a small curve as SVG, over the games since its first point to a logarithmic scale; empty without a curve.

    >>> sparkline([(0, -0.5), (10, 0.5)], "a curve").count("L")
    1
    """
    if not points[1:]:
        return ""
    first = points[0][0]
    plane = Plane(points[-1][0] - first, VALUE, SMALL_WIDTH, SMALL_HEIGHT, left=0, top=0)
    line = path_of(plane.places([(games - first, value) for games, value in points]))
    return (
        f'<svg class="spark" viewBox="-2 -2 {SMALL_WIDTH + 4} {SMALL_HEIGHT + 4}" width="{SMALL_WIDTH + 4}"'
        f' height="{SMALL_HEIGHT + 4}" role="img" aria-label="{html.escape(label)}">'
        f'<path class="zero" d="M0 {SMALL_HEIGHT / 2:g}H{SMALL_WIDTH}"/><path class="line" d="{line}"/></svg>'
    )


def curves_svg(series: Mapping[str, Points], label: str, bands: Bands = MappingProxyType({})) -> str:
    """Return curves of values on one axis as SVG.

    Args:
        series: by name of the learner.
        label: what is shown, for those who do not see it.
        bands: of those that are of several learners, the widest first.

    >>> curves_svg({"menace-x": [(0, -0.5), (10, 0.5)]}, "curves").count('class="line')
    1
    """
    return _picture(Plane(_last(series), first=_first(series)), series, label, bands)


def losses_svg(series: Mapping[str, Points], label: str) -> str:
    """Return curves of losses, in percent, as SVG that stands beside a board; `series` by opponent.

    >>> losses_svg({"against random play": [(0, 60.0), (10, 20.0)]}, "losses").count('class="line')
    1
    """
    return _picture(Plane(_last(series), PERCENT, NARROW, LOW, first=_first(series)), series, label)


def score_svg(score: Sequence[int], machine: str) -> str:
    """Return the machine's score, game by game, as Michie drew it: 3 a win, 1 a draw, -1 a loss.

    Source: D. Michie, Trial and error, Science Survey 2 (1961).

    >>> score_svg([0, 3], "Adam").split("aria-label=")[1].split(";")[0]
    '"Score of Adam, game by game: 0, 3'
    """
    told = ", ".join(map(str, score[-SCORES_SAID:]))
    label = f"Score of {machine}, game by game: {told}; 3 for a win, 1 for a draw, -1 for a loss"
    low, high = min(score), max(1, *score)
    up = Scale(low, high, tuple(map(float, sorted({low, 0, high}))), "{:g}".format)
    plane = Plane(max(len(score) - 1, 1), up, NARROW, LOW, by_powers=False, words="games")
    return _picture(plane, {machine: list(enumerate(map(float, score)))}, label)


def key_svg(number: int) -> str:
    """Return a stroke as the curve of a number has it, for the line of a table that says whose it is."""
    dashes = DASHES[number % len(DASHES)]
    return (
        f'<svg class="key" viewBox="0 0 36 8" width="36" height="8" aria-hidden="true">'
        f'<path class="line hue-{number % len(DASHES)}" stroke-dasharray="{dashes}" d="M0 4H36"/></svg>'
    )


def _last(series: Mapping[str, Points]) -> int:
    return max((points[-1][0] for points in series.values() if points), default=0)


def _first(series: Mapping[str, Points]) -> int:
    """Return where the first of them begins: a copy at the games of the other one."""
    return min((points[0][0] for points in series.values() if points), default=0)


def _picture(plane: Plane, series: Mapping[str, Points], label: str, bands: Bands = MappingProxyType({})) -> str:
    lines = "".join(
        "".join(_band(plane, number, edges) for edges in bands.get(name, ())) + _line(plane, number, name, points)
        for number, (name, points) in enumerate(series.items())
    )
    width, height = plane.size
    return (
        f'<svg class="curves{" narrow" if plane.width == NARROW else ""}" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{html.escape(label)}">{plane.svg()}{lines}</svg>'
    )


def _band(plane: Plane, number: int, edges: tuple[Points, Points]) -> str:
    lower, upper = (plane.places(edge) for edge in edges)
    return f'<path class="band hue-{number % len(DASHES)}" d="{path_of([*lower, *reversed(upper)])}Z"/>'


def _line(plane: Plane, number: int, name: str, points: Points) -> str:
    places = plane.places(points)
    if not places:
        return ""
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"><title>{html.escape(name)}: {plane.up.exactly.format(amount)}'
        f" after {counted(games, 'game')}</title></circle>"
        for (x, y), (games, amount) in zip(places, points, strict=True)
    )
    hue = f"hue-{number % len(DASHES)}"
    dashes = DASHES[number % len(DASHES)]
    return f'<g class="{hue}"><path class="line {hue}" stroke-dasharray="{dashes}" d="{path_of(places)}"/>{dots}</g>'
