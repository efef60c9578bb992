"""What a kind of figure is: its name, its help, its options and its drawing; and what `menace plot` returns.

Nothing here needs matplotlib or numpy, so that commands and tab completion can read all kinds without them.
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

Options: TypeAlias = Mapping[str, Any]  # of a figure, by name; None, False and empty stand for the default
Scale: TypeAlias = Literal["linear", "log"]  # of an axis of games


class Option(NamedTuple):
    """An option of a kind of figure: `--NAME` on the command line, `NAME=` in Python.

    Attributes:
        name: as people write it.
        help: what it does, in lower case, for the command line.
        choices: the values that it accepts; empty for any.
        integer: whether its values are integers from 1.
        flag: whether it is either given or not.
        multiple: whether it can be given several times.
        metavar: what the help calls its value.
    """

    name: str
    help: str
    choices: tuple[str, ...] = ()
    integer: bool = False
    flag: bool = False
    multiple: bool = False
    metavar: str | None = None


BY_HELP = "machines with these in common are a group; also plays, preset, against."
GROUPING = (
    Option("by", BY_HELP, multiple=True, metavar="SETTING[,SETTING]"),
    Option("apart", "each machine by itself, even where several could be a group.", flag=True),
)
AXIS = Option("axis", "the axis of games. Default: linear for score and first-box, else log.", ("linear", "log"))


class FigureKind(NamedTuple):
    """A kind of figure.

    Attributes:
        name: on the command line and in Python.
        help: what it shows, for the command line and the documentation.
        draw: reads what the figure shows of the named learners. It imports numpy and matplotlib when it is called.
        options: those that it accepts.
        of_one: whether it shows one learner only.
    """

    name: str
    help: str
    draw: Callable[[Store, Sequence[str], Options], Plotted]
    options: tuple[Option, ...] = ()
    of_one: bool = False


class PlottedLine(NamedTuple):
    """A line that is printed with a figure: numbers by games, as blocks, between two texts.

    Attributes:
        before, after: the texts.
        games: up to each number; empty if the line has only the texts.
        amounts: the numbers, 0 to 1.
        counts: instead of amounts, how many of the games of each step were counted, of several machines on average.
    """

    before: str
    after: str
    games: Sequence[int] = ()
    amounts: Sequence[float] = ()
    counts: Sequence[float] | None = None


@dataclass(frozen=True)
class Plotted:
    """A figure, the summary lines that are printed with it, and its data as a table (None for a map of beads).

    Attributes:
        draw: draws the figure, which the property `figure` keeps.
        left_out: names of machines that were asked for, and of which nothing is known yet.

    >>> db.plot("strength", names=["menace-x"])
    <figure: menace-x, games lost against the best response 93.5% at 100 games>
    """

    draw: Callable[[], Figure]
    lines: Sequence[PlottedLine]
    table: Table | None = None
    left_out: Sequence[str] = ()

    @cached_property
    def figure(self) -> Figure:
        """The figure. Raises MissingExtra if matplotlib is not installed."""
        need_extra("matplotlib", "plot")
        return self.draw()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the figure to a file.

        Args:
            path: of the file, which ends with one of PLOT_FORMATS. CSV has the numbers, and needs no matplotlib.

        Raises:
            OutputError: if the figure has no such form, or cannot be written.
            MissingExtra: if matplotlib is needed and is not installed.
        """
        from menace.files.output import csv_text, file_format, write_file

        form = file_format(path, PLOT_FORMATS)
        if form != "csv":
            write_file(path, self._drawn(form))
        elif self.table is None:
            raise OutputError("a map of beads is not written as CSV; `menace contents NAME --csv` lists all its beads")
        else:
            write_file(path, csv_text(self.table.columns, self.table.rows).encode())

    def _drawn(self, form: str) -> bytes:
        figure = self.figure
        from menace.figures.style import drawn

        return drawn(figure, form)

    def __repr__(self) -> str:
        return f"<figure: {'; '.join(line.before + line.after.strip() for line in self.lines)}>"

    def _repr_svg_(self) -> str:
        svg = self._drawn("svg")
        from menace.figures.style import notebook_svg

        return notebook_svg(svg)


def several(value: Any) -> tuple[Any, ...]:
    """Return the values of an option: none, one, or several, each once.

    >>> several(None), several("best"), several(["best", "random", "best"])
    ((), ('best',), ('best', 'random'))
    """
    if value is None or value is False:
        return ()
    return tuple(dict.fromkeys([value] if isinstance(value, str | int) else value))


def split_by(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return what groups are made by, from one text or several, with commas between names.

    >>> split_by(None), split_by("alpha, epsilon"), split_by(["alpha", "epsilon,preset"])
    ((), ('alpha', 'epsilon'), ('alpha', 'epsilon', 'preset'))
    """
    return several([name.strip() for text in several(value) for name in str(text).split(",") if name.strip()])


def groups_for(members: Sequence[Member], options: Options) -> tuple[list[list[Member]], tuple[str, ...]]:
    """Return the groups that a figure draws, by the options GROUPING, and the names that they are made by, if any."""
    from menace.analysis.groups import each, grouped

    by = split_by(options.get("by"))
    return (each(members) if options.get("apart") else grouped(members, by)), by
