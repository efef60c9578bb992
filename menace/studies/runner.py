"""Split a study into chunks, and run the chunks in this process, in worker processes or on an executor."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import platform
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from menace import __version__
from menace.arena.exact_strength import strength_meter
from menace.arena.play import Arena, next_opponent_change, raw_numbers
from menace.arena.run_schedule import parse_phases, phase_at
from menace.errors import InvalidPlayer, MenaceError
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.games.symmetry import SymmetryUse
from menace.kernel import loop as kernel
from menace.learners.algorithm import ARRAYS
from menace.learners.machine import Machine
from menace.learners.policy import Policy, PolicyName
from menace.learners.registry import preset_settings
from menace.text.wording import OPPONENTS

MEASURES = 6  # shares of wins and losses against random play, optimal play and the best response
MAX_CACHED_SETTINGS = 16  # maximum number of settings whose machines a thread caches


@dataclass(frozen=True)
class Chunk:
    """Machines with the same setting that are trained and measured together.

    Attributes:
        setting_id: the number of the setting in the study's file.
        definition: the definition of the setting as JSON (studies/design.py).
        weights: the weights of an unnamed opponent, int32 [moves], as bytes; empty if the definition describes the
            opponent.
        games: the number of games that each machine learns from.
        marks: the ascending numbers of games after which machines are measured.
        policies: the policies to measure for each machine.
        seeds: one seed for each machine.
    """

    setting_id: int
    definition: str
    weights: bytes
    games: int
    marks: tuple[int, ...]
    policies: tuple[PolicyName, ...]
    seeds: Sequence[int]


@dataclass(frozen=True)
class ChunkResult:
    """The measurements of a chunk's machines.

    Attributes:
        strengths: float64 [machines, marks, policies, MEASURES].
        seconds: the processor time used by the chunk.
        host: the name of the computer.
        versions: the versions of menace, numpy and Python.
    """

    strengths: NDArray[np.float64]
    seconds: float
    host: str
    versions: str


def play_chunk(chunk: Chunk) -> ChunkResult:
    """Train and measure a chunk's machines."""
    started = time.thread_time()
    setting = _cache.setting(chunk.definition, chunk.weights, chunk.games)
    strengths = setting.strengths(chunk.seeds, chunk.marks, chunk.policies)
    versions = f"menace {__version__}, numpy {np.__version__}, Python {platform.python_version()}"
    return ChunkResult(np.clip(strengths, 0.0, 1.0), time.thread_time() - started, platform.node(), versions)


def train_machine(definition: str, weights: bytes, games: int, seed: int) -> Machine:
    """Return the machine for the given setting and seed after the given number of games."""
    setting = _cache.setting(definition, weights, games)
    setting.strengths((seed,), (games,), ())
    machine = setting.machine.copy()
    machine.learned.games = games
    return machine


def score_machines(chunk: Chunk, measure: str) -> list[float]:
    """Train a chunk's machines, and return a measure of each one after the last mark.

    The measure is one that `Study.scores` accepts, or one that counts the results of the training games, such as
    `training.losses`.
    """
    opponent, _, result = measure.partition(".")
    if opponent == "training":
        setting = _cache.setting(chunk.definition, chunk.weights, chunk.games)
        counts = np.zeros((3, len(chunk.seeds)))
        for number, seed in enumerate(chunk.seeds):
            before = np.array(setting.counts)
            setting.strengths((seed,), chunk.marks, ())
            counts[:, number] = np.array(setting.counts) - before
        x_wins, draws, o_wins = counts
        wins, losses = Side.of_number(setting.machine.side).x_and_o(x_wins, o_wins)
    else:
        place = 2 * list(OPPONENTS).index(opponent)
        wins, losses = play_chunk(chunk).strengths[:, -1, 0, place : place + 2].T
        draws = np.maximum(1 - wins - losses, 0)
    return list({"wins": wins, "draws": draws, "losses": losses, "value": wins - losses}[result].tolist())


@lru_cache(maxsize=4)
def positions_of(game: str, variant: str | None, symmetry: SymmetryUse) -> Positions:
    """Return the positions of a game, given its name. Each process caches these positions."""
    return enumerate_positions(get_game(game, variant), symmetry)


