"""A learner as it was after any block, rebuilt from the log if that does not take too long for a page."""

from __future__ import annotations

from dataclasses import dataclass, replace

from menace.analysis.trajectories import read_past
from menace.explorer.request_errors import BadRequest
from menace.learners.machine import Machine
from menace.ledger.log_reader import Log, needed_for
from menace.ledger.replay import fresh_machines, replay, step_message
from menace.ledger.store import BlockRow, Store
from menace.wording import counted

GAMES_MOST = 10_000_000  # replayed for a page, at most: two or three seconds
BLOCKS_MOST = 5_000
BEGAN = "as it began"


@dataclass(frozen=True)
class LearnerAt:
    """A learner as it was after a block.

    Attributes:
        machine: the learner at that time.
        what: the last block by then that taught it, in words.
        block_id: the requested block; 0 for the beginning.
    """

    machine: Machine
    what: str
    block_id: int


def check_short(store: Store, name: str) -> None:
    """Refuse a learner whose whole log is too long for a page.

    Raises:
        UnknownLearner: if there is no such learner.
        BadRequest: if it is too long.
    """
    _, log, (row,) = read_past(store, name)
    _check(_until(log, row.learner_id, None), name)


def learner_at_blocks(store: Store, name: str, *wanted: int) -> list[LearnerAt]:
    """Return a learner as it was after each of some blocks, which need not have taught it, by one replay.

    Raises:
        UnknownLearner: if there is no such learner.
        BadRequest: if too many games would have to be replayed.
    """
    arena, log, (row,) = read_past(store, name)
    learner_id = row.learner_id
    last = log.blocks[-1].block_id if log.blocks else 0
    blocks = _until(log, learner_id, max(wanted))
    _check(blocks, name)
    # By requested block, the last block of the replay up to it.
    stops = {block_id: max((b.block_id for b in blocks if b.block_id <= block_id), default=0) for block_id in wanted}
    machines = fresh_machines(log, arena, needed_for(log, {learner_id}))
    what, states = BEGAN, {0: (machines[learner_id].copy(), BEGAN)}
    for step in replay(arena, replace(log, blocks=blocks), machines):
        if learner_id in step.run.taught:
            what = step_message(log, step)
        if step.block.block_id in stops.values():
            states[step.block.block_id] = (machines[learner_id].copy(), what)
    return [LearnerAt(*states[stops[block_id]], min(block_id, last)) for block_id in wanted]


def last_block(store: Store) -> int:
    """Return the number of the log's last block; 0 if it has none."""
    blocks = store.blocks()
    return blocks[-1].block_id if blocks else 0


def _until(log: Log, learner_id: int, block_id: int | None) -> list[BlockRow]:
    """Return the blocks that a replay of a learner needs, up to one of them."""
    needed = needed_for(log, {learner_id})
    blocks = (block for block in log.blocks if block_id is None or block.block_id <= block_id)
    return [block for block in blocks if needed & set(log.runs[block.run_id].taught)]


def _check(blocks: list[BlockRow], name: str) -> None:
    games = sum(block.games for block in blocks)
    if games > GAMES_MOST or len(blocks) > BLOCKS_MOST:
        raise BadRequest(
            f"{name} came to be in {counted(games, 'game')} and {counted(len(blocks), 'block')} by then; a page plays"
            f" {GAMES_MOST:,} and {BLOCKS_MOST:,} again at most; `menace history` plays them all"
        )
