"""The log of blocks, read at one moment and checked: what replay.py replays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from menace.arena.play_loop import GAMES_MOST
from menace.errors import InvalidRun, StoreError
from menace.games.base import Game, Side
from menace.games.symmetry import SymmetricGame
from menace.learners.machine import Machine
from menace.learners.opponents.tabulated_policies import names_within
from menace.ledger.store import (
    VERIFY_SAYS_MORE,
    AdjustmentRow,
    BlockRow,
    ChangeRow,
    GameRow,
    ImportedRow,
    LearnerRow,
    Run,
    Store,
    damaged,
)
from menace.ledger.stored_rules import rules_of
from menace.wording import counted

BLOCK_GAMES_MOST = 1_000_000  # however far apart the marks are
Row = TypeVar("Row")


@dataclass(frozen=True)
class Log:
    """The log as the database held it at one moment.

    Attributes:
        path: of the database, as messages name it.
        runs: by number.
        blocks: in their order.
        games: recorded games, by block.
        changes: what each recorded game changed, by game.
        adjustments: piles that people counted again, by block.
        imported: what a learner brought with it, by block.
        learners: by number.

    >>> log = read_log(store)
    >>> log.runs[1].games_played, [row.name for row in log.learners.values()], log.games, log.taken_back
    (100, ['menace-x', 'menace-o'], {}, {})
    """

    path: str
    rules: SymmetricGame
    runs: dict[int, Run]
    blocks: list[BlockRow]
    games: dict[int, list[GameRow]]
    changes: dict[int, list[ChangeRow]]
    adjustments: dict[int, list[AdjustmentRow]]
    imported: dict[int, list[ImportedRow]]
    learners: dict[int, LearnerRow]

    @property
    def game(self) -> Game:
        """The rules."""
        return self.rules.game

    @cached_property
    def taken_back(self) -> dict[int, int]:
        """The blocks that were taken back, each with the block that did so."""
        pairs = ((self.runs[block.run_id].options.takes_back, block.block_id) for block in self.blocks)
        return {target: block_id for target, block_id in pairs if target is not None}


def read_log(store: Store) -> Log:
    """Read the log. Within a snapshot or a transaction, if other reads must be consistent with it.

    Raises:
        StoreError: if it cannot be replayed: rows that it refers to are missing, or it has far too many games.

    >>> log = read_log(store)
    >>> sum(block.games for block in log.blocks), log.rules.title
    (100, 'tictactoe 3x3x3')
    """
    log = Log(
        path=store.path,
        rules=rules_of(store),
        runs={run.run_id: run for run in store.runs()},
        blocks=store.blocks(),
        games=by_number(store.games(), "block_id"),
        changes=by_number(store.changes(), "game_id"),
        adjustments=by_number(store.adjustments(), "block_id"),
        imported=by_number(store.imported(), "block_id"),
        learners={row.learner_id: row for row in store.learners_ever()},
    )
    _check(log)
    _check_tables(log, {row.name: row.plays for row in store.policies()})
    return log


def _check_tables(log: Log, sides: Mapping[str, Side]) -> None:
    """Raise StoreError if a run names a player whose table the database has not, or has for the other side."""
    for run in log.runs.values():
        for side, seat in zip(Side, run.seats, strict=True):
            for name in names_within(seat.player) if seat.learner_id is None else ():
                if sides.get(name) != side:
                    raise _damaged(log.path, f"run {run.run_id} has {name} play {side}, whose table is not there")


def _check(log: Log) -> None:
    for run in log.runs.values():
        check_run(log.path, run, log.learners)
    played: Counter[int] = Counter()
    for block in log.blocks:
        if block.run_id not in log.runs:
            raise _damaged(log.path, f"block {block.block_id} is of run {block.run_id}, which is gone")
        played[block.run_id] += block.games
        # A few games too many can be replayed, and `verify` reports the difference.
        most = log.runs[block.run_id].games_wanted + BLOCK_GAMES_MOST
        if block.games > BLOCK_GAMES_MOST or played[block.run_id] > most:
            reason = f"block {block.block_id} says {counted(block.games, 'game')}, more than its run can have"
            raise _damaged(log.path, reason)
    for block_id in log.games.keys() - {block.block_id for block in log.blocks}:
        raise _damaged(log.path, f"a recorded game is of block {block_id}, which is gone")


def _damaged(path: str, reason: str) -> StoreError:
    return damaged(path, reason, VERIFY_SAYS_MORE)


def check_run(path: str, run: Run, learners: Mapping[int, LearnerRow | Machine]) -> None:
    """Check that a run can be carried out, or replayed.

    Args:
        path: of the database, as messages name it.
        run: as the database has it.
        learners: at least those that play in it, by id.

    Raises:
        StoreError: if one of its learners is gone or plays the other side, or its games or options are invalid.

    >>> check_run(store.path, store.run(1), read_log(store).learners)
    >>> check_run("menace.db", store.run(1), {})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    menace.errors.StoreError: menace.db is damaged (run 1 has learner 1 play X, who is missing, or plays the other ...
    """
    if not run.games_played <= run.games_wanted <= GAMES_MOST:
        raise _damaged(path, f"run {run.run_id} has {run.games_played:,} of {counted(run.games_wanted, 'game')}")
    for side, (_, learner_id, _) in zip(Side, run.seats, strict=True):
        if learner_id is not None and (learner_id not in learners or learners[learner_id].plays != side):
            reason = f"run {run.run_id} has learner {learner_id} play {side}, who is missing, or plays the other side"
            raise _damaged(path, reason)
    if run.options.copied_from not in {None, *learners}:
        raise _damaged(path, f"run {run.run_id} is a copy of learner {run.options.copied_from}, who is gone")
    try:
        run.options.marks.check(run.games_wanted)
    except InvalidRun as error:
        raise _damaged(path, f"run {run.run_id}: {error}") from None
    phases = run.options.phases
    if phases and sum(phase.games for phase in phases) != run.games_wanted:
        raise _damaged(path, f"run {run.run_id} has phases that do not cover its {counted(run.games_wanted, 'game')}")


def by_number(rows: Iterable[Row], column: str) -> dict[int, list[Row]]:
    """Group rows by one of their columns, such as `run_id`.

    >>> [len(blocks) for blocks in by_number(store.blocks(), "run_id").values()]
    [8]
    """
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(getattr(row, column), []).append(row)
    return groups


def lessons_of(log: Log, learner_id: int, before: int | None = None) -> list[BlockRow]:
    """Return the blocks that taught a learner, the oldest first, without those that were taken back.

    A copy has the lessons of its original, and then the block that copied it.

    Args:
        log: the log.
        learner_id: of the learner.
        before: a block_id; blocks from there on are left out. None stands for the whole log.

    >>> [block.block_id for block in lessons_of(read_log(store), 1, before=4)]  # block 1 has no games
    [2, 3]
    """
    lessons: defaultdict[int, dict[int, BlockRow]] = defaultdict(dict)
    for block in log.blocks:
        if before is not None and block.block_id >= before:
            break
        run = log.runs[block.run_id]
        for taught in run.taught:
            if run.options.takes_back is not None:
                lessons[taught].pop(run.options.takes_back, None)
            elif run.options.copied_from is not None:
                lessons[taught] = {**lessons[run.options.copied_from], block.block_id: block}
            elif block.games or run.options.imported is not None or block.block_id in log.adjustments:
                lessons[taught][block.block_id] = block
    return list(lessons[learner_id].values())


def needed_for(log: Log, learner_ids: Iterable[int]) -> set[int]:
    """Return the learners that a replay of these needs: themselves, and all who played in a run that taught one.

    >>> needed_for(read_log(store), [1])  # learner 1 learned from games with learner 2
    {1, 2}
    """
    needed = set(learner_ids)
    while True:
        players = {i for run in log.runs.values() if set(run.taught) & needed for i in run.learner_ids}
        if players <= needed:
            return needed
        needed |= players
