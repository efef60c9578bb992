"""The exact strength of a learner by games, as a notebook shows it."""

from __future__ import annotations

from menace.errors import MissingExtra
from menace.shelf import series
from menace.tables import html_table
from menace.wording import MEASURES, OPPONENTS, percent


class Curve(series.Curve):
    """Strength by games: rows, a pandas frame, and a figure. The record is `menace.shelf.series.Curve`."""

    def _repr_html_(self) -> str:
        """Return a figure, or a table where matplotlib is not installed."""
        figure = self._repr_svg_()
        if figure is not None:
            return figure[figure.index("<svg") :]
        header = ["games", *(f"{MEASURES['losses']} {words}" for words in OPPONENTS.values())]
        rows = [[f"{n:,}", *(percent(found[who].loss) for who in OPPONENTS)] for n, found in self.points.items()]
        return html_table(header, rows)

    def _repr_svg_(self) -> str | None:
        """Return a figure, None where matplotlib is not installed, or nothing was measured."""
        if not self.points:
            return None
        try:
            from menace.plotting.strength import strength_figure
            from menace.plotting.style import drawn
        except MissingExtra:
            return None
        return drawn(strength_figure([[self]]), "svg").decode()
