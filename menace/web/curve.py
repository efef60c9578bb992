"""How a box came to be, as a curve: the share of each of its moves over the games that its learner learned from."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from menace.shelf.history import Moment

WIDTH, HEIGHT = 460, 170  # of the curves, in pixels
LEFT, TOP, RIGHT, BELOW = 44, 10, 120, 34  # around them
NAME_HEIGHT = 14
# Okabe & Ito's colours, which colour-blind people tell apart, light enough and dark enough for both themes.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1b1b1b}.axis{stroke:#767676;stroke-width:1;fill:none}"
    ".grid{stroke:#767676;stroke-width:.4;fill:none}"
    ".share{fill:none;stroke-width:2;stroke-linejoin:round}"
    "@media(prefers-color-scheme:dark){text{fill:#ececec}}"
)


def curve_svg(moments: Sequence[Moment]) -> str:
    """Return the curves as an SVG of its own: steps, from block to block; games to a logarithmic scale.

    Args:
        moments: of one box, as `box_history` returns them.
    """
    last = moments[-1].games
    title = html.escape(f"share of each move of {moments[-1].view.learner} on {moments[-1].view.board}")
    width, height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BELOW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" aria-label="{title}"><style>{STYLE}</style>{_axes(last)}{_lines(moments)}</svg>'
    )


def _x(games: int, last: int) -> float:
    return LEFT + WIDTH * (math.log1p(games) / math.log1p(last) if last else 0.0)


def _y(share: float) -> float:
    return TOP + HEIGHT * (1 - share)


def _axes(last: int) -> str:
    parts = [f'<path class="axis" d="M{LEFT} {TOP}V{TOP + HEIGHT}H{LEFT + WIDTH}"/>']
    for share in (0.0, 0.5, 1.0):
        parts.append(f'<path class="grid" d="M{LEFT} {_y(share):.1f}H{LEFT + WIDTH}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for games in [0, *(10**power for power in range(13) if 10**power <= last)]:
        x = _x(games, last)
        parts.append(f'<path class="axis" d="M{x:.1f} {TOP + HEIGHT}v4"/>')
        parts.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 17}" text-anchor="middle">{_short(games)}</text>')
    parts.append(f'<text x="{LEFT + WIDTH + 12}" y="{TOP + HEIGHT + 17}">games</text>')
    return "".join(parts)


def _short(games: int) -> str:
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if games >= size:
            return f"{games // size}{letter}"
    return str(games)


def _lines(moments: Sequence[Moment]) -> str:
    last, moves = moments[-1].games, moments[-1].view.moves
    ends = _spread([_y(move.share or 0.0) for move in moves])
    parts = []
    for number, (move, end) in enumerate(zip(moves, ends, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        dashes = "" if number < len(COLOURS) else ' stroke-dasharray="5 3"'
        path = f"M{LEFT} {_y(_share(moments[0], number)):.1f}"
        for moment in moments[1:]:
            path += f"H{_x(moment.games, last):.1f}V{_y(_share(moment, number)):.1f}"
        path += f"H{LEFT + WIDTH}"
        name = html.escape(move.text)
        parts.append(f'<path class="share" stroke="{colour}"{dashes} d="{path}"><title>{name}</title></path>')
        parts.append(f'<path stroke="{colour}" stroke-width="3" d="M{LEFT + WIDTH + 4} {end:.1f}h8"/>')
        parts.append(f'<text x="{LEFT + WIDTH + 16}" y="{end + 4:.1f}">{name}</text>')
    return "".join(parts)


def _share(moment: Moment, number: int) -> float:
    return moment.view.moves[number].share or 0.0  # an empty box has none


def _spread(heights: Sequence[float]) -> list[float]:
    """Return heights of names beside their lines, moved apart until none lies over another.

    >>> _spread([20.0, 20.0])
    [24, 10]
    """
    order = sorted(range(len(heights)), key=lambda number: (-heights[number], number))
    found, lowest = list(heights), TOP + HEIGHT + NAME_HEIGHT / 2
    for place, number in enumerate(order):
        room = TOP + NAME_HEIGHT * (len(order) - 1 - place)  # what those above need
        found[number] = max(min(heights[number], lowest), min(room, lowest))
        lowest = found[number] - NAME_HEIGHT
    return found
