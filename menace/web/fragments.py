"""Pieces of pages: a board of buttons, a box that lies open, what a game changed."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from menace.exporting.board import Mark, arrow_path, board_html
from menace.games.base import STONE, Board, Game
from menace.games.look import arrow_of, joined
from menace.wording import VERDICTS, amount_text, percent

if TYPE_CHECKING:
    from menace.ledger.recording import Change
    from menace.shelf.box import Box
    from menace.shelf.naming import BeadNames
    from menace.shelf.position import MoveView, PositionView

DOTS_MOST = 24  # beads that are drawn one by one
PIECES = {STONE: "a stone", "": "empty"}


def board_of_buttons(game: Game, board: Board, verdicts: Mapping[int, str], label: str) -> str:
    """Return a board as a table of buttons, of which the tab key reaches one.

    Args:
        game: its rules.
        board: as text.
        verdicts: of the moves that may be made now, by action; none if nobody is to move here.
        label: what the board is called.
    """
    columns = game.shape[1]
    marked: dict[int, list[int]] = {}
    for action in verdicts:
        where = game.where(board, action)
        marked.setdefault(where.arrow[0] if where.arrow else where.cells[0], []).append(action)
    cells = [
        _button(cell, columns, piece, [verdicts[action] for action in marked.get(cell, [])])
        for cell, piece in enumerate(game.pieces(board))
    ]
    rows = "".join(f"<tr>{''.join(cells[at : at + columns])}</tr>" for at in range(0, len(cells), columns))
    return f'<table class="board" aria-label="{html.escape(label)}">{rows}</table>{_arrows(game, board, verdicts)}'


def _button(cell: int, columns: int, piece: str, verdicts: Sequence[str]) -> str:
    row, column = divmod(cell, columns)
    what = f"row {row + 1} column {column + 1}, {PIECES.get(piece, piece)}"
    best = next((verdict for verdict in VERDICTS.values() if verdict in verdicts), "")
    known = f' data-worth="{best}"' if best else ""
    off = "" if verdicts else ' aria-disabled="true"'
    reached = 0 if cell == 0 else -1
    return (
        f'<td><button type="button" data-cell="{cell}" tabindex="{reached}" aria-label="{what}"{known}{off}>'
        f'<span class="{_kind(piece)}">{html.escape(piece)}</span></button></td>'
    )


def _kind(piece: str) -> str:
    return piece.lower() if piece in {"X", "O"} else "piece"


def _arrows(game: Game, board: Board, verdicts: Mapping[int, str]) -> str:
    rows, columns = game.shape
    paths = "".join(
        f'<path class="{verdict}" d="{arrow_path(arrow)}"/>'
        for action, verdict in verdicts.items()
        if (arrow := arrow_of(game.where(board, action), columns)) is not None
    )
    return f'<svg class="arrows" viewBox="0 0 {columns} {rows}" aria-hidden="true">{paths}</svg>' if paths else ""


def open_box(view: PositionView, game: Game, names: BeadNames, drawn: int | None) -> str:
    """Return what a machine saw: its box for a board as the board lies, and a row for each move.

    Args:
        view: the board, and the box.
        game: its rules.
        names: the colours of beads.
        drawn: the action that was taken, marked as such; None if none was.
    """
    box = view.box
    if sum(len(move.cells) for move in view.moves) == 1:
        return f"<p>It has the only {view.kind} that is left.</p>"
    if box is None:
        return f"<p>It has no box for this board, and takes any {view.kind} alike.</p>"
    colours = _colours(view, names)
    marks = [_mark(view, game, move, colours.get(move.action)) for move in view.moves]
    picture = f'<table class="small">{board_html(game.pieces(view.board), game.shape, marks)}</table>'
    rows = "".join(_box_row(number, box.unit, move, colours, drawn) for number, move in enumerate(view.moves))
    head = f"<tr><th>{view.kind}</th><th>{box.unit}</th><th>share</th><th class=worth>worth</th></tr>"
    return (
        f"<p>{html.escape(box.title)}</p>{picture}<table class=moves><thead>{head}</thead><tbody>{rows}</tbody></table>"
    )


def _colours(view: PositionView, names: BeadNames) -> dict[int, str]:
    from menace.errors import InvalidSetting

    if view.box is None or not view.box.has_beads:
        return {}
    try:
        found = names.beads(view.canonical, [move.action for move in view.moves])
    except InvalidSetting:  # more moves than bead shops have colours
        return {}
    return {action: bead.colour.hex for action, bead in found.items()}


def _mark(view: PositionView, game: Game, move: MoveView, colour: str | None) -> Mark:
    action = move.cells[0]  # whichever of them was drawn: where somebody is to guess, the picture is not to tell
    amount = f"{move.beads:,}" if view.box and view.box.has_beads else f"{move.amount:.3f}"
    name = game.name_of(view.board, action)
    return Mark(game.where(view.board, action), name, move.verdict, move.share or 0.0, amount, colour)


def _box_row(number: int, unit: str, move: MoveView, colours: Mapping[int, str], drawn: int | None) -> str:
    share = "" if move.share is None else percent(move.share).strip()
    here = " class=drawn" if drawn is not None and drawn in move.cells else ""
    dots = ""
    if unit == "beads":
        colour = colours.get(move.action, "currentColor")
        some = move.beads if move.beads <= DOTS_MOST else 1  # which is the colour of them all
        dots = f'<span class=dots aria-hidden="true" style="--bead:{colour}">{"<i></i>" * some}</span>'
    name = html.escape(move.text)
    return (
        f"<tr{here} data-row={number}><th scope=row><span class=name>{name}</span></th>"
        f"<td>{amount_text(move.amount, unit)}{dots}</td>"
        f'<td class=share style="--s:{move.share or 0:.3f}">{html.escape(share)}</td>'
        f'<td class="worth {move.verdict}">{move.verdict}</td></tr>'
    )


def changes_of(changes: Iterable[Change], game: Game) -> str:
    """Return what a game changed in each box, as a board with the changes of its moves, and in words."""
    by_board: dict[Board, list[Change]] = {}
    for change in changes:
        by_board.setdefault(change.board, []).append(change)
    return "".join(_changed_box(board, some, game) for board, some in by_board.items())


def _changed_box(board: Board, changes: Sequence[Change], game: Game) -> str:
    marks, words = [], []
    for change in changes:
        learned = change.after - change.before - change.put_back
        whole = float(change.before).is_integer() and float(change.after).is_integer()
        text = (f"{learned:+.0f}" if whole else f"{learned:+.4f}").replace("-", "\N{MINUS SIGN}")
        look = VERDICTS[(learned > 0) - (learned < 0)]  # in the same colours: more of it, less of it
        amounts = (
            f"{change.before:,.0f} to {change.after:,.0f}" if whole else f"{change.before:.4f} to {change.after:.4f}"
        )
        if change.put_back:
            amounts += f", {change.put_back:,} put back first"
        cells = change.cells or ()
        if cells:
            marks.append(Mark(game.where(board, cells[0]), game.name_of(board, cells[0]), look, 0.0, text))
        what = joined([game.name_of(board, cell) for cell in cells]) or "this board"
        words.append(f"<li><b>{html.escape(what)}</b> {amounts} <b class={look}>{text}</b></li>")
    picture = f"<table class=small>{board_html(game.pieces(board), game.shape, marks)}</table>"
    return f"<div class=changed>{picture}<ul>{''.join(words)}</ul></div>"


def small_box(box: Box) -> str:
    """Return a box as a small board with what it has for each move, and its title."""
    game = box.game
    marks = [
        Mark(
            game.where(box.board, move.action),
            game.name_of(box.board, move.action),
            move.verdict,
            move.share or 0.0,
            f"{move.beads:,}" if box.has_beads else f"{move.amount:.2f}",
        )
        for move in box.moves
    ]
    title = f"box {box.number}" if box.number is not None else "values"
    return (
        f'<table class="small" aria-label="{title} for {html.escape(box.board)}">'
        f"{board_html(game.pieces(box.board), game.shape, marks)}</table>"
    )
