"""The texts of the picture of the game: its title, the labels of its rows, and the key to tints and line widths."""

from __future__ import annotations

from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from menace.drawing.export_layout import by_ply
from menace.drawing.picture_colours import (
    DASHED,
    KEEPS,
    MISTAKE,
    OTHERS,
    OTHERS_WIDTH,
    RISKS,
    VALUE_TINTS,
    Paint,
    colour_of,
    risk_tint,
    width_of,
)
from menace.drawing.picture_layout import MARGIN, Place, Sheet
from menace.figures.boards import INK, BoardDrawing, draw_boards
from menace.figures.style import GREY
from menace.games.graph import GameGraph
from menace.wording import STAKES, VALUES, counted

TITLE, SUBTITLE, LABEL = 17.0, 9.5, 8.0  # points on a slide
LINES_APART = 4.1  # from row to row, in sizes of the labels' letters: three lines and some air
HINTED = 0.97  # hinting rounds the widths of letters
SHARES = (0.1, 0.5, 1.0)


def draw_texts(figure: Figure, graph: GameGraph, sheet: Sheet, painted: Paint, shape: tuple[int, int]) -> None:
    """Write title, labels and key into their margins of the sheet."""
    axes, scale = figure.axes[0], sheet.text
    for y, text, size, weight, colour in (
        (24, painted.title, TITLE, "bold", INK),
        (38, painted.subtitle, SUBTITLE, "normal", GREY),
    ):
        written = axes.text(MARGIN * scale, y * scale, text, fontsize=size * scale, fontweight=weight, color=colour)
        room = (sheet.width - 2 * MARGIN * scale) / written.get_window_extent().width
        written.set_fontsize(size * scale * min(1.0, HINTED * room))
    _draw_labels(axes, graph, sheet, painted)
    _Key(axes, sheet, shape).draw(painted)


def _draw_labels(axes: Axes, graph: GameGraph, sheet: Sheet, painted: Paint) -> None:
    """Write a label beside each row; in smaller letters if labels would touch."""
    middles = [strip.top + strip.height / 2 for strip in sheet.rows]
    apart = min((low - high for high, low in pairwise(middles)), default=sheet.height)
    size = min(LABEL * sheet.text, apart / LINES_APART)
    plies = {position: node["ply"] for position, node in graph.nodes(data=True)}
    skips = any(plies[end] - plies[start] > 1 for start, end in graph.edges)
    for (ply, row), middle in zip(by_ply(graph).items(), middles, strict=True):
        made = f"{'up to ' if skips else ''}{counted(ply, 'move')} made"
        if ply == 0:
            made = "the empty board" if painted.of_cells else "the first board"
        for number, text in enumerate([made, *row_texts(graph, row)], start=-1):
            axes.text(
                MARGIN * sheet.text,
                middle + 1.3 * number * size,
                text,
                fontsize=size,
                fontweight="bold" if text == made else "normal",
                color=INK if text == made else GREY,
                va="center_baseline",
            )


def row_texts(graph: GameGraph, row: list[int]) -> tuple[str, str]:
    """Return the label of a row: who is to move, and how many positions it has: `O to move, 21 over`, `174 positions`.

    >>> from menace.exporting.game_graph import game_graph
    >>> graph = game_graph(store)
    >>> rows = by_ply(graph)
    >>> row_texts(graph, rows[5]), row_texts(graph, rows[9])
    (('O to move, 21 over', '174 positions'), ('the game is over', '15 positions'))
    """
    to_move = [graph.nodes[position].get("to_move") for position in row]
    over = to_move.count(None)
    side = next((side for side in to_move if side is not None), None)
    positions = counted(len(row), "position")
    if side is None:
        return "the game is over", positions
    return f"{side} to move" + (f", {over} over" if over else ""), positions


class _Key:
    """Writes items of the key from left to right; a slide has room for two lines of them."""

    def __init__(self, axes: Axes, sheet: Sheet, shape: tuple[int, int]) -> None:
        self.axes, self.scale, self.shape = axes, sheet.text, shape
        self.left = self.x = MARGIN * sheet.text
        self.y = sheet.height - 25 * sheet.text

    def draw(self, painted: Paint) -> None:
        who = painted.anybody if painted.learner is None else "the machine"
        if len(painted.values) > 1:
            self.text("tint: under perfect play")
            for value in painted.values:
                self.board(VALUE_TINTS[value])
                self.text(VALUES[value])
        else:
            self.text(f"tint: how likely {who} is to throw {STAKES[painted.values[0]]} away here")
            for chance in RISKS:
                self.board(risk_tint(chance))
                self.text(f"{100 * chance:.0f}%", 7 if chance < 1 else 14)
        self.board("#ffffff", over=True)
        self.text("the game is over")
        self.x, self.y = self.left, self.y + 14 * self.scale
        self.lines(painted)

    def lines(self, painted: Paint) -> None:
        if painted.learner is None:
            self.line(KEEPS, 1.2 * self.scale**0.5)
            self.text("move that keeps the value")
            if painted.mistakes:
                self.line(MISTAKE, 1.2 * self.scale**0.5, DASHED)
                self.text("mistake: move that gives it away")
            return
        self.text("line: how likely the machine is to play the move")
        for share in SHARES:
            self.line(colour_of(share, True), width_of(share))
            self.text(f"{100 * share:.0f}%", 7 if share < 1 else 14)
        if painted.mistakes:
            self.line(colour_of(1.0, False), 2.0)
            self.text("a mistake")
        self.line(OTHERS, OTHERS_WIDTH)
        self.text("its opponent's move")

    def text(self, text: str, after: float = 14) -> None:
        written = self.axes.text(self.x, self.y, text, fontsize=LABEL * self.scale, color=INK, va="center_baseline")
        self.x += written.get_window_extent().width + after * self.scale

    def board(self, tint: str, over: bool = False) -> None:
        side = 10 * self.scale
        place = Place(self.x, self.y - side / 2, side, side)
        draw_boards(self.axes, [BoardDrawing(("",), place, tint, over)], (1, 1))
        self.x += side + 4 * self.scale

    def line(self, colour: tuple[float, ...], width: float, dashes: object = "-") -> None:
        long = 24 * self.scale
        self.axes.plot([self.x, self.x + long], [self.y] * 2, color=colour, linewidth=width, linestyle=dashes)
        self.x += long + 5 * self.scale
