"""Read the log of blocks in a consistent state, and define the types of runs and blocks."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from menace.arena.bead_distributions import is_ruined
from menace.arena.play import MAX_GAMES, Arena, Played, raw_numbers
from menace.arena.run_schedule import phase_at
from menace.errors import IllegalMove, InvalidRun, StoreError
from menace.games.base import Side
from menace.games.symmetry import SymmetricGame
from menace.learners.machine import Machine
from menace.learners.opponents.functions import tabulated_names
from menace.ledger.learners import Machines, players, restore
from menace.ledger.log.recorded_game import Change, RecordedGame, boards_of, change_row, changes, learn_from
from menace.ledger.rules import rules_of
from menace.ledger.store import VERIFY_SAYS_MORE, Store, damaged, records
from menace.text.wording import OUTCOMES, counted

MAX_BLOCK_GAMES = 1_000_000  # maximum number of games in a block, even if the next mark comes later
Row = TypeVar("Row")
Lessons: TypeAlias = defaultdict[int, dict[int, records.BlockRow]]  # by learner and block


@dataclass(frozen=True)
class StoredBlocks(Iterable[records.BlockRow]):
    """All blocks of a database in log order.

    Each iteration reads the blocks again, and keeps only a few of them in memory.
    """

    store: Store

    def __iter__(self) -> Iterator[records.BlockRow]:
        return self.store.each_block()


@dataclass(frozen=True)
class Log:
    """The contents of the log at one moment.

    Attributes:
        path: the path of the database, for use in messages.
        runs: the runs by id.
        blocks: the blocks in log order.
        games: the recorded games, by block.
        changes: the changes in machines caused by each recorded game, by game.
        adjustments: the piles that people recounted, by block.
        imported: the initial entries of imported learners, by block.
        learners: the learners by id.

    >>> log = read_log(store)
    >>> log.runs[1].games_played, [row.name for row in log.learners.values()], log.games, log.taken_back
    (100, ['menace-x', 'menace-o'], {}, {})
    """

    path: str
    rules: SymmetricGame
    runs: dict[int, records.Run]
    blocks: Iterable[records.BlockRow]
    games: dict[int, list[records.GameRow]]
    changes: dict[int, list[records.ChangeRow]]
    adjustments: dict[int, list[records.AdjustmentRow]]
    imported: dict[int, list[records.ImportedRow]]
    learners: dict[int, records.LearnerRow]

    @cached_property
    def taken_back(self) -> dict[int, int]:
        """A dictionary that maps each undone block to the block that undid it."""
        pairs = ((self.runs[block.run_id].options.takes_back, block.block_id) for block in self.blocks)
        return {target: block_id for target, block_id in pairs if target is not None}

    @cached_property
    def last_blocks(self) -> dict[int, int]:
        """The last block of each run that has blocks."""
        return {block.run_id: block.block_id for block in self.blocks}

    @cached_property
    def last_lessons(self) -> dict[tuple[int, int], records.BlockRow]:
        """The last lesson before each import of a learner and before each undo, keyed by the block and the learner.

        Only two kinds of lessons are kept in memory: lessons that a later block undoes, and the last of all other
        lessons.
        """
        undone = {run.options.takes_back for run in self.runs.values()}
        lessons: Lessons = defaultdict(dict)
        latest: dict[int, int] = {}
        last: dict[tuple[int, int], records.BlockRow] = {}
        for block in self.blocks:
            run = self.runs[block.run_id]
            for taught in run.taught:
                if run_type(run) in {IMPORT, FORGET} and lessons[taught]:
                    last[block.block_id, taught] = next(reversed(lessons[taught].values()))
                _add_lesson(self, lessons, taught, block)
                if block.block_id in lessons[taught] and block.block_id not in undone:
                    lessons[taught].pop(latest.get(taught, 0), None)
                    latest[taught] = block.block_id
        return last


def read_log(store: Store, blocks: Iterable[records.BlockRow] | None = None) -> Log:
    """Read the log.

    For consistency with other reads, call this function within a snapshot or a transaction.

    Args:
        store: the database.
        blocks: the blocks of the log; None reads all blocks into memory.

    Raises:
        StoreError: if the log cannot be replayed because it refers to missing rows or contains far too many games.

    >>> log = read_log(store)
    >>> sum(block.games for block in log.blocks), log.rules.title
    (100, 'tictactoe 3x3x3')
    """
    log = Log(
        path=store.path,
        rules=rules_of(store),
        runs={run.run_id: run for run in store.runs()},
        blocks=store.blocks() if blocks is None else blocks,
        games=by_number(store.games(), "block_id"),
        changes=by_number(store.changes(), "game_id"),
        adjustments=by_number(store.adjustments(), "block_id"),
        imported=by_number(store.imported(), "block_id"),
        learners={row.learner_id: row for row in store.learners_and_deleted()},
    )
    _check(log)
    _check_tables(log, {row.name: row.plays for row in store.policies()})
    return log


def _check_tables(log: Log, sides: Mapping[str, Side]) -> None:
    """Raise StoreError if a run has a player whose table is missing or stored for the other side."""
    for run in log.runs.values():
        for side, seat in zip(Side, run.seats, strict=True):
            for name in tabulated_names(seat.player) if seat.learner_id is None else ():
                if sides.get(name) != side:
                    raise _damaged(log.path, f"in run {run.run_id}, {name} plays {side}, but its table is missing")


def _check(log: Log) -> None:
    for run in log.runs.values():
        check_run(log.path, run, log.learners)
    played: Counter[int] = Counter()
    missing = set(log.games)
    for block in log.blocks:
        missing.discard(block.block_id)
        if block.run_id not in log.runs:
            raise _damaged(log.path, f"block {block.block_id} belongs to run {block.run_id}, which is missing")
        played[block.run_id] += block.games
        # A replay tolerates a few excess games, which `verify` reports.
        most = log.runs[block.run_id].games_wanted + MAX_BLOCK_GAMES
        if block.games > MAX_BLOCK_GAMES or played[block.run_id] > most:
            reason = f"block {block.block_id} has {counted(block.games, 'game')}, which is more than its run allows"
            raise _damaged(log.path, reason)
    for block_id in missing:
        raise _damaged(log.path, f"a recorded game belongs to block {block_id}, which is missing")


def _damaged(path: str, reason: str) -> StoreError:
    return damaged(path, reason, VERIFY_SAYS_MORE)


def check_run(path: str, run: records.Run, learners: Mapping[int, records.LearnerRow | Machine]) -> None:
    """Check that a run can be carried out or replayed.

    Args:
        path: the path of the database, for use in messages.
        run: the run as stored.
        learners: the learners by id, including those that play in the run.

    Raises:
        StoreError: if one of its learners is missing or plays the other side, or its games or options are invalid.

    >>> check_run(store.path, store.run(1), read_log(store).learners)
    >>> check_run("menace.db", store.run(1), {})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    menace.errors.StoreError: menace.db is damaged (run 1 needs learner 1 to play X; it is missing or plays O...
    """
    if not run.games_played <= run.games_wanted <= MAX_GAMES:
        raise _damaged(path, f"run {run.run_id} has {run.games_played:,} of {counted(run.games_wanted, 'game')}")
    for side, (_, learner_id, _) in zip(Side, run.seats, strict=True):
        if learner_id is not None and (learner_id not in learners or learners[learner_id].plays != side):
            reason = f"run {run.run_id} needs learner {learner_id} to play {side}; it is missing or plays {side.other}"
            raise _damaged(path, reason)
    if run.options.copied_from not in {None, *learners}:
        raise _damaged(path, f"run {run.run_id} copies learner {run.options.copied_from}, which is missing")
    try:
        run.options.marks.check(run.games_wanted)
    except InvalidRun as error:
        raise _damaged(path, f"run {run.run_id}: {error}") from None
    phases = run.options.phases
    if phases and sum(phase.games for phase in phases) != run.games_wanted:
        raise _damaged(path, f"run {run.run_id} has phases that do not cover its {counted(run.games_wanted, 'game')}")


def by_number(rows: Iterable[Row], column: str) -> dict[int, list[Row]]:
    """Group rows by a column such as `run_id`.

    >>> [len(blocks) for blocks in by_number(store.blocks(), "run_id").values()]
    [8]
    """
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(getattr(row, column), []).append(row)
    return groups


def list_lessons(log: Log, learner_id: int) -> list[records.BlockRow]:
    """Return the blocks that trained a learner, oldest first, excluding undone blocks.

    If the learner is a copy, the blocks of its original come first, followed by the block that created the copy.

    >>> [block.block_id for block in list_lessons(read_log(store), 1)]  # block 1 has no games
    [2, 3, 4, 5, 6, 7, 8]
    """
    lessons: Lessons = defaultdict(dict)
    for block in log.blocks:
        for taught in log.runs[block.run_id].taught:
            _add_lesson(log, lessons, taught, block)
    return list(lessons[learner_id].values())


def _add_lesson(log: Log, lessons: Lessons, taught: int, block: records.BlockRow) -> None:
    """Record a block as a lesson for the learner `taught`, or remove the lesson that the block undoes."""
    options = log.runs[block.run_id].options
    if options.takes_back is not None:
        lessons[taught].pop(options.takes_back, None)
    elif options.copied_from is not None:
        lessons[taught] = {**lessons[options.copied_from], block.block_id: block}
    elif block.games or options.imported is not None or block.block_id in log.adjustments:
        lessons[taught][block.block_id] = block


def learners_needed_for(log: Log, learner_ids: Iterable[int]) -> set[int]:
    """Return the ids of all learners that a replay needs, including other players in runs that trained `learner_ids`.

    >>> learners_needed_for(read_log(store), [1])  # learner 1 learned from games against learner 2
    {1, 2}
    """
    needed = set(learner_ids)
    while True:
        players = {i for run in log.runs.values() if set(run.taught) & needed for i in run.learner_ids}
        if players <= needed:
            return needed
        needed |= players


@dataclass(frozen=True)
class BlockType:
    """A type of block.

    Attributes:
        name: the value of `block.kind` in the database.
        replay: a function that trains the machines on the block, and yields descriptions of differences between the
            block and its games. Its arguments are the arena, log, run, number of earlier games in the run, block and
            machines.
        check: a function that checks the block and its records without a replay, and yields descriptions of errors. Its
            arguments are the log, run and block.
        measured: whether strengths are written at the run's `marks`, after `each` block, or `never`.
        words: a description with placeholders for the run, its kind, its games, the recorded game and the earlier
            block.
        by_people: whether people create such blocks and can undo them.

    >>> GAMES.measured, PERSON.measured, COPIED.measured
    ('marks', 'each', 'never')
    """

    name: str
    replay: Callable[[Arena, Log, records.Run, int, records.BlockRow, Machines], Iterator[str]]
    check: Callable[[Log, records.Run, records.BlockRow], Iterator[str]]
    measured: Literal["marks", "each", "never"]
    words: str
    by_people: bool = False


@dataclass(frozen=True)
class RunType:
    """A type of run.

    Attributes:
        name: the value of `run.kind` in the database.
        blocks: the type of the run's blocks.
        options: the options that the run may have.
        opponent: the learner's opponent, which is `human`, `nobody`, or None for a fixed opponent or another learner.
        plays: whether the run uses random numbers from its seed to play games.
        ordered: whether the number of games is set in advance, so that the run can be interrupted and resumed.
        ends: the type of block that can end the run before all its games are played.

    >>> [(kind.name, kind.plays, kind.opponent) for kind in (SELFPLAY, PLAY, RECOUNT)]
    [('selfplay', True, None), ('play', True, 'human'), ('recount', False, 'nobody')]
    """

    name: str
    blocks: BlockType
    options: frozenset[str]
    opponent: str | None
    plays: bool
    ordered: bool
    ends: BlockType | None = None


# The following functions replay games between machines from their random numbers.


def replayed_games(
    arena: Arena, run: records.Run, games: int, block: records.BlockRow, machines: Machines, most: Callable[[], int]
) -> Iterator[Played]:
    """Replay the games of a block from their random numbers, and yield the results of at most `most()` games at a time.

    Learning does not depend on where blocks end, so the games can be replayed in parts of any size.
    """
    _, epsilon = phase_at(run.options.phases, games)
    stream, (x, o) = raw_numbers(run.seed, block.numbers_before), players(arena, run, machines, epsilon, games)
    left = block.games
    while left > 0:
        played = arena.play(x, o, stream, min(most(), left), math.inf)
        left -= played.games
        for learner_id in run.taught:
            machines[learner_id].learned.games += played.games
        yield played


def _replay_games(
    arena: Arena, _log: Log, run: records.Run, games: int, block: records.BlockRow, machines: Machines
) -> Iterator[str]:
    played = next(replayed_games(arena, run, games, block, machines, lambda: block.games), Played(0, 0, (0, 0, 0)))
    if (played.numbers, played.outcomes) != (block.numbers, (block.x_wins, block.draws, block.o_wins)):
        yield (
            f"block {block.block_id} says {counted(block.numbers, 'number')}, {counted(block.x_wins, 'win')} of X,"
            f" {counted(block.draws, 'draw')} and {counted(block.o_wins, 'win')} of O;"
            f" its games give {played.numbers:,} and {played.outcomes}"
        )


# The following functions replay games with people from their records.


def recorded_lessons(
    arena: Arena, log: Log, run: records.Run, block: records.BlockRow, machines: Machines
) -> Iterator[tuple[int, tuple[Change, ...]]]:
    """Let machines learn from a block's recorded games, and yield each game's id and the changes that it caused."""
    for row in log.games.get(block.block_id, []):
        recorded = RecordedGame.from_row(row)
        if wrong_record(log, run, recorded):
            continue
        path = arena.positions.path(recorded.actions)
        changed: tuple[Change, ...] = ()
        for learner_id in run.taught:
            machine = machines[learner_id]
            before = machine.copy()
            learn_from(machine, path, recorded)
            changed += changes(arena, before, machine, recorded)
        yield row.game_id, changed


def _replay_record(
    arena: Arena, log: Log, run: records.Run, _games: int, block: records.BlockRow, machines: Machines
) -> Iterator[str]:
    for game_id, changed in recorded_lessons(arena, log, run, block, machines):
        expected = {change_row(game_id, change) for change in changed}
        if expected != set(log.changes.get(game_id, [])):
            yield f"the stored changes of recorded game {game_id} differ from the changes that the game made"


def wrong_record(log: Log, run: records.Run, recorded: RecordedGame) -> str | None:
    """Return a description of how a recorded game breaks the rules, or None if it is valid.

    >>> from menace.ledger.log.blocks import read_log
    >>> run = store.run(1)._replace(kind="play", o_player=records.HUMAN)
    >>> recorded = RecordedGame((4, 4), (0, 0), (1, 1), "resignation", "O")
    >>> wrong_record(read_log(store), run, recorded)
    'cell 4 is not legal on ....X....; empty cells: 0, 1, 2, 3, 5, 6, 7, 8'
    """
    try:
        boards_of(log.rules.game, recorded)
    except IllegalMove as error:
        return str(error)
    if recorded.ended_by == "resignation" and not recorded.actions and run.machine_side is not Side.X:
        return "a person cannot resign before the first move"
    person = run.machine_side.other.number
    if any(recorded.explored[person::2]) or not all(recorded.learned[person::2]):
        return "a person's moves cannot be exploratory or excluded from learning"
    if any(recorded.explored) and run.options.greedy:
        return "a learner with a greedy policy cannot explore"
    return None


def _check_records(log: Log, run: records.Run, block: records.BlockRow) -> Iterator[str]:
    rows = log.games.get(block.block_id, [])
    played = [RecordedGame.from_row(row) for row in rows]
    for row, recorded in zip(rows, played, strict=True):
        wrong = wrong_record(log, run, recorded)
        if wrong is None and recorded.columns() != {key: getattr(row, key) for key in recorded.columns()}:
            wrong = "its columns differ from those that menace writes"
        if wrong is not None:
            yield f"recorded game {row.game_id}: {wrong}"
        if not run.taught and row.game_id in log.changes:
            yield f"recorded game {row.game_id} has changes, but no machine learned from it"
    outcomes = Counter(recorded.outcome for recorded in played)
    stated = (block.games, block.x_wins, block.draws, block.o_wins)
    actual = (len(played), outcomes["X"], outcomes["draw"], outcomes["O"])
    if stated != actual or [row.number for row in rows] != list(range(1, len(rows) + 1)):
        yield (
            f"the counts of block {block.block_id} (games, {', '.join(OUTCOMES)}) are {stated}, "
            f"but its records give {actual}"
        )
    numbers = sum(len(range(run.machine_side.number, len(recorded.actions), 2)) for recorded in played)
    beads_drawn = run.options.physical  # moves drawn from real beads use no random numbers
    if not block.numbers <= numbers or (block.numbers < numbers and not beads_drawn):
        yield f"block {block.block_id} has used {counted(block.numbers, 'number')}, but its records require {numbers}"


# The following functions replay blocks without games.


def _apply_copy(
    _arena: Arena, _log: Log, run: records.Run, _games: int, _block: records.BlockRow, machines: Machines
) -> Iterator[str]:
    (copy,), origin = run.taught, run.options.copied_from
    machines[copy].learned = machines[origin or 0].learned.copy()
    yield from ()


def _apply_import(
    _arena: Arena, log: Log, run: records.Run, _games: int, block: records.BlockRow, machines: Machines
) -> Iterator[str]:
    (learner_id,), imported = run.taught, run.options.imported
    machine = machines[learner_id]
    if imported is None:
        yield f"block {block.block_id} imports learner {learner_id}, but its run does not record the earlier games"
        return
    rows = [
        (
            row.position_id,
            *(() if row.action is None else (row.action,)),
            *((row.half_difference,) if machine.algorithm.values_moves or row.half_difference is not None else ()),
            row.amount,
            row.updates,
        )
        for row in log.imported.get(block.block_id, [])
    ]
    restore(machine, [rows] if rows else [], imported)


def _check_import(log: Log, run: records.Run, block: records.BlockRow) -> Iterator[str]:
    yield from _check_no_games(log, run, block)
    if {row.learner_id for row in log.imported.get(block.block_id, [])} - set(run.taught):
        yield f"block {block.block_id} contains entries of a learner that it does not import"
    for learner_id in run.taught:
        if (block.block_id, learner_id) in log.last_lessons:
            yield f"block {block.block_id} imports learner {learner_id}, which has earlier blocks"


def _set_counts(
    arena: Arena, log: Log, _run: records.Run, _games: int, block: records.BlockRow, machines: Machines
) -> Iterator[str]:
    for row in log.adjustments.get(block.block_id, []):
        learned = machines[row.learner_id].learned
        move = arena.positions.move_of(row.position_id, row.action)
        if learned.amount[move] != row.beads_before:
            yield (
                f"block {block.block_id} says that position {row.position_id}, action {row.action} had"
                f" {counted(row.beads_before, 'bead')}; the log gives {int(learned.amount[move])}"
            )
        learned.amount[move] = row.beads_after


def _check_no_games(_log: Log, run: records.Run, block: records.BlockRow) -> Iterator[str]:
    if block.numbers or block.games:
        yield (
            f"block {block.block_id} belongs to a {run.kind}, but says that it used {counted(block.numbers, 'number')}"
        )


def _take_back(
    _arena: Arena, _log: Log, run: records.Run, _games: int, block: records.BlockRow, machines: Machines
) -> Iterator[str]:
    (learner_id,), takes_back = run.taught, run.options.takes_back
    earlier = machines.earlier.get((learner_id, takes_back or 0))
    if earlier is None:
        subject = f"block {block.block_id} undoes block {takes_back}"
        yield f"{subject}, from which learner {learner_id} learned nothing"
    else:
        machines[learner_id].learned = earlier.copy()


def _check_forget(log: Log, run: records.Run, block: records.BlockRow) -> Iterator[str]:
    yield from _check_no_games(log, run, block)
    takes_back = run.options.takes_back
    for learner_id in run.taught:
        last = log.last_lessons.get((block.block_id, learner_id))
        if last is None or not block_type(last).by_people or last.block_id != takes_back:
            yield (
                f"block {block.block_id} undoes block {takes_back}, but a block can be undone only if a person "
                f"played it and it is the latest block that taught learner {learner_id}"
            )


# A run can end because a machine has no bead left for its first move.


def _check_ruin(
    _arena: Arena, _log: Log, run: records.Run, _games: int, block: records.BlockRow, machines: Machines
) -> Iterator[str]:
    if not any(is_ruined(machines[learner_id]) for learner_id in run.learner_ids):
        yield (
            f"block {block.block_id} ended run {run.run_id} because no bead was left for a first move, "
            "but the log shows that some beads were left"
        )


def _check_end(log: Log, run: records.Run, block: records.BlockRow) -> Iterator[str]:
    yield from _check_no_games(log, run, block)
    last = log.last_blocks[run.run_id]
    if run.finished_at is None or last != block.block_id or run.options.continue_when_ruined:
        yield f"run {run.run_id} ends with block {block.block_id}, but is not marked as ended"


GAMES = BlockType("games", _replay_games, lambda *_: iter(()), "marks", "{run}: {kind}, {games}")
PERSON = BlockType("human", _replay_record, _check_records, "each", "{recorded} with a person", by_people=True)
COPIED = BlockType("copy", _apply_copy, _check_no_games, "never", "{run}: copied")
IMPORTED = BlockType("import", _apply_import, _check_import, "each", "{run}: imported")
COUNTED = BlockType("recount", _set_counts, _check_no_games, "each", "{run}: beads counted again", by_people=True)
FORGOTTEN = BlockType("forget", _take_back, _check_forget, "each", "{run}: took back {earlier}")
RUIN = BlockType("ruin", _check_ruin, _check_end, "each", "{run}: {kind}, ended because a first box was empty")
BLOCK_TYPES: dict[str, BlockType] = {
    kind.name: kind for kind in (GAMES, PERSON, COPIED, IMPORTED, COUNTED, FORGOTTEN, RUIN)
}

OPTIONS_OF_GAMES = frozenset({"phases", "continue_when_ruined", "marks"})
SELFPLAY = RunType("selfplay", GAMES, OPTIONS_OF_GAMES, None, plays=True, ordered=True, ends=RUIN)
TRAIN = RunType("train", GAMES, OPTIONS_OF_GAMES, None, plays=True, ordered=True, ends=RUIN)
COPY = RunType("copy", COPIED, frozenset({"copied_from"}), records.NOBODY, plays=False, ordered=False)
IMPORT = RunType("import", IMPORTED, frozenset({"imported"}), records.NOBODY, plays=False, ordered=False)
PLAY = RunType("play", PERSON, frozenset({"physical", "person", "greedy"}), records.HUMAN, plays=True, ordered=False)
RECOUNT = RunType("recount", COUNTED, frozenset(), records.NOBODY, plays=False, ordered=False)
FORGET = RunType("forget", FORGOTTEN, frozenset({"takes_back"}), records.NOBODY, plays=False, ordered=False)
RUN_TYPES: dict[str, RunType] = {kind.name: kind for kind in (SELFPLAY, TRAIN, COPY, IMPORT, PLAY, RECOUNT, FORGET)}


def run_type(run: records.Run) -> RunType:
    """Return the type of a run.

    >>> kind = run_type(store.run(1))
    >>> kind.name, kind.blocks.name, kind.opponent is None
    ('selfplay', 'games', True)
    """
    return RUN_TYPES[run.kind]


def block_type(block: records.BlockRow) -> BlockType:
    """Return the type of a block.

    >>> [block_type(block).measured for block in store.blocks()][:2]
    ['marks', 'marks']
    """
    return BLOCK_TYPES[block.kind]
