"""Draw the `expected` figure: a box's shares against the number of games, as expected values and for sampled copies.

The shares in a box with three moves are drawn as a point in a triangle. Each corner of the triangle stands for one
move. An arrow shows the expected change of the shares in the next game. The change is multiplied by the number of beads
in the box, so that arrows do not shrink as the box fills. The first triangle shows arrows for the current machine with
hypothetical contents of this box. The second triangle shows arrows for machines that have played, each with its own
boxes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from menace.figures.kind import AXIS, FigureKind, Option, Options, Plotted, PlottedLine, Scale
from menace.text.wording import counted, percent

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from menace.analysis.expected_beads import ExpectedBeads
    from menace.ledger.store import Store

GAMES, MACHINES = 1_000, 500
CORNERS = (0.0, 0.0), (1.0, 0.0), (0.5, math.sqrt(0.75))
GRID = 9  # number of arrows along a side of a triangle
MAX_ARROW = 0.13  # maximum length of an arrow, as a fraction of a side
MAX_ARROWS = 100  # maximum number of machines with an arrow


def _draw(store: Store, names: Sequence[str], options: Options) -> Plotted:
    from menace.analysis.expected_beads import expect
    from menace.ledger.function_players import loaded_player, player_name
    from menace.ledger.learners import named_machine
    from menace.ledger.positions import positions_of

    machine, positions = named_machine(store, names[0]), positions_of(store)
    opponent = player_name(store, options.get("against") or "random", machine.plays.other)
    known = loaded_player(store, positions, opponent)
    expected = expect(machine, known, options.get("games") or GAMES, machines=MACHINES)
    lines = [_line(expected, box, f"{machine.name} against {opponent}") for box in expected.boxes]
    return Plotted(partial(expected_figure, expected, options.get("axis") or "log"), lines, expected.table())


def _line(expected: ExpectedBeads, box: int, players: str) -> PlottedLine:
    import numpy as np

    positions, ((machines, laws),) = expected.machine.positions, expected.laws.items()
    shares, (means, deviations) = expected.shares_of(expected.path, box), laws[-1].shares(positions.moves_of(box))
    best = int(np.nan_to_num(shares[-1]).argmax())
    before = f"{players}, {expected.names_of(box)[best]} on {positions.boards[box]}: "
    share, mean, deviation = (percent(float(of[best])).strip() for of in (shares[-1], means, deviations))
    after = f" {share}, {machines} {mean} ± {deviation} at {counted(expected.games[-1], 'game')}"
    return PlottedLine(before, after, expected.games, np.nan_to_num(shares[:, best]).tolist())


def expected_figure(expected: ExpectedBeads, scale: Scale = "log") -> Figure:
    """Draw a figure with a row for each box; a box with three moves also gets two triangles.

    Args:
        expected: the expected beads, with the distribution of machines that have played.
        scale: the scale of the axis of games.
    """
    from menace.figures import panels, style

    positions, rows = expected.machine.positions, len(expected.boxes)
    triangles = [box for box in expected.boxes if len(positions.moves_of(box)) == len(CORNERS)]
    columns = 3 if triangles else 1
    size = (style.SIZE[0] * (1.25 if triangles else 1), max(5.2, 3.6 * rows))
    with style.menace_style():
        figure, grid = style.new_figure(rows, columns, size, width_ratios=[1.25, 1, 1][:columns])
        figure.suptitle(style.displayable(expected.title), x=0.01, ha="left")
        for (axes, *others), box in zip(grid, expected.boxes, strict=True):
            _lines(axes, expected, box, size[1] / rows - 1.3)
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


def _lines(axes: Axes, expected: ExpectedBeads, box: int, inches: float) -> None:
    import numpy as np

    from menace.figures import panels, style

    ((_, laws),) = expected.laws.items()
    names, paths = expected.names_of(box), expected.shares_of(expected.path, box)
    machines = [expected.shares_of(law.piles, box) for law in laws]
    low, high = (np.array([np.nanquantile(shares, q, axis=0) for shares in machines]) for q in (0.25, 0.75))
    colours = [style.line_style(move)["color"] for move in range(len(names))]
    for move, name in enumerate(names):
        axes.plot(expected.games, paths[:, move], label=name, **style.line_style(move))
        axes.fill_between(expected.games, low[:, move], high[:, move], color=colours[move], alpha=0.15, linewidth=0)
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of the box's beads")
    panels.format_percent(axes.yaxis)
    texts = [f"{name}: {percent(share).strip()}" for name, share in zip(names, paths[-1], strict=True)]
    panels.draw_end_labels(axes, expected.games[-1], np.nan_to_num(paths[-1]).tolist(), texts, inches, colours)


def _triangles(charts: list[Axes], expected: ExpectedBeads, box: int) -> None:
    """Draw the expected motion in the first game and the motion after the last game, with the same scale."""
    import numpy as np

    from menace.figures import style

    ((_, laws),) = expected.laws.items()
    inner = np.array([(i, j, GRID - 1 - i - j) for i in range(GRID) for j in range(GRID - i)])
    moves = list(expected.machine.positions.moves_of(box))
    others = np.tile(expected.path[0], (len(inner), 1))
    others[:, moves] = others[0, moves].sum() * (inner + 1 / 3) / GRID
    machines = laws[-1].piles[:MAX_ARROWS]
    machines = machines[machines[:, moves].any(axis=1)]
    motions = [expected.motion(others, box, 0), expected.motion(machines, box, -1)]
    longest = max(float(np.hypot(*(motion @ CORNERS).T).max(initial=0)) for motion in motions) or 1.0
    for axes, at, piles, motion in zip(charts, (0, -1), (others, machines), motions, strict=True):
        axes.set_axis_off()
        axes.set_aspect("equal")
        axes.fill(*zip(*CORNERS, strict=True), facecolor="none", edgecolor=style.PALE)
        if at:
            _dots(axes, expected.shares_of(laws[at].piles, box))
        axes.plot(*(expected.shares_of(expected.path, box) @ CORNERS).T, color=style.VERMILION, zorder=2)
        x, y = (expected.shares_of(piles, box) @ CORNERS).T
        u, v = (motion @ CORNERS).T * MAX_ARROW / longest
        axes.quiver(
            x, y, u, v, angles="xy", scale_units="xy", scale=1, color=style.BLUE, width=0.006, minlength=0, zorder=3
        )
        _name_corners(axes, expected.names_of(box))
        games = counted(expected.games[at], "game")
        axes.set_title(f"after {games}: each machine" if at else f"after {games}")


def _dots(axes: Axes, shares: NDArray[np.float64]) -> None:
    """Draw machines as dots. Machines at the same place share one larger dot."""
    import numpy as np

    from menace.figures import style

    places, counts = np.unique(shares[~np.isnan(shares).any(axis=1)].round(2), axis=0, return_counts=True)
    sizes = np.ceil(3 * counts**0.3)
    for size in np.unique(sizes):
        x, y = (places[sizes == size] @ CORNERS).T
        axes.plot(x, y, "o", markersize=size, color=style.GREY, alpha=0.4, markeredgewidth=0, clip_on=False)


def _name_corners(axes: Axes, names: list[str]) -> None:
    from menace.figures import panels, style

    for move, ((x, y), side) in enumerate(zip(CORNERS, ("left", "right", "left"), strict=True)):
        below, colour = "bottom" if y else "top", style.line_style(move)["color"]
        place = (x + 0.04, y) if y else (x, y - 0.04)
        axes.text(*place, style.displayable(names[move]), ha=side, va=below, color=colour, fontsize=panels.BELOW_POINTS)


EXPECTED = FigureKind(
    "expected",
    "the expected beads for one machine's first move, compared with 500 copies that actually play",
    _draw,
    (
        Option("against", "the machine's opponent. Default: random.", metavar="PLAYER"),
        Option("games", "the number of games. Default: 1000.", integer=True, metavar="N"),
        AXIS,
    ),
    of_one=True,
)
