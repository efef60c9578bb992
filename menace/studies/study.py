"""Store a study (a grid of settings, opponents and seeds) in a file, and run it in any number of processes."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any, Self

from menace.arena.play import check_seed
from menace.arena.run_schedule import json_object
from menace.errors import EmptyDatabase, InvalidSetting, MenaceError, NoDatabase, RevisionMismatch, StoreError
from menace.games.base import Side, SideText
from menace.games.symmetry import SymmetryUse
from menace.learners.machine import Machine
from menace.learners.policy import PolicyName
from menace.ledger.store.connection import as_corruption, path_of
from menace.ledger.store.study_file import ChunkRow, StrengthRows, StudyFile
from menace.studies import runner
from menace.studies.design import Design, convert_opponent
from menace.studies.results import Measurements
from menace.text.wording import counted

SEEDS_AT_ONCE = 10_000
TRIAL_SETTINGS, TRIAL_GAMES = 8, 20_000  # maximum numbers of settings and of games for estimating the duration


class Study(Measurements):
    """Machines for every combination of settings, opponents and seeds, and their exact strength at marks.

    The setting and the seed determine a machine, so the file stores only measurements. Running a study again keeps the
    existing measurements, and seeds, values or opponents can be added.

    Args:
        path: the study's file. The first run creates the file and stores the design.
        game: the name of the game, as for `get_game`.
        variant: the variant of the game; None selects the default.
        symmetry: `full` to merge positions by symmetry, or `none`.
        plays: the side of the machines, `X` or `O`.
        preset: the preset that provides their settings.
        against: the opponents: names of fixed opponents, curricula, functions of the board, policies or tables. An
            opponent can also be a preset such as `{"preset": "zhang", "alpha": 0.2}`. It then learns too, and starts
            untrained for each seed.
        grid: a list of values for each varied setting. `plays`, `preset`, `symmetry` and `phases` can also vary.
        games: the number of games that each machine learns from.
        seeds: the number of seeds, starting from 1, or a range.
        marks: the numbers of games after which machines are measured (`Marks`): `1-2-5`, `every:20` or `0,100,220`.
        policies: the policies to measure: `behaviour`, as in training, or `greedy`, which always plays the best move.
        phases: the exploration phases, as for `menace selfplay --phases`.
        settings: values that replace the preset's settings in every cell of the grid.

    Raises:
        MenaceError: if the design is invalid.

    >>> study = Study("beads.study", against="perfect", grid={"win": [1, 3]}, games=20, seeds=5)
    >>> study.run()
    <beads.study: 2 settings x 1 opponent x 5 seeds = 10 machines, 200 games; 10 machines played>
    >>> [round(row[-1], 3) for row in study.table(games=20).rows if row[4] == "best_response"][:2]
    [0.826, 0.872]
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        game: str = "tictactoe",
        variant: str | None = None,
        symmetry: SymmetryUse = "full",
        plays: SideText = "X",
        preset: str = "menace",
        against: Any = "random",
        grid: Mapping[str, Sequence[Any]] | None = None,
        games: int = 220,
        seeds: int | range = 100,
        marks: str = "1-2-5",
        policies: PolicyName | Sequence[PolicyName] = "behaviour",
        phases: str = "",
        **settings: Any,
    ) -> None:
        first, count = (seeds.start, len(seeds)) if isinstance(seeds, range) else (1, seeds)
        if isinstance(seeds, range) and seeds.step != 1:
            raise InvalidSetting(f"seeds={seeds!r} has a step; use a range without one, such as range(1, 101)")
        listed = against if isinstance(against, list | tuple) else [against]
        opponents = [convert_opponent(player, Side(plays).other, game, variant, symmetry) for player in listed]
        design = Design(
            game=game,
            variant=variant,
            symmetry=symmetry,
            plays=plays,
            preset=preset,
            settings=settings,
            against=[entry for entry, _ in opponents],
            grid={n: list(v) if isinstance(v, range | tuple) else v for n, v in (grid or {}).items()},
            games=games,
            first_seed=first,
            seeds=count,
            marks=marks,
            policies=[policies] if isinstance(policies, str) else list(policies),
            phases=phases,
        )
        named = {entry["policy"]: (entry["name"], weights) for entry, weights in opponents if weights}
        self._begin(path, design, named)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Return the study in a file. Raises StoreError if the file is not a study."""
        with StudyFile.open(path) as file, as_corruption(file.path):
            return cls._of(path, Design.from_mapping(json_object(file.design(), "its design")), file.policies())

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str], study: str | os.PathLike[str] | None = None) -> Self:
        """Return the study that a TOML file describes.

        Args:
            path: the TOML file.
            study: the study's file; None replaces the extension of `path` with `.study`.
        """
        return cls._of(study or path_of(path).with_suffix(".study"), Design.from_toml(path_of(path)), {})

    @classmethod
    def _of(cls, path: str | os.PathLike[str], design: Design, policies: Mapping[str, tuple[str, bytes]]) -> Self:
        study = object.__new__(cls)
        study._begin(path, design, policies)
        return study

    def _begin(self, path: str | os.PathLike[str], design: Design, policies: Mapping[str, tuple[str, bytes]]) -> None:
        self.path, self.design, self._policies = str(path_of(path)), design, policies
        weights = {digest: weights for digest, (_, weights) in policies.items()}
        self.settings = tuple(design.all_settings(weights))  # the cells of the grid, each with one opponent

    def __repr__(self) -> str:
        try:
            played = counted(sum(self.machines_played().values()), "machine")
        except StoreError as error:
            return f"<{self.path}: {self.design.title}; {error}>"
        return f"<{self.path}: {self.design.title}; {played} played>"

    # The following methods run the study.

    def run(
        self, executor: Executor | None = None, *, workers: int | None = None, progress: runner.Progress | None = None
    ) -> Self:
        """Train and measure the machines that have not been measured yet. Ctrl-C discards only the chunks in progress.

        Args:
            executor: a concurrent.futures executor, such as Dask's `Client(...).get_executor()`; None starts processes.
            workers: the number of processes; None uses all cores except one. With 1 and no executor, machines are
                trained in this process. With an executor, the number of its workers limits how many chunks are
                submitted at a time; None assumes EXECUTOR_WORKERS.
            progress: a function that is called with the number of machines in each completed chunk.

        Raises:
            RevisionMismatch: if machines in the file were trained by another revision of their algorithm.
            StoreError: if the file cannot be written.
        """
        with StudyFile.open_or_create(self.path) as file:
            self._check_revisions(file)
            self._write_design(file)
            writer = runner.Writer(lambda results: file.write([self._rows(*result) for result in results]), progress)
            queue = runner.Queue(self._remaining(file))
            try:
                if executor is not None:
                    if runner.run_on_executor(executor, queue, writer, workers or runner.EXECUTOR_WORKERS):
                        raise MenaceError("the executor's processes died; run the study again on a new executor")
                elif (workers or runner.default_workers()) > 1:
                    runner.run_in_processes(queue, writer, workers or runner.default_workers())
                else:
                    runner.run_in_process(queue, writer)
            finally:
                writer.flush()
        return self

    def _rows(self, chunk: runner.Chunk, result: runner.ChunkResult | str) -> tuple[ChunkRow, StrengthRows]:
        """Return the rows to store for a chunk, or the error message if the chunk failed."""
        seeds = chunk.seeds[0], chunk.seeds[-1], len(chunk.seeds)
        if isinstance(result, str):
            return ChunkRow(chunk.setting_id, *seeds, 0.0, "", "", result), StrengthRows((), (), ())
        row = ChunkRow(chunk.setting_id, *seeds, result.seconds, result.host, result.versions, None)
        keys = list(itertools.product(chunk.marks, self._greedy))
        return row, StrengthRows(chunk.seeds, keys, result.strengths.reshape(len(chunk.seeds), -1).tolist())

    def _write_design(self, file: StudyFile) -> None:
        for digest, (name, weights) in self._policies.items():
            file.add_policy(digest, name, weights)
        file.add_settings([(s.text, s.algorithm, s.revision) for s in self.settings])
        file.write_design(self.design.to_json())

    def _check_revisions(self, file: StudyFile) -> None:
        revisions = {setting.text: setting.revision for setting in self.settings}
        for row in file.settings():
            if row.revision != revisions.get(row.definition, row.revision):
                raise RevisionMismatch(
                    f"{self.path} contains machines of {row.algorithm} revision {row.revision}, but this menace has"
                    f" revision {revisions[row.definition]}, which learns differently; start a new study"
                )

    def _remaining(self, file: StudyFile) -> Iterator[runner.Chunk]:
        """Yield the machines that have not been measured, as chunks of at most SEEDS_AT_ONCE seeds of one setting."""
        design, numbers, policies = self.design, self._setting_numbers(file), tuple(self.design.policies)
        for setting, window in itertools.product(self.settings, self._windows()):
            number = numbers[setting.text]
            done = file.seeds_done(number, window, design.all_marks, self._greedy)
            seeds = [seed for seed in window if seed not in done] if done else window  # a range is fast to pickle
            if seeds:
                marks = design.all_marks
                yield runner.Chunk(number, setting.text, setting.weights, design.games, marks, policies, seeds)

    def _windows(self) -> Iterator[range]:
        """Yield the seeds as ranges of at most SEEDS_AT_ONCE seeds."""
        seeds = self.design.all_seeds
        return (seeds[start : start + SEEDS_AT_ONCE] for start in range(0, len(seeds), SEEDS_AT_ONCE))

    # The following methods return results.

    def machines_played(self) -> dict[str, int]:
        """Return a mapping from each setting's label to the number of its machines measured at every mark."""
        with contextlib.suppress(NoDatabase, EmptyDatabase), StudyFile.open(self.path) as file:
            numbers = self._setting_numbers(file)
            return {
                setting.label: sum(
                    len(file.seeds_done(numbers.get(setting.text, 0), window, self.design.all_marks, self._greedy))
                    for window in self._windows()
                )
                for setting in self.settings
            }
        return {setting.label: 0 for setting in self.settings}

    def machines_left(self) -> int:
        """Return the number of machines that have not been measured at every mark."""
        return self.design.machine_count - sum(self.machines_played().values())

    def failures(self) -> list[str]:
        """Return descriptions of the machines whose last training attempt failed and of the errors, newest first."""
        labels = {setting.text: setting.label for setting in self.settings}
        with StudyFile.open(self.path) as file:
            texts = {number: text for text, number in self._setting_numbers(file).items()}
            return [
                f"{labels.get(texts[number], texts[number])}, seeds {first} to {last}: {error}"
                for number, first, last, error in file.failures(self.design.games)
            ]

    def seconds_each(self) -> float:
        """Estimate the average time in seconds that a machine takes in this process.

        To estimate the time, train a few machines with at most TRIAL_SETTINGS settings for at most TRIAL_GAMES games.
        """
        design, policies = self.design, tuple(self.design.policies)
        games = min(design.games, TRIAL_GAMES)
        marks = (*(mark for mark in design.all_marks if mark < games), games)
        tried = self.settings[:: -(-len(self.settings) // TRIAL_SETTINGS)]
        seconds = []
        for setting in tried:
            chunk = runner.Chunk(0, setting.text, setting.weights, design.games, marks, policies, (1,))
            runner.play_chunk(chunk)  # fills the cache first, so that the estimate does not include this time
            seconds.append(runner.play_chunk(replace(chunk, seeds=(1, 2, 3))).seconds / 3)
        return sum(seconds) / len(seconds) * design.games / games

    def machine(self, seed: int, **factors: Any) -> Machine:
        """Reproduce a machine of the study exactly, and return it in its state after its last game.

        Args:
            seed: the seed of the machine, which need not belong to the study.
            factors: factors that select exactly one setting. They may be left out if there is only one setting.
        """
        setting = self._find_setting(factors)
        with contextlib.suppress(NoDatabase, EmptyDatabase), StudyFile.open(self.path) as file:
            self._check_revisions(file)
        return runner.train_machine(setting.text, setting.weights, self.design.games, check_seed(seed))
