"""Boards as HTML and SVG: a table of cells with arrows, and marks for the moves that a machine may make."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from menace.drawing.boards import PIECES, Arrow, Mark, Point, arrow_of, middle, offset, outline_of
from menace.errors import InvalidSetting
from menace.games.base import STONE, Shape
from menace.text.wording import without_noise

if TYPE_CHECKING:
    from menace.analysis.bead_names import BeadNames
    from menace.games.base import Board, Game
    from menace.learners.box import Box, Move
    from menace.text.naming_schemes import BeadColour


__all__ = ["Mark", "amount_text", "arrow_path", "board_html"]  # these tables are made of marks

MINUS = "\N{MINUS SIGN}"
BEADS_LONG = 10_000
VALUE_LONG, VALUE_SMALL = 10, 0.0005  # values between them are shown with three decimals
SIZES = "kMGTPE"  # of thousands, millions, ...
TENS = 9.95  # from here on, of them, no decimal has room


def board_html(pieces: Sequence[str], shape: Shape, marks: Sequence[Mark]) -> str:
    """Return the rows of a table: a cell has its piece, and the amount of the move that is marked there.

    Arrows, and lines through the cells of moves that mark several, lie over the whole table. The names and amounts of
    arrows stand below it, in its foot.
    """
    columns = shape[1]
    on_cells: dict[int, list[Mark]] = {}
    for mark in marks:
        if mark.where.cells:
            on_cells.setdefault(mark.where.cells[0], []).append(mark)
    arrows = [(mark, arrow) for mark in marks if (arrow := arrow_of(mark.where, pieces, columns)) is not None]
    cells = [_cell(piece, on_cells.get(cell, [])) for cell, piece in enumerate(pieces)]
    paths = "".join(_span(mark, columns) for mark in marks if len(mark.where.cells) > 1)
    paths += "".join(_arrow(mark, arrow) for mark, arrow in arrows)
    if paths:
        rows = shape[0]
        cells[0] += f'<svg class=arrows style="--c:{columns};--r:{rows}" viewBox="0 0 {columns} {rows}">{paths}</svg>'
    table = "".join("<tr>" + "".join(cells[start : start + columns]) for start in range(0, len(cells), columns))
    return table + (f"<tfoot><tr><td colspan={columns}>{''.join(map(_named, marks))}" if arrows else "")


def amount_text(amount: float) -> str:
    """Return beads or a value in five characters at most, so that they fit into a cell.

    >>> amount_text(4073), amount_text(26123), amount_text(1234567), amount_text(0.51234), amount_text(1e-9)
    ('4,073', '26k', '1.2M', '0.512', '1e\N{MINUS SIGN}9')
    """
    amount = without_noise(amount)
    if isinstance(amount, int) or abs(amount) >= VALUE_LONG:
        text = _rounded(math.floor(abs(amount) + 0.5))
    elif amount == 0 or abs(amount) >= VALUE_SMALL:
        text = f"{abs(amount):.{3 if amount >= 0 else 2}f}"
    else:
        digit, power = f"{abs(amount):.0e}".split("e")
        text = f"{digit}e{int(power)}".replace("-", MINUS)
    return (MINUS if amount < 0 else "") + text


def _rounded(count: int) -> str:
    """Return a whole number, of thousands, millions and so on if it is long."""
    if count < BEADS_LONG:
        return f"{count:,}"
    power = next(power for power in range(1, len(SIZES) + 1) if count < 999.5 * 1000**power)
    part = count / 1000**power
    decimals = 1 if part < TENS else 0
    return f"{math.floor(part * 10**decimals + 0.5) / 10**decimals:.{decimals}f}{SIZES[power - 1]}"


def arrow_path(arrow: Arrow) -> str:
    """Return an arrow as the `d` of an SVG path, whose unit is a cell; a bar is a path without the head's second part.

    >>> arrow_path(Arrow((0.5, 1.2), (0.5, 0.6), (0.5, 0.95)))
    'M0.5 1.2L0.5 0.6M0.625 0.82L0.5 0.6L0.375 0.82'
    """
    line = f"M{_at(arrow.start)}L{_at(arrow.tip)}"
    if not arrow.has_head:
        return line
    left, tip, right = map(_at, outline_of(arrow)[2:5])
    return f"{line}M{left}L{tip}L{right}"


def _at(point: Point) -> str:
    return "{:.3g} {:.3g}".format(*point)


def _arrow(mark: Mark, arrow: Arrow) -> str:
    return (
        f'<path class={mark.verdict[0]} style="--s:{mark.share:.2f}{_bead(mark)}" d="{arrow_path(arrow)}">'
        f"<title>{html.escape(mark.name)}: {mark.amount}</title></path>"
    )


def _span(mark: Mark, columns: int) -> str:
    """Return the line through the cells of a move that marks several."""
    middles = (middle(cell, columns) for cell in mark.where.cells)
    return f'<path class=span d="M{"L".join(f"{x} {y}" for x, y in middles)}"/>'


def _cell(piece: str, marks: Sequence[Mark]) -> str:
    """Return a cell: its piece, or the amounts of the moves there; empty where equivalent moves stand for them."""
    kind = PIECES[piece].style if piece in PIECES and piece != STONE else "piece"
    if kind in {"gap", "dead"}:
        return f"<td class={kind}>"
    if not marks:
        return f"<td class={kind}>{html.escape(piece)}" if piece else "<td>"
    if marks[0].where.places:
        return f"<td>{''.join(map(_put, sorted(marks, key=lambda mark: offset(mark.where))))}"
    (mark,) = marks
    under = f"<span class={kind}>{html.escape(piece)}</span>" if piece else ""
    return f'<td class={mark.verdict[0]} style="--s:{mark.share:.2f}{_bead(mark)}">{under}{mark.amount}'


def _put(mark: Mark) -> str:
    """Return half a cell: which piece a move puts there, and what the machine has for it."""
    which = "first" if offset(mark.where) < 0 else "second"
    look = f'class="put {which} {mark.verdict[0]}" style="--s:{mark.share:.2f}{_bead(mark)}"'
    return f'<span {look} title="{html.escape(mark.name)}"><b>{html.escape(mark.where.places)}</b>{mark.amount}</span>'


def _named(mark: Mark) -> str:
    look = f'class={mark.verdict[0]} style="--s:{mark.share:.2f}{_bead(mark)}"'
    return f"<span {look}>{html.escape(mark.name)} <b>{mark.amount}</b></span>"


def _bead(mark: Mark) -> str:
    return "" if mark.colour is None else f";--bead:{mark.colour}"


def mark_of(box: Box, move: Move, colour: BeadColour | None = None) -> Mark:
    """Return the mark of a move on the board of its box; `colour` is that of its beads, if it is shown."""
    place, name = box.game.where(box.board, move.action), box.game.name_of(box.board, move.action)
    return Mark(place, name, move.verdict, move.share or 0.0, amount_text(move.amount), colour and colour.hex)


def move_look(game: Game, board: Board, action: int) -> dict[str, Any]:
    """Return what a script draws a move from: its name, cells or arrow, the arrow's path, and the piece that it puts.

    A pair is cells with a path.

    >>> from menace.games import get_game
    >>> move_look(get_game(), "X........", 4)
    {'name': '4', 'cells': (4,), 'arrow': None, 'path': None, 'places': ''}
    """
    where = game.where(board, action)
    arrow = arrow_of(where, game.pieces(board), game.shape[1])
    return {
        "name": game.name_of(board, action),
        "cells": where.pair or where.cells,
        "arrow": where.arrow,
        "path": None if arrow is None else arrow_path(arrow),
        "places": where.places,
    }


def colours_of(box: Box, names: BeadNames) -> dict[int, BeadColour]:
    """Return the colour of each move's beads; none where there are fewer colours than moves, or no beads."""
    if not box.has_beads:
        return {}
    try:
        beads = names.beads(box.board, [move.action for move in box.moves])
    except InvalidSetting:
        return {}
    return {action: bead.colour for action, bead in beads.items()}
