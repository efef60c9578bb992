"""Define the kinds of figures, with their names, help texts, options and drawing functions, and draw figures.

This module does not import matplotlib or numpy, so commands and tab completion load quickly.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from menace.errors import OutputError
from menace.files.optional_libraries import need_extra
from menace.files.output import csv_text, file_format, write_file
from menace.text.wording import MEASURES, OPPONENTS, PLOT_FORMATS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from menace.files.tables import Table
    from menace.ledger.store import Store

Options: TypeAlias = Mapping[str, Any]  # the values of options by name; None, False and empty values select the default


class Option(NamedTuple):
    """An option of a kind of figure, given as `--NAME` on the command line or as `NAME=` in Python.

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
    Option("apart", "draw each machine separately, not in groups.", flag=True),
)
AXIS = Option("axis", "scale of the games axis. Default: linear for score and first-box, else log.", ("linear", "log"))


class FigureKind(NamedTuple):
    """A kind of figure.

    Attributes:
        name: the name on the command line and in Python.
        help: a description for the command line and the documentation.
        drawn_by: the module in this folder and its function that reads the data of the named learners and returns the
            figure. The module imports numpy.
        options: the options that the figure accepts.
        of_one: whether the figure shows exactly one learner.
    """

    name: str
    help: str
    drawn_by: str
    options: tuple[Option, ...] = ()
    of_one: bool = False

    def draw(self, store: Store, names: Sequence[str], options: Options) -> Plotted:
        """Read the data of the named learners, and return the figure."""
        module, _, function = self.drawn_by.partition(".")
        plotted: Plotted = getattr(importlib.import_module(f"menace.figures.{module}"), function)(store, names, options)
        return plotted


