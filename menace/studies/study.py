"""A study: a grid of settings, opponents and seeds in a file of its own, played on any number of processes."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, get_args

import numpy as np
from numpy.typing import NDArray

from menace.errors import InvalidSetting, RevisionMismatch, StoreError
from menace.extras import need_extra
from menace.games.base import Side, SideText
from menace.games.positions import Positions
from menace.games.symmetry import SymmetryUse
from menace.learners.machine import Machine
from menace.learners.policy import PolicyName
from menace.ledger.store.study_file import ChunkRow, StudyFile
from menace.output_files import csv_text, file_format, json_text, write_file
from menace.studies.chunk import MEASURES, Chunk, ChunkResult, machine_after, play_chunk, positions_of
from menace.studies.curves import (
    ALL_COLUMNS,
    MEASURED,
    Difference,
    StudyCurve,
    column_of,
    curve_of,
    difference_of,
)
from menace.studies.design import Design, Setting, as_opponent, show
from menace.studies.runner import Progress, Queue, Writer, default_workers, run_here, run_in_processes, run_on
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
        self.path = os.fspath(path)
        self._weights: dict[str, tuple[str, bytes]] = {}
        listed = against if isinstance(against, list | tuple) else [against]
        other, positions = Side(plays).other, positions_of(game, variant, symmetry)
        self.design = Design(
            game=game,
            variant=variant,
            symmetry=symmetry,
            plays=plays,
            preset=preset,
            settings=settings,
            against=[self._opponent(player, other, positions) for player in listed],
            grid={name: list(values) for name, values in (grid or {}).items()},
            games=games,
            first_seed=first,
            seeds=count,
            marks=marks,
            policies=[policies] if isinstance(policies, str) else list(policies),
            phases=phases,
        )

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Return the study that a file keeps. Raises StoreError if it is none."""
        with StudyFile.open(path) as file:
            design = Design.from_mapping(json.loads(file.design()))
        return cls._of(path, design)

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str], study: str | os.PathLike[str] | None = None) -> Self:
        """Return the study that a TOML file describes, in a file beside it of the same name that ends in `.study`."""
        return cls._of(study or Path(path).with_suffix(".study"), Design.from_toml(os.fspath(path)))

    @classmethod
    def _of(cls, path: str | os.PathLike[str], design: Design) -> Self:
        study = object.__new__(cls)
        study.path, study.design, study._weights = os.fspath(path), design, {}
        return study

    def _opponent(self, player: Any, plays: Side, positions: Positions) -> Any:
        entry, weights = as_opponent(player, plays, positions)
        if weights:
            self._weights[entry["policy"]] = entry["name"], weights
        return entry

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
            workers: how many processes, or how many chunks at a time an executor takes; None stands for all cores but
                one. With 1 and no executor the machines are played in this process.
            progress: called with the number of machines of each chunk that is done.

        Raises:
            RevisionMismatch: if the file's machines learned by another revision of their algorithm.
            StoreError: if the file cannot be written.
        """
        workers = default_workers() if workers is None else workers
        with StudyFile.open_or_create(self.path) as file:
            self._write_design(file)
            writer = Writer(lambda results: file.write([self._rows(*result) for result in results]), progress)
            queue = Queue(self._remaining(file))
            try:
                if executor is not None:
                    run_on(executor, queue, writer, workers)
                elif workers > 1:
                    run_in_processes(queue, writer, workers)
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
        greedy = [int(policy == "greedy") for policy in chunk.policies]
        keys = zip(*itertools.product(chunk.seeds, chunk.marks, greedy), strict=True)
        all_seeds, games, flags = keys
        columns = result.strengths.reshape(-1, MEASURES).T.tolist()
        rows = zip(itertools.repeat(chunk.setting_id), games, all_seeds, flags, *columns)
        return ChunkRow(chunk.setting_id, *seeds, result.seconds, result.host, result.versions, None), rows

    def _write_design(self, file: StudyFile) -> None:
        for digest, (name, weights) in self._weights.items():
            file.add_policy(digest, name, weights)
        settings = self.settings
        file.add_settings([(s.text, s.algorithm, s.revision) for s in settings])
        by_text = {s.text: s for s in settings}
        for row in file.settings():
            setting = by_text.get(row.definition)
            if setting is not None and row.revision != setting.revision:
                raise RevisionMismatch(
                    f"{self.path} has machines of {row.algorithm} revision {row.revision}, and this menace has"
                    f" {setting.revision}, which learns otherwise; begin another study"
                )
        file.write_design(self.design.to_json())

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """The cells of its grid, each with one opponent."""
        weights = {digest: weights for digest, (_, weights) in self._weights.items()}
        if not weights and Path(self.path).exists():
            with StudyFile.open(self.path) as file:
                weights = file.policies()
        return tuple(self.design.all_settings(weights))

    def _remaining(self, file: StudyFile) -> Iterator[Chunk]:
        """Yield the machines that are not measured yet, at most SEEDS_AT_ONCE of one setting together."""
        design, numbers, policies = self.design, self._numbers(file), tuple(self.design.policies)
        greedy = [int(policy == "greedy") for policy in policies]
        for setting in self.settings:
            number = numbers[setting.text]
            counts = [file.count_done(number, design.games, design.all_seeds, flag) for flag in greedy]
            if min(counts) == design.seeds:
                continue
            for start in range(design.first_seed, design.all_seeds.stop, SEEDS_AT_ONCE):
                window = range(start, min(start + SEEDS_AT_ONCE, design.all_seeds.stop))
                done = file.seeds_done(number, design.games, window, greedy) if any(counts) else set()
                seeds = tuple(seed for seed in window if seed not in done)
                if seeds:
                    marks = design.all_marks
                    yield Chunk(number, setting.text, setting.weights, design.games, marks, policies, seeds)

    def _numbers(self, file: StudyFile) -> dict[str, int]:
        """Return the number of each setting that the file has, by its definition."""
        return {row.definition: row.setting_id for row in file.settings()}

    # What came out.

    def machines_played(self) -> dict[str, int]:
        """Return how many machines of each setting are measured to the end, by the setting's label."""
        if not Path(self.path).exists():
            return {setting.label: 0 for setting in self.settings}
        design, counts = self.design, {}
        with StudyFile.open(self.path) as file:
            numbers = self._numbers(file)
            for setting in self.settings:
                bounds = numbers.get(setting.text, 0), design.games, design.all_seeds
                flags = [int(policy == "greedy") for policy in design.policies]
                counts[setting.label] = min(file.count_done(*bounds, flag) for flag in flags)
        return counts

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
        with StudyFile.open(self.path) as file:
            numbers = self._numbers(file)
            for setting in self.settings:
                for policy in self.design.policies:
                    number, greedy = numbers.get(setting.text, 0), int(policy == "greedy")
                    yield setting, policy, file.strengths(number, self.design.all_seeds, greedy, columns, games)

    def scores(self, measure: str = "worst.losses", games: int | None = None) -> dict[str, NDArray[np.float64]]:
        """Return the scores of each setting's seeds at one mark, by the setting's label; [seeds], in their order.

        Args:
            measure: whom against, and what: `random`, `optimal` or `worst`, then `wins`, `draws`, `losses` or `value`
                (wins less losses).
            games: of the mark; None stands for the end.
        """
        at = self.design.games if games is None else games
        if at not in self.design.all_marks:
            raise InvalidSetting(
                f"{counted(at, 'game')} are no mark; measured after {', '.join(map(str, self.design.all_marks))}"
            )
        scores = {}
        for setting, policy, strengths in self._measured(at, column_of(measure)):
            label = setting.label + (f", {policy}" if len(self.design.policies) > 1 else "")
            scores[label] = np.array([value for _, _, value in strengths])
        return scores

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
        return curve_of(measure, wanted, groups)

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
            first: factors that one setting alone has, such as `{"win": 3, "draw": 1, "against": "perfect"}`.
            second: likewise.
            measure: as `scores` takes it.
            games: of the mark; None stands for the end.
        """
        scores = self.scores(measure, games)
        labels = [self._the_setting(factors).label for factors in (first, second)]
        if len(self.design.policies) > 1:
            labels = [f"{label}, {self.design.policies[0]}" for label in labels]
        return difference_of(measure, labels, *(scores[label] for label in labels))

    def machine(self, seed: int, **factors: Any) -> Machine:
        """Return a machine of the study after its last game, played again to the bit.

        Args:
            seed: of the machine, which need not be one of the study's.
            factors: that one setting alone has; none are needed if there is but one.
        """
        setting = self._the_setting(factors)
        return machine_after(setting.text, setting.weights, self.design.games, seed)

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


def _plain(value: Any) -> Any:
    """Return a value that can stand in a cell and be compared: lists as text."""
    return show(value) if isinstance(value, list | tuple) else value
