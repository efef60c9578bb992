"""What a study says: a measure by games for groups of machines, and the difference of two settings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from menace.analysis.seed_statistics import Estimate, Group, estimate, mean, probability_above
from menace.errors import InvalidSetting, MissingExtra
from menace.extras import has_extra
from menace.figures.kind import Plotted, PlottedLine
from menace.tables import Table, Tabular
from menace.wording import OPPONENTS, counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = {
    "wins": "{0}_wins",
    "draws": "max(1 - {0}_wins - {0}_losses, 0)",
    "losses": "{0}_losses",
    "value": "{0}_wins - {0}_losses",
}
ALL_COLUMNS = ", ".join(f"{opponent}_wins, {opponent}_losses" for opponent in OPPONENTS)


def column_of(measure: str) -> str:
    """Return the SQL of a measure.

    Raises:
        InvalidSetting: if there is no such measure.

    >>> column_of("best.losses"), column_of("random.value")
    ('best_losses', 'random_wins - random_losses')
    """
    opponent, _, what = str(measure).partition(".")
    if opponent not in OPPONENTS or what not in COLUMNS:
        raise InvalidSetting(
            f"no measure is called {measure!r}; take {' or '.join(OPPONENTS)}, and {' or '.join(COLUMNS)}, as in"
            " best.losses"
        )
    return COLUMNS[what].format(opponent)


def measure_words(measure: str) -> str:
    """Return a measure in words.

    >>> measure_words("best.losses")
    'losses in the worst case'
    """
    opponent, _, what = measure.partition(".")
    return f"{what} {OPPONENTS[opponent]}"


@dataclass(frozen=True, repr=False)
class StudyCurve(Tabular):
    """A measure by games. A notebook shows its figure, or its table where matplotlib is not installed.

    Attributes:
        measure: such as `best.losses`.
        groups: in the order of the study's settings.
        about: what all machines have in common.
    """

    measure: str
    groups: tuple[Group, ...]
    about: str = ""

    def table(self) -> Table:
        """Return a row for each group and mark: factors, games, value, low, high, n."""
        names = tuple(self.groups[0].factors) if self.groups else ()
        rows = [row for group in self.groups for row in group.rows(*group.factors.values())]
        return Table((*names, "games", *Estimate._fields), rows)

    def at(self, games: int) -> Table:
        """Return the rows of `table` at one mark, without the column of games.

        Raises:
            InvalidSetting: if it is no mark.
        """
        columns, rows = self.table().columns, self.table().rows
        place = list(columns).index("games")
        chosen = [(*row[:place], *row[place + 1 :]) for row in rows if row[place] == games]
        if not chosen:
            marks = sorted({row[place] for row in rows})
            raise InvalidSetting(
                f"{counted(games, 'game')} are no mark; measured after {', '.join(map(str, marks)) or 'none yet'}"
            )
        return Table((*columns[:place], *columns[place + 1 :]), chosen)

    def shown(self, games: int) -> Table:
        """Return `at` as people read it: shares with four decimals, no interval of a single machine."""
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
        """Return a figure, and save it if a path is given; its ending says the format, and CSV has the numbers.

        Raises:
            MissingExtra: if matplotlib is not installed; CSV does not need it.
            InvalidSetting: if nothing is measured yet.
        """
        line = PlottedLine(f"{measure_words(self.measure)}, {counted(len(self.groups), 'group')}", "")
        plotted = Plotted(self._figure, [line], self.table())
        if path is not None:
            plotted.save(path)
        else:
            _ = plotted.figure  # raises its errors here, and not when a notebook shows it
        return plotted

    def _figure(self) -> Figure:
        from menace.figures.panels import groups_figure

        if not self._is_measured:
            raise InvalidSetting("nothing is measured yet, so that there is nothing to draw; run the study first")
        return groups_figure(self.groups, measure_words(self.measure), self.about)

    def _repr_svg_(self) -> str | None:
        """Return a figure; None where matplotlib is not installed, or nothing is measured."""
        try:
            return self.plot()._repr_svg_()
        except (MissingExtra, InvalidSetting):
            return None

    def _repr_html_(self) -> str | None:
        """Return a table where there is no figure."""
        return None if has_extra("matplotlib") and self._is_measured else super()._repr_html_()

    @property
    def _is_measured(self) -> bool:
        return any(group.games for group in self.groups)


@dataclass(frozen=True)
class Difference:
    """The difference of two settings at one mark, paired by seed.

    Attributes:
        measure: such as `best.losses`.
        labels: of both settings.
        mean: of the first's score less the second's with the same seed.
        above: how likely a machine of the first is above one of the second, ties counting half.
        pairs: float64 [seeds], the differences, of the seeds that both have.

    >>> difference_of("best.losses", ["a", "b"], {1: 0.5, 2: 0.5}, {1: 0.25, 2: 0.5}).above
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
        return f"{measure_words(self.measure)}, {first} less {second}: {mean}; above in {100 * self.above:.1f} %"


def difference_of(
    measure: str, labels: Sequence[str], first: Mapping[int, float], second: Mapping[int, float]
) -> Difference:
    """Return the difference of the scores of two settings, which are given by seed, over the seeds that both have.

    Raises:
        InvalidSetting: if they have none in common.
    """
    seeds = [seed for seed in first if seed in second]
    if not seeds:
        raise InvalidSetting("the two settings have no seed in common that is measured; run the study first")
    scores = [np.array([by_seed[seed] for seed in seeds]) for by_seed in (first, second)]
    pairs = scores[0] - scores[1]
    return Difference(measure, (labels[0], labels[1]), estimate(pairs, mean), probability_above(*scores), pairs)
