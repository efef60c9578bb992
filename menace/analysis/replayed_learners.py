"""Replay learners from the log, and read their score, beads and first move after each game."""

from __future__ import annotations

import math
import sys
import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

from menace.analysis.groups import Facts, facts_of
from menace.analysis.learning_curves import no_games
from menace.arena.bead_distributions import first_choice_positions, first_move_beads
from menace.arena.play import Arena
from menace.errors import InvalidPlayer, OutputError
from menace.games.base import Board, MoveMark, abbreviate_names, is_cell
from menace.learners.machine import Machine
from menace.ledger.learners import fresh_machine
from menace.ledger.log.blocks import PLAY, Log, learners_needed_for, list_lessons, read_log
from menace.ledger.log.replay import Counts, fresh_machines, replay, replay_parts, step_message
from menace.ledger.positions import positions_of
from menace.ledger.store import BlockRow, LearnerRow, Run, Store
from menace.ledger.training import shown_marks
from menace.text.wording import counted, percent

Value = TypeVar("Value")

MAX_POINTS = 10_000  # maximum number of points in a curve; a slide is too narrow to show more
WIN, DRAW, LOSS = 3, 1, -1
MAX_REPLAYED_GAMES = 10_000_000  # maximum number of games that a page replays, which takes two or three seconds
MAX_BLOCKS = 5_000
FILM_SHORT = 20  # with more blocks than this, only the blocks nearest to the marks are shown
MARKS_EVEN = 30  # number of evenly spaced marks, in addition to the logarithmic marks
MAX_CACHED = 2_000_000  # maximum number of move values to cache for one learner; this many values take about 60 MB
MAX_CACHED_FILMS = 3
BEGAN = "as it began"


def read_past(store: Store, *names: str) -> tuple[Arena, Log, list[LearnerRow]]:
    """Return the data for a replay and the learners' rows, read in one transaction. Raises UnknownLearner."""
    with store.copied() as copy:
        return Arena(positions_of(copy)), read_log(copy), [copy.learner(name) for name in names]


@dataclass
class Trajectory(Generic[Value]):
    """Values read from a learner while its games are replayed.

    Attributes:
        machine: the learner, which changes during the replay.
        read: a function that returns the value at a point, given the machine and its score.
        every: the number of games between points, or None to add a point after each block.
        points: pairs of the number of games that the learner had learned from and the value. If beads were recounted,
            the same number of games occurs twice.
        score: the score so far, which is the sum of WIN, DRAW or LOSS over the games.
        games: the number of games that the learner has learned from so far.
        before_people: the score before each game against a person, by number of games. It is needed if that game is
            undone.
    """

    machine: Machine
    read: Callable[[Machine, int], Value]
    every: int | None
    points: list[tuple[int, Value]] = field(default_factory=list)
    score: int = 0
    games: int = 0
    before_people: dict[int, int] = field(default_factory=dict)

    def left(self) -> int:
        """Return the number of games until the next point. The replay may stop earlier, at the end of a block."""
        return sys.maxsize if self.every is None else self.every - self.machine.learned.games % self.every

    def continue_from(self, origin: Trajectory[Value]) -> None:
        """Begin with the points of the learner that this learner was copied from."""
        self.points, self.score, self.games = list(origin.points), origin.score, origin.games

    def add(self, run: Run, outcomes: Counts) -> None:
        """Count the games that the machine has just learned from, and add any points that are due."""
        games = self.machine.learned.games
        if run.options.imported is not None:  # an imported learner's history before the import is unknown
            self.points = []
        if run.kind == PLAY.name:
            self.before_people[games - sum(outcomes)] = self.score
        elif games < self.games:  # a game with a person was undone
            self.points = [point for point in self.points if point[0] <= games]
            self.score = self.before_people[games]
        self.games = games
        x_wins, draws, o_wins = outcomes
        wins, losses = self.machine.plays.x_and_o(x_wins, o_wins)
        self.score += WIN * wins + DRAW * draws + LOSS * losses
        if not any(outcomes) or self.every is None or games % self.every == 0:
            self.mark()

    def mark(self) -> None:
        """Add a point, unless nothing has changed since the last point.

        A block without games may have changed only boxes that are not read here.

        """
        point = self.machine.learned.games, self.read(self.machine, self.score)
        if not self.points or self.points[-1] != point:
            self.points.append(point)


