"""Consistency checks of the log that need no replay: learners, orders, sessions and times.

Times come from the clock of the computer that wrote, which may be set back between two blocks; so only times that one
transaction wrote are compared. db/README.md says what `verify` cannot detect.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from menace import __version__, kernel
from menace.arena.play_loop import Arena
from menace.arena.randomness import pick_alike, raw_numbers
from menace.errors import InvalidSetting, UnknownPreset
from menace.games.boards_as_text import cells_of
from menace.learners.registry import LEARNERS, get_preset
from menace.learners.settings import from_json
from menace.ledger.block_types import COPY, IMPORT, PLAY, RUIN, run_type, wrong_record
from menace.ledger.log_reader import Log, by_number
from menace.ledger.recorded_game import RecordedGame, boards_of
from menace.ledger.store import HUMAN, BlockRow, LearnerRow, Run
from menace.naming_schemes import check_naming

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){1,3}((a|b|rc|\.post|\.dev)\d{1,6})*", re.ASCII)  # as PEP 440 has them
ONE_MOMENT = 60.0  # seconds within which one transaction writes its times; a block takes a quarter of a second


def wrong_learners(log: Log, learner_ids: Iterable[int]) -> Iterator[str]:
    """Yield learners that cannot have been created as they are, or do not match the learner that they are a copy of.

    >>> from menace.ledger.log_reader import read_log
    >>> log = read_log(store)
    >>> log.learners[1] = log.learners[1]._replace(preset="zhang")
    >>> list(wrong_learners(log, log.learners))
    ['machine menace-x: its algorithm is menace; preset zhang is of td']
    """
    for learner_id in sorted(learner_ids):
        row = log.learners[learner_id]
        if (wrong := _wrong_preset(row) or _wrong_naming(log, row)) is not None:
            yield f"machine {row.name}: {wrong}"
        if from_json(LEARNERS[row.algorithm].settings, row.settings).seeded == (row.seed is None):
            yield f"machine {row.name} has {'no seed' if row.seed is None else 'a seed'}; its settings say otherwise"
    for run in log.runs.values():
        copies = [log.learners[learner_id] for learner_id in run.taught if learner_id in learner_ids]
        origin = log.learners.get(run.options.copied_from or 0)
        if run.kind == COPY.name and origin is not None:
            yield from (
                f"machine {copy.name} is a copy of {origin.name}, but its side, preset, seed, colours or other settings"
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
    """Return why the naming of a learner's beads and cells is invalid, or None."""
    try:
        check_naming(log.rules.title, cells_of(log.game), row.naming)
    except InvalidSetting as error:
        return str(error)
    return None


def _made_as(row: LearnerRow) -> tuple[object, ...]:
    return row.plays, row.algorithm, row.revision, row.preset, row.settings, row.seed, row.naming


def wrong_orders(log: Log) -> Iterator[str]:
    """Yield runs that no menace up to this version can have written, by their version and number of games.

    >>> from menace.ledger.log_reader import read_log
    >>> log = read_log(store)
    >>> log.runs[1] = log.runs[1]._replace(version="99.0")
    >>> print(*wrong_orders(log))  # doctest: +ELLIPSIS
    run 1 says that menace 99.0 started it, a newer one than this, ...
    """
    for run in log.runs.values():
        if not VERSION.fullmatch(run.version):
            yield f"run {run.run_id} says that menace {run.version!r} started it, which is not a version"
        elif _release(run.version) > _release(__version__):
            yield f"run {run.run_id} says that menace {run.version} started it, a newer one than this, {__version__}"
        if run_type(run).ordered and not run.games_wanted:
            yield f"run {run.run_id} of kind {run.kind} wants no games"


def _release(version: str) -> tuple[int, ...]:
    """Return the key by which versions are sorted, without suffixes such as `.dev3`.

    >>> _release("0.10.1.dev3") > _release("0.9"), _release("0.1.0") == _release("0.1")
    (True, True)
    """
    parts = [int(number) for number in re.findall(r"\d+", re.split(r"a|b|rc|\.post|\.dev", version)[0])]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def wrong_sessions(arena: Arena, log: Log) -> Iterator[str]:
    """Yield recorded games in which the machine did not move as the seed of its session determines.

    Every move of a fixed opponent follows from the seed; of a learner, which may have known something else when the
    game began, only the choice among equivalent cells. Real beads follow from no seed.

    >>> from menace.ledger.log_reader import read_log
    >>> from menace.ledger.stored_positions import positions_of
    >>> list(wrong_sessions(Arena(positions_of(store)), read_log(store)))
    []
    """
    turns: Counter[int] = Counter()
    for block in log.blocks:
        run = log.runs[block.run_id]
        if run.kind != PLAY.name or run.options.physical:
            continue
        for row in log.games.get(block.block_id, []):
            recorded = RecordedGame.from_row(row)
            actions = recorded.actions[run.machine_side.number :: 2]
            is_wrong = wrong_record(log, run, recorded) is not None  # reported elsewhere
            if not is_wrong and actions != tuple(_moves_by_seed(arena, run, block, recorded, turns[run.run_id])):
                yield f"recorded game {row.game_id}: its machine did not move as the seed of its run says"
            turns[run.run_id] += len(actions)