def create_players(definition: dict[str, Any], weights: bytes, seed: int) -> tuple[Machine, Machine | Policy | str]:
    """Return the setting's untrained machine and its opponent.

    Args:
        definition: the definition of the setting.
        weights: the weights of an opponent without a name, as in `Chunk`.
        seed: the seed for random initial values.
    """
    positions = positions_of(definition["game"], definition["variant"], definition["symmetry"])
    plays, against = Side(definition["plays"]), definition["against"]
    machine = _machine(definition["preset"], plays, positions, seed, definition["settings"])
    if isinstance(against, str):
        return machine, against
    if "preset" in against:
        return machine, _machine(against["preset"], plays.other, positions, seed, against["settings"])
    array = np.frombuffer(weights, "<i4")
    if len(array) != positions.move_count:
        raise InvalidPlayer(
            f"the moves of {against['name']} are not stored in a file; pass the player itself as `against` in Python"
        )
    return machine, Policy.of_weights(positions, plays.other.number, array, against["name"])


def _machine(preset: str, plays: Side, positions: Positions, seed: int, settings: dict[str, Any]) -> Machine:
    preset_settings(preset, plays, settings)  # raises an error if a setting is unknown
    return Machine(preset, plays, positions, seed, **settings)


class _Setting:
    """The data that all machines of a setting share. The machines are trained one after another in the same arrays.

    Creating a machine takes five times as long as playing 220 games with an existing one.
    """

    def __init__(self, definition: str, weights: bytes, games: int) -> None:
        self.definition, self.weights, self.games = json.loads(definition), weights, games
        self.machine, self.opponent = create_players(self.definition, weights, 0)
        self.arena = Arena(self.machine.positions)
        self.meter = strength_meter(self.machine.positions, self.machine.side)
        self.learning = [player for player in (self.machine, self.opponent) if isinstance(player, Machine)]
        self.fresh = [machine.learned.copy() for machine in self.learning]
        self.boxes = self.machine.settings.drawn_boxes(self.machine)
        self.counts = kernel.view(np.zeros(3, np.int64))
        self.numbers = raw_numbers(0, 0)
        self.stages = tuple(self._stages())

    def strengths(
        self, seeds: Sequence[int], marks: Sequence[int], policies: Sequence[PolicyName]
    ) -> NDArray[np.float64]:
        """Train a machine for each seed, and return the machines' strengths [machines, marks, policies, MEASURES]."""
        strengths = np.empty((len(seeds), len(marks), len(policies), MEASURES))
        favourites = kernel.view(np.array([policy == "greedy" for policy in policies], np.int8))
        meter, games, record, numbers = self.meter, np.array(marks, np.int64), self.arena.record, self.numbers
        for seed, shares in zip(seeds, strengths.reshape(len(seeds), -1), strict=True):

            def measure(row: int, shares: NDArray[np.float64] = shares) -> None:
                policy = self.machine.policy(policies[row % len(policies)])
                shares[MEASURES * row : MEASURES * (row + 1)] = meter.shares_of(policy)

            to = kernel.view(games), self.boxes, favourites, measure, kernel.view(shares)
            self._begin(seed)
            numbers.reseed(seed)
            played = mark = 0
            for end, (x, o) in self.stages:
                kernel.restart(x)
                kernel.restart(o)
                mark = kernel.play_to_marks(
                    meter.kernel_meter, x, o, record, numbers, self.counts, played, end, mark, *to
                )
                if mark == len(marks):
                    break
                played = end
        return strengths

    def _stages(self) -> Iterator[tuple[int, tuple[kernel.FixedPlayer, kernel.FixedPlayer]]]:
        """Yield pairs of kernel players for X and O, each with the number of the last game that the pair plays."""
        text, played = self.definition.get("phases", ""), 0
        phases = parse_phases(text, self.games) if text else ()
        players = self.machine.plays.x_and_o(self.machine, self.opponent)
        while played < self.games:
            end, (x_epsilon, o_epsilon) = phase_at(phases, played)
            end = next_opponent_change(players, played, self.games if end is None else end)
            x, o = players
            yield (
                end,
                (
                    self.arena.kernel_player(x, played + 1, x_epsilon),
                    self.arena.kernel_player(o, played + 1, o_epsilon),
                ),
            )
            played = end

    def _begin(self, seed: int) -> None:
        """Reset the machines to their state before the first game."""
        for machine, fresh in zip(self.learning, self.fresh, strict=True):
            begin = (
                machine.settings.fresh(machine.positions, machine.side, seed) if machine.settings.needs_seed else fresh
            )
            for name in ARRAYS:
                np.copyto(getattr(machine.learned, name), getattr(begin, name))


