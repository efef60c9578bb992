"""Define kinds of figures, with their names, help texts, options and drawing functions, and the result of a plot.

This module does not import matplotlib or numpy, so commands and tab completion load quickly.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from menace.errors import OutputError
from menace.files.optional_libraries import need_extra
from menace.text.wording import PLOT_FORMATS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from menace.analysis.groups import Member
    from menace.files.tables import Table
    from menace.ledger.store import Store

Options: TypeAlias = Mapping[str, Any]  # the values of options by name; None, False and empty values select the default
Scale: TypeAlias = Literal["linear", "log"]  # the scale of the axis of games


class Option(NamedTuple):
    """An option of a kind of figure: `--NAME` on the command line, `NAME=` in Python.

    Attributes:
        name: the name, as users write it.
        help: the help text for the command line, in lower case.
        choices: the allowed values; empty allows any.
        integer: whether values are integers from 1.
        flag: whether the option has no value.
        multiple: whether the option may be repeated.
        metavar: the name of the value in the help.
    """

    name: str
    help: str
    choices: tuple[str, ...] = ()
    integer: bool = False
    flag: bool = False
    multiple: bool = False
    metavar: str | None = None


BY_HELP = "group machines by the values of these settings; plays, preset and against count as settings."
GROUPING = (
    Option("by", BY_HELP, multiple=True, metavar="SETTING[,SETTING]"),
    Option("apart", "draw each machine by itself, without groups.", flag=True),
)
AXIS = Option(
    "axis", "scale of the axis of games. Default: linear for score and first-box, else log.", ("linear", "log")
)


class FigureKind(NamedTuple):
    """A kind of figure.

    Attributes:
        name: the name on the command line and in Python.
        help: a description for the command line and the documentation.
        draw: a function that reads the data of the named learners and returns the figure. It imports numpy and
            matplotlib.
        options: the options that the figure accepts.
        of_one: whether the figure shows exactly one learner.
    """

    name: str
    help: str
    draw: Callable[[Store, Sequence[str], Options], Plotted]
    options: tuple[Option, ...] = ()
    of_one: bool = False


class PlottedLine(NamedTuple):
    """A line that is printed with a figure, with two labels and a series drawn as block characters between them.

    Attributes:
        before: the text on the left.
        after: the text on the right.
        games: the number of games played up to each value; empty if the line contains only texts.
        amounts: the values, 0 to 1.
        counts: the number of counted games in each step, averaged over machines; used instead of `amounts`.
    """

    before: str
    after: str
    games: Sequence[int] = ()
    amounts: Sequence[float] = ()
    counts: Sequence[float] | None = None


@dataclass(frozen=True)
class Plotted:
    """A figure, its data, and the summary lines that are printed with it.

    Attributes:
        draw: a function that draws the figure. The property `figure` caches its result.
        lines: the summary lines.
        table: the data as a table; None for the `beads` figure.
        left_out: the names of requested machines that have no data yet.

    >>> db.plot("strength", names=["menace-x"])
    <figure: menace-x, games lost against the best response 93.5% at 100 games>
    """

    draw: Callable[[], Figure]
    lines: Sequence[PlottedLine]
    table: Table | None = None
    left_out: Sequence[str] = ()

    @cached_property
    def figure(self) -> Figure:
        """The matplotlib figure. Raises MissingExtra if matplotlib is not installed."""
        need_extra("matplotlib", "plot")
        return self.draw()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the figure to a file.

        Args:
            path: the file, which ends with one of PLOT_FORMATS. CSV contains the numbers and does not need matplotlib.

        Raises:
            OutputError: if the figure is not available in this format, or the file cannot be written.
            MissingExtra: if matplotlib is needed but not installed.
        """
        from menace.files.output import csv_text, file_format, write_file

        form = file_format(path, PLOT_FORMATS)
        if form != "csv":
            write_file(path, self._drawn(form))
        elif self.table is None:
            raise OutputError("a map of beads has no CSV form; use `menace contents NAME --csv` to list all beads")
        else:
            write_file(path, csv_text(self.table.columns, self.table.rows).encode())

    def _drawn(self, form: str) -> bytes:
        figure = self.figure
        from menace.figures.style import render

        return render(figure, form)

    def __repr__(self) -> str:
        return f"<figure: {'; '.join(line.before + line.after.strip() for line in self.lines)}>"

    def _repr_svg_(self) -> str:
        svg = self._drawn("svg")
        from menace.figures.style import notebook_svg

        return notebook_svg(svg)


def as_tuple(value: Any) -> tuple[Any, ...]:
    """Return the values of an option (None, one value or several) as a tuple without duplicates.

    >>> as_tuple(None), as_tuple("best"), as_tuple(["best", "random", "best"])
    ((), ('best',), ('best', 'random'))
    """
    if value is None or value is False:
        return ()
    return tuple(dict.fromkeys([value] if isinstance(value, str | int) else value))


def split_names(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names by which machines are grouped. Each given text may contain several comma-separated names.

    >>> split_names(None), split_names("alpha, epsilon"), split_names(["alpha", "epsilon,preset"])
    ((), ('alpha', 'epsilon'), ('alpha', 'epsilon', 'preset'))
    """
    return as_tuple([name.strip() for text in as_tuple(value) for name in str(text).split(",") if name.strip()])


def select_groups(members: Sequence[Member], options: Options) -> tuple[list[list[Member]], tuple[str, ...]]:
    """Return the groups to draw for a figure's grouping options, and the names by which machines are grouped."""
    from menace.analysis.groups import each, grouped

    by = split_names(options.get("by"))
    return (each(members) if options.get("apart") else grouped(members, by)), by
