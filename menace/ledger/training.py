"""Carry out a run block by block: load learners, play and learn, commit, and measure strength at marks."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterator, Sequence

from menace.arena.bead_distributions import is_ruined, ruin_text
from menace.arena.exact_strength import Strength, strength_meter
from menace.arena.play import Arena, Progress, next_opponent_change, raw_numbers
from menace.arena.run_schedule import phase_at
from menace.errors import InvalidRun, NotOurs, Overwritten, SchemaMismatch, UnknownRun
from menace.games.base import Side
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_opponent, fixed_policy, opponents_for
from menace.learners.policy import Policy, PolicyName
from menace.ledger.learners import Machines, load_machines, players, save_machine
from menace.ledger.log.blocks import GAMES, MAX_BLOCK_GAMES, RUIN, check_run, run_type
from menace.ledger.positions import positions_of
from menace.ledger.store import TRAINER_POLL, VERIFY_SAYS_MORE, BlockRow, EvaluationRow, Run, Store, damaged, now
from menace.text.narration import told

POLICIES: tuple[PolicyName, PolicyName] = ("behaviour", "greedy")


def shown_marks(first: int, last: int) -> list[int]:
    """Return the numbers of games to show on a long curve, including both ends and six numbers per power of ten.

    The numbers are evenly spaced on a logarithmic axis, and include the marks of the schedule `1-2-5` up to a million.

    >>> shown_marks(0, 40), shown_marks(100, 112)
    ([0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 40], [100, 101, 102, 103, 105, 107, 110, 112])
    """
    steps = {half * 10**power // 2 for power in range(19) for half in (2, 3, 4, 6, 10, 14)}
    return sorted({first, last} | {first + step for step in steps if first + step < last})


def measure(policy: Policy) -> dict[str, Strength]:
    """Return the exact strength of a policy against `random`, `optimal` and `best_response`.

    >>> from menace.learners.machine import Machine
    >>> strengths = measure(Machine("menace", "X").policy())
    >>> {opponent: round(strength.win, 3) for opponent, strength in strengths.items()}
    {'random': 0.607, 'optimal': 0.0, 'best_response': 0.02}
    """
    return strength_meter(policy.positions, policy.side).measure_policy(policy)._asdict()


def strengths_of_opponents(positions: Positions, kept: Sequence[str] = ()) -> dict[Policy, dict[str, Strength]]:
    """Return the strength of every fixed opponent in a game, as X and as O.

    Opponents that change their policy during a run are measured with their first policy.

    Args:
        positions: the game.
        kept: the names of stored tables to measure as well (learners/opponents/functions.py).

    >>> from menace.games.enumeration import tictactoe
    >>> [(policy.name, policy.plays.value) for policy in strengths_of_opponents(tictactoe())][:3]
    [('random', 'X'), ('random', 'O'), ('optimal', 'X')]
    """
    opponents = [*opponents_for(positions.title, len(positions)).values(), *map(fixed_opponent, kept)]
    policies = [
        fixed_policy(opponent.name, positions, side.number)
        for opponent in opponents
        for side in Side
        if opponent.plays in {None, side}
    ]
    return {policy: measure(policy) for policy in policies}


def evaluation_rows(block_id: int, machine: Machine) -> list[EvaluationRow]:
    """Return the rows of `evaluation` for a learner's state after a block.

    >>> from menace.ledger.learners import named_machine
    >>> rows = evaluation_rows(8, named_machine(store, "menace-x"))
    >>> len(rows), rows[0].policy, rows[0].opponent, rows[0].learner_games
    (6, 'behaviour', 'random', 100)
    """
    policies = map(machine.policy, POLICIES)
    return [
        EvaluationRow(block_id, machine.learner_id, machine.learned.games, policy.kind, opponent, *strength)
        for policy in policies
        for opponent, strength in measure(policy).items()
    ]


BLOCK_SECONDS = 0.2  # a transaction, including saving and committing, holds the lock for at most a quarter of a second
# SQLite's locks are not fair, so a trainer sleeps after each commit to let other programs get the lock. Other writers
# try every millisecond, so it is enough to sleep for a fiftieth of the block's time, within the bounds below.
REST_SHARE = 0.02
MIN_REST, MAX_REST = 0.002, 0.01  # seconds


def carry_out(store: Store, run: Run, progress: Progress | None = None) -> Run:
    """Carry out a run from its current state to its end, and return the finished run.

    Args:
        store: the database.
        run: an unfinished run in the database.
        progress: a function that is called after each transaction with the number of games played and the number of
            games ordered. If it raises an exception, the run stops and can be resumed.

    >>> from menace.ledger.runs import SelfPlay, order
    >>> run = carry_out(store, order(store, SelfPlay(games=50, seed=2)))
    >>> run.run_id, run.games_played, store.learner("menace-x").games
    (2, 50, 150)
    """
    for state in play_to_end(store, run):
        run = state
        if progress is not None:
            progress(run.games_played, run.games_wanted)
    return run


def play_to_end(store: Store, run: Run) -> Iterator[Run]:
    """Carry out a run from its current state to its end, and yield the run after each transaction.

    No transaction is open while the caller handles the run. If the caller stops iterating, the run can be resumed.

    >>> from menace.ledger.runs import SelfPlay, order
    >>> run = order(store, SelfPlay(games=50, seed=2))
    >>> [run.games_played for run in play_to_end(store, run)][-1]
    50
    """
    trainer = Trainer(store)
    while run.finished_at is None:
        start = time.perf_counter()
        run = trainer.play_blocks(run)
        yield run
        if run.finished_at is None:
            time.sleep(min(max(REST_SHARE * (time.perf_counter() - start), MIN_REST), MAX_REST))


class Trainer:
    """Carries out a database's runs block by block, and keeps the positions and learners in memory.

    >>> from menace.ledger.runs import SelfPlay, order
    >>> run, trainer = order(store, SelfPlay(games=50, seed=2)), Trainer(store)
    >>> trainer.play_blocks(run).games_played <= 50
    True
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.arena = Arena(positions_of(store))
        self._machines = Machines({})
        self._version: tuple[int, int] | None = None  # the database version for which `_machines` is valid
        self._block: BlockRow | None = None  # the last block that this trainer committed

    def _load(self, run: Run) -> Machines:
        """Return a run's learners by id, using those in memory unless another program has written to the database."""
        learner_ids = run.learner_ids
        if self.store.version() != self._version or set(learner_ids) != set(self._machines):
            self._machines = load_machines(self.store, self.arena.positions, learner_ids)
        self._version = None  # invalid until the block has been committed
        return self._machines

    def _run(self, expected: Run) -> Run:
        """Return the current state of a run, after checking that the file has not been replaced.

        The log only grows, so the run and the last block must still exist. SQLite does not notice when another file is
        copied over this one, and would mix the two files.
        """
        with contextlib.suppress(NotOurs, SchemaMismatch, UnknownRun):
            self.store.check()
            run = self.store.run(expected.run_id)
            block = self._block and self.store.block(self._block.block_id)
            if _without_progress(run) == _without_progress(expected) and block == self._block:
                return run
        raise Overwritten(
            f"{self.store.path} no longer contains run {expected.run_id} in this state, so nothing was written: "
            "the file was overwritten or restored from a backup; check it with `menace runs`, or restore a backup"
        )

    def play_blocks(self, expected: Run, most: int | None = None, games: int | None = None) -> Run:
        """Play and learn for BLOCK_SECONDS, commit the blocks, and return the current state of the run.

        Args:
            expected: the run in the state that the caller last read.
            most: the maximum number of blocks, 1 or more; None plays as many blocks as time allows.
            games: the maximum number of games, 1 or more, for a page that shows games at a fixed pace; None sets no
                limit.

        Raises:
            Overwritten: if another file was copied over the database.
        """
        with self.store.transaction(TRAINER_POLL):
            end = time.perf_counter() + BLOCK_SECONDS
            run = self._run(expected)
            if (run.games_played, run.finished_at) != (expected.games_played, None):
                raise InvalidRun(
                    f"another process is working on run {run.run_id} or has ended it; check with `menace runs`"
                )
            machines = self._load(run)
            check_run(self.store.path, run, machines)
            if run_type(run).blocks is not GAMES:
                raise damaged(self.store.path, f"run {run.run_id} of kind {run.kind} is unfinished", VERIFY_SAYS_MORE)
            before = {learner_id: machines[learner_id].learned.copy() for learner_id in run.taught}
            total, block_id, ended = self._play_until(end, run, machines, most, games)
            for learner_id, learned in before.items():
                save_machine(self.store, machines[learner_id], learned)
            self.store.update_run(run.run_id, total, now() if ended else None)
            run, block = self.store.run(run.run_id), self.store.block(block_id)
            version = self.store.version()
        self._version, self._block = version, block
        return run

    def _play_until(
        self, end: float, run: Run, machines: Machines, most: int | None, games_most: int | None
    ) -> tuple[int, int, bool]:
        """Play a block, and then further blocks while there is time.

        If there is not enough time for a block, the next transaction plays that block.

        Returns:
            The number of games played so far, the id of the last block, and whether the run has ended.
        """
        play = self.arena.play if run.options.continue_when_ruined else self.arena.play_until_ruin
        last = run.games_wanted if games_most is None else min(run.games_played + games_most, run.games_wanted)
        games, mark, epsilon = _next_block(run, last)
        numbers_before = self.store.numbers_used(run.run_id)
        stream = raw_numbers(run.seed, numbers_before)
        for turn in itertools.count(1):
            start = time.perf_counter()
            x, o = players(self.arena, run, machines, epsilon, run.games_played)
            played = play(x, o, stream, games, end - start)
            if played.ruined and not played.games:
                break
            block_id = self.store.add_block(
                run.run_id, GAMES.name, played.games, played.outcomes, numbers_before, played.numbers
            )
            numbers_before += played.numbers
            run = run._replace(games_played=run.games_played + played.games)
            self._count(run, machines, block_id, played.games, run.games_played == mark)
            passed = time.perf_counter()
            if played.ruined or run.games_played == last or turn == most:
                break
            games, mark, epsilon = _next_block(run, last)
            if passed + (passed - start) / played.games * games > end:
                break
        if played.ruined:
            block_id = self.store.add_block(run.run_id, RUIN.name, 0, (0, 0, 0), numbers_before, 0)
            self._count(run, machines, block_id, 0, True)
        return run.games_played, block_id, played.ruined or run.games_played == run.games_wanted

    def _count(self, run: Run, machines: Machines, block_id: int, games: int, at_mark: bool) -> None:
        """Add the games of a block to its learners' counts, and write their strengths if the block ends at a mark."""
        for learner_id in run.taught:
            machines[learner_id].learned.games += games
            if at_mark:
                self.store.add_evaluations(evaluation_rows(block_id, machines[learner_id]))


