"""Describe a position in terms of one of its boards, with its moves and a learner's box."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from menace.drawing.boards import board_svg
from menace.errors import InvalidBox
from menace.games.base import Board, Game, Outcome, Side, board_text, join_names, moves_are_cells
from menace.games.symmetry import SymmetricGame
from menace.learners.box import Box, Move, draw_probabilities
from menace.ledger.rules import checked_moves, position_of, rules_of
from menace.ledger.store import LearnerRow, MatchboxRow, Store, damaged
from menace.text.wording import VALUES, VERDICTS

if TYPE_CHECKING:
    from menace.learners.machine import Machine

LONGEST_NUMBER, LONGEST_SHOWN = 9, 20  # maximum number of digits of a box number, and of a number in a message


@dataclass(frozen=True, kw_only=True)
class MoveView(Move):
    """A move, with all its equivalent cells on the actual board.

    Attributes:
        cells: the move's equivalent actions on the requested board. In games whose moves mark cells, actions are cells.
        names: the human-readable names of these actions.
        next_board: the board after the first of these actions.

    >>> [move.cells for move in show(store, ".........").moves]
    [(0, 2, 6, 8), (1, 3, 5, 7), (4,)]
    >>> [move.next_board for move in show(store, "........X").moves][:2]
    ['O.......X', '.O......X']
    """

    cells: tuple[int, ...]
    names: tuple[str, ...]
    next_board: Board

    @property
    def text(self) -> str:
        """The names of the actions on one line, such as `0 2 6 8`."""
        return join_names(self.names)


@dataclass(frozen=True, repr=False)
class PositionView:
    """A board with its position, moves and box, described in terms of this board.

    Attributes:
        board: the requested board.
        canonical: the canonical board of its position.
        turning: the name of the symmetry that maps `board` to the canonical board, or None if `board` is canonical.
        drawing: the board as lines of text, with a number on each empty cell.
        minimax: the value for X under perfect play: 1, 0 or -1.
        learner: the name of the learner whose box is shown, or None.
        plays: the side that this learner plays, or None.
        box: this learner's box for the position, or None.
        moves: the moves of the box, or of the position, sorted by their first cell on the requested board.
        of_cells: whether every move marks a single cell and is named after that cell.
        game: the rules, which also define how the board is drawn.

    >>> view = show(store, "........X")
    >>> view.canonical, view.images, view.to_move, view.plies_to_end
    ('X........', 4, 'O', 8)
    """

    board: Board
    canonical: Board
    turning: str | None
    drawing: str
    position_id: int
    ply: int
    to_move: Side | None
    outcome: Outcome | None
    images: int
    minimax: int
    plies_to_end: int
    learner: str | None
    plays: Side | None
    box: Box | None
    moves: tuple[MoveView, ...]
    of_cells: bool
    game: Game = field(compare=False)

    @property
    def kind(self) -> str:
        """The word for a move in messages about this position: `cell` or `move`."""
        return "cell" if self.of_cells else "move"

    @property
    def seen_box(self) -> Box | None:
        """The learner's box, with its moves mapped to the requested board.

        >>> view = show(store, "..X.O....", "menace-x")
        >>> view.box.title, view.seen_box.title
        ('box 4 for X...O.... (10 beads)', 'box 4 for ..X.O.... (10 beads)')
        """
        if self.box is None:
            return None
        kept = [attribute.name for attribute in fields(Move)]
        moves = ({**{name: getattr(move, name) for name in kept}, "action": move.cells[0]} for move in self.moves)
        return replace(self.box, board=self.board, moves=tuple(Move(**move) for move in moves))

    def __repr__(self) -> str:
        return f"{self.drawing}\n{self._title}"

    def _repr_html_(self) -> str:
        box = self.seen_box
        texts = {cell: str(cell) for move in self.moves for cell in move.cells} if self.of_cells else {}
        shown = board_svg(self.game, self.board, texts) if box is None else box._repr_html_()
        return f"{shown}<p>{html.escape(self._title)}</p>"

    @property
    def _title(self) -> str:
        what = f"position {self.position_id}: {VALUES[self.minimax]} under perfect play"
        if self.learner is None:
            return what
        return f"{what}; {self.learner} has " + ("no box for it" if self.seen_box is None else self.seen_box.title)


def show(store: Store, board: str, learner: str | None = None) -> PositionView:
    """Describe the position of a board, and include a learner's box for it if a learner is named.

    Args:
        store: the database.
        board: any board of the position, such as `X...O....` or `x.. .o. ...`. If a learner is given, the number of one
            of its boxes is also accepted.
        learner: the name of a learner, or None to describe only the position.

    Raises:
        InvalidBoard, UnreachableBoard: if the text is not a board, or the board cannot be reached.
        InvalidBox: if the text is a number and the learner has no box with that number.
        UnknownLearner: if there is no such learner.

    >>> view = show(store, "..X.O....", "menace-x")
    >>> view.canonical, view.box.title
    ('X...O....', 'box 4 for X...O.... (10 beads)')
    """
    owner = store.learner(learner) if learner is not None else None
    board = board_text(board)
    if board.strip().isdecimal() and board.strip().isascii():
        board = _board_of_box(store, owner, board.strip())
    return _view(store, board, owner, lambda position, moves: _box(store, owner, position, moves))


def _board_of_box(store: Store, owner: LearnerRow | None, number: str) -> Board:
    if owner is None:
        raise InvalidBox(f"{number} is the number of a box; choose a machine with --learner, or give a board instead")
    boxes = store.box_count(owner.learner_id)
    if not boxes:
        raise InvalidBox(f"machine {owner.name} has no matchboxes, so it has no box {number}; give a board instead")
    if len(number) > LONGEST_NUMBER or not 1 <= int(number) <= boxes:
        raise InvalidBox(f"machine {owner.name} has no box {number[:LONGEST_SHOWN]}; boxes are numbered 1 to {boxes}")
    return store.box_board(owner.learner_id, int(number))


def show_machine(store: Store, board: str, machine: Machine) -> PositionView:
    """Describe the position of a board, with the box of an in-memory machine, such as one replayed from the log.

    Raises:
        InvalidBoard, UnreachableBoard: if the text is not a board, or no game reaches the board.

    >>> from menace.ledger.learners import fresh_machine
    >>> machine = db["menace-x"].machine()
    >>> machine = fresh_machine(machine.positions, store.learner("menace-x"))
    >>> show_machine(store, ".........", machine).box.beads, show(store, ".........", "menace-x").box.beads
    (12, 170)
    """
    return _view(store, board, machine, lambda position, _: machine.box_at(position["position_id"]))


def with_box(view: PositionView, box: Box) -> PositionView:
    """Return a copy of a view that shows a different box for its position.

    >>> view = show(store, ".........", "menace-x")
    >>> machine = db["menace-x"].machine()
    >>> with_box(view, machine.box_at(view.position_id)) == view
    True
    """
    known = {move.action: vars(move) for move in box.moves}
    return replace(view, box=box, moves=tuple(replace(move, **known[move.action]) for move in view.moves))


def _view(
    store: Store,
    board: str,
    owner: LearnerRow | Machine | None,
    box_of: Callable[[Mapping[str, Any], tuple[Move, ...]], Box | None],
) -> PositionView:
    rules = rules_of(store)
    actual = rules.game.parse(board)
    row = position_of(store, actual)
    moves = moves_from_rows(row, checked_moves(store, row))
    box = box_of(row, moves)
    known = (_move(rules, actual, move) for move in (moves if box is None else box.moves))
    shown = tuple(sorted(known, key=lambda move: move.cells))
    return PositionView(
        board=actual,
        canonical=row["board"],
        turning=None if actual == row["board"] else rules.symmetry_to_canonical(actual).name,
        drawing=rules.game.draw(actual),
        position_id=row["position_id"],
        ply=row["ply"],
        to_move=None if row["to_move"] is None else Side(row["to_move"]),
        outcome=row["outcome"],
        images=row["images"],
        minimax=row["minimax"],
        plies_to_end=row["plies_to_end"],
        learner=owner.name if owner else None,
        plays=owner.plays if owner else None,
        box=box,
        moves=shown,
        of_cells=moves_are_cells(rules.game, actual, rules.game.actions(actual)),
        game=rules.game,
    )


def _move(rules: SymmetricGame, board: Board, move: Move) -> MoveView:
    cells = rules.actions_for(board, move.action)
    names = tuple(rules.game.name_of(board, cell) for cell in cells)
    return MoveView(**vars(move), cells=cells, names=names, next_board=rules.game.play(board, cells[0]))


def draws_beads(store: Store, learner: LearnerRow) -> bool:
    """Return whether a learner draws beads from boxes. Unlike `Machine.draws_beads`, this function does not need numpy.

    >>> draws_beads(store, store.learner("menace-x"))
    True
    """
    # Learners that choose the move with the largest amount always have an epsilon setting, even if it is 0.
    return learner.epsilon is None and store.has_matchboxes(learner.learner_id)


def _box(store: Store, owner: LearnerRow | None, position: Mapping[str, Any], moves: tuple[Move, ...]) -> Box | None:
    """Return a stored learner's box for a position."""
    if owner is None:
        return None
    position_id = position["position_id"]
    if draws_beads(store, owner):
        piles = store.matchbox(owner.learner_id, position_id)
        return box_from_rows(
            rules_of(store).game, position, moves, piles, store.box_number(owner.learner_id, position_id)
        )
    # If a move's share depends on the whole policy, the box must be computed from the machine.
    from menace.ledger.learners import load_machine
    from menace.ledger.positions import positions_of

    return load_machine(store, positions_of(store), owner).box_at(position_id)