def followed(
    arena: Arena,
    log: Log,
    learner_ids: Sequence[int],
    read: Callable[[Machine, int], Value],
    every: int | None = None,
) -> dict[int, Trajectory[Value]]:
    """Replay the learning of some learners from the log, and return their trajectories by learner_id.

    Args:
        arena: the arena of the game.
        log: the log of the database.
        learner_ids: the ids of the learners; the result also contains any other learners that the replay needs.
        read: a function that returns the value at a point, given the machine and its score.
        every: as in Trajectory. There is always a point before the first game and one at the end.

    >>> arena, log, (row,) = read_past(store, "menace-x")
    >>> followed(arena, log, [row.learner_id], lambda machine, score: score)[row.learner_id].points[-2:]
    [(50, 82), (100, 158)]
    """
    machines = fresh_machines(log, arena, learners_needed_for(log, learner_ids))
    trajectories = {learner_id: Trajectory(machine, read, every) for learner_id, machine in machines.items()}

    def taught(run: Run) -> list[Trajectory[Value]]:
        return [trajectories[learner_id] for learner_id in run.taught if learner_id in trajectories]

    for trajectory in trajectories.values():
        trajectory.mark()
    for run, outcomes in replay_parts(arena, log, machines, lambda run: min(t.left() for t in taught(run))):
        origin = run.options.copied_from
        for trajectory in taught(run):
            if origin is None:
                trajectory.add(run, outcomes)
            else:
                trajectory.continue_from(trajectories[origin])
    for trajectory in trajectories.values():
        trajectory.mark()
    return trajectories


# The following functions trace the score and the beads of the first box.


@dataclass(frozen=True)
class Trace:
    """A learner's score, or the beads in its first boxes, after each game.

    Attributes:
        name: the name of the learner.
        games: the numbers of games that the learner had learned from, starting at 0. A number occurs twice if beads
            were recounted after that game.
        values: the value after each number of games.
        every: the number of games between points.
        facts: facts about the learner, for the legend.

    >>> trace = trace_learners(store, ["menace-x"], "score")[0]
    >>> trace.games[:4], trace.values[:4], trace.every, trace.values[-1]
    ((0, 1, 2, 3), (0, -1, 0, -1), 1, 158)
    """

    name: str
    games: tuple[int, ...]
    values: tuple[int, ...]
    every: int
    facts: Facts

    @property
    def marks(self) -> Sequence[int]:
        """The numbers of games at which the trace has a point."""
        return self.games

    @property
    def points(self) -> list[tuple[int, int]]:
        """Pairs of a number of games and the value after that many games."""
        return list(zip(self.games, self.values, strict=True))


def trace_learners(store: Store, names: Sequence[str], quantity: str) -> list[Trace]:
    """Return the score of learners, or the beads in their first boxes, after each game.

    The score adds 3 for each win, 1 for each draw and -1 for each loss. A learner that plays O has a box for each
    opening, and the beads in these boxes are added up. If a learner has more than MAX_POINTS games, all traces contain
    only every nth game.

    Args:
        store: the database.
        names: the names of learners.
        quantity: `score` or `first-box`.

    Raises:
        UnknownLearner: if there is no such learner.

    >>> [trace.values[-1] for trace in trace_learners(store, ["menace-x", "menace-o"], "first-box")]
    [170, 90]
    """
    arena, log, rows = read_past(store, *names)
    for row in rows:
        if not row.games:
            raise no_games(store.path, row.name)
    ids, every = [row.learner_id for row in rows], max(1, math.ceil(max(row.games for row in rows) / MAX_POINTS))
    if quantity == "score":
        trajectories = followed(arena, log, ids, lambda _, score: score, every)
    else:
        for row in rows:
            _check_first_box(fresh_machine(arena.positions, row))
        trajectories = followed(arena, log, ids, lambda machine, _: first_move_beads(machine), every)
    traces = []
    for row in rows:
        games, values = zip(*trajectories[row.learner_id].points, strict=True)
        traces.append(Trace(row.name, games, values, every, facts_of(row, list(log.runs.values()), log.learners)))
    return traces


def _check_first_box(machine: Machine) -> None:
    name = machine.name
    if not machine.has_beads:
        raise OutputError(f"machine {name} does not use beads; `menace plot openings {name} OUT` shows its first moves")
    if not first_choice_positions(machine):
        raise OutputError(f"machine {name} has only one first move, so there is nothing to show; name another machine")


# The following functions return a learner's state after any block, for pages. They raise an error if the replay would
# take too long.


class OwnBlock(NamedTuple):
    """A block that taught a learner, with the learner's number of games at the end of the block."""

    block_id: int
    games: int


@dataclass(frozen=True)
class LearnerAt:
    """A learner's state after a block of the log.

    Attributes:
        machine: the learner at that time.
        what: a description of the last block that taught the learner, no later than the requested block.
        block_id: the id of the requested block, or 0 for the beginning.
    """

    machine: Machine
    what: str
    block_id: int


