"""What a study measured: tables, scores, curves and differences, read from its file."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from menace.analysis.seed_statistics import Group, intervals
from menace.errors import InvalidSetting
from menace.learners.policy import PolicyName
from menace.ledger.store.study_file import StudyFile
from menace.output_files import csv_text, file_format, json_text, parquet, write_file
from menace.studies.curves import ALL_COLUMNS, Difference, StudyCurve, column_of, difference_of
from menace.studies.design import Design, Setting, show
from menace.tables import Table
from menace.wording import OPPONENTS, RESULTS, Form, counted

if TYPE_CHECKING:
    import pandas as pd


class Measurements:
    """What is known of the machines of a study.

    Attributes:
        path: of the study's file.
        design: what is asked.
        settings: the cells of its grid, each with one opponent.
    """

    path: str
    design: Design
    settings: tuple[Setting, ...]

    def table(self, games: int | None = None) -> Table:
        """Return what was measured as a tidy table: a row for each machine, mark, policy and opponent.

        Its columns are the grid's, then against, seed, games, opponent, policy, wins, draws, losses (shares of 1).
        `opponent` is whom it is measured against: random play, optimal play, or the best reply to it (best).

        Args:
            games: of one mark alone; None stands for all.
        """
        rows: list[tuple[Any, ...]] = []
        names = [*self.design.grid, "against"]
        for setting, policy, strengths in self._measured(games):
            factors = [_plain(setting.factors[name]) for name in names]
            for played, seed, *shares in strengths:
                for opponent, wins, losses in zip(OPPONENTS, shares[::2], shares[1::2], strict=True):
                    draws = max(1.0 - wins - losses, 0.0)
                    rows.append((*factors, seed, played, opponent, policy, wins, draws, losses))
        return Table((*names, "seed", "games", "opponent", "policy", *RESULTS), rows)

    def export(self, path: str | os.PathLike[str]) -> int:
        """Write `table` into a file, and return how many rows it has. Parquet needs the extra `study`.

        Raises:
            OutputError: if the path does not end in .csv, .json or .parquet, or cannot be written.
            MissingExtra: if pyarrow is not installed.
        """
        form = file_format(path, (*get_args(Form), "parquet"))
        table = self.table()
        if form == "parquet":
            content = parquet(table.columns, table.rows)
        else:
            content = (csv_text if form == "csv" else json_text)(table.columns, table.rows).encode()
        write_file(path, content)
        return len(table.rows)

    def frame(self, games: int | None = None) -> pd.DataFrame:
        """Return `table` as a pandas frame. Raises MissingExtra if pandas is not installed."""
        return self.table(games).to_frame()

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

    def scores(self, measure: str = "best.losses", games: int | None = None) -> dict[str, NDArray[np.float64]]:
        """Return the scores of each setting's machines at one mark, by the setting's label; [machines], by their seeds.

        Args:
            measure: whom against, and what: `random`, `optimal` or `best`, then `wins`, `draws`, `losses` or `value`
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

    def array(self, measure: str = "best.losses") -> NDArray[np.float64]:
        """Return the scores of all machines: an axis for each name of the grid, then opponent, policy, seed and mark.

        Args:
            measure: as `scores` takes it.

        Returns:
            Values in the order of the design, NaN where a machine is not measured.
        """
        design = self.design
        column = {games: number for number, games in enumerate(design.all_marks)}
        grid = map(len, [*design.grid.values(), design.against, design.policies, design.all_seeds])
        array = np.full((*grid, len(column)), np.nan)
        rows = array.reshape(-1, design.seeds, len(column))
        for row, (_, _, strengths) in zip(rows, self._measured(None, column_of(measure)), strict=True):
            for games, seed, value in strengths:
                row[seed - design.first_seed, column[games]] = value
        return array

    def curve(self, measure: str = "best.losses", by: str | Sequence[str] | None = None) -> StudyCurve:
        """Return a measure by games: for each group its interquartile mean over machines, with a bootstrap interval.

        Args:
            measure: as `scores` takes it.
            by: what tells groups apart: columns of `table` such as `win`, `against`, `policy`; None stands for all that
                the grid varies.
        """
        wanted = self._factors(by)
        groups: dict[tuple[Any, ...], list[list[tuple[int, float]]]] = {}
        for setting, policy, strengths in self._measured(None, column_of(measure)):
            factors = {**setting.factors, "policy": policy}
            curves: dict[int, list[tuple[int, float]]] = {}
            for games, seed, value in strengths:
                curves.setdefault(seed, []).append((games, value))
            groups.setdefault(tuple(_plain(factors[name]) for name in wanted), []).extend(curves.values())
        played = (
            Group.of(curves_of_group, dict(zip(wanted, values, strict=True)), intervals)
            for values, curves_of_group in groups.items()
            if curves_of_group
        )
        return StudyCurve(measure, tuple(played), self.design.about)

    def _factors(self, by: str | Sequence[str] | None) -> tuple[str, ...]:
        known = [*self.design.grid, "against", "policy"]
        if by is None:
            sizes = {**{name: len(values) for name, values in self.design.grid.items()}}
            sizes |= {"against": len(self.design.against), "policy": len(self.design.policies)}
            return tuple(name for name in known if sizes[name] > 1)
        names = (by,) if isinstance(by, str) else tuple(by)
        for name in names:
            if name not in known:
                raise InvalidSetting(f"machines cannot be grouped by {name!r}; choose one of {', '.join(known)}")
        return names

    def difference(
        self,
        first: Mapping[str, Any] | str,
        second: Mapping[str, Any] | str,
        measure: str = "best.losses",
        games: int | None = None,
    ) -> Difference:
        """Return how two settings differ, paired by seed: the mean difference, and how likely the first is above.

        Args:
            first: factors that one setting alone has, such as `{"win": 3, "draw": 1, "against": "perfect"}`; and a
                `policy`, if more than one is measured. Or a key of `scores`, or a part of it that no other has.
            second: likewise.
            measure: as `scores` takes it.
            games: of the mark; None stands for the end.
        """
        scores = self._scores_by_seed(measure, games)
        labels = [
            _the_label(wanted, list(scores)) if isinstance(wanted, str) else self._label_of(wanted)
            for wanted in (first, second)
        ]
        return difference_of(measure, labels, *(scores[label] for label in labels))

    def _label_of(self, factors: Mapping[str, Any]) -> str:
        setting = self._the_setting({name: value for name, value in factors.items() if name != "policy"})
        return self._label(setting, factors.get("policy", self.design.policies[0]))

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
                f"{_how_many(matching)} of the study {'has' if not matching else 'have'} {shown}; name one by"
                f" {', '.join(self._factors(None))}"
            )
        return matching[0]

    @property
    def _greedy(self) -> list[int]:
        """Its policies as the file has them: 1 stands for `greedy`."""
        return [int(policy == "greedy") for policy in self.design.policies]

    def _numbers(self, file: StudyFile) -> dict[str, int]:
        """Return the number of each setting that the file has, by its definition."""
        return {row.definition: row.setting_id for row in file.settings()}


def _plain(value: Any) -> Any:
    """Return a value that can stand in a cell and be compared: lists as text."""
    return show(value) if isinstance(value, list | tuple) else value


def _the_label(wanted: str, labels: Sequence[str]) -> str:
    """Return the one label that has all of these parts.

    >>> _the_label("against perfect", ["win=3, against random", "win=3, against perfect"])
    'win=3, against perfect'
    """
    matching = [label for label in labels if _parts(wanted) <= _parts(label)]
    if len(matching) != 1:
        raise InvalidSetting(
            f"{_how_many(matching)} of the study {'is' if not matching else 'are'} {wanted!r}; name one as"
            " `menace study show` does,"
            f" such as {(matching or labels)[0]!r}"
        )
    return matching[0]


def _how_many(matching: Sequence[object]) -> str:
    return counted(len(matching), "setting") if matching else "no setting"


def _parts(label: str) -> set[str]:
    return {part.strip().replace("against=", "against ") for part in label.split(",")}
