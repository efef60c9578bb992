"""Draw the `score` and `first-box` figures: Michie's score, and the beads in the first-move box, after each game.

Both can show a published curve:

    1961    the matchbox machine's first tournament, of 219 games against Michie, with one dot for each game

published-1961.csv has the columns `game` and `score`. A program extracted the scores from the printed figure for about
every second game, with an error of at most 2 or 3 points. Each win added three beads to every open box, each draw added
one, and each loss removed one. The score is therefore also the number of beads in the first box minus the initial
twelve.

Source: D. Michie, Experiments on the mechanization of game-learning, Computer Journal 6 (1963), figure 4, reproduced
there from Trial and error, Penguin Science Survey 2 (1961), p. 139.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from menace.figures.kind import AXIS, GROUPING, FigureKind, Option, Options, Plotted, PlottedLine, Scale, select_groups
from menace.text.wording import counted, ordinal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from menace.analysis.replayed_learners import Trace
    from menace.ledger.store import Store

LABELS: dict[str, str] = {"score": "score: 3 a win, 1 a draw, -1 a loss", "first-box": "beads in the first box"}
MILLION = 1_000_000
DRAW_LABEL = ", 1 a draw"  # this part of the label is omitted if games cannot end in a draw
TITLES: dict[str, str] = {
    "score": "Score, game by game",
    "first-box": "Beads in the box for the first move, game by game (for O, in all its boxes for that move)",
}


def _draw(what: str, store: Store, names: Sequence[str], options: Options) -> Plotted:
    from menace.analysis.groups import Estimate, Group, factor_columns, group_name
    from menace.analysis.replayed_learners import trace_learners
    from menace.files.tables import Table

    traces = trace_learners(store, names, what)
    groups, by = select_groups(traces, options)
    lines, rows = [], []
    columns, cells = factor_columns(groups, by)
    every = traces[0].every
    for group, own_cells in zip(groups, cells, strict=True):
        drawn_group = Group.of([trace.points for trace in group])
        rows += drawn_group.rows(*own_cells, what)
        middle = [estimate.value for estimate in drawn_group.estimates]
        low, high = min(middle), max(middle)
        values = [(value - low) / max(high - low, 1) for value in middle]
        after = f" {f'{middle[-1]:,.1f}'.removesuffix('.0')} after {counted(drawn_group.games[-1], 'game')}"
        after += f", every {ordinal(every)} drawn" if every > 1 else ""
        before = f"{group_name(group, by)}, {'score' if what == 'score' else 'beads in the first box'} "
        lines.append(PlottedLine(before, after, drawn_group.games[1:], values[1:]))
    name = options.get("published")
    scale: Scale = options.get("axis") or "linear"
    published = published_curve(name) if name else None
    figure = partial(trace_figure, groups, what, scale, store.has_draws(), published, by)
    return Plotted(figure, lines, Table((*columns, "measure", "games", *Estimate._fields), rows))


def trace_figure(
    groups: Sequence[Sequence[Trace]],
    what: str,
    scale: Scale = "linear",
    draws: bool = True,
    published: PublishedCurve | None = None,
    by: Sequence[str] = (),
) -> Figure:
    """Draw a figure with a line for each individual learner, and a median and bands for each group.

    Args:
        groups: groups of traces, as returned by `menace.analysis.groups.each` and `grouped`.
        what: `score` or `first-box`.
        scale: the scale of the axis of games.
        draws: whether the game can end in a draw.
        published: a published curve to draw below the lines, or None.
        by: the names by which machines were grouped.
    """
    from menace.analysis.groups import Group
    from menace.figures import panels

    every = groups[0][0].every
    legend = panels.make_group_legend(groups, panels.describe_bands(list(map(len, groups)), by), by)
    curves = {"": [Group.of([trace.points for trace in group]) for group in groups]}
    dots = None if published is None else (published.label, published.games, published.values(what))
    words = LABELS[what] if draws else LABELS[what].replace(DRAW_LABEL, "")
    figure = panels.curves_figure(curves, legend, TITLES[what], words, scale=scale, dotted=False, published=dots)
    (axes,) = figure.axes
    axes.yaxis.set_major_formatter(lambda value, _: _tick(value))
    axes.set_xlabel(panels.GAMES_LABEL + (f"; every {ordinal(every)} is drawn" if every > 1 else ""))
    return figure


def _tick(value: float) -> str:
    return f"{value:,g}" if abs(value) < MILLION else f"{value / MILLION:g}M"


FIRST_BEADS = 12  # initial beads in the first-move box: four each for a corner, an edge and the centre


class PublishedCurve(NamedTuple):
    """A curve whose values were read from a published figure.

    Attributes:
        label: the name of the curve in a legend.
        games: numbers of games, ascending from 0.
        score: the score after these games: 3 for each win, 1 for each draw, -1 for each loss.
        exact: the maximum error of a score.
    """

    label: str
    games: tuple[int, ...]
    score: tuple[int, ...]
    exact: int

    def values(self, what: str) -> tuple[int, ...]:
        """Return the scores for `score`, or the numbers of beads for `first-box`.

        >>> curve = published_curve("1961")
        >>> curve.values("score")[0], curve.values("first-box")[0]
        (0, 12)
        """
        return self.score if what == "score" else tuple(score + FIRST_BEADS for score in self.score)


PUBLISHED_LABELS = {"1961": "Michie 1961, as printed"}


def published_curve(name: str) -> PublishedCurve:
    """Return a published curve by name; the names are in PUBLISHED_LABELS.

    >>> curve = published_curve("1961")
    >>> curve.games[-1], curve.score[-1], min(curve.score)
    (219, 151, -10)
    """
    import csv
    import importlib.resources

    text = importlib.resources.files("menace.figures").joinpath(f"published-{name}.csv").read_text("utf-8")
    rows = [(int(row["game"]), int(row["score"])) for row in csv.DictReader(text.splitlines())]
    games, score = zip(*rows, strict=True)
    return PublishedCurve(PUBLISHED_LABELS[name], games, score, exact=3)


OPTIONS = (
    *GROUPING,
    Option(
        "published",
        "add a published curve; 1961 is the curve of Michie's own machine.",
        tuple(PUBLISHED_LABELS),
    ),
    AXIS,
)
SCORE = FigureKind(
    "score",
    "Michie's score after each game: 3 for each win, 1 for each draw, -1 for each loss",
    partial(_draw, "score"),
    OPTIONS,
)
FIRST_BOX = FigureKind(
    "first-box",
    "the number of beads in the box for the first move after each game; for O, in all its boxes for that move",
    partial(_draw, "first-box"),
    OPTIONS,
)
