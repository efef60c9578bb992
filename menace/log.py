"""The log of blocks, and what it teaches: learners are rebuilt from it as they were after any block.

Games by machines are played again from their numbers, games with people from their record; adjustments are made as
they were written.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from menace.arena import (
    HUMAN,
    NOBODY,
    Arena,
    Machines,
    copied_from,
    is_physical,
    learners_of,
    machine_side,
    options_of,
    taught_by,
)
from menace.chance import Numbers
from menace.database import game_of, symmetry_of
from menace.errors import IllegalMove
from menace.games.base import Game
from menace.machines import Machine, fresh_machine
from menace.phases import from_options, phase_at
from menace.players import is_fixed
from menace.positions import SymmetryUse
from menace.recording import RecordedGame, boards_of, learn_from, moves_on_table
from menace.store import AdjustmentRow, BlockRow, GameRow, LearnerRow, RunRow, Store


@dataclass(frozen=True)
class Log:
    """The log as the database held it at one moment.

    Attributes:
        runs: by number.
        blocks: in their order.
        games: recorded games, by block.
        adjustments: piles that people counted anew, by block.
        learners: by number.
    """

    game: Game
    symmetry: SymmetryUse
    runs: dict[int, RunRow]
    blocks: list[BlockRow]
    games: dict[int, list[GameRow]]
    adjustments: dict[int, list[AdjustmentRow]]
    learners: dict[int, LearnerRow]


@dataclass(frozen=True)
class Step:
    """A block, replayed.

    Attributes:
        games_before: of the run, before the block.
        wrong: what the block says, and its games do not.
    """

    run: RunRow
    block: BlockRow
    games_before: int
    wrong: list[str]


def read_log(store: Store) -> Log:
    """Read the log. Within a snapshot or a transaction, if what else is read is to fit it."""
    games: dict[int, list[GameRow]] = {}
    for game in store.games():
        games.setdefault(game.block_id, []).append(game)
    adjustments: dict[int, list[AdjustmentRow]] = {}
    for adjustment in store.adjustments():
        adjustments.setdefault(adjustment.block_id, []).append(adjustment)
    return Log(
        game=game_of(store),
        symmetry=symmetry_of(store),
        runs={run.run_id: run for run in store.runs()},
        blocks=store.blocks(),
        games=games,
        adjustments=adjustments,
        learners={row.learner_id: row for row in store.learners()},
    )


def needed_for(log: Log, learner_ids: Iterable[int]) -> set[int]:
    """Return these learners with all who played in a run that taught one of them: whom a replay needs."""
    needed = set(learner_ids)
    while True:
        more = {i for run in log.runs.values() if set(taught_by(run)) & needed for i in learners_of(run)}
        if more <= needed:
            return needed
        needed |= more


def fresh_machines(log: Log, arena: Arena, learner_ids: Iterable[int]) -> dict[int, Machine]:
    """Return learners as they were before their first game, by number."""
    return {i: fresh_machine(arena.table, log.learners[i]) for i in sorted(learner_ids)}


def replay(arena: Arena, log: Log, machines: Machines) -> Iterator[Step]:
    """Let machines, fresh ones, learn what the log taught them, and yield each block that did, when it has.

    `machines` must hold all whom `needed_for` names; they change from step to step.
    """
    played: Counter[int] = Counter()
    for block in log.blocks:
        run = log.runs[block.run_id]
        if set(taught_by(run)) & machines.keys():
            wrong = list(_replay_block(arena, log, run, played[run.run_id], block, machines))
            yield Step(run, block, played[run.run_id], wrong)
        played[run.run_id] += block.games


def _replay_block(
    arena: Arena, log: Log, run: RunRow, games: int, block: BlockRow, machines: Machines
) -> Iterator[str]:
    """Let machines learn what a block taught them, after `games` of its run; yield what the block says otherwise."""
    if run.kind == "copy":
        (copy,), origin = taught_by(run), copied_from(run)
        machines[copy].learned = machines[origin or 0].learned.copy()
    elif block.kind == "adjustment":
        yield from _adjust(arena, log, block, machines)
    elif block.kind == "human":
        for recorded, path in _recorded_games(arena, log, run, block):
            for learner_id in taught_by(run):
                learn_from(arena, machines[learner_id], path, recorded)
    else:
        yield from _play_again(arena, run, games, block, machines)


def _play_again(arena: Arena, run: RunRow, games: int, block: BlockRow, machines: Machines) -> Iterator[str]:
    _, epsilon = phase_at(from_options(run.options), games)
    numbers = Numbers(run.seed, block.numbers_before)
    played = arena.play(*arena.players(run, machines, epsilon), numbers, block.games, math.inf)
    for learner_id in taught_by(run):
        machines[learner_id].learned.games += played.games
    if (played.numbers, played.outcomes) != (block.numbers, (block.x_wins, block.draws, block.o_wins)):
        yield (
            f"block {block.block_id} says {block.numbers:,} numbers, {block.x_wins:,} wins of X, {block.draws:,} draws"
            f" and {block.o_wins:,} wins of O; its games give {played.numbers:,} and {played.outcomes}"
        )


def _adjust(arena: Arena, log: Log, block: BlockRow, machines: Machines) -> Iterator[str]:
    for row in log.adjustments.get(block.block_id, []):
        learned = machines[row.learner_id].learned
        move = arena.table.move_of(row.position_id, row.action)
        if learned.amount[move] != row.beads_before:
            yield (
                f"block {block.block_id} says that position {row.position_id}, action {row.action} had"
                f" {row.beads_before} beads; the log gives {int(learned.amount[move])}"
            )
        learned.amount[move] = row.beads_after


def _recorded_games(
    arena: Arena, log: Log, run: RunRow, block: BlockRow
) -> Iterator[tuple[RecordedGame, list[tuple[int, int]]]]:
    for row in log.games.get(block.block_id, []):
        recorded = RecordedGame.from_row(row)
        if not wrong_record(log, run, recorded):
            yield recorded, moves_on_table(log.game, log.symmetry, arena.table, recorded.actions)


def wrong_record(log: Log, run: RunRow, recorded: RecordedGame) -> str | None:
    """Return how a recorded game breaks the rules, or None."""
    try:
        boards_of(log.game, recorded)
    except IllegalMove as error:
        return str(error)
    if recorded.ended_by == "resignation" and len(recorded.actions) % 2 != machine_side(run):
        return "a person does not resign"
    person = 1 - machine_side(run)
    if any(recorded.explored[person::2]) or not all(recorded.learned[person::2]):
        return "a person's moves are neither explored nor passed over"
    return None


KIND_OF_BLOCKS = {"selfplay": "games", "train": "games", "copy": "adjustment", "play": "human", "recount": "adjustment"}
OPTIONS = {"selfplay": {"phases"}, "train": {"phases"}, "copy": {"copied_from"}, "play": {"physical"}, "recount": set()}


def wrong_runs(log: Log) -> Iterator[str]:
    """Yield the runs whose kind, seats and options do not fit each other."""
    for run in log.runs.values():
        seats = ((run.x_player, run.x_learner_id), (run.o_player, run.o_learner_id))
        people = [text for text, learner_id in seats if learner_id is None and not is_fixed(text)]
        alone = run.kind in {"copy", "recount"}
        expected = [NOBODY] if alone else [HUMAN] if run.kind == "play" else []
        if people != expected:
            yield f"run {run.run_id} of kind {run.kind} has not the players that it should have"
        if set(options_of(run)) - OPTIONS[run.kind] or (alone and run.seed):
            yield f"run {run.run_id} of kind {run.kind} has options or a seed that it should not have"
        if run.games_wanted != run.games_played and (alone or run.kind == "play"):
            yield f"run {run.run_id} wants {run.games_wanted:,} games, and ended with {run.games_played:,}"


def wrong_records(log: Log, block: BlockRow) -> Iterator[str]:
    """Yield what a block says and its recorded games or adjustments do not, or the other way round."""
    kind = KIND_OF_BLOCKS[log.runs[block.run_id].kind]
    if block.kind != kind:
        yield f"block {block.block_id} is of kind {block.kind}; those of its run are of kind {kind}"
    if block.kind != "human" and block.block_id in log.games:
        yield f"block {block.block_id} is of no person's games, and has recorded ones"
    if block.kind != "adjustment" and block.block_id in log.adjustments:
        yield f"block {block.block_id} is of no recount, and has adjustments"
    if block.kind == "adjustment" and block.numbers:
        yield f"block {block.block_id} is a recount, and says that it used {block.numbers:,} numbers"
    if block.kind == "human":
        yield from _wrong_games(log, block)


def _wrong_games(log: Log, block: BlockRow) -> Iterator[str]:
    run, rows = log.runs[block.run_id], log.games.get(block.block_id, [])
    records = [RecordedGame.from_row(row) for row in rows]
    for row, recorded in zip(rows, records, strict=True):
        wrong = wrong_record(log, run, recorded)
        if wrong is None and recorded.columns() != {key: getattr(row, key) for key in recorded.columns()}:
            wrong = "it is not written as menace writes it"
        if wrong is not None:
            yield f"recorded game {row.game_id}: {wrong}"
    outcomes = Counter(recorded.outcome for recorded in records)
    said = (block.games, block.x_wins, block.draws, block.o_wins)
    found = (len(records), outcomes["X"], outcomes["draw"], outcomes["O"])
    if said != found or [row.number for row in rows] != list(range(1, len(rows) + 1)):
        yield f"block {block.block_id} says games, wins of X, draws and wins of O {said}; its records give {found}"
    numbers = sum(len(range(machine_side(run), len(recorded.actions), 2)) for recorded in records)
    if not block.numbers <= numbers or (block.numbers < numbers and not is_physical(run)):  # there beads say the moves
        yield f"block {block.block_id} says {block.numbers} numbers; its records give {numbers}"
