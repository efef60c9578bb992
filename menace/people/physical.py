"""Play games against a machine made of real matchboxes, and compare its beads with the database."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from menace.analysis.bead_names import BeadNames, whole
from menace.errors import InvalidBeads, InvalidBoard, InvalidPlayer
from menace.learners.box import Box
from menace.learners.settings import MAX_BEADS
from menace.ledger.learners import load_machine, named_machine, save_machine
from menace.ledger.log.blocks import RECOUNT
from menace.ledger.log.recorded_game import box_is_empty, changes, learn_from
from menace.ledger.positions import positions_of
from menace.ledger.runs import add_own_run
from menace.ledger.store import AdjustmentRow, Store
from menace.ledger.training import evaluation_rows
from menace.people.game import GameUnderWay
from menace.people.session import Session
from menace.text import wording


@dataclass(frozen=True)
class BoxToOpen:
    """A real box to open.

    Attributes:
        box: the box as stored in the database, or after it was restocked with its first beads.
        restocked: whether the box is empty in the database and must be restocked before a bead is drawn.
        turning: the symmetry that maps the actual board to the board on the box; None if they are the same.

    >>> opening = box_to_open(physical_session(store, "menace-x", seed=1).game)
    >>> opening.box.title, opening.restocked, opening.turning
    ('box 1 for ......... (170 beads)', False, None)
    """

    box: Box
    restocked: bool
    turning: str | None


@dataclass(frozen=True)
class BeadChange:
    """Beads to add to a real box, or to remove if `beads` is negative; `action` refers to the box's board."""

    box: Box
    action: int
    beads: int


def physical_session(store: Store, name: str, seed: int | None = None, person: str | None = None) -> Session:
    """Begin a session against a machine of real matchboxes, in which a person draws the beads (`play_drawn_bead`).

    Args:
        store: the database.
        name: the name of the learner.
        seed: the random seed for moves for which the machine has no box.
        person: the name of the person.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, it draws no beads, or the person's name is not
            allowed.
    """
    row = store.learner(name)
    session = Session(store, name, seed=seed, name=person, physical=True)
    if not session.game.at_board.draws_beads:
        raise InvalidPlayer(f"machine {row.name} does not draw beads; name one that does")
    return session


def box_to_open(game: GameUnderWay) -> BoxToOpen | None:
    """Return the box for the machine's move, or None if there is no box or the box is empty and not restocked.

    If the box must be restocked, this function restocks the game's copy of it.

    >>> game = physical_session(store, "menace-o", seed=1).game
    >>> ply = game.make_person_move(8)
    >>> opening = box_to_open(game)
    >>> opening.box.board, opening.turning
    ('X........', 'half turn')
    """
    box = game.at_board.box_at(game.position)
    if box is None:
        return None
    restocked = not box.beads
    if restocked:
        game.restock()
        box = game.at_board.box_at(game.position)
        if box is None or not box.beads:
            return None
    symmetry = game.positions.symmetry_to_canonical(game.board)
    return BoxToOpen(box, restocked, None if box.board == game.board else symmetry.name)


def restocked_boxes(game: GameUnderWay) -> list[Box]:
    """Return the boxes that were empty when the game began and are now restocked, with their current beads."""
    if isinstance(game.machine, str):
        return []
    began, now = game.machine, game.at_board
    visited = [*(position for position, _ in game.path), game.position]
    boxes = [now.box_at(position) for position in visited if box_is_empty(began, position)]
    return [box for box in boxes if box is not None and box.beads]


def bead_changes(game: GameUnderWay) -> list[BeadChange]:
    """Return the changes that a person must make to the real boxes after a finished game, sorted by box and cell.

    The changes assume that the drawn beads are back in their boxes and that empty boxes have been restocked. Changes by
    other games that the stored machine learned from during this game are excluded, because those games did not change
    the real boxes.

    >>> game = physical_session(store, "menace-x", seed=1).game
    >>> while game.outcome is None:  # the person takes the first empty cell
    ...     ply = game.make_person_move(game.board.index(".")) if game.persons_turn else game.make_machine_move()
    >>> game.outcome, [(change.box.number, change.action, change.beads) for change in bead_changes(game)]
    ('O', [(1, 4, -1), (8, 8, -1), (85, 1, -1)])
    """
    after = game.at_board.copy()
    recorded = game.recorded()
    learn_from(after, game.path, recorded)
    learned = changes(game.arena, game.at_board, after, recorded)
    moved = [(game.at_board.box_at(change.position_id), change) for change in learned]
    return [
        BeadChange(box, change.action, int(change.after - change.before))
        for box, change in moved
        if box is not None and change.action is not None
    ]


LONGEST_SHOWN = 40  # maximum length of a quoted CSV cell in a message


@dataclass(frozen=True)
class CountDifference:
    """A pile whose counted beads differ from the number in the database. `action` refers to the canonical board."""

    box: Box
    action: int
    beads: int
    counted: int


