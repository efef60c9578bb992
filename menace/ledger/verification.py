"""Verifying a database: replaying its log, and comparing the result with its tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from menace.arena.play_loop import Arena
from menace.errors import InvalidGame, InvalidRun, StoreError, VerificationFailed
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.ledger.block_types import RUIN, block_type
from menace.ledger.learners import Machines, learned_rows, load_machine
from menace.ledger.log_checks import wrong_learners, wrong_orders, wrong_sessions, wrong_times
from menace.ledger.log_reader import Log, by_number, needed_for, read_log
from menace.ledger.marks import evaluation_rows
from menace.ledger.replay import ReplayStep, fresh_machines, replay, wrong_block, wrong_runs
from menace.ledger.store import NUMBER_MOST, VERIFY_SAYS_MORE, EvaluationRow, Store
from menace.ledger.stored_policies import restore_policies
from menace.ledger.stored_positions import ROWS_AT_ONCE, move_name_rows, position_rows
from menace.ledger.stored_rules import rules_of
from menace.wording import counted

STRENGTH_TOLERANCE = 1e-9  # numpy may add in another order on another machine


@dataclass(frozen=True)
class Verified:
    """What `verify` has checked.

    >>> verify(store)
    Verified(blocks=8, games=100, learners=2)
    """

    blocks: int
    games: int
    learners: int


def verify(store: Store, since: int | None = None) -> Verified:
    """Replay the log from fresh learners, and compare every learned table, count and strength.

    The database is copied in one short moment; others may write while the copy is read, and the log replayed.

    Args:
        store: the database.
        since: None or 0 for everything; else check only the blocks after this one, and the learners that they taught;
            earlier blocks are replayed as far as those learners need them.

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
        _raise_first(copy, copy.damage())  # damage to the file itself may prevent reading the rest
        restore_policies(copy, positions)
        log, evaluations = read_log(copy), by_number(copy.evaluations(), "block_id")
        if since is not None and since not in {block.block_id for block in log.blocks}:
            raise InvalidRun(f"there is no block {since}; `menace query blocks` lists them")
        stored = {row.learner_id: load_machine(copy, positions, row) for row in log.learners.values()}
        differences = [*_wrong_rules(positions, copy), *_foreign_rows(stored, copy.learned_row_counts())]
    checked = [block for block in log.blocks if since is None or block.block_id > since]
    rebuilt = fresh_machines(log, arena, _learners_to_check(log, since))
    differences += [*wrong_runs(log), *wrong_learners(log, rebuilt.keys())]
    for block in checked:
        differences += wrong_block(log, block)
    steps = (step for step in replay(arena, log, rebuilt) if since is None or step.block.block_id > since)
    differences += _wrong_steps(steps, rebuilt, evaluations)
    for learner_id, machine in rebuilt.items():
        differences += _differences(machine, stored[learner_id])
    if since is None:
        differences += [*_wrong_counts(log), *wrong_orders(log), *wrong_sessions(arena, log), *wrong_times(log)]
    _raise_first(store, differences)
    return Verified(len(checked), sum(block.games for block in checked), len(rebuilt))


def _raise_first(store: Store, differences: list[str]) -> None:
    """Raise VerificationFailed with the first difference, if there is any."""
    if differences:
        rest = f" ({counted(len(differences) - 1, 'more difference')})" if len(differences) > 1 else ""
        raise VerificationFailed(f"{store.path}: {differences[0]}{rest}; go back to a backup of it")


def _positions(store: Store) -> Positions:
    """Enumerate the game, up to the number of positions in the file: the game that it names may have been edited."""
    rules = rules_of(store)
    try:
        return enumerate_positions(rules.game, rules.symmetry, limit=max(store.position_count(), 1))
    except InvalidGame:
        raise VerificationFailed(
            f"{store.path} has fewer positions than {rules.title}; go back to a backup of it"
        ) from None


def _foreign_rows(machines: Mapping[int, Machine], row_counts: Mapping[str, Mapping[int, int]]) -> Iterator[str]:
    """Yield the tables that hold rows of learners whose rows belong in another table."""
    right: dict[tuple[str, int], int] = {
        (machine.algorithm.stored_as, learner_id): int(machine.learned.kept.sum())
        for learner_id, machine in machines.items()
    }
    for table, counts in row_counts.items():
        for learner_id, rows in counts.items():
            if rows != right.get((table, learner_id)):
                yield f"{table} holds {counted(rows, 'row')} of learner {learner_id} that it should not have"


