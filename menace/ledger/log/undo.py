"""Undo the last lesson that a person gave a learner. The lesson is a recorded game or a recount.

The log only grows: an undone block stays in the log, and a new block records the undo. A replay restores the learner's
earlier state, including counts, epsilon and mean, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from menace.arena.play import Arena
from menace.errors import InvalidRun
from menace.games.base import Board
from menace.learners.algorithm import Learned
from menace.learners.machine import Machine
from menace.ledger.learners import Machines, load_machine, save_machine
from menace.ledger.log.blocks import FORGET, Log, block_type, learners_needed_for, list_lessons, read_log
from menace.ledger.log.recorded_game import RecordedGame, boards_of
from menace.ledger.log.replay import ReplayStep, fresh_machines, replay, step_message
from menace.ledger.positions import positions_of
from menace.ledger.runs import add_own_run
from menace.ledger.store import VERIFY_SAYS_MORE, BlockRow, RunOptions, Store, damaged
from menace.ledger.training import evaluation_rows


@dataclass(frozen=True, eq=False)
class Lesson:
    """The last lesson that a person gave a learner, and the learner's state before it.

    Attributes:
        block: the block that taught the lesson.
        what: a description, such as `game 3, with a person`.
        learner: the learner's current state.
        before: the learner's state before the block.
        boards: for each position, the board in the game that taught the lesson; empty for a recount.
    """

    block: BlockRow
    what: str
    learner: Machine
    before: Learned
    boards: Mapping[int, Board]

    @property
    def entries(self) -> Iterator[tuple[str, tuple[int, ...], float, float]]:
        """Yield the board, the actions, and the current and earlier amounts for each entry that an undo changes.

        The board is the one from the game or, for positions that did not occur in the game, the canonical board. The
        actions are empty if the entry is the value of a position.
        """
        now, then = self.learner, self.learner.copy()
        then.learned = self.before
        entries = np.flatnonzero(now.learned.kept & (now.learned.amount != then.learned.amount))
        keys = zip(*(key[entries].tolist() for key in now.entry_keys), strict=True)
        for key, *amounts in zip(keys, now.amounts_of(entries), then.amounts_of(entries), strict=True):
            position, *action = key
            board = self.boards.get(position, now.positions.boards[position])
            yield board, now.positions.actions_for(board, action[0]) if action else (), *amounts


def last_lesson(store: Store, name: str | None = None) -> Lesson:
    """Replay the log, and return the last lesson that a person gave a learner, so that it can be undone.

    Args:
        store: the database.
        name: the name of a learner; None selects the learner that a person trained last.

    Raises:
        UnknownLearner: if there is no such learner.
        InvalidRun: if there is no lesson to undo, or the learner has learned from other games since.

    >>> last_lesson(store, "menace-x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    menace.errors.InvalidRun: menace-x has not learned from a game with a person or a recount, ...
    """
    with store.copied() as copy:
        learner_id = None if name is None else copy.learner(name).learner_id
        arena, log = Arena(positions_of(copy)), read_log(copy)
        block, learner_id = _last_by_people(log, learner_id)
        learner = load_machine(copy, arena.positions, log.learners[learner_id])
    earlier = replace(log, blocks=[row for row in log.blocks if row.block_id < block.block_id])
    machines = fresh_machines(log, arena, learners_needed_for(log, {learner_id}))
    _learn(arena, earlier, machines)
    before = machines[learner_id].learned.copy()
    _learn(arena, replace(log, blocks=[block]), machines)
    if not _same(machines[learner_id].learned, learner.learned):
        reason = f"machine {learner.name} differs from its state in the log after block {block.block_id}"
        raise damaged(store.path, reason, VERIFY_SAYS_MORE)
    return Lesson(block, _message(log, block), learner, before, _boards(arena, log, block))


def forget(store: Store, lesson: Lesson) -> int:
    """Undo a lesson, restore the learner's earlier state, and return the id of the block that records the undo."""
    learner_id = lesson.learner.learner_id
    with store.transaction():
        row = store.learner_if_not_deleted(learner_id, lesson.learner.name)
        machine = load_machine(store, lesson.learner.positions, row)
        last = list_lessons(read_log(store), learner_id)[-1:]
        if [block.block_id for block in last] != [lesson.block.block_id] or not _same(
            machine.learned, lesson.learner.learned
        ):
            raise InvalidRun(f"{row.name} has changed since then, so nothing was undone; try again")
        now, machine.learned = machine.learned, lesson.before
        block_id = add_own_run(store, row, FORGET, RunOptions(takes_back=lesson.block.block_id))
        save_machine(store, machine, now)
        store.add_evaluations(evaluation_rows(block_id, machine))
    return block_id


def _last_by_people(log: Log, learner_id: int | None) -> tuple[BlockRow, int]:
    """Return the last block in which a person trained a learner, and the learner's id, unless it has learned since."""
    present = [number for number, row in log.learners.items() if row.deleted_at is None]
    learner_ids = present if learner_id is None else [learner_id]
    taught = {number: list_lessons(log, number) for number in learner_ids}
    candidates = [
        (block, number)
        for number, blocks in taught.items()
        for block in blocks
        # excludes blocks that taught only the original of a copy
        if block_type(block).by_people and number in log.runs[block.run_id].taught
    ]
    if not candidates:
        subject = "no machine has" if learner_id is None else f"{log.learners[learner_id].name} has not"
        again = " that was not already undone" if log.taken_back else ""
        raise InvalidRun(
            f"{subject} learned from a game with a person or a recount{again}, so there is nothing to undo"
        )
    block, number = max(candidates, key=lambda pair: pair[0].block_id)
    last = taught[number][-1]
    if last.block_id != block.block_id:
        raise InvalidRun(
            f"{log.learners[number].name} has learned since {_message(log, block)} ({_message(log, last)}); "
            "only the last lesson of a machine can be undone"
        )
    return block, number


def _boards(arena: Arena, log: Log, block: BlockRow) -> dict[int, Board]:
    rows = log.games.get(block.block_id, [])
    games = [boards_of(arena.positions.game, RecordedGame.from_row(row)) for row in rows]
    return {arena.positions.number_of(board): board for boards in games for board in boards}


def _learn(arena: Arena, log: Log, machines: Machines) -> None:
    for _ in replay(arena, log, machines):
        pass


def _message(log: Log, block: BlockRow) -> str:
    games = sum(row.games for row in log.blocks if row.run_id == block.run_id and row.block_id < block.block_id)
    return step_message(log, ReplayStep(log.runs[block.run_id], block, games, wrong=[]))


def _same(first: Learned, second: Learned) -> bool:
    """Return whether two machines with the same settings have equal learned states, bit for bit."""
    return (
        first.games == second.games
        and np.array_equal(first.state, second.state, equal_nan=True)
        and not first.differs(second).any()
    )
