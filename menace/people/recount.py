"""Recounts of a real machine's beads: reading a count, comparing it with the database, recording the differences.

A count is a table with a header, separated by commas, semicolons or tabs. `counted` is the number of beads that
were counted, or `beads` where there is no such column; a row where it is empty was not counted. The box is named by
`board` (any image of it) or by `box` (its number), the bead by `cell` or `move` (of that board; without a board, of
the box's) or by `colour`. Other columns are ignored, so the table that `menace contents` prints can be
filled in and read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from menace import wording
from menace.analysis.bead_names import BeadNames, whole
from menace.errors import InvalidBeads, InvalidBoard
from menace.learners.box import Box
from menace.learners.settings import MOST_BEADS
from menace.ledger.block_types import RECOUNT
from menace.ledger.learners import load_machine, named_machine, save_machine
from menace.ledger.marks import evaluation_rows
from menace.ledger.runs import add_own_run
from menace.ledger.store import AdjustmentRow, Store
from menace.ledger.stored_positions import positions_of

LONGEST_SHOWN = 40  # characters of a cell, in a message


@dataclass(frozen=True)
class CountDifference:
    """A pile whose counted beads differ from the database's. `action` is on the canonical board."""

    box: Box
    action: int
    beads: int
    counted: int


@dataclass(frozen=True)
class Comparison:
    r"""How many piles were counted, how many there are, and those that differ from the database's, by box and cell.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.naming_schemes import Naming
    >>> names = BeadNames(tictactoe(), Naming())
    >>> compare_count(store, "menace-x", "box,colour,counted\n1,red,16\n", names)
    Comparison(counted=1, piles=1087, different=[])
    """

    counted: int
    piles: int
    different: list[CountDifference]


