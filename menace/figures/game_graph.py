"""Draw the game graph for `menace picture`, with positions as small boards in one row per ply and moves as lines."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.path import Path

from menace.drawing import game_picture as drawing
from menace.drawing.game_picture import paint
from menace.drawing.graph_layout import by_ply
from menace.errors import InvalidGame, OutputError
from menace.exporting.graphs import game_graph
from menace.figures.boards import INK, BoardDrawing, draw_boards
from menace.figures.panels import GREY, METADATA, displayable, menace_style, notebook_svg
from menace.files.output import file_format, write_file
from menace.games.base import Game
from menace.games.networkx_graph import GameGraph
from menace.ledger.rules import rules_of
from menace.ledger.store import Store
from menace.text.wording import FIGURE_FORMATS, STAKES, VALUES, Part, counted, quoted

MAX_POSITIONS = 2_000
DOTS_PER_INCH, MAX_DOTS = 320, 7_000  # a slide has 3840 x 2160 dots; no picture is wider than MAX_DOTS


@dataclass(frozen=True)
class Picture:
    """A picture of the game graph, with a summary. Notebooks display this object as the picture.

    Attributes:
        part: the part of the game.
        learner: the name of the learner, or None.
        positions: the number of positions.
        moves: the number of moves.
        drawn: the figure and its data.
    """

    part: Part
    learner: str | None
    positions: int
    moves: int
    drawn: Drawn = field(repr=False, compare=False)

    def _repr_svg_(self) -> str:
        with menace_style():
            return notebook_svg(_render(self.drawn.figure, "svg", self.drawn.paint))


class Drawn(NamedTuple):
    """A figure with the graph, layout, colours and texts that it shows."""

    figure: Figure
    graph: GameGraph
    sheet: drawing.Sheet
    paint: drawing.Paint


def picture(
    store: Store,
    path: str | os.PathLike[str] | None,
    part: Part = "optimal",
    learner: str | None = None,
) -> Picture:
    """Draw the game, or a part of it, and write it to a file if `path` is given.

    Args:
        store: the database.
        path: the file, which ends with .svg, .png or .pdf; None writes no file.
        part: the positions to draw, as in `game_graph`. `optimal` fits on a slide, and `all` needs a large poster.
        learner: the name of a learner, or None. The width of a line shows how likely the learner is to play that move.

    Raises:
        OutputError: if the file cannot be written, or the part has no moves (see `draw`).
        MissingExtra: if matplotlib is not installed.
        UnknownLearner: if there is no such learner.
        InvalidPlayer: if `part` is `played`, and no learner is given or the learner has not learned from any game.
        InvalidSetting: if there is no such part.
        InvalidGame: if the part has more than MAX_POSITIONS positions.
    """
    form = None if path is None else file_format(path, FIGURE_FORMATS)
    with menace_style():
        drawn = draw(store, part, learner)
        if path is not None and form is not None:
            write_file(path, _render(drawn.figure, form, drawn.paint))
    return Picture(part, learner, len(drawn.graph), drawn.graph.number_of_edges(), drawn)


def draw(store: Store, part: Part = "optimal", learner: str | None = None) -> Drawn:
    """Draw the figure within `menace_style`, and return it.

    Takes the same arguments and raises the same errors as `picture`.

    The part `played` is not available for learners that count only the positions to which they moved, because it would
    contain no moves.
    """
    with store.copied() as copy:
        graph = game_graph(copy, part, learner)
        whole = graph if part == "all" else game_graph(copy, "all", learner)
        game = rules_of(copy).game
    if part == "played" and not graph.number_of_edges():
        raise OutputError(
            f"the graph of {learner} includes only the positions that {learner} moved to, and no move connects two of "
            f"these positions; choose another part, as in `--part optimal {quoted(f'--learner={learner}')}`"
        )
    if len(graph) > MAX_POSITIONS:
        raise InvalidGame(
            f"the part {part!r} of {game.name} {game.variant} (symmetry {graph.graph['symmetry']}) has"
            f" {counted(len(graph), 'position')}, but a picture shows at most {MAX_POSITIONS:,}; choose a smaller"
            " part or another database"
        )
    sheet = drawing.arrange(list(by_ply(graph).values()), list(graph.edges), game.shape)
    painted = paint(graph, whole, displayable)
    return Drawn(_figure(graph, sheet, painted, game), graph, sheet, painted)


def _figure(graph: GameGraph, sheet: drawing.Sheet, painted: drawing.Paint, game: Game) -> Figure:
    """Draw the figure, with lines through the winning rows of cells."""
    # At 72 dots per inch, a dot is a point, so text is measured in the unit of the sheet.
    figure = Figure(figsize=(sheet.width / 72, sheet.height / 72), dpi=72, facecolor="white")
    FigureCanvasAgg(figure)  # without this canvas, every text measurement would create a new one
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, sheet.width), ylim=(sheet.height, 0))
    axes.set_axis_off()
    _draw_moves(figure, sheet, painted)
    drawings = []
    lines = getattr(game, "lines", ())  # only games in which completing a row wins have this attribute
    for position, node in graph.nodes(data=True):
        pieces, outcome = game.pieces(node["board"]), node.get("outcome")
        won = next((line for line in lines if {pieces[cell] for cell in line} == {outcome}), ())
        drawings.append(BoardDrawing(pieces, sheet.places[position], painted.tints[position], outcome is not None, won))
    draw_boards(axes, drawings, game.shape)
    draw_texts(figure, graph, sheet, painted, game.shape)
    return figure


def _draw_moves(figure: Figure, sheet: drawing.Sheet, painted: drawing.Paint) -> None:
    """Draw the moves, with the widest lines on top."""
    codes = [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
    moves = sorted(painted.strokes, key=lambda move: (painted.strokes[move].above, painted.strokes[move].width))
    strokes = [painted.strokes[move] for move in moves]
    figure.axes[0].add_collection(
        PathCollection(
            [Path(sheet.moves[move], codes) for move in moves],
            facecolors="none",
            edgecolors=[stroke.colour for stroke in strokes],
            linewidths=[stroke.width for stroke in strokes],
            linestyles=[stroke.dashes for stroke in strokes],
            clip_on=False,
            zorder=1,
        ),
        autolim=False,
    )


def _render(figure: Figure, form: str, painted: drawing.Paint) -> bytes:
    """Render the figure as the bytes of a file, with a title and a description for screen readers."""
    about = "Subject" if form == "pdf" else "Description"
    metadata = {**METADATA[form], "Title": painted.title, about: painted.description}
    dots = min(DOTS_PER_INCH, MAX_DOTS / figure.get_figwidth())
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, dpi=dots, metadata=metadata)
    return buffer.getvalue()


TITLE, SUBTITLE, LABEL = 17.0, 9.5, 8.0  # font sizes on a slide, in points
ROW_DISTANCE = 4.1  # minimum distance between rows, relative to the font size; leaves space for three lines
HINTING_FACTOR = 0.97  # safety factor for text widths, because hinting rounds letter widths
SHARES = (0.1, 0.5, 1.0)


def draw_texts(
    figure: Figure, graph: GameGraph, sheet: drawing.Sheet, painted: drawing.Paint, shape: tuple[int, int]
) -> None:
    """Draw the title, the row labels and the key in the margins of the sheet."""
    axes, scale = figure.axes[0], sheet.text
    for y, text, size, weight, colour in (
        (24, painted.title, TITLE, "bold", INK),
        (38, painted.subtitle, SUBTITLE, "normal", GREY),
    ):
        written = axes.text(
            drawing.MARGIN * scale, y * scale, text, fontsize=size * scale, fontweight=weight, color=colour
        )
        room = (sheet.width - 2 * drawing.MARGIN * scale) / written.get_window_extent().width
        written.set_fontsize(size * scale * min(1.0, HINTING_FACTOR * room))
    _draw_labels(axes, graph, sheet, painted)
    _Key(axes, sheet, shape).draw(painted)


def _draw_labels(axes: Axes, graph: GameGraph, sheet: drawing.Sheet, painted: drawing.Paint) -> None:
    """Write a label beside each row, in a smaller font if the labels would touch."""
    middles = [strip.top + strip.height / 2 for strip in sheet.rows]
    apart = min((low - high for high, low in pairwise(middles)), default=sheet.height)
    size = min(LABEL * sheet.text, apart / ROW_DISTANCE)
    plies = {position: node["ply"] for position, node in graph.nodes(data=True)}
    skips = any(plies[end] - plies[start] > 1 for start, end in graph.edges)
    for (ply, row), middle in zip(by_ply(graph).items(), middles, strict=True):
        made = f"{'up to ' if skips else ''}{counted(ply, 'move')} made"
        if ply == 0:
            made = "the empty board" if painted.of_cells else "the first board"
        for number, text in enumerate([made, *row_texts(graph, row)], start=-1):
            axes.text(
                drawing.MARGIN * sheet.text,
                middle + 1.3 * number * size,
                text,
                fontsize=size,
                fontweight="bold" if text == made else "normal",
                color=INK if text == made else GREY,
                va="center_baseline",
            )


def row_texts(graph: GameGraph, row: list[int]) -> tuple[str, str]:
    """Return the two lines of a row's label.

    The first line names the side to move and gives the number of finished games. The second line gives the number of
    positions.

    >>> from menace.exporting.graphs import game_graph
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
    """Writes the items of the picture's key from left to right, on two lines."""

    def __init__(self, axes: Axes, sheet: drawing.Sheet, shape: tuple[int, int]) -> None:
        self.axes, self.scale, self.shape = axes, sheet.text, shape
        self.left = self.x = drawing.MARGIN * sheet.text
        self.y = sheet.height - 25 * sheet.text

    def draw(self, painted: drawing.Paint) -> None:
        """Write the whole key."""
        who = painted.random_player if painted.learner is None else "the machine"
        if len(painted.values) > 1:
            self.text("tint: under perfect play")
            for value in painted.values:
                self.board(drawing.VALUE_TINTS[value])
                self.text(VALUES[value])
        else:
            self.text(f"tint: how likely {who} is to give {STAKES[painted.values[0]]} away here")
            for chance in drawing.RISKS:
                self.board(drawing.risk_tint(chance))
                self.text(f"{100 * chance:.0f}%", 7 if chance < 1 else 14)
        self.board("#ffffff", over=True)
        self.text("the game is over")
        self.x, self.y = self.left, self.y + 14 * self.scale
        self.lines(painted)

    def lines(self, painted: drawing.Paint) -> None:
        """Write the second line of the key, which explains how moves are drawn."""
        if painted.learner is None:
            self.line(drawing.KEEPS, 1.2 * self.scale**0.5)
            self.text("a move that keeps the value")
            if painted.mistakes:
                self.line(drawing.MISTAKE, 1.2 * self.scale**0.5, drawing.DASHED)
                self.text("a mistake, which gives it away")
            return
        self.text("line: how likely the machine is to play the move")
        for share in SHARES:
            self.line(drawing.move_colour(share, True), drawing.move_width(share))
            self.text(f"{100 * share:.0f}%", 7 if share < 1 else 14)
        if painted.mistakes:
            self.line(drawing.move_colour(1.0, False), 2.0)
            self.text("a mistake")
        self.line(drawing.OTHERS, drawing.OTHERS_WIDTH)
        self.text("its opponent's move")

    def text(self, text: str, after: float = 14) -> None:
        """Write text, followed by `after` points of space."""
        written = self.axes.text(self.x, self.y, text, fontsize=LABEL * self.scale, color=INK, va="center_baseline")
        self.x += written.get_window_extent().width + after * self.scale

    def board(self, tint: str, over: bool = False) -> None:
        """Draw an empty, tinted board."""
        side = 10 * self.scale
        place = drawing.Place(self.x, self.y - side / 2, side, side)
        draw_boards(self.axes, [BoardDrawing(("",), place, tint, over)], (1, 1))
        self.x += side + 4 * self.scale

    def line(self, colour: tuple[float, ...], width: float, dashes: object = "-") -> None:
        """Draw a sample line."""
        long = 24 * self.scale
        self.axes.plot([self.x, self.x + long], [self.y] * 2, color=colour, linewidth=width, linestyle=dashes)
        self.x += long + 5 * self.scale
