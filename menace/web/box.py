"""Boxes as pages draw them: open beside a board, small on a shelf, and what a game changed in them."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence

from menace.exporting.board import Mark, board_html
from menace.exporting.boxes import colours_of, mark_of
from menace.games.base import Board, Game
from menace.games.look import joined
from menace.learners.box import Box
from menace.ledger.recording import Change
from menace.shelf.naming import BeadNames
from menace.shelf.position import MoveView, PositionView
from menace.wording import VERDICTS, percent
from menace.wording import amount_text as amount_in_words

DOTS_MOST = 24  # beads that are drawn one by one


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
        return f"<p>It has only one {view.kind} left.</p>"
    if box is None:
        return f"<p>It has no box for this board, and takes a {view.kind} at random.</p>"
    seen = view.seen_box or box
    colours = {move.cells[0]: beads for move in view.moves if (beads := colours_of(box, names).get(move.action))}
    marks = [mark_of(seen, move, colours.get(move.action)) for move in seen.moves]
    picture = f'<table class="small">{board_html(game.pieces(view.board), game.shape, marks)}</table>'
    rows = "".join(_box_row(number, box.unit, move, colours, drawn) for number, move in enumerate(view.moves))
    head = f"<tr><th>{view.kind}</th><th>{box.unit}</th><th>share</th><th class=worth>worth</th></tr>"
    title = html.escape(seen.title)
    return f"<p>{title}</p>{picture}<table class=moves><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _box_row(number: int, unit: str, move: MoveView, colours: Mapping[int, str], drawn: int | None) -> str:
    share = "" if move.share is None else percent(move.share).strip()
    here = " class=drawn" if drawn is not None and drawn in move.cells else ""
    dots = ""
    if unit == "beads":
        colour = colours.get(move.cells[0], "currentColor")
        some = move.beads if move.beads <= DOTS_MOST else 1  # which is the colour of them all
        dots = f'<span class=dots aria-hidden="true" style="--bead:{colour}">{"<i></i>" * some}</span>'
    name = html.escape(move.text)
    return (
        f"<tr{here} data-row={number}><th scope=row><span class=name>{name}</span></th>"
        f"<td>{amount_in_words(move.amount, unit)}{dots}</td>"
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
    marks = [mark_of(box, move) for move in box.moves]
    title = f"box {box.number}" if box.number is not None else "values"
    return (
        f'<table class="small" aria-label="{title} for {html.escape(box.board)}">'
        f"{board_html(box.game.pieces(box.board), box.game.shape, marks)}</table>"
    )