def compare_count(store: Store, name: str, text: str, names: BeadNames) -> Comparison:
    r"""Compare a count with the database.

    Args:
        store: the database.
        name: a learner with boxes.
        text: the count, as CSV with commas or semicolons.
        names: how the count names beads and cells.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, or it has no boxes.
        InvalidBeads: naming the line, if it cannot be read, names no box or bead of the machine, or counts one twice.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.naming_schemes import Naming
    >>> names = BeadNames(tictactoe(), Naming())
    >>> differences = compare_count(store, "menace-o", "board,cell,counted\n........X,4,7\n", names).different
    >>> [(pile.box.board, pile.beads, pile.counted) for pile in differences]
    [('X........', 10, 7)]
    """
    boxes = named_machine(store, name).matchboxes
    by_board = {box.board: box for box in boxes}
    counts: dict[tuple[int, int], int] = {}  # by position and action
    for line, row in _rows(text):
        try:
            box, action, counted = *_place(boxes, by_board, names, row), _beads(row["counted"])
            if counts.setdefault((box.position_id, action), counted) != counted:
                here, bead = counts[box.position_id, action], names.describe(box.board, action)
                before = wording.counted(here, f"{bead} bead")
                raise InvalidBeads(f"box {box.number} has {before} on a line before this, not {counted}")
        except (InvalidBeads, InvalidBoard) as error:
            raise InvalidBeads(f"line {line}: {error}") from None
    piles = [(box, move) for box in boxes for move in box.moves]
    differences = [
        CountDifference(box, move.action, move.beads, counts[box.position_id, move.action])
        for box, move in piles
        if counts.get((box.position_id, move.action), move.beads) != move.beads
    ]
    return Comparison(len(counts), len(piles), differences)


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows that have a count, each after its line number: stripped cells by name of column."""
    text = text.lstrip("\ufeff")
    header, _, _ = text.partition("\n")
    delimiter = next((mark for mark in "\t;" if mark in header), ",")
    reader = csv.DictReader(io.StringIO(text, newline=None), delimiter=delimiter)
    try:
        names = [(name or "").strip().lower() for name in reader.fieldnames or []]
        if not all(
            {*either} & {*names} for either in (("counted", "beads"), ("board", "box"), ("cell", "move", "colour"))
        ):
            raise InvalidBeads(
                "the first line must name the columns: board or box, cell or colour, and counted"
                " (`menace contents NAME --csv` prints such a sheet)"
            )
        reader.fieldnames = names
        for row in reader:
            cells = {name: (row.get(name) or "").strip() for name in ("board", "box", "cell", "move", "colour")}
            cells["cell"] = cells["cell"] or cells.pop("move")
            cells["counted"] = (row.get("counted" if "counted" in names else "beads") or "").strip()
            if cells["counted"]:
                yield reader.line_num, cells
    except csv.Error as error:
        raise InvalidBeads(f"line {reader.line_num}: {error}") from None


def _place(boxes: tuple[Box, ...], by_board: dict[str, Box], names: BeadNames, row: dict[str, str]) -> tuple[Box, int]:
    """Return the box and the canonical action that a row names."""
    box: Box | None = None
    if row["box"]:
        number = whole(row["box"], len(boxes))
        if not number:
            raise InvalidBeads(f"{row['box'][:LONGEST_SHOWN]!r} is not a box; they are numbered 1 to {len(boxes)}")
        box = boxes[number - 1]
    if row["board"]:
        board = names.game.parse(row["board"])
        name = names.rules.canonical(board)
        if box is not None and box.board != name:
            raise InvalidBeads(f"box {box.number} is for {box.board}, not for {board}")
        box = by_board.get(name)
        if box is None:
            raise InvalidBeads(f"the machine has no box for {board}")
    if box is None:
        raise InvalidBeads("neither a board nor a box says where the beads are")
    return box, _action(box, names, row)


def _action(box: Box, names: BeadNames, row: dict[str, str]) -> int:
    by_colour = names.bead(box.board, row["colour"]) if row["colour"] else None
    by_cell = None
    if row["cell"]:
        board = names.game.parse(row["board"]) if row["board"] else ""
        by_cell = names.action(board, row["cell"]) if board else names.bead(box.board, row["cell"])
    if by_cell is None and by_colour is None:
        raise InvalidBeads("neither a cell nor a colour says which bead it is")
    if None not in (by_cell, by_colour) and by_cell != by_colour:
        raise InvalidBeads(
            f"cell {row['cell']} of box {box.number} has no {row['colour']} bead; are --colours and --numbering right?"
        )
    action = by_cell if by_cell is not None else by_colour
    if all(move.action != action for move in box.moves):
        raise InvalidBeads(f"box {box.number} has no such bead")
    return action  # type: ignore[return-value]


def _beads(text: str) -> int:
    beads = whole(text, MOST_BEADS)
    if beads is None:
        raise InvalidBeads(f"{text[:LONGEST_SHOWN]!r} is not a number of beads, 0 to {MOST_BEADS:,}")
    return beads


def record_count(store: Store, name: str, differences: list[CountDifference]) -> int:
    r"""Record a count: set these piles to their counted beads. Returns the id of the block.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, or it has no boxes.
        InvalidBeads: if nothing differs, or those boxes were changed meanwhile.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.naming_schemes import Naming
    >>> comparison = compare_count(store, "menace-x", "box,cell,counted\n1,4,20\n", BeadNames(tictactoe(), Naming()))
    >>> block = record_count(store, "menace-x", comparison.different)
    >>> db["menace-x"].box("1")
    box 1 for ......... (37 beads): 0 draws 16 beads 43.2%, 1 draws 1 bead 2.7%, 4 draws 20 beads 54.1%
    """
    if not differences:
        raise InvalidBeads("the count agrees with the database; there is nothing to record")
    positions = positions_of(store)
    with store.transaction():
        row = store.learner(name)
        machine = load_machine(store, positions, row)
        before = machine.learned.copy()
        block_id = add_own_run(store, row, RECOUNT)
        for difference in differences:
            position = difference.box.position_id
            move = positions.move_of(position, difference.action)
            if before.amount[move] != difference.beads:
                raise InvalidBeads(
                    f"box {difference.box.number} was changed meanwhile; compare the count again, nothing was recorded"
                )
            machine.learned.amount[move] = difference.counted
        store.add_adjustments(
            AdjustmentRow(block_id, row.learner_id, d.box.position_id, d.action, d.beads, d.counted)
            for d in differences
        )
        save_machine(store, machine, before)
        store.add_evaluations(evaluation_rows(block_id, machine))
    return block_id


def emptied(box: Box) -> list[CountDifference]:
    """Return the count of a box that was emptied, to be recorded.

    Raises:
        InvalidBeads: if it has no beads.

    >>> differences = emptied(named_machine(store, "menace-x").matchboxes[0])
    >>> block = record_count(store, "menace-x", differences)
    >>> db["menace-x"].box("1").beads
    0
    """
    if not box.beads:
        raise InvalidBeads(f"{box.title} has no beads to take out; choose another")
    return [CountDifference(box, move.action, move.beads, 0) for move in box.moves if move.beads]
