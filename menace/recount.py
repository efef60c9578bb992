"""Counting the beads of a real machine again: reading the count, comparing, and recording what it changes.

A count is a table with a header. `beads` is the number counted; a row with an empty one was not counted. The box is
named by `board` (any image of it) or by `box` (its number), the bead by `cell` (of that board, or of the box's own) or
by `colour`. Other columns are passed over, so the table that `menace contents` prints can be filled in and given back.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from menace import __version__
from menace.boxes import Box, boxes_of_machine
from menace.errors import InvalidBeads, InvalidBoard
from menace.games.base import SIDES
from menace.machines import load_machine, load_table, save_machine
from menace.marks import evaluation_rows
from menace.naming import BeadNames
from menace.positions import canonical
from menace.runs import NOBODY
from menace.store import AdjustmentRow, LearnerRow, Store, now

LONGEST_SHOWN = 40  # characters of a cell, in a message
MOST_BEADS = 2**26 - 1  # in a pile, as db/schema.sql has it


@dataclass(frozen=True)
class Difference:
    """A pile whose real beads are not the database's. `cell` is of the canonical board, `counted` the real number."""

    box: Box
    action: int
    beads: int
    counted: int


@dataclass(frozen=True)
class Comparison:
    """How many piles were counted, and those that differ from the database's, by box, then by cell."""

    counted: int
    different: list[Difference]


def compare_count(store: Store, name: str, text: str, names: BeadNames) -> Comparison:
    """Compare a count with the database.

    Args:
        store: the database.
        name: a learner with boxes.
        text: the count, as CSV with commas or semicolons.
        names: how it names beads and cells.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, or it has no boxes.
        InvalidBeads: naming the line, if it cannot be read, names no box or bead of the machine, or one twice.
    """
    with store.snapshot():
        table = load_table(store)
        machine = load_machine(store, table, store.learner(name))
        boards = store.boards()
    boxes = boxes_of_machine(machine, table, boards)
    counts: dict[tuple[int, int], int] = {}
    for line, row in _rows(text):
        try:
            place, counted = _place(boxes, names, row), _beads(row["beads"])
            if counts.setdefault(place, counted) != counted:
                raise InvalidBeads(f"box {place[0]} has this bead on another line too, {counts[place]} of it")
        except (InvalidBeads, InvalidBoard) as error:
            raise InvalidBeads(f"line {line}: {error}") from None
    found = []
    for (number, action), counted in sorted(counts.items()):
        box = boxes[number - 1]
        beads = next(pile.beads for pile in box.piles if pile.action == action)
        if beads != counted:
            found.append(Difference(box, action, beads, counted))
    return Comparison(len(counts), found)


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines that have a count, with their numbers: by name of column, without spaces around."""
    header, _, _ = text.lstrip("\ufeff").partition("\n")
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), delimiter=";" if ";" in header else ",")
    names = [(name or "").strip().lower() for name in reader.fieldnames or []]
    if "beads" not in names or not {"board", "box"} & set(names) or not {"cell", "colour"} & set(names):
        raise InvalidBeads(
            "the first line must name the columns: board or box, cell or colour, and beads"
            " (`menace contents NAME --csv` prints such a table)"
        )
    reader.fieldnames = names
    try:
        for row in reader:
            found = {name: (row.get(name) or "").strip() for name in ("board", "box", "cell", "colour", "beads")}
            if found["beads"]:
                yield reader.line_num, found
    except csv.Error as error:
        raise InvalidBeads(f"line {reader.line_num}: {error}") from None


def _place(boxes: tuple[Box, ...], names: BeadNames, row: dict[str, str]) -> tuple[int, int]:
    """Return the number of the box and the canonical action that a row means."""
    box: Box | None = None
    if row["box"]:
        number = row["box"]
        if not number.isdecimal() or not 1 <= int(number) <= len(boxes):
            raise InvalidBeads(f"{number[:LONGEST_SHOWN]!r} is no box; they are numbered 1 to {len(boxes)}")
        box = boxes[int(number) - 1]
    board = names.game.parse(row["board"]) if row["board"] else ""
    if board:
        name = canonical(names.game, board, names.symmetry)
        if box is not None and box.board != name:
            raise InvalidBeads(f"box {box.number} is for {box.board}, not for {board}")
        box = next((found for found in boxes if found.board == name), None)
        if box is None:
            raise InvalidBeads(f"the machine has no box for {board}")
    if box is None:
        raise InvalidBeads("neither a board nor a box says where the beads are")
    action = names.action(board or box.board, row["cell"], row["colour"])
    if all(pile.action != action for pile in box.piles):
        raise InvalidBeads(f"box {box.number} has no such bead")
    return box.number, action


def _beads(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_BEADS:
        raise InvalidBeads(f"{text[:LONGEST_SHOWN]!r} is no number of beads, 0 to {MOST_BEADS:,}")
    return int(text)


def record_count(store: Store, name: str, found: list[Difference]) -> int:
    """Record a count: the beads of these piles are what was counted. Returns the number of the block.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, or it has no boxes.
        InvalidBeads: if nothing differs, or somebody has changed those boxes meanwhile.
    """
    if not found:
        raise InvalidBeads("the count is as the database has it; there is nothing to record")
    table = load_table(store)
    with store.transaction():
        row = store.learner(name)
        machine = load_machine(store, table, row)
        before = machine.learned.copy()
        block_id = store.add_block(_add_run(store, row), "adjustment", 0, (0, 0, 0), 0, 0)
        for difference in found:
            position = difference.box.position_id
            move = next(m for m in table.moves_of(position) if table.action[m] == difference.action)
            if before.amount[move] != difference.beads:
                raise InvalidBeads(
                    f"box {difference.box.number} was changed meanwhile; compare the count again, nothing was recorded"
                )
            machine.learned.amount[move] = difference.counted
        store.add_adjustments(
            AdjustmentRow(block_id, row.learner_id, d.box.position_id, d.action, d.beads, d.counted) for d in found
        )
        save_machine(store, table, machine, before)
        store.add_evaluations(evaluation_rows(table, block_id, machine))
    return block_id


def _add_run(store: Store, row: LearnerRow) -> int:
    plays_x = row.plays == SIDES[0]
    return store.add_run(
        kind="recount",
        x_player=row.name if plays_x else NOBODY,
        o_player=NOBODY if plays_x else row.name,
        x_learner_id=row.learner_id if plays_x else None,
        o_learner_id=None if plays_x else row.learner_id,
        x_learns=int(plays_x),
        o_learns=int(not plays_x),
        games_wanted=0,
        games_played=0,
        seed=0,
        options="{}",
        version=__version__,
        finished_at=now(),
    )
