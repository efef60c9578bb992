"""Verify a database by replaying its log and comparing the result with the tables."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

import numpy as np

from menace import __version__
from menace.arena.play import Arena, pick_uniformly, raw_numbers
from menace.errors import InvalidGame, InvalidRun, InvalidSetting, StoreError, UnknownPreset, VerificationFailed
from menace.games.base import cell_count
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.kernel import loop as kernel
from menace.learners.machine import Machine
from menace.learners.registry import LEARNERS, get_preset
from menace.learners.settings import from_json
from menace.ledger.learners import Machines, learned_rows, load_machine
from menace.ledger.log import blocks
from menace.ledger.log.recorded_game import RecordedGame, boards_of
from menace.ledger.log.replay import ReplayStep, fresh_machines, replay, wrong_block, wrong_runs
from menace.ledger.positions import ROWS_AT_ONCE, move_name_rows, position_rows, restore_policies
from menace.ledger.rules import rules_of
from menace.ledger.store import HUMAN, MAX_NUMBER, VERIFY_SAYS_MORE, BlockRow, EvaluationRow, LearnerRow, Run, Store
from menace.ledger.training import evaluation_rows
from menace.text.bead_colours import check_naming
from menace.text.wording import counted

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
# a version number in the form of PEP 440
VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){1,3}((a|b|rc|\.post|\.dev)\d{1,6})*", re.ASCII)
TRANSACTION_SECONDS = 60.0  # maximum difference in seconds between times written by the same transaction


def wrong_learners(log: blocks.Log, learner_ids: Iterable[int]) -> Iterator[str]:
    """Yield descriptions of learners that do not match their preset, their settings or, for copies, their original.

    >>> from menace.ledger.log.blocks import read_log
    >>> log = read_log(store)
    >>> log.learners[1] = log.learners[1]._replace(preset="zhang")
    >>> list(wrong_learners(log, log.learners))
    ['machine menace-x: its algorithm is menace; preset zhang uses td']
    """
    for learner_id in sorted(learner_ids):
        row = log.learners[learner_id]
        if (wrong := _wrong_preset(row) or _wrong_naming(log, row)) is not None:
            yield f"machine {row.name}: {wrong}"
        if from_json(LEARNERS[row.algorithm].settings, row.settings).needs_seed == (row.seed is None):
            seed = "no seed" if row.seed is None else "a seed"
            yield f"machine {row.name} has {seed}, which contradicts its settings"
    for run in log.runs.values():
        copies = [log.learners[learner_id] for learner_id in run.taught if learner_id in learner_ids]
        origin = log.learners.get(run.options.copied_from or 0)
        if run.kind == blocks.COPY.name and origin is not None:
            yield from (
                f"machine {copy.name} is a copy of {origin.name}, but its side, preset, seed, colours or other settings"
                " differ"
                for copy in copies
                if _creation_columns(copy) != _creation_columns(origin)
            )


def _wrong_preset(row: LearnerRow) -> str | None:
    """Return the reason why a learner cannot have been created from its preset, or None. Any setting may differ."""
    try:
        preset = get_preset(row.preset)
    except UnknownPreset as error:
        return str(error)
    if preset.algorithm != row.algorithm:
        return f"its algorithm is {row.algorithm}; preset {row.preset} uses {preset.algorithm}"
    if row.plays not in preset.plays:
        return f"it plays {row.plays}; preset {row.preset} plays {' or '.join(preset.plays)}"
    return None


def _wrong_naming(log: blocks.Log, row: LearnerRow) -> str | None:
    """Return the reason why the naming schemes of a learner are invalid, or None."""
    try:
        check_naming(log.rules.title, cell_count(log.rules.game), row.naming)
    except InvalidSetting as error:
        return str(error)
    return None


def _creation_columns(row: LearnerRow) -> tuple[object, ...]:
    return row.plays, row.algorithm, row.revision, row.preset, row.settings, row.seed, row.naming


def wrong_orders(log: blocks.Log) -> Iterator[str]:
    """Yield descriptions of runs with an invalid version or number of games.

    >>> from menace.ledger.log.blocks import read_log
    >>> log = read_log(store)
    >>> log.runs[1] = log.runs[1]._replace(version="99.0")
    >>> print(*wrong_orders(log))  # doctest: +ELLIPSIS
    run 1 was started by menace 99.0, which is newer than ...
    """
    for run in log.runs.values():
        if not VERSION.fullmatch(run.version):
            yield f"run {run.run_id} was started by menace {run.version!r}, which is not a version number"
        elif _release(run.version) > _release(__version__):
            yield (
                f"run {run.run_id} was started by menace {run.version}, which is newer than this version "
                f"({__version__})"
            )
        if blocks.run_type(run).ordered and not run.games_wanted:
            yield f"run {run.run_id} of kind {run.kind} orders no games"


def _release(version: str) -> tuple[int, ...]:
    """Return the sort key of a version, which ignores suffixes such as `.dev3`.

    >>> _release("0.10.1.dev3") > _release("0.9"), _release("0.1.0") == _release("0.1")
    (True, True)
    """
    parts = [int(number) for number in re.findall(r"\d+", re.split(r"a|b|rc|\.post|\.dev", version)[0])]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def wrong_sessions(arena: Arena, log: blocks.Log) -> Iterator[str]:
    """Yield descriptions of recorded games whose machine moves do not follow from the session's seed.

    The seed determines every move of a fixed opponent. For a learner, only the choice among equivalent cells is
    checked, because the learner's state may have changed since the game began. The seed does not determine moves for
    which real beads were drawn.

    >>> from menace.ledger.log.blocks import read_log
    >>> from menace.ledger.positions import positions_of
    >>> list(wrong_sessions(Arena(positions_of(store)), read_log(store)))
    []
    """
    turns: Counter[int] = Counter()
    for block in log.blocks:
        run = log.runs[block.run_id]
        if run.kind != blocks.PLAY.name or run.options.physical:
            continue
        for row in log.games.get(block.block_id, []):
            recorded = RecordedGame.from_row(row)
            actions = recorded.actions[run.machine_side.number :: 2]
            is_wrong = blocks.wrong_record(log, run, recorded) is not None  # `wrong_block` reports invalid games
            if not is_wrong and actions != tuple(_moves_by_seed(arena, run, block, recorded, turns[run.run_id])):
                yield f"in recorded game {row.game_id}, the machine's moves do not follow from the seed of the run"
            turns[run.run_id] += len(actions)


def _moves_by_seed(arena: Arena, run: Run, block: BlockRow, recorded: RecordedGame, turn: int) -> Iterator[int]:
    """Yield the machine's actions as determined by its seed, starting at its move number `turn` in the session."""
    positions, side = arena.positions, run.machine_side.number
    fixed = [arena.fixed_player(text) for text in run.players_without_learners if text != HUMAN]
    boards, path = boards_of(positions.game, recorded), positions.path(recorded.actions)
    for used, ply in enumerate(range(side, len(recorded.actions), 2)):
        position, move = path[ply]
        for player in fixed:
            stream = raw_numbers(run.seed, block.numbers_before + used)
            move = kernel.make_move(arena.graph, player, arena.record, ply, position, stream)
        cells = positions.actions_for(boards[ply], int(positions.action[move]))
        yield cells[pick_uniformly(run.seed, turn + used, len(cells))]


