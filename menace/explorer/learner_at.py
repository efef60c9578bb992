"""A learner as it was after any block, rebuilt from the log if that does not take too long for a page."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from menace.analysis.trajectories import read_past
from menace.explorer.request_errors import BadRequest
from menace.learners.machine import Machine
from menace.ledger.log_reader import Log, lessons_of, needed_for, read_log
from menace.ledger.marks import shown_marks
from menace.ledger.replay import fresh_machines, replay, step_message
from menace.ledger.store import BlockRow, Store
from menace.wording import counted

GAMES_MOST = 10_000_000  # replayed for a page, at most: two or three seconds
BLOCKS_MOST = 5_000
FILM_SHORT = 20  # blocks that are all shown; of more, those nearest to marks
MARKS_EVEN = 30  # to a linear scale of games, beside those to a logarithmic one
KEPT_MOST = 2_000_000  # numbers of moves, of all moments of one learner that are kept in memory; in some 60 MB
FILMS_MOST = 3
BEGAN = "as it began"


class OwnBlock(NamedTuple):
    """A block that taught a learner itself, and how many games it had learned from after it; 0 is the beginning."""

    block_id: int
    games: int


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


_films: OrderedDict[Hashable, dict[int, LearnerAt]] = OrderedDict()  # those that were looked at last
_lock = threading.Lock()


def check_short(store: Store, name: str) -> None:
    """Refuse a learner whose whole log is too long for a page.

    Raises:
        UnknownLearner: if there is no such learner.
        BadRequest: if it is too long.
    """
    _, log, (row,) = read_past(store, name)
    _check(_until(log, row.learner_id, None), name)


def own_blocks(store: Store, name: str) -> list[OwnBlock]:
    """Return the blocks of a learner's own past, from its beginning on; of many those that a film of it shows.

    A copy begins as it was copied, and a learner that learned elsewhere as it came in. The last is how it is now;
    before it, what a page cannot replay is left out.

    Raises:
        UnknownLearner: if there is no such learner.
    """
    log, learner_id = read_log(store), store.learner(name).learner_id
    blocks = _until(log, learner_id, None)[:BLOCKS_MOST]
    replayed = accumulate(block.games for block in blocks)
    short = {block.block_id for block, total in zip(blocks, replayed, strict=True) if total <= GAMES_MOST}
    games, past, lessons = 0, [OwnBlock(0, 0)], lessons_of(log, learner_id)
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
    """Return some of many blocks: more of the early ones, evenly apart later, and the last."""
    if len(past) <= FILM_SHORT:
        return past
    first, last = past[0].games, past[-1].games
    wanted = [*shown_marks(first, last), *range(first, last, max(1, (last - first) // MARKS_EVEN))]
    places = {bisect_left(past, games, key=lambda own: own.games) for games in wanted}
    return [past[place] for place in sorted(places | {len(past) - 1})]


def learner_in_film(store: Store, name: str, film: Sequence[OwnBlock], block_id: int) -> LearnerAt:
    """Return a learner as it was after a block. A small film is replayed once for all its blocks, and kept.

    Raises:
        UnknownLearner: if there is no such learner.
        BadRequest: if too many games would have to be replayed.
    """
    blocks = tuple(own.block_id for own in film[:-1])
    if block_id not in blocks or len(blocks) * store.move_count() > KEPT_MOST:
        return learner_at_blocks(store, name, block_id)[0]
    state, learner_id = Path(store.path).stat(), store.learner(name).learner_id
    key = state.st_dev, state.st_ino, learner_id, name, blocks  # a log only grows: numbers never mean other blocks
    with _lock:
        if key not in _films:
            _films[key] = dict(zip(blocks, learner_at_blocks(store, name, *blocks), strict=True))
        _films.move_to_end(key)
        while len(_films) > FILMS_MOST:
            _films.popitem(last=False)
        return _films[key][block_id]


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
