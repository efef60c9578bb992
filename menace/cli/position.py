"""A position as text: its board, its facts, its moves, and what a learner has for them."""

from __future__ import annotations

from menace.cli.text import bar, full_text, table
from menace.shelf.matchbox import PositionView
from menace.wording import VALUES, over, percent

VALUE_HEADER = ["value", "plays it", "", "learned"]


def position_text(view: PositionView) -> str:
    """Return a position, its facts and its moves as text."""
    lines = [view.drawing, "", *_facts(view)]
    if view.outcome is not None:
        return "\n".join(lines)
    if view.learner is not None:
        lines += ["", _box_title(view)]
    lines += ["", moves_table(view)]
    if view.full:
        lines += ["", full_text(view.full, f"{view.learner}'s box")]
    return "\n".join(lines)


def _facts(view: PositionView) -> list[str]:
    boards = "stands for 1 board" if view.images == 1 else f"stands for {view.images} boards"
    facts = [f"position {view.position_id}: {view.canonical}", f"ply {view.ply}", boards]
    if view.outcome is not None:
        return [", ".join([*facts, f"over: {over(view.outcome)}"])]
    plies = f"{view.plies_to_end} {'ply' if view.plies_to_end == 1 else 'plies'} to the end"
    return [", ".join(facts), f"{view.to_move} to move; under perfect play {VALUES[view.minimax]}, {plies}"]


def _box_title(view: PositionView) -> str:
    if not view.has_box:
        reason = "plays any cell, without a box" if view.plays == view.to_move else f"plays {view.plays}"
        return f"{view.learner} has no box here: it {reason}"
    if view.moves[0].beads is None:
        return f"what {view.learner} has learned"
    number = "" if view.box is None else f" {view.box} (stage {view.ply // 2 + 1})"
    return f"{view.learner}'s box{number}: {view.beads:,} beads" + ("" if view.beads else ", empty")


def moves_table(view: PositionView) -> str:
    """Return the moves of a position, each with its verdict and what a learner has for it."""
    header = ["cell", f"for {view.to_move}", "leads to"]
    rows: list[list[object]] = []
    for move in sorted(view.moves, key=lambda move: move.cells):
        verdict = move.result + ("" if move.optimal else ", a mistake")
        rows.append([" ".join(map(str, move.cells)), verdict, move.next_board])
        if view.has_box:
            share = move.share or 0.0
            amount = move.beads if move.beads is not None else move.value
            rows[-1] += [amount, percent(share), bar(share, 24), move.count]
    if view.has_box:
        header += ["beads", "share", "", "picked"] if view.moves[0].beads is not None else VALUE_HEADER
    return table(header, rows)
