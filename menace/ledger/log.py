"""The log of blocks as the database held it at one moment: what replay.py lets learners learn again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from menace.arena.loop import GAMES_MOST
from menace.arena.phases import from_options
from menace.games.base import Game, Side
from menace.games.symmetry import SymmetricGame
from menace.ledger.marks import MARKS_STEP
from menace.ledger.rulebook import rules_of
from menace.ledger.seats import copied_from, goes_on, is_greedy, learners_of, person_of, takes_back, taught_by
from menace.ledger.store import AdjustmentRow, BlockRow, ChangeRow, GameRow, LearnerRow, RunRow, Store, undamaged
from menace.wording import counted

Row = TypeVar("Row")


@dataclass(frozen=True)
class Log:
    """The log as the database held it at one moment.

    Attributes:
        runs: by number.
        blocks: in their order.
        games: recorded games, by block.
        changes: what each recorded game changed, by game.
        adjustments: piles that people counted again, by block.
        learners: by number.

    >>> log = read_log(store)
    >>> log.runs[1].games_played, [row.name for row in log.learners.values()], log.games
    (100, ['menace-x', 'menace-o'], {})
    """

    rules: SymmetricGame
    runs: dict[int, RunRow]
    blocks: list[BlockRow]
    games: dict[int, list[GameRow]]
    changes: dict[int, list[ChangeRow]]
    adjustments: dict[int, list[AdjustmentRow]]
    learners: dict[int, LearnerRow]

    @property
    def game(self) -> Game:
        """The rules."""
        return self.rules.game


def read_log(store: Store) -> Log:
    """Read the log. Within a snapshot or a transaction, if what else is read is to fit it.

    Raises:
        StoreError: if it cannot be replayed, whatever it says: what it refers to is gone, or it has games without end.

    >>> log = read_log(store)
    >>> sum(block.games for block in log.blocks), log.rules.title
    (100, 'tictactoe 3x3x3')
    """
    log = Log(
        rules=rules_of(store),
        runs={run.run_id: run for run in store.runs()},
        blocks=store.blocks(),
        games=_by_number(store.games(), "block_id"),
        changes=_by_number(store.changes(), "game_id"),
        adjustments=_by_number(store.adjustments(), "block_id"),
        learners={row.learner_id: row for row in store.learners_ever()},
    )
    with undamaged(store.path):
        _check(log)
    return log


def _check(log: Log) -> None:
    for run in log.runs.values():
        check_run(run, log.learners)
    played: Counter[int] = Counter()
    for block in log.blocks:
        if block.run_id not in log.runs:
            raise ValueError(f"block {block.block_id} is of run {block.run_id}, which is gone")
        played[block.run_id] += block.games
        # A little more than was wanted can be replayed, and `verify` says where it differs.
        if block.games > MARKS_STEP or played[block.run_id] > log.runs[block.run_id].games_wanted + MARKS_STEP:
            raise ValueError(f"block {block.block_id} says {counted(block.games, 'game')}, more than its run can have")
    _check_there(log.games, {block.block_id for block in log.blocks}, "recorded games of block")
    _check_there(log.adjustments, {block.block_id for block in log.blocks}, "piles counted again in block")
    _check_there(log.changes, {row.game_id for rows in log.games.values() for row in rows}, "changes by recorded game")


def _check_there(found: Iterable[int], there: Collection[int], what: str) -> None:
    for number in found:
        if number not in there:
            raise ValueError(f"there are {what} {number}, which is gone")


def check_run(run: RunRow, learners: Mapping[int, LearnerRow]) -> None:
    """Check that a run can be carried out, or replayed.

    Args:
        run: as the database has it.
        learners: at least those that play in it, by number.

    Raises:
        ValueError: if one of its learners is gone or plays the other side, or its games or options are none.

    >>> check_run(store.run(1), read_log(store).learners)
    >>> check_run(store.run(1), {})
    Traceback (most recent call last):
        ...
    ValueError: run 1 has learner 1 play X, who is missing, or plays the other side
    """
    if not run.games_played <= run.games_wanted <= GAMES_MOST:
        raise ValueError(f"run {run.run_id} has {run.games_played:,} of {counted(run.games_wanted, 'game')}")
    for side, learner_id in zip(Side, (run.x_learner_id, run.o_learner_id), strict=True):
        if learner_id is not None and (learner_id not in learners or learners[learner_id].plays != side):
            raise ValueError(
                f"run {run.run_id} has learner {learner_id} play {side}, who is missing, or plays the other side"
            )
    if any(learns and learner is None for learner, learns in _seats(run)):
        raise ValueError(f"run {run.run_id} teaches a side that is not a learner's")
    if copied_from(run) not in {None, *learners}:
        raise ValueError(f"run {run.run_id} is a copy of learner {copied_from(run)}, who is gone")
    takes_back(run)  # refuses what is not a number
    person_of(run)  # refuses what is not a name
    is_greedy(run)  # refuses what is neither yes nor no
    goes_on(run)  # likewise
    phases = from_options(run.options)
    if phases and sum(phase.games for phase in phases) != run.games_wanted:
        raise ValueError(f"run {run.run_id} has phases that do not cover its {counted(run.games_wanted, 'game')}")


def _seats(run: RunRow) -> tuple[tuple[int | None, int], ...]:
    return (run.x_learner_id, run.x_learns), (run.o_learner_id, run.o_learns)


def _by_number(rows: Iterable[Row], column: str) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(getattr(row, column), []).append(row)
    return found


def taken_back(log: Log) -> dict[int, int]:
    """Return the blocks that were taken back, each with the block that did so.

    >>> taken_back(read_log(store))
    {}
    """
    found = ((takes_back(log.runs[block.run_id]), block.block_id) for block in log.blocks)
    return {named: block_id for named, block_id in found if named is not None}


def standing(log: Log, learner_id: int, before: int | None = None) -> list[BlockRow]:
    """Return the blocks that taught a learner and were not taken back, the oldest first.

    Args:
        log: the log.
        learner_id: of the learner.
        before: a block; only what was there before it counts. None for the whole log.

    >>> [block.block_id for block in standing(read_log(store), 1, before=4)]  # block 1 has no games
    [2, 3]
    """
    found: dict[int, BlockRow] = {}
    for block in log.blocks:
        run = log.runs[block.run_id]
        if before is not None and block.block_id >= before:
            break
        if learner_id not in taught_by(run):
            continue
        if (named := takes_back(run)) is not None:
            found.pop(named, None)
        elif block.games or block.block_id in log.adjustments or copied_from(run) is not None:
            found[block.block_id] = block
    return list(found.values())


def needed_for(log: Log, learner_ids: Iterable[int]) -> set[int]:
    """Return these learners with all who played in a run that taught one of them: whom a replay needs.

    >>> needed_for(read_log(store), [1])  # who learned from games with learner 2
    {1, 2}
    """
    needed = set(learner_ids)
    while True:
        more = {i for run in log.runs.values() if set(taught_by(run)) & needed for i in learners_of(run)}
        if more <= needed:
            return needed
        needed |= more
