"""Play games against a machine built from real matchboxes, and compare its beads with the database."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from menace.analysis.bead_names import BeadNames, whole
from menace.errors import IllegalMove, InvalidBeads, InvalidBoard, InvalidPlayer
from menace.games.base import Board
from menace.learners.box import Box, Move
from menace.learners.machine import Machine
from menace.learners.settings import MAX_BEADS
from menace.ledger.learners import load_machine, named_machine, save_machine
from menace.ledger.log.blocks import RECOUNT
from menace.ledger.log.recorded_game import box_is_empty, changes, learn_from
from menace.ledger.positions import positions_of
from menace.ledger.runs import add_own_run
from menace.ledger.store import AdjustmentRow, Store
from menace.ledger.training import evaluation_rows
from menace.people.game import Ply
from menace.people.session import Session
from menace.text import wording
from menace.text.bead_colours import Naming

PUT_BACK = "put each bead back into the box that it came from"


@dataclass(frozen=True)
class BoxToOpen:
    """A real box to open.

    Attributes:
        box: the box as stored in the database or, if `restocked`, with its initial beads.
        restocked: whether the box is empty in the database and must be restocked before a bead is drawn.
        turning: the symmetry that maps the actual board to the board on the box; None if the boards are the same.

    >>> opening = PhysicalSession(store, "menace-x", seed=1).opening
    >>> opening.box.title, opening.restocked, opening.turning
    ('box 1 for ......... (170 beads)', False, None)
    """

    box: Box
    restocked: bool
    turning: str | None


def operators_names(machine: Machine, naming: Naming | None = None) -> BeadNames:
    """Return the names that an operator uses for beads and moves, by default from the machine's own schemes.

    Raises:
        InvalidPlayer: if the machine draws no beads.
        InvalidSetting: if a box needs more colours than there are, or the game does not have such a scheme.
    """
    if not machine.draws_beads:
        raise InvalidPlayer(f"machine {machine.name} does not draw beads; name a machine that does")
    names = BeadNames(machine.positions, naming or machine.naming)
    for box in machine.matchboxes:
        names.beads(box.board, [move.action for move in box.moves])
    return names


class PhysicalSession(Session):
    """A session against a machine built from real matchboxes. An operator draws the beads and enters every move.

    Attributes:
        names: the operator's names for beads and moves.
        said: sentences, without full stops, that describe what the last entry did.

    >>> session = PhysicalSession(store, "menace-x", seed=1).move("white").move("8")
    >>> session.said, session.opening.box.board, session.opening.turning, session.operator_entries
    ([], 'O...X....', 'half turn', ['white', '8'])
    >>> session.undo().said
    ["the opponent's move 8 is undone"]
    """

    def __init__(
        self,
        store: Store,
        name: str,
        seed: int | None = None,
        person: str | None = None,
        naming: Naming | None = None,
    ) -> None:
        """Begin a session and its first game.

        If the machine moves first and without a bead, `answer` makes the machine's move.

        Args:
            store: the database.
            name: the name of the learner.
            seed: the random seed for moves in positions for which the machine has no box.
            person: the name of the person.
            naming: the schemes of the operator's names; None for the machine's own.

        Raises:
            UnknownLearner, InvalidPlayer: if there is no such learner, if it does not draw beads, or if the person's
                name is not allowed.
            InvalidSetting: if a box needs too many colours, or the game does not have such a scheme.
        """
        store.learner(name)  # raises an error for a fixed opponent
        super().__init__(store, name, seed=seed, name=person, physical=True)
        self.names = operators_names(self.game.at_board, naming)
        self.said: list[str] = []

    @property
    def opponents_name(self) -> str:
        """The name for the machine's opponent in sentences."""
        return self.name or "the opponent"

    @property
    def opening(self) -> BoxToOpen | None:
        """The box from which to draw the machine's bead; None if the machine is not to move, or moves without a bead.

        If the box must be restocked, this property restocks the game's copy of the box.
        """
        game = self.game
        box = None if game.outcome is not None or game.persons_turn else game.at_board.box_at(game.position)
        if box is not None and not box.beads:
            game.restock()
            box = game.at_board.box_at(game.position)
        if box is None or not box.beads:
            return None
        turning = None if box.board == game.board else game.positions.symmetry_to_canonical(game.board).name
        return BoxToOpen(box, box in self.restocked, turning)

    @property
    def restocked(self) -> list[Box]:
        """The boxes that were empty when the game began and are now restocked, with their current beads."""
        game = self.game
        if isinstance(game.machine, str):
            return []
        visited = [*(position for position, _ in game.path), game.position]
        boxes = [game.at_board.box_at(position) for position in visited if box_is_empty(game.machine, position)]
        return [box for box in boxes if box is not None and box.beads]

    @property
    def operator_entries(self) -> list[str]:
        """The operator's entries in the current game: the opponent's moves and the colours of the drawn beads."""
        return [self._entry(ply) for ply in self.game.plies if not (ply.by_machine and ply.numbers)]

    def _entry(self, ply: Ply) -> str:
        if not ply.by_machine:
            return self.names.name(ply.board, ply.action)
        positions = self.game.positions
        board = positions.boards[ply.position]
        return self.names.beads(board, self.names.own_actions(board))[int(positions.action[ply.move])].colour.name

    def move(self, text: str) -> Self:
        """Make the opponent's move or the move for the drawn bead, and any reply that the machine makes without a bead.

        Args:
            text: the operator's name for the opponent's move; or the colour, number or move of the bead.

        Raises:
            IllegalMove: if there is no such move, or the game is over.
            InvalidBeads: if the box should not contain such a bead.
        """
        opening = self.opening
        if opening is None:
            self.game.make_person_move(self.names.move(self.game.board, text))
            self.said = []
        else:
            self.said = [self._draw(opening, text)]
        return self.answer()

    def _draw(self, opening: BoxToOpen, text: str) -> str:
        box, names = opening.box, self.names
        action = names.bead(box.board, text)
        held = [move for move in box.moves if move.beads]
        if action not in {move.action for move in held}:
            bead, piles = names.describe(box.board, action), self.piles_text(box, held)
            raise InvalidBeads(
                f"box {box.number} should not contain a {bead} bead, only {piles};"
                " draw another bead, or count the beads again and correct the contents (`menace recount`)"
            )
        ply = self.game.play_drawn_bead(action)
        turned = f" ({self._move_text(box.board, action)} on the box)" if opening.turning is not None else ""
        return f"{self.opponent} plays {self._move_text(ply.board, ply.action)}{turned}"

    def _move_text(self, board: Board, action: int) -> str:
        return f"{'cell ' if self.names.of_cells else ''}{self.names.name(board, action)}"

    def piles_text(self, box: Box, moves: Iterable[Move]) -> str:
        """Return the contents of some piles in a box as text, such as `8 red (0), 8 orange (1)`."""
        return ", ".join(f"{move.beads:,} {self.names.describe(box.board, move.action)}" for move in moves)

    def contents_text(self, opening: BoxToOpen) -> str:
        """Return a sentence that says what the box should contain or, if the box is empty, what to put into it."""
        piles = self.piles_text(opening.box, opening.box.moves)
        if opening.restocked:
            return f"the box is empty: put its initial beads back, {piles}; then shake the box and draw a bead"
        return f"it should contain {piles}"

    def answer(self) -> Self:
        """If it is the machine's turn and the machine moves without a bead, make the machine's move.

        Return the session.
        """
        game = self.game
        if game.outcome is None and not game.persons_turn and self.opening is None:
            self.said = [*self.said, self._move_without_bead()]
        return self

    def _move_without_bead(self) -> str:
        name, game = self.opponent, self.game
        choices = game.positions.action_counts[game.position]
        ply = game.make_machine_move()
        if ply is None:
            return f"{name}'s box for this board is empty, so the machine resigns"
        kind, move = "cell" if self.names.of_cells else "move", self.names.name(ply.board, ply.action)
        if choices == 1:
            only = self._move_text(ply.board, ply.action)
            return f"{name} plays {only}, the only possible move, without opening a box"
        if not ply.learned:
            return f"{name}'s box for this board is empty, so the machine plays a {kind} at random: {move}"
        return f"{name} has no box for this board, so the machine plays a {kind} at random: {move}"

    def undo(self) -> Self:
        """Undo the operator's last entry and any machine moves made since; return the session.

        Raises:
            IllegalMove: if there is no such entry, or the game is recorded.
        """
        if self.finished is not None:
            raise IllegalMove("this game is over and recorded, so its moves cannot be undone")
        if not self.operator_entries:
            raise IllegalMove("no move has been made yet, so there is nothing to undo")
        before = self._empty_again()
        ply = self.game.take_back()
        while ply.by_machine and ply.numbers:
            ply = self.game.take_back()
        who = self.opponent if ply.by_machine else self.opponents_name
        bead = "; put its bead back" if ply.by_machine else ""
        still = self._empty_again()
        self.said = [f"{who}'s move {self.names.name(ply.board, ply.action)} is undone{bead}"]
        self.said += [line for line in before if line not in still]
        return self.answer()

    def _empty_again(self) -> list[str]:
        return [
            f"remove the initial beads from box {box.number} again, because the box was empty" for box in self.restocked
        ]

    def put_back(self) -> list[str]:
        """Return instructions for the beads drawn in a game that is not recorded."""
        what = "nothing was recorded" if self.run is None else "this game was not recorded"
        return [f"{what}; put every bead back into the box that it came from", *self._empty_again()]

    def record(self) -> None:
        """Do nothing: the operator may still correct the entries, so the game is recorded only by `finish`."""

    def next_game(self) -> Self:
        """Begin another game, discarding the current one if it is not recorded; return the session.

        Raises:
            StoreError: if the next game cannot be recorded.
        """
        self.said = self.put_back() if self.finished is None and self.operator_entries else []
        self.begin()
        return self.answer()

    def repeat(self, entries: Iterable[str], board: Board) -> None:
        """Begin the game again with the machine's current boxes, and repeat the entries that led to a board.

        If the entries no longer lead to this board, because the boxes have changed, a new game begins, and `said`
        reports this.
        """
        put_back = self.put_back()
        self.begin()
        with suppress(IllegalMove, InvalidBeads):
            self.answer()
            for entry in entries:
                self.move(entry)
        self.said = []
        if self.game.board != board:
            self.begin()
            self.said = ["the boxes have changed during this game, so the game begins again", *put_back]
            self.answer()

    def changes_texts(self) -> list[str]:
        """Return the changes to make in the real boxes after a finished game, sorted by box and bead.

        The changes assume that the drawn beads are back in their boxes and that empty boxes have been restocked. If the
        stored machine learned from other games during this game, the changes from those games are excluded, because
        they did not change the real boxes.

        >>> session = PhysicalSession(store, "menace-x", seed=1)
        >>> while (game := session.game).outcome is None:  # the person takes the first empty cell
        ...     ply = game.make_person_move(game.board.index(".")) if game.persons_turn else game.make_machine_move()
        >>> game.outcome, session.changes_texts()[:2]
        ('O', ['box 1 (.........): remove 1 white (4)', 'box 8 (O...X....): remove 1 pink (8)'])
        """
        game, texts = self.game, []
        recorded, after = game.recorded(), game.at_board.copy()
        learn_from(after, game.path, recorded)
        for change in changes(game.arena, game.at_board, after, recorded):
            box, beads = game.at_board.box_at(change.position_id), int(change.after - change.before)
            if box is not None and change.action is not None:
                bead = self.names.describe(box.board, change.action)
                verb = "add" if beads > 0 else "remove"
                texts.append(f"box {box.number} ({box.board}): {verb} {abs(beads)} {bead}")
        return texts

    def outdated_text(self) -> str:
        """Return a warning if the real boxes differ from the database after the game, or else an empty string."""
        if self.finished is None or not self.finished.taught_meanwhile:
            return ""
        return (
            f"{self.opponent} has learned from other games in the database since this game began, so the real boxes are"
            " out of date"
        )


LONGEST_SHOWN = 40  # maximum length of a quoted CSV cell in a message


@dataclass(frozen=True)
class CountDifference:
    """A pile whose counted number of beads differs from the number in the database.

    `action` refers to the canonical board.
    """

    box: Box
    action: int
    beads: int
    counted: int


@dataclass(frozen=True)
class Comparison:
    r"""The number of counted piles, the total number of piles, and the piles whose counts differ.

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
        InvalidBeads: if a line cannot be read, names a box or bead that the machine does not have, or counts a bead a
            second time.

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
    """Return the box and the canonical action that a row specifies."""
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
    r"""Record a count: set each pile to its counted number of beads, and return the id of the new block.

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
    """Return the differences that would empty a box, in the form that `record_count` accepts.

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
