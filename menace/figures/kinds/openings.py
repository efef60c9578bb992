"""Draw the `openings` figure: learners' first decisions against the number of games, with a board as the key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from menace.errors import OutputError
from menace.figures.kind import AXIS, FigureKind, Options, Plotted, PlottedLine, Scale
from menace.text.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from menace.analysis.replayed_learners import Opening
    from menace.figures.panels import PanelTitles
    from menace.ledger.store import Store

MAX_CELL_NAME = 3  # maximum length, in characters, of a name that fits into a cell of the key


def _draw(store: Store, names: Sequence[str], options: Options) -> Plotted:
    from menace.analysis.groups import facts_about
    from menace.analysis.replayed_learners import openings_of
    from menace.files.tables import Table

    openings, facts = openings_of(store, names), facts_about(store, names)
    rows = [
        (opening.name, opening.board, opening.what, opening.name_of(move), games, moves[move])
        for opening in openings
        for games, moves in zip(opening.games, opening.amounts, strict=True)
        for move in range(len(moves))
    ]
    table = Table(("machine", "board", "measure", "move", "games", "value"), rows)

    def figure() -> Figure:
        from menace.figures.panels import panel_titles

        return openings_figure(openings, options.get("axis") or "log", panel_titles(facts, names))

    return Plotted(figure, list(map(_line, openings)), table)


def _line(opening: Opening) -> PlottedLine:
    move = opening.name_of(opening.favourite)
    if opening.of_cells:
        move = f"{'cell' if len(opening.cells[opening.favourite]) == 1 else 'cells'} {move}"
    before = f"{opening.name} on {opening.board}, {move}: "
    amount = opening.text_of(opening.amounts[-1][opening.favourite])
    after = f" {amount} at {counted(opening.games[-1], 'game')}"
    if opening.what != "shares":
        return PlottedLine(before, opening.unit + after)
    amounts = [moves[opening.favourite] or 0.0 for moves in opening.amounts]
    return PlottedLine(before, after, opening.games, amounts)


def openings_figure(openings: Sequence[Opening], scale: Scale = "log", titles: PanelTitles | None = None) -> Figure:
    """Draw a figure with a panel for each position. The panel contains a line for each move and a board as the key.

    Args:
        openings: the positions.
        scale: the scale of the axis of games.
        titles: the titles of panels by learner, from `panel_titles`; None uses the names.

    Raises:
        OutputError: if there are more than MAX_PANELS positions.
    """
    from menace.figures import panels, style

    if len(openings) > panels.MAX_PANELS:
        raise OutputError(
            f"a figure cannot show {counted(len(openings), 'position')}; choose machines with at most"
            f" {panels.MAX_PANELS} first positions in total"
        )
    titles = titles or panels.PanelTitles("", {opening.name: opening.name for opening in openings})
    rows, columns = panels.panel_grid(len(openings))
    height = max(style.SIZE[1] if rows > 1 else 6.2, 1.2 + 3.0 * rows)
    size = (max(style.SIZE[0], 6.0 * columns), height)
    last = max(opening.games[-1] for opening in openings)
    with style.menace_style():
        figure, grid = style.new_figure(rows, 2 * columns, size, width_ratios=[5, 1.3] * columns)
        figure.suptitle("First moves of machines after different numbers of games", x=0.01, ha="left")
        charts, keys = grid[:, ::2].flat, grid[:, 1::2].flat
        for axes, key, opening in zip(charts, keys, openings, strict=False):
            _panel(axes, opening, inches=height / rows - 0.9)
            panels.set_games_axis(axes, 0, last, columns + 1, scale)  # the key takes up as much space as a panel
            panels.draw_panel_title(axes, titles.of[opening.name], size[0] / columns)
            _key(key, opening, size=14 - 2 * columns)
        for axes in grid.reshape(-1, 2)[len(openings) :].flat:
            axes.set_visible(False)
        ends = "cell numbers" if all(opening.of_cells for opening in openings) else "moves"
        below = titles.below(f"{panels.GAMES_LABEL}; labels at the ends of lines: {ends}", size[0])
        figure.supxlabel(below, fontsize=panels.BELOW_POINTS)
    return figure


def _panel(axes: Axes, opening: Opening, inches: float) -> None:
    import numpy as np

    from menace.figures import panels, style

    lines = np.array([[np.nan if a is None else a for a in amounts] for amounts in opening.amounts])
    for move in range(len(opening.cells)):
        axes.plot(opening.games, lines[:, move], label=opening.name_of(move), **style.line_style(move))
    if opening.what == "shares":
        axes.set_ylim(0, 1)
        panels.format_percent(axes.yaxis)
    axes.set_ylabel(opening.unit)
    low, high = axes.get_ylim()
    ends = np.nan_to_num((lines[-1] - low) / (high - low)).clip(0, 1)
    texts = [f"{opening.name_of(move)}: {opening.text_of(amount)}" for move, amount in enumerate(opening.amounts[-1])]
    panels.draw_end_labels(
        axes,
        opening.games[-1],
        ends.tolist(),
        texts,
        inches,
        [style.line_style(move)["color"] for move in range(len(texts))],
    )


def _key(axes: Axes, opening: Opening, size: float) -> None:
    """Draw the board with the moves in the colours of their lines, and with the moves' names if there is space."""
    from menace.drawing.boards import Mark
    from menace.figures import boards, style

    wide = max(len(name) for names in opening.names for name in names)
    written = wide <= MAX_CELL_NAME
    moves = [
        Mark(
            mark,
            amount=name if written else "",
            colour=look["color"],
            hollow=not written and look["linestyle"] != "-",
        )
        for look, marks, names in zip(
            map(style.line_style, range(len(opening.cells))), opening.marks, opening.names, strict=True
        )
        for mark, name in zip(marks, names, strict=True)
    ]
    boards.draw_key(axes, opening.pieces, opening.shape, moves, size)


OPENINGS = FigureKind(
    "openings",
    "each machine's first move against the number of games; one panel for each machine",
    _draw,
    (AXIS,),
)
