"""Shapes of a board as SVG; and a board as an SVG of its own, as notebooks show it."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping

from menace.drawing.board_shapes import Disc, Line, Look, Mark, Shape, Text, looks, shapes_of
from menace.games.base import Board, Game

CELL = 44  # pixels
INK, LINE = "#222", "#888"
SHADE, DARKEST = (31, 119, 180), 0.6  # the colour of shares, and how much of it a share of 1 has
LOOKS = looks(INK, LINE, 1 / CELL)
# Pages of the explorer are light or dark, and say so in these variables.
OF_PAGE = LOOKS | {role: LOOKS[role]._replace(line=f"var(--ink, {INK})") for role in "XO"}
FONT = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'


def board_svg(
    game: Game,
    board: Board,
    texts: Mapping[int, str],
    shares: Mapping[int, float] | None = None,
    scale: float = 1.0,
    looks: Mapping[str, Look] = LOOKS,
) -> str:
    """Return a board as SVG.

    Args:
        game: its rules.
        board: as text.
        texts: by action, what stands where the move is made.
        shares: by action, 0 to 1, how dark the place is.
        scale: of its size, above 0.
        looks: of the roles that are drawn.

    >>> from menace.games import get_game
    >>> board_svg(get_game(), "X...O....", {1: "0.5"}).count("<text")
    1
    """
    rows, columns = game.shape
    shares = {action: share for action, share in (shares or {}).items() if share > 0}
    marks = [
        Mark(game.where(board, action), share=shares.get(action, 0.0), amount=texts.get(action, ""))
        for action in {**shares, **texts}
    ]
    size = f'width="{columns * CELL * scale:.0f}" height="{rows * CELL * scale:.0f}" viewBox="0 0 {columns} {rows}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{html.escape(board)}">'
        f"{shapes_svg(shapes_of(game.pieces(board), game.shape, marks), looks)}</svg>"
    )


def shapes_svg(shapes: Iterable[Shape], looks: Mapping[str, Look] = LOOKS) -> str:
    """Return shapes as SVG, whose unit is a cell; those whose role has no look are left out."""
    return "".join(_element(shape, looks[shape.role]) for shape in shapes if shape.role in looks)


def _element(shape: Shape, look: Look) -> str:
    if isinstance(shape, Text):
        ((x, y),) = shape.points
        at = f'x="{x:g}" y="{y:g}" font-size="{shape.size:.3g}" fill="{look.fill}" {FONT}'
        return f"<text {at}>{html.escape(shape.text)}</text>" if shape.text else ""
    share = shape.mark.share if shape.mark is not None else 0.0
    if shape.role == "share" and not share:
        return ""
    fill = shade(share) if shape.role in {"share", "arrow"} else look.fill
    line = "" if look.line == "none" else f' stroke="{look.line}" stroke-width="{look.width * shape.scale:.3g}"'
    style = f'fill="{fill}"{line}'
    if isinstance(shape, Disc):
        ((x, y),) = shape.points
        return f'<circle cx="{x:g}" cy="{y:g}" r="{shape.radius:g}" {style}/>'
    if shape.role in {"ground", "share", "dead"}:
        (left, top), _, (right, bottom), _ = shape.points
        return f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" {style}/>'
    return f'<path d="{path_of(shape)}" {style}/>'


def shade(share: float) -> str:
    """Return the colour of a share, 0 to 1: the more, the darker.

    >>> shade(0), shade(1)
    ('#ffffff', '#79add2')
    """
    return "#" + "".join(f"{round(255 - DARKEST * share * (255 - part)):02x}" for part in SHADE)


def path_of(shape: Line | Disc) -> str:
    """Return a shape as the `d` of an SVG path.

    >>> path_of(Line("grid", ((1, 0), (1, 3)))), path_of(Disc("O", ((0.5, 0.5),), 0.28))
    ('M1 0L1 3', 'M0.22 0.5a0.28 0.28 0 1 0 0.56 0a0.28 0.28 0 1 0 -0.56 0')
    """
    if isinstance(shape, Disc):
        ((x, y),), radius = shape.points, shape.radius
        arc = f"a{radius:g} {radius:g} 0 1 0 "
        return f"M{x - radius:g} {y:g}{arc}{2 * radius:g} 0{arc}{-2 * radius:g} 0"
    return "M" + "L".join(f"{x:.4g} {y:.4g}" for x, y in shape.points) + ("Z" if shape.closed else "")