def wrong_times(log: blocks.Log) -> Iterator[str]:
    """Yield descriptions of the log's missing, invalid or contradictory times.

    >>> from menace.ledger.log.blocks import read_log
    >>> log = read_log(store)
    >>> log.runs[1] = log.runs[1]._replace(finished_at=None)
    >>> list(wrong_times(log))
    ['run 1 has played all its games, but is not finished']
    """
    for subject, time in _times(log):
        if time is not None and _parse_time(time) is None:
            yield f"{subject} {time!r}, which is not in menace's time format"
    first: dict[int, BlockRow] = {}
    for block in log.blocks:
        first.setdefault(block.run_id, block)
    last = {block.run_id: block for block in log.blocks}
    for run in log.runs.values():
        if run.finished_at is None and run.games_played == run.games_wanted:
            yield f"run {run.run_id} has played all its games, but is not finished"
        if run.run_id in last:
            yield from _wrong_run_times(run, first[run.run_id], last[run.run_id])
        made = run.taught if run.kind in {blocks.COPY.name, blocks.IMPORT.name} else []
        for row in (log.learners[learner_id] for learner_id in made):
            if _are_apart(row.created_at, run.started_at):
                yield (
                    f"machine {row.name} was created at {row.created_at}, but its run {run.run_id} started at"
                    f" {run.started_at}"
                )


