"""A study: a grid of settings, opponents and seeds in a file of its own, played on any number of processes."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, get_args

import numpy as np
from numpy.typing import NDArray

from menace.analysis.seed_statistics import Group
from menace.arena.exploration_phases import json_object
from menace.arena.randomness import check_seed
from menace.errors import InvalidSetting, MenaceError, RevisionMismatch, StoreError
from menace.extras import need_extra
from menace.games.base import Side, SideText
from menace.games.symmetry import SymmetryUse
from menace.learners.machine import Machine
from menace.learners.policy import PolicyName
from menace.ledger.store.connection import as_corruption, path_of
from menace.ledger.store.study_file import ChunkRow, StudyFile
from menace.output_files import csv_text, file_format, json_text, write_file
from menace.studies.chunk import MEASURES, Chunk, ChunkResult, machine_after, play_chunk
from menace.studies.curves import (
    ALL_COLUMNS,
    MEASURED,
    Difference,
    StudyCurve,
    column_of,
    difference_of,
)
from menace.studies.design import Design, Setting, as_opponent, show
from menace.studies.runner import (
    EXECUTOR_WORKERS,
    Progress,
    Queue,
    Writer,
    default_workers,
    run_here,
    run_in_processes,
    run_on,
)
from menace.tables import Table, frame
from menace.wording import RESULTS, Form, counted

if TYPE_CHECKING:
    import pandas as pd

SEEDS_AT_ONCE = 10_000
SETTINGS_TRIED = 8  # that an estimate is made of


class Study:
    """Machines of every combination of settings, opponents and seeds, and their exact strength at marks.

    A machine follows from its setting and its seed, so the file keeps what was measured alone. To run it again goes on
    where it stopped; more seeds, values or opponents add to what is there.

    Args:
        path: of the file, made when the study is first run; its design is kept in it.
        game: a name, as `get_game` takes it.
        variant, symmetry: of the game.
        plays: the machines' side, `X` or `O`.
        preset: where their settings come from.
        against: opponents that teach them: names of fixed ones, curricula, functions of the board, policies, tables;
            or presets, as `{"preset": "zhang", "alpha": 0.2}`, which begin anew with each seed, and learn.
        grid: values by the name of a setting, or of `plays`, `preset`, `symmetry`, `phases`.
        games: that each machine learns from.
        seeds: how many, from 1 on; or a range.
        marks: the numbers of games after which they are measured (`Marks`): `1-2-5`, `every:20`, `0,100,220`.
        policies: which are measured: `behaviour`, as machines train, or `greedy`, at their best.
        phases: of exploration, as `menace selfplay --phases` takes them.
        settings: that replace some of the preset's, in every cell of the grid.

    Raises:
        MenaceError: if there cannot be such a study.

    >>> study = Study("beads.study", against="perfect", grid={"win": [1, 3]}, games=20, seeds=5)
    >>> study.run()
    <beads.study: 2 settings x 1 opponent x 5 seeds = 10 machines, 200 games; 10 machines played>
    >>> [round(row[-1], 3) for row in study.table(games=20).rows if row[4] == "worst"][:2]
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
            raise InvalidSetting(f"seeds={seeds!r} has steps; take a range without, such as range(1, 101)")
        listed = against if isinstance(against, list | tuple) else [against]
        opponents = [as_opponent(player, Side(plays).other, game, variant, symmetry) for player in listed]
        design = Design(
            game=game,
            variant=variant,
            symmetry=symmetry,
            plays=plays,
            preset=preset,
            settings=settings,
            against=[entry for entry, _ in opponents],
            grid={name: _listed(values) for name, values in (grid or {}).items()},
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
        """Return the study that a file keeps. Raises StoreError if it is none."""
        with StudyFile.open(path) as file, as_corruption(file.path):
            return cls._of(path, Design.from_mapping(json_object(file.design(), "its design")), file.policies())

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str], study: str | os.PathLike[str] | None = None) -> Self:
        """Return the study that a TOML file describes, in a file beside it of the same name that ends in `.study`."""
        return cls._of(study or path_of(path).with_suffix(".study"), Design.from_toml(path_of(path)), {})

    @classmethod
    def _of(cls, path: str | os.PathLike[str], design: Design, policies: Mapping[str, tuple[str, bytes]]) -> Self:
        study = object.__new__(cls)
        study._begin(path, design, policies)
        return study

    def _begin(self, path: str | os.PathLike[str], design: Design, policies: Mapping[str, tuple[str, bytes]]) -> None:
        self.path, self.design, self._policies = str(path_of(path)), design, policies
        weights = {digest: weights for digest, (_, weights) in policies.items()}
        self.settings = tuple(design.all_settings(weights))  # the cells of its grid, each with one opponent

    def __repr__(self) -> str:
        try:
            played = counted(sum(self.machines_played().values()), "machine")
        except StoreError as error:
            return f"<{self.path}: {self.design.title}; {error}>"
        return f"<{self.path}: {self.design.title}; {played} played>"

    # Running it.

    def run(
        self, executor: Executor | None = None, *, workers: int | None = None, progress: Progress | None = None
    ) -> Self:
        """Play the machines that are not measured yet. Ctrl-C loses the chunks under way alone.

        Args:
            executor: any of concurrent.futures, such as Dask's `Client(...).get_executor()`; None starts processes.
            workers: how many processes there are; None stands for all cores but one, and EXECUTOR_WORKERS of an
                executor, which is given no more chunks at a time than they need. With 1 and no executor the machines
                are played in this process.
            progress: called with the number of machines of each chunk that is done.

        Raises:
            RevisionMismatch: if the file's machines learned by another revision of their algorithm.
            StoreError: if the file cannot be written.
        """
        with StudyFile.open_or_create(self.path) as file:
            self._check_revisions(file)
            self._write_design(file)
            writer = Writer(lambda results: file.write([self._rows(*result) for result in results]), progress)
            queue = Queue(self._remaining(file))
            try:
                if executor is not None:
                    if run_on(executor, queue, writer, workers or EXECUTOR_WORKERS):
                        raise MenaceError("the processes of the executor died; run the study again on another one")
                elif (workers or default_workers()) > 1:
                    run_in_processes(queue, writer, workers or default_workers())
                else:
                    run_here(queue, writer)
            finally:
                writer.flush()
        return self

    def _rows(self, chunk: Chunk, result: ChunkResult | str) -> tuple[ChunkRow, Iterable[Sequence[float]]]:
        """Return what the file keeps of a chunk; of one that failed, why."""
        seeds = chunk.seeds[0], chunk.seeds[-1], len(chunk.seeds)
        if isinstance(result, str):
            return ChunkRow(chunk.setting_id, *seeds, 0.0, "", "", result), ()
        keys = zip(*itertools.product(chunk.seeds, chunk.marks, self._greedy), strict=True)
        all_seeds, games, flags = keys
        columns = result.strengths.reshape(-1, MEASURES).T.tolist()
        rows = zip(itertools.repeat(chunk.setting_id), games, all_seeds, flags, *columns)
        return ChunkRow(chunk.setting_id, *seeds, result.seconds, result.host, result.versions, None), rows

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
                    f"{self.path} has machines of {row.algorithm} revision {row.revision}, and this menace has"
                    f" {revisions[row.definition]}, which learns otherwise; begin another study"
                )

    def _remaining(self, file: StudyFile) -> Iterator[Chunk]:
        """Yield the machines that are not measured yet, at most SEEDS_AT_ONCE of one setting together."""
        design, numbers, policies = self.design, self._numbers(file), tuple(self.design.policies)
        for setting, window in itertools.product(self.settings, self._windows()):
            number = numbers[setting.text]
            done = file.seeds_done(number, window, design.all_marks, self._greedy)
            seeds = tuple(seed for seed in window if seed not in done)
            if seeds:
                marks = design.all_marks
                yield Chunk(number, setting.text, setting.weights, design.games, marks, policies, seeds)

    def _windows(self) -> Iterator[range]:
        """Yield its seeds, SEEDS_AT_ONCE at a time."""
        seeds = self.design.all_seeds
        return (seeds[start : start + SEEDS_AT_ONCE] for start in range(0, len(seeds), SEEDS_AT_ONCE))

    @property
    def _greedy(self) -> list[int]:
        """Its policies as the file has them: 1 stands for `greedy`."""
        return [int(policy == "greedy") for policy in self.design.policies]

    def _numbers(self, file: StudyFile) -> dict[str, int]:
        """Return the number of each setting that the file has, by its definition."""
        return {row.definition: row.setting_id for row in file.settings()}

    # What came out.

    def machines_played(self) -> dict[str, int]:
        """Return how many machines of each setting are measured to the end, by the setting's label."""
        if not Path(self.path).exists():
            return {setting.label: 0 for setting in self.settings}
        with StudyFile.open(self.path) as file:
            numbers = self._numbers(file)
            return {
                setting.label: sum(
                    len(file.seeds_done(numbers.get(setting.text, 0), window, self.design.all_marks, self._greedy))
                    for window in self._windows()
                )
                for setting in self.settings
            }

    def machines_left(self) -> int:
        """Return how many machines are not measured to the end yet."""
        return self.design.machines - sum(self.machines_played().values())

    def failures(self) -> list[str]:
        """Return which machines could not be played when they were last tried, and why, the newest first."""
        labels = {setting.text: setting.label for setting in self.settings}
        with StudyFile.open(self.path) as file:
            texts = {number: text for text, number in self._numbers(file).items()}
            return [
                f"{labels.get(texts[number], texts[number])}, seeds {first} to {last}: {error}"
                for number, first, last, error in file.failures(self.design.games)
            ]

    def seconds_each(self) -> float:
        """Return how long a machine takes in this process, on average; some of SETTINGS_TRIED settings are played."""
        design, policies = self.design, tuple(self.design.policies)
        tried = self.settings[:: -(-len(self.settings) // SETTINGS_TRIED)]
        seconds = []
        for setting in tried:
            chunk = Chunk(0, setting.text, setting.weights, design.games, design.all_marks, policies, (1,))
            play_chunk(chunk)  # which makes what the machines share
            seconds.append(play_chunk(replace(chunk, seeds=(1, 2, 3))).seconds / 3)
        return sum(seconds) / len(seconds)

    def table(self, games: int | None = None) -> Table:
        """Return what was measured as a tidy table: a row for each machine, mark, policy and opponent.

        Its columns are the grid's, then against, seed, games, opponent, policy, wins, draws, losses (shares of 1).
        `opponent` is whom it is measured against: random play, optimal play, or the best reply to it (worst).

        Args:
            games: of one mark alone; None stands for all.
        """
        rows: list[tuple[Any, ...]] = []
        names = [*self.design.grid, "against"]
        for setting, policy, strengths in self._measured(games):
            factors = [_plain(setting.factors[name]) for name in names]
            for played, seed, *shares in strengths:
                for opponent, wins, losses in zip(MEASURED, shares[::2], shares[1::2], strict=True):
                    draws = max(1.0 - wins - losses, 0.0)
                    rows.append((*factors, seed, played, opponent, policy, wins, draws, losses))
        return Table((*names, "seed", "games", "opponent", "policy", *RESULTS), rows)

    def export(self, path: str | os.PathLike[str], games: int | None = None) -> int:
        """Write `table` into a file, and return how many rows it has. Parquet needs the extra `study`.

        Raises:
            OutputError: if the path does not end in .csv, .json or .parquet, or cannot be written.
            MissingExtra: if pyarrow is not installed.
        """
        form = file_format(path, (*get_args(Form), "parquet"))
        table = self.table(games)
        if form == "parquet":
            need_extra("pyarrow", "study")
            content = parquet(table)
        else:
            content = (csv_text(*table) if form == "csv" else json_text(*table)).encode()
        write_file(path, content)
        return len(table.rows)

    def frame(self, games: int | None = None) -> pd.DataFrame:
        """Return `table` as a pandas frame. Raises MissingExtra if pandas is not installed."""
        return frame(*self.table(games))

    def _measured(
        self, games: int | None, columns: str = ALL_COLUMNS
    ) -> Iterator[tuple[Setting, PolicyName, list[tuple[Any, ...]]]]:
        marks = self.design.all_marks if games is None else (self.design.check_mark(games),)
        with StudyFile.open(self.path) as file:
            numbers = self._numbers(file)
            for setting, (policy, greedy) in itertools.product(
                self.settings, list(zip(self.design.policies, self._greedy, strict=True))
            ):
                number = numbers.get(setting.text, 0)
                yield setting, policy, file.strengths(number, self.design.all_seeds, greedy, columns, marks)

    def scores(self, measure: str = "worst.losses", games: int | None = None) -> dict[str, NDArray[np.float64]]:
        """Return the scores of each setting's machines at one mark, by the setting's label; [machines], by their seeds.

        Args:
            measure: whom against, and what: `random`, `optimal` or `worst`, then `wins`, `draws`, `losses` or `value`
                (wins less losses).
            games: of the mark; None stands for the end. Machines that are not measured there are left out.
        """
        scores = self._scores_by_seed(measure, games)
        return {label: np.array(list(by_seed.values()), np.float64) for label, by_seed in scores.items()}

    def _scores_by_seed(self, measure: str, games: int | None) -> dict[str, dict[int, float]]:
        rows = self._measured(self.design.games if games is None else games, column_of(measure))
        return {
            self._label(setting, policy): {seed: value for _, seed, value in strengths}
            for setting, policy, strengths in rows
        }

    def _label(self, setting: Setting, policy: PolicyName) -> str:
        return setting.label + (f", {policy}" if len(self.design.policies) > 1 else "")

    def curve(self, measure: str = "worst.losses", by: str | Sequence[str] | None = None) -> StudyCurve:
        """Return a measure by games: for each group its interquartile mean over machines, with a bootstrap interval.

        Args:
            measure: as `scores` takes it.
            by: what tells groups apart: columns of `table` such as `win`, `against`, `policy`; None stands for all that
                the grid varies.
        """
        wanted = self._factors(by)
        groups: dict[tuple[Any, ...], list[tuple[int, int, float]]] = {}
        for setting, policy, strengths in self._measured(None, column_of(measure)):
            factors = {**setting.factors, "policy": policy}
            groups.setdefault(tuple(_plain(factors[name]) for name in wanted), []).extend(strengths)
        by_factors = ((dict(zip(wanted, values, strict=True)), rows) for values, rows in groups.items())
        return StudyCurve(measure, tuple(Group.of(factors, rows) for factors, rows in by_factors))

    def _factors(self, by: str | Sequence[str] | None) -> tuple[str, ...]:
        known = [*self.design.grid, "against", "policy"]
        if by is None:
            sizes = {**{name: len(values) for name, values in self.design.grid.items()}}
            sizes |= {"against": len(self.design.against), "policy": len(self.design.policies)}
            return tuple(name for name in known if sizes[name] > 1)
        names = (by,) if isinstance(by, str) else tuple(by)
        for name in names:
            if name not in known:
                raise InvalidSetting(f"the study does not vary {name!r}; choose one of {', '.join(known)}")
        return names

    def difference(
        self,
        first: Mapping[str, Any],
        second: Mapping[str, Any],
        measure: str = "worst.losses",
        games: int | None = None,
    ) -> Difference:
        """Return how two settings differ, paired by seed: the mean difference, and how likely the first is above.

        Args:
            first: factors that one setting alone has, such as `{"win": 3, "draw": 1, "against": "perfect"}`; and a
                `policy`, if more than one is measured.
            second: likewise.
            measure: as `scores` takes it.
            games: of the mark; None stands for the end.
        """
        scores = self._scores_by_seed(measure, games)
        labels = []
        for factors in (first, second):
            policy = factors.get("policy", self.design.policies[0])
            setting = self._the_setting({name: value for name, value in factors.items() if name != "policy"})
            labels.append(self._label(setting, policy))
        return difference_of(measure, labels, *(scores[label] for label in labels))

    def machine(self, seed: int, **factors: Any) -> Machine:
        """Return a machine of the study after its last game, played again to the bit.

        Args:
            seed: of the machine, which need not be one of the study's.
            factors: that one setting alone has; none are needed if there is but one.
        """
        setting = self._the_setting(factors)
        if Path(self.path).exists():
            with StudyFile.open(self.path) as file:
                self._check_revisions(file)
        return machine_after(setting.text, setting.weights, self.design.games, check_seed(seed))

    def _the_setting(self, factors: Mapping[str, Any]) -> Setting:
        wanted = {name: _plain(value) for name, value in factors.items()}
        matching = [
            setting
            for setting in self.settings
            if all(name in setting.factors and _plain(setting.factors[name]) == value for name, value in wanted.items())
        ]
        if len(matching) != 1:
            shown = ", ".join(f"{name}={value!r}" for name, value in wanted.items()) or "nothing"
            raise InvalidSetting(
                f"{counted(len(matching), 'setting')} of the study have {shown}; name one by"
                f" {', '.join(self._factors(None))}"
            )
        return matching[0]


def parquet(table: Table) -> bytes:
    """Return a table as the bytes of a Parquet file."""
    import io

    import pyarrow as pa
    import pyarrow.parquet

    columns = [list(column) for column in zip(*table.rows, strict=True)] or [[] for _ in table.columns]
    content = io.BytesIO()
    pa.parquet.write_table(pa.table(dict(zip(table.columns, columns, strict=True))), content)
    return content.getvalue()


def _listed(values: Any) -> Any:
    return list(values) if isinstance(values, range | tuple) else values


def _plain(value: Any) -> Any:
    """Return a value that can stand in a cell and be compared: lists as text."""
    return show(value) if isinstance(value, list | tuple) else value