def _wrong_rules(positions: Positions, copy: Store) -> Iterator[str]:
    """Yield the positions that are not, or whose moves are not, as the rules of the game give them."""
    right = [iter(rows) for rows in position_rows(positions)]
    for start in range(0, len(positions), ROWS_AT_ONCE):
        stop = min(start + ROWS_AT_ONCE, len(positions))
        # The first and the last span include rows with ids that should not exist.
        span = (start or -NUMBER_MOST - 1, stop - 1 if stop < len(positions) else NUMBER_MOST)
        counts = (stop - start, int(positions.first_move[stop] - positions.first_move[start]))
        for table, rows, count in zip(("position", "move"), right, counts, strict=True):
            expected = set(itertools.islice(rows, count))
            what = "position {} is" if table == "position" else "the moves of position {} are"
            stored = set(copy.table_rows(table, *span))  # type: ignore[arg-type]
            for position_id in sorted({row[0] for row in expected ^ stored}):
                yield f"{what.format(position_id)} not what the rules give"
    if set(move_name_rows(positions)) != set(copy.move_names()):
        yield "the names of the moves are not what the rules give"


def _learners_to_check(log: Log, since: int | None) -> set[int]:
    """Return the learners taught after block `since`, with all who played in a block that taught one of them."""
    if since is None:
        return set(log.learners)
    runs = {block.run_id for block in log.blocks if block.block_id > since}
    return needed_for(log, {learner_id for run_id in runs for learner_id in log.runs[run_id].taught})


def _wrong_steps(
    steps: Iterator[ReplayStep], machines: Machines, evaluations: dict[int, list[EvaluationRow]]
) -> Iterator[str]:
    """Yield where blocks differ from their games, and strengths after them that differ from the replay's."""
    for step in steps:
        yield from step.wrong
        block_id, taught = step.block.block_id, step.run.taught if _is_measured(step) else ()
        expected = [row for number in taught for row in evaluation_rows(block_id, machines[number])]
        yield from _wrong_strengths(expected, evaluations.get(block_id, []), machines)


def _is_measured(step: ReplayStep) -> bool:
    total = step.games_before + step.block.games
    marked = total in {0, step.run.games_wanted} or step.run.options.marks.next(total - 1) == total
    return {"never": False, "marks": marked, "each": True}[block_type(step.block).measured]


def _wrong_strengths(expected: list[EvaluationRow], stored: list[EvaluationRow], machines: Machines) -> Iterator[str]:
    """Yield the strengths after a block that differ from the replay's, or should not be there."""
    right, actual = ({(row.learner_id, row.policy, row.opponent): row for row in rows} for rows in (expected, stored))
    for key in sorted(right.keys() | actual.keys()):
        if key not in right or key not in actual or not _same_strength(right[key], actual[key]):
            name = machines[key[0]].name if key[0] in machines else f"number {key[0]}"
            block_id = (expected or stored)[0].block_id
            yield f"the strength of {name} against {key[2]} after block {block_id} is not what the log gives"


def _same_strength(first: EvaluationRow, second: EvaluationRow) -> bool:
    shares = zip(first[5:], second[5:], strict=True)
    return first.learner_games == second.learner_games and all(abs(a - b) <= STRENGTH_TOLERANCE for a, b in shares)


def _differences(rebuilt: Machine, stored: Machine) -> Iterator[str]:
    name = stored.name
    if rebuilt.learned.games != stored.learned.games:
        yield f"machine {name} has {counted(stored.learned.games, 'game')}; the log has {rebuilt.learned.games:,}"
    expected, actual = rebuilt.learned, stored.learned
    if not np.array_equal(expected.state, actual.state, equal_nan=True):
        yield f"machine {name}: its epsilon or its mean of outcomes does not agree with the log"
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
    """Return the amount in a row of what is learned; of two values their mean, and how far each is from it."""
    halves = [] if len(row) < len(("position", "action", "half", "value", "updates")) else [row[2]]
    return f"{row[-2]:,}" + "".join(f" ± {half}" for half in halves if half is not None)


def _wrong_counts(log: Log) -> Iterator[str]:
    """Yield runs whose blocks do not add up: their games, or the random numbers used before each block."""
    blocks = by_number(log.blocks, "run_id")
    for run in log.runs.values():
        games = numbers = 0
        of_run = blocks.get(run.run_id, [])
        for block in of_run:
            if block.numbers_before != numbers:
                yield f"block {block.block_id} begins at number {block.numbers_before:,}, not at {numbers:,}"
            games, numbers = games + block.games, numbers + block.numbers
        if games != run.games_played:
            yield f"run {run.run_id} has {counted(run.games_played, 'game')}; its blocks have {games:,}"
        if not any(block.games == 0 and block.kind != RUIN.name for block in of_run):
            yield f"run {run.run_id} has lost the block that it began with"
