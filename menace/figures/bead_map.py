"""Draw the `beads` figure, which maps all boxes of a machine as small boards shaded by their shares of beads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from menace.drawing.game_picture import Place
from menace.errors import OutputError
from menace.figures.kinds import Options, Plotted, PlottedLine, as_tuple
from menace.games.base import Board, MoveMark, Shape
from menace.games.positions import Positions
from menace.learners.box import Box
from menace.learners.machine import Machine
from menace.ledger.learners import named_machine
from menace.ledger.store import Store
from menace.text.wording import counted, ordinal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MAX_BOXES = 3_000  # maximum number of boxes; with more, each box would be too small on any sheet
POINTS = 72.0  # points per inch
MAX_WIDTH = 1191.0  # maximum width of the sheet in points; DIN A3 in landscape format is 1191 x 842
MAX_CELL = 22.0  # maximum side of a cell, in points
RATIO = 1.5  # intended ratio of the total width to the total height of all boxes
MARGIN, TOP = 24.0, 90.0  # the margin around the sheet and the height of the title, in points
GAP, BELOW = 0.9, 1.7  # the space between boxes and the space for the number below each box, in cells
HEADING = 2.2  # height of the heading of a stage, in cells
TITLE_POINTS = 16.0


class MapBox(NamedTuple):
    """A box on the map, which represents one decision of a learner.

    Attributes:
        number: the number of the box, or of the position if the learner has no boxes.
        board: the canonical board.
        stage: the number of the learner's move in a game, counting from 1.
        pieces: the piece on each cell of the board.
        moves: the mark and the share, 0 to 1, of each move; equivalent moves divide their common share equally. All
            shares are 0 in an empty box.

    >>> first = load_bead_map(store, "menace-x", stages=[1]).boxes[0]
    >>> [round(share, 3) for _, share in first.moves]
    [0.024, 0.001, 0.024, 0.001, 0.9, 0.001, 0.024, 0.001, 0.024]
    """

    number: int
    board: Board
    stage: int
    pieces: tuple[str, ...]
    moves: tuple[tuple[MoveMark, float], ...]

    @property
    def empty(self) -> bool:
        """Whether the box is empty."""
        return not any(share for _, share in self.moves)


class BeadMap(NamedTuple):
    """The data for a map of a learner's boxes.

    Attributes:
        machine: the learner.
        boxes: the boxes. Their shares are shares of the beads if the learner has beads; otherwise, they are the
            probabilities of moves.

    >>> bead_map = load_bead_map(store, "menace-o")
    >>> len(bead_map.boxes), [box.board for box in bead_map.boxes if box.empty]
    (289, ['XXOOXXO..', 'XOO.XXXO.', 'X.O.XXOXO'])
    """

    machine: Machine
    boxes: tuple[MapBox, ...]

    @property
    def shape(self) -> Shape:
        """The number of rows and columns of a board."""
        return self.machine.positions.game.shape


def draw_bead_map(store: Store, names: Sequence[str], options: Options) -> Plotted:
    """Return the `beads` figure."""
    bead_map = load_bead_map(store, names[0], as_tuple(options.get("stage")))
    empty = sum(box.empty for box in bead_map.boxes)
    what = f"{counted(len(bead_map.boxes), 'box')}, {empty:,} of them empty"
    if not bead_map.machine.has_beads:
        what = f"{counted(len(bead_map.boxes), 'position')} where it has a choice"
    return Plotted(partial(bead_map_figure, bead_map), [PlottedLine(f"{bead_map.machine.name}, {what}", "")])


def load_bead_map(store: Store, name: str, stages: Sequence[int] = ()) -> BeadMap:
    """Load the data for a map of a learner's boxes in their current state.

    Args:
        store: the database.
        name: the name of a learner. If it has no boxes, the map shows the probabilities of its moves at each choice.
        stages: the numbers of the learner's moves to include, counting from 1; empty includes all.

    Raises:
        UnknownLearner: if there is no such learner.
        OutputError: if there are more boxes than MAX_BOXES, or no boxes at these stages.

    >>> [box.board for box in load_bead_map(store, "menace-o", stages=[1]).boxes]
    ['X........', '.X.......', '....X....']
    """
    machine = named_machine(store, name)
    positions = machine.positions
    boxes = [box for box in machine.boxes if box.has_beads or box.has_choice]
    chosen = [box for box in boxes if not stages or box.stage in stages]
    if len(chosen) > MAX_BOXES:
        raise OutputError(
            f"{name} has {len(chosen):,} decisions, but a sheet shows at most {MAX_BOXES:,};"
            " choose stages, as in `--stage 1 --stage 2`"
        )
    if not chosen:
        raise OutputError(f"{name} has no boxes at stage {', '.join(map(str, stages))}; its first move is stage 1")
    return BeadMap(machine, tuple(_map_box(positions, box) for box in chosen))


def _map_box(positions: Positions, box: Box) -> MapBox:
    parts: dict[int, float] = {}
    for move in box.moves:
        share = box.share_of_beads(move) if box.has_beads else move.share or 0.0
        alike = positions.equivalent_actions(box.board, move.action)
        parts |= dict.fromkeys(alike, share / len(alike))
    number = box.position_id if box.number is None else box.number
    moves = tuple((positions.game.where(box.board, action), parts[action]) for action in sorted(parts))
    return MapBox(number, box.board, box.stage, positions.game.pieces(box.board), moves)


class _Sheet(NamedTuple):
    """The layout of the sheet, in points from the top left corner."""

    width: float
    height: float
    cell: float
    places: list[Place]  # the place of each box
    headings: list[tuple[float, str]]  # the height and text of each heading


def _sheet(bead_map: BeadMap) -> _Sheet:
    stages: dict[int, list[MapBox]] = {}
    for box in bead_map.boxes:
        stages.setdefault(box.stage, []).append(box)
    sizes = [len(boxes) for boxes in stages.values()]
    across, down = bead_map.shape[1] + GAP, bead_map.shape[0] + BELOW

    def shape(columns: int) -> tuple[float, float]:
        return columns * across, sum(math.ceil(size / columns) * down + HEADING for size in sizes)

    columns = min(range(1, max(sizes) + 1), key=lambda n: abs(math.log(shape(n)[0] / shape(n)[1] / RATIO)))
    wide, _ = shape(columns)
    cell = min(MAX_CELL, (MAX_WIDTH - 2 * MARGIN) / wide)
    noun = "box" if bead_map.machine.has_beads else "position"
    places, headings, top = [], [], TOP
    for stage, boxes in stages.items():
        heading = f"its {ordinal(stage)} move: {counted(len(boxes), noun)}"
        headings.append((top + 0.4 * HEADING * cell, heading))
        top += HEADING * cell
        for place in range(len(boxes)):
            row, column = divmod(place, columns)
            left = MARGIN + column * across * cell
            places.append(Place(left, top + row * down * cell, bead_map.shape[1] * cell, bead_map.shape[0] * cell))
        top += math.ceil(len(boxes) / columns) * down * cell
    return _Sheet(max(wide * cell + 2 * MARGIN, 560.0), top + MARGIN / 2, cell, places, headings)


def bead_map_figure(bead_map: BeadMap) -> Figure:
    """Draw the map as a sheet of numbered boxes, grouped by stage; darker cells have larger shares of the beads."""
    from matplotlib.figure import Figure

    from menace.figures import boards, panels

    sheet = _sheet(bead_map)
    with panels.menace_style():
        figure = Figure(figsize=(sheet.width / POINTS, sheet.height / POINTS))
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, sheet.width), ylim=(sheet.height, 0))
        axes.set_axis_off()
        _shade(axes, bead_map, sheet)
        drawings = [
            boards.BoardDrawing(box.pieces, place, "none", False)
            for box, place in zip(bead_map.boxes, sheet.places, strict=True)
        ]
        boards.draw_boards(axes, drawings, bead_map.shape)
        for box, place in zip(bead_map.boxes, sheet.places, strict=True):
            below = place.top + place.height + 0.15 * sheet.cell
            axes.text(
                place.left, below, str(box.number), va="top", fontsize=min(0.95 * sheet.cell, 11), color=panels.GREY
            )
        for height, text in sheet.headings:
            axes.text(MARGIN, height, text, va="center", fontsize=min(max(1.5 * sheet.cell, 9), 14), weight="bold")
        _title(axes, bead_map, sheet.width - 2 * MARGIN)
    return figure


def _shade(axes: Axes, bead_map: BeadMap, sheet: _Sheet) -> None:
    """Shade the moves of all boxes, and hatch empty boxes."""
    from matplotlib.collections import PolyCollection

    from menace.figures import boards, panels

    placed = list(zip(bead_map.boxes, sheet.places, strict=True))
    boards.shade_boards(axes, [(place, box.pieces, box.moves) for box, place in placed], bead_map.shape)
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    empty = [(place.left, place.top) + corners * (place.width, place.height) for box, place in placed if box.empty]
    hatching = PolyCollection(empty, facecolors="none", edgecolors=panels.GREY, linewidths=0, hatch="/////", zorder=1)
    axes.add_collection(hatching, autolim=False)


def _title(axes: Axes, bead_map: BeadMap, room: float) -> None:
    """Write the title, the explanation of the shades, and their scale."""
    from matplotlib.patches import Rectangle

    from menace.figures import boards, panels

    machine = bead_map.machine
    what = "share of the box's beads" if machine.has_beads else "probability of its moves"
    numbered = "with box numbers" if machine.has_beads else "with position numbers"
    marks = [mark for box in bead_map.boxes for mark, _ in box.moves]
    signs = any(mark.places for mark in marks)
    which = (
        "on each arrow"
        if any(mark.arrow for mark in marks)
        else "across each pair of cells"
        if any(mark.pair for mark in marks)
        else "in each cell, with X on the left and O on the right"
        if signs
        else "in each cell"
    )
    empty = "; empty boxes are hatched" if any(box.empty for box in bead_map.boxes) else ""
    title = f"{panels.displayable(machine.name)} plays {machine.plays}: {counted(machine.learned.games, 'game')}"
    size = TITLE_POINTS * min(1.0, room / panels.text_width(title, TITLE_POINTS))
    axes.text(MARGIN, MARGIN, title, va="top", fontsize=size)
    axes.text(MARGIN, MARGIN + 26, f"{what} {which}, {numbered}{empty}", va="top", fontsize=11)
    wide, tall, left, top = 120.0, 11.0, MARGIN, MARGIN + 46
    for part in range(60):  # extend each rectangle to the right end, to avoid gaps
        x = left + wide * part / 60
        axes.add_patch(
            Rectangle((x, top), left + wide - x, tall, color=boards.share_colour_map()((part + 0.5) / 60), linewidth=0)
        )
    axes.add_patch(Rectangle((left, top), wide, tall, fill=False, edgecolor=panels.GREY, linewidth=0.8))
    axes.text(left + wide + 6, top + tall / 2, "0% to 100%", va="center", fontsize=10)