@dataclass(frozen=True)
class Comparison:
    r"""The number of counted piles, the number of all piles, and the piles whose count differs.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.text.bead_colours import Naming
    >>> names = BeadNames(tictactoe(), Naming())
    >>> compare_count(store, "menace-x", "box,colour,counted\n1,red,16\n", names)
    Comparison(counted=1, piles=1087, different=[])
    """

    counted: int
    piles: int
    different: list[CountDifference]


def compare_count(store: Store, name: str, text: str, names: BeadNames) -> Comparison:
    r"""Compare a count of beads with the database.

    Args:
        store: the database.
        name: the name of a learner with boxes.
        text: the count, as CSV with commas or semicolons.
        names: the names of beads and cells in the count.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, or it has no boxes.
        InvalidBeads: if a line cannot be read, names no box or bead of the machine, or counts a bead twice.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.text.bead_colours import Naming
    >>> names = BeadNames(tictactoe(), Naming())
    >>> differences = compare_count(store, "menace-o", "board,cell,counted\n........X,4,7\n", names).different
    >>> [(pile.box.board, pile.beads, pile.counted) for pile in differences]
    [('X........', 10, 7)]
    """
    boxes = named_machine(store, name).matchboxes
    by_board = {box.board: box for box in boxes}
    counts: dict[tuple[int, int], int] = {}  # beads by position and action
    for line, row in _rows(text):
        try:
            box, action, counted = *_place(boxes, by_board, names, row), _beads(row["counted"])
            if counts.setdefault((box.position_id, action), counted) != counted:
                here, bead = counts[box.position_id, action], names.describe(box.board, action)
                before = wording.counted(here, f"{bead} bead")
                raise InvalidBeads(f"box {box.number} has {before} on an earlier line, but {counted} here")
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
    """Yield the line number and the stripped cells, by column name, of each row that contains a count."""
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
            raise InvalidBeads(f"{row['box'][:LONGEST_SHOWN]!r} is not a box; boxes are numbered 1 to {len(boxes)}")
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
        raise InvalidBeads("the line names neither a board nor a box")
    return box, _action(box, names, row)


def _action(box: Box, names: BeadNames, row: dict[str, str]) -> int:
    by_colour = names.bead(box.board, row["colour"]) if row["colour"] else None
    by_cell = None
    if row["cell"]:
        board = names.game.parse(row["board"]) if row["board"] else ""
        by_cell = names.action(board, row["cell"]) if board else names.bead(box.board, row["cell"])
    if by_cell is None and by_colour is None:
        raise InvalidBeads("the line names neither a cell nor a colour")
    if None not in (by_cell, by_colour) and by_cell != by_colour:
        raise InvalidBeads(
            f"cell {row['cell']} of box {box.number} has no {row['colour']} bead; check --colours and --numbering"
        )
    action = by_cell if by_cell is not None else by_colour
    if all(move.action != action for move in box.moves):
        raise InvalidBeads(f"box {box.number} has no such bead")
    return action  # type: ignore[return-value]


def _beads(text: str) -> int:
    beads = whole(text, MAX_BEADS)
    if beads is None:
        raise InvalidBeads(f"{text[:LONGEST_SHOWN]!r} is not a number of beads from 0 to {MAX_BEADS:,}")
    return beads


def record_count(store: Store, name: str, differences: list[CountDifference]) -> int:
    r"""Record a count by setting each pile to its counted beads, and return the id of the new block.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such learner, or it has no boxes.
        InvalidBeads: if no pile differs, or the boxes have changed since the comparison.

    >>> from menace.games.enumeration import tictactoe
    >>> from menace.text.bead_colours import Naming
    >>> comparison = compare_count(store, "menace-x", "box,cell,counted\n1,4,20\n", BeadNames(tictactoe(), Naming()))
    >>> block = record_count(store, "menace-x", comparison.different)
    >>> db["menace-x"].box("1")
    box 1 for ......... (37 beads): 0 draws 16 beads 43.2%, 1 draws 1 bead 2.7%, 4 draws 20 beads 54.1%
    """
    if not differences:
        raise InvalidBeads("the count agrees with the database, so there is nothing to record")
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
                    f"box {difference.box.number} has changed since the comparison; nothing was recorded, so compare"
                    " the count again"
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
    """Return the count of an emptied box, in the form that `record_count` accepts.

    Raises:
        InvalidBeads: if the box has no beads.

    >>> differences = emptied(named_machine(store, "menace-x").matchboxes[0])
    >>> block = record_count(store, "menace-x", differences)
    >>> db["menace-x"].box("1").beads
    0
    """
    if not box.beads:
        raise InvalidBeads(f"{box.title} has no beads to take out; choose another box")
    return [CountDifference(box, move.action, move.beads, 0) for move in box.moves if move.beads]