def _times(log: blocks.Log) -> Iterator[tuple[str, str | None]]:
    """Yield a description and the text of each time stored in the log."""
    for block in log.blocks:
        yield f"block {block.block_id} was written at", block.created_at
    for row in log.learners.values():
        yield f"machine {row.name} was created at", row.created_at
        yield f"machine {row.name} was deleted at", row.deleted_at
    for run in log.runs.values():
        yield f"run {run.run_id} has the time", run.started_at
        yield f"run {run.run_id} has the time", run.finished_at


def _wrong_run_times(run: Run, first: BlockRow, last: BlockRow) -> Iterator[str]:
    if _are_apart(run.started_at, first.created_at):
        yield f"run {run.run_id} started at {run.started_at}, but its first block was written at {first.created_at}"
    complete = run.finished_at is not None and (run.games_played == run.games_wanted or last.kind == blocks.RUIN.name)
    if complete and _are_apart(run.finished_at or "", last.created_at):
        yield f"run {run.run_id} finished at {run.finished_at}, but its last block was written at {last.created_at}"


def _parse_time(text: str) -> datetime | None:
    """Parse a time from the database, or return None if the text is not a valid time.

    >>> _parse_time("2025-01-31T23:59:59Z").day, _parse_time("2025-02-31T23:59:59Z"), _parse_time("2025-1-31T23:59:59Z")
    (31, None, None)
    """
    try:
        return datetime.fromisoformat(text) if TIME.fullmatch(text) else None
    except ValueError:  # an impossible date, such as 31 February
        return None


def _are_apart(first: str, second: str) -> bool:
    """Return whether two valid times are too far apart for one transaction."""
    a, b = _parse_time(first), _parse_time(second)
    return a is not None and b is not None and abs((a - b).total_seconds()) > TRANSACTION_SECONDS


NO_MORE: tuple[float, list[EvaluationRow]] = (math.inf, [])  # marks the end of the stored strengths
STRENGTH_TOLERANCE = 1e-9  # numpy may add numbers in a different order on another computer


@dataclass(frozen=True)
class Verified:
    """The number of blocks, games and learners that `verify` checked.

    >>> verify(store)
    Verified(blocks=8, games=100, learners=2)
    """

    blocks: int
    games: int
    learners: int


def verify(store: Store, since: int | None = None) -> Verified:
    """Replay the log from untrained learners, and compare the result with all stored values, counts and strengths.

    The database is copied in one quick step, so other processes may write while the copy is read and the log is
    replayed.

    Args:
        store: the database.
        since: the id of a block. Only later blocks, and the learners that they trained, are checked. Earlier blocks are
            replayed if those learners need them. None or 0 checks everything.

    Raises:
        VerificationFailed: if there is any difference. The message describes the first one.

    >>> verify(store, since=store.blocks()[-2].block_id)  # the last 50 games
    Verified(blocks=1, games=50, learners=2)
    """
    try:
        return _verify(store, since or None)
    except StoreError as error:
        if type(error) is not StoreError:
            raise
        raise VerificationFailed(str(error).replace(VERIFY_SAYS_MORE, "")) from None


