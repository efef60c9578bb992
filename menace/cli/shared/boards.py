"""A position as text: its board, its value, its moves, and what a learner's box has for them."""

from __future__ import annotations

from typing import Any

from menace.analysis.position import PositionView
from menace.cli.shared.output import BAR, bar, bar_room, full_text, limit, table
from menace.text.narration import ended
from menace.text.wording import VALUES, counted, percent, turned

BAR_AT, BAR_LEAST = 5, 6  # the column of bars, and their least length
WIDEST = 10_000  # characters, where lines are not limited


def position_text(view: PositionView) -> str:
    r"""Return a position, its facts and its moves as text.

    >>> from menace.analysis.position import show
    >>> print(*position_text(show(store, "X...O....")).splitlines()[6:8], sep="\n")
    position 6: X...O...., ply 2, stands for 4 boards
    X to move; under perfect play a draw, 7 plies to the end
    """
    lines = [view.drawing, "", *_facts(view)]
    if view.outcome is not None:
        return "\n".join(lines)
    if view.learner is not None:
        lines += ["", _box_title(view)]
    lines += ["", moves_table(view)]
    if view.box is not None and view.box.full:
        lines += ["", full_text(view.box.full, f"{view.learner}'s box")]
    return "\n".join(lines)


def _facts(view: PositionView) -> list[str]:
    boards = f"stands for {counted(view.images, 'board')}"
    turning = "" if view.turning is None else f" ({turned(view.turning)})"
    facts = [f"position {view.position_id}: {view.canonical}{turning}", f"ply {view.ply}", boards]
    if view.outcome is not None:
        return [", ".join([*facts, f"over: {ended(view.outcome)}"])]
    plies = f"{view.plies_to_end} {'ply' if view.plies_to_end == 1 else 'plies'} to the end"
    return [", ".join(facts), f"{view.to_move} to move; under perfect play {VALUES[view.minimax]}, {plies}"]


def _box_title(view: PositionView) -> str:
    if view.box is None:
        reason = f"it plays a {view.kind} at random" if view.plays == view.to_move else f"it plays {view.plays}"
        return f"{view.learner} has no box for this position: {reason}"
    box = view.box
    if not box.has_beads:
        return f"what {view.learner} has learned" + (f"; {box.about}" if box.about else "")
    held = counted(box.beads, "bead") if box.beads else "empty"
    return f"{view.learner}'s box {box.number} (stage {box.stage}): {held}"


def moves_table(view: PositionView) -> str:
    """Return the moves of a position, each with its verdict and what a learner has for it.

    The next board of a move is that after its first action on the board of `view`.

    >>> from menace.analysis.position import show
    >>> print(moves_table(show(store, "X........")))
    cell  for O             leads to
    1 3   loses, a mistake  XO.......
    2 6   loses, a mistake  X.O......
    4     draws             X...O....
    5 7   loses, a mistake  X....O...
    8     loses, a mistake  X.......O
    """
    header = [view.kind, f"for {view.to_move}", "leads to"]
    rows: list[list[Any]] = []
    for move in view.moves:
        verdict = move.verdict + ("" if move.optimal else ", a mistake")
        rows.append([move.text, verdict, move.next_board])
        if view.box is not None:
            share = move.share or 0.0
            rows[-1] += [move.amount, percent(share), share, move.count]
    if view.box is None:
        return table(header, rows)
    header += [view.box.unit, *(("share", "", "picked") if view.box.has_beads else ("plays it", "", "learned"))]
    room = _bar_room(header, rows)
    return table(header, [[*row[:BAR_AT], bar(row[BAR_AT], room), row[-1]] for row in rows])


def _bar_room(header: list[str], rows: list[list[Any]]) -> int:
    """Return the length of bars that leaves room for the other columns, but keeps the bars visible."""
    beside = table(header, [[*row[:BAR_AT], "", row[-1]] for row in rows], WIDEST)
    left = (limit() or WIDEST) - max(map(len, beside.splitlines()))
    return min(bar_room(BAR), max(left, BAR_LEAST))