class PlottedLine(NamedTuple):
    """A summary line printed with a figure: a series, drawn in block characters, between two labels.

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
        form = file_format(path, PLOT_FORMATS)
        if form != "csv":
            write_file(path, self._drawn(form))
        elif self.table is None:
            raise OutputError("a map of beads has no CSV form; use `menace contents NAME --csv` to list all beads")
        else:
            write_file(path, csv_text(self.table.columns, self.table.rows).encode())

    def _drawn(self, form: str) -> bytes:
        figure = self.figure
        from menace.figures.panels import render

        return render(figure, form)

    def __repr__(self) -> str:
        return f"<figure: {'; '.join(line.before + line.after.strip() for line in self.lines)}>"

    def _repr_svg_(self) -> str:
        svg = self._drawn("svg")
        from menace.figures.panels import notebook_svg

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
    """Return the names of the factors by which machines are grouped.

    Each string may contain several names, separated by commas.

    >>> split_names(None), split_names("alpha, epsilon"), split_names(["alpha", "epsilon,preset"])
    ((), ('alpha', 'epsilon'), ('alpha', 'epsilon', 'preset'))
    """
    return as_tuple([name.strip() for text in as_tuple(value) for name in str(text).split(",") if name.strip()])


GAME_BY_GAME = (
    *GROUPING,
    Option("published", "add a published curve; 1961 is the curve of Michie's own machine.", ("1961",)),
    AXIS,
)
KINDS: dict[str, FigureKind] = {
    kind.name: kind
    for kind in (
        FigureKind(
            "outcomes",
            "outcomes of the games that machines learn from; one panel for each machine or group",
            "curves.draw_outcomes",
            (*GROUPING, AXIS),
        ),
        FigureKind(
            "strength",
            f"exact strength against the number of games: {', '.join(OPPONENTS.values())}",
            "curves.draw_strength",
            (
                Option(
                    "policy",
                    "behaviour (as in training) or greedy (always the best move). Default: behaviour.",
                    ("behaviour", "greedy"),
                ),
                Option(
                    "opponent",
                    "the opponent; best_response is the player that exploits the machine the most. Default: all three.",
                    tuple(OPPONENTS),
                    multiple=True,
                ),
                Option("measure", "the measure; score is wins plus half the draws. Default: losses.", tuple(MEASURES)),
                *GROUPING,
                AXIS,
            ),
        ),
        FigureKind(
            "openings",
            "each machine's first move against the number of games; one panel for each machine",
            "first_moves.draw_openings",
            (AXIS,),
        ),
        FigureKind(
            "score",
            "Michie's score after each game: 3 for each win, 1 for each draw, -1 for each loss",
            "curves.draw_score",
            GAME_BY_GAME,
        ),
        FigureKind(
            "first-box",
            "beads in the box for the first move, counted after each game; for O, in all its boxes for that move",
            "curves.draw_first_box",
            GAME_BY_GAME,
        ),
        FigureKind(
            "beads",
            "all boxes of one machine, shaded by the shares of their beads",
            "bead_map.draw_bead_map",
            (
                Option(
                    "stage", "show only the boxes for the machine's Nth move.", integer=True, multiple=True, metavar="N"
                ),
            ),
            of_one=True,
        ),
        FigureKind(
            "expected",
            "the expected number of beads for one machine's first move, and the actual numbers in 500 copies",
            "first_moves.draw_expected",
            (
                Option("against", "the machine's opponent. Default: random.", metavar="PLAYER"),
                Option("games", "the number of games. Default: 1000.", integer=True, metavar="N"),
                AXIS,
            ),
            of_one=True,
        ),
    )
}


# Maps each option's name to the option itself and the names of the kinds that accept the option.
OPTIONS: dict[str, tuple[Option, list[str]]] = {
    option.name: (option, [name for name, kind in KINDS.items() if option in kind.options])
    for each in KINDS.values()
    for option in each.options
}


def refusal(kind: str, options: Options, names: Sequence[str] | None = None) -> str | None:
    """Return a message that explains why a figure cannot be drawn, or None if it can be drawn.

    Args:
        kind: the name of the kind.
        options: the options of the figure.
        names: the names of the learners; None if they are not known yet.

    Raises:
        TypeError: if no kind has an option of this name.

    >>> refusal("outcomes", {"policy": "greedy"})
    '--policy applies to `menace plot strength`, not to outcomes'
    >>> refusal("strength", {"policy": "greedy"})
    """
    if kind not in KINDS:
        return f"no figure is called {kind!r}; choose one of {', '.join(KINDS)}"
    for name, value in options.items():
        if name not in OPTIONS:
            raise TypeError(f"no figure has an option {name!r}; the options are {', '.join(OPTIONS)}")
        option, kinds = OPTIONS[name]
        if as_tuple(value) and kind not in kinds:
            return f"--{name} applies to `menace plot {'|'.join(kinds)}`, not to {kind}"
        for choice in as_tuple(value):
            if option.choices and choice not in option.choices:
                return f"unknown {name} {choice!r}; choose one of {', '.join(option.choices)}"
    if options.get("apart") and options.get("by"):
        return "--apart draws each machine by itself, but --by groups machines; choose one of the two"
    if KINDS[kind].of_one and names is not None and len(names) != 1:
        return f"the figure {kind} shows one machine, not {len(names)}; plot them one at a time"
    return None if names is None or names else "there is no machine to draw; `menace new` creates one"


def plot(
    store: Store,
    kind: str,
    path: str | os.PathLike[str] | None,
    names: Sequence[str],
    options: Options,
) -> Plotted:
    """Draw a figure of learners, write it to a file if `path` is given, and return it.

    Args:
        store: the database.
        kind: the kind of figure, one of KINDS.
        path: the file, whose extension selects the format; None writes no file. CSV contains the numbers of the figure.
        names: the names of the learners, or patterns of names.
        options: the options of the figure.

    Raises:
        OutputError: if there is no such kind, option or format, there is nothing to draw, or the file cannot be
            written.
        InvalidSetting: if learners are to be grouped by a setting that none of them has.
        UnknownLearner: if there is no such learner.
        MissingExtra: if matplotlib is not installed; CSV does not need it.
        TypeError: if no kind has an option of this name.

    >>> plot(store, "strength", None, ["menace-x"], {"policy": "greedy"}).lines[0].after
    ' 100.0% at 100 games'
    """
    reason, form = refusal(kind, options), None
    if reason is None:
        form = None if path is None else file_format(path, PLOT_FORMATS)
        names = store.expand_names(names)
        reason = refusal(kind, options, names)
    if reason is not None:
        raise OutputError(reason)
    if form != "csv":
        need_extra("matplotlib", "plot")
    plotted = KINDS[kind].draw(store, names, options)
    if form != "csv":
        _ = plotted.figure  # so that errors are raised now, not when a notebook displays the figure
    if path is not None:
        plotted.save(path)
    return plotted
