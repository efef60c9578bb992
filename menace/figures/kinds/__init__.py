"""Collect all kinds of figures of learners in `KINDS`. Each kind is defined in a file in this folder.

A kind may import everything that figures/ may import, but must import numpy, matplotlib, analysis/ and the drawing
modules only inside functions. Start with strength.py, and with `FigureKind` in menace/figures/kind.py.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from menace.errors import OutputError
from menace.figures.kind import FigureKind, Option, Options, Plotted, as_tuple
from menace.figures.kinds.bead_map import BEADS
from menace.figures.kinds.expected import EXPECTED
from menace.figures.kinds.game_by_game import FIRST_BOX, SCORE
from menace.figures.kinds.openings import OPENINGS
from menace.figures.kinds.outcomes import OUTCOMES
from menace.figures.kinds.strength import STRENGTH
from menace.files.optional_libraries import need_extra
from menace.text.wording import PLOT_FORMATS

if TYPE_CHECKING:
    from menace.ledger.store import Store

KINDS: dict[str, FigureKind] = {
    kind.name: kind for kind in (OUTCOMES, STRENGTH, OPENINGS, SCORE, FIRST_BOX, BEADS, EXPECTED)
}


# This dictionary maps each option's name to the option and the names of the kinds that accept it.
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
    from menace.files.output import file_format

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
        _ = plotted.figure  # raises any error now, not when a notebook displays the figure
    if path is not None:
        plotted.save(path)
    return plotted
