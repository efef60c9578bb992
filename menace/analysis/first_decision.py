"""A learner's first decision by games learned from: its first move if it plays X, its reply to each opening if O."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from menace.analysis.learning_curves import no_games
from menace.analysis.trajectories import followed, read_past
from menace.arena.first_box import first_boxes
from menace.errors import OutputError
from menace.games.base import Board, MoveMark
from menace.games.boards_as_text import is_cell, some_of
from menace.learners.machine import Machine
from menace.ledger.store import Store
from menace.wording import percent

Amount: TypeAlias = Literal["shares", "values"]
Amounts: TypeAlias = tuple[float | None, ...]  # of each move; None in an empty box

BEADS = "beads"  # the unit of whole numbers
NAMES_ROOM = 32  # characters for the names of equivalent moves


@dataclass(frozen=True)
class Opening:
    """One position of a learner's first decision, over time.

    Attributes:
        name: of the learner.
        board: the canonical board.
        shape: its rows and columns.
        pieces: what stands on each cell of the board.
        cells: of each move, the equivalent actions.
        marks, names: of the same actions: where they are drawn, and what people call them.
        games: the numbers that it had learned from, ascending, from 0 to now.
        amounts: after each of these, of each move; None in an empty box.
        what: `shares`, 0 to 1, or `values`.
        unit: what a value is.
    """

    name: str
    board: Board
    shape: tuple[int, int]
    pieces: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    marks: tuple[tuple[MoveMark, ...], ...]
    names: tuple[tuple[str, ...], ...]
    games: tuple[int, ...]
    amounts: tuple[Amounts, ...]
    what: Amount
    unit: str

    @property
    def of_cells(self) -> bool:
        """Whether its moves are cells."""
        return all(
            is_cell(mark, action) and name == str(action)
            for move in zip(self.cells, self.marks, self.names, strict=True)
            for action, mark, name in zip(*move, strict=True)
        )

    def name_of(self, move: int) -> str:
        """Return the name of a move, by its index in `cells`: the names of its actions, `0 2 6 8`, if they fit."""
        return some_of(self.names[move], NAMES_ROOM)

    @property
    def favourite(self) -> int:
        """The index in `cells` of the move that has most at the end; of several the first."""
        last = [-math.inf if amount is None else amount for amount in self.amounts[-1]]
        return last.index(max(last))

    def text_of(self, amount: float | None) -> str:
        """Return one of the amounts as text: `25.0%`, `1,200` beads, a value of `0.963`."""
        if amount is None:
            return "no beads"
        if self.what == "shares":
            return percent(amount).strip()
        return f"{amount:,.0f}" if self.unit == BEADS else f"{amount:.3g}"


def openings_of(store: Store, names: Sequence[str]) -> list[Opening]:
    """Return the first decisions of learners over time, by what they choose by: shares of beads or odds, or values.

    Args:
        store: the database.
        names: of learners.

    Raises:
        UnknownLearner: if there is no such learner.

    >>> opening = openings_of(store, ["menace-x"])[0]
    >>> [opening.name_of(move) for move in range(3)], opening.games[-1], [round(a, 3) for a in opening.amounts[-1]]
    (['0 2 6 8', '1 3 5 7', '4'], 100, [0.094, 0.006, 0.9])
    """

    def read(machine: Machine, _score: int) -> dict[int, Amounts]:
        amounts = {position: _amounts(machine, position) for position in first_boxes(machine)}
        return {position: own for position, own in amounts.items() if own}

    openings = []
    arena, log, rows = read_past(store, *names)
    trajectories = followed(arena, log, [row.learner_id for row in rows], read)
    for trajectory in (trajectories[row.learner_id] for row in rows):
        machine, points = trajectory.machine, trajectory.points
        if not machine.learned.games:
            raise no_games(store.path, machine.name)
        positions = dict.fromkeys(position for _, amounts in points for position in amounts)
        if not positions:
            raise OutputError(f"machine {machine.name} has no choice at its first move; name one that has")
        for position in positions:
            by_games = {games: amounts[position] for games, amounts in points if position in amounts}
            openings.append(_opening(machine, position, by_games))
    return openings


def _opening(machine: Machine, position: int, by_games: dict[int, Amounts]) -> Opening:
    """Return one position of a first decision; `by_games` has the amounts of its moves."""
    positions, game = machine.positions, machine.positions.game
    board, moves = positions.boards[position], positions.moves_of(position)
    cells = tuple(positions.equivalent_actions(board, int(positions.action[move])) for move in moves)
    return Opening(
        name=machine.name,
        board=board,
        shape=game.shape,
        pieces=game.pieces(board),
        cells=cells,
        marks=tuple(tuple(game.where(board, action) for action in alike) for alike in cells),
        names=tuple(tuple(game.name_of(board, action) for action in alike) for alike in cells),
        games=tuple(sorted(by_games)),
        amounts=tuple(by_games[games] for games in sorted(by_games)),
        what=_what(machine),
        unit=_unit(machine),
    )


def _what(machine: Machine) -> Amount:
    return "shares" if machine.algorithm.by_share else "values"


def _amounts(machine: Machine, position: int) -> Amounts:
    """Return the share of each move, or its value or beads; empty where the learner has no box."""
    box = machine.box_at(position)
    if box is None:
        return ()
    return tuple(move.share if machine.algorithm.by_share else float(move.amount) for move in box.moves)


def _unit(machine: Machine) -> str:
    """Return the unit of the amounts, in words."""
    if machine.algorithm.by_share:
        return "share of the box's beads" if machine.draws_beads else "probability of the move"
    return BEADS if machine.has_beads else f"{machine.algorithm.unit} of the move"