def moves_from_rows(position: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> tuple[Move, ...]:
    """Convert the rows of `Store.position` and `Store.moves` to the moves of a position, without beads.

    `rows` must be sorted by action. This function does not need numpy.

    >>> corner = store.position("X........")
    >>> [move.action for move in moves_from_rows(corner, store.moves(corner["position_id"])) if move.verdict == "draws"]
    [4]
    """
    sign = Side(position["to_move"] or Side.X).sign  # a finished game has no moves
    return tuple(
        Move(
            action=row["action"],
            multiplicity=row["multiplicity"],
            next_position=row["next_position_id"],
            verdict=VERDICTS[sign * row["minimax"]],
            optimal=bool(row["optimal"]),
        )
        for row in rows
    )


def box_from_rows(
    game: Game, position: Mapping[str, Any], moves: Sequence[Move], piles: Sequence[MatchboxRow], number: int | None
) -> Box | None:
    """Build a matchbox from the rows of a database, or return None if there are no rows.

    The result equals the box of the machine in memory. This function does not need numpy.

    Args:
        game: the rules.
        position: the row of the box's position.
        moves: the moves of the position, sorted by action.
        piles: the rows of the box's piles, sorted by action.
        number: the number of the box.

    Raises:
        StoreError: if the rows do not match the moves of the position.
    """
    if not piles:
        return None
    if [pile.action for pile in piles] != [move.action for move in moves]:
        raise damaged(f"the box for {position['board']}", "there must be exactly one row for each move")
    shares = draw_probabilities([pile.beads for pile in piles])
    return Box(
        position_id=position["position_id"],
        board=position["board"],
        ply=position["ply"],
        number=number,
        unit="beads",
        moves=tuple(
            replace(move, amount=pile.beads, share=share, count=pile.picked)
            for move, pile, share in zip(moves, piles, shares, strict=True)
        ),
        game=game,
    )
