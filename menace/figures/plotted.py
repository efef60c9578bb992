"""A figure that was drawn: it shows itself in a notebook, and is saved with its numbers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.figure import Figure

from menace.errors import OutputError
from menace.figures.style import drawn, notebook_svg
from menace.output_files import csv_text, file_format, write_file
from menace.tables import Table
from menace.wording import PLOT_FORMATS


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


class Plotted(NamedTuple):
    """A figure, the lines that are printed with it, and its numbers; None where it has too many kinds of them.

    Attributes:
        left_out: names of machines that were asked for, and that nothing is known of yet.

    >>> db.plot("strength", names=["menace-x"])
    <figure: menace-x, games lost in the worst case 93.5% at 100 games>
    """

    figure: Figure
    lines: Sequence[PlottedLine]
    table: Table | None
    left_out: Sequence[str] = ()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write its file.

        Args:
            path: of the file, which ends with one of PLOT_FORMATS. CSV has the numbers.

        Raises:
            OutputError: if it has no such form, or cannot be written.
        """
        form = file_format(path, PLOT_FORMATS)
        if form != "csv":
            write_file(path, drawn(self.figure, form))
        elif self.table is None:
            raise OutputError("a map of beads is not written as CSV; `menace contents NAME --csv` lists all its beads")
        else:
            write_file(path, csv_text(self.table.columns, self.table.rows).encode())

    def __repr__(self) -> str:
        return f"<figure: {'; '.join(line.before + line.after.strip() for line in self.lines)}>"

    def _repr_svg_(self) -> str:
        return notebook_svg(drawn(self.figure, "svg"))
