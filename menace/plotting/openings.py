"""A learner's first decision while it learns: its first move if it plays X, its reply to each opening if O.

The database keeps only what a learner has learned by now; what was before is replayed from the log of blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from menace.arena.first_box import first_boxes
from menace.arena.loop import Arena
from menace.errors import OutputError
from menace.games.base import Board, Where
from menace.games.look import is_cell, some_of
from menace.learners.machine import Machine
from menace.ledger.log import needed_for, read_log
from menace.ledger.positions import positions_of
from menace.ledger.replay import fresh_machines, replay
from menace.ledger.store import Store, undamaged
from menace.plotting.axes import (
    GAMES_LABEL,
    PANELS_MOST,
    Scale,
    end_labels,
    games_axis,
    panel_grid,
    panel_title,
    to_percent,
)
from menace.plotting.boards import KeyMove, draw_key
from menace.plotting.legend import LABEL_POINTS, PanelTitles
from menace.plotting.style import SIZE, line_style, new_figure, no_games, styled
from menace.wording import counted, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Amount: TypeAlias = Literal["shares", "values"]
Times: TypeAlias = dict[int, dict[int, tuple[float | None, ...]]]  # by position, by games: an amount a move

BEADS = "beads"  # a unit that is counted
NAMES_ROOM = 32  # characters of the names of moves that are alike
NAME_ON_CELL = 3  # characters of a name that a cell of the key has room for


@dataclass(frozen=True)
class Opening:
    """One position of a learner's first decision, over time.

    Attributes:
        name: of the learner.
        board: the canonical board.
        shape: its rows and columns.
        pieces: what stands on each cell of the board.
        cells: of each move, the equivalent actions.
        wheres, names: the same: where they are to be seen, and what people call them.
        games: that it had learned from, ascending, from 0 to what it has now.
        amounts: of each of these, of each move; None in an empty box.
        what: `shares`, 0 to 1, or `values`.
        unit: what a value is.
    """

    name: str
    board: Board
    shape: tuple[int, int]
    pieces: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    wheres: tuple[tuple[Where, ...], ...]
    names: tuple[tuple[str, ...], ...]
    games: tuple[int, ...]
    amounts: tuple[tuple[float | None, ...], ...]
    what: Amount
    unit: str

    @property
    def of_cells(self) -> bool:
        """Whether its moves are cells."""
        return all(
            is_cell(where, action) and name == str(action)
            for move in zip(self.cells, self.wheres, self.names, strict=True)
            for action, where, name in zip(*move, strict=True)
        )

    def name_of(self, move: int) -> str:
        """Return what people call a move, by its place in `cells`: the names of its actions, `0 2 6 8`, if they fit."""
        return some_of(self.names[move], NAMES_ROOM)

    @property
    def favourite(self) -> int:
        """Which move has most at last, by its place in `cells`; the first of several."""
        last = [-math.inf if amount is None else amount for amount in self.amounts[-1]]
        return last.index(max(last))

    def text_of(self, amount: float | None) -> str:
        """Return one of the amounts as text: `25.0%`, `1,200` beads, a value of `0.963`."""
        if amount is None:
            return "no beads"
        if self.what == "shares":
            return percent(amount).strip()
        return f"{amount:,.0f}" if self.unit == BEADS else f"{amount:.3g}"


def history_of(store: Store, names: Sequence[str]) -> Iterator[Machine]:
    """Yield some learners as the log rebuilds them: each before its first game, and after each block that taught it.

    A learner that started as a copy is yielded once at its start, with all that it was given, and then the learner
    that it is a copy of has been yielded, too. The machines change from one to the next.

    Raises:
        UnknownLearner: if there is no such learner.
        StoreError: if the log is damaged.

    >>> [machine.learned.games for machine in history_of(store, ["menace-x"])][-3:]
    [50, 100, 100]
    """
    with undamaged(store.path):
        with store.copied() as copy:
            wanted = [copy.learner(name).learner_id for name in names]
            log, positions = read_log(copy), positions_of(copy)
        arena = Arena(positions)
        machines = fresh_machines(log, arena, needed_for(log, wanted))
        yield from machines.values()
        for step in replay(arena, log, machines):
            for learner_id in step.run.taught:
                if learner_id in machines:
                    yield machines[learner_id]


def openings_of(store: Store, names: Sequence[str], what: Amount | None = None) -> list[Opening]:
    """Return the first decisions of learners over time.

    Args:
        store: the database.
        names: of learners.
        what: None takes what a learner picks by: shares of beads or odds, or values.

    Raises:
        UnknownLearner: if there is no such learner.
        OutputError: if one has no games, or no choice at its first move.

    >>> opening = openings_of(store, ["menace-x"])[0]
    >>> [opening.name_of(move) for move in range(3)], opening.games[-1], [round(a, 3) for a in opening.amounts[-1]]
    (['0 2 6 8', '1 3 5 7', '4'], 100, [0.094, 0.006, 0.9])
    """
    with undamaged(store.path):
        machines, times = _over_time(store, names, what)
    wanted = [machines[name] for name in names]
    for machine in wanted:
        if not machine.learned.games:
            raise no_games(store.path, machine.name)
        if not times[machine.learner_id]:
            raise OutputError(f"learner {machine.name} has no choice at its first move; name one that has")
    return [
        _opening(machine, position, found, what or _usual(machine))
        for machine in wanted
        for position, found in times[machine.learner_id].items()
    ]


def _opening(machine: Machine, position: int, found: dict[int, tuple[float | None, ...]], what: Amount) -> Opening:
    """Return one position of a first decision; `found` has what each of its moves had, by games."""
    positions, game = machine.positions, machine.positions.game
    board, moves = positions.boards[position], positions.moves_of(position)
    cells = tuple(positions.equivalent_actions(board, int(positions.action[move])) for move in moves)
    return Opening(
        name=machine.name,
        board=board,
        shape=game.shape,
        pieces=game.pieces(board),
        cells=cells,
        wheres=tuple(tuple(game.where(board, action) for action in alike) for alike in cells),
        names=tuple(tuple(game.name_of(board, action) for action in alike) for alike in cells),
        games=tuple(sorted(found)),
        amounts=tuple(found[games] for games in sorted(found)),
        what=what,
        unit=_unit(machine, what),
    )


def _over_time(store: Store, names: Sequence[str], what: Amount | None) -> tuple[dict[str, Machine], dict[int, Times]]:
    """Return machines by name as they are now, and by learner_id what their first moves had when."""
    machines: dict[str, Machine] = {}
    times: dict[int, Times] = {}
    origin = _origins(store)
    for machine in history_of(store, names):
        learner_id = machine.learner_id
        machines[machine.name] = machine
        if learner_id in times and learner_id in origin:
            times[learner_id] = {position: dict(found) for position, found in times[origin.pop(learner_id)].items()}
        mine = times.setdefault(learner_id, {})
        for position in first_boxes(machine):
            amounts = _amounts(machine, position, what or _usual(machine))
            if amounts:
                found = mine.setdefault(position, {})
                found[machine.learned.games] = amounts
                for games in [games for games in found if games > machine.learned.games]:  # that were taken back
                    del found[games]
    return machines, times


def _origins(store: Store) -> dict[int, int]:
    """Return which learner each copy is a copy of."""
    return {run.taught[0]: origin for run in store.runs() if (origin := run.options.copied_from) is not None}


def _usual(machine: Machine) -> Amount:
    return "shares" if machine.algorithm.by_share else "values"


def _amounts(machine: Machine, position: int, what: Amount) -> tuple[float | None, ...]:
    """Return of each move its share, or its value or beads; nothing where the learner has no box."""
    box = machine.box_at(position)
    if box is None:
        return ()
    return tuple(move.share if what == "shares" else float(move.amount) for move in box.moves)


def _unit(machine: Machine, what: Amount) -> str:
    """Return what is drawn, in words."""
    if what == "shares":
        return "share of the box's beads" if machine.draws_beads else "probability of the move"
    return BEADS if machine.has_beads else f"{machine.algorithm.unit} of the move"


def openings_figure(found: Sequence[Opening], scale: Scale = "log", titles: PanelTitles | None = None) -> Figure:
    """Return a panel for each position: a line a move, and the board whose cells have the lines' colours.

    Args:
        found: the positions.
        scale: of the games.
        titles: of the panels by learner, see `panel_titles`; None stands for the names.

    Raises:
        OutputError: if there are more than PANELS_MOST.
    """
    if len(found) > PANELS_MOST:
        raise OutputError(f"{counted(len(found), 'position')} are too many for a figure; name fewer learners")
    titles = titles or PanelTitles("", {opening.name: opening.name for opening in found})
    rows, columns = panel_grid(len(found))
    height = max(SIZE[1] if rows > 1 else 6.2, 1.2 + 3.0 * rows)
    size = (max(SIZE[0], 6.0 * columns), height)
    last = max(opening.games[-1] for opening in found)
    with styled():
        figure, grid = new_figure(rows, 2 * columns, size, width_ratios=[5, 1.3] * columns)
        figure.suptitle("What learners do at their first move, by games learned from", x=0.01, ha="left")
        panels, keys = grid[:, ::2].flat, grid[:, 1::2].flat
        for axes, key, opening in zip(panels, keys, found, strict=False):
            _panel(axes, opening, inches=height / rows - 0.9)
            games_axis(axes, 0, last, columns + 1, scale)  # the key takes the room of a panel
            panel_title(axes, titles.of[opening.name], size[0] / columns)
            _key(key, opening, size=14 - 2 * columns)
        for axes in grid.reshape(-1, 2)[len(found) :].flat:
            axes.set_visible(False)
        ends = "cells, as the board numbers them" if all(opening.of_cells for opening in found) else "moves"
        below = titles.below(f"{GAMES_LABEL}; at the ends of the lines: {ends}", size[0])
        figure.supxlabel(below, fontsize=LABEL_POINTS)
    return figure


def _panel(axes: Axes, opening: Opening, inches: float) -> None:
    lines = np.array([[np.nan if a is None else a for a in amounts] for amounts in opening.amounts])
    for move in range(len(opening.cells)):
        axes.plot(opening.games, lines[:, move], label=opening.name_of(move), **line_style(move))
    if opening.what == "shares":
        axes.set_ylim(0, 1)
        to_percent(axes.yaxis)
    axes.set_ylabel(opening.unit)
    low, high = axes.get_ylim()
    ends = np.nan_to_num((lines[-1] - low) / (high - low)).clip(0, 1)
    texts = [f"{opening.name_of(move)}: {opening.text_of(amount)}" for move, amount in enumerate(opening.amounts[-1])]
    end_labels(
        axes, opening.games[-1], ends.tolist(), texts, inches, [line_style(move)["color"] for move in range(len(texts))]
    )


def _key(axes: Axes, opening: Opening, size: float) -> None:
    """Draw the board: its moves in the colours of their lines, with their names where there is room."""
    wide = max(len(name) for names in opening.names for name in names)
    written = wide <= NAME_ON_CELL
    moves = [
        KeyMove(where, style["color"], name if written else "", not written and style["linestyle"] != "-")
        for style, wheres, names in zip(
            map(line_style, range(len(opening.cells))), opening.wheres, opening.names, strict=True
        )
        for where, name in zip(wheres, names, strict=True)
    ]
    draw_key(axes, opening.pieces, opening.shape, moves, size)
