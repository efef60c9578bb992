"""Draw the `openings` and `expected` figures, which show the boxes for first moves.

For a box with three moves, the `expected` figure draws the shares as a point in a triangle. Each corner of the triangle
represents one move. Each arrow shows the expected change in the shares in the next game. The change is multiplied by
the number of beads in the box, so that arrows do not shrink as the box fills. The first triangle shows arrows for the
current machine, with hypothetical contents in this box. The second triangle shows arrows for machines that have played,
each with its own boxes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from menace.analysis.expected_beads import ExpectedBeads, expect
from menace.analysis.groups import facts_about
from menace.analysis.replayed_learners import Opening, openings_of
from menace.drawing.boards import Mark
from menace.errors import OutputError
from menace.figures.kinds import Options, Plotted, PlottedLine
from menace.files.tables import Table
from menace.ledger.learners import loaded_player, named_machine, player_name
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.text.wording import Scale, counted, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from menace.figures.panels import Legend

MAX_CELL_NAME = 3  # maximum length, in characters, of a name that fits into a cell of the key


def draw_openings(store: Store, names: Sequence[str], options: Options) -> Plotted:
    """Return the `openings` figure."""
    openings, facts = openings_of(store, names), facts_about(store, names)
    rows = [
        (opening.name, opening.board, opening.what, opening.name_of(move), games, moves[move])
        for opening in openings
        for games, moves in zip(opening.games, opening.amounts, strict=True)
        for move in range(len(moves))
    ]
    table = Table(("machine", "board", "measure", "move", "games", "value"), rows)

    def figure() -> Figure:
        from menace.figures.panels import make_legend

        return openings_figure(openings, options.get("axis") or "log", make_legend([[known] for known in facts], names))

    return Plotted(figure, list(map(_opening_line, openings)), table)


def _opening_line(opening: Opening) -> PlottedLine:
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


def openings_figure(openings: Sequence[Opening], scale: Scale = "log", titles: Legend | None = None) -> Figure:
    """Draw a figure with a panel for each position. Each panel contains a line for each move and a board as the key.

    Args:
        openings: the positions.
        scale: the scale of the games axis.
        titles: a title for the panels of each learner, from `make_legend`; None uses the names.

    Raises:
        OutputError: if there are more than MAX_PANELS positions.
    """
    from menace.figures import panels

    if len(openings) > panels.MAX_PANELS:
        raise OutputError(
            f"a figure cannot show {counted(len(openings), 'position')}; choose machines with at most"
            f" {panels.MAX_PANELS} first positions in total"
        )
    names = tuple(dict.fromkeys(opening.name for opening in openings))
    titles = titles or panels.Legend("", names)
    title_of = dict(zip(names, titles.labels, strict=True))
    rows, columns = panels.panel_grid(len(openings))
    height = max(panels.SIZE[1] if rows > 1 else 6.2, 1.2 + 3.0 * rows)
    size = (max(panels.SIZE[0], 6.0 * columns), height)
    last = max(opening.games[-1] for opening in openings)
    with panels.menace_style():
        title = "First moves of machines after different numbers of games"
        figure, grid = panels.new_figure(rows, 2 * columns, size, title, width_ratios=[5, 1.3] * columns)
        charts, keys = grid[:, ::2].flat, grid[:, 1::2].flat
        for axes, key, opening in zip(charts, keys, openings, strict=False):
            _opening_panel(axes, opening, inches=height / rows - 0.9)
            panels.set_games_axis(axes, 0, last, columns + 1, scale)  # the key takes up as much space as a panel
            panels.draw_panel_title(axes, title_of[opening.name], size[0] / columns)
            _opening_key(key, opening, size=14 - 2 * columns)
        for axes in grid.reshape(-1, 2)[len(openings) :].flat:
            axes.set_visible(False)
        ends = "cell numbers" if all(opening.of_cells for opening in openings) else "moves"
        below = titles.below(f"{panels.GAMES_LABEL}; labels at the ends of lines: {ends}", names, size[0])
        figure.supxlabel(below, fontsize=panels.BELOW_POINTS)
    return figure


def _opening_panel(axes: Axes, opening: Opening, inches: float) -> None:
    from menace.figures import panels

    lines = np.array([[np.nan if a is None else a for a in amounts] for amounts in opening.amounts])
    for move in range(len(opening.cells)):
        axes.plot(opening.games, lines[:, move], label=opening.name_of(move), **panels.line_style(move))
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
        [panels.line_style(move)["color"] for move in range(len(texts))],
    )


def _opening_key(axes: Axes, opening: Opening, size: float) -> None:
    """Draw the board with each move in the colour of its line, and with its name if there is space."""
    from menace.figures import boards, panels

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
            map(panels.line_style, range(len(opening.cells))), opening.marks, opening.names, strict=True
        )
        for mark, name in zip(marks, names, strict=True)
    ]
    boards.draw_key(axes, opening.pieces, opening.shape, moves, size)


GAMES, MACHINES = 1_000, 500
CORNERS = (0.0, 0.0), (1.0, 0.0), (0.5, math.sqrt(0.75))
ARROWS_PER_SIDE = 9  # number of arrows along a side of a triangle
MAX_ARROW = 0.13  # maximum length of an arrow, as a fraction of a side
MAX_ARROWS = 100  # maximum number of machines for which arrows are drawn


def draw_expected(store: Store, names: Sequence[str], options: Options) -> Plotted:
    """Return the `expected` figure."""
    machine, positions = named_machine(store, names[0]), positions_of(store)
    opponent = player_name(store, options.get("against") or "random", machine.plays.other)
    known = loaded_player(store, positions, opponent)
    expected = expect(machine, known, options.get("games") or GAMES, machines=MACHINES)
    lines = [_expected_line(expected, box, f"{machine.name} against {opponent}") for box in expected.boxes]
    return Plotted(partial(expected_figure, expected, options.get("axis") or "log"), lines, expected.table())


def _expected_line(expected: ExpectedBeads, box: int, players: str) -> PlottedLine:
    positions, ((machines, laws),) = expected.machine.positions, expected.laws.items()
    shares, (means, deviations) = (
        expected.shares_of(expected.path, box),
        laws[-1].mean_shares_and_deviations(positions.moves_of(box)),
    )
    best = int(np.nan_to_num(shares[-1]).argmax())
    before = f"{players}, {expected.names_of(box)[best]} on {positions.boards[box]}: "
    share, mean, deviation = (percent(float(of[best])).strip() for of in (shares[-1], means, deviations))
    after = f" {share}, {machines} {mean} ± {deviation} at {counted(expected.games[-1], 'game')}"
    return PlottedLine(before, after, expected.games, np.nan_to_num(shares[:, best]).tolist())


def expected_figure(expected: ExpectedBeads, scale: Scale = "log") -> Figure:
    """Draw a figure with a row for each box; a box with three moves also has two triangles.

    Args:
        expected: the expected beads, with the distribution of machines that have played.
        scale: the scale of the games axis.
    """
    from menace.figures import panels

    positions, rows = expected.machine.positions, len(expected.boxes)
    triangles = [box for box in expected.boxes if len(positions.moves_of(box)) == len(CORNERS)]
    columns = 3 if triangles else 1
    size = (panels.SIZE[0] * (1.25 if triangles else 1), max(5.2, 3.6 * rows))
    with panels.menace_style():
        title, widths = panels.displayable(expected.title), [1.25, 1, 1][:columns]
        figure, grid = panels.new_figure(rows, columns, size, title, width_ratios=widths)
        for (axes, *others), box in zip(grid, expected.boxes, strict=True):
            _expected_lines(axes, expected, box, size[1] / rows - 1.3)
            panels.set_games_axis(axes, 0, expected.games[-1], columns, scale)
            panels.draw_panel_title(axes, positions.boards[box] if rows > 1 else "", size[0] / columns)
            if box in triangles:
                _triangles(others, expected, box)
            else:
                for other in others:
                    other.remove()
        (machines,) = expected.laws
        below = f"{panels.GAMES_LABEL}; lines: mean machine; bands: middle half of {machines}"
        figure.supxlabel(f"{below}; dots: these machines" if triangles else below, fontsize=panels.BELOW_POINTS)
    return figure


def _expected_lines(axes: Axes, expected: ExpectedBeads, box: int, inches: float) -> None:
    from menace.figures import panels

    ((_, laws),) = expected.laws.items()
    names, paths = expected.names_of(box), expected.shares_of(expected.path, box)
    machines = [expected.shares_of(law.piles, box) for law in laws]
    low, high = (np.array([np.nanquantile(shares, q, axis=0) for shares in machines]) for q in (0.25, 0.75))
    colours = [panels.line_style(move)["color"] for move in range(len(names))]
    for move, name in enumerate(names):
        axes.plot(expected.games, paths[:, move], label=name, **panels.line_style(move))
        axes.fill_between(expected.games, low[:, move], high[:, move], color=colours[move], alpha=0.15, linewidth=0)
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of the box's beads")
    panels.format_percent(axes.yaxis)
    texts = [f"{name}: {percent(share).strip()}" for name, share in zip(names, paths[-1], strict=True)]
    panels.draw_end_labels(axes, expected.games[-1], np.nan_to_num(paths[-1]).tolist(), texts, inches, colours)


def _triangles(charts: list[Axes], expected: ExpectedBeads, box: int) -> None:
    """Draw the expected motion in the first game and the motion after the last game, at the same scale."""
    from menace.figures import panels

    ((_, laws),) = expected.laws.items()
    inner = np.array(
        [(i, j, ARROWS_PER_SIDE - 1 - i - j) for i in range(ARROWS_PER_SIDE) for j in range(ARROWS_PER_SIDE - i)]
    )
    moves = list(expected.machine.positions.moves_of(box))
    others = np.tile(expected.path[0], (len(inner), 1))
    others[:, moves] = others[0, moves].sum() * (inner + 1 / 3) / ARROWS_PER_SIDE
    machines = laws[-1].piles[:MAX_ARROWS]
    machines = machines[machines[:, moves].any(axis=1)]
    motions = [expected.motion(others, box, 0), expected.motion(machines, box, -1)]
    longest = max(float(np.hypot(*(motion @ CORNERS).T).max(initial=0)) for motion in motions) or 1.0
    for axes, at, piles, motion in zip(charts, (0, -1), (others, machines), motions, strict=True):
        axes.set_axis_off()
        axes.set_aspect("equal")
        axes.fill(*zip(*CORNERS, strict=True), facecolor="none", edgecolor=panels.PALE)
        if at:
            _draw_dots(axes, expected.shares_of(laws[at].piles, box))
        axes.plot(*(expected.shares_of(expected.path, box) @ CORNERS).T, color=panels.VERMILION, zorder=2)
        x, y = (expected.shares_of(piles, box) @ CORNERS).T
        u, v = (motion @ CORNERS).T * MAX_ARROW / longest
        axes.quiver(
            x, y, u, v, angles="xy", scale_units="xy", scale=1, color=panels.BLUE, width=0.006, minlength=0, zorder=3
        )
        _name_corners(axes, expected.names_of(box))
        games = counted(expected.games[at], "game")
        axes.set_title(f"after {games}: each machine" if at else f"after {games}")


def _draw_dots(axes: Axes, shares: NDArray[np.float64]) -> None:
    """Draw machines as dots. Machines at the same point share one larger dot."""
    from menace.figures import panels

    places, counts = np.unique(shares[~np.isnan(shares).any(axis=1)].round(2), axis=0, return_counts=True)
    sizes = np.ceil(3 * counts**0.3)
    for size in np.unique(sizes):
        x, y = (places[sizes == size] @ CORNERS).T
        axes.plot(x, y, "o", markersize=size, color=panels.GREY, alpha=0.4, markeredgewidth=0, clip_on=False)


def _name_corners(axes: Axes, names: list[str]) -> None:
    from menace.figures import panels

    for move, ((x, y), side) in enumerate(zip(CORNERS, ("left", "right", "left"), strict=True)):
        below, colour = "bottom" if y else "top", panels.line_style(move)["color"]
        place = (x + 0.04, y) if y else (x, y - 0.04)
        axes.text(
            *place, panels.displayable(names[move]), ha=side, va=below, color=colour, fontsize=panels.BELOW_POINTS
        )
