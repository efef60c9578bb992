"""Lines that grow, as SVG: the score of a machine, and its strength."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

WIDE, HIGH = 320, 150  # pixels
LEFT, RIGHT, TOP, BOTTOM = 30, 6, 10, 10  # pixels, free around the lines

Points = Sequence[tuple[float, float]]


def score_line(score: Sequence[int], machine: str) -> str:
    """Return the machine's score, game by game, as Michie drew it: 3 a win, 1 a draw, -1 a loss.

    Source: D. Michie, Trial and error, Science Survey 2 (1961).

    >>> score_line([0, 3], "Adam").split("aria-label=")[1].split(";")[0]
    '"Score of Adam, game by game: 0, 3'
    """
    told = ", ".join(map(str, score[-20:]))
    label = f"Score of {machine}, game by game: {told}; 3 for a win, 1 for a draw, -1 for a loss"
    return line_picture({machine: list(enumerate(score))}, label)


def line_picture(lines: Mapping[str, Points], label: str, most: float | None = None) -> str:
    """Return lines as an SVG picture, with the ends of the upright axis written beside it, and a rule at 0.

    Args:
        lines: by name, their points.
        label: what is read out instead.
        most: the upper end of y; None takes the highest point.
    """
    points = [(1.0, 0.0), *(point for line in lines.values() for point in line)]
    right = max(x for x, _ in points)
    low = min(y for _, y in points)
    high = max(1.0 if most is None else most, *(y for _, y in points))

    def across(x: float) -> float:
        return round(LEFT + x / right * (WIDE - LEFT - RIGHT), 1)

    def down(y: float) -> float:
        return round(HIGH - BOTTOM - (y - low) / (high - low) * (HIGH - TOP - BOTTOM), 1)

    drawn = ""
    for number, line in enumerate(line for line in lines.values() if line):
        joined = " ".join(f"{across(x)},{down(y)}" for x, y in line)
        end_x, end_y = line[-1]
        drawn += f'<polyline class="line{number}" points="{joined}"/>'
        drawn += f'<circle class="line{number}" cx="{across(end_x)}" cy="{down(end_y)}" r="3"/>'
    numbers = "".join(f'<text x="{LEFT - 4}" y="{down(y) + 3}">{y:g}</text>' for y in sorted({low, 0.0, high}))
    rule = f'<path class="axis" d="M{LEFT} {down(0)}H{WIDE - RIGHT}"/>'
    picture = f'<svg class="lines" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{html.escape(label)}">'
    return f"{picture}{rule}{drawn}{numbers}</svg>"