_films: OrderedDict[Hashable, dict[int, LearnerAt]] = OrderedDict()  # the most recently used films
_lock = threading.Lock()


def check_short(store: Store, name: str) -> None:
    """Raise an error if replaying a learner's log would take too long for a page.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if the log is too long.
    """
    _, log, (row,) = read_past(store, name)
    _check_short(_blocks_to_replay(log, row.learner_id, None), name)


def own_blocks(store: Store, name: str) -> list[OwnBlock]:
    """Return the blocks that taught a learner, oldest first.

    If there are many blocks, return only those that the learner's film shows.

    For a copied or imported learner, the list begins with the copy or the import. The last block gives the learner's
    current state. Blocks that would take too long to replay while a page loads are omitted.

    Raises:
        UnknownLearner: if there is no such learner.
    """
    log, learner_id = read_log(store), store.learner(name).learner_id
    blocks = _blocks_to_replay(log, learner_id, None)[:MAX_BLOCKS]
    replayed = accumulate(block.games for block in blocks)
    short = {block.block_id for block, total in zip(blocks, replayed, strict=True) if total <= MAX_REPLAYED_GAMES}
    games, past, lessons = 0, [OwnBlock(0, 0)], list_lessons(log, learner_id)
    for block in lessons:
        run = log.runs[block.run_id]
        games += block.games if run.options.imported is None else run.options.imported.games
        if learner_id not in run.taught:
            continue
        if run.options.copied_from is not None or run.options.imported is not None:
            past = []
        if block.block_id in short or block is lessons[-1]:
            past.append(OwnBlock(block.block_id, games))
    return _thinned(past)


