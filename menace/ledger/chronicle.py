"""What the log says of learners and of times, compared with itself: nothing is played again for it.

Times come from the clock of the machine that wrote, which may be set back between two blocks; so only times that one
transaction wrote are compared. db/README.md says what `verify` cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from menace.colours import check_naming
from menace.errors import InvalidSetting, UnknownPreset
from menace.games.look import cells_of
from menace.learners.registry import LEARNERS, get_preset
from menace.learners.settings import from_json
from menace.ledger.kinds import COPY, EMPTY
from menace.ledger.log import Log
from menace.ledger.store import BlockRow, LearnerRow, Run

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
ONE_MOMENT = 60.0  # seconds within which one transaction writes its times; a block takes a quarter of a second


def wrong_learners(log: Log, learner_ids: Iterable[int]) -> Iterator[str]:
    """Yield learners that cannot have been made as they are, or are no copy of whom they were copied from.

    >>> from menace.ledger.log import read_log
    >>> log = read_log(store)
    >>> log.learners[1] = log.learners[1]._replace(preset="zhang")
    >>> list(wrong_learners(log, log.learners))
    ['learner menace-x: its algorithm is menace; preset zhang is of td']
    """
    for learner_id in sorted(learner_ids):
        row = log.learners[learner_id]
        if (wrong := _wrong_preset(row) or _wrong_naming(log, row)) is not None:
            yield f"learner {row.name}: {wrong}"
        algorithm = LEARNERS[row.algorithm]
        if algorithm.seeded(from_json(algorithm.settings, row.settings)) == (row.seed is None):
            yield f"learner {row.name} has {'no seed' if row.seed is None else 'a seed'}; its settings say otherwise"
    for run in log.runs.values():
        copies = [log.learners[learner_id] for learner_id in run.taught if learner_id in learner_ids]
        origin = log.learners.get(run.options.copied_from or 0)
        if run.kind == COPY.name and origin is not None:
            yield from (
                f"learner {copy.name} is a copy of {origin.name}, but its side, preset, seed, colours or other settings"
                " differ"
                for copy in copies
                if _made_as(copy) != _made_as(origin)
            )


def _wrong_preset(row: LearnerRow) -> str | None:
    """Return why a learner cannot be of its preset, or None. `--set` may have replaced any of its settings."""
    try:
        preset = get_preset(row.preset)
    except UnknownPreset as error:
        return str(error)
    if preset.algorithm != row.algorithm:
        return f"its algorithm is {row.algorithm}; preset {row.preset} is of {preset.algorithm}"
    if row.plays not in preset.plays:
        return f"it plays {row.plays}; preset {row.preset} plays {' or '.join(preset.plays)}"
    return None


def _wrong_naming(log: Log, row: LearnerRow) -> str | None:
    """Return why a learner's beads and cells cannot be called as it says, or None."""
    try:
        check_naming(log.rules.title, cells_of(log.game), row.naming)
    except InvalidSetting as error:
        return str(error)
    return None


def _made_as(row: LearnerRow) -> tuple[object, ...]:
    return row.plays, row.algorithm, row.revision, row.preset, row.settings, row.seed, row.naming


def wrong_times(log: Log) -> Iterator[str]:
    """Yield what has no time or a wrong one: runs that ended and say otherwise, times of one moment that differ.

    >>> from menace.ledger.log import read_log
    >>> log = read_log(store)
    >>> log.runs[1] = log.runs[1]._replace(finished_at=None)
    >>> list(wrong_times(log))
    ['run 1 has all its games, but is not finished']
    """
    blocks: dict[int, list[BlockRow]] = {run_id: [] for run_id in log.runs}
    for block in log.blocks:
        blocks[block.run_id].append(block)
        if not is_time(block.created_at):
            yield f"block {block.block_id} was written at {block.created_at!r}, which is not a time as menace writes it"
    for row in log.learners.values():
        if not is_time(row.created_at):
            yield f"learner {row.name} was made at {row.created_at!r}, which is not a time as menace writes it"
        if row.deleted_at is not None and not is_time(row.deleted_at):
            yield f"learner {row.name} was deleted at {row.deleted_at!r}, which is not a time as menace writes it"
    for run in log.runs.values():
        yield from _wrong_times_of(run, blocks[run.run_id])
        for copy in (log.learners[learner_id] for learner_id in run.taught if run.kind == COPY.name):
            if _apart(copy.created_at, run.started_at):
                yield f"learner {copy.name} was made at {copy.created_at}, and its run {run.run_id} at {run.started_at}"


def _wrong_times_of(run: Run, blocks: list[BlockRow]) -> Iterator[str]:
    for time in (run.started_at, run.finished_at):
        if time is not None and not is_time(time):
            yield f"run {run.run_id} has the time {time!r}, which is not a time as menace writes it"
    if run.finished_at is None and run.games_played == run.games_wanted:
        yield f"run {run.run_id} has all its games, but is not finished"
    if not blocks:
        return
    first, last = blocks[0], blocks[-1]
    if _apart(run.started_at, first.created_at):
        yield f"run {run.run_id} started at {run.started_at}; its first block was written at {first.created_at}"
    complete = run.finished_at is not None and (run.games_played == run.games_wanted or last.kind == EMPTY.name)
    if complete and _apart(run.finished_at or "", last.created_at):
        yield f"run {run.run_id} finished at {run.finished_at}; its last block was written at {last.created_at}"


def is_time(text: str) -> bool:
    """Say whether a text is a time as the database keeps it.

    >>> is_time("2025-01-31T23:59:59Z"), is_time("2025-02-31T23:59:59Z"), is_time("2025-1-31T23:59:59Z")
    (True, False, False)
    """
    return _read(text) is not None


def _read(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if TIME.fullmatch(text) else None
    except ValueError:  # the 31st of February
        return None


def _apart(one: str, other: str) -> bool:
    """Say whether two times are not of one moment; what is not a time is told elsewhere."""
    a, b = _read(one), _read(other)
    return a is not None and b is not None and abs((a - b).total_seconds()) > ONE_MOMENT
