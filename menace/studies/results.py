"""Read the results of a study as scores, tables, learning curves and differences between settings."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from menace.analysis.groups import Estimate, Group, estimate, intervals, mean, probability_above
from menace.errors import InvalidSetting, MissingExtra
from menace.figures.kinds import Plotted, PlottedLine
from menace.files.optional_libraries import has_extra
from menace.files.output import csv_text, file_format, json_text, parquet, write_file
from menace.files.tables import Table, Tabular
from menace.learners.policy import PolicyName
from menace.ledger.store.study_file import StudyFile
from menace.studies.design import Design, Setting, value_text
from menace.text.wording import OPPONENTS, RESULTS, Form, counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


COLUMNS = {
    "wins": "{0}_wins",
    "draws": "max(1 - {0}_wins - {0}_losses, 0)",
    "losses": "{0}_losses",
    "value": "{0}_wins - {0}_losses",
}
ALL_COLUMNS = ", ".join(f"{opponent}_wins, {opponent}_losses" for opponent in OPPONENTS)


def measure_sql(measure: str) -> str:
    """Return the SQL expression for a measure.

    Raises:
        InvalidSetting: if there is no such measure.

    >>> measure_sql("best_response.losses"), measure_sql("random.value")
    ('best_response_losses', 'random_wins - random_losses')
    """
    opponent, _, what = str(measure).partition(".")
    if opponent not in OPPONENTS or what not in COLUMNS:
        raise InvalidSetting(
            f"no measure is called {measure!r}; write OPPONENT.RESULT, as in"
            f" best_response.losses, where OPPONENT is {' or '.join(OPPONENTS)} and RESULT is {' or '.join(COLUMNS)}"
        )
    return COLUMNS[what].format(opponent)


def measure_words(measure: str) -> str:
    """Return a description of a measure.

    >>> measure_words("best_response.losses")
    'losses against the best response'
    """
    opponent, _, what = measure.partition(".")
    return f"{what} {OPPONENTS[opponent]}"


@dataclass(frozen=True, repr=False)
class StudyCurve(Tabular):
    """A curve of a measure against the number of games.

    Notebooks show the curve as a figure, or as a table if matplotlib is not installed.

    Attributes:
        measure: the measure, such as `best_response.losses`.
        groups: the groups, in the order of the study's settings.
        about: the settings that all machines share.
    """

    measure: str
    groups: tuple[Group, ...]
    about: str = ""

    def table(self) -> Table:
        """Return a table with a row for each group and mark, and the columns factors, games, value, low, high and n."""
        names = tuple(self.groups[0].factors) if self.groups else ()
        rows = [row for group in self.groups for row in group.rows(*group.factors.values())]
        return Table((*names, "games", *Estimate._fields), rows)

    def at(self, games: int) -> Table:
        """Return the rows of `table` at one mark, without the `games` column.

        Raises:
            InvalidSetting: if `games` is not a mark.
        """
        columns, rows = self.table().columns, self.table().rows
        place = list(columns).index("games")
        chosen = [(*row[:place], *row[place + 1 :]) for row in rows if row[place] == games]
        if not chosen:
            marks = ", ".join(map(str, sorted({row[place] for row in rows})))
            known = f"; the measured marks are {marks}" if marks else ", because nothing has been measured yet"
            raise InvalidSetting(f"{counted(games, 'game')} is not a measured mark{known}")
        return Table((*columns[:place], *columns[place + 1 :]), chosen)

    def shown(self, games: int) -> Table:
        """Format the table from `at` for people, with four decimals for shares and no interval for single machines."""
        at = self.at(games)
        shown = []
        for *factors, value, low, high, n in at.rows:
            interval = ("", "") if n == 1 else (f"{low:.4f}", f"{high:.4f}")
            names = [factor if isinstance(factor, int) else str(factor) for factor in factors]
            shown.append((*names, f"{value:.4f}", *interval, n))
        return Table(at.columns, shown)

    def in_words(self) -> Table:
        """Return `table` with the measure as its title."""
        return replace(self.table(), title=measure_words(self.measure))

    def plot(self, path: str | os.PathLike[str] | None = None) -> Plotted:
        """Draw the curve, write the figure to a file if `path` is given, and return it.

        Args:
            path: the file. Its extension selects the format, and .csv writes the numbers. None writes no file.

        Raises:
            MissingExtra: if matplotlib is not installed; CSV does not need it.
            InvalidSetting: if nothing has been measured yet.
        """
        line = PlottedLine(f"{measure_words(self.measure)}, {counted(len(self.groups), 'group')}", "")
        plotted = Plotted(self._figure, [line], self.table())
        if path is not None:
            plotted.save(path)
        else:
            _ = plotted.figure  # raises errors now, not when a notebook displays the figure
        return plotted

    def _figure(self) -> Figure:
        from menace.figures.panels import groups_figure

        if not self._is_measured:
            raise InvalidSetting("there is nothing to draw, because nothing has been measured yet; run the study first")
        return groups_figure(self.groups, measure_words(self.measure), self.about)

    def _repr_svg_(self) -> str | None:
        """Return the figure as SVG, or None if matplotlib is not installed or nothing has been measured."""
        try:
            return self.plot()._repr_svg_()
        except (MissingExtra, InvalidSetting):
            return None

    def _repr_html_(self) -> str | None:
        """Return a table, or None if there is a figure."""
        return None if has_extra("matplotlib") and self._is_measured else super()._repr_html_()

    @property
    def _is_measured(self) -> bool:
        return any(group.games for group in self.groups)


@dataclass(frozen=True)
class Difference:
    """The difference between two settings at one mark, paired by seed.

    Attributes:
        measure: the measure, such as `best_response.losses`.
        labels: the labels of both settings.
        mean: the mean over seeds of the first setting's score minus the second setting's score.
        above: the probability that a machine with the first setting scores above a machine with the second; ties count
            half.
        pairs: float64 [seeds], the difference for each seed that both settings share.

    >>> difference_of("best_response.losses", ["a", "b"], {1: 0.5, 2: 0.5}, {1: 0.25, 2: 0.5}).above
    0.75
    """

    measure: str
    labels: tuple[str, str]
    mean: Estimate
    above: float
    pairs: NDArray[np.float64]

    def __str__(self) -> str:
        first, second = self.labels
        mean = f"{self.mean.value:.4f} (n = 1)" if self.mean.n == 1 else self.mean
        return f"{measure_words(self.measure)}, {first} minus {second}: {mean}; above in {100 * self.above:.1f} %"


def difference_of(
    measure: str, labels: Sequence[str], first: Mapping[int, float], second: Mapping[int, float]
) -> Difference:
    """Return the difference between two settings over their common seeds, given the scores of each setting by seed.

    Raises:
        InvalidSetting: if they have no seed in common.
    """
    seeds = [seed for seed in first if seed in second]
    if not seeds:
        raise InvalidSetting("no seed has been measured for both settings; run the study first")
    scores = [np.array([by_seed[seed] for seed in seeds]) for by_seed in (first, second)]
    pairs = scores[0] - scores[1]
    return Difference(measure, (labels[0], labels[1]), estimate(pairs, mean), probability_above(*scores), pairs)


class Measurements:
    """The measurements of a study.

    Attributes:
        path: the study's file.
        design: the design of the study.
        settings: the cells of its grid. Each cell contains one opponent.
    """

    path: str
    design: Design
    settings: tuple[Setting, ...]

    def table(self, games: int | None = None) -> Table:
        """Return the measurements as a tidy table with a row for each machine, mark, policy and opponent.

        The first columns are the factors that the grid varies. The remaining columns are against, seed, games,
        opponent, policy, wins, draws and losses. Wins, draws and losses are shares from 0 to 1. `opponent` is the
        opponent against which the machine was measured: random play, optimal play or the best response.

        Args:
            games: the mark to include; None includes all marks.
        """
        rows: list[tuple[Any, ...]] = []
        names = [*self.design.grid, "against"]
        for setting, policy, strengths in self._measured(games):
            factors = [_plain_value(setting.factors[name]) for name in names]
            for played, seed, *shares in strengths:
                for opponent, wins, losses in zip(OPPONENTS, shares[::2], shares[1::2], strict=True):
                    draws = max(1.0 - wins - losses, 0.0)
                    rows.append((*factors, seed, played, opponent, policy, wins, draws, losses))
        return Table((*names, "seed", "games", "opponent", "policy", *RESULTS), rows)

    def export(self, path: str | os.PathLike[str]) -> int:
        """Write `table` to a file, and return its number of rows. Parquet files require the extra `study`.

        Raises:
            OutputError: if the path does not end in .csv, .json or .parquet, or the file cannot be written.
            MissingExtra: if the format is Parquet and pyarrow is not installed.
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
        """Return `table` as a pandas DataFrame. Raises MissingExtra if pandas is not installed."""
        return self.table(games).to_frame()

    def _measured(
        self, games: int | None, columns: str = ALL_COLUMNS
    ) -> Iterator[tuple[Setting, PolicyName, list[tuple[Any, ...]]]]:
        marks = self.design.all_marks if games is None else (self.design.check_mark(games),)
        with StudyFile.open(self.path) as file:
            numbers = self._setting_numbers(file)
            for setting, (policy, greedy) in itertools.product(
                self.settings, list(zip(self.design.policies, self._greedy, strict=True))
            ):
                number = numbers.get(setting.text, 0)
                yield setting, policy, file.strengths(number, self.design.all_seeds, greedy, columns, marks)

    def scores(self, measure: str = "best_response.losses", games: int | None = None) -> dict[str, NDArray[np.float64]]:
        """Return a dictionary from each setting's label to its machines' scores at one mark, in the order of seeds.

        Args:
            measure: the opponent (`random`, `optimal` or `best_response`), a dot, and `wins`, `draws`, `losses` or
                `value` (wins minus losses).
            games: the mark; None selects the last mark. Machines that have not been measured at the mark are left out.
        """
        scores = self._scores_by_seed(measure, games)
        return {label: np.array(list(by_seed.values()), np.float64) for label, by_seed in scores.items()}

    def _scores_by_seed(self, measure: str, games: int | None) -> dict[str, dict[int, float]]:
        rows = self._measured(self.design.games if games is None else games, measure_sql(measure))
        return {
            self._label(setting, policy): {seed: value for _, seed, value in strengths}
            for setting, policy, strengths in rows
        }

    def _label(self, setting: Setting, policy: PolicyName) -> str:
        return setting.label + (f", {policy}" if len(self.design.policies) > 1 else "")

    def array(self, measure: str = "best_response.losses") -> NDArray[np.float64]:
        """Return all machines' scores as an array with axes for grid factors, opponents, policies, seeds and marks.

        Args:
            measure: the measure, as in `scores`.

        Returns:
            Values in the order of the design, with NaN for machines that have not been measured.
        """
        design = self.design
        column = {games: number for number, games in enumerate(design.all_marks)}
        grid = map(len, [*design.grid.values(), design.against, design.policies, design.all_seeds])
        array = np.full((*grid, len(column)), np.nan)
        rows = array.reshape(-1, design.seeds, len(column))
        for row, (_, _, strengths) in zip(rows, self._measured(None, measure_sql(measure)), strict=True):
            for games, seed, value in strengths:
                row[seed - design.first_seed, column[games]] = value
        return array

    def curve(self, measure: str = "best_response.losses", by: str | Sequence[str] | None = None) -> StudyCurve:
        """Return each group's learning curve: the interquartile mean over machines, with a bootstrap interval.

        Args:
            measure: the measure, as in `scores`.
            by: columns of `table` that distinguish groups, such as `win`, `against` or `policy`; None selects all
                columns that vary.
        """
        wanted = self._factors(by)
        groups: dict[tuple[Any, ...], list[list[tuple[int, float]]]] = {}
        for setting, policy, strengths in self._measured(None, measure_sql(measure)):
            factors = {**setting.factors, "policy": policy}
            curves: dict[int, list[tuple[int, float]]] = {}
            for games, seed, value in strengths:
                curves.setdefault(seed, []).append((games, value))
            groups.setdefault(tuple(_plain_value(factors[name]) for name in wanted), []).extend(curves.values())
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
        measure: str = "best_response.losses",
        games: int | None = None,
    ) -> Difference:
        """Return the difference between two settings, paired by seed.

        Args:
            first: the factors of exactly one setting, such as `{"win": 3, "draw": 1, "against": "perfect"}`, with a
                `policy` if several are measured. Alternatively, a key of `scores`, or parts that match only one key.
            second: the other setting, in the same form.
            measure: the measure, as in `scores`.
            games: the mark; None selects the last mark.
        """
        scores = self._scores_by_seed(measure, games)
        labels = [
            _find_label(wanted, list(scores)) if isinstance(wanted, str) else self._label_of(wanted)
            for wanted in (first, second)
        ]
        return difference_of(measure, labels, *(scores[label] for label in labels))

    def _label_of(self, factors: Mapping[str, Any]) -> str:
        setting = self._find_setting({name: value for name, value in factors.items() if name != "policy"})
        return self._label(setting, factors.get("policy", self.design.policies[0]))

    def _find_setting(self, factors: Mapping[str, Any]) -> Setting:
        wanted = {name: _plain_value(value) for name, value in factors.items()}
        matching = [
            setting
            for setting in self.settings
            if all(
                name in setting.factors and _plain_value(setting.factors[name]) == value
                for name, value in wanted.items()
            )
        ]
        if len(matching) != 1:
            shown = ", ".join(f"{name}={value!r}" for name, value in wanted.items()) or "nothing"
            raise InvalidSetting(
                f"{_count_text(matching)} of the study {'has' if not matching else 'have'} {shown}; select one by"
                f" {', '.join(self._factors(None))}"
            )
        return matching[0]

    @property
    def _greedy(self) -> list[int]:
        """The policies as stored in the file: 1 for `greedy` and 0 for `behaviour`."""
        return [int(policy == "greedy") for policy in self.design.policies]

    def _setting_numbers(self, file: StudyFile) -> dict[str, int]:
        """Return a dictionary from each setting's definition to its number in the file."""
        return {row.definition: row.setting_id for row in file.settings()}


def _plain_value(value: Any) -> Any:
    """Return a value that can be compared and shown in a cell; lists are converted to text."""
    return value_text(value) if isinstance(value, list | tuple) else value


def _find_label(wanted: str, labels: Sequence[str]) -> str:
    """Return the only label that contains all parts of `wanted`, or raise InvalidSetting if there is not exactly one.

    >>> _find_label("against perfect", ["win=3, against random", "win=3, against perfect"])
    'win=3, against perfect'
    """
    matching = [label for label in labels if _parts(wanted) <= _parts(label)]
    if len(matching) != 1:
        raise InvalidSetting(
            f"{_count_text(matching)} of the study {'matches' if not matching else 'match'} {wanted!r}; "
            f"choose a setting in the form that `menace study show` prints, such as {(matching or labels)[0]!r}"
        )
    return matching[0]


def _count_text(matching: Sequence[object]) -> str:
    return counted(len(matching), "setting") if matching else "no setting"


def _parts(label: str) -> set[str]:
    return {part.strip().replace("against=", "against ") for part in label.split(",")}