def _thinned(past: list[OwnBlock]) -> list[OwnBlock]:
    """Select many early blocks, evenly spaced later blocks, and the last block."""
    if len(past) <= FILM_SHORT:
        return past
    first, last = past[0].games, past[-1].games
    wanted = [*shown_marks(first, last), *range(first, last, max(1, (last - first) // MARKS_EVEN))]
    places = {bisect_left(past, games, key=lambda own: own.games) for games in wanted}
    return [past[place] for place in sorted(places | {len(past) - 1})]


def learner_in_film(store: Store, name: str, film: Sequence[OwnBlock], block_id: int) -> LearnerAt:
    """Return a learner's state after a block. A short film is replayed once, and all its states are cached.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if too many games would have to be replayed.
    """
    blocks = tuple(own.block_id for own in film[:-1])
    if block_id not in blocks or len(blocks) * store.move_count() > MAX_CACHED:
        return learner_at_blocks(store, name, block_id)[0]
    state, learner_id = Path(store.path).stat(), store.learner(name).learner_id
    # blocks are only appended to the log, so the block with a given id never changes
    key = state.st_dev, state.st_ino, learner_id, name, blocks
    with _lock:
        if key not in _films:
            _films[key] = dict(zip(blocks, learner_at_blocks(store, name, *blocks), strict=True))
        _films.move_to_end(key)
        while len(_films) > MAX_CACHED_FILMS:
            _films.popitem(last=False)
        return _films[key][block_id]


def learner_at_blocks(store: Store, name: str, *wanted: int) -> list[LearnerAt]:
    """Return a learner's state after each of the given blocks, using a single replay.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if too many games would have to be replayed.
    """
    arena, log, (row,) = read_past(store, name)
    learner_id = row.learner_id
    last = max((block.block_id for block in log.blocks), default=0)
    blocks = _blocks_to_replay(log, learner_id, max(wanted))
    _check_short(blocks, name)
    # For each requested block, find the last replayed block that is not later than it.
    stops = {block_id: max((b.block_id for b in blocks if b.block_id <= block_id), default=0) for block_id in wanted}
    machines = fresh_machines(log, arena, learners_needed_for(log, {learner_id}))
    what, states = BEGAN, {0: (machines[learner_id].copy(), BEGAN)}
    for step in replay(arena, replace(log, blocks=blocks), machines):
        if learner_id in step.run.taught:
            what = step_message(log, step)
        if step.block.block_id in stops.values():
            states[step.block.block_id] = (machines[learner_id].copy(), what)
    return [LearnerAt(*states[stops[block_id]], min(block_id, last)) for block_id in wanted]


def last_block(store: Store) -> int:
    """Return the id of the log's last block, or 0 if the log is empty."""
    blocks = store.blocks()
    return blocks[-1].block_id if blocks else 0


def _blocks_to_replay(log: Log, learner_id: int, block_id: int | None) -> list[BlockRow]:
    """Return the blocks needed to replay a learner up to the given block."""
    needed = learners_needed_for(log, {learner_id})
    blocks = (block for block in log.blocks if block_id is None or block.block_id <= block_id)
    return [block for block in blocks if needed & set(log.runs[block.run_id].taught)]


def _check_short(blocks: list[BlockRow], name: str) -> None:
    games = sum(block.games for block in blocks)
    if games > MAX_REPLAYED_GAMES or len(blocks) > MAX_BLOCKS:
        raise InvalidPlayer(
            f"this page would have to replay {counted(games, 'game')} in {counted(len(blocks), 'block')} for {name},"
            f" but a page replays at most {MAX_REPLAYED_GAMES:,} games in {MAX_BLOCKS:,} blocks; use `menace history`,"
            " which has no limit"
        )


Amount: TypeAlias = Literal["shares", "values"]
Amounts: TypeAlias = tuple[float | None, ...]  # the amount for each move; None if the box is empty

BEADS = "beads"  # the unit of integer amounts
MAX_NAMES_LENGTH = 32  # maximum length, in characters, of a list of equivalent moves


@dataclass(frozen=True)
class Opening:
    """The moves of a learner's first decision in one position, over time.

    Attributes:
        name: the name of the learner.
        board: the canonical board.
        shape: the numbers of rows and columns of the board.
        pieces: the piece on each cell of the board.
        cells: for each move, the actions that are equivalent.
        marks, names: for the same actions, where they are drawn and what people call them.
        games: the numbers of games that the learner had learned from, in ascending order from 0.
        amounts: the amount for each move after each number of games; None if the box was empty.
        what: `shares` if the amounts are shares from 0 to 1, otherwise `values`.
        unit: the unit of the amounts.
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
        """Whether the moves of the position are cells."""
        return all(
            is_cell(mark, action) and name == str(action)
            for move in zip(self.cells, self.marks, self.names, strict=True)
            for action, mark, name in zip(*move, strict=True)
        )

    def name_of(self, move: int) -> str:
        """Return the name of a move, given its index in `cells`. If possible, the name lists all equivalent actions."""
        return abbreviate_names(self.names[move], MAX_NAMES_LENGTH)

    @property
    def favourite(self) -> int:
        """The index in `cells` of the move with the highest final amount; if several moves tie, the first one."""
        last = [-math.inf if amount is None else amount for amount in self.amounts[-1]]
        return last.index(max(last))

    def text_of(self, amount: float | None) -> str:
        """Format an amount: a share such as `25.0%`, a number of beads such as `1,200`, or a value such as `0.963`."""
        if amount is None:
            return "no beads"
        if self.what == "shares":
            return percent(amount).strip()
        return f"{amount:,.0f}" if self.unit == BEADS else f"{amount:.3g}"


def openings_of(store: Store, names: Sequence[str]) -> list[Opening]:
    """Return learners' first decisions over time, as shares of the beads or odds, or as values.

    Args:
        store: the database.
        names: the names of learners.

    Raises:
        UnknownLearner: if there is no such learner.

    >>> opening = openings_of(store, ["menace-x"])[0]
    >>> [opening.name_of(move) for move in range(3)], opening.games[-1], [round(a, 3) for a in opening.amounts[-1]]
    (['0 2 6 8', '1 3 5 7', '4'], 100, [0.094, 0.006, 0.9])
    """

    def read(machine: Machine, _score: int) -> dict[int, Amounts]:
        amounts = {position: _amounts(machine, position) for position in first_choice_positions(machine)}
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
            raise OutputError(
                f"machine {machine.name} has only one first move, so there is nothing to show; name another machine"
            )
        for position in positions:
            by_games = {games: amounts[position] for games, amounts in points if position in amounts}
            openings.append(_opening(machine, position, by_games))
    return openings


def _opening(machine: Machine, position: int, by_games: dict[int, Amounts]) -> Opening:
    """Return the opening for one position of a first decision, given the moves' amounts after each number of games."""
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
        what="shares" if machine.algorithm.by_share else "values",
        unit=_unit(machine),
    )


def _amounts(machine: Machine, position: int) -> Amounts:
    """Return the share, value or number of beads for each move, or an empty tuple if the learner has no box."""
    box = machine.box_at(position)
    if box is None:
        return ()
    return tuple(move.share if machine.algorithm.by_share else float(move.amount) for move in box.moves)


def _unit(machine: Machine) -> str:
    """Return the name of the unit of a machine's amounts."""
    if machine.algorithm.by_share:
        return "share of the box's beads" if machine.draws_beads else "probability of the move"
    return BEADS if machine.has_beads else f"{machine.algorithm.unit} of the move"
