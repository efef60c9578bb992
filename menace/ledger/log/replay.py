"""Replay the log to reconstruct games and the state of learners after any block, and to undo people's lessons.

The log only grows: an undone block stays in the log, and a new block records the undo. A replay restores the learner's
earlier state, including counts, epsilon and mean, bit for bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias, TypeVar

import numpy as np

from menace.arena.play import Arena
from menace.errors import InvalidRun
from menace.games.base import Board, Outcome
from menace.learners.algorithm import Learned
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import is_fixed
from menace.ledger.learners import Machines, fresh_machine, load_machine, save_machine
from menace.ledger.log import blocks
from menace.ledger.log.recorded_game import RecordedGame, boards_of, last_game
from menace.ledger.positions import positions_of
from menace.ledger.runs import add_own_run
from menace.ledger.store import VERIFY_SAYS_MORE, BlockRow, Run, RunOptions, Store, as_corruption, damaged
from menace.ledger.training import evaluation_rows
from menace.text.wording import counted

Counts: TypeAlias = tuple[int, int, int]
Item = TypeVar("Item")


@dataclass(frozen=True)
class ReplayStep:
    """A replayed block.

    Attributes:
        games_before: the number of games in the run before the block.
        wrong: descriptions of the differences between the block and its games.

    >>> from menace.ledger.log.blocks import read_log
    >>> from menace.ledger.positions import positions_of
    >>> log, arena = read_log(store), Arena(positions_of(store))
    >>> step = list(replay(arena, log, fresh_machines(log, arena, log.learners)))[-1]
    >>> step.run.run_id, step.games_before, step.block.games, step.wrong
    (1, 50, 50, [])
    """

    run: Run
    block: BlockRow
    games_before: int
    wrong: list[str]


def fresh_machines(log: blocks.Log, arena: Arena, learner_ids: Iterable[int]) -> Machines:
    """Return a dictionary from each learner_id to the learner's machine as it was before its first game.

    Raises:
        RevisionMismatch: if a learner was trained by a different revision of its algorithm.

    >>> from menace.ledger.log.blocks import read_log
    >>> from menace.ledger.positions import positions_of
    >>> machines = fresh_machines(read_log(store), Arena(positions_of(store)), [1, 2])
    >>> [(machine.name, machine.learned.games) for machine in machines.values()]
    [('menace-x', 0), ('menace-o', 0)]
    """
    return Machines({i: fresh_machine(arena.positions, log.learners[i]) for i in sorted(learner_ids)})


def replay(arena: Arena, log: blocks.Log, machines: Machines) -> Iterator[ReplayStep]:
    """Let new machines learn from the log, and yield each block after the machines have learned from it.

    `machines` must contain all learners that `learners_needed_for` returns. Each step updates these machines.

    >>> from menace.ledger.log.blocks import read_log
    >>> from menace.ledger.positions import positions_of
    >>> log, arena = read_log(store), Arena(positions_of(store))
    >>> machines = fresh_machines(log, arena, log.learners)
    >>> sum(step.block.games for step in replay(arena, log, machines)), machines[1].learned.games
    (100, 100)
    """

    def learn(run: Run, block: BlockRow, games: int) -> Iterator[ReplayStep]:
        yield ReplayStep(
            run, block, games, list(blocks.block_type(block).replay(arena, log, run, games, block, machines))
        )

    return _replay_log(log, machines, learn)


def replay_parts(
    arena: Arena, log: blocks.Log, machines: Machines, most: Callable[[Run], int]
) -> Iterator[tuple[Run, Counts]]:
    """Replay the log as `replay` does, but yield games between machines in parts of at most `most(run)` games.

    Each part consists of the run and the numbers of X wins, draws and O wins. These numbers are 0 for a copied learner
    or a recount.

    >>> from menace.ledger.log.blocks import read_log
    >>> from menace.ledger.positions import positions_of
    >>> log, arena = read_log(store), Arena(positions_of(store))
    >>> parts = replay_parts(arena, log, fresh_machines(log, arena, log.learners), lambda run: 1)
    >>> [outcomes for _, outcomes in parts][:3]
    [(0, 0, 1), (0, 1, 0), (0, 0, 1)]
    """

    def learn(run: Run, block: BlockRow, games: int) -> Iterator[tuple[Run, Counts]]:
        if block.kind == blocks.GAMES.name:
            for played in blocks.replayed_games(arena, run, games, block, machines, partial(most, run)):
                yield run, played.outcomes
        else:
            list(blocks.block_type(block).replay(arena, log, run, games, block, machines))
            yield run, (block.x_wins, block.draws, block.o_wins)

    return _replay_log(log, machines, learn)


def _replay_log(
    log: blocks.Log, machines: Machines, learn: Callable[[Run, BlockRow, int], Iterator[Item]]
) -> Iterator[Item]:
    """Yield the results of `learn` for each block that trained one of the machines.

    No other function converts errors in the log to StoreError. Before each block that is undone later, this function
    saves the learned state in `machines`.
    """
    played: Counter[int] = Counter()
    forgotten = log.taken_back
    for block in log.blocks:
        run = log.runs[block.run_id]
        learner_ids = set(run.taught) & machines.keys()
        if block.block_id in forgotten:
            for learner_id in learner_ids:
                machines.earlier[learner_id, block.block_id] = machines[learner_id].learned.copy()
        if learner_ids:
            with as_corruption(log.path):
                yield from learn(run, block, played[run.run_id])
        played[run.run_id] += block.games


def step_message(log: blocks.Log, step: ReplayStep) -> str:
    """Return a description of a block, such as `run 1: selfplay, games 11 to 20`.

    >>> from menace.ledger.log.blocks import read_log
    >>> log = read_log(store)
    >>> step_message(log, ReplayStep(log.runs[1], log.blocks[1], games_before=0, wrong=[]))
    'run 1: selfplay, game 1'
    """
    message = _block_message(log, step.run, step.block, step.games_before)
    return f"{message}, undone later" if step.block.block_id in log.taken_back else message


def _block_message(log: blocks.Log, run: Run, block: BlockRow, games_before: int) -> str:
    first, last = (games_before + 1, games_before + block.games) if block.games else (0, 0)
    recorded, target = log.games.get(block.block_id), run.options.takes_back
    # Only recounts and games with people can be undone, and their descriptions do not depend on earlier games.
    earlier = None if target is None else _earlier_message(log, target, block)
    return blocks.block_type(block).words.format(
        run=f"run {run.run_id}",
        kind=run.kind,
        games=f"game {first:,}" if first == last else f"games {first:,} to {last:,}",
        # The list `recorded` is empty only if another program deleted rows, which `verify` also reports.
        recorded=f"game {recorded[0].game_id}," if recorded else "a game",
        earlier=earlier or "a missing block",
    )


def _earlier_message(log: blocks.Log, target: int, block: BlockRow) -> str | None:
    found = (b for b in log.blocks if b.block_id == target and b.block_id < block.block_id)
    return next((_block_message(log, log.runs[b.run_id], b, 0) for b in found), None)


def wrong_runs(log: blocks.Log) -> Iterator[str]:
    """Yield descriptions of runs whose kind, players and options do not match.

    >>> from menace.ledger.log.blocks import read_log
    >>> log = read_log(store)
    >>> log.runs[1] = log.runs[1]._replace(kind="play")
    >>> list(wrong_runs(log))
    ['run 1 of kind play has the wrong players']
    """
    for run in log.runs.values():
        kind = blocks.run_type(run)
        opponents = [player for player in run.players_without_learners if not is_fixed(player)]
        if opponents != ([] if kind.opponent is None else [kind.opponent]):
            yield f"run {run.run_id} of kind {run.kind} has the wrong players"
        if set(run.options.to_dict()) - kind.options or (run.seed and not kind.plays):
            yield f"run {run.run_id} of kind {run.kind} has the wrong options or seed"
        if run.games_wanted != run.games_played and not kind.ordered:
            yield (
                f"run {run.run_id} should have {counted(run.games_wanted, 'game')}, but ended after "
                f"{run.games_played:,}"
            )


def wrong_block(log: blocks.Log, block: BlockRow) -> Iterator[str]:
    """Yield descriptions of the differences between a block and its recorded games or adjustments.

    >>> from menace.ledger.log.blocks import read_log
    >>> log = read_log(store)
    >>> list(wrong_block(log, log.blocks[1])), list(wrong_block(log, log.blocks[1]._replace(kind="human")))
    ([], ['block 2 is of kind human, but its run has blocks of kind games'])
    """
    run = log.runs[block.run_id]
    kind, ends = blocks.run_type(run).blocks, blocks.run_type(run).ends
    if ends is not None and block.kind == ends.name:
        kind = ends
    if block.kind != kind.name:
        yield f"block {block.block_id} is of kind {block.kind}, but its run has blocks of kind {kind.name}"
        return
    if kind is not blocks.PERSON and block.block_id in log.games:
        yield f"block {block.block_id} has recorded games, but is not a block of games with people"
    if kind is not blocks.COUNTED and block.block_id in log.adjustments:
        yield f"block {block.block_id} has adjustments, but is not a recount"
    if kind is not blocks.IMPORTED and block.block_id in log.imported:
        yield f"block {block.block_id} has imported entries, but is not an import"
    yield from kind.check(log, run, block)


MAX_GAMES = 10_000  # maximum number of games to return at a time


@dataclass(frozen=True)
class MachineGame:
    """A game of a run between two machines, or between a machine and a fixed opponent.

    Attributes:
        number: the number of the game in the run, counting from 1.
        moves: the names of the moves.
        boards: the boards before each move and after the last move. Each board represents all its images.
        explored: for each move, whether its player explored.
        outcome: `X`, `O` or `draw`.
        resigned: whether the game ended because the side to move had an empty box.
    """

    number: int
    moves: tuple[str, ...]
    boards: tuple[Board, ...]
    explored: tuple[bool, ...]
    outcome: Outcome
    resigned: bool


def games_of_run(store: Store, run_id: int, first: int = 1, count: int = 1) -> list[MachineGame]:
    """Return games of a run exactly as they were played, by replaying the log.

    Args:
        store: the database.
        run_id: the id of a run of games between machines.
        first: the number of the first game, counting from 1.
        count: the maximum number of games; the run may have fewer.

    Raises:
        UnknownRun: if there is no such run.
        InvalidRun: if the run's games were not between machines, or the run has fewer than `first` games.

    >>> [game.moves for game in games_of_run(store, 1, first=2)]
    [('4', '0', '8', '1', '3', '6', '7', '5', '2')]
    """
    run = store.run(run_id)
    if blocks.run_type(run).blocks is not blocks.GAMES:
        raise InvalidRun(f"run {run_id} is of kind {run.kind}; `menace games` lists games with people")
    if not 1 <= first <= run.games_played or not 1 <= count <= MAX_GAMES:
        raise InvalidRun(
            f"run {run_id} has {counted(run.games_played, 'game')}; "
            f"choose games from 1 to {run.games_played:,}, at most {MAX_GAMES:,} at a time"
        )
    last = min(first + count - 1, run.games_played)
    return list(_replayed(store, run, first, last))


def _replayed(store: Store, run: Run, first: int, last: int) -> Iterator[MachineGame]:
    log, arena = blocks.read_log(store), Arena(positions_of(store))
    machines, played = fresh_machines(log, arena, blocks.learners_needed_for(log, set(run.learner_ids))), 0

    def at_a_time(other: Run) -> int:
        if other.run_id != run.run_id:
            return other.games_wanted
        return max(first - 1 - played, 1)

    for part, outcomes in replay_parts(arena, log, machines, at_a_time):
        if part.run_id != run.run_id:
            continue
        played += sum(outcomes)
        if played >= first:
            yield _game(arena, played)
        if played >= last:
            return


def _game(arena: Arena, number: int) -> MachineGame:
    """Return the game that the arena has recorded."""
    recorded, boards = last_game(arena)
    explored = tuple(map(bool, recorded.explored))
    names = tuple(map(arena.positions.game.name_of, boards, recorded.actions))
    resigned = recorded.ended_by == "resignation"
    return MachineGame(number, names, tuple(boards), explored, recorded.outcome, resigned)


@dataclass(frozen=True, eq=False)
class Lesson:
    """The last lesson that a person gave a learner, and the learner's state before the lesson.

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
        arena, log = Arena(positions_of(copy)), blocks.read_log(copy)
        block, learner_id = _last_by_people(log, learner_id)
        learner = load_machine(copy, arena.positions, log.learners[learner_id])
    earlier = replace(log, blocks=[row for row in log.blocks if row.block_id < block.block_id])
    machines = fresh_machines(log, arena, blocks.learners_needed_for(log, {learner_id}))
    _learn(arena, earlier, machines)
    before = machines[learner_id].learned.copy()
    _learn(arena, replace(log, blocks=[block]), machines)
    if not _same(machines[learner_id].learned, learner.learned):
        reason = f"machine {learner.name} differs from its state in the log after block {block.block_id}"
        raise damaged(store.path, reason, VERIFY_SAYS_MORE)
    return Lesson(block, _message(log, block), learner, before, _boards_of_lesson(arena, log, block))


