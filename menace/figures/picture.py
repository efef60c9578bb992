"""`menace picture`: the game graph as a picture, with positions as small boards in rows by ply, and moves as lines."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from typing import NamedTuple

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.path import Path

from menace.drawing.export_layout import by_ply
from menace.drawing.picture_colours import Paint, paint
from menace.drawing.picture_layout import Sheet, arranged
from menace.errors import InvalidGame, OutputError
from menace.exporting.game_graph import game_graph
from menace.figures.boards import BoardDrawing, draw_boards
from menace.figures.picture_text import draw_texts
from menace.figures.style import NAMELESS, figure_format, notebook_svg, shown, styled
from menace.games.base import Game
from menace.games.graph import GameGraph
from menace.ledger.store import Store
from menace.ledger.stored_rules import rules_of
from menace.output_files import write_file
from menace.wording import Part, counted, quoted

POSITIONS_MOST = 2_000
DOTS_AN_INCH, DOTS_MOST = 320, 7_000  # a slide has 3840 x 2160; no picture is wider than DOTS_MOST


@dataclass(frozen=True)
class Picture:
    """What a picture shows.

    Attributes:
        part, learner: the part of the game, and the learner, if there is one.
        positions, moves: their numbers.
        drawn: the figure, which a notebook shows.
    """

    part: Part
    learner: str | None
    positions: int
    moves: int
    drawn: Drawn = field(repr=False, compare=False)

    def _repr_svg_(self) -> str:
        with styled():
            return notebook_svg(_content(self.drawn.figure, "svg", self.drawn.paint))


class Drawn(NamedTuple):
    """A figure, and what was drawn: the graph, its layout, and its colours and texts."""

    figure: Figure
    graph: GameGraph
    sheet: Sheet
    paint: Paint


def picture(
    store: Store,
    path: str | os.PathLike[str] | None,
    part: Part = "optimal",
    learner: str | None = None,
) -> Picture:
    """Draw the game, or a part of it, and write the file if it has a path.

    Args:
        store: the database.
        path: of the file, which ends with .svg, .png or .pdf; None writes none.
        part: as `game_graph` takes it; `optimal` fits a slide, `all` a large poster.
        learner: its moves are drawn as wide as it is likely to play them; or None.

    Raises:
        OutputError: if the file cannot be written, or the part has no moves: see `draw`.
        MissingExtra: if matplotlib is not installed.
        UnknownLearner, InvalidPlayer, InvalidSetting: as `game_graph`.
        InvalidGame: if the part has more than POSITIONS_MOST positions.
    """
    form = None if path is None else figure_format(path)
    with styled():
        drawn = draw(store, part, learner)
        if path is not None and form is not None:
            write_file(path, _content(drawn.figure, form, drawn.paint))
    return Picture(part, learner, len(drawn.graph), drawn.graph.number_of_edges(), drawn)


def draw(store: Store, part: Part = "optimal", learner: str | None = None) -> Drawn:
    """Return the figure, and what it shows. Within `styled`. Arguments and errors: `picture`.

    A learner that counts only the positions that it moved to does not know the moves between them. The part that it
    played would be boards without lines, and is refused.
    """
    with store.copied() as copy:
        graph = game_graph(copy, part, learner)
        whole = graph if part == "all" else game_graph(copy, "all", learner)
        game = rules_of(copy).game
    if part == "played" and not graph.number_of_edges():
        raise OutputError(
            f"machine {learner} counts only the positions that it moved to, and no move joins two of these; "
            f"take another part, as in `--part optimal {quoted(f'--learner={learner}')}`"
        )
    if len(graph) > POSITIONS_MOST:
        raise InvalidGame(
            f"the part {part!r} of {game.name} {game.variant} (symmetry {graph.graph['symmetry']}) has"
            f" {counted(len(graph), 'position')}; a picture has room for {POSITIONS_MOST:,}: take a smaller"
            " part, or another database"
        )
    sheet = arranged(list(by_ply(graph).values()), list(graph.edges), game.shape)
    painted = paint(graph, whole, shown)
    return Drawn(_figure(graph, sheet, painted, game), graph, sheet, painted)


def _figure(graph: GameGraph, sheet: Sheet, painted: Paint, game: Game) -> Figure:
    """Return the figure, with strokes through the rows of cells that have won."""
    # At 72 dots an inch a dot is a point, and texts are measured in the sheet's own unit.
    figure = Figure(figsize=(sheet.width / 72, sheet.height / 72), dpi=72, facecolor="white")
    FigureCanvasAgg(figure)  # else each text that is measured makes a new canvas
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, sheet.width), ylim=(sheet.height, 0))
    axes.set_axis_off()
    _draw_moves(figure, sheet, painted)
    drawings = []
    lines = getattr(game, "lines", ())  # a game without rows to fill has none
    for position, node in graph.nodes(data=True):
        pieces, outcome = game.pieces(node["board"]), node.get("outcome")
        won = next((line for line in lines if {pieces[cell] for cell in line} == {outcome}), ())
        drawings.append(BoardDrawing(pieces, sheet.places[position], painted.tints[position], outcome is not None, won))
    draw_boards(axes, drawings, game.shape)
    draw_texts(figure, graph, sheet, painted, game.shape)
    return figure


def _draw_moves(figure: Figure, sheet: Sheet, painted: Paint) -> None:
    """Draw the moves, the widest lines last, on top of the others."""
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


def _content(figure: Figure, form: str, painted: Paint) -> bytes:
    """Return the bytes, with a title and a description for screen readers."""
    about = "Subject" if form == "pdf" else "Description"
    metadata = {**NAMELESS[form], "Title": painted.title, about: painted.description}
    dots = min(DOTS_AN_INCH, DOTS_MOST / figure.get_figwidth())
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, dpi=dots, metadata=metadata)
    return buffer.getvalue()