def _verify(store: Store, since: int | None) -> Verified:
    positions = _positions(store)
    arena = Arena(positions)
    with store.copied() as copy:
        _raise_first(copy, copy.damage())  # check the file itself first, because damage may make the rest unreadable
        restore_policies(copy, positions)
        log = blocks.read_log(copy, blocks.StoredBlocks(copy))
        if since is not None and copy.block(since) is None:
            raise InvalidRun(f"there is no block {since}; `menace query blocks` lists all blocks")
        stored = {row.learner_id: load_machine(copy, positions, row) for row in log.learners.values()}
        differences = [*_wrong_rules(positions, copy), *_foreign_rows(stored, copy.learned_row_counts())]
        rebuilt = fresh_machines(log, arena, _learners_to_check(log, since))
        differences += [*wrong_runs(log), *wrong_learners(log, rebuilt.keys())]
        checked = games = 0
        for block in log.blocks:
            if since is None or block.block_id > since:
                differences += wrong_block(log, block)
                checked, games = checked + 1, games + block.games
        steps = (step for step in replay(arena, log, rebuilt) if since is None or step.block.block_id > since)
        differences += _wrong_steps(steps, rebuilt, copy.each_evaluation())
        for learner_id, machine in rebuilt.items():
            differences += _differences(machine, stored[learner_id])
        if since is None:
            differences += [*_wrong_counts(log), *wrong_orders(log), *wrong_sessions(arena, log), *wrong_times(log)]
    _raise_first(store, differences)
    return Verified(checked, games, len(rebuilt))


def _raise_first(store: Store, differences: list[str]) -> None:
    """Raise VerificationFailed with a description of the first difference, if there is one."""
    if differences:
        rest = f" ({counted(len(differences) - 1, 'more difference')})" if len(differences) > 1 else ""
        raise VerificationFailed(f"{store.path}: {differences[0]}{rest}; restore a backup")


def _positions(store: Store) -> Positions:
    """Enumerate the game, but stop if it has more positions than the file, which means that the rules have changed."""
    rules = rules_of(store)
    try:
        return enumerate_positions(rules.game, rules.symmetry, limit=max(store.position_count(), 1))
    except InvalidGame:
        raise VerificationFailed(f"{store.path} has fewer positions than {rules.title}; restore a backup") from None


def _foreign_rows(machines: Mapping[int, Machine], row_counts: Mapping[str, Mapping[int, int]]) -> Iterator[str]:
    """Yield descriptions of tables that contain rows for the wrong learners."""
    right: dict[tuple[str, int], int] = {
        (machine.algorithm.stored_as, learner_id): int(machine.learned.kept.sum())
        for learner_id, machine in machines.items()
    }
    for table, counts in row_counts.items():
        for learner_id, rows in counts.items():
            if rows != right.get((table, learner_id)):
                expected = right.get((table, learner_id), 0)
                yield f"{table} contains {counted(rows, 'row')} for learner {learner_id}, but should contain {expected}"


def _wrong_rules(positions: Positions, copy: Store) -> Iterator[str]:
    """Yield descriptions of positions and moves that do not follow the rules of the game."""
    right = [iter(rows) for rows in position_rows(positions)]
    for start in range(0, len(positions), ROWS_AT_ONCE):
        stop = min(start + ROWS_AT_ONCE, len(positions))
        # The first and last ranges include rows with invalid ids.
        span = (start or -MAX_NUMBER - 1, stop - 1 if stop < len(positions) else MAX_NUMBER)
        counts = (stop - start, int(positions.first_move[stop] - positions.first_move[start]))
        for table, rows, count in zip(("position", "move"), right, counts, strict=True):
            expected = set(itertools.islice(rows, count))
            what = "position {} does" if table == "position" else "the moves of position {} do"
            stored = set(copy.table_rows(table, *span))  # type: ignore[arg-type]
            for position_id in sorted({row[0] for row in expected ^ stored}):
                yield f"{what.format(position_id)} not match the rules of the game"
    if set(move_name_rows(positions)) != set(copy.move_names()):
        yield "the names of the moves do not match the rules of the game"


def _learners_to_check(log: blocks.Log, since: int | None) -> set[int]:
    """Return the learners trained after block `since`, and all players in the blocks that trained any of them."""
    if since is None:
        return set(log.learners)
    runs = {block.run_id for block in log.blocks if block.block_id > since}
    return blocks.learners_needed_for(log, {learner_id for run_id in runs for learner_id in log.runs[run_id].taught})


def _wrong_steps(
    steps: Iterator[ReplayStep], machines: Machines, evaluations: Iterator[EvaluationRow]
) -> Iterator[str]:
    """Yield descriptions of blocks that differ from their games, and of strengths that differ from the replay.

    The function reads blocks and strengths in parallel, in log order. Reading a strength also checks its values.
    """
    groups = ((number, list(rows)) for number, rows in itertools.groupby(evaluations, attrgetter("block_id")))
    measured, stored = next(groups, NO_MORE)
    for step in steps:
        while measured < step.block.block_id:
            measured, stored = next(groups, NO_MORE)
        yield from step.wrong
        block_id, taught = step.block.block_id, step.run.taught if _is_measured(step) else ()
        expected = [row for number in taught for row in evaluation_rows(block_id, machines[number])]
        yield from _wrong_strengths(expected, stored if measured == block_id else [], machines)
    for _ in groups:
        pass