def _next_block(run: Run, last: int) -> tuple[int, int, tuple[float, float]]:
    """Return three values for a run's next block: its maximum number of games, the next mark, and the epsilons.

    A block ends at the next mark, at the end of a phase, when a fixed opponent changes, after game `last` of the run,
    or after MAX_BLOCK_GAMES games.
    """
    mark = min(run.options.marks.next(run.games_played) or run.games_wanted, run.games_wanted)
    phase_end, epsilon = phase_at(run.options.phases, run.games_played)
    end = next_opponent_change(run.players_without_learners, run.games_played, min(mark, phase_end or mark))
    return min(end - run.games_played, last - run.games_played, MAX_BLOCK_GAMES), mark, epsilon


def _without_progress(run: Run) -> Run:
    """Return the run with fixed values in all fields that change, so that two states of a run can be compared."""
    return run._replace(games_played=0, finished_at=None)


def ruin_warnings(store: Store, run: Run) -> list[str]:
    """Return a warning for each learner that has no beads for its first move or could lose them during a run.

    Args:
        store: the database.
        run: the run that is to be carried out or resumed.

    >>> run = store.run(1)
    >>> ruin_warnings(store, run)  # these learners restock empty boxes
    []
    """
    machines = load_machines(store, positions_of(store), run.learner_ids)
    (x, o), warnings = run.seats, []
    for (_, learner_id, learns), (opponent, opponent_id, _) in ((x, o), (o, x)):
        if learner_id is not None and learns:
            against = opponent if opponent_id is None else machines[opponent_id]
            left = run.games_wanted - run.games_played
            text = ruin_text(machines[learner_id], against, left, run.games_played, called=opponent) if left else None
            if text is not None:
                warnings.append(f"{machines[learner_id].name}: {text}")
    return warnings


def ruined_text(store: Store, run: Run) -> str | None:
    """Return a sentence about the empty boxes that ended a run early, or None if no box is empty.

    >>> ruined_text(store, store.run(1)) is None
    True
    """
    machines = load_machines(store, positions_of(store), run.learner_ids)
    names = [machine.name for machine in machines.values() if is_ruined(machine)]
    return told("spent", names=" and ".join(names)) if names else None
