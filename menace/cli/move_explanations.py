"""Explanations in words: what a learner saw before it moved, and what a game changed in its boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from menace.game_narration import told
from menace.wording import counted, percent

if TYPE_CHECKING:
    from menace.analysis.position import PositionView
    from menace.games.base import Game
    from menace.learners.box import Box, Move
    from menace.learners.policy import PolicyName
    from menace.ledger.recorded_game import Change


def choice_text(view: PositionView, cell: int, explored: int, restocked: int, policy: PolicyName = "behaviour") -> str:
    """Return what a learner saw before it played a cell of the board of `view`.

    `explored` and `restocked` are 0 or 1: whether it explored, whether its box was empty and got its first beads back.
    `policy` is how it played: a `greedy` choice is not drawn.
    """
    if sum(len(move.cells) for move in view.moves) == 1:
        return told("only", kind=view.kind)
    box = view.box
    if box is None:
        return told("no_box", kind=view.kind)
    if explored:
        return told("explored", kind=view.kind)
    move = next(move for move in view.moves if cell in move.cells)
    share = percent(move.share or 0.0).strip()
    if not box.has_beads or (box.beads and move.share != box.share_of_beads(move)):
        held = _rank_text(box, move)
        return told("often", held=held, share=share) if policy == "behaviour" else held
    if not box.beads:
        return told("empty", kind=view.kind)
    before = f"{told('restocked')}: " if restocked else ""
    most = "" if policy == "behaviour" else f", {_best_text(box, move)}"
    clause = "only_bead" if box.beads == 1 else "one_bead" if move.beads == 1 else "beads"
    return f"{before}{told(clause, beads=f'{move.beads:,}', all=f'{box.beads:,}', share=share)}{most}"


def _rank_text(box: Box, move: Move) -> str:
    """Return the amount of a move, for a learner that compares amounts, and whether it is its best move."""
    text = counted(move.beads, "bead") if box.has_beads else f"{box.unit} {move.shown:.3f}"
    best = move.amount == max(other.amount for other in box.moves)
    return f"{text}, {_best_text(box, move)}" if best else text


def _best_text(box: Box, move: Move) -> str:
    """Return the text of a best move, which says whether others are equal."""
    equal = [other.amount for other in box.moves].count(move.amount)
    return told("best") if equal == 1 else told("equal", others=equal - 1)


def changes_text(changes: tuple[Change, ...], game: Game) -> str:
    """Return what a game changed, as a table."""
    from menace.cli.tables_and_bars import table
    from menace.games.boards_as_text import is_of_cells, joined

    put_back = any(change.put_back for change in changes)
    rows = []
    for change in changes:
        cells = joined([game.name_of(change.board, cell) for cell in change.cells or ()])
        before, after = change.before, change.after
        if change.action is not None and float(before).is_integer() and float(after).is_integer():
            before, after = int(before), int(after)  # beads of a machine that compares them are kept as values
        learned = after - before - change.put_back
        sign = "+.4f" if isinstance(learned, float) else "+d"
        restocked = [change.put_back] if put_back else []
        rows.append((change.board, cells, before, *restocked, after, format(learned, sign) if learned else ""))
    of_cells = all(is_of_cells(game, change.board, change.cells or ()) for change in changes)
    header = [
        "board",
        "cells" if of_cells else "moves",
        "before",
        *(["put back"] if put_back else []),
        "after",
        "learned",
    ]
    return table(header, rows)