def _is_measured(step: ReplayStep) -> bool:
    total = step.games_before + step.block.games
    marked = total in {0, step.run.games_wanted} or step.run.options.marks.next(total - 1) == total
    return {"never": False, "marks": marked, "each": True}[blocks.block_type(step.block).measured]


def _wrong_strengths(expected: list[EvaluationRow], stored: list[EvaluationRow], machines: Machines) -> Iterator[str]:
    """Yield descriptions of a block's stored strengths that should not exist or differ from the replay."""
    right, actual = ({(row.learner_id, row.policy, row.opponent): row for row in rows} for rows in (expected, stored))
    for key in sorted(right.keys() | actual.keys()):
        if key not in right or key not in actual or not _same_strength(right[key], actual[key]):
            name = machines[key[0]].name if key[0] in machines else f"number {key[0]}"
            block_id = (expected or stored)[0].block_id
            yield f"the strength of {name} against {key[2]} after block {block_id} differs from the replay of the log"


def _same_strength(first: EvaluationRow, second: EvaluationRow) -> bool:
    shares = zip(first[5:], second[5:], strict=True)
    return first.learner_games == second.learner_games and all(abs(a - b) <= STRENGTH_TOLERANCE for a, b in shares)


def _differences(rebuilt: Machine, stored: Machine) -> Iterator[str]:
    name = stored.name
    if rebuilt.learned.games != stored.learned.games:
        yield f"machine {name} has {counted(stored.learned.games, 'game')}, but the log has {rebuilt.learned.games:,}"
    expected, actual = rebuilt.learned, stored.learned
    if not np.array_equal(expected.state, actual.state, equal_nan=True):
        yield f"the epsilon or the mean outcome of machine {name} differs from the log"
    wrong = np.flatnonzero(expected.differs(actual))
    rows = (learned_rows(machine, wrong) for machine in (rebuilt, stored))
    for right, stored_row in zip(*rows, strict=True):
        *key, _, count = stored_row
        place = f"position {key[0]}" + (f", action {key[1]}" if len(key) > 1 else "")
        what = "beads" if rebuilt.has_beads else "as its value"
        yield (
            f"machine {name}, {place}: {_amount_of(stored_row)} {what}, learned {counted(count, 'time')};"
            f" the log gives {_amount_of(right)}, learned {counted(right[-1], 'time')}"
        )


def _amount_of(row: tuple[Any, ...]) -> str:
    """Return the amount in a row of learned values as text; write two values as mean ± half their difference."""
    halves = [] if len(row) < len(("position", "action", "half", "value", "updates")) else [row[2]]
    return f"{row[-2]:,}" + "".join(f" ± {half}" for half in halves if half is not None)


def _wrong_counts(log: blocks.Log) -> Iterator[str]:
    """Yield descriptions of runs whose counts of games or random numbers differ from the sums over their blocks."""
    games, numbers = Counter[int](), Counter[int]()
    begun, wrong = set(), defaultdict[int, list[str]](list)
    for block in log.blocks:
        run_id, start, used = block.run_id, block.numbers_before, numbers[block.run_id]
        if start != used:
            wrong[run_id].append(f"block {block.block_id} begins at random number {start:,} instead of {used:,}")
        games[run_id] += block.games
        numbers[run_id] += block.numbers
        if block.games == 0 and block.kind != blocks.RUIN.name:
            begun.add(run_id)
    for run in log.runs.values():
        yield from wrong[run.run_id]
        if games[run.run_id] != run.games_played:
            in_blocks = f"{games[run.run_id]:,}"
            yield f"run {run.run_id} has {counted(run.games_played, 'game')}, but its blocks have {in_blocks}"
        if run.run_id not in begun:
            yield f"run {run.run_id} is missing its first block"