class _SettingCache(threading.local):
    """A cache of the last few settings.

    Each thread needs a separate cache, because a setting's machines share arrays.
    """

    def __init__(self) -> None:
        self.setting = lru_cache(maxsize=MAX_CACHED_SETTINGS)(_Setting)


_cache = _SettingCache()


TASK_SECONDS = 0.2  # intended processor time of a task, because a scheduler needs several milliseconds for each task
MAX_MACHINES = 1_000  # maximum number of machines in a task
FIRST_MACHINES = 10  # number of machines in each task until the first task ends, when their speed is known
TASKS_PER_WORKER = 4  # maximum number of running or waiting tasks per worker, which limits memory use
EXECUTOR_WORKERS = 64  # number of workers assumed for an executor that does not state its number
WRITE_SECONDS = 0.5  # minimum time between two commits
MAX_WAITING_MACHINES = 5_000  # maximum number of machines whose results are waiting to be written
MAX_MESSAGE = 500  # maximum length of a stored error message, in characters
ORPHAN_SECONDS = 1.0  # interval at which a worker checks whether its parent is alive
WORKER_DIED = "the worker process died"

Outcome: TypeAlias = tuple[Chunk, ChunkResult | str]
Progress: TypeAlias = Callable[[int], object]


class Queue:
    """A queue of tasks that should take about TASK_SECONDS each, based on the duration of the last task.

    A task is a list of chunks, so that a task may contain machines with different settings.
    """

    def __init__(self, remaining: Iterator[Chunk], size: int = FIRST_MACHINES) -> None:
        self._remaining, self._size = remaining, size
        self._current: Chunk | None = None

    def take(self) -> list[Chunk]:
        """Return the next task, or an empty list if no machines are left."""
        task: list[Chunk] = []
        left = self._size
        while left and (whole := self._current or next(self._remaining, None)) is not None:
            rest = whole.seeds[left:]
            self._current = replace(whole, seeds=rest) if rest else None
            task.append(replace(whole, seeds=whole.seeds[:left]))
            left -= len(task[-1].seeds)
        return task

    def played(self, machines: int, seconds: float) -> None:
        """Record the number of machines and the duration of a task."""
        each = max(seconds / machines, 1e-6)
        self._size = max(1, min(MAX_MACHINES, int(TASK_SECONDS / each)))


class Writer:
    """A buffer that writes its results at most once every WRITE_SECONDS, and whenever it is flushed."""

    def __init__(self, write: Callable[[Sequence[Outcome]], None], progress: Progress | None) -> None:
        self._write, self._progress = write, progress
        self._waiting: list[Outcome] = []
        self._machines_waiting = 0
        self._written_at = time.monotonic()
        self.machines = 0  # number of machines trained

    def add(self, chunk: Chunk, result: ChunkResult | str) -> None:
        """Add a chunk with its result, or with an error message if it failed."""
        self._waiting.append((chunk, result))
        self.machines += len(chunk.seeds) if isinstance(result, ChunkResult) else 0
        self._machines_waiting += len(chunk.seeds)
        if self._machines_waiting > MAX_WAITING_MACHINES or time.monotonic() - self._written_at > WRITE_SECONDS:
            self.flush()
        if self._progress is not None:
            self._progress(len(chunk.seeds))

    def flush(self) -> None:
        """Write all waiting results."""
        if self._waiting:
            self._write(self._waiting)
            self._waiting, self._machines_waiting = [], 0
        self._written_at = time.monotonic()