def _moves_by_seed(arena: Arena, run: Run, block: BlockRow, recorded: RecordedGame, turn: int) -> Iterator[int]:
    """Yield the actions of a machine as its seed determines them, from its move number `turn` of the session on."""
    positions, side = arena.positions, run.machine_side.number
    fixed = [arena.fixed_player(text) for text in run.opponents if text != HUMAN]
    boards, path = boards_of(positions.game, recorded), positions.path(recorded.actions)
    for used, ply in enumerate(range(side, len(recorded.actions), 2)):
        position, move = path[ply]
        for player in fixed:
            stream = raw_numbers(run.seed, block.numbers_before + used)
            move = kernel.make_move(arena.graph, player, arena.record, ply, position, stream)
        cells = positions.actions_for(boards[ply], int(positions.action[move]))
        yield cells[pick_alike(run.seed, turn + used, len(cells))]


def wrong_times(log: Log) -> Iterator[str]:
    """Yield wrong or missing times: runs that ended and are not finished, times of one moment that differ.

    >>> from menace.ledger.log_reader import read_log
    >>> log = read_log(store)
    >>> log.runs[1] = log.runs[1]._replace(finished_at=None)
    >>> list(wrong_times(log))
    ['run 1 has all its games, but is not finished']
    """
    for subject, time in _times(log):
        if time is not None and _read(time) is None:
            yield f"{subject} {time!r}, which is not a time as menace writes it"
    blocks = by_number(log.blocks, "run_id")
    for run in log.runs.values():
        yield from _wrong_times_of(run, blocks.get(run.run_id, []))
        made = run.taught if run.kind in {COPY.name, IMPORT.name} else []
        for row in (log.learners[learner_id] for learner_id in made):
            if _are_apart(row.created_at, run.started_at):
                yield f"machine {row.name} was made at {row.created_at}, and its run {run.run_id} at {run.started_at}"


def _times(log: Log) -> Iterator[tuple[str, str | None]]:
    """Yield every time in the log, each after a description of it."""
    for block in log.blocks:
        yield f"block {block.block_id} was written at", block.created_at
    for row in log.learners.values():
        yield f"machine {row.name} was made at", row.created_at
        yield f"machine {row.name} was deleted at", row.deleted_at
    for run in log.runs.values():
        yield f"run {run.run_id} has the time", run.started_at
        yield f"run {run.run_id} has the time", run.finished_at


def _wrong_times_of(run: Run, blocks: list[BlockRow]) -> Iterator[str]:
    if run.finished_at is None and run.games_played == run.games_wanted:
        yield f"run {run.run_id} has all its games, but is not finished"
    if not blocks:
        return
    first, last = blocks[0], blocks[-1]
    if _are_apart(run.started_at, first.created_at):
        yield f"run {run.run_id} started at {run.started_at}; its first block was written at {first.created_at}"
    complete = run.finished_at is not None and (run.games_played == run.games_wanted or last.kind == RUIN.name)
    if complete and _are_apart(run.finished_at or "", last.created_at):
        yield f"run {run.run_id} finished at {run.finished_at}; its last block was written at {last.created_at}"


def _read(text: str) -> datetime | None:
    """Return a time as the database keeps it; None if the text is none.

    >>> _read("2025-01-31T23:59:59Z").day, _read("2025-02-31T23:59:59Z"), _read("2025-1-31T23:59:59Z")
    (31, None, None)
    """
    try:
        return datetime.fromisoformat(text) if TIME.fullmatch(text) else None
    except ValueError:  # the 31st of February
        return None


def _are_apart(first: str, second: str) -> bool:
    """Say whether two times are of different moments; invalid times are reported elsewhere."""
    a, b = _read(first), _read(second)
    return a is not None and b is not None and abs((a - b).total_seconds()) > ONE_MOMENT
