"""A board as an SVG of its own, as notebooks show it: what stands on its cells, and what is known of its moves."""

from __future__ import annotations

import html
from collections.abc import Mapping

from menace.games.base import DEAD, GAP, Board, Game
from menace.games.look import arrow_of, blocks_of, place_of

CELL = 44  # pixels
INK, LINE, SHADE = "#222", "#888", "#1f77b4"
PIECE, TEXT, SMALL = 26, 12, 8  # pixels, of letters
TIP = (
    '<defs><marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto">'
    f'<path d="M0 0L6 3L0 6z" fill="{LINE}"/></marker></defs>'
)


def board_svg(
    game: Game,
    board: Board,
    texts: Mapping[int, str],
    shares: Mapping[int, float] | None = None,
    scale: float = 1.0,
) -> str:
    """Return a board as SVG.

    Args:
        game: its rules.
        board: as text.
        texts: by action, what stands where the move is made.
        shares: by action, 0 to 1, how dark the place is.
        scale: of its size, above 0.

    >>> from menace.games import get_game
    >>> board_svg(get_game(), "X...O....", {1: "0.5"}).count("<text")
    3
    """
    rows, columns = game.shape
    width, height = columns * CELL, rows * CELL
    parts = [_shade(game, board, action, share) for action, share in (shares or {}).items() if share > 0]
    pieces, frames = game.pieces(board), ""
    for first, wide in blocks_of(pieces, game.shape):
        left, right = first * CELL, (first + wide) * CELL
        parts += [_line(x * CELL, 0, x * CELL, height) for x in range(first + 1, first + wide)]
        parts += [_line(left, y * CELL, right, y * CELL) for y in range(1, rows)]
        at = f'x="{left}" ' if left else ""
        frames += f'<rect {at}width="{right - left}" height="{height}" fill="white" stroke="{LINE}"/>'
    for cell, piece in enumerate(pieces):
        row, column = divmod(cell, columns)
        if piece == DEAD:
            parts.append(f'<rect x="{column * CELL}" y="{row * CELL}" width="{CELL}" height="{CELL}" fill="{LINE}"/>')
        elif piece and piece != GAP:
            parts.append(_text(column + 0.5, row + 0.5, piece, PIECE))
    for action, text in texts.items():
        where = game.where(board, action)
        arrow = arrow_of(where, columns)
        if arrow is not None:
            (x, y), (to_x, to_y) = arrow.start, arrow.tip
            parts.append(_line(x * CELL, y * CELL, to_x * CELL, to_y * CELL, ' marker-end="url(#tip)"'))
        x, y = place_of(where, columns)
        if where.puts:
            parts.append(_text(x, y - 0.22, where.puts, TEXT))
        parts.append(_text(x, y + (0.18 if where.puts else 0), text, SMALL if where.puts else TEXT))
    size = f'width="{width * scale:.0f}" height="{height * scale:.0f}" viewBox="0 0 {width} {height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
        f' role="img" aria-label="{html.escape(board)}">{TIP if texts else ""}'
        f"{frames}{''.join(parts)}</svg>"
    )


def _shade(game: Game, board: Board, action: int, share: float) -> str:
    where = game.where(board, action)
    x, y = place_of(where, game.shape[1])
    side = CELL - 2
    wide = side / 2 if where.puts else side
    return (
        f'<rect x="{(x * CELL) - wide / 2:g}" y="{(y * CELL) - side / 2:g}" width="{wide:g}" height="{side}"'
        f' fill="{SHADE}" fill-opacity="{0.6 * share:.2f}"/>'
    )


def _line(x: float, y: float, to_x: float, to_y: float, more: str = "") -> str:
    return f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}" stroke="{LINE}"{more}/>'


def _text(x: float, y: float, text: str, size: int) -> str:
    return (
        f'<text x="{x * CELL:g}" y="{y * CELL:g}" font-family="sans-serif" font-size="{size}" fill="{INK}"'
        f' text-anchor="middle" dominant-baseline="central">{html.escape(text)}</text>'
    )