def run_in_process(queue: Queue, writer: Writer) -> None:
    """Run all tasks in this process, chunk by chunk, so that Ctrl-C loses only one chunk."""
    while task := queue.take():
        for chunk in task:
            _record_results([chunk], run_task([chunk]), queue, writer)


def run_task(task: Sequence[Chunk]) -> list[ChunkResult | str]:
    """Return the result of each chunk, or an error message if the chunk failed."""
    results: list[ChunkResult | str] = []
    for chunk in task:
        try:
            results.append(play_chunk(chunk))
        except Exception as error:  # noqa: BLE001 - the error is stored with the chunk
            results.append(_error_message(error))
    return results


def run_on_executor(executor: Executor, queue: Queue, writer: Writer, workers: int = EXECUTOR_WORKERS) -> list[Chunk]:
    """Run all tasks on an executor. If a chunk fails, record the failure and continue with the others.

    Returns:
        The chunks that were running or waiting when the executor's processes died. The executor cannot be used
        afterwards.
    """
    pending: dict[Future[list[ChunkResult | str]], list[Chunk]] = {}
    lost: list[Chunk] = []
    try:
        while True:
            while not lost and len(pending) < TASKS_PER_WORKER * workers and (task := queue.take()):
                try:
                    pending[executor.submit(run_task, task)] = task
                except BrokenExecutor:
                    lost.extend(task)
            if not pending:
                return lost
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                task = pending.pop(future)
                try:
                    _record_results(task, future.result(), queue, writer)
                except BrokenExecutor:
                    lost.extend(task)
                except Exception as error:  # noqa: BLE001 - for example, Dask gives up a task that has killed workers
                    if len(task) == 1:
                        writer.add(task[0], _error_message(error))
                    else:  # find the chunks that cause the error
                        pending |= {executor.submit(run_task, [chunk]): [chunk] for chunk in task}
    finally:
        for future in pending:
            future.cancel()


def run_in_processes(queue: Queue, writer: Writer, workers: int) -> None:
    """Run all chunks in processes on this computer, and replace processes that die.

    Chunks that were running when a process died are run again, each in a separate process. A chunk that kills its
    process again is recorded as failed, without affecting other chunks.

    Raises:
        MenaceError: if worker processes cannot start because the script has no `if __name__ == "__main__":` block.
    """
    while True:
        with worker_processes(workers) as executor:
            lost = run_on_executor(executor, queue, writer, workers)
        if not lost:
            return
        for chunk in lost:
            with worker_processes(1) as executor:
                died = run_on_executor(executor, Queue(iter([chunk]), len(chunk.seeds)), writer, 1)
            if died and not writer.machines and _start_method() != "fork":
                raise MenaceError(
                    "the worker processes died before they completed a chunk; in a script, run the study below"
                    ' `if __name__ == "__main__":`, or in this process with workers=1'
                )
            if died:
                writer.add(chunk, WORKER_DIED)


@contextlib.contextmanager
def worker_processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Provide worker processes. On Ctrl-C, wait for the running chunks, and cancel all others."""
    context = multiprocessing.get_context(_start_method())
    executor = ProcessPoolExecutor(workers, context, initializer=_begin_worker, initargs=(os.getpid(),))
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _start_method() -> str:
    """Return the method for starting processes: `fork` where available, because scripts then need no main guard."""
    return "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"


def _begin_worker(parent: int) -> None:
    """Make a worker exit when its parent is killed, and ignore Ctrl-C, which the parent handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, args=[parent], daemon=True).start()


def _exit_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(ORPHAN_SECONDS)
    os._exit(1)


def _error_message(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:MAX_MESSAGE]


def _record_results(task: Sequence[Chunk], results: Sequence[ChunkResult | str], queue: Queue, writer: Writer) -> None:
    played = [
        (len(chunk.seeds), result.seconds)
        for chunk, result in zip(task, results, strict=True)
        if isinstance(result, ChunkResult)
    ]
    if played:
        queue.played(*map(sum, zip(*played, strict=True)))
    for chunk, result in zip(task, results, strict=True):
        writer.add(chunk, result)


def default_workers() -> int:
    """Return the default number of processes for a study: all cores except one.

    >>> default_workers() >= 1
    True
    """
    return max(1, (os.cpu_count() or 2) - 1)