def forget(store: Store, lesson: Lesson) -> int:
    """Undo a lesson, restore the learner's earlier state, and return the id of the block that records the undo."""
    learner_id = lesson.learner.learner_id
    with store.transaction():
        row = store.learner_if_not_deleted(learner_id, lesson.learner.name)
        machine = load_machine(store, lesson.learner.positions, row)
        last = blocks.list_lessons(blocks.read_log(store), learner_id)[-1:]
        if [block.block_id for block in last] != [lesson.block.block_id] or not _same(
            machine.learned, lesson.learner.learned
        ):
            raise InvalidRun(f"{row.name} has changed since then, so nothing was undone; try again")
        now, machine.learned = machine.learned, lesson.before
        block_id = add_own_run(store, row, blocks.FORGET, RunOptions(takes_back=lesson.block.block_id))
        save_machine(store, machine, now)
        store.add_evaluations(evaluation_rows(block_id, machine))
    return block_id


def _last_by_people(log: blocks.Log, learner_id: int | None) -> tuple[BlockRow, int]:
    """Return the last block in which a person trained a learner that has not learned since, and the learner's id."""
    present = [number for number, row in log.learners.items() if row.deleted_at is None]
    learner_ids = present if learner_id is None else [learner_id]
    taught = {number: blocks.list_lessons(log, number) for number in learner_ids}
    candidates = [
        (block, number)
        for number, lessons in taught.items()
        for block in lessons
        # excludes blocks that taught only the learner's original
        if blocks.block_type(block).by_people and number in log.runs[block.run_id].taught
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


def _boards_of_lesson(arena: Arena, log: blocks.Log, block: BlockRow) -> dict[int, Board]:
    rows = log.games.get(block.block_id, [])
    games = [boards_of(arena.positions.game, RecordedGame.from_row(row)) for row in rows]
    return {arena.positions.number_of(board): board for boards in games for board in boards}


def _learn(arena: Arena, log: blocks.Log, machines: Machines) -> None:
    for _ in replay(arena, log, machines):
        pass


def _message(log: blocks.Log, block: BlockRow) -> str:
    games = sum(row.games for row in log.blocks if row.run_id == block.run_id and row.block_id < block.block_id)
    return step_message(log, ReplayStep(log.runs[block.run_id], block, games, wrong=[]))


def _same(first: Learned, second: Learned) -> bool:
    """Return whether two machines with the same settings have equal learned states, bit for bit."""
    return (
        first.games == second.games
        and np.array_equal(first.state, second.state, equal_nan=True)
        and not first.differs(second).any()
    )
